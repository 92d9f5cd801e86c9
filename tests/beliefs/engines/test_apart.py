"""Parts of a problem that nothing ties together."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from sleuth import Choice, Deal, Model, count_of, infer, together
from sleuth.beliefs.engines.apart import connected
from sleuth.data.errors import UnsupportedError


def coins(count: int) -> list[Choice]:
    return [Choice(f"coin {n}", {"heads": 0.25, "tails": 0.75}) for n in range(count)]


def test_an_engine_that_takes_few_values_takes_many_in_parts() -> None:
    made = coins(80)
    cards = Deal(["ace", "king", "queen"], holders={"me": 1, "you": 2})
    alike = together(made[0], made[1]).satisfies(lambda pair: pair[0] == pair[1])
    mine = cards.lacks("me", "queen")
    heads = count_of(each.equals("heads") for each in made)
    whole = infer(Model(cards, *made), [alike.observed(), mine], method="junction_tree")
    parts = infer(Model(cards, *made), [alike.observed(), mine], method="card_by_card")
    assert parts.method == "card_by_card"
    assert parts.log_evidence == pytest.approx(whole.log_evidence, abs=1e-12)
    assert parts.log_evidence == pytest.approx(math.log(0.625 * 2 / 3), abs=1e-12)
    assert parts.distribution(heads) == pytest.approx(whole.distribution(heads), abs=1e-12)
    both = together(made[0], cards.holder_of("king"))
    assert parts.marginal(both) == pytest.approx(whole.marginal(both), abs=1e-12)
    shares = parts.solution.expected()
    assert shares == pytest.approx(whole.solution.expected(), abs=1e-12)
    rows = parts.sample_array(2_000, np.random.default_rng(1))
    assert (rows[:, 3] == rows[:, 4]).all()
    assert rows[:, 5:].mean() == pytest.approx(0.75, abs=0.01)


def test_sites_that_share_a_place_or_a_weight_are_one_part() -> None:
    cards = Deal(["ace", "king"], holders={"me": 1, "you": 1})
    first, second, third = coins(3)
    tied = together(first, third).weigh([1.0, 2.0, 3.0, 4.0])
    belief = infer(Model(cards, first, second, third), tied)
    assert [part.tolist() for part in connected(belief.problem)] == [[0, 1], [2, 4], [3]]


def test_what_hangs_together_is_refused_as_before() -> None:
    made = coins(80)
    pairs = itertools.pairwise(made)
    given = [together(*pair).weigh([2.0, 1.0, 1.0, 2.0]) for pair in pairs]
    with pytest.raises(UnsupportedError, match="at most 127"):
        infer(Model(*made), given, method="card_by_card")
