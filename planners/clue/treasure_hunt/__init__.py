"""Where to go to learn most for the way: the treasure hunt of Clue, and how long ways take."""

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
