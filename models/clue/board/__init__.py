"""The board of Clue: rooms, squares and distances, and the game that is walked on it."""
