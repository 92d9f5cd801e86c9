"""How many bits each observation moved a belief: measured, as a table, and as a picture."""

from .shift import Shift
from .table import Influence

__all__ = ["Influence", "Shift"]
