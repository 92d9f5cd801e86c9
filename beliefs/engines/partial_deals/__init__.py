"""Exact inference card by card, over the graph of partial deals."""
