"""The report of a game of Scotland Yard: for a terminal, and as one page with its parts."""
