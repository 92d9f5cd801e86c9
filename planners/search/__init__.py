"""Information-set Monte Carlo tree search over any game: its parts, options and decisions."""
