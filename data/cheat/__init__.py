"""Cheat: example records, and what predictors of the simulated people can reach."""
