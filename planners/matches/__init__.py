"""Matches: many games between agents, their files, and what they say."""
