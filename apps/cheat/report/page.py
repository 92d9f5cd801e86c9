"""The report of a game of Cheat: one HTML file without scripts that loads nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, cast

from ....models.game import SPECTATOR
from ...kit.analysis.page import AnalysisPage
from ...kit.number_words import bits, percent, worth
from ...kit.pages.document import made_by, section
from ...kit.pages.lists import panel
from ...kit.pages.markup import Html, element, join, name
from ..findings import (
    CallDecision,
    CheatAnalysis,
    CheatDetail,
    CheatFindings,
    Claim,
    Hand,
)
from ..words import action_words, claimed
from .chart import claims_chart, hand_strips, key, marks_of
from .claims import claim_table
from .summary import EVEN, dear, judged_on, missed_lies, summary, whose

#: Entries of each list of what was missed.
SHOWN: Final = 6


class CheatPage(AnalysisPage[CheatDetail, CheatFindings]):
    """The report of a game of Cheat."""

    said = (
        "What is said of a claim was known before it was called or not. A search values a "
        "decision by playing on from worlds that fit what its player knew; it is an estimate."
    )
    room = __package__
    class_ = "cheat"

    def title(self, analyses: Sequence[CheatAnalysis]) -> Html:
        """The question that the page answers."""
        return Html("Which claims could be believed?")

    def style(self, analysis: CheatAnalysis) -> str:
        """Nothing: the game has a style sheet."""
        return ""

    def summary(self, analysis: CheatAnalysis) -> Html:
        """The summary: the end of the game, each player's lies, and what was missed."""
        return element("p", " ".join(summary(analysis.findings)), class_="summary")

    def facts(self, analysis: CheatAnalysis) -> list[tuple[str, object]]:
        """The facts: the game, the analysis, and the quality of the answers."""
        return [*_facts(analysis)]

    def sections(self, analysis: CheatAnalysis, prefix: str) -> Iterator[Html]:
        """Every claim, what was missed, the claims as a list, and hidden hands over time."""
        found = analysis.findings
        if not found.claims:
            return
        kinds = [turn.kind for turn in found.recorded.record.turns]
        yield section(
            "How likely every claim was",
            "To be true, by all that could be known when it could be called, "
            f"{_by(found)}; a mark is as high as its claim was likely.",
            claims_chart(marks_of(found), kinds, width=1060, height=300, class_="wide"),
            claims_chart(marks_of(found), kinds, width=380, height=260, class_="narrow"),
            key(),
        )
        missed = _missed(found)
        if missed:
            yield section(
                "What was missed",
                "By what could be known then, not by what came to light later.",
                element("div", *missed, class_="panels misses"),
            )
        yield section("Claim by claim", _lead(found), claim_table(found))
        for hands in found.by_hand:
            yield _hand_section(found, hands)


def _by(found: CheatFindings) -> str:
    return "by counting cards" if found.predictor is None else "by counting and the predictor"


def _lead(found: CheatFindings) -> str:
    said = (
        "Had them: how likely its player held so many cards of the rank. Counting: how likely the "
        "claim was true by counting alone, as if any cards of a hand were laid down alike"
    )
    if found.predictor is None:
        said += "; people say the truth more often than that, and a predictor knows."
    else:
        said += ". Both: counting and the predictor together, with nothing counted twice."
    if found.choices:
        said += (
            " Best: what the search would have done then, with what a call and the best other "
            "action were worth: 1 is a won game, \N{MINUS SIGN}1 a lost one."
        )
    return said


# -- what was missed


def _missed(found: CheatFindings) -> list[Html]:
    """Lists of lies that could be seen, of calls against the odds, and of dear decisions."""
    lists: list[tuple[str, list[tuple[object, object]]]] = [
        (
            "Could not be true, and was believed",
            [(_claim_words(found, each), "a lie for sure") for each in missed_lies(found)],
        ),
        (
            "Called against the odds",
            [
                (
                    _claim_words(found, each),
                    f"{percent(each.probability)} % true, "
                    f"{'and it was' if each.true else 'but it was a lie'}",
                )
                for each in found.claims
                if each.called and each.probability > EVEN
            ],
        ),
        (
            "The most costly decisions, by the search's estimate",
            [(_choice_words(found, each), worth(-(each.loss or 0.0))) for each in dear(found)],
        ),
    ]
    return [panel(title, rows, SHOWN) for title, rows in lists if rows]


def _choice_words(found: CheatFindings, choice: CallDecision) -> Html:
    ranks = len(found.recorded.ranks)
    return join(
        [
            f"turn {choice.number}: ",
            name(found.recorded.name_of(choice.by)),
            f" {action_words(choice.done or 0, choice.rank, ranks)}, better ",
            element("b", action_words(choice.chosen, choice.rank, ranks), class_="card"),
        ]
    )


def _claim_words(found: CheatFindings, claim: Claim) -> Html:
    return join(
        [
            f"turn {claim.turn}: ",
            name(found.recorded.name_of(claim.by)),
            " claims ",
            element("span", claimed(claim.rank, claim.count), class_="card"),
        ]
    )


# -- hidden hands


def _hand_section(found: CheatFindings, hands: list[Hand]) -> Html:
    first = hands[0]
    of = found.recorded.name_of(first.of)
    who = "a spectator" if first.viewer == SPECTATOR else name(found.recorded.name_of(first.viewer))
    when = "at their own decisions" if len(found.recorded.viewers) == 2 else "after every turn"
    lead = f"The darker, the more cards of the rank were to be expected, {when}; blank is none."
    if any(hand.truth is not None for hand in hands):
        lead += " Each dot is a card that was there."
    return section(
        join(["What ", who, " could know of ", name(of), "\N{RIGHT SINGLE QUOTATION MARK}s cards"]),
        lead,
        hand_strips(found, hands, width=1060, class_="wide"),
        hand_strips(found, hands, width=380, class_="narrow"),
    )


# -- the rest


def _facts(analysis: CheatAnalysis) -> Iterator[tuple[str, object]]:
    found = analysis.findings
    recorded, record = found.recorded, found.recorded.record
    which = f"game {record.number} of match {record.match}"
    if recorded.games > 1:
        which += f", number {recorded.place} of {recorded.games} in the file"
    yield "Game", which
    yield "This is", whose(found)
    if record.settings:
        listed = ", ".join(f"{key}: {value}" for key, value in record.settings.items())
        yield "Other rules", listed.replace("_", " ")
    yield "Method", analysis.method.replace("_", " ")
    yield "Predictor", _predictor(found)
    yield "Decisions valued by", element("code", analysis.agent) if analysis.agent else "nobody"
    on = judged_on(found)
    if on is not None:
        yield "Judged on", on
    for score, what in ((found.counting, "Counting"), (found.joined, "With the predictor")):
        if score is not None:
            yield (
                f"{what} was off by",
                f"{bits(score.log_loss)} bits a claim on average (a coin: 1.00), Brier score "
                f"{score.brier:.3f} (a coin: 0.250)",
            )
    yield from made_by(analysis.version, analysis.seed, analysis.record_sha256)


def _predictor(found: CheatFindings) -> str:
    if found.predictor is None:
        return "none: by counting alone"
    card = found.predictor.card
    said = str(card.get("model", card["kind"]))
    trained = card.get("trained_on")
    if isinstance(trained, dict):
        counts = cast("dict[str, object]", trained)
        said += f", learned from {counts.get('claims')} claims of {counts.get('players')} players"
    return said
