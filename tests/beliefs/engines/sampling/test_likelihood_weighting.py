"""Likelihood weighting knows simple evidence exactly, and weighs worlds by the rest."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sleuth import Choice, Deal, Model, infer, together
from sleuth.beliefs.engines.sampling import proposals
from sleuth.beliefs.engines.sampling.cards import declared_cards, open_cards
from sleuth.beliefs.engines.sampling.proposals import declared_proposal, informed_proposal
from sleuth.errors import CostError

from ..games import assert_close, clue_game, exact, mixed


@pytest.mark.parametrize("own_hand", [True, False])
def test_all_answers_of_a_clue_game_are_within_sampling_error(own_hand: bool) -> None:
    deal, given = clue_game(8, 8, own_hand=own_hand)
    answer = infer(Model(deal), given, method="likelihood_weighting")
    oracle = exact(Model(deal), given)
    assert_close(answer, oracle)
    assert answer.log_evidence == pytest.approx(oracle.log_evidence, abs=0.15)


def test_evidence_on_single_cards_costs_no_weight() -> None:
    deal = Deal([*"abcdef"], holders={"me": 2, "you": 2, "table": 2})
    given = [
        deal.lacks("you", "a"),
        deal.holder_of("b").weigh([0.5, 0.2, 0.9]),
        deal.count("table", "c").weigh([0.3, 1.0]),
    ]
    answer = infer(Model(deal), given, method="likelihood_weighting", samples=3_000)
    oracle = exact(Model(deal), given)
    assert answer.diagnostics.effective_samples == pytest.approx(3_000)
    assert answer.log_evidence == pytest.approx(oracle.log_evidence, abs=1e-9)
    assert_close(answer, oracle)


def test_an_observed_effect_is_weighed_and_not_drawn() -> None:
    cause, effect = Choice("cause", {"no": 0.99, "yes": 0.01}), Choice("effect", ["no", "yes"])
    law = together(cause.value(), effect.value()).weigh([0.95, 0.05, 0.1, 0.9])
    answer = infer(
        Model(cause, effect), [law, effect.equals("yes")], method="likelihood_weighting", seed=2
    )
    assert answer.diagnostics.acceptance == 1.0
    # 0.01 * 0.9 / (0.01 * 0.9 + 0.99 * 0.05)
    assert answer.probability(cause.equals("yes")) == pytest.approx(0.009 / 0.0585, abs=0.02)


def test_uneven_weights_are_admitted() -> None:
    deal = Deal([f"card {n}" for n in range(40)], holders={"x": 20, "y": 20})
    given = [deal.count("x", [*deal.items][:20]).weigh(lambda k: 10.0**-k)]
    answer = infer(Model(deal), given, method="likelihood_weighting", samples=1_000)
    effective = answer.diagnostics.effective_samples
    assert effective is not None
    assert effective < 10
    assert "are worth only" in answer.diagnostics.notes[0]


def test_no_world_that_fits_is_said_to_be_none() -> None:
    deal = Deal([f"card {n}" for n in range(30)], holders={"x": 15, "y": 15})
    cards = [*deal.items]
    given = [deal.count("x", cards[k : k + 3]).among([0, 3]) for k in range(0, 30, 3)]
    with pytest.raises(CostError, match=r"drew 50 worlds .* none of them; take method"):
        infer(Model(deal), given, method="likelihood_weighting", samples=50)


def test_where_the_graph_is_too_large_a_pack_is_shuffled(monkeypatch: pytest.MonkeyPatch) -> None:
    model, given = mixed()
    given.append(Choice("mood", ["good", "bad"]).value().weigh([0.4, 0.6]))
    oracle = exact(model, given)
    monkeypatch.setattr(proposals, "build", lambda *arguments, **settings: None)
    answer = infer(model, given, method="likelihood_weighting")
    assert_close(answer, oracle)
    assert answer.log_evidence == pytest.approx(oracle.log_evidence, abs=0.05)
    deal, given = clue_game(1, 4)
    with pytest.raises(CostError, match="dealing at random needs a graph"):
        infer(Model(deal), given, method="likelihood_weighting")


def test_the_total_of_a_proposal_is_exact() -> None:
    # Weighted by what is left, draws average to the total weight, whatever is drawn how.
    model, given = mixed()
    oracle = exact(model, given)
    for make, cards_of in (
        (declared_proposal, declared_cards),
        (informed_proposal, open_cards),
    ):
        cards = cards_of(oracle.problem)
        proposal = make(oracle.problem, cards)
        left = cards.ordered([int(factor) for factor in np.flatnonzero(proposal.used == 0)])
        worlds, own = proposal.draw(40_000, np.random.default_rng(3))
        mean = np.exp(own + left.log_weights(worlds)).mean()
        estimate = proposal.log_total + math.log(mean)
        assert estimate == pytest.approx(oracle.solution.log_weight, abs=0.03)
