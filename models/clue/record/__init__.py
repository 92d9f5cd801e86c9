"""Records of Clue: their form on file, how they are read, and whether they keep the rules."""
