"""`sleuth play`: a person plays in the terminal, against any agents, in any registered game.

`session` asks and answers; a game's `Display` says what there is to see and how moves are written,
from nothing but what the person may see; `saved` keeps games.
"""
