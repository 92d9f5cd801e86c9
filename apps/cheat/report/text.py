"""An analysed game of Cheat as text: every claim, what was worth doing, and hidden hands."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ....models.game import SPECTATOR
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
from ...kit.number_words import bits
from ..findings import CheatAnalysis, CheatDetail, CheatFindings, Hand
from .claims import cells, headings, share
from .summary import judged_on, summary

#: From this width on, decisions stand beside the claims.
WIDE: Final = 90
#: From this width on counting and the predictor stand there, and not only both together.
BROAD: Final = 80
#: From this width on it can be seen whether their players had such cards.
ROOMY: Final = 56
#: Columns of words; those of others are set at the right.
LEFT: Final = ("claim", "it was", "called", "best")
#: Those that may take more than one line.
FOLDED: Final = ("claim", "best")
#: Letters that a claim needs.
CLAIM: Final = 11
BAR: Final = 20
#: Ranks of which fewer cards than this are expected are left out of the list of a hand.
FEW: Final = 0.005


class CheatText(AnalysisText[CheatDetail, CheatFindings]):
    """The text on a game of Cheat."""

    def sections(self, analysis: CheatAnalysis) -> Iterator[Statement]:
        """The game in a few sentences, every claim, and hidden hands in the end."""
        found = analysis.findings
        yield Paragraph("\n".join(summary(found)))
        if found.claims:
            yield Section("Every claim, judged by the player who could call it", (_claims(found),))
        for *_, hand in found.by_hand:
            if hand.size:  # Else nothing is hidden in it.
                yield Section(_hand_title(found, hand), _cards(found, hand))

    def footer(self, analysis: CheatAnalysis) -> str:
        """On what the scores are taken, and how the numbers were made."""
        found, text = analysis.findings, ""
        on = judged_on(found)
        if on is not None:
            text += f"Judged on {on}.\n"
        for score, what in ((found.counting, "Counting"), (found.joined, "With the predictor")):
            if score is not None:
                text += (
                    f"{what}: log loss {bits(score.log_loss)} bits, "
                    f"Brier score {score.brier:.3f}.\n"
                )
        agent = analysis.agent or "none"
        return f"{text}Method: {analysis.method}, agent {agent}. {made_by(analysis)}"


def _claims(found: CheatFindings) -> Sheet:
    shown, notes = headings(found), _notes(found)
    room = {"had them": ROOMY, "best": WIDE, "call": WIDE, "else": WIDE}
    if found.predictor is not None:
        room |= {"counting": BROAD, "predicted": BROAD}
    columns = [
        Column(
            heading,
            "left" if heading in LEFT else "right",
            whole=heading not in FOLDED,
            room=room.get(heading, 0),
            least=CLAIM if heading == "claim" else 0,
            note=notes.get(heading, ""),
        )
        for heading in shown
    ]
    rows: list[tuple[Cell, ...]] = []
    known = "counting" if found.predictor is None else "both"
    for claim in found.claims:
        said, choice = cells(found, claim), found.advised.get(claim.turn)
        lie = claim.true is False
        said["claim"] = f"{found.recorded.name_of(claim.by)}: {said['claim']}"
        said["called"] = "caught" if said["called"] == "rightly" else said["called"]
        tones: dict[str, Tone] = {
            "turn": "soft",
            known: "strong",
            "it was": "strong" if lie else "soft" if claim.true is None else "plain",
            "called": "new" if lie else "plain",
            "best": "strong" if choice is not None and choice.done != choice.chosen else "plain",
        }
        rows.append(tuple(Paragraph(said[each], tones.get(each, "plain")) for each in shown))
    return sheet(*columns, rows=rows)


def _notes(found: CheatFindings) -> dict[str, str]:
    """The meaning of each column, by its heading."""
    counting = (
        "Counting: how likely it was true, by counting alone, as if any cards of a hand were laid "
        "down alike."
    )
    if found.predictor is None:
        counting += " People say the truth more often than that: a predictor (--predictor) knows."
    return {
        "had them": "Had them: how likely its player held such cards.",
        "counting": counting,
        "both": "Both: counting and the predictor together, nothing counted twice.",
        "best": "Best: what a search would have done, bold where the player did not; call, else: "
        "what a call and the best other action were worth (1 a won game, \N{MINUS SIGN}1 a lost "
        "one).",
    }


def _hand_title(found: CheatFindings, hand: Hand) -> str:
    name = found.recorded.name_of
    who = "a spectator" if hand.viewer == SPECTATOR else name(hand.viewer)
    return (
        f"What {who} could know of {name(hand.of)}'s {hand.size} "
        f"{'card' if hand.size == 1 else 'cards'} after turn {hand.turn}"
    )


def _cards(found: CheatFindings, hand: Hand) -> tuple[Statement, ...]:
    rows: list[tuple[Cell, ...]] = []
    order = sorted(range(len(hand.expected)), key=lambda rank: -float(hand.expected[rank]))
    most = max(float(hand.expected[order[0]]), 1.0) if order else 1.0
    out: list[str] = []
    for rank in order:
        expected = float(hand.expected[rank])
        name = found.recorded.ranks[rank]
        if expected < FEW:
            out.append(name)
            continue
        held = "" if hand.truth is None else f"truly {hand.truth[rank]}"
        any_of = f"any: {share(float(hand.any[rank]))}"
        rows.append((name, f"{expected:.1f}", expected / most, any_of, held))
    table = sheet("", right(), Column(bar=BAR, accent=True, room=1), right(), "", rows=rows)
    rest = Paragraph(f"None, or hardly any: {', '.join(out)}.", "soft")
    return (table, rest) if out else (table,)
