"""Clue, for somebody who plays at a real table: what they type, and what they are told."""
