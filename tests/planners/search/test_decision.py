"""A decision shows itself in a notebook and as text, and is a pandas frame."""

from __future__ import annotations

import json
import math
from dataclasses import replace
from types import SimpleNamespace
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


def test_a_mixed_policy_is_told_wherever_a_decision_is() -> None:
    best = replace(decided("bet", "pass", "fold"), tree=cast(Any, nothing_walked()))
    mixed = replace(best, action=1, name="pass", policy={0: 1 / 3, 1: 2 / 3})
    said = "plays pass 0.67, bet 0.33; drawn: pass"
    assert mixed.summary().splitlines()[-3] == said
    assert any(said in line for line in shown(mixed).said)
    assert list(mixed.to_frame().policy) == [1 / 3, 2 / 3, 0.0]
    assert mixed.to_json()["policy"] == {"bet": 1 / 3, "pass": 2 / 3}
    assert mixed.mixture({1: "to pass"}).endswith("drawn: to pass")
    assert "policy" not in best.to_json()
    assert "policy" not in best.to_frame().columns
    assert "drawn" not in best.summary()


def test_a_long_mixed_policy_is_told_in_short() -> None:
    names = [f"move {number}" for number in range(20)]
    shares = dict.fromkeys(range(20), 0.0) | {0: 0.4, 1: 0.2, **dict.fromkeys(range(2, 10), 0.05)}
    told = replace(decided(*names), policy=shares).mixture()
    assert told.startswith("plays move 0 0.40, move 1 0.20, move 2 0.05")
    assert "and 5 more 0.25; drawn: move 0" in told


def test_what_has_no_value_has_none_in_json() -> None:
    best = replace(decided("bet", "pass"), tree=cast(Any, nothing_walked()))
    first = replace(best.actions[0], value=math.nan, score=math.nan, interval=(math.nan, math.nan))
    told = replace(best, actions=(first, best.actions[1]))
    written = json.loads(json.dumps(told.to_json(), allow_nan=False))["actions"][0]
    assert (written["visits"], written["value"], written["score"]) == (10, None, None)
    assert told.summary().splitlines()[1].split() == ["bet", "10", "-", "-"]


def nothing_walked() -> Any:
    """A tree without edges at its root."""
    return SimpleNamespace(root=SimpleNamespace(edges=()))
