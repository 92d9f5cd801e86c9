"""How answers are told to people: by names of holders and values, in notebooks, in pictures."""
