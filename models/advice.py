"""A game's offers to those who plan in it, beside its rules: policies, evaluations, habits.

A search needs none of it. A game that knows better than to play out at random says so here, and
every planner can be told to use it, by name. A game of your own offers the same in the same way:
``Game(..., advice=Advice(...))``. `models/scotland_yard/advice/offered.py` is an example.

Kernels are handed states that were drawn from a belief, never the truth. Functions of a view are
handed what the player to move knows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray

Kernel = Callable[..., Any]
# What the functions are handed is made of the game that has this advice, so its type is not
# known here: it stands in the words of `Advice`.
_Game = Any
_View = Any
_Seen = Any


@dataclass(frozen=True, kw_only=True, eq=False)
class Playouts:
    """One way to play out a game.

    Attributes:
        policy: The kernel of that name, see `models.game`.
        epsilon: For each player how often they take any action instead.
        imagined: Which of the advice's imagined games it needs; None for any.

    >>> from sleuth.kit import Playouts
    >>> import sleuth
    >>> @sleuth.kernel
    ... def first_one(state, actions, count, tables, random):
    ...     return 0
    >>> Playouts(policy=first_one, epsilon=(0.1, 0.1)).epsilon
    (0.1, 0.1)
    """

    policy: Kernel
    epsilon: tuple[float, ...]
    imagined: str | None = None


@dataclass(frozen=True, kw_only=True, eq=False)
class Advice:
    """A game's offers to those who plan in it. All of it is optional.

    Attributes:
        playouts: Ways to play out a game, by name.
        imagined: How a search can imagine the `Game` instead, by name: (game) -> another one with
            the same states and actions, in which fewer things happen or are kept up to date.
            It has tables of its own.
        begin: (imagined game, `View`), before a search: tells the imagined game's tables what is
            known at the root.
        considered: (view) -> the codes of the actions worth considering, one or more.
        made: (view, action) -> what to do in fact after an action was chosen among them.
        own_returns: A kernel with the signature of ``returns``: what each player has won
            themselves, where the returns are a team's.
        evaluations: Kernels (state, player, tables) -> float by name: about what the player will
            get, in the game's units.
        guesses: (`View`, `SeenPlay`) -> rows and weights of worlds, by name: quick guesses at
            what is hidden, which need no belief. The rows are as ``fill`` reads them.
        usual: For agents by name, the options that are usual in this game.
        readings: Several options of an agent that searches at once, by name: how a paper is read
            where its text leaves that open, or by an earlier program (``reading=NAME``).
        people: (game, seed, name, population) -> a `Person` of a population of simulated people;
            without the last, of the usual one.
        secret: (true states, viewer) -> what a noisy oracle can be asked about, see
            `models.briefing`; None while there is nothing to ask. Only the code that runs a match
            has true states.

    >>> import sleuth
    >>> from dataclasses import replace
    >>> from sleuth.kit import Advice
    >>> @sleuth.kernel
    ... def lead(state, player, tables):
    ...     return state.bets[1 - player] - state.bets[player]
    >>> kuhn = replace(sleuth.game("kuhn_poker"), advice=Advice(evaluations={"lead": lead}))
    >>> list(kuhn.advice.evaluations)
    ['lead']
    """

    playouts: Mapping[str, Playouts] = field(default_factory=dict[str, Playouts])
    imagined: Mapping[str, Callable[[_Game], _Game]] = field(
        default_factory=dict[str, Callable[[_Game], _Game]]
    )
    begin: Callable[[_Game, _View], None] | None = None
    considered: Callable[[_View], NDArray[Any]] | None = None
    made: Callable[[_View, int], int] | None = None
    own_returns: Kernel | None = None
    evaluations: Mapping[str, Kernel] = field(default_factory=dict[str, Kernel])
    guesses: Mapping[str, Callable[[_View, _Seen], tuple[NDArray[Any], NDArray[Any]]]] = field(
        default_factory=dict[str, Any]
    )
    usual: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    readings: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    people: Callable[..., Any] | None = None
    secret: Callable[[Any, int], bool | None] | None = None


NO_ADVICE = Advice()
