"""Loopy belief propagation is exact on trees, and off by hundredths on Clue."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from sleuth import Choice, Deal, Model, infer, together
from sleuth.beliefs.engines.networks.messages import factor_messages
from sleuth.models.kernels.kernel import plain

from ..games import cheat, clue_game, exact, mixed


def test_a_chain_of_choices_is_exact() -> None:
    rng = np.random.default_rng(1)
    links = [Choice(f"x{n}", {value: rng.random() for value in range(3)}) for n in range(6)]
    given = [
        together(left.value(), right.value()).weigh([*rng.random(9)])
        for left, right in itertools.pairwise(links)
    ]
    model = Model(*links)
    answer, oracle = infer(model, given, method="loopy_bp"), exact(model, given)
    assert answer.diagnostics.converged
    assert answer.solution.expected() == pytest.approx(oracle.solution.expected(), abs=1e-9)
    assert answer.log_evidence == pytest.approx(oracle.log_evidence, abs=1e-9)
    pair = together(links[2].value(), links[3].value())
    assert answer.distribution(pair) == pytest.approx(oracle.distribution(pair), abs=1e-9)


def test_a_deal_to_two_holders_with_evidence_on_single_cards_is_exact() -> None:
    # One size implies the other, so a single factor joins the cards: a tree.
    deal = Deal([*"abcdefg"], holders={"x": 3, "y": 4})
    rng = np.random.default_rng(2)
    given = [deal.count("x", card).weigh([*(rng.random(2) + 0.05)]) for card in "abcde"]
    answer, oracle = infer(Model(deal), given, method="loopy_bp"), exact(Model(deal), given)
    assert answer.solution.expected() == pytest.approx(oracle.solution.expected(), abs=1e-9)
    assert answer.log_evidence == pytest.approx(oracle.log_evidence, abs=1e-9)
    for feature in (deal.count("x", [*"abc"]), deal.which("y", [*"bdf"])):
        assert answer.distribution(feature) == pytest.approx(oracle.distribution(feature), abs=1e-9)


@pytest.mark.parametrize("own_hand", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_a_clue_game_is_off_by_hundredths(seed: int, own_hand: bool) -> None:
    deal, given = clue_game(seed, 6, own_hand=own_hand)
    answer, oracle = infer(Model(deal), given, method="loopy_bp"), exact(Model(deal), given)
    assert answer.diagnostics.converged
    error = np.abs(answer.solution.expected() - oracle.solution.expected())
    assert 1e-4 < error.max() < 0.1
    assert answer.log_evidence == pytest.approx(oracle.log_evidence, abs=0.5)


def test_one_card_of_a_category_in_the_case_file_is_one_card() -> None:
    deal, given = clue_game(2, 5)
    answer, oracle = infer(Model(deal), given, method="loopy_bp"), exact(Model(deal), given)
    triple = together(*(deal.single("case file", kind) for kind in deal.categories))
    assert answer.distribution(triple).sum() == pytest.approx(1.0)
    assert answer.distribution(triple) == pytest.approx(oracle.distribution(triple), abs=0.05)
    marginal = answer.marginal(deal.single("case file", "weapon"))
    table = answer.table(deal)
    assert marginal == pytest.approx({card: table[card]["case file"] for card in marginal})


def test_the_belief_about_evidence_is_that_of_its_factor() -> None:
    deal, given = clue_game(3, 6, own_hand=False)
    asked = deal.which("bob", ["plum", "rope", "hall"])
    given.append(deal.holds_any("bob", ["plum", "rope", "hall"]))
    answer = infer(Model(deal), given, method="loopy_bp")
    assert answer.marginal(asked).get((), 0.0) == 0.0
    oracle = exact(Model(deal), given)
    assert answer.distribution(asked) == pytest.approx(oracle.distribution(asked), abs=0.1)


@pytest.mark.parametrize("game", [cheat, mixed])
def test_copies_moves_and_several_variables_are_near(game: object) -> None:
    model, given = game()  # pyright: ignore[reportCallIssue]
    answer, oracle = infer(model, given, method="loopy_bp"), exact(model, given)
    expected = oracle.solution.expected()
    assert answer.solution.expected() == pytest.approx(expected, abs=0.25)
    assert answer.solution.expected().sum(axis=1) == pytest.approx(expected.sum(axis=1))


def test_messages_of_a_factor_by_hand() -> None:
    # "Exactly one of two cards": each is told the chance that the other is not there.
    incoming = np.array([[0.3, 0.7], [0.4, 0.6]])
    delta = np.array([[1, 0], [1, 0]])
    outgoing = np.zeros((2, 2))
    allowed = np.ones((2, 2), dtype=np.int8)
    for function in (factor_messages, plain(factor_messages)):
        total = function(incoming, delta, np.array([0.0, 1.0]), allowed, np.array([0, 1]), outgoing)
        assert total == pytest.approx(0.3 * 0.6 + 0.7 * 0.4)
        assert outgoing == pytest.approx(np.array([[0.6, 0.4], [0.7, 0.3]]))
