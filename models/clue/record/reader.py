"""From the form of a record file to what it says: names understood, implied facts filled in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from ....data.errors import RecordError, join_hints, meant, nearest
from ...records.reading import refused
from ..board.squares import square_of, written
from ..cards import CASE_FILE, FACE_DOWN, FACE_UP
from ..edition import KINDS, ClueEdition, made_edition
from ..editions import CLASSIC, edition_names, recognised, shipped_edition
from ..events import (
    CASE_FILE_IN_RECORDS,
    NOT_RECORDED,
    Accusation,
    ClueEvent,
    Has,
    Look,
    Move,
    Named,
    NotHas,
    OneOf,
    Refutation,
    Suggestion,
    Triple,
)
from ..house_rules import HouseRules
from ..seen import NOTEBOOK, SPECTATOR
from .consistency import CASE_FILE_SIZE, check
from .schema import (
    FORM,
    AccuseEntry,
    ClueFile,
    EventEntry,
    HasEntry,
    LookEntry,
    NotHasEntry,
    OneOfEntry,
    PawnMoveEntry,
    SuggestEntry,
    place,
)
from .written import ClueNotes

RESERVED: Final = frozenset(
    {CASE_FILE, CASE_FILE_IN_RECORDS, FACE_DOWN, FACE_UP, SPECTATOR, NOTEBOOK, NOT_RECORDED}
)


#: The word for the cards of a record that gives them no name.
OWN_EDITION: Final = "own"
_NUMBERS: Final = {2: "two", 3: "three"}

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
    sizes = (None,) * len(players) if form.hand_sizes is None else tuple(form.hand_sizes)
    rules = HouseRules() if form.rules is None else HouseRules(**form.rules.model_dump())
    if not face_up and _leaves_over(sizes, edition):
        # Cards that lie face up everybody would have named.
        named = form.rules is not None and "left_over" in form.rules.model_fields_set
        rules = rules if named else replace(rules, left_over="face down")
    pool: tuple[str, ...] = ()
    if dealt is not None and case_file is not None and rules.hidden_left_over:
        elsewhere = {*case_file, *face_up}.union(*dealt)
        pool = tuple(card for card in edition.cards if card not in elsewhere)
    events: list[ClueEvent] = []
    for number, entry in enumerate(form.events, start=1):
        out = tuple(each.by for each in events if isinstance(each, Accusation) and not each.correct)
        events.append(_EventReader(players, edition, number, rules, out, pool).event(entry))
    return kind(
        players=players,
        sizes=sizes,
        rules=rules,
        events=tuple(events),
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
        rules: The house rules.
        out: Who accused wrongly before.
        pool: The cards left over that not everybody sees, if the truth is known.
    """

    players: Sequence[str]
    edition: ClueEdition
    number: int
    rules: HouseRules
    out: tuple[str, ...]
    pool: tuple[str, ...]

    def event(self, entry: EventEntry) -> ClueEvent:
        """The event that an entry describes."""
        match entry:
            case SuggestEntry():
                return self._suggestion(entry)
            case AccuseEntry():
                by, cards = self._player(entry.by, "by"), self._triple(entry.cards, "cards")
                seen = None if entry.seen is None else self._triple(entry.seen, "seen")
                return Accusation(by, cards, entry.correct, seen=seen)
            case LookEntry():
                by = self._player(entry.by, "by")
                cards = _cards(entry.cards or [], self.edition, self._place("cards"))
                return Look(by, cards or self.pool)
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
        by, cards = self._player(entry.by, "by"), self._named(entry.cards)
        recorded = entry.refuter != NOT_RECORDED
        refutations = self._refutations(entry, by, cards) if recorded else ()
        if not recorded and entry.shown is not None:
            self._shown(entry.shown, None, cards, self._place("shown"))
        passed = None if entry.passed is None else self._passed(entry, entry.passed)
        if recorded:
            showing = [each.player for each in refutations]
            follows = self.rules.passed(self.players, by, showing, out=self.out)
            if passed is not None and set(passed) != set(follows):
                raise refused(
                    "this is not who is asked before the refuter in turn order",
                    where=self._place("passed"),
                    value=list(passed),
                    hint=f"leave it out, or write {list(follows)}",
                )
            return Suggestion.answered(by, cards, refutations, passed=follows)
        return Suggestion(by, cards, passed=passed or (), refuter_recorded=False)

    def _refutations(self, entry: SuggestEntry, by: str, cards: Named) -> tuple[Refutation, ...]:
        """All who showed a card, in turn order."""
        if entry.refuters is None:
            if "refuter" not in entry.model_fields_set:
                message, hint = "the field 'refuter' is missing", FORM.expected["refuter"]
                raise RecordError(message, where=place(self.number), hint=hint)
            if entry.refuter is not None:
                self._refuter(entry.refuter, by, self._place("refuter"))
            where = self._place("shown")
            shown = entry.shown and self._shown(entry.shown, entry.refuter, cards, where)
            return () if entry.refuter is None else (Refutation(entry.refuter, shown),)
        if entry.refuter is not None or entry.shown is not None:
            field = "shown" if entry.refuter is None else "refuter"
            message, hint = "this stands in 'refuters' already", "leave one of the two out"
            value = entry.shown if entry.refuter is None else entry.refuter
            raise refused(message, where=self._place(field), value=value, hint=hint)
        found: dict[str, Refutation] = {}
        for item, each in enumerate(entry.refuters, start=1):
            where = self._place("refuters", item)
            self._refuter(each.player, by, where)
            shown = each.shown and self._shown(each.shown, each.player, cards, where)
            if each.player in found or shown in [other.shown for other in found.values() if shown]:
                twice = each.player if each.player in found else each.shown
                message = "a player shows one card, and a card is shown once"
                raise refused(message, where=where, value=twice)
            found[each.player] = Refutation(each.player, shown)
        if len(found) > 1 and not self.rules.everybody_shows:
            raise refused(
                "only the first who can shows a card",
                where=self._place("refuters", 2),
                value=[*found][1],
                hint=_rule("who_shows", "all", "all show who can"),
            )
        asked = self.rules.asked(self.players, by, out=self.out)
        return tuple(found[player] for player in asked if player in found)

    def _refuter(self, player: str, by: str, where: str) -> None:
        hint = FORM.expected["refuter"]
        _player(player, self.players, where=where, hint=hint)
        if player == by:
            message = "no player refutes their own suggestion"
            raise refused(message, where=where, value=player, hint=hint)
        if player in self.rules.skipped(self.out):
            message = "by the house rules nobody asks a player who accused wrongly"
            hint = "leave the rule 'player_out' out, if they show cards at your table"
            raise refused(message, where=where, value=player, hint=hint)

    def _shown(self, name: str, refuter: str | None, cards: Named, where: str) -> str:
        shown = self.edition.canonical(name, where=where)
        if refuter is None:
            message = "a card was shown, but the record names nobody who showed it"
            hint = "name the refuter, or write null here"
            raise refused(message, where=where, value=name, hint=hint)
        if shown not in cards:
            message = f"the card shown is none of the {_NUMBERS[len(cards)]} suggested"
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
        in_turn = self.rules.asked(self.players, entry.by, out=self.out)
        for player in names:
            if player not in in_turn:
                message = "by the house rules nobody asks a player who accused wrongly"
                raise refused(message, where=self._place("passed"), value=player)
        return tuple(player for player in in_turn if player in names)

    def _named(self, names: Sequence[str]) -> Named:
        """The cards of a suggestion: two where the rules say so, else three."""
        where = self._place("cards")
        if self.rules.named == 3:
            if len(names) == 2:
                message = "a suggestion names a suspect, a weapon and a room"
                hint = _rule("room", "none", "suggestions name no room")
                raise refused(message, where=where, value=list(names), hint=hint)
            return self._triple(names, "cards")
        found = _by_category(names, self.edition, where)
        if len(names) != 2 or found.keys() != {"suspect", "weapon"}:
            message = "these are not one suspect and one weapon"
            hint = "by the house rules suggestions name no room: write [suspect, weapon]"
            raise refused(message, where=where, value=list(names), hint=hint)
        return found["suspect"], found["weapon"]

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
        named.update(getattr(entry, "cards", None) or ())
        if isinstance(entry, (HasEntry, NotHasEntry)):
            named.add(entry.card)
    known = [size for size in form.hand_sizes or [None] if size is not None]
    total = sum(known) + len(form.face_up or ()) + CASE_FILE_SIZE
    return recognised(named, total if len(known) == len(form.players) else None)


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
    found = _by_category(names, edition, where)
    if len(found) < len(KINDS):
        message = "these are not one suspect, one weapon and one room"
        raise refused(message, where=where, value=list(names), hint="write [suspect, weapon, room]")
    return found["suspect"], found["weapon"], found["room"]


def _by_category(names: Sequence[str], edition: ClueEdition, where: str) -> dict[str, str]:
    items = enumerate(names, start=1)
    cards = [edition.canonical(name, where=f"{where}, item {item}") for item, name in items]
    return {edition.category(card): card for card in cards}


def _rule(name: str, word: str, said: str) -> str:
    """A hint to write a house rule."""
    return f'if {said} at your table, write "rules": {{"{name}": "{word}"}}'


def _leaves_over(sizes: Sequence[int | None], edition: ClueEdition) -> bool:
    """True if the hands of which all sizes are known leave cards over."""
    known = [size for size in sizes if size is not None]
    return len(known) == len(sizes) and sum(known) < edition.dealt


def _left_over(
    dealt: Sequence[Sequence[str]], face_up: Sequence[str], edition: ClueEdition
) -> Triple | None:
    """The three cards that nobody holds; ``None`` if the hands leave no case file."""
    held = {card for hand in dealt for card in hand}.union(face_up)
    left = [card for card in edition.cards if card not in held]
    if len(left) == CASE_FILE_SIZE and [*map(edition.category, left)] == [*KINDS]:
        return left[0], left[1], left[2]
    return None
