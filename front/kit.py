"""Extensions of a game of your own: words, pictures, advice, what can be learned."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth._judging import questionnaire as questionnaire
    from sleuth.apps.kit.advising.contract import Adviser as Adviser
    from sleuth.apps.kit.advising.entries import LineMeaning as LineMeaning
    from sleuth.apps.kit.analysis.analyst import Analyst as Analyst
    from sleuth.apps.kit.display import Display as Display
    from sleuth.apps.kit.display import Sight as Sight
    from sleuth.apps.kit.display import display as display
    from sleuth.apps.kit.judging.questionnaire import Questionnaire as Questionnaire
    from sleuth.apps.main import main as main
    from sleuth.beliefs.games.belief_space import BeliefSpace as BeliefSpace
    from sleuth.beliefs.games.belief_space import Framing as Framing
    from sleuth.beliefs.games.contract import Asking as Asking
    from sleuth.beliefs.games.contract import Determining as Determining
    from sleuth.beliefs.games.contract import Histories as Histories
    from sleuth.beliefs.games.contract import Retracing as Retracing
    from sleuth.beliefs.games.contract import Way as Way
    from sleuth.beliefs.games.filter_belief import FilterBelief as FilterBelief
    from sleuth.beliefs.games.filter_belief import PlayHistory as PlayHistory
    from sleuth.data.checks import whole_number as whole_number
    from sleuth.models.advice import Advice as Advice
    from sleuth.models.advice import Playouts as Playouts
    from sleuth.models.briefing import Briefing as Briefing
    from sleuth.models.game import any_action as any_action
    from sleuth.models.game import everything as everything
    from sleuth.models.games import GAMES as GAMES
    from sleuth.models.kernels.cards import NO_CARD as NO_CARD
    from sleuth.models.kernels.cards import give as give
    from sleuth.models.kernels.cards import lay_out as lay_out
    from sleuth.models.kernels.cards import next_card as next_card
    from sleuth.models.kernels.cards import set_all as set_all
    from sleuth.models.kernels.cards import shuffle as shuffle
    from sleuth.models.kernels.cards import take as take
    from sleuth.models.kernels.players import next_in as next_in
    from sleuth.models.kernels.players import win_or_draw as win_or_draw
    from sleuth.models.kernels.randomness import generator as generator
    from sleuth.models.play import MoveEvent as MoveEvent
    from sleuth.models.play import PlayRecord as PlayRecord
    from sleuth.models.play import SeenPlay as SeenPlay
    from sleuth.models.records.game_files import named_columns as named_columns
    from sleuth.models.settings import digits as digits
    from sleuth.models.settings import numbers as numbers
    from sleuth.models.starts import GameStarts as GameStarts
    from sleuth.models.state_fields import ObservationSpace as ObservationSpace
    from sleuth.models.state_fields import StateField as StateField
    from sleuth.models.view import View as View
    from sleuth.planners.checking.fault_report import FaultReport as FaultReport
    from sleuth.planners.checking.fault_report import find_faults as find_faults
    from sleuth.planners.checking.findings import Finding as Finding
    from sleuth.planners.checking.findings import FindingPlace as FindingPlace
    from sleuth.training.play_files import Played as Played
    from sleuth.training.play_files import SelfPlay as SelfPlay
    from sleuth.training.predictor_file import save_predictor as save_predictor
    from sleuth.training.row_checks import check_rows as check_rows
    from sleuth.training.rows import Outcome as Outcome
    from sleuth.training.rows import RowMaker as RowMaker
    from sleuth.training.rows import rows_of_plays as rows_of_plays

__getattr__, __dir__, __all__ = attach(__name__)
