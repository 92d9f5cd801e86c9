"""A declaration and all that is observed, made into a model, its history, and their problem."""
