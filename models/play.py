"""One game in progress, what each player sees of it, and its record.

A :class:`Play` is the only holder of a true state. Whoever decides is handed a :class:`View` and
a :class:`SeenPlay`, from which everything that he cannot know is gone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import NDArray

from ..data.errors import RecordError, SettingsError
from .events import Event, Seen, digest, witness
from .game import HIDDEN, OVER, SPECTATOR, Game, States, legal_actions
from .play_record import PlayRecord, check_seed, state_from_json, state_to_json
from .randomness import generator
from .told import NOTHING, Told

_WITNESS: Final = object()


class View:
    """The state of a game without what one viewer cannot know of it. Only a :class:`Play` makes it.

    Views never change, and are equal when the same game looks the same to the same viewer.

    Attributes:
        game: The game.
        viewer: Whose view it is: a player's number, or ``SPECTATOR``.
        data: The bytes of the masked state.
    """

    __slots__ = ("data", "game", "player", "viewer")

    game: Game
    viewer: int
    data: bytes
    player: int

    def __init__(self, game: Game, viewer: int, states: States, token: object = None) -> None:
        if token is not _WITNESS:
            raise TypeError("views are made by a play: write play.view(viewer) instead")
        for name, value in (
            ("game", game),
            ("viewer", viewer),
            ("data", states.tobytes()),
            ("player", int(states[0].player)),
        ):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a view cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a view cannot be changed")

    def __reduce__(self) -> Any:
        raise TypeError("a view does not leave its process; send the record and make it there")

    def __repr__(self) -> str:
        return f"<View of {self.game.name} by {viewer_name(self.game.roles, self.viewer)}>"

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, View)
            and _identity(self.game) == _identity(other.game)
            and self.viewer == other.viewer
            and self.data == other.data
        )

    def __hash__(self) -> int:
        return hash((self.viewer, self.data))

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.player == OVER

    @property
    def states(self) -> States:
        """A copy of the masked state, in an array of one."""
        return self.game.states_of(self.data)

    def legal(self) -> NDArray[np.int32]:
        """Codes of the legal actions, computed from nothing but this view.

        Raises:
            SettingsError: It is not the viewer's move.
        """
        if self.over or self.viewer != self.player:
            raise SettingsError(
                "only the player to move knows his legal actions",
                where=f"view of {viewer_name(self.game.roles, self.viewer)}",
                hint="the game is over"
                if self.over
                else f"it is the move of {viewer_name(self.game.roles, self.player)}",
            )
        return legal_actions(self.game, self.states)


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A player made his move.

    Attributes:
        mover: The player's number.
        observation: What the viewer saw of it, as the game's ``observe`` says.
        action: The action's code, if the viewer is the mover himself.
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
        start: The numbers of the state before the first move, as the viewer saw it.
        events: What he saw happen, numbered from 1 without gaps: a move of which he noticed
            nothing (its observation is ``HIDDEN``) leaves no trace.
        told: What he was told beside it, by whoever runs the match.
    """

    game: str
    settings: Mapping[str, Any]
    roles: tuple[str, ...]
    viewer: int
    start: tuple[int, ...]
    events: tuple[Seen[Moved], ...] = ()
    told: Told = NOTHING

    @cached_property
    def digest(self) -> str:
        """SHA-256 of all of it in canonical JSON, as 64 hexadecimal digits."""
        return digest(
            {
                "game": self.game,
                "settings": dict(self.settings),
                "roles": self.roles,
                "viewer": self.viewer,
                "start": self.start,
                "events": [seen.event.to_json() for seen in self.events],
            }
        )


class Play:
    """One game in progress. Made by :meth:`new`, or by ``record.replay(game)``.

    Attributes:
        game: The game.
        seed: Where all its chance comes from: the start from (seed), the dice of move number i,
            counted from 1, from (seed, i).
        actions: The codes of all actions so far.
    """

    def __init__(self, game: Game, seed: int, start: States) -> None:
        self.game = game
        self.seed = check_seed(seed)
        self.actions: list[int] = []
        self._start = start.copy()
        self._states = start.copy()
        self._moves: list[tuple[int, tuple[int, ...]]] = []
        self._seen: dict[int, list[Seen[Moved]]] = {}
        self._looked_at: dict[int, int] = {}
        self._starts: dict[int, tuple[int, ...]] = {}

    def __repr__(self) -> str:
        return f"<Play of {self.game.name}, {len(self.actions)} actions>"

    @staticmethod
    def new(game: Game, *, seed: int, start: States | None = None) -> Play:
        """A game that begins.

        Args:
            game: The game.
            seed: Where its chance comes from, from 0 to 2**64 - 1.
            start: One state to begin with, instead of one dealt from the seed.
        """
        check_seed(seed)
        return Play(game, seed, game.initial(seed) if start is None else start[:1])

    # -- what everybody may know

    @property
    def player(self) -> int:
        """Whose move it is; ``OVER`` when the game is over."""
        return int(self._states[0].player)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.player == OVER

    def legal(self) -> NDArray[np.int32]:
        """Codes of the legal actions of the player to move; none when the game is over."""
        return legal_actions(self.game, self._states)

    def view(self, viewer: int) -> View:
        """The state as a player (or ``SPECTATOR``) knows it."""
        self._check_viewer(viewer)
        return View(self.game, viewer, self.game.masked(self._states, viewer), _WITNESS)

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
            so_far.append(witness(len(so_far) + 1, name, Moved(mover, observation, action)))
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
            self._starts[viewer] = _numbers(self.game.masked(self._start, viewer))
        return self._starts[viewer]

    # -- playing

    def apply(self, action: int) -> None:
        """Carry out an action of the player to move.

        Raises:
            SettingsError: The game is over, or the action is not legal.
        """
        where = f"{self.game.name}, move {len(self.actions) + 1}"
        if self.over:
            raise SettingsError("the game is over", where=where, value=action)
        legal = self.legal().tolist()
        if action not in legal:
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
        observations = tuple(
            int(game.observe(state, code, mover, viewer, game.tables))
            for viewer in (*range(game.players), SPECTATOR)
        )
        self.actions.append(code)
        self._moves.append((mover, observations))

    def returns(self) -> NDArray[np.float64]:
        """What each player has won, in the game's own units; shape (players,).

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

        For checks that nobody's view or decision depends on what he cannot see.
        """
        other = Play(self.game, self.seed, self._start)
        other.actions = list(self.actions)
        other._states = states[:1].copy()
        other._moves = list(self._moves)
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


def replay(record: PlayRecord, game: Game) -> Play:
    """Play a recorded game again, to its last action; see :meth:`PlayRecord.replay`."""
    record.check_game(game)
    play = Play.new(game, seed=record.seed, start=state_from_json(record.start, game))
    for place, action in enumerate(record.actions, start=1):
        try:
            play.apply(action)
        except SettingsError as error:
            raise RecordError(
                error.message, where=f"actions, item {place}", value=action, hint=error.hint
            ) from None
    return play


def viewer_name(roles: tuple[str, ...], viewer: int) -> str:
    """A player's role, or the word for somebody who looks on."""
    return "spectator" if viewer == SPECTATOR else roles[viewer]


def _identity(game: Game) -> tuple[str, int, dict[str, Any]]:
    return game.name, game.version, dict(game.settings)


def _numbers(states: States) -> tuple[int, ...]:
    found: list[int] = []
    for name in states.dtype.names or ():
        found += np.asarray(states[name][0]).reshape(-1).tolist()
    return tuple(found)
