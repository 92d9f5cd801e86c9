"""The compiled part of the search: simulations, selection, the tree, and what is learned."""
