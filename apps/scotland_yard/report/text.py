"""An analysed game of Scotland Yard in a terminal: where they could be, and what was missed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ....models.scotland_yard.state import HIDER
from ...kit.analysis.sections import what_moved
from ...kit.analysis.text import AnalysisText
from ...kit.answers.values import Cell, Column, Paragraph, Section, Sheet, Statement, right, sheet
from ...kit.number_words import bits, percent
from ..transcript import HuntFindings, Whereabouts
from ..words import HIDER_NAME
from .rounds import in_words, rounds

if TYPE_CHECKING:
    from ..chances import DetectiveMove
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

    def sections(self, analysis: HuntAnalysis) -> Iterator[Statement]:
        """The parts in their order."""
        yield _story(analysis)
        if analysis.findings.turns:
            note = (
                "Catch: how likely Mr. X was there. Near: how likely Mr. X was there or one move "
                "of this detective away. Turns far from all possible stations are left out."
            )
            title = "The detectives' moves, and what they could have done"
            yield Section(title, (_turns(analysis),), note)
        end = f"Where {HIDER_NAME} could be in the end"
        yield Section(end, _stations(analysis.timeline[-1]))
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


def _story(analysis: HuntAnalysis) -> Sheet:
    """One line for every move of Mr. X, and for the detectives' moves that followed."""
    known = analysis.findings.told
    columns = [Column("what happened"), *map(_number, ("possible", "bits"))]
    columns += [_number("truly at")] if known else []
    columns.append(Column("likeliest", whole=True, room=WIDE))
    rows: list[Sequence[Cell]] = []
    for moments in rounds(analysis):
        last, now = moments[-1], moments[-1].detail
        # What is no move of Mr. X stands back.
        tone = "soft" if now.by not in (HIDER, None) else "plain"
        cells = [str(now.possible), bits(last.entropy_bits)]
        cells += [f"{now.truth} ({percent(now.truth_probability or 0.0)} %)"] if known else []
        cells += ["  ".join(f"{each} {percent(p)} %" for each, p in now.ranked[:NAMED])]
        happened = Paragraph(in_words(moments), "strong" if now.shown else tone)
        rows.append((happened, *(Paragraph(cell, tone) for cell in cells)))
    return sheet(*columns, rows=rows)


def _turns(analysis: HuntAnalysis) -> Sheet:
    """Turns that mattered; moves that were better than the detective's own stand beside it."""
    columns = [_number("turn"), "seeker", "move made", *map(_number, ("catch", "near"))]
    columns += ["told more", Column("nearer", room=WIDE)]
    rows: list[Sequence[Cell]] = []
    before = 0
    for turn in analysis.findings.turns:
        if turn.threatening.pressure < FAR:
            continue
        made, telling, nearest = turn.made, turn.telling, turn.threatening
        told = telling.gain_bits > made.gain_bits + NOTHING
        near = nearest.pressure > made.pressure + NOTHING
        row = (
            Paragraph(str(turn.number) if turn.number != before else "", "soft"),
            str(turn.seeker),
            _move(made),
            *map(_percent, (made.capture, made.pressure)),
            f"{_move(telling)}: {bits(telling.gain_bits)} bits" if told else "",
            f"{_move(nearest)}: {percent(nearest.pressure)} %" if near else "",
        )
        rows.append(row)
        before = turn.number
    return sheet(*columns, rows=rows)


def _stations(moment: HuntMoment) -> tuple[Sheet, Paragraph]:
    now = moment.detail
    most = now.ranked[0][1]
    rows = [
        (
            str(station),
            f"{percent(share)} %",
            share / most,
            Paragraph(f"{HIDER_NAME} was here" if station == now.truth else "", "strong"),
        )
        for station, share in now.ranked[:STATIONS]
    ]
    more = now.possible - STATIONS
    rest = f"{more} more {'is' if more == 1 else 'are'} possible; e" if more > 0 else "E"
    return (
        sheet(right(), right(), Column(bar=BAR, accent=True), Column(), rows=rows),
        Paragraph(f"{rest}ntropy {bits(moment.entropy_bits)} bits.", "soft"),
    )


def _number(heading: str) -> Column:
    return Column(heading, "right", whole=True)


def _percent(probability: float) -> str:
    return f"{percent(probability)} %" if probability else "–"


def _move(move: DetectiveMove) -> str:
    return f"{move.ticket} {move.to}"
