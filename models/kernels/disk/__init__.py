"""Compiled kernels on disk: their folder, what their code depends on, the cache that numba asks."""
