"""Beside a real game of Cheat for many: how likely claims are, whether to call, what to play."""
