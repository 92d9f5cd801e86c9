"""The agent of Cheat that answers what is predicted of people, and stays safe."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sleuth import Budget, Play, check_agent, exploitability, play_match
from sleuth.agents import parse_agent
from sleuth.beliefs.games.cheat.rival import predict_both, predicted_shares
from sleuth.equilibria import GameTree, WholeGameSearch, restricted_response
from sleuth.errors import SettingsError
from sleuth.games.cheat import CheatBelief, cheat, mini_cheat
from sleuth.models.cheat import mini_deals
from sleuth.planners.small_games.exploitability import InformationSet
from sleuth.planners.small_games.restricted import winnings

SMALL = cheat(ranks=5, suits=2, hand=3, rounds=20)


@pytest.mark.parametrize("led", ["now", "deal"])
def test_it_decides_by_what_its_player_knows(led: str) -> None:
    agent = parse_agent(f"safe:simulations=20,led={led}").prepare(SMALL)(1)
    assert check_agent(SMALL, agent, plays=1) > 0


def test_it_beats_people_in_the_whole_game() -> None:
    result = play_match("cheat", ["safe:simulations=150", "people"], games=16, series=4, seed=3)
    assert result.scores[0] >= 0.75


def test_it_says_its_mixed_policy_and_leaves_rare_actions_out() -> None:
    play = Play.new(SMALL, seed=3)
    view, seen = play.view(0), play.seen_by(0)
    agent: Any = parse_agent("safe:simulations=300,least=0.1").prepare(SMALL)(2)
    decision = agent.decision(view, seen)
    shares = np.array([*decision.policy.values()])
    assert shares.sum() == pytest.approx(1.0)
    assert ((shares == 0) | (shares >= 0.1)).all()
    assert (shares == 0).any()
    assert agent.decide(view, seen) == agent.decision(view, seen).action == decision.action


def test_in_mini_cheat_it_samples_whole_games_and_goes_on_from_what_it_has() -> None:
    game = mini_cheat(4)
    agent: Any = parse_agent("safe:simulations=50").prepare(game)(1)
    play = Play.new(game, seed=1)
    agent.decision(play.view(0), play.seen_by(0))
    play.apply(1)
    play.apply(1)
    assert agent.decision(play.view(0), play.seen_by(0)).simulations == 100


def test_games_sampled_from_the_deal_come_to_exact_restricted_responses() -> None:
    rows, chances = mini_deals(mini_cheat(3))
    tree = GameTree(mini_cheat(3), rows=rows, weights=chances)
    imagined = CheatBelief(predictor="usual").imagined(tree.game)
    predict_both(imagined)

    def predicted(known: InformationSet) -> NDArray[np.float64]:
        actions, found = np.array(known.actions, np.int32), np.zeros(len(known.actions))
        predicted_shares(known.masked[0], actions, len(actions), imagined.tables, found)
        return found

    model = tree.policy(predicted)
    for share in (0.0, 1.0):
        policy: dict[int, NDArray[np.float64]] = {}
        for hero in range(2):
            search = WholeGameSearch(
                imagined, seed=1, rival=imagined.policy, share=share, hero=hero
            )
            learned = search.run(Budget(simulations=15_000)).policy(tree)
            policy |= {
                known.index: learned[known.index]
                for known in tree.information_sets
                if known.player == hero
            }
        exact = restricted_response(tree, model, share=share, iterations=100)
        assert np.mean(winnings(tree, policy, model)) > np.mean(winnings(tree, exact, model)) - 0.04
        if share == 0.0:
            assert exploitability(tree, policy).exploitability < 0.05


@pytest.mark.parametrize(
    "options, word",
    [
        ("predictor=none", "predictor"),
        ("share=2", "share"),
        ("led=past", "lead"),
        ("least=2", "least"),
    ],
)
def test_options_that_make_no_sense_are_named(options: str, word: str) -> None:
    with pytest.raises(SettingsError, match=word):
        parse_agent(f"safe:{options}").prepare(SMALL)
