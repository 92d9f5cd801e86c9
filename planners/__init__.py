"""Choosing what to do with a belief: search, its parts and objectives, agents and matches."""
