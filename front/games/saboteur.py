"""What is Saboteur's alone: its cards, and beliefs about roles and gold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sleuth._lazy import attach

if TYPE_CHECKING:
    from sleuth.beliefs.games.saboteur.play import SaboteurBelief as SaboteurBelief
    from sleuth.models.saboteur import GOAL_NAMES as GOAL_NAMES
    from sleuth.models.saboteur import card_name as card_name
    from sleuth.models.saboteur import cell_name as cell_name
    from sleuth.models.saboteur import saboteur as saboteur

_MODULES: Final = {
    "beliefs.games.saboteur.play": ("SaboteurBelief",),
    "models.saboteur": (
        "GOAL_NAMES",
        "card_name",
        "cell_name",
        "saboteur",
    ),
}
__getattr__, __dir__, __all__ = attach(__name__, _MODULES)
