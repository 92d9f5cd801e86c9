"""The one loop of all analyses: records in a notation of one's own, and approximations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from sleuth import Deal, Model, infer
from sleuth.answers import as_text
from sleuth.apps.kit.analysis.following import notes_of
from sleuth.apps.kit.analysis.moments import AnyAnalysis, Moment
from sleuth.apps.kit.analysis.transcript import Standpoint, Transcript
from sleuth.apps.kit.records.contract import AnalysisRequest
from sleuth.apps.kit.records.recorded_game import RecordedGame
from sleuth.beliefs.engines.base import Diagnostics
from sleuth.data.progress import Tell, silent
from sleuth.errors import SettingsError


@dataclass(frozen=True)
class Peek:
    left: int

    def to_json(self) -> dict[str, object]:
        return {"left": self.left}


@dataclass(frozen=True)
class Peeks:
    seen: int

    def to_json(self, analysis: AnyAnalysis, /) -> dict[str, object]:
        return {"seen": self.seen, "certain": [each.name for each in analysis.proven]}


class PeekTranscript(Transcript[Peek, Peeks]):
    """Two of four cards are Ann's; somebody looks at one of the others after the other."""

    game, title, viewer, sha256, about = "peeks", "A game of peeks", "bob", "0" * 64, "the hand"

    def __init__(self, looked_at: Sequence[str]) -> None:
        self.looked_at, self.events = looked_at, len(looked_at)
        self.heading = ("Ann holds two.",)
        self.cards = Deal(["king", "queen", "jack", "ten"], holders={"ann": 2, "table": 2})

    def standpoints(self) -> Iterator[Standpoint[Peek]]:
        hidden = {card: self.cards.holder_of(card) for card in ("king", "queen")}
        known = infer(Model(self.cards))
        for count, card in enumerate(("", *self.looked_at)):
            if card:
                known = known.observe(
                    self.cards.holds("table", card, event=count, because=f"the {card} was seen")
                )
            yield Standpoint(
                text=f"bob looks at the {card}" if card else "before the first event",
                posterior=known,
                hidden=hidden,
                own=bool(card),
                detail=lambda left=2 - count: Peek(left),
            )

    def findings(
        self, timeline: Sequence[Moment[Peek]], last: Standpoint[Peek], tell: Tell
    ) -> Peeks:
        return Peeks(len(timeline) - 1)


class PeekGame(RecordedGame[Peek, Peeks]):
    def transcript(self, value: object, asked: AnalysisRequest) -> PeekTranscript:
        assert isinstance(value, list)
        return PeekTranscript(value)


def test_a_notation_of_ones_own_needs_no_more_than_what_is_known_after_every_event() -> None:
    begun: list[str] = []

    def begin(heading: Any) -> None:
        begun.append(as_text(*heading))

    found = PeekGame().analysed(["ten", "jack"], AnalysisRequest(), silent, begin)
    assert begun == ["A game of peeks\nAnn holds two."]
    told: Any = found.to_json()
    assert [(m["event"], m["left"]) for m in told["timeline"]] == [(0, 2), (1, 1), (2, 0)]
    # Of six hands three are left without the ten, and one without the jack either.
    bits = [moment["entropy_bits"] for moment in told["timeline"]]
    assert bits == pytest.approx([1.9182958340544896, 1.5849625007211562, 0.0])
    assert (told["seen"], told["certain"], told["viewer"]) == (2, ["king", "queen"], "bob")
    text = as_text(*found.body, width=100)
    assert "queen: ann  the ten was seen and the jack was seen" in text
    assert "<title>A game of peeks: What bob could have known</title>" in found.html()
    rows = PeekGame().rows(["ten", "jack"], AnalysisRequest()).rows
    assert [row for row in rows if row[0] == 2] == [
        (2, "king", "ann", 1.0),
        (2, "queen", "ann", 1.0),
    ]


@pytest.mark.usefixtures("measured_here")
def test_methods_are_compared_on_a_notation_of_ones_own_where_most_is_open() -> None:
    def compared(event: int | None) -> str:
        asked = AnalysisRequest(event=event)
        methods = ["enumeration"]
        return (
            PeekGame().compared(["ten", "jack"], asked, methods, curves=False, tell=silent)[1].about
        )

    assert (compared(None), compared(1)) == ("the hand after event 0", "the hand after event 1")
    with pytest.raises(SettingsError, match="write 0 to 2"):
        compared(3)


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
