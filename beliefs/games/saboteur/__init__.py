"""Saboteur: the declaration of who is a saboteur and where the gold is."""
