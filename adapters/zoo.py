"""Any game as an environment of PettingZoo, in turns (AEC) or in steps of all (parallel).

PettingZoo: Terry et al., "PettingZoo: Gym for Multi-Agent Reinforcement Learning", NeurIPS 2021.
"""

# PettingZoo has types, but does not say so.
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete, Space
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv

from ..beliefs.games.contract import GameBelief
from ..data.errors import SettingsError
from ..models.game import Game
from ..models.games import GameEntry
from .table import RENDER_MODES, LearnersTable, check_mode

Sight = dict[str, NDArray[Any]]
"""What an agent is handed: ``observation`` and ``action_mask``."""


class _Seats:
    """A table, agents at it and their spaces: the parts that both kinds of environment have."""

    metadata: dict[str, Any]

    def __init__(
        self,
        game: Game | GameEntry | str,
        belief: bool | GameBelief = False,
        render_mode: str | None = None,
    ) -> None:
        self.table = LearnersTable(game, belief)
        self.metadata = _metadata(self.table.game)
        self.render_mode = check_mode(render_mode)
        self.possible_agents = [f"player_{number}" for number in range(self.table.game.players)]
        self.agents: list[str] = []
        self.roles = dict(zip(self.possible_agents, self.table.game.roles, strict=True))
        self.names = self.table.names
        low, high = self.table.bounds
        actions = self.table.game.action_space
        mask = Box(0, 1, (actions,), np.int8)
        # One for each agent, which is seeded alone.
        self._sights: dict[str, Space[Any]] = {
            agent: Dict({"observation": Box(low, high, dtype=np.float32), "action_mask": mask})
            for agent in self.possible_agents
        }
        self._actions = {agent: Discrete(actions) for agent in self.possible_agents}
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> Space[Any]:
        """The space of what an agent is handed."""
        return self._sights[agent]

    def action_space(self, agent: str) -> Space[Any]:
        """The codes of the actions, legal or not."""
        return self._actions[agent]

    def render(self) -> str | None:
        """The table as the player to move sees it: handed back, or printed for people."""
        if self.render_mode is None:
            return None
        text = self.table.picture(self.table.play.player)
        if self.render_mode == "ansi":
            return text
        print(text)
        return None

    def close(self) -> None:
        """Nothing is held that has to be given back."""

    def sight(self, agent: str) -> Sight:
        """The observation and the mask of an agent now."""
        viewer = self.possible_agents.index(agent)
        return {
            "observation": self.table.observation(viewer),
            "action_mask": self.table.mask(viewer),
        }

    def begin(self, seed: int | None) -> None:
        """Deal a game; without a seed the next one of the chance that there is."""
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self.table.deal(self._random)
        self.agents = list(self.possible_agents)

    def told(self, agent: str) -> dict[str, Any]:
        """The info of an agent: the names of what has no place in the observation, if any."""
        outside = self.table.outside(self.possible_agents.index(agent))
        return {"outside": outside} if outside else {}

    def winnings(self) -> dict[str, float]:
        """The return of a game that is over, for each agent."""
        return dict(zip(self.possible_agents, self.table.play.returns().tolist(), strict=True))


class TurnEnv(_Seats, AECEnv[str, Sight, Any]):
    """A game in turns. Rewards are the game's returns, which come with its end.

    An action that is not legal is a `SettingsError` here; `aec_env` puts PettingZoo's wrappers
    around it, which end the game instead.
    """

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game."""
        self.begin(seed)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._select(self.table.play.player)

    def observe(self, agent: str) -> Sight:
        """The observation and the mask of an agent; nothing is legal when it is not to move."""
        return self.sight(agent)

    def step(self, action: int | None) -> None:
        """Carry out the action of the agent to move; None for one whose game is over."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)  # pyright: ignore[reportArgumentType]
            return
        assert action is not None
        self._cumulative_rewards[agent] = 0.0
        play = self.table.play
        play.apply(int(action))
        self._clear_rewards()
        if play.over:
            self.rewards = self.winnings()
            self.terminations = dict.fromkeys(self.agents, True)
        self._select(max(play.player, 0))
        self._accumulate_rewards()

    def _select(self, player: int) -> None:
        """Go on with a player, who is told what there is to tell."""
        self.agent_selection = self.possible_agents[player]
        self.infos = {agent: {} for agent in self.agents}
        self.infos[self.agent_selection] = self.told(self.agent_selection)


class StepEnv(_Seats, ParallelEnv[str, Sight, Any]):
    """A game in steps to which all agents say something, of which only the mover's is heeded.

    An agent that is not to move has one action in its mask, 0, and may send anything.
    """

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Sight], dict[str, dict[str, Any]]]:
        """Begin a game."""
        self.begin(seed)
        return self._sights_of_all(), self._infos_of_all()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[
        dict[str, Sight],
        dict[str, float],
        dict[str, bool],
        dict[str, bool],
        dict[str, dict[str, Any]],
    ]:
        """Carry out the action of the player to move.

        One that is not legal ends the game: its agent is given the least that anybody can win, the
        others 0, as PettingZoo's wrapper has it for games in turns.
        """
        agents, play = self.agents, self.table.play
        mover = self.possible_agents[max(play.player, 0)]
        if mover not in actions:
            raise SettingsError("no action of the agent to move", where=play.game.name, value=mover)
        action = self.table.code(actions[mover])
        rewards, over = dict.fromkeys(agents, 0.0), False
        refused = not self.table.mask(play.player)[action]
        if refused:
            rewards[mover] = float(self.table.game.lowest)
        else:
            play.apply(action)
            over = play.over
            rewards = self.winnings() if over else rewards
        ended = dict.fromkeys(agents, over or refused)
        sights, infos = self._sights_of_all(), self._infos_of_all()
        if refused:
            infos[mover]["illegal"] = action
        if over or refused:
            self.agents = []
        return sights, rewards, ended, dict.fromkeys(agents, False), infos

    def _sights_of_all(self) -> dict[str, Sight]:
        found = {agent: self.sight(agent) for agent in self.agents}
        for each in found.values():
            if not each["action_mask"].any():
                each["action_mask"][0] = 1
        return found

    def _infos_of_all(self) -> dict[str, dict[str, Any]]:
        mover = self.table.play.player
        return {
            agent: {**self.told(agent), "moves": number == mover}
            for number, agent in enumerate(self.possible_agents)
        }


def _metadata(game: Game) -> dict[str, Any]:
    return {
        "name": f"sleuth_{game.name}_v{game.version}",
        "render_modes": list(RENDER_MODES),
        "render_fps": 1,
        "is_parallelizable": False,
    }
