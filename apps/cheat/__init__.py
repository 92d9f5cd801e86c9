"""Recorded games of Cheat, analysed: how likely every claim was, and what was worth doing.

`recorded` reads a game and says who knew what, `analysis` computes, `text` and `page` show.
"""
