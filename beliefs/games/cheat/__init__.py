"""Cheat as a declaration, what a claim looks like, and Cheat as it is played."""
