"""A recorded game of Saboteur: all that was written down, and who may see what of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Final, Literal, cast

from ....data.errors import ContradictionError, RecordError
from ...game import Game
from ...play import Play, PlayRecord
from ...recorded import played_again
from ...records.replay import CompletedPlay
from ...records.written import KnownPlay, WrittenRecord
from ..game import NAME
from ..words import GOAL_NAMES
from .events import RoundDeal, RoundEnd, RoundTurn, SaboteurEvent
from .notation import Notation
from .played import events_of
from .replaying import EventError, EventReplay, differing, game_of, goal_wanted, replayed, rounds_of
from .schema import DealEntry, EndEntry, TurnEntry, place, read_form

SPECTATOR: Final = "spectator"
#: Names that nobody can have: they stand for something else.
TAKEN: Final = (SPECTATOR, "left over", "gold", "all", "nobody", "none", *GOAL_NAMES)

Kind = Literal["full", "partial", "public"]


@dataclass(frozen=True, kw_only=True)
class SaboteurRecord(WrittenRecord):
    """One game of Saboteur with everything that is known about it.

    Made by :func:`load`, :meth:`from_json`, :meth:`from_lines` or :meth:`from_play`, which check
    it by the rules. Code that reasons about the game plays it again (:meth:`completed`), with the
    eyes of one of its :meth:`viewers`.

    Attributes:
        players: Their names in turn order; the first begins.
        observer: Who wrote it; None where everybody's cards are known, or nobody's.
        settings: What differs from the usual rules, as `saboteur` takes it.
        events: Deals, turns and ends of rounds.

    >>> import sleuth
    >>> from sleuth.games.saboteur import SaboteurRecord
    >>> record = SaboteurRecord.from_lines('''
    ... game: saboteur
    ... players: Ann, Bob, Cid
    ... me: Ann
    ... deal Ann miner: NES, EW, map, dead N, rockfall, NS
    ... Ann map top, saw stone, says stone, drew break cart
    ... Bob ESW x d7
    ... Cid break lantern Bob
    ... '''.splitlines())
    >>> record.kind, record.viewers(), record.default_viewer
    ('partial', ('Ann', 'spectator'), 'Ann')
    >>> [event.line for event in record.events][-2:]
    ['Bob dead ESW d7', 'Cid break lantern Bob']
    >>> SaboteurRecord.from_json(record.to_json()) == record
    True
    >>> print(record.seen_by("spectator").text)
    game: saboteur
    players: Ann, Bob, Cid
    Ann map top, says stone
    Bob dead ESW d7
    Cid break lantern Bob
    <BLANKLINE>
    >>> record.completed(seed=1).last.view(0) == record.completed(seed=2).last.view(0)
    True
    >>> record.number_of("Ann"), len(record.script().actions), record.checked() == record
    (0, 4, True)
    >>> record.game.roles, record.events[1].to_json()["saw"], record.events[0].to_json()["role"]
    (('Ann', 'Bob', 'Cid'), 'stone', 'miner')
    >>> try:
    ...     record.with_truth()
    ... except sleuth.SleuthError as error:
    ...     print(error.message)
    the record does not say who was a saboteur
    >>> play = sleuth.Play.new("saboteur", seed=1)
    >>> SaboteurRecord.from_play(play).known_play().known is None  # nothing is left open
    True
    """

    game_name = NAME
    players: tuple[str, ...]
    observer: str | None = None
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    events: tuple[SaboteurEvent, ...] = ()

    # -- making

    @classmethod
    def _read(cls, value: object) -> SaboteurRecord:
        fields = cast("dict[str, object]", value) if isinstance(value, dict) else {}
        if isinstance(lines := fields.get("lines"), list):
            return cls.from_lines([*map(str, cast("list[object]", lines))])
        form = read_form(cast("object", value))
        bare = SaboteurRecord(
            players=tuple(form.players),
            observer=form.observer,
            settings=dict(form.settings),
            name=form.name,
            source=form.source,
            note=form.note,
        )
        game = bare.game
        return replace(
            bare,
            events=tuple(event_of(entry, game, n) for n, entry in enumerate(form.events, start=1)),
        ).checked()

    @classmethod
    def from_lines(cls, lines: Sequence[str]) -> SaboteurRecord:
        """The record that lines of text say.

        First come ``game: saboteur``, ``players: Ann, Bob, Cid``, ``me: Ann`` where it is seen with
        somebody's eyes, and ``rules: rounds=3, pay=gold`` where these differ; then each line is an
        event. Empty lines, and those that begin with ``#``, say nothing.

        Raises:
            RecordError: A line says nothing, or is against the rules; with its number.
        """
        head: dict[str, str] = {}
        made: SaboteurRecord | None = None
        events: list[SaboteurEvent] = []
        numbers: list[int] = []
        for number, line in enumerate(lines, start=1):
            text = line.strip()
            if not text or text.startswith("#"):
                continue
            key, sign, rest = text.partition(":")
            if made is None and sign and key.strip().casefold() in HEADS:
                head[key.strip().casefold()] = rest.strip()
                continue
            if made is None:
                made = _headed(head)
            try:
                events.append(Notation(made.game).event(text))
            except RecordError as error:
                error.reword(where=f"line {number}")
                raise
            numbers.append(number)
        return replace(made or _headed(head), events=tuple(events)).checked(lines=numbers)

    @staticmethod
    def from_play(
        play: Play | PlayRecord,
        *,
        players: Sequence[str] | None = None,
        name: str | None = None,
        source: str | None = None,
        note: str | None = None,
    ) -> SaboteurRecord:
        """The full record of a game that was played here, whole or so far.

        Args:
            play: The game.
            players: Names of its players; by default those of their roles.
            name, source, note: Free text.

        Raises:
            RecordError: It is another game.

        >>> import sleuth
        >>> from sleuth.games.saboteur import SaboteurRecord
        >>> play = sleuth.Play.new("saboteur", seed=1)
        >>> play.apply(int(play.legal()[0]))
        >>> record = SaboteurRecord.from_play(play, players=["Ann", "Bob", "Cid", "Dan", "Eva"])
        >>> record.kind, record.events[-1].what
        ('full', 'ESW c6')
        """
        if isinstance(play, PlayRecord):
            play = played_again(play)
        if play.game.name != NAME:
            raise RecordError("this is another game", value=play.game.name)
        named = tuple(players or play.game.roles)
        bare = SaboteurRecord(
            players=named, settings=differing(play.game), name=name, source=source, note=note
        )
        return replace(bare, events=tuple(events_of(play, bare.game))).checked()

    def checked(self, *, lines: Sequence[int] = ()) -> SaboteurRecord:
        """The record after a look at the rules.

        Args:
            lines: The lines of a text that its events stand on, which errors then name.

        Raises:
            RecordError: Something is against them; with its number.
        """
        for player in self.players:
            if player.casefold() in TAKEN:
                raise RecordError("nobody can be called so", where="field 'players'", value=player)
        if len({name.casefold() for name in self.players}) < len(self.players):
            raise RecordError("two players have one name", value=list(self.players))
        if self.observer is not None and self.observer not in self.players:
            raise RecordError(
                "the observer is no player", where="field 'observer'", value=self.observer
            )
        whole = self.kind == "full"
        for notes in rounds_of(self.game, self.events):
            who = {self.players[player] for player in notes.deals}
            wanted = {*self.players} if whole else {self.observer} - {None}
            if (notes.turns or who) and who != wanted:
                raise RecordError(
                    "every round begins with the deal of the observer, of all players, or of "
                    "nobody",
                    value=sorted(who),
                    hint="write 'deal Ann miner: NES, map' for who wrote the record down",
                )
        try:
            last = self.events[-1] if self.completed().missing == "goal" else None
            if isinstance(last, RoundTurn):
                raise goal_wanted(len(self.events), last)
        except EventError as error:
            if lines:
                error.reword(where=f"line {lines[error.number - 1]}")
            raise
        except ContradictionError as error:
            events = [int(str(each)) for each in error.evidence]
            told = [lines[number - 1] for number in events] if lines else events
            kind = f"{'line' if lines else 'event'}{'' if len(told) == 1 else 's'}"
            where = f"{kind} {', '.join(map(str, told))}" if told else None
            raise RecordError(error.message, where=where) from None
        return self

    # -- what it says

    @property
    def game(self) -> Game:
        """The game that was played, whose roles are the players' names."""
        return game_of(self.players, self.settings)

    @property
    def kind(self) -> Kind:
        """``"partial"`` if it knows one player's cards, ``"full"`` if all, else ``"public"``."""
        if self.observer is not None:
            return "partial"
        return "full" if any(isinstance(each, RoundDeal) for each in self.events) else "public"

    def viewers(self) -> tuple[str, ...]:
        """The viewers whose knowledge it says."""
        known = {"full": self.players, "partial": (self.default_viewer,), "public": ()}
        return (*known[self.kind], SPECTATOR)

    @property
    def default_viewer(self) -> str:
        """The viewer who wrote it; else the first player where all is known, and who looks on."""
        if self.observer is not None:
            return self.observer
        return self.players[0] if self.kind == "full" else SPECTATOR

    def completed(self, *, seed: int = 0) -> EventReplay:
        """The events carried out in a world that agrees with them; see `replaying`."""
        if seed == 0:
            return self._completed
        return replayed(self.game, self.events, seed=seed)

    @cached_property
    def _completed(self) -> EventReplay:
        return replayed(self.game, self.events)

    def script(self) -> CompletedPlay:
        """A play that it may be of."""
        return self.completed().play

    def known_play(self) -> KnownPlay:
        """The game as a play, to the end of the last round of which it says the truth."""
        known = self.with_truth()
        play = known.script()
        everything = self.kind == "full"
        numbers = None if everything else frozenset(range(1, len(play.actions) + 1))
        return KnownPlay(play, known.game, numbers)

    def number_of(self, viewer: str) -> int:
        """The number of a viewer in the game; -1 for the spectator.

        Raises:
            RecordError: The record does not say what they saw.
        """
        self.known_viewer(viewer, where="viewer")
        return -1 if viewer == SPECTATOR else self.players.index(viewer)

    def seen_by(self, viewer: str | None = None) -> SaboteurRecord:
        """The record that a viewer could have written: without what they did not see.

        Raises:
            RecordError: The record does not say what they saw.
        """
        viewer = self.default_viewer if viewer is None else viewer
        self.number_of(viewer)
        seen: list[SaboteurEvent] = []
        for event in self.events:
            if isinstance(event, RoundDeal) and event.player != viewer:
                continue
            if isinstance(event, RoundTurn) and event.by != viewer:
                what = "discard" if event.what.startswith("discard") else event.what
                event = replace(event, what=what, saw=None, drew=None)
            seen.append(event)
        observer = None if viewer == SPECTATOR else viewer
        return replace(self, observer=observer, events=tuple(seen))

    def with_truth(self) -> SaboteurRecord:
        """The record as far as it knows roles and gold: a full one, or the rounds that ended.

        Raises:
            RecordError: It knows nothing of them.
        """
        if self.kind == "full":
            return self
        ends = [n for n, each in enumerate(self.events, 1) if isinstance(each, RoundEnd)]
        if not ends:
            raise RecordError(
                "the record does not say who was a saboteur",
                hint="it does with the line 'end: saboteurs Bob; gold top'",
            )
        return replace(self, events=self.events[: ends[-1]])

    # -- files

    @property
    def text(self) -> str:
        """The record as lines of text; :meth:`from_lines` gives an equal record back."""
        told = {
            "game": NAME,
            "players": ", ".join(self.players),
            "me": self.observer,
            "rules": ", ".join(f"{key}={value}" for key, value in self.settings.items()),
            "name": self.name,
            "source": self.source,
            "note": self.note,
        }
        head = [f"{key}: {value}" for key, value in told.items() if value]
        return "\n".join([*head, *(event.line for event in self.events), ""])

    def to_json(self) -> dict[str, Any]:
        """The record in the form of its schema; :meth:`from_json` gives an equal record back."""
        made = self.head() | {"players": list(self.players)}
        if self.observer is not None:
            made["observer"] = self.observer
        if self.settings:
            made["settings"] = dict(self.settings)
        return made | {"events": [event.to_json() for event in self.events]}


load = SaboteurRecord.load

#: What stands at the head of a record in lines.
HEADS: Final = ("game", "players", "me", "rules", "name", "source", "note")


def settings_of(text: str) -> dict[str, Any]:
    """Settings from ``rounds=3, pay=gold``.

    Raises:
        RecordError: They are not written so.
    """
    found: dict[str, Any] = {}
    for part in text.replace(",", " ").split():
        key, sign, value = part.partition("=")
        if not sign or not value:
            raise RecordError("this is no setting", value=part, hint="write such as 'rounds=3'")
        words: dict[str, Any] = {"true": True, "yes": True, "false": False, "no": False}
        plain = words.get(value.casefold(), value)
        found[key] = int(value) if value.isdigit() else plain
    return found


def _headed(head: Mapping[str, str]) -> SaboteurRecord:
    if head.get("game", NAME) != NAME:
        raise RecordError("this is another game", where="line 'game'", value=head["game"])
    if "players" not in head:
        raise RecordError("who plays?", hint="begin with the line 'players: Ann, Bob, Cid'")
    text = head["players"]
    players = text.split(",") if "," in text else text.split()
    named = tuple(name.strip() for name in players if name.strip())
    observer = head.get("me")
    known = {name.casefold(): name for name in named}
    return SaboteurRecord(
        players=named,
        observer=None if observer is None else known.get(observer.casefold(), observer),
        settings=settings_of(head.get("rules", "")),
        name=head.get("name"),
        source=head.get("source"),
        note=head.get("note"),
    )


def event_of(entry: DealEntry | TurnEntry | EndEntry, game: Game, number: int) -> SaboteurEvent:
    """An event as it stands in a record, in the game's own words.

    Raises:
        RecordError: A card, a cell or a player is none; with the event's number.
    """
    notation = Notation(game)
    try:
        if isinstance(entry, DealEntry):
            return RoundDeal(entry.player, entry.role, tuple(map(notation.card, entry.hand)))
        if isinstance(entry, EndEntry):
            for name in (*entry.saboteurs, *entry.cards):
                _known(name, game)
            order = tuple(name for name in game.roles if name in entry.saboteurs)
            return RoundEnd(order, entry.gold, {n: tuple(c) for n, c in entry.cards.items()})
        _known(entry.by, game)
        what, _ = notation.action(entry.what.casefold().split())
        turned: dict[str, str] = {
            goal: notation.turned_card(card.casefold().split())
            for goal, card in entry.turned.items()
        }
        drew = None if entry.drew is None else notation.card(entry.drew)
        says = entry.says or ("nothing" if what.startswith("map ") else None)
        return RoundTurn(entry.by, what, says, entry.saw, turned, drew)
    except RecordError as error:
        if not error.where:
            error.reword(where=place(number))
        raise


def _known(name: str, game: Game) -> None:
    if name not in game.roles:
        raise RecordError(
            "no player has this name", value=name, hint=f"there are {', '.join(game.roles)}"
        )
