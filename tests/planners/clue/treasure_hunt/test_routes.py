"""Routes through cells with additive profits: the paper's two propositions, and brute force."""

from __future__ import annotations

from itertools import pairwise, permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth import Play, game
from sleuth.beliefs.arrays.layout import Floats
from sleuth.errors import CostError, SettingsError
from sleuth.games.clue import ClueBelief, expected_turns
from sleuth.models.clue.board.board import board
from sleuth.planners.clue.treasure_hunt.routes import best_route


def worth(order: tuple[int, ...], profits: Floats, from_here: Floats, between: Floats) -> float:
    ways = [from_here[order[0]]] if order else []
    ways += [between[one, other] for one, other in pairwise(order)]
    return float(profits[list(order)].sum() - sum(ways))


@st.composite
def hunts(draw: st.DrawFn) -> tuple[Floats, Floats, Floats]:
    count = draw(st.integers(1, 5))
    seed = draw(st.integers(0, 1_000_000))
    rng = np.random.default_rng(seed)
    return rng.random(count), rng.random(count), rng.random((count, count))


@given(hunts(), st.none() | st.integers(0, 5))
def test_it_is_the_best_of_all_orders(
    hunt: tuple[Floats, Floats, Floats], measurements: int | None
) -> None:
    count = hunt[0].shape[0]
    if measurements is not None:
        measurements = min(measurements, count)
    sizes = range(count + 1) if measurements is None else [measurements]
    every = [order for size in sizes for order in permutations(range(count), size)]
    found = best_route(*hunt, measurements=measurements)
    assert found.value == pytest.approx(max(worth(order, *hunt) for order in every))
    assert worth(found.cells, *hunt) == pytest.approx(found.value)


def rooms_of_clue() -> tuple[Floats, Floats]:
    """Expected turns from Miss Scarlet's start to each room, and between rooms."""
    far = board().distances
    turns = expected_turns(int(far.max()))
    start = board().place_of[board().starts["scarlet"]]
    return turns[far[start, :9]], turns[far[:9, :9]]


def test_where_every_measurement_is_made_the_cheapest_open_path_is_best() -> None:
    """Proposition 3, as a path and not a tour: nobody has to come back."""
    from_here, between = rooms_of_clue()
    profits = np.random.default_rng(2).random(9)
    found = best_route(profits, from_here, between, measurements=9)
    cheapest = min(
        from_here[order[0]] + sum(between[a, b] for a, b in pairwise(order))
        for order in permutations(range(9))
    )
    assert profits.sum() - found.value == pytest.approx(cheapest)
    other = best_route(profits[::-1].copy(), from_here, between, measurements=9)
    assert profits.sum() - other.value == pytest.approx(cheapest)  # profits do not matter


@given(hunts(), st.integers(0, 5))
def test_where_ways_are_free_the_most_profitable_are_chosen(
    hunt: tuple[Floats, Floats, Floats], measurements: int
) -> None:
    """Proposition 4."""
    profits = hunt[0]
    count = min(measurements, profits.shape[0])
    found = best_route(profits, 0 * hunt[1], 0 * hunt[2], measurements=count)
    assert sorted(found.cells) == sorted(np.argsort(-profits)[:count].tolist())


def test_exact_gains_are_not_additive() -> None:
    """So both propositions are about something else: two suggestions overlap in what they tell."""
    belief = ClueBelief()
    play = Play.new(game("clue_table"), seed=5)
    view = play.view(play.player)
    posterior = belief.infer(view, play.seen_by(play.player))
    file = belief.hidden(view)["case file"]
    questions = belief.questions(view)
    question = next(iter(questions.values()))
    gain = posterior.information_gain(question, about=file)
    expected = 0.0
    for outcome, chance in zip(
        question.outcomes, posterior.distribution(question.feature) @ question.table, strict=True
    ):
        if chance > 0.0:
            later = posterior.observe(question.observed(outcome))
            expected += chance * later.information_gain(question, about=file)
    assert gain > 0.1
    assert expected < 0.9 * gain  # the same suggestion again tells less


def test_bad_shapes_are_refused() -> None:
    with pytest.raises(SettingsError, match="shapes"):
        best_route(np.ones(2), np.ones(3), np.ones((2, 2)))
    with pytest.raises(CostError, match="at most 16 cells"):
        best_route(np.ones(17), np.ones(17), np.ones((17, 17)))
    with pytest.raises(SettingsError, match="measurements"):
        best_route(np.ones(2), np.ones(2), np.ones((2, 2)), measurements=3)
