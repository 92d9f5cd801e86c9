"""The report of a game of Cheat: one HTML file without scripts that loads nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from ....models.game import SPECTATOR
from ...kit.number_words import bits, percent, worth
from ...kit.pages.document import footer, made_by, report, section, terms
from ...kit.pages.lists import panel
from ...kit.pages.markup import Html, element, join, name
from ..words import action_words, claimed
from .chart import claims_chart, hand_strips, key
from .summary import EVEN, dear, judged_on, missed_lies, summary, whose
from .table import claim_table

if TYPE_CHECKING:
    from ..analysis import Analysis
    from ..findings import Claim, Hand, ValuedTurn

#: Entries of each list of what was missed.
SHOWN: Final = 6
_SAID: Final = (
    "What is said of a claim was known before it was called or not. A search values a "
    "decision by playing on from worlds that fit what its player knew; it is an estimate."
)


def html_report(analysis: Analysis) -> str:
    """The report as one self-contained HTML document."""
    record = analysis.recorded.record
    game = f"Cheat: {record.players[0]} against {record.players[1]}"
    title = "Which claims could be believed?"
    return report(
        game,
        title,
        _sections(analysis),
        footer(analysis.version, _SAID, record.source),
        plain=f"{game}: {title}",
        version=analysis.version,
        room=__package__,
        class_="cheat",
    )


def _sections(analysis: Analysis) -> list[Html]:
    parts = [
        element(
            "section",
            element("p", " ".join(summary(analysis)), class_="summary"),
            _facts(analysis),
            class_="top",
        )
    ]
    if not analysis.claims:
        return parts
    parts.append(
        section(
            "How likely every claim was",
            "To be true, by all that could be known when it could be called, "
            f"{_by(analysis)}; a mark is as high as its claim was likely.",
            claims_chart(analysis, width=1060, height=300, class_="wide"),
            claims_chart(analysis, width=380, height=260, class_="narrow"),
            key(),
        )
    )
    missed = _missed(analysis)
    if missed:
        parts.append(
            section(
                "What was missed",
                "By what could be known then, not by what came to light later.",
                element("div", *missed, class_="panels misses"),
            )
        )
    parts.append(section("Claim by claim", _lead(analysis), claim_table(analysis)))
    for hands in analysis.by_hand:
        parts.append(_hand_section(analysis, hands))
    return parts


def _by(analysis: Analysis) -> str:
    return "by counting cards" if analysis.predictor is None else "by counting and the predictor"


def _lead(analysis: Analysis) -> str:
    said = (
        "Had them: how likely its player held so many cards of the rank. Counting: how likely the "
        "claim was true by counting alone, as if any cards of a hand were laid down alike"
    )
    if analysis.predictor is None:
        said += "; people say the truth more often than that, and a predictor knows."
    else:
        said += ". Both: counting and the predictor together, with nothing counted twice."
    if analysis.choices:
        said += (
            " Best: what the search would have done then, with what a call and the best other "
            "action were worth: 1 is a won game, \N{MINUS SIGN}1 a lost one."
        )
    return said


# -- what was missed


def _missed(analysis: Analysis) -> list[Html]:
    """Lists of lies that could be seen, of calls against the odds, and of dear decisions."""
    found: list[tuple[str, list[tuple[object, object]]]] = [
        (
            "Could not be true, and was believed",
            [(_claim_words(analysis, each), "a lie for sure") for each in missed_lies(analysis)],
        ),
        (
            "Called against the odds",
            [
                (
                    _claim_words(analysis, each),
                    f"{percent(each.probability)} % true, "
                    f"{'and it was' if each.true else 'but it was a lie'}",
                )
                for each in analysis.claims
                if each.called and each.probability > EVEN
            ],
        ),
        (
            "The most costly decisions, by the search's estimate",
            [
                (_choice_words(analysis, each), worth(-(each.lost or 0.0)))
                for each in dear(analysis)
            ],
        ),
    ]
    return [panel(title, rows, SHOWN) for title, rows in found if rows]


def _choice_words(analysis: Analysis, choice: ValuedTurn) -> Html:
    ranks = len(analysis.recorded.ranks)
    return join(
        [
            f"turn {choice.turn}: ",
            name(analysis.recorded.name_of(choice.by)),
            f" {action_words(choice.made or 0, choice.rank, ranks)}, better ",
            element("b", action_words(choice.best, choice.rank, ranks), class_="card"),
        ]
    )


def _claim_words(analysis: Analysis, claim: Claim) -> Html:
    return join(
        [
            f"turn {claim.turn}: ",
            name(analysis.recorded.name_of(claim.by)),
            " claims ",
            element("span", claimed(claim.rank, claim.count), class_="card"),
        ]
    )


# -- hidden hands


def _hand_section(analysis: Analysis, hands: list[Hand]) -> Html:
    first = hands[0]
    of = analysis.recorded.name_of(first.of)
    who = (
        "a spectator"
        if first.viewer == SPECTATOR
        else name(analysis.recorded.name_of(first.viewer))
    )
    when = "at their own decisions" if len(analysis.recorded.viewers) == 2 else "after every turn"
    lead = f"The darker, the more cards of the rank were to be expected, {when}; blank is none."
    if any(hand.truth is not None for hand in hands):
        lead += " Each dot is a card that was there."
    return section(
        join(["What ", who, " could know of ", name(of), "\N{RIGHT SINGLE QUOTATION MARK}s cards"]),
        lead,
        hand_strips(analysis, hands, width=1060, class_="wide"),
        hand_strips(analysis, hands, width=380, class_="narrow"),
    )


# -- the rest


def _facts(analysis: Analysis) -> Html:
    recorded, record = analysis.recorded, analysis.recorded.record
    which = f"game {record.number} of match {record.match}"
    if recorded.games > 1:
        which += f", number {recorded.place} of {recorded.games} in the file"
    facts: list[tuple[str, object]] = [
        ("Game", which),
        ("This is", whose(analysis)),
    ]
    if record.settings:
        listed = ", ".join(f"{key}: {value}" for key, value in record.settings.items())
        facts.append(("Other rules", listed.replace("_", " ")))
    facts.append(("Method", analysis.method.replace("_", " ")))
    facts.append(("Predictor", _predictor(analysis)))
    facts.append(
        ("Decisions valued by", element("code", analysis.agent) if analysis.agent else "nobody")
    )
    on = judged_on(analysis)
    if on is not None:
        facts.append(("Judged on", on))
    for score, what in ((analysis.counting, "Counting"), (analysis.joined, "With the predictor")):
        if score is not None:
            facts.append(
                (
                    f"{what} was off by",
                    f"{bits(score.log_loss)} bits a claim on average (a coin: 1.00), Brier score "
                    f"{score.brier:.3f} (a coin: 0.250)",
                )
            )
    return terms([*facts, *made_by(analysis.version, analysis.seed, recorded.digest)])


def _predictor(analysis: Analysis) -> str:
    if analysis.predictor is None:
        return "none: by counting alone"
    card = analysis.predictor.card
    said = str(card.get("model", card["kind"]))
    trained = card.get("trained_on")
    if isinstance(trained, dict):
        counts = cast("dict[str, object]", trained)
        said += f", learned from {counts.get('claims')} claims of {counts.get('players')} players"
    return said
