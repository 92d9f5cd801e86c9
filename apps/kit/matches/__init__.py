"""Matches and tournaments as the commands ask for them, and their results as text."""
