"""Approximate inference from samples: weighting, rejection, Metropolis swaps and particles."""
