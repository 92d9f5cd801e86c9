"""Exact inference by the hands that a holder can have."""
