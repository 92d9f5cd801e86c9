"""Plain Python goes first: what a caller hands over ends in a sentence, never in other memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sleuth import (
    HIDDEN,
    OVER,
    Budget,
    CachedBelief,
    Choice,
    Feature,
    Game,
    Model,
    Play,
    Posterior,
    Search,
    below,
    exploitability,
    game,
    infer,
    kernel,
)
from sleuth import (
    belief as belief_of,
)
from sleuth.agents import PolicyAgent, drawn_from
from sleuth.equilibria import GameTree, equilibrium
from sleuth.errors import RecordError, SettingsError
from sleuth.kit import SeenPlay, View
from sleuth.models import rehearsal
from sleuth.models.rehearsal import Origin, try_rows
from sleuth.planners.agents.search_agents import SIMULATIONS
from sleuth.planners.search.determinization import origin_of
from sleuth.search import AlphaBeta, Limits, from_list

# What is refused is refused before; what is not would end the interpreter if it were compiled.
pytestmark = pytest.mark.usefixtures("plain_python")

# A reader's own game: one hidden number of the first player, which the second one guesses.
SIZE = 4
WORTH = np.arange(SIZE)
STATE = np.dtype([("player", np.int32), ("secret", np.int32), ("guess", np.int32)])


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    state.secret = below(random, SIZE)
    state.guess = -1


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    for action in range(SIZE):
        actions[action] = action
    return SIZE


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    state.guess = action
    state.player = state.player + 1 if state.player == 0 else OVER


@kernel
def returns(state: Any, tables: Any, values: Any) -> None:
    values[0] = WORTH[state.secret]
    values[1] = -values[0]


@kernel
def mask(state: Any, viewer: int, tables: Any) -> None:
    if viewer != 0 and state.player != OVER:
        state.secret = HIDDEN


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    state.secret = world[0]


@kernel
def apply_beyond(state: Any, action: int, tables: Any, random: Any) -> None:
    state.guess = WORTH[action + SIZE]
    state.player = OVER


@kernel
def apply_shared(state: Any, action: int, tables: Any, random: Any) -> None:
    state.guess = SIZE // (action - action)
    state.player = OVER


@kernel
def beyond(state: Any, player: int, tables: Any) -> float:
    return float(WORTH[SIZE + player + 1])


GUESS = Game(
    name="guess_the_number", version=1, roles=("first", "second"), state=STATE, action_space=SIZE,
    max_actions=SIZE, max_depth=2, lowest=-SIZE, highest=SIZE, start=start, legal=legal,
    apply=apply, returns=returns, mask=mask, fill=fill,
)  # fmt: skip
SECRET = Choice("secret", range(SIZE))


class GuessBelief(CachedBelief[int]):
    def known(self, view: View, seen: SeenPlay) -> int:
        return int(view.states[0].secret)

    def posterior(self, known: int) -> Posterior:
        given = [] if known == HIDDEN else [SECRET.value().equals(known).observed(because="mine")]
        return infer(Model(SECRET), given)

    def hidden(self, view: View) -> Mapping[str, Feature]:
        return {} if view.viewer == 0 else {"secret": SECRET.value()}


@pytest.mark.parametrize(
    "rows, said",
    [
        ([[0, 1, 2]], "6 columns"),
        ([[0, -9, 2, 3, 3, 3]], "row .*column 1 of a row cannot have this number"),
        ([[3] * 6], "row .*is impossible"),
        ([()], "no rows"),
        ([[0.5] * 6], "whole numbers"),
        ([[99_999] * 6], "out of range"),
        ([[0, 1], [2]], "equally long"),
    ],
)
def test_rows_of_a_game_that_comes_with_sleuth_go_through_one_door(rows: Any, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        GameTree(game("leduc_poker"), rows=rows)


def test_rows_are_tried_where_no_belief_is_asked() -> None:
    leduc = game("leduc_poker")
    for row, said in (
        ([0, -9, 2, 3, 3, 3], "'fill' uses an index that is out of bounds"),
        ([3] * 6, "something is HIDDEN"),
    ):
        with pytest.raises(SettingsError, match=f"row .*{said}"):
            Search(leduc).start(Play.new(leduc, seed=1).view(0), from_list([row]))


@pytest.mark.parametrize("rows", [[()], [[SIZE]], [[-SIZE - 1]], [[0], [SIZE + 3]], [[0, 0]]])
def test_rows_of_a_readers_game_are_tried_before_compiled_code_gets_them(rows: Any) -> None:
    play = Play.new(GUESS, seed=1)
    play.apply(0)
    with pytest.raises(SettingsError, match=r"rows|row |index|columns"):
        GameTree(GUESS, rows=rows, belief=GuessBelief())
    if len(rows[0]) == 1:
        for use in (Search(GUESS).start, AlphaBeta(GUESS).decide):
            with pytest.raises(SettingsError, match=r"row .* index"):
                use(play.view(1), from_list(rows))


# A reader's own game with two hidden numbers, whose sum is an index.
BOTH = np.dtype([("player", np.int32), ("secrets", np.int32, (2,)), ("total", np.int32)])
SUMS = np.zeros(2 * SIZE - 2)


@kernel
def start_two(state: Any, tables: Any, random: Any) -> None:
    state.secrets[0] = below(random, SIZE)


@kernel
def apply_two(state: Any, action: int, tables: Any, random: Any) -> None:
    state.total = tables[state.secrets[0] + state.secrets[1]]
    state.player = OVER


@kernel
def returns_two(state: Any, tables: Any, values: Any) -> None:
    values[0] = state.total


@kernel
def mask_two(state: Any, viewer: int, tables: Any) -> None:
    state.secrets[:] = HIDDEN


@kernel
def fill_two(state: Any, world: Any, tables: Any, random: Any) -> None:
    state.secrets[0], state.secrets[1] = world[0], world[1]


TWO = replace(
    GUESS, name="two_numbers", state=BOTH, max_depth=1, columns=2, tables=SUMS, start=start_two,
    apply=apply_two, returns=returns_two, mask=mask_two, fill=fill_two,
)  # fmt: skip


def test_rows_of_a_caller_are_tried_though_each_of_their_numbers_was_seen() -> None:
    """Only the largest of both together is beyond the table."""
    rows = [(number, 0) for number in range(SIZE)] + [(0, number) for number in range(SIZE)]
    rows = [*rows * 5, (SIZE - 1, SIZE - 1)]
    view = Play.new(TWO, seed=1).view(0)
    for use in (
        lambda: GameTree(TWO, rows=rows),
        lambda: Search(TWO).start(view, from_list(rows), simulations=500),
        lambda: Search(TWO).start(view, lambda n, rng: np.resize(rows, (n, 2)), simulations=500),
        lambda: try_rows(TWO, view.states, np.array(rows, dtype=np.int16), Origin.CALLER),
        lambda: try_rows(TWO, view.states, np.array(rows, dtype=np.int16), Origin.FUNCTION),
        # Of a belief the first rows.
        lambda: try_rows(TWO, view.states, np.array(rows[-17:], dtype=np.int16), Origin.BELIEF),
    ):
        with pytest.raises(SettingsError, match=r"row .3, 3.*'apply' uses an index"):
            use()
    assert len(GameTree(TWO, rows=rows[:-1]).histories) == 2 * SIZE * (SIZE + 1) - SIZE - 1


@pytest.mark.parametrize(
    "rows, said",
    [
        ([(0, 1, 2), (-1, 0, 1)], "row .-1, 0, 1.*column 0 of a row.*one of 0, 1, 2"),
        ([(-2, -1, 0)], "column 0"),
        ([(0, 1, 99)], "column 2"),
        ([(0, 1, -1)], "column 2"),
        ([(2, 1, 0), (0, 0, 1)], "row .0, 0, 1.*impossible"),
    ],
)
def test_rows_of_a_caller_are_what_the_belief_can_give(rows: Any, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        GameTree(game("kuhn_poker"), rows=rows)


def test_rows_may_have_the_copies_of_an_item_in_any_order() -> None:
    leduc = game("leduc_poker")
    rows = [[0, 3, 3, 1, 3, 2], [3, 0, 1, 3, 2, 3]]
    assert len(GameTree(leduc, rows=rows).starts) == 1
    with pytest.raises(SettingsError, match="impossible"):
        GameTree(leduc, rows=[*rows, [0, 1, 2, 2, 3, 3]])


def test_rows_come_from_the_belief_by_default() -> None:
    assert len(GameTree(GUESS, belief=GuessBelief()).information_sets) == SIZE + SIZE
    for name, sets, value in (("kuhn_poker", 12, 11 / 12), ("leduc_poker", 288, 4.747222222)):
        tree = GameTree(game(name))
        assert len(tree.information_sets) == sets
        assert exploitability(tree, tree.uniform_policy()).nash_conv == pytest.approx(value)
    # What is dealt follows from the draws of its start as well.
    assert len(GameTree(GUESS).information_sets) == SIZE + SIZE
    with pytest.raises(SettingsError, match="nothing is hidden"):
        GameTree(game("tic_tac_toe"), rows=[[0]])


def test_a_readers_kernels_play_in_plain_python_first() -> None:
    made = replace(GUESS, apply=apply_beyond)
    for use in (
        lambda: Play.new(made, seed=1),
        lambda: GameTree(made, belief=GuessBelief()),
        lambda: Search(made).start(Play.new(GUESS, seed=1).view(0), from_list([[1]])),
        lambda: AlphaBeta(made).decide(Play.new(GUESS, seed=1).view(0), from_list([[1]])),
    ):
        with pytest.raises(SettingsError, match="'apply' uses an index that is out of bounds"):
            use()


def test_a_kernel_that_divides_by_zero_is_refused_as_compiled_code_would_go_on() -> None:
    with pytest.raises(SettingsError, match="'apply' divides by zero"):
        Play.new(replace(GUESS, apply=apply_shared), seed=1)


def test_a_readers_evaluation_is_tried_in_plain_python_first() -> None:
    view = Play.new(game("tic_tac_toe"), seed=1).view(0)
    with pytest.raises(SettingsError, match="'evaluate' uses an index"):
        Search(game("tic_tac_toe"), evaluate=beyond, horizon=2).decide(view)
    with pytest.raises(SettingsError, match="'evaluate' uses an index"):
        AlphaBeta(game("tic_tac_toe"), evaluate=beyond).decide(view, limits=Limits(depth=1))


def test_a_state_to_start_from_is_a_whole_state_of_the_game() -> None:
    kuhn, play = game("kuhn_poker"), Play.new(GUESS, seed=1)
    wrong = GUESS.states(1)
    wrong[0].secret = 99
    for states, said in (
        (play.view(1).states, "HIDDEN"),
        (kuhn.initial(1), "no state of the game"),
        (np.zeros(3), "no state of the game"),
        (GUESS.states(0), "array of one"),
        (wrong, "'returns' uses an index"),
    ):
        with pytest.raises(SettingsError, match=said):
            Play.new(GUESS, seed=1, start=states)
    with pytest.raises(SettingsError, match="no state of the game"):
        play.supposing(kuhn.initial(1))
    record = replace(play.record(), start={"player": 0, "secret": 99, "guess": -1}, actions=(0, 1))
    with pytest.raises(RecordError, match="'returns' uses an index"):
        record.replay(GUESS)
    assert Play.new(GUESS, seed=1, start=GUESS.initial(5)).truth() == GUESS.initial(5)


def test_a_policy_of_a_caller_has_probabilities_for_every_action() -> None:
    tree = GameTree(game("kuhn_poker"))
    right = tree.uniform_policy()
    for wrong in (
        {},
        {**right, 3: np.array([0.5])},
        {**right, 3: np.array([0.5, 0.6])},
        {**right, 3: np.array([np.nan, 1.0])},
        {**right, 3: "often"},
    ):
        for use in (tree.values, lambda each: tree.best_response(each, 0)):
            with pytest.raises(SettingsError, match="a probability to each action"):
                use(wrong)
        if wrong:
            with pytest.raises(SettingsError, match="a probability to each action"):
                PolicyAgent([(tree, wrong)])
    with pytest.raises(SettingsError, match="a number >= 0"):
        tree.policy(lambda known: [np.inf, 1.0])
    assert exploitability(tree, equilibrium(tree, iterations=2)).nash_conv < 4


def test_worlds_of_sleuths_own_beliefs_are_tried_nowhere(monkeypatch: pytest.MonkeyPatch) -> None:
    leduc = game("leduc_poker")
    belief, play = belief_of(leduc), Play.new(leduc, seed=1)
    draw = drawn_from(belief, belief.infer(play.view(0), play.seen_by(0)))
    assert origin_of(draw, leduc) is Origin.OURS
    assert origin_of(draw, replace(leduc, fill=fill)) is Origin.BELIEF
    assert origin_of(from_list([[0]]), leduc) is Origin.CALLER
    assert origin_of(lambda n, rng: np.zeros((n, 1), np.int16), leduc) is Origin.FUNCTION
    monkeypatch.setattr(rehearsal, "twin", None)  # nothing may be called in plain Python
    Search(leduc).decide(play.view(0), draw, Budget(simulations=SIMULATIONS))


def test_of_a_readers_belief_new_numbers_are_tried_once(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play.new(GUESS, seed=1)
    play.apply(0)
    view, rows = play.view(1).states, np.zeros((4_096, 1), dtype=np.int16)
    rows[:] = np.arange(4_096)[:, None] % SIZE
    made, tried = replace(GUESS, columns=1), list[int]()
    try_row = rehearsal._try_row
    monkeypatch.setattr(
        rehearsal,
        "_try_row",
        lambda *given, **named: (tried.append(int(given[2][0])), try_row(*given, **named)),
    )
    for _ in range(2):
        try_rows(made, view, rows, Origin.BELIEF)
    assert len(tried) == rehearsal.FIRST_ROWS
    rows[4_000] = SIZE
    for _ in range(2):
        with pytest.raises(SettingsError, match=r"row .4.: 'returns' uses an index"):
            try_rows(made, view, rows, Origin.BELIEF)
    assert SIZE in tried
