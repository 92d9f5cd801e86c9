"""Clue as a search imagines it: smaller games that cost less and ask the same question."""
