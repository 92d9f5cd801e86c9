"""Choices that cover things: pieces on squares, of which no two may lie on one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, cast

from ...data.errors import EvidenceError
from .counting import count_of
from .evidence import Evidence
from .features import Condition
from .variables import Choice

#: What a value covers: by value, or by a function of it.
Covers = Callable[[Any], Iterable[Any]] | Mapping[Any, Iterable[Any]]


def disjoint(*choices: Choice | Iterable[Choice], covers: Covers | None = None) -> list[Evidence]:
    """Evidence that no two choices cover the same: ships that do not overlap, say.

    Args:
        choices: The pieces. Each lies in one of its values.
        covers: What a value covers, as a function or a mapping. By default a tuple, a list or a set
            covers its members, and any other value covers itself.

    Returns:
        For everything that several choices can cover, evidence that at most one of them does.

    Raises:
        EvidenceError: These are not choices, or ``covers`` has no answer for a value.

    >>> from sleuth import Choice, Model, any_of, disjoint, infer
    >>> ships = [Choice("cruiser", ["abc", "bcd", "cde"]), Choice("boat", ["ab", "bc", "cd", "de"])]
    >>> apart = disjoint(ships, covers=tuple)
    >>> len(apart), apart[0].because
    (5, "at most one covers 'a'")
    >>> hit = any_of(ship.satisfies(lambda squares: "c" in squares) for ship in ships)
    >>> infer(Model(*ships), apart).probability(hit)
    1.0
    """
    return [
        count_of(by)
        .satisfies(lambda number: number <= 1)
        .observed(because=f"at most one covers {thing!r}")
        for thing, by in _coverers(choices, covers).items()
        if len(by) > 1
    ]


def exact_cover(
    *choices: Choice | Iterable[Choice],
    covers: Covers | None = None,
    things: Iterable[Any] | None = None,
) -> list[Evidence]:
    """Evidence that everything is covered by exactly one choice: a tiling, or a Latin square.

    Args:
        choices: The pieces. A piece that may be left out has a value that covers nothing, ``()``.
        covers: What a value covers; see `disjoint`.
        things: What is to be covered; by default everything that some value covers.

    Returns:
        Evidence for each of the things.

    Raises:
        EvidenceError: These are not choices, ``covers`` has no answer for a value, or nothing can
            cover one of the things.

    >>> from sleuth import Choice, Model, exact_cover, infer
    >>> bricks = [Choice(name, [(1, 2), (2, 3), (3, 4)]) for name in ("red", "blue")]
    >>> infer(Model(*bricks), exact_cover(bricks)).marginal(bricks[0])
    {(1, 2): 0.5, (3, 4): 0.5}
    """
    found = _coverers(choices, covers)
    wanted = found if things is None else dict.fromkeys(things)
    for thing in wanted:
        if thing not in found:
            raise EvidenceError("no value of any choice covers this", value=thing)
    return [
        count_of(found[thing]).equals(1).observed(because=f"exactly one covers {thing!r}")
        for thing in wanted
    ]


def _coverers(
    choices: Iterable[Choice | Iterable[Choice]], covers: Covers | None
) -> dict[Any, list[Condition]]:
    """The conditions that a choice covers a thing, for each thing in the order of their naming."""
    found: dict[Any, list[Condition]] = {}
    for choice in _listed(choices):
        values: dict[Any, list[Any]] = {}
        for value in choice.options:
            for thing in dict.fromkeys(_covered(value, covers)):
                values.setdefault(thing, []).append(value)
        for thing, some in values.items():
            found.setdefault(thing, []).append(choice.among(some))
    return found


def _covered(value: Any, covers: Covers | None) -> Iterable[Any]:
    if covers is None:
        if isinstance(value, Collection) and not isinstance(value, (str, bytes)):
            return cast("Collection[Any]", value)
        return (value,)
    try:
        return tuple(covers(value) if callable(covers) else covers[value])
    except (KeyError, TypeError) as error:
        raise EvidenceError(
            "covers says what a value covers, as a list or tuple",
            value=value,
            hint="write a mapping with all values, or a function of the value",
        ) from error


def _listed(choices: Iterable[Choice | Iterable[Choice]]) -> list[Choice]:
    found: list[Choice] = []
    for each in choices:
        found += [each] if isinstance(each, Choice) else [*each]
    for choice in found:
        if not isinstance(choice, Choice):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError("only choices cover things", value=choice, hint="write Choice(...)")
    if not found:
        raise EvidenceError("name at least one choice")
    return found
