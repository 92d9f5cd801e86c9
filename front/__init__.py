"""Declare what is hidden, watch what happens, ask what follows, choose what to do.

These names are all that is public, with the pages of single games in `sleuth.games`. Everything
else in the package may move from one release to the next. A name is imported when it is first used,
so ``import sleuth`` is quick, and no compiler is loaded.

>>> import sleuth
>>> cards = sleuth.Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
>>> belief = sleuth.infer(sleuth.Model(cards), given=[cards.holds("me", "king", 2)])
>>> {count: round(p, 2) for count, p in belief.marginal(cards.count("you", "ace")).items()}
{0: 0.17, 1: 0.67, 2: 0.17}
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from sleuth.data.lazy import attach
from sleuth.data.showing import show_by
from sleuth.models.shipped import illustrate, ship

if TYPE_CHECKING:
    from sleuth import adapters as adapters
    from sleuth import agents as agents
    from sleuth import answers as answers
    from sleuth import equilibria as equilibria
    from sleuth import errors as errors
    from sleuth import games as games
    from sleuth import jobs as jobs
    from sleuth import kit as kit
    from sleuth import matches as matches
    from sleuth import nested as nested
    from sleuth import networks as networks
    from sleuth import predictors as predictors
    from sleuth import search as search
    from sleuth import teaching as teaching
    from sleuth._agents import agent as agent
    from sleuth._judging import JudgedBeliefs as JudgedBeliefs
    from sleuth._judging import judge as judge
    from sleuth._records import Analysis as Analysis
    from sleuth._records import GameRecord as GameRecord
    from sleuth._records import analyse as analyse
    from sleuth._records import example as example
    from sleuth._records import load as load
    from sleuth._training import predictor as predictor
    from sleuth._training import train as train
    from sleuth._version import __version__ as __version__
    from sleuth.beliefs.asking.many_questions import Questions as Questions
    from sleuth.beliefs.games.contract import CachedBelief as CachedBelief
    from sleuth.beliefs.games.contract import GameBelief as GameBelief
    from sleuth.beliefs.games.registry import belief as belief
    from sleuth.beliefs.infer import infer as infer
    from sleuth.beliefs.judging.calibrate import calibrate as calibrate
    from sleuth.beliefs.judging.compare import compare as compare
    from sleuth.beliefs.judging.reliability import reliability as reliability
    from sleuth.beliefs.language.counting import all_of as all_of
    from sleuth.beliefs.language.counting import any_of as any_of
    from sleuth.beliefs.language.counting import count_of as count_of
    from sleuth.beliefs.language.covering import disjoint as disjoint
    from sleuth.beliefs.language.covering import exact_cover as exact_cover
    from sleuth.beliefs.language.evidence import Evidence as Evidence
    from sleuth.beliefs.language.features import Condition as Condition
    from sleuth.beliefs.language.features import Feature as Feature
    from sleuth.beliefs.language.features import together as together
    from sleuth.beliefs.language.questions import Question as Question
    from sleuth.beliefs.language.sums import sum_of as sum_of
    from sleuth.beliefs.language.variables import Choice as Choice
    from sleuth.beliefs.language.variables import Deal as Deal
    from sleuth.beliefs.language.walk import Walk as Walk
    from sleuth.beliefs.modelling.model import Model as Model
    from sleuth.beliefs.networks.handover import from_pgmpy as from_pgmpy
    from sleuth.beliefs.posterior import Posterior as Posterior
    from sleuth.data.errors import SleuthError as SleuthError
    from sleuth.models.game import HIDDEN as HIDDEN
    from sleuth.models.game import OVER as OVER
    from sleuth.models.game import SPECTATOR as SPECTATOR
    from sleuth.models.game import Game as Game
    from sleuth.models.games import GameEntry as GameEntry
    from sleuth.models.games import game as game
    from sleuth.models.kernels.kernel import kernel as kernel
    from sleuth.models.kernels.randomness import below as below
    from sleuth.models.kernels.randomness import uniform as uniform
    from sleuth.models.play import Play as Play
    from sleuth.planners.agents import OwnAgent as OwnAgent
    from sleuth.planners.agents import SearchAgent as SearchAgent
    from sleuth.planners.checking.belief_checks import check_belief as check_belief
    from sleuth.planners.checking.conformance import check_game as check_game
    from sleuth.planners.checking.decisions import check_agent as check_agent
    from sleuth.planners.matches.match import play_match as play_match
    from sleuth.planners.search.budget import Budget as Budget
    from sleuth.planners.search.decision import Decision as Decision
    from sleuth.planners.search.objective import Objective as Objective
    from sleuth.planners.search.search import Search as Search
    from sleuth.planners.small_games.exploitability import exploitability as exploitability

__getattr__, __dir__, __all__ = attach(__name__)

ship(lambda: import_module("sleuth.games._shipped").GAMES)
show_by(lambda: import_module("sleuth.apps.kit.notebook").SHOWN)
illustrate(lambda play, viewer: import_module("sleuth.apps.kit.glance").glance(play, viewer))
