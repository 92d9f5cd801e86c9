"""A search that has begun: what is compiled for it, its trees, its chunks, and what it decides."""
