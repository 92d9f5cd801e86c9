"""Kernels as plain Python: the same code and bytes where nothing is compiled, or not yet."""
