"""Any game as an environment of Gymnasium: one seat, and others who play by themselves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, cast

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from numpy.typing import NDArray

from ..beliefs.games.contract import GameBelief
from ..data.errors import SettingsError, nearest
from ..models.game import Game
from ..models.games import GameEntry
from ..models.play import SeenPlay, View
from ..planners.agents import Agent, Contestant, seed_of
from ..planners.agents import parse_agent as agent_named
from .table import RENDER_MODES, LearnersTable, check_mode

#: Deals that may end one after the other before it is the seat's turn.
MOST_DEALS: Final = 1_000

Decide = Callable[[View, SeenPlay], int]
"""Says which action a player takes who knows this."""

Other = str | Contestant | Agent | Decide
"""Who plays another seat: an agent by name, one of your own for every game, or a function."""


class SeatEnv(gymnasium.Env[NDArray[np.float32], np.int64]):
    """One seat of a game. The reward is the seat's return, which comes with the end of the game."""

    def __init__(
        self,
        game: Game | GameEntry | str,
        seat: int | str | None = 0,
        others: Other | Mapping[str, Other] = "random",
        belief: bool | GameBelief = False,
        render_mode: str | None = None,
    ) -> None:
        self.table = LearnersTable(game, belief, _viewers(game, seat))
        made = self.table.game
        self.render_mode = check_mode(render_mode)
        self.metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}
        low, high = self.table.bounds
        self.observation_space = Box(low, high, dtype=np.float32)
        self.action_space = Discrete(made.action_space)
        self.names = self.table.names
        self.others: dict[str, Other] = {}
        if isinstance(others, Mapping):
            self.others |= cast("Mapping[str, Other]", others)
        else:
            self.others |= dict.fromkeys(made.roles, others)
        for role, other in self.others.items():
            if role not in made.roles:
                raise SettingsError(
                    "no such role", where="others", value=role, hint=nearest(role, made.roles)
                )
            _check_other(other, made)
        self.seat = self.table.viewers[0]
        self._over = True
        self._makers: dict[str, Callable[[int], Decide]] = {}
        self._deciding: dict[int, Decide] = {}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Begin a game, and play on until it is the seat's turn.

        A game that ends before that is dealt again.

        Raises:
            SettingsError: No game comes to the seat's turn.
        """
        super().reset(seed=seed)
        for _ in range(MOST_DEALS):
            self.seat = int(self.np_random.choice(self.table.viewers))
            self.table.deal(self.np_random)
            self._deciding = {}
            self._others_move()
            if not self.table.play.over:
                self._over = False
                return self.table.observation(self.seat), self._info()
        raise SettingsError(
            f"{MOST_DEALS:,} games in a row were over before the seat's turn",
            where=f"game {self.table.game.name!r}",
            value=self.table.game.roles[self.seat],
            hint="take another seat",
        )

    def step(
        self, action: np.int64 | int
    ) -> tuple[NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        """Carry out an action, and play on until it is the seat's turn again.

        An action that is not legal ends the game with the least that anybody can win.

        Raises:
            SettingsError: The game is over.
        """
        play = self.table.play
        if self._over:
            raise SettingsError("the game is over", where=play.game.name, hint="call reset()")
        code = self.table.code(action)
        if not self.table.mask(self.seat)[code]:
            self._over = True
            info = {**self._info(), "illegal": code}
            return self.table.observation(self.seat), float(play.game.lowest), True, False, info
        play.apply(code)
        self._others_move()
        self._over, reward, info = play.over, 0.0, self._info()
        if play.over:
            returns = play.returns().tolist()
            reward = returns[self.seat]
            info["returns"] = dict(zip(play.game.roles, returns, strict=True))
        return self.table.observation(self.seat), reward, play.over, False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """True for every legal action, as sb3-contrib asks for it; shape (actions,)."""
        return self.table.mask(self.seat).astype(np.bool_)

    def render(self) -> Any:
        """The table as the seat sees it: handed back as text, or printed for people."""
        if self.render_mode is None:
            return None
        text = self.table.picture(self.seat)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def _info(self) -> dict[str, Any]:
        info: dict[str, Any] = {"action_mask": self.table.mask(self.seat)}
        outside = self.table.outside(self.seat)
        return info | ({"outside": outside} if outside else {})

    def _others_move(self) -> None:
        play = self.table.play
        while not play.over and play.player != self.seat:
            mover = play.player
            if mover not in self._deciding:
                self._deciding[mover] = self._maker(mover)(seed_of(play.seed, mover))
            play.apply(int(self._deciding[mover](play.view(mover), play.seen_by(mover))))

    def _maker(self, player: int) -> Callable[[int], Decide]:
        """The player of a seat in a game, made from a seed."""
        role = self.table.game.roles[player]
        if role not in self._makers:
            self._makers[role] = _deciding(self.others.get(role, "random"), self.table.game)
        return self._makers[role]

    def __getstate__(self) -> dict[str, Any]:
        """All but the others in the middle of a game, whose makers may not be handed over."""
        return {**self.__dict__, "_makers": {}, "_deciding": {}}


def _viewers(game: Game | GameEntry | str, seat: int | str | None) -> tuple[int, ...]:
    """The seats that may be the learner's."""
    roles = LearnersTable(game).game.roles
    if seat is None:
        return tuple(range(len(roles)))
    number = roles.index(seat) if seat in roles else seat
    if type(number) is not int or not 0 <= number < len(roles):
        raise SettingsError(
            "there is no such seat", where="seat", value=seat, hint=f"seats are {', '.join(roles)}"
        )
    return (number,)


def _check_other(other: Any, game: Game) -> None:
    """Refuse who cannot play; making agents may take long, and is left for the first game."""
    if isinstance(other, str):
        agent_named(other, game)
    elif not isinstance(other, Contestant) and not callable(getattr(other, "decide", other)):
        raise SettingsError(
            "this is nobody who can play",
            where="others",
            value=other,
            hint="write the name of an agent, or give an agent or a function",
        )


def _deciding(other: Other, game: Game) -> Callable[[int], Decide]:
    if isinstance(other, str):
        other = agent_named(other, game)
    if isinstance(other, Contestant):
        made = other.prepare(game)
        return lambda seed: made(seed).decide
    decide: Any = getattr(other, "decide", other)
    return lambda seed: decide
