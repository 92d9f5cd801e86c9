"""The table of subgames solved anew says that none makes a policy easier to exploit."""

from __future__ import annotations

import importlib


def test_subgames_of_kuhn_poker_are_safe_with_a_gadget_and_mended() -> None:
    benchmark = importlib.import_module("benchmarks.search.resolving")
    found = benchmark.measure("kuhn_poker", quick=True)
    assert found["subgames"] == 2
    assert len(found["policies"]) == 5
    for row in found["policies"].values():
        assert max(row["usual"], row["max_margin"]) <= row["before"] + 1e-9
    coins = found["policies"]["coins"]
    assert coins["usual"] < coins["resolving"]
