"""`check_agent`: whether an agent decides by what their player sees, and by nothing else."""

from __future__ import annotations

from functools import partial
from typing import Any, cast

import numpy as np

from ...beliefs.games.contract import GameBelief
from ...beliefs.games.registry import belief_or_none as known_belief
from ...data.errors import SettingsError, SleuthError
from ...models.game import Game, States
from ...models.games import GameEntry, game_from
from ...models.kernels.randomness import generator
from ...models.play import Play
from ...models.rehearsal import Origin, filled
from ..agents import drawn_from, parse_agent
from ..search.determinization import checked_rows
from .guarded_kernels import ConformanceError


def check_agent(
    game: Game | GameEntry | str,
    agent: Any,
    belief: GameBelief | None = None,
    *,
    plays: int = 20,
    seed: int = 0,
    worlds: int = 16,
) -> int:
    """Check that nothing that an agent decides depends on what their player cannot see.

    `check_game` does it, too, but looks at the game at every move. This is for many agents of a
    game that keeps the contract. Half of the moves are the agent's, the others made at random.

    Args:
        game: The game, or its entry.
        agent: Somebody with ``decide(view, seen)``, a function that makes them anew for each
            decision, or an agent's name such as ``"mcts:simulations=50"``.
        belief: The game's belief; not needed if nothing is hidden, or the game is known by
            an entry.
        plays: Games to play.
        seed: Another seed, other games.
        worlds: States imagined at each move, until one is another than the true one.

    Returns:
        The decisions that were compared.

    Raises:
        ConformanceError: The agent decides otherwise in a state that looks the same, or what is
            not legal, or not at all; where that was.

    >>> import sleuth
    >>> sleuth.check_agent("kuhn_poker", "random", plays=2) > 0
    True
    """
    game = game_from(game)
    if plays < 1 or worlds < 2:
        raise SettingsError("at least one play and two worlds are needed", value=(plays, worlds))
    if belief is None and game.hides:
        belief = known_belief(game)
    if isinstance(agent, str):
        agent = partial(parse_agent(agent, game).prepare(game), seed)
    compared = 0
    for number in range(plays):
        rng = np.random.default_rng([seed, number])
        play = Play.new(game, seed=seed + number)
        while not play.over:
            where = (
                f"game {game.name!r}, play {number + 1} (seed {play.seed}),"
                f" after {len(play.actions)} moves"
            )
            other = play.truth() if belief is None else _other(play, belief, worlds, rng)
            action = int(rng.choice(play.legal()))
            if other is not None:
                compared += 1
                decided = compare_decisions(agent, play, other, where)
                action = decided if rng.random() < 0.5 else action
            play.apply(action)
    return compared


def _other(play: Play, belief: GameBelief, worlds: int, rng: np.random.Generator) -> States | None:
    """A state that looks to the player to move like the true one; None if all drawn are that."""
    game, view, truth = play.game, play.view(play.player), play.truth().tobytes()
    posterior = belief.infer(view, play.seen_by(play.player))
    random = generator(int(rng.integers(2**31)))
    rows = checked_rows(drawn_from(belief, posterior), worlds, rng)
    states = filled(game, view.states, rows, random, Origin.BELIEF)
    for place in range(len(rows)):
        one = game.states_of(states[place : place + 1].tobytes())
        if one.tobytes() != truth:
            return one
    return None


def compare_decisions(agent: Any, play: Play, other: States, where: str) -> int:
    """Compares an agent's decisions in a play with those with another state in place of the truth.

    Raises:
        ConformanceError: It is not the same, not legal, or none at all.
    """
    viewer = play.player
    answers: list[Any] = []
    for each in (play, play.supposing(other)):
        made_anew = isinstance(agent, type) or not hasattr(agent, "decide")
        asked = cast(Any, agent() if made_anew else agent)
        try:
            decision = asked.decide(each.view(viewer), each.seen_by(viewer))
        except SleuthError as error:
            raise ConformanceError("decisions", str(error), where=where) from error
        answers.append(getattr(decision, "action", decision))
    if answers[0] != answers[1]:
        raise ConformanceError(
            "decisions",
            f"{play.game.roles[viewer]} decides otherwise when only what they cannot see changes",
            where=where,
            value=tuple(answers),
            hint="an agent may use only the view and what was seen, and a seed of its own",
        )
    if answers[0] not in play.legal():
        raise ConformanceError(
            "decisions", "the agent's action is not legal", where=where, value=answers[0]
        )
    return int(answers[0])
