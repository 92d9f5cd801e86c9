"""Checks that a game keeps the contract, and leaks nothing."""
