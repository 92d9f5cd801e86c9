"""Planning in Cheat: the agents of the paper, and one of our own."""
