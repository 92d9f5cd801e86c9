"""An analysed game as text: what happened, what it told, and what is still open."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, Generic

from ..answers.values import Cell, Column, Paragraph, Sheet, Statement, Statements
from ..console import printable
from ..number_words import bits, percent
from .moments import Detail, Findings
from .sections import sections

if TYPE_CHECKING:
    from .moments import AnyAnalysis, HiddenFeature, Moment, TimelineAnalysis
    from .transcript import Transcript

#: From this width on, the likeliest values stand in a column of their own.
WIDE: Final = 100
#: Hidden things whose likeliest value is named after every event.
LEADING: Final = 2
#: Values that are named where one thing alone is hidden.
VALUES: Final = 3
_NOTHING: Final = 1e-9


class AnalysisText(Generic[Detail, Findings]):
    """The text on an analysis; a game's own says other sections, or more of them."""

    def body(self, analysis: TimelineAnalysis[Detail, Findings]) -> Statements:
        """Everything there is to say below the heading."""
        footer = Paragraph(self.footer(analysis), "soft", blank="above")
        return (*self.sections(analysis), footer)

    def sections(self, analysis: TimelineAnalysis[Detail, Findings]) -> Iterator[Statement]:
        """The parts in their order."""
        yield story(analysis)
        yield from sections(analysis)

    def footer(self, analysis: TimelineAnalysis[Detail, Findings]) -> str:
        """The origin of the numbers, and how far they can be trusted."""
        exact = "exact" if analysis.exact else "an estimate"
        text = f"Method: {analysis.method.replace('_', ' ')} ({exact}). "
        if any(not moment.joint for moment in analysis.timeline):
            text += "'≤' marks a sum of entropies, which is an upper bound of the joint entropy. "
        text += "".join(f"Note: {note}. " for note in analysis.notes)
        return text + made_by(analysis)


def heading(of: AnyAnalysis | Transcript[Any, Any]) -> Statements:
    """The lines above an analysis, which can be shown before it."""
    said = [Paragraph(of.title, "strong")]
    said += [Paragraph("\n".join(of.heading))] if of.heading else []
    said += [Paragraph(f"Source: {of.source}", "soft")] if of.source else []
    return [*said[:-1], replace(said[-1], blank="below")]


def made_by(analysis: AnyAnalysis) -> str:
    """The facts anybody needs to get the same numbers again."""
    return f"sleuth {analysis.version}, seed {analysis.seed}, seen {analysis.record_sha256[:12]}"


def story(analysis: AnyAnalysis) -> Sheet:
    """Every event with what it told, what was left open, and what was likeliest then."""
    hidden = {each.name for moment in analysis.timeline for each in moment.unknowns}
    # What alone is hidden is named once.
    likeliest = f"likeliest {printable(*hidden)}" if len(hidden) == 1 else "likeliest"
    rows: list[tuple[Cell, ...]] = []
    before: list[str] = []
    for moment in analysis.timeline:
        told = analysis.told(moment.event) if moment.event else 0.0
        lines = _leading(moment)
        bits_told = bits(told, sign=True) if abs(told) > _NOTHING else ""
        rows.append(
            (
                Paragraph(str(moment.event), "soft"),
                moment.text,
                _entropy(moment),
                Paragraph(bits_told, "strong" if told > 0.5 else "plain"),
                Paragraph("" if lines == before else "\n".join(lines), "aside"),
            )
        )
        before = lines
    columns = (
        Column(),
        Column("what happened"),
        Column("bits open", "right", whole=True),
        Column("told", "right", whole=True),
        Column(likeliest, room=WIDE, under=1),
    )
    shown = len(columns) if hidden else 2
    return Sheet(columns[:shown], tuple(row[:shown] for row in rows))


def _leading(moment: Moment[Any]) -> list[str]:
    """The likeliest value of what is most open; of one hidden thing alone, more than one."""
    if len(moment.unknowns) == 1:
        (only,) = moment.unknowns
        return [f"{percent(share)} % {printable(value)}" for value, share in only.shares[:VALUES]]
    ranked = sorted(
        (each for each in moment.unknowns if each.shares), key=lambda each: -each.entropy_bits
    )
    return [_likeliest(each) for each in ranked[:LEADING] if each.entropy_bits > _NOTHING]


def _likeliest(unknown: HiddenFeature) -> str:
    value, share = unknown.shares[0]
    return f"{printable(unknown.name)}: {percent(share)} % {printable(value)}"


def _entropy(moment: Moment[Any]) -> str:
    """The entropy, in words that say so where it is only an upper bound."""
    return ("" if moment.joint else "≤ ") + bits(moment.entropy_bits)
