"""Searches to a certain depth: paranoid alpha-beta, expectimax, and questions asked ahead."""
