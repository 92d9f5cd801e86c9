"""Scotland Yard: its map, its rules, greedy playouts, and what the hider does not waste."""

from .board import Board, board
from .game import scotland_yard
from .imagined import freeze, searching
from .tables import HIDER, STATE, TICKETS, Tables, stations_of

__all__ = [
    "HIDER",
    "STATE",
    "TICKETS",
    "Board",
    "Tables",
    "board",
    "freeze",
    "scotland_yard",
    "searching",
    "stations_of",
]
