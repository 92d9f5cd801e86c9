"""Decisions and match results show themselves in a notebook, and are pandas frames."""

from __future__ import annotations

import math
from html.parser import HTMLParser
from typing import Any, cast

import pytest

from sleuth import Decision, play_match
from sleuth.search import ActionReport


def decided(*names: str, gain: float | None = None) -> Decision:
    """A decision of a search that tried all but the last action."""
    reports = [
        ActionReport(
            action=place,
            name=name,
            visits=10 - place if place < len(names) - 1 else 0,
            value=0.5 - place if place < len(names) - 1 else math.nan,
            interval=(0.25, 0.75),
            gain=gain,
            score=0.5,
            votes=0,
            values_by_class={},
        )
        for place, name in enumerate(names)
    ]
    return Decision(
        action=0, name=names[0], actions=tuple(reports), simulations=19, seconds=0.1, nodes=4,
        full=False, interrupted=False, seed=1, rivals=(), untried=1, tree=cast(Any, None),
    )  # fmt: skip


class Words(HTMLParser):
    """The text of a page, and the elements that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def shown(result: Any) -> Words:
    return Words(result._repr_html_())


def test_a_decision_is_a_frame_of_its_actions() -> None:
    frame = decided("bet", "check", "fold", gain=0.25).to_frame()
    assert list(frame.name) == ["bet", "check", "fold"]
    assert list(frame.visits) == [10, 9, 0]
    assert math.isnan(frame.value[2])
    assert list(frame.gain) == [0.25] * 3
    assert (frame.low[0], frame.high[0]) == (0.25, 0.75)


def test_a_decision_shows_its_best_actions_as_text() -> None:
    nasty = "<script>x</script>"
    words = shown(decided(nasty, *(f"action {n}" for n in range(11))))
    assert "script" not in words.tags
    assert nasty in words.said
    assert "action 8" in words.said
    assert "action 9" not in words.said
    assert "and 2 more" in words.said
    assert any("19 simulations" in line for line in words.said)
    assert "bits" not in words.said
    assert "bits" in shown(decided("bet", "fold", gain=0.1)).said


def test_the_summary_has_a_column_of_bits_only_where_they_are_known() -> None:
    assert decided("bet", "fold", gain=0.125).summary().splitlines()[:3] == [
        "action  visits  value   95 % interval   bits  later  score",
        "bet         10  0.500  0.250 to 0.750  0.125  0.000  0.500",
        "fold         0      -               -  0.125  0.000      -",
    ]
    assert decided("bet", "fold").summary().splitlines()[0].endswith("95 % interval")


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
