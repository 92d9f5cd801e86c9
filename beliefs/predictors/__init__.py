"""Predictors of what an opponent does: files, compiled evaluation, and known players."""
