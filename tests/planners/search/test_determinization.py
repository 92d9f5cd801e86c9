"""States a search starts from: as likely as the belief says, and with nothing left hidden."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

from sleuth import HIDDEN, Play, Search, game
from sleuth.agents import drawn_from
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.errors import SettingsError
from sleuth.games.small import kuhn_poker
from sleuth.kit import generator
from sleuth.models.small.leduc_poker import CALL
from sleuth.planners.search.determinization import (
    Draw,
    checked_rows,
    fill_worlds,
    no_hidden_values,
    worlds,
)
from sleuth.planners.search.kernels.work import EVERYTHING, OBSERVER, PLAYERS, Worlds
from sleuth.search import from_list

DRAWS = 20_000


def filled(play: Play, draw: Draw, draws: int = DRAWS, information: int = OBSERVER) -> Worlds:
    """States drawn for the player to move."""
    made, view = play.truth(), play.view(play.player)
    assert made is not None
    rows = checked_rows(draw, draws, np.random.default_rng(3))
    return worlds(
        fill_worlds,
        (view.game.fill, view.game.mask),
        view.game,
        view,
        rows,
        information=information,
        classes=np.zeros(draws, np.int32),
        random=generator(5),
    )


def believed(play: Play) -> Draw:
    """Draws from what the player to move believes."""
    beliefs = belief_or_none(play.view(play.player).game)
    assert beliefs is not None
    view = play.view(play.player)
    return drawn_from(beliefs, beliefs.infer(view, play.seen_by(view.player)))


def frequencies(states: Any, *fields: str) -> Counter[tuple[int, ...]]:
    """How often each combination of values was filled in."""
    columns = [states[field].reshape(len(states), -1) for field in fields]
    return Counter(map(tuple, np.concatenate(columns, axis=1).tolist()))


def pvalue(found: Counter[tuple[int, ...]], expected: dict[tuple[int, ...], float]) -> float:
    assert set(found) <= set(expected)
    total = sum(found.values())
    return float(
        chisquare(
            [found[key] for key in expected], [share * total for share in expected.values()]
        ).pvalue
    )


# Drawn from a belief


@pytest.mark.parametrize("seed", range(4))
def test_in_kuhn_poker_the_other_has_either_card_equally_often(seed: int) -> None:
    play = Play.new(kuhn_poker(), seed=seed)
    mine = int(play.view(0).states[0].cards[0])
    expected = {(mine, his): 0.5 for his in range(3) if his != mine}
    found = frequencies(filled(play, believed(play)).states, "cards")
    assert pvalue(found, expected) > 1e-4


def leduc_deals(mine: int, table: int | None) -> dict[tuple[int, ...], float]:
    """P(own card, other's card, card on the table), by going through all deals of six cards."""
    counted = Counter(
        (deal[0] // 2, deal[1] // 2, deal[2] // 2)
        for deal in permutations(range(6), 3)
        if deal[0] // 2 == mine and table in (None, deal[2] // 2)
    )
    return {deal: count / counted.total() for deal, count in counted.items()}


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("moves", [(), (CALL, CALL)])
def test_in_leduc_poker_cards_are_drawn_as_they_are_dealt(
    seed: int, moves: tuple[int, ...]
) -> None:
    play = Play.new(game("leduc_poker"), seed=seed)
    for move in moves:
        play.apply(move)
    state = play.view(0).states[0]
    expected = leduc_deals(int(state.cards[0]), int(state.table) if moves else None)
    found = frequencies(filled(play, believed(play)).states, "cards", "table")
    assert pvalue(found, expected) > 1e-4


def test_a_draw_that_took_all_deals_for_equally_likely_would_be_noticed() -> None:
    play = Play.new(game("leduc_poker"), seed=0)
    expected = leduc_deals(int(play.view(0).states[0].cards[0]), None)
    equally = dict.fromkeys(expected, 1 / len(expected))
    found = frequencies(filled(play, believed(play)).states, "cards", "table")
    assert pvalue(found, equally) < 1e-6


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "phantom_tic_tac_toe", "clue_table"])
@pytest.mark.parametrize("moves", [0, 1, 2])
def test_nothing_is_hidden_in_the_states_of_a_search(name: str, moves: int) -> None:
    play = Play.new(game(name), seed=2)
    for move in range(moves):
        play.apply(int(play.legal()[: move + 1][-1]))
    view = play.view(play.player)
    assert (view.states.view(np.int32) == HIDDEN).any()
    made = filled(play, believed(play), draws=300)
    assert not (made.states.view(np.int32) == HIDDEN).any()


# From a list


def rows_drawn(draw: Draw, draws: int = DRAWS) -> Counter[tuple[int, ...]]:
    return Counter(map(tuple, draw(draws, np.random.default_rng(1)).tolist()))


LISTED = [[0, 1, 2], [1, 0, 2], [2, 0, 1]]


def test_without_weights_every_row_of_a_list_is_equally_likely() -> None:
    found = rows_drawn(from_list(LISTED))
    assert pvalue(found, {tuple(row): 1 / 3 for row in LISTED}) > 1e-4


def test_rows_are_drawn_by_their_weights() -> None:
    # Weights need not add up to 1, and what has none is never drawn.
    found = rows_drawn(from_list(LISTED, [6, 0, 2]))
    assert pvalue(found, {(0, 1, 2): 0.75, (2, 0, 1): 0.25}) > 1e-4


def test_a_row_that_stands_twice_is_twice_as_likely() -> None:
    found = rows_drawn(from_list([[0], [0], [1]]))
    assert pvalue(found, {(0,): 2 / 3, (1,): 1 / 3}) > 1e-4


def test_a_single_row_may_be_written_without_its_list() -> None:
    assert rows_drawn(from_list([0, 1, 2]), 5) == {(0, 1, 2): 5}


def test_later_changes_to_a_list_change_no_draw() -> None:
    rows = np.array(LISTED)
    draw = from_list(rows)
    rows[:] = 7
    assert 7 not in draw(100, np.random.default_rng(1))


@pytest.mark.parametrize("rows", [np.zeros((0, 3)), np.zeros((2, 2, 2))])
def test_a_list_without_rows_is_refused(rows: NDArray[np.float64]) -> None:
    with pytest.raises(SettingsError, match="no rows to draw from"):
        from_list(rows)


@pytest.mark.parametrize(
    "weights", [[1, 1], [1, 1, -1], [1, 1, np.nan], [1, 1, np.inf], [[1, 1, 1]]]
)
def test_weights_that_are_none_are_refused(weights: Any) -> None:
    with pytest.raises(SettingsError, match="one number >= 0 for each row"):
        from_list(LISTED, weights)


def test_a_list_in_which_nothing_is_possible_is_refused() -> None:
    with pytest.raises(SettingsError, match="all weights are zero"):
        from_list(LISTED, [0, 0, 0])


# A way to draw of one's own


def gives(rows: Any) -> Draw:
    return lambda count, rng: rows


@pytest.mark.parametrize(
    "rows",
    [
        np.zeros((3, 2), np.int16),  # one row too few
        np.zeros(4, np.int16),  # no columns
        np.zeros((4, 2, 1), np.int16),
        np.zeros((4, 2)),  # no whole numbers
        np.zeros((4, 2), bool),
        [["a", "b"]] * 4,
    ],
)
def test_a_draw_that_gives_no_rows_of_whole_numbers_is_refused(rows: Any) -> None:
    with pytest.raises(SettingsError, match="one row of whole numbers for each state"):
        checked_rows(gives(rows), 4, np.random.default_rng(0))


@pytest.mark.parametrize("kind", [np.int8, np.int16, np.uint8, np.int64])
def test_rows_come_as_the_kernels_need_them(kind: Any) -> None:
    given = np.arange(8, dtype=kind).reshape(2, 4).T  # with gaps between
    rows = checked_rows(gives(given), 4, np.random.default_rng(0))
    assert rows.dtype == np.int16
    assert rows.flags.c_contiguous
    assert rows.tolist() == given.tolist()
    assert (
        checked_rows(gives(given.tolist()), 4, np.random.default_rng(0)).tolist() == rows.tolist()
    )


def test_a_game_without_secrets_needs_no_draw() -> None:
    assert checked_rows(no_hidden_values, 5, np.random.default_rng(0)).shape == (5, 1)


def test_a_search_asks_for_the_worlds_it_can_use() -> None:
    asked: list[int] = []

    def draw(count: int, rng: np.random.Generator) -> Any:
        asked.append(count)
        return from_list([[0, 1, 2]])(count, rng)

    play = Play.new(kuhn_poker(), seed=0)
    view = play.view(0)
    Search(kuhn_poker(), worlds=100).start(view, draw)
    Search(kuhn_poker(), worlds=100).start(view, draw, simulations=30)
    Search(kuhn_poker(), trees=3).start(view, draw)
    Search(kuhn_poker(), worlds=100, workers=2).start(view, draw)
    assert asked == [100, 30, 1, 1, 1, 100, 100]


# What is known in them


def test_states_have_a_key_for_what_each_player_knows() -> None:
    play = Play.new(kuhn_poker(), seed=0)
    mine = int(play.view(0).states[0].cards[0])
    first, second = (card for card in range(3) if card != mine)
    rows = [[0 if card == mine else 1 if card == his else 2 for card in range(3)]
            for his in (first, second, first)]  # fmt: skip
    keys = filled(play, gives(np.array(rows)), 3, PLAYERS).keys
    # The first player cannot tell them apart, the second holds another card in the middle one.
    assert len(set(keys[:, 0].tolist())) == 1
    for knows in (1, 2):
        assert keys[0, knows] == keys[2, knows] != keys[1, knows]
    everything = filled(play, gives(np.array(rows)), 3, EVERYTHING).keys[:, 2]
    assert everything[0] == everything[2] != everything[1]
