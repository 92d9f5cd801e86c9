"""A model: its variables, the number of its deals, and draws from the declaration."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from sleuth import Choice, Deal, Model, Question, Walk, infer, together
from sleuth.errors import DeclarationError, EvidenceError

from ..by_hand import by_hand, worlds
from ..strategies import Case, cases, copied_deals, distinct_deals

CARDS = Deal({"ace": 2, "king": 2}, holders={"me": 2, "you": 2}, name="cards")
GOLD = Choice("gold", {"left": 0.25, "right": 0.75})


@given(case=cases(most=0))
@settings(max_examples=60)
def test_nothing_observed_has_log_evidence_zero_and_the_declared_marginals(case: Case) -> None:
    belief, truth = infer(case.model), by_hand(case.model)
    assert belief.log_evidence == pytest.approx(0.0, abs=1e-13)
    for feature in case.features:
        np.testing.assert_allclose(
            belief.distribution(feature), truth.distribution(feature), rtol=0, atol=1e-13
        )


@given(deal=st.one_of(distinct_deals(), copied_deals()))
@settings(max_examples=40)
def test_every_physical_deal_is_counted(deal: Deal) -> None:
    weight = infer(Model(deal), method="card_by_card").solution.log_weight
    # Which of several copies are the known ones is fixed, in the package as by hand.
    assert round(math.exp(weight)) == len(worlds(deal))


def test_variables_are_found_by_name() -> None:
    model = Model(CARDS, GOLD)
    assert model.variable("cards") is CARDS
    assert model.variable("gold") is GOLD
    with pytest.raises(DeclarationError, match=r"unknown variable.*'silver'"):
        model.variable("silver")


def test_a_choice_and_a_walk_are_asked_and_observed_by_name() -> None:
    season = Choice("season", {"dry": 0.25, "wet": 0.75})
    sky = Choice("sky", {"dry": ["blue"], "wet": ["blue", "grey"]}, given=season)
    model = Model(season, sky, CARDS)
    ace = CARDS.holds("me", "ace", 2)
    belief = infer(model, [{"season": "dry"}, ace])
    known = infer(model, [season.equals("dry").observed(because="season = dry"), ace])
    assert belief == known
    assert [each.id for each in belief.evidence] == ["season = dry", "evidence 2"]
    assert infer(model, {"season": "dry", "sky": "blue"}).log_evidence == pytest.approx(
        math.log(0.25)
    )
    plain = infer(model)
    assert plain.marginal("sky") == plain.marginal(sky)
    assert plain.joint("sky", season) == plain.joint(sky, season)
    assert plain.entropy(("season", "sky")) == plain.entropy((season, sky))
    assert plain.most_likely("season") == [("wet", 0.75)]
    assert plain.distribution("sky").tolist() == plain.distribution(sky).tolist()
    assert plain.observe({"sky": "grey"}).explain(season.equals("wet")) == ["sky = grey"]
    assert plain.observe({"sky": "grey"}).retract("sky = grey") == plain
    found = plain.after_each([{"season": "dry"}, [{"sky": "grey"}, ace]], about="sky")
    assert found.probabilities == pytest.approx([0.25, 0.375 / 6])
    asked = Question(sky, lambda value: {value: 1.0})
    assert plain.information_gain(asked, about="sky") == pytest.approx(plain.entropy(sky))
    thief = Walk("thief", ["inn", "dock"])
    assert infer(Model(thief), {"thief": "inn"}).marginal("thief") == {"inn": 1.0}


@pytest.mark.parametrize(
    "given, words",
    [
        ({"golt": "left"}, r"no variable has this name \(got 'golt'\); did you mean 'gold'"),
        ({"gold": "lefd"}, r"\(got 'lefd'\); did you mean 'left'\? Its values are left, right"),
        ({"gold": 1}, r"\(got 1\); its values are left, right"),
        ({"cards": {"me": ["ace"]}}, r"a deal has no value.*deal.holds\(holder, item\)"),
        ({GOLD: "left"}, r"not evidence.*\{name of a choice: its value\}"),
        ([GOLD.value() == "left"], r"not evidence \(got False\); write feature.equals\(1\)"),
    ],
)
def test_values_of_what_is_not_there_are_refused(given: Any, words: str) -> None:
    with pytest.raises(EvidenceError, match=words):
        infer(Model(CARDS, GOLD), given)


def test_names_that_are_no_features_are_refused() -> None:
    belief = infer(Model(CARDS, GOLD))
    with pytest.raises(EvidenceError, match="did you mean 'gold'"):
        belief.marginal("golt")
    with pytest.raises(EvidenceError, match="a deal has no value of its own"):
        belief.entropy("cards")
    with pytest.raises(EvidenceError, match="pass the Choice itself"):
        Choice("more", {"left": [1], "right": [2]}, given=cast("Any", "gold"))


@pytest.mark.parametrize(
    "variables, words",
    [
        ((), "needs a hidden variable"),
        (("x",), r"made of hidden variables \(got 'x'\); write Model\(Deal"),
        (([CARDS],), r"made of hidden variables .*one argument for each"),
        ((CARDS, Choice("cards", ["a"])), "two variables have one name.*'cards'.*name="),
        (
            tuple(
                Deal([*map(str, range(100))], holders={str(i): 1 for i in range(100)}, name=f"d{n}")
                for n in range(2)
            ),
            "at most 127 places.*200",
        ),
    ],
)
def test_wrong_models_are_refused(variables: Any, words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        Model(*variables)


def test_names_of_variables_and_holders_do_not_get_in_each_others_way() -> None:
    table = Deal(["table", "chair"], holders={"table": 1, "me": 1}, name="table")
    belief = infer(Model(table, GOLD), [table.holds("me", "chair")])
    assert belief.table(table)["table"] == pytest.approx({"table": 1.0, "me": 0.0})
    (world,) = belief.sample(1, np.random.default_rng(0))
    assert world["table"] == {"table": ["table"], "me": ["chair"]}
    assert world["gold"] in ("left", "right")
    columns = belief.sample_array(1, np.random.default_rng(0))[0]
    holders = belief.holders(table)
    for (variable, item), place in zip(belief.columns(), columns, strict=True):
        if variable == "table":
            assert holders[place] == {"table": "table", "chair": "me"}[item]


def test_simulated_worlds_follow_the_declaration() -> None:
    model = Model(CARDS, GOLD)
    about = together(CARDS.count("me", "ace"), GOLD.value())
    drawn = Counter(model.simulate(20_000, np.random.default_rng(1)).value(about))
    wanted = infer(model).marginal(about)
    assert set(drawn) <= set(wanted)
    counts = [drawn[value] for value in wanted]
    assert chisquare(counts, [20_000 * p for p in wanted.values()]).pvalue > 1e-4


def test_simulated_answers_follow_their_question() -> None:
    asked = Question(
        together(CARDS.count("me", "ace"), GOLD.value()),
        lambda value: {"yes": (1 + value[0]) / 4, "no": (3 - value[0]) / 4},
    )
    sure = Question(CARDS.count("me", "ace"), lambda n: {n: 1.0})
    simulation = Model(CARDS, GOLD).simulate(20_000, np.random.default_rng(2), [asked, sure])
    assert len(simulation) == 20_000
    assert simulation.answers.shape == (20_000, 2)
    aces = simulation.value(CARDS.count("me", "ace"))
    assert [sure.outcomes[answer] for answer in simulation.answers[:, 1]] == aces
    for n in (0, 1, 2):
        said = [
            asked.outcomes[answer]
            for answer, there in zip(simulation.answers[:, 0], aces, strict=True)
            if there == n
        ]
        expected = len(said) * np.array([(1 + n) / 4, (3 - n) / 4])
        assert chisquare([said.count("yes"), said.count("no")], expected).pvalue > 1e-4


@given(seed=st.integers(0, 2**32))
@settings(max_examples=5)
def test_the_same_seed_simulates_the_same(seed: int) -> None:
    asked = Question(CARDS.count("me", "ace"), lambda n: {n: 0.5, "?": 0.5})
    first, second = (
        Model(CARDS, GOLD).simulate(50, np.random.default_rng(seed), [asked]) for _ in range(2)
    )
    assert (first.worlds == second.worlds).all()
    assert (first.answers == second.answers).all()


def test_a_model_can_be_sent_to_another_process() -> None:
    model = Model(CARDS, GOLD)
    infer(model)
    again = pickle.loads(pickle.dumps(model))
    about = together(CARDS.count("me", "ace"), GOLD.value())
    assert infer(again).marginal(about) == infer(model).marginal(about)


def test_known_items_are_known() -> None:
    deal = Deal(
        {"ace": 2, "king": 3},
        holders={"me": 2, "you": 3},
        known={"me": {"ace": 1}, "you": {"king": 1}},
    )
    belief = infer(Model(deal))
    # One ace and two kings on one place of mine and two of yours.
    assert belief.marginal(deal.count("me", "ace")) == pytest.approx({1: 2 / 3, 2: 1 / 3})
    assert belief.explain(deal.count("me", "ace").at_least(1)) == []
