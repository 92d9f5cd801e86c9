"""Whole games sampled from the deal: the policy is near an equilibrium, and known by its keys."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth import Budget, Play, SleuthError, game
from sleuth.equilibria import (
    GameTree,
    Sampling,
    WholeGameSearch,
    exploitability,
    restricted_response,
)
from sleuth.planners.sound.known_sets import known_keys

KUHN = GameTree("kuhn_poker")
METHODS = ("external", "outcome", "smooth", "uct")


def distance(learning: WholeGameSearch, tree: GameTree) -> float:
    return exploitability(tree, learning.policy(tree)).exploitability


@pytest.mark.parametrize("method, most", [("external", 0.005), ("outcome", 0.02), ("smooth", 0.05)])
def test_more_time_comes_nearer_to_an_equilibrium(method: str, most: float) -> None:
    learning = WholeGameSearch("kuhn_poker", method=method, seed=1)
    before = distance(learning.run(Budget(simulations=300)), KUHN)
    after = distance(learning.run(Budget(simulations=300_000)), KUHN)
    assert after < most < before


def test_leduc_with_a_hundred_thousand_iterations_of_external_sampling() -> None:
    tree = GameTree("leduc_poker")
    learning = WholeGameSearch(tree.game, seed=3).run(Budget(simulations=100_000))
    assert learning.nodes == len(tree.information_sets)
    assert distance(learning, tree) < 0.06  # OpenSpiel's: 0.065


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "phantom_tic_tac_toe"])
def test_what_a_player_has_seen_leads_to_the_information_set_of_the_walks(name: str) -> None:
    learning = WholeGameSearch(name, method="outcome", seed=1).run(Budget(simulations=2_000))
    rng = np.random.default_rng(1)
    for seed in range(20):
        play = Play.new(name, seed=seed)
        while not play.over:
            player = play.player
            keys = known_keys(play.game, play.view(player), play.seen_by(player), "players")
            assert len(keys) == len(play.seen_by(player).events) + 2
            (tree,) = learning.trees
            made = set(tree.keys[: int(tree.used[0])].tolist())
            if len(play.actions) < 2:  # walks have come by everywhere so early
                assert int(keys[-1]) in made
            play.apply(int(rng.choice(play.legal())))


def test_a_tree_and_a_moment_give_the_same_policy() -> None:
    learning = WholeGameSearch("kuhn_poker", seed=1).run(Budget(simulations=1_000))
    policy = learning.policy(KUHN)
    for known in KUHN.information_sets:
        play = KUHN.play_to(known)
        moment = learning.probabilities(play.view(known.player), play.seen_by(known.player))
        np.testing.assert_array_equal(moment, policy[known.index])


def test_a_player_knows_nothing_that_is_hidden_from_them() -> None:
    play = Play.new("leduc_poker", seed=1)
    play.apply(1)
    truth = play.truth()
    other = truth.copy()
    other[0].cards[0] = (other[0].cards[0] + 1) % 3
    for state in (truth, other):
        imagined = play.supposing(state)
        keys = known_keys(play.game, imagined.view(1), imagined.seen_by(1), "players")
        mine = known_keys(play.game, play.view(1), play.seen_by(1), "players")
        assert keys.tolist() == mine.tolist()


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_policy_however_often_it_was_stopped(method: str) -> None:
    at_once = WholeGameSearch("kuhn_poker", method=method, seed=5).run(Budget(simulations=3_000))
    in_parts = WholeGameSearch("kuhn_poker", method=method, seed=5)
    for _ in range(3):
        in_parts.run(Budget(simulations=1_000))
    one, other = at_once.policy(KUHN), in_parts.policy(KUHN)
    assert all((one[place] == other[place]).all() for place in one)


def test_workers_add_up_their_statistics() -> None:
    learning = WholeGameSearch("kuhn_poker", seed=1, workers=2).run(Budget(simulations=50_001))
    assert learning.simulations == 50_001
    assert learning.nodes == 24
    assert distance(learning, KUHN) < 0.02


def test_few_nodes_leave_the_rest_of_the_game_to_chance() -> None:
    learning = WholeGameSearch("leduc_poker", method="outcome", seed=1)
    learning.run(Budget(simulations=2_000, nodes=20))
    assert learning.full
    assert learning.nodes == 20


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("nodes", [20, 60, 250, 270])
def test_a_search_ends_whatever_number_of_nodes_is_allowed(method: str, nodes: int) -> None:
    learning = WholeGameSearch("leduc_poker", method=method, seed=1)
    learning.run(Budget(simulations=20_000, nodes=nodes))
    assert learning.simulations == 20_000
    assert learning.nodes == nodes
    assert learning.full


@pytest.mark.parametrize("method", ["external", "outcome"])
def test_a_hero_comes_to_a_restricted_response(method: str) -> None:
    kuhn = game("kuhn_poker")
    model = KUHN.uniform_policy()
    exact = restricted_response(KUHN, model, share=0.6, iterations=2_000)
    for hero in range(2):
        learning = WholeGameSearch(
            kuhn, method=method, seed=1, rival=kuhn.policy, share=0.6, hero=hero
        ).run(Budget(simulations=400_000))
        mine = learning.policy(KUHN)
        # By what it trades off, against the best free rival: no more can be had than the exact one.
        figures = []
        for policy in (mine, exact):
            seats = [policy, model] if hero == 0 else [model, policy]
            won = float(KUHN.values(seats)[hero])
            free = -KUHN.best_response([policy, policy], 1 - hero).value
            figures.append(0.6 * won + 0.4 * free)
        assert figures[0] == pytest.approx(figures[1], abs=0.02)


@pytest.mark.parametrize(
    "given, word",
    [
        ({"method": "extern"}, "external"),
        ({"sampling": Sampling(), "method": "uct"}, "not both"),
        ({"share": 2.0}, "share"),
        ({"hero": 0}, "rival"),
        ({"workers": 0}, "workers"),
        ({"sampling": Sampling(information="key")}, "key of its own"),
    ],
)
def test_mistakes_are_named(given: dict[str, object], word: str) -> None:
    with pytest.raises(SleuthError, match=word):
        WholeGameSearch("kuhn_poker", **given)  # type: ignore[arg-type]


def test_by_the_games_own_key_only_legal_actions_are_taken() -> None:
    cheat = game("cheat")
    search = WholeGameSearch(
        cheat, sampling=Sampling(method="outcome", information="key"), seed=1
    ).run(Budget(simulations=3_000))
    (tree,) = search.trees
    rng = np.random.default_rng(1)
    met = 0
    for seed in range(6):
        play = Play.new(cheat, seed=seed)
        while not play.over and len(play.actions) < 60:
            view = play.view(play.player)
            legal = view.legal().tolist()
            key = known_keys(cheat, view, play.seen_by(play.player), "key")[-1]
            found = np.flatnonzero(tree.keys[: int(tree.used[0])] == key)
            if len(found) and tree.blocks[found[0]] >= 0:
                block = int(tree.blocks[found[0]])
                count = int(tree.block_count[block])
                assert tree.actions[block : block + count].tolist() == legal
                met += 1
            play.apply(int(rng.choice(legal)))
    assert met > 5
