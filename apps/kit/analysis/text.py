"""An analysed game in a terminal: what happened, what it told, and what is still open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType
from rich.text import Text

from ...play.display import probabilities
from .. import plain_text
from ..console import printable
from ..number_words import bits, percent
from .moved_text import moved_text

if TYPE_CHECKING:
    from .moments import Analysis, Moment, Turn, Unknown

#: From this width on, the likeliest values stand in a column of their own.
WIDE: Final = 100
#: Hidden things whose likeliest value is named after every event.
LEADING: Final = 2
_NOTHING: Final = 1e-9


def render(analysis: Analysis, width: int) -> RenderableType:
    """Everything there is to say, for a terminal of this many columns."""
    parts: list[RenderableType] = [_heading(analysis), _story(analysis, width)]
    if analysis.turns:
        parts += [plain_text.title(f"The moves of {analysis.viewer}"), _turns(analysis, width)]
    if analysis.timeline[-1].unknowns:
        parts += [plain_text.title("What is hidden, after the last event"), _open(analysis, width)]
    if analysis.proven:
        parts += [plain_text.title("What is certain, and why"), _proven(analysis)]
    if analysis.moved:
        parts += [plain_text.title("What moved the belief most"), moved_text(analysis.moved)]
    parts.append(_footer(analysis))
    return Group(*parts)


def _heading(analysis: Analysis) -> Text:
    text = Text(analysis.title, style="bold")
    text.append(f"\nPlayers: {', '.join(analysis.roles)}", style="not bold")
    if analysis.viewer == "spectator":
        text.append("\nSeen by a spectator, who knows what all players know.", style="not bold")
    else:
        text.append(f"\nSeen by {analysis.viewer}.", style="not bold")
    if not analysis.over:
        text.append("\nThe record ends before the game does.", style="not bold")
    return text.append("\n")


def _story(analysis: Analysis, width: int) -> RenderableType:
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
    for moment in analysis.timeline:
        told = analysis.told(moment.event) if moment.event else 0.0
        text = Text(printable(moment.text))
        leading = _leading(moment)
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


def _leading(moment: Moment) -> Text:
    ranked = sorted(
        (each for each in moment.unknowns if each.shares), key=lambda each: -each.entropy_bits
    )
    lines = [_likeliest(each) for each in ranked[:LEADING] if each.entropy_bits > _NOTHING]
    return Text("\n".join(lines), style="cyan")


def _likeliest(unknown: Unknown) -> str:
    value, share = unknown.shares[0]
    return f"{printable(unknown.name)}: {percent(share)} % {printable(value)}"


def _entropy(moment: Moment) -> str:
    """What is only an upper bound says so."""
    return ("" if moment.joint else "≤ ") + bits(moment.entropy_bits)


def _weight(told: float) -> str:
    return "bold" if told > 0.5 else ""


def _turns(analysis: Analysis, width: int) -> RenderableType:
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


def _open(analysis: Analysis, width: int) -> RenderableType:
    parts: list[RenderableType] = []
    proven = {each.name for each in analysis.proven}
    for each in analysis.timeline[-1].unknowns:
        if each.name in proven:
            continue
        shares = {printable(value): share for value, share in each.shares}
        parts.append(probabilities(printable(each.name), shares, each.entropy_bits, width))
        if each.values > len(each.shares):
            parts.append(Text(f"  {each.values} values are possible.", style="dim"))
    return Group(*parts) if parts else Text("Nothing is open.")


def _proven(analysis: Analysis) -> RenderableType:
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


def _footer(analysis: Analysis) -> Text:
    exact = "exact" if analysis.exact else "an estimate"
    text = f"\nMethod: {analysis.method.replace('_', ' ')} ({exact}). "
    if any(not moment.joint for moment in analysis.timeline):
        text += "'≤' marks a sum of entropies, which is an upper bound of the joint entropy. "
    text += "".join(f"Note: {note}. " for note in analysis.notes)
    text += f"sleuth {analysis.version}, seed {analysis.seed}, seen {analysis.record_sha256[:12]}"
    return Text(text, style="dim")
