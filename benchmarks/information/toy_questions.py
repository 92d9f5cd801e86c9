"""A question that tells nothing by itself and makes another one telling: is it found?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth import Budget, Game, Search, SearchAgent
from sleuth.search import Learning

from .asking_games import QuestionBelief, asked_so_far, question_game
from .decision_problems import bits
from .following import Following, History


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


def toy_values(simulations: int) -> dict[str, float]:
    """Bits that searches of one and of two decisions learn in the toy, and the most possible."""
    game, belief = toy()
    table, wanted = belief.table, np.array([value >= 8 for value in range(16)])
    found: dict[str, float] = {}
    for depth in (1, 2):
        agent = SearchAgent(
            search=Search(game),
            belief=belief,
            budget=Budget(simulations=simulations),
            learning=Learning(gain_weight=1.0, depth=depth),
        )
        following = Following(agent, asked_so_far)
        found[f"depth{depth}"] = 1.0 - _left(table, wanted, following.decision, ())
    found["exact"] = 1.0 - _least_left(table, wanted, np.ones(16, bool), 2)
    return found


def _left(
    table: NDArray[Any], wanted: NDArray[Any], decide: Callable[[History], int], history: History
) -> float:
    """What is open of the wanted bit, in expectation, after two questions that somebody asks."""
    fits = np.ones(table.shape[1], bool)
    for question, answer in history:
        fits &= table[question] == answer
    if len(history) == 2:
        return _open(wanted[fits])
    question = decide(history)
    answers, counts = np.unique(table[question][fits], return_counts=True)
    return sum(
        count / fits.sum() * _left(table, wanted, decide, (*history, (question, int(answer))))
        for answer, count in zip(answers, counts, strict=True)
    )


def _least_left(
    table: NDArray[Any], wanted: NDArray[Any], fits: NDArray[Any], questions: int
) -> float:
    """The least that can be open after so many questions, in expectation: all are tried."""
    if not questions:
        return _open(wanted[fits])
    return min(
        sum(
            (fits & (row == answer)).sum()
            / fits.sum()
            * _least_left(table, wanted, fits & (row == answer), questions - 1)
            for answer in np.unique(row[fits])
        )
        for row in table
    )


def _open(values: NDArray[Any]) -> float:
    return bits(np.bincount(values.astype(int)) / len(values))


def measured(*, quick: bool, seed: int) -> dict[str, Any]:
    """The toy's values; see `toy_values`."""
    return toy_values(500 if quick else 4_000)
