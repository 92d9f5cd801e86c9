"""A move in Scotland Yard as it is touched: a ticket, and a station where one is told."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from ....data.errors import RecordError
from ....models.game import OVER
from ....models.scotland_yard.state import HIDER, TICKETS
from ...kit.advising.drafts import Draft, NextTouches, touched_words, typing
from ...kit.advising.entries import Entry
from ...kit.answers.values import BlankForm, FormField, Paragraph, Statement, Touch, Touches
from ..words import HIDER_NAME
from .answers import station, steps
from .table import HuntSetup

#: The words of touches, and the fields of a draft.
TICKET, TO, GO, DOUBLE, CAUGHT, KIND = "ticket", "to", "go", "double", "caught", "kind"
WRITTEN: Final = "line"
ASKS: Final = "station"


@dataclass(frozen=True)
class HuntDraft:
    """A move that is being entered by touches.

    Attributes:
        draft: It.
        table: The game before the move.
    """

    draft: Draft
    table: HuntSetup

    @cached_property
    def goals(self) -> dict[int, tuple[str, ...]]:
        """The stations to which the detective whose turn it is can go, with the tickets."""
        found: dict[int, tuple[str, ...]] = {}
        if self.table.player in (HIDER, OVER):
            return found
        for step in steps(self.table).values():
            found[step.to] = (*found.get(step.to, ()), step.ticket)
        return found

    @property
    def line(self) -> str:
        """The line that says the move; empty as long as something is missing."""
        to, ticket = self.draft.get(TO), str(self.draft.get(TICKET, ""))
        if self.table.player == OVER:
            return ""
        if self.table.player == HIDER:
            missing = not ticket or (self.table.due and to is None)
            said = [ticket, str(to) if self.table.due else "", self._flag(DOUBLE)]
            return "" if missing else " ".join(filter(None, said))
        ways = self.goals.get(int(to), ()) if to is not None else ()
        if len(ways) == 1:
            ticket = ways[0]
        return f"{ticket} {to} {self._flag(CAUGHT)}".strip() if ticket in ways else ""

    def next(self) -> NextTouches:
        """The choices that go on with it, but for what it means; see `Adviser.offered`."""
        other = Touch("Write a line", f"{KIND} {WRITTEN}", "soft")
        if self.draft.get(KIND) == WRITTEN:
            return NextTouches((typing(str(self.draft.get("line", ""))),))
        if self.table.player == OVER:
            return NextTouches((Paragraph("The game is over.", "soft"),), more=(other,))
        if self.table.player == HIDER:
            return NextTouches(self._hiders(), more=(self._toggle(DOUBLE, "Double move"), other))
        return NextTouches(
            self._seekers(), more=(self._toggle(CAUGHT, f"And finds {HIDER_NAME}"), other)
        )

    def _hiders(self) -> tuple[Statement, ...]:
        state: Any = self.table.states[0]
        left = state.tickets[HIDER].tolist()
        row = tuple(
            Touch(name, f"{TICKET} {name}", enabled=left[place] > 0,
                  pressed=self.draft.get(TICKET) == name)
            for place, name in enumerate(TICKETS)
        )  # fmt: skip
        parts: list[Statement] = [Touches(f"The ticket of {HIDER_NAME}", row, "row")]
        if self.table.due:
            seen = FormField(TO, f"{HIDER_NAME} surfaces at", str(self.draft.get(TO, "")), "number")
            parts.append(BlankForm(ASKS, (seen,), "There"))
        return tuple(parts)

    def _seekers(self) -> tuple[Statement, ...]:
        choices = tuple(
            Touch(str(step.to), f"{GO} {step.ticket} {step.to}", note=step.ticket,
                  shade=step.capture, label=f"{step.ticket} to {step.to}",
                  pressed=(self.draft.get(TO), self.draft.get(TICKET)) == (step.to, step.ticket))
            for step in sorted(steps(self.table).values(), key=lambda step: (step.to, step.ticket))
        )  # fmt: skip
        return (Touches("Where to?", choices),)

    def _flag(self, name: str) -> str:
        return name if self.draft.get(name) else ""

    def _toggle(self, name: str, words: str) -> Touch:
        return Touch(words, name, pressed=bool(self.draft.get(name)))


def touched(draft: Draft, words: str, blanks: Mapping[str, str]) -> Draft:
    """A draft after a touch; see `Adviser.touched`.

    Raises:
        RecordError: This is nothing that is touched in Scotland Yard.
    """
    kind, _, name = words.partition(" ")
    if (kind, name) == (KIND, WRITTEN):
        return {KIND: WRITTEN}
    if draft.get(KIND) == WRITTEN:
        return {KIND: WRITTEN, **touched_words(draft, words, blanks)}
    if kind == TICKET and name in TICKETS:
        return {**draft, TICKET: name}
    if kind == ASKS:
        return {**draft, TO: station(blanks.get(TO, ""), "46")}
    if kind == TO:
        return {**draft, TO: station(name, "to 46")}
    if kind == GO:
        ticket, _, to = name.partition(" ")
        if ticket in TICKETS:
            return {**draft, TICKET: ticket, TO: station(to, "go taxi 46")}
    if words in (DOUBLE, CAUGHT):
        return {**draft, words: not draft.get(words)}
    raise RecordError("this cannot be touched now", value=words)


def draft_of(entry: Entry) -> dict[str, Any]:
    """The draft that comes to a move."""
    return {key: entry[key] for key in (TICKET, TO, DOUBLE, CAUGHT) if entry.get(key)}
