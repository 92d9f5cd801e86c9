"""Names of Clue alone: its cards, records, beliefs and hunt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.beliefs.games.clue.declaration import ClueDeclaration as ClueDeclaration
    from sleuth.beliefs.games.clue.kinds import KindsBelief as KindsBelief
    from sleuth.beliefs.games.clue.learned import LearnedBelief as LearnedBelief
    from sleuth.beliefs.games.clue.play import ClueBelief as ClueBelief
    from sleuth.beliefs.games.clue.play import seen_game as seen_game
    from sleuth.models.clue import CARDS as CARDS
    from sleuth.models.clue import CASE_FILE as CASE_FILE
    from sleuth.models.clue import ROOMS as ROOMS
    from sleuth.models.clue import SUSPECTS as SUSPECTS
    from sleuth.models.clue import WEAPONS as WEAPONS
    from sleuth.models.clue import Accusation as Accusation
    from sleuth.models.clue import ClueRecord as ClueRecord
    from sleuth.models.clue import Has as Has
    from sleuth.models.clue import HouseRules as HouseRules
    from sleuth.models.clue import Look as Look
    from sleuth.models.clue import Move as Move
    from sleuth.models.clue import NotHas as NotHas
    from sleuth.models.clue import OneOf as OneOf
    from sleuth.models.clue import Refutation as Refutation
    from sleuth.models.clue import SeenClue as SeenClue
    from sleuth.models.clue import Suggestion as Suggestion
    from sleuth.models.clue import json_schema as json_schema
    from sleuth.models.clue import load as load
    from sleuth.models.clue.board.whole import clue as clue
    from sleuth.models.clue.edition import ClueEdition as ClueEdition
    from sleuth.models.clue.editions import edition as edition
    from sleuth.models.clue.game import PASS as PASS
    from sleuth.models.clue.game import clue_table as clue_table
    from sleuth.models.clue.simulate import simulate as simulate
    from sleuth.planners.clue.treasure_hunt import TreasureHunt as TreasureHunt
    from sleuth.planners.clue.treasure_hunt import Weights as Weights
    from sleuth.planners.clue.treasure_hunt.expected_turns import expected_turns as expected_turns

__getattr__, __dir__, __all__ = attach(__name__)
