"""No part of the search decides by what its player cannot see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import pytest

from sleuth import Budget, Game, Play, Search, SearchAgent, below, check_agent, game, kernel
from sleuth.agents import Agent, DeterminizationAgent, RandomAgent, SoundAgent, parse_agent
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.equilibria import OnlineSearch
from sleuth.games.clue import ClueBelief, SeenClue, Suggestion
from sleuth.kit import SeenPlay, View, generator
from sleuth.models.clue.board.walking import WALKING
from sleuth.models.clue.cards import POSITION
from sleuth.models.clue.game import SUGGESTING
from sleuth.models.clue.seen import numbered
from sleuth.planners.checking.guarded_kernels import ConformanceError
from sleuth.planners.clue import agents as clue
from sleuth.planners.search.kernels.selection import no_prior
from sleuth.planners.search.kernels.smooth_uct import smooth_uct
from sleuth.planners.sound.online import FROM_NOW
from sleuth.search import Learning, coalition_reduction, from_list, progressive_history, puct


def searching(made: Game, kind: type[SearchAgent] = SearchAgent, **options: Any) -> SearchAgent:
    return kind(
        search=Search(made, **options),
        belief=belief_or_none(made),
        budget=Budget(simulations=60),
    )


@pytest.mark.parametrize("kind", [SearchAgent, DeterminizationAgent])
@pytest.mark.parametrize(
    "name, options",
    [
        ("kuhn_poker", {}),
        ("kuhn_poker", {"trees": 4}),
        ("kuhn_poker", {"information": "players", "workers": 2}),
        ("leduc_poker", {}),
        ("phantom_tic_tac_toe", {"trees": 4}),
        ("tic_tac_toe", {}),
    ],
)
def test_a_search_decides_by_what_its_player_knows(
    name: str, options: dict[str, Any], kind: type[SearchAgent]
) -> None:
    made = game(name)
    agent = searching(made, kind, **options)
    assert check_agent(made, agent, plays=3) > 0


# Parts of a search that can be exchanged are handed states of what is imagined, never the truth.


@kernel(allocates=False)
def high_cards_bet(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """A playout policy that looks at the mover's card: the king bets, others mostly pass."""
    if state.cards[state.player] == 2 or below(random, 4) == 0:
        return count - 1
    return below(random, count)


@kernel(allocates=False)
def prior_of_the_card(state: Any, actions: Any, count: int, tables: Any, priors: Any) -> None:
    """A prior that looks at the mover's card."""
    for i in range(count):
        priors[i] = 1.0 + i * state.cards[state.player]


#: Stand for: only the actions of who searches are searched, or the others' in some simulations.
ALONE = "alone"
SELDOM = "seldom"

PARTS: dict[str, dict[str, Any]] = {
    "PUCT": {"selection": puct},
    "PUCT with equal priors": {"selection": puct, "prior": no_prior},
    "PUCT with priors by the card": {"selection": puct, "prior": prior_of_the_card},
    "Progressive History": {"selection": progressive_history, "history": True},
    "Smooth UCT": {"selection": smooth_uct, "information": "players"},
    "what was done": {"information": "actions"},
    "trees that vote": {"trees": 6, "combine": "vote"},
    "trees that are averaged": {"trees": 6, "combine": "average"},
    "a policy of one's own": {"policy": high_cards_bet},
    "credits": {"credits": [[0.7, 0.3], [0.3, 0.7]]},
    "a coalition": {"credits": coalition_reduction([0, 0], 0.5)},
    "a discount": {"discount": 0.8},
    "an opponent who follows the policy": {"searched": ALONE},
    "an opponent who follows it seldom": {"searched": SELDOM, "information": "players"},
    "plain counts of the parent": {"by_availability": False},
    "greed": {"exploration": 0.0},
    "few worlds": {"worlds": 3},
    "all at once": {
        "selection": puct,
        "prior": prior_of_the_card,
        "policy": high_cards_bet,
        "information": "players",
        "by_availability": False,
        "discount": 0.9,
        "credits": [[0.7, 0.3], [0.3, 0.7]],
        "workers": 2,
    },
}


def for_seat(part: str, seat: int) -> dict[str, Any]:
    """The options of a search by this player."""
    options = PARTS[part]
    if "searched" not in options:
        return options
    other = 0.4 if options["searched"] == SELDOM else 0.0
    return {**options, "searched": (1.0, other) if seat == 0 else (other, 1.0)}


@dataclass
class BySeat:
    """Asks another agent in each seat."""

    agents: Sequence[Agent]
    name: str = "by seat"

    def decide(self, view: View, seen: SeenPlay) -> int:
        return self.agents[view.viewer].decide(view, seen)


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.usefixtures("plain_python")
def test_no_part_of_a_search_leaks(part: str) -> None:
    kuhn = game("kuhn_poker")
    agent = BySeat([searching(kuhn, **for_seat(part, seat)) for seat in range(2)])
    assert check_agent(kuhn, agent, plays=4) > 0


@pytest.mark.parametrize("part", PARTS)
def test_a_search_over_the_truth_would_be_noticed(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The planted fault: the same search over what is so, not over what is believed.
    kuhn = game("kuhn_poker")
    truth: list[Any] = []
    seen_by = Play.seen_by

    def peeked(play: Play, viewer: int) -> SeenPlay:
        truth.append(play.truth())
        return seen_by(play, viewer)

    class Cheat:
        name = "cheat"

        def decide(self, view: View, seen: SeenPlay) -> int:
            holders = np.full(3, 2)
            holders[truth[-1][0].cards] = [0, 1]
            budget = Budget(simulations=200)
            search = searches[view.viewer]
            return search.decide(view, from_list([holders]), budget, seed=1).action

    searches = [Search(kuhn, **for_seat(part, seat)) for seat in range(2)]
    monkeypatch.setattr(Play, "seen_by", peeked)
    with pytest.raises(ConformanceError, match="decides otherwise"):
        check_agent(kuhn, Cheat(), plays=50)


def test_a_search_for_information_decides_by_what_its_player_knows() -> None:
    made = game("kuhn_poker")
    agent = SearchAgent(
        search=Search(made),
        belief=belief_or_none(made),
        budget=Budget(simulations=60),
        learning=Learning(gain_weight=1.0),
    )
    assert check_agent(made, agent, plays=5) > 0


def test_an_agent_at_random_decides_by_its_seed() -> None:
    assert check_agent(game("clue_table", turns=2), RandomAgent(), plays=1) > 0


#: Options with which an agent is quick.
FEW = {"search": "simulations=60"}


@pytest.mark.parametrize(
    "names",
    [
        ("daring", "daring", "detective"),
        ("factored", "notebook", "likeliest"),
        ("search", "search", "detective"),
    ],
)
def test_agents_of_clue_decide_by_what_they_know(
    names: Sequence[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clue, "LEAST", 0.0)  # to dare is considered from the first turn on
    made = game("clue_table", turns=3)
    texts = [f"{name}:{FEW.get(name, 'worlds=100,imagined=2')}" for name in names]
    agent = BySeat([parse_agent(text).prepare(made)(1) for text in texts])
    assert check_agent(made, agent, plays=1) > 0


def supposed(play: Play, worlds: int) -> list[Play]:
    """A play, and the same with other truths that who moves thinks possible."""
    known, viewer = ClueBelief(), play.player
    posterior = known.infer(play.view(viewer), play.seen_by(viewer))
    plays = [play]
    for number, world in enumerate(known.worlds(posterior, worlds, np.random.default_rng(1))):
        states = play.view(viewer).states
        play.game.fill(states[0], world, play.game.tables, generator(number))
        plays.append(play.supposing(states))
    return plays


#: After so many suggestions it depends on many cards shown what these do.
ROUNDS = 15
LATE = "worlds=100,finalists=3,seconds=1000"
#: The game in which each is asked what to do, and at which of their decisions.
ASKED = {
    "entropy": ("clue_table", SUGGESTING),
    "ledford": ("clue_table", SUGGESTING),
    "nearest": ("clue", SUGGESTING),
    "hunt": ("clue", WALKING),
    "search": ("clue_table", SUGGESTING),
}


class Peeking(ClueBelief):
    """The planted fault: of every card shown to others it knows one that was held in truth."""

    def __init__(self, truth: Any) -> None:
        super().__init__()
        self.truth = truth

    def known(self, view: View, seen: SeenPlay) -> SeenClue:
        known = super().known(view, seen)
        events = [one.event for one in known.events]
        for place, event in enumerate(events):
            if isinstance(event, Suggestion) and event.refuter and event.shown is None:
                seat = known.players.index(event.refuter)
                held = [card for card in event.cards if self.truth.holder[POSITION[card]] == seat]
                events[place] = replace(event, shown=held[0])
        return replace(known, events=tuple(numbered(events, known.viewer)))


def decided(text: str, plays: int, *, peeking: bool = False) -> Iterator[set[int]]:
    """What an agent does late in some games, by what is so and by what else could be."""
    rules, stage = ASKED[text]
    made = game(rules)
    maker = parse_agent(f"{text}:{FEW.get(text, LATE)}").prepare(made)
    player = parse_agent("ledford").prepare(made)
    for seed in range(plays):
        play, players, rounds = Play.new(made, seed=seed), [player(seat) for seat in range(3)], 0
        while not play.over and (rounds < ROUNDS or int(play.truth()[0].stage) != stage):
            seat = play.player
            rounds += int(play.truth()[0].stage) == SUGGESTING
            play.apply(players[seat].decide(play.view(seat), play.seen_by(seat)))
        if play.over:
            continue
        decisions: set[int] = set()
        for each in supposed(play, 3):
            agent = cast(clue.Detective | SearchAgent, maker(1))
            if peeking:
                belief = Peeking(each.truth()[0])
                if isinstance(agent, SearchAgent):
                    agent = replace(agent, belief=belief, begins=belief.begin)
                else:
                    agent.belief = belief
            decisions.add(agent.decide(each.view(play.player), each.seen_by(play.player)))
        yield decisions


@pytest.mark.parametrize("text", ASKED)
def test_agents_of_clue_decide_late_by_what_they_saw(text: str) -> None:
    assert {len(decisions) for decisions in decided(text, 1)} == {1}


@pytest.mark.parametrize("text", ASKED)
def test_an_agent_of_clue_who_knows_more_of_what_is_shown_would_be_noticed(text: str) -> None:
    assert any(len(decisions) > 1 for decisions in decided(text, 8, peeking=True))


#: Games in which the agent that searches from the deal is asked, after so many moves.
SOUND = {"leduc_poker": 3, "cheat": 4, "clue_table": 6, "scotland_yard": 4}


def mixtures(name: str, truth: list[Any]) -> set[tuple[float, ...]]:
    """What `sound` says in the middle of a game, by what is so and by what else could be."""
    made, rng = game(name), np.random.default_rng(4)
    play = Play.new(made, seed=5)
    for _ in range(SOUND[name]):
        play.apply(int(rng.choice(play.legal())))
    viewer, known = play.player, belief_or_none(made)
    assert known is not None
    view, seen = play.view(viewer), play.seen_by(viewer)
    plays, posterior = [play], known.infer(view, seen)
    for number, world in enumerate(known.worlds(posterior, 4, np.random.default_rng(1))):
        states = play.view(viewer).states
        made.fill(states[0], world, made.tables, generator(number))
        plays.append(play.supposing(states))
    assert len({each.truth().tobytes() for each in plays}) > 1
    found = set[tuple[float, ...]]()
    for each in plays:
        truth.append(each.truth())
        agent = parse_agent("sound:simulations=24,lines=16,method=outcome").prepare(made)(1)
        decision = cast(SoundAgent, agent).decision(each.view(viewer), each.seen_by(viewer))
        assert decision.policy is not None
        found.add((decision.action, *decision.policy.values()))
    return found


@pytest.mark.parametrize("name", SOUND)
def test_a_search_from_the_deal_decides_by_what_its_player_knows(
    name: str, plain_python: None
) -> None:
    assert len(mixtures(name, [])) == 1


@pytest.mark.parametrize("name", SOUND)
def test_a_search_from_the_deal_that_is_led_by_the_truth_would_be_noticed(
    name: str, plain_python: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    truth: list[Any] = []

    def peeked(search: Any, view: View, seen: SeenPlay) -> tuple[Any, str]:
        target = search._from_now(view, seen, np.random.default_rng(1))
        return target._replace(starts=truth[-1][:1], rival=np.ones(1)), FROM_NOW

    monkeypatch.setattr(OnlineSearch, "_target", peeked)
    assert len(mixtures(name, truth)) > 1
