"""Enumeration, the package's oracle, against every deal of the physical cards by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings

from sleuth import Deal, Model, infer
from sleuth.beliefs.engines import engine
from sleuth.errors import ContradictionError, CostError

from ..by_hand import by_hand
from ..strategies import Case, cases


@given(case=cases())
@settings(max_examples=80)
def test_enumeration_is_what_listing_the_deals_by_hand_gives(case: Case) -> None:
    truth = by_hand(case.model, case.given)
    if truth.total == 0.0:
        with pytest.raises(ContradictionError):
            infer(case.model, case.given, method="enumeration")
        return
    posterior = infer(case.model, case.given, method="enumeration")
    assert posterior.log_evidence == pytest.approx(math.log(truth.total), rel=1e-12, abs=1e-12)
    for feature in case.features:
        shares = truth.distribution(feature)
        np.testing.assert_allclose(posterior.distribution(feature), shares, rtol=0, atol=1e-12)
    for deal in case.deals:
        table, wanted = posterior.table(deal), truth.table(deal)
        for item, shares in table.items():
            assert shares == pytest.approx(wanted[item], abs=1e-12)


def test_too_many_deals_are_refused_and_the_message_says_what_to_do() -> None:
    cards = Deal([f"card {n}" for n in range(21)], holders={"a": 7, "b": 7, "c": 7})
    with pytest.raises(CostError, match=r"lists at most 2,000,000 worlds.*take method='auto'"):
        infer(Model(cards), method="enumeration")


def test_copies_are_listed_as_counts_but_weigh_as_cards() -> None:
    cards = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
    listing = engine("enumeration").solve(Model(cards).problem, infer(Model(cards)).options)
    # Two aces on three holders and what the kings then have to be: 6 worlds, 90 deals.
    assert listing.log_weight == pytest.approx(math.log(90.0), abs=1e-13)
