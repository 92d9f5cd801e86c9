"""Recorded games of Clue, analysed: what could be known, and what was worth asking."""
