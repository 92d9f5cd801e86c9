"""The agents of Cheat: they decide by what they know or are told, and a hint is worth something."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from sleuth import Play, SearchAgent, check_agent, play_match
from sleuth.agents import Agent, parse_agent
from sleuth.errors import RecordError, SettingsError
from sleuth.games.cheat import CheatBelief, cheat
from sleuth.games.small import kuhn_poker
from sleuth.kit import Briefing, SeenPlay, View
from sleuth.models.cheat.people.person import person
from sleuth.models.cheat.state import CLAIM, claim_of
from sleuth.planners.agents.agent import Maker

GAME = cheat()
#: Few simulations, and yet all parts of the agents.
FEW = "simulations=60"


@pytest.fixture(scope="module")
def makers() -> dict[str, Maker]:
    """The agents, compiled once."""
    names = ("mga", "pmga", "fpmga", "ours")
    return {name: parse_agent(f"{name}:{FEW}").prepare(GAME) for name in names}


class Hinted:
    """Tells an agent the same thing whatever is so."""

    name = "hinted"

    def __init__(self, agent: Agent, hint: bool) -> None:
        self.agent = agent
        self.hint = hint

    def decide(self, view: View, seen: SeenPlay) -> int:
        return self.agent.decide(view, replace(seen, told=Briefing(hint=self.hint)))


@pytest.mark.parametrize("name", ["pmga:", "ours:trust=0.7,sure=yes,known=yes,"])
def test_an_agent_decides_by_what_its_player_knows(name: str) -> None:
    small = cheat(ranks=5, suits=2, hand=3, rounds=12)
    agent = parse_agent(f"{name}simulations=30").prepare(small)(1)
    assert check_agent(small, agent, plays=2) > 0


def test_an_agent_with_a_hint_knows_nothing_but_the_hint() -> None:
    small = cheat(ranks=5, suits=2, hand=3, rounds=12)
    agent = parse_agent("fpmga:simulations=30").prepare(small)(1)
    for hint in (True, False):
        told = Hinted(agent, hint)
        assert check_agent(small, told, plays=1) > 0


def claims(count: int) -> list[Play]:
    """Moments at which a claim can be called, which counting cannot judge, and the game goes on."""
    found: list[Play] = []
    seed = 0
    while len(found) < count:
        seed += 1
        play = Play.new(GAME, seed=seed)
        people = [person(GAME, 2 * seed + one, population="steady") for one in (0, 1)]
        for _ in range(6 + seed % 9):
            if not play.over:
                viewer = play.player
                play.apply(people[viewer].decide(play.view(viewer), play.seen_by(viewer)))
        if play.over or 0 not in play.view(play.player).legal():
            continue
        view = play.view(play.player)
        ways = CheatBelief().ways(view, play.seen_by(play.player))
        if len(ways) == 2 and view.states[0].sizes[1 - play.player] > 0:
            found.append(play)
    return found


@pytest.mark.parametrize(
    "name, lies", [("fpmga:right=1,simulations=400", 2), ("ours:predictor=hint,right=1", 10)]
)
def test_who_is_told_of_a_lie_calls_it_and_no_true_claim(name: str, lies: int) -> None:
    certain = parse_agent(name).prepare(GAME)(1)
    called = {True: 0, False: 0}
    for play in claims(20):
        view, seen = play.view(play.player), play.seen_by(play.player)
        for hint in (True, False):
            called[hint] += Hinted(certain, hint).decide(view, seen) == 0
    assert called[False] > called[True]
    assert called[True] <= 2
    assert called[False] >= lies


@pytest.mark.parametrize("right, trust", [(1.0, 1), (0.8, 0.6), (0.5, 0)])
def test_an_agent_trusts_in_people_as_far_as_its_predictor_is_sure(
    right: float, trust: float
) -> None:
    hint = f"ours:predictor=hint,right={right},{FEW}"
    sure, fixed = (
        parse_agent(f"{hint},{option}").prepare(GAME)(3)
        for option in ("sure=yes,trust=1", f"trust={trust}")
    )
    assert isinstance(sure, SearchAgent)
    assert isinstance(fixed, SearchAgent)
    for play in claims(2):
        view, seen = play.view(play.player), play.seen_by(play.player)
        told = replace(seen, told=Briefing(hint=False))
        assert sure.sureness(view, told) == pytest.approx(trust)
        if trust in (0, 1):
            assert sure.decision(view, told).actions == fixed.decision(view, told).actions
    start = Play.new(GAME, seed=1)
    assert sure.sureness(start.view(0), start.seen_by(0)) == 1


def test_without_a_hint_an_agent_goes_by_counting(makers: dict[str, Maker]) -> None:
    play = claims(1)[0]
    view, seen = play.view(play.player), play.seen_by(play.player)
    assert makers["fpmga"](1).decide(view, seen) in view.legal()


def test_an_agent_whose_hints_are_right_beats_people() -> None:
    agents = [f"ours:predictor=hint,right=1,{FEW}", "people"]
    result = play_match("cheat", agents, games=12, series=4, seed=3)
    assert result.scores[0] >= 0.75


@pytest.mark.parametrize("name", ["mga", "pmga", "fpmga", "ours"])
def test_a_decision_can_be_made_again(name: str, makers: dict[str, Maker]) -> None:
    play = claims(2)[1]
    view, seen = play.view(play.player), play.seen_by(play.player)
    seen = replace(seen, told=Briefing(hint=False))
    answers = {makers[name](4).decide(view, seen) for _ in range(2)}
    assert len(answers) == 1


def test_a_report_says_what_each_action_is_worth(makers: dict[str, Maker]) -> None:
    agent: Any = makers["mga"](2)
    assert isinstance(agent, SearchAgent)
    play = claims(3)[2]
    decision = agent.decision(play.view(play.player), play.seen_by(play.player))
    assert decision.simulations == 60
    assert max(decision.actions, key=lambda each: each.value).action == decision.action


def seen_through(play: Play) -> list[int]:
    """Claims that are legal now and that both players can count to be false."""
    state: Any = play.view(play.player).states[0]
    found: list[int] = []
    for action in play.legal().tolist():
        if action >= CLAIM:
            lower, _, count = claim_of(action)
            rank = (int(state.rank) + (-1 if lower else 1)) % 13
            # What the other took up and keeps, and the first card while it lies on the pile.
            placed = int(state.collected[1 - play.player, rank])
            placed += int(state.since == 0 and state.first == rank)
            if placed + count > 4:
                assert play.truth()[0].hands[play.player, rank] < count
                found.append(action)
    return found


def test_ours_claims_nothing_that_everybody_can_count_to_be_impossible(
    makers: dict[str, Maker],
) -> None:
    """Predictors of calls take such claims for others; an opponent who counts calls them."""
    asked = [makers["ours"](seed) for seed in range(2)]
    tempted = 0
    for seed in range(2):
        play = Play.new(GAME, seed=seed)
        while not play.over:
            false = seen_through(play)
            tempted += bool(false)
            action = asked[play.player].decide(play.view(play.player), play.seen_by(play.player))
            assert action not in false or len(false) == len(play.legal())
            play.apply(action)
    assert tempted > 5


def test_what_an_agent_cannot_be_is_said() -> None:
    with pytest.raises(SettingsError, match="no simulated people"):
        parse_agent("people").prepare(kuhn_poker())
    with pytest.raises(RecordError, match="cannot be read"):
        parse_agent("pmga:predictor=nowhere").prepare(GAME)
    for right in ("0.2", "inf"):
        with pytest.raises(SettingsError, match="right must be"):
            parse_agent(f"fpmga:right={right}").prepare(GAME)
    with pytest.raises(SettingsError, match="alone=yes"):
        parse_agent("mcts:sure=yes").prepare(GAME)
    with pytest.raises(SettingsError, match="plays only cheat"):
        parse_agent("ours").prepare(kuhn_poker())
    with pytest.raises(SettingsError, match="no such option"):
        parse_agent("mcts:predictor=usual").prepare(kuhn_poker())
