"""Checks that what a belief says of what can be learned is what agents that learn take."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from numbers import Integral
from typing import Any, cast

from ...beliefs.asking.many_questions import ByCode
from ...beliefs.games.contract import Asking, Focused, GameBelief, Telling
from ...beliefs.language.questions import Question
from ...beliefs.posterior import Posterior
from ...data.errors import CostError, SleuthError
from ...models.play import View
from .guarded_kernels import ConformanceError


def check_learning(belief: GameBelief, view: View, posterior: Posterior, where: str) -> None:
    """Refuse questions, main things and telling actions that are none.

    Args:
        belief: That of the game.
        view: Of the player to move, while the game goes on.
        posterior: What they believe.
        where: For the error.

    Raises:
        ConformanceError: Something is of another kind, has a code that is no action's, or cannot be
            asked of the posterior.
    """
    if isinstance(belief, Focused):
        names = _called(belief.main, view, where)
        if isinstance(names, str) or not _all(names, str):
            raise _wrong("main must give names, of those that hidden gives", where, value=names)
    if isinstance(belief, Telling):
        codes = _called(belief.telling, view, where)
        if not _all(codes, Integral) or not _are_actions(codes, view):
            raise _wrong("telling must give codes of actions", where, value=codes)
    if not isinstance(belief, Asking):
        return
    asked = _called(belief.questions, view, where)
    if not isinstance(asked, Mapping):
        raise _wrong("questions must give a mapping from codes of actions", where, value=asked)
    questions = cast("Mapping[object, object]", asked)
    if not _all(questions.keys(), Integral) or not _are_actions(questions.keys(), view):
        raise _wrong("questions are asked by actions", where, value=list(questions))
    if isinstance(questions, ByCode):  # they are made where they are asked
        return
    for code, question in questions.items():
        name = view.game.action_name(cast(int, code))
        if not isinstance(question, Question):
            raise _wrong(f"{name!r} must ask a Question", where, value=question)
        try:
            posterior.distribution(question.feature)
        except CostError:
            continue  # there are too many values to look at
        except SleuthError as error:
            raise _wrong(f"the posterior cannot be asked {name!r}: {error}", where) from error


def _called(method: Callable[[View], object], view: View, where: str) -> object:
    name = getattr(method, "__name__", "it")
    try:
        return method(view)
    except Exception as error:
        raise _wrong(f"{name} fails: {error!r}", where) from error


def _all(found: object, kind: type) -> bool:
    if not isinstance(found, Collection):
        return False
    return all(isinstance(each, kind) for each in cast("Collection[object]", found))


def _are_actions(codes: object, view: View) -> bool:
    return all(0 <= code < view.game.action_space for code in cast("Collection[int]", codes))


def _wrong(message: str, where: str, **value: Any) -> ConformanceError:
    hint = "see 'What can be learned' in docs/your-own-game.md"
    return ConformanceError("learned", message, where=where, hint=hint, **value)
