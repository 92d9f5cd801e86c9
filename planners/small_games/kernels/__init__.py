"""The compiled parts of games that are written out: the writer, best responses, equilibria."""
