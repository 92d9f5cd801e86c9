"""Agents in Scotland Yard: the paper's players, each setting by itself, and what they may know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest

from sleuth import Play, Search, SearchAgent, check_agent, game, play_match
from sleuth.agents import Agent, parse_agent
from sleuth.errors import SettingsError
from sleuth.games.scotland_yard import scotland_yard, stations_of
from sleuth.kit import Advice, Playouts
from sleuth.models.game import any_action, legal_actions
from sleuth.models.scotland_yard import HIDER, rules
from sleuth.models.scotland_yard.advice import move_filtering as filtering
from sleuth.models.scotland_yard.advice import playouts
from sleuth.planners.search.kernels.selection import uct
from sleuth.planners.search.kernels.tree import NODES
from sleuth.planners.viewing.tree_walk import edges_of
from sleuth.search import Options, coalition_reduction, progressive_history

YARD = scotland_yard()
SEEKER = 2


def agent(text: str, of: Any = YARD) -> SearchAgent:
    made = parse_agent(text).prepare(of)(1)
    assert isinstance(made, SearchAgent)
    return made


def search_of(text: str, player: int = SEEKER) -> Search:
    made = agent(text)
    return made.by_player[player] if made.by_player else made.search


def options_of(text: str, player: int = SEEKER) -> Options:
    return search_of(text, player).options


# What is usual


@pytest.mark.usefixtures("plain_python")
def test_plain_mcts_is_the_papers_player() -> None:
    made = agent("mcts")
    for player in range(6):
        search = made.by_player[player]
        options = search.options
        assert options.selection is progressive_history
        assert (options.history, options.exploration, options.bias_weight) == (True, 0.5, 5.0)
        assert (options.trees, options.information) == (0, "actions")
        assert not options.by_availability
        assert options.credits is None
        assert options.epsilon == (0.1, 0.2, 0.2, 0.2, 0.2, 0.2)
        assert search.game.legal is rules.single_moves
        # Only playouts that look at the list of the moment keep it.
        assert search.game.tables.rules[0].tracks == (player == HIDER)
        expected = playouts.greedy_total_now if player == HIDER else playouts.greedy_chase
        assert options.policy is expected
    assert made.filters
    assert made.guess is YARD.advice.guesses["categories"]
    assert made.budget.simulations == 1_000


@pytest.mark.usefixtures("plain_python")
def test_in_other_games_nothing_changes() -> None:
    made = agent("mcts", game("kuhn_poker"))
    assert made.search.options.selection is uct
    assert (made.search.options.policy, made.filters, made.by_player) == (None, False, ())
    assert made.search.game.name == "kuhn_poker"


# Every setting by itself


@pytest.mark.usefixtures("plain_python")
def test_playouts_are_chosen_by_name_for_all_or_for_each_side() -> None:
    for name, policy in (("chase", playouts.greedy_chase), ("total", playouts.greedy_total)):
        assert {options_of(f"mcts:playouts={name}", p).policy for p in range(6)} == {policy}
    random = options_of("mcts:playouts=random")
    assert (random.policy, random.epsilon) == (any_action, (0.0,) * 6)
    mixed = "mcts:playouts=random/total"
    assert options_of(mixed, HIDER).policy is any_action
    assert options_of(mixed).policy is playouts.greedy_total
    now = search_of("mcts:playouts=total_now")
    assert now.options.policy is playouts.greedy_total_now
    assert now.game.tables.rules[0].tracks
    wary = search_of("mcts:playouts=total_now_capture/capture", HIDER)
    assert wary.options.policy is playouts.greedy_total_now_capture
    assert wary.game.tables.rules[0].tracks
    assert options_of("mcts:playouts=total_now_capture/capture").epsilon == (0.0,) * 6
    leaf = search_of("mcts:playouts=total_leaf")
    assert leaf.options.policy is playouts.greedy_total_leaf
    assert leaf.game.tables.rules[0].tracks
    frozen = search_of("mcts:playouts=total_capture")
    assert frozen.options.policy is playouts.greedy_total_capture
    assert not frozen.game.tables.rules[0].tracks


@pytest.mark.usefixtures("plain_python")
def test_epsilon_is_one_for_all_or_one_for_each_side() -> None:
    assert options_of("mcts:epsilon=0.3").epsilon == (0.3,) * 6
    assert options_of("mcts:epsilon=0/0.5").epsilon == (0.0, *(0.5,) * 5)


@pytest.mark.usefixtures("plain_python")
def test_the_search_imagines_the_game_as_it_is_told() -> None:
    doubles = search_of("mcts:playouts=total/chase,imagined=doubles").game
    assert (doubles.legal, doubles.tables.rules[0].tracks) == (rules.legal, 0)
    tracks = search_of("mcts:imagined=tracks").game
    assert (tracks.legal, tracks.tables.rules[0].tracks) == (rules.single_moves, 1)
    # The list of the moment would stand still.
    with pytest.raises(SettingsError, match="'total_now' need a game that is imagined by 'tracks'"):
        search_of("mcts:imagined=doubles")
    whole = search_of("mcts:imagined=rules").game
    assert (whole.legal, whole.tables.rules[0].tracks) == (rules.legal, 1)
    # Searches tell their tables from where they search, so they never have those of the real game.
    assert whole.tables.rules is not YARD.tables.rules


@pytest.mark.usefixtures("plain_python")
def test_coalition_reduction_is_one_number() -> None:
    own = options_of("mcts:r=0.4,credited=own")
    assert np.array_equal(np.array(own.credits), coalition_reduction(YARD.teams, 0.4))
    assert own.own_returns is rules.own_returns
    root = options_of("mcts:r=0.4,credited=root")
    expected = coalition_reduction(YARD.teams, 0.4, searcher=SEEKER)
    assert np.array_equal(np.array(root.credits), expected)
    negamax = np.array(options_of("mcts:r=0.4").credits)
    assert np.array_equal(negamax[1:], expected[1:])
    assert negamax[HIDER] == pytest.approx(1 - expected[SEEKER])
    # He who has no team shares nothing, so he searches as ever.
    assert options_of("mcts:r=0.4", HIDER).credits is None


@pytest.mark.usefixtures("plain_python")
def test_other_settings_go_to_the_search_as_they_are() -> None:
    options = options_of(
        "mcts:exploration=0.9,bias_weight=2,by_availability=yes,information=observer,worlds=50"
    )
    assert (options.exploration, options.bias_weight) == (0.9, 2.0)
    assert (options.by_availability, options.information, options.worlds) == (True, "observer", 50)
    assert options_of("mcts:selection=uct").selection is uct
    assert options_of("vote").trees > 0
    assert options_of("vote").combine == "vote"
    assert options_of("average").combine == "average"


@pytest.mark.parametrize(
    "text, problem",
    [
        ("mcts:playouts=chaise", "did you mean 'chase'"),
        ("mcts:playouts=chase/total/random", "one for each side"),
        ("mcts:epsilon=much", "a number is needed"),
        ("mcts:imagined=dubles", "did you mean 'doubles'"),
        ("mcts:belief=stepps", "did you mean 'steps'"),
        ("mcts:belief=paper_tabel", "did you mean 'paper_table'"),
        ("mcts:belief=paper_table,gain=0.1", "a gain needs a likelihood"),
        ("mcts:belief=nothing", "known: uniform, categories, steps, moves"),
        ("mcts:credited=all", "own, root, negamax"),
        ("paranoid:evaluation=escap", "did you mean 'escape'"),
        ("paranoid:others=friends", "enemies or chance"),
    ],
)
def test_what_is_not_there_is_refused(text: str, problem: str) -> None:
    with pytest.raises(SettingsError, match=problem):
        parse_agent(text).prepare(YARD)


def test_without_teams_there_is_no_coalition() -> None:
    with pytest.raises(SettingsError, match="no teams"):
        parse_agent("mcts:r=0.1").prepare(game("kuhn_poker"))


@pytest.mark.usefixtures("plain_python")
def test_a_game_of_ones_own_offers_the_same() -> None:
    kuhn = game("kuhn_poker")
    mine = replace(
        kuhn,
        advice=Advice(
            playouts={"eager": Playouts(policy=kuhn.policy, epsilon=(0.5, 0.5))},
            considered=lambda view: view.legal()[:1],
            usual={"search": {"playouts": "eager", "filter": True, "exploration": 0.1}},
        ),
    )
    made = agent("mcts", mine)
    assert (made.search.options.epsilon, made.search.options.exploration) == ((0.5, 0.5), 0.1)
    play = Play.new(mine, seed=1)
    assert made.decide(play.view(0), play.seen_by(0)) == play.legal()[0]


# Filtering


def test_the_hider_does_what_filtering_leaves() -> None:
    result = play_match(YARD, ["mcts:simulations=20", "random"], games=3, seed=1)
    for one in result.games:
        play = Play.new(YARD, seed=one.seed)
        for action in one.actions:
            if play.player == HIDER:
                view = play.view(HIDER)
                allowed = [filtering.made(view, int(c)) for c in filtering.considered(view)]
                assert action in allowed
            play.apply(action)


def test_without_filtering_he_wastes_black_fares() -> None:
    text = "mcts:simulations=150,filter=no,imagined=rules"
    result = play_match(YARD, [text, "random"], games=6, seed=1)
    early = [YARD.action_name(one.actions[0]) for one in result.games]
    assert any("black" in name or "first of two" in name for name in early)


# The tree of the paper


def tree_of(information: str) -> Any:
    """After the hider's fourth move, of which only the ticket was seen; seeker 5 decides."""
    play = Play.new(YARD, seed=3)
    rng = np.random.default_rng(3)
    while play.truth()[0].turn < 4 or play.player != 5:
        play.apply(int(rng.choice(play.legal())))
    assert len(stations_of(play.truth()[0].possible)) > 1
    made = agent(f"mcts:simulations=400,information={information},belief=uniform")
    decision = made.decision(play.view(5), play.seen_by(5))
    return decision.tree.tree


@pytest.mark.parametrize("information", ["actions", "observer"])
def test_in_one_tree_the_hiders_moves_lead_to_nodes_of_their_own(information: str) -> None:
    tree = tree_of(information)
    board = YARD.tables.board[0]
    after_him = [node for node in range(int(tree.used[NODES])) if tree.players[node] == 1]
    # Nodes of the first seeker at depth 2: their way leads by a node of the hider to the root.
    owner = {e: node for node in range(int(tree.used[NODES])) for e in edges_of(tree, node)}
    at_depth = [n for n in after_him if owner[int(tree.parents[owner[int(tree.parents[n])]])] == 0]
    by_action: set[tuple[int, int]] = set()
    by_ticket: set[tuple[int, int]] = set()
    for node in {owner[int(tree.parents[n])] for n in at_depth}:
        for edge in edges_of(tree, node):
            if tree.edge_visits[edge]:
                by_action.add((node, int(tree.actions[edge])))
                by_ticket.add((node, int(board.ticket[tree.actions[edge]])))
    assert len(by_ticket) < len(by_action)
    assert len(at_depth) == len(by_action if information == "actions" else by_ticket)


def test_separate_trees_are_one_for_each_possible_station_by_its_weight() -> None:
    play = Play.new(YARD, seed=3)
    rng = np.random.default_rng(3)
    while play.truth()[0].turn < 4 or play.player == HIDER:
        play.apply(int(rng.choice(play.legal())))
    view, seen = play.view(play.player), play.seen_by(play.player)
    made = agent("vote:simulations=500")
    rows, weights = YARD.advice.guesses["categories"](view, seen)
    assert rows[:, 0].tolist() == list(stations_of(play.truth()[0].possible))
    from sleuth import Budget
    from sleuth.search import from_list

    search = made.by_player[play.player]
    run = search.start(view, from_list(rows, weights), simulations=500)
    assert [int(branch.worlds.states[0].stations[HIDER]) for branch in run.branches] == (
        rows[:, 0].tolist()
    )
    run.extend(Budget(simulations=500))
    made_of_each = [branch.simulations for branch in run.branches]
    assert sum(made_of_each) == 500
    assert np.abs(np.array(made_of_each) - 500 * weights / weights.sum()).max() < 1


# Information


def test_a_gain_is_what_finding_him_or_not_would_tell() -> None:
    made = agent("mcts:simulations=50,belief=steps,gain=0.2")
    belief = made.belief
    assert belief is not None
    play = Play.new(YARD, seed=3)
    rng = np.random.default_rng(3)
    told = 0
    while told < 3:
        play.apply(int(rng.choice(play.legal())))
        view, seen = play.view(play.player), play.seen_by(play.player)
        if play.player == HIDER or len(play.legal()) == 1:
            continue
        chances = made.posterior(view, seen).marginal(belief.hidden(view)["hider"])
        target = YARD.tables.board[0].target
        if not any(0 < chances.get(int(target[code]), 0) < 1 for code in view.legal()):
            continue
        told += 1
        for one in made.decision(view, seen).actions:
            p = chances.get(int(target[one.action]), 0.0)
            bits = -sum(q * np.log2(q) for q in (p, 1 - p) if q > 0)
            assert one.gain == pytest.approx(bits, abs=1e-9)


# Nobody decides by what he cannot see


@pytest.mark.parametrize(
    "text",
    [
        "mcts:simulations=30",
        "mcts:simulations=30,r=0.3,credited=root,information=observer,playouts=total_now",
        "mcts:simulations=30,belief=steps,filter=no",
        "mcts:simulations=30,belief=moves,gain=0.2",
        "mcts:simulations=30,belief=steps,gain=0.2,information=observer",
        "vote:simulations=60",
        "paranoid:nodes=300",
        "expectimax:nodes=300",
    ],
)
def test_agents_decide_by_what_they_know(text: str) -> None:
    small = scotland_yard(seekers=2, rounds=7, reveals=[2, 5])
    made = cast(Agent, parse_agent(text).prepare(small)(1))
    # A decision is asked for again in one world of those imagined.
    assert check_agent(small, made, plays=2) > 0


def test_the_guesses_are_what_everybody_can_know() -> None:
    for seed in range(4):
        play = Play.new(YARD, seed=seed)
        rng = np.random.default_rng(seed)
        while not play.over:
            listed = stations_of(play.truth()[0].possible)
            for guess in YARD.advice.guesses.values():
                rows, weights = guess(play.view(1), play.seen_by(1))
                assert tuple(rows[:, 0].tolist()) == listed
                assert (weights >= 0).all()
                assert weights.sum() > 0
                own, _ = guess(play.view(HIDER), play.seen_by(HIDER))
                assert own.tolist() == [[int(play.truth()[0].stations[HIDER])]]
            play.apply(int(rng.choice(play.legal())))


def test_legal_moves_are_those_of_the_real_game_at_the_root() -> None:
    play = Play.new(YARD, seed=1)
    made = agent("mcts:simulations=60,filter=no")
    decision = made.decision(play.view(HIDER), play.seen_by(HIDER))
    assert {one.action for one in decision.actions} == set(
        legal_actions(YARD, play.truth()).tolist()
    )
