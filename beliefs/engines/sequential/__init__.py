"""Variables drawn or changed one after the other, for models of any number of choices."""
