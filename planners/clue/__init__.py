"""Planning in Clue: the agents of both games, and the treasure hunt on the board."""
