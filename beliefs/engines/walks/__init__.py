"""Inference about walks: an exact filter and smoother, and particles that follow a path."""
