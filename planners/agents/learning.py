"""The aims of a player who learns by search: an objective from the belief of their game.

What is asked about are features of what is hidden, each by itself; their bits are added up. The
posterior says exactly how much of them is open, now and at moments that the search imagines. Where
they have few values, they are counted in the states that pass as well.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ...beliefs.asking.many_questions import ByCode
from ...beliefs.games.contract import (
    Asking,
    Focused,
    Foreseeing,
    GameBelief,
    Placing,
    Showing,
    Telling,
)
from ...beliefs.language.features import Feature, TupleOf
from ...beliefs.language.questions import Question
from ...beliefs.language.walk import At
from ...beliefs.nested.drawn_worlds import places
from ...beliefs.posterior import Posterior
from ...data.checks import number_within, whole_number
from ...data.errors import (
    ContradictionError,
    CostError,
    SettingsError,
    SleuthError,
    nearest,
    plain_name,
)
from ...models.game import Game, States
from ...models.play import MoveEvent, Play, SeenPlay, View, foreseen
from ..search.determinization import Rows
from ..search.kernels.knowledge import MOST_CLASSES
from ..search.objective import (
    ASKED_AT_ONCE,
    MOST_ROWS_ASKED,
    VALUE,
    Objective,
    Prospect,
    check_gain,
)


@dataclass(frozen=True, kw_only=True)
class Learning:
    """The subject a player who searches wants to learn, and what that is worth.

    Attributes:
        gain_weight: What one bit is worth, in the game's own units.
        about: Something hidden by its name, or several by how their names begin; None for what the
            belief says is the main thing, or all that is hidden.
        depth: In how many of the player's own decisions they learn.
        discount: Factor on what is learned one decision later.
        asks: Whether the posterior is asked below the root.
        share, rows: How much it may be asked, see `Objective`.

    Raises:
        SettingsError: A number is of the wrong kind, or out of its range.

    >>> import sleuth
    >>> from sleuth.search import Learning
    >>> belief, play = sleuth.belief("kuhn_poker"), sleuth.Play.new("kuhn_poker", seed=1)
    >>> view, seen = play.view(0), play.seen_by(0)
    >>> wanted = Learning(gain_weight=0.5, about="card of second")
    >>> wanted.objective(belief, view, seen, belief.infer(view, seen)).entropy
    1.0
    """

    gain_weight: float = 0.0
    about: str | None = None
    depth: int = 2
    discount: float = 1.0
    asks: bool = True
    share: float = 0.25
    rows: int = ASKED_AT_ONCE

    def __post_init__(self) -> None:
        check_gain(self.gain_weight, self.depth, where="learning")
        about, asks = cast(object, self.about), cast(object, self.asks)
        if about is not None and not isinstance(about, str):
            raise SettingsError(
                "what is asked about has a name",
                where="learning, about",
                value=about,
                hint="write about='case file', or leave it out for the main thing",
            )
        if not isinstance(asks, bool):
            raise SettingsError("True or False is needed", where="learning, asks", value=asks)
        number_within(self.discount, "discount", most=1.0, where="learning")
        number_within(self.share, "share", most=1.0, where="learning")
        whole_number(self.rows, "rows", least=1, most=MOST_ROWS_ASKED)

    def objective(
        self,
        belief: GameBelief,
        view: View,
        seen: SeenPlay,
        posterior: Posterior,
        infer: Infer | None = None,
        *,
        at_once: bool = False,
        whole: bool = True,
        most: int | None = None,
    ) -> Objective:
        """The objective at one moment.

        Value alone where nothing can be learned: where nothing is hidden any more, and in a game
        whose belief says which actions tell something, where there is none of these.

        Args:
            belief: That of the game.
            view: What the player knows.
            seen: All they have seen.
            posterior: What they believe.
            infer: What they would believe later; None for what the belief says.
            at_once: Whether only what actions tell at once counts, as far as the posterior says it.
            whole: Whether the search sees of all moves what the player would see of them. Else only
                a belief that is `Foreseeing` is asked below the root.
            most: So many own decisions a search can see at most; None for any number.

        Raises:
            SettingsError: Nothing hidden has the name that they want to learn about.
        """
        depth = self.depth if most is None else min(self.depth, most)
        telling: Collection[int] | None = None
        if isinstance(belief, Telling):
            telling = belief.telling(view)
            later: Collection[int] = ()
            if depth > 1 and isinstance(belief, Foreseeing):
                later = belief.telling_later(view)
                telling = {*telling, *later}
            if not (later or questions_of(belief, view)):
                return VALUE
        try:
            hidden = named(belief, view, self.about)
        except SettingsError:
            check_about(view.game, belief, self.about)
            return VALUE  # it is known by now, or to this player
        if not hidden:
            return VALUE
        exact = exact_gains(belief, view, posterior, hidden) or {}
        entropy = bits_open(posterior, hidden.values())
        if at_once:
            if not exact:
                return VALUE
            return Objective(gain_weight=self.gain_weight, exact=exact, entropy=entropy)
        counted = FeatureClasses(belief, posterior, tuple(hidden.values()))
        ask = None
        if (
            self.asks
            and (whole or isinstance(belief, Foreseeing))
            and all(lasts(belief, name) for name in hidden)
        ):
            ask = Foresight(belief, view, seen, tuple(hidden), infer, whole=whole)
        if not (counted.names or exact or ask):
            return VALUE  # it has too many values to be counted, and nothing else says what is told
        return Objective(
            gain_weight=self.gain_weight,
            classes=counted if counted.names else None,
            class_names=counted.names,
            exact=exact,
            entropy=entropy,
            ask=ask,
            share=self.share,
            rows=self.rows,
            depth=depth,
            discount=self.discount,
            telling=telling,
        )


NOTHING: Final = Learning()
"""Value alone."""

Infer = Callable[[View, SeenPlay], Posterior]
"""What a player believes, from what they know and have seen."""


class Foresight:
    """The belief's answers on moments that a search imagines; see `objective.Ask`.

    Args:
        belief: That of the game.
        view: What the player knows at the root.
        seen: All they have seen there.
        names: What they want to learn about, by its names.
        infer: What they would believe; None for what the belief says.
        whole: Whether the moves that are handed over are all that they would see until then. Else
            the belief must be `Foreseeing`.
    """

    def __init__(
        self,
        belief: GameBelief,
        view: View,
        seen: SeenPlay,
        names: Sequence[str],
        infer: Infer | None = None,
        *,
        whole: bool = True,
    ) -> None:
        self._belief, self._view, self._seen, self._names = belief, view, seen, names
        self._infer = infer or belief.infer
        self._foresees = belief if isinstance(belief, Foreseeing) and not whole else None

    def __call__(
        self, states: States, moves: Sequence[MoveEvent], *, gains: bool
    ) -> Prospect | None:
        """The bits open then, and what each question would tell; None if it cannot say."""
        foresees = self._foresees
        view, seen = foreseen(
            self._view, self._seen, states, foresees.followed(moves) if foresees else moves
        )
        if foresees and not foresees.foresees(self._view, view):
            return None
        there = self._belief.hidden(view)
        # What is not hidden any more is known.
        hidden = {name: there[name] for name in self._names if name in there}
        if not hidden:
            return Prospect(entropy=0.0)
        try:
            posterior = self._infer(view, seen)
            bits = bits_open(posterior, hidden.values())
            if not (gains and isinstance(self._belief, Asking)):
                return Prospect(entropy=bits)
            if foresees:
                asked = foresees.questions_later(view)
                told = gains_of(posterior, asked, tuple(hidden.values()))
                return Prospect(entropy=bits, gains=told, all_gains=foresees.asks_all)
            told = exact_gains(self._belief, view, posterior, hidden)
            # Where an action shows something, others tell by whether it comes to that; and what
            # a teammate's question tells is not asked here.
            alone = not isinstance(self._belief, Showing) and view.player == view.viewer
            return Prospect(entropy=bits, gains=told, all_gains=alone)
        except (ContradictionError, CostError):
            return None
        except (SleuthError, ArithmeticError, LookupError, ValueError):
            if view.over:  # a belief need not know what a game that is over shows
                return None
            raise


class FeatureClasses:
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
            return self._belief.places(self._posterior, feature, rows)
        return places(self._posterior, feature, cast(Any, rows))


def bits_open(posterior: Posterior, features: Collection[Feature]) -> float:
    """The bits that are open of some features, each by itself."""
    return sum(posterior.entropy(feature) for feature in features)


def exact_gains(
    belief: GameBelief, view: View, posterior: Posterior, hidden: Mapping[str, Feature]
) -> Mapping[int, float] | None:
    """Bits that each action which is a question tells about what is hidden, in expectation.

    None where such an action tells more than can be said, since it shows something that none of
    these is.

    Args:
        belief: That of the game.
        view: What the player knows.
        posterior: What they believe.
        hidden: What they want to learn about, by its names, each by itself.
    """
    features = tuple(hidden.values())
    if not isinstance(belief, Showing):
        return gains_of(posterior, questions_of(belief, view), features)
    shown = belief.shown(view)
    if any(name not in names for names in shown.values() for name in hidden):
        return None
    return dict.fromkeys(shown, bits_open(posterior, features)) if hidden else {}


def questions_of(belief: GameBelief, view: View) -> Mapping[int, Question]:
    """The question that each action asks; none in games without questions."""
    return belief.questions(view) if isinstance(belief, Asking) else {}


def lasts(belief: GameBelief, name: str) -> bool:
    """True if something hidden is later what it is now, so that it can be asked about then."""
    return not isinstance(belief, Showing) or plain_name(name).startswith(f"{belief.lasting}_")


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
    """The features a player wants to learn about, by their names.

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
    if isinstance(belief, Showing) and f"{wanted}_".startswith(f"{belief.lasting}_"):
        return found or begun  # such things come and go
    if hidden and not (begun or found):
        raise SettingsError(
            "nothing hidden has this name", where="about", value=about, hint=nearest(about, hidden)
        )
    return found or begun


def check_about(game: Game, belief: GameBelief, about: str | None) -> None:
    """Refuse a name that nothing hidden has, for whichever player, where a game begins.

    Raises:
        SettingsError: Something is hidden there, and nothing of it has the name.
    """
    if about is None:
        return
    play, refused = Play.new(game, seed=0), None
    for player in range(game.players):
        try:
            if named(belief, play.view(player), about):
                return
        except SettingsError as error:
            refused = error
    if refused is not None:
        raise refused


def _parts(feature: Feature) -> Sequence[Feature]:
    return feature.parts if isinstance(feature, TupleOf) else (feature,)
