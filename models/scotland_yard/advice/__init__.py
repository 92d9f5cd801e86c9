"""Aids to planning in Scotland Yard: playouts, filters, categories and evaluations."""
