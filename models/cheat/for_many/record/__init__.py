"""Records of Cheat for many: their forms on file, what one player sees of them, their replay."""
