"""Searches to a certain depth: paranoid alpha-beta and expectimax."""
