"""An analysed game of Scotland Yard in a terminal: where they could be, and what was missed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ....models.scotland_yard.record.seen import SPECTATOR
from ....models.scotland_yard.state import HIDER
from ...kit import plain_text
from ...kit.console import printable
from ...kit.number_words import bits, percent
from ..words import HIDER_NAME
from .rounds import in_words, rounds

if TYPE_CHECKING:
    from ..analysis import Analysis, Moment, Step, Turn
    from ..recorded import Hunted

#: From this width on, the likeliest stations have a column of their own.
WIDE: Final = 96
#: Stations of that column, and of the list at the end.
NAMED: Final = 3
STATIONS: Final = 12
BAR: Final = 20
#: Detectives who can come no nearer than this are left out.
FAR: Final = 0.005
#: What is not more than this better is the same.
NOTHING: Final = 0.005


def render(analysis: Analysis, width: int) -> RenderableType:
    """Everything there is to say, for a terminal of this many columns."""
    parts: list[RenderableType] = [_heading(analysis), _story(analysis, width)]
    if analysis.turns:
        note = (
            "Catch: how likely Mr. X was there. Near: how likely Mr. X was there or one move of "
            "this detective away. Turns far from all possible stations are left out."
        )
        parts += [
            plain_text.title("The detectives' moves, and what they could have done"),
            Text(note, style="dim"),
            _turns(analysis, width),
        ]
    parts += [
        plain_text.title(f"Where {HIDER_NAME} could be in the end"),
        _stations(analysis.timeline[-1]),
    ]
    parts.append(_footer(analysis))
    return Group(*parts)


def _heading(analysis: Analysis) -> Text:
    hunted = analysis.hunted
    text = Text(printable(hunted.name or "A game of Scotland Yard"), style="bold")
    text.append(f"\nThis is {whose(hunted)}.", style="not bold")
    if analysis.won is not None:
        caught = analysis.won == "seekers"
        how = "The detectives have won." if caught else f"{HIDER_NAME} got away."
        text.append(f" {how}", style="not bold")
    if hunted.source:
        text.append(f"\nSource: {printable(hunted.source)}", style="not bold dim")
    text.append("\n")
    return text


def whose(hunted: Hunted) -> str:
    """Whose view it is, in words."""
    if hunted.truth:
        return f"what everybody could know, beside where {HIDER_NAME} was"
    if hunted.viewer == SPECTATOR:
        return "what a spectator could know"
    return "what the detectives could know"


def _story(analysis: Analysis, width: int) -> Table:
    """One line for every move of Mr. X, and for the detectives' moves that followed."""
    wide, known = width >= WIDE, bool(analysis.hunted.truth)
    table = plain_text.table()
    table.add_column(Text("what happened", style="dim"))
    table.add_column(Text("possible", style="dim"), justify="right", no_wrap=True)
    table.add_column(Text("bits", style="dim"), justify="right", no_wrap=True)
    if known:
        table.add_column(Text("truly at", style="dim"), justify="right", no_wrap=True)
    if wide:
        table.add_column(Text("likeliest", style="dim"), no_wrap=True)
    for moments in rounds(analysis):
        last = moments[-1]
        words = in_words(moments)
        # What is no move of Mr. X stands back.
        style = "dim" if last.by not in (HIDER, None) else ""
        cells = [
            Text(words, style="bold" if last.shown else style),
            Text(str(last.possible), style=style),
            Text(bits(last.entropy_bits), style=style),
        ]
        if known:
            share = last.truth_probability or 0.0
            cells.append(Text(f"{last.truth} ({percent(share)} %)", style=style))
        if wide:
            cells.append(Text(_leading(last), style=style))
        table.add_row(*cells)
    return table


def _leading(moment: Moment) -> str:
    return "  ".join(f"{station} {percent(share)} %" for station, share in moment.ranked[:NAMED])


def _turns(analysis: Analysis, width: int) -> Table:
    """Turns that mattered; moves that were better than the detective's own stand beside it."""
    wide = width >= WIDE
    table = plain_text.table()
    headings = ["turn", "seeker", "move made", "catch", "near", "told more"]
    headings += ["nearer"] if wide else []
    for heading in headings:
        right = heading in ("turn", "catch", "near")
        table.add_column(
            Text(heading, style="dim"), justify="right" if right else "left", no_wrap=right
        )
    before = 0
    for turn in analysis.turns:
        if turn.pressure(turn.threatening) < FAR:
            continue
        number = analysis.timeline[turn.event].turn
        cells = [
            Text(str(number) if number != before else "", style="dim"),
            Text(str(turn.seeker)),
            Text(_move(turn.made)),
            Text(_percent(turn.made.capture)),
            Text(_percent(turn.pressure(turn.made))),
            Text(_telling(turn)),
        ]
        table.add_row(*cells, *([Text(_nearer(turn))] if wide else []))
        before = number
    return table


def _telling(turn: Turn) -> str:
    """The move that would have told most, if it is another."""
    best = turn.telling
    if best.gain_bits <= turn.made.gain_bits + NOTHING:
        return ""
    return f"{_move(best)}: {bits(best.gain_bits)} bits"


def _nearer(turn: Turn) -> str:
    """The move that would have come nearest, if it is another."""
    best = turn.threatening
    if turn.pressure(best) <= turn.pressure(turn.made) + NOTHING:
        return ""
    return f"{_move(best)}: {percent(turn.pressure(best))} %"


def _percent(probability: float) -> str:
    return f"{percent(probability)} %" if probability else "–"


def _move(step: Step) -> str:
    return f"{step.ticket} {step.to}"


def _stations(moment: Moment) -> RenderableType:
    table = plain_text.table()
    for side in ("right", "right", "left"):
        table.add_column(justify=side)
    table.show_header = False
    most = moment.ranked[0][1]
    for station, share in moment.ranked[:STATIONS]:
        bar = Text("█" * round(BAR * share / most) or "▏", style="red")
        if station == moment.truth:
            bar.append(f" {HIDER_NAME} was here", style="bold")
        table.add_row(Text(str(station)), Text(f"{percent(share)} %"), bar)
    more = moment.possible - STATIONS
    rest = f"{more} more {'is' if more == 1 else 'are'} possible; e" if more > 0 else "E"
    return Group(table, Text(f"{rest}ntropy {bits(moment.entropy_bits)} bits.", style="dim"))


def _footer(analysis: Analysis) -> RenderableType:
    text = Text(style="dim")
    loss = analysis.truth_loss_bits
    if loss is not None:
        text.append(
            f"After Mr. X's moves, the true station held {bits(loss)} bits of surprise on "
            "average.\n"
        )
    text.append(
        f"sleuth {analysis.version}, method {analysis.method}, likelihood "
        f"{analysis.likelihood}, record {analysis.hunted.digest[:12]}"
    )
    return Padding(text, (1, 0, 0, 0))
