"""Scotland Yard: map, rules, records, greedy playouts, and what the hider does not waste."""

from .board import StationMap, board
from .events import HiderMove, HuntEvent, SeekerMove
from .game import scotland_yard
from .imagined import freeze, searching
from .record.record import ScotlandYardRecord, load
from .record.schema import json_schema
from .record.seen import SPECTATOR, SeenHunt
from .state import HIDER, STATE, TICKETS, ScotlandYardTables, stations_of

__all__ = [
    "HIDER",
    "SPECTATOR",
    "STATE",
    "TICKETS",
    "HiderMove",
    "HuntEvent",
    "ScotlandYardRecord",
    "ScotlandYardTables",
    "SeekerMove",
    "SeenHunt",
    "StationMap",
    "board",
    "freeze",
    "json_schema",
    "load",
    "scotland_yard",
    "searching",
    "stations_of",
]
