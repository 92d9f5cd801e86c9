"""Observations that make something certain, and the bits each of them moved."""
