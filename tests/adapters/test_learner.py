"""The example of a learner: it learns, and runs as it is written."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from sleuth.adapters import gymnasium_env

from ..test_examples import example

LEARNER = example("learn_with_beliefs")


def timid(view: object, seen: object) -> int:
    """Passes always, so a bet wins."""
    return 0


def test_the_learner_finds_out_what_wins() -> None:
    env = gymnasium_env("kuhn_poker", seat=None, others=timid, belief=True)
    won = LEARNER.train(env, games=768, seed=1)
    first, last = np.mean(won[:128]), np.mean(won[-128:])
    assert len(won) == 768
    assert last > first + 0.15
    assert last > 0.9  # always betting wins one chip each time


def test_it_tells_how_both_halves_do(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    chosen = ["--game", "kuhn_poker", "--games", "128"]
    monkeypatch.setattr(sys, "argv", ["learn_with_beliefs.py", *chosen])
    LEARNER.main()
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(":")[0].strip() for line in lines] == ["without beliefs", "with beliefs"]
