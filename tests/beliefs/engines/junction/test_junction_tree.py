"""The junction tree against enumeration, known answers, and itself step by step."""

from __future__ import annotations

import contextlib
import itertools
import math
import random
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from sleuth import Choice, Deal, Model, Posterior, Walk, any_of, count_of, infer, together
from sleuth.beliefs.engines.junction import junction_tree
from sleuth.beliefs.engines.junction.lazy import LazyJunctionSolution
from sleuth.beliefs.engines.junction.solution import JunctionSolution
from sleuth.data.errors import ContradictionError, CostError, SleuthError

Variable = Choice | Deal


def declaration(random: random.Random) -> tuple[Model, list[Any], list[Any]]:
    """A small model of choices, and deals that some of them depend on; evidence; and features."""
    variables: list[Variable] = []
    features: list[Any] = []
    for number in range(random.randint(0, 2)):
        items = {f"i{n}": random.randint(1, 2) for n in range(random.randint(2, 4))}
        total = sum(items.values())
        mine = random.randint(0, total)
        deal = Deal(items, holders={"me": mine, "you": total - mine}, name=f"deal {number}")
        variables.append(deal)
        features += [deal.count("me", random.choice([*items])), deal.count("you", [*items][:2])]
    for number in range(random.randint(1, 5)):
        values = range(random.randint(1, 4))
        above = random.sample(features, min(len(features), random.randint(0, 2)))
        if above:
            parents = together(*above)
            rows = {
                value: {n: random.random() * (n == 0 or random.random() < 0.8) for n in values}
                for value in parents.values
            }
            choice = Choice(f"choice {number}", rows, given=parents)
        else:
            choice = Choice(f"choice {number}", {n: random.random() for n in values})
        variables.append(choice)
        features.append(choice.value())
    random.shuffle(variables)
    evidence = [some_evidence(some_feature(features, random), random) for _ in range(3)]
    return Model(*variables), evidence, [some_feature(features, random) for _ in range(4)]


def possible_declaration(seed: int) -> tuple[Model, list[Any], list[Any], Posterior]:
    """The first declaration of a seed whose evidence can all be true, and its posterior."""
    for number in itertools.count():
        with contextlib.suppress(SleuthError):
            model, evidence, features = declaration(random.Random(f"{seed} {number}"))
            return model, evidence, features, infer(model, evidence, method="enumeration")
    raise AssertionError


def some_feature(features: list[Any], random: random.Random) -> Any:
    """A feature, several together, or how many conditions on some hold."""
    form = random.random()
    if form < 0.4:
        return random.choice(features)
    if form < 0.7:
        return together(*random.sample(features, min(len(features), 3)))
    chosen = random.choices(features, k=5)
    return count_of(each.equals(random.choice(each.values)) for each in chosen)


def some_evidence(feature: Any, random: random.Random) -> Any:
    """Soft evidence about a feature with some zeros that are meant."""
    values = feature.values
    weights = [random.random() * 10.0 ** random.randint(-6, 0) for _ in values]
    for place in range(1, len(values)):
        weights[place] *= random.random() < 0.8
    return feature.weigh(weights, exact=True)


@pytest.mark.parametrize("seed", range(40))
def test_it_agrees_with_enumeration(seed: int) -> None:
    model, evidence, features, expected = possible_declaration(seed)
    found = infer(model, evidence, method="junction_tree")
    stepwise = infer(model, method="junction_tree")
    for each in evidence:
        stepwise = stepwise.observe(each)
    for posterior in (found, stepwise):
        assert posterior.log_evidence == pytest.approx(expected.log_evidence, rel=1e-12, abs=1e-12)
        for feature in features:
            assert posterior.distribution(feature) == pytest.approx(
                expected.distribution(feature), abs=1e-12
            )
        shares = posterior.solution.expected()
        assert shares == pytest.approx(expected.solution.expected(), abs=1e-12)


def coins(count: int) -> list[Choice]:
    return [Choice(f"coin {n}", ["heads", "tails"]) for n in range(count)]


def chain(count: int, stay: float = 0.9) -> list[Choice]:
    """States that mostly stay as the one before is."""
    rows = {0: {0: stay, 1: 1 - stay}, 1: {0: 1 - stay, 1: stay}}
    made = [Choice("state 0", {0: 0.5, 1: 0.5})]
    for number in range(1, count):
        made.append(Choice(f"state {number}", rows, given=made[-1].value()))
    return made


def test_sixty_four_coins_are_one_coin_each() -> None:
    made = coins(64)
    belief = infer(Model(*made))
    assert belief.method == "junction_tree"
    assert belief.marginal(made[5]) == {"heads": 0.5, "tails": 0.5}
    heads = belief.distribution(count_of(each.equals("heads") for each in made))
    expected = [math.comb(64, n) / 2.0**64 for n in range(65)]
    assert heads == pytest.approx(expected, rel=1e-12)


def test_a_count_that_was_seen_ties_all_coins() -> None:
    made = coins(200)
    heads = count_of(each.equals("heads") for each in made)
    belief = infer(Model(*made), heads.equals(50).observed())
    assert belief.probability(made[7].equals("heads")) == pytest.approx(0.25, abs=1e-12)
    both = belief.joint(made[0], made[199])
    assert both["heads", "heads"] == pytest.approx(50 * 49 / (200 * 199), abs=1e-12)
    assert belief.log_evidence == pytest.approx(math.log(math.comb(200, 50)) - 200 * math.log(2))


def test_a_long_chain_forgets_and_remembers() -> None:
    states = chain(2_000)
    belief = infer(Model(*states), states[-1].equals(1))
    assert belief.method == "junction_tree"
    # The difference of the two states shrinks to 0.8 of itself with every step.
    for back in (1, 5, 50):
        share = belief.probability(states[-1 - back].equals(1))
        assert share == pytest.approx(0.5 + 0.5 * 0.8**back, abs=1e-12)
    later = belief.observe(states[-11].equals(1))
    assert later.probability(states[-6].equals(1)) == pytest.approx(
        0.5 * (1 + 0.8**5) ** 2 / (1 + 0.8**10), abs=1e-12
    )
    assert later.log_evidence == pytest.approx(
        math.log(0.5) + math.log(0.5 + 0.5 * 0.8**10), abs=1e-12
    )


def test_evidence_that_comes_one_by_one_is_passed_only_where_it_is_asked_for() -> None:
    states = chain(300)
    model = Model(*states)
    rng = random.Random(1)
    belief = infer(model, method="junction_tree")
    seen: list[Any] = []
    for _ in range(20):
        state = rng.choice(states)
        seen.append(state.value().weigh([rng.random(), rng.random()]))
        belief = belief.observe(seen[-1])
        asked = rng.choice(states)
        whole = infer(model, seen, method="junction_tree")
        assert belief.distribution(asked) == pytest.approx(whole.distribution(asked), abs=1e-12)
        assert belief.log_evidence == pytest.approx(whole.log_evidence, abs=1e-11)


def test_weights_that_leave_the_floats_are_multiplied_as_logarithms() -> None:
    state, *rest = chain(140)
    one = [state.value().weigh([1.0, 1e-6], because=f"one {n}") for n in range(100)]
    two = [state.value().weigh([1e-6, 1.0], because=f"two {n}") for n in range(100)]
    belief = infer(Model(state, *rest), [*one, *two], method="junction_tree")
    assert belief.probability(state.equals(1)) == pytest.approx(0.5, abs=1e-12)
    assert belief.log_evidence == pytest.approx(100 * math.log(1e-6), rel=1e-12)
    doors = [Choice(f"door {n}", ["prize", "nothing"]) for n in range(100)]
    said = [each.equals("prize").observed(reliability=1 - 1e-6) for each in doors]
    none = count_of(each.equals("prize") for each in doors).equals(0)
    expected = 100 * (math.log(0.5) + math.log(1e-6))
    found = infer(Model(*doors), [*said, none])
    assert found.log_evidence == pytest.approx(expected, rel=1e-9)


def test_draws_follow_the_posterior() -> None:
    states = chain(130, stay=0.7)
    model = Model(*states)
    belief = infer(model, [states[0].equals(0), states[4].equals(1)], method="junction_tree")
    rows = belief.sample_array(4_000, np.random.default_rng(3))
    counts: dict[tuple[int, ...], int] = {}
    for row in rows[:, 1:4].tolist():
        counts[tuple(row)] = counts.get(tuple(row), 0) + 1
    joint = belief.joint(*states[1:4])
    assert set(counts) <= set(joint)
    observed = [counts.get(value, 0) for value in joint]
    expected = [4_000 * share for share in joint.values()]
    assert chisquare(observed, expected).pvalue > 0.001


def test_worlds_are_listed_where_they_are_few() -> None:
    made = coins(150)
    belief = infer(Model(*made), [each.equals("heads") for each in made[3:]])
    rows, shares = belief.worlds()
    assert sorted(map(tuple, rows[:, :3].tolist())) == [*itertools.product((0, 1), repeat=3)]
    assert shares == pytest.approx(np.full(8, 1 / 8))
    with pytest.raises(CostError, match="no list"):
        infer(Model(*made)).worlds()


@pytest.mark.filterwarnings("error")
def test_more_worlds_than_floats_can_count_are_too_many_where_some_are_impossible() -> None:
    # Fibonacci's numbers: no two ones in a row.
    row = [Choice("bit 0", [0, 1])]
    for number in range(1, 1_600):
        row.append(Choice(f"bit {number}", {0: [0, 1], 1: [0]}, given=row[-1]))
    with pytest.raises(CostError, match="no list"):
        infer(Model(*row), method="junction_tree").worlds()
    few = infer(Model(*row[:10]), method="junction_tree")
    assert len(few.worlds()[1]) == 144


def test_a_deal_beside_many_choices_hangs_on_few_of_them() -> None:
    cards = Deal(["ace", "king", "queen"], holders={"me": 1, "you": 1, "table": 1})
    states = chain(150)
    bluff = Choice(
        "bluff",
        {"me": {1: 0.9, 0: 0.1}, "you": {1: 0.2, 0: 0.8}, "table": {1: 0.5, 0: 0.5}},
        given=cards.holder_of("ace"),
    )
    same = together(bluff, states[0]).satisfies(lambda pair: pair[0] == pair[1])
    given = [same.observed(), states[0].equals(1)]
    belief = infer(Model(cards, bluff, *states), given, method="junction_tree")
    assert belief.marginal(cards.holder_of("ace")) == pytest.approx(
        {"me": 0.9 / 1.6, "you": 0.2 / 1.6, "table": 0.5 / 1.6}, abs=1e-12
    )
    assert belief.joint(cards.holder_of("king"), states[1])["me", 1] == pytest.approx(
        0.9 * (0.2 + 0.5) / 1.6 / 2, abs=1e-12
    )


def test_what_cannot_all_be_true_is_told() -> None:
    states = chain(150)
    never = together(states[3], states[4]).satisfies(lambda pair: pair[0] != pair[1])
    given = [never.observed(because="they differ"), states[3].equals(1), states[4].equals(1)]
    with pytest.raises(ContradictionError, match="they differ"):
        infer(Model(*states), given)


def test_a_model_that_is_too_wide_is_refused_with_its_width() -> None:
    spins = [[Choice(f"spin {x} {y}", [0, 1]) for x in range(30)] for y in range(30)]
    pairs = [(row[x], row[x + 1]) for row in spins for x in range(29)]
    pairs += [(spins[y][x], spins[y + 1][x]) for y in range(29) for x in range(30)]
    given = [together(*pair).weigh([2.0, 1.0, 1.0, 2.0]) for pair in pairs]
    with pytest.raises(CostError, match=r"width is at least \d\d: up to \d\d choices"):
        infer(Model(*itertools.chain(*spins)), given)


def directed_grid(side: int) -> dict[tuple[int, int], Choice]:
    """Cells of a square, each of which depends on the one to its left and the one above it."""
    made: dict[tuple[int, int], Choice] = {}
    for y, x in itertools.product(range(side), repeat=2):
        above = [made[each] for each in ((y - 1, x), (y, x - 1)) if each in made]
        high = 0.3 + 0.1 * ((x + 2 * y) % 4)
        if above:
            parents = together(*above)
            shares = {value: high / (1 + sum(value)) for value in parents.values}
            rows = {value: {1: share, 0: 1.0 - share} for value, share in shares.items()}
            made[y, x] = Choice(f"cell {y} {x}", rows, given=parents)
        else:
            made[y, x] = Choice(f"cell {y} {x}", {1: high, 0: 1.0 - high})
    return made


def test_what_cannot_matter_to_a_question_is_left_out() -> None:
    wide, small = directed_grid(30), directed_grid(4)
    given = wide[2, 2].equals(1)
    belief = infer(Model(*wide.values()), given)
    expected = infer(Model(*small.values()), small[2, 2].equals(1), method="enumeration")
    assert belief.method == "junction_tree"
    assert belief.log_evidence == pytest.approx(expected.log_evidence, abs=1e-12)
    for place in ((0, 0), (1, 3), (3, 3)):
        assert belief.distribution(wide[place]) == pytest.approx(
            expected.distribution(small[place]), abs=1e-12
        )
    assert belief.joint(wide[0, 1], wide[3, 0]) == pytest.approx(
        expected.joint(small[0, 1], small[3, 0]), abs=1e-12
    )
    with pytest.raises(CostError, match="width is"):
        belief.marginal(wide[29, 29])
    # Seen at the far corner, everything matters.
    with pytest.raises(CostError, match="width is"):
        infer(Model(*wide.values()), wide[29, 29].equals(1))


def test_a_tree_is_made_at_once_where_to_find_a_part_of_it_takes_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(junction_tree, "LARGE", 0.0)
    chain = [Choice("link 0", {0: 0.3, 1: 0.7})]
    rows = {0: {0: 0.9, 1: 0.1}, 1: {0: 0.2, 1: 0.8}}
    for number in range(1, 200):
        chain.append(Choice(f"link {number}", rows, given=chain[-1]))
    lazy = infer(Model(*chain), method="junction_tree")
    assert lazy.marginal(chain[1])[0] == pytest.approx(0.3 * 0.9 + 0.7 * 0.2)
    assert isinstance(lazy.solution, LazyJunctionSolution)
    assert "whole" in lazy.solution.kept


def test_a_large_tree_is_made_once_many_questions_were_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(junction_tree, "LARGE", 0.0)
    cells = directed_grid(4)
    model = Model(*cells.values())
    lazy = infer(model, cells[2, 2].equals(1), method="junction_tree")
    expected = infer(model, cells[2, 2].equals(1), method="enumeration")
    for cell in cells.values():
        assert lazy.distribution(cell) == pytest.approx(expected.distribution(cell), abs=1e-12)
    assert isinstance(lazy.solution, LazyJunctionSolution)
    assert "whole" in lazy.solution.kept
    shares = lazy.solution.expected()
    assert shares == pytest.approx(expected.solution.expected(), abs=1e-12)


@pytest.mark.parametrize("seed", range(12))
def test_the_likeliest_world_is_the_first_of_all(seed: int) -> None:
    model, evidence, _, expected = possible_declaration(100 + seed)
    world, share = infer(model, evidence, method="junction_tree").most_likely_world()
    likeliest, most = expected.most_likely_world()
    shares = expected.worlds()[1]
    assert share == pytest.approx(most, abs=1e-12)
    if np.count_nonzero(shares > most - 1e-9) == 1:
        assert world == likeliest


@pytest.mark.parametrize("method", ["card_by_card", "forward_filter"])
def test_the_likeliest_world_is_found_where_another_method_answers(method: str) -> None:
    states: list[Any] = chain(40)
    evidence = [states[0].equals(0), states[-1].equals(1)]
    if method == "forward_filter":
        walk = Walk("walk", range(60), start=[0])
        to = {place: {place: 0.4, (place + 1) % 60: 0.6} for place in range(60)}
        states, evidence = [walk], [walk.step(to) for _ in range(40)]
    belief = infer(Model(*states), evidence, method=method)
    with pytest.raises(CostError):
        belief.worlds()
    by_tree = infer(Model(*states), evidence, method="junction_tree").most_likely_world()
    assert belief.most_likely_world() == by_tree
    with pytest.raises(CostError):
        infer(Model(*states), evidence, method="particles", seed=1).most_likely_world()


def test_the_likeliest_path_of_a_long_chain_stays_where_it_was_seen() -> None:
    states = chain(400)
    belief = infer(Model(*states), [states[0].equals(0), states[-1].equals(1)])
    world, share = belief.most_likely_world()
    values = [world[state.name] for state in states]
    assert values == sorted(values)
    assert math.log(share) == pytest.approx(
        math.log(0.9**398 * 0.1) - math.log(0.5 - 0.5 * 0.8**399), abs=1e-9
    )


def test_the_joint_of_many_choices_of_several_cliques_is_found_in_a_tree_of_its_own() -> None:
    rng = random.Random(5)
    causes = [Choice(f"cause {n}", {1: 0.2, 0: 0.8}) for n in range(12)]
    findings: list[Choice] = []
    for number in range(40):
        above = together(*rng.sample(causes, 2))
        shares = {value: 0.05 + 0.4 * sum(value) for value in above.values}
        rows = {value: {1: share, 0: 1.0 - share} for value, share in shares.items()}
        findings.append(Choice(f"finding {number}", rows, given=above))
    seen = [each.equals(1) for each in findings[:9]]
    belief = infer(Model(*causes, *findings), seen, method="junction_tree")
    alone = infer(Model(*causes, *findings[:9]), seen, method="enumeration")
    asked = together(*causes[:10])
    assert belief.distribution(asked) == pytest.approx(alone.distribution(asked), abs=1e-12)
    later = belief.observe(causes[11].equals(1)), alone.observe(causes[11].equals(1))
    assert later[0].distribution(asked) == pytest.approx(later[1].distribution(asked), abs=1e-12)


def test_conditions_on_pairs_of_many_choices_are_counted() -> None:
    count = 60
    values = [Choice(f"value {n}", {0: 0.5, 1: 0.3, 2: 0.2}) for n in range(count)]
    belief = infer(Model(*values))
    alike = [
        together(one, other).satisfies(lambda pair: pair[0] == pair[1])
        for one, other in zip(values[::2], values[1::2], strict=True)
    ]
    same = 0.25 + 0.09 + 0.04
    expected = {n: math.comb(30, n) * same**n * (1 - same) ** (30 - n) for n in range(31)}
    assert belief.marginal(count_of(alike)) == pytest.approx(expected, abs=1e-12)
    assert belief.probability(count_of(alike).at_least(1)) == pytest.approx(
        1 - (1 - same) ** 30, abs=1e-12
    )
    # Neighbours: no two twos side by side, by the recurrence over how the row ends.
    ends, other = 0.2, 0.8
    for _ in range(count - 1):
        ends, other = 0.2 * other, 0.8 * (ends + other)
    pairs = [together(*pair).equals((2, 2)) for pair in itertools.pairwise(values)]
    assert belief.probability(any_of(pairs)) == pytest.approx(1 - ends - other, abs=1e-12)
    later = belief.observe(values[7].equals(2), values[8].equals(2))
    assert later.probability(any_of(pairs)) == pytest.approx(1.0, abs=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_counted_conditions_are_those_of_a_table(seed: int) -> None:
    cells = list(directed_grid(3).values())
    rng = random.Random(seed)
    seen = [each.value().weigh([rng.random(), rng.random()]) for each in rng.sample(cells, 3)]
    belief = infer(
        Model(*cells), [*seen, cells[rng.randrange(9)].equals(1)], method="junction_tree"
    )
    conditions = [
        together(*rng.sample(cells, 2)).satisfies(lambda pair: sum(pair) == 1) for _ in range(5)
    ]
    conditions.append(cells[0].equals(1))
    assert isinstance(belief.solution, JunctionSolution)
    layout = belief.problem.layout
    found = belief.solution.counts(
        [(each.base.additive(layout), each.project) for each in conditions]
    )
    assert found == pytest.approx(belief.distribution(count_of(conditions)), abs=1e-12)
