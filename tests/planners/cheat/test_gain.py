"""What a search wants to learn in Cheat: whether the claims on the pile are true."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from sleuth import Budget, Game, Objective, Play, Search, SearchAgent, check_agent
from sleuth.agents import parse_agent, search_agent
from sleuth.errors import EvidenceError
from sleuth.games.cheat import CheatBelief, CheatDeclaration, cheat, seen_game
from sleuth.models.cheat.state import CALL
from sleuth.planners.agents.learning import FeatureClasses
from sleuth.planners.search.objective import VALUE

SMALL = cheat(ranks=4, suits=3, hand=3, rounds=12)
SOME = cheat(ranks=4, suits=3, hand=3, rounds=12, false_claim="some")
FEW = cheat(ranks=3, suits=2, hand=2, rounds=4)


def random_play(settings: Game, seed: int, turns: int) -> Play:
    """Somebody plays anyhow, and seldom calls."""
    rng, play = np.random.default_rng(seed), Play.new(settings, seed=seed)
    while not play.over and len(play.actions) < turns:
        legal = play.legal()
        weights = np.where(legal == CALL, 0.6, 1.0)
        play.apply(int(rng.choice(legal, p=weights / weights.sum())))
    return play


@cache
def moment(settings: Game, claims: int) -> Play:
    """One at which so many claims of the other lie on the pile, the last one can be called, and
    counting is not sure of it."""
    for seed in range(2_000):
        play = random_play(settings, seed, turns=2 * claims + seed % 4)
        if play.over:
            continue
        open_ = claims_of(play)
        if len(open_) == claims and CALL in play.legal() and 0.1 < [*open_.values()][-1] < 0.9:
            return play
    raise AssertionError


def claims_of(play: Play) -> dict[str, float]:
    """P(true) by counting of the claims on the pile that the player to move has not made."""
    known = CheatDeclaration(seen_game(play.view(play.player)), dealt=play.game.settings["hand"])
    truths = known.truths(known.infer())
    return {f"claim {claim.place + 1} is true": truths[claim.place] for claim in known.claims}


def bits(p: float) -> float:
    return 0.0 if p in (0.0, 1.0) else -p * math.log2(p) - (1 - p) * math.log2(1 - p)


def objective(play: Play, options: str = "gain=0.1", name: str = "mcts") -> Objective:
    agent = search_agent(f"{name}:simulations=10,{options}", play.game, seed=1)
    view, seen = play.view(play.player), play.seen_by(play.player)
    return agent.objective(view, seen, agent.posterior(view, seen))


def test_a_claim_keeps_its_name_until_the_pile_is_turned_up() -> None:
    belief, kept, turned_up = CheatBelief(), 0, 0
    for seed in range(12):
        done = random_play(SMALL, seed, turns=12)
        play, names = Play.new(SMALL, seed=seed), set[str]()
        for action in done.actions:
            now = {name for name in belief.hidden(play.view(0)) if name.startswith("claim")}
            assert names <= now
            claimed = play.player == 1 and action > 1
            if action == CALL:
                turned_up += bool(now)
                now = set()
            kept += len(now)
            turn = len(play.actions) + 1
            play.apply(action)
            names = now | ({f"claim {turn} is true"} if claimed else set())
            here = {name for name in belief.hidden(play.view(0)) if name.startswith("claim")}
            assert here == names
    assert kept > 20
    assert turned_up > 2


@pytest.mark.parametrize("claims", [1, 2])
def test_a_call_tells_how_much_is_open_of_what_it_turns_up(claims: int, plain_python: None) -> None:
    play = moment(SMALL, claims)
    chances = claims_of(play)
    *_, last = chances
    open_ = sum(bits(p) for p in chances.values())
    found = objective(play)
    assert found.exact == pytest.approx({CALL: open_})
    assert found.entropy == pytest.approx(open_)
    assert objective(play, f"gain=0.1,about={last}").exact == pytest.approx(
        {CALL: bits(chances[last])}
    )
    # By the question itself, which is about the last claim alone.
    belief = CheatBelief()
    view, seen = play.view(play.player), play.seen_by(play.player)
    question = belief.questions(view)[CALL]
    told = belief.infer(view, seen).information_gain(question, about=belief.hidden(view)[last])
    assert told == pytest.approx(bits(chances[last]))
    decision = search_agent("mcts:simulations=64,gain=0.3", SMALL, seed=1).decision(view, seen)
    assert decision[CALL].gain == pytest.approx(open_)
    for each in decision.actions:
        gains = (each.gain or 0.0) + (each.later or 0.0)
        assert each.score == pytest.approx(each.value + 0.3 * gains, nan_ok=True)


def test_worlds_have_the_values_of_what_is_hidden_as_often_as_is_likely() -> None:
    rng, belief, seen_values = np.random.default_rng(5), CheatBelief(0.6), 0
    for play in (Play.new(SMALL, seed=1), moment(SMALL, 1), moment(SMALL, 2), moment(SOME, 2)):
        view, seen = play.view(play.player), play.seen_by(play.player)
        posterior = belief.infer(view, seen)
        rows = belief.worlds(posterior, 2_000, rng)
        exact = CheatDeclaration(seen_game(view), dealt=3).infer(method="enumeration")
        counting = CheatBelief()
        counted = counting.infer(view, seen)
        for name, feature in belief.hidden(view).items():
            shares = posterior.distribution(feature)
            plain = np.bincount(
                counting.places(counted, feature, counting.worlds(counted, 2_000, rng)),
                minlength=len(shares),
            )
            found = np.bincount(belief.places(posterior, feature, rows), minlength=len(shares))
            for drawn, expected in ((found, shares), (plain, exact.distribution(feature))):
                possible = expected > 0.0
                assert drawn[~possible].sum() == 0
                if possible.sum() > 1:
                    seen_values += 1
                    wanted = expected[possible] * drawn.sum()
                    assert chisquare(drawn[possible], wanted).pvalue > 1e-5, name
    assert seen_values > 20
    cards: Any = posterior.model.variables[0]
    with pytest.raises(EvidenceError, match="do not say which cards are here"):
        belief.places(posterior, cards.count("deck", cards.items.copy().popitem()[0]), rows)


def test_what_is_found_below_the_root_is_what_the_posterior_says() -> None:
    play = moment(FEW, 1)
    view, seen = play.view(play.player), play.seen_by(play.player)
    agent = search_agent("mcts:simulations=10,gain=0.1", FEW, seed=1)
    wanted = agent.objective(view, seen, agent.posterior(view, seen))
    sampled = replace(wanted, exact={}, ask=None, entropy=math.nan)
    asked = replace(wanted, exact={}, classes=None, class_names=())
    for objective in (sampled, asked):
        decision = Search(FEW).decide(
            view,
            lambda n, rng: CheatBelief().worlds(agent.posterior(view, seen), n, rng),
            Budget(simulations=8_000),
            objective=objective,
            seed=1,
        )
        assert decision[CALL].gain == pytest.approx(wanted.exact[CALL], abs=0.03)
        assert decision[CALL].exact == (objective is asked)


@pytest.mark.parametrize("asks", ["yes", "no"])
def test_no_more_is_learned_than_is_open(asks: str) -> None:
    play = Play.new(cheat(), seed=21)
    for action in (2, 3, 6):
        play.apply(action)
    view, seen = play.view(play.player), play.seen_by(play.player)
    agent = search_agent(f"mcts:simulations=2000,gain=0.1,asks={asks}", play.game, seed=1)
    decision = agent.decision(view, seen)
    open_ = agent.objective(view, seen, agent.posterior(view, seen)).entropy
    assert decision[CALL].gain == pytest.approx(open_)
    assert decision[CALL].later == pytest.approx(0.0)  # nothing is left
    for each in decision.actions:
        assert (each.gain or 0.0) + (each.later or 0.0) <= open_ + 1e-9


def test_where_no_claim_is_open_it_is_the_hand_that_is_learned_about(plain_python: None) -> None:
    play = Play.new(SMALL, seed=1)
    view, seen = play.view(0), play.seen_by(0)
    found = objective(play)
    # A hand changes, so no later hand is asked about in its place.
    assert isinstance(found.classes, FeatureClasses)
    assert (found.exact, found.ask) == ({}, None)
    hand = [each for name, each in CheatBelief().hidden(view).items() if "second" in name]
    posterior = CheatBelief().infer(view, seen)
    assert found.entropy == pytest.approx(sum(posterior.entropy(each) for each in hand))
    # A claim may be there later, so to name it is no slip, and nothing is learned meanwhile.
    assert objective(play, "gain=0.1,about=claim") is VALUE
    assert objective(play, "gain=0.1,about=claim_12_is_true") is VALUE
    later = moment(SMALL, 2)
    assert objective(later, "gain=0.1,about=claim").exact == objective(later).exact


@pytest.mark.parametrize("asks", ["yes", "no"])
@pytest.mark.parametrize("name", ["mcts", "ours"])
def test_who_learns_decides_by_what_they_know(name: str, asks: str) -> None:
    agent = parse_agent(f"{name}:simulations=80,gain=1,asks={asks}").prepare(SMALL)(1)
    assert check_agent(SMALL, agent, plays=1) > 0


@pytest.mark.parametrize("name", ["mcts", "ours"])
def test_a_decision_to_learn_can_be_made_again(name: str) -> None:
    play = moment(SMALL, 2)
    view, seen = play.view(play.player), play.seen_by(play.player)
    made = [search_agent(f"{name}:simulations=300,gain=0.2", SMALL, seed=1) for _ in range(2)]
    first, *again = [agent.decision(view, seen) for agent in (*made, made[0])]
    assert first.learning is not None
    assert first.learning.asked > 4
    assert [each.actions for each in again] == [first.actions] * 2
    assert all(isinstance(agent, SearchAgent) for agent in made)
