"""Recorded games of Cheat, analysed: how likely every claim was, and what was worth doing.

`recorded` reads a game and says who looks on, `transcript` follows what they know and makes
`findings`, `advice` asks a search, and `report` shows it.
"""
