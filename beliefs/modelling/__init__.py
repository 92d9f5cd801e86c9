"""What a declaration and all that is observed become: a model, its history, and their problem."""
