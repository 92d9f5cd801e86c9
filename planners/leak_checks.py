"""Whether anybody is told what he cannot know: the part of `check_game` that needs a belief."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ..beliefs.playing import GameBelief
from ..beliefs.posterior import Posterior
from ..data.errors import ContradictionError, SleuthError
from ..models.game import HIDDEN, OVER, SPECTATOR, Game, States, legal_actions
from ..models.play import Play, View, viewer_name
from ..models.randomness import below, generator
from .guarded_kernels import ConformanceError, GuardedKernels

#: Draws among which every number of the true state must turn up, if the belief thinks it possible.
MOST_DRAWS: Final = 50_000


class LeakChecks:
    """Looks at views, observations, beliefs and decisions at every move of a play."""

    def __init__(
        self,
        game: Game,
        belief: GameBelief | None,
        kernels: GuardedKernels,
        made: set[str],
        *,
        worlds: int,
        agent: Any,
    ) -> None:
        self.game = game
        self.belief = belief
        self.kernels = kernels
        self.made = made
        self.worlds = worlds
        self.agent = agent

    def before(self, play: Play, action: int, rng: np.random.Generator, where: str) -> None:
        """Before an action: what the player to move, and one more viewer, can imagine."""
        if self.belief is None:
            if self.agent is not None:
                self._decisions(play, play.truth(), where)
            return
        players = self.game.players
        other = len(play.actions) % (players + 1) - 1
        for viewer in dict.fromkeys((play.player, other)):
            posterior = self._posterior(self.belief, play, viewer, where)
            states = self._filled(self.belief, posterior, play, viewer, rng, where)
            self._futures(states, rng, where)
            self._support(self.belief, posterior, play, viewer, states, where)
            self._key(play, viewer, states, where)
            self._observations(play, viewer, states, action, rng, where)
            truth = play.truth().tobytes()
            others = [state for state in states if state.tobytes() != truth]
            if others:
                self._samples(self.belief, play, viewer, others[0], where)
                if viewer == play.player and self.agent is not None:
                    self._decisions(play, others[0], where)

    def after(self, play: Play, before: Mapping[int, View], mover: int, where: str) -> None:
        """After an action: who did not notice it sees what he saw before."""
        self.made.add("unnoticed")
        truth = play.truth()
        action = play.actions[-1]
        for viewer, view in before.items():
            observation = self._observed(truth, action, mover, viewer, where)
            if observation == HIDDEN and viewer != mover and play.view(viewer) != view:
                raise ConformanceError(
                    "unnoticed",
                    f"{viewer_name(self.game.roles, viewer)} notices nothing of a move,"
                    " but his view changes",
                    where=where,
                    value=action,
                    hint="observe must not say HIDDEN, or mask must hide what changed",
                )

    def _posterior(self, belief: GameBelief, play: Play, viewer: int, where: str) -> Posterior:
        self.made |= {"belief", "support"}
        name = viewer_name(self.game.roles, viewer)
        try:
            return belief.infer(play.view(viewer), play.seen_by(viewer))
        except ContradictionError as error:
            raise ConformanceError(
                "support", f"the belief of {name} excludes the truth: {error}", where=where
            ) from error
        except Exception as error:
            raise ConformanceError(
                "belief", f"the belief of {name} fails: {error!r}", where=where
            ) from error

    def _draw(
        self, belief: GameBelief, posterior: Posterior, count: int, rng: Any, where: str
    ) -> NDArray[np.int16]:
        worlds = belief.worlds(posterior, count, rng)
        as_needed = np.ascontiguousarray(worlds, dtype=np.int16)
        if as_needed is not worlds or worlds.ndim != 2 or len(worlds) != count:
            raise ConformanceError(
                "belief",
                "worlds must be an int16 array of shape (n, columns), in rows without gaps",
                where=where,
                hint="np.ascontiguousarray(posterior.sample_array(n, rng), dtype=np.int16)",
            )
        return worlds

    def _filled(
        self,
        belief: GameBelief,
        posterior: Posterior,
        play: Play,
        viewer: int,
        rng: np.random.Generator,
        where: str,
    ) -> list[States]:
        self.made |= {"fill", "worlds"}
        view = play.view(viewer)
        name = viewer_name(self.game.roles, viewer)
        states: list[States] = []
        for world in self._draw(belief, posterior, self.worlds, rng, where):
            seed = _seed(rng)
            filled = self.kernels.call("fill", view.states, where=where, seed=seed, world=world)
            if np.any(_words(filled.states) == HIDDEN):
                raise ConformanceError(
                    "fill",
                    f"something is still HIDDEN after filling a view of {name}",
                    where=where,
                    value=filled.states[0],
                    hint="fill must write all that mask hides",
                )
            masked = self.kernels.call("mask", filled.states, where=where, viewer=viewer).states
            if masked.tobytes() != view.data:
                raise ConformanceError(
                    "worlds",
                    f"{name} sees a difference between the truth and what he imagines",
                    where=where,
                    value=filled.states[0],
                    hint="mask lets through what he cannot know, or fill (or the belief) changes"
                    " what he knows",
                )
            states.append(filled.states)
        return states

    def _support(
        self,
        belief: GameBelief,
        posterior: Posterior,
        play: Play,
        viewer: int,
        states: list[States],
        where: str,
    ) -> None:
        """Every number of the true state must turn up among what is imagined."""
        truth = play.truth().view(np.int32)
        missing = np.logical_and.reduce([state.view(np.int32) != truth for state in states])
        rng, random = np.random.default_rng(1), generator(1)
        blank = play.view(viewer).states
        drawn = 0
        while np.any(missing) and drawn < MOST_DRAWS:
            for world in self._draw(belief, posterior, 1000, rng, where):
                copy = blank.copy()
                self.game.fill(copy[0], world, self.game.tables, random)
                missing &= copy.view(np.int32) != truth
                drawn += 1
        if np.any(missing):
            fields = [
                name
                for name in self.game.state.names or ()
                if np.any(_part(missing, self.game, name))
            ]
            raise ConformanceError(
                "support",
                f"{viewer_name(self.game.roles, viewer)} never imagines the truth",
                where=where,
                value=play.truth()[0],
                hint=f"look at {', '.join(fields)}: {drawn:,} draws never have the true value",
            )

    def _observations(
        self,
        play: Play,
        viewer: int,
        states: list[States],
        action: int,
        rng: np.random.Generator,
        where: str,
    ) -> None:
        """States that look alike, and one action: seen alike, they must go on looking alike."""
        self.made.add("observations")
        mover = play.player
        seed = _seed(rng)
        truth = self.kernels.call("apply", play.truth(), where=where, seed=seed, action=action)
        seen = self._observed(truth.states, action, mover, viewer, where)
        view = self.kernels.call("mask", truth.states, where=where, viewer=viewer).states
        for state in states[: self.worlds // 2]:
            if action not in legal_actions(self.game, state):
                continue
            other = self.kernels.call("apply", state, where=where, seed=seed, action=action)
            if self._observed(other.states, action, mover, viewer, where) != seen:
                continue
            masked = self.kernels.call("mask", other.states, where=where, viewer=viewer).states
            if masked.tobytes() != view.tobytes():
                raise ConformanceError(
                    "observations",
                    f"{viewer_name(self.game.roles, viewer)} sees the same of a move in two states"
                    " that look alike, but learns something from his view",
                    where=where,
                    value=action,
                    hint="observe must tell apart what mask shows afterwards",
                )

    def _observed(self, states: States, action: int, mover: int, viewer: int, where: str) -> int:
        called = self.kernels.call(
            "observe", states, where=where, action=action, mover=mover, viewer=viewer
        )
        return int(called.result)

    def _key(self, play: Play, viewer: int, states: list[States], where: str) -> None:
        if not self.game.has_key or viewer == SPECTATOR:
            return
        self.made.add("key")
        keys = {
            int(self.kernels.call("key", state, where=where, viewer=viewer).result)
            for state in (*states, play.truth())
        }
        if len(keys) > 1:
            raise ConformanceError(
                "key",
                f"states that look the same to {self.game.roles[viewer]} have different keys",
                where=where,
                hint="a key may use only what the viewer knows",
            )

    def _futures(self, states: list[States], rng: np.random.Generator, where: str) -> None:
        self.made.add("futures")
        game = self.game
        for state in states[:2]:
            state = state.copy()
            random = generator(_seed(rng))
            for _ in range(game.max_depth + 1):
                if int(state[0].player) == OVER:
                    break
                legal = legal_actions(game, state)
                if len(legal) == 0 or not 0 <= int(state[0].player) < game.players:
                    raise ConformanceError(
                        "futures", "an imagined state has no legal action", where=where
                    )
                chosen = int(legal[below(random, len(legal))])
                game.apply(state[0], chosen, game.tables, random)
            else:
                raise ConformanceError(
                    "futures",
                    "an imagined state cannot be played to its end within max_depth moves",
                    where=where,
                    hint="fill must make states that the rules can reach",
                )

    def _samples(
        self, belief: GameBelief, play: Play, viewer: int, other: States, where: str
    ) -> None:
        self.made.add("samples")
        drawn: list[bytes] = []
        for each in (play, play.supposing(other)):
            posterior = self._posterior(belief, each, viewer, where)
            worlds = self._draw(belief, posterior, 8, np.random.default_rng(0), where)
            drawn.append(worlds.tobytes() + posterior.digest.encode())
        if drawn[0] != drawn[1]:
            raise ConformanceError(
                "samples",
                f"what is drawn for {viewer_name(self.game.roles, viewer)} changes with what he"
                " cannot see, or from one call to the next",
                where=where,
                hint="a belief may use only the view and what was seen, and the generator given",
            )

    def _decisions(self, play: Play, other: States, where: str) -> None:
        self.made.add("decisions")
        viewer = play.player
        answers: list[Any] = []
        for each in (play, play.supposing(other)):
            made_anew = isinstance(self.agent, type) or not hasattr(self.agent, "decide")
            agent = cast(Any, self.agent() if made_anew else self.agent)
            try:
                decision = agent.decide(each.view(viewer), each.seen_by(viewer))
            except SleuthError as error:
                raise ConformanceError("decisions", str(error), where=where) from error
            answers.append(getattr(decision, "action", decision))
        if answers[0] != answers[1]:
            raise ConformanceError(
                "decisions",
                f"{self.game.roles[viewer]} decides otherwise when only what he cannot see changes",
                where=where,
                value=tuple(answers),
                hint="an agent may use only the view and what was seen, and a seed of its own",
            )
        if answers[0] not in play.legal():
            raise ConformanceError(
                "decisions", "the agent's action is not legal", where=where, value=answers[0]
            )


def _part(missing: NDArray[np.bool_], game: Game, name: str) -> NDArray[np.bool_]:
    """The words of one field, of an array with all words of a state."""
    kind, offset = cast(Any, game.state.fields)[name][:2]
    return missing.reshape(-1)[offset // 4 : (offset + kind.itemsize) // 4]


def _seed(rng: np.random.Generator) -> int:
    return int(cast(Any, rng).integers(2**31))


def _words(states: States) -> NDArray[np.int32]:
    return states.view(np.int32)
