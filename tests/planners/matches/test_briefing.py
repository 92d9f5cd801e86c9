"""What a match tells agents beside what they see: hints, seconds, earlier games; nobody else."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest

from sleuth import Game, OwnAgent, Play, play_match
from sleuth.errors import SettingsError
from sleuth.games.small import kuhn_poker
from sleuth.kit import Advice, SeenPlay, View
from sleuth.models.briefing import NOTHING
from sleuth.models.game import States
from sleuth.planners.matches.briefing import Briefer


def has_king(states: States, viewer: int) -> bool | None:
    """Whether the other player has the king; nothing to ask for who has it himself."""
    cards = states[0].cards
    return None if cards[viewer] == 2 else bool(cards[1 - viewer] == 2)


def kuhn() -> Game:
    return replace(kuhn_poker(), advice=Advice(secret=has_king))


@dataclass
class Listener:
    """Takes the first legal action, and remembers what it saw."""

    seed: int
    heard: list[SeenPlay] = field(default_factory=list[SeenPlay])
    name: str = "listener"

    def decide(self, view: View, seen: SeenPlay) -> int:
        self.heard.append(seen)
        return int(view.legal()[0])


@dataclass
class Asker(Listener):
    hint_right: float | None = 1.0


@dataclass
class Slow(Listener):
    def took(self, view: View, seen: SeenPlay, action: int) -> float:
        return 10.0 + len(seen.events)


def noted(name: str, kind: type[Listener], made: list[Listener]) -> OwnAgent:
    """An agent of which every one that is made is noted down."""

    def make(seed: int) -> Listener:
        made.append(kind(seed))
        return made[-1]

    return OwnAgent(name, lambda game: make)


def test_a_hint_is_the_truth_as_often_as_was_asked_for() -> None:
    for right in (1.0, 0.8):
        heard: list[bool] = []
        for seed in range(400):
            play = Play.new(kuhn(), seed=seed)
            truth = has_king(play.truth(), 0)
            told = Briefer(kuhn(), seed).seen(play, 0, Asker(1, hint_right=right), "a").told
            assert (told.hint is None) == (truth is None)
            if truth is not None:
                heard.append(told.hint == truth)
        if right == 1.0:
            assert all(heard)
        else:
            assert binomtest(sum(heard), len(heard), right).pvalue > 1e-3


def test_nobody_is_told_anything_who_does_not_ask() -> None:
    play = Play.new(kuhn(), seed=1)
    for agent in (Listener(1), Asker(1, hint_right=None)):
        assert Briefer(kuhn(), 1).seen(play, 0, agent, "a") == play.seen_by(0)
    assert play.seen_by(0).told == NOTHING


def test_what_was_told_belongs_to_what_was_seen() -> None:
    # Two plays that look alike are told apart by a hint, and by nothing else.
    looks: dict[tuple[int, ...], set[bool | None]] = {}
    for seed in range(60):
        play = Play.new(kuhn(), seed=seed)
        seen = Briefer(kuhn(), 0).seen(play, 0, Asker(1), "a")
        looks.setdefault(seen.start, set()).add(seen.told.hint)
        assert seen.digest == play.seen_by(0).digest
    assert {True, False} in looks.values()


def test_seconds_are_told_in_the_order_of_the_actions() -> None:
    agents: list[Listener] = []

    pair = [noted("slow", Slow, agents), noted("plain", Listener, agents)]
    play_match(kuhn_poker(), pair, games=1, swap=False)
    of_slow, of_plain = agents
    assert [seen.told.seconds for seen in of_slow.heard] == [()]
    assert [seen.told.seconds for seen in of_plain.heard] == [(10.0,)]


def test_a_clock_runs_where_anybody_knows_a_time() -> None:
    briefer = Briefer(kuhn(), 1)
    play = Play.new(kuhn(), seed=1)
    briefer.noted(None)
    assert briefer.seen(play, 0, Listener(1), "a").told.seconds == ()
    briefer.noted(2.5)
    assert briefer.seen(play, 0, Listener(1), "a").told.seconds == (None, 2.5)
    assert briefer.seconds == (None, 2.5)


def test_agents_of_a_series_stay_and_know_the_games_before() -> None:
    agents: list[Listener] = []

    pair = [noted(name, Listener, agents) for name in ("a", "b")]
    result = play_match(kuhn_poker(), pair, games=8, series=4, seed=5)
    assert result.series == 4
    assert result.to_json()["series"] == 4
    assert len(agents) == 4  # two of each series
    assert len({agent.seed for agent in agents}) == 4
    for series in range(2):
        for place in range(2):
            heard = agents[2 * series + place].heard
            games = sorted({len(seen.told.earlier) for seen in heard})
            assert games[0] == 0
            assert set(games) <= {0, 1, 2, 3}
            last = max(heard, key=lambda seen: len(seen.told.earlier)).told.earlier
            for number, view in enumerate(last):
                one = result.games[4 * series + number]
                role = one.seats.index(place)
                assert view == one.replay(kuhn_poker()).view(role)
                assert view.over


def test_a_series_that_was_broken_off_is_the_same_in_the_end(tmp_path: Path) -> None:
    agents = [OwnAgent(name, lambda game: Drawing) for name in ("a", "b")]
    whole = play_match(kuhn_poker(), agents, games=24, series=4, seed=2)
    out = tmp_path / "games.jsonl"
    play_match(kuhn_poker(), agents, games=10, series=4, seed=2, out=out)
    again = play_match(kuhn_poker(), agents, games=24, series=4, seed=2, out=out)
    assert again == whole
    assert again.resumed == 10
    alone = play_match(kuhn_poker(), agents, games=24, seed=2)
    assert [one.actions for one in alone.games] != [one.actions for one in whole.games]


@dataclass(frozen=True)
class Drawing:
    """Decides by what it remembers of the games before, and by chance."""

    seed: int
    name: str = "drawing"

    def decide(self, view: View, seen: SeenPlay) -> int:
        remembered = sum(int(each.states[0].cards.sum()) for each in seen.told.earlier)
        rng = np.random.default_rng((self.seed, len(seen.events), abs(remembered)))
        return int(rng.choice(view.legal()))


def test_a_file_of_a_series_is_not_that_of_single_games(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    play_match("kuhn_poker", ["random", "random"], games=4, series=4, out=out)
    with pytest.raises(SettingsError, match="games of a series differ "):
        play_match("kuhn_poker", ["random", "random"], games=4, out=out)
