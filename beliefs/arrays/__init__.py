"""What engines read: a problem as arrays, scaled, and the transitions of a walk."""
