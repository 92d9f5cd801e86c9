"""What a search must refuse, and counts that must not be wrong."""

from __future__ import annotations

import threading
import time
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sleuth import Budget, Objective, Play, Search, kernel
from sleuth.errors import SettingsError
from sleuth.games.clue import clue_table
from sleuth.games.small import kuhn_poker, leduc_poker, tic_tac_toe
from sleuth.kit import generator
from sleuth.models.kernels.randomness import mix
from sleuth.planners.search.kernels.gains import gain
from sleuth.planners.search.kernels.handing_up import arrive, take
from sleuth.planners.search.kernels.knowledge import (
    ABSENT,
    action_key,
    more_knowledge,
    no_knowledge,
    row_made,
    row_of,
)
from sleuth.planners.search.kernels.selection import selection_settings
from sleuth.search import from_list, progressive_history

KUHN = kuhn_poker()
#: The first player has the jack.
JACK = from_list([[0, 1, 2], [0, 2, 1]])


def kuhn_play() -> Play:
    seed = next(
        seed for seed in range(99) if Play.new(KUHN, seed=seed).view(0).states[0].cards[0] == 0
    )
    return Play.new(KUHN, seed=seed)


def test_a_game_with_something_hidden_needs_a_draw() -> None:
    with pytest.raises(SettingsError, match="needs a draw"):
        Search(KUHN).decide(kuhn_play().view(0))


def test_a_draw_with_too_few_columns_is_refused() -> None:
    with pytest.raises(SettingsError, match="3 columns"):
        Search(KUHN).decide(kuhn_play().view(0), from_list([[1]]))


def test_a_draw_that_contradicts_the_view_is_refused() -> None:
    with pytest.raises(SettingsError, match="does not look"):
        Search(KUHN).decide(kuhn_play().view(0), from_list([[1, 0, 2]]))


@pytest.mark.usefixtures("plain_python")
def test_a_view_of_another_game_or_setting_is_refused() -> None:
    with pytest.raises(SettingsError, match="another game"):
        Search(leduc_poker()).decide(kuhn_play().view(0), JACK)
    play = Play.new(clue_table(players=6), seed=1)
    with pytest.raises(SettingsError, match="another setting"):
        Search(clue_table(players=3)).decide(play.view(play.player), JACK)


def test_who_searches_must_be_searched() -> None:
    with pytest.raises(SettingsError, match="must be one whose actions are searched"):
        Search(KUHN, searched=(False, True)).decide(kuhn_play().view(0), JACK)
    with pytest.raises(SettingsError, match="must be one whose actions are searched"):
        Search(KUHN, searched=(0.5, 1.0)).decide(kuhn_play().view(0), JACK)
    with pytest.raises(SettingsError, match="searched must be"):
        Search(KUHN, searched=(1.0, 1.5))
    with pytest.raises(SettingsError, match="trust must be"):
        Search(KUHN).decide(kuhn_play().view(0), JACK, trust=-0.1)


@pytest.mark.usefixtures("plain_python")
def test_a_policy_that_points_nowhere_is_caught() -> None:
    with pytest.raises(SettingsError, match="not there"):
        Search(KUHN, policy=beyond).decide(kuhn_play().view(0), JACK)


@kernel
def beyond(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    return count


@kernel
def same(state: Any, viewer: int, tables: Any) -> int:
    return 1


@pytest.mark.usefixtures("plain_python")
def test_a_key_may_put_everything_together() -> None:
    game = replace(leduc_poker(), key=same)
    play = Play.new(game, seed=1)
    worlds = from_list([[0, 1, 2, 3, 3, 3], [0, 3, 3, 3, 1, 2]])
    mine = int(play.view(0).states[0].cards[0])
    rows = [[3, 3, 3, 3, 3, 3] for _ in range(2)]
    others = [card for card in range(6) if card // 2 != mine]
    for row, (his, table) in zip(rows, (others[:2], others[2:]), strict=True):
        row[2 * mine], row[his], row[table] = 0, 1, 2
    worlds = from_list(rows)
    decision = Search(game, information="key").decide(play.view(0), worlds, Budget(simulations=500))
    assert sum(report.visits for report in decision.actions) == 500


def test_progressive_history_prefers_the_better_of_two_means_above_one() -> None:
    settings = selection_settings(0.0, 5.0, False)
    visits, means = np.array([4.0, 4.0]), np.array([1.3, 0.2])
    bias = np.array([0.5, 0.5])
    chosen = progressive_history(visits, means, visits, bias, 2, 8, settings, generator(1))
    assert chosen == 0


def test_one_visit_says_nothing_of_the_spread() -> None:
    decision = Search(KUHN).decide(kuhn_play().view(0), JACK, Budget(simulations=2))
    assert all(report.interval == (-np.inf, np.inf) for report in decision.actions)


def test_few_worlds_make_wide_intervals() -> None:
    play = kuhn_play()
    few = Search(KUHN, worlds=16).decide(play.view(0), JACK, Budget(simulations=40_000))
    many = Search(KUHN, worlds=4_096).decide(play.view(0), JACK, Budget(simulations=40_000))
    widths = [d[1].interval[1] - d[1].interval[0] for d in (few, many)]
    assert widths[0] > 2 * widths[1]


@pytest.mark.parametrize("trees", [8, 30])
def test_intervals_of_separate_trees_hold_what_they_say(trees: int) -> None:
    """95 % of the intervals hold the average of many searches."""
    game = leduc_poker()
    play = Play.new(game, seed=1)
    mine = int(play.view(0).states[0].cards[0])
    rng = np.random.default_rng(0)
    rows: list[list[int]] = []
    for _ in range(400):
        row = [3] * 6
        row[2 * mine] = 0
        his, table = rng.permutation([card for card in range(6) if card != 2 * mine])[:2]
        row[his], row[table] = 1, 2
        rows.append(row)
    search = Search(game, trees=trees, combine="average")
    found = [
        search.decide(play.view(0), from_list(rows), Budget(simulations=40 * trees), seed=seed)[1]
        for seed in range(120)
    ]
    centre = np.mean([report.value for report in found])
    held = np.mean([low <= centre <= high for low, high in (r.interval for r in found)])
    assert held > 0.88


def test_more_states_are_drawn_when_a_run_goes_on() -> None:
    play = kuhn_play()
    run = Search(KUHN).start(play.view(0), JACK, simulations=20)
    assert len(run.branches[0].worlds.states) == 20
    run.extend(Budget(simulations=20)).extend(Budget(simulations=5_000))
    assert len(run.branches[0].worlds.states) == 4_096
    assert run.simulations == 5_020


def test_a_run_stopped_before_it_goes_on_stops_at_once() -> None:
    play = Play.new(tic_tac_toe(), seed=1)
    run = Search(play.game).start(play.view(0))
    run.stop()
    assert run.extend(Budget(seconds=5)).interrupted
    assert run.seconds < 1
    assert not run.extend(Budget(simulations=100)).interrupted


@pytest.mark.parametrize("workers", [1, 2])
def test_an_error_in_a_callback_ends_the_search(workers: int) -> None:
    play = Play.new(tic_tac_toe(), seed=1)
    run = Search(play.game, workers=workers).start(play.view(0))

    def fails(what: str, done: int, total: int) -> None:
        raise RuntimeError("no more")

    begun = time.perf_counter()
    with pytest.raises(RuntimeError, match="no more"):
        run.extend(Budget(seconds=6), fails)
    assert time.perf_counter() - begun < 3
    assert threading.active_count() < 10


def test_epsilon_makes_playouts_random() -> None:
    """Who always passes folds to a bet, and a random player calls half of the time."""
    play = kuhn_play()
    for epsilon, value in ((0.0, 1.0), (1.0, -0.5), ((0.9, 0.5), 0.25)):
        search = Search(KUHN, policy=first, epsilon=epsilon, searched=(True, False))
        bet = search.decide(play.view(0), JACK, Budget(simulations=40_000))[1]
        assert bet.value == pytest.approx(value, abs=0.05)
    with pytest.raises(SettingsError, match="epsilon"):
        Search(KUHN, epsilon=1.5)
    with pytest.raises(SettingsError, match="epsilon"):
        Search(KUHN, epsilon=(0.1, 0.2, 0.3))


@kernel
def first(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    return 0


def test_more_than_64_values_have_no_estimate() -> None:
    objective = Objective(
        gain_weight=1.0,
        classes=lambda rows: np.zeros(len(rows), np.int32),
        class_names=tuple(str(number) for number in range(65)),
    )
    with pytest.raises(SettingsError, match="64 values"):
        Search(KUHN).decide(kuhn_play().view(0), JACK, objective=objective)


def test_what_is_seen_is_no_action() -> None:
    """The key of an action is no key of an observation, whatever its number."""
    key = np.uint64(12345)
    actions = {int(action_key(key, action)) for action in range(1_000)}
    seen = {int(mix(key, observation)) for observation in range(-2_000, 2_000)}
    assert len(actions) == 1_000
    assert not actions & seen


@pytest.mark.usefixtures("plain_python")
def test_rows_keep_what_they_know_when_they_grow() -> None:
    rng = np.random.default_rng(2)
    table = no_knowledge(40, 8, 0)
    row_made(table, np.uint64(99), ABSENT, 0)
    for value in rng.integers(0, 8, size=2_000).tolist():
        values = np.array([value], np.int32)
        action = take(table, 0, np.uint64(1), values, 1)
        arrive(table, action, np.uint64(100 + value // 2), values, 1.0)
    before = gain(table, action, 1)
    larger = more_knowledge(table)
    assert gain(larger, row_of(larger, np.uint64(1)), 1) == before
    assert before == pytest.approx(2.0, abs=0.02)
    assert len(larger.keys) == 80


def test_lines_go_on_where_several_actions_lead_to_one_node() -> None:
    from sleuth.agents import drawn_from
    from sleuth.beliefs.games.registry import belief_or_none as belief_of
    from sleuth.games.small import phantom_tic_tac_toe

    game = phantom_tic_tac_toe()
    belief = belief_of(game)
    assert belief is not None
    play = Play.new(game, seed=1)
    draw = drawn_from(belief, belief.infer(play.view(0), play.seen_by(0)))
    search = Search(game, information="players")
    decision = search.decide(play.view(0), draw, Budget(simulations=30_000))
    assert all(len(line) >= 4 for line in decision.lines)


def test_lines_end_where_the_game_does() -> None:
    game = leduc_poker()
    play = Play.new(game, seed=1)
    mine = int(play.view(0).states[0].cards[0])
    others = [card for card in range(6) if card != 2 * mine]
    rows = [
        [0 if card == 2 * mine else 1 if card == his else 2 if card == table else 3
         for card in range(6)]
        for his in others for table in others if his != table
    ]  # fmt: skip
    decision = Search(game).decide(play.view(0), from_list(rows), Budget(simulations=20_000))
    lines = [line for line in decision.lines if any("fold" in move for move in line)]
    assert lines
    assert all("fold" in line[-1] for line in lines)
