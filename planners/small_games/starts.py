"""The states that a game which is written out can start from, and how likely each is.

A caller lists them as rows for the game's ``fill``, or the game's belief does, or they follow from
the draws of its ``start``. Rows of a caller must be what the belief can give, where one is known,
and are tried before compiled code gets them.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...beliefs.games.contract import GameBelief
from ...beliefs.games.registry import belief_or_none as registered
from ...beliefs.language.likelihoods import some_of
from ...beliefs.posterior import Posterior
from ...beliefs.telling.readout import each_once, numbers_of_columns
from ...data.errors import CostError, SettingsError, SleuthError, UnsupportedError
from ...models.game import SPECTATOR, Game, States
from ...models.kernels.randomness import generator
from ...models.play import Play
from ...models.rehearsal import Origin, checked_width, filled
from ..search.determinization import from_list

#: Starts of a game that are listed from its belief.
MOST_STARTS: Final = 1_000_000
#: Worlds of a belief that are listed to look whether a caller's rows are among them.
_LISTED: Final = 100_000
#: Worlds of a belief that are compared with those of its posterior.
_COMPARED: Final = 8


def starts_of(
    game: Game, rows: ArrayLike | None, weights: ArrayLike | None, belief: GameBelief | None
) -> list[tuple[States, float]]:
    """The different states that a game can start from, with their probabilities."""
    first = game.initial(0)
    if not game.hides:
        if rows is not None:
            raise SettingsError(
                "nothing is hidden in this game, so there are no rows",
                where=f"game {game.name!r}",
                hint="leave rows out",
            )
        return [(first, 1.0)]
    origin = Origin.CALLER
    if belief is None:
        belief = _known_belief(game)
    if rows is None:
        try:
            rows, weights = _rows_of(belief, game)
        except (SettingsError, UnsupportedError) as error:
            return _dealt(game, error)
        origin = Origin.BELIEF
    listed = from_list(rows, weights)
    if belief is not None and origin is Origin.CALLER:
        _check_possible(game, belief, listed.rows)
    view = game.masked(first, SPECTATOR)
    found: dict[bytes, tuple[States, float]] = {}
    states = filled(game, view, listed.rows, generator(0), origin)
    for number, share in enumerate(listed.shares.tolist()):
        data = states[number : number + 1].tobytes()
        if share > 0:
            _, before = found.get(data, (first, 0.0))
            found[data] = (game.states_of(data), before + share)
    return list(found.values())


def _known_belief(game: Game) -> GameBelief | None:
    try:
        return registered(game)
    except SettingsError:
        return None


def _dealt(game: Game, error: SleuthError) -> list[tuple[States, float]]:
    """The starts that follow from the draws of the ``start`` kernel.

    Raises:
        SleuthError: They cannot be followed, nor can a belief list them: what it has said.
    """
    try:
        found = game.starts()
    except (CostError, UnsupportedError):
        raise error from None
    shares = found.probabilities.tolist()
    return [(found.states[place : place + 1], share) for place, share in enumerate(shares)]


def _posterior_of(belief: GameBelief, game: Game) -> Posterior:
    """A spectator's belief at the start."""
    play = Play.new(game, seed=0)
    return belief.infer(play.view(SPECTATOR), play.seen_by(SPECTATOR))


def _as_its_posterior(belief: GameBelief, posterior: Posterior) -> bool:
    """True if a belief gives its worlds in the columns that its posterior has."""
    same = belief.worlds(posterior, _COMPARED, np.random.default_rng(0))
    drawn = posterior.sample_array(_COMPARED, np.random.default_rng(0))
    return np.array_equal(same, drawn)


def _check_possible(game: Game, belief: GameBelief, rows: NDArray[np.int16]) -> None:
    """Refuse rows of a caller that a belief cannot give at the start.

    Raises:
        SettingsError: A row is too long or too short, has a number that its column cannot have, or
            is impossible, which is looked at where the worlds can be listed.
    """
    posterior = _posterior_of(belief, game)
    checked_width(game, rows, belief.worlds(posterior, 1, np.random.default_rng(0)).shape[1])
    if not _as_its_posterior(belief, posterior):
        return
    layout, columns = posterior.problem.layout, posterior.columns()
    for place, numbers in enumerate(numbers_of_columns(layout)):
        wrong = ~np.isin(rows[:, place], numbers)
        if wrong.any():
            row = rows[int(wrong.argmax())].tolist()
            raise SettingsError(
                f"column {place} of a row cannot have this number",
                where=f"game {game.name!r}, row {row}",
                value=row[place],
                hint=f"{' of '.join(reversed(columns[place]))}: it is one of "
                f"{some_of(numbers.tolist())}",
            )
    try:
        possible, _ = posterior.worlds(most=_LISTED)
    except CostError:
        return  # the numbers are right, and each row is tried
    known = {tuple(row) for row in possible.tolist()}
    for row in rows:
        # Copies of one item stand in the order of their holders.
        (world, *_), _ = each_once(row[None].copy(), np.ones(1), layout, columns)
        if tuple(world.tolist()) not in known:
            raise SettingsError(
                "this row is impossible at the start, as the belief of the game has it",
                where=f"game {game.name!r}, row {row.tolist()}",
                hint=f"one that is possible is {possible[0].tolist()}",
            )


def _rows_of(
    belief: GameBelief | None, game: Game
) -> tuple[NDArray[np.int16], NDArray[np.float64]]:
    """All that a belief thinks possible at the start, and how likely each is."""
    where = f"game {game.name!r}"
    hint = "give rows=, one for each value of what is hidden at the start"
    if belief is None:
        raise SettingsError(
            "something is hidden in this game, and nothing says what it may be",
            where=where,
            hint=f"draw with below in start, or give belief=, or {hint.removeprefix('give ')}",
        )
    posterior = _posterior_of(belief, game)
    try:
        rows, shares = posterior.worlds(most=MOST_STARTS)
    except CostError as error:
        raise UnsupportedError(error.message, where=where, hint=hint) from None
    # A belief may give its worlds in other columns than its posterior has.
    if not _as_its_posterior(belief, posterior):
        raise UnsupportedError(
            "the worlds of this belief are not those of its posterior, so they cannot be listed",
            where=where,
            hint=hint,
        )
    return np.ascontiguousarray(rows, dtype=np.int16), shares
