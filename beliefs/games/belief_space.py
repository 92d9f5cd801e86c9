"""A belief as numbers of a fixed size: what a program that learns is handed beside the record.

What is hidden has names only as long as it is hidden (`GameBelief.hidden`): cards are shown, and a
claim lies on the table until it is turned up. A `BeliefSpace` has a place for every value of
everything that can be hidden from some viewers, in the same order at every moment of every game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from ...data.errors import SettingsError, SleuthError
from ...models.game import SPECTATOR, Game
from ...models.games import GameEntry, game_from
from ...models.play import Play, SeenPlay, View, viewer_name
from ..language.features import Feature, RandomVariable
from ..posterior import Posterior
from .contract import GameBelief
from .registry import belief_or_none

#: Most games at random in which the names of hidden things are looked for, and of how many in a
#: row that bring no new one it is enough; most moves of each.
REHEARSALS: Final = 16
ENOUGH: Final = 3
MOST_MOVES: Final = 400
#: Most values of one hidden thing that get places.
MOST_VALUES: Final = 20_000

Values = tuple[Any, ...]


@runtime_checkable
class Framing(Protocol):
    """A belief that says beforehand what can ever be hidden in its game.

    Without this, a `BeliefSpace` looks for the names in games at random. A belief whose names come
    and go, such as those of claims on a pile, gives them places here that are always there.

    >>> import sleuth
    >>> belief = sleuth.belief("clue_table")
    >>> isinstance(belief, sleuth.kit.Framing)
    True
    >>> play = sleuth.Play.new("clue_table", seed=1)
    >>> belief.frame(play.game, viewer=0)["holder of rope"]
    ('p1', 'p2', 'p3', 'case file')
    >>> len(belief.framed(play.view(0)))
    22
    """

    def frame(self, game: Game, viewer: int) -> Mapping[str, Sequence[Any]]:
        """The values of everything that can be hidden from a viewer, by names, in a fixed order."""
        ...

    def framed(self, view: View) -> Mapping[str, Any]:
        """By names of `frame` what can be said now: a feature, or the value where it is known.

        A name that is left out stands for something that is not there now.
        """
        ...


@dataclass(frozen=True, eq=False)
class BeliefSpace:
    """The places of all that can be hidden from some viewers of a game, and what stands there.

    At each place stands the probability of one value of one hidden thing, as the game's belief has
    it for the viewer: exactly, where the belief is exact. Of something that the viewer knows by now
    the value has 1, as far as the belief can still say it. All values of what is not there at this
    moment have 0: a claim that was turned up, a card that was laid down. So does what became known
    with the end of the game. The same game, belief and viewers give the same places.

    Attributes:
        game: The game.
        belief: Its belief.
        viewers: The viewers for whom there are places, so that theirs have one size.
        values: The values of each hidden thing, by its name, in the order of the places.

    >>> import sleuth
    >>> from sleuth.kit import BeliefSpace
    >>> space = BeliefSpace.of("kuhn_poker", viewers=[0])
    >>> space.names
    ('card of second: jack', 'card of second: queen', 'card of second: king')
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)  # the first player holds the jack
    >>> space.observation(play.view(0), play.seen_by(0)).tolist()
    [0.0, 0.5, 0.5]
    >>> space.low.tolist(), space.high.tolist(), space.outside(play.view(0))
    ([0.0, 0.0, 0.0], [1.0, 1.0, 1.0], ())
    """

    game: Game
    belief: GameBelief
    viewers: tuple[int, ...]
    values: Mapping[str, Values]
    _features: Mapping[str, Any]

    @staticmethod
    def of(
        game: Game | GameEntry | str,
        belief: GameBelief | None = None,
        *,
        viewers: Iterable[int] | None = None,
    ) -> BeliefSpace:
        """The places for a game's belief.

        A belief that says itself what can be hidden (`Framing`) is asked. For any other one the
        names are those at the start of games at random and at every later moment of them.

        Args:
            game: The game, its entry, or its name.
            belief: What its players can know; None for the one that is registered with it.
            viewers: Players' numbers, or ``SPECTATOR``; None for all players.

        Raises:
            SettingsError: Nothing is hidden in the game, no belief is known, or there is no such
                viewer.
        """
        game = game_from(game)
        found = belief_or_none(game) if belief is None else belief
        if found is None:
            raise SettingsError(
                "nothing is hidden in this game, so there is nothing to believe",
                where="belief",
                value=game.name,
            )
        chosen = tuple(range(game.players)) if viewers is None else tuple(dict.fromkeys(viewers))
        for viewer in chosen:
            if not (viewer == SPECTATOR or 0 <= viewer < game.players):
                raise SettingsError(
                    "no such viewer",
                    where=f"game {game.name!r}",
                    value=viewer,
                    hint=f"a player from 0 to {game.players - 1}, or SPECTATOR (-1)",
                )
        if isinstance(found, Framing):
            values: dict[str, Values] = {}
            for viewer in chosen:
                for name, told in found.frame(game, viewer).items():
                    values[name] = _united(values.get(name, ()), told)
            return BeliefSpace(game, found, chosen, values, {})
        features = _rehearsed(game, found, chosen)
        values = {name: each[0] for name, each in features.items()}
        return BeliefSpace(game, found, chosen, values, {k: v[1] for k, v in features.items()})

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the places: of what is hidden, and the value."""
        return tuple(f"{name}: {value}" for name, told in self.values.items() for value in told)

    @property
    def size(self) -> int:
        """The number of places.

        >>> import sleuth
        >>> sleuth.kit.BeliefSpace.of("leduc_poker").size
        16
        """
        return len(self.names)

    @property
    def low(self) -> NDArray[np.float32]:
        """The least that can stand at each place: 0."""
        return np.zeros(self.size, dtype=np.float32)

    @property
    def high(self) -> NDArray[np.float32]:
        """The most that can stand at each place: 1."""
        return np.ones(self.size, dtype=np.float32)

    def observation(self, view: View, seen: SeenPlay) -> NDArray[np.float32]:
        """The belief of a viewer at this moment; shape (size,).

        Args:
            view: The state as the viewer knows it.
            seen: All they have seen, of the same moment and viewer.

        Raises:
            SettingsError: The space has no places for this viewer.
            SleuthError: What the belief refuses to answer.
        """
        if view.viewer not in self.viewers:
            raise SettingsError(
                "there are no places for this viewer",
                where=f"belief of {self.game.name}",
                value=viewer_name(self.game.roles, view.viewer),
                hint="name them in viewers=",
            )
        shares = np.zeros(self.size)
        said = self._said(view)
        if view.over and not any(isinstance(each, RandomVariable) for each in said.values()):
            return shares.astype(np.float32)
        posterior = self.belief.infer(view, seen)
        for name, (first, _, places) in self._places.items():
            if name in said:
                self._write(shares, name, said[name], posterior)
            elif name in self._features and not view.over:
                known = _known(posterior, self._features[name])
                for value, share in known:
                    if value in places:
                        shares[first + places[value]] = share
        return np.clip(shares, 0.0, 1.0).astype(np.float32)

    def outside(self, view: View) -> tuple[str, ...]:
        """The names of what is hidden now and has no place.

        Empty for all games of sleuth. A belief that says nothing of its places may name something
        late in a game that no game at random came to; and what has too many values gets none.
        """
        return tuple(name for name in self._said(view) if name not in self.values)

    @cached_property
    def _places(self) -> dict[str, tuple[int, Values, dict[Any, int]]]:
        """For each name the first place, the values, and the number of each value."""
        found: dict[str, tuple[int, Values, dict[Any, int]]] = {}
        first = 0
        for name, told in self.values.items():
            found[name] = first, told, {value: place for place, value in enumerate(told)}
            first += len(told)
        return found

    @cached_property
    def _said(self) -> Callable[[View], Mapping[str, Any]]:
        """Says by name what there is to say at a moment; the last answer is remembered."""
        told = self.belief.framed if isinstance(self.belief, Framing) else self.belief.hidden
        return lru_cache(maxsize=1)(told)

    def __reduce__(self) -> Any:
        return type(self), (self.game, self.belief, self.viewers, self.values, self._features)

    def _write(
        self, shares: NDArray[np.float64], name: str, said: Any, posterior: Posterior
    ) -> None:
        """Put the probabilities of one hidden thing to their places."""
        first, values, places = self._places[name]
        if not isinstance(said, RandomVariable):
            if said in places:
                shares[first + places[said]] = 1.0
            return
        feature = said.value()
        found = posterior.distribution(feature)
        told = feature.values
        if len(found) != len(told):  # it has grown, such as a hand
            told = feature.on(posterior.problem.layout).values
        if told == values:
            shares[first : first + len(values)] = found
            return
        for value, share in zip(told, found.tolist(), strict=True):
            if value in places:
                shares[first + places[value]] = share


def _known(posterior: Posterior, feature: Feature) -> list[tuple[Any, float]]:
    """Values and probabilities of what has no name any more; none where nothing can be said."""
    try:
        return list(posterior.marginal(feature).items())
    except SleuthError:
        return []


def _united(one: Values, other: Sequence[Any]) -> Values:
    return tuple(dict.fromkeys((*one, *other)))


def _rehearsed(
    game: Game, belief: GameBelief, viewers: tuple[int, ...]
) -> dict[str, tuple[Values, Feature]]:
    """Values and features of all that was hidden in games at random, by name."""
    found: dict[str, tuple[Values, Feature]] = {}
    quiet = 0

    def look(play: Play) -> None:
        for viewer in viewers:
            for name, said in belief.hidden(play.view(viewer)).items():
                # A choice stands for its value.
                feature = cast(RandomVariable, said).value()
                if name in found and found[name][1] == feature:
                    continue
                if feature.value_count <= MOST_VALUES:
                    before = found[name][0] if name in found else ()
                    found[name] = _united(before, feature.values), feature

    for seed in range(REHEARSALS):
        before = {name: len(each[0]) for name, each in found.items()}
        play, random = Play.new(game, seed=seed), np.random.default_rng(seed)
        look(play)
        while not play.over and len(play.actions) < MOST_MOVES:
            play.apply(int(random.choice(play.legal())))
            look(play)
        quiet = quiet + 1 if before == {name: len(each[0]) for name, each in found.items()} else 0
        if quiet == ENOUGH:
            break
    return found
