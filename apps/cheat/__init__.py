"""Recorded games of Cheat, analysed: how likely every claim was, and what was worth doing.

`recorded` reads a game and says who looks on, `knowing` follows what they know, `advice` asks a
search, `analysis` computes what `findings` hold, `text` and `page` show it.
"""
