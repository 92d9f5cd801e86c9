"""Walks of Clue that teach most for their way: the treasure hunt, and how long ways take."""

from .hunt import Plan, RoomPlan, Step, TreasureHunt
from .measuring import ALL, Breadth, Leg, Measuring, Weights
from .ways import Ways

__all__ = [
    "ALL",
    "Breadth",
    "Leg",
    "Measuring",
    "Plan",
    "RoomPlan",
    "Step",
    "TreasureHunt",
    "Ways",
    "Weights",
]
