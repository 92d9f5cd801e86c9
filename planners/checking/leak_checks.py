"""Checks that nobody is told what they cannot know: the part of `check_game` with a belief."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.contract import GameBelief
from ...beliefs.posterior import Posterior
from ...data.errors import ContradictionError
from ...models.game import HIDDEN, OVER, SPECTATOR, Game, States
from ...models.kernels.randomness import below, generator
from ...models.play import Play, View, viewer_name
from .decisions import compare_decisions
from .faults import RAISING, Faults
from .guarded_kernels import ConformanceError, GuardedKernels
from .hidden_features import check_hidden
from .hidden_reads import different_fields, hidden_fields
from .start_leaks import IMAGINED, Leak, field_of, find_leak, numbers_of, viewers

#: Draws among which every number of the true state must turn up, if the belief thinks it possible.
MOST_DRAWS: Final = 50_000
#: So many are drawn at first, and then as many again as there were.
FEWEST_DRAWS: Final = 32
#: Starts that are filled by plain Python, for each viewer; the others look at chances alone.
PLAIN_STARTS: Final = 16


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
        faults: Faults = RAISING,
    ) -> None:
        self.faults = faults
        self.game = game
        self.belief = belief
        self.kernels = kernels
        self.made = made
        self.worlds = worlds
        self.agent = agent
        #: For each viewer what observe could have told them else of the last move, as far as they
        #: see no difference afterwards.
        self._otherwise: dict[int, set[int]] = {}

    def starts(self, seed: int, count: int) -> None:
        """Many starts: what is seen of them says no more than the belief knows of."""
        if self.belief is None:
            return
        self.made.add("dealt")
        game, where = self.game, f"game {self.game.name!r}, {count} starts"
        plays: list[Play] = []
        for each in range(seed, seed + count):
            place = f"game {game.name!r}, the start of seed {each}"
            start = self.kernels.call("start", game.states(1), where=place, seed=each).states
            plays.append(Play(game, each, start))
        dealt = numbers_of(np.concatenate([play.truth() for play in plays]))
        if np.all(dealt == dealt[0]):
            return
        for viewer in viewers(game.players):
            self.faults.attempt(self._starts_of, viewer, plays, dealt, where)

    def _starts_of(
        self, viewer: int, plays: list[Play], dealt: NDArray[np.int64], where: str
    ) -> None:
        imagined = [
            self._imagined(play, viewer, tried=number >= PLAIN_STARTS)
            for number, play in enumerate(plays)
        ]
        views = numbers_of(np.concatenate([play.view(viewer).states for play in plays]))
        leak = find_leak(views, dealt, np.stack(imagined))
        if leak is not None:
            self._tell(leak, plays[0], viewer, where)

    def _imagined(self, play: Play, viewer: int, *, tried: bool) -> NDArray[np.int64]:
        """All numbers of states that are imagined at a start."""
        assert self.belief is not None
        where = f"game {self.game.name!r}, the start of seed {play.seed}"
        self.kernels.call("mask", play.truth(), where=where, viewer=viewer)
        view = play.view(viewer).states
        posterior = self._posterior(self.belief, play, viewer, where)
        rng, random = np.random.default_rng(play.seed), generator(play.seed)
        worlds = self._draw(self.belief, posterior, IMAGINED, rng, where)
        filled = [
            self.kernels.filled(view, world, random, where=where, tried=tried) for world in worlds
        ]
        return numbers_of(np.concatenate(filled))

    def _tell(self, leak: Leak, play: Play, viewer: int, where: str) -> None:
        name, hidden = viewer_name(self.game.roles, viewer), field_of(play.truth(), leak.hidden)
        seen = "the whole view" if leak.seen is None else repr(field_of(play.truth(), leak.seen))
        raise ConformanceError(
            "dealt",
            f"at the start {seen} tells {name} of {hidden!r} what the belief does not know",
            where=where,
            hint="start fills something that is seen from what is hidden: let mask hide it; if it"
            " is meant to be seen, such as a card turned up, let the belief read it",
            fields=() if leak.seen is None else (field_of(play.truth(), leak.seen), hidden),
        )

    def before(self, play: Play, action: int, rng: np.random.Generator, where: str) -> None:
        """Before an action: what the player to move, and one more viewer, can imagine."""
        if self.belief is None:
            if self.agent is not None:
                self._decisions(play, play.truth(), where)
            return
        self._otherwise.clear()
        players = self.game.players
        other = len(play.actions) % (players + 1) - 1
        for viewer in dict.fromkeys((play.player, other)):
            self.faults.attempt(self._imagining, self.belief, play, viewer, action, rng, where)

    def _imagining(
        self,
        belief: GameBelief,
        play: Play,
        viewer: int,
        action: int,
        rng: np.random.Generator,
        where: str,
    ) -> None:
        """All that one viewer imagines before an action."""
        attempt = self.faults.attempt
        posterior = self._posterior(belief, play, viewer, where)
        states = self._filled(belief, posterior, play, viewer, rng, where)
        attempt(self._futures, states, rng, where)
        attempt(self._support, belief, posterior, play, viewer, states, where)
        attempt(self._key, play, viewer, states, where)
        attempt(self._observations, play, viewer, states, action, rng, where)
        truth = play.truth().tobytes()
        others = [state for state in states if state.tobytes() != truth]
        if others:
            attempt(self._samples, belief, play, viewer, others[0], where)
            if viewer == play.player and self.agent is not None:
                attempt(self._decisions, play, others[0], where)

    def after(self, play: Play, before: Mapping[int, View], mover: int, where: str) -> None:
        """After an action: who did not notice it sees what they saw before."""
        self.made.add("unnoticed")
        for viewer, view in before.items():
            self.faults.attempt(self._unnoticed, play, viewer, view, mover, where)
        if self.belief is None or play.over:
            return
        for viewer in dict.fromkeys((mover, *self._otherwise)):
            self.faults.attempt(self._told, self.belief, play, mover, viewer, where)

    def _unnoticed(self, play: Play, viewer: int, view: View, mover: int, where: str) -> None:
        action, after = play.actions[-1], play.view(viewer)
        observation = self._observed(play.truth(), action, mover, viewer, where)
        if observation == HIDDEN and viewer != mover and after != view:
            raise ConformanceError(
                "unnoticed",
                f"{viewer_name(self.game.roles, viewer)} notices nothing of a move,"
                " but their view changes",
                where=where,
                value=action,
                hint="observe must not say HIDDEN, or mask must hide what changed",
                fields=different_fields(view.states, after.states),
            )

    def _told(self, belief: GameBelief, play: Play, mover: int, viewer: int, where: str) -> None:
        """Checks that what a viewer was told of a move is so in all states they imagine afterwards.

        The mover knows which action it was. For somebody else another action may have led to what
        they imagine, so only what this very action could have told them in its place counts.
        """
        self.made.add("told")
        action, truth = play.actions[-1], play.truth()
        asked: dict[str, Any] = {"action": action, "mover": mover, "viewer": viewer}
        seen = self._observed(truth, action, mover, viewer, where)
        posterior = self._posterior(belief, play, viewer, where)
        rng = np.random.default_rng([play.seed, len(play.actions)])
        count = self.worlds // 2
        for state in self._filled(belief, posterior, play, viewer, rng, where, count):
            told = self._observed(state, action, mover, viewer, where)
            if told != seen and (viewer == mover or told in self._otherwise[viewer]):
                self._tells(play, asked, (seen, told), where)

    def _tells(self, play: Play, asked: dict[str, Any], told: tuple[int, int], where: str) -> None:
        viewer = asked["viewer"]
        reads = self.kernels.reads("observe", play.truth(), play.view(viewer).states, **asked)
        raise ConformanceError(
            "told",
            f"observe tells {viewer_name(self.game.roles, viewer)} of a move what neither the view"
            f" nor the belief knows afterwards: {told[0]}, but {told[1]} in a state that is"
            " imagined then",
            where=where,
            value=play.actions[-1],
            hint=(f"{reads}; " if reads else "")
            + "let observe tell only what the move shows; if they may know it, let mask show it or"
            " the belief read it",
        )

    def _posterior(self, belief: GameBelief, play: Play, viewer: int, where: str) -> Posterior:
        self.made |= {"belief", "hidden", "support"}
        name = viewer_name(self.game.roles, viewer)
        check_hidden(belief, play.view(viewer), where)
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
        count: int | None = None,
    ) -> list[States]:
        self.made |= {"fill", "worlds"}
        view = play.view(viewer)
        name = viewer_name(self.game.roles, viewer)
        states: list[States] = []
        for world in self._draw(belief, posterior, count or self.worlds, rng, where):
            seed = _seed(rng)
            filled = self.kernels.call(
                "fill", view.states, where=where, seed=seed, world=world, sees=name
            )
            if np.any(filled.states.view(np.int32) == HIDDEN):
                raise ConformanceError(
                    "fill",
                    f"something is still HIDDEN after filling a view of {name}",
                    where=where,
                    value=filled.states[0],
                    hint="fill must write all that mask hides",
                    fields=tuple(hidden_fields(self.game, filled.states)),
                )
            masked = self.kernels.call("mask", filled.states, where=where, viewer=viewer).states
            if masked.tobytes() != view.data:
                raise ConformanceError(
                    "worlds",
                    f"{name} sees a difference between the truth and what they imagine",
                    where=where,
                    value=filled.states[0],
                    hint="mask shows what they cannot know, or fill (or the belief) changes"
                    " what they know",
                    fields=different_fields(masked, view.states),
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
            # A few are enough almost always, and some beliefs take their time for each.
            count = min(max(FEWEST_DRAWS, drawn), 1000, MOST_DRAWS - drawn)
            for world in self._draw(belief, posterior, count, rng, where):
                filled = self.kernels.filled(blank, world, random, where=where)
                missing &= filled.view(np.int32) != truth
                drawn += 1
                if not np.any(missing):
                    break
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
                fields=tuple(fields),
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
            if action not in self._legal(state, where):
                continue
            other = self.kernels.call("apply", state, where=where, seed=seed, action=action)
            told = self._observed(other.states, action, mover, viewer, where)
            masked = self.kernels.call("mask", other.states, where=where, viewer=viewer).states
            if told != seen:
                if masked.tobytes() == view.tobytes():
                    self._otherwise.setdefault(viewer, set()).add(told)
            elif masked.tobytes() != view.tobytes():
                raise ConformanceError(
                    "observations",
                    f"{viewer_name(self.game.roles, viewer)} sees the same of a move in two states"
                    " that look alike, but learns something from their view",
                    where=where,
                    value=action,
                    hint="observe must tell apart what mask shows afterwards",
                    fields=different_fields(masked, view),
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
            truth = play.truth()
            reads = self.kernels.reads("key", truth, play.view(viewer).states, viewer=viewer)
            raise ConformanceError(
                "key",
                f"states that look the same to {self.game.roles[viewer]} have different keys",
                where=where,
                hint="a key may use only what the viewer knows" + (f"; {reads}" if reads else ""),
            )

    def _legal(self, state: States, where: str) -> NDArray[np.int32]:
        """The legal actions of an imagined state; none when the game is over there."""
        if int(state[0].player) == OVER:
            return np.zeros(0, dtype=np.int32)
        called = self.kernels.call("legal", state, where=where)
        count = int(called.result)
        if not 0 <= count <= self.game.max_actions:
            raise ConformanceError(
                "futures",
                "in an imagined state the number of legal actions is out of bounds",
                where=where,
                value=count,
                hint=f"1 to max_actions, which is {self.game.max_actions}",
            )
        return cast(NDArray[np.int32], called.written[:count])

    def _futures(self, states: list[States], rng: np.random.Generator, where: str) -> None:
        self.made.add("futures")
        game = self.game
        for state in states[:2]:
            random, seed = generator(_seed(rng)), _seed(rng)
            for move in range(game.max_depth + 1):
                if int(state[0].player) == OVER:
                    break
                legal = self._legal(state, where)
                if len(legal) == 0 or not 0 <= int(state[0].player) < game.players:
                    raise ConformanceError(
                        "futures", "an imagined state has no legal action", where=where
                    )
                chosen = int(legal[below(random, len(legal))])
                state = self.kernels.call(
                    "apply", state, where=where, seed=(seed, move), action=chosen
                ).states
            else:
                raise ConformanceError(
                    "futures",
                    "an imagined state cannot be played to its end within max_depth moves",
                    where=where,
                    hint="fill must make states that the rules can reach, and max_depth be the most"
                    " actions of any game",
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
                f"what is drawn for {viewer_name(self.game.roles, viewer)} changes with what they"
                " cannot see, or from one call to the next",
                where=where,
                hint="a belief may use only the view and what was seen, and the generator given",
            )

    def _decisions(self, play: Play, other: States, where: str) -> None:
        self.made.add("decisions")
        compare_decisions(self.agent, play, other, where)


def _part(missing: NDArray[np.bool_], game: Game, name: str) -> NDArray[np.bool_]:
    """The words of one field, of an array with all words of a state."""
    kind, offset = cast(Any, game.state.fields)[name][:2]
    return missing.reshape(-1)[offset // 4 : (offset + kind.itemsize) // 4]


def _seed(rng: np.random.Generator) -> int:
    return int(cast(Any, rng).integers(2**31))
