"""A finished search tree, walked through and drawn."""
