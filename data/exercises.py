"""Answers to exercises, checked without giving them away: only digests are kept."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Set
from dataclasses import dataclass
from numbers import Real
from typing import Any, Final, SupportsFloat, cast

from .markup import element

#: Letters of a digest that are kept of each number or word.
LETTERS: Final = 4
#: How far a number may be off, in units of its last place: nobody rounds as computers do.
NEAR: Final = 0.4
#: The mark at the edge of a verdict as a notebook shows it.
_COLOURS: Final[Mapping[bool | None, str]] = {True: "#009e73", False: "#d55e00", None: "#8a8a8a"}


@dataclass(frozen=True, repr=False)
class Verdict:
    """The word on an answer to an exercise.

    Attributes:
        right: Whether the answer is right; None where there is none yet.
        text: The verdict in words.

    >>> from sleuth.teaching import check, seal
    >>> check(0.5, seal(0.5)).right
    True
    """

    right: bool | None
    text: str

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        style = f"border-left:.3em solid {_COLOURS[self.right]};padding:.2em .8em;margin:.3em 0"
        return element("div", self.text, style=style)


def seal(answer: Any, *, digits: int = 2) -> str:
    """The digests of an answer, for `check`.

    Args:
        answer: A number, a word, a truth value; or a list, tuple or set of such, or the values of a
            mapping.
        digits: The decimal places of numbers; -2 for hundreds.

    >>> from sleuth.teaching import seal
    >>> seal(2 / 3), seal(["ace", "king"]) == seal([" Ace", "KING"])
    ('ae19', True)
    """
    return " ".join(_digest(_keys(part, digits)[0], digits) for part in _parts(answer))


def check(answer: Any, sealed: str, *, digits: int = 2, hint: str = "") -> Verdict:
    """The verdict on an answer: right, not yet, or still to be given.

    A number is right if it is the sealed one to the given decimal places, or nearly so. Of an
    answer of several parts the verdict says how many are right.

    Args:
        answer: The reader's; ``...`` somewhere in it stands for what is still to be filled in.
        sealed: What `seal` gave for the right one, with the same digits.
        digits: The decimal places of numbers.
        hint: The words that follow when it is wrong.

    >>> from sleuth.teaching import check
    >>> check(..., "ae19")
    Still to do: put your answer in the place of the three dots, run that cell, then this one.
    >>> check(0.5, "ae19", hint="Count the ways.")
    Not yet. Count the ways.
    >>> check([0.667, 0.5], "ae19 ae19")
    Not yet: 1 of 2 is right.
    >>> check(0.667, "ae19")
    Right.
    """
    parts = _parts(answer)
    if any(part is ... or part is None for part in parts):
        return Verdict(
            None,
            "Still to do: put your answer in the place of the three dots, "
            "run that cell, then this one.",
        )
    wanted = sealed.split()
    if len(parts) != len(wanted):
        return Verdict(False, f"Not yet. {hint}".strip())
    good = sum(
        any(_digest(key, digits) == digest for key in _keys(part, digits))
        for part, digest in zip(parts, wanted, strict=True)
    )
    if good == len(wanted):
        return Verdict(True, "Right.")
    some = f": {good} of {len(wanted)} {'is' if good == 1 else 'are'} right" if good else ""
    return Verdict(False, f"Not yet{some}. {hint}".strip())


def reveal(answer: float | str, predicted: Any = ..., *, digits: int = 2) -> Verdict:
    """The answer, beside what somebody predicted.

    Args:
        answer: The answer.
        predicted: The prediction, as the reader wrote it; ``...`` for none.
        digits: The decimal places of numbers.

    >>> from sleuth.teaching import reveal
    >>> reveal(2 / 3, 0.5)
    The answer is 0.67. You said 0.50.
    >>> reveal(2 / 3)
    The answer is 0.67. You made no prediction: a guess that was wrong is remembered best.
    """
    if predicted is ... or predicted is None:
        said = "You made no prediction: a guess that was wrong is remembered best"
    else:
        said = f"You said {_said(predicted, digits)}"
    return Verdict(None, f"The answer is {_rounded(answer, digits)}. {said}.")


def _rounded(value: Any, digits: int) -> str:
    return f"{float(value):.{digits}f}" if isinstance(value, Real) else str(value)


def _said(predicted: Any, digits: int) -> str:
    """A prediction as it was made: never rounded to what it does not say."""
    rounded = _rounded(predicted, digits)
    if not isinstance(predicted, Real) or float(rounded) == float(predicted):
        return rounded
    return f"{float(predicted):g}"


def _parts(answer: Any) -> list[Any]:
    """Numbers and words, in an order of their own where there is none."""
    if isinstance(answer, Mapping):
        pairs = cast("Mapping[Any, Any]", answer)
        ordered = sorted(pairs.items(), key=lambda pair: str(pair[0]).casefold())
        return [part for _, value in ordered for part in _parts(value)]
    if isinstance(answer, Set):
        return _parts(sorted(cast("Set[Any]", answer), key=lambda each: str(each).casefold()))
    tolist = getattr(answer, "tolist", None)
    if tolist is not None:
        return _parts(tolist())
    if isinstance(answer, list | tuple):
        return [part for each in cast("list[Any]", answer) for part in _parts(each)]
    return [answer]


def _keys(part: Any, digits: int) -> list[str]:
    """The answer as it is sealed, and others that are as good."""
    if isinstance(part, bool | str):
        return [str(part).strip().casefold()]
    if isinstance(part, SupportsFloat):
        number = float(part)
        if not math.isfinite(number):
            return [str(number)]
        units = number * 10**digits
        return [str(round(units + near)) for near in (0.0, -NEAR, NEAR)]
    return [str(part)]


def _digest(key: str, digits: int) -> str:
    return hashlib.sha256(f"{digits} {key}".encode()).hexdigest()[:LETTERS]
