"""A posterior answers the same whatever computed it and in whatever order evidence came."""

from __future__ import annotations

import math
import pickle
from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from sleuth import Choice, Deal, Evidence, Model, Posterior, Question, infer, together
from sleuth.errors import ContradictionError, EvidenceError, SettingsError

from .by_hand import by_hand, entropy
from .strategies import Case, cases

CARDS = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2}, name="cards")
GOLD = Choice("gold", {"left": 0.25, "right": 0.75})
LINK = together(CARDS.count("me", "ace"), GOLD.value()).weigh(
    lambda value: 1 + value[0] * (value[1] == "left")
)
EXACT = ("enumeration", "card_by_card", "auto")


def solved(case: Case, given_: Any = None, **options: Any) -> Posterior | None:
    try:
        return infer(case.model, case.given if given_ is None else given_, **options)
    except ContradictionError:
        return None


def same(first: Posterior, second: Posterior, case: Case) -> None:
    assert first.log_evidence == pytest.approx(second.log_evidence, abs=1e-11)
    for feature in case.features:
        np.testing.assert_allclose(
            first.distribution(feature), second.distribution(feature), rtol=0, atol=1e-12
        )


# -- laws


@pytest.mark.parametrize("method", EXACT)
@given(case=cases())
@settings(max_examples=40)
def test_marginals_are_those_of_every_world_by_hand(method: str, case: Case) -> None:
    truth, belief = by_hand(case.model, case.given), solved(case, method=method)
    assert (belief is None) == (truth.total == 0.0)
    if belief is None:
        return
    assert belief.log_evidence == pytest.approx(math.log(truth.total), abs=1e-11)
    for feature in case.features:
        shares = belief.distribution(feature)
        np.testing.assert_allclose(shares, truth.distribution(feature), rtol=0, atol=1e-12)
        assert math.fsum(shares) == pytest.approx(1.0, abs=1e-12)
        assert belief.entropy(feature) == pytest.approx(
            entropy(truth.distribution(feature)), abs=1e-10
        )


@given(case=cases(), data=st.data())
@settings(max_examples=60)
def test_evidence_may_come_in_any_order_and_in_any_portions(
    case: Case, data: st.DataObject
) -> None:
    batch = solved(case)
    turned = data.draw(st.permutations(case.given))
    current: Posterior | None = infer(case.model)
    for evidence in turned:
        try:
            assert current is not None
            current = current.observe(evidence)
        except ContradictionError:
            current = None
            break
    assert (batch is None) == (current is None)
    if batch is None or current is None:
        return
    same(batch, current, case)
    cut = data.draw(st.integers(0, len(turned)))
    same(batch, infer(case.model, turned[:cut]).observe(turned[cut:]), case)


@given(case=cases(most=3), data=st.data())
@settings(max_examples=60)
def test_the_same_feature_may_be_weighed_again_and_again(case: Case, data: st.DataObject) -> None:
    feature = case.features[0]
    parts = [
        feature.weigh(
            [data.draw(st.sampled_from([0.25, 0.5, 1.0, 3.0])) for _ in feature.values], id=f"{n}"
        )
        for n in range(3)
    ]
    once = Evidence(feature, parts[0].table * parts[1].table * parts[2].table)
    belief = solved(case)
    if belief is None:
        return
    step = belief.observe(parts[0])
    step.marginal(case.features[1])
    same(step.observe(parts[1]).observe(parts[2]), belief.observe(once), case)
    same(belief.observe(parts), belief.observe(once), case)


@given(case=cases(), data=st.data())
@settings(max_examples=60)
def test_retracting_undoes_and_the_old_posterior_stays(case: Case, data: st.DataObject) -> None:
    belief = solved(case)
    if belief is None or not case.given:
        return
    ids = [step.id for step in belief.history if isinstance(step, Evidence)]
    assert len(set(ids)) == len(case.given)
    place = data.draw(st.integers(0, len(ids) - 1))
    before = [belief.distribution(feature) for feature in case.features]
    without = belief.retract(str(ids[place]))
    rest = [*case.given[:place], *case.given[place + 1 :]]
    same(without, infer(case.model, rest), case)
    restored = without.observe(case.given[place])
    same(restored, belief, case)
    for feature, shares in zip(case.features, before, strict=True):
        assert (belief.distribution(feature) == shares).all()


def test_retracting_what_a_prediction_was_set_against_sets_it_anew() -> None:
    claim = CARDS.count("you", "ace").at_least(1)
    steps = [CARDS.holds("me", "ace", id="seen"), claim.predicted(0.8, id="model")]
    belief = infer(Model(CARDS), steps)
    assert belief.probability(claim) == pytest.approx(0.8)
    without = belief.retract("seen")
    assert without.probability(claim) == pytest.approx(0.8)
    assert without == infer(Model(CARDS), steps[1:])
    assert belief.retract("model").probability(claim) == pytest.approx(
        infer(Model(CARDS), steps[:1]).probability(claim)
    )


def test_an_event_is_retracted_with_all_it_said() -> None:
    steps = [
        CARDS.holds("me", "ace", event=1),
        CARDS.lacks("you", "ace", event=2),
        CARDS.holds("table", "king", event=1),
    ]
    belief = infer(Model(CARDS), steps).retract(1)
    assert belief.table(CARDS) == infer(Model(CARDS), steps[1:2]).table(CARDS)
    with pytest.raises(EvidenceError, match=r"no evidence.*7"):
        belief.retract(7)


def test_evidence_carries_the_ids_that_retract_takes() -> None:
    steps = [
        CARDS.holds("me", "ace", because="my hand"),
        CARDS.split("you", "claim", 1),
        CARDS.holds("table", "king", because="my hand"),
        CARDS.count("table", "ace").equals(1).predicted(0.7, because="a guess"),
        CARDS.lacks("claim", "ace", id="turned up", because="I called"),
        CARDS.count("me", "king").weigh([0.5, 1.0, 0.5]),
    ]
    belief = infer(Model(CARDS), steps[:1]).observe(steps[1:])
    ids = [step.id for step in belief.evidence]
    assert ids == ["my hand", "my hand (3)", "a guess", "turned up", "evidence 6"]
    for step in belief.evidence:
        without = belief.retract(step.id or "")
        assert [each.id for each in without.evidence] == [each for each in ids if each != step.id]


def test_retracting_what_is_unknown_says_what_is_known() -> None:
    steps = [
        CARDS.holds("me", "ace", because="my hand", event=3),
        CARDS.lacks("you", "ace", because="you passed", event=5),
    ]
    belief = infer(Model(CARDS), steps)
    with pytest.raises(EvidenceError, match="the ids are 'my hand', 'you passed'"):
        belief.retract("nothing like it")
    with pytest.raises(EvidenceError, match=r"did you mean 'my hand'\? the ids are 'my "):
        belief.retract("my hands")
    with pytest.raises(EvidenceError, match=r"got 4.*events are 3, 5"):
        belief.retract(4)
    with pytest.raises(EvidenceError, match="there is no evidence yet"):
        infer(Model(CARDS)).retract("my hand")
    with pytest.raises(EvidenceError, match="no evidence has an event"):
        infer(Model(CARDS), [CARDS.holds("me", "ace")]).retract(1)


@given(case=cases(most=3))
@settings(max_examples=40)
def test_log_evidence_adds_up_like_the_chain_rule(case: Case) -> None:
    belief = solved(case)
    if belief is None:
        return
    total, current = 0.0, infer(case.model)
    for evidence in case.given:
        total += math.log(math.fsum(current.distribution(evidence.feature) * evidence.table))
        current = current.observe(evidence)
    assert belief.log_evidence == pytest.approx(total, abs=1e-10)


@given(case=cases(most=3))
@settings(max_examples=40)
def test_a_joint_sums_to_its_marginals(case: Case) -> None:
    belief = solved(case)
    if belief is None:
        return
    joint = belief.joint(*case.features)
    for place, feature in enumerate(case.features):
        sums: dict[Any, float] = {}
        for values, chance in joint.items():
            sums[values[place]] = sums.get(values[place], 0.0) + chance
        assert sums == pytest.approx(belief.marginal(feature), abs=1e-13)
    assert all(chance > 0.0 for chance in joint.values())


# -- answers by hand


def test_the_little_game_of_the_first_page() -> None:
    belief = infer(Model(CARDS), [CARDS.holds("me", "king", 2, because="my hand")])
    # Two aces among four unknown cards, two of them yours.
    assert belief.marginal(CARDS.count("you", "ace")) == pytest.approx(
        {0: 1 / 6, 1: 4 / 6, 2: 1 / 6}
    )
    # You hold two kings of me: C(4, 2) of C(6, 2).
    assert belief.log_evidence == pytest.approx(math.log(6 / 15))
    belief = belief.observe(CARDS.lacks("you", "ace", because="you passed"))
    assert belief.explain(CARDS.count("table", "ace").equals(2)) == ["my hand", "you passed"]
    assert belief.log_evidence == pytest.approx(math.log(6 / 15 * 1 / 6))
    assert belief.table(CARDS)["ace"] == pytest.approx({"me": 0.0, "you": 0.0, "table": 2.0})


def test_the_likeliest_values_come_first() -> None:
    belief = infer(Model(CARDS))
    ranked = belief.most_likely(CARDS.count("you", "ace"), n=2)
    assert [value for value, _ in ranked] == [1, 0]
    assert [p for _, p in ranked] == pytest.approx([8 / 15, 6 / 15])
    assert belief.most_likely(CARDS.count("you", "ace"))[0][0] == 1


def test_entropy_is_in_bits() -> None:
    cards = Deal([f"c{n}" for n in range(8)], holders={f"h{n}": 1 for n in range(8)})
    belief = infer(Model(cards))
    assert belief.entropy(cards.holder_of("c0")) == pytest.approx(3.0)
    assert infer(Model(GOLD)).entropy(GOLD.value()) == pytest.approx(2 - 0.75 * math.log2(3))
    assert belief.observe(cards.holds("h0", "c0")).entropy(cards.holder_of("c0")) == 0.0


def test_a_table_as_a_frame() -> None:
    belief = infer(Model(CARDS, GOLD), [LINK])
    frame = belief.to_frame()
    assert list(frame.columns) == ["variable", "item", "value", "probability", "expected"]
    aces = frame[(frame.variable == "cards") & (frame.item == "ace")]
    assert dict(zip(aces.value, aces.expected, strict=True)) == pytest.approx(
        belief.table("cards")["ace"]
    )
    for holder, chance in zip(aces.value, aces.probability, strict=True):
        assert chance == pytest.approx(
            belief.probability(CARDS.count(holder, "ace").at_least(1)), abs=1e-12
        )
    assert frame.probability.between(0.0, 1.0).all()
    gold = frame[frame.variable == "gold"]
    assert dict(zip(gold.value, gold.probability, strict=True)) == pytest.approx(
        belief.marginal(GOLD.value())
    )


def test_names_that_are_not_there_are_refused() -> None:
    belief = infer(Model(CARDS), [CARDS.holds("me", "ace", id="my ace")])
    with pytest.raises(EvidenceError, match=r"no evidence has this id.*'my ice'.*'my ace'"):
        belief.retract("my ice")
    with pytest.raises(EvidenceError, match="unknown deal"):
        belief.table("carts")


@pytest.mark.parametrize("wrong", ["text", 3, None, {3: 1}, CARDS.count("me", "ace"), GOLD])
def test_what_is_no_evidence_is_refused(wrong: Any) -> None:
    with pytest.raises(EvidenceError, match=r"not evidence.*deal\.holds"):
        infer(Model(CARDS, GOLD)).observe(wrong)


def test_who_observes_a_question_is_told_how_its_answer_is_observed() -> None:
    asked = Question(GOLD, lambda value: {value: 1.0})
    told: Any = infer(Model(GOLD))
    for wrong in (asked, (asked, "yes"), ("yes", asked), {asked: "yes"}, [[asked, True]]):
        with pytest.raises(EvidenceError, match=r"not evidence.*question\.observed\(outcome\)"):
            told.observe(wrong)


def test_duplicate_ids_are_refused() -> None:
    first = CARDS.holds("me", "ace", id="x")
    with pytest.raises(EvidenceError, match=r"two pieces of evidence have one id.*'x'"):
        infer(Model(CARDS), [first, CARDS.lacks("you", "ace", id="x")])
    belief = infer(Model(CARDS), [first])
    with pytest.raises(EvidenceError, match="one id"):
        belief.observe(first)
    with pytest.raises(EvidenceError, match="one id"):
        belief.observe(CARDS.reveal("table", {"king": 2}, id="x"))


def test_evidence_without_an_id_gets_one_of_its_own() -> None:
    twice = [
        CARDS.holds_any("me", "ace", because="seen"),
        CARDS.holds("me", "king", because="seen"),
    ]
    belief = infer(Model(CARDS), [*twice, CARDS.count("you", "ace").weigh([1.0, 2.0, 1.0])])
    ids = [step.id for step in belief.history if isinstance(step, Evidence)]
    assert len(set(ids)) == 3
    assert ids[0] == "seen"
    assert all(ids)
    assert len(belief.retract("seen").history) == 2


def test_conditions_can_be_asserted_and_nested_lists_are_taken_apart() -> None:
    facts = [CARDS.count("me", "ace").at_least(1), [CARDS.lacks("you", "ace"), []]]
    belief = infer(Model(CARDS)).observe(facts, CARDS.count("table", "ace").equals(0))
    assert belief.marginal(CARDS.count("me", "ace")) == {2: 1.0}
    assert belief.observe() is belief
    assert belief.observe([], ()) is belief


def test_a_contradiction_leaves_the_posterior_as_it_was() -> None:
    belief = infer(Model(CARDS), [CARDS.holds("me", "ace", 2, because="mine")])
    with pytest.raises(ContradictionError) as caught:
        belief.observe(CARDS.holds("you", "ace", because="yours"))
    assert caught.value.evidence == ("mine", "yours")
    assert "'mine', 'yours'" in str(caught.value)
    assert belief.probability(CARDS.count("you", "king").equals(2)) == pytest.approx(1.0)


# -- samples


@pytest.mark.parametrize("method", ["enumeration", "card_by_card"])
def test_samples_are_whole_worlds_in_proportion_to_their_probability(method: str) -> None:
    belief = infer(Model(CARDS, GOLD), [LINK], method=method)
    drawn = belief.sample(8_000, np.random.default_rng(7))
    counted: Counter[Any] = Counter()
    for world in drawn:
        assert {holder: len(cards) for holder, cards in world["cards"].items()} == CARDS.holders
        aces = tuple(cards.count("ace") for cards in world["cards"].values())
        counted[(*aces, world["gold"])] += 1
    about = together(*(CARDS.count(holder, "ace") for holder in CARDS.holders), GOLD.value())
    wanted = belief.marginal(about)
    assert set(counted) <= set(wanted)
    counts = [counted[value] for value in wanted]
    assert chisquare(counts, [8_000 * p for p in wanted.values()]).pvalue > 1e-4
    # The same test finds a sampler that forgets the evidence.
    careless = infer(Model(CARDS, GOLD), method=method).sample(8_000, np.random.default_rng(7))
    wrong: Counter[Any] = Counter(
        (*(cards.count("ace") for cards in world["cards"].values()), world["gold"])
        for world in careless
    )
    counts = [wrong[value] for value in wanted]
    assert chisquare(counts, [8_000 * p for p in wanted.values()]).pvalue < 1e-9


@given(case=cases(most=2), seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_an_array_of_samples_says_the_same_as_worlds(case: Case, seed: int) -> None:
    belief = solved(case)
    if belief is None:
        return
    array = belief.sample_array(5, np.random.default_rng(seed))
    worlds = belief.sample(5, np.random.default_rng(seed))
    columns = belief.columns()
    assert array.dtype == np.int8
    assert array.shape == (5, len(columns))
    for row, world in zip(array, worlds, strict=True):
        rebuilt: dict[str, Any] = {
            deal.name: {holder: [] for holder in belief.holders(deal)} for deal in case.deals
        }
        for (variable, item), place in zip(columns, row, strict=True):
            declared = belief.model.variable(variable)
            if isinstance(declared, Choice):
                rebuilt[variable] = declared.options[place]
            else:
                assert isinstance(declared, Deal)
                rebuilt[variable][belief.holders(declared)[place]].append(item)
        assert rebuilt == world


def test_the_same_seed_samples_the_same_worlds() -> None:
    belief = infer(Model(CARDS, GOLD), [LINK])
    first, second = (belief.sample_array(100, np.random.default_rng(5)) for _ in range(2))
    assert (first == second).all()


# -- sent away


@pytest.mark.parametrize("method", ["enumeration", "card_by_card", "type_counting"])
def test_a_posterior_can_be_sent_to_another_process(method: str) -> None:
    claim = CARDS.count("you", "ace").weigh([1.0, 2.0, 5.0], because="hint")
    belief = infer(Model(CARDS), [claim], method=method)
    belief.information_gain(
        Question(CARDS.count("me", "king"), lambda n: {n: 1.0}), about=CARDS.count("you", "ace")
    )
    again: Posterior = pickle.loads(pickle.dumps(belief))
    assert again.method == method
    assert again.log_evidence == belief.log_evidence
    assert again.history == belief.history
    for feature in (CARDS.count("you", "ace"), CARDS.count("me", "king")):
        assert again.marginal(feature) == belief.marginal(feature)
    more = CARDS.count("you", "ace").weigh([2.0, 1.0, 1.0])
    assert again.observe(more).table(CARDS) == belief.observe(more).table(CARDS)
    first, second = (b.sample_array(20, np.random.default_rng(1)) for b in (belief, again))
    assert (first == second).all()


def test_posteriors_that_know_the_same_are_equal() -> None:
    first = infer(Model(CARDS), [CARDS.holds("me", "ace")], method="card_by_card")
    second = infer(Model(CARDS), [CARDS.holds("me", "ace")], method="enumeration")
    assert first == second
    assert hash(first) == hash(second)
    assert first != infer(Model(CARDS))
    assert first != "a posterior"


@pytest.mark.parametrize("n", [-1, 1.5, None])
def test_a_number_of_worlds_is_a_whole_number(n: Any) -> None:
    belief = infer(Model(CARDS))
    rng = np.random.default_rng(0)
    for draw in (belief.sample, belief.sample_array, belief.model.simulate):
        with pytest.raises(SettingsError, match=rf"n (must|is) .*\(got {n}\); write n as a whole"):
            draw(n, rng)
    with pytest.raises(SettingsError, match="write n as a whole number"):
        belief.most_likely(CARDS.count("me", "ace"), n=n)


def test_draws_need_a_generator() -> None:
    with pytest.raises(SettingsError, match=r"randomness.*got 3.*default_rng"):
        infer(Model(CARDS)).sample(1, 3)  # pyright: ignore[reportArgumentType]
