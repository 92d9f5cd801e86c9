"""Advice beside a real game, in the browser: what happens is touched, and what follows is shown."""
