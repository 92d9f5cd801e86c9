"""CellProblem, draws, calls and piles taken up, against every concrete deal with its whole history.

Nothing here goes through the package: a world is which physical card lies where, a claim takes any
cards of the hand, and worlds are weighed and thrown out by what they are.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

from sleuth import Deal, Model, Posterior, infer
from sleuth.beliefs.engines.copies.counting import CellCounts
from sleuth.errors import UnsupportedError

#: (cards of the other, claims in order, deck); the viewer's own cards are the same everywhere.
Where = tuple[frozenset[int], tuple[frozenset[int], ...], frozenset[int]]


@dataclass
class Table:
    """A game as the viewer saw it: the true cards, all worlds he can imagine, and the evidence."""

    rng: np.random.Generator
    ranks: list[str]
    deal: Deal
    truth: Where
    worlds: dict[Where, float]
    steps: list[Any] = field(default_factory=list)
    claims: list[tuple[str, str]] = field(default_factory=list)
    number: int = 0
    known: set[str] = field(default_factory=set[str])
    ambiguous: bool = False

    def tally(self, cards: frozenset[int]) -> dict[str, int]:
        return dict(Counter(self.ranks[card] for card in sorted(cards)))

    def claim(self) -> None:
        """The other lays down some cards, says a rank, and is believed or not."""
        hand, claims, deck = self.truth
        count = int(self.rng.integers(1, min(2, len(hand)) + 1))
        rank = str(self.rng.choice(sorted(set(self.ranks))))
        self.number += 1
        name = f"claim {self.number}"
        weight = float(self.rng.choice([0.25, 1.0, 3.0]))
        alone = bool(self.rng.integers(2))

        def likely(cards: frozenset[int]) -> float:
            true = sum(self.ranks[card] == rank for card in cards)
            return weight if true == count else 1.0 if true == 0 or not alone else 0.0

        after: dict[Where, float] = {}
        for (held, laid, rest), share in self.worlds.items():
            ways = math.comb(len(held), count)
            for taken in itertools.combinations(sorted(held), count):
                cards = frozenset(taken)
                where = (held - cards, (*laid, cards), rest)
                mass = share / ways * likely(cards)
                if mass:
                    after[where] = after.get(where, 0.0) + mass
        if not after:
            return
        chosen = [world for world in after if world[0] < hand and world[1][:-1] == claims]
        chosen = [world for world in chosen if world[2] == deck]
        if not chosen:
            return
        self.truth = chosen[int(self.rng.integers(len(chosen)))]
        self.worlds = after
        size = min(count, self.deal.items[rank])
        table = [1.0] + [1.0 if not alone else 0.0] * size
        if size == count:
            table[count] = weight
        self.steps.append(self.deal.split("other", name, count))
        self.steps.append(self.deal.count(name, rank).weigh(table, exact=True))
        self.claims.append((name, rank))

    def draw(self) -> None:
        """The other takes a card from the deck."""
        hand, claims, deck = self.truth
        if not deck:
            return
        card = int(self.rng.choice(sorted(deck)))
        self.truth = (hand | {card}, claims, deck - {card})
        after: dict[Where, float] = {}
        for (held, laid, rest), share in self.worlds.items():
            for other in rest:
                where = (held | {other}, laid, rest - {other})
                after[where] = after.get(where, 0.0) + share / len(rest)
        self.worlds = after
        self.number += 1
        self.steps.append(self.deal.split("deck", f"drawn {self.number}", 1))
        self.steps.append(self.deal.merge(["other", f"drawn {self.number}"], "other"))

    def call(self, *, taken_by: str) -> None:
        """All claims are turned up, and somebody takes them."""
        if not self.claims:
            return
        hand, claims, deck = self.truth
        seen = [self.tally(cards) for cards in claims]
        laid = frozenset[int]().union(*claims)
        after: dict[Where, float] = {}
        for (held, piles, rest), share in self.worlds.items():
            if [self.tally(cards) for cards in piles] != seen:
                continue
            both = held | frozenset[int]().union(*piles) if taken_by == "other" else held
            where = (both, (), rest)
            after[where] = after.get(where, 0.0) + share
        self.worlds = after
        self.truth = (hand | laid if taken_by == "other" else hand, (), deck)
        self.ambiguous |= any(rank in self.known for pile in seen for rank in pile)
        if taken_by == "other":
            self.known |= {rank for pile in seen for rank in pile}
        for (name, _), contents in zip(self.claims, seen, strict=True):
            self.steps.append(self.deal.reveal(name, contents))
        names = [name for name, _ in self.claims]
        self.steps.append(self.deal.merge([taken_by, *names], taken_by))
        self.claims = []

    def share(self, test: Any) -> float:
        total = math.fsum(self.worlds.values())
        return math.fsum(mass for world, mass in self.worlds.items() if test(world)) / total


#: Turns of games: a pile goes to the other ("taken") or to the viewer ("mine").
PLANS = (
    "claim taken claim draw claim draw",
    "claim taken claim mine draw claim",
    "claim claim taken draw claim draw claim",
    "claim taken claim draw taken claim draw claim",
    "claim draw taken claim claim taken claim draw",
    "draw claim mine claim taken claim draw mine claim",
    "claim taken claim taken claim draw claim taken",
)


def tables(seed: int) -> Iterator[Table]:
    """Games of a few turns, after every turn."""
    rng = np.random.default_rng(seed)
    copies = [{"A": 3, "B": 3, "C": 3}, {"A": 4, "B": 2, "C": 2}, {"A": 2, "B": 2, "C": 4}][
        seed % 3
    ]
    ranks = [rank for rank, number in copies.items() for _ in range(number)]
    cards = [int(card) for card in rng.permutation(len(ranks))]
    mine, other, deck = cards[:2], cards[2:5], cards[5:]
    deal = Deal(
        copies,
        holders={"me": 2, "other": 3, "deck": len(deck)},
        known={"me": dict(Counter(ranks[card] for card in mine))},
    )
    unseen = sorted([*other, *deck])
    worlds: dict[Where, float] = {
        (frozenset(hand), (), frozenset(unseen) - frozenset(hand)): 1.0
        for hand in itertools.combinations(unseen, 3)
    }
    table = Table(rng, ranks, deal, (frozenset(other), (), frozenset(deck)), worlds)
    for kind in PLANS[seed % len(PLANS)].split():
        if kind == "claim" and table.truth[0]:
            table.claim()
        elif kind == "draw":
            table.draw()
        elif kind in ("mine", "taken"):
            table.call(taken_by="me" if kind == "mine" else "other")
        if len(table.worlds) > 20_000:
            return
        yield table


def agree(table: Table, posterior: Posterior) -> None:
    deal = table.deal
    for rank in deal.items:
        feature = deal.count("other", rank).on(posterior.problem.layout)
        for count, share in zip(feature.values, posterior.distribution(feature), strict=True):
            wanted = table.share(lambda w, r=rank, n=count: table.tally(w[0]).get(r, 0) == n)
            assert share == pytest.approx(wanted, abs=1e-12)
    for place, (name, rank) in enumerate(table.claims):
        wanted = table.share(lambda w, p=place, r=rank: set(table.tally(w[1][p])) == {r})
        assert posterior.probability(deal.all_of(name, rank)) == pytest.approx(wanted, abs=1e-12)
    start = math.comb(len(table.ranks) - 2, 3)
    left = math.fsum(table.worlds.values()) / start
    assert posterior.log_evidence == pytest.approx(math.log(left), abs=1e-11)


@pytest.mark.parametrize("method", ["enumeration", "card_by_card", "deal_filter"])
@pytest.mark.parametrize("seed", range(28))
def test_every_posterior_of_a_game_is_the_one_over_all_its_histories(
    seed: int, method: str
) -> None:
    for table in tables(seed):
        agree(table, infer(Model(table.deal), table.steps, method=method))


@pytest.mark.parametrize("seed", range(56))
def test_counting_by_type_knows_them_unless_a_shown_card_may_have_been_a_known_one(
    seed: int,
) -> None:
    for table in tables(seed):
        try:
            posterior = infer(Model(table.deal), table.steps, method="type_counting")
        except UnsupportedError:
            assert table.ambiguous
            continue
        assert isinstance(posterior.solution, CellCounts)
        agree(table, posterior)


@pytest.mark.parametrize("seed", range(7))
def test_pgmpy_agrees(seed: int) -> None:
    *_, table = tables(seed)
    agree(table, infer(Model(table.deal), table.steps, method="pgmpy"))


def drawn_between() -> tuple[Deal, list[Any]]:
    """A hand of a known and two unknown cards, then a claim, a draw, and another claim."""
    deal = Deal({"A": 4, "B": 4}, holders={"pile": 1, "other": 2, "deck": 5})
    return deal, [
        deal.reveal("pile", {"A": 1}),
        deal.merge(["other", "pile"], "other"),
        deal.split("other", "first", 1),
        deal.split("deck", "drawn", 1),
        deal.merge(["other", "drawn"], "other"),
        deal.split("other", "second", 1),
    ]


def test_a_card_that_was_drawn_later_is_in_no_earlier_claim() -> None:
    deal, steps = drawn_between()
    table = infer(Model(deal), steps).table(deal)
    # Each of three cards is the first claim alike; each of the two left or the new one the second.
    assert table["A"]["first"] == pytest.approx(1 / 3 + 2 / 3 * 3 / 7)
    known, unseen = 2 / 3 * 1 / 3, 1.0 - 2 / 3 * 1 / 3
    assert table["A"]["second"] == pytest.approx(known + unseen * 3 / 7)


def test_what_was_laid_down_says_that_he_had_more_of_it() -> None:
    deal, steps = drawn_between()
    shown = [*steps[:3], deal.reveal("first", {"A": 1})]
    # His hand was the known ace and n of the 3 other aces; he laid down an ace with (n + 1) / 3.
    ways = [4 * 3 / 2, 3 * 4, 3]
    chances = [(n + 1) / 3 * number for n, number in enumerate(ways)]
    wanted = {n: chance / sum(chances) for n, chance in enumerate(chances)}
    assert infer(Model(deal), shown).marginal(deal.count("other", "A")) == pytest.approx(wanted)


@pytest.mark.parametrize("method", ["particles", "metropolis", "likelihood_weighting", "rejection"])
def test_samplers_know_partly_known_hands_too(method: str) -> None:
    deal, steps = drawn_between()
    steps = [*steps, deal.all_of("second", "A").predicted(0.9)]
    exact = infer(Model(deal), steps)
    sampled = infer(Model(deal), steps, method=method, samples=20_000, seed=1)
    for rank, shares in exact.table(deal).items():
        assert sampled.table(deal)[rank] == pytest.approx(shares, abs=0.03)


def test_drawn_worlds_know_which_claims_came_before_a_draw() -> None:
    deal = Deal({"A": 4, "B": 4, "C": 2}, holders={"pile": 2, "other": 2, "deck": 6})
    steps = [
        deal.reveal("pile", {"A": 1, "B": 1}),
        deal.merge(["other", "pile"], "other"),
        deal.split("other", "first", 1),
        deal.all_of("first", "A").predicted(0.7),
        deal.split("deck", "drawn", 1),
        deal.merge(["other", "drawn"], "other"),
        deal.split("other", "second", 2),
        deal.count("second", "B").weigh([1.0, 0.0, 3.0], exact=True),
        deal.split("deck", "drawn", 2),
        deal.merge(["other", "drawn"], "other"),
    ]
    posterior = infer(Model(deal), steps, method="type_counting")
    assert isinstance(posterior.solution, CellCounts)
    assert len(posterior.solution.counted.groups.space) == 2
    asked = (deal.count("first", "A"), deal.count("second", "B"), deal.count("other", "A"))
    exact = infer(Model(deal), steps, method="card_by_card").joint(*asked)
    worlds = posterior.solution.draw(20_000, np.random.default_rng(2))
    layout = posterior.problem.layout
    items = [layout.site_names[site][1] for site in layout.card_sites]

    def number(holder: str, rank: str) -> np.ndarray:
        mine = [place for place, item in enumerate(items) if item == rank]
        return np.isin(worlds[:, mine], layout.slots[("deal", holder)]).sum(axis=1)

    drawn = Counter(
        zip(
            number("first", "A").tolist(),
            number("second", "B").tolist(),
            number("other", "A").tolist(),
            strict=True,
        )
    )
    assert set(drawn) <= set(exact)
    expected = np.array([20_000 * share for share in exact.values()])
    observed = np.array([drawn[value] for value in exact])
    common = expected >= 5.0
    assert common.sum() >= 8
    statistic = ((observed - expected) ** 2 / expected)[common].sum()
    # Chi-square, 4.5 standard deviations above its mean.
    assert statistic < common.sum() + 4.5 * math.sqrt(2.0 * common.sum())
