"""The small games, as they are shown to a person who plays them."""
