"""Random small POMDPs whose reward counts what is known, and how well a search decides there."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sleuth import (
    HIDDEN,
    OVER,
    Budget,
    CachedBelief,
    Feature,
    Game,
    Model,
    Posterior,
    Search,
    SearchAgent,
    Walk,
    infer,
    kernel,
    uniform,
)
from sleuth.kit import SeenPlay, View
from sleuth.search import Learning

from .following import ANSWERS, Following, History

#: What a bit is worth.
WEIGHT = 0.5
#: That of the search. Returns are mapped to [0, 1], and what is learned comes on top of them.
EXPLORATION = 1.0
#: About so many moments the posterior is asked after every 64 simulations.
ROWS = 16


class Chances(NamedTuple):
    """A POMDP with S states, A actions and O observations.

    Attributes:
        start: float64[S], cumulative.
        moves: float64[A, S, S], cumulative over the last axis.
        sees: float64[A, S, O], of the state that was come to, cumulative over the last axis.
        rewards: int64[A, S], in the state before, in thousandths.
        horizon: int64[1], decisions.
    """

    start: NDArray[np.float64]
    moves: NDArray[np.float64]
    sees: NDArray[np.float64]
    rewards: NDArray[np.int64]
    horizon: NDArray[np.int64]


PROBLEM = np.dtype(
    [
        ("player", np.int32),
        ("state", np.int32),
        ("time", np.int32),
        ("seen", np.int32),
        ("reward", np.int32),  # in thousandths
    ]
)


@kernel
def _drawn(shares: Any, random: Any) -> int:
    """A place by cumulative shares."""
    wanted = uniform(random) * shares[-1]
    for place in range(len(shares)):
        if wanted < shares[place]:
            return place
    return len(shares) - 1


@kernel
def _begin(state: Any, tables: Any, random: Any) -> None:
    state.state = _drawn(tables.start, random)


@kernel
def _choose(state: Any, tables: Any, actions: Any) -> int:
    count = tables.moves.shape[0]
    for action in range(count):
        actions[action] = action
    return count


@kernel
def _move(state: Any, action: int, tables: Any, random: Any) -> None:
    state.reward += tables.rewards[action, state.state]
    state.state = _drawn(tables.moves[action, state.state], random)
    state.seen = _drawn(tables.sees[action, state.state], random)
    state.time += 1
    if state.time >= tables.horizon[0]:
        state.player = OVER


@kernel
def _see(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return action * ANSWERS + state.seen


@kernel
def _earn(state: Any, tables: Any, values: Any) -> None:
    values[0] = state.reward / 1000


@kernel
def _hide(state: Any, viewer: int, tables: Any) -> None:
    state.state = HIDDEN
    state.reward = HIDDEN


@kernel
def _imagine(state: Any, world: Any, tables: Any, random: Any) -> None:
    state.state = world[0]
    # What was earned so far changes nothing that is to come.
    state.reward = 0


@dataclass(frozen=True, eq=False)
class Problem:
    """A POMDP as plain probabilities; see `Chances`."""

    start: NDArray[np.float64]
    moves: NDArray[np.float64]
    sees: NDArray[np.float64]
    rewards: NDArray[np.float64]
    horizon: int

    @staticmethod
    def random(rng: np.random.Generator) -> Problem:
        """One with 2 to 6 states, 2 to 4 actions, 2 to 4 observations, and 2 to 4 decisions."""
        states, actions, sights = (int(rng.integers(2, most + 1)) for most in (6, 4, 4))
        return Problem(
            start=rng.dirichlet(np.ones(states)),
            moves=rng.dirichlet(np.full(states, 0.4), (actions, states)),
            sees=rng.dirichlet(np.full(sights, 0.4), (actions, states)),
            rewards=rng.integers(0, 1001, (actions, states)) / 1000,
            horizon=int(rng.integers(2, 5)),
        )

    @property
    def actions(self) -> int:
        return len(self.moves)

    def after(
        self, belief: NDArray[np.float64], action: int
    ) -> list[tuple[float, NDArray[np.float64]]]:
        """For each observation after an action how likely it is, and the belief it leads to."""
        joint = (belief @ self.moves[action])[:, None] * self.sees[action]
        shares = joint.sum(axis=0)
        return [
            (float(share), joint[:, sight] / share if share > 0 else belief)
            for sight, share in enumerate(shares)
        ]

    def value(self, belief: NDArray[np.float64], left: int, weight: float) -> float:
        """The most that can be expected: rewards, and ``weight`` for each bit of entropy less."""
        return max(
            self.action_value(belief, action, left, weight) for action in range(self.actions)
        )

    def action_value(
        self, belief: NDArray[np.float64], action: int, left: int, weight: float
    ) -> float:
        """The same for an action and the best ones after it."""
        total = float(belief @ self.rewards[action]) + weight * bits(belief)
        for share, then in self.after(belief, action):
            if share > 0.0:
                later = self.value(then, left - 1, weight) if left > 1 else 0.0
                total += share * (later - weight * bits(then))
        return total

    def game(self) -> Game:
        """The problem as a game for one."""
        count = self.actions
        least, most = self.rewards.min() * self.horizon, self.rewards.max() * self.horizon
        return Game(
            name="pomdp",
            version=1,
            roles=("agent",),
            state=PROBLEM,
            action_space=count,
            max_actions=count,
            max_depth=self.horizon,
            lowest=float(least),
            highest=float(most),
            tables=Chances(
                np.cumsum(self.start),
                np.cumsum(self.moves, axis=2),
                np.cumsum(self.sees, axis=2),
                np.rint(1000 * self.rewards).astype(np.int64),
                np.array([self.horizon]),
            ),
            start=_begin,
            legal=_choose,
            apply=_move,
            observe=_see,
            returns=_earn,
            mask=_hide,
            fill=_imagine,
        )


def bits(shares: NDArray[np.float64]) -> float:
    """Entropy in bits."""
    some = shares[shares > 0.0]
    return float(-(some * np.log2(some)).sum())


class ProblemBelief(CachedBelief[tuple[tuple[int, int], ...]]):
    """Where the state is now, after what was done and seen.

    It moves, so the states that a search starts from say nothing of where it is later: what is
    learned is known from the posterior alone.
    """

    kept = 65_536

    def __init__(self, problem: Problem) -> None:
        super().__init__()
        self.problem = problem

    def known(self, view: View, seen: SeenPlay) -> tuple[tuple[int, int], ...]:
        return tuple(divmod(each.event.observation, ANSWERS) for each in seen.events)

    def shares(self, known: tuple[tuple[int, int], ...]) -> NDArray[np.float64]:
        """The filtered belief (Kaelbling, Littman and Cassandra 1998, section 3.3)."""
        belief = self.problem.start
        for action, sight in known:
            belief = self.problem.after(belief, action)[sight][1]
        return belief

    def posterior(self, known: tuple[tuple[int, int], ...]) -> Posterior:
        shares = self.shares(known)
        return infer(Model(Walk("state", range(len(shares)), dict(enumerate(shares.tolist())))))

    def hidden(self, view: View) -> Mapping[str, Feature]:
        return {"state": Walk("state", range(len(self.problem.start))).at()}


def pomdp_shares(count: int, simulations: int, seed: int) -> Iterator[float]:
    """Of random problems the share of the best value that the search's decisions bring."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        problem = Problem.random(rng)
        agent = SearchAgent(
            search=Search(problem.game(), exploration=EXPLORATION, backup="best"),
            belief=ProblemBelief(problem),
            budget=Budget(simulations=simulations),
            learning=Learning(gain_weight=WEIGHT, depth=problem.horizon, rows=ROWS),
        )
        following = Following(agent, _decided_so_far)
        best = problem.value(problem.start, problem.horizon, WEIGHT)
        yield followed(problem, following.decision, problem.start, ()) / best


def _decided_so_far(state: Any, history: History) -> None:
    state.time = len(history)
    if history:
        state.seen = history[-1][1]


def followed(
    problem: Problem,
    decide: Callable[[History], int],
    belief: NDArray[np.float64],
    history: History,
) -> float:
    """The expected value of decisions: rewards, and the weight of every bit that is less open."""
    action = decide(history)
    total = float(belief @ problem.rewards[action]) + WEIGHT * bits(belief)
    for sight, (share, then) in enumerate(problem.after(belief, action)):
        if share > 0.0:
            later = 0.0
            if len(history) + 1 < problem.horizon:
                later = followed(problem, decide, then, (*history, (action, sight)))
            total += share * (later - WEIGHT * bits(then))
    return total


def measured(*, quick: bool, seed: int) -> dict[str, Any]:
    """The worst and the mean of the shares, and of how many problems."""
    count = 3 if quick else 100
    shares = list(pomdp_shares(count, 500 if quick else 20_000, seed))
    return {"worst": min(shares), "mean": statistics.fmean(shares), "n": count}
