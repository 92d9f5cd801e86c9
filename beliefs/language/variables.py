"""The hidden variables: `Deal` and `Choice`; `Walk` has a file of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, TypeVar, cast

import numpy as np

from ...data.checks import listed, whole_number
from ...data.errors import DeclarationError, EvidenceError, nearest
from ..arrays.layout import Floats
from .deal_features import (
    MOST_BITS,
    AllOf,
    Count,
    HolderOf,
    ItemOf,
    OpenCount,
    Single,
    Value,
    Which,
)
from .evidence import Evidence, Merge, Reveal, Split
from .features import Condition, Feature, FeatureLike, Valued, as_feature
from .priors import (
    Rows,
    flat_prior,
    normalised,
    normalised_rows,
    options_of,
    prior_weight,
    read_rows,
    refuse_large,
    refuse_shares,
)

Items = str | Iterable[str]
Contents = Mapping[str, int] | Sequence[str]
#: Most values of a choice: worlds are listed, and so are features' values.
MOST_VALUES: Final = 100_000
#: Most items of a deal, copies counted: each of them is drawn by itself.
MOST_DEALT: Final = 10_000

_VALUES: Final = f"a choice has 1 to {MOST_VALUES:,} values"
_FEWER: Final = "leave out what nobody asks about, or scale all numbers down"
_ITEMS: Final = f"a deal has at most {MOST_DEALT:,} items, copies counted"

_T = TypeVar("_T")


@dataclass(frozen=True, init=False)
class Deal:
    """Items, each with exactly one holder; every holder has a known number of items.

    Args:
        items: Names of distinct items, or a mapping from item to number of identical copies.
        holders: How many items each holder has; must add up to the number of items.
        categories: Named groups of items, for ``counts``.
        counts: For a holder, exactly how many items of a category it has.
        known: Items that are known to be with a holder from the start.
        name: Name of the variable; needed only with several deals in a model.

    Raises:
        DeclarationError: Sizes do not add up, or a name is unknown or given twice.

    >>> from sleuth import Deal, Model, infer
    >>> cards = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
    >>> belief = infer(Model(cards), [cards.holds("me", "king", 2, because="my hand")])
    >>> aces = cards.count("you", "ace")
    >>> {count: round(p, 2) for count, p in belief.marginal(aces).items()}
    {0: 0.17, 1: 0.67, 2: 0.17}
    >>> bet = cards.holds_any("you", "ace", because="you bet")
    >>> belief.observe(bet, cards.lacks("table", "ace", because="turned up")).marginal(aces)
    {2: 1.0}
    """

    items: Mapping[str, int]
    holders: Mapping[str, int]
    categories: Mapping[str, tuple[str, ...]]
    counts: Mapping[str, Mapping[str, int]]
    known: Mapping[str, Mapping[str, int]]
    name: str

    def __init__(
        self,
        items: Mapping[str, int] | Sequence[str],
        *,
        holders: Mapping[str, int],
        categories: Mapping[str, Sequence[str]] | None = None,
        counts: Mapping[str, Mapping[str, int]] | None = None,
        known: Mapping[str, Contents] | None = None,
        name: str = "deal",
    ) -> None:
        where = f"deal {name!r}"
        if not isinstance(name, str) or not name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DeclarationError(
                "a deal is named by a string", value=name, hint="give it a name="
            )
        copies = _tally(items, where=where)
        sizes = _mapping(holders, "holders", '{"me": 3, "you": 3}', where)
        for kind, numbers in (("item", copies), ("holder", sizes)):
            for word, number in numbers.items():
                if not isinstance(word, str) or not word:  # pyright: ignore[reportUnnecessaryIsInstance]
                    raise DeclarationError(
                        f"every {kind} is named by a string", where=where, value=word
                    )
                least = 1 if kind == "item" else 0
                if type(number) is not int or number < least:
                    raise DeclarationError(
                        f"the number for {kind} {word!r} is a whole number of at least {least}",
                        where=where,
                        value=number,
                    )
        if not copies:
            raise DeclarationError("a deal needs items", where=where)
        if len(sizes) < 1 or len(sizes) > 100:
            raise DeclarationError("a deal has 1 to 100 holders", where=where, value=len(sizes))
        total, places = sum(copies.values()), sum(sizes.values())
        if total > MOST_DEALT:
            raise DeclarationError(_ITEMS, where=where, value=total, hint=_FEWER)
        if total != places:
            raise DeclarationError(
                f"sizes do not add up: {total} items, but the holders take {places}",
                where=where,
                hint="give the left-over items a holder of their own, such as 'table'",
            )
        groups = {
            group: tuple(_listed(members, f"{where}, category {group!r}"))
            for group, members in _mapping(
                categories or {}, "categories", '{"suits": ["red", "black"]}', where
            ).items()
        }
        for group, members in groups.items():
            for item in members:
                if not isinstance(item, str) or item not in copies:  # pyright: ignore[reportUnnecessaryIsInstance]
                    raise DeclarationError(
                        f"category {group!r} has an unknown item",
                        where=where,
                        value=item,
                        hint=nearest(item, copies),
                    )
            if len(set(members)) != len(members):
                raise DeclarationError(f"category {group!r} names an item twice", where=where)
        exact: dict[str, dict[str, int]] = {}
        form = '{"me": {"category": 1}}'
        for holder, wanted in _mapping(counts or {}, "counts", form, where).items():
            self._check_declared(holder, sizes, "holder", where)
            exact[holder] = _mapping(wanted, f"counts of {holder!r}", '{"category": 1}', where)
            used: set[str] = set()
            for group, number in wanted.items():
                self._check_declared(group, groups, "category", where)
                if used & set(groups[group]):
                    raise DeclarationError(
                        f"the categories counted for {holder!r} share an item",
                        where=where,
                        value=sorted(used & set(groups[group]))[0],
                    )
                used |= set(groups[group])
                _whole(number, where)
                if not 0 <= number <= sum(copies[item] for item in groups[group]):
                    raise DeclarationError(
                        f"{holder!r} cannot have this many of {group!r}", where=where, value=number
                    )
            counted, rest = sum(wanted.values()), sum(copies.values())
            rest -= sum(copies[item] for item in used)
            if counted > sizes[holder] or sizes[holder] - counted > rest:
                raise DeclarationError(
                    f"the counts of {holder!r} do not fit its size {sizes[holder]}",
                    where=where,
                    value=dict(wanted),
                )
        fixed: dict[str, dict[str, int]] = {}
        form = '{"me": ["ace"]}'
        for holder, contents in _mapping(known or {}, "known", form, where).items():
            self._check_declared(holder, sizes, "holder", where)
            fixed[holder] = _tally(contents, where=where)
            for item, number in fixed[holder].items():
                self._check_declared(item, copies, "item", where)
                _whole(number, where)
            if sum(fixed[holder].values()) > sizes[holder]:
                raise DeclarationError(
                    f"{holder!r} is known to have more than its {sizes[holder]} items", where=where
                )
        for item in copies:
            taken = sum(contents.get(item, 0) for contents in fixed.values())
            if taken > copies[item]:
                raise DeclarationError(
                    "more copies of an item are known than there are", where=where, value=item
                )
        for attribute, value in (
            ("items", copies),
            ("holders", sizes),
            ("categories", groups),
            ("counts", exact),
            ("known", fixed),
            ("name", name),
        ):
            object.__setattr__(self, attribute, value)

    def __hash__(self) -> int:
        return hash((self.name, frozenset(self.items.items()), frozenset(self.holders.items())))

    # -- features

    def count(self, holders: Items, items: Items) -> Count:
        """The number of ``items`` the holders have together; values 0, 1, ...

        Up to the holders' declared sizes, and further where merges have made them larger; up to the
        copies there are for holders that moves make. How large a holder is differs from posterior
        to posterior, so that is looked up when it is asked.

        The name of a category stands for its items, unless an item has that name, too: here, in
        `which`, `all_of`, `holds`, `lacks` and `holds_any`.

        >>> from sleuth import Deal, Model, infer
        >>> suits = {"red": ["r1", "r2"], "blue": ["b1", "b2"]}
        >>> tiles = Deal([*"r1 r2 b1 b2".split()], holders={"me": 2, "bag": 2}, categories=suits)
        >>> belief = infer(Model(tiles), [tiles.holds_any("me", "red")])
        >>> {count: round(p, 2) for count, p in belief.marginal(tiles.count("me", "red")).items()}
        {1: 0.8, 2: 0.2}
        """
        wanted, group = self._several(items), self._group(holders)
        copies = declared = 0
        for item in wanted:
            copies += self.items[item]
        for holder in group:
            size = self.holders.get(holder)
            if size is None:
                return OpenCount(self.name, group, wanted, copies)
            declared += size
        return Count(self.name, group, wanted, min(copies, declared), copies)

    def which(self, holders: Items, items: Items) -> Which:
        """The items of some distinct ones that they have; values are tuples of items.

        Of more than twelve items not all subsets are written down: ask `Posterior.marginal` where
        few are possible, or whether it ``satisfies`` a test.

        >>> from sleuth import Deal
        >>> cards = Deal(["ace", "king", "queen"], holders={"me": 1, "you": 2})
        >>> cards.which("you", ["ace", "king"]).values
        ((), ('ace',), ('king',), ('ace', 'king'))
        """
        wanted = self._several(items)
        if len(wanted) > MOST_BITS:
            raise EvidenceError(
                f"a subset of at most {MOST_BITS} items can be asked for",
                value=len(wanted),
                hint="ask for count(holders, items) instead",
            )
        self._distinct(wanted)
        return Which(self.name, self._group(holders), wanted)

    def holder_of(self, item: str, *, also: Items = ()) -> HolderOf:
        """The holder of a distinct item; values are the holders, also those that moves made.

        Args:
            item: The item.
            also: Holders that moves made. Name them where each holder is given a weight or an
                answer, which is written down at once; a marginal and `among` need no names.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal(["ace", "king", "queen"], holders={"me": 1, "you": 1, "table": 1})
        >>> infer(Model(cards), [cards.holds("me", "ace")]).marginal(cards.holder_of("king"))
        {'you': 0.5, 'table': 0.5}
        >>> belief = infer(Model(cards), cards.split("you", "drawn", 1))
        >>> holder = cards.holder_of("king", also="drawn")
        >>> seen = holder.weigh({"me": 1.0, "you": 1.0, "table": 1.0, "drawn": 2.0})
        >>> round(belief.observe(seen).probability(holder.equals("drawn")), 3)
        0.5
        """
        self._items(item)
        self._distinct((item,))
        named = self._group(also) if also else ()
        made = (holder for holder in named if holder not in self.holders)
        return HolderOf(self.name, item, (*self.holders, *made), len(self.holders))

    def single(self, holder: str, category: str) -> Single:
        """The one item of a category that the holder has, where its declared count is 1.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal(
        ...     ["plum", "green", "rope", "knife"],
        ...     holders={"ann": 2, "case file": 2},
        ...     categories={"suspects": ["plum", "green"]},
        ...     counts={"case file": {"suspects": 1}},
        ... )
        >>> infer(Model(cards)).marginal(cards.single("case file", "suspects"))
        {'plum': 0.5, 'green': 0.5}
        """
        self._group(holder)
        if self.counts.get(holder, {}).get(category) != 1:
            raise EvidenceError(
                f"{holder!r} was not declared to have exactly one of this category",
                value=category,
                hint=f"declare counts={{{holder!r}: {{{category!r}: 1}}}}",
            )
        self._distinct(self.categories[category])
        return Single(self.name, holder, self.categories[category])

    def item_of(self, holder: str) -> ItemOf:
        """The item of a holder that has just one; values are the items, in their order.

        Which card lies in a slot, say. The items may be identical copies.

        >>> from sleuth import Deal, Model, infer
        >>> goals = Deal({"gold": 1, "stone": 2}, holders={"left": 1, "middle": 1, "right": 1})
        >>> infer(Model(goals), [goals.holds("left", "stone")]).marginal(goals.item_of("right"))
        {'gold': 0.5, 'stone': 0.5}
        """
        self._group(holder)
        return ItemOf(self.name, holder, tuple(self.items))

    # -- conditions

    def all_of(self, holder: str, items: Items) -> Condition:
        """The condition that ``holder`` has one item alone, in copies; of a list, or of a category,
        all of it.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal({"ace": 2, "king": 2}, holders={"me": 2, "you": 2})
        >>> round(infer(Model(cards)).probability(cards.all_of("you", "king")), 3)
        0.167
        """
        wanted = self._several(items)
        if isinstance(items, str) and items in self.items:
            self._group(holder)
            return AllOf(self.name, holder, items, self.items[items]).equals(True)
        total = sum(self.items[item] for item in wanted)
        return self.count(holder, wanted).satisfies(lambda value: value == total)

    # -- evidence

    def holds(self, holders: Items, items: Items, n: int | None = None, **notes: Any) -> Evidence:
        """They have all of ``items``; with ``n``, at least n of one item, or of a category."""
        feature = self.count(holders, items)
        if n is None:
            n = len(feature.items)
            if n > 1 and any(self.items[item] > 1 for item in feature.items):
                raise EvidenceError(
                    "say how many copies: one call per item, holds(holder, item, n)", value=items
                )
        most = max(feature.total, feature.reach)
        if not 1 <= n <= most:
            raise EvidenceError(
                f"they can have at most {most} of these, so n is 1 to {most}", value=n
            )
        return _at_least(feature, n, **notes)

    def lacks(self, holders: Items, items: Items, **notes: Any) -> Evidence:
        """They have none of ``items``."""
        feature = self.count(holders, items)
        nothing = _from_to(feature.size, 0, 1)
        return Evidence(feature, nothing, **notes, beyond=_further(feature, 0), checked=True)

    def holds_any(self, holders: Items, items: Items, **notes: Any) -> Evidence:
        """They have at least one of ``items``."""
        return _at_least(self.count(holders, items), 1, **notes)

    # -- moves

    def split(self, source: str, new_holder: str, n: int) -> Split:
        """``n`` unseen items leave ``source`` and form ``new_holder``.

        The name may be one that a merge has set free. Cards that are drawn, played and swapped are
        on the page docs/beliefs/changing-hands.md.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal({"ace": 2, "king": 2}, holders={"you": 3, "table": 1})
        >>> belief = infer(Model(cards), [cards.split("you", "claim 1", 1)])
        >>> belief.marginal(cards.count("claim 1", "ace"))
        {0: 0.5, 1: 0.5}
        """
        self._group(source)
        if not isinstance(new_holder, str) or new_holder in self.holders or not new_holder:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError("a new holder needs a new name", value=new_holder)
        n = whole_number(n, "the number of items of a split", least=0, error=EvidenceError)
        if n < 1:
            raise EvidenceError("a split takes at least one item", value=n)
        return Split(self.name, source, new_holder, n)

    def merge(self, holders: Sequence[str], into: str) -> Merge:
        """The holders become one, called ``into``; see docs/beliefs/changing-hands.md.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal({"ace": 2, "king": 2}, holders={"me": 2, "you": 1, "table": 1})
        >>> taken = [cards.holds("me", "ace"), cards.merge(["me", "table"], "me")]
        >>> belief = infer(Model(cards), taken)
        >>> {n: round(p, 2) for n, p in belief.marginal(cards.count("me", "ace")).items()}
        {1: 0.4, 2: 0.6}
        """
        self._group(holders)
        if not isinstance(into, str) or not into:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError("a holder is named by a string", value=into)
        return Merge(self.name, tuple(holders), into)

    def reveal(self, holder: str, contents: Contents, **notes: Any) -> Reveal:
        """Everybody sees all items of ``holder``: a list, or a mapping from item to copies.

        >>> from sleuth import Deal, Model, infer
        >>> cards = Deal({"ace": 2, "king": 2}, holders={"you": 2, "table": 2})
        >>> shown = cards.reveal("table", ["ace", "king"], because="turned up")
        >>> infer(Model(cards), [shown]).marginal(cards.count("you", "ace"))
        {1: 1.0}
        """
        self._group(holder)
        tally = _tally(contents, where=f"reveal of {holder!r}")
        if tally:  # an empty hand shows nothing
            self._items(tuple(tally))
        return Reveal(self.name, holder, tally, **notes)

    # -- checks

    @staticmethod
    def _check_declared(word: str, known: Iterable[str], kind: str, where: str) -> None:
        words = list(known)
        if not isinstance(word, str) or word not in words:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DeclarationError(
                f"unknown {kind}", where=where, value=word, hint=nearest(word, words)
            )

    def _items(self, items: Items) -> tuple[str, ...]:
        return self._known(_named(items, "item"), self.items)

    def _several(self, items: Items) -> tuple[str, ...]:
        """Items, by their names or those of categories."""
        wanted = _named(items, "item")
        if any(item not in self.items and item in self.categories for item in wanted):
            groups = [
                (item,) if item in self.items else self.categories.get(item, (item,))
                for item in wanted
            ]
            wanted = tuple(item for group in groups for item in group)
        return self._known(wanted, (*self.items, *self.categories))

    def _known(self, wanted: tuple[str, ...], known: Iterable[str]) -> tuple[str, ...]:
        for item in wanted:
            if item not in self.items:
                raise EvidenceError("unknown item", value=item, hint=nearest(item, known))
        if len(set(wanted)) != len(wanted):
            raise EvidenceError("an item is named twice", value=wanted)
        return wanted

    def _group(self, holders: Items) -> tuple[str, ...]:
        """Different holders; whether moves make those that are not declared is seen when asked."""
        wanted = _named(holders, "holder")
        if len(set(wanted)) != len(wanted):
            raise EvidenceError("a holder is named twice", value=wanted)
        return wanted

    def _distinct(self, items: Iterable[str]) -> None:
        for item in items:
            if self.items[item] != 1:
                raise EvidenceError(
                    f"there are {self.items[item]} identical copies of {item!r}",
                    hint="ask for count(holder, item)",
                )


def _at_least(feature: Count, n: int, **notes: Any) -> Evidence:
    table = _from_to(feature.size, n, feature.size)
    return Evidence(feature, table, **notes, beyond=_further(feature, n), checked=True)


def _further(feature: Count, n: int) -> tuple[float, ...]:
    """Weight 1 for values from ``n`` on that larger holders may come to have; of 0, for none."""
    return _weights_beyond(feature.total, feature.reach, n) if feature.reach > feature.total else ()


@lru_cache(maxsize=1024)
def _weights_beyond(total: int, reach: int, n: int) -> tuple[float, ...]:
    return tuple(float(0 < n <= value) for value in range(total + 1, reach + 1))


@lru_cache(maxsize=1024)
def _from_to(size: int, first: int, last: int) -> Floats:
    """Weight 1 from a value to before another, and 0 elsewhere; nobody can write to it."""
    table = np.zeros(size)
    table[first:last] = 1.0
    table.setflags(write=False)
    return table


@dataclass(frozen=True, init=False, eq=False, repr=False)
class Choice(Valued):
    """One of finitely many values; it stands for the feature `value()` wherever one is wanted.

    Args:
        name: Name of the variable.
        options: Its values in order, any iterable of them but a set, which has none; or a
            mapping from value to prior weight. With ``given``, such a list
            or mapping for every value of that feature, as a mapping or a function of the value;
            what a row leaves out is impossible there. Weights are divided by their sum.
        given: A feature of other variables that the prior depends on, as they are at the start.

    Attributes:
        table: Probability of every value, shape (1, values); with ``given``, one row of them for
            each of its values, in their order, shape (values of ``given``, values).

    Raises:
        DeclarationError: A value is given twice, a row is missing, or a weight is none.

    >>> from sleuth import Choice, Model, infer
    >>> die = Choice("die", range(1, 9))
    >>> belief = infer(Model(die), [die.at_least(5).observed(because="more than four")])
    >>> belief.probability(die.equals(8)), belief.probability(die.among([5, 6, 7]))
    (0.25, 0.75)
    >>> even = die.satisfies(lambda number: number % 2 == 0)
    >>> belief.observe(even.observed()).marginal(die.value())
    {6: 0.5, 8: 0.5}
    >>> belief.observe(die.between(3, 6).observed()).marginal(die)
    {5: 0.5, 6: 0.5}
    >>> loaded = die.weigh(lambda number: 3.0 if number == 8 else 1.0, because="it feels loaded")
    >>> belief.observe(loaded).probability(die.equals(8))
    0.5
    >>> die.describe(), die.values, die.value_count
    ('value(die)', (1, 2, 3, 4, 5, 6, 7, 8), 8)
    """

    name: str
    options: tuple[Any, ...]
    table: Floats
    given: Feature | None = None

    def __init__(
        self,
        name: str,
        options: Mapping[Any, float] | Iterable[Any] | Rows,
        *,
        given: FeatureLike | None = None,
    ) -> None:
        where = f"choice {name!r}"
        if not isinstance(name, str) or not name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DeclarationError("a choice needs a name", where=where, value=name)
        rows: list[dict[Any, Any]] = []
        if given is not None:
            given = as_feature(given)
            rows = read_rows(cast("Rows", options), given, where)
            found = options_of(rows)
            refuse_large(len(found), len(rows), where)
            options = cast("Any", found)
        values = _options(cast("Iterable[Any]", options), where)
        if given is not None:
            prior = flat_prior(rows, values, where)
        elif isinstance(options, Mapping):
            weights = [prior_weight(value, options[value], where) for value in values]
            prior = normalised(weights, where)
        else:
            refuse_shares(values, where)
            prior = normalised([1.0] * len(values), where)
        self._declare(name, values, np.array(prior).reshape(-1, len(values)), given)

    def _declare(
        self, name: str, options: tuple[Any, ...], table: Floats, given: Feature | None
    ) -> None:
        table.setflags(write=False)
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "options", options)
        object.__setattr__(self, "table", table)
        object.__setattr__(self, "given", given)

    @cached_property
    def prior(self) -> tuple[float, ...]:
        """Probability of every value; with ``given``, one row of them after the other.

        >>> from sleuth import Choice
        >>> Choice("die", [1, 2, 3, 4]).prior
        (0.25, 0.25, 0.25, 0.25)
        """
        return tuple(self.table.ravel().tolist())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Choice) and (
            (self.name, self.options, self.given) == (other.name, other.options, other.given)
            and np.array_equal(self.table, other.table)
        )

    def __hash__(self) -> int:
        return hash((self.name, self.options, self.given))

    def __repr__(self) -> str:
        fields = {"name": self.name, "options": self.options, "prior": self.prior}
        words = ", ".join(f"{name}={value!r}" for name, value in fields.items())
        return f"Choice({words}, given={self.given!r})"

    def value(self) -> Value:
        """The feature: which value it has."""
        return Value(self.name, self.options)


def choice_of(
    name: str, options: Sequence[Any], weights: Floats, given: Feature | None = None
) -> Choice:
    """A choice whose prior is an array; of any size, and nothing goes through it row by row.

    Args:
        name: As for `Choice`.
        options: Its values, in order.
        weights: As `Choice.table`, but that a row may have any sum; also without its rows' axis.
        given: A feature of other variables that the prior depends on.

    Raises:
        DeclarationError: A value is given twice, or a weight is none.
    """
    where = f"choice {name!r}"
    values = _options(options, where)
    shape = 1 if given is None else given.value_count, len(values)
    made = object.__new__(Choice)
    made._declare(name, values, normalised_rows(weights.reshape(shape), where), given)  # pyright: ignore[reportPrivateUsage]
    return made


def _options(options: Iterable[Any], where: str) -> tuple[Any, ...]:
    """The values of a choice, if they can be."""
    values = tuple(
        _listed(
            options,
            where,
            MOST_VALUES,
            _VALUES,
            "split what is hidden into several choices, such as one for each letter",
        )
    )
    for value in values:
        try:
            hash(value)
        except TypeError:
            raise DeclarationError(
                "a value must be hashable", where=where, value=value, hint="write a tuple"
            ) from None
    if not values:
        raise DeclarationError(_VALUES, where=where, value=0)
    if len(set(values)) != len(values):
        twice = next(value for value, times in Counter(values).items() if times > 1)
        raise DeclarationError("a value is given twice", where=where, value=twice)
    return values


def _whole(number: object, where: str) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or number < 0:
        raise DeclarationError("a number of items is a whole number", where=where, value=number)


def _mapping(given: Mapping[str, _T], what: str, form: str, where: str) -> dict[str, _T]:
    if not isinstance(given, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise DeclarationError(
            f"{what} must be a mapping", where=where, value=given, hint=f"write {form}"
        )
    return dict(given)


def _named(names: Items, kind: str) -> tuple[str, ...]:
    """One name, or several; a set's are sorted, since its own order is undefined."""
    if isinstance(names, str):
        return (names,)
    if not isinstance(names, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EvidenceError(f"every {kind} is named by a string", value=names)
    ordered = sorted(names, key=str) if isinstance(names, Set) else names
    words = f"a deal has at most {MOST_DEALT:,} {kind}s"
    wanted = tuple(listed(ordered, MOST_DEALT, words, error=EvidenceError))
    if not wanted:
        raise EvidenceError(f"name at least one {kind}")
    for name in wanted:
        if not isinstance(name, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise EvidenceError(f"every {kind} is named by a string", value=name)
    return wanted


def _listed(
    values: Iterable[_T],
    where: str,
    most: int = MOST_DEALT,
    message: str = _ITEMS,
    hint: str = _FEWER,
) -> list[_T]:
    """Values in an order that is theirs, if there are no more than ``most``."""
    if isinstance(values, (set, frozenset)):
        raise DeclarationError(
            "a set has no order of its own, so answers could not be repeated",
            where=where,
            value=values,
            hint="write a list, or sorted(...) of the set",
        )
    if isinstance(values, str) or not isinstance(values, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise DeclarationError("give a list of names", where=where, value=values)
    return listed(values, most, message, error=DeclarationError, where=where, hint=hint)


def _tally(contents: Contents, *, where: str) -> dict[str, int]:
    if isinstance(contents, Mapping):
        return dict(contents)
    result: dict[str, int] = {}
    for item in _listed(contents, where):
        if not isinstance(item, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise DeclarationError("every item is named by a string", where=where, value=item)
        if item in result:
            raise DeclarationError(
                "an item is named twice",
                where=where,
                value=item,
                hint="for identical copies write a mapping, {item: copies}",
            )
        result[item] = 1
    return result
