"""An analysed game of Scotland Yard in a terminal: where they could be, and what was missed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ....models.scotland_yard.state import HIDER
from ...kit import plain_text
from ...kit.analysis.sections import what_moved
from ...kit.analysis.text import AnalysisText, Part
from ...kit.number_words import bits, percent
from ..transcript import HuntFindings, Whereabouts
from ..words import HIDER_NAME
from .rounds import in_words, rounds

if TYPE_CHECKING:
    from ..chances import DetectiveMove, DetectiveTurn
    from ..transcript import HuntAnalysis, HuntMoment

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


class HuntText(AnalysisText[Whereabouts, HuntFindings]):
    """The moves round by round, the detectives' chances, and where Mr. X could be in the end."""

    def sections(self, analysis: HuntAnalysis, width: int) -> Iterator[Part]:
        """The parts in their order."""
        yield "", _story(analysis, width)
        if analysis.findings.turns:
            note = (
                "Catch: how likely Mr. X was there. Near: how likely Mr. X was there or one move "
                "of this detective away. Turns far from all possible stations are left out."
            )
            yield (
                "The detectives' moves, and what they could have done",
                Group(Text(note, style="dim"), _turns(analysis, width)),
            )
        yield f"Where {HIDER_NAME} could be in the end", _stations(analysis.timeline[-1])
        if analysis.moved and analysis.findings.won is None:
            yield what_moved(analysis.moved)

    def footer(self, analysis: HuntAnalysis) -> str:
        """The score of the knowledge of Mr. X, and what made the numbers."""
        loss = analysis.findings.truth_loss_bits
        known = (
            ""
            if loss is None
            else f"After Mr. X's moves, the true station held {bits(loss)} bits of surprise on "
            "average.\n"
        )
        return (
            f"{known}sleuth {analysis.version}, method {analysis.method}, likelihood "
            f"{analysis.findings.likelihood}, record {analysis.record_sha256[:12]}"
        )


def _story(analysis: HuntAnalysis, width: int) -> Table:
    """One line for every move of Mr. X, and for the detectives' moves that followed."""
    wide, known = width >= WIDE, analysis.findings.told
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
        style = "dim" if last.detail.by not in (HIDER, None) else ""
        cells = [
            Text(words, style="bold" if last.detail.shown else style),
            Text(str(last.detail.possible), style=style),
            Text(bits(last.entropy_bits), style=style),
        ]
        if known:
            share = last.detail.truth_probability or 0.0
            cells.append(Text(f"{last.detail.truth} ({percent(share)} %)", style=style))
        if wide:
            cells.append(Text(_leading(last), style=style))
        table.add_row(*cells)
    return table


def _leading(moment: HuntMoment) -> str:
    return "  ".join(
        f"{station} {percent(share)} %" for station, share in moment.detail.ranked[:NAMED]
    )


def _turns(analysis: HuntAnalysis, width: int) -> Table:
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
    for turn in analysis.findings.turns:
        if turn.threatening.pressure < FAR:
            continue
        number = turn.number
        cells = [
            Text(str(number) if number != before else "", style="dim"),
            Text(str(turn.seeker)),
            Text(_move(turn.made)),
            Text(_percent(turn.made.capture)),
            Text(_percent(turn.made.pressure)),
            Text(_telling(turn)),
        ]
        table.add_row(*cells, *([Text(_nearer(turn))] if wide else []))
        before = number
    return table


def _telling(turn: DetectiveTurn) -> str:
    """The move that would have told most, if it is another."""
    best = turn.telling
    if best.gain_bits <= turn.made.gain_bits + NOTHING:
        return ""
    return f"{_move(best)}: {bits(best.gain_bits)} bits"


def _nearer(turn: DetectiveTurn) -> str:
    """The move that would have come nearest, if it is another."""
    best = turn.threatening
    if best.pressure <= turn.made.pressure + NOTHING:
        return ""
    return f"{_move(best)}: {percent(best.pressure)} %"


def _percent(probability: float) -> str:
    return f"{percent(probability)} %" if probability else "–"


def _move(step: DetectiveMove) -> str:
    return f"{step.ticket} {step.to}"


def _stations(moment: HuntMoment) -> RenderableType:
    table = plain_text.table()
    for side in ("right", "right", "left"):
        table.add_column(justify=side)
    table.show_header = False
    most = moment.detail.ranked[0][1]
    for station, share in moment.detail.ranked[:STATIONS]:
        bar = Text("█" * round(BAR * share / most) or "▏", style="red")
        if station == moment.detail.truth:
            bar.append(f" {HIDER_NAME} was here", style="bold")
        table.add_row(Text(str(station)), Text(f"{percent(share)} %"), bar)
    more = moment.detail.possible - STATIONS
    rest = f"{more} more {'is' if more == 1 else 'are'} possible; e" if more > 0 else "E"
    return Group(table, Text(f"{rest}ntropy {bits(moment.entropy_bits)} bits.", style="dim"))
