"""True values of hidden things, read off the states that a belief imagines."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ...beliefs.games.contract import GameBelief, Placing
from ...beliefs.language.features import Feature
from ...beliefs.nested.drawn_worlds import places
from ...beliefs.posterior import Posterior
from ...models.game import States
from ...models.kernels.randomness import generator
from ...models.rehearsal import Origin, filled
from ...models.view import View

#: Worlds that are drawn to find what was true.
DRAWN: Final = 2_000
#: Values that are looked at more closely where none fits, and worlds of each.
CLOSEST: Final = 8
MORE_DRAWN: Final = 100


class TrueState:
    """The true state of a moment, as far as it tells the values of what is hidden from a viewer.

    A belief says nothing of what is true, so it is read off the states that it imagines: what all
    states with a value have in common must be so in the true state.

    Args:
        belief: Of the game.
        posterior: What the viewer knows.
        view: The state as they see it.
        truth: The true state, in an array of one.
    """

    def __init__(self, belief: GameBelief, posterior: Posterior, view: View, truth: States) -> None:
        self._belief, self._posterior, self._view = belief, posterior, view
        self._truth = _numbers(truth)[0]
        self._rng = np.random.default_rng(0)
        self._rows = belief.worlds(posterior, DRAWN, self._rng)
        self._states = _imagined(view, self._rows)

    def place(self, feature: Feature) -> int | None:
        """The place of the true value of something hidden.

        Returns:
            None where the true state fits no value, or several.
        """
        at = _places(self._belief, self._posterior, feature, self._rows)
        differ = {
            place: _differs(self._states[at == place], self._truth)
            for place in np.unique(at).tolist()
        }
        fitting = [place for place, count in differ.items() if not count]
        if not fitting:
            # What few states have in common may be chance: more of those that come closest tell.
            for place in sorted(differ, key=lambda place: differ[place])[:CLOSEST]:
                given = feature.equals(feature.values[place]).observed(because="if it were so")
                so = self._posterior.observe(given)
                more = self._belief.worlds(so, MORE_DRAWN, self._rng)
                if not _differs(_imagined(self._view, more), self._truth):
                    fitting.append(place)
        return fitting[0] if len(fitting) == 1 else None


def _imagined(view: View, rows: Any) -> Any:
    """All numbers of the states that a viewer imagines, a row for each world."""
    return _numbers(filled(view.game, view.states, rows, generator(0), Origin.BELIEF))


def _differs(imagined: Any, truth: Any) -> int:
    """The count of numbers that are the same in all imagined states, and another one in truth."""
    same = (imagined == imagined[0]).all(axis=0)
    return int((same & (imagined[0] != truth)).sum())


def _places(known: GameBelief, posterior: Any, feature: Feature, rows: Any) -> Any:
    if isinstance(known, Placing):
        return known.places(posterior, feature, rows)
    return places(posterior, feature, rows)


def _numbers(states: States) -> Any:
    """All numbers of some states, a row each."""
    names = states.dtype.names or ()
    return np.concatenate(
        [np.asarray(states[name]).reshape(len(states), -1).astype(np.int64) for name in names],
        axis=1,
    )
