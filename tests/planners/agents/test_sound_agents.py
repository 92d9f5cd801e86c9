"""Agents that play a mixed policy of the whole game: what they draw, remember and say."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import sleuth
from sleuth import Budget, Play, check_agent, exploitability
from sleuth.agents import KeptAgent, parse_agent
from sleuth.equilibria import GameTree, WholeGameSearch, tabulate
from sleuth.errors import RecordError, SettingsError
from sleuth.planners.agents import NamedAgent

KUHN = "kuhn_poker"
TREE = GameTree(KUHN)


@pytest.fixture(scope="module")
def learned() -> WholeGameSearch:
    return WholeGameSearch(KUHN, seed=1).run(Budget(simulations=20_000))


@pytest.fixture(scope="module")
def file(learned: WholeGameSearch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learned.save(tmp_path_factory.mktemp("kept") / "kuhn")


def test_what_was_kept_is_played(learned: WholeGameSearch, file: Path) -> None:
    table = tabulate(TREE, parse_agent(f"policy:{file}"), seed=1)
    assert table.mixed is not None
    expected = learned.policy(TREE)
    for index, shares in table.mixed.items():
        assert shares == pytest.approx(expected[index], abs=1e-12)
    found = exploitability(TREE, table.mixed).exploitability
    assert found == pytest.approx(exploitability(TREE, expected).exploitability)
    assert found < 0.02 < exploitability(TREE, table.choice).exploitability


def test_actions_are_drawn_as_often_as_the_policy_says(learned: WholeGameSearch) -> None:
    play = Play.new(KUHN, seed=3)
    view, seen = play.view(0), play.seen_by(0)
    agent = KeptAgent(learned)
    shares = learned.probabilities(view, seen)
    assert 0.05 < shares[1] < 0.95
    drawn = Counter(agent.again(seed).decide(view, seen) for seed in range(2_000))
    assert drawn[1] / 2_000 == pytest.approx(shares[1], abs=4 * np.sqrt(0.25 / 2_000))
    first = agent.decision(view, seen)
    assert agent.decision(view, seen).to_json() == first.to_json()
    assert first.policy == pytest.approx(dict(enumerate(shares)))
    assert first.actions[0].action == first.action
    assert first.mixture() in first.summary()
    assert "did not try" not in first.summary()


def test_no_decision_depends_on_what_is_hidden(learned: WholeGameSearch) -> None:
    assert check_agent(KUHN, KeptAgent(learned), plays=10) > 10


@pytest.mark.parametrize(
    "text, error, said",
    [
        ("policy", SettingsError, "plays what stands in a file"),
        ("policy:nowhere", SettingsError, "no such file"),
        ("policy:file=nowhere", SettingsError, "no such file"),
        ("policy:gain=1", SettingsError, "no such option"),
    ],
)
def test_what_cannot_be_is_refused(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        parse_agent(text).prepare(sleuth.game(KUHN))


def test_a_file_of_another_game_is_refused(file: Path) -> None:
    with pytest.raises(RecordError, match="of another game"):
        parse_agent(f"policy:{file}").prepare(sleuth.game("leduc_poker"))


def test_the_file_is_one_value_whatever_its_name(file: Path, tmp_path: Path) -> None:
    blank = tmp_path / "a name.npz"
    blank.write_bytes(file.read_bytes())
    named = parse_agent(f"policy:{blank}")
    assert (named.values, named.runs_program) == ((str(blank),), False)
    assert parse_agent(named.text) == named == NamedAgent("policy", (("file", str(blank)),))
    result = sleuth.play_match(KUHN, [named, "random"], games=4, seed=1)
    assert result.agents == (named.text, "random")
