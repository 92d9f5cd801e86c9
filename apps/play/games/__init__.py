"""How each game is shown to a person who plays it, and the pictures in letters that it draws."""
