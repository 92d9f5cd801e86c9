"""Alpha-beta and expectimax find what looking at everything finds, and look at less."""

from __future__ import annotations

import os
import signal
import threading
import time
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from sleuth import Play, check_agent, check_game, game, kernel
from sleuth.errors import SettingsError
from sleuth.games.small import (
    KuhnPokerBelief,
    by_world,
    kuhn_poker,
    payoff,
    phantom_tic_tac_toe,
    tic_tac_toe,
    tree_game,
    turn,
)
from sleuth.kit import SeenPlay, View
from sleuth.models.small.kuhn_poker import BET, PASS
from sleuth.models.small.tic_tac_toe import SQUARES
from sleuth.planners.look_ahead.limits import LookAhead
from sleuth.search import AlphaBeta, Expectimax, Limits, from_list

from ..search.trees import best_value, random_game, size

SEEDS = range(30)


def look(search: AlphaBeta | Expectimax, **limits: Any) -> LookAhead:
    play = Play.new(search.game, seed=0)
    return search.decide(play.view(play.player), limits=Limits(**limits))


# Values


@pytest.mark.parametrize("players", [2, 3])
def test_alpha_beta_finds_the_value_of_any_tree(players: int) -> None:
    kinds = {0: "max"} | dict.fromkeys(range(1, players), "min")
    for seed in SEEDS:
        root, made = random_game(seed, depth=6, players=players)
        found = look(AlphaBeta(made))
        assert found.solved
        assert found.value == best_value(root, 0, kinds)
        assert best_value(root.after[found.action], 0, kinds) == found.value


def test_allies_maximise_too() -> None:
    kinds = {0: "max", 1: "min", 2: "max"}
    for seed in SEEDS:
        root, made = random_game(seed, depth=6, players=3)
        assert look(AlphaBeta(made, allies=[2])).value == best_value(root, 0, kinds)


@pytest.mark.parametrize("prune", [True, False])
def test_expectimax_averages_over_what_others_do(prune: bool) -> None:
    for seed in SEEDS:
        root, made = random_game(seed, depth=6)
        found = look(Expectimax(made, prune=prune))
        expected = best_value(root, 0, {0: "max", 1: "chance"})
        assert found.value == pytest.approx(expected, abs=1e-12)


def test_expectimax_takes_only_those_for_chance_who_are_named() -> None:
    kinds = {0: "max", 1: "chance", 2: "min"}
    for seed in SEEDS:
        root, made = random_game(seed, depth=6, players=3)
        found = look(Expectimax(made, chance=[1]))
        assert found.value == pytest.approx(best_value(root, 0, kinds), abs=1e-12)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_lines_that_are_broken_off_count_as_the_middle(depth: int) -> None:
    for seed in SEEDS:
        root, made = random_game(seed, depth=6)
        found = look(AlphaBeta(made), depth=depth)
        middle = (made.lowest + made.highest) / 2
        expected = best_value(root, 0, {0: "max", 1: "min"}, depth=depth, middle=middle)
        assert found.value == expected
        assert found.depth <= depth


@kernel
def first_player_leads(state: Any, player: int, tables: Any) -> float:
    return 0.25 if player == 0 else -0.25


def test_an_evaluation_counts_where_a_line_is_broken_off() -> None:
    found = look(AlphaBeta(tic_tac_toe(), evaluate=first_player_leads), depth=2)
    assert (found.value, found.solved, found.depth) == (0.25, False, 2)


@kernel
def beyond_all_bounds(state: Any, player: int, tables: Any) -> float:
    return 1e9


def test_an_evaluation_is_worth_no_more_than_the_game() -> None:
    assert look(AlphaBeta(tic_tac_toe(), evaluate=beyond_all_bounds), depth=1).value == 1.0


@kernel
def later_nodes(state: Any, player: int, tables: Any) -> float:
    return state.node / 100.0 - 0.5


def test_who_does_not_give_up_prefers_the_better_of_lost_lines() -> None:
    lost, won = payoff(-1, 1), payoff(1, -1)
    for root, exact, value in (
        # All is lost: node 1, or what looks worse of nodes 3 and 4.
        (turn(0, lost, turn(1, lost, lost)), -1.0, 0.03 - 0.5),
        # What is not lost is worth what it is.
        (turn(0, turn(1, lost, lost), won), 1.0, 1.0),
        (turn(0, payoff(0, 0), turn(1, lost, won)), 0.0, 0.0),
    ):
        made = tree_game(root)
        for kind in (AlphaBeta, Expectimax):
            options: dict[str, Any] = {} if kind is AlphaBeta else {"chance": []}
            usual = look(kind(made, evaluate=later_nodes, **options))
            found = look(kind(made, evaluate=later_nodes, gives_up=False, **options))
            assert usual.value == exact
            assert found.value == pytest.approx(value)
    with pytest.raises(SettingsError, match="what lines that are lost are worth"):
        AlphaBeta(made, gives_up=False)


@kernel
def last_more_likely(state: Any, actions: Any, count: int, tables: Any, weights: Any) -> None:
    for i in range(count):
        weights[i] = 3.0 * i


def test_weights_of_chance_are_probabilities_on_any_scale() -> None:
    ends = [payoff(100, 0), payoff(6, 0), payoff(0, 0)]
    made = tree_game(turn(0, payoff(1, 0), turn(1, *ends)))
    found = look(Expectimax(made, weight=last_more_likely))
    assert found.action == 1
    assert found.value == pytest.approx(6 / 3 + 0 * 2 / 3)
    assert found.line == ("1", "2")  # goes on with what is most likely


@kernel
def no_weight(state: Any, actions: Any, count: int, tables: Any, weights: Any) -> None:
    for i in range(count):
        weights[i] = 0.0


def test_weights_that_are_all_zero_are_refused() -> None:
    made = tree_game(turn(0, turn(1, payoff(1, 0), payoff(2, 0)), payoff(0, 0)))
    with pytest.raises(SettingsError, match="weights of chance"):
        look(Expectimax(made, weight=no_weight))


# Tic-tac-toe


def test_tic_tac_toe_is_a_draw() -> None:
    found = look(AlphaBeta(tic_tac_toe()))
    assert (found.value, found.solved, found.depth) == (0.0, True, 9)
    assert len(found.line) == 9
    assert set(found.line) == set(SQUARES)


@pytest.mark.parametrize("seat", [0, 1])
def test_alpha_beta_loses_tic_tac_toe_against_no_line_of_play(seat: int) -> None:
    search = AlphaBeta(tic_tac_toe())
    answers: dict[bytes, int] = {}
    outcomes: set[float] = set()

    def play_on(actions: tuple[int, ...]) -> None:
        play = Play.new(search.game, seed=0)
        for action in actions:
            play.apply(action)
        if play.over:
            outcomes.add(float(play.returns()[seat]))
        elif play.player == seat:
            view = play.view(seat)
            if view.data not in answers:
                answers[view.data] = search.decide(view, limits=Limits()).action
            play_on((*actions, answers[view.data]))
        else:
            for action in play.legal().tolist():
                play_on((*actions, action))

    play_on(())
    assert outcomes == {0.0, 1.0}  # some line of the other's is a mistake, and none wins


# Looking at less


def test_what_is_left_out_changes_no_value() -> None:
    for seed in SEEDS:
        _, made = random_game(seed, depth=7, players=3)
        full = look(AlphaBeta(made, prune=False))
        for killers in (False, True):
            for history in (False, True):
                found = look(AlphaBeta(made, killers=killers, history=history))
                assert found.value == full.value
                assert found.nodes <= full.nodes


def test_without_pruning_everything_is_looked_at_at_every_depth() -> None:
    root, made = random_game(3, depth=1)
    assert look(AlphaBeta(made, prune=False)).nodes == size(root)


def nodes_of_positions(**switches: Any) -> int:
    """Nodes for the tic-tac-toe positions after the first two marks, solved."""
    search = AlphaBeta(tic_tac_toe(), **switches)
    total = 0
    for first, second in [(0, 1), (0, 4), (0, 8), (1, 3), (4, 0), (4, 1)]:
        play = Play.new(search.game, seed=0)
        play.apply(first)
        play.apply(second)
        total += search.decide(play.view(0), limits=Limits()).nodes
    return total


def test_a_good_order_saves_nodes() -> None:
    everything = nodes_of_positions(prune=False)
    plain = nodes_of_positions(killers=False, history=False)
    killers = nodes_of_positions(killers=True, history=False)
    history = nodes_of_positions(killers=False, history=True)
    assert plain < everything / 5
    assert killers < 0.95 * plain
    assert history < 0.95 * plain


def test_star1_looks_at_less_than_all_of_chance() -> None:
    made = [random_game(seed, depth=7, widest=5)[1] for seed in SEEDS]
    less = sum(look(Expectimax(each)).nodes for each in made)
    assert less < 0.9 * sum(look(Expectimax(each, prune=False)).nodes for each in made)


# Limits

NOTHING_MARKED = from_list([[2] * 9])


def phantom() -> tuple[AlphaBeta, Play]:
    made = phantom_tic_tac_toe()
    search = AlphaBeta(made)
    play = Play.new(made, seed=0)
    search.decide(play.view(0), NOTHING_MARKED, Limits(depth=1))  # compiled from here on
    return search, play


def test_a_search_ends_in_time() -> None:
    search, play = phantom()
    begun = time.perf_counter()
    found = search.decide(play.view(0), NOTHING_MARKED, Limits(seconds=0.05))
    assert time.perf_counter() - begun < 0.15
    assert 1 <= found.depth < play.game.max_depth
    assert not found.solved
    assert not found.interrupted


def test_a_search_keeps_to_its_nodes() -> None:
    search, play = phantom()
    found = search.decide(play.view(0), NOTHING_MARKED, Limits(nodes=5_000))
    assert found.nodes <= 5_000
    assert found.depth >= 2


def test_a_search_looks_one_ply_ahead_whatever_the_limits() -> None:
    made = tree_game(turn(0, payoff(0, 0), payoff(1, 0), payoff(0, 1)))
    assert look(AlphaBeta(made), nodes=1).action == 1


def test_a_search_can_be_stopped_from_another_thread() -> None:
    search, play = phantom()
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    begun = time.perf_counter()
    found = search.decide(play.view(0), NOTHING_MARKED, Limits(seconds=20), stop=stop)
    assert time.perf_counter() - begun < 2
    assert found.interrupted
    assert found.action in play.legal()


def test_ctrl_c_answers_with_what_is_known() -> None:
    search, play = phantom()
    timer = threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    found = search.decide(play.view(0), NOTHING_MARKED, Limits(seconds=20))
    timer.join()
    assert found.interrupted
    assert found.depth >= 1


def test_the_same_depth_gives_the_same_answer_however_it_is_cut_into_calls() -> None:
    _, made = random_game(1, depth=8, widest=5)
    whole = look(AlphaBeta(made))
    for nodes in (whole.nodes, whole.nodes + 1):
        again = look(AlphaBeta(made), nodes=nodes)
        assert (again.value, again.action, again.nodes) == (whole.value, whole.action, whole.nodes)


@pytest.mark.parametrize("limits", [{"depth": 0}, {"seconds": -1.0}, {"nodes": 0}])
def test_limits_are_positive(limits: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="must be positive"):
        Limits(**limits)


# What is hidden


def kuhn(holder: int, *actions: int) -> tuple[Play, Any]:
    """Kuhn poker when the player to move has this card, and the worlds he can imagine."""
    made = kuhn_poker()
    start = made.initial(0)
    mover = len(actions) % 2
    start[0].cards[mover] = holder
    start[0].cards[1 - mover] = (holder + 1) % 3
    play = Play.new(made, seed=0, start=start)
    for action in actions:
        play.apply(action)
    worlds: list[list[int]] = []
    for other in {0, 1, 2} - {holder}:
        row = [2, 2, 2]
        row[holder], row[other] = mover, 1 - mover
        worlds.append(row)
    return play, worlds


def test_values_are_averaged_over_the_worlds_drawn() -> None:
    # With a queen against a bet: a call wins 2 against the jack and loses 2 against the king.
    play, worlds = kuhn(1, BET)
    draw = from_list(worlds, [0.75, 0.25])
    found = AlphaBeta(play.game, worlds=2_000).decide(play.view(1), draw, Limits(), seed=3)
    assert found.worlds == 2
    assert found.values[PASS] == -1.0
    assert found.values[BET] == pytest.approx(2 * 0.75 - 2 * 0.25, abs=0.1)
    assert found.action == BET


def test_a_worse_belief_turns_a_call_into_a_fold() -> None:
    play, worlds = kuhn(1, BET)
    draw = from_list(worlds, [0.05, 0.95])
    found = AlphaBeta(play.game, worlds=2_000).decide(play.view(1), draw, Limits(), seed=3)
    assert found.action == PASS
    assert found.value == -1.0


def test_something_hidden_must_be_drawn_from_somewhere() -> None:
    play, _ = kuhn(1)
    with pytest.raises(SettingsError, match="nothing says what it may be"):
        AlphaBeta(play.game).decide(play.view(0), limits=Limits())


def test_an_average_over_worlds_believes_that_the_world_will_be_known() -> None:
    # Strategy fusion: after the gamble the world has to be guessed, which is worth 0.
    guess = turn(0, by_world((1, -1), (-1, 1)), by_world((-1, 1), (1, -1)))
    made = tree_game(turn(0, payoff(0.5, -0.5), guess), worlds=[1, 1])
    view = Play.new(made, seed=0).view(0)
    found = AlphaBeta(made).decide(view, from_list([[0], [1]]), Limits())
    assert found.values == {0: 0.5, 1: 1.0}


@pytest.mark.parametrize("make", [AlphaBeta, Expectimax])
def test_a_player_who_does_not_exist_is_refused(make: Any) -> None:
    with pytest.raises(SettingsError, match="does not exist"):
        make(tic_tac_toe(), allies=[2])


def test_a_game_that_lasts_longer_than_it_says_is_refused() -> None:
    made = tree_game(turn(0, payoff(0, 0), turn(1, payoff(1, 0))))
    with pytest.raises(SettingsError, match="longer than it says"):
        look(AlphaBeta(replace(made, max_depth=1)))


@pytest.mark.usefixtures("plain_python")
def test_games_that_come_with_sleuth_can_be_looked_ahead_in() -> None:
    leduc = game("leduc_poker")
    play = Play.new(leduc, seed=5)
    mine = int(play.view(0).states[0].cards[0])
    cards = [card for card in range(6) if card != 2 * mine]
    rows = []
    for other in cards:
        for table in set(cards) - {other}:
            row = np.full(6, 3)
            row[2 * mine], row[other], row[table] = 0, 1, 2
            rows.append(row)
    found = AlphaBeta(leduc).decide(play.view(0), from_list(rows), Limits())
    assert found.solved
    assert set(found.values) == set(play.legal().tolist())


@pytest.mark.parametrize("make", [AlphaBeta, Expectimax])
def test_a_search_of_worlds_is_told_nothing_that_the_player_cannot_know(make: Any) -> None:
    made = kuhn_poker()
    beliefs = KuhnPokerBelief()
    search = make(made)

    class LooksAhead:
        def decide(self, view: View, seen: SeenPlay) -> int:
            posterior = beliefs.infer(view, seen)
            draw = partial(beliefs.worlds, posterior)
            return search.decide(view, draw, Limits(), seed=1).action

    assert check_agent(made, LooksAhead(), beliefs, plays=5) > 0


def test_a_tree_keeps_the_contract_of_games() -> None:
    for seed in range(3):
        check_game(random_game(seed, depth=4, players=3)[1], plays=5)
