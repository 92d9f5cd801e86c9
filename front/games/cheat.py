"""Names of Cheat alone: its records, people, beliefs and features."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.apps.cheat.match_game import seen_in as seen_in
    from sleuth.apps.cheat.report.summary import summary as summary
    from sleuth.apps.cheat.transcript import analyse as analyse
    from sleuth.beliefs.games.cheat.adaptation import Acquaintance as Acquaintance
    from sleuth.beliefs.games.cheat.adaptation import Offset as Offset
    from sleuth.beliefs.games.cheat.declaration import CheatDeclaration as CheatDeclaration
    from sleuth.beliefs.games.cheat.features import Challenge as Challenge
    from sleuth.beliefs.games.cheat.features import features as features
    from sleuth.beliefs.games.cheat.for_many.declaration import (
        ManyCheatDeclaration as ManyCheatDeclaration,
    )
    from sleuth.beliefs.games.cheat.for_many.features import ManyChallenge as ManyChallenge
    from sleuth.beliefs.games.cheat.for_many.features import many_features as many_features
    from sleuth.beliefs.games.cheat.for_many.judges import ManyTruth as ManyTruth
    from sleuth.beliefs.games.cheat.for_many.play import ManyCheatBelief as ManyCheatBelief
    from sleuth.beliefs.games.cheat.judges import TRUTH as TRUTH
    from sleuth.beliefs.games.cheat.judges import USUAL as USUAL
    from sleuth.beliefs.games.cheat.judges import known_predictor as known_predictor
    from sleuth.beliefs.games.cheat.play import CheatBelief as CheatBelief
    from sleuth.models.cheat import RANK_NAMES as RANK_NAMES
    from sleuth.models.cheat import CheatRecord as CheatRecord
    from sleuth.models.cheat import SeenCheat as SeenCheat
    from sleuth.models.cheat import Turn as Turn
    from sleuth.models.cheat import cheat as cheat
    from sleuth.models.cheat import check_records as check_records
    from sleuth.models.cheat import json_schema as json_schema
    from sleuth.models.cheat import mini_cheat as mini_cheat
    from sleuth.models.cheat import read_records as read_records
    from sleuth.models.cheat import seen_game as seen_game
    from sleuth.models.cheat import write_records as write_records
    from sleuth.models.cheat.for_many import SeenClaim as SeenClaim
    from sleuth.models.cheat.for_many import SeenManyCheat as SeenManyCheat
    from sleuth.models.cheat.for_many import cheat_for_many as cheat_for_many
    from sleuth.models.cheat.for_many import many_claim_code as many_claim_code
    from sleuth.models.cheat.for_many import seen_many_cheat as seen_many_cheat
    from sleuth.models.cheat.for_many.people.population import MANY_HABITS as MANY_HABITS
    from sleuth.models.cheat.for_many.people.simulate import simulate_many as simulate_many
    from sleuth.models.cheat.for_many.people.tallies import no_many_counts as no_many_counts
    from sleuth.models.cheat.for_many.record.files import rank_named as rank_named
    from sleuth.models.cheat.for_many.record.files import read_many_records as read_many_records
    from sleuth.models.cheat.for_many.record.files import write_many_records as write_many_records
    from sleuth.models.cheat.for_many.record.record import ManyCheatRecord as ManyCheatRecord
    from sleuth.models.cheat.for_many.record.schema import many_json_schema as many_json_schema
    from sleuth.models.cheat.for_many.record.turn import ManyCheatTurn as ManyCheatTurn
    from sleuth.models.cheat.people.population import POPULATION as POPULATION
    from sleuth.models.cheat.people.simulate import simulate as simulate
    from sleuth.models.cheat.people.tallies import no_counts as no_counts
    from sleuth.training.cheat.for_many import rows_of_many as rows_of_many
    from sleuth.training.cheat.rows import rows_of as rows_of

__getattr__, __dir__, __all__ = attach(__name__)
