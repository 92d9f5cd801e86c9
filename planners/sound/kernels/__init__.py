"""Compiled walks through a game from its deal, and what they read and write."""
