"""Kinds of items and places that no evidence tells apart: a smaller problem for other engines."""
