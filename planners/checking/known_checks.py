"""Checks that a viewer knows what a belief does not name as hidden any more.

An agent that wants to learn takes it for known: all bits about it count as learned.
"""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.contract import GameBelief, Placing
from ...beliefs.language.features import Feature
from ...beliefs.language.walk import At
from ...beliefs.nested.drawn_worlds import places
from ...beliefs.posterior import Posterior
from ...models.game import States, legal_actions
from ...models.kernels.randomness import generator
from ...models.play import Play, viewer_name
from ...models.rehearsal import Origin, filled
from ..agents import drawn_from, lasts
from ..search.determinization import checked_rows
from .guarded_kernels import ConformanceError
from .hidden_features import check_hidden

#: States that are imagined where a name goes.
IMAGINED: Final = 60


def check_known(
    belief: GameBelief, play: Play, after: Play, viewer: int, where: str, rng: np.random.Generator
) -> None:
    """Refuse a name that goes by a move after which the viewer does not know the value.

    What moves, and what a `Showing` belief says does not last, may go at any time: nobody asks
    about it later.

    Args:
        belief: That of the game.
        play: Before a move.
        after: After it.
        viewer: A player.
        where: For the error.
        rng: Draws the states that the viewer imagines, where a name goes.

    Raises:
        ConformanceError: Two of them look the same afterwards and differ in such a value, or what
            is named after the move is no mapping from names to features.
    """
    game, view = play.game, play.view(viewer)
    check_hidden(belief, after.view(viewer), where)
    left = belief.hidden(after.view(viewer))
    gone = {
        name: feature
        for name, feature in belief.hidden(view).items()
        if name not in left and lasts(belief, name) and not isinstance(feature.base, At)
    }
    if not gone:
        return
    posterior = belief.infer(view, play.seen_by(viewer))
    rows = checked_rows(drawn_from(belief, posterior), IMAGINED, rng)
    random = generator(int(rng.integers(2**31)))
    states = filled(game, view.states, rows, random, Origin.BELIEF)
    fitting = _fitting(play, after, viewer, states)
    for name, feature in gone.items():
        found = np.unique(_places(belief, posterior, feature, rows)[fitting])
        if len(found) > 1:
            one, another = (feature.values[place] for place in found[:2].tolist())
            raise ConformanceError(
                "known",
                f"{name!r} is hidden no more after {game.action_name(after.actions[-1])!r}, but to"
                f" {viewer_name(game.roles, viewer)} it may still be {one} or {another}",
                where=where,
                hint="let hidden name it for as long as the viewer does not know it, also when the"
                " game is over: who wants to learn takes what has no name any more for known",
            )


def _fitting(play: Play, after: Play, viewer: int, states: States) -> list[int]:
    """The places of the states in which the viewer would have seen and would see the same."""
    game, action = play.game, after.actions[-1]
    mover, tables = play.player, game.tables
    seen = game.observe(after.truth()[0], action, mover, viewer, tables)
    view, fitting = after.view(viewer).data, list[int]()
    for place in range(len(states)):
        if action not in legal_actions(game, states[place : place + 1]):
            continue
        moved = play.supposing(states[place : place + 1])
        moved.apply(action)
        told: Any = game.observe(moved.truth()[0], action, mover, viewer, tables)
        if told == seen and moved.view(viewer).data == view:
            fitting.append(place)
    return fitting


def _places(
    belief: GameBelief, posterior: Posterior, feature: Feature, rows: NDArray[np.int16]
) -> NDArray[np.int64]:
    if isinstance(belief, Placing):
        return belief.places(posterior, feature, rows)
    return places(posterior, feature, cast(Any, rows))
