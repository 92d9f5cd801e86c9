"""The report of a game of Clue: for a terminal, and as one page with its parts."""
