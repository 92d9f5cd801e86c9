"""Cheat for many as its players see it."""
