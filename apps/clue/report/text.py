"""An analysed game of Clue in a terminal: what happened, what is known and why, what to ask."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ....models.clue.cards import CASE_FILE, CATEGORIES, FACE_UP
from ...kit import plain_text
from ...kit.analysis.moved_text import moved_text
from ...kit.console import printable
from ...kit.number_words import bits, listed, percent
from ..worth import YARDSTICK

if TYPE_CHECKING:
    from ....models.clue.seen import SeenGame
    from ...kit.proving import Proven
    from ..analysis import Analysis, Moment
    from ..worth import Worth

WIDE: Final = 100
"""From this width on, the likeliest case files have a column of their own."""

_CASE_FILES: Final = 10
_NOTHING: Final = 1e-9


def render(analysis: Analysis, width: int) -> RenderableType:
    """Everything there is to say below the `heading`, for a terminal of this many columns."""
    parts: list[RenderableType] = [_story(analysis, width)]
    if any(moment.turn for moment in analysis.timeline):
        parts += [plain_text.title(f"What {analysis.viewer} asked"), _own_turns(analysis)]
    parts += [
        plain_text.title("Who has what, in percent"),
        notebook_table(analysis, width),
        plain_text.title("What is certain, and why"),
        _certain(analysis),
        plain_text.title("The case file"),
        _case_file(analysis),
    ]
    if analysis.moved:
        parts += [plain_text.title("What moved the belief most"), moved_text(analysis.moved)]
    if analysis.is_player:
        parts += [plain_text.title("What to suggest next"), _suggestions(analysis)]
    parts.append(_footer(analysis))
    return Group(*parts)


def short_names(names: Sequence[str], length: int) -> list[str]:
    """Names cut to a length, still telling them apart: by their last letter, else by number."""
    if all(len(name) <= length for name in names):
        return list(names)
    for cut in (
        [name[:length] for name in names],
        [name if len(name) <= length else name[: length - 1] + name[-1] for name in names],
    ):
        if len(set(cut)) == len(names):
            return cut
    return [f"P{place}" for place in range(1, len(names) + 1)]


def heading(game: SeenGame, name: str | None, source: str | None) -> Text:
    """The name of the record, its players, and whose view it is."""
    text = Text(printable(name or "A game of Clue"), style="bold")
    hands = ", ".join(f"{player} ({size})" for player, size in game.hand_sizes)
    text.append(f"\nPlayers, with their number of cards: {hands}", style="not bold")
    if game.face_up:
        text.append(f"\nFace up: {listed(game.face_up)}", style="not bold")
    if not game.is_player:
        what = "the whole notebook" if game.viewer == "notebook" else "what a spectator sees"
        text.append(f"\nThis is {what}.", style="not bold")
    elif game.own_hand:
        hand = listed(game.own_hand)
        text.append(f"\nSeen by {game.viewer}, who holds {hand}.", style="not bold")
    else:
        text.append(f"\nSeen by {game.viewer}, whose hand is not known.", style="not bold")
    if source:
        text.append(f"\nSource: {printable(source)}", style="not bold dim")
    text.append("\n")
    return text


def _story(analysis: Analysis, width: int) -> Table:
    wide = width >= WIDE
    table = plain_text.table(
        ("", "right"), ("what happened", "left"), ("entropy", "right"), ("bits", "right")
    )
    if wide:
        table.add_column(Text("likeliest case files", style="dim"))
    table.columns[1].ratio = 3 if wide else None
    before: Moment | None = None
    for moment in analysis.timeline:
        change = moment.entropy_bits - before.entropy_bits if before else 0.0
        moved = before is None or abs(change) > _NOTHING or moment.leading != before.leading
        told = bits(change, sign=True) if abs(change) > _NOTHING else ""
        event = Text(moment.text)
        leading = _leading(moment) if moved else Text()
        if not wide and moved:
            event = Text("\n").join([event, leading])
        style = "bold" if change < -0.5 else ""
        row: list[RenderableType] = [
            Text(str(moment.event), style="dim"),
            event,
            Text(bits(moment.entropy_bits)),
            Text(told, style=style),
        ]
        table.add_row(*row, *([leading] if wide else []))
        before = moment
    return table


def _leading(moment: Moment) -> Text:
    lines = (f"{percent(p)} % {', '.join(triple)}" for triple, p in moment.leading)
    return Text("\n".join(lines), style="cyan")


def _own_turns(analysis: Analysis) -> RenderableType:
    table = plain_text.table(("", "right"), ("asked", "left"), ("worth", "right"), ("best", "left"))
    for moment in analysis.timeline:
        turn = moment.turn
        if turn is None:
            continue
        best = [
            f"{bits(each.worth)}  {', '.join(each.cards)}{_tied(each, turn.best)}"
            for each in turn.best
            if each.bits > _NOTHING
        ]
        table.add_row(
            Text(str(moment.event), style="dim"),
            Text(", ".join(turn.made.cards)),
            Text(bits(turn.made.worth)),
            Text("\n".join(best) or "nothing left to learn", style="" if best else "dim"),
        )
    note = f"By what was known before each: {YARDSTICK}"
    return Group(Text(note, style="dim"), table)


def notebook_table(analysis: Analysis, width: int) -> Table:
    """Who has what after the last event, in percent."""
    holders = analysis.holders
    widest = max(len(card) for cards in CATEGORIES.values() for card in cards)
    gap = 2 if width >= 80 else 1
    room = max((width - widest - gap) // len(holders) - gap, 3)
    names = [*short_names(analysis.players, room), _fitting(room, "case file", "case", "cf")]
    if analysis.face_up:
        names.append(_fitting(room, "face up", "up"))
    table = plain_text.table(("", "left"), gap=gap)
    for heading in names:
        table.add_column(Text(heading, style="dim"), justify="right", no_wrap=True)
    proven = {(each.name, each.value) for each in analysis.proven}
    for category, cards in CATEGORIES.items():
        table.add_row(Text(f"{category}s", style="dim italic"))
        for card in cards:
            shares = analysis.marginals[card]
            cells = [
                _cell(shares.get(holder, 0.0), (card, holder) in proven, holder, analysis.exact)
                for holder in holders
            ]
            table.add_row(Text(card), *cells)
    return table


def _fitting(length: int, *names: str) -> str:
    """The first of the names that is not longer; else the last."""
    return next((name for name in names if len(name) <= length), names[-1])


def _cell(probability: float, proven: bool, holder: str, exact: bool) -> Text:
    if proven:
        return Text("✓", style="bold red" if holder == CASE_FILE else "bold green")
    if probability == 0.0:
        return Text("✗" if exact else "0", style="dim")
    if probability >= 1.0 and not exact:
        return Text("100")
    style = "red" if holder == CASE_FILE else ""
    return Text(percent(probability), style=style)


def _certain(analysis: Analysis) -> RenderableType:
    given = [each for each in analysis.proven if not each.events]
    learned = sorted(
        (each for each in analysis.proven if each.events), key=lambda each: max(each.events)
    )
    table = plain_text.table(("", "left"), ("", "left"), header=False)
    for holder, cards in _by_holder(given):
        table.add_row(Text(f"{_has(holder)} {listed(cards)}"), Text("from the start", style="dim"))
    for each in learned:
        numbers = [str(number) for number in each.events]
        because = f"event{'s' if len(numbers) > 1 else ''} {listed(numbers)}"
        style = "bold" if each.value == CASE_FILE else ""
        table.add_row(
            Text(f"{_has(each.value)} {each.name}", style=style), Text(because, style="dim")
        )
    return table if analysis.proven else Text("Nothing yet.")


def _by_holder(certain: Iterable[Proven]) -> Iterator[tuple[str, list[str]]]:
    cards: dict[str, list[str]] = {}
    for each in certain:
        cards.setdefault(each.value, []).append(each.name)
    yield from cards.items()


def _has(holder: str) -> str:
    if holder == CASE_FILE:
        return "in the case file:"
    return "face up:" if holder == FACE_UP else f"{holder} has"


def _case_file(analysis: Analysis) -> RenderableType:
    table = plain_text.table(("", "left"), ("", "right"), ("", "left"), header=False)
    for triple, probability in analysis.case_file[:_CASE_FILES]:
        bar = "█" * round(20 * probability) or "▏"
        table.add_row(
            Text(", ".join(triple)), Text(f"{percent(probability)} %"), Text(bar, style="red")
        )
    more = len(analysis.case_file) - _CASE_FILES
    entropy = bits(analysis.timeline[-1].entropy_bits)
    rest = f"{more} more are possible; e" if more > 0 else "E"
    return Group(table, Text(f"{rest}ntropy {entropy} bits.", style="dim"))


def _suggestions(analysis: Analysis) -> RenderableType:
    useful = [each for each in analysis.advised if each.bits > _NOTHING]
    if not useful:
        asked = bool(analysis.advised)
        return Text("No suggestion tells anything more." if asked else "Not asked for.")
    table = plain_text.table(
        ("", "right"),
        ("suggestion", "left"),
        ("bits it tells", "right"),
        ("sure", "right"),
        ("worth", "right"),
    )
    rank = 1
    for place, each in enumerate(useful, start=1):
        # What ties has the same rank.
        rank = rank if place > 1 and each.ties(useful[place - 2]) else place
        table.add_row(
            Text(str(rank), style="dim"),
            Text(", ".join(each.cards)),
            Text(bits(each.bits)),
            Text(f"{percent(each.sure)} %"),
            Text(bits(each.worth)),
        )
    return Group(table, Text(YARDSTICK, style="dim"))


def _tied(one: Worth, others: Sequence[Worth]) -> str:
    """A sign for what is worth the same as another in the list."""
    return " =" if sum(one.ties(each) for each in others) > 1 else ""


def _footer(analysis: Analysis) -> RenderableType:
    kind = "exact" if analysis.exact else f"approximate, seed {analysis.seed}"
    text = Text(style="dim")
    text.append(
        f"sleuth {analysis.version}, method {analysis.method} ({kind}), refuters' choice "
        f"{analysis.choice}, record {analysis.record_sha256[:12]}"
    )
    for note in analysis.notes:
        text.append(f"\nNote: {note}")
    return Padding(text, (1, 0, 0, 0))
