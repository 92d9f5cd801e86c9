"""The number of conditions that hold, without a table of all their combinations."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from .features import Condition, Feature, all_hold, any_holds, counted


def count_of(*conditions: Condition | Iterable[Condition]) -> Feature:
    """The number of some conditions that hold: 0, 1, ...

    Conditions on the value of a `Choice`, on the holder of one item, or on whether a holder has it,
    are only counted: there may be hundreds. Others are put together in one table. Where a dozen of
    them make that too large, it can still be asked of worlds that are few enough to be listed.

    Raises:
        EvidenceError: Something else than conditions.

    >>> from sleuth import Choice, Model, count_of, infer
    >>> coins = [Choice(f"coin {number}", ["heads", "tails"]) for number in range(3)]
    >>> infer(Model(*coins)).marginal(count_of(coin.equals("heads") for coin in coins))
    {0: 0.125, 1: 0.375, 2: 0.375, 3: 0.125}
    """
    return counted(_listed(conditions))


def any_of(*conditions: Condition | Iterable[Condition]) -> Condition:
    """The condition that at least one of some holds, as `a | b` says; see `count_of`.

    >>> from sleuth import Choice, Model, any_of, infer
    >>> coins = [Choice(f"coin {number}", ["heads", "tails"]) for number in range(3)]
    >>> infer(Model(*coins)).probability(any_of(coin.equals("heads") for coin in coins))
    0.875
    """
    return any_holds(_listed(conditions))


def all_of(*conditions: Condition | Iterable[Condition]) -> Condition:
    """The condition that all of some hold, as `a & b` says; see `count_of`.

    >>> from sleuth import Choice, Model, all_of, infer
    >>> coins = [Choice(f"coin {number}", ["heads", "tails"]) for number in range(3)]
    >>> infer(Model(*coins)).probability(all_of(coin.equals("heads") for coin in coins))
    0.125
    """
    return all_hold(_listed(conditions))


def _listed(conditions: Iterable[Condition | Iterable[Condition]]) -> Iterator[Condition]:
    for each in conditions:
        if isinstance(each, Iterable):
            yield from each
        else:
            yield each
