"""The report of a game of Cheat for many: one HTML file without scripts that loads nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ....models.game import SPECTATOR
from ...kit.analysis.page import AnalysisPage, who
from ...kit.answers.html import shown
from ...kit.number_words import bits, percent
from ...kit.pages.document import section
from ...kit.pages.lists import panel
from ...kit.pages.markup import Html, element, join, name
from ..report.chart import ClaimMark, claims_chart, key
from .findings import (
    ManyCheatAnalysis,
    ManyCheatDetail,
    ManyCheatFindings,
    ManyClaim,
)
from .summary import judged_on, summary
from .text import claim_sheet, hand_parts, hand_title
from .words import claimed

#: Entries of each list of what was missed.
SHOWN = 6


class ManyCheatPage(AnalysisPage[ManyCheatDetail, ManyCheatFindings]):
    """The report of a game of Cheat for many."""

    said = "What is said of a claim was known before it was called or not."
    room = "sleuth.apps.cheat.report"
    class_ = "cheat"

    def title(self, analyses: Sequence[ManyCheatAnalysis]) -> Html:
        """The question that the page answers."""
        return Html("Which claims could be believed?")

    def summary(self, analysis: ManyCheatAnalysis) -> Html:
        """The summary: the end of the game, each player's lies, and what could have been called."""
        return element("p", " ".join(summary(analysis.findings)), class_="summary")

    def facts(self, analysis: ManyCheatAnalysis) -> list[tuple[str, object]]:
        """The facts: the game, the analysis, and the quality of the answers."""
        return [*_facts(analysis), *super().facts(analysis)]

    def sections(self, analysis: ManyCheatAnalysis, prefix: str) -> Iterator[Html]:
        """Every claim, what was missed, the claims as a list, and the others' hands in the end."""
        found = analysis.findings
        if not found.claims:
            return
        marks, kinds = _marks(found), [turn.kind for turn in found.record.turns]
        yield section(
            "How likely every claim was",
            f"To be true, by all that {who(analysis)} could know when it could be called; a mark "
            "is as high as its claim was likely. The viewer's own are left out.",
            claims_chart(marks, kinds, width=1060, height=300, class_="wide"),
            claims_chart(marks, kinds, width=380, height=260, class_="narrow"),
            key(),
        )
        missed = _missed(found)
        if missed:
            yield section(
                "What was missed",
                "By what could be known then, not by what came to light later.",
                element("div", *missed, class_="panels misses"),
            )
        yield section("Claim by claim", "", shown(claim_sheet(found)))
        for hand in found.hands:
            if hand.size:
                yield section(hand_title(found, hand), "", *map(shown, hand_parts(hand)))


def _marks(found: ManyCheatFindings) -> list[ClaimMark]:
    """The claims of others, as they are drawn."""
    return [
        ClaimMark(
            each.turn,
            f"{found.record.players[each.by]} claims {claimed(each.rank, each.count)}",
            each.probability,
            each.true,
            each.caller is not None,
        )
        for each in found.claims
        if each.probability is not None
    ]


def _missed(found: ManyCheatFindings) -> list[Html]:
    """Lists of lies that could be seen, of calls worth making, and of calls against the odds."""
    impossible = [each for each in found.claims if each.certain is False and each.caller is None]
    lists: list[tuple[str, list[tuple[object, object]]]] = [
        (
            "Could not be true, and was believed",
            [(_claim_words(found, each), "a lie for sure") for each in impossible],
        ),
        (
            "Calls that were worth making",
            [(_claim_words(found, each), _chance(each)) for each in found.worth_calling],
        ),
        (
            "Called against the odds",
            [
                (
                    _claim_words(found, each),
                    f"{_chance(each)}, {'and it was' if each.true else 'but it was a lie'}",
                )
                for each in found.against_odds
            ],
        ),
    ]
    return [panel(title, rows, SHOWN) for title, rows in lists if rows]


def _chance(claim: ManyClaim) -> str:
    return f"{percent(claim.probability or 0.0)} % true"


def _claim_words(found: ManyCheatFindings, claim: ManyClaim) -> Html:
    return join(
        [
            f"turn {claim.turn}: ",
            name(found.record.players[claim.by]),
            " claims ",
            element("span", claimed(claim.rank, claim.count), class_="card"),
        ]
    )


def _facts(analysis: ManyCheatAnalysis) -> Iterator[tuple[str, object]]:
    found = analysis.findings
    record = found.record
    which = f"game {record.number} of match {record.match}"
    if found.games > 1:
        which += f", number {found.place} of {found.games} in the file"
    yield "Game", which
    yield "Players", ", ".join(record.players)
    eyes = "a spectator" if found.viewer == SPECTATOR else record.players[found.viewer]
    yield "Seen by", eyes
    if record.settings:
        listed = ", ".join(f"{key}: {value}" for key, value in record.settings.items())
        yield "Other rules", listed.replace("_", " ")
    yield "Predictor", _predictor(found)
    if found.counting is None or found.joined is None:
        return
    yield "Judged on", judged_on(found)
    for score, what in ((found.counting, "Counting"), (found.joined, "All together")):
        yield (
            f"{what} was off by",
            f"{bits(score.log_loss)} bits a claim on average (a coin: 1.00), Brier score "
            f"{score.brier:.3f} (a coin: 0.250)",
        )


def _predictor(found: ManyCheatFindings) -> str:
    if found.predictor is None:
        return "none: by counting, and since people are mostly honest where they can be"
    card = found.predictor.card
    trained = card.get("trained_on", {})
    said = str(card.get("model", card["kind"]))
    if isinstance(trained, dict) and "claims" in trained:
        said += f", learned from {trained['claims']} claims of {trained['players']} players"
    return said
