"""The chance of each side to win from a moment on, as far as a viewer can know: by playouts.

States are drawn from what the viewer can know and played on by the playouts of a search, in the
game as a search imagines it. So it is the chance among players who play alike and quickly; what it
says of two moments of one game is worth more than the number itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.contract import GameBelief, Imagining
from ...data.intervals import wilson
from ...models.game import HIDDEN, OVER, Game, States
from ...models.kernels.compiling import waiting
from ...models.kernels.kernel import kernel
from ...models.kernels.randomness import Generator, below, generator, uniform
from ...models.play import SeenPlay, View
from ...models.rehearsal import filled
from ..agents import drawn_from
from ..agents.advised import imagined_game
from ..search.determinization import checked_rows, origin_of

#: Games that are played on from a moment.
PLAYOUTS: Final = 400
#: By so much returns may differ and still be alike.
ALIKE: Final = 1e-9


@dataclass(frozen=True)
class WinningChances:
    """Each side's chance to win.

    Attributes:
        sides: The sides, as `Game.sides` names them.
        shares: The share of the games that each has won; a draw of all counts as a part for each.
        intervals: The 95 % interval of each share, from the number of games alone.
        games: How many games were played on, or counted; 0 where it is known.
        counted: In which games it was counted, such as ``"between programs"``; empty where games
            were played on.
    """

    sides: tuple[str, ...]
    shares: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...]
    games: int
    counted: str = ""


@kernel
def play_out(
    legal: Any,
    policy: Any,
    apply: Any,
    returns: Any,
    tables: Any,
    epsilon: Any,
    states: Any,
    actions: Any,
    values: Any,
    most: int,
    random: Generator,
) -> None:
    """Play each of some states to its end, or ``most`` actions on, and write its returns."""
    for place in range(len(states)):
        state = states[place]
        for _ in range(most):
            if state.player < 0:
                break
            count = legal(state, tables, actions)
            if epsilon[state.player] > 0.0 and uniform(random) < epsilon[state.player]:
                choice = below(random, count)
            else:
                choice = policy(state, actions, count, tables, random)
            apply(state, actions[choice], tables, random)
        returns(state, tables, values[place])


@waiting()
def winning_chances(
    view: View,
    seen: SeenPlay,
    belief: GameBelief | None,
    *,
    playouts: int = PLAYOUTS,
    seed: int = 0,
    truth: States | None = None,
) -> WinningChances:
    """The chance of each side to win, from a viewer's knowledge alone.

    Args:
        view: The state as the viewer knows it.
        seen: All that they have seen.
        belief: What follows from it; None where nothing is hidden.
        playouts: How many games are played on.
        seed: The same seed gives the same answer.
        truth: The true state, in an array of one, for somebody who may know it, such as after the
            game; then all games go on from there.

    Raises:
        ContradictionError: By the belief, what was seen cannot have happened.
        CostError, UnsupportedError: The belief cannot say it.

    >>> import sleuth
    >>> from sleuth.planners.matches.winning import winning_chances
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)  # the first player has the lowest card
    >>> found = winning_chances(play.view(0), play.seen_by(0), sleuth.belief("kuhn_poker"))
    >>> found.sides, found.games, found.shares[0] < found.shares[1]
    (('first', 'second'), 400, True)
    """
    game, rng = view.game, np.random.default_rng([seed, len(seen.events)])
    known = view.states if truth is None else truth
    if view.player == OVER and not _hides(known):
        shares = tuple(_wins(game, _returns(game, known)).mean(axis=0).tolist())
        return WinningChances(game.sides, shares, tuple((each, each) for each in shares), 0)
    imagined = _imagined(game, belief)
    if game.advice.begin is not None:
        game.advice.begin(imagined, view)
    if isinstance(belief, Imagining):
        belief.begin(imagined, view, seen)
    random = generator(int(rng.integers(2**31)))
    states = game.states(playouts)
    if truth is not None or belief is None:
        states[:] = known[0]
    else:
        draw = drawn_from(belief, belief.infer(view, seen))
        rows = checked_rows(draw, playouts, rng)
        states[:] = filled(game, known, rows, random, origin_of(draw, game))
    values = np.zeros((playouts, game.players))
    play_out(
        imagined.legal,
        imagined.policy,
        imagined.apply,
        imagined.returns,
        imagined.tables,
        _epsilon(imagined),
        states,
        np.zeros(imagined.max_actions, dtype=np.int32),
        values,
        imagined.max_depth,
        random,
    )
    own = imagined.returns is game.returns
    won = (_wins(game, values) if own else _worth(game, values)).sum(axis=0).tolist()
    return WinningChances(
        game.sides,
        tuple(each / playouts for each in won),
        tuple(wilson(each, playouts) for each in won),
        playouts,
    )


def _imagined(game: Game, belief: GameBelief | None) -> Game:
    """The game as a search imagines it, whose playouts are those of people where that is known."""
    if isinstance(belief, Imagining):
        return belief.imagined(game)
    return imagined_game(game, None, belief)


def _epsilon(game: Game) -> NDArray[np.float64]:
    """The share of any action instead, by player, where the game's own policy plays out."""
    ways = game.advice.playouts.values()
    usual = next((each.epsilon for each in ways if each.policy is game.policy), ())
    return np.array(usual or (0.0,) * game.players)


def _hides(states: States) -> bool:
    return any((np.asarray(states[name]) == HIDDEN).any() for name in states.dtype.names or ())


def _returns(game: Game, states: States) -> NDArray[np.float64]:
    values = np.zeros((1, game.players))
    game.returns(states[0], game.tables, values[0])
    return values


def _worth(game: Game, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[n, sides]: what an imagined game that ends sooner says of how likely each wins."""
    first = [game.side_of.index(side) for side in range(len(game.sides))]
    return np.clip((values[:, first] - game.lowest) / (game.highest - game.lowest), 0.0, 1.0)


def _wins(game: Game, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """float64[n, sides]: 1 for a side that has won; a part where all sides share it."""
    best = values >= values.max(axis=1, keepdims=True) - ALIKE
    sides = np.zeros((len(values), len(game.sides)), dtype=np.bool_)
    for role, side in enumerate(game.side_of):
        sides[:, side] |= best[:, role]
    draw = sides.all(axis=1, keepdims=True) & (len(game.sides) > 1)
    return np.where(draw, 1.0 / len(game.sides), sides.astype(np.float64))
