"""Planning in Saboteur: agents with rules of their own, and that of a public program."""
