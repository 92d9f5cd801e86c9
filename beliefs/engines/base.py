"""The contract of an engine: a cost it declares, and a solution that answers array questions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ...data.checks import is_number, whole_number
from ...data.errors import SettingsError
from ...data.tables import html_note, html_shown, html_table
from ..arrays.layout import number_type
from ..arrays.problem import Additive, Flags, Floats, Integers, Layout, Problem

#: Most numbers that are drawn at once: worlds times what each has to say where it is. As floats
#: they take 0.8 GB.
MOST_DRAWN: Final = 100_000_000
#: Most chains that are run beside each other.
MOST_CHAINS: Final = 10_000
#: Steps that a junction tree takes before its first table is multiplied.
PLANNING: Final = 3e6

#: Slots of physical cards: one byte each, and more where there are more slots than that.
Worlds = NDArray[np.int8]


@dataclass(frozen=True, kw_only=True)
class Cost:
    """The cost of an exact answer.

    Attributes:
        operations: Estimated elementary steps of one solution; a step takes some nanoseconds.
        bytes: Estimated memory.
        bound: Whether it is an upper bound that may be far too high: worth a try, since the
            engine gives up by itself.
        reason: What stands in the way, where the number of steps would say little.
    """

    operations: float
    bytes: float = 0.0
    bound: bool = False
    reason: str = ""

    @property
    def in_words(self) -> str:
        """The cost for people; engines that can only say "far too many" say 1e30."""
        if self.reason:
            return self.reason
        if self.operations >= 1e30:
            return "it would take far too many steps"
        return f"it would take about {self.operations:.1e} steps"


@dataclass(frozen=True)
class Unsupported:
    """Why an engine cannot solve a problem at all."""

    reason: str


@dataclass(frozen=True, kw_only=True)
class EngineOptions:
    """Settings of the approximate engines; exact ones ignore them.

    Attributes:
        samples: Worlds that are drawn or kept.
        seed: Seed of every draw.
        chains: Independent chains (`metropolis`, `gibbs`).
        limit: Most elementary steps an exact engine may take.

    Raises:
        SettingsError: One of them has a value that cannot be used.
    """

    samples: int = 10_000
    seed: int = 0
    chains: int = 4
    limit: float = 2e9

    def __post_init__(self) -> None:
        for name, least, most in (
            ("samples", 1, MOST_DRAWN),
            ("seed", 0, 2**63 - 1),
            ("chains", 1, MOST_CHAINS),
        ):
            number = whole_number(getattr(self, name), name, least=least, most=most)
            object.__setattr__(self, name, number)
        if not is_number(self.limit) or self.limit <= 0.0:
            raise SettingsError(
                "limit must be a positive number of elementary steps",
                value=self.limit,
                hint="write a number such as 2e9, or math.inf for none",
            )
        object.__setattr__(self, "limit", float(self.limit))


@dataclass(frozen=True, kw_only=True)
class Diagnostics:
    """The quality of an approximation; None where a number has no meaning.

    Attributes:
        effective_samples: Independent samples that the weighted ones are worth, for the place or
            value that is known worst; `Posterior.effective_samples` tells it of any feature. What
            was never drawn is not among them: see ``notes``.
        effective_for: The variable and item whose place or value that is; empty where all are
            known alike.
        rhat: Largest potential scale reduction over single-site marginals.
        acceptance: Share of proposals, or of drawn worlds, that were accepted.
        rejuvenated: How often particles had to be moved because too few were left.
        converged: Whether an iterative method settled.
        notes: What a reader should know.
    """

    effective_samples: float | None = None
    effective_for: str = ""
    rhat: float | None = None
    acceptance: float | None = None
    rejuvenated: int | None = None
    converged: bool | None = None
    notes: tuple[str, ...] = field(default=())

    def _repr_html_(self) -> str:
        numbers = [
            ("effective samples", self.effective_samples, "{:,.0f}"),
            ("R-hat", self.rhat, "{:.3f}"),
            ("share accepted", self.acceptance, "{:.3f}"),
            ("particles moved, times", self.rejuvenated, "{}"),
        ]
        rows = [(name, form.format(found)) for name, found, form in numbers if found is not None]
        if self.effective_for:
            rows.insert(1, ("known worst", self.effective_for))
        if self.converged is not None:
            rows.append(("settled", "yes" if self.converged else "no"))
        table = html_table(
            ("", ""), rows or [("exact", "")], caption="What the method says of itself"
        )
        return html_shown(table, *map(html_note, self.notes))

    def chains_agree(self, rhat: float = 1.05) -> bool:
        """True if several chains were run, and R-hat over them is at most this."""
        return self.rhat is not None and self.rhat <= rhat


#: What an exact engine has to say about trust.
EXACT = Diagnostics()


class Solution(Protocol):
    """The answers of one engine to one problem; what a `Posterior` asks."""

    @property
    def exact(self) -> bool: ...

    @property
    def log_weight(self) -> float:
        """Log of the total weight of all deals; minus infinity when none is left."""
        ...

    @property
    def diagnostics(self) -> Diagnostics: ...

    def expected(self) -> Floats:
        """Expected copies of every site in every slot, shape (sites, slots)."""
        ...

    def joint(self, feature: Additive) -> Floats:
        """Probability of every index of a feature, shape (size,)."""
        ...

    def draw(self, count: int, rng: np.random.Generator) -> Worlds:
        """Worlds from the posterior: the slot of every physical card, shape (count, cards).

        Cards stand in the order of the sites, the copies of one site next to each other.
        """
        ...


class Engine(Protocol):
    """One way to solve a problem; every engine is a module that holds one."""

    @property
    def name(self) -> str: ...

    @property
    def exact(self) -> bool: ...

    @property
    def summary(self) -> str:
        """One line for the table of engines: what it is for."""
        ...

    def cost(self, problem: Problem) -> Cost | Unsupported: ...

    def solve(self, problem: Problem, options: EngineOptions) -> Solution: ...


def refuse_draw(worlds: int, columns: int, *, most: int = MOST_DRAWN) -> None:
    """Refuse to draw more worlds than there is room for.

    Args:
        worlds: How many are asked for.
        columns: Numbers that each is made of.
        most: Numbers that there is room for.

    Raises:
        SettingsError: There are more.
    """
    if worlds * max(columns, 1) > most:
        raise SettingsError(
            f"so many worlds are not drawn at once: {most // max(columns, 1):,} at most here",
            value=worlds,
            hint="draw some of them, look at those, and draw the next",
        )


def card_sites(problem: Problem) -> Integers:
    """Site of every physical card, shape (cards,)."""
    return problem.layout.card_sites


def feature_index(problem: Problem, feature: Additive, worlds: Worlds) -> Integers:
    """The index of a feature in every world, shape (worlds,)."""
    cards = card_sites(problem)
    index = np.zeros(worlds.shape[0], dtype=np.int64)
    for row, site in enumerate(feature.sites):
        for card in np.flatnonzero(cards == site):
            index += feature.delta[row][worlds[:, card]]
    return index


def worlds_from_options(problem: Problem, lies: Integers, chosen: Integers) -> Worlds:
    """Slots of the physical cards from one option per site.

    Args:
        lies: Where every copy lies, by option; see `slots_of_copies`.
        chosen: Option of every site, shape (worlds, sites).
    """
    layout = problem.layout
    slots = lies.astype(number_type(layout.slot_count))
    if layout.distinct:
        return slots[:, 0][chosen]
    columns = [slots[chosen[:, site], : layout.copies[site]] for site in range(chosen.shape[1])]
    return np.concatenate(columns, axis=1)


def slots_of_copies(placed: Integers) -> Integers:
    """The slot of every copy, by option: shape (options, most copies), -1 where there are fewer.

    Args:
        placed: Copies by slot of every option, shape (options, slots).
    """
    copies = placed.sum(axis=1)
    most = int(copies.max(initial=0))
    found = np.full((placed.shape[0], most), -1, dtype=np.int64)
    option, slot = placed.nonzero()
    found[np.arange(most)[None, :] < copies[:, None]] = np.repeat(slot, placed[option, slot])
    return found


def weighted_joint(index: Integers, weights: Floats, size: int) -> Floats:
    """Share of the weight at every index, shape (size,)."""
    mass = np.bincount(index, weights=weights, minlength=size)
    return mass / mass.sum()


def placements(layout: Layout, allowed: Flags | None = None) -> float:
    """In how many ways the copies of the sites can be placed, each site for itself.

    Args:
        layout: Sites and slots.
        allowed: What evidence still allows, shape (sites, slots); by default the declaration.
    """
    if allowed is None:
        allowed = layout.allowed
    total = 0.0
    for site in range(layout.site_count):
        copies = int(layout.copies[site])
        ways = np.zeros(copies + 1)
        ways[0] = 1.0
        for slot in np.flatnonzero(allowed[site]):
            size = int(layout.capacity[slot])
            most = copies if size < 0 else min(size, copies)
            ways = np.convolve(ways, np.ones(most + 1))[: copies + 1]
        total += float(ways[copies])
    return total


class SparseAnswers(NamedTuple):
    """The possible answers to a question.

    Attributes:
        project: Row of the tables for every index of the question's feature.
        outcomes: Per row, the outcomes that can follow; -1 ends the list. Shape (rows, width).
        chances: Their probabilities.
        outcome_count: Number of outcomes.
    """

    project: Integers
    outcomes: Integers
    chances: Floats
    outcome_count: int


class GainQuestion(NamedTuple):
    """A question on a layout, as solutions take it that value many at once (`Gaining`)."""

    feature: Additive
    answers: SparseAnswers
