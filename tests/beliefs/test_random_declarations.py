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
from sleuth.beliefs.arrays.problem import MOST_PLACES
from sleuth.beliefs.engines import EXACT
from sleuth.beliefs.modelling.history import History
from sleuth.errors import ContradictionError, CostError, UnsupportedError

from .declarations import Declaration, Sight, declaration
from .listing import Listing, World, entropy

#: Ones of all kinds that take little time; a run of many takes all.
FEW = range(0, 48, 3)
MANY = int(os.environ.get("SLEUTH_FUZZ", "0")) // 10
FIRST = int(os.environ.get("SLEUTH_FUZZ_SEED", "0"))
SEEDS = range(FIRST, FIRST + MANY) if MANY else FEW

#: Every engine that may be off by no more than this, probabilities and relative log evidence.
CLOSE = 1e-12
#: The cross-check is slow: it is asked about few declarations, and only in a run of many.
SELDOM = {"pgmpy": 20}
#: Steps that an engine may take, where a list of all worlds would be long.
LIMIT = {"enumeration": 2e6}
#: Refusals that say what an engine cannot do.
REFUSED = (CostError, UnsupportedError)


def engines(seed: int) -> Iterator[str]:
    """The engines that are asked about a declaration."""
    for name in ("auto", *EXACT):
        often = SELDOM.get(name, 1)
        if seed % often == 0 and (MANY or often == 1):
            yield name


def same(found: dict[Any, float], right: dict[Any, float], what: str) -> None:
    for value in found.keys() | right.keys():
        assert found.get(value, 0.0) == pytest.approx(right.get(value, 0.0), abs=CLOSE), (
            f"{what}: {value!r}"
        )


def agree(belief: Posterior, made: Declaration, listing: Listing) -> None:
    """What is believed is what the list says: the evidence, and all that can be asked."""
    log_evidence = listing.log_evidence
    assert belief.log_evidence == pytest.approx(log_evidence, rel=CLOSE, abs=CLOSE), "log evidence"
    for reading in made.readings:
        right = listing.distribution(reading.value, reading.about)
        same(belief.marginal(reading.feature), right, reading.code)
        assert belief.entropy(reading.feature) == pytest.approx(
            entropy(right.values()), abs=1e-10
        ), reading.code
        ((_, most),) = belief.most_likely(reading.feature, 1)
        assert most == pytest.approx(max(right.values()), abs=CLOSE)


def marginals_agree(belief: Posterior, made: Declaration, listing: Listing) -> None:
    """All values, all positions, and whatever each holder can be expected to have."""
    for variable in made.variables:
        name = variable.name
        if hasattr(variable, "options"):
            right = listing.distribution(lambda world, name=name: world[name], [name])
            same(belief.marginal(variable), right, name)
        elif hasattr(variable, "positions"):
            steps = len(listing.rows([name])[0][0][name])
            for step in range(steps):
                right = listing.distribution(
                    lambda world, name=name, step=step: world[name][step], [name]
                )
                same(belief.marginal(variable.at(step=step)), right, f"{name} after {step}")
        else:
            table = belief.table(variable)
            expected: dict[tuple[str, str], float] = {}
            held = listing.distribution(lambda world, name=name: world[name], [name])
            for cards, share in held.items():
                for card in cards:
                    expected[card] = expected.get(card, 0.0) + share
            found = {(item, who): n for item, row in table.items() for who, n in row.items()}
            same(found, expected, f"table of {name}")


def world_of(belief: Posterior, made: Declaration, row: dict[str, Any]) -> tuple[Any, ...]:
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
    names = [variable.name for variable in made.variables]

    def whole(world: World) -> tuple[Any, ...]:
        return tuple(world[name] for name in names)

    right = listing.distribution(whole, names)
    drawn = Counter(
        world_of(belief, made, row) for row in belief.sample(600, np.random.default_rng(seed))
    )
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
    names = [variable.name for variable in made.variables]
    right = listing.distribution(lambda world: tuple(world[name] for name in names), names)
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
    for value in of.feature.values:
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
    question = Question(of.feature, chances)
    found = belief.information_gain(question, about=about.feature)
    assert found == pytest.approx(right, abs=1e-9), "information gain"


def names(made: Declaration) -> list[str | None]:
    """The name that each observation is given; moves of cards have none."""
    history = History.empty(made.model).extend(made.given, lambda history, condition: 0.5)
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


def whether(method: str, made: Declaration, seed: int) -> bool:
    """Compare one engine with the list; false if it cannot answer."""
    model, listing = made.model, made.listing
    try:
        belief = infer(model, made.given, method=method, limit=LIMIT.get(method, 2e9))
    except REFUSED:
        wide = model.layout.place_count > MOST_PLACES
        assert method != "auto" or wide, "something must answer"
        return False
    except ContradictionError as error:
        assert not listing.possible, "this is possible"
        if method == "auto":
            irreducible(made, error)
        return True
    assert listing.possible, "this is impossible"
    agree(belief, made, listing)
    marginals_agree(belief, made, listing)
    gains_agree(belief, made, listing, seed)
    small = listing.size([variable.name for variable in made.variables]) <= 2_000
    if small and seed % 3 == 0:
        draws_agree(belief, made, listing, seed)
        listed_worlds_agree(belief, made, listing)
    if method == "pgmpy":
        return True
    stepwise = infer(model, method=method)
    for sight in made.sights:
        stepwise = stepwise.observe(sight.given)
    agree(stepwise, made, listing)
    return True


def retracted(made: Declaration, seed: int) -> None:
    """Without one observation the belief is that of all others."""
    open_ = [place for place, sight in enumerate(made.sights) if not sight.stays]
    if not open_ or not made.listing.possible:
        return
    place = random.Random(seed).choice(open_)
    try:
        belief = infer(made.model, made.given)
    except REFUSED:
        return
    left = belief.retract(str(names(made)[place]))
    others = [sight for number, sight in enumerate(made.sights) if number != place]
    agree(left, made, made.listed(others))


def check(seed: int) -> set[str]:
    """Compare all engines on one declaration; which answered."""
    made = declaration(seed)
    able: set[str] = set()
    method = ""
    try:
        for method in engines(seed):
            if whether(method, made, seed):
                able.add(method)
        method = "retract"
        retracted(made, seed)
    except Exception as error:
        error.add_note(f"\nseed {seed}, {method}:\n{made.code()}")
        raise
    return able


def test_every_exact_engine_agrees_with_the_list_of_all_worlds() -> None:
    able: set[str] = set()
    for seed in SEEDS:
        able |= check(seed)
    assert able == {name for seed in SEEDS for name in engines(seed)}
