"""Tournaments: the better options come out, everybody plays as much, and nothing is lost."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import game
from sleuth.agents import parse_agent
from sleuth.data.intervals import wilson
from sleuth.errors import SettingsError
from sleuth.matches import candidates, tune
from sleuth.planners.tuning.options import Range, spaces_of
from sleuth.planners.tuning.pairings import pairings
from sleuth.planners.tuning.scores import CandidateScore, Round
from sleuth.planners.tuning.tournament import HEADER

# Its games are small and its searches short: the compiler takes longer than all of them.
pytestmark = pytest.mark.usefixtures("plain_python")

BOARD = game("tic_tac_toe")
POKER = game("kuhn_poker")
FEW = candidates("mcts", "simulations=2/3/60/4")


def test_the_one_that_thinks_longer_comes_out_and_beats_the_one_that_does_not() -> None:
    found = tune(BOARD, FEW, games=12, against=FEW[0], final=30, seed=1)
    assert found.candidates[found.best].text == "mcts:simulations=60"
    assert found.verdict == "better"
    assert found.order()[0] == found.best
    assert sorted(found.order()) == [0, 1, 2, 3]
    assert [len(stage.scores) for stage in found.stages] == [4, 2]
    assert [len(stage.kept) for stage in found.stages] == [2, 1]
    assert set(found.stages[0].kept) == set(found.stages[1].scores)
    assert found.games == 4 * 12 // 2 + 24 + 30


def test_scores_of_a_stage_add_up_to_half_a_point_a_game() -> None:
    found = tune(BOARD, FEW, games=12, seed=2)
    assert found.final is None
    assert found.verdict is None
    for stage in found.stages:
        rates = [score.rate for score in stage.scores.values()]
        assert sum(rates) == pytest.approx(len(rates) / 2)
        kept = [score.rate for number, score in stage.scores.items() if number in stage.kept]
        out = [score.rate for number, score in stage.scores.items() if number not in stage.kept]
        assert min(kept) >= max(out)


@pytest.mark.parametrize("games", [2, 6, 20, 100])
@pytest.mark.parametrize("left", range(2, 12))
def test_everybody_plays_as_many_games_as_everybody_else(left: int, games: int) -> None:
    planned = pairings(left, games, "halving")
    played: Counter[int] = Counter()
    for pairing in planned:
        assert pairing.one != pairing.other
        assert pairing.games % 2 == 0
        played[pairing.one] += pairing.games
        played[pairing.other] += pairing.games
    assert len(played) == left
    assert len(set(played.values())) == 1
    assert len({frozenset((each.one, each.other)) for each in planned}) == len(planned)
    assert played[0] <= max(games, 4)


def test_in_a_knockout_losers_are_out_and_an_odd_one_goes_on() -> None:
    found = tune(BOARD, FEW[:3], games=10, method="knockout", seed=1)
    first, second = found.stages
    (idle,) = [number for number, score in first.scores.items() if score.games == 0]
    assert idle in first.kept
    assert len(first.kept) == 2
    assert found.best in second.scores
    assert found.candidates[found.best].text == "mcts:simulations=60"


def test_the_same_seed_gives_the_same_tournament_and_another_another() -> None:
    few = candidates("players", "simulations=5/10")
    one, same, other = (tune(POKER, few, games=20, by="returns", seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert one != other


def test_an_interrupted_tournament_goes_on_and_loses_no_game(tmp_path: Path) -> None:
    few = candidates("players", "simulations=5/10/20")
    arguments: dict[str, Any] = {"games": 8, "against": few[0], "final": 6, "seed": 3}
    whole = tune(POKER, few, **arguments)

    def stop(what: str, done: int, total: int) -> None:
        if done == 15:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tune(POKER, few, **arguments, out=tmp_path / "kept", progress=stop)
    told: list[tuple[int, int]] = []
    found = tune(
        POKER,
        few,
        **arguments,
        out=tmp_path / "kept",
        progress=lambda what, done, total: told.append((done, total)),
    )
    assert found == whole
    assert told[-1] == (found.games, found.games)
    # The first match is told of as a whole, and of the second what was finished.
    assert told[0][0] == 4
    assert told[-1][0] - len(told) > 8


def test_a_folder_of_another_tournament_is_left_alone(tmp_path: Path) -> None:
    few = candidates("mcts", "simulations=5/10")
    tune(POKER, few, games=2, out=tmp_path / "kept")
    before = (tmp_path / "kept" / HEADER).read_bytes()
    with pytest.raises(SettingsError, match="another tournament: seed differs"):
        tune(POKER, few, games=2, seed=1, out=tmp_path / "kept")
    with pytest.raises(SettingsError, match="another tournament: games differ "):
        tune(POKER, few, games=4, out=tmp_path / "kept")
    with pytest.raises(SettingsError, match="not of a tournament"):
        tune(POKER, few, games=2, out=tmp_path)
    assert (tmp_path / "kept" / HEADER).read_bytes() == before
    (tmp_path / "kept" / HEADER).write_text("[1]")
    with pytest.raises(SettingsError, match="another tournament"):
        tune(POKER, few, games=2, out=tmp_path / "kept")
    (tmp_path / "file").write_text("")
    with pytest.raises(SettingsError, match="this is a file"):
        tune(POKER, few, games=2, out=tmp_path / "file")


def test_scores_by_returns_have_the_interval_of_their_rounds() -> None:
    rounds = [Round(2, 1.0, 0.5, value) for value in (0.4, 0.6, 0.8, 0.6)]
    score = CandidateScore.of(rounds, "returns")
    spread = np.std([0.4, 0.6, 0.8, 0.6], ddof=1) / 2
    assert score.rate == pytest.approx(0.6)
    assert score.interval == pytest.approx((0.6 - 1.96 * spread, 0.6 + 1.96 * spread), abs=1e-4)
    assert CandidateScore.of(rounds[:1], "returns").interval == (0.0, 0.9)
    # Rounds that are all alike are no proof: two of them said 0.600 to 0.600, which was "better".
    low, high = CandidateScore.of([rounds[0]] * 2, "returns").interval
    assert low < 0.5 * (low + high) < high
    assert high - low > 0.3
    won = CandidateScore.of(rounds, "wins")
    assert (won.rate, won.games, won.mean_return) == (0.5, 8, 0.5)
    assert won.interval == wilson(4, 8)


def test_in_poker_returns_tell_apart_what_wins_do_not() -> None:
    few = candidates("players:simulations=200", "exploration=0.7/200")
    by_wins = tune(POKER, few, games=60, seed=4).stages[0].scores
    by_returns = tune(POKER, few, games=60, by="returns", seed=4).stages[0].scores
    widths = [scores[0].interval[1] - scores[0].interval[0] for scores in (by_wins, by_returns)]
    assert widths[1] < widths[0] / 2


@pytest.mark.parametrize(
    "change, words",
    [
        ({"games": 3}, "even number"),
        ({"method": "league"}, "no such choice"),
        ({"by": "beauty"}, "no such choice"),
    ],
)
def test_what_cannot_be_played_is_refused(change: dict[str, Any], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        tune(POKER, FEW[:2], **change)


def test_games_of_more_sides_are_refused() -> None:
    with pytest.raises(SettingsError, match="two sides"):
        tune(game("clue_table"), FEW)
    with pytest.raises(SettingsError, match="2 to"):
        tune(POKER, FEW[:1])


# -- candidates


def test_listed_values_are_combined() -> None:
    found = candidates("mcts:simulations=9", "exploration=0.5/1,discount=0.9/1")
    assert [each.text for each in found] == [
        f"mcts:simulations=9,exploration={c},discount={d}" for c in (0.5, 1.0) for d in (0.9, 1.0)
    ]
    assert len(candidates("mcts", "exploration=0.5/1,discount=0.9/1", count=3)) == 3


def test_ranges_are_drawn_from_by_scale_and_again_the_same() -> None:
    found = candidates("mcts", "exploration=0.01..10,simulations=10..1000", count=400, seed=1)
    assert found == candidates(
        "mcts", "exploration=0.01..10,simulations=10..1000", count=400, seed=1
    )
    drawn = [dict(each.options) for each in found]
    low = sum(each["exploration"] < 0.316 for each in drawn)  # half of it, on a logarithmic scale
    assert 160 < low < 240
    assert all(isinstance(each["simulations"], int) for each in drawn)
    assert all(10 <= each["simulations"] <= 1000 for each in drawn)
    assert spaces_of("gain=-1..2") == {"gain": Range(-1.0, 2.0)}
    assert len(candidates("mcts", "gain=0..2")) == 16


@pytest.mark.parametrize(
    "agent, options, words",
    [
        ("nobody", "c=1/2", "no such agent"),
        ("mcts", "c=1/2", "no such option"),
        ("random", "c=1/2", "no such option"),
        ("mcts:exploration=1", "exploration=1/2", "fixed and tuned"),
        ("mcts", "exploration=1", "2 to"),
        ("mcts", "exploration=2..1", "no range"),
        ("mcts", "exploration=a..b", "no range"),
        ("mcts", "exploration=/", "at least one value"),
        ("mcts", "exploration", "no option"),
        ("mcts", "exploration=1/x", "a number is needed"),
    ],
)
def test_what_is_no_candidate_is_refused(agent: str, options: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        candidates(agent, options)


def test_an_agent_is_read_back_from_its_text() -> None:
    for each in candidates("players", "by_availability=yes/no,trees=0..8", count=6):
        assert parse_agent(each.text) == each
