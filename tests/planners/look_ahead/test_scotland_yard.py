"""Minimax in Scotland Yard: the paper's formulas by hand, its reduced tree, and its limits."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pytest

from sleuth import OVER, Game, Play
from sleuth.agents import parse_agent
from sleuth.games.scotland_yard import scotland_yard, searching
from sleuth.kit import generator
from sleuth.models.game import legal_actions
from sleuth.models.scotland_yard import HIDER
from sleuth.models.scotland_yard.advice import evaluation, guesses
from sleuth.models.scotland_yard.imagined import begin
from sleuth.models.scotland_yard.state import bits_of
from sleuth.planners.agents.look_ahead_agents import LookAheadAgent
from sleuth.search import AlphaBeta, Limits, from_list

# By hand from the map: 1 is joined to 8 and 9 by taxi; 8 to 1, 18 and 19; 9 to 1, 19 and 20.
FAR_AWAY = 199


def standing(hider: int, seekers: list[int], possible: list[int], player: int) -> Play:
    """Somewhere in a game of so many detectives."""
    yard = scotland_yard(seekers=len(seekers))
    states = yard.initial(0)
    state = states[0]
    state.stations[:] = 0
    state.stations[: 1 + len(seekers)] = (hider, *seekers)
    state.player, state.turn = player, 4
    state.possible[:] = bits_of(possible)
    return Play.new(yard, seed=1, start=states)


# Formulas


def test_formula_5_by_hand() -> None:
    # The nearest detective is 2 moves away, 5 black fares are left, 3 stations are possible.
    play = standing(1, [18, FAR_AWAY], [1, 9, 46], HIDER)
    state, tables = play.truth()[0], play.game.tables
    score = float(evaluation.hider_score(state, tables))
    assert 253 <= score < 254
    value = float(evaluation.escape(state, HIDER, tables))
    assert value == pytest.approx((score - 500) / (score + 500))
    assert float(evaluation.escape(state, 1, tables)) == -value


def test_formula_6_by_hand() -> None:
    # From 8 to 1, 18 and 9: 1 + 1 + 2 moves.
    play = standing(1, [8, FAR_AWAY], [1, 18, 9], 1)
    state, tables = play.truth()[0], play.game.tables
    score = float(evaluation.seeker_score(state, 1, tables))
    assert -4 <= score < -3
    assert float(evaluation.approach(state, 1, tables)) == pytest.approx(score / 2_000)


def test_formula_7_by_hand() -> None:
    # 1 and 18 are next to the detective at 8, 9 and 20 are not: categories 1, 1, 2, 3.
    play = standing(1, [8], [1, 9, 18, 20], 1)
    paper = play.game.advice.guesses["paper_table"]
    rows, weights = paper(play.view(1), play.seen_by(1))
    assert rows[:, 0].tolist() == [1, 9, 18, 20]
    a, b, c = 2454 / 12523, 9735 / 14502, 4047 / 7491
    assert weights / weights.sum() == pytest.approx(np.array([a, b, a, c]) / (a + b + a + c))


def test_the_papers_detailed_table_has_a_row_for_the_categories_at_hand() -> None:
    play = standing(1, [8], [1, 9, 18, 20], 1)
    offered = play.game.advice.guesses
    weights = offered["paper_detailed_1"](play.view(1), play.seen_by(1))[1]
    a, b, c = 210, 1558, 1642  # of categories 1, 2, 3
    assert weights / weights.sum() == pytest.approx(np.array([a, b, a, c]) / (2 * a + b + c))
    weights = offered["paper_detailed_2"](play.view(1), play.seen_by(1))[1]
    expected = np.array([a / 2, b, a / 2, c]) / (a + b + c)
    assert weights / weights.sum() == pytest.approx(expected)


def test_the_papers_tables_were_counted_in_the_same_games() -> None:
    table = guesses.PAPER.tables["minimum_distance"]
    rows = np.array(list(table.combined.values()))
    # All rows of 100 and more; what is missing was met rarely, so no column has more than Table I.
    assert rows.sum(axis=1).min() >= 100
    missing = np.array(table.was) - rows.sum(axis=0)
    assert missing.tolist() == [2, 19, 27, 88, 92]
    for present, row in table.combined.items():
        assert all(row[category] == 0 or category in present for category in range(5))


def test_categories_are_those_of_the_moment_after_the_hiders_move() -> None:
    play = standing(1, [19, FAR_AWAY], [1, 9, 18], 1)
    before = guesses.categories(play.view(1), play.seen_by(1))[1]
    code = next(c for c in play.legal() if play.game.action_name(int(c)) == "taxi 19 to 8")
    play.apply(int(code))
    assert guesses.categories(play.view(2), play.seen_by(2))[1].tolist() == before.tolist()


def test_the_random_part_belongs_to_the_position() -> None:
    play = Play.new(scotland_yard(), seed=1)
    rng = np.random.default_rng(1)
    found: list[float] = []
    for _ in range(60):
        state = play.truth()[0]
        noise = float(evaluation.noise(state, play.game.tables))
        assert noise == float(evaluation.noise(play.truth()[0], play.game.tables))
        found.append(noise)
        play.apply(int(rng.choice(play.legal())))
    assert len(set(found)) > 55
    assert 0 <= min(found) < 0.2 < 0.8 < max(found) < 1


# The reduced tree


def test_the_other_detectives_stay_where_they_are() -> None:
    play = standing(1, [18, 100, FAR_AWAY], [1, 9], 2)
    alone = searching(play.game, tracks=True, alone=True)
    begin(alone, play.view(2))
    states, random = play.truth(), generator(1)
    rng = np.random.default_rng(1)
    movers: list[int] = []
    while states[0].player != OVER and len(movers) < 12:
        mover = int(states[0].player)
        movers.append(mover)
        others = [player for player in range(4) if player != mover]
        before = states[0].stations[others].tolist()
        alone.apply(states[0], int(rng.choice(legal_actions(alone, states))), alone.tables, random)
        assert states[0].stations[others].tolist() == before
    assert movers == [2, HIDER] * 6


def test_a_hider_who_searches_expects_all_detectives_to_move() -> None:
    play = standing(1, [120, 100, FAR_AWAY], [1, 9], HIDER)
    alone = searching(play.game, tracks=True, alone=True)
    begin(alone, play.view(HIDER))
    states = play.truth()
    movers: list[int] = []
    for _ in range(8):
        movers.append(int(states[0].player))
        code = int(legal_actions(alone, states)[0])
        alone.apply(states[0], code, alone.tables, generator(1))
    assert movers == [HIDER, 1, 2, 3] * 2


def test_a_lone_detective_who_cannot_move_is_skipped() -> None:
    play = standing(1, [18, 100], [1, 9], 2)
    alone = searching(play.game, tracks=True, alone=True)
    begin(alone, play.view(2))
    states = play.truth()
    states[0].tickets[2] = (1, 0, 0, 0)
    for _ in range(2):
        alone.apply(states[0], int(legal_actions(alone, states)[0]), alone.tables, generator(1))
    assert states[0].player == HIDER


def minimax(game: Game, states: Any, seeker: int, depth: int) -> float:
    """What the search should say, written plainly: he maximises, the hider minimises."""
    state = states[0]
    if state.player == OVER:
        values = np.zeros(game.players)
        game.returns(state, game.tables, values)
        return float(values[seeker])
    if depth == 0:
        return float(evaluation.approach(state, seeker, game.tables))
    best = max if state.player == seeker else min
    found: list[float] = []
    for code in legal_actions(game, states):
        after = states.copy()
        game.apply(after[0], int(code), game.tables, generator(1))
        found.append(minimax(game, after, seeker, depth - 1))
    return best(found)


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_the_seekers_expectimax_is_the_average_over_where_he_can_be(depth: int) -> None:
    play = standing(1, [8, 19], [1, 18, 31], 1)
    agent = parse_agent(f"expectimax:depth={depth}").prepare(play.game)(1)
    assert isinstance(agent, LookAheadAgent)
    view, seen = play.view(1), play.seen_by(1)
    found = agent.looked_ahead(view, seen)
    assert (found.depth, found.worlds) == (depth, 3)
    alone = searching(play.game, tracks=True, alone=True)
    begin(alone, view)
    rows, weights = guesses.categories(view, seen)
    shares = weights / weights.sum()
    for code in play.legal():
        expected = 0.0
        for row, share in zip(rows, shares, strict=True):
            states = view.states
            states[0].stations[HIDER] = row[0]
            alone.apply(states[0], int(code), alone.tables, generator(1))
            expected += share * minimax(alone, states, 1, depth - 1)
        assert found.values[int(code)] == pytest.approx(expected, abs=1e-12)
    if depth == 1:
        # By hand: to 1 he wins one time in w1 / (w1 + w18 + w31), else 2 or 3 moves are left.
        one = next(c for c in play.legal() if play.game.action_name(int(c)) == "taxi 8 to 1")
        assert found.values[int(one)] == pytest.approx(shares[0], abs=10 / 2_000)


# The hider's search


def test_paranoid_search_considers_what_filtering_leaves() -> None:
    play = standing(46, [18, FAR_AWAY], [46, 1], HIDER)
    agent = parse_agent("paranoid:depth=3").prepare(play.game)(1)
    assert isinstance(agent, LookAheadAgent)
    # Two stations, one with a bus: black fares are no waste; but he is safe, so no double moves.
    view, seen = play.view(HIDER), play.seen_by(HIDER)
    chosen = agent.looked_ahead(view, seen).action
    assert chosen < play.game.tables.board[0].moves
    assert agent.decide(view, seen) == chosen


def test_a_search_chooses_among_the_actions_it_is_given() -> None:
    play = standing(1, [18, FAR_AWAY], [1], HIDER)
    game = searching(play.game, tracks=True)
    search = AlphaBeta(game, evaluate=evaluation.escape)
    here = from_list([[1]])
    view, limits = play.view(HIDER), Limits(depth=3)
    singles = [int(code) for code in play.legal() if code < game.tables.board[0].moves]
    whole = search.decide(view, here, limits, actions=singles)
    values = {code: search.decide(view, here, limits, actions=[code]).value for code in singles}
    assert whole.value == max(values.values()) == values[whole.action]
    assert len(set(values.values())) > 1


def test_processor_time_is_a_limit() -> None:
    play = Play.new(scotland_yard(), seed=1)
    agent = parse_agent("paranoid:cpu_seconds=0.2").prepare(play.game)(1)
    start = time.thread_time()
    agent.decide(play.view(HIDER), play.seen_by(HIDER))
    assert 0.2 <= time.thread_time() - start < 0.4
