"""Posteriors as files: declarations and evidence as JSON, and back."""
