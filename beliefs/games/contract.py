"""A game's belief for those who play: from what a player knows to worlds they can imagine.

A game with hidden information has a belief of its own (`beliefs/games/kuhn_poker.py` and its
like): a declaration of what is hidden, and what each seen move says about it. An agent asks it for
a posterior and for worlds, and the game's ``fill`` writes worlds into masked states.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Generic, NamedTuple, Protocol, TypeVar, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ...models.game import Game, States
from ...models.play import MoveEvent, SeenPlay, View
from ..language.features import Feature
from ..language.questions import Question
from ..posterior import Posterior

#: Posteriors that a belief usually keeps, by what the viewer knows.
KEPT: Final = 1024

Knowledge = TypeVar("Knowledge", bound=Hashable)


@runtime_checkable
class GameBelief(Protocol):
    """The knowledge players of one game can have. Perfect-information games need none.

    >>> import numpy as np
    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> belief, view = sleuth.belief("kuhn_poker"), play.view(0)
    >>> posterior = belief.infer(view, play.seen_by(0))
    >>> {name: posterior.marginal(feature) for name, feature in belief.hidden(view).items()}
    {'card of second': {'queen': 0.5, 'king': 0.5}}
    >>> belief.worlds(posterior, 4, np.random.default_rng(1)).shape
    (4, 3)
    """

    def infer(self, view: View, seen: SeenPlay) -> Posterior:
        """The posterior of what is hidden from the viewer, while the game goes on.

        Args:
            view: The state as the viewer knows it.
            seen: All they have seen, of the same moment and viewer.
        """
        ...

    def worlds(self, posterior: Posterior, n: int, rng: np.random.Generator) -> NDArray[np.int16]:
        """``n`` draws for the game's ``fill``: shape (n, columns), in rows without gaps."""
        ...

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """Named features of what is hidden from the viewer: what an objective may ask about.

        What has no name any more is taken for known, also when the game is over. If something has
        one then, `infer` is asked about that moment, too.
        """
        ...


@runtime_checkable
class Asking(Protocol):
    """A belief of a game in which some actions are questions.

    >>> import sleuth
    >>> from sleuth.kit import Asking
    >>> play = sleuth.Play.new(sleuth.game("saboteur", players=4), seed=24)
    >>> belief = sleuth.belief("saboteur")
    >>> isinstance(belief, Asking)
    True
    >>> [play.game.action_name(code) for code in belief.questions(play.view(0))]
    ['map top', 'map middle', 'map bottom']
    """

    def questions(self, view: View) -> Mapping[int, Question]:
        """For each action code that asks something, what it asks; for the player to move."""
        ...


@runtime_checkable
class Telling(Protocol):
    """A belief that knows which actions are there to learn something.

    What other actions tell is no reason to take them: in Clue a player who accuses wrongly sees the
    case file, and is out.
    """

    def telling(self, view: View) -> Collection[int]:
        """Codes of the actions whose information counts, at any moment of the game."""
        ...


@runtime_checkable
class Focused(Protocol):
    """A belief of a game in which some of what is hidden matters more than the rest."""

    def main(self, view: View) -> Sequence[str]:
        """Names of what a player wants to learn about if they say nothing else; see ``hidden``."""
        ...


@runtime_checkable
class Showing(Protocol):
    """A belief of a game in which some of what is hidden stays as it is until an action shows it.

    Each such thing has a name of its own, which is gone when it is known. What else is hidden
    changes from turn to turn: what there is of it later is something else than what there is now.
    """

    @property
    def lasting(self) -> str:
        """The beginning of such things' names, see ``hidden``; there need not be any."""
        ...

    def shown(self, view: View) -> Mapping[int, Sequence[str]]:
        """For each action code that shows some of them, their names; for the player to move."""
        ...


@runtime_checkable
class Foreseeing(Protocol):
    """A belief that can be asked about later moments, though not all until then is followed.

    A game may be imagined with less to be seen of what others do, since no moment would come twice
    otherwise. Then ``infer`` is handed the view of a later moment, and what was seen until now with
    what `followed` says of the moves until then.

    Attributes:
        asks_all: Whether `questions_later` has all questions that there can be, in whatever state
            of a moment.
    """

    asks_all: bool

    def followed(self, moves: Sequence[MoveEvent]) -> Sequence[MoveEvent]:
        """Of the moves until then, as far as the player sees them, those that it can be told."""
        ...

    def foresees(self, now: View, later: View) -> bool:
        """True if it can be asked about a later moment."""
        ...

    def telling_later(self, view: View) -> Collection[int]:
        """Codes of actions that may tell something later, but cannot be taken now."""
        ...

    def questions_later(self, view: View) -> Mapping[int, Question]:
        """For each action code that may ask something at a later moment, what it asks.

        Args:
            view: Of one state of that moment; in others there may be other cards.
        """
        ...


@runtime_checkable
class Exposing(Protocol):
    """A belief that knows what the others make of an action."""

    def exposure(self, view: View, seen: SeenPlay) -> Mapping[int, float]:
        """For each legal action how likely the others will hold it to be what the player to move
        would rather hide, from 0 to 1."""
        ...


@runtime_checkable
class Judging(Protocol):
    """A belief that takes what players choose for a sign of what they hold."""

    def indifferent(self) -> GameBelief:
        """The same about players who take any legal action, each equally likely: for checks."""
        ...


@runtime_checkable
class Placing(Protocol):
    """A belief whose worlds are not the rows of ``posterior.sample_array``."""

    def places(
        self, posterior: Posterior, feature: Feature, rows: NDArray[np.int16]
    ) -> NDArray[np.int64]:
        """For each of its worlds the place of the feature's value among ``feature.values``.

        Args:
            posterior: Where the worlds come from.
            feature: One of ``hidden``.
            rows: The worlds, as ``worlds`` draws them.
        """
        ...


@dataclass(frozen=True)
class Way:
    """One way in which an opponent's last action, as far as it is hidden, may have been done.

    Attributes:
        name: What it is called.
        posterior: What is hidden, if it was done that way.
        chance: How likely that is.
        worlds: Draws worlds of it where the posterior has none; None to draw from the posterior.
    """

    name: str
    posterior: Posterior
    chance: float
    worlds: Callable[[int, np.random.Generator], NDArray[Any]] | None = None


@runtime_checkable
class Determining(Protocol):
    """A belief of a game in which an action may be seen in part, such as a claim.

    >>> import sleuth
    >>> from sleuth.kit import Determining
    >>> play, belief = sleuth.Play.new("cheat", seed=1), sleuth.belief("cheat")
    >>> isinstance(belief, Determining)
    True
    >>> names = {play.game.action_name(code): code for code in play.legal().tolist()}
    >>> play.apply(names["higher false 2"])
    >>> ways = belief.ways(play.view(1), play.seen_by(1))  # a `Way` each
    >>> [(way.name, round(way.chance, 2)) for way in ways]
    [('true', 0.01), ('false', 0.99)]
    """

    def ways(self, view: View, seen: SeenPlay) -> Sequence[Way]:
        """The possible ways of the last action; chances add up to 1. One where all was seen."""
        ...


class Histories(NamedTuple):
    """Whole games that a viewer may have seen until now, each led from its deal to this moment.

    Attributes:
        starts: The states before the first move; n of them.
        actions: int64[n, plies], the codes of all actions since. ``apply`` takes them, chance has
            nothing left to decide, and the viewer sees what they saw. After the last action of a
            game that is shorter than others stands -1.
        listed: int64[n, plies], the same actions as ``legal`` lists them, see `Game.listed`.
        ways: How many sequences of actions of a start that looks as theirs fit what they had seen,
            on average over such starts: before the first move, and after each move that they
            noticed. Empty where it is always one, or the belief does not count them.
    """

    starts: States
    actions: NDArray[np.int64]
    listed: NDArray[np.int64]
    ways: tuple[float, ...] = ()


@runtime_checkable
class Retracing(Protocol):
    """A belief that leads worlds of now back to the deal, where what is hidden changes on the way.

    A search that begins with the deal needs them in the middle of a game, see `histories`.

    >>> import numpy as np
    >>> import sleuth
    >>> from sleuth.kit import Histories, Retracing
    >>> play, belief = sleuth.Play.new("cheat", seed=1), sleuth.belief("cheat")
    >>> play.apply(play.legal()[0])  # a card is taken
    >>> isinstance(belief, Retracing)
    True
    >>> view, seen = play.view(1), play.seen_by(1)
    >>> posterior = belief.infer(view, seen)
    >>> found = belief.histories(posterior, view, seen, 3, np.random.default_rng(1))
    >>> isinstance(found, Histories), len(found.starts), found.actions.tolist()
    (True, 3, [[1], [1], [1]])
    """

    def histories(
        self,
        posterior: Posterior,
        view: View,
        seen: SeenPlay,
        count: int,
        rng: np.random.Generator,
    ) -> Histories | None:
        """``count`` games that the viewer may have seen, as likely as the posterior says.

        How likely the players' own choices are is for the caller to weigh; what chance decided
        after the deal is weighed by the rules of the game.

        Args:
            posterior: Of ``infer``, of the same moment.
            view: The state as the viewer knows it.
            seen: All they have seen.
            count: How many games.
            rng: Where they come from.

        Returns:
            The games; None where that cannot be said.
        """
        ...


@runtime_checkable
class Narrowing(Protocol):
    """A belief that knows without a search which actions cannot be better than others."""

    def undominated(self, view: View, posterior: Posterior) -> Sequence[int] | None:
        """Codes of legal actions among which there is a best one; None for all."""
        ...


@runtime_checkable
class Imagining(Protocol):
    """A belief that also knows how opponents play, and can tell a search."""

    def imagined(self, game: Game) -> Game:
        """The game with what is predicted of its players as its playouts; tables of its own."""
        ...

    def begin(self, game: Game, view: View, seen: SeenPlay) -> None:
        """Before a search: tell such an imagined game what is known at the root."""
        ...


@runtime_checkable
class ImaginingByName(Protocol):
    """A belief that can tell a search in several ways how the game goes on."""

    def imagines(self) -> Mapping[str, Callable[[Game], Game]]:
        """By name the games that it imagines: as ``imagined`` says, and told by ``begin``."""
        ...


class CachedBelief(ABC, Generic[Knowledge]):
    """A belief that infers once for each thing a viewer can know.

    A subclass says what the viewer knows (`known`) and what follows from that and nothing else
    (`posterior`).

    Attributes:
        kept: Posteriors that it keeps: fewer where they are large. One that follows from that of an
            earlier moment needs those of a round.

    >>> import numpy as np
    >>> import sleuth
    >>> CARDS = ("jack", "queen", "king")
    >>> class KuhnBelief(sleuth.CachedBelief):
    ...     def known(self, view, seen):
    ...         return tuple(view.states[0].cards.tolist())  # HIDDEN where they have not seen it
    ...
    ...     def posterior(self, known):
    ...         return sleuth.infer(sleuth.Model(self.deal(known)))
    ...
    ...     def hidden(self, view):
    ...         return {f"card {1 - view.viewer}": self.deal(()).item_of(str(1 - view.viewer))}
    ...
    ...     def deal(self, known):
    ...         seen = {str(p): [CARDS[c]] for p, c in enumerate(known) if c != sleuth.HIDDEN}
    ...         return sleuth.Deal(CARDS, holders={"0": 1, "1": 1, "rest": 1}, known=seen)
    >>> play, belief = sleuth.Play.new("kuhn_poker", seed=1), KuhnBelief()
    >>> posterior = belief.infer(play.view(0), play.seen_by(0))
    >>> posterior.marginal(belief.hidden(play.view(0))["card 1"])
    {'queen': 0.5, 'king': 0.5}
    >>> belief.worlds(posterior, 2, np.random.default_rng(1)).shape
    (2, 3)
    """

    kept: ClassVar[int] = KEPT

    def __init__(self) -> None:
        self._posterior = functools.lru_cache(maxsize=self.kept)(self.posterior)

    def __reduce__(self) -> Any:
        return type(self), ()

    @abstractmethod
    def known(self, view: View, seen: SeenPlay) -> Knowledge:
        """All that matters of what the viewer knows."""

    @abstractmethod
    def posterior(self, known: Knowledge) -> Posterior:
        """The posterior from it."""

    @abstractmethod
    def hidden(self, view: View) -> Mapping[str, Feature]:
        """Named features of what is hidden from the viewer: what an objective may ask about."""

    def infer(self, view: View, seen: SeenPlay) -> Posterior:
        """The posterior of what is hidden from the viewer, while the game goes on."""
        return self._posterior(self.known(view, seen))

    def worlds(self, posterior: Posterior, n: int, rng: np.random.Generator) -> NDArray[np.int16]:
        """``n`` draws for the game's ``fill``: shape (n, columns), in rows without gaps.

        They are the rows of ``posterior.sample_array``: a column for each card, in the order of
        ``posterior.columns()``, with the number of its holder in ``posterior.holders(deal)``, or of
        its value for a `Choice`. Both keep the order of the declaration, whatever moves were made.
        A game whose ``fill`` wants other columns writes its own; see `Placing`.
        """
        return np.ascontiguousarray(posterior.sample_array(n, rng), dtype=np.int16)
