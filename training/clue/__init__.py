"""What is learned of Clue: which cards players ask for, and which they show."""
