"""Hand families: the cases in which hardly anything is left to combine."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth.beliefs import Deal, Model, Posterior, infer


def three_players() -> Deal:
    """Six cards, two each."""
    return Deal(list("abcdef"), holders={"x": 2, "y": 2, "z": 2})


def both(deal: Deal, given: list[object]) -> tuple[Posterior, Posterior]:
    """The same evidence by hand families and by listing every deal."""
    return (
        infer(Model(deal), given, method="hand_families"),  # type: ignore[arg-type]
        infer(Model(deal), given, method="enumeration"),  # type: ignore[arg-type]
    )


def test_a_deal_that_is_wholly_known_still_answers() -> None:
    deal = three_players()
    belief, listed = both(deal, [deal.holds("x", ["a", "b"]), deal.holds("y", ["c", "d"])])
    assert belief.marginal(deal.holder_of("e")) == {"z": 1.0}
    assert belief.log_evidence == pytest.approx(listed.log_evidence, abs=1e-12)
    worlds = belief.sample_array(5, np.random.default_rng(0))
    assert (worlds == worlds[0]).all()


def test_a_feature_across_hands_agrees_with_listing() -> None:
    deal = three_players()
    tied = (deal.holder_of("a"), deal.holder_of("c"), deal.which("x", ["b", "e"]))
    belief, listed = both(deal, [deal.holds_any("y", ["a", "b"]), deal.lacks("z", "c")])
    expected = listed.marginal(tied)
    found = belief.marginal(tied)
    assert found.keys() == expected.keys()
    assert all(abs(found[value] - expected[value]) < 1e-12 for value in expected)


def test_a_factor_on_two_holders_makes_them_one_party() -> None:
    deal = three_players()
    same = deal.count(["x", "y"], ["a", "b", "c"])
    belief, listed = both(
        deal,
        [
            same.weigh([1.0, 2.0, 5.0, 1.0]),
            (deal.count("x", ["a", "b"]).equals(2) | deal.count("y", ["d", "e"]).equals(2)),
        ],
    )
    assert belief.log_evidence == pytest.approx(listed.log_evidence, abs=1e-12)
    for item, shares in listed.table(deal).items():
        for holder, share in shares.items():
            assert belief.table(deal)[item][holder] == pytest.approx(share, abs=1e-12)
