"""The compiled part of the search: simulations, selection, the tree, and histograms."""
