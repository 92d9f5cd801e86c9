"""Names of Scotland Yard alone: its board, records, beliefs and advice."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.beliefs.games.scotland_yard.move_model import MoveModel as MoveModel
    from sleuth.beliefs.games.scotland_yard.move_model import shipped_moves as shipped_moves
    from sleuth.beliefs.games.scotland_yard.play import LIKELIHOODS as LIKELIHOODS
    from sleuth.beliefs.games.scotland_yard.play import ScotlandYardBelief as ScotlandYardBelief
    from sleuth.models.scotland_yard import TICKETS as TICKETS
    from sleuth.models.scotland_yard import HiderMove as HiderMove
    from sleuth.models.scotland_yard import ScotlandYardRecord as ScotlandYardRecord
    from sleuth.models.scotland_yard import SeekerMove as SeekerMove
    from sleuth.models.scotland_yard import SeenHunt as SeenHunt
    from sleuth.models.scotland_yard import StationMap as StationMap
    from sleuth.models.scotland_yard import board as board
    from sleuth.models.scotland_yard import json_schema as json_schema
    from sleuth.models.scotland_yard import scotland_yard as scotland_yard
    from sleuth.models.scotland_yard import searching as searching
    from sleuth.models.scotland_yard import stations_of as stations_of
    from sleuth.models.scotland_yard.advice.categories import Categories as Categories
    from sleuth.models.scotland_yard.advice.categories import (
        shipped_categories as shipped_categories,
    )
    from sleuth.models.scotland_yard.advice.move_filtering import considered as considered
    from sleuth.models.scotland_yard.advice.move_filtering import made as made
    from sleuth.models.scotland_yard.advice.playouts import epsilons as epsilons
    from sleuth.models.scotland_yard.rules import own_returns as own_returns

__getattr__, __dir__, __all__ = attach(__name__)
