"""Records of Cheat: their forms on file, what one player sees of them, and their replay."""
