"""A recorded game of Scotland Yard: all that was written down, and who may see what of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from ....data.errors import RecordError, UnsupportedError
from ...game import Game
from ...play import Play, PlayRecord
from ...records.events import witness
from ...records.play_start import state_from_json
from ...records.written import KnownPlay, WrittenRecord
from ..editions import EDITIONS
from ..events import HIDER_NAME, HiderMove, HuntEvent, SeekerMove
from ..game import earlier, starts_of
from ..rules import SHOWN
from ..state import HIDER, TICKETS
from .certain_moves import certain_moves
from .replay import Replayed, check_starts, game_of, replay, start_states, with_cards
from .schema import HuntMoveEntry, place, read_form
from .seen import SPECTATOR, SeenHunt

Kind = Literal["full", "public"]


@dataclass(frozen=True, kw_only=True)
class ScotlandYardRecord(WrittenRecord):
    """One game of Scotland Yard with everything that is known about it.

    Made by :func:`load`, :meth:`from_json` or :meth:`from_play`, which check it by the rules. Code
    that reasons about the game asks :meth:`seen_by` for a view.

    Attributes:
        settings: What differs from the usual rules, as `scotland_yard` takes it.
        seekers: Where the detectives start.
        hider: Where Mr. X starts, if that is known: then the record is full.
        events: The moves, with everything that was recorded about them.

    >>> import sleuth
    >>> from sleuth.games.scotland_yard import ScotlandYardRecord, scotland_yard
    >>> play = sleuth.Play.new(scotland_yard(seekers=2, rounds=3), seed=1)
    >>> for _ in range(3):
    ...     play.apply(play.legal()[0])
    >>> record = ScotlandYardRecord.from_play(play, name="three moves")
    >>> record.kind, record.viewers(), record.default_viewer, record.game.name
    ('full', ('hider', 'seeker 1', 'seeker 2', 'spectator'), 'spectator', 'scotland_yard')
    >>> record.known_viewer("seeker 1", where="an example"), record.head()["name"]
    ('seeker 1', 'three moves')
    >>> record.seen_by("seeker 1").events[0].event
    HiderMove(ticket='taxi', to=None, double=False)
    >>> len(record.replayed.observations)
    3
    >>> record.without_truth().kind, record.play().actions == play.actions
    ('public', True)
    >>> record.known_play().known, record.without_truth().known_play().known  # all; one detective
    (None, frozenset({2, 3}))
    >>> ScotlandYardRecord.from_json(record.to_json()) == record == record.checked()
    True
    >>> record.dump("hunt.json")
    >>> ScotlandYardRecord.load("hunt.json").digest == record.digest
    True
    """

    game_name = "scotland_yard"
    seekers: tuple[int, ...]
    events: tuple[HuntEvent, ...]
    hider: int | None = None
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])

    # -- making

    @classmethod
    def _read(cls, value: object) -> ScotlandYardRecord:
        form = read_form(value)
        settings = form.settings.model_dump(exclude_none=True) if form.settings else {}
        return ScotlandYardRecord(
            settings=with_cards(settings, form.seekers, form.hider),
            seekers=tuple(form.seekers),
            hider=form.hider,
            events=tuple(
                event_of(entry, number) for number, entry in enumerate(form.moves, start=1)
            ),
            name=form.name,
            source=form.source,
            note=form.note,
        ).checked()

    @staticmethod
    def from_play(
        play: Play | PlayRecord,
        *,
        name: str | None = None,
        source: str | None = None,
        note: str | None = None,
    ) -> ScotlandYardRecord:
        """The full record of a game that was played here, whole or so far.

        Raises:
            RecordError: It is another game, or did not begin as games do.
        """
        if isinstance(play, PlayRecord):
            play = _replayed(play)
        game = play.game
        if game.name != "scotland_yard":
            raise RecordError("this is another game", value=game.name)
        start = play.record().start["stations"]
        board = game.tables.board[0]
        moves = [each.event.mover for each in play.seen_by(HIDER).events]
        events: list[HuntEvent] = []
        for mover, action in zip(moves, play.actions, strict=True):
            move = action % int(board.moves)
            ticket, to = TICKETS[int(board.ticket[move])], int(board.target[move])
            if mover == HIDER:
                events.append(HiderMove(ticket, to, double=bool(action >= board.moves)))
            else:
                events.append(SeekerMove(mover, ticket, to))
        edition = game.settings["edition"]
        usual = {**game_of({"edition": edition}).settings, "edition": EDITIONS[0]}
        different = {
            name: value for name, value in game.settings.items() if usual.get(name) != value
        }
        if (cards := starts_of(game)) != starts_of(game_of(different)):
            different |= cards
        return ScotlandYardRecord(
            settings=different,
            seekers=tuple(start[1 : game.players]),
            hider=start[HIDER],
            events=tuple(events),
            name=name,
            source=source,
            note=note,
        ).checked()

    def checked(self) -> ScotlandYardRecord:
        """The record after a look at the rules, with what follows from them filled in.

        Raises:
            RecordError: A move is against the rules; with its number and field.
        """
        return replace(self, events=self.replayed.events)

    # -- what it says

    @cached_property
    def replayed(self) -> Replayed:
        """The moves, carried out."""
        return replay(self.settings, self.seekers, self.hider, self.events)

    @property
    def game(self) -> Game:
        """The game that was played, with its settings."""
        return game_of(self.settings)

    @property
    def kind(self) -> Kind:
        """``"full"`` if Mr. X's stations are known, ``"public"`` if only what everybody saw is."""
        return "public" if self.hider is None else "full"

    def viewers(self) -> tuple[str, ...]:
        """The viewers who can be asked for in :meth:`seen_by`."""
        roles = self.game.roles
        return (*(roles if self.kind == "full" else roles[1:]), SPECTATOR)

    @property
    def default_viewer(self) -> str:
        """The spectator, who knows what every detective knows."""
        return SPECTATOR

    def seen_by(self, viewer: str | None = None) -> SeenHunt:
        """The game as ``viewer`` saw it.

        Mr. X sees everything. All others see the hider's station only at reveals, and when the game
        is over.

        Args:
            viewer: One of :meth:`viewers`; ``None`` for the spectator.

        Raises:
            RecordError: If the record does not say what that viewer saw.
        """
        viewer = self.default_viewer if viewer is None else viewer
        unseen = ", since it does not say where Mr. X went" if viewer == HIDER_NAME else ""
        self.known_viewer(viewer, where="viewer", why=unseen)
        public = viewer != HIDER_NAME
        seen: list[HuntEvent] = []
        for event, (_, observation) in zip(self.events, self.replayed.observations, strict=True):
            hidden = isinstance(event, HiderMove) and observation < SHOWN
            seen.append(replace(event, to=None) if public and hidden else event)
        return SeenHunt(
            settings=self.game.settings,
            viewer=viewer,
            seekers=self.seekers,
            hider=None if public else self.hider,
            events=tuple(witness(place, viewer, event) for place, event in enumerate(seen, 1)),
            observations=self.replayed.observations,
        )

    def without_truth(self) -> ScotlandYardRecord:
        """The record of what everybody saw: nothing in it says where Mr. X was unseen."""
        seen = self.seen_by(SPECTATOR)
        return replace(self, hider=None, events=tuple(each.event for each in seen.events))

    def play(self) -> Play:
        """The game to its last move, as one that can be played on.

        Raises:
            UnsupportedError: The record does not say where Mr. X went.
        """
        if self.hider is None:
            raise UnsupportedError("a game can be played on only if Mr. X's stations are recorded")
        return self.replayed.play.record().replay(self.game)

    def known_play(self) -> KnownPlay:
        """The game as a play; where it does not say where Mr. X went, with what follows from it."""
        played = self.replayed.play
        known = None
        if self.kind == "public":
            known = certain_moves(self.settings, self.seekers, self.hider, self.events)
        return KnownPlay(played.record(), self.game, known)

    # -- files

    def to_json(self) -> dict[str, Any]:
        """The record in the form of its schema; :meth:`from_json` gives an equal record back."""
        made = self.head()
        if self.settings:
            made["settings"] = dict(self.settings)
        made["seekers"] = list(self.seekers)
        if self.hider is not None:
            made["hider"] = self.hider
        return made | {"moves": [event.to_json() for event in self.events]}


load = ScotlandYardRecord.load


def _replayed(kept: PlayRecord) -> Play:
    """A game that was kept, played again from a start that the rules know.

    Kernels take the numbers of a state as they are, so they are looked at first.
    """
    try:
        game = game_of(kept.settings)
        game = earlier(kept.version, kept.settings) or game
    except (TypeError, ValueError, OverflowError):
        raise RecordError(
            "these are no settings of this game", where="field 'settings'", value=kept.settings
        ) from None
    kept.check_game(game)
    begun = state_from_json(kept.start, game)
    hider, *seekers = begun[0].stations[: game.players].tolist()
    check_starts(game, seekers, hider)
    if begun.tobytes() != start_states(game, seekers, hider).tobytes():
        raise RecordError("this is not how a game begins", where="field 'start'")
    return kept.replay(game)


def event_of(entry: HuntMoveEntry, number: int) -> HuntEvent:
    """A move as it stands in a record.

    Raises:
        RecordError: It says what only the other side's moves can say; with its number and field.
    """
    hider = entry.by == HIDER_NAME
    for name, given, hiders in (
        ("double", entry.double, True),
        ("caught", entry.caught, False),
        ("shown", entry.shown is not None, False),
    ):
        if given and hider != hiders:
            raise RecordError(
                f"only {'Mr. X' if hiders else 'a detective'} can have this field",
                where=place(number, name),
                value=getattr(entry, name),
                hint="leave it out",
            )
    if hider:
        return HiderMove(entry.ticket, entry.to, double=entry.double)
    if entry.to is None:
        raise RecordError("where the detective went is missing", where=place(number, "to"))
    return SeekerMove(
        int(entry.by.split()[1]), entry.ticket, entry.to, caught=entry.caught, shown=entry.shown
    )
