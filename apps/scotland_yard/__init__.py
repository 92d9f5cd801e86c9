"""Recorded games of Scotland Yard, analysed: where Mr. X could be, and what the detectives missed.

`transcript` is a game as a viewer saw it, `chances` values detectives' moves, `report` shows both.
"""
