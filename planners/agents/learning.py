"""What a searching player wants to learn: an objective from the belief of their game.

What is asked about are features of what is hidden, each by itself; their bits are added up. The
posterior says exactly how much of them is open, now and at moments that the search imagines. Where
they have few values, they are counted in the states that pass as well.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ...beliefs.asking.drawn_worlds import places
from ...beliefs.asking.many_questions import ByCode
from ...beliefs.features import Feature, TupleOf
from ...beliefs.games.contract import Asking, Focused, GameBelief, Placing, Telling
from ...beliefs.posterior import Posterior
from ...beliefs.questions import Question
from ...beliefs.walk import At
from ...data.errors import (
    ContradictionError,
    CostError,
    SettingsError,
    SleuthError,
    nearest,
    plain_name,
)
from ...models.game import States
from ...models.play import Moved, SeenPlay, View, foreseen
from ..search.determinization import Rows
from ..search.kernels.knowledge import MOST_CLASSES
from ..search.objective import VALUE, Objective, Told


@dataclass(frozen=True, kw_only=True)
class Learning:
    """What a player who searches wants to learn, and what that is worth.

    Attributes:
        gain_weight: What one bit is worth, in the game's own units.
        about: Something hidden by its name, or several by how their names begin; None for what the
            belief says is the main thing, or all that is hidden.
        depth: In how many of the player's own decisions they learn.
        discount: Factor on what is learned one decision later.
        asks: Whether the posterior is asked below the root.
        share: Part of the time that it may take, see `Objective`.
    """

    gain_weight: float = 0.0
    about: str | None = None
    depth: int = 2
    discount: float = 1.0
    asks: bool = True
    share: float = 0.5

    def objective(
        self, belief: GameBelief, view: View, seen: SeenPlay, posterior: Posterior
    ) -> Objective:
        """What is maximised at one moment.

        Value alone where nothing can be learned: where nothing is hidden any more, and in a game
        whose belief says which actions tell something, where there is none of these.

        Args:
            belief: That of the game.
            view: What the player knows.
            seen: All they have seen.
            posterior: What they believe.

        Raises:
            SettingsError: Nothing hidden has the name that they want to learn about.
        """
        hidden = named(belief, view, self.about)
        questions: Mapping[int, Question] = {}
        telling: Collection[int] | None = None
        if isinstance(belief, Asking):
            questions = belief.questions(view)
        if isinstance(belief, Telling):
            telling = belief.telling(view)
        if not hidden or (telling is not None and not questions):
            return VALUE
        counted = Counted(belief, posterior, tuple(hidden.values()))
        ask = Asked(belief, view, seen, tuple(hidden)) if self.asks else None
        return Objective(
            gain_weight=self.gain_weight,
            classes=counted if counted.names else None,
            class_names=counted.names,
            exact=gains_of(posterior, questions, tuple(hidden.values())),
            entropy=bits_open(posterior, hidden.values()),
            ask=ask,
            share=self.share,
            depth=self.depth,
            discount=self.discount,
            telling=telling,
        )


NOTHING: Final = Learning()
"""Value alone."""


class Asked:
    """What a belief says of moments that a search imagines; see `objective.Ask`.

    Args:
        belief: That of the game.
        view: What the player knows at the root.
        seen: All they have seen there.
        names: What they want to learn about, by its names.
    """

    def __init__(
        self, belief: GameBelief, view: View, seen: SeenPlay, names: Sequence[str]
    ) -> None:
        self._belief, self._view, self._seen, self._names = belief, view, seen, names

    def __call__(self, states: States, moves: Sequence[Moved], *, gains: bool) -> Told | None:
        """What would be open then, and what each question would tell; None if it cannot say."""
        view, seen = foreseen(self._view, self._seen, states, moves)
        hidden = self._belief.hidden(view)
        # What is not hidden any more is known.
        features = [hidden[name] for name in self._names if name in hidden]
        try:
            posterior = self._belief.infer(view, seen)
            bits = bits_open(posterior, features)
            if not (gains and isinstance(self._belief, Asking)):
                return Told(entropy=bits)
            questions = self._belief.questions(view)
            return Told(entropy=bits, gains=gains_of(posterior, questions, features))
        except (ContradictionError, CostError):
            return None
        except (SleuthError, ArithmeticError, LookupError, ValueError):
            if view.over:  # a belief need not know what a game that is over shows
                return None
            raise


class Counted:
    """The classes of features in drawn worlds; see `Objective.classes`.

    Features that have too many values are counted by their parts. Nothing is counted, and there
    are no names, where these have too many values as well.

    Args:
        belief: Where the worlds come from.
        posterior: What the player believes.
        features: What they want to learn about.
    """

    def __init__(
        self, belief: GameBelief, posterior: Posterior, features: Sequence[Feature]
    ) -> None:
        self._belief, self._posterior = belief, posterior
        self._features = list(features)
        self._numbers: list[NDArray[np.int32]] = []
        self.names: tuple[str, ...] = ()
        for several in (False, True):
            if several:
                parts = [part for each in features for part in _parts(each)]
                if len(parts) == len(features):
                    break
                self._features = parts
            if self._number():
                return
        self.names = ()

    def _number(self) -> bool:
        """Number the values that are possible; whether they are few enough."""
        self._numbers, names = [], list[str]()
        if any(isinstance(feature.base, At) for feature in self._features):
            return False  # what moves has another value when more is known
        for feature in self._features:
            possible = np.flatnonzero(self._posterior.distribution(feature) > 0.0)
            if len(names) + len(possible) > MOST_CLASSES:
                return False
            values = feature.values
            number = np.full(len(values), -1, dtype=np.int32)
            number[possible] = np.arange(len(names), len(names) + len(possible))
            self._numbers.append(number)
            names += [str(values[place]) for place in possible.tolist()]
        self.names = tuple(names)
        return True

    def __call__(self, rows: Rows) -> NDArray[np.int32]:
        """int32[n, features], the number of every feature's value."""
        columns = [
            number[self._places(feature, rows)]
            for feature, number in zip(self._features, self._numbers, strict=True)
        ]
        return np.stack(columns, axis=1)

    def _places(self, feature: Feature, rows: Rows) -> NDArray[np.int64]:
        if isinstance(self._belief, Placing):
            return self._belief.places(feature, rows)
        return places(self._posterior, feature, cast(Any, rows))


def bits_open(posterior: Posterior, features: Collection[Feature]) -> float:
    """How much is open of some features, each by itself, in bits."""
    return sum(posterior.entropy(feature) for feature in features)


def gains_of(
    posterior: Posterior, questions: Mapping[int, Question], features: Sequence[Feature]
) -> Mapping[int, float]:
    """Bits that each question tells about the features, each by itself, in expectation."""
    if not questions or not features:
        return {}
    if isinstance(questions, ByCode):
        bits = sum(posterior.information_gain(questions.asked, about=each) for each in features)
        return dict(zip(questions.codes, np.atleast_1d(bits).tolist(), strict=True))
    asked = list(dict.fromkeys(questions.values()))
    bits = sum(posterior.information_gain(asked, about=feature) for feature in features)
    told = dict(zip(asked, np.atleast_1d(bits).tolist(), strict=True))
    return {code: told[question] for code, question in questions.items()}


def named(belief: GameBelief, view: View, about: str | None) -> Mapping[str, Feature]:
    """What a player wants to learn about, by its names.

    Args:
        belief: That of the game.
        view: What the player knows.
        about: A name, how several names begin, or None for the belief's main things.

    Raises:
        SettingsError: Nothing hidden has the name.
    """
    hidden = belief.hidden(view)
    if about is None:
        main = belief.main(view) if isinstance(belief, Focused) else tuple(hidden)
        return {name: hidden[name] for name in main if name in hidden}
    wanted = plain_name(about)
    begun = {
        name: each for name, each in hidden.items() if plain_name(name).startswith(f"{wanted}_")
    }
    found = {name: each for name, each in hidden.items() if plain_name(name) == wanted}
    if hidden and not (begun or found):
        raise SettingsError(
            "nothing hidden has this name", where="about", value=about, hint=nearest(about, hidden)
        )
    return found or begun


def _parts(feature: Feature) -> Sequence[Feature]:
    return feature.parts if isinstance(feature, TupleOf) else (feature,)
