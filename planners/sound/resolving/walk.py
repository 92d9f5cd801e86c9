"""A game in progress with what everybody knows of it, as one walks from its start along actions.

What a player knows is what makes an information set of a `GameTree`: the state as they saw it at
the start, what they observed of every action, their own actions, and the state as they see it when
they decide. Who looks on knows what everybody knows: a public state is all that may be when they
have seen the same (Burch et al. 2014, section 2).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from ....data.errors import UnsupportedError
from ....models.game import HIDDEN, SPECTATOR, Game, States, legal_actions, mover_of
from ....models.kernels.randomness import generator
from ....models.play import SeenPlay, View
from ....models.state_fields import flat_numbers
from ...small_games.written_tree import InformationSet

Knowledge = tuple[Any, ...]
"""What somebody has seen, in order: numbers of the state at the start; of every action the player,
the observation, and the action if it was their own; as bytes, the state at their own decisions."""

#: Nobody may throw them: whether they were is seen from their first number.
_DICE: Final = generator(0)


@dataclass(frozen=True, eq=False)
class Progress:
    """A game as far as it has come, with nothing hidden.

    Attributes:
        game: The game.
        states: The state, in an array of one.
        start: The state that it began with.
        played: Codes of the actions since then.
        remembered: What each player remembers, and last a spectator.
    """

    game: Game
    states: States
    start: States
    played: tuple[int, ...]
    remembered: tuple[Knowledge, ...]

    @cached_property
    def mover(self) -> int:
        """Whose move it is; ``OVER`` when the game is over."""
        return mover_of(self.states)

    @cached_property
    def actions(self) -> tuple[int, ...]:
        """Codes of the legal actions."""
        return tuple(legal_actions(self.game, self.states).tolist())

    @cached_property
    def known(self) -> Knowledge:
        """All that the player to move knows: their information set."""
        return self.known_by(self.mover)

    def masked(self, viewer: int) -> States:
        """The state as a player or a spectator sees it."""
        return self.game.masked(self.states, viewer)

    def known_by(self, viewer: int) -> Knowledge:
        """All that a player or a spectator knows if they look at the state as well."""
        return (*self.remembered[viewer], self.masked(viewer).tobytes())

    def knowledge(self, viewer: int) -> Knowledge:
        """All that a player has seen: of the state now only if it is their move."""
        return self.known if viewer == self.mover else self.remembered[viewer]

    def seen(self, viewer: int) -> Knowledge:
        """All that a viewer has seen happen."""
        return tuple(each for each in self.remembered[viewer] if not isinstance(each, bytes))

    def sight(self, viewer: int) -> Knowledge:
        """All that a viewer is handed when they decide: what they have seen, and the state now."""
        return (*self.seen(viewer), self.masked(viewer).tobytes())

    def information_set(self, index: int) -> InformationSet:
        """The information set of the player to move, with a number."""
        masked = self.masked(self.mover)
        return InformationSet(index, self.mover, self.actions, masked, self.start, self.played)

    def after(self, action: int) -> Progress:
        """The game after an action.

        Raises:
            UnsupportedError: Dice are thrown.
        """
        game, mover = self.game, self.mover
        states, dice = self.states.copy(), _DICE.copy()
        game.apply(states[0], action, game.tables, dice)
        if dice[0] != _DICE[0]:
            raise UnsupportedError(
                "dice are thrown in this game, and nothing says how they may fall",
                where=f"game {game.name!r}",
            )
        state, remembered = states[0], list(self.remembered)
        for viewer in (*range(game.players), SPECTATOR):
            seen = int(game.observe(state, action, mover, viewer, game.tables))
            if viewer == mover:
                remembered[viewer] = (*self.known, mover, seen, action)
            elif seen != HIDDEN:
                remembered[viewer] = (*self.remembered[viewer], mover, seen)
        return Progress(game, states, self.start, (*self.played, action), tuple(remembered))


def begin(game: Game, states: States) -> Progress:
    """The game at its start."""
    viewers = (*range(game.players), SPECTATOR)
    remembered = tuple(
        (tuple(flat_numbers(game.masked(states, viewer)).tolist()),) for viewer in viewers
    )
    return Progress(game, states, states, (), remembered)


def sight_of(view: View, seen: SeenPlay) -> Knowledge:
    """All that a viewer is handed when they decide, as :meth:`Progress.sight` gives it."""
    numbers: list[int] = []
    for each in seen.events:
        event = each.event
        numbers += [event.mover, event.observation]
        numbers += [] if event.action is None else [event.action]
    return (seen.start, *numbers, view.data)
