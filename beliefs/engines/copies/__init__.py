"""Exact inference for identical copies: counting by type, with open claims."""
