"""Dynamic networks say of every slice what the whole unrolled network says."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np
import pytest

from sleuth import Choice, any_of, together
from sleuth.beliefs.networks.slices import MOST_VALUES
from sleuth.errors import ContradictionError, CostError, DeclarationError, EvidenceError
from sleuth.networks import DynamicNetwork, before

Numbers = np.ndarray[Any, np.dtype[np.float64]]

SIZES = {"a": 2, "b": 3, "c": 2}


@pytest.fixture(scope="module")
def umbrella_world() -> DynamicNetwork:
    """Russell and Norvig, "Artificial Intelligence: A Modern Approach", section 14.1."""
    rain = Choice("rain", {"yes": 0.5, "no": 0.5})
    later = {"yes": {"yes": 0.7, "no": 0.3}, "no": {"yes": 0.3, "no": 0.7}}
    umbrella = Choice(
        "umbrella",
        {"yes": {"up": 0.9, "down": 0.1}, "no": {"up": 0.2, "down": 0.8}},
        given=rain,
    )
    return DynamicNetwork([rain, umbrella], [Choice("rain", later, given=before(rain))])


def test_rain_after_umbrellas_is_as_in_the_textbook(umbrella_world: DynamicNetwork) -> None:
    up = {"umbrella": "up"}
    belief = umbrella_world.filter().step(up)
    assert belief.marginal("rain")["yes"] == pytest.approx(9 / 11)
    belief = belief.step(up)
    assert belief.marginal("rain")["yes"] == pytest.approx(0.883357, abs=1e-6)
    assert math.exp(belief.log_evidence) == pytest.approx(0.55 * (9 / 11 * 0.69 + 2 / 11 * 0.41))
    smoothed = umbrella_world.smooth([{}, up, up])
    assert smoothed.marginal("rain", 1)["yes"] == pytest.approx(0.883357, abs=1e-6)
    assert smoothed.log_evidence == pytest.approx(belief.log_evidence)
    # What nobody observes any more is forgotten: the chain's own balance comes back.
    for _ in range(60):
        belief = belief.step()
    assert belief.marginal("rain")["yes"] == pytest.approx(0.5, abs=1e-9)


def test_every_slice_is_that_of_the_unrolled_network_enumerated() -> None:
    rng = np.random.default_rng(7)
    for _ in range(3):
        network, joint = unrolled_by_hand(rng, slices=4)
        seen: list[dict[str, int]] = [{}, {"c": 1}, {"a": 0, "c": 0}, {"b": 2}]
        belief, mass = network.filter(seen[0]), joint
        for number, values in enumerate(seen):
            if number:
                belief = belief.step(values)
            mass = given(mass, number, values)
            assert belief.number == number
            assert belief.log_evidence == pytest.approx(math.log(mass.sum()), abs=1e-12)
            for name in SIZES:
                found = belief.posterior.distribution(belief.posterior.model.variable(name))  # type: ignore[arg-type]
                assert found == pytest.approx(marginal(mass, number, name), abs=1e-12)
        smoothed = network.smooth(seen)
        assert smoothed.log_evidence == pytest.approx(math.log(mass.sum()), abs=1e-12)
        for name in SIZES:
            rows = smoothed.distribution(name)
            for number, row in enumerate(rows):
                assert row == pytest.approx(marginal(mass, number, name), abs=1e-12)
        whole = network.unrolled(4)
        values = {
            f"{name} {k}": value for k, each in enumerate(seen) for name, value in each.items()
        }
        posterior = whole.infer(values)
        assert whole.log_probability(posterior) == pytest.approx(smoothed.log_evidence, abs=1e-12)
        ends = posterior.distribution(whole.feature(["a 0", "a 3"])).reshape(2, 2)
        axes = tuple(axis for axis in range(12) if axis not in (0, 9))
        assert ends == pytest.approx(mass.sum(axis=axes) / mass.sum(), abs=1e-12)
        # Two neighbours together: a, now and before.
        now, past = Choice("a", range(2)), before(Choice("a", range(2)))
        pair = smoothed.posterior(-1).distribution(together(past, now)).reshape(2, 2)
        axes = tuple(axis for axis in range(12) if axis not in (6, 9))
        assert pair == pytest.approx(mass.sum(axis=axes) / mass.sum(), abs=1e-12)


def unrolled_by_hand(rng: np.random.Generator, slices: int) -> tuple[DynamicNetwork, Numbers]:
    """A random network, and the joint of all its variables; an axis for each, slice by slice."""
    a, b, c = (Choice(name, range(size)) for name, size in SIZES.items())
    tables = {
        "a0": rows(rng, (2,)),
        "b0": rows(rng, (2, 3)),
        "c": rows(rng, (2, 3, 2)),
        "a": rows(rng, (2, 2, 2)),
        "b": rows(rng, (2, 3, 3)),
    }
    tables["b"][1, 2] = [0.0, 1.0, 0.0]
    network = DynamicNetwork(
        [
            Choice("a", dict(enumerate(tables["a0"]))),
            declared("b", tables["b0"], a),
            declared("c", tables["c"], a, b),
        ],
        [
            declared("a", tables["a"], before(a), before(c)),
            declared("b", tables["b"], a, before(b)),
        ],
    )
    operands: list[Any] = [tables["a0"], [0], tables["b0"], [0, 1], tables["c"], [0, 1, 2]]
    for first in range(3, 3 * slices, 3):
        operands += [tables["a"], [first - 3, first - 1, first]]
        operands += [tables["b"], [first, first - 2, first + 1]]
        operands += [tables["c"], [first, first + 1, first + 2]]
    return network, np.einsum(*operands, [*range(3 * slices)], optimize=True)


def rows(rng: np.random.Generator, shape: tuple[int, ...]) -> Numbers:
    table = rng.dirichlet(np.ones(shape[-1]), size=shape[:-1])
    return np.asarray(table, dtype=np.float64).reshape(shape)


def declared(name: str, table: Numbers, *above: Any) -> Choice:
    """The table as a mapping, as somebody writes it."""
    (first, *more) = above
    feature = together(first, *more) if more else first.value()
    lines = table.reshape(-1, table.shape[-1]).tolist()
    return Choice(
        name,
        {value: dict(enumerate(line)) for value, line in zip(feature.values, lines, strict=True)},
        given=feature,
    )


def given(mass: Numbers, number: int, values: dict[str, int]) -> Numbers:
    for name, value in values.items():
        axis = 3 * number + [*SIZES].index(name)
        keep = np.arange(mass.shape[axis]) == value
        mass = mass * keep.reshape([-1 if each == axis else 1 for each in range(mass.ndim)])
    return mass


def marginal(mass: Numbers, number: int, name: str) -> Numbers:
    axis = 3 * number + [*SIZES].index(name)
    found = mass.sum(axis=tuple(each for each in range(mass.ndim) if each != axis))
    return found / found.sum()


def test_a_long_hidden_chain_is_as_forward_and_backward_with_plain_arrays() -> None:
    rng = np.random.default_rng(3)
    start, move, shows = rows(rng, (4,)), rows(rng, (4, 4)), rows(rng, (4, 3))
    place, sign = Choice("place", range(4)), Choice("sign", range(3))
    network = DynamicNetwork(
        [Choice("place", dict(enumerate(start))), declared("sign", shows, place)],
        [declared("place", move, before(place))],
    )
    signs = rng.integers(0, 3, size=400).tolist()
    ahead = [start * shows[:, signs[0]]]
    for seen in signs[1:]:
        ahead.append(ahead[-1] / ahead[-1].sum() @ move * shows[:, seen])
    back = [np.ones(4)]
    for seen in signs[:0:-1]:
        back.append(move @ (shows[:, seen] * back[-1]))
        back[-1] /= back[-1].sum()
    smoothed = np.array(ahead) * back[::-1]
    smoothed /= smoothed.sum(axis=1, keepdims=True)

    belief = network.filter({"sign": signs[0]})
    for seen in signs[1:]:
        belief = belief.step({"sign": seen})
    last = ahead[-1] / ahead[-1].sum()
    assert belief.posterior.distribution(place) == pytest.approx(last, abs=1e-12)
    total = sum(math.log(each.sum()) for each in ahead)
    assert belief.log_evidence == pytest.approx(total, rel=1e-12)
    found = network.smooth([{"sign": seen} for seen in signs])
    assert found.log_evidence == pytest.approx(total, rel=1e-12)
    assert found.distribution("place") == pytest.approx(smoothed, abs=1e-12)
    assert found.distribution(sign)[7].tolist() == [float(value == signs[7]) for value in range(3)]

    # The same with the largest in place of the sum, in logarithms, gives the likeliest path.
    best = np.log(start * shows[:, signs[0]])
    for seen in signs[1:]:
        best = (best[:, None] + np.log(move)).max(axis=0) + np.log(shows[:, seen])
    likeliest = found.most_likely_path()
    assert [values["sign"] for values in likeliest] == signs

    def weight(path: list[int]) -> float:
        steps = np.log(move[path[:-1], path[1:]]).sum() + np.log(shows[path, signs]).sum()
        return float(np.log(start[path[0]]) + steps)

    # The order of some loops does not matter, so paths may weigh the same.
    path = [values["place"] for values in likeliest]
    assert weight(path) == pytest.approx(best.max(), abs=1e-9)
    # It is not what is likeliest in each slice for itself.
    assert weight(smoothed.argmax(axis=1).tolist()) < best.max() - 1e-3


@pytest.mark.parametrize("seed", range(4))
def test_the_likeliest_path_is_that_of_the_whole_joint(seed: int) -> None:
    rng = np.random.default_rng(seed)
    network, joint = unrolled_by_hand(rng, slices=4)
    a, b, c = (Choice(name, range(size)) for name, size in SIZES.items())
    weights = rng.uniform(0.1, 1.0, size=3)
    # The same evidence by name in two slices, a plain condition, and values.
    hint = b.weigh(weights.tolist(), because="a hint", id="hint")
    seen: list[Any] = [[hint], {"c": 1}, [hint, ~(a.equals(0) & before(c).equals(1))], {}]
    mass = given(joint, 1, {"c": 1})
    for axis in (1, 7):
        mass = mass * weights.reshape([-1 if each == axis else 1 for each in range(12)])
    mass = np.moveaxis(mass.copy(), (6, 5), (0, 1))
    mass[0, 1] = 0.0
    mass = np.moveaxis(mass, (0, 1), (6, 5))
    best = np.unravel_index(int(mass.argmax()), mass.shape)
    path = network.smooth(seen).most_likely_path()
    assert [values[name] for values in path for name in SIZES] == [*map(int, best)]


def test_what_goes_far_one_way_comes_back() -> None:
    coin = Choice("coin", ["a", "b"])
    same = Choice("coin", {"a": ["a"], "b": ["b"]}, given=before(coin))
    shown = {"a": {"h": 1 - 1e-6, "t": 1e-6}, "b": {"h": 1e-6, "t": 1 - 1e-6}}
    network = DynamicNetwork([coin, Choice("shows", shown, given=coin)], [same])
    seen = [{"shows": "h"}] * 100 + [{"shows": "t"}] * 100
    belief = network.filter(seen[0])
    for values in seen[1:]:
        belief = belief.step(values)
    assert belief.marginal("coin")["a"] == pytest.approx(0.5, abs=1e-9)
    assert belief.log_evidence == pytest.approx(100 * math.log(1e-6) + 100 * math.log1p(-1e-6))
    smoothed = network.smooth(seen)
    for number in (0, 100, 199):
        assert smoothed.marginal("coin", number)["a"] == pytest.approx(0.5, abs=1e-9)


def test_evidence_may_be_whatever_a_posterior_takes(umbrella_world: DynamicNetwork) -> None:
    rain = Choice("rain", ["yes", "no"])
    heard = rain.value().weigh({"yes": 0.8, "no": 0.2}, because="drops on the roof")
    belief = umbrella_world.filter().step(None, heard)
    assert belief.probability(rain.equals("yes")) == pytest.approx(0.8)
    smoothed = umbrella_world.smooth([[], [heard]])
    assert smoothed.probability(rain.equals("yes"), 1) == pytest.approx(0.8)
    assert belief.posterior.influence(rain.equals("yes")).rows[-1].words == "drops on the roof"


def test_priors_may_depend_on_any_feature_of_the_slice_before() -> None:
    """A lamp is on with 0.9 if at least one of two switches was, else with 0.1."""
    left, right = (Choice(name, [True, False]) for name in ("left", "right"))
    lamp = Choice("lamp", [True, False])
    on = any_of([before(each).equals(True) for each in (left, right)])
    glows = {True: {True: 0.9, False: 0.1}, False: {True: 0.1, False: 0.9}}
    network = DynamicNetwork([left, right, lamp], [Choice("lamp", glows, given=on)])
    assert network.interface == ("left", "right")
    wanted = 0.75 * 0.9 + 0.25 * 0.1
    assert network.filter().step().marginal("lamp")[True] == pytest.approx(wanted)
    assert network.unrolled(3).query("lamp 2")[True] == pytest.approx(wanted)
    shown = network.unrolled(2).infer({"lamp 1": True})
    both = together(Choice("left 0", [True, False]), Choice("right 0", [True, False]))
    assert shown.marginal(both)[False, False] == pytest.approx(0.25 * 0.1 / wanted)


def test_slices_without_ties_hand_nothing_on() -> None:
    die = Choice("die", range(6))
    rolls = DynamicNetwork([die], [die])
    assert rolls.interface == ()
    belief = rolls.filter({"die": 2}).step()
    assert belief.marginal("die") == pytest.approx(dict.fromkeys(range(6), 1 / 6))
    assert belief.log_evidence == pytest.approx(-math.log(6))
    assert rolls.smooth([{"die": 2}, {}]).marginal("die", 0) == {2: 1.0}


def test_what_cannot_be_is_refused_by_name(umbrella_world: DynamicNetwork) -> None:
    rain, wind = Choice("rain", ["yes", "no"]), Choice("wind", ["yes", "no"])
    itself, around, back = (
        Choice(one.name, lambda _: ["yes", "no"], given=other)
        for one, other in ((rain, rain), (rain, wind), (wind, rain))
    )
    for first, then, words in (
        ([rain], [wind], "lacks a variable of the next .*'wind'"),
        ([rain], [Choice("rain", ["no", "yes"])], "'rain' has other values in the first slice"),
        ([rain, rain], [], "two variables have one name"),
        ([rain, before(rain)], [], "is how the slice before has 'rain'"),
        ([rain], [Choice("rain", lambda _: ["yes", "no"], given=before(wind))], "'wind before'"),
        ([rain, "wind"], [], "a slice is a list of choices"),
        ([rain], [itself], r"in a circle.*rain -> rain.*given=before\(rain\)"),
        ([rain, wind], [around, back], r"in a circle.*-> (rain|wind).*given=before\((rain|wind)\)"),
    ):
        with pytest.raises(DeclarationError, match=words):
            DynamicNetwork(first, then)  # type: ignore[arg-type]
    belief = umbrella_world.filter()
    with pytest.raises(EvidenceError, match=r"no variable has this name.*umbrela.*umbrella"):
        belief.step({"umbrela": "up"})
    with pytest.raises(EvidenceError, match=r"'umbrella' has no such value.*open.*up, down"):
        belief.step({"umbrella": "open"})
    with pytest.raises(EvidenceError, match="a list with the evidence of every slice"):
        umbrella_world.smooth({"umbrella": "up"})  # type: ignore[arg-type]
    with pytest.raises(EvidenceError, match="only 2 slices"):
        umbrella_world.smooth([{}, {}]).posterior(2)
    stays = Choice("rain", {"yes": ["yes"], "no": ["no"]}, given=before(rain))
    with pytest.raises(ContradictionError, match=r"the slices before.*rain = no"):
        DynamicNetwork([rain], [stays]).filter({"rain": "yes"}).step().step({"rain": "no"})


def test_a_slice_that_hands_on_too_much_says_how_much() -> None:
    bits = [Choice(f"bit {number}", [0, 1]) for number in range(23)]
    kept = [Choice(each.name, {0: [0], 1: [1]}, given=before(each)) for each in bits]
    assert 2**23 > MOST_VALUES
    with pytest.raises(CostError, match=r"joint values.*8388608"):
        DynamicNetwork(bits, kept)


@pytest.fixture(scope="module")
def pgmpy() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pgmpy.factors.discrete import TabularCPD
        from pgmpy.inference import DBNInference
        from pgmpy.models import DynamicBayesianNetwork

    class Names:
        cpd, model, inference = TabularCPD, DynamicBayesianNetwork, DBNInference

    return Names


def test_a_network_of_pgmpy_is_filtered_and_smoothed_as_by_pgmpy(pgmpy: Any) -> None:
    model = pgmpy.model([(("z", 0), ("x", 0)), (("x", 0), ("y", 0)), (("z", 0), ("z", 1))])
    model.add_cpds(
        pgmpy.cpd(("z", 0), 2, [[0.5], [0.5]]),
        pgmpy.cpd(("x", 0), 2, [[0.6, 0.9], [0.4, 0.1]], [("z", 0)], [2]),
        pgmpy.cpd(("y", 0), 2, [[0.2, 0.3], [0.8, 0.7]], [("x", 0)], [2]),
        pgmpy.cpd(("z", 1), 2, [[0.4, 0.7], [0.6, 0.3]], [("z", 0)], [2]),
    )
    network = DynamicNetwork.from_pgmpy(model)
    assert len(model.cpds) == 4
    seen = [{"y": 0}, {"y": 1}, {"y": 1}]
    model.initialize_initial_state()
    again = DynamicNetwork.from_pgmpy(model)
    assert (again.first, again.then) == (network.first, network.then)
    theirs = pgmpy.inference(model)
    evidence = {("y", number): values["y"] for number, values in enumerate(seen)}
    belief, smoothed = network.filter(seen[0]), network.smooth(seen)
    for number in range(3):
        if number:
            belief = belief.step(seen[number])
        found = [belief.marginal("x")[value] for value in (0, 1)]
        # Asked for several at once, pgmpy is wrong.
        sofar = {node: value for node, value in evidence.items() if node[1] <= number}
        ahead = theirs.forward_inference([("x", number)], sofar)["x", number].values
        assert found == pytest.approx(ahead, abs=1e-9)
        back = theirs.backward_inference([("x", number)], evidence)["x", number].values
        assert smoothed.distribution("x")[number] == pytest.approx(back, abs=1e-9)


def test_states_of_pgmpy_keep_their_names_in_whatever_order_a_table_has_them(pgmpy: Any) -> None:
    words: dict[str, list[str]] = {"way": ["yes", "no"], "round": ["no", "yes"]}
    model = pgmpy.model([(("rain", 0), ("rain", 1))])
    model.add_cpds(
        pgmpy.cpd(("rain", 0), 2, [[0.2], [0.8]], state_names={("rain", 0): words["way"]}),
        pgmpy.cpd(
            ("rain", 1),
            2,
            [[0.6, 0.1], [0.4, 0.9]],
            [("rain", 0)],
            [2],
            state_names={("rain", 1): words["way"], ("rain", 0): words["round"]},
        ),
    )
    network = DynamicNetwork.from_pgmpy(model)
    # P(yes) = 0.2 * 0.1 + 0.8 * 0.6
    assert network.filter().step().marginal("rain")["yes"] == pytest.approx(0.5)


def test_what_a_network_of_pgmpy_lacks_is_named(pgmpy: Any) -> None:
    def refused(model: Any, words: str) -> None:
        with pytest.raises(DeclarationError, match=words):
            DynamicNetwork.from_pgmpy(model)

    start = pgmpy.cpd(("rain", 0), 2, [[0.5], [0.5]])
    refused(3, "no dynamic network of pgmpy")
    refused(pgmpy.model(), "no variables")
    model = pgmpy.model([(("rain", 0), ("rain", 1))])
    model.add_cpds(start)
    refused(model, r"a variable has no table.*'rain', 1")
    model.add_cpds(pgmpy.cpd(("rain", 1), 2, [[0.5], [0.5]]))
    refused(model, "table of 'rain' has other parents than the graph")
    model = pgmpy.model([(("rain", 0), ("rain", 1))])
    off = [[0.5, 0.3], [0.7, 0.7]]
    model.add_cpds(start, pgmpy.cpd(("rain", 1), 2, off, [("rain", 0)], [2]))
    refused(model, "must add up to one; those for rain before = 0 do not.*1.2")
    model = pgmpy.model([((5, 0), (5, 1))])
    model.add_cpds(
        pgmpy.cpd((5, 0), 2, [[0.5], [0.5]]),
        pgmpy.cpd((5, 1), 2, [[0.5, 0.5], [0.5, 0.5]], [(5, 0)], [2]),
    )
    refused(model, "every variable is named by a string")
