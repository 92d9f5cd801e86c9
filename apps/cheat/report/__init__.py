"""The report of a game of Cheat: for a terminal, and as one page with its parts."""
