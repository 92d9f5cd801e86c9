"""What a declaration becomes: arrays, the moves of holders, and the transitions of a walk."""
