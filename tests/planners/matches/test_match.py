"""Matches: fair seats, the same games whatever the workers, and nothing lost."""

from __future__ import annotations

import json
import math
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import chisquare

from sleuth import Game, OwnAgent, game, play_match
from sleuth.agents import RandomAgent, parse_agent
from sleuth.errors import RecordError, SettingsError
from sleuth.games.small import kuhn_poker
from sleuth.kit import SeenPlay, View
from sleuth.matches import MatchResult, Stop
from sleuth.planners.agents.agent import Maker
from sleuth.planners.matches.match_games import MatchPlan
from sleuth.planners.matches.match_statistics import EQUAL

TWO = ["random", "random"]


@dataclass
class Fixed:
    """Takes the legal action at a place, and remembers what it was handed."""

    place: int
    handed: list[tuple[View, SeenPlay]]
    name: str = "fixed"

    def decide(self, view: View, seen: SeenPlay) -> int:
        self.handed.append((view, seen))
        return int(view.legal()[self.place])


def fixed(place: int, handed: list[tuple[View, SeenPlay]] | None = None) -> OwnAgent:
    kept = [] if handed is None else handed
    return OwnAgent(f"fixed {place}", lambda game: lambda seed: Fixed(place, kept))


@dataclass
class Illegal:
    name: str = "illegal"

    def decide(self, view: View, seen: SeenPlay) -> int:
        return 77


# Against exact expectations


def test_random_players_win_kuhn_poker_as_often_as_counting_says() -> None:
    # By hand: pass, pass 1/4; pass, bet, pass 1/8; pass, bet, bet 1/8; bet, pass 1/4; bet, bet 1/4.
    # Who wins a showdown is even.
    result = play_match("kuhn_poker", TWO, games=800, seed=3)
    won = Counter(one.returns[one.seats[0]] for one in result.games)
    expected = {2.0: 3 / 16, 1.0: 3 / 8, -1.0: 1 / 4, -2.0: 3 / 16}
    assert set(won) == set(expected)
    counts = [won[value] for value in expected]
    assert chisquare(counts, [800 * p for p in expected.values()]).pvalue > 1e-3


def test_random_players_win_tic_tac_toe_as_often_as_counting_says() -> None:
    # 737/1260 for who begins, 121/420 for the other, 8/63 draws: all orders of nine squares.
    result = play_match("tic_tac_toe", TWO, games=500, seed=3, swap=False)
    counts = [*result.wins, result.shared]
    assert chisquare(counts, [500 * 737 / 1260, 500 * 121 / 420, 500 * 8 / 63]).pvalue > 1e-3


# Seats and seeds


def test_a_pair_of_games_has_one_deal_and_swapped_seats() -> None:
    handed: list[tuple[View, SeenPlay]] = []
    result = play_match("kuhn_poker", [fixed(0, handed), fixed(1)], games=8, seed=1)
    assert [one.seats for one in result.games] == [(0, 1), (1, 0)] * 4
    kuhn = game("kuhn_poker")
    for first, second in zip(result.games[::2], result.games[1::2], strict=True):
        assert first.seed == second.seed
        starts = [one.replay(kuhn).record().start for one in (first, second)]
        assert starts[0] == starts[1]
    assert len({one.seed for one in result.games}) == 4
    # The first agent passes and folds, the second bets, so the first loses both.
    assert [one.actions for one in result.games[:2]] == [(0, 1, 0), (1, 0)]
    assert result.mean_returns == (-1.0, 1.0)


def test_with_three_players_each_sits_in_each_role_once_a_deal() -> None:
    result = play_match("clue_table", ["random"] * 3, games=6, seed=1)
    first, second = ([one.seats for one in result.games[at : at + 3]] for at in (0, 3))
    assert first == [(0, 1, 2), (1, 2, 0), (2, 0, 1)]
    assert all(sorted(roles) == [0, 1, 2] for roles in zip(*second, strict=True))
    assert len({one.seed for one in result.games}) == 2


def test_nobody_always_plays_after_the_same_neighbour() -> None:
    plan = MatchPlan(
        "clue_table", {}, tuple(map(parse_agent, ["random"] * 4)), (0, 1, 2, 3), 5, True
    )
    seats = [plan.seats(number) for number in range(0, 2_400, 4)]
    after = Counter(each[each.index(0) - 1] for each in seats)
    assert set(after) == {1, 2, 3}
    assert chisquare(list(after.values())).pvalue > 1e-3
    fixed_seats = replace(plan, swap=False)
    assert {fixed_seats.seats(number) for number in range(40)} == {(0, 1, 2, 3)}


def test_without_swapping_every_game_has_a_deal_of_its_own() -> None:
    result = play_match("kuhn_poker", TWO, games=6, swap=False)
    assert {one.seats for one in result.games} == {(0, 1)}
    assert len({one.seed for one in result.games}) == 6


def test_agents_are_handed_what_their_role_sees_and_nothing_else() -> None:
    handed: list[tuple[View, SeenPlay]] = []
    result = play_match("leduc_poker", [fixed(-1, handed), "random"], games=6, seed=2)
    leduc = game("leduc_poker")
    expected: list[tuple[View, SeenPlay]] = []
    for one in result.games:
        whole = one.replay(leduc).record()
        for count in range(len(one.actions)):
            part = type(whole)(**{**whole.__dict__, "actions": whole.actions[:count]}).replay(leduc)
            if one.seats[part.player] == 0:
                expected.append((part.view(part.player), part.seen_by(part.player)))
    assert handed == expected
    assert all(type(view) is View and type(seen) is SeenPlay for view, seen in handed)


def test_the_result_does_not_depend_on_the_number_of_workers() -> None:
    agents = ["random", "mcts:simulations=40"]
    alone = play_match("kuhn_poker", agents, games=30, seed=9)
    together = play_match("kuhn_poker", agents, games=30, seed=9, workers=2)
    assert alone == together
    other = play_match("kuhn_poker", agents, games=30, seed=10)
    assert [one.seed for one in other.games] != [one.seed for one in alone.games]


@pytest.mark.parametrize("options", [{}, {"series": 3}, {"swap": False}])
def test_parts_of_a_match_make_up_the_whole(options: dict[str, Any]) -> None:
    def part(games: int, first: int = 0, *, workers: int = 1) -> MatchResult:
        return play_match(
            "kuhn_poker", TWO, games=games, first=first, seed=4, workers=workers, **options
        )

    whole = part(18)
    parts = (part(6), part(6, 6, workers=2), part(6, 12))
    played = [one for each in parts for one in each.games]
    assert [(one.number, one.seed, one.seats, one.actions) for one in played] == [
        (one.number, one.seed, one.seats, one.actions) for one in whole.games
    ]
    assert [sum(each) for each in zip(*(each.wins for each in parts), strict=True)] == [*whole.wins]
    assert [each.to_json()["first"] for each in parts] == [0, 6, 12]


def test_a_part_goes_on_in_the_file_of_the_match(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    for first, games in ((4, 4), (0, 4)):
        play_match("kuhn_poker", TWO, games=games, first=first, seed=4, out=path)
    assert play_match("kuhn_poker", TWO, games=6, first=2, seed=4, out=path).resumed == 6


@pytest.mark.parametrize("first", [-2, 3, 1.0, True, "0"])
def test_a_part_begins_with_a_whole_deal(first: Any) -> None:
    with pytest.raises(SettingsError, match="multiple of 2"):
        play_match("kuhn_poker", TWO, games=2, first=first)


def random_maker(game: Game) -> Maker:
    return lambda seed: RandomAgent(seed)


def test_a_game_of_ones_own_plays_with_several_workers_if_it_can_be_made_there() -> None:
    own = kuhn_poker()
    object.__setattr__(own, "name", "my_own")
    agents = [OwnAgent("a", random_maker), OwnAgent("b", random_maker)]
    with pytest.raises(SettingsError, match="workers cannot make this game"):
        play_match(own, agents, games=2, workers=2)
    found = play_match(own, agents, games=8, workers=2, make=kuhn_poker)
    assert found.games == play_match(own, agents, games=8).games


# Counting


def result_of(returns: list[tuple[float, ...]]) -> MatchResult:
    kuhn = play_match("kuhn_poker", TWO, games=1)
    games = tuple(
        type(kuhn.games[0])(number, 0, tuple(range(len(one))), (), one, 0.0)
        for number, one in enumerate(returns)
    )
    names = tuple("abc"[: len(returns[0])])
    return MatchResult(
        game="g",
        roles=names,
        agents=names,
        games=games,
        seed=0,
        swap=False,
        verdict=None,
        seconds=0.0,
    )


def test_a_shared_game_is_won_by_nobody_and_counts_in_parts() -> None:
    result = result_of([(1, 0, 0), (1, 1, 0), (0, 0, 0), (0, 2, 1)])
    assert result.wins == (1, 1, 0)
    assert result.shared == 2
    assert result.win_rates == (0.25, 0.25, 0.0)
    assert result.scores == pytest.approx(((1 + 1 / 2 + 1 / 3) / 4, (1.5 + 1 / 3) / 4, 1 / 12))
    assert result.mean_returns == (0.5, 0.75, 0.25)
    assert sum(result.scores) == pytest.approx(1.0)


def test_an_interval_of_a_mean_return_is_that_of_its_rounds() -> None:
    single = result_of([(1, -1), (1, -1), (-1, 1), (1, -1)])
    # Mean 1/2, standard deviation 1, four games.
    assert single.return_errors == pytest.approx((1.959964 / 2,) * 2, abs=1e-6)
    # Two deals, in which the first agent wins 2 and 0: mean 1, standard deviation sqrt(2).
    assert replace(single, swap=True).return_errors == pytest.approx((1.959964 / 2,) * 2, abs=1e-6)
    # Each deal is won once by each: that says nothing of how much others would differ.
    even = replace(result_of([(1, -1), (-1, 1), (1, -1), (-1, 1)]), swap=True)
    assert all(map(math.isnan, even.return_errors))
    assert even.to_json()["return_intervals"] == {"a": None, "b": None}
    assert "+0.000 ± –" in str(even)
    # Alike but for rounding.
    third = result_of([(0.1 + 0.2, 0.3), (0.3, 0.1 + 0.2)] * 3)
    assert all(map(math.isnan, third.return_errors))
    assert all(map(math.isnan, result_of([(1, -1)]).return_errors))
    assert result_of([(1, -1)]).to_json()["return_intervals"] == {"a": None, "b": None}
    assert "a              1  1.000" in str(result_of([(1, -1)]))


def test_the_json_has_the_promised_keys_in_their_order() -> None:
    found = play_match("tic_tac_toe", TWO, games=4).to_json()
    assert list(found)[:8] == [
        *("game", "agents", "games", "wins", "win_rate", "intervals", "seconds", "seed")
    ]
    assert found["agents"] == ["random", "random#2"]
    assert list(found["wins"]) == found["agents"]
    assert json.loads(json.dumps(found)) == found


# Ending early


def test_a_match_ends_when_one_is_clearly_better_and_counts_no_game_more() -> None:
    # The one who folds loses both games of every pair: 11 ln 1.4 > ln(0.95 / 0.025) > 10 ln 1.4.
    stop = Stop(delta=0.2, alpha=0.05, beta=0.05)
    folded = play_match("kuhn_poker", [fixed(0), fixed(1)], games=200, stop=stop)
    assert folded.verdict == "fixed 1"
    assert len(folded.games) == 22
    assert folded.wins == (0, 22)
    found = play_match("tic_tac_toe", ["mcts:simulations=60", "random"], games=400, stop=stop)
    assert found.verdict == "mcts:simulations=60"
    assert len(found.games) < 100
    assert len(found.games) % 2 == 0


@dataclass
class Scripted:
    """Two of them draw every game of tic-tac-toe."""

    name: str = "scripted"

    def decide(self, view: View, seen: SeenPlay) -> int:
        return (0, 1, 2, 4, 3, 5, 7, 6, 8)[len(seen.events)]


def test_rounds_without_a_winner_never_end_a_match() -> None:
    scripted = OwnAgent("scripted", lambda game: lambda seed: Scripted())
    found = play_match("tic_tac_toe", [scripted, scripted], games=100, stop=Stop(delta=0.3))
    assert (found.shared, found.verdict, len(found.games)) == (100, None, 100)
    assert found.scores == (0.5, 0.5)


def test_where_a_match_ends_does_not_depend_on_workers_nor_on_resuming(tmp_path: Path) -> None:
    def play(**options: object) -> MatchResult:
        return play_match("tic_tac_toe", TWO, games=300, seed=2, stop=Stop(delta=0.3), **options)  # type: ignore[arg-type]

    alone = play()
    assert alone.verdict == EQUAL
    assert play(workers=2, out=tmp_path / "games.jsonl") == alone
    again = play(out=tmp_path / "games.jsonl")
    assert again == alone
    assert again.resumed >= len(alone.games)


# The file


def test_an_interrupted_match_goes_on_and_plays_no_game_twice(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    whole = play_match("kuhn_poker", TWO, games=20, seed=4)

    def interrupt(what: str, done: int, total: int) -> None:
        if done == 7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_match("kuhn_poker", TWO, games=20, seed=4, out=path, progress=interrupt)
    assert len(path.read_text("utf-8").splitlines()) == 8
    counts: list[int] = []
    resumed = play_match(
        "kuhn_poker",
        TWO,
        games=20,
        seed=4,
        out=path,
        progress=lambda _, done, __: counts.append(done),
    )
    assert resumed == whole
    assert resumed.resumed == 7
    assert counts == list(range(7, 21))
    lines = path.read_text("utf-8").splitlines()
    assert sorted(json.loads(line)["number"] for line in lines[1:]) == list(range(20))


def test_a_match_can_be_made_longer_or_shorter(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    play_match("kuhn_poker", TWO, games=5, out=path)
    longer = play_match("kuhn_poker", TWO, games=9, out=path)
    assert longer == play_match("kuhn_poker", TWO, games=9)
    assert longer.resumed == 5
    assert play_match("kuhn_poker", TWO, games=3, out=path) == play_match(
        "kuhn_poker", TWO, games=3
    )


@pytest.mark.parametrize("kept", [0, 1, 10, -1, -2, -30])
def test_whatever_was_cut_off_at_the_end_is_played_again(tmp_path: Path, kept: int) -> None:
    path = tmp_path / "games.jsonl"
    whole = play_match("kuhn_poker", TWO, games=6, out=path)
    path.write_bytes(path.read_bytes()[:kept])
    assert play_match("kuhn_poker", TWO, games=6, out=path) == whole
    assert len(path.read_text("utf-8").splitlines()) == 7


def test_a_last_line_of_rubbish_is_dropped_and_one_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    whole = play_match("kuhn_poker", TWO, games=6, out=path)
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([*lines[:-1], '{"number": 5, "se', ""]), "utf-8")
    assert play_match("kuhn_poker", TWO, games=6, out=path) == whole
    long = '{"number": 5, "actions": [' + "1, " * 200
    path.write_text("\n".join([*lines[:-1], long]), "utf-8")
    assert play_match("kuhn_poker", TWO, games=6, out=path) == whole
    assert len(path.read_text("utf-8").splitlines()) == 7
    path.write_text("\n".join([*lines[:2], "{}", *lines[3:], ""]), "utf-8")
    with pytest.raises(RecordError, match="line 3"):
        play_match("kuhn_poker", TWO, games=6, out=path)


OTHER = [
    ("seed", {"seed": 5}),
    ("agents differ ", {"agents": ["random", "mcts"]}),
    ("agents differ ", {"agents": ["random", "mcts:simulations=10"]}),
    ("games of a series differ ", {"series": 2}),
    ("swapping of seats", {"swap": False}),
    ("game differs", {"game": "tic_tac_toe"}),
]


@pytest.mark.parametrize("word, change", OTHER)
def test_the_file_of_another_match_is_refused_and_stays(
    tmp_path: Path, word: str, change: dict[str, object]
) -> None:
    path = tmp_path / "games.jsonl"
    play_match("kuhn_poker", TWO, games=2, out=path)
    before = path.read_bytes()
    asked: dict[str, object] = {"game": "kuhn_poker", "agents": TWO, "seed": 0, **change}
    with pytest.raises(SettingsError, match=f"another match.*{word}"):
        play_match(**asked, games=2, out=path)  # type: ignore[arg-type]
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", ["hello", "hello\n", "{}\n", "[1]\n", "\x00\n"])
def test_a_file_of_something_else_is_refused_and_stays(tmp_path: Path, content: str) -> None:
    path = tmp_path / "notes.txt"
    path.write_text(content, "utf-8")
    with pytest.raises(SettingsError, match="not of a match"):
        play_match("kuhn_poker", TWO, games=2, out=path)
    assert path.read_text("utf-8") == content


# What cannot be


def test_an_illegal_action_names_the_agent_and_the_game() -> None:
    agents = [OwnAgent("illegal", lambda game: lambda seed: Illegal()), "random"]
    with pytest.raises(SettingsError, match=r"game 0 of the match, move 1: agent 'illegal'"):
        play_match("kuhn_poker", agents, games=2)


@pytest.mark.parametrize(
    "options, expected",
    [
        ({"agents": ["random"]}, "needs 2 agents"),
        ({"games": 0}, "one game or more"),
        ({"workers": 0}, "one worker or more"),
        ({"seed": -1}, "a seed is"),
        ({"game": "kuhn"}, "no such game"),
        ({"game": "clue_table", "agents": ["random"] * 3, "stop": Stop()}, "only a match of two"),
    ],
)
def test_what_cannot_be_played_is_refused(options: dict[str, object], expected: str) -> None:
    asked: dict[str, object] = {"game": "kuhn_poker", "agents": TWO, "games": 2, **options}
    with pytest.raises(SettingsError, match=expected):
        play_match(**asked)  # type: ignore[arg-type]
