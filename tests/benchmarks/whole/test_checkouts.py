"""Checkouts are compared by their own code, and by all that is believed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.whole.belief_digests import kept, word
from benchmarks.whole.checkouts import HERE, importable, printed
from sleuth import Choice, Deal, Model, infer


def test_a_checkout_is_imported_as_its_setup_says(tmp_path: Path) -> None:
    with importable(HERE) as folder:
        assert (folder / "sleuth" / "__init__.py").resolve() == HERE / "front" / "__init__.py"
        assert (folder / "sleuth" / "beliefs").resolve() == HERE / "beliefs"
    script = tmp_path / "where.py"
    script.write_text("import json, sleuth\nprint(json.dumps(sleuth.__path__))")
    assert str(HERE) not in printed(HERE, script)[0]  # through the links, not as it is installed
    with pytest.raises(SystemExit, match="no checkout"), importable(tmp_path):
        pass


def test_a_digest_tells_beliefs_apart_that_differ_in_anything() -> None:
    deal, coin = Deal([*"abc"], holders={"me": 1, "you": 2}), Choice("coin", ["heads", "tails"])
    even = infer(Model(deal, coin))
    assert word(even) == word(infer(Model(deal, coin)))
    others = [
        even.observe(coin.value().weigh([1.0, 1.0 + 1e-15])),
        even.observe(deal.holds("me", "a")),
        even.observe(coin.value().weigh([0.5, 0.5])),
        infer(Model(deal, Choice("coin", {"heads": 1, "tails": 2}))),
    ]
    assert len({word(each) for each in (even, *others)}) == 5


def test_every_posterior_that_is_made_is_kept() -> None:
    coin = Choice("coin", ["heads", "tails"])
    with kept() as made:
        belief = infer(Model(coin))
        after = belief.observe(coin.equals("heads"))
    assert made[0] is belief
    assert made[-1] is after
    infer(Model(coin))
    assert made[-1] is after
