"""Predictors of Cheat: rows of recorded claims, training and judging, and what can be reached."""
