"""One game in progress, what each player sees of it, and its record.

A :class:`Play` is the only holder of a true state. An agent that decides gets a :class:`View` and
a :class:`SeenPlay`, from which everything that they cannot know is gone.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, ClassVar, Final, cast

import numpy as np
from numpy.typing import NDArray

from ..data.errors import RecordError, SettingsError
from ..data.showing import shown
from ..data.tables import html_shown, html_table
from .briefing import NOTHING, Briefing
from .game import HIDDEN, OVER, SPECTATOR, Game, States, legal_actions, mover_of
from .games import GameEntry, game_from
from .kernels.randomness import generator
from .records.events import Event, Seen, canonical_json, digest, witness
from .records.play_start import MOST_SEEDS, check_seed, state_from_json, state_to_json
from .records.reading import parse_json, read_bytes, refuse_long, refuse_slips, refused
from .rehearsal import check_state, rehearse, rehearse_from, same_start
from .state_fields import flat_numbers, write_flat_numbers
from .view import PLAYS, known_numbers
from .view import View as View
from .view import viewer_name as viewer_name

#: The fields of a record.
FIELDS: Final = ("game", "version", "settings", "seed", "start", "actions")
#: A field more of games that people play, which no replay needs: who played every role.
PLAYED_BY: Final = "played_by"
#: What stands there for a person, before their name if they have one; for others the agent's text.
PERSON: Final = "you"
#: Another one: how long each action took.
SECONDS: Final = "seconds"
#: Most actions of a record.
MOST_ACTIONS: Final = 100_000


@dataclass(frozen=True, slots=True)
class MoveEvent(Event):
    """A player made their move.

    Attributes:
        mover: The player's number.
        observation: What the viewer saw of it, as the game's ``observe`` says.
        action: The action's code, if the viewer is the mover themselves.

    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> play.apply(1)
    >>> (seen,) = play.seen_by(0).events
    >>> seen.event
    MoveEvent(mover=0, observation=1, action=1)
    >>> seen.event.to_json()
    {'type': 'move', 'mover': 0, 'observation': 1, 'action': 1}
    """

    kind: ClassVar[str] = "move"

    mover: int
    observation: int
    action: int | None = None

    def to_json(self) -> dict[str, object]:
        """The event as plain values; the action only where the viewer knows it."""
        made: dict[str, object] = {
            "type": self.kind,
            "mover": self.mover,
            "observation": self.observation,
        }
        return made if self.action is None else made | {"action": self.action}


@dataclass(frozen=True)
class SeenPlay:
    """All that one viewer has seen of a game, made by ``play.seen_by(viewer)``.

    Equal for games that differ only in what the viewer could not see.

    Attributes:
        game: The game's name.
        settings: The game's settings.
        roles: The players in the order of their numbers.
        viewer: A player's number, or ``SPECTATOR``.
        start: The numbers of the state before the first move, as the viewer saw it: all fields of
            the game's record, one after the other, with ``HIDDEN`` for what they did not see. A
            belief that goes by what was seen reads the viewer's own first cards here.
        events: What they saw happen, numbered from 1 without gaps: a move of which they noticed
            nothing (its observation is ``HIDDEN``) leaves no trace.
        told: What they were told beside it, by the runner of the match.

    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> play.apply(1)
    >>> seen = play.seen_by(1)
    >>> seen.to_json()["start"], len(seen.events), len(seen.digest)
    ([0, None, 2, 1, 1, 0], 1, 64)
    >>> play.game.state.names, seen.start[2]  # they hold card 2
    (('player', 'cards', 'bets', 'moves'), 2)
    """

    game: str
    settings: Mapping[str, Any]
    roles: tuple[str, ...]
    viewer: int
    start: tuple[int, ...]
    events: tuple[Seen[MoveEvent], ...] = ()
    told: Briefing = NOTHING

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all of it in canonical JSON, as 64 hexadecimal digits."""
        return digest(self._fields)

    def to_json(self) -> dict[str, Any]:
        """All of it as plain values; null stands for what the viewer cannot know."""
        return known_numbers(self._fields) | {"viewer": viewer_name(self.roles, self.viewer)}

    @property
    def _fields(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "settings": dict(self.settings),
            "roles": self.roles,
            "viewer": self.viewer,
            "start": self.start,
            "events": [seen.event.to_json() for seen in self.events],
        }

    def _repr_html_(self) -> str:
        return shown("seen", self)


def goes_on(before: SeenPlay, now: SeenPlay) -> bool:
    """True if what was seen before is the beginning of what is seen now, in the same game."""
    same = before.viewer == now.viewer and before.start == now.start
    return same and before.events == now.events[: len(before.events)]


def event_numbers(seen: SeenPlay) -> NDArray[np.int64]:
    """int64[events, 3], of what was seen the mover, the observation, and the viewer's own action.

    Another player's action is ``HIDDEN``.
    """
    found = np.full((len(seen.events), 3), HIDDEN, np.int64)
    for place, each in enumerate(seen.events):
        event = each.event
        found[place, :2] = event.mover, event.observation
        if event.action is not None:
            found[place, 2] = event.action
    return found


def start_as_seen(game: Game, seen: SeenPlay) -> States:
    """The state at the start as the viewer saw it, in an array of one."""
    states = game.states(1)
    write_flat_numbers(states, seen.start)
    return states


class Play:
    """One game in progress. Made by :meth:`new`, or by ``record.replay(game)``.

    Attributes:
        game: The game.
        seed: Where all its chance comes from: the start from (seed), the dice of move number i,
            counted from 1, from (seed, i).
        actions: The codes of all actions so far.

    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> play.view(0).states[0].cards.tolist()  # the other's card is hidden
    [0, -1000003]
    >>> play.truth()[0].cards.tolist()
    [0, 2]
    >>> play.player, play.legal().tolist()
    (0, [0, 1])
    >>> play.apply(1)
    >>> [seen.event.to_json() for seen in play.seen_by(1).events]
    [{'type': 'move', 'mover': 0, 'observation': 1}]
    >>> imagined = play.supposing(play.truth())
    >>> imagined.apply(0)
    >>> imagined.returns().tolist(), play.over
    ([1.0, -1.0], False)
    >>> other = play.copy()  # with the same dice
    >>> other.apply(1)
    >>> len(other.actions), len(play.actions)
    (2, 1)
    >>> play.record().actions
    (1,)
    """

    def __init__(self, game: Game, seed: int, start: States) -> None:
        rehearse(game)
        self.game = game
        self.seed = check_seed(seed)
        self.actions: list[int] = []
        self._start = start.copy()
        self._states = start.copy()
        self._moves: list[tuple[int, tuple[int, ...]]] = []
        self._seen: dict[int, list[Seen[MoveEvent]]] = {}
        self._looked_at: dict[int, int] = {}
        self._starts: dict[int, tuple[int, ...]] = {}

    def __repr__(self) -> str:
        return f"<Play of {self.game.name}, {len(self.actions)} actions>"

    def _repr_html_(self) -> str:
        """The game as somebody sees it who looks on."""
        return shown("play", self)

    @staticmethod
    def new(game: Game | GameEntry | str, *, seed: int, start: States | None = None) -> Play:
        """A game that begins.

        Args:
            game: The game, its entry, or its name.
            seed: Where its chance comes from, from 0 to 2**64 - 1.
            start: One state to begin with, instead of one dealt from the seed.

        Raises:
            SettingsError: No game has this name, or ``start`` is no state of this game, or none
                that its rules can make.
        """
        game = game_from(game)
        check_seed(seed)
        rehearse(game)
        if start is None:
            return Play(game, seed, game.initial(seed))
        return _begun(game, seed, start, ())

    # -- what everybody may know

    @property
    def player(self) -> int:
        """Whose move it is; ``OVER`` when the game is over."""
        return mover_of(self._states)

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return self.player == OVER

    def legal(self) -> NDArray[np.int32]:
        """Codes of the legal actions of the player to move; none when the game is over."""
        return legal_actions(self.game, self._states)

    def view(self, viewer: int) -> View:
        """The state as a player (or ``SPECTATOR``) knows it."""
        self._check_viewer(viewer)
        return View(self.game, viewer, self.game.masked(self._states, viewer), PLAYS)

    def seen_by(self, viewer: int) -> SeenPlay:
        """All that a player (or ``SPECTATOR``) has seen so far."""
        self._check_viewer(viewer)
        so_far = self._seen.setdefault(viewer, [])
        name = viewer_name(self.game.roles, viewer)
        for place in range(self._looked_at.get(viewer, 0), len(self._moves)):
            mover, observations = self._moves[place]
            observation = observations[viewer]  # the spectator's, -1, is the last
            if observation == HIDDEN and viewer != mover:
                continue
            action = self.actions[place] if viewer == mover else None
            so_far.append(witness(len(so_far) + 1, name, MoveEvent(mover, observation, action)))
        self._looked_at[viewer] = len(self._moves)
        return SeenPlay(
            game=self.game.name,
            settings=self.game.settings,
            roles=self.game.roles,
            viewer=viewer,
            start=self._seen_start(viewer),
            events=tuple(so_far),
        )

    def _seen_start(self, viewer: int) -> tuple[int, ...]:
        if viewer not in self._starts:
            masked = self.game.masked(self._start, viewer)
            self._starts[viewer] = tuple(flat_numbers(masked).tolist())
        return self._starts[viewer]

    # -- playing

    def apply(self, action: int, *, chance: Callable[[Any], None] | None = None) -> None:
        """Carry out an action of the player to move.

        Args:
            action: Its code.
            chance: Puts into the state that comes of it what chance has decided, where that is
                known, such as the cards of a new deal; None draws it.

        Raises:
            SettingsError: The game is over, or the action is not legal.
        """
        where = f"{self.game.name}, move {len(self.actions) + 1}"
        if self.over:
            raise SettingsError("the game is over", where=where, value=action)
        legal = self.legal().tolist()
        if self.game.listed_code(self._states, int(action)) not in legal:
            mover = viewer_name(self.game.roles, self.player)
            listed = ", ".join(str(code) for code in legal[:20])
            raise SettingsError(
                f"this action is not legal for {mover}",
                where=where,
                value=action,
                hint=f"legal are {listed}" + (", ..." if len(legal) > 20 else ""),
            )
        game, state, mover = self.game, self._states[0], self.player
        code = int(action)
        game.apply(state, code, game.tables, generator(self.seed, len(self.actions) + 1))
        if chance is not None:
            chance(state)
        observations = tuple(
            int(game.observe(state, code, mover, viewer, game.tables))
            for viewer in (*range(game.players), SPECTATOR)
        )
        self.actions.append(code)
        self._moves.append((mover, observations))

    def returns(self) -> NDArray[np.float64]:
        """Each player's winnings, in the game's own units; shape (players,).

        Raises:
            SettingsError: The game is not over.
        """
        if not self.over:
            raise SettingsError("the game is not over yet", where=self.game.name)
        values = np.zeros(self.game.players)
        self.game.returns(self._states[0], self.game.tables, values)
        return values

    # -- for reports, oracles and checks

    def truth(self) -> States:
        """A copy of the true state, in an array of one. Nobody who plays may be handed it."""
        return self._states.copy()

    def supposing(self, states: States) -> Play:
        """The same play with another truth from now on; what was seen stays as it was.

        For checks that nobody's view or decision depends on what they cannot see.
        """
        check_state(self.game, states)
        other = self.copy()
        other._states = states[:1].copy()
        return other

    def copy(self) -> Play:
        """The same game in progress; what is played on in one does not change the other."""
        other = object.__new__(Play)
        other.__dict__ |= self.__dict__
        other.actions, other._moves = list(self.actions), list(self._moves)
        other._states = self._states.copy()
        other._seen = {viewer: list(seen) for viewer, seen in self._seen.items()}
        other._looked_at, other._starts = dict(self._looked_at), dict(self._starts)
        return other

    def record(self) -> PlayRecord:
        """The game so far, as a record from which it can be played again."""
        return PlayRecord(
            game=self.game.name,
            version=self.game.version,
            settings=dict(self.game.settings),
            seed=self.seed,
            start=state_to_json(self._start),
            actions=tuple(self.actions),
        )

    def _check_viewer(self, viewer: int) -> None:
        if not (viewer == SPECTATOR or 0 <= viewer < self.game.players):
            raise SettingsError(
                "no such viewer",
                where=self.game.name,
                value=viewer,
                hint=f"a player from 0 to {self.game.players - 1}, or SPECTATOR (-1)",
            )


@dataclass(frozen=True)
class PlayRecord:
    """One game, whole or so far, as it can be played again.

    It holds the hidden truth: hand it to nobody who plays.

    Attributes:
        game: The game's name.
        version: The version of the game's rules it was played by.
        settings: The game's settings.
        seed: Where its chance came from.
        start: The fields of the state before the first move.
        actions: Codes of the actions in order.

    >>> import sleuth
    >>> from sleuth.kit import PlayRecord
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> play.apply(1)
    >>> record = play.record()
    >>> record.to_json()["start"], record.to_json()["actions"]
    ({'player': 0, 'cards': [0, 2], 'bets': [1, 1], 'moves': 0}, [1])
    >>> PlayRecord.from_json(record.to_json()) == record
    True
    >>> record.save("play.json")
    >>> PlayRecord.load("play.json").digest == record.digest
    True
    >>> record.replay(play.game).truth()[0].cards.tolist()
    [0, 2]
    >>> try:
    ...     record.check_game(sleuth.game("leduc_poker"))
    ... except sleuth.SleuthError as error:
    ...     print(error.message)
    the record is of another game
    """

    game: str
    version: int
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    seed: int = 0
    start: Mapping[str, Any] = field(default_factory=dict[str, Any])
    actions: tuple[int, ...] = ()

    def _repr_html_(self) -> str:
        """The record's game and length; nothing of what is hidden in it."""
        settings = ", ".join(f"{name}={value}" for name, value in self.settings.items())
        rows = [
            ("game", self.game),
            ("settings", settings or "-"),
            ("moves", str(len(self.actions))),
        ]
        return html_shown(html_table(("", ""), rows, caption="A record of a play"))

    def replay(self, game: Game) -> Play:
        """The game, played again to its last action.

        Args:
            game: The same game: of this name, version and settings.

        Raises:
            RecordError: It is another game, or the record breaks its rules; with the place.
        """
        play = self.begin(game)
        for place, action in enumerate(self.actions, start=1):
            try:
                play.apply(action)
            except SettingsError as error:
                raise RecordError(
                    error.message, where=f"actions, item {place}", value=action, hint=error.hint
                ) from None
        return play

    def begin(self, game: Game) -> Play:
        """The game before its first action; see `replay`.

        Raises:
            RecordError: It is another game, or the record begins with no state of its rules.

        >>> import sleuth
        >>> record = sleuth.Play.new("kuhn_poker", seed=1).record()
        >>> record.begin(sleuth.game("kuhn_poker")).actions
        []
        """
        self.check_game(game)
        start = state_from_json(self.start, game)
        try:
            return _begun(game, self.seed, start, self.actions)
        except SettingsError as error:
            raise RecordError(error.message, where="field 'start'", hint=error.hint) from None

    def chance(self, number: int) -> Callable[[Any], None] | None:
        """The decision of chance with an action, numbered from 1; None: it follows from the seed.

        >>> import sleuth
        >>> sleuth.Play.new("kuhn_poker", seed=1).record().chance(1) is None
        True
        """
        return None

    def check_game(self, game: Game) -> None:
        """Refuse a game of another name, version or settings.

        Raises:
            RecordError: It is another game.
        """
        for name, mine, other in (
            ("game", self.game, game.name),
            ("version", self.version, game.version),
            ("settings", dict(self.settings), dict(game.settings)),
        ):
            if canonical_json(mine) != canonical_json(other):
                raise RecordError(
                    "the record is of another game",
                    where=f"field {name!r}",
                    value=mine,
                    hint=f"this game has {other!r}",
                )

    @property
    def digest(self) -> str:
        """SHA-256 of the record in canonical JSON, as 64 hexadecimal digits."""
        return digest(self.to_json())

    def to_json(self) -> dict[str, Any]:
        """The record as plain values."""
        return {
            "game": self.game,
            "version": self.version,
            "settings": dict(self.settings),
            "seed": self.seed,
            "start": dict(self.start),
            "actions": list(self.actions),
        }

    @staticmethod
    def from_json(value: object) -> PlayRecord:
        """The record that :meth:`to_json` wrote.

        Raises:
            RecordError: A field is missing, unknown or of another type; with its place.
        """
        if not isinstance(value, dict):
            raise refused("a record is a JSON object", value=value)
        fields = cast(dict[object, object], value)
        refuse_slips(fields, known=FIELDS, where="record")
        for name in FIELDS:
            if name not in fields:
                raise RecordError("a field is missing", where="record", value=name)
        game, settings, start = fields["game"], fields["settings"], fields["start"]
        if not isinstance(game, str) or not game:
            raise refused("the name of a game is needed", where="field 'game'", value=game)
        for name, mapping in (("settings", settings), ("start", start)):
            if not isinstance(mapping, dict):
                raise refused("a JSON object is needed", where=f"field {name!r}", value=mapping)
        listed = fields["actions"]
        refuse_long(listed, name="actions", most=MOST_ACTIONS)
        if not isinstance(listed, list):
            raise refused(
                "a list of whole numbers is needed", where="field 'actions'", value=listed
            )
        actions = tuple(
            _whole(action, f"field 'actions', item {place}")
            for place, action in enumerate(cast(list[object], listed), start=1)
        )
        seed = _whole(fields["seed"], "field 'seed'")
        if seed >= MOST_SEEDS:
            raise refused("a seed is less than 2**64", where="field 'seed'", value=seed)
        return PlayRecord(
            game=game,
            version=_whole(fields["version"], "field 'version'"),
            settings=cast(dict[str, Any], settings),
            seed=seed,
            start=cast(dict[str, Any], start),
            actions=actions,
        )

    def save(self, path: str | Path) -> None:
        """Write the record as JSON, on one line."""
        Path(path).write_text(json.dumps(self.to_json()) + "\n", encoding="utf-8")

    @staticmethod
    def load(path: str | Path | Traversable) -> PlayRecord:
        """The record in a file.

        Raises:
            RecordError: It cannot be read, is not JSON, or is no record; with the place.
        """
        return PlayRecord.from_json(parse_json(read_bytes(path)))


def _begun(game: Game, seed: int, start: States, actions: Sequence[int]) -> Play:
    """A play from a state that somebody handed over, which goes on with these actions."""
    rehearse(game)
    if not same_start(game, seed, start):
        rehearse_from(game, start, actions)
    return Play(game, seed, start[:1])


def foreseen(
    view: View, seen: SeenPlay, states: States, moves: Sequence[MoveEvent]
) -> tuple[View, SeenPlay]:
    """A player's knowledge at a later moment that they imagine.

    Args:
        view: What they know now.
        seen: All they have seen so far.
        states: One state of that moment, which comes of what they know and imagine; what they could
            not see there is masked.
        moves: What they would have seen until then, in order.
    """
    later = View(view.game, view.viewer, view.game.masked(states, view.viewer), PLAYS)
    viewer = viewer_name(view.game.roles, view.viewer)
    first = len(seen.events) + 1
    events = (witness(first + place, viewer, move) for place, move in enumerate(moves))
    # A hint was about what had happened when it was given.
    told = replace(seen.told, hint=None)
    return later, replace(seen, events=(*seen.events, *events), told=told)


def _whole(value: object, where: str) -> int:
    if type(value) is not int or value < 0:
        raise refused("a whole number, 0 or more, is needed", where=where, value=value)
    return value


def person_named(name: str) -> str:
    """The text that stands for a person of this name in `PLAYED_BY`."""
    return PERSON if name == PERSON else f"{PERSON}: {name}"


def person_of(text: object) -> str | None:
    """The name of the person that a text of `PLAYED_BY` stands for; None for an agent."""
    if text == PERSON:
        return PERSON
    if not isinstance(text, str) or not text.startswith(f"{PERSON}: "):
        return None
    return text.partition(": ")[2]


def kept_record(value: object) -> PlayRecord:
    """The record in a file, which may be a game that a person played and kept.

    Raises:
        RecordError: It is no record; with the place.
    """
    if isinstance(value, dict):
        fields = cast("dict[str, object]", value)
        value = {name: each for name, each in fields.items() if name not in (PLAYED_BY, SECONDS)}
    return PlayRecord.from_json(value)
