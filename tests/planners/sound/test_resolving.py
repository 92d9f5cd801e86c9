"""Subgames that are solved anew make a policy no easier to exploit; without a gadget they may."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import Play, exploitability, game
from sleuth.equilibria import GameTree, equilibrium, resolution, resolve, resolve_from, subgames
from sleuth.errors import CostError, SettingsError, UnsupportedError
from sleuth.games.small import payoff as wins
from sleuth.games.small import tree_game, turn
from sleuth.planners.small_games.exploitability import Policy
from sleuth.planners.sound.resolving.moments import Kept, of_moments

from ..known_games import kuhn_tree, leduc_tree

COINS: Kept = GameTree.uniform_policy


@cache
def goofspiel_tree() -> GameTree:
    return GameTree(game("goofspiel", cards=3))


def second_round(seen: Any) -> bool:
    return bool(seen.stage == 1)


def random_policy(tree: GameTree, seed: int) -> Policy:
    rng = np.random.default_rng(seed)
    return tree.policy(lambda known: rng.random(len(known.actions)) ** 4)


def of_leduc(kind: str) -> Policy:
    tree = leduc_tree()
    if kind == "uniform":
        return tree.uniform_policy()
    return equilibrium(tree, iterations=int(kind)) if kind.isdigit() else random_policy(tree, 1)


# What is safe, and what is not


@given(seed=st.integers(0, 10_000), moves=st.integers(0, 2), few=st.booleans())
@settings(max_examples=20)
def test_no_policy_of_kuhn_poker_gets_easier_to_exploit(seed: int, moves: int, few: bool) -> None:
    """However near the solver has come, and with whatever it was meant for."""
    tree = kuhn_tree()
    before = random_policy(tree, seed)
    share = seed % 3 / 2
    after = resolve(
        tree,
        before,
        begins=lambda seen: seen.moves == moves,
        share=share,
        iterations=3 if few else 60,
    )
    for player in range(2):
        kept, made = (tree.best_response(each, player).value for each in (before, after))
        assert made <= kept + 1e-9


@pytest.mark.parametrize("kind", ["uniform", "5", "random"])
def test_bad_policies_of_leduc_poker_get_much_better(kind: str) -> None:
    tree, before = leduc_tree(), of_leduc(kind)
    old = exploitability(tree, before)
    gadgets = {"resolving": 0.05, "max_margin": 0.0}
    found = {
        gadget: exploitability(
            tree,
            resolve(tree, before, begins=second_round, gadget=gadget, share=share, iterations=60),
        )
        for gadget, share in gadgets.items()
    }
    for each in found.values():
        for kept, made in zip(old.responses, each.responses, strict=True):
            assert made <= kept + 1e-9
    # The range of the opponent is worth having.
    assert found["resolving"].exploitability < found["max_margin"].exploitability
    assert found["resolving"].exploitability < 0.5 * old.exploitability


@pytest.mark.parametrize(
    "begins", [lambda seen: seen.left == 1, lambda seen: seen.left < 2 and seen.player == 1]
)
def test_goofspiel_is_solved_from_a_prize_on_or_after_a_hidden_bid(begins: Any) -> None:
    tree = goofspiel_tree()
    before = equilibrium(tree, iterations=2)
    after = resolve(tree, before, begins=begins, iterations=60)
    old, new = (exploitability(tree, policy) for policy in (before, after))
    assert new.exploitability < old.exploitability - 0.01
    assert all(now <= then + 1e-9 for now, then in zip(new.responses, old.responses, strict=True))


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_without_a_gadget_what_is_nearly_an_equilibrium_becomes_easy_to_exploit(name: str) -> None:
    tree = kuhn_tree() if name == "kuhn_poker" else leduc_tree()
    before = equilibrium(tree, iterations=300)
    begins = second_round if name == "leduc_poker" else lambda seen: seen.moves == 1

    def found(share: float, mend: bool) -> float:
        made = resolve(tree, before, begins=begins, share=share, iterations=100, mend=mend)
        return exploitability(tree, made).exploitability

    kept = exploitability(tree, before).exploitability
    assert kept < 0.003
    assert found(1.0, mend=False) > 0.05
    assert found(0.0, mend=False) < 0.01  # as near as the solver has come
    assert found(0.05, mend=True) <= kept + 1e-9


@pytest.mark.parametrize("share", [0.0, 1.0])
def test_the_excess_bounds_what_the_solver_has_left(share: float) -> None:
    tree = kuhn_tree()
    before = equilibrium(tree, iterations=30)
    parts = subgames(tree, before, begins=lambda seen: seen.moves == 1)
    after, excess = dict(before), 0.0
    for part in parts:
        made = resolution(part, before, 0, share=share, iterations=5, mend=False)
        after |= made.policy
        excess += made.excess
    grown = tree.best_response(after, 1).value - tree.best_response(before, 1).value
    assert 0 < grown <= excess + 1e-12


def test_nothing_changes_where_a_player_never_comes() -> None:
    tree = kuhn_tree()
    bold = tree.policy(lambda known: [0, 1])
    passed, bet = subgames(tree, bold, begins=lambda seen: seen.moves == 1)
    for gadget in ("resolving", "max_margin"):
        # The first player never passes; the second one is asked what they would do.
        nobody = resolution(passed, bold, 0, gadget=gadget)
        assert len(nobody.before) == 0
        assert nobody.policy == {}
        assert resolution(passed, bold, 1, gadget=gadget, share=1.0).excess == 0
        assert resolution(bet, bold, 1, gadget=gadget).margins.max() > 0


# What a resolution says, against other ways to work it out


def test_what_the_opponent_gets_from_the_start_is_their_best_response() -> None:
    tree = leduc_tree()
    before = random_policy(tree, 4)
    (whole,) = subgames(tree, before, begins=lambda seen: True)
    for player in range(2):
        made = resolution(whole, before, player, share=0.5, iterations=30)
        after = {**before, **made.policy}
        for values, policy in ((made.before, before), (made.after, after)):
            best = tree.best_response(policy, 1 - player).value
            assert made.weights @ values == pytest.approx(best, abs=1e-12)


def test_ranges_are_the_reach_of_the_tree() -> None:
    tree = leduc_tree()
    policy = random_policy(tree, 5)
    parts = subgames(tree, policy, begins=second_round)
    assert len(parts) == 15  # five ways to bet, three cards
    for player in range(2):
        reach = tree.reach(policy, 1 - player)
        for part in parts:
            assert part.likelihood(player) == pytest.approx(reach[part.roots], abs=1e-15)
            assert set(part.known[player]) == {0, 1, 2}  # the card that they hold


@given(seed=st.integers(0, 10_000))
@settings(max_examples=8)
def test_no_other_policy_has_a_greater_margin(seed: int) -> None:
    tree = kuhn_tree()
    before = random_policy(tree, 6)
    for part in subgames(tree, before, begins=lambda seen: seen.moves == 1):
        made = resolution(part, before, 0, gadget="max_margin", share=0.0, iterations=400)
        other = random_policy(tree, seed)
        taken = {index: other[index] for index in made.policy}
        # What the other one leaves, by the resolution of it that changes nothing.
        left = resolution(part, {**before, **taken}, 0, iterations=1).before
        assert (made.before - left).min() <= made.margins.min() + 2e-3


# At a moment of a game


def of_tree(tree: GameTree, policy: Policy) -> Kept:
    """A policy of a tree, for any part of its game."""
    places = {
        (tree.play_to(known).seen_by(known.player).digest, known.masked.tobytes()): known.index
        for known in tree.information_sets
    }
    return of_moments(lambda view, seen: policy[places[seen.digest, view.data]])


def test_a_moment_of_a_game_is_solved_as_its_subgame_is() -> None:
    tree, begins = leduc_tree(), second_round
    before = equilibrium(tree, iterations=5)
    after = resolve(tree, before, begins=begins, iterations=40)
    kept = of_tree(tree, before)
    for number, known in enumerate(tree.information_sets):
        play = tree.play_to(known)
        state = play.view(known.player).states[0]
        if state.stage == 1 and state.moves == 0 and number % 5 == 0:
            view, seen = play.view(known.player), play.seen_by(known.player)
            found = resolve_from(tree.game, view, seen, policy=kept, iterations=40)
            assert found.probabilities(view, seen) == pytest.approx(after[known.index], abs=1e-8)
            assert found.resolution.excess < 1e-12
            # Later moments of the same game are answered, too.
            play.apply(1)
            play.apply(2)
            later = play.view(known.player), play.seen_by(known.player)
            assert found.covers(*later)
            assert found.probabilities(*later).sum() == pytest.approx(1)
            elsewhere = Play.new(tree.game, seed=1)
            with pytest.raises(SettingsError, match="not in the subgame"):
                found.probabilities(elsewhere.view(0), elsewhere.seen_by(0))


def test_what_the_opponent_really_holds_changes_nothing() -> None:
    made = game("leduc_poker")
    found: list[list[float]] = []
    for other in range(3):
        start = made.initial(1)
        start["cards"][0] = 1, other
        start["table"] = 0
        play = Play.new(made, seed=0, start=start)
        for action in (1, 1):
            play.apply(action)
        view, seen = play.view(0), play.seen_by(0)
        answer = resolve_from(made, view, seen, policy=COINS, iterations=20)
        found.append(answer.probabilities(view, seen).tolist())
    assert found[0] == found[1] == found[2]


def test_what_is_too_large_is_refused() -> None:
    play = Play.new("leduc_poker", seed=1)
    with pytest.raises(CostError, match="too many"):
        resolve_from(
            play.game,
            play.view(0),
            play.seen_by(0),
            policy=COINS,
            most_histories=500,
        )
    play = Play.new("cheat", seed=1)
    with pytest.raises(CostError, match="deals"):
        resolve_from(play.game, play.view(0), play.seen_by(0), policy=COINS)


def test_what_cannot_be_solved_safely_is_refused() -> None:
    play = Play.new("kuhn_poker", seed=1)
    with pytest.raises(SettingsError, match="not this player's move"):
        resolve_from(play.game, play.view(1), play.seen_by(1), policy=COINS)
    with pytest.raises(SettingsError, match="gadget"):
        resolve_from(
            play.game,
            play.view(0),
            play.seen_by(0),
            policy=COINS,
            gadget="maxmargin",
        )
    with pytest.raises(SettingsError, match="share must be"):
        resolve_from(play.game, play.view(0), play.seen_by(0), policy=COINS, share=1.5)
    with pytest.raises(SettingsError, match="no subgame begins"):
        subgames(kuhn_tree(), kuhn_tree().uniform_policy(), begins=lambda seen: False)
    three = Play.new(game("goofspiel", players=3, cards=2), seed=1)
    with pytest.raises(UnsupportedError, match="two-player"):
        resolve_from(three.game, three.view(0), three.seen_by(0), policy=COINS)
    friends = Play.new(tree_game(turn(0, wins(1, 1), wins(0, 0))), seed=1)
    with pytest.raises(UnsupportedError, match="zero-sum"):
        resolve_from(friends.game, friends.view(0), friends.seen_by(0), policy=COINS)
