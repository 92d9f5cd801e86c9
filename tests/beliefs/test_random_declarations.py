"""Every exact engine answers random declarations of all kinds as the list of all worlds does.

The list multiplies whole numbers, so whatever differs by more than 1e-12 is a fault of an engine.
``SLEUTH_FUZZ`` asks for more declarations: a tenth of it, 5,000 of 50,000; ``SLEUTH_FUZZ_SEED``
says where the seeds start.
"""

from __future__ import annotations

import math
import os
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sleuth import Posterior, Question, infer
from sleuth.beliefs import WalkStep
from sleuth.beliefs.engines import EXACT
from sleuth.beliefs.modelling.history import History
from sleuth.errors import ContradictionError, CostError, UnsupportedError

from .declarations import Declaration, Sight, declaration
from .listing import Listing, World, entropy

#: One of each kind; a run of many takes all.
FEW = range(0, 75, 5)
MANY = int(os.environ.get("SLEUTH_FUZZ", "0")) // 10
FIRST = int(os.environ.get("SLEUTH_FUZZ_SEED", "0"))
SEEDS = range(FIRST, FIRST + MANY) if MANY else FEW

#: Every engine that may be off by no more than this, probabilities and relative log evidence.
CLOSE = 1e-12
#: The cross-check is slow: it is asked about few declarations, and only in a run of many.
SELDOM = {"pgmpy": 20}
#: For how large a share of many declarations an engine must answer at least.
SHARES: dict[str, float] = {
    "card_by_card": 0.8,
    "enumeration": 0.6,
    "junction_tree": 0.4,
    "deal_filter": 0.3,
    "symmetry": 0.2,
    "exact_cover": 0.1,
    "type_counting": 0.1,
    "forward_filter": 0.02,
}
#: Most worlds for the engine that lists them.
MOST_LISTED = 30_000
#: Refusals that say what an engine cannot do.
REFUSED = (CostError, UnsupportedError)


def engines(made: Declaration) -> Iterator[str]:
    """The engines that are asked about a declaration."""
    for name in ("auto", *EXACT):
        if name == "enumeration" and made.listed(()).size(made.names) > MOST_LISTED:
            continue
        often = SELDOM.get(name, 1)
        if made.seed % often == 0 and (MANY or often == 1):
            yield name


def same(found: dict[Any, float], right: dict[Any, float], what: str) -> None:
    for value in found.keys() | right.keys():
        one, other = found.get(value, 0.0), right.get(value, 0.0)
        assert abs(one - other) <= CLOSE, f"{what}: {value!r} has {one}, not {other}"


class Answers:
    """All that is asked of a declaration, as the list of all worlds says it.

    Attributes:
        log_evidence: Of all that was observed.
        shares: For each thing its name, a feature, and its distribution.
        expected: For each deal how many copies of each item each holder can be expected to have.
    """

    def __init__(self, made: Declaration, listing: Listing) -> None:
        self.log_evidence = listing.log_evidence
        self.shares: list[tuple[str, Any, dict[Any, float]]] = []
        self.expected: dict[str, dict[tuple[str, str], float]] = {}
        for reading in made.readings:
            right = listing.distribution(reading.value, reading.about)
            self.shares.append((reading.code, reading.feature, right))
        for variable in made.variables:
            name = variable.name
            whole = listing.distribution(lambda world, name=name: world[name], [name])
            if hasattr(variable, "options"):
                self.shares.append((name, variable, whole))
            elif hasattr(variable, "positions"):
                for step in range(len(next(iter(whole)))):
                    places: dict[Any, float] = {}
                    for path, share in whole.items():
                        places[path[step]] = places.get(path[step], 0.0) + share
                    self.shares.append((f"{name} after {step}", variable.at(step=step), places))
            else:
                copies: dict[tuple[str, str], float] = {}
                for cards, share in whole.items():
                    for card in cards:
                        copies[card] = copies.get(card, 0.0) + share
                self.expected[name] = copies


def agree(belief: Posterior, right: Answers) -> None:
    """What is believed is what the list says: the evidence, and all that can be asked."""
    assert belief.log_evidence == pytest.approx(right.log_evidence, rel=CLOSE, abs=CLOSE), "log"
    for what, feature, shares in right.shares:
        same(belief.marginal(feature), shares, what)
        assert belief.entropy(feature) == pytest.approx(entropy(shares.values()), abs=1e-10), what
        ((_, most),) = belief.most_likely(feature, 1)
        assert most == pytest.approx(max(shares.values()), abs=CLOSE), what
    for name, copies in right.expected.items():
        table = belief.table(name)
        found = {(item, who): n for item, row in table.items() for who, n in row.items()}
        same(found, copies, f"table of {name}")


def world_of(made: Declaration, row: dict[str, Any]) -> tuple[Any, ...]:
    """A world as `Posterior.sample` tells it, as the list has it."""
    found: list[Any] = []
    for variable in made.variables:
        told = row[variable.name]
        if hasattr(variable, "holders"):
            told = tuple(sorted((item, who) for who, items in told.items() for item in items))
        elif hasattr(variable, "positions"):
            told = tuple(told)
        found.append(told)
    return tuple(found)


def draws_agree(belief: Posterior, made: Declaration, listing: Listing, seed: int) -> None:
    """Whole worlds are drawn as often as they are likely, and none that is impossible."""

    def whole(world: World) -> tuple[Any, ...]:
        return tuple(world[name] for name in made.names)

    right = listing.distribution(whole, made.names)
    drawn = Counter(world_of(made, row) for row in belief.sample(600, np.random.default_rng(seed)))
    assert drawn.keys() <= right.keys()
    # Worlds that are seldom drawn are taken together, so that each is expected five times.
    seen: list[int] = []
    expected: list[float] = []
    here, there = 0, 0.0
    for world, share in sorted(right.items(), key=lambda each: each[1]):
        here, there = here + drawn[world], there + 600 * share
        if there >= 5.0:
            seen.append(here)
            expected.append(there)
            here, there = 0, 0.0
    if not seen:
        return
    seen[-1] += here
    expected[-1] += there
    if len(seen) > 1:
        chance = stats.chisquare(seen, np.array(expected) * sum(seen) / sum(expected)).pvalue
        assert chance > 1e-7, "the worlds drawn"


def listed_worlds_agree(belief: Posterior, made: Declaration, listing: Listing) -> None:
    """The worlds that a posterior lists have the probabilities that they have one by one."""
    right = listing.distribution(
        lambda world: tuple(world[name] for name in made.names), made.names
    )
    try:
        rows, shares = belief.worlds(most=20_000)
    except CostError:
        return
    assert len(rows) == len(right)
    assert sorted(shares) == pytest.approx(sorted(right.values()), abs=CLOSE)


def gains_agree(belief: Posterior, made: Declaration, listing: Listing, seed: int) -> None:
    """What a question tells is the mean drop of entropy over its answers."""
    if len(made.readings) < 2:
        return
    of, about = made.readings[:2]
    if listing.size(of.about | about.about) > 6_000:
        return
    rng = random.Random(seed)
    chances = {}
    here = belief.problem.layout
    for value in of.feature.on(here).values:
        share = rng.choice([0.0, 0.25, 0.5, 1.0])
        chances[value] = {"yes": share, "no": 1.0 - share}
    joint = listing.distribution(
        lambda world: (of.value(world), about.value(world)), of.about | about.about
    )
    before: dict[Any, float] = {}
    after: dict[str, dict[Any, float]] = {"yes": {}, "no": {}}
    for (value, told), share in joint.items():
        before[told] = before.get(told, 0.0) + share
        for outcome, chance in chances[value].items():
            after[outcome][told] = after[outcome].get(told, 0.0) + share * chance
    right = entropy(before.values())
    for shares in after.values():
        total = math.fsum(shares.values())
        if total:
            right -= total * entropy(share / total for share in shares.values())
    question = Question(of.feature.on(here), chances)
    found = belief.information_gain(question, about=about.feature)
    assert found == pytest.approx(right, abs=1e-9), "information gain"


def names(made: Declaration) -> list[str | None]:
    """The name that each observation is given; moves of cards have none."""
    history = History.begun(made.model, "auto").extend(made.given, lambda history, condition: 0.5)
    assert len(history.steps) == len(made.sights)
    return [step.id for step in history.steps]


def irreducible(made: Declaration, error: ContradictionError) -> None:
    """The observations that an error names exclude each other, and none of them could be left out.

    Moves of cards take place all the same. A step of a walk that was not seen leads anywhere, which
    the list cannot say.
    """
    called: dict[object, Sight] = dict(zip(names(made), made.sights, strict=True))
    told = [called[name] for name in error.evidence]
    steps = [sight for sight in made.sights if isinstance(sight.given, WalkStep)]
    kept = [
        sight
        for name, sight in zip(names(made), made.sights, strict=True)
        if name is None or sight in told or sight in steps
    ]
    assert not made.listed(kept).possible
    for left_out in told if not steps else []:
        assert made.listed([sight for sight in kept if sight is not left_out]).possible


def whether(method: str, made: Declaration, right: Answers | None) -> bool:
    """Compare one engine with the list; false if it cannot answer.

    Args:
        method: The engine.
        made: What it is asked about.
        right: The answers; None where nothing is possible.
    """
    model, listing, seed = made.model, made.listing, made.seed
    try:
        belief = infer(model, made.given, method=method)
    except REFUSED:
        assert method != "auto", "something must answer"
        return False
    except ContradictionError as error:
        assert right is None, "this is possible"
        if method == "auto":
            irreducible(made, error)
        return True
    assert right is not None, "this is impossible"
    agree(belief, right)
    if seed % 3 == 0:
        gains_agree(belief, made, listing, seed)
        if listing.size(made.names) <= 2_000:
            draws_agree(belief, made, listing, seed)
            listed_worlds_agree(belief, made, listing)
    if method == "pgmpy" or seed % 2:
        return True
    try:
        belief = infer(model, method=method)
        for sight in made.sights:
            belief = belief.observe(sight.given)
    except REFUSED:
        assert method != "auto", "something must answer"
        return True
    agree(belief, right)
    return True


def retracted(made: Declaration) -> None:
    """Without one observation the belief is that of all others."""
    open_ = [place for place, sight in enumerate(made.sights) if not sight.stays]
    if not open_ or not made.listing.possible:
        return
    place = random.Random(made.seed).choice(open_)
    belief = infer(made.model, made.given)
    left = belief.retract(str(names(made)[place]))
    others = [sight for number, sight in enumerate(made.sights) if number != place]
    agree(left, Answers(made, made.listed(others)))


def check(seed: int) -> set[str]:
    """Compare all engines on one declaration; which answered."""
    made = declaration(seed)
    able: set[str] = set()
    right = Answers(made, made.listing) if made.listing.possible else None
    method = ""
    try:
        for method in engines(made):
            if whether(method, made, right):
                able.add(method)
        method = "retract"
        retracted(made)
    except Exception as error:
        error.add_note(f"\nseed {seed}, {method}:\n{made.code()}")
        raise
    return able


def test_every_exact_engine_agrees_with_the_list_of_all_worlds() -> None:
    able: Counter[str] = Counter()
    for seed in SEEDS:
        able.update(check(seed))
    assert able["auto"] == len(SEEDS)
    assert able.keys() >= {*EXACT} - (set() if MANY else {*SELDOM})
    if len(SEEDS) >= 500:
        for name, share in SHARES.items():
            assert able[name] >= share * len(SEEDS), name
