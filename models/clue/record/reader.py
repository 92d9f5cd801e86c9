"""From the form of a record file to what it says: names understood, implied facts filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from ....data.errors import RecordError, join_hints, meant, nearest
from ...records.reading import refused
from ..board.squares import square_of, written
from ..cards import CARDS, CASE_FILE, FACE_UP, ROOMS, canonical, category, in_deck_order
from ..events import (
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
    asked_in_turn,
)
from ..seen import NOTEBOOK, SPECTATOR
from .consistency import check
from .schema import (
    FORM,
    AccuseEntry,
    ClueFile,
    EventEntry,
    HasEntry,
    NotHasEntry,
    OneOfEntry,
    PawnMoveEntry,
    SuggestEntry,
    place,
)
from .written import ClueNotes

RESERVED: Final = frozenset(
    {CASE_FILE, CASE_FILE_IN_RECORDS, FACE_UP, SPECTATOR, NOTEBOOK, NOT_RECORDED}
)


_Record = TypeVar("_Record", bound=ClueNotes)


def read(value: object, kind: type[_Record]) -> _Record:
    """The game that ``value``, which was read from JSON, describes, as a record of this kind.

    Raises:
        RecordError: If it does not follow the schema or the rules of the game.
    """
    record = _build(FORM.read(value), kind)
    check(record)
    return record


def _build(form: ClueFile, kind: type[_Record]) -> _Record:
    players = tuple(form.players)
    for seat, player in enumerate(players, start=1):
        where = place(None, "players", seat)
        if player.casefold() in RESERVED:
            message = "this name has a meaning of its own in records"
            raise refused(message, where=where, value=player, hint="give the player another name")
        if player in players[: seat - 1]:
            message = "two players have the same name"
            raise refused(
                message, where=where, value=player, hint="names in a record are different"
            )
    if form.observer is not None:
        _player(form.observer, players, where=place(None, "observer"))
    dealt = None
    if form.hands is not None:
        for player in form.hands:
            _player(player, players, where=place(None, "hands"))
        for player in players:
            if player not in form.hands:
                hint = "write every player's cards, or leave the field out"
                where = place(None, "hands")
                raise refused("a player's hand is missing", where=where, value=player, hint=hint)
        dealt = tuple(
            _cards(form.hands[player], f"field 'hands', {player!r}") for player in players
        )
    face_up = _cards(form.face_up or [], place(None, "face_up"))
    case_file = _left_over(dealt, face_up) if dealt is not None else None
    if form.case_file is not None:
        case_file = _triple(form.case_file, place(None, "case_file"))
    return kind(
        players=players,
        sizes=tuple(form.hand_sizes),
        events=tuple(
            _EventReader(players, number).event(entry)
            for number, entry in enumerate(form.events, start=1)
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


@dataclass(frozen=True)
class _EventReader:
    """Reads one event; errors say where in it they stand.

    Attributes:
        players: Names in turn order.
        number: The event's.
    """

    players: Sequence[str]
    number: int

    def event(self, entry: EventEntry) -> ClueEvent:
        """The event that an entry describes."""
        match entry:
            case SuggestEntry():
                return self._suggestion(entry)
            case AccuseEntry():
                by, cards = self._player(entry.by, "by"), self._triple(entry.cards, "cards")
                seen = None if entry.seen is None else self._triple(entry.seen, "seen")
                return Accusation(by, cards, entry.correct, seen=seen)
            case PawnMoveEntry():
                return Move(self._player(entry.by, "by"), _goal(entry.to))
            case HasEntry() | NotHasEntry():
                fact = Has if isinstance(entry, HasEntry) else NotHas
                holder = self._holder(entry.player)
                return fact(holder, canonical(entry.card, where=self._place("card")))
            case OneOfEntry():
                return OneOf(self._holder(entry.player), _cards(entry.cards, self._place("cards")))

    def _suggestion(self, entry: SuggestEntry) -> Suggestion:
        by, cards = self._player(entry.by, "by"), self._triple(entry.cards, "cards")
        recorded = entry.refuter != NOT_RECORDED
        refuter = entry.refuter if recorded else None
        if refuter is not None:
            hint = FORM.expected["refuter"]
            self._player(refuter, "refuter", hint=hint)
            if refuter == by:
                message = "no player refutes their own suggestion"
                raise refused(message, where=self._place("refuter"), value=refuter, hint=hint)
        shown = None if entry.shown is None else self._shown(entry.shown, refuter, cards)
        passed = None if entry.passed is None else self._passed(entry, entry.passed)
        if recorded:
            follows = asked_in_turn(self.players, by, refuter)
            if passed is not None and set(passed) != set(follows):
                raise refused(
                    "this is not who is asked before the refuter in turn order",
                    where=self._place("passed"),
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

    def _shown(self, name: str, refuter: str | None, cards: Triple) -> str:
        where = self._place("shown")
        shown = canonical(name, where=where)
        if refuter is None:
            message = "a card was shown, but the record names nobody who showed it"
            hint = "name the refuter, or write null here"
            raise refused(message, where=where, value=name, hint=hint)
        if shown not in cards:
            message = "the card shown is none of the three suggested"
            hint = f"write one of {', '.join(cards)}, or null if it is not known"
            raise refused(message, where=where, value=name, hint=hint)
        return shown

    def _passed(self, entry: SuggestEntry, names: Sequence[str]) -> tuple[str, ...]:
        for item, player in enumerate(names, start=1):
            self._player(player, "passed", item)
            where = self._place("passed", item)
            if player == entry.by:
                raise refused("the suggester is not asked", where=where, value=player)
            if player == entry.refuter:
                raise refused("the refuter did not pass", where=where, value=player)
            if player in names[: item - 1]:
                raise refused("a player passes only once", where=where, value=player)
        in_turn = asked_in_turn(self.players, entry.by, None)
        return tuple(player for player in in_turn if player in names)

    def _place(self, field: str, item: object = None) -> str:
        return place(self.number, field, item)

    def _player(self, name: str, field: str, item: object = None, *, hint: str = "") -> str:
        return _player(name, self.players, where=self._place(field, item), hint=hint)

    def _holder(self, name: str) -> str:
        if name.casefold() in (CASE_FILE, CASE_FILE_IN_RECORDS):
            return CASE_FILE
        return self._player(name, "player", hint="'cf' is the case file")

    def _triple(self, names: Sequence[str], field: str) -> Triple:
        return _triple(names, self._place(field))


def _player(name: str, players: Sequence[str], *, where: str, hint: str = "") -> str:
    if name in players:
        return name
    known = join_hints(nearest(name, players), hint)
    raise refused("no such player", where=where, value=name, hint=meant(name, players) or known)


def _goal(to: str) -> str:
    if (square := square_of(to)) is not None:
        return written(square)
    try:
        card = canonical(to)
    except RecordError:
        return to
    return card if card in ROOMS else to


def _cards(names: Sequence[str], where: str) -> tuple[str, ...]:
    cards: list[str] = []
    for item, name in enumerate(names, start=1):
        here = f"{where}, item {item}"
        card = canonical(name, where=here)
        if card in cards:
            hint = "there is one of each card"
            raise refused("a card stands here twice", where=here, value=name, hint=hint)
        cards.append(card)
    return in_deck_order(cards)


def _triple(names: Sequence[str], where: str) -> Triple:
    found: dict[str, str] = {}
    for item, name in enumerate(names, start=1):
        card = canonical(name, where=f"{where}, item {item}")
        found[category(card)] = card
    if len(found) < 3:
        message = "these are not one suspect, one weapon and one room"
        raise refused(message, where=where, value=list(names), hint="write [suspect, weapon, room]")
    return found["suspect"], found["weapon"], found["room"]


def _left_over(dealt: Sequence[Sequence[str]], face_up: Sequence[str]) -> Triple | None:
    """The three cards that nobody holds; ``None`` if the hands leave no case file."""
    held = {card for hand in dealt for card in hand}.union(face_up)
    left = [card for card in CARDS if card not in held]
    if len(left) == 3 and [category(card) for card in left] == ["suspect", "weapon", "room"]:
        return left[0], left[1], left[2]
    return None
