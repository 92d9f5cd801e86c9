"""The page of somebody at a table of Clue: the notebook, the case file, advice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from ....models.clue.cards import CASE_FILE, FACE_DOWN, FACE_UP
from ....models.clue.events import Accusation, Has, Look, NotHas, Suggestion
from ...kit.advising.drafts import AdvicePart
from ...kit.answers.values import (
    Cell,
    Column,
    Paragraph,
    Sheet,
    Statements,
    Touch,
    Touches,
    right,
    sheet,
)
from ...kit.number_words import bits, percent
from ..findings import left_over_at
from ..words import describe, holding
from .answers import NOTHING, proof, said_by
from .table import CERTAIN, ClueSetup
from .touching import ClueDraft

#: Case files that are listed.
LISTED: Final = 5
#: Letters of the longest bar.
BAR: Final = 12
YES, NO = "✓", "–"
_Cells = Callable[[str, str], Cell]


def overview(table: ClueSetup, draft: ClueDraft) -> list[AdvicePart]:
    """All that is known, and what takes longer; see `Adviser.overview`."""
    parts = _asked(table, draft)
    parts.append(AdvicePart("notebook", "Notebook, in percent", (_believed(table),)))
    parts.append(AdvicePart("file", "Case file", _case_file(table), aside=True))
    if not table.over and table.me not in table.out:
        title = "What to ask, and where to go" if table.place else "What to ask"
        parts.append(AdvicePart("best", title, command="ask", aside=True))
        parts.append(AdvicePart("ready", "Accuse?", command="ready", aside=True, heavy=True))
    learned = [
        (card, holder)
        for card, holder in table.certain.items()
        if holder not in (table.me, FACE_UP)
    ]
    if learned:
        said = Paragraph("\n".join(f"{holding(card, holder)}." for card, holder in learned))
        parts.append(
            AdvicePart("certain", "What is certain", (said,), "certain", aside=True, folded=True)
        )
    return parts


def bare_overview(table: ClueSetup) -> list[AdvicePart]:
    """A notebook with what was entered and nothing that follows from it."""
    return [AdvicePart("notebook", "Notebook", (_written(table),))]


def _asked(table: ClueSetup, draft: ClueDraft) -> list[AdvicePart]:
    """The card to show, if one of the person's own may be asked for now."""
    asked = draft.open
    if asked is None or asked["by"] == table.me or table.me not in draft.can_show:
        return []
    if len(draft.held) == 1:
        said = Paragraph(f"Show {draft.held[0]}, if you are asked: it is the only one you hold.")
        return [AdvicePart("show", "Your answer", (said,))]
    waits = Paragraph(f"You hold {' and '.join(draft.held)}.")
    more = () if draft.asked is not None else (asked,)
    return [AdvicePart("show", "Your answer", (waits,), "show", more=more)]


def _case_file(table: ClueSetup) -> Statements:
    leading = table.posterior.most_likely(table.belief.case_file, LISTED)
    if table.bits < NOTHING:
        return [Paragraph(f"It is {', '.join(leading[0][0])}: accuse.", "strong")]
    rows = [
        (", ".join(cards), f"{percent(share)} %", share) for cards, share in leading if share > 0.0
    ]
    shares = table.posterior.distribution(table.belief.case_file)
    more = int((shares > 0.0).sum()) - len(rows)
    left = f" {more} more case {'file is' if more == 1 else 'files are'} possible." if more else ""
    made = sheet("likeliest", right(), Column(bar=BAR), rows=rows)
    return [made, Paragraph(f"{bits(table.bits)} bits are open.{left}", "soft")]


def _believed(table: ClueSetup) -> Sheet:
    """The holder of each card, as likely as it is."""
    shares = table.posterior.table(table.belief.cards)

    def cell(card: str, holder: str) -> Cell:
        share = shares[card].get(holder, 0.0)
        sure = share >= CERTAIN
        words = YES if sure else NO if share == 0.0 else percent(share)
        chance = "certain" if sure else "impossible" if share == 0.0 else f"{percent(share)} %"
        return Touch(
            words, f"show proof {card}", "strong" if sure else "plain",
            label=f"{card}, {holder}: {chance}", shade=None if sure else share,
        )  # fmt: skip

    return _sheet(table, cell)


def _written(table: ClueSetup) -> Sheet:
    """The notebook as it was entered; numbers are entries in which somebody showed one of three."""
    marks: dict[tuple[str, str], str] = {}

    def has(player: str, card: str) -> None:
        marks.update({(card, each): NO for each in _holders(table)})
        marks[card, player] = YES

    for card in table.game.own_hand:
        has(table.me, card)
    others = (card for card in table.edition.cards if card not in table.game.own_hand)
    marks.update({(card, table.me): NO for card in others})
    for card in table.record.face_up:
        has(FACE_UP, card)
    for seen in table.game.events:
        event = seen.event
        if isinstance(event, Suggestion):
            passed = event.passed if event.refuter_recorded else ()
            marks.update({(card, name): NO for card in event.cards for name in passed})
            for each in event.refutations:
                if each.shown is not None:
                    has(each.player, each.shown)
                    continue
                for card in event.cards:
                    before = marks.get((card, each.player), "")
                    if before not in (YES, NO):
                        marks[card, each.player] = f"{before} {seen.number}".strip()
        elif isinstance(event, Has):
            has(CASE_FILE if event.player == CASE_FILE else event.player, event.card)
        elif isinstance(event, NotHas):
            marks[event.card, event.player] = NO
        elif isinstance(event, Look):
            for card in event.cards:
                has(FACE_DOWN, card)
        elif isinstance(event, Accusation) and event.seen:
            for card in event.seen:
                has(CASE_FILE, card)
    return _sheet(table, lambda card, holder: _mark(marks, card, holder))


def _mark(marks: Mapping[tuple[str, str], str], card: str, holder: str) -> Cell:
    mark = marks.get((card, holder), "")
    return Paragraph(mark, "strong") if mark == YES else mark


def _holders(table: ClueSetup) -> list[str]:
    return [*table.game.players, CASE_FILE, *left_over_at(table.game)]


def _sheet(table: ClueSetup, cell: _Cells) -> Sheet:
    holders = _holders(table)
    columns = [Column(), *(Column(each, whole=True, accent=each == CASE_FILE) for each in holders)]
    rows: list[tuple[Cell, ...]] = []
    for category, cards in table.edition.categories.items():
        rows.append((Paragraph(f"{category}s", "soft"), *[""] * len(holders)))
        rows += [(card, *(cell(card, each) for each in holders)) for card in cards]
    return Sheet(tuple(columns), tuple(rows), fits=True)


def to_ask(said: Statements) -> Statements:
    """Suggestions to make, each of which can be touched: then its cards are chosen."""
    return [_touchable(each) if isinstance(each, Sheet) else each for each in said]


def _touchable(sheet: Sheet) -> Sheet:
    head = sheet.columns[0].heading
    rows: list[tuple[Cell, ...]] = []
    for first, second, *rest in sheet.rows:
        if head == "suggestion":
            rows.append((Touch(f"{first}", f"do cards {first}"), second, *rest))
        else:
            rows.append((first, Touch(f"{second}", f"do cards {second}, {first}"), *rest))
    return replace(sheet, rows=tuple(rows))


def certain(table: ClueSetup) -> Statements:
    """All that is certain and was not from the start, and the entries that prove it."""
    found = [
        f"{holding(card, holder)}, {said_by(proof(table, card, holder))}."
        for card, holder in table.certain.items()
        if holder not in (table.me, FACE_UP)
    ]
    return [Paragraph("\n".join(found))]


def proven(table: ClueSetup, why: Statements, card: str) -> Statements:
    """Why a card is where it is, with the entries that prove it, to be touched."""
    holder = table.certain.get(card)
    numbers = [] if holder is None else proof(table, card, holder)
    if not numbers:
        return why
    events = {seen.number: seen.event for seen in table.game.events}
    entries = [
        Touch(f"{number}: {describe(events[number])}", f"entry {number}") for number in numbers
    ]
    return [*why, Touches("Entries", tuple(entries), "list")]
