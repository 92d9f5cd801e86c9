"""Small known games, which are the oracles and yardsticks of search and inference."""
