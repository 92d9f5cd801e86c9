"""The whole report: one HTML file without scripts, links to elsewhere, or anything to load."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...kit.analysis.moved_page import moved_section
from ...kit.pages.document import footer, made_by, report, section, terms
from ...kit.pages.markup import Html, element, join, name
from ..words import cards
from ..worth import YARDSTICK
from .bars import advice, category_bars, leading_triples
from .certain import certainties
from .chart import case_file_strips, entropy_chart
from .events import events, turning_point_list
from .notebook import notebook
from .summary import summary, viewer_in_words
from .walk import walk_section

if TYPE_CHECKING:
    from ..analysis import Analysis

_CHOICES: Final = {
    "random": "at random among the cards that could be shown",
    "ignored": "ignored (plain counting of deals)",
    "preference": "by an order of preference, rarely broken",
    "custom": "a model of the caller's own",
    "learned": "as was learned, and what players ask is heard, too",
}
_BITS: Final = (
    "A bit is what the answer to one even yes-or-no question tells; 8.34 bits are as much "
    "as telling one of 324 triples from all others. What an event told is negative if it "
    "made the case file less certain. What a suggestion promised is its expected value "
    f"before the answer was known; {YARDSTICK}"
)


def html_report(analysis: Analysis) -> str:
    """The report of an analysed game as one self-contained HTML document.

    Args:
        analysis: What `sleuth.apps.clue.analysis.analyse` found; own turns are judged only if
            it was asked for ``advice``.
    """
    return report(
        _game(analysis),
        join(["What ", viewer_in_words(analysis), " could have known"]),
        _sections(analysis),
        footer(analysis.version, _BITS, analysis.source),
        plain=f"{_game(analysis)}: what {_viewer(analysis)} could have known",
        version=analysis.version,
        room=__package__ if analysis.walk else None,
    )


def _sections(analysis: Analysis) -> list[Html]:
    return [
        element("section", summary(analysis), _facts(analysis), class_="top"),
        section(
            "How the case file came to light",
            "Entropy of the case file, in bits, after every event"
            + ("; triangles mark own turns." if analysis.is_player else "."),
            element(
                "div",
                entropy_chart(analysis, width=860, height=300, class_="wide"),
                entropy_chart(analysis, width=380, height=240, class_="narrow"),
                turning_point_list(analysis),
            ),
        ),
        section(
            "The case file, card by card",
            "Each strip is a card, from the deal to the last event: the darker, the likelier it "
            "is in the case file; blank is ruled out.",
            case_file_strips(analysis, width=860, class_="wide"),
            case_file_strips(analysis, width=380, class_="narrow"),
        ),
        section(
            "The case file in the end",
            "",
            category_bars(analysis),
            leading_triples(analysis),
        ),
        section(
            "The notebook",
            "Who holds what after the last event, in percent. A check mark is certain and leads "
            "to the reason; a dot is ruled out.",
            notebook(analysis),
        ),
        *([moved_section(analysis.moved)] if analysis.moved else ()),
        advice(analysis),
        *([walk_section(analysis)] if analysis.walk else ()),
        section(
            "What is certain, and why",
            "None of the events named can be left out of its proof.",
            certainties(analysis),
        ),
        section(
            "The events",
            "How many bits about the case file each event told, and how many were left.",
            events(analysis),
        ),
    ]


def _facts(analysis: Analysis) -> Html:
    """The settings of the analysis, as a list of terms."""
    sizes = dict(analysis.hand_sizes)
    players = join(
        (
            element(
                "span",
                name(player),
                element("small", f" {sizes[player]}"),
                class_="player viewer" if player == analysis.viewer else "player",
            )
            for player in analysis.players
        ),
        " ",
    )
    method = analysis.method.replace("_", " ") + (" (exact)" if analysis.exact else "")
    if not analysis.exact:
        method = join([method, " ", element("strong", "(an estimate)")])
        if analysis.notes:
            method = join([method, ": ", "; ".join(analysis.notes)])
    facts: list[tuple[str, object]] = [("Players, in turn order", players)]
    if analysis.own_hand:
        facts.append(("Own hand", cards(analysis.own_hand)))
    if analysis.face_up:
        facts.append(("Face up", cards(analysis.face_up)))
    facts += [
        ("Method", method),
        ("Which card a refuter shows", _CHOICES.get(analysis.choice, analysis.choice)),
        *made_by(analysis.version, analysis.seed, analysis.record_sha256),
    ]
    return terms(facts)


def _game(analysis: Analysis) -> str:
    return analysis.name or "A game of Clue"


def _viewer(analysis: Analysis) -> str:
    if analysis.is_player:
        return analysis.viewer
    return "a spectator" if analysis.viewer == "spectator" else "the notebook's reader"
