"""Local best response against exact best responses: near them, and never above."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np
import pytest

from sleuth import OwnAgent, Play, SleuthError, game, play_match
from sleuth.agents import PolicyAgent, RandomAgent, parse_agent
from sleuth.equilibria import (
    GameTree,
    LocalResponse,
    ResponderSettings,
    equilibrium,
    local_best_response,
    lower_bound,
    tabulate,
)
from sleuth.games.cheat import mini_cheat
from sleuth.kit import SeenPlay
from sleuth.models.starts import GameStarts
from sleuth.planners.responding.local_responder import LocalResponder
from sleuth.planners.responding.ranges import RangeWorld
from sleuth.planners.small_games.exploitability import Policy


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return GameTree("kuhn_poker")


def responses(tree: GameTree, agent: LocalResponse, policy: Policy) -> list[float]:
    """What the answer wins from each seat, exactly: it is asked at every information set."""
    answer = tabulate(tree, agent, seed=1).choice
    return [
        float(tree.values([answer if seat == player else policy for seat in range(2)])[player])
        for player in range(2)
    ]


def best(tree: GameTree, policy: Policy) -> list[float]:
    return [tree.best_response(policy, player).value for player in range(2)]


def named(tree: GameTree, policy: Policy) -> OwnAgent:
    agent = PolicyAgent([(tree, policy)])
    return OwnAgent("policy", lambda _: agent.again)


POLICIES: Mapping[str, list[float]] = {"coins": [1, 1], "bold": [1, 9], "shy": [9, 1]}


@pytest.mark.parametrize("name", POLICIES)
def test_in_kuhn_it_comes_near_the_best_response(kuhn: GameTree, name: str) -> None:
    policy = kuhn.policy(lambda known: POLICIES[name])
    found = responses(kuhn, LocalResponse(named(kuhn, policy)), policy)
    for won, most in zip(found, best(kuhn, policy), strict=True):
        assert most - 0.06 < won <= most + 1e-9


def test_ahead_to_the_end_of_the_game_it_is_the_best_response(kuhn: GameTree) -> None:
    rng = np.random.default_rng(3)
    for _ in range(3):
        policy = kuhn.policy(lambda known: rng.random(len(known.actions)))
        settings = ResponderSettings(depth=3, playouts=1)
        found = responses(kuhn, LocalResponse(named(kuhn, policy), settings), policy)
        assert found == pytest.approx(best(kuhn, policy))


def test_from_an_equilibrium_it_wins_no_more_than_the_value(kuhn: GameTree) -> None:
    policy = equilibrium(kuhn, iterations=500)
    won = sum(responses(kuhn, LocalResponse(named(kuhn, policy)), policy))
    assert won < 0.005


def test_in_leduc_it_takes_most_of_what_coins_give_away() -> None:
    tree = GameTree("leduc_poker")
    found = local_best_response("leduc_poker", "random", games=160, seed=1)
    most = sum(best(tree, tree.uniform_policy())) / 2
    assert found.low <= most
    assert found.value > 0.6 * most


def test_it_finds_what_a_search_gives_away_in_mini_cheat() -> None:
    rules = mini_cheat(4)
    settings = ResponderSettings(worlds=24, playouts=60)
    coins = local_best_response(rules, "random", games=20, seed=1, settings=settings)
    assert coins.low < 0.81  # what a best response wins, see docs/search/exploitability.md
    assert coins.value > 0.5


def test_the_range_is_what_the_policy_makes_likely(kuhn: GameTree) -> None:
    def shares(known: object) -> list[float]:
        return [0.8, 0.2] if known.masked[0].cards.max() < 2 else [0.1, 0.9]  # type: ignore[attr-defined]

    policy = kuhn.policy(shares)
    play = Play.new("kuhn_poker", seed=1)
    play.apply(1)  # the first player bets
    responder = LocalResponse(named(kuhn, policy)).prepare(play.game)(1)
    assert isinstance(responder, LocalResponder)
    worlds = responder.range(play.view(1), play.seen_by(1))
    mine = int(play.truth()[0].cards[1])
    likely = {card: 0.9 if card == 2 else 0.2 for card in range(3) if card != mine}
    found = {int(each.play.truth()[0].cards[0]): each.weight for each in worlds}
    assert found == pytest.approx(
        {card: share / sum(likely.values()) for card, share in likely.items()}
    )


def test_every_world_of_a_range_is_one_that_the_viewer_may_be_in() -> None:
    for name, seed in (("cheat", 3), ("phantom_tic_tac_toe", 4), ("leduc_poker", 5)):
        rules = game(name)
        play, other = Play.new(rules, seed=seed), RandomAgent(seed=seed)
        responder = LocalResponse(parse_agent("random"), ResponderSettings(worlds=12)).prepare(
            rules
        )(seed)
        assert isinstance(responder, LocalResponder)
        for _ in range(12):
            if play.over:
                break
            view, seen = play.view(play.player), play.seen_by(play.player)
            if view.viewer == 0:
                worlds = responder.range(view, seen)
                assert worlds
                assert sum(each.weight for each in worlds) == pytest.approx(1.0)
                for each in worlds:
                    assert each.play.view(0) == view
                    # A lie of one's own names its cards where a game is led back.
                    assert noticed(each.play.seen_by(0)) == noticed(seen)
            play.apply(other.decide(view, seen))


def noticed(seen: SeenPlay) -> list[tuple[int, int]]:
    return [(each.event.mover, each.event.observation) for each in seen.events]


def test_who_was_told_the_deal_wins_more_than_any_best_response(kuhn: GameTree) -> None:
    """The planted fault: a range of nothing but the truth breaks the law that the others keep."""
    policy = kuhn.uniform_policy()
    rules, total = kuhn.game, 0.0
    agent = LocalResponse(named(kuhn, policy), ResponderSettings(depth=3, playouts=1))
    whole, honest = rules.starts(), agent.prepare(rules)(1)
    assert isinstance(honest, LocalResponder)
    for place, chance in enumerate(whole.probabilities.tolist()):
        told = GameStarts(whole.states[place : place + 1], np.ones(1))
        cheat = honest.told(told)
        play = Play(rules, 0, told.states)
        total += chance * _value(play, cheat, policy, kuhn)
    assert total > best(kuhn, policy)[1] + 0.05


def _value(play: Play, second: LocalResponder, policy: Policy, tree: GameTree) -> float:
    """What the second player wins on average from a play on, against a policy."""
    if play.over:
        return float(play.returns()[1])
    view, seen = play.view(play.player), play.seen_by(play.player)
    if play.player == 1:
        after = play.copy()
        after.apply(second.decide(view, seen))
        return _value(after, second, policy, tree)
    total = 0.0
    for code, share in PolicyAgent([(tree, policy)]).probabilities(view, seen).items():
        after = play.copy()
        after.apply(code)
        total += share * _value(after, second, policy, tree)
    return total


def test_the_same_seed_gives_the_same_bound_and_a_file_goes_on(tmp_path: object) -> None:
    once, again = (local_best_response("kuhn_poker", "random", games=30, seed=2) for _ in range(2))
    assert once.result.games == again.result.games
    file = f"{tmp_path}/bound.jsonl"
    local_best_response("kuhn_poker", "random", games=10, seed=2, out=file)
    resumed = local_best_response("kuhn_poker", "random", games=30, seed=2, out=file)
    assert resumed.result.resumed == 10
    assert resumed.to_json() == once.to_json()


def test_by_name_it_plays_matches() -> None:
    text = "lbr:'mcts:simulations=20,exploration=0.5',worlds=4"
    result = play_match("kuhn_poker", [text, "random"], games=6, seed=1)
    assert result.agents == ("lbr:'mcts:simulations=20,exploration=0.5',worlds=4", "random")
    assert (
        LocalResponse(
            parse_agent("mcts:simulations=20,exploration=0.5"), ResponderSettings(worlds=4)
        ).text
        == result.agents[0]
    )


def test_teams_answer_teams() -> None:
    settings = ResponderSettings(worlds=4, replies=2, playouts=2)
    found = local_best_response("scotland_yard", "random", games=2, seed=1, settings=settings)
    assert found.sides == ("hider", "seekers")
    assert found.games == (1, 1)
    assert math.isnan(found.errors[0])


@pytest.mark.parametrize(
    "text, says",
    [
        ("lbr", "needs the agent that it answers"),
        ("lbr:random,worlds=0", "worlds"),
        ("lbr:random,continuation=wild", "continuation"),
        ("lbr:'bot:cat'", "program"),
        ("lbr:nobody", "no such agent"),
    ],
)
def test_what_cannot_be_answered_is_refused(text: str, says: str) -> None:
    with pytest.raises(SleuthError) as found:
        parse_agent(text).prepare(game("kuhn_poker"))
    assert says in str(found.value)


def test_a_range_thinned_keeps_its_weight() -> None:
    from sleuth.planners.responding.ranges import thinned

    play = Play.new("kuhn_poker", seed=1)
    worlds = [RangeWorld(play, weight) for weight in (0.5, 0.3, 0.1, 0.06, 0.04)]
    for seed in range(20):
        found = thinned(worlds, 3, np.random.default_rng(seed))
        assert len(found) <= 3
        assert sum(each.weight for each in found) == pytest.approx(1.0)


def test_any_responder_gives_a_bound() -> None:
    found = lower_bound("kuhn_poker", "random", "random", games=40, seed=1)
    assert found.agent == "random#2"
    assert "kuhn_poker" in found.to_text()
    assert "<table" in found._repr_html_()
