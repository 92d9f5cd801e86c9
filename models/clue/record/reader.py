"""From the form of a record file to what it says: names understood, implied facts filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from ....data.errors import RecordError, join_hints, meant, nearest
from ...records.reading import refused
from ..board.squares import square_of, written
from ..cards import CASE_FILE, FACE_UP
from ..edition import KINDS, ClueEdition, made_edition
from ..editions import CLASSIC, edition_names, recognised, shipped_edition
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
from .consistency import CASE_FILE_SIZE, check
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
#: The word for the cards of a record that gives them no name.
OWN_EDITION: Final = "own"

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
    edition = _edition(form)
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
            _cards(form.hands[player], edition, f"field 'hands', {player!r}") for player in players
        )
    face_up = _cards(form.face_up or [], edition, place(None, "face_up"))
    case_file = _left_over(dealt, face_up, edition) if dealt is not None else None
    if form.case_file is not None:
        case_file = _triple(form.case_file, edition, place(None, "case_file"))
    return kind(
        players=players,
        sizes=tuple(form.hand_sizes),
        events=tuple(
            _EventReader(players, edition, number).event(entry)
            for number, entry in enumerate(form.events, start=1)
        ),
        observer=form.observer,
        own_hand=_cards(form.own_hand or [], edition, place(None, "own_hand")),
        face_up=face_up,
        dealt=dealt,
        case_file=case_file,
        edition=edition,
        name=form.name,
        source=form.source,
        note=form.note,
    )


@dataclass(frozen=True)
class _EventReader:
    """Reads one event; errors say where in it they stand.

    Attributes:
        players: Names in turn order.
        edition: The cards of the game.
        number: The event's.
    """

    players: Sequence[str]
    edition: ClueEdition
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
                return Move(self._player(entry.by, "by"), _goal(entry.to, self.edition))
            case HasEntry() | NotHasEntry():
                fact = Has if isinstance(entry, HasEntry) else NotHas
                holder = self._holder(entry.player)
                return fact(holder, self.edition.canonical(entry.card, where=self._place("card")))
            case OneOfEntry():
                holder = self._holder(entry.player)
                return OneOf(holder, _cards(entry.cards, self.edition, self._place("cards")))

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
        shown = self.edition.canonical(name, where=where)
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
        return _triple(names, self.edition, self._place(field))


def _player(name: str, players: Sequence[str], *, where: str, hint: str = "") -> str:
    if name in players:
        return name
    known = join_hints(nearest(name, players), hint)
    raise refused("no such player", where=where, value=name, hint=meant(name, players) or known)


def _edition(form: ClueFile) -> ClueEdition:
    """The edition that a record names or lists; else that whose cards stand in it."""
    where = place(None, "edition")
    if form.cards is not None:
        return made_edition(
            form.edition or OWN_EDITION,
            form.cards.model_dump(),
            aliases=form.aliases,
            where=place(None, "cards"),
            error=RecordError,
        )
    if form.edition is not None:
        name = form.edition.casefold().replace("-", "_").replace(" ", "_")
        if name in edition_names():
            return shipped_edition(name)
        hint = join_hints(nearest(name, edition_names()), "or list the cards in a field 'cards'")
        raise refused("no such edition", where=where, value=form.edition, hint=hint)
    named = {*(form.own_hand or ()), *(form.face_up or ()), *(form.case_file or ())}
    for hand in (form.hands or {}).values():
        named.update(hand)
    for entry in form.events:
        named.update(getattr(entry, "cards", ()))
        if isinstance(entry, (HasEntry, NotHasEntry)):
            named.add(entry.card)
    total = sum(form.hand_sizes) + len(form.face_up or ()) + CASE_FILE_SIZE
    return recognised(named, total)


def edition_fields(edition: ClueEdition) -> dict[str, object]:
    """The fields of a record that say which edition it is of; none for the classic one."""
    if edition == CLASSIC:
        return {}
    if edition.name in edition_names() and edition == shipped_edition(edition.name):
        return {"edition": edition.name}
    fields: dict[str, object] = {} if edition.name == OWN_EDITION else {"edition": edition.name}
    fields["cards"] = {kind: list(cards) for kind, cards in edition.categories.items()}
    return fields | ({"aliases": dict(edition.other_names)} if edition.other_names else {})


def _goal(to: str, edition: ClueEdition) -> str:
    if (square := square_of(to)) is not None:
        return written(square)
    card = edition.find(to)
    return card if card in edition.rooms else to


def _cards(names: Sequence[str], edition: ClueEdition, where: str) -> tuple[str, ...]:
    cards: list[str] = []
    for item, name in enumerate(names, start=1):
        here = f"{where}, item {item}"
        card = edition.canonical(name, where=here)
        if card in cards:
            hint = "there is one of each card"
            raise refused("a card stands here twice", where=here, value=name, hint=hint)
        cards.append(card)
    return edition.in_deck_order(cards)


def _triple(names: Sequence[str], edition: ClueEdition, where: str) -> Triple:
    found: dict[str, str] = {}
    for item, name in enumerate(names, start=1):
        card = edition.canonical(name, where=f"{where}, item {item}")
        found[edition.category(card)] = card
    if len(found) < 3:
        message = "these are not one suspect, one weapon and one room"
        raise refused(message, where=where, value=list(names), hint="write [suspect, weapon, room]")
    return found["suspect"], found["weapon"], found["room"]


def _left_over(
    dealt: Sequence[Sequence[str]], face_up: Sequence[str], edition: ClueEdition
) -> Triple | None:
    """The three cards that nobody holds; ``None`` if the hands leave no case file."""
    held = {card for hand in dealt for card in hand}.union(face_up)
    left = [card for card in edition.cards if card not in held]
    if len(left) == CASE_FILE_SIZE and [*map(edition.category, left)] == [*KINDS]:
        return left[0], left[1], left[2]
    return None
