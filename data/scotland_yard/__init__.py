"""Scotland Yard: the map of the board, read by `sleuth.models.scotland_yard.board`."""
