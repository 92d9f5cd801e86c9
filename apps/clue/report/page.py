"""The whole report: one HTML file without scripts, links to elsewhere, or anything to load."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ....models.clue.editions import CLASSIC
from ...kit.analysis.page import AnalysisPage, laid_out
from ...kit.analysis.sections import what_moved
from ...kit.number_words import counted
from ...kit.pages.document import section
from ...kit.pages.markup import Html, element, join, name
from ..findings import ClueDetail, ClueFindings
from ..words import cards, rules_said, size_of
from ..worth import YARDSTICK
from .bars import advice, category_bars, leading_triples
from .certain import certainties
from .chart import case_file_strips, entropy_chart
from .events import events, turning_point_list
from .notebook import notebook
from .summary import summary, viewer_in_words
from .walk import walk_section

if TYPE_CHECKING:
    from ..findings import ClueAnalysis

_CHOICES: Final = {
    "random": "at random among the cards that could be shown",
    "ignored": "ignored (plain counting of deals)",
    "preference": "by an order of preference, rarely broken",
    "custom": "a model of the caller's own",
    "learned": "as was learned, and what players ask is heard, too",
}
_BITS: Final = (
    "A bit is what the answer to one even yes-or-no question tells; {most:.2f} bits are as much "
    "as telling one of {triples} triples from all others. What an event told is negative if it "
    "made the case file less certain. What a suggestion promised is its expected value "
    "before the answer was known; {yardstick}"
)


class CluePage(AnalysisPage[ClueDetail, ClueFindings]):
    """The case file coming to light, the notebook, what to ask next, and where to go."""

    room = __package__

    def legend(self, analysis: ClueAnalysis) -> str:
        """The meaning of bits and of worth."""
        findings = analysis.findings
        return _BITS.format(
            most=findings.most_bits, triples=findings.edition.triples, yardstick=YARDSTICK
        )

    def title(self, analyses: Sequence[ClueAnalysis]) -> Html:
        """Whose eyes these are."""
        return join(["What ", viewer_in_words(analyses[0]), " could have known"])

    def style(self, analysis: ClueAnalysis) -> str:
        """None but the style sheet."""
        return ""

    def summary(self, analysis: ClueAnalysis) -> Html:
        """The facts that could be known, and when."""
        return summary(analysis)

    def facts(self, analysis: ClueAnalysis) -> list[tuple[str, object]]:
        """The players and what the viewer held, and how the numbers were made."""
        seen, choice = analysis.findings.seen, analysis.findings.choice
        players = join(
            (
                element(
                    "span",
                    name(player),
                    element("small", f" {size_of(seen, player)}"),
                    class_="player viewer" if player == analysis.viewer else "player",
                )
                for player in seen.players
            ),
            " ",
        )
        facts: list[tuple[str, object]] = []
        if seen.edition != CLASSIC:
            facts.append(("Edition", seen.edition.title))
        facts.append(("Players, in turn order", players))
        if seen.own_hand:
            facts.append(("Own hand", cards(seen.own_hand)))
        if seen.face_up:
            facts.append(("Face up", cards(seen.face_up)))
        if seen.left_over:
            facts.append(("Face down", counted(seen.left_over, "card")))
        if rules := rules_said(seen.rules):
            facts.append(("House rules", "; ".join(rules)))
        facts.append(("Which card a refuter shows", _CHOICES.get(choice, choice)))
        return [*facts, *super().facts(analysis)]

    def sections(self, analysis: ClueAnalysis, prefix: str) -> Iterator[Html]:
        """Most of them are Clue's own."""
        yield section(
            "How the case file came to light",
            "Entropy of the case file, in bits, after every event"
            + ("; triangles mark own turns." if analysis.findings.seen.is_player else "."),
            element(
                "div",
                entropy_chart(analysis, width=860, height=300, class_="wide"),
                entropy_chart(analysis, width=380, height=240, class_="narrow"),
                turning_point_list(analysis),
            ),
        )
        yield section(
            "The case file, card by card",
            "Each strip is a card, from the deal to the last event: the darker, the likelier it "
            "is in the case file; blank is ruled out.",
            case_file_strips(analysis, width=860, class_="wide"),
            case_file_strips(analysis, width=380, class_="narrow"),
        )
        yield section(
            "The case file in the end",
            "",
            category_bars(analysis),
            leading_triples(analysis),
        )
        yield section(
            "The notebook",
            "Who holds what after the last event, in percent. A check mark is certain and leads "
            "to the reason; a dot is ruled out.",
            notebook(analysis),
        )
        if analysis.moved:
            yield laid_out(what_moved(analysis.moved))
        yield advice(analysis)
        if analysis.findings.walk:
            yield walk_section(analysis)
        yield section(
            "What is certain, and why",
            "None of the events named can be left out of its proof.",
            certainties(analysis),
        )
        yield section(
            "The events",
            "How many bits about the case file each event told, and how many were left.",
            events(analysis),
        )
