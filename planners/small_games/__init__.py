"""Games small enough to be written out: policies, best responses and equilibria."""
