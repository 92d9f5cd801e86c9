"""An agent that plays by a policy does what the policy says, and knows what its player knows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sleuth import OwnAgent, Play, play_match
from sleuth.agents import PolicyAgent
from sleuth.equilibria import GameTree, equilibrium, restricted_response, tabulate
from sleuth.errors import SettingsError
from sleuth.games.cheat import mini_cheat
from sleuth.games.small import kuhn_poker
from sleuth.models.cheat import mini_deals

from ..known_games import kuhn_tree


def contestant(agent: PolicyAgent) -> OwnAgent:
    return OwnAgent(agent.name, lambda game: agent.again)


def test_asked_everywhere_it_does_what_the_policy_says() -> None:
    tree = kuhn_tree()
    for place in (0, 1):
        policy = tree.policy(lambda known, place=place: np.eye(2)[place])
        table = tabulate(tree, contestant(PolicyAgent([(tree, policy)])))
        for known in tree.information_sets:
            assert table.choice[known.index].tolist() == policy[known.index].tolist()


def test_actions_come_as_often_as_the_policy_says() -> None:
    tree = kuhn_tree()
    agent = PolicyAgent([(tree, tree.policy(lambda known: [0.3, 0.7]))])
    play = Play.new(tree.game, seed=2)
    view, seen = play.view(0), play.seen_by(0)
    taken = Counter(agent.again(seed).decide(view, seen) for seed in range(2_000))
    legal = play.legal().tolist()
    assert stats.chisquare([taken[each] for each in legal], [600, 1_400]).pvalue > 1e-3
    assert agent.again(5).decide(view, seen) == agent.again(5).decide(view, seen)


def test_two_equilibria_win_the_value_of_the_game() -> None:
    tree = kuhn_tree()
    agent = contestant(PolicyAgent([(tree, equilibrium(tree, iterations=300))], name="balanced"))
    games = play_match(kuhn_poker(), [agent, agent], games=2_000, seed=3).games
    first = np.array([game.returns[game.seats[0]] for game in games])
    error = first.std(ddof=1) / len(first) ** 0.5
    assert abs(first.mean() + 1 / 18) < 4 * error < 0.15


def test_a_restricted_response_plays_mini_cheat_where_it_was_written_out() -> None:
    game = mini_cheat(3)
    worlds, shares = mini_deals(game)
    tree = GameTree(game, rows=worlds, weights=shares)
    response = restricted_response(tree, tree.uniform_policy(), share=0.5, iterations=20)
    agent = PolicyAgent([(tree, response)], seed=1)
    first = int(game.initial(0)[0].first)
    played = 0
    for seed in range(40):
        play = Play.new(game, seed=seed)
        if int(play.truth()[0].first) != first:
            with pytest.raises(SettingsError, match="no game that was written out"):
                agent.decide(play.view(0), play.seen_by(0))
            continue
        while not play.over:
            play.apply(agent.decide(play.view(play.player), play.seen_by(play.player)))
        played += 1
    assert played > 3


def test_it_decides_alike_whatever_the_player_cannot_see() -> None:
    tree = kuhn_tree()
    agent = PolicyAgent([(tree, tree.policy(lambda known: [0.5, 0.5]))], seed=7)
    decided: dict[Any, set[int]] = {}
    for seed in range(60):
        play = Play.new(tree.game, seed=seed)
        seen = play.seen_by(0)
        decided.setdefault(seen.digest, set()).add(agent.decide(play.view(0), seen))
    assert len(decided) == 3  # a jack, a queen, a king
    assert all(len(actions) == 1 for actions in decided.values())


def test_policies_of_two_games_are_refused() -> None:
    tree, other = kuhn_tree(), GameTree(mini_cheat(1), rows=mini_deals(mini_cheat(1))[0])
    with pytest.raises(SettingsError, match="one game"):
        PolicyAgent([(tree, tree.uniform_policy()), (other, other.uniform_policy())])
    with pytest.raises(SettingsError, match="one game"):
        PolicyAgent([])
