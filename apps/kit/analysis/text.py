"""An analysed game in a terminal: what happened, what it told, and what is still open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Generic

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from .. import plain_text
from ..answers.text import printed
from ..console import printable
from ..display import probabilities
from ..number_words import bits, percent
from .moments import Detail, Findings
from .moved_text import moved_text

if TYPE_CHECKING:
    from .moments import Analysis, AnyAnalysis, Moment, Turn, Unknown

#: From this width on, the likeliest values stand in a column of their own.
WIDE: Final = 100
#: Hidden things whose likeliest value is named after every event.
LEADING: Final = 2
#: Values that are named where one thing alone is hidden.
VALUES: Final = 3
_NOTHING: Final = 1e-9


class AnalysisText(Generic[Detail, Findings]):
    """What a terminal shows of an analysis; a game's own says other sections, or more of them."""

    def render(self, analysis: Analysis[Detail, Findings], width: int) -> RenderableType:
        """Everything there is to say below the heading, for a terminal of this many columns."""
        parts: list[RenderableType] = []
        for title, part in self.sections(analysis, width):
            parts += [plain_text.title(title), part] if title else [part]
        return Group(*parts, Padding(Text(self.footer(analysis), style="dim"), (1, 0, 0, 0)))

    def sections(
        self, analysis: Analysis[Detail, Findings], width: int
    ) -> Iterator[tuple[str, RenderableType]]:
        """The parts in their order, each with what stands above it; empty for nothing."""
        yield "", story(analysis, width)
        if analysis.turns:
            yield f"The moves of {analysis.viewer}", _turns(analysis, width)
        if analysis.timeline[-1].unknowns:
            yield "What is hidden, after the last event", _open(analysis)
        if analysis.proven:
            yield "What is certain, and why", _proven(analysis)
        if analysis.moved:
            yield "What moved the belief most", moved_text(analysis.moved)

    def footer(self, analysis: Analysis[Detail, Findings]) -> str:
        """What made the numbers, and how far they can be trusted."""
        exact = "exact" if analysis.exact else "an estimate"
        text = f"Method: {analysis.method.replace('_', ' ')} ({exact}). "
        if any(not moment.joint for moment in analysis.timeline):
            text += "'≤' marks a sum of entropies, which is an upper bound of the joint entropy. "
        text += "".join(f"Note: {note}. " for note in analysis.notes)
        return text + made_by(analysis)


def heading(title: str, lines: Sequence[str], source: str | None) -> Text:
    """What stands above an analysis, and can be shown before it."""
    text = Text(printable(title), style="bold")
    for line in lines:
        text.append(f"\n{printable(line)}", style="not bold")
    if source:
        text.append(f"\nSource: {printable(source)}", style="not bold dim")
    return text.append("\n")


def made_by(analysis: AnyAnalysis) -> str:
    """What anybody needs to get the same numbers again."""
    return f"sleuth {analysis.version}, seed {analysis.seed}, seen {analysis.record_sha256[:12]}"


def story(analysis: AnyAnalysis, width: int) -> RenderableType:
    """Every event with what it told, what was left open, and what was likeliest then."""
    wide = width >= WIDE
    table = plain_text.table(gap=2 if width >= 60 else 1)
    table.add_column("")
    table.add_column(Text("what happened", style="dim"), ratio=3 if wide else None)
    if not analysis.timeline[0].unknowns and not any(m.unknowns for m in analysis.timeline):
        for moment in analysis.timeline:
            table.add_row(Text(str(moment.event), style="dim"), Text(printable(moment.text)))
        return table
    table.add_column(Text("bits open", style="dim"), justify="right", no_wrap=True)
    table.add_column(Text("told", style="dim"), justify="right", no_wrap=True)
    if wide:
        table.add_column(Text("likeliest", style="dim"), ratio=3)
    before: list[str] = []
    for moment in analysis.timeline:
        told = analysis.told(moment.event) if moment.event else 0.0
        text = Text(printable(moment.text))
        lines = _leading(moment)
        leading = Text("" if lines == before else "\n".join(lines), style="cyan")
        before = lines
        if not wide and leading:
            text = Text("\n").join([text, leading])
        row: list[RenderableType] = [
            Text(str(moment.event), style="dim"),
            text,
            Text(_entropy(moment)),
            Text(bits(told, sign=True) if abs(told) > _NOTHING else "", style=_weight(told)),
        ]
        table.add_row(*row, *([leading] if wide else []))
    return table


def _leading(moment: Moment[Any]) -> list[str]:
    """What is likeliest of what is most open; of one hidden thing alone, more than one value."""
    if len(moment.unknowns) == 1:
        (only,) = moment.unknowns
        return [f"{percent(share)} % {printable(value)}" for value, share in only.shares[:VALUES]]
    ranked = sorted(
        (each for each in moment.unknowns if each.shares), key=lambda each: -each.entropy_bits
    )
    return [_likeliest(each) for each in ranked[:LEADING] if each.entropy_bits > _NOTHING]


def _likeliest(unknown: Unknown) -> str:
    value, share = unknown.shares[0]
    return f"{printable(unknown.name)}: {percent(share)} % {printable(value)}"


def _entropy(moment: Moment[Any]) -> str:
    """What is only an upper bound says so."""
    return ("" if moment.joint else "≤ ") + bits(moment.entropy_bits)


def _weight(told: float) -> str:
    return "bold" if told > 0.5 else ""


def _turns(analysis: AnyAnalysis, width: int) -> RenderableType:
    valued = any(turn.value is not None for _, turn in analysis.turns)
    asked = any(turn.gain_bits is not None for _, turn in analysis.turns)
    table = plain_text.table(gap=2 if width >= 60 else 1)
    table.add_column("")
    for heading in ("move", *(("value", "best") if valued else ()), *(("bits",) if asked else ())):
        number = heading in ("value", "bits")
        table.add_column(
            Text(heading, style="dim"), justify="right" if number else "left", no_wrap=number
        )
    if asked:
        table.add_column(Text("most telling", style="dim"))
    for moment, turn in analysis.turns:
        row: list[RenderableType] = [
            Text(str(moment.event), style="dim"),
            Text(printable(turn.made)),
        ]
        if valued:
            row += [Text(_value(turn)), Text(printable(turn.best_words))]
        if asked:
            gain = "" if turn.gain_bits is None else bits(turn.gain_bits)
            row += [Text(gain), Text("\n".join(_questions(turn)))]
        table.add_row(*row)
    notes: list[RenderableType] = []
    if valued:
        notes.append(
            Text(
                f"Values are mean returns in a search by {analysis.agent}, from what "
                f"{analysis.viewer} knew then; '±' is half of the 95 % interval. What the search "
                "prefers is best; 'not told apart' marks values whose intervals overlap.",
                style="dim",
            )
        )
    if asked:
        notes.append(
            Text("Bits are the information that a move was expected to bring.", style="dim")
        )
    return Group(table, *notes)


def _value(turn: Turn) -> str:
    if turn.value is None or turn.value.value is None:
        return "–" if turn.alternatives > 1 else "forced"
    text = bits(turn.value.value)
    if turn.value.interval is not None:
        low, high = turn.value.interval
        text += f" ±{(high - low) / 2:.2f}"
    return text


def _questions(turn: Turn) -> Iterator[str]:
    for each in turn.best_questions:
        if each.gain_bits > _NOTHING:
            yield f"{bits(each.gain_bits)}  {printable(each.action)}"


def _open(analysis: AnyAnalysis) -> RenderableType:
    parts: list[RenderableType] = []
    proven = {each.name for each in analysis.proven}
    for each in analysis.timeline[-1].unknowns:
        if each.name in proven:
            continue
        shares = {printable(value): share for value, share in each.shares}
        parts.append(printed(probabilities(printable(each.name), shares, each.entropy_bits)))
        if each.values > len(each.shares):
            parts.append(Text(f"  {each.values} values are possible.", style="dim"))
    return Group(*parts) if parts else Text("Nothing is open.")


def _proven(analysis: AnyAnalysis) -> RenderableType:
    lines = [
        f"{printable(each.name)} is {printable(each.value)}: "
        + (
            ", ".join(printable(reason) for reason in each.because)
            if each.because
            else "it follows from what the viewer can see"
        )
        for each in analysis.proven
    ]
    return Text("\n".join(lines))
