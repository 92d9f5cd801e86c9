"""Games in which one player finds out something hidden by questions: tables, kernels and beliefs.

`question_game` is a hidden value and questions with known answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sleuth import (
    HIDDEN,
    OVER,
    CachedBelief,
    Choice,
    Feature,
    Game,
    Model,
    Posterior,
    Question,
    Questions,
    below,
    infer,
    kernel,
)
from sleuth.beliefs.asking.many_questions import ByCode
from sleuth.kit import SeenPlay, View

from .following import ANSWERS, History


class Answers(NamedTuple):
    """What a question game is played with: Q questions about V values.

    Attributes:
        table: int16[Q, V], the number of the answer to each question.
        most: int64[1], after so many questions the game is over.
    """

    table: NDArray[np.int16]
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
    if state.asked >= tables.most[0]:
        state.player = OVER


@kernel
def _observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return action * ANSWERS + state.answer[state.asked - 1]


@kernel
def _returns(state: Any, tables: Any, values: Any) -> None:
    values[0] = -state.asked


@kernel
def _mask(state: Any, viewer: int, tables: Any) -> None:
    state.value = HIDDEN


@kernel
def _fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    state.value = world[0]


def question_game(table: NDArray[np.int16], *, most: int, name: str = "questions") -> Game:
    """Asking about a value, each equally likely; the return is minus the number of questions.

    Args:
        table: int16[Q, V], the number of the answer to each question by value.
        most: After so many questions the game is over.
        name: The game's name.
    """
    count = len(table)
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
        tables=Answers(np.ascontiguousarray(table), np.array([most])),
        start=_start,
        legal=_legal,
        apply=_apply,
        observe=_observe,
        returns=_returns,
        mask=_mask,
        fill=_fill,
    )


class QuestionBelief(CachedBelief[tuple[tuple[int, int], ...]]):
    """The value, after the answers.

    Args:
        table: The game's table.
        about: int64[V], the value of what shall be learned; None for the hidden value itself.
    """

    def __init__(self, table: NDArray[np.int16], about: Sequence[int] | None = None) -> None:
        super().__init__()
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
        if not known:
            return infer(Model(self.choice), method="enumeration")
        (*before, (question, answer)) = known
        return self._posterior(tuple(before)).observe(self.asked[question].observed(answer))

    def hidden(self, view: View) -> Mapping[str, Feature]:
        return {"value": self.feature}

    def questions(self, view: View) -> Mapping[int, Question]:
        return {} if view.over else ByCode(self.asked)


def asked_so_far(state: Any, history: History) -> None:
    """A state of a question game after a history."""
    state.asked = len(history)
    for place, (question, answer) in enumerate(history):
        state.question[place], state.answer[place] = question, answer
