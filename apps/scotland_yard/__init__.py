"""Recorded games of Scotland Yard, analysed: where Mr. X could be, and what the detectives missed.

`recorded` reads a game as a viewer saw it, `analysis` computes, `text` and `report` show.
"""
