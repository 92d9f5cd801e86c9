"""`sleuth tune`: what it prints, and what it says when it cannot."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..conftest import Sleuth
from .test_analyse import assert_refused

QUICK = ("tune", "kuhn_poker", "--agent", "mcts:simulations=20", "--games", "4", "--final", "4")


def test_json_has_the_promised_keys(sleuth: Sleuth, tmp_path: Path) -> None:
    options = ("--options", "exploration=0.5/1", "--out", tmp_path / "kept", "--json")
    ran = sleuth(*QUICK, *options)
    assert ran.code == 0
    found = ran.json()
    assert list(found) == [
        *("game", "method", "by", "best", "final", "candidates", "stages", "games", "seconds"),
        *("seed", "version"),
    ]
    assert set(found["best"]) == {
        *("agent", "options", "stage", "score", "interval", "games", "mean_return")
    }
    assert found["final"]["against"] == "mcts:simulations=20"
    assert set(found["final"]) == {
        *("against", "score", "interval", "games", "mean_return", "verdict")
    }
    assert list(found["stages"][0]) == ["scores", "kept"]
    again = sleuth(*QUICK, *options).json()
    assert {**found, "seconds": 0} == {**again, "seconds": 0}


def test_a_table_names_the_best_first(sleuth: Sleuth) -> None:
    ran = sleuth(*QUICK, "--options", "exploration=0.5/1", "--against", "none")
    lines = ran.out.splitlines()
    assert lines[0] == "kuhn_poker"
    assert lines[1].startswith("2 candidates, halving, one stage, 4 games")
    assert "Against" not in ran.out


@pytest.mark.parametrize(
    "options, words",
    [
        (("--options", "c=1/2"), "no such option"),
        (("--options", "exploration=1"), "2 to 1,024 candidates"),
        (("--options", "exploration=1/2", "--method", "league"), "no such choice"),
        (("--options", "exploration=1/2", "--games", "5"), "even number"),
        (("--options", "exploration=1/2", "--workers", "0"), "--workers"),
        (("--options", "exploration=1/2", "--against", "nobody"), "no such agent"),
        (("--options", "exploration=1/2", "--out", "/nowhere/at/all"), "no such folder"),
    ],
)
def test_what_cannot_be_is_refused(sleuth: Sleuth, options: tuple[str, ...], words: str) -> None:
    assert_refused(sleuth(*QUICK, *options), words)
