"""How answers are told to people: by the names of holders and values, and in a notebook."""
