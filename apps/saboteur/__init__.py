"""Saboteur in reports: the mine and the players, as a viewer knows them."""
