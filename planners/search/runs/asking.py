"""Rows of knowledge that a posterior is asked about, while a search goes on.

The rows that the most states passed are asked first: what the player would know there is handed to
the game's belief, which says exactly how much would be open. Only what the player could see is
handed over, in a state that was drawn from their own belief.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from typing import Final

import numpy as np

from ....models.game import HIDDEN, Game
from ....models.play import MoveEvent
from ..kernels.handing_up import enter_gains, settle
from ..kernels.knowledge import ABSENT, ASKABLE, Knowledge
from ..objective import ASKED_AT_ONCE, Ask, Prospect
from .branch import Branch

#: States that must have passed a row before it is asked about.
LEAST_PASSED: Final = 4
#: The same before the gains of all questions there are asked for, which takes longer.
GAINS_PASSED: Final = 16
#: After so many simulations rows are asked about.
ASK_EVERY: Final = 64
#: With a budget of seconds they are asked about more seldom as a search goes on: after this part of
#: the simulations that were made.
ASK_AFTER: Final = 1 / 32


def ask_in_time(
    branch: Branch, game: Game, ask: Ask, share: float | None, rows: int = ASKED_AT_ONCE
) -> None:
    """Ask about some rows of a tree, those first that the most states have passed.

    Args:
        branch: The tree.
        game: Its game.
        ask: The posterior.
        share: Part of the time that asking may take; None to ask about the same rows however long
            it takes, so that a search can be made again.
        rows: About how many then.
    """
    began = time.perf_counter()
    if share is None:
        ask_about(branch, game, ask, most_passed(branch)[:rows])
    else:
        allowed = share / (1.0 - share) * branch.clocks.simulating if share < 1.0 else math.inf
        for place in most_passed(branch)[:ASK_EVERY]:
            if branch.clocks.asking + time.perf_counter() - began >= allowed:
                break
            ask_about(branch, game, ask, [place])
    branch.clocks.asking += time.perf_counter() - began


def until_asking(simulations: int, *, timed: bool) -> int:
    """The number of simulations a tree has when rows are asked about next.

    Args:
        simulations: How many it has now.
        timed: Whether the budget is one of seconds.
    """
    after = int(simulations * ASK_AFTER) // ASK_EVERY * ASK_EVERY if timed else 0
    return simulations - simulations % ASK_EVERY + max(ASK_EVERY, after)


def most_passed(branch: Branch) -> list[int]:
    """Places of the rows to be asked about next, among those that can be."""
    knowledge = branch.knowledge
    there = int(knowledge.used[ASKABLE])
    rows = knowledge.row_of[:there]
    passed, new = knowledge.totals[rows], np.isnan(knowledge.exact[rows])
    wanted = new & (passed >= LEAST_PASSED) & ~branch.refused[:there]
    wanted |= ~new & (passed >= GAINS_PASSED) & ~branch.ranked[:there]
    places = np.flatnonzero(wanted)
    return places[np.argsort(-passed[places], kind="stable")].tolist()


def ask_about(branch: Branch, game: Game, ask: Ask, places: Sequence[int]) -> None:
    """Ask about rows by their places, and enter what the posterior says."""
    knowledge = branch.knowledge
    for place in places:
        row = int(knowledge.row_of[place])
        decides = int(knowledge.depths[row]) < branch.numbers.follow_depth
        gains = decides and int(knowledge.totals[row]) >= GAINS_PASSED
        branch.ranked[place] = gains or not decides
        state = game.states_of(branch.worlds.known[place].tobytes())
        told = ask(state, moves_to(knowledge, place), gains=gains)
        if told is None:
            branch.refused[place] = branch.ranked[place] = True
        else:
            learn_exactly(branch, row, told)
            branch.asked += 1


def moves_to(knowledge: Knowledge, place: int) -> list[MoveEvent]:
    """The moves the player saw from the root to a row that can be asked about."""
    parts: list[list[MoveEvent]] = []
    while place != ABSENT:  # the root has none
        first, count = int(knowledge.first_move[place]), int(knowledge.move_count[place])
        parts.append(
            [
                MoveEvent(mover, seen, None if action == HIDDEN else action)
                for mover, seen, action in knowledge.moves[first : first + count].tolist()
            ]
        )
        taken = int(knowledge.parents[int(knowledge.row_of[place])])
        place = int(knowledge.askable[int(knowledge.parents[taken])])
    return [move for part in reversed(parts) for move in part]


def learn_exactly(branch: Branch, row: int, told: Prospect) -> None:
    """Enter what a posterior says of a known row, and take up the gains that change by it."""
    knowledge, discount = branch.knowledge, branch.numbers.gain_discount
    variables = branch.worlds.classes.shape[1]
    taken = int(knowledge.parents[row])
    if np.isnan(knowledge.exact[row]):
        knowledge.exact[row] = told.entropy
        knowledge.covered[taken] += knowledge.totals[row]
        knowledge.told[taken] += knowledge.totals[row] * told.entropy
        settle(knowledge, taken, variables, discount)
    if told.gains:
        actions = np.fromiter(told.gains.keys(), np.int64, len(told.gains))
        bits = np.fromiter(told.gains.values(), np.float64, len(told.gains))
        if not enter_gains(knowledge, row, actions, bits, variables, discount):
            return
    knowledge.telling[row] = told.gains is not None and told.all_gains
