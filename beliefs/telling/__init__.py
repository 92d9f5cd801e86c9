"""Answers as they are told to people: by names of holders and values, in notebooks, in pictures."""
