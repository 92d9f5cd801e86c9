"""Clue as a declaration, and as it is played."""
