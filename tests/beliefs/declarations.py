"""Random declarations of all kinds: as code that a reader can run, and with all worlds listed.

Each thing is written twice: as code of the package, which is run, and as what it means in a world
(`listing`). Whatever the generator may use is chosen from a seed alone.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import sleuth

from .by_hand import deals
from .listing import Listing, Meaning, World, product, taken

#: Most worlds of what hangs together, and of what is asked of several parts.
MOST_WORLDS = 1_200
MOST_ASKED = 6_000
#: Most values of a feature that is weighed or asked.
MOST_VALUES = 400
MOST_INDICES = 20_000

#: Names that the code of a declaration uses.
NAMES = (
    *("Choice", "Deal", "Model", "Question", "Walk"),
    *("all_of", "any_of", "count_of", "disjoint", "exact_cover", "infer"),
)


@dataclass(frozen=True)
class Reading:
    """A feature, and what it means.

    Attributes:
        code: Makes the feature.
        feature: The feature.
        value: Its value in a world.
        about: The variables that decide it.
    """

    code: str
    feature: Any
    value: Meaning
    about: frozenset[str]

    @property
    def values(self) -> tuple[Any, ...]:
        """Its values, also those that it has once cards were merged into a holder."""
        return (*self.feature.values, *self.feature.further)


@dataclass(frozen=True)
class Sight:
    """Something observed.

    Attributes:
        code: Makes the observation.
        given: The observation.
        happen: Does to a listing what the observation means.
        about: The variables that it is about.
        stays: Whether others go on from it, so that it cannot be retracted.
    """

    code: str
    given: Any
    happen: Callable[[Listing], None]
    about: frozenset[str]
    stays: bool = False


@dataclass
class Declaration:
    """A random declaration, what was observed, and what can be asked afterwards.

    Attributes:
        seed: What it was made from.
        lines: The code of its variables.
        variables: The variables.
        begin: For each variable, what its declaration means to a listing.
        sights: What was observed, in order.
        listing: All worlds, after that.
        readings: What can be asked.
    """

    seed: int
    lines: list[str] = field(default_factory=list[str])
    variables: list[Any] = field(default_factory=list[Any])
    begin: list[Callable[[Listing], None]] = field(default_factory=list[Callable[[Listing], None]])
    sights: list[Sight] = field(default_factory=list[Sight])
    listing: Listing = field(default_factory=lambda: Listing())
    readings: list[Reading] = field(default_factory=list[Reading])

    @property
    def model(self) -> sleuth.Model:
        return sleuth.Model(*self.variables)

    @property
    def names(self) -> list[str]:
        return [variable.name for variable in self.variables]

    @property
    def given(self) -> list[Any]:
        return [sight.given for sight in self.sights]

    def listed(self, sights: Iterable[Sight]) -> Listing:
        """All worlds after other observations."""
        listing = Listing()
        for begin in self.begin:
            begin(listing)
        for sight in sights:
            if not listing.possible:
                break
            sight.happen(listing)
        return listing

    def code(self, sights: Iterable[Sight] | None = None) -> str:
        """A program that makes it."""
        names = ", ".join(self.names)
        said = "".join(f"    {sight.code},\n" for sight in sights or self.sights)
        return "\n".join(
            [
                f"from sleuth import {', '.join(NAMES)}, together",
                "",
                *self.lines,
                f"given = [\n{said}]",
                f"belief = infer(Model({names}), given)",
            ]
        )


@dataclass
class Maker:
    """Makes a declaration.

    Attributes:
        rng: Source of all randomness.
        strong: Whether weights are such that products of them leave the floats.
        moves: Whether cards may change their holders.
        narrow: Whether all is about copies of one item in one place, as claims in Cheat are.
        turns: Whether cards are drawn and played in turns.
        made: What there is so far.
        holders: Present holders of each deal, with their sizes.
        steps: Steps that each walk has taken.
        moved: Deals of which holders have changed.
    """

    rng: random.Random
    strong: bool
    moves: bool
    narrow: bool
    turns: bool
    made: Declaration
    holders: dict[str, dict[str, int]] = field(default_factory=dict[str, dict[str, int]])
    steps: dict[str, int] = field(default_factory=dict[str, int])
    moved: set[str] = field(default_factory=set[str])
    names: dict[str, Any] = field(
        default_factory=lambda: {name: getattr(sleuth, name) for name in (*NAMES, "together")}
    )

    # -- numbers

    def some(self, values: Sequence[Any], *, most: int | None = None) -> list[Any]:
        """A few of some values, at least one, in their order."""
        number = self.rng.randint(1, min(len(values), most or len(values)))
        kept = set(self.rng.sample(range(len(values)), number))
        return [value for place, value in enumerate(values) if place in kept]

    def weight(self) -> float:
        if self.strong:
            return 10.0 ** -self.rng.uniform(0.0, 60.0)
        return self.rng.choice([1e-6, 0.1, 1.0 / 3.0, 0.5, 1.0, 1.0, 2.0, 7.25])

    def table(self, values: Sequence[Any], *, zeros: float = 0.0) -> dict[Any, float]:
        """A weight for each value, not all of them 0."""
        weights = [0.0 if self.rng.random() < zeros else self.weight() for _ in values]
        if not any(weights):
            weights[self.rng.randrange(len(weights))] = self.weight()
        return dict(zip(values, weights, strict=True))

    def shares(self, values: Sequence[Any], *, zeros: float = 0.0) -> dict[Any, float]:
        """Weights that add up to one."""
        table = self.table(values, zeros=zeros)
        total = math.fsum(table.values())
        return {value: weight / total for value, weight in table.items()}

    # -- variables

    def variable(self, name: str, code: str, begin: Callable[[Listing], None]) -> Any:
        """Declare a variable, as code and in the listing."""
        made = eval(code, self.names)  # code that was made here
        self.names[name] = made
        self.made.lines.append(f"{name} = {code}")
        self.made.variables.append(made)
        self.made.begin.append(begin)
        begin(self.made.listing)
        return made

    def options(self) -> list[Any]:
        """Values of a choice: of several kinds, one alone, or many."""
        number = self.rng.choice([1, 2, 2, 2, 3, 3, 4])
        if self.rng.random() < 0.05:
            return [*range(self.rng.randint(20, 150))]
        kinds: list[Sequence[Any]] = ["abcd", range(-1, 3), [True, False], [(0, "x"), (1, "y"), ()]]
        return [*self.rng.choice(kinds)][:number]

    def choice(self, name: str) -> None:
        """A choice, with a prior of its own or one that depends on what is there already."""
        options = self.options()
        if self.made.variables and len(options) < 5 and self.rng.random() < 0.6:
            given = self.reading(most=MOST_WORLDS // len(options), values=40)
            if given is not None:
                return self.dependent(name, options, given)
        prior = dict.fromkeys(options, 1.0 / len(options))
        code = f"Choice({name!r}, {options!r})"
        if self.rng.random() < 0.6:
            weights = self.table(options, zeros=0.15)
            code = f"Choice({name!r}, {weights!r})"
            total = math.fsum(weights.values())
            prior = {option: weight / total for option, weight in weights.items()}
        self.variable(
            name, code, lambda listing: listing.spread(name, lambda world: prior.items(), ())
        )
        return None

    def dependent(self, name: str, options: list[Any], given: Reading) -> None:
        """A choice that depends on a feature, in one of three ways."""
        rows: dict[Any, Any] = {}
        shares: dict[Any, dict[Any, float]] = {}
        kind = self.rng.choice(["any", "any", "certain", "list"])
        for value in given.feature.values:
            if kind == "certain":
                option = self.rng.choice(options)
                rows[value], shares[value] = {option: 1.0}, {option: 1.0}
            elif kind == "list":
                several = self.some(options)
                rows[value] = several
                shares[value] = dict.fromkeys(several, 1.0 / len(several))
            else:
                rows[value] = self.table(options, zeros=0.2)
                total = math.fsum(rows[value].values())
                shares[value] = {option: weight / total for option, weight in rows[value].items()}
        self.variable(
            name,
            f"Choice({name!r}, {rows!r}, given={given.code})",
            lambda listing: listing.spread(
                name, lambda world: shares[given.value(world)].items(), given.about
            ),
        )

    def board(self, number: int) -> None:
        """Two or three pieces in a row of squares, of which no two lie on one."""
        rng = self.rng
        squares = [f"{number}{letter}" for letter in "abcdef"[: rng.randint(3, 6)]]
        pieces: list[str] = []
        for place in range(rng.choice([2, 2, 3])):
            name, length = f"piece_{number}_{place}", rng.randint(1, 2)
            starts = range(len(squares) - length + 1)
            options: list[Any] = [tuple(squares[at : at + length]) for at in starts]
            options += [()] if rng.random() < 0.3 else []
            prior = self.table(options) if rng.random() < 0.3 else dict.fromkeys(options, 1.0)
            total = math.fsum(prior.values())
            shares = {option: weight / total for option, weight in prior.items()}
            self.variable(
                name,
                f"Choice({name!r}, {prior!r})",
                lambda listing, name=name, shares=shares: listing.spread(
                    name, lambda world: shares.items(), ()
                ),
            )
            pieces.append(name)
        self.cover(pieces)

    def cover(self, pieces: Sequence[str]) -> None:
        """Say that pieces exclude each other, or which squares just one of them covers."""
        # In the order in which they are named, as the functions of the package have them.
        by: Counter[str] = Counter()
        for name in pieces:
            for square in dict.fromkeys(
                square for option in self.names[name].options for square in option
            ):
                by[square] += 1
        world = self.rng.choice(product(self.made.listing.touched(pieces)).worlds)
        true = Counter(square for name in pieces for square in world[name])
        if self.rng.random() < 0.6:
            wanted, allowed = [square for square in by if by[square] > 1], (0, 1)
            code = f"disjoint({', '.join(pieces)})"
        else:
            wanted, allowed = [square for square in by if true[square] == 1], (1,)
            code = f"exact_cover({', '.join(pieces)}, things={wanted!r})"
        for place, square in enumerate(wanted):

            def covered(world: World, square: str = square) -> int:
                return sum(square in world[name] for name in pieces)

            of = Reading("", None, covered, frozenset(pieces))
            table = {count: float(count in allowed) for count in range(len(pieces) + 1)}
            sight = self.weighing(f"{code}[{place}]", of, table)
            self.made.sights.append(sight)
            sight.happen(self.made.listing)
            if not self.made.listing.possible:
                return

    def walk(self, name: str) -> None:
        """A walk on a few positions, which is somewhere at its start."""
        positions = [*"pqrs"][: self.rng.randint(1, 4)]
        start = self.shares(positions, zeros=0.2)
        code = f"Walk({name!r}, {positions!r}, {start!r})"
        if self.rng.random() < 0.3:
            start = dict.fromkeys(positions, 1.0 / len(positions))
            code = f"Walk({name!r}, {positions!r})"
        ways = [((place,), share) for place, share in start.items()]
        self.variable(name, code, lambda listing: listing.spread(name, lambda world: ways, ()))
        self.steps[name] = 0

    def deal(self, name: str) -> None:
        """A deal, distinct or with copies, sometimes with counts and known items."""
        if self.turns:
            return self.deck(name)
        rng = self.rng
        items = dict.fromkeys("abcdefg"[: rng.randint(2, 6)], 1)
        if self.narrow or rng.random() < 0.5:
            items = {item: rng.randint(1, 3) for item in "abc"[: rng.randint(1, 3)]}
        cards = [item for item, copies in items.items() for _ in range(copies)][:6]
        items = dict(Counter(cards))
        holders = ["me", "you", "table", "deck"][: rng.randint(1, 4)]
        # A real deal is drawn first, so that counts and known items fit it.
        who = [rng.choice(holders) for _ in cards]
        sizes = {holder: who.count(holder) for holder in holders}
        more = ""
        if rng.random() < 0.3 and len(items) > 1 and not self.narrow:
            groups = {"low": [*items][:-1], "high": [*items][-1:]}
            holder = rng.choice(holders)
            counts = {
                group: sum(
                    where == holder and card in groups[group]
                    for card, where in zip(cards, who, strict=True)
                )
                for group in self.some(["low", "high"])
            }
            more += f", categories={groups!r}, counts={{{holder!r}: {counts!r}}}"
        if rng.random() < 0.3:
            card = rng.randrange(len(cards))
            more += f", known={{{who[card]!r}: {{{cards[card]!r}: 1}}}}"
        self.dealt(name, f"Deal({items!r}, holders={sizes!r}{more}, name={name!r})", sizes)
        return None

    def deck(self, name: str) -> None:
        """A deal of a game in which cards are drawn, kept and played."""
        items = {item: self.rng.randint(1, 3) for item in "abc"}
        sizes = {"you": 1, "out": 0, "deck": sum(items.values()) - 1}
        self.dealt(name, f"Deal({items!r}, holders={sizes!r}, name={name!r})", sizes)

    def dealt(self, name: str, code: str, sizes: dict[str, int]) -> None:
        """Declare a deal, with all ways to deal its cards."""
        dealt = Counter(tuple(sorted(held)) for held in deals(eval(code, self.names)))
        self.holders[name] = sizes
        self.variable(
            name,
            code,
            lambda listing: listing.spread(
                name, lambda world: dealt.items(), (), divisor=sum(dealt.values())
            ),
        )

    # -- features

    def made_of(self, code: str, value: Meaning, about: Iterable[str]) -> Reading:
        feature = eval(code, self.names)
        return Reading(code, feature, value, frozenset(about))

    def plain(self) -> Reading:
        """A feature of one variable."""
        name = str(self.rng.choice(self.made.variables).name)
        if name in self.holders:
            return self.of_deal(name)
        if name in self.steps:
            step = self.rng.randint(0, self.steps[name])
            if step == self.steps[name] and self.rng.random() < 0.7:
                return self.made_of(f"{name}.at()", lambda world: world[name][-1], [name])
            return self.made_of(f"{name}.at(step={step})", lambda world: world[name][step], [name])
        return self.made_of(f"{name}.value()", lambda world: world[name], [name])

    def of_deal(self, name: str) -> Reading:
        """A feature of a deal."""
        deal, rng = self.names[name], self.rng
        present = [*self.holders[name]]
        distinct = [item for item, copies in deal.items.items() if copies == 1]
        kinds = ["count", "count", "count", "all_of"]
        kinds += ["which", "holder_of"] if distinct else []
        alone = [holder for holder, size in self.holders[name].items() if size == 1]
        kinds += ["item_of"] if alone else []
        single = [
            (holder, group)
            for holder, wanted in deal.counts.items()
            for group, number in wanted.items()
            if number == 1 and name not in self.moved and set(deal.categories[group]) <= {*distinct}
        ]
        kinds += ["single"] if single else []
        kind = rng.choice(kinds[2:4] if self.narrow else kinds)
        if kind == "count":
            most = 1 if self.narrow else None
            who, what = self.some(present, most=most), self.some([*deal.items], most=most)

            def value(world: World) -> Any:
                return sum(item in what and holder in who for item, holder in world[name])

            return self.made_of(f"{name}.count({who!r}, {what!r})", value, [name])
        if kind == "which":
            who, what = self.some(present), self.some(distinct, most=4)

            def value(world: World) -> Any:
                held = dict(world[name])
                return tuple(item for item in what if held[item] in who)

            return self.made_of(f"{name}.which({who!r}, {what!r})", value, [name])
        if kind == "all_of":
            holder, card = rng.choice(present), rng.choice([*deal.items])

            def value(world: World) -> Any:
                return all(item == card for item, who in world[name] if who == holder)

            return self.made_of(f"{name}.all_of({holder!r}, {card!r})", value, [name])
        if kind == "holder_of":
            card = rng.choice(distinct)
            also = [holder for holder in present if holder not in deal.holders]
            more = f", also={also!r}" if also else ""
            return self.made_of(
                f"{name}.holder_of({card!r}{more})", lambda world: dict(world[name])[card], [name]
            )
        if kind == "item_of":
            holder = rng.choice(alone)
            return self.made_of(
                f"{name}.item_of({holder!r})",
                lambda world: next(item for item, who in world[name] if who == holder),
                [name],
            )
        holder, group = rng.choice(single)
        within = deal.categories[group]
        return self.made_of(
            f"{name}.single({holder!r}, {group!r})",
            lambda world: next(i for i, who in world[name] if who == holder and i in within),
            [name],
        )

    def condition(self, depth: int = 0) -> Reading:
        """A condition: on a feature, on a tuple, on a count, or made of others."""
        rng = self.rng
        kind = rng.choice(["plain"] * 5 + ["not", "and", "or", "all", "any", "made", "of"])
        if kind == "plain" or depth > 1 or self.narrow:
            return self.among(self.plain())
        if kind == "made":
            return self.among(self.feature(depth + 1))
        if kind == "not":
            one = self.condition(depth + 1)
            return self.made_of(f"~({one.code})", lambda world: not one.value(world), one.about)
        if kind == "of":  # a condition that a condition holds, or fails
            one, wanted = self.condition(depth + 1), rng.random() < 0.5
            return self.made_of(
                f"({one.code}).equals({wanted})",
                lambda world: one.value(world) is wanted,
                one.about,
            )
        several = [self.condition(depth + 1) for _ in range(rng.randint(2, 3))]
        about = frozenset[str]().union(*(each.about for each in several))
        codes = [each.code for each in several]
        if kind in ("and", "all"):
            code = " & ".join(f"({one})" for one in codes)
            if kind == "all":
                code = f"all_of({', '.join(codes)})"
            return self.made_of(
                f"({code})", lambda world: all(one.value(world) for one in several), about
            )
        code = " | ".join(f"({one})" for one in codes)
        if kind == "any":
            code = f"any_of({', '.join(codes)})"
        return self.made_of(
            f"({code})", lambda world: any(one.value(world) for one in several), about
        )

    def among(self, of: Reading) -> Reading:
        """The condition that a feature has one of some values, said in one of several ways."""
        values = of.values
        kept = self.some(values)
        numbers = all(type(value) is int for value in values)
        if numbers and self.rng.random() < 0.3:
            low, high = min(kept), max(kept)
            return self.made_of(
                f"({of.code}).between({low}, {high})",
                lambda world: low <= of.value(world) <= high,
                of.about,
            )
        code = f"({of.code}).among({kept!r})"
        if self.rng.random() < 0.2:
            code = f"({of.code}).satisfies(lambda value: value in {kept!r})"
        return self.made_of(code, lambda world: of.value(world) in kept, of.about)

    def feature(self, depth: int = 0) -> Reading:
        """A feature of any kind."""
        kind = self.rng.choice(["plain", "plain", "plain", "condition", "tuple", "count"])
        if kind == "plain" or depth > 1 or self.narrow:
            return self.plain()
        if kind == "condition":
            return self.condition(depth + 1)
        if kind == "tuple":
            several = [self.feature(depth + 1) for _ in range(self.rng.randint(2, 3))]
        else:
            several = [self.condition(depth + 1) for _ in range(self.rng.randint(1, 4))]
        about = frozenset[str]().union(*(each.about for each in several))
        codes = ", ".join(each.code for each in several)
        if kind == "tuple":
            return self.made_of(
                f"together({codes})",
                lambda world: tuple(one.value(world) for one in several),
                about,
            )
        return self.made_of(
            f"count_of([{codes}])", lambda world: sum(one.value(world) for one in several), about
        )

    def reading(
        self,
        kind: Callable[[], Reading] | None = None,
        *,
        most: int = MOST_WORLDS,
        values: int = MOST_VALUES,
    ) -> Reading | None:
        """A feature whose worlds and values are few enough to be listed; None if none is found."""
        for _ in range(6):
            found = (kind or self.feature)()
            if self.made.listing.size(found.about) > most or found.feature.large:
                continue
            if found.feature.value_count <= values and found.feature.base.size <= MOST_INDICES:
                return found
        return None

    # -- observations

    def sight(self) -> Sight | None:
        """Something to observe; None if nothing of the kind can be."""
        kinds: list[Callable[[], Sight | None]] = [
            self.weighed,
            self.weighed,
            self.fact,
            self.fact,
            self.heard,
            self.predicted,
            self.answered,
        ]
        if self.holders:
            kinds += [] if self.narrow else [self.held]
            if self.moves:
                kinds += [self.split, self.split, self.merge, self.reveal] * 2
        if self.steps:
            kinds += [self.step, self.step]
        return self.rng.choice(kinds)()

    def weighing(self, code: str, of: Reading, table: Mapping[Any, float], **more: Any) -> Sight:
        """Evidence with a weight for each value of a feature."""
        given = eval(code, self.names)
        kept = dict(table)
        return Sight(
            code, given, lambda listing: listing.weigh(of.value, of.about, kept), of.about, **more
        )

    def weighed(self) -> Sight | None:
        """Soft evidence, with exact zeros or a floor, trusted more or less."""
        of = self.reading()
        if of is None:
            return None
        kind = self.rng.choice(["exact", "exact", "floor", "trust"])
        table = self.table(of.values, zeros=0.0 if kind == "trust" else 0.2)
        value = self.true(of)
        if of.feature.further and not table[value]:
            table[value] = self.weight()  # what cannot be true as holders are now is refused
        said: str = repr(table)
        if of.feature.further:
            said += ".__getitem__"  # a function is asked for them, a mapping is of those of now
        elif self.rng.random() < 0.3:
            said = repr([*table.values()])
        more = "exact=True"
        if kind == "floor":
            more = "floor=0.01"
            table = {value: max(weight, 0.01) for value, weight in table.items()}
        elif kind == "trust":
            more = "trust=0.25"
            table = {value: weight**0.25 for value, weight in table.items()}
        return self.weighing(f"({of.code}).weigh({said}, {more})", of, table)

    def true(self, of: Reading) -> Any:
        """The value that a feature has in some world that is possible."""
        world: World = {}
        for part in self.made.listing.touched(of.about):
            world |= self.rng.choice(part.worlds)
        return of.value(world)

    def fact(self) -> Sight | None:
        """That a condition holds, which is mostly possible."""
        of = self.reading()
        if of is None:
            return None
        values = self.some(of.values)
        value = self.true(of)
        open_ = len(of.values) == 2 or bool(of.feature.further)
        if value not in values and (open_ or self.rng.random() < 0.9):
            values.append(value)
        code = f"({of.code}).among({values!r})"
        if self.rng.random() < 0.7:
            code += ".observed()"
        return self.weighing(code, of, {v: float(v in values) for v in of.values})

    def heard(self) -> Sight | None:
        """That a condition was said to hold, by somebody who may be wrong."""
        of = self.reading(self.condition)
        if of is None:
            return None
        reliability = self.rng.choice([0.75, 0.9, 0.3, 0.5, 1.0 - 1e-6])
        code = f"({of.code}).observed(reliability={reliability!r})"
        return self.weighing(code, of, {True: reliability, False: 1.0 - reliability})

    def predicted(self) -> Sight | None:
        """A predictor's probability of a condition, set against counting or a number."""
        of = self.reading(self.condition)
        if of is None:
            return None
        p = self.rng.choice([0.0, 0.1, 0.5, 0.6, 0.99])
        # What is next to certain by counting has no digits left in its odds.
        counted = 0.0 if self.strong else self.made.listing.counting(of.value, of.about)
        plain = 0.01 < counted < 0.99
        baseline = self.rng.choice([None, None, 0.25, 0.5] if plain else [0.25, 0.5])
        more = "" if baseline is None else f", given={baseline!r}"
        code = f"({of.code}).predicted({p!r}{more})"

        def happen(listing: Listing) -> None:
            against = listing.counting(of.value, of.about) if baseline is None else baseline
            ratio = 1.0
            if 1e-12 < against < 1.0 - 1e-12:
                bold = min(max(p, 1e-6), 1.0 - 1e-6)
                ratio = bold / (1.0 - bold) / (against / (1.0 - against))
            listing.weigh(of.value, of.about, {False: 1.0, True: ratio})

        return Sight(code, eval(code, self.names), happen, of.about)

    def answered(self) -> Sight | None:
        """The answer to a question."""
        of = self.reading(values=60)
        if of is None or of.feature.further:
            return None  # a question is asked of the holders of now
        chances = {
            value: self.shares(["yes", "no", "perhaps"], zeros=0.2) for value in of.feature.values
        }
        said = self.rng.choice(["yes", "no", "perhaps"])
        code = f"Question({of.code}, {chances!r}).observed({said!r})"
        if not any(row[said] for row in chances.values()):
            return None
        return self.weighing(code, of, {value: row[said] for value, row in chances.items()})

    def held(self) -> Sight | None:
        """That a holder has some cards, has one of them, or has none."""
        rng = self.rng
        name = rng.choice([*self.holders])
        who = self.some([*self.holders[name]], most=2)
        what = self.some([*self.names[name].items], most=3)
        of = self.made_of(
            f"{name}.count({who!r}, {what!r})",
            lambda world: sum(item in what and holder in who for item, holder in world[name]),
            [name],
        )
        if self.made.listing.size(of.about) > MOST_WORLDS:
            return None
        true = self.true(of)
        values = [*range(sum(self.names[name].items.values()) + 1)]
        if true == 0:
            code = f"{name}.lacks({who!r}, {what!r})"
            return self.weighing(code, of, {value: float(value == 0) for value in values})
        if rng.random() < 0.5 or len(what) > 1:
            code = f"{name}.holds_any({who!r}, {what!r})"
            return self.weighing(code, of, {value: float(value > 0) for value in values})
        code = f"{name}.holds({who!r}, {what!r}, {true})"
        return self.weighing(code, of, {value: float(value >= true) for value in values})

    # -- moves

    def turn(self, name: str, number: int) -> None:
        """A card is drawn, one of the hand is played and shown, and something is said of the rest.

        The names of holders are those of the turn, so that a game may have any number of turns.
        """
        drawn, played = f"drawn {number}", f"played {number}"
        if not self.holders[name]["deck"]:
            return
        for move in (
            lambda: self.parted(name, "deck", drawn, 1),
            lambda: self.joined(name, ["you", drawn], "you"),
            lambda: self.parted(name, "you", played, 1),
            lambda: self.shown(name, played),
            lambda: self.joined(name, [played, "out"], "out"),
            self.weighed,
        ):
            sight = move() if self.made.listing.possible else None
            if sight is not None:
                self.made.sights.append(sight)
                sight.happen(self.made.listing)

    def split(self) -> Sight | None:
        """Some cards leave a holder and form a new one."""
        name = self.rng.choice([*self.holders])
        room = self.holders[name]
        source = self.rng.choice([holder for holder, size in room.items() if size] or [""])
        if not source:
            return None
        count = self.rng.randint(1, min(room[source], 3))
        ways = math.comb(room[source], count)
        if self.made.listing.size([name]) * ways > MOST_WORLDS:
            return None
        return self.parted(name, source, f"part {len(self.made.sights)}", count)

    def parted(self, name: str, source: str, new: str, count: int) -> Sight:
        """Some cards of a holder form a new one."""
        room = self.holders[name]
        ways = math.comb(room[source], count)

        def after(world: World) -> list[tuple[Any, float]]:
            held = world[name]
            return [
                (
                    tuple(
                        sorted(
                            (item, new if card in moved else who)
                            for card, (item, who) in enumerate(held)
                        )
                    ),
                    1.0,
                )
                for moved in taken(held, source, count)
            ]

        code = f"{name}.split({source!r}, {new!r}, {count})"
        room[source] -= count
        room[new] = count
        self.moved.add(name)
        return self.moving(
            code, name, lambda listing: listing.spread(name, after, [name], divisor=ways)
        )

    def merge(self) -> Sight | None:
        """Two holders become one."""
        name = self.rng.choice([*self.holders])
        room = self.holders[name]
        if len(room) < 3:
            return None
        two = self.rng.sample([*room], 2)
        return self.joined(name, two, self.rng.choice([two[0], f"whole {len(self.made.sights)}"]))

    def joined(self, name: str, two: Sequence[str], into: str) -> Sight:
        """Two holders are one from now on."""
        room = self.holders[name]

        def after(world: World) -> list[tuple[Any, float]]:
            held = tuple(sorted((item, into if who in two else who) for item, who in world[name]))
            return [(held, 1.0)]

        code = f"{name}.merge({two!r}, {into!r})"
        total = room.pop(two[0]) + room.pop(two[1])
        room[into] = total
        self.moved.add(name)
        return self.moving(code, name, lambda listing: listing.spread(name, after, [name]))

    def reveal(self) -> Sight | None:
        """Everybody sees the cards of a holder."""
        name = self.rng.choice([*self.holders])
        return self.shown(name, self.rng.choice([*self.holders[name]]))

    def shown(self, name: str, holder: str) -> Sight:
        """What a holder has in some world is seen."""
        world = self.rng.choice(self.made.listing.part([name]).worlds)
        shown = Counter(item for item, who in world[name] if who == holder)

        def so(world: World) -> bool:
            return Counter(item for item, who in world[name] if who == holder) == shown

        code = f"{name}.reveal({holder!r}, {dict(shown)!r})"
        return self.moving(
            code, name, lambda listing: listing.weigh(so, [name], {True: 1.0, False: 0.0})
        )

    def moving(self, code: str, name: str, happen: Callable[[Listing], None]) -> Sight:
        return Sight(code, eval(code, self.names), happen, frozenset([name]), stays=True)

    def step(self) -> Sight | None:
        """A walk moves once, sometimes in a way that depends on a choice."""
        name = self.rng.choice([*self.steps])
        positions = self.names[name].positions
        choices = [
            variable
            for variable in self.made.variables
            if isinstance(variable, sleuth.Choice) and len(variable.options) < 5
        ]
        by = self.rng.choice(choices) if choices and self.rng.random() < 0.4 else None
        about = [name] if by is None else [name, by.name]
        if self.steps[name] > 3 or self.made.listing.size(about) * len(positions) > MOST_WORLDS:
            return None

        def rows() -> dict[Any, Any]:
            if self.rng.random() < 0.3:
                return {place: self.some(positions) for place in positions}
            return {place: self.table(positions, zeros=0.3) for place in positions}

        tables = {value: rows() for value in ((None,) if by is None else by.options)}
        weights = {
            value: {
                place: row if isinstance(row, dict) else dict.fromkeys(row, 1.0 / len(row))
                for place, row in table.items()
            }
            for value, table in tables.items()
        }

        def after(world: World) -> list[tuple[Any, float]]:
            path = world[name]
            row = weights[None if by is None else world[by.name]][path[-1]]
            return [((*path, place), weight) for place, weight in row.items()]

        said = f"{tables[None]!r}" if by is None else f"{tables!r}, by={by.name}"
        self.steps[name] += 1
        return self.moving(
            f"{name}.step({said})", name, lambda listing: listing.spread(name, after, about)
        )


KINDS: Sequence[str] = ("choice", "choice", "deal", "walk")


def declaration(seed: int) -> Declaration:
    """A random declaration.

    Every fourth has strong evidence, every other one with deals has moves, and every eighth is
    about copies of one item in one place alone. Of twelve one has many variables, two have pieces
    on boards, and two are games of several turns.
    """
    rng = random.Random(seed)
    made = Declaration(seed)
    moves, narrow, kind = rng.random() < 0.5, seed % 8 == 2, seed % 12
    turns = kind in (1, 8)
    maker = Maker(rng, strong=seed % 4 == 3, moves=moves, narrow=narrow, turns=turns, made=made)
    only = rng.choice([("choice",), ("deal",), ("walk", "choice"), KINDS, KINDS, KINDS])
    number = rng.randint(1, 5)
    if narrow:
        only, number = ("deal",), rng.choice([1, 1, 2])
    if turns:
        only, number = rng.choice([("deal",), ("deal",), ("choice", "deal")]), 1
    if kind == 5:
        only = rng.choice([("choice",), ("choice",), KINDS])
        number = rng.randint(20, 90 if only == ("choice",) else 30)
    if kind in (4, 9):
        for board in range(rng.choice([1, 1, 2, 20]) if made.listing.possible else 0):
            maker.board(board)
        only, number = ("choice",), rng.randint(0, 2)
    for place in range(number):
        sort = only[-1] if turns else rng.choice(only)
        if sort == "walk" and maker.steps and rng.random() < 0.6:
            sort = "choice"
        getattr(maker, sort)(f"{sort}_{place}")
    if turns:
        if only[0] == "choice":
            maker.choice("choice_1")
        for number in range(rng.randint(2, 9)):
            maker.turn("deal_0", number)
    for _ in range(rng.randint(0, 7) if not turns else 0):
        sight = maker.sight() if made.listing.possible else None
        if sight is not None:
            made.sights.append(sight)
            sight.happen(made.listing)
    for kind in (maker.plain, maker.feature, maker.condition, maker.feature, maker.feature):
        found = maker.reading(kind, most=MOST_ASKED)
        if found is not None:
            made.readings.append(found)
    return made
