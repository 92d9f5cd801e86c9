"""Saboteur: cards, the mine, rules, sensible playouts, and words.

What is hidden, as columns for ``fill``: the holder of each role card, the saboteurs' first, where a
holder is a player's number or, after the last of them, the card that is left over; then the number
of the goal where the gold is. Stones, hands, the deck and what others discarded are drawn at random
from the cards that the viewer has not seen.
"""

from .game import saboteur
from .state import STATE, SaboteurTables
from .words import GOAL_NAMES, card_name, cell_name

__all__ = ["GOAL_NAMES", "STATE", "SaboteurTables", "card_name", "cell_name", "saboteur"]
