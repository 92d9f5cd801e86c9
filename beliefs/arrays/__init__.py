"""The data of engines: a problem as arrays, scaled, and the transitions of a walk."""
