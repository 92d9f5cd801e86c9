"""Records of games: events, what a viewer saw of them, and the record of any game."""
