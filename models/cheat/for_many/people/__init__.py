"""Simulated people at a table of Cheat for many: their habits, and games between them."""
