"""Games from the deal on that a viewer may have seen, where they cannot tell what was done.

Deals that look as the viewer's did are listed, or drawn by the game's belief as it was before the
first move. From each of them all games are followed that fit what the viewer has seen, as many as
there is room for (`history_kernels`). What the others chose is not judged: every game counts as
much as its deal is likely.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, Final
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ...data.errors import CostError, SleuthError, UnsupportedError
from ...models.game import Game, States, legal_actions, mover_of
from ...models.games import GAMES
from ...models.kernels.at_hand import NUMBA
from ...models.kernels.compiling import Say, Wanted, compile_all, compile_now, plainly
from ...models.kernels.kernel import to_standard_error
from ...models.kernels.plain.twins import is_compiled
from ...models.kernels.randomness import generator
from ...models.play import Play, SeenPlay, View, event_numbers, foreseen, start_as_seen
from ...models.rehearsal import Origin, filled, own_kernels
from ...models.starts import GameStarts
from ...models.state_fields import flat_numbers, words_of
from .contract import GameBelief, Histories
from .history_kernels import HistoryRules, follow, nothing_found, population_of

#: Games that are followed at first: so many, and so many for each that is wanted.
ROOM: Final = 1_024
ROOM_EACH: Final = 4
#: How many times as many are followed where too few are left in the end, and how many at most,
#: however many are wanted.
MORE: Final = 4
MOST_ROOM: Final = 16_384
#: Least share of the wanted games that have to be different, or least number of them in the end.
_LEFT: Final = 0.25
_LEAST: Final = 16
#: Deals of a game that are listed; of a game with more they are drawn.
_LISTED: Final = 1_000
#: Looks of a game's start whose deals are kept.
_KEPT: Final = 256
#: The kernels of a game that are called, in the order of `HistoryRules`.
_OF_GAME: Final = ("legal", "apply", "observe", "mask")


def drawn_histories(
    belief: GameBelief,
    view: View,
    seen: SeenPlay,
    count: int,
    rng: np.random.Generator,
    *,
    patient: bool = True,
) -> Histories | None:
    """``count`` games that a viewer may have seen, each as likely as its deal.

    Args:
        belief: The game's.
        view: The state as the viewer knows it, of a game without dice.
        seen: All they have seen, of the same moment and viewer.
        count: How many games.
        rng: Where they come from.
        patient: Whether more games are followed where too few are left in the end.

    Returns:
        The games, with what the number of all that fit is estimated to be; None where so many deals
        and actions do not fit that too few are left.
    """
    game = view.game
    if game.has_dice or game.listed is not None:
        return None
    room = min(max(ROOM, ROOM_EACH * count), MOST_ROOM)
    while True:
        dealt = _deals(belief, view, seen, room, rng)
        if dealt is None:
            return None
        starts, shares, listed = dealt
        found = nothing_found(game, count, len(seen.events))
        ended = _kernel_of(game)(
            game.tables,
            starts,
            shares,
            words_of(view.states)[0],
            event_numbers(seen),
            view.viewer,
            population_of(game, room),
            found,
            _generator_from(rng),
        )
        exact = listed and found.cut[0] == 0
        enough = ended >= (1 if exact else max(1.0, _LEFT * count))
        if enough or exact or not patient or room >= MOST_ROOM:
            break
        room = min(MORE * room, MOST_ROOM)
    if ended == 0 or not (enough or ended >= _LEAST):
        return None
    longest = max(found.lengths.tolist())
    actions = np.ascontiguousarray(found.actions[:, :longest])
    return Histories(starts[found.starts], actions, actions, tuple(found.ways.tolist()))


def hides_actions(belief: GameBelief, view: View, seen: SeenPlay, seed: int) -> bool:
    """True if a deal shows that the viewer cannot tell which actions were taken.

    False where it does not, as one that something rules out before.
    """
    game, random = view.game, generator(seed)
    dealt = _deals(belief, view, seen, 1, np.random.default_rng(seed))
    if dealt is None or game.listed is not None:
        return False
    states = dealt[0][:1].copy()
    for each in seen.events:
        if mover_of(states) != each.event.mover:
            return mover_of(states) != view.viewer  # somebody did what the viewer did not notice
        fitting: list[States] = []
        for code in legal_actions(game, states).tolist():
            if each.event.action in (None, code):
                after = states.copy()
                game.apply(after[0], code, game.tables, random)
                noticed = game.observe(after[0], code, each.event.mover, view.viewer, game.tables)
                if noticed == each.event.observation:
                    fitting.append(after)
        if len(fitting) != 1:
            return len(fitting) > 1
        (states,) = fitting
    return False


def warm_histories(game: Game, say: Say | None = None) -> bool:
    """Compile what drawing games needs, unless nothing may be compiled; whether it is compiled."""
    if game.has_dice or game.listed is not None:
        return True
    return _kernel_of(game).compiled(say, wait=True)


# -- deals

_listed: WeakKeyDictionary[Game, GameStarts | None] = WeakKeyDictionary()
_alike: WeakKeyDictionary[Game, dict[tuple[int, tuple[int, ...]], Any]] = WeakKeyDictionary()


def _deals(
    belief: GameBelief, view: View, seen: SeenPlay, count: int, rng: np.random.Generator
) -> tuple[States, NDArray[np.float64], bool] | None:
    """Deals that look as the viewer's did, how likely they are, and whether these are all."""
    game = view.game
    known = _alike.setdefault(game, {})
    wanted = seen.viewer, seen.start
    if wanted not in known:
        if len(known) == _KEPT:
            known.clear()
        known[wanted] = _listed_deals(game, seen)
    if known[wanted] is not None:
        return *known[wanted], True
    begun = start_as_seen(game, seen)
    try:
        first = Play.new(game, seed=0).view(seen.viewer)
        before = foreseen(first, replace(seen, events=()), begun, ())
        rows = belief.worlds(belief.infer(*before), count, rng)
    except SleuthError:
        return None  # a belief that knows nothing of that moment
    ours = game.name in GAMES and not own_kernels(game)
    random = generator(int(rng.integers(2**63)))
    rows = np.ascontiguousarray(rows, np.int16)
    starts = filled(game, begun, rows, random, Origin.OURS if ours else Origin.BELIEF)
    # Deals that were drawn several times are followed once.
    plain = np.ascontiguousarray(starts).view(np.dtype((np.void, game.state.itemsize)))
    _, places, times = np.unique(plain, return_index=True, return_counts=True)
    order = np.argsort(places)
    return starts[places[order]], times[order] / len(starts), False


def _listed_deals(game: Game, seen: SeenPlay) -> tuple[States, NDArray[np.float64]] | None:
    """All deals that look as the viewer's did; None where there are too many to list."""
    if game not in _listed:
        try:
            _listed[game] = game.starts(_LISTED)
        except (CostError, UnsupportedError):
            _listed[game] = None
    found = _listed[game]
    if found is None:
        return None
    looks = (
        game.masked(found.states[place : place + 1], seen.viewer) for place in range(len(found))
    )
    places = [
        place
        for place, look in enumerate(looks)
        if tuple(flat_numbers(look).tolist()) == seen.start
    ]
    if not places:
        return None
    shares = found.probabilities[places]
    return found.states[places], shares / shares.sum()


# -- compiling


class _Follower:
    """The kernel `follow` for a game, which is plain Python until it is compiled."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._handed: list[Wanted] = [
            (getattr(game, name), game.signatures[name]) for name in _OF_GAME
        ]
        self._entry: Callable[..., int] | None = None

    def compiled(self, say: Say | None = None, *, wait: bool = False) -> bool:
        """True if it is compiled now; unless the caller waits, only where nobody has to wait."""
        if self._entry is None and compile_now(self._wanted, wait=wait):
            self._warm(say)
        return self._entry is not None

    def __call__(self, *arguments: Any) -> int:
        if self.compiled():
            assert self._entry is not None
            return self._entry(*arguments)
        rules = HistoryRules(*(each for each, _ in self._handed))
        call = plainly(follow, self._wanted, lambda *given: self._warm()(*given[1:]))
        return call(rules, *arguments)

    def _warm(self, say: Say | None = None) -> Callable[..., int]:
        if not self._wanted:
            rules = HistoryRules(*(each for each, _ in self._handed))
            self._entry = lambda *arguments: follow(rules, *arguments)
            return self._entry
        from ...models.kernels.by_address import handle  # which needs numba

        what = f"{self._game.name} as somebody has seen it"
        compile_all(self._wanted, what, say or to_standard_error)
        function: Any = follow
        entry = function.overloads[self._wanted[-1][1].args].entry_point
        rules = HistoryRules(*(handle(*each) for each in self._handed))
        self._entry = lambda *arguments: entry(rules, *arguments)
        return self._entry

    @cached_property
    def _wanted(self) -> list[Wanted]:
        if NUMBA is None or not is_compiled(follow):
            return []
        from ...models.kernels.by_address import KernelType  # which needs numba

        game, types, typeof = self._game, NUMBA.types, NUMBA.typeof
        signature = types.int64(
            types.NamedTuple([KernelType(each) for _, each in self._handed], HistoryRules),
            typeof(game.tables),
            typeof(game.states(1)),
            types.Array(types.float64, 1, "C"),
            types.Array(types.int32, 1, "C"),
            types.Array(types.int64, 2, "C"),
            types.int64,
            typeof(population_of(game, 1)),
            typeof(nothing_found(game, 1, 1)),
            types.Array(types.uint64, 1, "C"),
        )
        return [*self._handed, (follow, signature)]


_kernels: WeakKeyDictionary[Game, _Follower] = WeakKeyDictionary()


def _kernel_of(game: Game) -> _Follower:
    """The kernel of a game, the same one whoever asks."""
    return _kernels.setdefault(game, _Follower(game))


def _generator_from(rng: np.random.Generator) -> NDArray[np.uint64]:
    """A generator of kernels, seeded by the next number."""
    return generator(int(rng.integers(2**63)))
