"""The detectives' turns in the report: what they did, and what they could have done."""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Final

from ...kit.number_words import bits, percent
from ...kit.pages.markup import Html, element, join
from ..chances import DetectiveMove, DetectiveTurn
from ..transcript import HuntAnalysis

#: Chances of each kind that are listed.
LISTED: Final = 5
#: Less than this much likelier is no chance missed.
WORTH: Final = 0.02
#: A detective who can come no nearer than this is far away.
FAR: Final = 0.005
HEADINGS: Final = ("turn", "seeker", "from", "move made", "catch", "told", "near", "better")


def missed_chances(analysis: HuntAnalysis) -> Html:
    """The turns in which most was missed: of catching Mr. X, and of coming near."""
    return element(
        "div",
        _missed(analysis, "To catch Mr. X", attrgetter("catching"), attrgetter("capture")),
        _missed(analysis, "To be near Mr. X", attrgetter("threatening"), attrgetter("pressure")),
        class_="panels chances",
    )


def _missed(
    analysis: HuntAnalysis,
    title: str,
    best_of: Callable[[DetectiveTurn], DetectiveMove],
    worth_of: Callable[[DetectiveMove], float],
) -> Html:
    """The turns in which a better move was worth most more than the one made."""

    def missed(turn: DetectiveTurn) -> float:
        return worth_of(best_of(turn)) - worth_of(turn.made)

    ranked = sorted(analysis.findings.turns, key=missed, reverse=True)[:LISTED]
    entries = [
        _chance(analysis, turn, best_of(turn), worth_of(best_of(turn)), worth_of(turn.made))
        for turn in ranked
        if missed(turn) >= WORTH
    ]
    none = element("p", "None worth naming.", class_="out")
    return element("div", element("h3", title), element("ul", *entries) if entries else none)


def _chance(
    analysis: HuntAnalysis, turn: DetectiveTurn, best: DetectiveMove, could: float, did: float
) -> Html:
    number = turn.number
    truth = analysis.timeline[turn.event].detail.truth
    right = element("em", " Mr. X was there.") if best.to == truth else ""
    return element(
        "li",
        element(
            "span",
            f"turn {number}, seeker {turn.seeker}: ",
            element("b", f"{best.ticket} {best.to}"),
            f" instead of {turn.made.ticket} {turn.made.to}",
            right,
            class_="label",
        ),
        element(
            "span",
            element("i", style=f"width:{100 * could:.1f}%"),
            element("i", style=f"width:{100 * did:.1f}%", class_="did"),
            class_="track",
        ),
        element("span", f"{percent(could)} %, not {percent(did)} %", class_="value"),
    )


def turn_list(analysis: HuntAnalysis) -> Html:
    """Every turn; those far from wherever Mr. X could be in one line."""
    head = element(
        "tr",
        *(element("th", words, scope="col") for words in HEADINGS),
    )
    rows: list[Html] = []
    for number, turns in _by_round(analysis):
        near = [turn for turn in turns if turn.threatening.pressure >= FAR]
        for place, turn in enumerate(near):
            rows.append(_row(analysis, turn, str(number) if place == 0 else ""))
        far = [f"{turn.seeker} to {turn.made.to}" for turn in turns if turn not in near]
        if far:
            words = f"far from Mr. X: {', '.join(far)}"
            cells = [
                element("td", "" if near else number),
                element("td", words, colspan=len(HEADINGS) - 1, class_="move"),
            ]
            rows.append(element("tr", *cells, class_="idle" if near else "first idle"))
    return element(
        "div",
        element("table", element("thead", head), element("tbody", *rows), class_="turns"),
        class_="scroll",
    )


def _by_round(analysis: HuntAnalysis) -> list[tuple[int, list[DetectiveTurn]]]:
    """The turns between two moves of Mr. X, with the number of the first."""
    found: dict[int, list[DetectiveTurn]] = {}
    for turn in analysis.findings.turns:
        found.setdefault(turn.number, []).append(turn)
    return list(found.items())


def _row(analysis: HuntAnalysis, turn: DetectiveTurn, number: str) -> Html:
    made = turn.made
    truth = analysis.timeline[turn.event].detail.truth
    return element(
        "tr",
        element("td", number),
        element("td", turn.seeker),
        element("td", turn.station),
        element("td", f"{made.ticket} {made.to}", class_="move"),
        _share(made.capture, caught=made.to == truth),
        element("td", f"{bits(made.gain_bits)} bits" if made.capture else "–"),
        _share(made.pressure),
        element("td", _better(turn), class_="better"),
        class_="first" if number else None,
    )


def _share(share: float, *, caught: bool = False) -> Html:
    words = f"{percent(share)} %" if share > 0.0 else "–"
    return element(
        "td",
        words,
        style=f"--p:{share:.3f}" if share else None,
        class_="caught" if caught else None,
    )


def _better(turn: DetectiveTurn) -> Html:
    """Moves that would have been likelier to catch Mr. X, or to come near."""
    parts: list[str] = []
    catching, near = turn.catching, turn.threatening
    if catching.capture > turn.made.capture + WORTH / 2:
        parts.append(
            f"{catching.ticket} {catching.to}: catch {percent(catching.capture)} %, "
            f"{bits(catching.gain_bits)} bits"
        )
    pressure = near.pressure
    if pressure > turn.made.pressure + WORTH / 2 and near != catching:
        parts.append(f"{near.ticket} {near.to}: near {percent(pressure)} %")
    return join(parts, "; ")
