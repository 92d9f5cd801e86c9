"""A decision shows itself in a notebook and as text, and is a pandas frame."""

from __future__ import annotations

import math
from typing import Any, cast

from sleuth import Decision
from sleuth.search import ActionReport

from ..notebook import shown


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
