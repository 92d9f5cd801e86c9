"""The rules of Clue for a record: the deal adds up, and the events fit the truth."""

from __future__ import annotations

from collections.abc import Iterable

from ....data.errors import RecordError
from ..cards import CASE_FILE
from ..events import Accusation, ClueEvent, Has, Move, NotHas, OneOf, Suggestion, Triple
from .schema import place
from .written import ClueNotes

CASE_FILE_SIZE = 3


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
    for number, event in enumerate(record.events, start=1):
        _check_event(event, record, held, number)


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
    total = sum(sizes) + len(record.face_up) + CASE_FILE_SIZE
    cards = len(record.edition.cards)
    if total != cards:
        message = f"hand sizes, face-up cards and the case file make {total} cards"
        hint = f"hand sizes plus face-up cards plus {CASE_FILE_SIZE} make {cards}"
        raise _wrong(None, "hand_sizes", message, sizes, hint)


def _check_own_hand(record: ClueNotes) -> None:
    if not record.own_hand:
        return
    hand = list(record.own_hand)
    if record.observer is None:
        message = "a hand is given, but not the player who holds it"
        raise _wrong(None, "own_hand", message, hand, "name the observer")
    size = record.hand_sizes[record.observer]
    if len(hand) != size:
        hint = "list all of them, or leave the field out if they are not known"
        raise _wrong(None, "own_hand", f"the observer holds {size} cards", hand, hint)
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
            if len(cards) != (size := record.hand_sizes[player]):
                message = f"by 'hand_sizes' this player holds {size} cards"
                raise RecordError(message, where=where, value=list(cards))
            _disjoint(cards, placed, where, "in another hand, or face up")
            placed.update(cards)
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
    event: ClueEvent, record: ClueNotes, held: dict[str, frozenset[str]], number: int
) -> None:
    """Refuses an event that cannot happen when those in ``held`` hold what they hold.

    Nobody but the case file, if it is among them, holds one of its cards.
    """
    solution = held.get(CASE_FILE, frozenset[str]())
    hint = f"the record's case file is {', '.join(record.case_file or ())}"
    match event:
        case Suggestion():
            _check_suggestion(event, held, number)
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


def _check_suggestion(event: Suggestion, held: dict[str, frozenset[str]], number: int) -> None:
    refuter, shown = event.refuter, event.shown
    for player in event.passed:
        could_show = sorted(held.get(player, frozenset[str]()).intersection(event.cards))
        if could_show:
            message = f"{player} was asked and showed no card, but holds {could_show[0]}"
            hint = f"with that hand {player} must refute, unless a player before them does"
            raise _wrong(number, "refuter", message, refuter, hint)
    if refuter is None or refuter not in held:
        return
    if held[refuter].isdisjoint(event.cards):
        message = "by the hand given this player holds none of the three cards"
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
    if event.shown is not None and event.shown in solution:
        message = "a card of the case file cannot be shown"
        raise _wrong(number, "shown", message, event.shown, hint)
    if event.refuter is not None and solution.issuperset(event.cards):
        message = "nobody can refute what is in the case file"
        raise _wrong(number, "refuter", message, event.refuter, hint)
    if len(event.passed) == len(record.players) - 1 and event.by in held:
        elsewhere = {*held[event.by], *record.face_up, *solution}
        left = [card for card in event.cards if card not in elsewhere]
        if left:
            message = f"nobody showed a card, but {left[0]} is not in the case file"
            raise _wrong(number, "refuter", message, event.refuter, hint)
