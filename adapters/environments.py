"""Doors to the environments: whatever the kit plays, for libraries of learners.

PettingZoo and Gymnasium are imported when an environment is made; an extra installs them.
"""

# PettingZoo has types, but does not say so.
# pyright: reportMissingTypeStubs=false

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..beliefs.games.contract import GameBelief
from ..data.libraries import library
from ..models.game import Game
from ..models.games import GameEntry

if TYPE_CHECKING:
    from pettingzoo import AECEnv, ParallelEnv

    from .seat import Other, SeatEnv

#: The extra that installs both libraries.
EXTRA = "rl"


def aec_env(
    game: Game | GameEntry | str,
    *,
    belief: bool | GameBelief = False,
    render_mode: str | None = None,
) -> AECEnv[str, Any, Any]:
    """A game as an environment of PettingZoo in which agents move one after the other.

    An agent is handed a dictionary as PettingZoo's own card games have it: in ``observation`` the
    record's fields as far as the player sees them, and their belief; in ``action_mask`` 1 for every
    legal action. The agents are ``player_0``, ``player_1``, ...; ``env.unwrapped.roles`` says who
    they are, and ``env.unwrapped.names`` what the numbers mean. Rewards are the game's returns and
    come with its end. An action that is not legal ends the game, and its agent is given the least
    that anybody can win.

    Args:
        game: The game, its entry, or its name.
        belief: Whether the exact belief stands behind the fields (see `sleuth.kit.BeliefSpace`); or
            a belief of your own.
        render_mode: ``"ansi"`` for text that is handed back, ``"human"`` for text that is printed.

    Raises:
        SettingsError: PettingZoo is not installed, no game has this name, or it has no belief.

    >>> from sleuth.adapters import aec_env
    >>> env = aec_env("kuhn_poker", belief=True)
    >>> env.reset(seed=1)
    >>> for agent in env.agent_iter():
    ...     told, reward, terminated, truncated, info = env.last()
    ...     over = terminated or truncated
    ...     env.step(None if over else env.action_space(agent).sample(told["action_mask"]))
    >>> env.unwrapped.names[-3:]
    ('card of first: jack', 'card of first: queen', 'card of first: king')
    >>> env.unwrapped.roles
    {'player_0': 'first', 'player_1': 'second'}
    """
    _libraries()
    from pettingzoo.utils.wrappers import (
        AssertOutOfBoundsWrapper,
        OrderEnforcingWrapper,
        TerminateIllegalWrapper,
    )

    from .zoo import TurnEnv

    made = TurnEnv(game, belief, render_mode)
    ending = TerminateIllegalWrapper(made, illegal_reward=made.table.game.lowest)
    return OrderEnforcingWrapper(AssertOutOfBoundsWrapper(ending))


def parallel_env(
    game: Game | GameEntry | str,
    *,
    belief: bool | GameBelief = False,
    render_mode: str | None = None,
) -> ParallelEnv[str, Any, Any]:
    """A game as an environment of PettingZoo in which all agents say something at every step.

    Only the action of the player to move is heeded, ``infos[agent]["moves"]`` says whose that is,
    and the others have one action in their mask. All else is as in `aec_env`.

    Args:
        game: The game, its entry, or its name.
        belief: Whether the exact belief stands behind the fields, or a belief of your own.
        render_mode: ``"ansi"`` for text that is handed back, ``"human"`` for text that is printed.

    Raises:
        SettingsError: PettingZoo is not installed, no game has this name, or it has no belief.

    >>> from sleuth.adapters import parallel_env
    >>> env = parallel_env("kuhn_poker")
    >>> told, infos = env.reset(seed=1)
    >>> {agent: each["action_mask"].tolist() for agent, each in told.items()}
    {'player_0': [1, 1], 'player_1': [1, 0]}
    >>> told, rewards, *_ = env.step({"player_0": 1, "player_1": 0})
    >>> rewards
    {'player_0': 0.0, 'player_1': 0.0}
    """
    _libraries()
    from .zoo import StepEnv

    return StepEnv(game, belief, render_mode)


def gymnasium_env(
    game: Game | GameEntry | str,
    *,
    seat: int | str | None = 0,
    others: Other | Mapping[str, Other] = "random",
    belief: bool | GameBelief = False,
    render_mode: str | None = None,
) -> SeatEnv:
    """One seat of a game as an environment of Gymnasium; others play the other seats.

    The observation is one array: the record's fields as far as the seat sees them, and its belief;
    ``env.names`` says what the numbers mean. Legal actions are in ``info["action_mask"]`` and in
    ``env.action_masks()``, where sb3-contrib looks for them. The reward is the seat's return and
    comes with the end of the game. An action that is not legal ends the game with the least that
    anybody can win. A game that is over before the seat's first turn is dealt again.

    Args:
        game: The game, its entry, or its name.
        seat: The learner's seat by its number or role; None to draw one for every game.
        others: Who plays the rest, or who plays which role: an agent by name, such as
            ``"mcts:simulations=100"``; an `OwnAgent`, of which every game has a new one; or an
            agent or a function (of a view and of what was seen, to the code of an action), which
            plays all games.
        belief: Whether the exact belief stands behind the fields, or a belief of your own.
        render_mode: ``"ansi"`` for text that is handed back, ``"human"`` for text that is printed.

    Raises:
        SettingsError: Gymnasium is not installed, there is no such game, seat, role or agent, or
            the game has no belief.

    >>> from sleuth.adapters import gymnasium_env
    >>> env = gymnasium_env("leduc_poker", seat="second", others="random", belief=True)
    >>> told, info = env.reset(seed=1)
    >>> told.shape == (len(env.names),), info["action_mask"].tolist()
    (True, [1, 1, 1])
    """
    _libraries()
    from .seat import SeatEnv

    return SeatEnv(game, seat, others, belief, render_mode)


def _libraries() -> None:
    for name in ("gymnasium", "pettingzoo"):
        library(name, EXTRA, where="sleuth.adapters")
