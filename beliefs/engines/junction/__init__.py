"""Exact inference by a junction tree: choices in cliques, and deals beside them as one table."""
