"""Subjects to learn of Clue: the cards players ask for, and those they show."""
