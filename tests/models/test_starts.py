"""All starts of a game, found by following every draw, beside those that are dealt or listed."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import sleuth
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.data.errors import CostError, UnsupportedError
from sleuth.models.game import Game
from sleuth.models.starts import draws
from sleuth.planners.small_games.starts import starts_of

LEDUC = sleuth.game("leduc_poker")


def by_bytes(game: Game) -> dict[bytes, float]:
    starts = game.starts()
    shares = starts.probabilities.tolist()
    return {starts.states[i : i + 1].tobytes(): share for i, share in enumerate(shares)}


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "phantom_tic_tac_toe"])
def test_starts_are_those_that_the_belief_lists(name: str) -> None:
    game = sleuth.game(name)
    listed = starts_of(game, None, None, belief_or_none(game))
    found = by_bytes(game)
    assert found.keys() == {states.tobytes() for states, _ in listed}
    for states, share in listed:
        assert math.isclose(found[states.tobytes()], share, abs_tol=1e-12)


def test_draws_are_followed_in_a_game_that_takes_its_kernels_from_a_page_of_the_face() -> None:
    with pytest.raises(CostError, match="518,400 deals"):
        sleuth.game("mini_stratego").starts()


def test_starts_are_as_likely_as_dealt() -> None:
    found = by_bytes(LEDUC)
    dealt = [LEDUC.initial(seed).tobytes() for seed in range(4_000)]
    counts = [dealt.count(each) for each in found]
    assert sum(counts) == len(dealt)
    assert stats.chisquare(counts, np.array(list(found.values())) * len(dealt)).pvalue > 1e-4


@sleuth.kernel
def roll(random: Any, sides: Any) -> int:
    return 1 + sleuth.below(random, sides)


@sleuth.kernel
def start_with_uneven_draws(state: Any, tables: Any, random: Any) -> None:
    # A coin; on heads a die of three, on tails nothing more.
    state.cards[0] = sleuth.below(random, 2)
    if state.cards[0] == 0:
        state.cards[1] = roll(random, 3)


@sleuth.kernel
def start_by_halves(state: Any, tables: Any, random: Any) -> None:
    state.cards[0] = 1 if sleuth.uniform(random) < 0.5 else 0


@sleuth.kernel
def start_by_bits(state: Any, tables: Any, random: Any) -> None:
    state.cards[0] = 1 if random[0] > np.uint64(1 << 40) else 0


def test_draws_may_depend_on_draws() -> None:
    starts = replace(LEDUC, start=start_with_uneven_draws).starts()
    assert starts.states["cards"].tolist() == [[0, 1], [0, 2], [0, 3], [1, 0]]
    np.testing.assert_allclose(starts.probabilities, [1 / 6, 1 / 6, 1 / 6, 1 / 2])


@pytest.mark.parametrize("start", [start_by_halves, start_by_bits])
def test_other_draws_cannot_be_followed(start: Any) -> None:
    with pytest.raises(UnsupportedError, match="cannot be listed"):
        replace(LEDUC, start=start).starts()


def test_too_many_deals_are_refused_at_once() -> None:
    with pytest.raises(CostError, match=r"about 2\.1e\+18 deals"):
        sleuth.game("clue_table").starts()
    with pytest.raises(CostError, match="120"):
        LEDUC.starts(most=119)
    assert len(LEDUC.starts(most=120)) == 24


@sleuth.kernel
def start_again_and_again(state: Any, tables: Any, random: Any) -> None:
    while sleuth.below(random, 2) == 1:
        state.cards[0] = 0


@sleuth.kernel
def start_with_many_cards(state: Any, tables: Any, random: Any) -> None:
    for _ in range(400):
        state.cards[0] = sleuth.below(random, 52)


@sleuth.kernel
def start_with_nothing(state: Any, tables: Any, random: Any) -> None:
    state.cards[0] = sleuth.below(random, state.moves)


@pytest.mark.parametrize(
    "start, message",
    [
        (start_again_and_again, "more than 1,000 draws"),
        (start_with_many_cards, r"about 2\.5e\+686 deals"),
        (start_with_nothing, r"no values \(got 'below\(random, 0\)'\)"),
    ],
)
def test_starts_without_end_are_refused_and_not_waited_for(start: Any, message: str) -> None:
    with pytest.raises((CostError, UnsupportedError), match=message):
        replace(LEDUC, start=start).starts()


def test_fleets_are_laid_until_they_fit_which_cannot_be_followed() -> None:
    with pytest.raises(CostError, match="draws again"):
        sleuth.game("battleship").starts()


def test_a_game_without_chance_has_one_start() -> None:
    starts = sleuth.game("tic_tac_toe").starts()
    assert len(starts) == 1
    assert starts.probabilities.tolist() == [1.0]


def test_dice_are_known_by_the_kernels() -> None:
    assert draws(LEDUC.start)
    assert not LEDUC.has_dice
    assert draws(roll)
    assert sleuth.game("clue").has_dice
