"""Which kind of player somebody is, is inferred beside what they hold."""

from __future__ import annotations

import itertools
import math
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import Choice, Deal, Evidence, Model, Posterior, Walk, infer
from sleuth.errors import ContradictionError, DeclarationError, EvidenceError
from sleuth.predictors import NONE, KindMixture, Kinds

CARDS = Deal(["ace", "king", "queen", "jack"], holders={"anna": 1, "ben": 1, "table": 2})
KINDS = Kinds({"open": 2.0, "sly": 1.0}, none=0.2, slip=0.05)
#: What players may do: who is open raises with good cards, who is sly only calls with them.
ACTIONS = ("raise", "call", "fold")
HELD = {name: CARDS.which(name, list(CARDS.items)) for name in ("anna", "ben")}


def _chance(kind: str, card: str, action: str) -> float:
    """P(action | card, kind) without slips."""
    strength = list(CARDS.items).index(card) / 3.0
    good = 0.1 + 0.8 * (1.0 - strength)
    rows = {"open": {"raise": good, "call": 0.05}, "sly": {"raise": 0.02, "call": good}}[kind]
    return rows.get(action, 1.0 - sum(rows.values()))


def _tables(player: str, action: str) -> dict[str, list[float]]:
    values = HELD[player].values
    return {
        kind: [_chance(kind, held[0], action) if len(held) == 1 else 0.0 for held in values]
        for kind in KINDS.names
        if kind != NONE
    }


def _said(player: str, action: str) -> Evidence:
    return KINDS.evidence(player, HELD[player], _tables(player, action), at_random=1 / 3)


DONE = [("anna", "raise"), ("ben", "call"), ("anna", "fold"), ("anna", "raise"), ("ben", "fold")]


def _begin(method: str = "auto") -> Posterior:
    return infer(Model(CARDS, KINDS.of("anna"), KINDS.of("ben")), method=method)


def _by_hand(done: list[tuple[str, str]]) -> dict[tuple[str, str, str, str], float]:
    """The joint weight of both cards and both kinds, action by action."""
    found: dict[tuple[str, str, str, str], float] = {}
    for anna, ben in itertools.permutations(CARDS.items, 2):
        for one, two in itertools.product(KINDS.names, KINDS.names):
            card = {"anna": anna, "ben": ben}
            kind = {"anna": one, "ben": two}
            weight = 1 / 12 * math.prod(KINDS.prior[KINDS.names.index(each)] for each in (one, two))
            for player, action in done:
                usual = 1 / 3
                if kind[player] != NONE:
                    usual = _chance(kind[player], card[player], action)
                weight *= 0.95 * usual + 0.05 / 3
            found[anna, ben, one, two] = weight
    return found


@pytest.mark.parametrize("method", ["enumeration", "card_by_card"])
def test_the_posterior_of_cards_and_kinds_is_that_by_hand(method: str) -> None:
    belief = _begin(method).observe(_said(*each) for each in DONE)
    weights = _by_hand(DONE)
    total = sum(weights.values())
    assert belief.log_evidence == pytest.approx(math.log(total), abs=1e-9)
    joint = belief.joint(HELD["anna"], KINDS.of("anna").value(), KINDS.of("ben").value())
    for (held, *kinds), share in joint.items():
        expected = sum(
            each for (card, _, *of), each in weights.items() if (card,) == held and of == kinds
        )
        assert share == pytest.approx(expected / total, abs=1e-9)


def test_the_order_of_what_was_done_says_nothing() -> None:
    first = _begin().observe(_said(*each) for each in DONE)
    for order in ([4, 3, 2, 1, 0], [2, 0, 4, 1, 3]):
        again = _begin().observe(_said(*DONE[place]) for place in order)
        assert again.log_evidence == pytest.approx(first.log_evidence, abs=1e-9)
        for name in HELD:
            kind = KINDS.of(name).value()
            assert again.distribution(kind) == pytest.approx(first.distribution(kind), abs=1e-9)


@settings(max_examples=15, deadline=None)
@given(
    st.lists(
        st.tuples(*[st.lists(st.floats(0.0, 1.0), min_size=4, max_size=4)] * 2),
        min_size=1,
        max_size=6,
    )
)
def test_no_kind_can_rule_out_the_truth_nor_do_worse_than_who_does_not_listen(
    actions: list[tuple[list[float], list[float]]],
) -> None:
    cards = Deal(["ace", "king", "queen", "jack"], holders={"you": 1, "table": 3})
    held = cards.holder_of("ace").equals("you")
    one = Choice("card", ["ace", "king", "queen", "jack"])
    kinds = Kinds(["wrong", "other"])
    belief = infer(Model(one, kinds.of("you")))
    for wrong, other in actions:
        said = {"wrong": wrong, "other": other}
        belief = belief.observe(kinds.evidence("you", one.value(), said, at_random=0.25))
    least = math.log(0.1) + len(actions) * math.log(0.25)
    assert belief.log_evidence >= least - 1e-9
    # Of each card as much is left as those who act at random say, at the least.
    share = math.exp(least - belief.log_evidence)
    assert (belief.distribution(one.value()) >= share * 0.25 - 1e-12).all()
    assert held.value_count == 2


def test_without_slips_and_others_a_wrong_kind_does_rule_out_the_truth() -> None:
    one = Choice("card", ["ace", "king"])
    kinds = Kinds(["wrong"], none=0.0, slip=0.0)
    belief = infer(Model(one, kinds.of("you")))
    belief = belief.observe(kinds.evidence("you", one.value(), {"wrong": [0, 1]}, at_random=0.5))
    assert belief.distribution(one.value())[0] == 0.0
    with pytest.raises(ContradictionError):
        belief.observe(one.equals("ace"))


def test_what_says_nothing_but_of_the_kind() -> None:
    belief = _begin().observe(KINDS.evidence("ben", None, {"open": 0.9, "sly": 0.1}, at_random=0.5))
    weights = np.array(KINDS.prior) * [0.95 * 0.9 + 0.025, 0.95 * 0.1 + 0.025, 0.5]
    found = belief.distribution(KINDS.of("ben").value())
    assert found == pytest.approx(weights / weights.sum(), abs=1e-9)
    assert belief.distribution(KINDS.of("anna").value()) == pytest.approx(KINDS.prior)


def test_a_step_of_a_walk_depends_on_the_kind_of_who_walks() -> None:
    places = ["inn", "mill", "church"]
    walk = Walk("thief", places, start=["inn"])
    ways = walk.transition(dict.fromkeys(places, places))
    kinds = Kinds({"lazy": 1, "brisk": 1}, none=0.2, slip=0.0)
    stays, goes = np.eye(3).ravel() * 0.8 + 0.2 / 3, (1.0 - np.eye(3)).ravel() / 2
    belief = infer(Model(walk, kinds.of("thief")))
    for _ in range(2):
        step = kinds.step("thief", walk, ways, {"lazy": stays, "brisk": goes}, at_random=1 / 3)
        belief = belief.observe(step)
    belief = belief.observe(walk.seen_at("inn"))
    lazy = 0.4 * (np.linalg.matrix_power(stays.reshape(3, 3), 2)[0, 0])
    brisk, none = 0.4 * 0.5, 0.2 / 3
    expected = np.array([lazy, brisk, none]) / (lazy + brisk + none)
    assert belief.distribution(kinds.of("thief").value()) == pytest.approx(expected, abs=1e-9)


# -- where kinds are not declared


def _heard(
    done: list[tuple[str, str]], heard: KindMixture | None = None
) -> tuple[Posterior, KindMixture]:
    plain = infer(Model(CARDS))
    heard = heard or KindMixture(KINDS)
    for player, action in done:
        chances = KINDS.chances(_tables(player, action), at_random=1 / 3)
        heard = heard.hear(player, HELD[player], chances, plain.observe(heard.evidence()))
    return plain.observe(heard.evidence()), heard


def test_what_is_heard_is_exact_for_one_action_of_each_player() -> None:
    done = [("anna", "raise")]
    found, heard = _heard(done)
    exact = _begin().observe(_said(*each) for each in done)
    assert found.distribution(HELD["anna"]) == pytest.approx(
        exact.distribution(HELD["anna"]), abs=1e-9
    )
    kind = exact.marginal(KINDS.of("anna").value())
    assert heard.marginal("anna") == pytest.approx(kind, abs=1e-9)
    assert heard.log_evidence == pytest.approx(exact.log_evidence, abs=1e-9)


def _apart(done: list[tuple[str, str]], heard: KindMixture | None = None) -> float:
    """How far what is heard is from the exact posterior: KL in nats, of both cards."""
    found, _ = _heard(done, heard)
    exact = _begin().observe(_said(*each) for each in done)
    p, q = (each.distribution((HELD["anna"], HELD["ben"])) for each in (exact, found))
    return float((p[p > 0.0] * np.log(p[p > 0.0] / q[p > 0.0])).sum())


class Twice(KindMixture):
    """A fault: an action counts in the mixture by which it is weighed itself."""

    def weights(self, player: str, *, but: Any = None) -> Any:
        return super().weights(player)

    def hear(self, *args: Any, **notes: Any) -> KindMixture:
        heard = super().hear(*args, **notes)
        return Twice(heard.kinds, heard.said, heard.log_evidence)


def _games(count: int, turns: int) -> list[tuple[dict[str, str], list[tuple[str, str]]]]:
    """Games drawn from the declaration: of which kinds the players are, and what they did."""
    rng = np.random.default_rng(11)
    drawn = Model(CARDS, KINDS.of("anna"), KINDS.of("ben")).simulate(count, rng)
    kinds = {name: drawn.value(KINDS.of(name).value()) for name in HELD}
    cards = {name: drawn.value(HELD[name]) for name in HELD}
    found: list[tuple[dict[str, str], list[tuple[str, str]]]] = []
    for number in range(count):
        done: list[tuple[str, str]] = []
        for turn in range(turns):
            name = ("anna", "ben")[turn % 2]
            kind, card = kinds[name][number], cards[name][number][0]
            shares = np.full(3, 1 / 3)
            if kind != NONE:
                shares = 0.95 * np.array([_chance(kind, card, each) for each in ACTIONS]) + 0.05 / 3
            done.append((name, str(rng.choice(ACTIONS, p=shares / shares.sum()))))
        found.append(({name: kinds[name][number] for name in HELD}, done))
    return found


def test_what_is_heard_is_near_the_exact_posterior_and_a_fault_is_not() -> None:
    plain = infer(Model(CARDS))
    apart: list[tuple[float, float, float]] = []
    for _, done in _games(20, 8):
        exact = _begin().observe(_said(*each) for each in done)
        p, q = (each.distribution((HELD["anna"], HELD["ben"])) for each in (exact, plain))
        silent = float((p[p > 0.0] * np.log(p[p > 0.0] / q[p > 0.0])).sum())
        apart.append((_apart(done), _apart(done, Twice(KINDS)), silent))
    right, twice, silent = np.mean(apart, axis=0)
    assert right < 0.1 * silent
    assert right < 0.8 * twice


def test_kinds_are_as_likely_as_they_are_said_to_be() -> None:
    begin = _begin("enumeration")
    said = {(name, action): _said(name, action) for name in HELD for action in ACTIONS}
    told: list[tuple[float, float]] = []
    for kinds, done in _games(150, 8):
        shares = begin.observe(said[each] for each in done).marginal(KINDS.of("anna").value())
        told += [(shares.get(kind, 0.0), float(kinds["anna"] == kind)) for kind in KINDS.names]
    p, so = np.array(told).T
    assert p.max() > 0.9
    for low, high in ((0.0, 0.1), (0.1, 0.3), (0.3, 0.6), (0.6, 1.0)):
        inside = (p >= low) & (p <= high)
        expected, spread = p[inside].sum(), math.sqrt((p * (1.0 - p))[inside].sum())
        # Five standard deviations: one run in a million would be that far off.
        assert abs(so[inside].sum() - expected) < 5.0 * spread


@pytest.mark.parametrize(
    "made",
    [
        lambda: Kinds([]),
        lambda: Kinds(cast(Any, 3)),
        lambda: Kinds("open"),
        lambda: KINDS.of(cast(Any, ["anna"])),
        lambda: KINDS.of(""),
        lambda: Kinds(["a", "a"]),
        lambda: Kinds([NONE]),
        lambda: Kinds([""]),
        lambda: Kinds({"a": -1.0}),
        lambda: Kinds(["a"], none=1.0),
        lambda: Kinds(["a"], slip=-0.1),
    ],
)
def test_kinds_that_are_none_are_refused(made: Any) -> None:
    with pytest.raises(DeclarationError):
        made()


@pytest.mark.parametrize(
    "likelihoods, at_random, word",
    [
        ({"open": 0.5}, 0.5, "sly"),
        ({"open": 0.5, "sly": 0.5, "bold": 0.5}, 0.5, "bold"),
        ({"open": 0.5, "sly": -0.5}, 0.5, "-0.5"),
        ({"open": 0.5, "sly": math.nan}, 0.5, "nan"),
        ({"open": 3.0, "sly": 0.5}, 0.5, "a probability"),
        ({"open": 0.5, "sly": 0.5}, 5.0, "a probability"),
        ({"open": 0.5, "sly": [0.5, 0.5]}, 0.5, "2"),
        (["open", "sly"], 0.5, "for each kind"),
    ],
)
def test_likelihoods_that_are_none_are_refused(
    likelihoods: Any, at_random: float, word: str
) -> None:
    with pytest.raises(EvidenceError, match=word):
        KINDS.evidence("anna", HELD["anna"], likelihoods, at_random=at_random)


@pytest.mark.parametrize(
    "given, at_random, word",
    [
        ({"open": "often", "sly": 0.5}, 0.5, "kind 'open': .*often"),
        ({"open": 0.5, "sly": 0.5}, "often", "at_random: .*often"),
        ({"open": [0.1, 0.2], "sly": [0.1, 0.2, 0.3]}, 0.5, r"one shape .*\(2,\), \(3,\)"),
        (0.5, 0.5, "for each kind"),
    ],
)
def test_chances_that_are_none_are_refused(given: Any, at_random: Any, word: str) -> None:
    with pytest.raises(EvidenceError, match=word):
        KINDS.chances(given, at_random=at_random)


def test_an_action_that_depends_on_no_feature_is_refused() -> None:
    with pytest.raises(EvidenceError, match="not a feature"):
        KINDS.evidence("anna", cast(Any, "a card"), {"open": 0.5, "sly": 0.5}, at_random=0.5)
