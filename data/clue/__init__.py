"""Clue: its cards, and recorded games in the record schema of `sleuth.models.clue`."""
