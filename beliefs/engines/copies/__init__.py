"""Exact inference for identical copies: counting by type, also after splits."""
