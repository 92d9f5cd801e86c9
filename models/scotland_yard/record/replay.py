"""The moves of a record, carried out one by one by the rules: the only check of what they say.

A record that does not say where Mr. X went is carried out in every world that agrees with it, so
one set of rules tells what follows from either kind.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....data.errors import RecordError, SettingsError
from ...game import HIDDEN, OVER, SPECTATOR, Game, States
from ...kernels.kernel import kernel
from ...kernels.randomness import generator
from ...play import Play
from ..editions import EDITIONS, edition_of
from ..events import HiderMove, HuntEvent, SeekerMove, seeker_name
from ..game import scotland_yard, starts_of
from ..rules import DOUBLED, SHOWN, apply, observe, occupied
from ..state import HIDER, STATIONS, THE_HIDER, TICKETS, bits_of
from .schema import place


@dataclass(frozen=True, eq=False)
class Replayed:
    """A record after all its moves.

    Attributes:
        play: The game that was played, where Mr. X's stations are known; else one that everybody
            would have seen so. It belongs to the record: play on with a copy.
        events: The moves, with what follows from the rules filled in.
    """

    play: Play
    events: tuple[HuntEvent, ...]

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return self.play.over

    @cached_property
    def observations(self) -> tuple[tuple[int, int], ...]:
        """The player of each move, and what everybody saw of it."""
        seen = self.play.seen_by(SPECTATOR).events
        return tuple((each.event.mover, each.event.observation) for each in seen)

    @property
    def states(self) -> States:
        """The public knowledge in the end, in an array of one."""
        return self.play.view(SPECTATOR).states


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


def with_cards(
    settings: Mapping[str, Any], seekers: Sequence[int], hider: int | None
) -> Mapping[str, Any]:
    """The settings of a written record, with the start cards that it shows to have been drawn.

    A record may name an edition for its map while the cards were those of the first one: then
    somebody stands where the edition lets nobody start, and everybody where the first one does.
    """
    if {"hider_starts", "seeker_starts"} & settings.keys():
        return settings
    first, own = edition_of(EDITIONS[0]), edition_of(settings.get("edition", EDITIONS[0]))
    hiders = {hider} - {None}
    if hiders <= {*own.hider_starts} and {*seekers} <= {*own.seeker_starts}:
        return settings
    if not hiders <= {*first.hider_starts} or not {*seekers} <= {*first.seeker_starts}:
        return settings
    cards = {"hider_starts": [*first.hider_starts], "seeker_starts": [*first.seeker_starts]}
    return {**settings, **cards}


def start_states(game: Game, seekers: Sequence[int], hider: int | None) -> States:
    """The start of a game in which everybody's station is known, or everybody's but Mr. X's."""
    states = game.initial(0)
    state = states[0]
    state.stations[:] = 0
    state.stations[HIDER] = HIDDEN if hider is None else hider
    state.stations[1 : 1 + len(seekers)] = seekers
    state.possible[:] = bits_of(sorted(set(starts_of(game)["hider_starts"]) - set(seekers)))
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
        hider: Where Mr. X starts; ``None`` if only what everybody saw is recorded.
        events: The moves.

    Raises:
        RecordError: A move is against the rules, or says what cannot be known or cannot be true.
    """
    game = game_of(settings)
    check_starts(game, seekers, hider)
    worlds = HuntWorlds(game, seekers, hider)
    made = tuple(worlds.take(event, number) for number, event in enumerate(events, start=1))
    start, *codes = worlds.paths[0].tolist()
    play = Play(game, 0, start_states(game, seekers, start))
    for code in codes:
        play.apply(code)
    return Replayed(play, made)


@kernel
def carry_out(states: Any, codes: Any, tables: Any, random: Any, seen: Any) -> None:
    """Carry out a legal action in every world.

    Args:
        states: The worlds; changed.
        codes: The action in each.
        seen: Made what everybody saw of it.
    """
    for world in range(len(codes)):
        mover = states[world].player
        apply(states[world], codes[world], tables, random)
        seen[world] = observe(states[world], codes[world], mover, SPECTATOR, tables)


class _Followed(NamedTuple):
    """Worlds after a move: their states and paths as in `HuntWorlds`, and what everybody saw."""

    states: States
    paths: NDArray[np.int32]
    seen: NDArray[np.int64]

    @property
    def stations(self) -> NDArray[np.int32]:
        """Mr. X's station in each."""
        return self.states["stations"][:, HIDER]


class HuntWorlds:
    """All worlds that agree with a record so far, one for each station where Mr. X may be.

    Attributes:
        states: Their states; everything in them but Mr. X's station is the same.
        paths: Mr. X's start in each, and the codes of all moves since; shape (worlds, 1 + moves).
    """

    def __init__(self, game: Game, seekers: Sequence[int], hider: int | None) -> None:
        self.game = game
        self.board = game.tables.board[0]
        self.known = hider is not None
        free = [each for each in starts_of(game)["hider_starts"] if each not in seekers]
        starts = free if hider is None else [hider]
        self.states = game.states(len(starts))
        for world, station in enumerate(starts):
            self.states[world] = start_states(game, seekers, station)[0]
        self.paths: NDArray[np.int32] = np.array(starts, dtype=np.int32)[:, None]
        self.number = 0

    def take(self, event: HuntEvent, number: int) -> HuntEvent:
        """Carry out a move of the record; it comes back with what follows from the rules."""
        self.number = number
        check_turn(self.game, self.states[0], event, number)
        made = self._hider(event) if isinstance(event, HiderMove) else self._seeker(event)
        if not len(self.states):
            raise RecordError(
                "after this move Mr. X could be nowhere",
                where=place(number),
                hint="this move or one before it is written down wrongly",
            )
        return made

    def _hider(self, event: HiderMove) -> HiderMove:
        if self.known:
            if event.to is None:
                raise self._error(
                    "a record that says where Mr. X starts needs each station", "to", None
                )
            here = int(self.states[0].stations[HIDER])
            codes = [code_of(self.game, self.states[0], here, event.ticket, event.to, self.number)]
            worlds = np.zeros(1, dtype=np.int64)
        else:
            worlds, codes = self._moves(event)
        after = self._followed(worlds, np.array(codes) + self.board.moves * event.double)
        written = event.to is not None
        agrees = (after.seen >= SHOWN) == written
        if self.known:
            agrees[:] = True
        elif len(agrees) and not agrees.any():
            if not written:
                raise self._error("Mr. X surfaces after this move", "to", None, "write the station")
            raise self._error(
                "nobody saw where this move led",
                "to",
                event.to,
                "leave it out, or write where Mr. X started and all stations",
            )
        self._keep(after, agrees)
        return event

    def _seeker(self, event: SeekerMove) -> SeekerMove:
        state: Any = self.states[0]
        here = int(state.stations[event.seeker])
        code = code_of(self.game, state, here, event.ticket, event.to, self.number)
        stations = self.states["stations"][:, HIDER]
        caught = stations == event.to
        if event.caught and not caught.any():
            if self.known:
                hint = f"Mr. X is at {stations[0]}"
                raise self._error("Mr. X is not there", "caught", True, hint)
            raise self._error("Mr. X cannot be there", "caught", True)
        if self.known:
            event = replace(event, caught=bool(caught[0]))
        worlds = np.flatnonzero(caught == event.caught)
        after = self._followed(worlds, np.full(len(worlds), code))
        over = after.states["player"] == OVER
        if event.caught:
            if self.known and event.shown is not None:
                raise self._error("Mr. X is not there", "shown", event.shown, "leave it out")
            agrees = over
        elif event.shown is not None:
            agrees = over & (after.stations == event.shown)
            if not agrees.any():
                raise self._wrongly_shown(event, after)
        else:
            agrees = ~over
            if over.any() and not agrees.any():
                state = after.states[0]
                if not self.known and state.surfaced_turn != state.turn:
                    raise self._error(
                        "the game is over after this move",
                        "shown",
                        None,
                        "write where Mr. X was, or caught: true",
                    )
                # Everybody knows where that was, whether it is written or not.
                event, agrees = replace(event, shown=int(after.stations[0])), over
        self._keep(after, agrees)
        return event

    # -- inside

    def _wrongly_shown(self, event: SeekerMove, after: _Followed) -> RecordError:
        over = after.states["player"] == OVER
        if not over.any() or event.shown in after.stations[~over]:
            message, hint = "the game goes on after this move", "leave it out"
        elif self.known:
            message, hint = "Mr. X is not there", "leave it out"
        else:
            message, hint = "Mr. X cannot be there", ""
        return self._error(message, "shown", event.shown, hint)

    def _moves(self, event: HiderMove) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Worlds and the codes of single moves that a ticket allows there; one to each station.

        Raises:
            RecordError: None leads to the station that is written.
        """
        kind = TICKETS.index(event.ticket)
        codes = np.flatnonzero(self.board.ticket[: self.board.moves] == kind)
        world_at = np.full(STATIONS + 1, -1)
        world_at[self.states["stations"][:, HIDER]] = np.arange(len(self.states))
        worlds, goals = world_at[self.board.origin[codes]], self.board.target[codes]
        allowed = (worlds >= 0) & ~np.isin(goals, self.states[0].stations[1:])
        if event.to is not None:
            allowed &= goals == event.to
            if not allowed.any():
                raise self._error(
                    f"no {event.ticket} takes Mr. X there from any possible station", "to", event.to
                )
        worlds, codes = worlds[allowed], codes[allowed]
        _, ones = np.unique(self.board.target[codes], return_index=True)
        return worlds[ones], codes[ones]

    def _followed(self, worlds: NDArray[np.int64], codes: NDArray[Any]) -> _Followed:
        """These worlds after their actions."""
        states, seen = self.states[worlds], np.zeros(len(worlds), dtype=np.int64)
        actions = codes.astype(np.int32)
        carry_out(states, actions, self.game.tables, generator(0), seen)
        return _Followed(states, np.column_stack([self.paths[worlds], actions]), seen)

    def _keep(self, after: _Followed, agrees: NDArray[np.bool_]) -> None:
        self.states, self.paths = after.states[agrees], after.paths[agrees]

    def _error(self, message: str, field: str, value: object, hint: str = "") -> RecordError:
        return refusal(self.number, message, field, value, hint)


def refusal(number: int, message: str, field: str, value: object, hint: str = "") -> RecordError:
    """The error in a field of a move."""
    return RecordError(message, where=place(number, field), value=value, hint=hint)


def check_turn(game: Game, state: Any, event: HuntEvent, number: int) -> None:
    """Refuse a move that is against the rules by what everybody knew before it.

    Raises:
        RecordError: It is another player's turn, they have no such ticket, or this cannot be the
            first of two moves; with the field.
    """
    player = int(state.player)
    if player == OVER:
        won = "Mr. X has" if state.won == THE_HIDER else "the detectives have"
        raise RecordError(
            f"the game is over, {won} won",
            where=place(number),
            hint="leave out this move and all that follow",
        )
    if event.by != game.roles[player]:
        raise refusal(
            number,
            "it is somebody else's turn",
            "by",
            event.by,
            f"write {game.roles[player]!r}; who cannot move is left out",
        )
    if state.tickets[player, TICKETS.index(event.ticket)] == 0:
        raise refusal(number, f"{event.by} has no such ticket left", "ticket", event.ticket)
    if isinstance(event, HiderMove) and event.double:
        if state.doubles == 0:
            raise refusal(number, "Mr. X has no double move left", "double", True)
        if state.doubling or state.turn + 2 > game.tables.rules[0].rounds:
            raise refusal(
                number,
                "this move cannot be the first of two",
                "double",
                True,
                "not the second of two, and not the last move",
            )


def code_of(game: Game, state: Any, origin: int, ticket: str, to: int, number: int) -> int:
    """The code of a move from a station.

    Raises:
        RecordError: No such ticket leads there, or a detective stands there; with the field.
    """
    board = game.tables.board[0]
    kind = TICKETS.index(ticket)
    first, last = (int(board.first[origin, kind + more]) for more in (0, 1))
    targets = board.target[first:last].tolist()
    if to not in targets:
        listed = ", ".join(map(str, targets))
        raise refusal(
            number,
            f"no {ticket} goes there from {origin}",
            "to",
            to,
            f"from {origin} one goes to {listed}" if targets else f"none goes from {origin}",
        )
    if occupied(state, to):
        raise refusal(number, "a detective stands there", "to", to)
    return first + targets.index(to)


def observation_of(game: Game, state: Any, event: HuntEvent, number: int) -> int:
    """The public observation of a move, as `rules.observe` says, by what they knew before it.

    Whether Mr. X can have been there is not asked: that is for those who know all moves.

    Raises:
        RecordError: The move is against the rules, or says more or less than everybody sees.
    """
    check_turn(game, state, event, number)
    if isinstance(event, SeekerMove):
        here = int(state.stations[event.seeker])
        code = code_of(game, state, here, event.ticket, event.to, number)
        return code + SHOWN * (event.to if event.caught else event.shown or 0)
    due = bool(game.tables.rules[0].reveals[state.turn + 1])
    if due and event.to is None:
        raise refusal(number, "Mr. X surfaces after this move", "to", None, "write the station")
    # After the first of two moves the hider may be unable to go on, and shows where they are.
    if event.to is not None and not due and not event.double:
        raise refusal(number, "nobody saw where this move led", "to", event.to, "leave it out")
    return TICKETS.index(event.ticket) + DOUBLED * event.double + SHOWN * (event.to or 0)


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
    cards = starts_of(game)
    one_pack = cards["hider_starts"] == cards["seeker_starts"]
    taken: dict[int, str] = {}
    named = [(seeker_name(number), station) for number, station in enumerate(seekers, start=1)]
    for item, (name, station) in enumerate([*named, ("hider", hider)], start=1):
        if station is None:
            continue
        hides = name == "hider"
        where = place(None, "hider") if hides else place(None, "seekers", item)
        starts = cards["hider_starts" if hides else "seeker_starts"]
        if station not in starts:
            who = "Mr. X cannot" if hides else "no detective can"
            raise RecordError(
                f"{'no player can' if one_pack else who} start there",
                where=where,
                value=station,
                hint=f"starts are {', '.join(map(str, starts))}",
            )
        if station in taken:
            raise RecordError(
                f"two players cannot start at one station, and {taken[station]} starts there",
                where=where,
                value=station,
                hint="name another station",
            )
        taken[station] = name
