"""The rules of Clue for a record: the deal adds up, and the events fit the truth."""

from __future__ import annotations

from collections.abc import Iterable

from ....data.errors import RecordError
from ..cards import CASE_FILE, FACE_DOWN
from ..events import Accusation, ClueEvent, Has, Look, Move, NotHas, OneOf, Suggestion, Triple
from ..hand_sizes import left_over, possible_sizes
from .schema import place
from .written import ClueNotes

CASE_FILE_SIZE = 3
_SKIPPED = 'write "rules": {"player_out": "skipped"}'


def check(record: ClueNotes) -> None:
    """Refuses a record of a game that cannot have been.

    What follows only from putting events together is left to inference, which says which of
    them contradict each other.

    Raises:
        RecordError: If sizes do not add up, a card is in two places, or an event does not fit
            the hands and the case file of a record that holds them.
    """
    _check_sizes(record)
    _check_own_hand(record)
    _check_case_file_is_possible(record)
    _check_truth(record)
    held: dict[str, frozenset[str]] = {}
    if record.dealt is not None:
        held = dict(zip(record.players, map(frozenset, record.dealt), strict=True))
    elif record.observer is not None and record.own_hand:
        held = {record.observer: frozenset(record.own_hand)}
    if record.case_file is not None:
        held[CASE_FILE] = frozenset(record.case_file)
    if record.dealt is not None:
        # Everything has its place then; without them what lies face down is not known.
        held[FACE_DOWN] = frozenset(record.edition.cards).difference(*held.values(), record.face_up)
    out: set[str] = set()
    for number, event in enumerate(record.events, start=1):
        _check_event(event, record, held, number, out)
        if isinstance(event, Accusation) and not event.correct:
            out.add(event.by)


def _wrong(
    number: int | None, field: str, message: str, value: object, hint: str = ""
) -> RecordError:
    """The error of a field, of an event or of the record itself."""
    return RecordError(message, where=place(number, field), value=value, hint=hint)


def _check_sizes(record: ClueNotes) -> None:
    sizes = list(record.sizes)
    if len(sizes) != len(record.players):
        message = f"there are {len(record.players)} players"
        hint = "write one size for each player, in turn order"
        raise _wrong(None, "hand_sizes", message, sizes, hint)
    if record.face_up and record.rules.hidden_left_over:
        message = f"by the house rules cards left over are {record.rules.left_over}"
        hint = "leave these cards out, or the rule 'left_over'"
        raise _wrong(None, "face_up", message, list(record.face_up), hint)
    cards = len(record.edition.cards)
    known = [size for size in sizes if size is not None]
    total = sum(known) + len(record.face_up) + CASE_FILE_SIZE
    whole, hidden = len(known) == len(sizes), record.rules.hidden_left_over
    if total > cards or (whole and not hidden and total != cards):
        message = f"hand sizes, face-up cards and the case file make {total} cards"
        hint = f"hand sizes plus face-up cards plus {CASE_FILE_SIZE} make {cards}"
        raise _wrong(None, "hand_sizes", message, sizes, hint)
    if not _every_sizes(record):
        message = "no deal around the table gives hands of these sizes"
        hint = "hands differ by one card at most, and larger ones are side by side; or write all"
        raise _wrong(None, "hand_sizes", message, sizes, hint)


def _left(record: ClueNotes) -> int:
    """The number of cards dealt to nobody."""
    if record.rules.hidden_left_over:
        return left_over(record.sizes, record.edition.dealt)
    return len(record.face_up)


def _every_sizes(record: ClueNotes) -> list[tuple[int, ...]]:
    return possible_sizes(record.sizes, record.edition.dealt - _left(record))


def _fitting_sizes(record: ClueNotes, player: str, hand: Iterable[str]) -> list[int]:
    """The sizes that a player's hand can have, if this is not one; else none."""
    at, size = record.players.index(player), len([*hand])
    found = sorted({sizes[at] for sizes in _every_sizes(record)})
    return [] if size in found else found


def _check_own_hand(record: ClueNotes) -> None:
    if not record.own_hand:
        return
    hand = list(record.own_hand)
    if record.observer is None:
        message = "a hand is given, but not the player who holds it"
        raise _wrong(None, "own_hand", message, hand, "name the observer")
    if sizes := _fitting_sizes(record, record.observer, hand):
        hint = "list all of them, or leave the field out if they are not known"
        said = " or ".join(map(str, sizes))
        raise _wrong(None, "own_hand", f"the observer holds {said} cards", hand, hint)
    _disjoint(hand, record.face_up, place(None, "own_hand"), "face up as well")
    if record.hands is not None and record.own_hand != record.hands[record.observer]:
        message = "the observer's hand is another one in the field 'hands'"
        hint = f"there it is {list(record.hands[record.observer])}"
        raise _wrong(None, "own_hand", message, hand, hint)


def _check_case_file_is_possible(record: ClueNotes) -> None:
    """Refuses own and face-up cards that leave no card of a category for the case file."""
    own, face_up = list(record.own_hand), list(record.face_up)
    for category, cards in record.edition.categories.items():
        if not {*own, *face_up}.issuperset(cards):
            continue
        hint = f"one of {', '.join(cards)} is in the case file"
        rest = f" leave no {category} for the case file"
        if set(face_up).issuperset(cards):
            raise _wrong(None, "face_up", f"these cards{rest}", face_up, hint)
        others = " with the face-up cards" if face_up else ""
        raise _wrong(None, "own_hand", f"these cards{others}{rest}", own, hint)


def _check_truth(record: ClueNotes) -> None:
    if record.hands is not None:
        placed: set[str] = set(record.face_up)
        for player, cards in record.hands.items():
            where = f"field 'hands', {player!r}"
            if sizes := _fitting_sizes(record, player, cards):
                said = " or ".join(map(str, sizes))
                message = f"by 'hand_sizes' this player holds {said} cards"
                raise RecordError(message, where=where, value=list(cards))
            _disjoint(cards, placed, where, "in another hand, or face up")
            placed.update(cards)
        dealt = [len(cards) for cards in record.hands.values()]
        if not possible_sizes(dealt, record.edition.dealt - _left(record)):
            message = f"the hands have {sum(dealt)} cards in all, and {_left(record)} are left over"
            hint = f"with the case file they make {len(record.edition.cards)}"
            raise _wrong(None, "hands", message, sorted(set(record.edition.cards) - placed), hint)
        if None in record.sizes and tuple(dealt) not in _every_sizes(record):
            message = "no deal around the table gives hands of these sizes"
            raise _wrong(None, "hands", message, dealt, "write 'hand_sizes' as well")
        if record.case_file is None and _left(record) and record.rules.hidden_left_over:
            message = "the hands do not say which of the other cards are in the case file"
            hint = "write the field 'case_file' as well"
            raise _wrong(None, "hands", message, sorted(set(record.edition.cards) - placed), hint)
        if record.case_file is None:
            message = "the hands leave no suspect, weapon and room for the case file"
            hint = "there is one card of each category in the case file"
            raise _wrong(None, "hands", message, sorted(set(record.edition.cards) - placed), hint)
        _disjoint(record.case_file, placed, place(None, "case_file"), "in a hand, or face up")
    elif record.case_file is not None:
        placed = {*record.face_up, *record.own_hand}
        where = place(None, "case_file")
        _disjoint(record.case_file, placed, where, "in the own hand, or face up")


def _disjoint(cards: Iterable[str], placed: Iterable[str], where: str, elsewhere: str) -> None:
    twice = sorted(set(cards).intersection(placed))
    if twice:
        hint = "there is one of each card"
        raise RecordError(f"a card is {elsewhere}", where=where, value=twice[0], hint=hint)


def _check_event(
    event: ClueEvent,
    record: ClueNotes,
    held: dict[str, frozenset[str]],
    number: int,
    out: set[str],
) -> None:
    """Refuses an event that cannot happen when those in ``held`` hold what they hold.

    Nobody but the case file, if it is among them, holds one of its cards.
    """
    solution = held.get(CASE_FILE, frozenset[str]())
    hint = f"the record's case file is {', '.join(record.case_file or ())}"
    match event:
        case Suggestion():
            _check_suggestion(event, held, number, out)
            _check_against_case_file(event, record, held, number)
        case Accusation():
            _check_accusation(event, record.case_file, number)
        case Has(player, card):
            if player in held and card not in held[player]:
                raise _wrong(number, "card", f"{player} does not have this card", card)
            if player != CASE_FILE and card in solution:
                message = f"{player} cannot have a card of the case file"
                raise _wrong(number, "card", message, card, hint)
        case NotHas(player, card):
            if card in held.get(player, ()):
                raise _wrong(number, "card", f"{player} has this card", card)
        case OneOf(player, cards):
            if player in held and held[player].isdisjoint(cards):
                raise _wrong(number, "cards", f"{player} has none of these cards", list(cards))
            if player != CASE_FILE and solution.issuperset(cards):
                message = f"{player} cannot have any of these cards: all are in the case file"
                raise _wrong(number, "cards", message, list(cards), hint)
        case Look():
            _check_look(event, record, held, number)
        case Move():
            pass


def _check_accusation(event: Accusation, case_file: Triple | None, number: int) -> None:
    for truth, owner in (
        (case_file, "the record's case file"),
        (event.seen, "what the accuser saw"),
    ):
        if truth is not None and event.correct != (event.cards == truth):
            message = f"this does not fit {owner}, {', '.join(truth)}"
            hint = f"the accusation was {', '.join(event.cards)}"
            raise _wrong(number, "correct", message, event.correct, hint)
    if event.seen is not None and case_file is not None and event.seen != case_file:
        message = "the accuser saw another case file than the record's"
        hint = f"the record's is {', '.join(case_file)}"
        raise _wrong(number, "seen", message, list(event.seen), hint)


def _check_look(
    event: Look, record: ClueNotes, held: dict[str, frozenset[str]], number: int
) -> None:
    if record.rules.left_over != "looked at":
        message = f"by the rules cards left over are {record.rules.left_over}: nobody looks at them"
        hint = 'if players do at your table, write "rules": {"left_over": "looked at"}'
        raise _wrong(number, "type", message, event.kind, hint)
    if not event.cards:
        return
    cards, count = list(event.cards), _left(record)
    if len(cards) != count:
        message = f"{count} cards are left over"
        raise _wrong(number, "cards", message, cards, "list all of them, or leave the field out")
    if FACE_DOWN in held and held[FACE_DOWN] != frozenset(cards):
        message = "by the hands other cards are left over"
        hint = f"there are {', '.join(record.edition.in_deck_order(held[FACE_DOWN]))}"
        raise _wrong(number, "cards", message, cards, hint)
    for holder, elsewhere in held.items():
        if holder != FACE_DOWN:
            _disjoint(cards, elsewhere, place(number, "cards"), f"with {holder} as well")


def _check_suggestion(
    event: Suggestion, held: dict[str, frozenset[str]], number: int, out: set[str]
) -> None:
    for player in event.passed:
        could_show = sorted(held.get(player, frozenset[str]()).intersection(event.cards))
        if could_show:
            message = f"{player} was asked and showed no card, but holds {could_show[0]}"
            hint = f"with that hand {player} must refute, unless a player before them does"
            if player in out:
                # Who has accused wrongly is asked no more at some tables.
                hint = f"if nobody asks {player} any more, who accused wrongly, " + _SKIPPED
            raise _wrong(number, "refuter", message, event.refuter, hint)
    for each in event.refutations:
        refuter, shown = each.player, each.shown
        if refuter not in held:
            continue
        if held[refuter].isdisjoint(event.cards):
            number_word = "three" if len(event.cards) == 3 else "two"
            message = f"by the hand given this player holds none of the {number_word} cards"
            raise _wrong(number, "refuter", message, refuter)
        if shown is not None and shown not in held[refuter]:
            message = f"by the hand given {refuter} does not hold this card"
            raise _wrong(number, "shown", message, shown)


def _check_against_case_file(
    event: Suggestion, record: ClueNotes, held: dict[str, frozenset[str]], number: int
) -> None:
    """Refuses a suggestion that went otherwise than the record's case file allows."""
    if record.case_file is None:
        return
    solution = held[CASE_FILE]
    hint = f"the record's case file is {', '.join(record.case_file)}"
    for each in event.refutations:
        if each.shown is not None and each.shown in solution:
            message = "a card of the case file cannot be shown"
            raise _wrong(number, "shown", message, each.shown, hint)
    if event.refuter is not None and solution.issuperset(event.cards):
        message = "nobody can refute what is in the case file"
        raise _wrong(number, "refuter", message, event.refuter, hint)
    if len(event.passed) == len(record.players) - 1 and event.by in held:
        if record.rules.hidden_left_over and FACE_DOWN not in held:
            return
        pool = held.get(FACE_DOWN, frozenset[str]())
        elsewhere = {*held[event.by], *record.face_up, *pool, *solution}
        left = [card for card in event.cards if card not in elsewhere]
        if left:
            message = f"nobody showed a card, but {left[0]} is not in the case file"
            raise _wrong(number, "refuter", message, event.refuter, hint)
