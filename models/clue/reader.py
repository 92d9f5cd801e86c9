"""From the form of a record file to a record: names understood, implied facts filled in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...data.errors import RecordError, nearest
from ..reading import refused
from .cards import CARDS, CASE_FILE, FACE_UP, ROOMS, canonical, category, in_deck_order
from .events import (
    CASE_FILE_IN_RECORDS,
    NOT_RECORDED,
    Accusation,
    ClueEvent,
    Has,
    Move,
    NotHas,
    OneOf,
    Suggestion,
    Triple,
)
from .record import Record
from .rules import check
from .schema import (
    AccuseEntry,
    Entry,
    HasEntry,
    MoveEntry,
    NotHasEntry,
    OneOfEntry,
    RecordFile,
    SuggestEntry,
    expected,
    place,
    read_form,
)
from .seen import NOTEBOOK, SPECTATOR

RESERVED: Final = frozenset(
    {CASE_FILE, CASE_FILE_IN_RECORDS, FACE_UP, SPECTATOR, NOTEBOOK, NOT_RECORDED}
)


def read(value: object) -> Record:
    """The record that ``value``, which was read from JSON, describes.

    Raises:
        RecordError: If it does not follow the schema or the rules of the game.
    """
    try:
        record = _build(read_form(value))
    except RecursionError:
        raise RecordError("the record is nested too deeply") from None
    check(record)
    return record


def asked_in_turn(players: Sequence[str], by: str, refuter: str | None) -> tuple[str, ...]:
    """Who was asked before ``refuter`` when ``by`` suggested; everybody if nobody refuted."""
    first = players.index(by) + 1
    in_turn = (*players[first:], *players[: first - 1])
    return in_turn if refuter is None else in_turn[: in_turn.index(refuter)]


def _build(form: RecordFile) -> Record:
    players = tuple(form.players)
    for seat, player in enumerate(players, start=1):
        if player.casefold() in RESERVED:
            raise refused(
                "this name has a meaning of its own in records",
                where=place(None, "players", seat),
                value=player,
                hint="give the player another name",
            )
        if player in players[: seat - 1]:
            raise refused(
                "two players have the same name",
                where=place(None, "players", seat),
                value=player,
                hint="names in a record are different",
            )
    if form.observer is not None:
        _player(form.observer, players, where=place(None, "observer"))
    dealt = None
    if form.hands is not None:
        for player in form.hands:
            _player(player, players, where=place(None, "hands"))
        for player in players:
            if player not in form.hands:
                raise refused(
                    "a player's hand is missing",
                    where=place(None, "hands"),
                    value=player,
                    hint="write every player's cards, or leave the field out",
                )
        dealt = tuple(
            _cards(form.hands[player], f"field 'hands', {player!r}") for player in players
        )
    face_up = _cards(form.face_up or [], place(None, "face_up"))
    if form.case_file is not None:
        case_file = _triple(form.case_file, place(None, "case_file"))
    elif dealt is not None:
        case_file = _left_over(dealt, face_up)
    else:
        case_file = None
    return Record(
        players=players,
        sizes=tuple(form.hand_sizes),
        events=tuple(
            _event(entry, players, number) for number, entry in enumerate(form.events, start=1)
        ),
        observer=form.observer,
        own_hand=_cards(form.own_hand or [], place(None, "own_hand")),
        face_up=face_up,
        dealt=dealt,
        case_file=case_file,
        name=form.name,
        source=form.source,
        note=form.note,
    )


def _event(entry: Entry, players: Sequence[str], number: int) -> ClueEvent:
    match entry:
        case SuggestEntry():
            return _suggestion(entry, players, number)
        case AccuseEntry():
            seen = entry.seen
            return Accusation(
                _player(entry.by, players, where=place(number, "by")),
                _triple(entry.cards, place(number, "cards")),
                entry.correct,
                seen=None if seen is None else _triple(seen, place(number, "seen")),
            )
        case MoveEntry():
            return Move(_player(entry.by, players, where=place(number, "by")), _goal(entry.to))
        case HasEntry() | NotHasEntry():
            fact = Has if isinstance(entry, HasEntry) else NotHas
            return fact(
                _holder(entry.player, players, number),
                canonical(entry.card, where=place(number, "card")),
            )
        case OneOfEntry():
            return OneOf(
                _holder(entry.player, players, number),
                _cards(entry.cards, place(number, "cards")),
            )


def _suggestion(entry: SuggestEntry, players: Sequence[str], number: int) -> Suggestion:
    by = _player(entry.by, players, where=place(number, "by"))
    cards = _triple(entry.cards, place(number, "cards"))
    recorded = entry.refuter != NOT_RECORDED
    refuter = entry.refuter if recorded else None
    if refuter is not None:
        hint = expected("refuter")
        _player(refuter, players, where=place(number, "refuter"), hint=hint)
        if refuter == by:
            raise refused(
                "nobody refutes his own suggestion",
                where=place(number, "refuter"),
                value=refuter,
                hint=hint,
            )
    shown = None
    if entry.shown is not None:
        shown = canonical(entry.shown, where=place(number, "shown"))
        if refuter is None:
            raise refused(
                "a card was shown, but the record names nobody who showed it",
                where=place(number, "shown"),
                value=entry.shown,
                hint="name the refuter, or write null here",
            )
        if shown not in cards:
            raise refused(
                "the card shown is none of the three suggested",
                where=place(number, "shown"),
                value=entry.shown,
                hint=f"write one of {', '.join(cards)}, or null if it is not known",
            )
    passed = _passed(entry, players, number)
    if recorded:
        follows = asked_in_turn(players, by, refuter)
        if passed is not None and set(passed) != set(follows):
            raise refused(
                "this is not who is asked before the refuter in turn order",
                where=place(number, "passed"),
                value=list(passed),
                hint=f"leave it out, or write {list(follows)}",
            )
        passed = follows
    return Suggestion(
        by,
        cards,
        refuter=refuter,
        shown=shown,
        passed=passed or (),
        refuter_recorded=recorded,
    )


def _passed(entry: SuggestEntry, players: Sequence[str], number: int) -> tuple[str, ...] | None:
    if entry.passed is None:
        return None
    for item, player in enumerate(entry.passed, start=1):
        where = place(number, "passed", item)
        _player(player, players, where=where)
        if player == entry.by:
            raise refused("the suggester is not asked", where=where, value=player)
        if player == entry.refuter:
            raise refused("the refuter did not pass", where=where, value=player)
        if player in entry.passed[: item - 1]:
            raise refused("a player passes only once", where=where, value=player)
    in_turn = asked_in_turn(players, entry.by, None)
    return tuple(player for player in in_turn if player in entry.passed)


def _player(name: str, players: Sequence[str], *, where: str, hint: str = "") -> str:
    if name in players:
        return name
    near = nearest(name, players)
    raise refused(
        "no such player",
        where=where,
        value=name,
        hint=f"{near}; {hint}" if hint and not near.startswith("did") else near,
    )


def _holder(name: str, players: Sequence[str], number: int) -> str:
    if name.casefold() in (CASE_FILE, CASE_FILE_IN_RECORDS):
        return CASE_FILE
    where = place(number, "player")
    return _player(name, players, where=where, hint="'cf' is the case file")


def _goal(to: str) -> str:
    try:
        card = canonical(to)
    except RecordError:
        return to
    return card if card in ROOMS else to


def _cards(names: Sequence[str], where: str) -> tuple[str, ...]:
    cards: list[str] = []
    for item, name in enumerate(names, start=1):
        card = canonical(name, where=f"{where}, item {item}")
        if card in cards:
            raise refused(
                "a card stands here twice",
                where=f"{where}, item {item}",
                value=name,
                hint="there is one of each card",
            )
        cards.append(card)
    return in_deck_order(cards)


def _triple(names: Sequence[str], where: str) -> Triple:
    by_category: dict[str, str] = {}
    for item, name in enumerate(names, start=1):
        card = canonical(name, where=f"{where}, item {item}")
        by_category[category(card)] = card
    if len(by_category) < 3:
        raise refused(
            "these are not one suspect, one weapon and one room",
            where=where,
            value=list(names),
            hint="write [suspect, weapon, room]",
        )
    return by_category["suspect"], by_category["weapon"], by_category["room"]


def _left_over(dealt: Sequence[Sequence[str]], face_up: Sequence[str]) -> Triple | None:
    """The three cards that nobody holds; ``None`` if the hands leave no case file."""
    held = {card for hand in dealt for card in hand}.union(face_up)
    left = [card for card in CARDS if card not in held]
    if len(left) == 3 and [category(card) for card in left] == ["suspect", "weapon", "room"]:
        return left[0], left[1], left[2]
    return None
