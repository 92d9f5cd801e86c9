"""An analysed game of Cheat for many as text: every claim, calls worth making, and hidden hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....models.cheat import RANK_NAMES
from ...kit.analysis.page import who
from ...kit.analysis.text import AnalysisText, made_by
from ...kit.answers.values import (
    Cell,
    Column,
    Paragraph,
    Section,
    Sheet,
    Statement,
    Tone,
    right,
    sheet,
)
from ...kit.number_words import bits, percent
from .findings import ManyCheatAnalysis, ManyCheatDetail, ManyCheatFindings, ManyClaim, ManyHand
from .summary import judged_on, summary
from .words import claimed

#: From this width on counting alone stands beside all that was known.
BROAD: Final = 72
#: Letters that a claim needs.
CLAIM: Final = 12
BAR: Final = 20
#: Ranks of which fewer cards than this are expected are left out of the list of a hand.
FEW: Final = 0.05


class ManyCheatText(AnalysisText[ManyCheatDetail, ManyCheatFindings]):
    """The text on a game of Cheat for many."""

    def sections(self, analysis: ManyCheatAnalysis) -> Iterator[Statement]:
        """The game in a few sentences, every claim, and the others' hands in the end."""
        found = analysis.findings
        yield Paragraph("\n".join(summary(found)))
        if found.claims:
            yield Section(claims_title(analysis), (claim_sheet(found),))
        for hand in found.hands:
            if hand.size:
                yield Section(hand_title(found, hand), hand_parts(hand))

    def footer(self, analysis: ManyCheatAnalysis) -> str:
        """On what the scores are taken, and how the numbers were made."""
        found, text = analysis.findings, ""
        if found.counting is not None and found.joined is not None:
            text = f"Judged on {judged_on(found)}.\n"
            for score, what in ((found.counting, "Counting"), (found.joined, "All together")):
                text += (
                    f"{what}: log loss {bits(score.log_loss)} bits, "
                    f"Brier score {score.brier:.3f}.\n"
                )
        return f"{text}Method: {analysis.method.replace('_', ' ')}. {made_by(analysis)}"


def claims_title(analysis: ManyCheatAnalysis) -> str:
    """The heading of the list of claims."""
    return f"Every claim, by what {who(analysis)} could know when it could be called"


def claim_sheet(found: ManyCheatFindings) -> Sheet:
    """Every claim: how likely it was, what it was, and what became of it."""
    known = "predicted" if found.predictor is not None else "likely"
    columns = [
        Column("turn", "right", whole=True),
        Column("claim", least=CLAIM),
        Column("counting", "right", whole=True, room=BROAD, note=NOTES["counting"]),
        Column(known, "right", whole=True, note=NOTES[known]),
        Column("call", "right", whole=True, note=NOTES["call"]),
        Column("it was", whole=True),
        Column("called", whole=True),
    ]
    return sheet(*columns, rows=[_row(found, claim) for claim in found.claims])


#: The meaning of columns.
NOTES: Final = {
    "counting": "Counting: how likely it was true, by the cards alone, as if any cards of a hand "
    "were laid down alike.",
    "predicted": "Predicted: the same by all that was known, habits included, by a predictor; "
    "nothing is counted twice.",
    "likely": "Likely: the same, if people are mostly honest where they can be.",
    "call": "Call: the cards that a call was expected to win on the average of the others; it is "
    "worth it above 0.",
}


def _row(found: ManyCheatFindings, claim: ManyClaim) -> tuple[Cell, ...]:
    lie = claim.true is False
    gain = claim.gain(found.players)
    worth = claim in found.worth_calling
    tones: tuple[Tone, ...] = (
        "soft",
        "plain",
        "plain",
        "plain" if claim.own else "strong",
        "strong" if worth else "plain",
        "strong" if lie else "soft" if claim.true is None else "plain",
        "new" if lie else "plain",
    )
    cells = (
        str(claim.turn),
        f"{found.record.players[claim.by]}: {claimed(claim.rank, claim.count)}",
        share(claim.counting),
        share(claim.probability),
        "" if gain is None else f"{gain:+.1f}".replace("-", "\N{MINUS SIGN}"),
        {None: "?", True: "true", False: "a lie"}[claim.true],
        _called(found, claim),
    )
    return tuple(Paragraph(cell, tone) for cell, tone in zip(cells, tones, strict=True))


def _called(found: ManyCheatFindings, claim: ManyClaim) -> str:
    if claim.caller is None:
        return "worth it" if claim in found.worth_calling else ""
    return (
        f"{found.record.players[claim.caller]}, {'rightly' if claim.true is False else 'wrongly'}"
    )


def share(probability: float | None) -> str:
    """A probability in percent; empty where there is none."""
    return "" if probability is None else f"{percent(probability)} %"


def hand_title(found: ManyCheatFindings, hand: ManyHand) -> str:
    """The heading of what is known of a hand."""
    name = found.record.players[hand.of]
    cards = "card" if hand.size == 1 else "cards"
    return f"What {name}'s {hand.size} {cards} may be in the end"


def hand_parts(hand: ManyHand) -> tuple[Statement, ...]:
    """The ranks of a hand, of which most are expected first."""
    rows: list[tuple[Cell, ...]] = []
    order = sorted(range(len(hand.expected)), key=lambda rank: -float(hand.expected[rank]))
    most = max(float(hand.expected[order[0]]), 1.0)
    out: list[str] = []
    for rank in order:
        expected = float(hand.expected[rank])
        if expected < FEW:
            out.append(RANK_NAMES[rank])
            continue
        held = "" if hand.truth is None else f"truly {hand.truth[rank]}"
        any_of = f"any: {share(float(hand.any[rank]))}"
        rows.append((RANK_NAMES[rank], f"{expected:.1f}", expected / most, any_of, held))
    table = sheet("", right(), Column(bar=BAR, accent=True, room=1), right(), "", rows=rows)
    rest = Paragraph(f"None, or hardly any: {', '.join(out)}.", "soft")
    return (table, rest) if out else (table,)
