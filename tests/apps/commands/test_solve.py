"""`sleuth solve`: what it prints and keeps, how it goes on, and what it says when it cannot."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sleuth.answers import schema
from sleuth.apps.kit.matches import solving
from sleuth.equilibria import WholeGameSearch

from ..conftest import Sleuth
from ..kit.answers.test_answers import assert_of_form
from .test_analyse import assert_refused

KUHN = ("solve", "kuhn_poker", "--seed", "1")
TIMES = {"seconds": 0, "cpu_seconds": 0}


def test_json_has_the_promised_form(sleuth: Sleuth, tmp_path: Path) -> None:
    options = ("--simulations", "2e4", "--out", tmp_path / "kept", "--json")
    found = sleuth(*KUHN, *options).json()
    assert_of_form(solving_form(), found)
    assert sorted(found) == sorted(schema("solution")["properties"])
    assert (found["simulations"], found["guaranteed"], found["unknown"]) == (20_000, True, None)
    assert 0.0 < found["exploitability"]["exploitability"] < 0.02
    assert found["exploitability"]["values"]["first"] == pytest.approx(-1 / 18, abs=0.02)
    assert found["file"] == str(tmp_path / "kept.npz")
    # It is at its end: the same command makes nothing more of it, and says the same.
    assert sleuth(*KUHN, *options).json() | TIMES == found | TIMES


def solving_form() -> Any:
    from sleuth.apps.kit.answers.forms import SolutionForm

    return SolutionForm


def test_a_run_goes_on_where_it_stopped(
    sleuth: Sleuth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = sleuth(*KUHN, "--simulations", 9_000, "--out", tmp_path / "whole", "--json").json()
    cut = ("--simulations", 9_000, "--out", tmp_path / "cut", "--json")
    run = WholeGameSearch.run

    def stopped(self: WholeGameSearch, *given: Any, **named: Any) -> WholeGameSearch:
        if self.simulations:
            self.stop()  # as Ctrl-C does
        return run(self, *given, **named)

    with monkeypatch.context() as patched:
        patched.setattr(WholeGameSearch, "run", stopped)
        ran = sleuth(*KUHN, *cut)
    assert ran.code == 130
    assert ran.err == "sleuth: interrupted\n"
    left = ran.json()
    assert left["interrupted"]
    assert left["exploitability"] is None
    assert 0 < left["simulations"] < 9_000
    again = sleuth(*KUHN, *cut).json()
    same = {**TIMES, "file": ""}
    assert again | same == whole | same


def test_a_table_says_how_far_from_an_equilibrium_it_is(sleuth: Sleuth, tmp_path: Path) -> None:
    ran = sleuth(*KUHN, "--simulations", 5_000, "--out", tmp_path / "kept")
    lines = ran.out.splitlines()
    assert lines[0] == "kuhn_poker"
    assert lines[1].startswith("external-sampling MCCFR, 5,000 iterations in")
    assert [line.split()[0] for line in lines[4:6]] == ["first", "second"]
    assert "A best response wins 0.0" in ran.out
    assert lines[-1] == f"The policy is in {tmp_path / 'kept.npz'}"


def test_what_is_not_known_is_said(sleuth: Sleuth, plain_python: None) -> None:
    few = ("--simulations", 4, "--method", "outcome")
    large = sleuth("solve", "phantom_tic_tac_toe", *few).out
    assert "not known: the game has too many histories to write out" in large
    many = sleuth("solve", "love_letter:players=3", *few, "--no-exploitability").out
    assert solving.NO_GUARANTEE in many
    assert "known" not in many


@pytest.mark.parametrize(
    "options, words",
    [
        (("--method", "guess"), "no such method of sampling"),
        (("--simulations", "1.5"), "whole number"),
        (("--simulations", "0"), "--simulations"),
        (("--workers", "0"), "--workers"),
        (("--out", "/nowhere/at/all"), "no such folder"),
    ],
)
def test_what_cannot_be_is_refused(sleuth: Sleuth, options: tuple[str, ...], words: str) -> None:
    assert_refused(sleuth(*KUHN, *options), words)


@pytest.mark.parametrize("other", [("--method", "outcome"), ("--seed", "2"), ("--workers", "2")])
def test_a_file_of_another_run_is_left_alone(
    sleuth: Sleuth, tmp_path: Path, other: tuple[str, str]
) -> None:
    out = tmp_path / "kept.npz"
    few = ("--simulations", 10, "--no-exploitability", "--out", out)
    sleuth(*KUHN, *few)
    before = out.read_bytes()
    assert_refused(sleuth(*KUHN, *other, *few), "this file is of a run with")
    assert_refused(sleuth("solve", "leduc_poker", "--seed", "1", *few), "of another game")
    assert out.read_bytes() == before
