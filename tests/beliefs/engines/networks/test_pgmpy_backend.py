"""Variable elimination through pgmpy says what enumeration and card by card say."""

from __future__ import annotations

import itertools
import math
import sys

import numpy as np
import pytest
from scipy.stats import chisquare

from sleuth import Choice, Deal, Evidence, Model, infer, together
from sleuth.beliefs.engines import engine
from sleuth.beliefs.engines.base import Cost, EngineOptions, Unsupported
from sleuth.beliefs.engines.networks.markov import chain_table, encode, minimal_chain
from sleuth.errors import ContradictionError, CostError, SettingsError, UnsupportedError
from sleuth.networks import example_network

ROOMS = [f"room {number}" for number in range(5)]
WEAPONS = [f"weapon {number}" for number in range(4)]


def mystery() -> Deal:
    """A small Clue: one room and one weapon in the file, the rest with three players."""
    return Deal(
        [*ROOMS, *WEAPONS],
        holders={"ann": 3, "bob": 2, "cem": 2, "file": 2},
        categories={"rooms": ROOMS, "weapons": WEAPONS},
        counts={"file": {"rooms": 1, "weapons": 1}},
    )


def evidence_of(deal: Deal, rng: np.random.Generator) -> list[Evidence]:
    """What a game in which nobody lies could have shown: true of one random deal."""
    world = Model(deal).simulate(1, rng)
    given: list[Evidence] = []
    for _ in range(4):
        cards = [str(rng.choice(ROOMS)), str(rng.choice(WEAPONS))]
        who = str(rng.choice(["ann", "bob", "cem"]))
        held = world.value(deal.which(who, cards))[0]
        if not held:
            given.append(deal.lacks(who, cards))
        elif rng.random() < 0.5:
            given.append(deal.holds_any(who, cards))
        else:
            shown = held[0]
            given.append(
                deal.which(who, cards).weigh(
                    lambda has, shown=shown: 1 / len(has) if shown in has else 0.0, exact=True
                )
            )
    given.append(deal.count("ann", ROOMS).weigh([1.0, 0.7, 0.4, 0.2]))
    return given


@pytest.mark.parametrize("seed", range(8))
def test_it_agrees_with_enumeration_on_random_small_games(seed: int) -> None:
    deal = mystery()
    given = evidence_of(deal, np.random.default_rng(seed))
    oracle = infer(Model(deal), given, method="enumeration")
    answer = infer(Model(deal), given, method="pgmpy")
    assert answer.exact
    assert answer.log_evidence == pytest.approx(oracle.log_evidence, abs=1e-12)
    np.testing.assert_allclose(answer.solution.expected(), oracle.solution.expected(), atol=1e-12)
    for feature in (
        deal.holder_of("room 1"),
        deal.which("bob", ROOMS),
        deal.count(["ann", "bob"], WEAPONS),
        together(deal.single("file", "rooms"), deal.single("file", "weapons")),
        together(deal.count("ann", ROOMS), deal.holder_of("weapon 0"), deal.holder_of("room 4")),
    ):
        np.testing.assert_allclose(
            answer.distribution(feature), oracle.distribution(feature), atol=1e-12
        )


def test_identical_copies_count_as_the_physical_cards_they_are() -> None:
    deal = Deal({"ace": 3, "king": 4}, holders={"me": 2, "you": 3, "table": 2})
    culprit = Choice("mood", {"bold": 0.25, "shy": 0.75})
    model = Model(deal, culprit)
    boasts = together(culprit.value(), deal.count("you", "ace")).weigh(
        lambda pair: 0.9 if (pair[0] == "bold") == (pair[1] >= 2) else 0.3
    )
    given = [deal.holds("me", "king", 1), boasts]
    oracle = infer(model, given, method="enumeration")
    answer = infer(model, given, method="pgmpy")
    assert answer.log_evidence == pytest.approx(oracle.log_evidence, abs=1e-12)
    np.testing.assert_allclose(answer.solution.expected(), oracle.solution.expected(), atol=1e-12)
    feature = (culprit.value(), deal.count("table", "ace"))
    np.testing.assert_allclose(
        answer.distribution(feature), oracle.distribution(feature), atol=1e-12
    )


def test_counts_as_large_as_a_six_player_spectators_are_exact() -> None:
    cards = [f"card {number}" for number in range(18)]
    deal = Deal(cards, holders={f"player {number}": 3 for number in range(6)})
    answer = infer(Model(deal), [deal.lacks("player 0", cards[:4])], method="pgmpy")
    share = math.comb(14, 3) / math.comb(18, 3)
    assert answer.log_evidence == pytest.approx(math.log(share), abs=1e-12)
    assert answer.probability(deal.all_of("player 0", cards[4:7])) == pytest.approx(
        1 / math.comb(14, 3), rel=1e-12
    )


def test_its_worlds_follow_the_posterior() -> None:
    deal = mystery()
    given = evidence_of(deal, np.random.default_rng(3))
    answer = infer(Model(deal), given, method="pgmpy")
    oracle = infer(Model(deal), given, method="enumeration")
    worlds = answer.solution.draw(4_000, np.random.default_rng(1))
    wanted = together(deal.single("file", "rooms"), deal.holder_of("weapon 2"))
    drawn = answer.model.value_of(wanted, worlds)
    shares = oracle.marginal(wanted)
    assert set(drawn) <= set(shares)
    counts = [drawn.count(value) for value in shares]
    assert chisquare(counts, [4_000 * share for share in shares.values()]).pvalue > 1e-3
    held = answer.model.value_of(deal.count("ann", deal.items), worlds)
    assert set(held) == {3}


def test_what_nobody_can_afford_is_refused() -> None:
    cards = [f"card {number}" for number in range(48)]
    deal = Deal(cards, holders={f"player {number}": 8 for number in range(6)})
    rng = np.random.default_rng(0)
    given = [
        deal.holds_any(f"player {rng.integers(6)}", list(rng.choice(cards, 6, replace=False)))
        for _ in range(40)
    ]
    model = Model(deal)
    problem = model.problem.with_factors(
        [(None, piece.feature.base.additive(model.layout), piece.base_table()) for piece in given]
    )
    cost = engine("pgmpy").cost(problem)
    assert isinstance(cost, Cost)
    assert cost.operations > 1e12
    with pytest.raises(CostError):
        engine("pgmpy").solve(problem, EngineOptions())
    many = Deal({"card": 130}, holders={"you": 65, "me": 65})
    assert isinstance(engine("pgmpy").cost(Model(many).problem), Unsupported)


def test_contradictions_are_found_and_not_confused_with_small_weights() -> None:
    deal = mystery()
    with pytest.raises(ContradictionError):
        infer(Model(deal), [deal.lacks(["ann", "bob", "cem"], ROOMS)], method="pgmpy")
    # Each card is improbable with everybody else's taste, and there are too many of them.
    choices = [Choice(f"choice {number}", ["a", "b"]) for number in range(40)]
    pairs = [
        together(first.value(), second.value()).weigh(
            lambda pair: 1.0 if pair == ("a", "a") else 1e-12
        )
        for first, second in itertools.pairwise(choices)
    ]
    ends = [choices[0].equals("b").observed(), choices[-1].equals("b").observed()]
    middle = [choice.value().weigh([1e-12, 1.0]) for choice in choices]
    with pytest.raises(UnsupportedError, match="double precision"):
        infer(Model(*choices), [*pairs, *middle, *ends], method="pgmpy")


def test_everything_known_needs_no_network() -> None:
    deal = Deal(["ace", "king"], holders={"me": 1, "you": 1})
    answer = infer(Model(deal), [deal.holds("me", "ace")], method="pgmpy")
    assert answer.log_evidence == pytest.approx(math.log(0.5))
    assert answer.probability(deal.all_of("you", "king")) == 1.0
    assert answer.sample(2, np.random.default_rng(0))[1] == {
        "deal": {"me": ["ace"], "you": ["king"]}
    }


def test_at_least_one_of_many_cards_needs_one_bit() -> None:
    cards = [(card, np.array([0, 1, 0])) for card in range(12)]
    table = np.ones(13)
    table[0] = 0.0
    chain = minimal_chain(cards, 0, table)
    assert max(step.shape[0] for step in chain.steps) == 2
    assert chain_table(minimal_chain(cards[:2], 0, table)).tolist() == [
        [0.0, 1.0, 0.0],
        [1.0, 1.0, 1.0],
        [0.0, 1.0, 0.0],
    ]


def test_one_size_of_a_deal_follows_from_the_others() -> None:
    deal = Deal([f"card {number}" for number in range(9)], holders={"a": 3, "b": 3, "c": 3})
    assert len(encode(Model(deal).problem).chains) == 2


def test_where_pgmpy_is_not_installed_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """None is for Python 3.15 yet."""
    monkeypatch.setitem(sys.modules, "pgmpy", None)
    deal = mystery()
    with pytest.raises(UnsupportedError, match="pgmpy is not installed"):
        infer(Model(deal), method="pgmpy")
    assert infer(Model(deal)).log_evidence == 0.0
    with pytest.raises(SettingsError, match="pgmpy ships these networks, and is not installed"):
        example_network("asia")
