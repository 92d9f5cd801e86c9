"""An analysed game of Cheat in a terminal: every claim, what was worth doing, and hidden hands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ....models.game import SPECTATOR
from ...kit import plain_text
from ...kit.console import printable
from ...kit.number_words import bits, ordinal, percent, worth
from ..words import action_words, claimed
from .summary import judged_on, summary

if TYPE_CHECKING:
    from ..analysis import Analysis
    from ..findings import Claim, Hand, ValuedTurn

#: From this width on, decisions stand beside the claims.
WIDE: Final = 90
#: Below this width only what counts stands there: counting and the predictor together.
NARROW: Final = 80
#: Below this width claims need the room of what their players had.
NARROWEST: Final = 56
#: Columns of the claims, and at which side their words stand.
COLUMNS: Final[Mapping[str, Literal["left", "right"]]] = {
    "turn": "right",
    "claim": "left",
    "had them": "right",
    "counting": "right",
    "predicted": "right",
    "both": "right",
    "it was": "left",
    "called": "left",
    "best": "left",
    "call": "right",
    "else": "right",
}
BAR: Final = 20
#: Ranks of which fewer cards than this are expected are left out of the list of a hand.
FEW: Final = 0.005


def render(analysis: Analysis, width: int) -> RenderableType:
    """Everything there is to say, for a terminal of this many columns."""
    parts: list[RenderableType] = [_heading(analysis)]
    if analysis.claims:
        parts += [
            plain_text.title("Every claim, judged by the player who could call it"),
            _claims(analysis, width),
        ]
        parts.append(Text(_legend(analysis, width), style="dim"))
    for *_, hand in analysis.by_hand:
        if not hand.size:
            continue  # Nothing is hidden in it.
        parts += [plain_text.title(_hand_title(analysis, hand)), _cards(analysis, hand)]
    parts.append(_footer(analysis))
    return Group(*parts)


def _heading(analysis: Analysis) -> Text:
    recorded, record = analysis.recorded, analysis.recorded.record
    first, second = (printable(name) for name in record.players)
    text = Text(f"Cheat: {first} against {second}", style="bold")
    which = f"Game {record.number} of match {printable(record.match)}"
    if recorded.games > 1:
        which += f", the {ordinal(recorded.place)} of {recorded.games} in the file"
        which += " (--game N for another)" if recorded.place == 1 else ""
    text.append(f"\n{which}.", style="not bold")
    for line in summary(analysis):
        text.append(f"\n{printable(line)}", style="not bold")
    if record.source:
        text.append(f"\nSource: {printable(record.source)}", style="not bold dim")
    return text


def _claims(analysis: Analysis, width: int) -> Table:
    predicted, narrow = analysis.predictor is not None, width < NARROW
    choices = {choice.claim: choice for choice in analysis.choices if choice.claim is not None}
    advised = width >= WIDE and bool(choices)
    left_out = {
        "had them": width < NARROWEST,
        "counting": narrow and predicted,
        "predicted": narrow or not predicted,
        "both": not predicted,
        "best": not advised,
        "call": not advised,
        "else": not advised,
    }
    table = plain_text.table()
    for heading, justify in COLUMNS.items():
        if not left_out.get(heading):
            least = 11 if heading == "claim" else None
            table.add_column(
                Text(heading, style="dim"),
                justify=justify,
                no_wrap=heading not in ("claim", "best"),
                min_width=least,
            )
    for claim in analysis.claims:
        who = printable(analysis.recorded.name_of(claim.by))
        cells = [
            Text(str(claim.turn), style="dim"),
            Text(f"{who}: {claimed(claim.rank, claim.count)}"),
            Text(_percent(claim.held)),
            Text(_percent(claim.counting), style="" if predicted else "bold"),
            Text(_percent(claim.predicted)),
            Text(_percent(claim.probability), style="bold"),
            _truth(claim),
            _called(claim),
            *_advice(analysis, choices.get(claim.turn)),
        ]
        table.add_row(
            *(
                cell
                for cell, heading in zip(cells, COLUMNS, strict=True)
                if not left_out.get(heading)
            )
        )
    return table


def _truth(claim: Claim) -> Text:
    if claim.true is None:
        return Text("?", style="dim")
    return Text("true") if claim.true else Text("a lie", style="red")


def _called(claim: Claim) -> Text:
    if not claim.called:
        return Text("")
    right = claim.true is False
    return Text("caught" if right else "wrongly", style="green" if right else "yellow")


def _advice(analysis: Analysis, choice: ValuedTurn | None) -> list[Text]:
    if choice is None:
        return [Text(""), Text(""), Text("")]
    followed = choice.made == choice.best
    words = action_words(choice.best, choice.rank, len(analysis.recorded.ranks))
    return [
        Text(words, style="" if followed else "bold"),
        *(Text("" if value is None else worth(value)) for value in (choice.call, choice.otherwise)),
    ]


def _legend(analysis: Analysis, width: int) -> str:
    said = "Had them: how likely its player held such cards." if width >= NARROWEST else ""
    if analysis.predictor is None or width >= NARROW:
        said += (
            " Counting: how likely it was true, by counting alone, as if any cards of a hand were "
            "laid down alike."
        )
    if analysis.predictor is not None:
        said += " Both: counting and the predictor together, nothing counted twice."
    else:
        said += " People say the truth more often than that: a predictor (--predictor) knows."
    if analysis.choices and width >= WIDE:
        said += (
            " Best: what a search would have done, bold where the player did not; call, else: "
            "what a call and the best other action were worth (1 a won game, "
            "\N{MINUS SIGN}1 a lost one)."
        )
    return said.strip()


def _hand_title(analysis: Analysis, hand: Hand) -> str:
    name = analysis.recorded.name_of
    who = "a spectator" if hand.viewer == SPECTATOR else name(hand.viewer)
    return (
        f"What {printable(who)} could know of {printable(name(hand.of))}'s {hand.size} "
        f"{'card' if hand.size == 1 else 'cards'} after turn {hand.turn}"
    )


def _cards(analysis: Analysis, hand: Hand) -> RenderableType:
    table = plain_text.table()
    for side in ("left", "right", "left", "right"):
        table.add_column(justify=side)
    table.show_header = False
    order = sorted(range(len(hand.expected)), key=lambda rank: -float(hand.expected[rank]))
    most = max(float(hand.expected[order[0]]), 1.0) if order else 1.0
    out: list[str] = []
    for rank in order:
        expected, share = float(hand.expected[rank]), float(hand.any[rank])
        name = analysis.recorded.ranks[rank]
        if expected < FEW:
            out.append(name)
            continue
        held = "" if hand.truth is None else f"truly {hand.truth[rank]}"
        bar = Text("█" * round(BAR * expected / most) or "▏", style="red")
        table.add_row(
            Text(name), Text(f"{expected:.1f}"), bar, Text(f"any: {_percent(share)}"), Text(held)
        )
    rest = Text(f"None, or hardly any: {', '.join(out)}." if out else "", style="dim")
    return Group(table, rest) if out else table


def _footer(analysis: Analysis) -> RenderableType:
    text = Text(style="dim")
    on = judged_on(analysis)
    if on is not None:
        text.append(f"Judged on {on}.\n")
    for score, what in ((analysis.counting, "Counting"), (analysis.joined, "With the predictor")):
        if score is not None:
            text.append(
                f"{what}: log loss {bits(score.log_loss)} bits, Brier score {score.brier:.3f}.\n"
            )
    text.append(
        f"sleuth {analysis.version}, method {analysis.method}, agent {analysis.agent or 'none'}, "
        f"seed {analysis.seed}, record {analysis.recorded.digest[:12]}"
    )
    return Padding(text, (1, 0, 0, 0))


def _percent(probability: float | None) -> str:
    return "" if probability is None else f"{percent(probability)} %"
