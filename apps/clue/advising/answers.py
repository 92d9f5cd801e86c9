"""Answers to somebody at a table of Clue: what is known, what to suggest, show and accuse."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Final

import numpy as np

from ....beliefs.arrays.layout import Floats
from ....beliefs.games.clue.declaration import ClueDeclaration
from ....data.errors import ContradictionError, RecordError
from ....models.clue.board.board import board
from ....models.clue.board.squares import square_name
from ....models.clue.cards import CASE_FILE, FACE_UP
from ....models.clue.events import Named, Triple
from ...kit.answers.values import Paragraph, Statement, Statements, right, sheet
from ...kit.number_words import bits, counted, listed, percent, whole_number
from ..words import holding
from ..worth import (
    ESTIMATED,
    YARDSTICK,
    Worth,
    dear,
    few_by_room,
    most_worth,
    on_drawn_deals,
    suggestions_of,
    tied_first,
    tied_rows,
)
from .accusing import waiting
from .sentences import three_named
from .showing import to_show
from .table import CERTAIN, ClueSetup

if TYPE_CHECKING:
    from ....planners.clue.treasure_hunt.hunt import Plan
    from .lines import Reader

#: Suggestions that are listed.
LISTED: Final = 5
NOTHING: Final = 1e-9
MEANING: Final = Paragraph(YARDSTICK, "soft")


def news(table: ClueSetup, before: ClueSetup | None) -> Statements:
    """All that is known now and was not, and what the player whose turn it is should know.

    Args:
        table: The game now.
        before: The game before, where it does not contradict what was set up.
    """
    known: dict[str, str] = {}
    with suppress(ContradictionError):
        known = {} if before is None else before.certain
    lines = [
        f"Certain: {holding(card, holder)}, {said_by(proof(table, card, holder))}."
        for card, holder in table.certain.items()
        if known.get(card) != holder and holder not in (table.me, FACE_UP)
    ]
    (suspect, weapon, room), chance = table.leading
    file = listed((suspect, weapon, room))
    if table.over:
        lines.append(f"The case file was {file}, and the game is over.")
    elif table.bits < NOTHING:
        lines += [f"The case file is {file}: accuse.", *_hangs(table)]
    else:
        lines.append(
            f"Case file: {bits(table.bits)} bits open, likeliest {suspect}, {weapon}, {room} "
            f"({percent(chance)} %){_tied(table)}."
        )
        lines += _at_once(table)
    return [Paragraph("\n".join(lines))]


def _tied(table: ClueSetup) -> str:
    """Words behind the likeliest case file, if others are as likely."""
    rivals = table.rivals
    return f", tied with {counted(rivals, 'other')}" if rivals else ""


def _at_once(table: ClueSetup) -> list[str]:
    """The card to show if one is asked."""
    asked = table.open
    if asked is None or asked.by == table.me:
        return []
    held = [card for card in asked.cards if card in table.game.own_hand]
    if not held:
        return []
    found = to_show(table.answered, asked.by, asked.cards)
    if not found:
        return []
    alike = dear(table.belief, table.posterior) and not found[0].known
    cards = listed([each.card for each in (found if alike else found[:1])], "or")
    return [f"If you are asked, show {cards}."]


def notebook(table: ClueSetup) -> Statements:
    """The holder of each card, as likely as it is."""
    from ...kit.analysis.following import follow
    from ..recorded import Recorded
    from ..report.text import notebook_sheet
    from ..transcript import ClueTranscript

    recorded = Recorded(game=table.game)
    return [notebook_sheet(follow(ClueTranscript(recorded, suggestions=0)))]


def _ended(table: ClueSetup) -> Statements:
    """Words for somebody who cannot win any more; empty where one can."""
    if table.over:
        return [Paragraph("The game is over.")]
    if table.me in table.out:
        if table.me in table.belief.skipped:
            return [Paragraph("You are out.")]
        return [Paragraph("You are out: you only refute.")]
    return []


def best(table: ClueSetup, reader: Reader, rest: str) -> Statements:
    """Suggestions, in a room or in any; and where to go, if it is known where they stand."""
    if ended := _ended(table):
        return ended
    if rest and not (rest.isascii() and rest.isdigit()):
        return _suggestions(table, _room(reader, rest))
    roll = whole_number(rest, table.dice, 6 * table.dice)
    if rest and roll is None:
        hint = f"write a number from {table.dice} to {6 * table.dice}"
        raise RecordError("this is no roll", value=rest, hint=hint)
    if table.bits < NOTHING:
        return [Paragraph(f"Nothing is open: accuse {listed(table.leading[0])}.")]
    here = table.place if table.record.rules.room == "own" else None
    if here is None:
        if rest:
            raise RecordError(
                "where you stand is not known", value=rest, hint="write 'at kitchen' first"
            )
        return _suggestions(table, None)
    from ....planners.clue.treasure_hunt.hunt import TreasureHunt

    few = few_by_room(table.belief, table.posterior)
    found = {room: each[0] for room, each in few.items()}
    alike = [room for room, each in few.items() if tied_first(each) > 1]
    hunt = TreasureHunt(belief=table.belief, dice=table.dice)
    worth = _by_room(table.belief, {each.cards: each.worth for each in found.values()}, -1.0)
    told = _by_room(table.belief, {each.cards: each.bits for each in found.values()}, 0.0)
    plan = hunt.plan_of(worth, *here, bits=told)
    return _rooms(table, plan, found, roll, alike)


def _by_room(belief: ClueDeclaration, known: Mapping[Named, float], else_: float) -> Floats:
    """Something of each suggestion; shape (rooms, pairs of a suspect and a weapon)."""
    values = [known.get(cards, else_) for cards in suggestions_of(belief)]
    return np.array(values).reshape(-1, len(belief.edition.rooms)).T


def _room(reader: Reader, rest: str) -> str:
    try:
        cards = reader.cards(rest)
    except RecordError:
        cards = []
    rooms = reader.edition.rooms
    if len(cards) != 1 or cards[0] not in rooms:
        known = "lounge" if "lounge" in rooms else rooms[0]
        raise RecordError(
            "this is neither a roll nor a room",
            value=rest,
            hint=f"write 'best', 'best 5' with a roll of five, or 'best {known}' for a room",
        )
    return cards[0]


def _suggestions(table: ClueSetup, room: str | None) -> Statements:
    """The suggestions that are worth most, in a room or in any."""
    if room is not None and table.record.rules.room == "none":
        raise RecordError("at this table suggestions name no room", value=room, hint="write 'best'")
    rooms = None if room is None else (room,)
    found = most_worth(table.belief, table.posterior, LISTED, rooms=rooms)
    rows = [
        (", ".join(each.cards), bits(each.bits), f"{percent(each.sure)} %", bits(each.worth))
        for each in found
    ]
    heads = map(right, ("bits it tells", "sure", "worth"))
    parts: list[Statement] = [sheet("suggestion", *heads, rows=rows), MEANING]
    if found[0].drawn:
        parts.append(Paragraph(ESTIMATED, "soft"))
    if (tied := tied_first(found)) > 1:
        these = "All of these" if tied == len(found) else f"The first {tied}"
        parts.append(Paragraph(f"{these} are worth the same: take any of them."))
    parts += _ties([each.worth for each in found], skip=tied)
    if room is None and table.edition.board and table.record.rules.room == "own":
        note = "These are for any room. Say where your pawn stands to count the way there."
        parts.append(Paragraph(note, "soft"))
    return parts


def _ties(worth: Sequence[float], *, skip: int = 0) -> Statements:
    """Rows that are worth the same, but for those that begin the table where that was said."""
    runs = [(first, last) for first, last in tied_rows(worth) if last > skip]
    rows = [f"{first} {'and' if last == first + 1 else 'to'} {last}" for first, last in runs]
    return [Paragraph(f"Rows {each} are worth the same.") for each in rows]


def _rooms(
    table: ClueSetup, plan: Plan, found: Mapping[str, Worth], roll: int | None, alike: Sequence[str]
) -> Statements:
    rows = [
        (
            each.room,
            ", ".join(each.suggestion[:2]),
            bits(each.gain),
            f"{percent(found[each.room].sure)} %",
            bits(found[each.room].worth),
            f"{each.turns:.1f}",
        )
        for each in plan.rooms[:LISTED]
    ]
    heads = map(right, ("bits", "sure", "worth", "turns"))
    made = sheet("go to", "and suggest", *heads, rows=rows)
    order = f"Rooms are ordered by worth, minus {plan.turn:g} for each turn it takes to get there."
    parts: list[Statement] = [made, MEANING, Paragraph(order, "soft")]
    if found[plan.rooms[0].room].drawn:
        parts.append(Paragraph(ESTIMATED, "soft"))
    parts += _ties([each.value for each in plan.rooms[:LISTED]])
    listed_rooms = [each.room for each in plan.rooms[:LISTED]]
    if others := [room for room in listed_rooms if room in alike]:
        where = "each of these rooms" if len(others) == len(listed_rooms) else listed(others)
        parts.append(Paragraph(f"Other cards are worth the same in {where}."))
    if roll is None:
        stay = _staying(table, plan, found)
        if stay is not None:
            parts.append(stay)
        elif plan.passage is not None:
            go = f"Take the secret passage to the {plan.passage}; do not roll"
            parts.append(Paragraph(f"{go}:\n  {plan.passage_because}."))
    else:
        step = plan.step(roll)
        where = f"the {step.place}" if isinstance(step.place, str) else _square(step.place)
        go = "stay" if step.place == plan.ways.name(plan.place) else f"go to {where}"
        parts.append(Paragraph(f"With a roll of {roll} {go}:\n  {step.because}."))
    return parts


def _staying(table: ClueSetup, plan: Plan, found: Mapping[str, Worth]) -> Paragraph | None:
    """Advice to suggest where another's suggestion moved one, if going on is not worth more."""
    room = table.moved
    if room is None:
        return None
    best_here = found[room]
    if best_here.worth < plan.best.value:
        return None
    suspect, weapon = best_here.cards[:2]
    return Paragraph(f"Stay in the {room}, suggest {suspect} and {weapon}, and do not roll.")


def showing(table: ClueSetup, reader: Reader, rest: str) -> Statements:
    """The card to show, and to whom."""
    asked = table.open
    if rest:
        said = reader.event(rest, table.game.players[0])
        if said["type"] != "suggest" or said["by"] == table.me:
            raise RecordError(
                "who asks you, and for what?",
                value=rest,
                hint="write 'show', who suggests, and three cards",
            )
        by, cards = str(said["by"]), _triple(said["cards"])
    elif asked is not None and asked.by != table.me:
        by, cards = asked.by, asked.cards
    else:
        raise RecordError(
            "no suggestion of another is open",
            hint=f"write 'show ada {three_named(table.edition)}'",
        )
    if table.me in table.belief.skipped:
        return [Paragraph("You are out, and nobody asks you any more.")]
    held = [card for card in cards if card in table.game.own_hand]
    if not held:
        return [Paragraph("You hold none of these: say so.")]
    found = to_show(table.answered, by, cards)
    if not found:
        raise RecordError(
            "you will not be asked: a player who is asked before you holds one of these",
            value=" ".join(cards),
        )
    if len(found) == 1:
        return [Paragraph(f"Show {found[0].card}: it is the only one you hold.")]
    if dear(table.belief, table.posterior) and not found[0].known:
        cards_held = listed([each.card for each in found], "or")
        said = f"Show {cards_held}: what each would tell {by} takes too long to work out."
        return [Paragraph(said)]
    known = Paragraph(f"you showed it to {by} before", "soft")
    rows = [(each.card, bits(each.bits), known if each.known else "") for each in found]
    who = "the others" if table.record.rules.open else by
    return [sheet("show", right(f"bits still open to {who}"), "", rows=rows)]


def ready(table: ClueSetup) -> Statements:
    """Advice to accuse, or to wait."""
    if ended := _ended(table):
        return ended
    file, chance = table.leading
    if table.bits < NOTHING:
        return [Paragraph("\n".join([f"Accuse {listed(file)}: it is certain.", *_hangs(table)]))]
    if dear(table.belief, table.posterior):
        after = max(each.sure for each in on_drawn_deals(table.belief, table.posterior))
        lines = [
            f"Likeliest is {listed(file)}: {percent(chance, 1)} %{_tied(table)}.",
            f"After your next suggestion you are right with a chance of about {percent(after)} %.",
            "So many deals are possible that what the others know is not worked out.",
        ]
        return [Paragraph("\n".join(lines))]
    found = waiting(table)
    outlook = found.outlook
    know = ", ".join(f"{name} {percent(share)} %" for name, share in found.know.items())
    lines = [
        f"Likeliest is {listed(file)}: {percent(chance, 1)} % by what was entered{_tied(table)}.",
        f"If you accuse now, you win with a chance of about {percent(outlook.right, 1)} %.",
        f"If you wait, you win with a chance of about {percent(outlook.waiting)} %:",
        f"  the chance to be right after your next suggestion is about {percent(outlook.after)} %,",
        f"  the chance that another wins before it is about {percent(outlook.sooner)} %.",
    ]
    if know:
        lines.append(f"Chances that others know the case file by now: {know}.")
        lines.append("All this takes into account that nobody who knew it would have passed.")
    if found.accuse:
        lines.append("Accuse: waiting wins much less often.")
    elif outlook.right > outlook.waiting:
        lines.append(
            "Do not accuse yet: it looks better, but as long as nobody accuses, the likeliest case "
            "file is right less often than it seems."
        )
    else:
        lines.append("Do not accuse yet.")
    return [Paragraph("\n".join(lines))]


def why(table: ClueSetup, reader: Reader, rest: str) -> Statements:
    """The entries that prove where a card is; else where it may be."""
    cards = reader.cards(rest)
    if len(cards) != 1:
        raise RecordError(
            "which card?", value=rest, hint=f"write 'why {table.edition.suspects[-1]}'"
        )
    card = cards[0]
    holder = table.certain.get(card)
    if holder is None:
        shares = table.posterior.table(table.belief.cards)[card]
        likely = sorted(shares.items(), key=lambda pair: -pair[1])
        said = ", ".join(f"{who} {percent(share)} %" for who, share in likely if share > 0.0)
        return [Paragraph(f"Where {card} is, is open: {said}.")]
    numbers = proof(table, card, holder)
    lines = [f"{holding(card, holder)}, {said_by(numbers)}."]
    for number in numbers:
        shares = table.belief.infer(table.without(number)).table(table.belief.cards)[card]
        likely = sorted(shares.items(), key=lambda pair: -pair[1])
        if likely[0][1] >= CERTAIN:
            lines.append(f"If entry {number} is wrong, it is certain all the same.")
            continue
        said = ", ".join(f"{who} {percent(share)} %" for who, share in likely if share > 0.0)
        lines.append(f"If entry {number} is wrong, then who has {card} is open: {said}.")
    return [Paragraph("\n".join(lines))]


def proof(table: ClueSetup, card: str, holder: str) -> list[int]:
    """The entries that prove where a card is."""
    because = table.posterior.explain(table.belief.cards.holder_of(card).equals(holder))
    return [unit for unit in because if isinstance(unit, int)]


def said_by(numbers: Sequence[int]) -> str:
    """The entries that prove something, in words."""
    if not numbers:
        return "from the start"
    return f"by {'entry' if len(numbers) == 1 else 'entries'} {listed([*map(str, numbers)])}"


def _hangs(table: ClueSetup) -> list[str]:
    """The entries on which the certain case file hangs, and how much on the weightiest of them."""
    is_it = table.belief.cards.all_of(CASE_FILE, table.leading[0])
    numbers = [unit for unit in table.posterior.explain(is_it) if isinstance(unit, int)]
    if not numbers:
        return []
    left = {
        number: table.belief.infer(table.without(number)).probability(is_it) for number in numbers
    }
    worst = min(left, key=lambda number: left[number])
    if left[worst] >= CERTAIN:
        return [f"That is proven {said_by(numbers)}, and no single wrong entry would change it."]
    return [
        f"That hangs on {said_by(numbers).removeprefix('by ')}: if entry {worst} is wrong, then "
        f"its chance is {percent(left[worst])} %."
    ]


def _square(square: tuple[int, int]) -> str:
    beside = [room for room, door in board().doors if door == square]
    door = f", before the {beside[0]}" if beside else ""
    return f"{square_name(square)}{door}"


def _triple(cards: list[str]) -> Triple:
    suspect, weapon, room = cards
    return suspect, weapon, room
