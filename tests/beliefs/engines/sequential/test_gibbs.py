"""Chains that draw variables anew, in blocks where they determine each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sleuth import Choice, Model, infer, together
from sleuth.beliefs.engines.base import EngineOptions
from sleuth.beliefs.engines.sampling.cards import open_cards
from sleuth.beliefs.engines.sequential import gibbs
from sleuth.beliefs.engines.sequential.blocks import blocks_of
from sleuth.beliefs.modelling.history import History
from sleuth.networks import example_network

from ..games import p_value


def problem_of(model: Model, given: Any = ()) -> Any:
    """Declaration and evidence as arrays."""
    return History.empty(model).extend([given], lambda _past, _condition: 0.5).problem


def copies() -> tuple[Model, list[Choice]]:
    """A coin, and what two people who saw it say; a third repeats the second."""
    coin = Choice("coin", {"heads": 0.3, "tails": 0.7})
    same = {"heads": {"heads": 1.0}, "tails": {"tails": 1.0}}
    first = Choice("first", same, given=coin.value())
    second = Choice("second", same, given=coin.value())
    third = Choice("third", same, given=second.value())
    return Model(coin, first, second, third), [coin, first, second, third]


def test_what_is_a_function_of_another_changes_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    model, said = copies()
    blocks = blocks_of(open_cards(problem_of(model))).arrays
    assert blocks.start.tolist() == [0, 4]
    monkeypatch.setattr(gibbs, "WORTHWHILE", 2.0)  # no jumps
    found = infer(model, method="gibbs", samples=8_000, seed=1)
    assert found.joint(said[0], said[3]) == pytest.approx(
        {("heads", "heads"): 0.3, ("tails", "tails"): 0.7}, abs=0.03
    )
    assert found.diagnostics.acceptance is None


@pytest.mark.parametrize("jumps", [True, False])
@pytest.mark.parametrize(
    "name, seen", [("asia", {"xray": "yes"}), ("cancer", {"Xray": "positive"})]
)
def test_single_worlds_pass_a_chi_square_test(
    name: str, seen: dict[str, str], jumps: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last worlds of many short chains are as good as independent."""
    network = example_network(name)
    exact = network.infer(seen)
    everything = together(*(each.value() for each in [*network.choices.values()][:6]))
    if not jumps:
        monkeypatch.setattr(gibbs, "WORTHWHILE", 2.0)
    problem = problem_of(network.model, network.observe(seen))
    found = gibbs.ENGINE.solve(problem, EngineOptions(samples=600 * 4, chains=600, seed=2))
    last = found.worlds.reshape(600, 4, -1)[:, -1]
    values = network.model.value_of(everything, np.ascontiguousarray(last))
    place = {value: number for number, value in enumerate(everything.values)}
    counts = np.bincount([place[value] for value in values], minlength=len(place))
    assert p_value(counts / 600, exact.distribution(everything), 600) > 1e-3


def test_chains_that_cannot_mix_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two cities whose 16 guides agree: no block holds all of them, and a jump is not tried."""
    monkeypatch.setattr(gibbs, "WORTHWHILE", 2.0)
    guides = [Choice(f"guide {number}", range(2)) for number in range(16)]
    agree = together(*(guide.value() for guide in guides)).weigh(
        lambda values: float(len(set(values)) == 1), exact=True
    )
    found = infer(Model(*guides), [agree], method="gibbs", samples=400, chains=8)
    assert any("may not reach all worlds" in note for note in found.diagnostics.notes)
    assert not found.diagnostics.converged
