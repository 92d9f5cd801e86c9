"""A choice is one of finitely many values, each with a prior."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from hypothesis import given

from sleuth import Choice, Feature, Model, Walk, infer
from sleuth.beliefs.language.deal_features import Value
from sleuth.beliefs.language.walk import At
from sleuth.errors import DeclarationError, EvidenceError

from ..strategies import choices


def test_conditions_are_made_of_a_choice_itself() -> None:
    die = Choice("die", range(1, 7))
    belief = infer(Model(die))
    for condition, wanted in (
        (die.equals(6), 1 / 6),
        (die.among([1, 6]), 1 / 3),
        (die.between(2, 4), 1 / 2),
        (die.at_least(3), 2 / 3),
        (die.satisfies(lambda value: value % 2 == 0), 1 / 2),
    ):
        assert belief.probability(condition) == pytest.approx(wanted)
    assert die.among([1, 6]) == die.value().among([1, 6])


#: Of a feature what engines ask, and no reader of a page.
OF_ENGINES = {
    *("additive", "advice", "base", "extra", "fitted", "further", "has_all", "in_worlds", "large"),
    *("late", "nested", "on", "one_place"),
    *("counts", "one_holder", "places", "project", "size", "spoken_of"),
    *("extra", "further", "has_all", "refuse_table"),
}


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


@pytest.mark.parametrize("kind", [Choice, Walk])
def test_what_a_feature_has_a_choice_and_a_walk_have(kind: type) -> None:
    assert public(Feature) - OF_ENGINES <= public(kind)
    # And nothing has become theirs that is not listed here, such as a new method of one feature.
    assert public(Value) | public(At) == public(Feature)


DIE, COIN = Choice("die", range(1, 7)), Walk("coin", [1, 6])
ASKED: dict[str, Any] = {
    "describe": lambda of: of.describe(),
    "values": lambda of: of.values,
    "value_count": lambda of: of.value_count,
    "value": lambda of: of.value(),
    "equals": lambda of: of.equals(6),
    "among": lambda of: of.among([1, 6]),
    "between": lambda of: of.between(1, 2),
    "at_least": lambda of: of.at_least(3),
    "satisfies": lambda of: of.satisfies(lambda value: value % 2 == 0),
    "weigh": lambda of: of.weigh(lambda value: value / 6, because="a hint", event=3, trust=0.5),
}


@pytest.mark.parametrize("variable", [DIE, COIN], ids=["choice", "walk"])
@pytest.mark.parametrize("name", ASKED)
def test_a_variable_says_what_its_feature_says(name: str, variable: Choice | Walk) -> None:
    assert {*ASKED} == public(Feature) - OF_ENGINES
    ask = ASKED[name]
    found, expected = ask(variable), ask(variable.value())
    if name != "weigh":
        assert found == expected
        return
    assert (found.feature, found.id, found.event) == (expected.feature, expected.id, expected.event)
    assert found.table.tolist() == expected.table.tolist()


def test_a_choice_is_refused_what_its_feature_is_refused() -> None:
    for message, ask in {
        "value.die. cannot have this value": lambda: DIE.among([7]),
        "an interval ends before": lambda: DIE.between(4, 2),
        "are no numbers": lambda: Choice("name", ["ann"]).at_least(2),
        "coin. cannot have this value": lambda: COIN.equals("edge"),
    }.items():
        with pytest.raises(EvidenceError, match=message):
            ask()


@given(choice=choices())
def test_before_any_evidence_its_marginal_is_its_prior(choice: Choice) -> None:
    belief = infer(Model(choice))
    prior = dict(zip(choice.options, choice.prior, strict=True))
    assert belief.marginal(choice.value()) == pytest.approx(
        {value: chance for value, chance in prior.items() if chance > 0.0}
    )
    assert belief.log_evidence == pytest.approx(0.0, abs=1e-14)


def test_weights_become_probabilities() -> None:
    assert Choice("gold", {"left": 1, "right": 3}).prior == (0.25, 0.75)
    assert Choice("gold", ["left", "middle", "right"]).prior == (1 / 3, 1 / 3, 1 / 3)


def test_evidence_follows_bayes_rule() -> None:
    gold = Choice("gold", {"left": 0.2, "middle": 0.3, "right": 0.5})
    belief = infer(Model(gold), [gold.value().weigh([0.9, 0.1, 0.5])])
    total = 0.2 * 0.9 + 0.3 * 0.1 + 0.5 * 0.5
    assert belief.marginal(gold.value()) == pytest.approx(
        {"left": 0.18 / total, "middle": 0.03 / total, "right": 0.25 / total}
    )
    assert belief.log_evidence == pytest.approx(math.log(total))
    assert belief.probability(gold.equals("left")) == pytest.approx(0.18 / total)


def test_values_of_any_kind_can_be_chosen_from() -> None:
    options = (1, 2.5, None, ("deep", ("er", 3)), "text")
    choice = Choice("anything", options)
    belief = infer(Model(choice), [(~choice.equals(None)).observed()])
    assert belief.marginal(choice.value()) == pytest.approx(
        {value: 0.25 for value in options if value is not None}
    )
    assert belief.probability(choice.value().among([["deep", ("er", 3)], 1])) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "name, options, words",
    [
        ("", ["a"], "needs a name"),
        ("gold", [], "1 to 100,000 values"),
        ("gold", range(100_001), "1 to 100,000 values.*several choices"),
        ("gold", itertools.count(), "1 to 100,000 values"),
        ("gold", "gold", "a list of names"),
        ("gold", ["a", "a"], "given twice"),
        ("gold", {"a": -1.0}, "finite and not negative"),
        ("gold", {"a": math.nan}, "finite and not negative"),
        ("gold", {"a": math.inf}, "finite and not negative"),
        ("gold", {"a": 0.0, "b": 0}, "zero everywhere"),
        ("gold", {"a": "much"}, "finite and not negative"),
        ("gold", {"a", "b"}, "a set has no order"),
        ("gold", [["a"]], "must be hashable"),
        ("gold", 3, "a list of names"),
        (3, ["a"], "needs a name"),
    ],
)
def test_a_wrong_choice_is_refused(name: str, options: Any, words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        Choice(name, options)


def test_a_value_it_does_not_have_is_refused() -> None:
    gold = Choice("gold", ["left", "right"])
    with pytest.raises(EvidenceError, match=r"value\(gold\) cannot have this value.*left, right"):
        gold.equals("middle")


def test_a_choice_of_another_model_is_refused_with_the_nearest_name() -> None:
    gold, other = Choice("gold", ["left", "right"]), Choice("goal", ["left", "right"])
    with pytest.raises(EvidenceError, match=r"unknown choice.*'goal'.*did you mean 'gold'"):
        infer(Model(gold)).marginal(other.value())


def test_a_feature_of_a_choice_with_other_values_is_refused() -> None:
    declared, other = Choice("c", ["a", "b", "c"]), Choice("c", ["a", "b"])
    belief = infer(Model(declared))
    with pytest.raises(EvidenceError, match=r"has other values.*they are a, b, c"):
        belief.observe(other.equals("a"))
    with pytest.raises(EvidenceError, match="has other values"):
        belief.marginal(other.value())
