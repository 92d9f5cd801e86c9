"""Simulated people: a population of bluffers, and matches between them."""
