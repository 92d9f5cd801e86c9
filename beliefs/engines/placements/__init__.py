"""Exact inference about placements that must not overlap: a decision diagram of exact covers."""
