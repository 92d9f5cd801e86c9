"""Parts of an analysis that read alike in a terminal and on a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ..answers.values import Bars, Cell, Column, Paragraph, Section, right, sheet
from ..number_words import bits, listed, percent

if TYPE_CHECKING:
    from .moments import AnyAnalysis, ViewerTurn
    from .moved import BeliefShift

#: Hidden things that have bars.
MOST_BARS: Final = 24
_NOTHING: Final = 1e-9


def sections(analysis: AnyAnalysis, prefix: str = "") -> Iterator[Section]:
    """The sections: hidden in the end, certain, decided, and what moved the belief.

    Args:
        analysis: The analysis.
        prefix: What stands before the names of events on its page.
    """
    proven = {each.name for each in analysis.proven}
    left_open = [each for each in analysis.timeline[-1].unknowns if each.name not in proven]
    if left_open:
        bars = (
            Bars(each.name, each.shares, each.entropy_bits, each.values - len(each.shares))
            for each in left_open[:MOST_BARS]
        )
        more = len(left_open) - MOST_BARS
        rest = (Paragraph(f"The JSON has {more} more.", "soft"),) if more > 0 else ()
        lead = "The likeliest values after the last event."
        yield Section("What is hidden in the end", (*bars, *rest), lead)
    if analysis.proven:
        rows = [
            (
                f"{each.name}: {each.value}",
                listed(each.because) + each.sooner
                if each.because
                else "it follows from what the viewer can see",
            )
            for each in analysis.proven
        ]
        lead = "The fewest observations that prove it; none of them can be left out."
        yield Section("What is certain, and why", (sheet("", "", rows=rows),), lead)
    if analysis.turns:
        yield decisions(analysis, prefix)
    if analysis.moved:
        yield what_moved(analysis.moved)


def what_moved(moved: Sequence[BeliefShift]) -> Section:
    """The observations that moved the likeliest value of each hidden thing most."""
    tables = [
        sheet(
            right("in order"),
            right("left out"),
            f"{each.name}: {each.value}, {percent(each.prior)} % at first, "
            f"{percent(each.probability)} % in the end",
            rows=[
                (
                    bits(by.in_order, sign=True),
                    "–" if by.left_out is None else bits(by.left_out, sign=True),
                    by.text,
                )
                for by in each.by
            ],
        )
        for each in moved
    ]
    return Section(
        "What moved the belief most",
        tuple(tables),
        "Bits by which an observation moved the log odds of what is likeliest in the end: when it "
        "was seen, and how far they would fall back without it alone. ∞ is certainty.",
    )


def decisions(analysis: AnyAnalysis, prefix: str = "") -> Section:
    """The viewer's own moves, beside what a search prefers and what would have told most."""
    valued = any(turn.value is not None for _, turn in analysis.turns)
    asked = any(turn.gain_bits is not None for _, turn in analysis.turns)
    columns: list[Column | str] = [Column(link=f"{prefix}event-"), "move"]
    columns += [right("value"), "the search prefers"] if valued else []
    columns += [right("gain"), "most telling"] if asked else []
    rows: list[Sequence[Cell]] = []
    for moment, turn in analysis.turns:
        rows.append(
            (
                str(moment.event),
                turn.made,
                *((_value(turn), turn.best_words) if valued else ()),
                *((_gain(turn), "\n".join(_questions(turn))) if asked else ()),
            )
        )
    lead = "Each move of the viewer, judged by what they knew when they made it."
    if analysis.agent:
        lead += (
            f" The value is the mean return in a search by {analysis.agent}, in the game's own "
            "units, with half of its 95 % interval; where that of the move and that of what the "
            "search prefers overlap, they are not told apart."
        )
    if asked:
        lead += " The gain is the information that the move was expected to bring, in bits."
    return Section("The decisions", (sheet(*columns, rows=rows),), lead)


def _value(turn: ViewerTurn) -> str:
    if turn.value is None or turn.value.value is None:
        return "–" if turn.alternatives > 1 else "forced"
    text = bits(turn.value.value)
    if turn.value.interval is not None:
        low, high = turn.value.interval
        text += f" ±{(high - low) / 2:.2f}"
    return text


def _gain(turn: ViewerTurn) -> str:
    return "" if turn.gain_bits is None else bits(turn.gain_bits)


def _questions(turn: ViewerTurn) -> Iterator[str]:
    for each in turn.best_questions:
        if each.gain_bits > _NOTHING:
            yield f"{bits(each.gain_bits)}  {each.action}"
