"""Beside a real game: what a person types is kept at once, and they are advised; for any game."""
