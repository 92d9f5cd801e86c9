"""Compiled kernels: the decorator, its cache on disk, randomness, and kernels handed to kernels."""
