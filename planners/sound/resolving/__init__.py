"""The rest of a game, or moments of it, solved by themselves and nowhere easier to exploit."""
