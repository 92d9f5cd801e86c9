"""A search that cannot try all actions of its root opens the promising ones first, and says so."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth import HIDDEN, Budget, Game, Objective, Play, Search, below, kernel
from sleuth.errors import SettingsError
from sleuth.games.small import kuhn_poker
from sleuth.planners.search.kernels.tree import NODES
from sleuth.search import Widening, from_list, puct

# Guess a number below 400 that the habit of playouts knows: right pays 1, one action pays 0.3.
NUMBERS = 400
SURE = 123
# The fields are those of other small games of tests, for which the search is compiled once.
STATE = np.dtype([("player", np.int32), ("secret", np.int32), ("answer", np.int32)])


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    state.secret = below(random, NUMBERS)
    state.answer = -1


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    for number in range(NUMBERS):
        actions[number] = number
    return NUMBERS


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    state.answer = action
    state.player = -1


@kernel
def returns(state: Any, tables: Any, values: Any) -> None:
    values[0] = 0.3 if state.answer == SURE else 1.0 if state.answer == state.secret else 0.0


@kernel
def mask(state: Any, viewer: int, tables: Any) -> None:
    state.secret = HIDDEN


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    state.secret = world[0]


@kernel
def habit(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    return SURE if below(random, 2) == 0 else state.secret


@kernel
def likes_high_numbers(state: Any, actions: Any, count: int, tables: Any, priors: Any) -> None:
    for place in range(count):
        priors[place] = float(actions[place])


def guessing() -> Game:
    return Game(
        name="guessing", version=1, roles=("guesser",), state=STATE, action_space=NUMBERS,
        max_actions=NUMBERS, max_depth=1, lowest=0, highest=1, start=start, legal=legal,
        apply=apply, returns=returns, mask=mask, fill=fill, policy=habit,
    )  # fmt: skip


EVERY = from_list([[number] for number in range(NUMBERS)])


def decide(simulations: int, **given: Any):
    seed, objective = given.pop("seed", 1), given.pop("objective", Objective())
    search, view = Search(guessing(), **given), Play.new(guessing(), seed=1).view(0)
    budget = Budget(simulations=simulations)
    return search.decide(view, EVERY, budget, objective=objective, seed=seed)


@pytest.mark.parametrize("seed", range(5))
def test_a_small_budget_finds_what_playouts_know_to_be_good(seed: int) -> None:
    """Of 400 actions one pays 0.3, the others 1 in one world of 400."""
    assert decide(600, seed=seed).action == SURE


def test_without_widening_the_same_budget_tries_everything_once() -> None:
    found = decide(600, widening=None)
    assert all(report.visits for report in found.actions)
    assert found.untried == 0
    assert max(report.visits for report in found.actions) < 40


def test_as_many_actions_are_tried_as_are_open() -> None:
    found = decide(400, widening=Widening())
    assert sum(report.visits > 0 for report in found.actions) == 20
    assert found.untried == NUMBERS - 20
    assert f"did not try {NUMBERS - 20} of {NUMBERS} actions" in found.doubt()
    assert found.doubt() in found.summary()
    assert sum(report.visits for report in found.actions) == 400


def test_a_search_in_two_parts_is_the_search_in_one() -> None:
    search, view = Search(guessing()), Play.new(guessing(), seed=1).view(0)
    parts = search.start(view, EVERY, seed=3, simulations=1_000)
    parts.extend(Budget(simulations=333)).extend(Budget(simulations=667))
    whole = search.start(view, EVERY, seed=3, simulations=1_000).extend(Budget(simulations=1_000))
    found = [
        [(report.action, report.visits) for report in run.decision().actions]
        for run in (parts, whole)
    ]
    assert found[0] == found[1]


def test_a_search_that_goes_on_opens_everything_in_the_end() -> None:
    search, view = Search(guessing()), Play.new(guessing(), seed=1).view(0)
    run = search.start(view, EVERY, seed=3, simulations=500).extend(Budget(simulations=500))
    assert run.decision().untried > 0
    assert run.extend(Budget(simulations=NUMBERS**2)).decision().untried == 0


def test_a_large_budget_is_not_widened() -> None:
    found = decide(30 * NUMBERS)
    assert found.actions == decide(30 * NUMBERS, widening=None).actions


def test_few_actions_are_not_widened() -> None:
    game = kuhn_poker()
    view = Play.new(game, seed=1).view(0)
    mine = int(view.states[0].cards[0])
    rows = [
        [0 if card == mine else 1 if card == other else 2 for card in range(3)]
        for other in range(3)
        if other != mine
    ]
    runs = [
        Search(game, **given).start(view, from_list(rows), seed=2, simulations=50)
        for given in ({}, {"widening": None})
    ]
    trees = [run.extend(Budget(simulations=50)).branches[0].tree for run in runs]
    for name in trees[0]._fields:
        assert getattr(trees[0], name).tobytes() == getattr(trees[1], name).tobytes()


def test_what_tells_most_is_opened_first() -> None:
    bits = {number: (number * 7 % NUMBERS) / NUMBERS for number in range(NUMBERS)}
    found = decide(100, objective=Objective(gain_weight=400.0, exact=bits))
    tried = [report.action for report in found.actions if report.visits]
    best = sorted(bits, key=lambda number: -bits[number])[: len(tried)]
    assert sorted(tried) == sorted(best)
    assert len(tried) == 10
    assert found.action == best[0]


def test_what_a_prior_likes_is_opened_first() -> None:
    found = decide(100, selection=puct, prior=likes_high_numbers)
    tried = [report.action for report in found.actions if report.visits]
    assert min(tried) >= NUMBERS - 10


def test_each_of_several_trees_is_widened() -> None:
    found = decide(800, workers=2, seed=4)
    assert found.action == SURE
    assert decide(800, trees=4, information="everything").simulations == 800


def test_an_answer_that_cannot_be_told_from_others_says_so() -> None:
    found = decide(200)
    chosen = found[found.action]
    for report in found.actions[1:]:
        if not report.visits:
            assert report.action not in found.rivals
        elif report.action not in found.rivals:
            assert chosen.score > report.score
    assert not decide(30 * NUMBERS).rivals or "cannot tell" in decide(30 * NUMBERS).doubt()


def test_equal_actions_are_rivals() -> None:
    """Every guess but the sure one wins in one world of 400."""
    search, view = Search(guessing()), Play.new(guessing(), seed=1).view(0)
    found = search.decide(view, EVERY, Budget(simulations=60), actions=[1, 2, 3, 4])
    assert set(found.rivals) == {1, 2, 3, 4} - {found.action}
    first, second, third = (f"'{found[rival].name}'" for rival in found.rivals)
    alike = f"the search cannot tell '{found.name}' from {first}, {second} or {third}"
    assert found.doubt() == alike
    found = search.decide(view, EVERY, Budget(simulations=400), actions=[SURE, 2, 3])
    assert found.action == SURE
    assert not found.rivals
    assert not found.doubt()
    assert found.to_json()["rivals"] == []
    assert found.to_json()["untried"] == 0


@given(
    factor=st.floats(0.1, 5.0),
    power=st.floats(0.0, 1.0),
    begun=st.integers(0, 5_000),
    most=st.integers(1, 3_000),
)
def test_an_opening_lasts_until_one_more_is_opened(
    factor: float, power: float, begun: int, most: int
) -> None:
    widening = Widening(factor=factor, power=power)
    until = widening.lasts(begun, begun + most)
    assert begun < until <= begun + most
    assert widening.open(until - 1) == widening.open(begun)
    assert until == begun + most or widening.open(until) > widening.open(begun)


@pytest.mark.parametrize(
    "wrong", [{"factor": 0}, {"power": 1.5}, {"least_actions": -1}, {"least_visits": math.nan}]
)
def test_numbers_out_of_range_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match=next(iter(wrong))):
        Widening(**wrong)


def test_only_a_widening_widens() -> None:
    with pytest.raises(SettingsError, match="widening must be a Widening"):
        Search(guessing(), widening=True)


def test_a_root_is_there_once() -> None:
    search, view = Search(guessing()), Play.new(guessing(), seed=1).view(0)
    run = search.start(view, EVERY, seed=3, simulations=50).extend(Budget(simulations=50))
    assert run.branches[0].tree.used[NODES] == 1
