"""Bayesian networks: read from files as declarations, and written for other tools."""
