"""An analysed game of Clue in a terminal: what happened, what is known and why, what to ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ....models.clue.cards import CASE_FILE, FACE_DOWN, FACE_UP
from ...kit.analysis.sections import what_moved
from ...kit.analysis.text import AnalysisText, story
from ...kit.answers.values import Cell, Column, Paragraph, Section, Sheet, Statement, right, sheet
from ...kit.number_words import bits, listed, percent
from ..findings import ClueDetail, ClueFindings
from ..worth import ESTIMATED, YARDSTICK

if TYPE_CHECKING:
    from ...kit.proving import Proven
    from ..findings import ClueAnalysis
    from ..worth import Worth

_CASE_FILES: Final = 10
_NOTHING: Final = 1e-9


class ClueText(AnalysisText[ClueDetail, ClueFindings]):
    """The facts on the case file and the cards, their reasons, and the suggestion to make."""

    def sections(self, analysis: ClueAnalysis) -> Iterator[Statement]:
        """The kit's list of events and what moved the belief, among Clue's own parts."""
        yield story(analysis)
        if any(moment.detail.suggestion for moment in analysis.timeline):
            note = Paragraph(f"By what was known before each: {YARDSTICK}", "soft")
            yield Section(f"What {analysis.viewer} asked", (note, _own_suggestions(analysis)))
        yield Section("Who has what, in percent", (notebook_sheet(analysis),))
        yield Section("What is certain, and why", (_certain(analysis),))
        yield Section("The case file", _case_file(analysis))
        if analysis.moved:
            yield what_moved(analysis.moved)
        if analysis.findings.seen.is_player:
            yield Section("What to suggest next", _suggestions(analysis))

    def footer(self, analysis: ClueAnalysis) -> str:
        """The origin of the numbers, and how a refuter chooses."""
        return f"Refuters' choice: {analysis.findings.choice}. {super().footer(analysis)}"


def _own_suggestions(analysis: ClueAnalysis) -> Sheet:
    rows: list[tuple[Cell, ...]] = []
    for moment in analysis.timeline:
        turn = moment.detail.suggestion
        if turn is None:
            continue
        best = [
            f"{bits(each.worth)}  {', '.join(each.cards)}{_tied(each, turn.best)}"
            for each in turn.best
            if each.bits > _NOTHING
        ]
        nothing = Paragraph("nothing left to learn", "soft")
        made = (", ".join(turn.made.cards), bits(turn.made.worth))
        rows.append((Paragraph(str(moment.event), "soft"), *made, "\n".join(best) or nothing))
    return sheet(right(), "asked", right("worth"), "best", rows=rows)


def notebook_sheet(analysis: ClueAnalysis) -> Sheet:
    """The holders of all cards after the last event, in percent."""
    seen = analysis.findings.seen
    proven = {(each.name, each.value) for each in analysis.proven}
    columns = [
        Column(), *(Column(player, "right", whole=True) for player in seen.players),
        Column("case file", "right", whole=True, accent=True, short=("case", "cf")),
    ]  # fmt: skip
    if seen.face_up:
        columns.append(Column(FACE_UP, "right", whole=True, short=("up",)))
    if seen.left_over:
        columns.append(Column(FACE_DOWN, "right", whole=True, short=("down",)))
    rows: list[tuple[Cell, ...]] = []
    for category, cards in seen.edition.categories.items():
        blank = [""] * (len(columns) - 1)
        rows.append((Paragraph(f"{category}s", "soft"), *blank))
        for card in cards:
            shares = analysis.findings.marginals[card]
            cells = [
                _cell(shares.get(holder, 0.0), (card, holder) in proven, analysis.exact)
                for holder in analysis.findings.holders
            ]
            rows.append((card, *cells))
    return Sheet(tuple(columns), tuple(rows), fits=True)


def _cell(probability: float, proven: bool, exact: bool) -> Cell:
    if proven:
        return Paragraph("✓", "strong")
    if probability == 0.0:
        return Paragraph("✗" if exact else "0", "soft")
    return "100" if probability >= 1.0 and not exact else percent(probability)


def _certain(analysis: ClueAnalysis) -> Statement:
    given = [each for each in analysis.proven if not each.events]
    learned = sorted(
        (each for each in analysis.proven if each.events), key=lambda each: each.since or 0
    )
    start = Paragraph("from the start", "soft")
    rows: list[tuple[Cell, ...]] = [
        (f"{_has(holder)} {listed(cards)}", start) for holder, cards in _by_holder(given)
    ]
    for each in learned:
        numbers = [str(number) for number in each.events]
        because = f"event{'s' if len(numbers) > 1 else ''} {listed(numbers)}{each.sooner}"
        what = Paragraph(
            f"{_has(each.value)} {each.name}", "strong" if each.value == CASE_FILE else "plain"
        )
        rows.append((what, Paragraph(because, "soft")))
    return sheet("", "", rows=rows) if analysis.proven else Paragraph("Nothing yet.")


def _by_holder(certain: Iterable[Proven]) -> Iterator[tuple[str, list[str]]]:
    cards: dict[str, list[str]] = {}
    for each in certain:
        cards.setdefault(each.value, []).append(each.name)
    yield from cards.items()


def _has(holder: str) -> str:
    if holder == CASE_FILE:
        return "in the case file:"
    return f"{holder}:" if holder in (FACE_UP, FACE_DOWN) else f"{holder} has"


def _case_file(analysis: ClueAnalysis) -> tuple[Statement, ...]:
    rows: list[tuple[Cell, ...]] = [
        (", ".join(triple), f"{percent(probability)} %", probability)
        for triple, probability in analysis.findings.case_file[:_CASE_FILES]
    ]
    more = len(analysis.findings.case_file) - _CASE_FILES
    entropy = bits(analysis.timeline[-1].entropy_bits)
    rest = f"{more} more case files are possible; e" if more > 0 else "E"
    table = sheet("", right(), Column(bar=20, room=1), rows=rows)
    return table, Paragraph(f"{rest}ntropy {entropy} bits.", "soft")


def _suggestions(analysis: ClueAnalysis) -> tuple[Statement, ...]:
    useful = [each for each in analysis.findings.advised if each.bits > _NOTHING]
    if not useful:
        asked = bool(analysis.findings.advised)
        return (Paragraph("No suggestion tells anything more." if asked else "Not asked for."),)
    rows: list[tuple[Cell, ...]] = []
    rank = 1
    for place, each in enumerate(useful, start=1):
        # What ties has the same rank.
        rank = rank if place > 1 and each.ties(useful[place - 2]) else place
        numbers = (bits(each.bits), f"{percent(each.sure)} %", bits(each.worth))
        rows.append((Paragraph(str(rank), "soft"), ", ".join(each.cards), *numbers))
    heads = map(right, ("bits it tells", "sure", "worth"))
    said = [YARDSTICK, ESTIMATED] if useful[0].drawn else [YARDSTICK]
    return sheet(right(), "suggestion", *heads, rows=rows), Paragraph("\n".join(said), "soft")


def _tied(one: Worth, others: Sequence[Worth]) -> str:
    """A sign for what is worth the same as another in the list."""
    return " =" if sum(one.ties(each) for each in others) > 1 else ""
