"""Games in which one player finds out something hidden by questions: tables, kernels and beliefs.

`question_game` is a hidden value and questions with known answers: a toy whose best question tells
nothing by itself, Mastermind, Wordle. `pomdp` is a small partially observable decision problem.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sleuth.beliefs import Choice, Feature, Model, Posterior, Question, Questions, infer
from sleuth.beliefs.asking.many_questions import ByCode
from sleuth.beliefs.games.contract import CachedBelief
from sleuth.models.game import HIDDEN, OVER, Game
from sleuth.models.kernels.kernel import kernel
from sleuth.models.kernels.randomness import below, uniform
from sleuth.models.play import SeenPlay, View

# -- questions about a hidden value


class Answers(NamedTuple):
    """What a question game is played with: Q questions about V values.

    Attributes:
        table: int16[Q, V], the number of the answer to each question.
        ends: int16[Q], the value that a question guesses: it ends the game if it is right; -1 for
            a question that is no guess.
        guess: int16[V], the question that guesses each value; empty where none do.
        most: int64[1], after so many questions the game is over.
    """

    table: NDArray[np.int16]
    ends: NDArray[np.int16]
    guess: NDArray[np.int16]
    most: NDArray[np.int64]


def questions_state(most: int) -> np.dtype[Any]:
    """Who moves, the hidden value, how much was asked, and all questions with their answers."""
    return np.dtype(
        [
            ("player", np.int32),
            ("value", np.int32),
            ("asked", np.int32),
            ("question", np.int32, (most,)),
            ("answer", np.int32, (most,)),
        ]
    )


#: Room for answers in an observation.
ANSWERS = 4_096


@kernel
def _start(state: Any, tables: Any, random: Any) -> None:
    state.value = below(random, tables.table.shape[1])


@kernel
def _legal(state: Any, tables: Any, actions: Any) -> int:
    count = tables.table.shape[0]
    for question in range(count):
        actions[question] = question
    return count


@kernel
def _apply(state: Any, action: int, tables: Any, random: Any) -> None:
    state.question[state.asked] = action
    state.answer[state.asked] = tables.table[action, state.value]
    state.asked += 1
    if tables.ends[action] == state.value or state.asked >= tables.most[0]:
        state.player = OVER


@kernel
def _observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return action * ANSWERS + state.answer[state.asked - 1]


@kernel
def _policy(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    """Guesses any value that all answers allow; without guesses, asks anything."""
    values = len(tables.guess)
    if values == 0:
        return below(random, count)
    value = below(random, values)
    for _ in range(values):
        fits = True
        for place in range(state.asked):
            if tables.table[state.question[place], value] != state.answer[place]:
                fits = False
                break
        if fits:
            break
        value = value + 1 if value + 1 < values else 0
    return tables.guess[value]


@kernel
def _returns(state: Any, tables: Any, values: Any) -> None:
    values[0] = -state.asked


@kernel
def _mask(state: Any, viewer: int, tables: Any) -> None:
    state.value = HIDDEN


@kernel
def _fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    state.value = world[0]


def question_game(
    table: NDArray[np.int16],
    *,
    most: int,
    ends: NDArray[np.int16] | None = None,
    name: str = "questions",
) -> Game:
    """Asking about a value, each equally likely; the return is minus the number of questions.

    Args:
        table: int16[Q, V], the number of the answer to each question by value.
        most: After so many questions the game is over.
        ends: int16[Q], the value that each question guesses; None for none.
        name: The game's name.
    """
    count = len(table)
    guesses = np.full(count, -1, np.int16) if ends is None else ends
    guess = np.zeros(0, np.int16)
    if ends is not None:
        guess = np.argsort(ends, kind="stable")[np.sum(ends < 0) :].astype(np.int16)
    return Game(
        name=name,
        version=1,
        roles=("asker",),
        state=questions_state(most),
        action_space=count,
        max_actions=count,
        max_depth=most,
        lowest=-most,
        highest=0,
        tables=Answers(np.ascontiguousarray(table), guesses, guess, np.array([most])),
        start=_start,
        legal=_legal,
        apply=_apply,
        observe=_observe,
        returns=_returns,
        mask=_mask,
        fill=_fill,
        policy=_policy,
    )


class QuestionBelief(CachedBelief[tuple[tuple[int, int], ...]]):
    """The value, after the answers.

    Args:
        table: The game's table.
        about: int64[V], the value of what shall be learned; None for the hidden value itself.
        most: How many questions a search considers, and as many guesses; 0 for all.
    """

    def __init__(
        self, table: NDArray[np.int16], about: Sequence[int] | None = None, *, most: int = 0
    ) -> None:
        super().__init__()
        self.most = most
        self.table = table
        count = table.shape[1]
        self.choice = Choice("value", range(count))
        feature: Feature = self.choice.value()
        if about is not None:
            wanted = list(about)
            feature = feature.satisfies(lambda value: bool(wanted[value]))
        self.feature = feature
        names = [str(number) for number in range(len(table))]
        answers = range(int(table.max()) + 1)
        self.asked = Questions(self.choice.value(), table.astype(np.int64), answers, names)

    def known(self, view: View, seen: SeenPlay) -> tuple[tuple[int, int], ...]:
        return tuple(divmod(each.event.observation, ANSWERS) for each in seen.events)

    def posterior(self, known: tuple[tuple[int, int], ...]) -> Posterior:
        given = [self.asked[question].observed(answer) for question, answer in known]
        return infer(Model(self.choice), given, method="enumeration")

    def hidden(self, view: View) -> Mapping[str, Feature]:
        return {"value": self.feature}

    def questions(self, view: View) -> Mapping[int, Question]:
        return {} if view.over else ByCode(self.asked)

    def undominated(self, view: View, posterior: Posterior) -> Sequence[int] | None:
        """The questions that tell most, and as many that may be right, the telling ones first."""
        if not self.most:
            return None
        gains = posterior.information_gain(self.asked, about=self.feature)
        possible = posterior.distribution(self.choice.value()) > 0.0
        order = np.argsort(-np.round(gains + 1e-6 * possible, 9), kind="stable")
        right = [code for code in order.tolist() if possible[code]]
        return sorted({*order[: self.most].tolist(), *right[: self.most]})


def toy() -> tuple[Game, QuestionBelief]:
    """Three hidden bits: the first is wanted.

    Question 0 tells the second bit, question 1 whether the first two are alike: neither says
    anything of the first bit alone, and together they say all. Question 2 tells the first bit where
    the third number is 0, one time in four. Question 3 tells nothing.
    """
    values = [(a, b, c) for a in range(2) for b in range(2) for c in range(4)]
    table = np.array(
        [
            [b for _, b, _ in values],
            [a ^ b for a, b, _ in values],
            [1 + a if c == 0 else 0 for a, _, c in values],
            [0 for _ in values],
        ],
        dtype=np.int16,
    )
    return question_game(table, most=2, name="toy"), QuestionBelief(
        table, about=[a for a, _, _ in values]
    )


def mastermind(pegs: int = 4, colours: int = 6, most: int = 8) -> tuple[Game, QuestionBelief]:
    """Mastermind: an answer is 5 times the black marks and the white ones, for four pegs."""
    codes = np.array(list(product(range(colours), repeat=pegs)))
    black = (codes[:, None, :] == codes[None, :, :]).sum(axis=2)
    counts = (codes[:, :, None] == np.arange(colours)).sum(axis=1)
    both = np.minimum(counts[:, None, :], counts[None, :, :]).sum(axis=2)
    table = ((pegs + 1) * black + both - black).astype(np.int16)
    ends = np.arange(len(codes), dtype=np.int16)
    return question_game(table, most=most, ends=ends, name="mastermind"), QuestionBelief(
        table, most=30
    )


# -- a small decision problem


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
    """Where the state is now, after what was done and seen."""

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
        return infer(Model(Choice("state", dict(enumerate(shares.tolist())))))

    def hidden(self, view: View) -> Mapping[str, Feature]:
        return {"state": Choice("state", range(len(self.problem.start))).value()}
