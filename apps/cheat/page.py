"""The report of a game of Cheat: one HTML file without scripts that loads nothing."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from typing import TYPE_CHECKING, Final, cast

from ...models.game import SPECTATOR
from ..report.document import document, heading, section, terms
from ..report.markup import Html, element, join
from ..report.words import bits, name, percent
from .chart import claims_chart, hand_strips, key
from .summary import EVEN, dear, missed_lies, summary, whose
from .table import claim_table, worth
from .words import action_words, claimed

if TYPE_CHECKING:
    from .analysis import Analysis
    from .findings import Claim, Hand

#: Entries of each list of what was missed.
SHOWN: Final = 6


def html_report(analysis: Analysis) -> str:
    """The report as one self-contained HTML document."""
    record = analysis.recorded.record
    game = f"Cheat: {record.players[0]} against {record.players[1]}"
    title = "Which claims could be believed?"
    body = element(
        "body",
        heading(game, title),
        element("main", *_sections(analysis)),
        _footer(analysis),
        class_="cheat",
    )
    return document(body, title=f"{game}: {title}", version=analysis.version, style=_style())


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
    for hands in _by_hand(analysis):
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
    panels: list[Html] = []
    lies = missed_lies(analysis)
    if lies:
        panels.append(
            _panel(
                "Could not be true, and was believed",
                [(_claim_words(analysis, each), "a lie for sure") for each in lies],
            )
        )
    bold = [each for each in analysis.claims if each.called and each.probability > EVEN]
    if bold:
        rows = [
            (
                _claim_words(analysis, each),
                join(
                    [
                        f"{percent(each.probability)} % true",
                        ", and it was" if each.true else ", but it was a lie",
                    ]
                ),
            )
            for each in bold
        ]
        panels.append(_panel("Called against the odds", rows))
    dearest = dear(analysis)
    if dearest:
        ranks = len(analysis.recorded.ranks)
        rows = [
            (
                join(
                    [
                        f"turn {each.turn}: ",
                        name(analysis.recorded.name_of(each.by)),
                        f" {action_words(each.made or 0, each.rank, ranks)}, better ",
                        element("b", action_words(each.best, each.rank, ranks), class_="card"),
                    ]
                ),
                worth(-(each.lost or 0.0)),
            )
            for each in dearest
        ]
        panels.append(_panel("The dearest decisions, by the search", rows))
    return panels


def _claim_words(analysis: Analysis, claim: Claim) -> Html:
    return join(
        [
            f"turn {claim.turn}: ",
            name(analysis.recorded.name_of(claim.by)),
            " claims ",
            element("span", claimed(claim.rank, claim.count), class_="card"),
        ]
    )


def _panel(title: str, rows: Sequence[tuple[object, object]]) -> Html:
    shown = [
        element("li", element("span", what), element("span", value, class_="value"))
        for what, value in rows[:SHOWN]
    ]
    more = len(rows) - len(shown)
    rest = element("p", f"and {more} more", class_="out") if more > 0 else Html("")
    return element("div", element("h3", title), element("ul", *shown), rest)


# -- hidden hands


def _by_hand(analysis: Analysis) -> list[list[Hand]]:
    found: dict[tuple[int, int], list[Hand]] = {}
    for hand in analysis.hands:
        found.setdefault((hand.viewer, hand.of), []).append(hand)
    return list(found.values())


def _hand_section(analysis: Analysis, hands: list[Hand]) -> Html:
    first = hands[0]
    of = analysis.recorded.name_of(first.of)
    who = (
        "a spectator"
        if first.viewer == SPECTATOR
        else name(analysis.recorded.name_of(first.viewer))
    )
    when = "at his own decisions" if len(analysis.recorded.viewers) == 2 else "after every turn"
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
    for score, what in ((analysis.counting, "Counting"), (analysis.joined, "With the predictor")):
        if score is not None:
            facts.append(
                (
                    f"{what} was off by",
                    f"{bits(score.log_loss)} bits a claim on average (a coin: 1.00), Brier score "
                    f"{score.brier:.3f} (a coin: 0.250)",
                )
            )
    facts += [
        ("Version, seed", f"sleuth {analysis.version}, {analysis.seed}"),
        ("Record as seen", element("code", recorded.digest)),
    ]
    return terms(facts)


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


def _footer(analysis: Analysis) -> Html:
    source = analysis.recorded.record.source
    return element(
        "footer",
        element(
            "p",
            "What is said of a claim was known before it was called or not. A search values a "
            "decision by playing on from worlds that fit what its player knew; it is an estimate.",
        ),
        element("p", "Record: ", source) if source else Html(""),
        element("p", f"Made by sleuth {analysis.version}."),
    )


def _style() -> str:
    return files(__package__ or "").joinpath("style.css").read_text("utf-8")
