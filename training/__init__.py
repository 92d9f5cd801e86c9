"""From recorded games to fitted opponent predictors, and their honest evaluation."""
