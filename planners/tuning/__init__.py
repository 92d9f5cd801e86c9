"""Tournaments of one agent with different options against itself."""
