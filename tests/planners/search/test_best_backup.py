"""Backing up the best: an action is worth what its best continuation brings, not what was tried."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sleuth import HIDDEN, OVER, Budget, Decision, Game, Objective, Play, Search, below, kernel
from sleuth.errors import SettingsError
from sleuth.games.small import kuhn_poker
from sleuth.planners.search.objective import Prospect
from sleuth.search import from_list

pytestmark = pytest.mark.usefixtures("plain_python")

STATE = np.dtype(
    [("player", np.int32), ("secret", np.int32), ("first", np.int32), ("won", np.int32)]
)
SAFE, RISKY = range(2)


@kernel
def _start(state: Any, tables: Any, random: Any) -> None:
    state.secret = below(random, 2)
    state.first = -1


@kernel
def _legal(state: Any, tables: Any, actions: Any) -> int:
    count = 2 if state.first < 0 else 5
    for action in range(count):
        actions[action] = action
    return count


@kernel
def _apply(state: Any, action: int, tables: Any, random: Any) -> None:
    """After the risky action one of five answers brings 10 and the others nothing."""
    if state.first < 0:
        state.first = action
    else:
        state.won = 5 if state.first == 0 else 10 if action == 3 else 0
        state.player = OVER


@kernel
def _observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return 2 * action + (state.secret if state.first == 1 else 0)


@kernel
def _returns(state: Any, tables: Any, values: Any) -> None:
    values[0] = state.won


@kernel
def _mask(state: Any, viewer: int, tables: Any) -> None:
    state.secret = HIDDEN


@kernel
def _fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    state.secret = world[0]


def two_steps() -> Game:
    return Game(
        name="two_steps",
        version=1,
        roles=("player",),
        state=STATE,
        action_space=5,
        max_actions=5,
        max_depth=2,
        lowest=0,
        highest=10,
        start=_start,
        legal=_legal,
        apply=_apply,
        observe=_observe,
        returns=_returns,
        mask=_mask,
        fill=_fill,
    )


def decided(objective: Objective | None = None, **options: Any) -> Decision:
    game = two_steps()
    return Search(game, exploration=2.0, **options).decide(
        Play.new(game, seed=1).view(0),
        from_list([[0], [1]]),
        Budget(simulations=300),
        objective=objective or Objective(),
        seed=1,
    )


def test_an_action_is_worth_what_its_best_answer_brings() -> None:
    average, best = decided(), decided(backup="best")
    # With so much exploration the average is far below the 10 that the best answer brings.
    assert average[RISKY].value < 8.0
    assert best[RISKY].value == pytest.approx(10.0, abs=0.5)
    assert best[SAFE].value == pytest.approx(5.0)
    assert best.action == RISKY


def test_the_interval_is_still_that_of_the_returns() -> None:
    low, high = decided(backup="best")[RISKY].interval
    assert high - low > 0.1


def test_what_is_learned_later_is_what_the_best_answer_tells() -> None:
    """The risky action tells the secret only where the second action is 3, and then all of it."""

    def ask(states: Any, moves: Any, *, gains: bool) -> Prospect:
        actions = [move.action for move in moves]
        known = len(actions) == 2 and actions[0] == RISKY and actions[1] == 3
        return Prospect(entropy=0.0 if known else 1.0)

    objective = Objective(gain_weight=1.0, ask=ask, entropy=1.0, rows=16)
    average, best = (
        decided(objective, backup=backup)[RISKY].later for backup in ("average", "best")
    )
    assert best == pytest.approx(1.0, abs=0.05)
    assert average < 0.8


def test_it_is_refused_where_a_value_is_not_one_players_in_one_tree() -> None:
    with pytest.raises(SettingsError, match="the others decide"):
        Search(kuhn_poker(), backup="best")
    with pytest.raises(SettingsError, match="discounted"):
        Search(two_steps(), backup="best", discount=0.9)
    with pytest.raises(SettingsError, match="several ways in"):
        Search(two_steps(), backup="best", information="players")
    with pytest.raises(SettingsError, match="no such way to back up"):
        Search(two_steps(), backup="most")


def test_more_rows_are_asked_about_where_it_is_wanted() -> None:
    def ask(states: Any, moves: Any, *, gains: bool) -> Prospect:
        return Prospect(entropy=0.5)

    few, many = (
        decided(Objective(gain_weight=1.0, ask=ask, entropy=1.0, rows=rows)).learning
        for rows in (1, 16)
    )
    assert few is not None
    assert many is not None
    assert few.asked <= 300 // 64 < many.asked
    with pytest.raises(SettingsError, match="rows"):
        Objective(rows=0)
