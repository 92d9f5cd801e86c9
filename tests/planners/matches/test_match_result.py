"""The result of a match shows itself in a notebook, and is a pandas frame."""

from __future__ import annotations

import pytest

from sleuth import play_match

from ..notebook import shown


def test_a_match_shows_who_won_how_often_and_is_a_frame() -> None:
    result = play_match("kuhn_poker", ["random", "random"], games=6, seed=1)
    frame = result.to_frame()
    assert list(frame.agent) == list(result.agents)
    assert list(frame.wins) == list(result.wins)
    assert list(frame.mean_return) == pytest.approx(list(result.mean_returns))
    assert [(low, high) for low, high in zip(frame.low, frame.high, strict=True)] == [
        *result.intervals
    ]
    words = shown(result)
    assert "kuhn_poker: 6 games" in words.said
    assert set(result.agents) <= set(words.said)
