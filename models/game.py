"""The parts a game provides so that beliefs, search, matches and checks can work with it.

A :class:`Game` is one NumPy record type for its state and a few small kernels. Everything that
plays, checks or learns the game uses nothing else, so a game of your own is one file.

The state
    A record with signed whole-number fields of four bytes or more (also small arrays of them),
    with names that are no methods of ``np.record``. It holds everything that is true at a moment
    of the game, hidden or not. One field is required:

    ``player``
        Whose move it is, counted from 0; ``OVER`` (-1) when the game is over.

The kernels
    ``tables`` is the game's own named tuple of arrays and numbers (board, settings): kernels get
    it as an argument and never name such things globally. ``random`` is a generator for
    :func:`~sleuth.models.kernels.randomness.below` and
    :func:`~sleuth.models.kernels.randomness.uniform`.

    ``start(state, tables, random)``
        Makes a state of zeros the start of a game; all chance before the first move is drawn here.
    ``legal(state, tables, actions) -> count``
        Writes the codes of the legal actions to the front of ``actions`` and says how many there
        are; at least one while the game is not over. They may depend only on what the player to
        move knows.
    ``apply(state, action, tables, random)``
        Carries out a legal action, up to the next decision. Cards still to be drawn belong into
        the state from the start, as something hidden; only dice are drawn here.
    ``observe(state, action, mover, viewer, tables) -> observation``
        What ``viewer`` saw of the action that led to ``state``, as a whole number: equal numbers
        for what they cannot tell apart, ``HIDDEN`` when they do not even notice that something
        was done. ``SPECTATOR`` (-1) sees what everybody sees.
    ``returns(state, tables, values)``
        Writes what each player has won when the game is over, in the game's own units.
    ``mask(state, viewer, tables)``
        Overwrites with ``HIDDEN`` all that ``viewer`` cannot know of a state.
    ``fill(state, world, tables, random)``
        Writes one value of what is hidden into a masked state: ``world`` is a row of
        ``posterior.sample_array``, for the belief that belongs to the game. What the belief says
        nothing about (the order of a stock of cards) is drawn here.
    ``policy(state, actions, count, tables, random) -> index``
        Which legal action a player of a playout takes. Default: any, each equally likely.
    ``key(state, viewer, tables) -> whole number``
        Optional: what a viewer should tell apart, instead of all they saw. States with one key
        share what a search learns of them.

A kernel must not keep anything between calls, and must not write to ``tables``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..data.errors import SettingsError
from ..data.progress import Tell, silent
from ..data.tables import html_shown, html_table
from .advice import NO_ADVICE, Advice, Kernel
from .kernels.at_hand import NUMBA
from .kernels.kernel import kernel, kernel_statistics
from .kernels.randomness import Generator, below, generator
from .starts import MOST_DEALS, GameStarts, draws, starts
from .state_fields import ObservationSpace, StateField, check_fields, observation_space

OVER: Final = -1
SPECTATOR: Final = -1
#: Stands in a view wherever the viewer cannot see; no field of a game takes this value.
HIDDEN: Final = -1_000_003
#: The version of this contract; it changes when a game written for it would no longer work.
CONTRACT: Final = 1

#: What a game's kernels are called.
KERNELS: Final = (
    "start",
    "legal",
    "apply",
    "observe",
    "returns",
    "mask",
    "fill",
    "policy",
    "key",
)

States = Any
"""An array of a game's state records (``np.recarray``)."""


class NoTables(NamedTuple):
    """The tables of a game that has none."""

    unused: int = 0


NO_TABLES: Final = NoTables()


@kernel(allocates=False)
def any_action(state: Any, actions: Any, count: int, tables: Any, random: Generator) -> int:
    """The default policy of playouts: any legal action, each equally likely.

    >>> import sleuth
    >>> from sleuth.kit import any_action, generator
    >>> sleuth.game("kuhn_poker").policy is any_action
    True
    >>> any_action(None, [0, 1, 4], count=3, tables=None, random=generator(1))  # its place
    0
    """
    return below(random, count)


@kernel(allocates=False)
def everything(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    """The observation of a game in which everybody sees every action.

    >>> import sleuth
    >>> from sleuth.kit import everything
    >>> sleuth.game("tic_tac_toe").observe is everything
    True
    >>> everything(None, action=4, mover=0, viewer=1, tables=None)
    4
    """
    return action


@kernel(allocates=False)
def nothing_hidden(state: Any, viewer: int, tables: Any) -> None:
    """The mask of a game in which everybody sees everything."""


@kernel(allocates=False)
def nothing_to_fill(state: Any, world: Any, tables: Any, random: Generator) -> None:
    """The fill of a game in which everybody sees everything."""


@kernel(allocates=False)
def no_key(state: Any, viewer: int, tables: Any) -> int:
    """In place of the key of a game that has none."""
    return 0


@dataclass(frozen=True, kw_only=True, eq=False)
class Game:
    """A game: its state, its kernels, its sizes. See the head of this module.

    Attributes:
        name: The word for it on the command line and in records, such as ``"kuhn_poker"``.
        version: Changes when the same actions lead elsewhere than before.
        roles: The players in the order of their numbers.
        teams: For each player the team they are in, whose members win together; empty where
            every player is alone.
        secret_sides: The sides that players are dealt in secret, the first one first; empty where
            there are none.
        sides_dealt: (final states, an array of one) -> for each role the place of its side in
            ``secret_sides``.
        state: The record type of a state.
        tables: What kernels need to know: a named tuple of arrays and numbers.
        action_space: Action codes are whole numbers from 0 to one less than this.
        max_actions: Most legal actions in any one state.
        max_depth: Most actions in any one game.
        lowest: The least that anybody can win.
        highest: The most that anybody can win.
        start, legal, apply, observe, returns, mask, fill, policy, key: The kernels.
        columns: How many numbers ``fill`` reads of a world; None if that is not to be checked.
        settings: What a record needs to make the same game again.
        advice: What it offers to those who plan in it.
        action_name: What an action code is called.
        fields: The meaning and the bounds of the state's fields, by their names; bounds of numbers
            that learners get (:meth:`observation`). ``player`` needs none.
        sum_of_returns: What all returns add up to in every game: 0 where what one wins another
            loses; None where it is not always the same.
        listed: Where a code beyond the listed ones says how a listed action is carried out:
            (states, code, tables) -> the listed action's code, or -1 if it cannot be. ``apply``,
            ``observe`` and ``action_name`` take such codes too; ``legal`` lists none of them.
        hides: Whether some player's mask hides anything.

    >>> import numpy as np
    >>> import sleuth
    >>> @sleuth.kernel
    ... def start(state, tables, random):
    ...     state.coin = sleuth.below(random, 2)
    >>> @sleuth.kernel
    ... def legal(state, tables, actions):
    ...     actions[0], actions[1] = 0, 1
    ...     return 2
    >>> @sleuth.kernel
    ... def apply(state, action, tables, random):
    ...     state.guess, state.player = action, sleuth.OVER
    >>> @sleuth.kernel
    ... def returns(state, tables, values):
    ...     values[0] = 1.0 if state.guess == state.coin else 0.0
    >>> @sleuth.kernel
    ... def observe(state, action, mover, viewer, tables):
    ...     return action
    >>> @sleuth.kernel
    ... def mask(state, viewer, tables):
    ...     if state.player != sleuth.OVER:
    ...         state.coin = sleuth.HIDDEN
    >>> @sleuth.kernel
    ... def fill(state, world, tables, random):
    ...     state.coin = world[0]
    >>> @sleuth.kernel
    ... def policy(state, actions, count, tables, random):
    ...     return 0
    >>> @sleuth.kernel
    ... def key(state, viewer, tables):
    ...     return 0
    >>> coin = sleuth.Game(
    ...     name="coin", version=1, roles=("guesser",), action_space=2, max_actions=2, max_depth=1,
    ...     state=np.dtype([("player", np.int32), ("coin", np.int32), ("guess", np.int32)]),
    ...     lowest=0.0, highest=1.0, start=start, legal=legal, apply=apply, returns=returns,
    ...     observe=observe, mask=mask, fill=fill, policy=policy, key=key,
    ... )
    >>> coin.players, coin.sides, coin.side_of, coin.hides, coin.has_key, len(coin.signatures)
    (1, ('guesser',), (0,), True, True, 9)
    >>> kuhn = sleuth.game("kuhn_poker")
    >>> states = kuhn.initial(seed=1)
    >>> states[0].cards.tolist(), kuhn.masked(states, viewer=0)[0].cards.tolist()
    ([0, 2], [0, -1000003])
    >>> kuhn.listed_code(states, 1), len(kuhn.states(3)), len(kuhn.states_of(states.tobytes()))
    (1, 3, 1)
    >>> kuhn.observation(sleuth.Play.new(kuhn, seed=1).view(0)).tolist()
    [0.0, 0.0, 0.0, -1.0, 1.0, 1.0, 0.0]
    >>> kuhn.observation_space.names[3], kuhn.has_dice, kuhn.sum_of_returns, len(kuhn.starts())
    ('cards[1]', False, 0.0, 6)
    >>> kuhn.warm() in range(10)  # so many kernels were compiled, for which nobody waits later
    True
    """

    name: str
    version: int
    roles: tuple[str, ...]
    state: np.dtype[Any]
    action_space: int
    max_actions: int
    max_depth: int
    lowest: float
    highest: float
    start: Kernel
    legal: Kernel
    apply: Kernel
    returns: Kernel
    tables: Any = NO_TABLES
    observe: Kernel = everything
    mask: Kernel = nothing_hidden
    fill: Kernel = nothing_to_fill
    policy: Kernel = any_action
    key: Kernel = no_key
    columns: int | None = None
    teams: tuple[str, ...] = ()
    secret_sides: tuple[str, ...] = ()
    sides_dealt: Callable[[States], Sequence[int]] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict[str, Any])
    advice: Advice = NO_ADVICE
    action_name: Callable[[int], str] = str
    fields: Mapping[str, StateField] = field(default_factory=dict[str, StateField])
    sum_of_returns: float | None = None
    listed: Callable[[States, int, Any], int] | None = None

    def _repr_html_(self) -> str:
        """Its roles, its settings, and what the fields of its state mean."""
        settings = ", ".join(f"{name}={value}" for name, value in self.settings.items())
        rows = [
            ("roles", ", ".join(self.roles)),
            *([("settings", settings)] if settings else []),
            ("actions", f"{self.action_space:,}"),
            *((f"state.{name}", field.meaning) for name, field in self.fields.items()),
        ]
        return html_shown(html_table(("", ""), rows, caption=self.name))

    def __post_init__(self) -> None:
        where = f"game {self.name!r}"
        if self.state.names is None or "player" not in self.state.names:
            raise SettingsError(
                "the state has no field 'player'",
                where=where,
                hint="say whose move it is there, -1 when the game is over",
            )
        for name in self.state.names:
            kind = self.state[name].base
            if kind.kind != "i" or kind.itemsize < 4:
                raise SettingsError(
                    f"field {name!r} of the state is not a signed number of four bytes or more",
                    where=where,
                    value=str(kind),
                    hint="use np.int32",
                )
            if hasattr(np.record, name):
                raise SettingsError(
                    f"field {name!r} of the state has the name of a method of np.record",
                    where=where,
                    hint="call it something else",
                )
        for name in ("action_space", "max_actions", "max_depth"):
            if getattr(self, name) < 1:
                raise SettingsError(
                    f"{name} must be at least 1", where=where, value=getattr(self, name)
                )
        if self.teams and len(self.teams) != len(self.roles):
            raise SettingsError(
                "teams must name a team for each role", where=where, value=self.teams
            )
        check_fields(self.fields, self.state.names, where)
        if not self.lowest < self.highest:
            raise SettingsError(
                "lowest must be less than highest", where=where, value=(self.lowest, self.highest)
            )

    def listed_code(self, states: States, code: int) -> int:
        """The listed action that a code of the player to move carries out; -1 for none."""
        return code if self.listed is None else self.listed(states, code, self.tables)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.roles)

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that can win: the teams by their first members; the roles without teams."""
        return tuple(dict.fromkeys(self.teams or self.roles))

    @property
    def side_of(self) -> tuple[int, ...]:
        """For each player the place of their side in :attr:`sides`."""
        return tuple(self.sides.index(side) for side in self.teams or self.roles)

    @property
    def hides(self) -> bool:
        """True if anything is hidden from anybody."""
        return self.mask is not nothing_hidden

    @property
    def has_key(self) -> bool:
        """True if the game says itself what a viewer should tell apart."""
        return self.key is not no_key

    @cached_property
    def has_dice(self) -> bool:
        """True if chance may decide after the start as well: if ``apply`` can draw."""
        return draws(self.apply)

    @cached_property
    def observation_space(self) -> ObservationSpace:
        """The names and the bounds of the numbers in an :meth:`observation`."""
        return observation_space(self.state, self.fields, self.players)

    def observation(self, view: Any) -> NDArray[np.float32]:
        """The numbers that a view shows, in an array of a fixed size, for learners.

        Args:
            view: The `View` of a player, or of a spectator.

        Returns:
            The viewer's number and the numbers of the state, in the order of its fields; float32,
            shape (n,). What the viewer cannot see is one less than the least that can stand there.
            What was seen before, but is no more in the state, is not in it.
        """
        return self.observation_space.numbers(view.states, view.viewer, HIDDEN)

    def starts(self, most: int = MOST_DEALS) -> GameStarts:
        """All different states that the game can start from, and how likely each is.

        Every draw of the ``start`` kernel is followed, in plain Python.

        Args:
            most: Deals that are followed at most.

        Raises:
            CostError: There are more deals.
            UnsupportedError: The kernel draws otherwise than by ``below``.
        """
        return starts(self, most)

    def states(self, count: int) -> States:
        """``count`` states of zeros."""
        return np.zeros(count, dtype=self._record).view(np.recarray)

    def states_of(self, data: bytes) -> States:
        """The states of which ``data`` are the bytes."""
        count = len(data) // self._record.itemsize
        return np.ndarray.__new__(np.recarray, (count,), self._record, bytearray(data))

    @cached_property
    def _record(self) -> np.dtype[Any]:
        return np.dtype((np.record, self.state))

    @cached_property
    def signatures(self) -> dict[str, Any]:
        """The numba function type of every kernel; the only place that states them.

        Without numba there are only the kernels' names.
        """
        if NUMBA is None:
            return dict.fromkeys(KERNELS)
        types = NUMBA.types
        state, tables = NUMBA.from_dtype(self.state), NUMBA.typeof(self.tables)
        actions = types.Array(types.int32, 1, "C")
        values = types.Array(types.float64, 1, "C")
        world = types.Array(types.int16, 1, "C")
        random = types.Array(types.uint64, 1, "C")
        number = types.int64
        return {
            "start": types.none(state, tables, random),
            "legal": number(state, tables, actions),
            "apply": types.none(state, number, tables, random),
            "observe": number(state, number, number, number, tables),
            "returns": types.none(state, tables, values),
            "mask": types.none(state, number, tables),
            "fill": types.none(state, world, tables, random),
            "policy": number(state, actions, number, tables, random),
            "key": number(state, number, tables),
        }

    def warm(self, progress: Tell = silent) -> int:
        """Compile every kernel, or load it from the cache.

        Args:
            progress: Told the name of each kernel before it is compiled, and how many are ready.

        Returns:
            How many had to be compiled; 0 when all were found, or nothing is compiled at all.
        """
        compiled = 0
        for number, (name, signature) in enumerate(self.signatures.items()):
            function = getattr(self, name)
            if not hasattr(function, "compile"):
                continue
            before = kernel_statistics(function).compiled
            progress(name, number, len(self.signatures))
            function.compile(signature)
            compiled += kernel_statistics(function).compiled - before
        return compiled

    def initial(self, seed: int) -> States:
        """One state at the start of a game, in an array of one. The same seed, the same state."""
        states = self.states(1)
        self.start(states[0], self.tables, generator(seed))
        return states

    def masked(self, states: States, viewer: int) -> States:
        """Copies of states without what ``viewer`` cannot know."""
        copies = states.copy()
        for index in range(len(copies)):
            self.mask(copies[index], viewer, self.tables)
        return copies


def mover_of(states: States) -> int:
    """Whose move it is in the first of ``states``; ``OVER`` when the game is over."""
    # An attribute of a record takes NumPy ten times as long.
    return int(states.view(np.ndarray)["player"].item(0))


def legal_actions(game: Game, states: States) -> NDArray[np.int32]:
    """Codes of the legal actions of the first of ``states``; none when the game is over."""
    if mover_of(states) == OVER:
        return np.zeros(0, dtype=np.int32)
    actions = np.zeros(game.max_actions, dtype=np.int32)
    count = int(game.legal(states[0], game.tables, actions))
    return actions[:count]


def too_deep(game: Game) -> SettingsError:
    """The refusal of a game that has more actions than its ``max_depth``."""
    return SettingsError(
        "a game went on longer than it says",
        where=f"game {game.name!r}",
        value=game.max_depth,
        hint="set max_depth to the most actions that one game can have",
    )
