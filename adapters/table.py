"""A table at which programs learn: game after game, and what each player is handed as numbers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..beliefs.games.belief_space import BeliefSpace
from ..beliefs.games.contract import GameBelief
from ..data.errors import SettingsError
from ..models.game import Game
from ..models.games import GAMES, GameEntry, entry_of, game, game_from
from ..models.play import Play
from ..models.shipped import pictured

#: The ways to show a table: as text that is handed back, or printed.
RENDER_MODES: Final = ("ansi", "human")


class LearnersTable:
    """One game at a time, as a program sees it that learns to play.

    A player is handed the fields of the record as far as they see them (``game.observation``), and
    behind these, if that is wanted, the exact belief about the rest (`BeliefSpace`). Both are made
    from their view and from what they have seen, so nothing else can reach them.

    Attributes:
        game: The game.
        belief: Whether there is a belief, or one of your own.
        viewers: The players who are handed something.
        space: The places of the belief; None without one.
    """

    def __init__(
        self,
        given: Game | GameEntry | str,
        belief: bool | GameBelief = False,
        viewers: Iterable[int] | None = None,
    ) -> None:
        self.game = game_from(given)
        self.belief = belief
        self.viewers = tuple(range(self.game.players) if viewers is None else viewers)
        self.space: BeliefSpace | None = None
        if belief is not False:
            own = None if belief is True else belief
            if not isinstance(own, GameBelief | None):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise SettingsError(
                    "a belief is needed", where="belief", value=own, hint="write belief=True"
                )
            self.space = BeliefSpace.of(self.game, own, viewers=self.viewers)
        self._play: Play | None = None

    @property
    def play(self) -> Play:
        """The game in progress.

        Raises:
            SettingsError: None was begun.
        """
        if self._play is None:
            raise SettingsError(
                "no game was begun", where=self.game.name, hint="call reset() first"
            )
        return self._play

    def deal(self, random: np.random.Generator) -> None:
        """Begin a game, whose chance comes from one number that is drawn."""
        self._play = Play.new(self.game, seed=int(random.integers(2**63)))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the numbers in an observation."""
        return (*self.game.observation_space.names, *(self.space.names if self.space else ()))

    @cached_property
    def bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The least and the greatest value of each number; float32."""
        plain = self.game.observation_space
        if self.space is None:
            return plain.low, plain.high
        low = np.concatenate([plain.low, self.space.low])
        return low, np.concatenate([plain.high, self.space.high])

    def observation(self, viewer: int) -> NDArray[np.float32]:
        """All numbers that a player is handed; float32, shape (n,)."""
        view = self.play.view(viewer)
        plain = self.game.observation(view)
        if self.space is None:
            return plain
        return np.concatenate([plain, self.space.observation(view, self.play.seen_by(viewer))])

    def outside(self, viewer: int) -> tuple[str, ...]:
        """The names of what is hidden from a player now and has no place in an observation."""
        return () if self.space is None else self.space.outside(self.play.view(viewer))

    def code(self, action: Any) -> int:
        """The code of an action, legal or not.

        Raises:
            SettingsError: There is no such action.
        """
        number = np.asarray(action)
        whole = number.ndim == 0 and number.dtype.kind in "iu"
        if not whole or not 0 <= number < self.game.action_space:
            raise SettingsError(
                "there is no such action",
                where=self.game.name,
                value=action,
                hint=f"actions are whole numbers from 0 to {self.game.action_space - 1}",
            )
        return int(number)

    def mask(self, viewer: int) -> NDArray[np.int8]:
        """1 for every action that a player may take now; int8, shape (actions,)."""
        mask = np.zeros(self.game.action_space, dtype=np.int8)
        if viewer == self.play.player:
            mask[self.play.legal()] = 1
        return mask

    def picture(self, viewer: int) -> str:
        """The table as text, as a player sees it, by the game's own display."""
        return pictured(self.play, viewer)

    # -- from process to process

    def __getstate__(self) -> dict[str, Any]:
        """The game by its name, where it has one, and the play by its record."""
        entry = entry_of(self.game)
        name = "" if entry is None else entry.name if entry.name in GAMES else entry.source
        return {
            "game": (name, dict(self.game.settings)) if name else self.game,
            "belief": self.belief,
            "viewers": self.viewers,
            "record": None if self._play is None else self._play.record(),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        found = state["game"]
        made = found if isinstance(found, Game) else game(found[0], **found[1])
        LearnersTable.__init__(self, made, state["belief"], state["viewers"])
        if state["record"] is not None:
            self._play = state["record"].replay(made)


def check_mode(render_mode: str | None) -> str | None:
    """The way to show a table, if it is one.

    Raises:
        SettingsError: There is no such way.
    """
    if render_mode is not None and render_mode not in RENDER_MODES:
        raise SettingsError(
            "a table is shown as text",
            where="render_mode",
            value=render_mode,
            hint=f"write {' or '.join(map(repr, RENDER_MODES))}",
        )
    return render_mode
