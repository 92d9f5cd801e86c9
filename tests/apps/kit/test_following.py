"""The one loop of all analyses, and what it says of approximations."""

from __future__ import annotations

from typing import Any

from sleuth.apps.kit.analysis.following import notes_of
from sleuth.apps.kit.analysis.moments import Moment
from sleuth.beliefs.engines.base import Diagnostics


def moment(event: int, **numbers: Any) -> Moment[None]:
    return Moment(
        event=event,
        text="",
        entropy_bits=0.0,
        log_evidence=0.0,
        seconds=0.0,
        unknowns=(),
        joint=True,
        detail=None,
        diagnostics=Diagnostics(**numbers),
    )


def test_the_worst_moment_counts_even_if_it_is_not_the_last() -> None:
    timeline = [
        moment(0, effective_samples=100.0, rhat=1.3, notes=("the chains disagree",)),
        moment(1, effective_samples=12.0, rhat=1.0, notes=("few fitted", "no log evidence")),
        moment(2, effective_samples=90.0, rhat=1.1, notes=("no log evidence",)),
    ]
    assert list(notes_of(timeline)) == [
        "the answers are worth at least 12 independent samples, fewest after event 1",
        "R-hat over the chains is at most 1.300 (1 when they agree), largest before the first "
        "event",
        "no log evidence",
        "after event 1: few fitted",
        "before the first event: the chains disagree",
    ]
    settled = [moment(0, converged=True), moment(1, converged=False), moment(2, converged=True)]
    assert list(notes_of(settled)) == ["the iteration did not settle after event 1"]
