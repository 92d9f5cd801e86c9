"""Saboteur: its cards, read by `sleuth.models.saboteur.cards`."""
