"""Cheat for many: the declaration of what is hidden, and the belief of those who play."""
