"""The moves of a record, carried out one by one by the rules: the only check of what they say."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from ...data.errors import RecordError, SettingsError
from ..game import OVER, SPECTATOR, Game, States, legal_actions
from ..randomness import generator
from .events import HiderMove, HuntEvent, SeekerMove, seeker_name
from .game import scotland_yard
from .possible import is_possible
from .public import followed, public_start, stuck_stations
from .rules import DOUBLED, SHOWN, occupied
from .schema import place
from .tables import HIDER, THE_HIDER, TICKETS, bits_of, stations_of


@dataclass(frozen=True, eq=False)
class Replayed:
    """A record after all its moves.

    Attributes:
        game: The game.
        events: The moves, with what follows from the rules filled in.
        observations: Who made each move, and what everybody saw of it.
        actions: The code of each move; ``None`` for Mr X's where his station is not known.
        states: What everybody knows in the end, in an array of one.
    """

    game: Game
    events: tuple[HuntEvent, ...]
    observations: tuple[tuple[int, int], ...]
    actions: tuple[int | None, ...]
    states: States

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return int(self.states[0].player) == OVER


@lru_cache(maxsize=32)
def _game(settings: str) -> Game:
    return scotland_yard(**json.loads(settings))


def game_of(settings: Mapping[str, Any]) -> Game:
    """The game with these settings, made once.

    Raises:
        RecordError: They do not fit together.
    """
    try:
        return _game(json.dumps(dict(settings), sort_keys=True))
    except SettingsError as error:
        raise RecordError(
            error.message,
            where=place(None, "settings"),
            value=error.value,
            hint=error.hint,
        ) from None


def start_states(game: Game, seekers: Sequence[int], hider: int | None) -> States:
    """The start of a game in which everybody's station is known, or everybody's but Mr X's."""
    states = game.initial(0)
    state = states[0]
    state.stations[:] = 0
    state.stations[1 : 1 + len(seekers)] = seekers
    starts = set(game.tables.board[0].starts.tolist())
    state.possible[:] = bits_of(sorted(starts - set(seekers)))
    if hider is None:
        return public_start(states.view(np.int32).tolist())
    state.stations[HIDER] = hider
    return states


def replay(
    settings: Mapping[str, Any],
    seekers: Sequence[int],
    hider: int | None,
    events: Sequence[HuntEvent],
) -> Replayed:
    """Carry out the moves of a record.

    Args:
        settings: As `scotland_yard` takes them.
        seekers: Where the detectives start.
        hider: Where Mr X starts; ``None`` if only what everybody saw is recorded.
        events: The moves.

    Raises:
        RecordError: A move is against the rules, or says what cannot be known or cannot be true.
    """
    game = game_of(settings)
    check_starts(game, seekers, hider)
    truth = None if hider is None else start_states(game, seekers, hider)
    public = start_states(game, seekers, None)
    made: list[HuntEvent] = []
    seen: list[tuple[int, int]] = []
    codes: list[int | None] = []
    for number, event in enumerate(events, start=1):
        turn = _Turn(game, public, truth, number)
        turn.check_mover(event)
        if isinstance(event, HiderMove):
            event, code, observation = turn.hider(event)
        else:
            event, code, observation = turn.seeker(event)
        mover = int(public[0].player)
        public = followed(public, mover, observation, game.tables)
        if not stations_of(public[0].possible):
            raise RecordError(
                "after this move Mr X could be nowhere",
                where=place(number),
                hint="this move or one before it is written down wrongly",
            )
        made.append(event)
        seen.append((mover, observation))
        codes.append(code)
    return Replayed(game, tuple(made), tuple(seen), tuple(codes), public)


class _Turn:
    """One move of a record. ``truth`` becomes the state after it, ``public`` stays."""

    def __init__(self, game: Game, public: States, truth: States | None, number: int) -> None:
        self.game = game
        self.board = game.tables.board[0]
        self.rules = game.tables.rules[0]
        self.public = public
        self.truth = truth
        self.number = number

    def check_mover(self, event: HuntEvent) -> None:
        player = int(self.public[0].player)
        if player == OVER:
            won = "Mr X has" if self.public[0].won == THE_HIDER else "the detectives have"
            raise RecordError(
                f"the game is over, {won} won",
                where=place(self.number),
                hint="leave out this move and all that follow",
            )
        if event.by != self.game.roles[player]:
            raise self._error(
                "it is somebody else's turn",
                "by",
                event.by,
                f"write {self.game.roles[player]!r}; who cannot move is left out",
            )
        ticket = TICKETS.index(event.ticket)
        if self.public[0].tickets[player, ticket] == 0:
            raise self._error(f"{event.by} has no such ticket left", "ticket", event.ticket)

    def seeker(self, event: SeekerMove) -> tuple[SeekerMove, int, int]:
        """The move with what follows from it, its code, and what everybody saw."""
        state = self.public[0]
        code = self._code(int(state.stations[event.seeker]), event.ticket, event.to)
        if self.truth is not None:
            there = int(self.truth[0].stations[HIDER])
            if event.caught and there != event.to:
                raise self._error("Mr X is not there", "caught", True, f"he is at {there}")
            observation = self._apply(code)
            over = int(self.truth[0].player) == OVER
            shown = there if over and there != event.to else None
            if event.shown is not None and event.shown != shown:
                raise self._error(
                    "Mr X is not there" if over else "the game goes on after this move",
                    "shown",
                    event.shown,
                    "leave it out",
                )
            return replace(event, caught=there == event.to, shown=shown), code, observation
        if event.caught:
            if not is_possible(state, event.to):
                raise self._error("Mr X cannot be there", "caught", True)
            return event, code, code + SHOWN * event.to
        shown = self._shown(event, followed(self.public, event.seeker, code, self.game.tables))
        return replace(event, shown=shown), code, code + SHOWN * (shown or 0)

    def hider(self, event: HiderMove) -> tuple[HiderMove, int | None, int]:
        """The move, its code if his station is known, and what everybody saw."""
        state = self.public[0]
        if event.double and state.doubles == 0:
            raise self._error("he has no double move left", "double", True)
        if event.double and (state.doubling or state.turn + 2 > self.rules.rounds):
            raise self._error(
                "this move cannot be the first of two",
                "double",
                True,
                "not the second of two, and not his last",
            )
        if self.truth is not None:
            if event.to is None:
                raise self._error(
                    "a record that says where Mr X starts says where he goes", "to", None
                )
            code = self._code(int(self.truth[0].stations[HIDER]), event.ticket, event.to)
            code += int(self.board.moves) * event.double
            return event, code, self._apply(code)
        observation = TICKETS.index(event.ticket) + DOUBLED * event.double
        shows = self.rules.reveals[state.turn + 1] == 1
        # Where he can be after it, as if he did not show himself.
        after = followed(self.public, HIDER, observation, self._without_reveals())
        if event.to is None:
            if shows or int(after[0].player) == OVER:
                raise self._error(
                    "Mr X shows himself after this move", "to", None, "write his station"
                )
            return event, None, observation
        if not is_possible(after[0], event.to):
            raise self._error(
                f"no {event.ticket} takes him there from where he can be", "to", event.to
            )
        observation += SHOWN * event.to
        ended = int(followed(self.public, HIDER, observation, self.game.tables)[0].player) == OVER
        if not shows and not ended:
            raise self._error(
                "nobody saw where this move led",
                "to",
                event.to,
                "leave it out, or write where he started and all his stations",
            )
        return event, None, observation

    # -- inside

    def _shown(self, event: SeekerMove, after: States) -> int | None:
        """Where everybody sees Mr X after a move that did not catch him; None if the game goes on.

        Args:
            event: The move.
            after: What everybody knows after it, if the game goes on.
        """
        state = after[0]
        listed = set(stations_of(state.possible))
        ends = int(state.player) == HIDER and state.turn >= self.rules.rounds
        stuck: set[int] = set()
        if int(state.player) == HIDER and not ends:
            stuck = set(stuck_stations(after, self.game.tables))
        if ends and event.shown is None and state.surfaced_turn == state.turn:
            return int(state.surfaced)
        if event.shown is None:
            if ends or (stuck and listed <= stuck):
                raise self._error(
                    "the game is over after this move",
                    "shown",
                    None,
                    "write where Mr X was, or caught: true",
                )
            return None
        if not ends and event.shown not in stuck:
            raise self._error(
                "the game goes on after this move", "shown", event.shown, "leave it out"
            )
        if event.shown not in listed:
            raise self._error("Mr X cannot be there", "shown", event.shown)
        return event.shown

    def _without_reveals(self) -> Any:
        rules: Any = self.game.tables.rules.copy()
        rules[0].reveals[:] = 0
        return self.game.tables._replace(rules=rules)

    def _code(self, origin: int, ticket: str, to: int | None) -> int:
        kind = TICKETS.index(ticket)
        first, last = (int(self.board.first[origin, kind + more]) for more in (0, 1))
        targets = self.board.target[first:last].tolist()
        if to is None or to not in targets:
            listed = ", ".join(map(str, targets))
            raise self._error(
                f"no {ticket} goes there from {origin}",
                "to",
                to,
                f"from {origin} one goes to {listed}" if targets else f"none goes from {origin}",
            )
        if occupied(self.public[0], to):
            raise self._error("a detective stands there", "to", to)
        return first + targets.index(to)

    def _apply(self, code: int) -> int:
        """Carry out a move of a full record; what everybody saw of it."""
        assert self.truth is not None
        game, state = self.game, self.truth[0]
        mover = int(state.player)
        assert code in legal_actions(game, self.truth)
        game.apply(state, code, game.tables, generator(0))
        return int(game.observe(state, code, mover, SPECTATOR, game.tables))

    def _error(self, message: str, field: str, value: object, hint: str = "") -> RecordError:
        return RecordError(message, where=place(self.number, field), value=value, hint=hint)


def check_starts(game: Game, seekers: Sequence[int], hider: int | None) -> None:
    """Refuse a start that the rules do not know.

    Raises:
        RecordError: There are too many or too few detectives, two start at one station, or
            somebody where nobody starts; with the field.
    """
    if len(seekers) != game.players - 1:
        raise RecordError(
            f"the game has {game.players - 1} detectives",
            where=place(None, "seekers"),
            value=list(seekers),
            hint="list where each of them starts, or change settings.seekers",
        )
    starts = game.tables.board[0].starts.tolist()
    taken: dict[int, str] = {}
    named = [(seeker_name(number), station) for number, station in enumerate(seekers, start=1)]
    for item, (name, station) in enumerate([*named, ("hider", hider)], start=1):
        if station is None:
            continue
        where = place(None, "hider") if name == "hider" else place(None, "seekers", item)
        if station not in starts:
            raise RecordError(
                "nobody starts there",
                where=where,
                value=station,
                hint=f"starts are {', '.join(map(str, starts))}",
            )
        if station in taken:
            raise RecordError(f"{taken[station]} starts there", where=where, value=station)
        taken[station] = name
