"""The report of a game of Scotland Yard: one HTML file without scripts that loads nothing.

The board is drawn once; every moment adds what was known then, and a row of radio buttons, which
need no script, says which moment is shown. In print, and below, all moments stand in little.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ....beliefs.games.scotland_yard.play import LIKELIHOODS
from ....models.scotland_yard import board
from ....models.scotland_yard.record.seen import SPECTATOR
from ....models.scotland_yard.state import HIDER
from ...kit.analysis.page import AnalysisPage, laid_out
from ...kit.analysis.sections import what_moved
from ...kit.number_words import bits, number, percent
from ...kit.pages.document import section
from ...kit.pages.markup import Html, drawing, element, join
from ..transcript import HuntFindings, Whereabouts
from ..words import HIDER_NAME
from .chart import MOST_BITS, entropy_chart
from .missed import missed_chances, turn_list
from .picture import (
    connections,
    heat,
    legend,
    numbers,
    pieces,
    small_picture,
    stations,
    streets,
    view_box,
)
from .rounds import in_words, rounds

if TYPE_CHECKING:
    from ..transcript import HuntAnalysis, HuntMoment

_GROUND: Final = "streets"
#: The id of the box that enlarges the board, where labels are too small to read.
_LARGE: Final = "large"
_LEADING: Final = 6
_BITS: Final = (
    f"A bit is what the answer to one even yes-or-no question tells; {MOST_BITS:.2f} bits "
    "are open when Mr. X can be at any station, each equally likely. What a detective's move "
    "tells is the answer to one question: is Mr. X there?"
)


class HuntPage(AnalysisPage[Whereabouts, HuntFindings]):
    """The report of a game of Scotland Yard."""

    said = _BITS
    room = __package__
    class_ = "hunt"

    def title(self, analyses: Sequence[HuntAnalysis]) -> Html:
        """The heading of the page."""
        if analyses[0].findings.told:
            return Html("Where could Mr. X be?")
        who = "a spectator" if analyses[0].viewer == SPECTATOR else "the detectives"
        return Html(f"What {who} could have known")

    def style(self, analysis: HuntAnalysis) -> str:
        """The rules that show the chosen moment and mark its bar."""
        return _steps(len(rounds(analysis)))

    def summary(self, analysis: HuntAnalysis) -> Html:
        """The end of the game, and where most was missed."""
        return _summary(analysis)

    def facts(self, analysis: HuntAnalysis) -> list[tuple[str, object]]:
        """Whose view it is, the rules, and what the numbers are made of."""
        findings = analysis.findings
        return [
            ("This is", findings.whose),
            ("Detectives", str(len(analysis.timeline[0].detail.seekers))),
            ("Mr. X surfaces after", ", ".join(map(str, findings.reveals)) or "no move"),
            ("How likely each station is", LIKELIHOODS[findings.likelihood]),
            ("Version", f"sleuth {analysis.version}"),
            ("Record as seen", element("code", analysis.record_sha256)),
        ]

    def sections(self, analysis: HuntAnalysis, prefix: str) -> Iterator[Html]:
        """The parts in their order."""
        told = analysis.findings.told
        chart_lead = (
            "Entropy of Mr. X's station, in bits, after every move; numbers below count Mr. X's "
            "moves, lines and stations mark where Mr. X was seen"
        )
        if told:
            chart_lead += "; dots: surprise of the true station, -log2 of its probability, in bits"
        yield section(
            "Move by move",
            "Choose a bar, or step with the arrow keys. Bars are as high as what was open then.",
            _stepper(rounds(analysis)),
        )
        yield section(
            "How well Mr. X was hidden",
            f"{chart_lead}.",
            entropy_chart(analysis, width=1060, height=280, class_="wide"),
            entropy_chart(analysis, width=380, height=230, class_="narrow"),
        )
        yield section(
            "All moves of Mr. X",
            "The board after each of them; spots are stations where Mr. X could be, squares "
            "are detectives" + (", the ring is where Mr. X was." if told else "."),
            _multiples(analysis),
        )
        if analysis.findings.turns:
            yield section(
                "Chances that were missed",
                "Turns in which another move would have been likelier to catch Mr. X, or to end "
                "next to Mr. X, by what was known then.",
                missed_chances(analysis),
            )
            yield section(
                "The detectives' moves",
                "How likely each move was to catch Mr. X, what it told on average, and how likely "
                "Mr. X then was there or one move of this detective away.",
                turn_list(analysis),
            )
        if analysis.moved and analysis.findings.won is None:
            yield laid_out(what_moved(analysis.moved))


# -- the stepper


def _stepper(lines: list[list[HuntMoment]]) -> Html:
    chosen = _opening(lines)
    buttons = [
        element(
            "input",
            type="radio",
            name="moment",
            id=f"t{place}",
            checked=place == chosen,
            aria_label=in_words(moments),
        )
        for place, moments in enumerate(lines)
    ]
    return element(
        "div",
        *buttons,
        element("input", type="checkbox", id=_LARGE, aria_label="Enlarge the board"),
        element("div", *_captions(lines), class_="captions"),
        element(
            "label",
            element("span", "Enlarge the board", class_="closed"),
            element("span", "Show the whole board", class_="opened"),
            for_=_LARGE,
            class_="enlarge",
        ),
        element("div", element("label", _board_picture(lines), for_=_LARGE), class_="frame"),
        element("div", *_bars(lines), class_="bars-of-time"),
        legend(),
        class_="stepper",
    )


def _opening(lines: list[list[HuntMoment]]) -> int:
    """The moment to show first: the one with most to see."""
    best = max(range(len(lines)), key=lambda place: lines[place][-1].entropy_bits)
    return best


def _captions(lines: list[list[HuntMoment]]) -> list[Html]:
    captions: list[Html] = []
    for place, moments in enumerate(lines):
        last = moments[-1]
        leading = [
            element("span", f"{station} ({percent(share)} %)", class_="place")
            for station, share in last.detail.ranked[:_LEADING]
        ]
        truth = ""
        if last.detail.truth is not None:
            share = percent(last.detail.truth_probability or 0.0)
            truth = f" Mr. X was at {last.detail.truth}, which had {share} %."
        captions.append(
            element(
                "div",
                _arrow("‹", place - 1, len(lines)),
                element(
                    "div",
                    element("p", in_words(moments), ".", class_="happened"),
                    element(
                        "p",
                        f"{number(last.detail.possible, 'station')} possible, "
                        f"{bits(last.entropy_bits)} bits. Likeliest: ",
                        join(leading, ", "),
                        ".",
                        truth,
                        class_="known",
                    ),
                ),
                _arrow("›", place + 1, len(lines)),
                class_=f"caption c{place}",
            )
        )
    return captions


def _arrow(sign: str, place: int, count: int) -> Html:
    if not 0 <= place < count:
        return element("span", sign, class_="arrow off")
    return element("label", sign, for_=f"t{place}", class_="arrow")


def _board_picture(lines: list[list[HuntMoment]]) -> Html:
    london = board()
    warm = [
        element("g", heat(london, moments[-1].detail.stations), class_=f"f{place}")
        for place, moments in enumerate(lines)
    ]
    standing = [
        element("g", pieces(london, moments[-1]), class_=f"f{place}")
        for place, moments in enumerate(lines)
    ]
    ground = connections(london), stations(london)
    title = "The board, with where Mr. X may be"
    parts = *ground, *warm, numbers(london), *standing
    return drawing(title, view_box(london), "board", *parts)


def _bars(lines: list[list[HuntMoment]]) -> list[Html]:
    bars: list[Html] = []
    for place, moments in enumerate(lines):
        last = moments[-1]
        height = max(100.0 * last.entropy_bits / MOST_BITS, 2.0)
        kind = "hiders" if last.detail.by == HIDER else "others"
        mark = str(last.detail.turn) if last.detail.by == HIDER else ""
        bars.append(
            element(
                "label",
                element("i", style=f"height:{height:.0f}%"),
                element("b", mark),
                for_=f"t{place}",
                title=in_words(moments),
                class_=f"{kind} b{place}{' seen' if last.detail.shown else ''}",
            )
        )
    return bars


def _steps(count: int) -> str:
    """The rules that show the chosen moment and mark its bar."""
    shown = ",".join(f"#t{place}:checked~* .f{place}" for place in range(count))
    told = ",".join(f"#t{place}:checked~* .c{place}" for place in range(count))
    marked = ",".join(f"#t{place}:checked~* .b{place}" for place in range(count))
    focused = ",".join(f"#t{place}:focus-visible~* .b{place}" for place in range(count))
    return (
        f"{shown}{{display:inline}}"
        f"{told}{{display:grid}}"
        f"{marked}{{--mark:var(--ink);background:var(--faint)}}"
        f"{focused}{{outline:2px solid rgb(var(--player))}}"
    )


# -- the rest


def _multiples(analysis: HuntAnalysis) -> Html:
    london = board()
    ground = element(
        "svg",
        element("defs", element("g", streets(london), id=_GROUND)),
        width=0,
        height=0,
        aria_hidden="true",
        class_="ground",
    )
    figures: list[Html] = []
    last = analysis.timeline[-1]
    ended = [last] if last.detail.shown is not None and last.detail.by != HIDER else []
    for moment in (analysis.timeline[0], *analysis.findings.hider_moves, *ended):
        head = (
            f"{moment.detail.turn} {moment.detail.ticket}" if moment.detail.by == HIDER else "start"
        )
        if moment in ended:
            caught = last.detail.shown == last.detail.seekers[(last.detail.by or 1) - 1]
            head = (
                f"caught at {last.detail.shown}" if caught else f"the end, at {last.detail.shown}"
            )
        elif moment.detail.shown:
            head += f", seen at {moment.detail.shown}"
        words = f"{moment.text}: {number(moment.detail.possible, 'station')} possible"
        below = f"{moment.detail.possible} · {bits(moment.entropy_bits)} bits"
        if moment.detail.truth is not None:
            below += (
                f" · {percent(moment.detail.truth_probability or 0.0)} % at {moment.detail.truth}"
            )
        figures.append(
            element(
                "figure",
                element("figcaption", element("b", head)),
                small_picture(london, moment, _GROUND, words),
                element("p", below),
                class_="seen" if moment.detail.shown else None,
            )
        )
    return join([ground, element("div", *figures, class_="multiples")])


def _summary(analysis: HuntAnalysis) -> Html:
    moves = analysis.findings.hider_moves
    if not moves:
        return element("p", "Nothing has happened yet.", class_="summary")
    count = number(analysis.timeline[-1].detail.turn, "move")
    if analysis.findings.won == "seekers":
        end = f"The detectives won after {count} of {HIDER_NAME}. "
    elif analysis.findings.won == "hider":
        end = f"{HIDER_NAME} got away after {count}. "
    else:
        end = f"{HIDER_NAME} has made {count} so far. "
    best = max(moves, key=lambda moment: moment.entropy_bits)
    said = (
        f"{end}Mr. X was best hidden after move {best.detail.turn}, and could be at "
        f"{number(best.detail.possible, 'station')} ({bits(best.entropy_bits)} bits)."
    )
    if analysis.findings.turns:
        turn = max(analysis.findings.turns, key=lambda turn: turn.catching.capture)
        catching, made = turn.catching, turn.made
        said += (
            f" The best chance to catch Mr. X was in turn {turn.number}: "
            f"seeker {turn.seeker} by {catching.ticket} to {catching.to}, "
            f"{percent(catching.capture)} %"
        )
        taken = made.capture >= catching.capture - 1e-9
        said += ", and the detective tried it." if taken else f"; the detective went to {made.to}."
    loss = analysis.findings.truth_loss_bits
    if loss is not None:
        mean = sum(moment.entropy_bits for moment in moves) / len(moves)
        said += (
            f" After Mr. X's moves, {bits(mean)} bits were open on average, and the true station "
            f"came as a surprise of {bits(loss)} bits."
        )
    return element("p", said, class_="summary")
