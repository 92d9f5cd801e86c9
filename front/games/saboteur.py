"""Names of Saboteur alone: cards, records, and beliefs about roles and gold, with their models."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.apps.saboteur.mine import mine as mine
    from sleuth.beliefs.games.saboteur.events import RoundStep as RoundStep
    from sleuth.beliefs.games.saboteur.likelihoods import ActionModel as ActionModel
    from sleuth.beliefs.games.saboteur.likelihoods import AdditiveModel as AdditiveModel
    from sleuth.beliefs.games.saboteur.likelihoods import GoalClaim as GoalClaim
    from sleuth.beliefs.games.saboteur.likelihoods import Sign as Sign
    from sleuth.beliefs.games.saboteur.likelihoods import Weight as Weight
    from sleuth.beliefs.games.saboteur.likelihoods import role_worlds as role_worlds
    from sleuth.beliefs.games.saboteur.minds import RoleMind as RoleMind
    from sleuth.beliefs.games.saboteur.minds import Scheme as Scheme
    from sleuth.beliefs.games.saboteur.play import SaboteurBelief as SaboteurBelief
    from sleuth.models.saboteur import GOAL_NAMES as GOAL_NAMES
    from sleuth.models.saboteur import card_name as card_name
    from sleuth.models.saboteur import cell_name as cell_name
    from sleuth.models.saboteur import saboteur as saboteur
    from sleuth.models.saboteur.mine import flood as flood
    from sleuth.models.saboteur.record.events import RoundDeal as RoundDeal
    from sleuth.models.saboteur.record.events import RoundEnd as RoundEnd
    from sleuth.models.saboteur.record.events import RoundTurn as RoundTurn
    from sleuth.models.saboteur.record.record import SaboteurRecord as SaboteurRecord
    from sleuth.models.saboteur.record.schema import json_schema as json_schema
    from sleuth.models.saboteur.state import GOLD as GOLD
    from sleuth.models.saboteur.state import REPAIRS as REPAIRS

__getattr__, __dir__, __all__ = attach(__name__)
