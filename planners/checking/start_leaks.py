"""Checks that the start of a game shows no more than the belief knows of: for `check_game`.

A player who sees a start imagines others that look the same. If the belief knows all that can be
seen, then imagined starts are as likely as dealt ones: whatever a viewer sees goes together with
what is hidden in the one as in the other. A field that is filled from the deal, and that the belief
does not read, goes together with it in dealt starts only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...models.game import HIDDEN, SPECTATOR, States

#: States that each viewer imagines in each start.
IMAGINED: Final = 8
#: Numbers with more values than this are put into so many classes of equal size.
CLASSES: Final = 8
#: Starts that must look alike for what is hidden in them to be compared.
FEWEST: Final = 10
#: Something that chance explains as rarely as once in so many checks is taken for a leak.
SAFETY: Final = 1e6
#: Standard errors of a correlation that a game in order never reaches.
MOST_ERRORS: Final = 6.0

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class Leak:
    """Something that is seen at the start and goes together with what is hidden.

    Attributes:
        seen: The place of the number that is seen, among all of a state; None for the whole view.
        hidden: The place of the one that is hidden.
    """

    seen: int | None
    hidden: int


def find_leak(views: Numbers, dealt: Numbers, imagined: Numbers) -> Leak | None:
    """The clearest leak of one viewer's starts, if there is one.

    Args:
        views: int64[n, C], all numbers of the masked starts.
        dealt: int64[n, C], of the true ones.
        imagined: int64[n, W, C], of states that are imagined in each.
    """
    hidden = [place for place in range(views.shape[1]) if np.any(views[:, place] == HIDDEN)]
    shown = list(_shown(views))
    tests = sum(int(classes.max()) + 1 for _, classes in shown) * len(hidden) * CLASSES
    least = np.log(SAFETY * max(tests, 1))
    found: list[tuple[float, Leak]] = []
    for target in hidden:
        one_hot, chances = _values(dealt[:, target], imagined[:, :, target])
        errors = dealt[:, target] - imagined[:, :, target].mean(axis=1)
        for place, classes in shown:
            clear = _clearest(classes, one_hot, chances, imagined.shape[1])
            if place is not None and _deviations(views[:, place], errors) > MOST_ERRORS:
                clear = max(clear, 2 * least)
            if clear > least:
                found.append((clear, Leak(place, target)))
    # The first of the clearest: a number by itself says more than the whole view.
    return max(found, key=lambda each: (each[0], each[1].seen is not None))[1] if found else None


def numbers_of(states: States) -> Numbers:
    """All numbers of each state, int64[n, C]."""
    names = states.dtype.names or ()
    parts = [np.asarray(states[name], dtype=np.int64).reshape(len(states), -1) for name in names]
    return np.concatenate(parts, axis=1)


def field_of(states: States, place: int) -> str:
    """The name of the field that a number belongs to."""
    return number_of(states, place).partition("[")[0]


def number_of(states: States, place: int) -> str:
    """A number of a state as code names it: ``ship``, ``hand[3]``, ``board[1, 2]``."""
    for name in states.dtype.names or ():
        field = np.asarray(states[name][0])
        if place < field.size:
            index = [int(each) for each in np.unravel_index(place, field.shape)]
            return f"{name}{index}" if field.shape else name
        place -= field.size
    raise IndexError(place)


def fields_of(states: States, places: NDArray[np.bool_]) -> tuple[str, ...]:
    """The names of the fields that numbers belong to."""
    found = (field_of(states, place) for place in np.flatnonzero(places).tolist())
    return tuple(dict.fromkeys(found))


def viewers(players: int) -> tuple[int, ...]:
    """Everybody who sees a start."""
    return (*range(players), SPECTATOR)


def _shown(views: Numbers) -> Iterator[tuple[int | None, Numbers]]:
    """The classes of what is seen: each number that is not always the same, and the whole view."""
    for place in range(views.shape[1]):
        values, classes = np.unique(views[:, place], return_inverse=True)
        if len(values) > 1:
            yield place, _in_classes(classes.reshape(-1), len(values))
    _, classes, counts = np.unique(views, axis=0, return_inverse=True, return_counts=True)
    if counts.max() >= FEWEST:
        yield None, classes.reshape(-1)


def _in_classes(ranks: Numbers, count: int) -> Numbers:
    """Numbers of at most a few values as they are, others in classes of about equal size."""
    if count <= 2 * CLASSES:
        return ranks
    edges = np.quantile(ranks, np.arange(1, CLASSES) / CLASSES)
    return np.searchsorted(edges, ranks, side="left")


def _values(dealt: Numbers, imagined: Numbers) -> tuple[NDArray[Any], NDArray[Any]]:
    """For each start and class of a hidden number: whether it is in it, and how often imagined."""
    both = np.concatenate((dealt[:, None], imagined), axis=1)
    values, ranks = np.unique(both, return_inverse=True)
    classes = _in_classes(ranks.reshape(-1), len(values)).reshape(both.shape)
    is_in = classes[:, :, None] == np.unique(classes)
    return is_in[:, 0].astype(float), is_in[:, 1:].mean(axis=1)


def _clearest(
    classes: Numbers, one_hot: NDArray[Any], chances: NDArray[Any], imagined: int
) -> float:
    """Minus the log of the probability that chance alone explains the clearest difference.

    A likelihood ratio of two shares (dealt and imagined, among starts that look alike). A belief
    that is wrong in the same way whatever is seen does not count: that is no leak.
    """
    among = classes[:, None] == np.arange(int(classes.max()) + 1)
    count = among.sum(axis=0).astype(float)[:, None]
    enough = count >= FEWEST
    count = np.maximum(count, 1.0)
    dealt, thought = among.T @ one_hot / count, among.T @ chances / count
    pooled = (dealt + imagined * thought) / (1 + imagined)
    clear = count * (_divergence(dealt, pooled) + imagined * _divergence(thought, pooled))
    always = one_hot.mean(axis=0) - chances.mean(axis=0)
    here = dealt - thought
    leaks = enough & (np.abs(here - always) > np.abs(here) / 2)
    return float(np.max(np.where(leaks, clear, 0.0)))


def _divergence(share: NDArray[Any], of: NDArray[Any]) -> NDArray[Any]:
    """Kullback-Leibler divergence of two chances, in nats."""
    with np.errstate(divide="ignore", invalid="ignore"):
        first = np.where(share > 0, share * np.log(share / of), 0.0)
        second = np.where(share < 1, (1 - share) * np.log((1 - share) / (1 - of)), 0.0)
    return first + second


def _deviations(seen: Numbers, errors: NDArray[Any]) -> float:
    """By how many standard errors what is seen goes with what is not imagined of the hidden."""
    ranks = np.unique(seen, return_inverse=True)[1].reshape(-1).astype(float)
    products = (ranks - ranks.mean()) * (errors - errors.mean())
    spread = float(np.sqrt((products**2).sum()))
    return abs(float(products.sum())) / spread if spread > 0 else 0.0
