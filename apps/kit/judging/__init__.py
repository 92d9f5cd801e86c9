"""Stated beliefs: questions about a record, answers to them, and how good these are."""
