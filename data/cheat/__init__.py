"""Cheat: example records, predictors, and what predictors of the simulated people can reach."""
