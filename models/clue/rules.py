"""What the rules of Clue say about a record: the deal adds up, and the events fit the truth."""

from __future__ import annotations

from collections.abc import Iterable

from ...data.errors import RecordError
from .cards import CARDS, CASE_FILE, CATEGORIES
from .events import Accusation, ClueEvent, Has, Move, NotHas, OneOf, Suggestion, Triple
from .record import Record
from .schema import place

CASE_FILE_SIZE = 3


def check(record: Record) -> None:
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
        if isinstance(event, Accusation):
            _check_accusation(event, record.case_file, number)
        _check_event(event, held, number)
        if record.case_file is not None:
            _check_against_case_file(event, record, held, number)


def _check_sizes(record: Record) -> None:
    if len(record.sizes) != len(record.players):
        raise RecordError(
            f"there are {len(record.players)} players",
            where=place(None, "hand_sizes"),
            value=list(record.sizes),
            hint="write one size for each player, in turn order",
        )
    total = sum(record.sizes) + len(record.face_up) + CASE_FILE_SIZE
    if total != len(CARDS):
        raise RecordError(
            f"hand sizes, face-up cards and the case file make {total} cards",
            where=place(None, "hand_sizes"),
            value=list(record.sizes),
            hint=f"hand sizes plus face-up cards plus {CASE_FILE_SIZE} make {len(CARDS)}",
        )


def _check_own_hand(record: Record) -> None:
    if not record.own_hand:
        return
    where = place(None, "own_hand")
    if record.observer is None:
        raise RecordError(
            "a hand is given, but nobody whose hand it is",
            where=where,
            value=list(record.own_hand),
            hint="name the observer",
        )
    size = record.hand_sizes[record.observer]
    if len(record.own_hand) != size:
        raise RecordError(
            f"the observer holds {size} cards",
            where=where,
            value=list(record.own_hand),
            hint="list all of them, or leave the field out if they are not known",
        )
    _disjoint(record.own_hand, record.face_up, where, "face up as well")
    if record.hands is not None and record.own_hand != record.hands[record.observer]:
        raise RecordError(
            "the observer's hand is another one in the field 'hands'",
            where=where,
            value=list(record.own_hand),
            hint=f"there it is {list(record.hands[record.observer])}",
        )


def _check_case_file_is_possible(record: Record) -> None:
    """Refuses own and face-up cards that leave no card of a category for the case file."""
    for category, cards in CATEGORIES.items():
        if not {*record.own_hand, *record.face_up}.issuperset(cards):
            continue
        field = "face_up" if set(record.face_up).issuperset(cards) else "own_hand"
        with_others = " with the face-up cards" if field == "own_hand" and record.face_up else ""
        raise RecordError(
            f"these cards{with_others} leave no {category} for the case file",
            where=place(None, field),
            value=list(getattr(record, field)),
            hint=f"one of {', '.join(cards)} is in the case file",
        )


def _check_truth(record: Record) -> None:
    if record.hands is not None:
        placed: set[str] = set(record.face_up)
        for player, cards in record.hands.items():
            where = f"field 'hands', {player!r}"
            if len(cards) != record.hand_sizes[player]:
                raise RecordError(
                    f"by 'hand_sizes' this player holds {record.hand_sizes[player]} cards",
                    where=where,
                    value=list(cards),
                )
            _disjoint(cards, placed, where, "in another hand, or face up")
            placed.update(cards)
        if record.case_file is None:
            raise RecordError(
                "the hands leave no suspect, weapon and room for the case file",
                where=place(None, "hands"),
                value=sorted(set(CARDS) - placed),
                hint="there is one card of each category in the case file",
            )
        _disjoint(record.case_file, placed, place(None, "case_file"), "in a hand, or face up")
    elif record.case_file is not None:
        placed = {*record.face_up, *record.own_hand}
        where = place(None, "case_file")
        _disjoint(record.case_file, placed, where, "in the own hand, or face up")


def _disjoint(cards: Iterable[str], placed: Iterable[str], where: str, elsewhere: str) -> None:
    twice = sorted(set(cards).intersection(placed))
    if twice:
        raise RecordError(
            f"a card is {elsewhere}", where=where, value=twice[0], hint="there is one of each card"
        )


def _check_accusation(event: Accusation, case_file: Triple | None, number: int) -> None:
    for truth, owner in ((case_file, "the record's case file"), (event.seen, "what he saw")):
        if truth is not None and event.correct != (event.cards == truth):
            raise RecordError(
                f"this does not fit {owner}, {', '.join(truth)}",
                where=place(number, "correct"),
                value=event.correct,
                hint=f"the accusation was {', '.join(event.cards)}",
            )
    if event.seen is not None and case_file is not None and event.seen != case_file:
        raise RecordError(
            "the accuser saw another case file than the record's",
            where=place(number, "seen"),
            value=list(event.seen),
            hint=f"the record's is {', '.join(case_file)}",
        )


def _check_event(event: ClueEvent, held: dict[str, frozenset[str]], number: int) -> None:
    """Refuses an event that cannot happen when those in ``held`` hold what they hold."""
    match event:
        case Suggestion():
            _check_suggestion(event, held, number)
        case Has(player) | NotHas(player) | OneOf(player) if player not in held:
            pass
        case Has(player, card):
            if card not in held[player]:
                raise RecordError(
                    f"{player} does not have this card", where=place(number, "card"), value=card
                )
        case NotHas(player, card):
            if card in held[player]:
                raise RecordError(
                    f"{player} has this card", where=place(number, "card"), value=card
                )
        case OneOf(player, cards):
            if held[player].isdisjoint(cards):
                raise RecordError(
                    f"{player} has none of these cards",
                    where=place(number, "cards"),
                    value=list(cards),
                )
        case Accusation() | Move():
            pass


def _check_against_case_file(
    event: ClueEvent, record: Record, held: dict[str, frozenset[str]], number: int
) -> None:
    """Refuses an event by which a player has what the record's case file holds, or the reverse."""
    solution = held[CASE_FILE]
    others = f"the record's case file is {', '.join(record.case_file or ())}"
    field, value, message = "", None, ""
    match event:
        case Has(player, card) if player != CASE_FILE and card in solution:
            field, value, message = "card", card, f"{player} cannot have a card of the case file"
        case OneOf(player, cards) if player != CASE_FILE and solution.issuperset(cards):
            field, value = "cards", list(cards)
            message = f"{player} cannot have any of these cards: all are in the case file"
        case Suggestion() if event.shown is not None and event.shown in solution:
            field, value = "shown", event.shown
            message = "a card of the case file cannot be shown"
        case Suggestion() if event.refuter is not None and solution.issuperset(event.cards):
            field, value = "refuter", event.refuter
            message = "nobody can refute what is in the case file"
        case Suggestion() if len(event.passed) == len(record.players) - 1 and event.by in held:
            left = [
                card
                for card in event.cards
                if card not in {*held[event.by], *record.face_up, *solution}
            ]
            if left:
                field, value = "refuter", event.refuter
                message = f"nobody showed a card, but {left[0]} is not in the case file"
        case _:
            pass
    if message:
        raise RecordError(message, where=place(number, field), value=value, hint=others)


def _check_suggestion(event: Suggestion, held: dict[str, frozenset[str]], number: int) -> None:
    for player in event.passed:
        could_show = held.get(player, frozenset[str]()).intersection(event.cards)
        if could_show:
            raise RecordError(
                f"{player} was asked and showed no card, but holds {sorted(could_show)[0]}",
                where=place(number, "refuter"),
                value=event.refuter,
                hint=f"with that hand {player} must refute, unless somebody before him does",
            )
    if event.refuter is None or event.refuter not in held:
        return
    if held[event.refuter].isdisjoint(event.cards):
        raise RecordError(
            "by the hand given this player holds none of the three cards",
            where=place(number, "refuter"),
            value=event.refuter,
        )
    if event.shown is not None and event.shown not in held[event.refuter]:
        raise RecordError(
            f"by the hand given {event.refuter} does not hold this card",
            where=place(number, "shown"),
            value=event.shown,
        )
