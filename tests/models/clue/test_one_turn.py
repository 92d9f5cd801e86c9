"""One turn of Clue as a search imagines it, and that the search decides by what it is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sleuth import Budget, Game, Play, Search, SearchAgent
from sleuth.games.clue import PASS, ClueBelief, clue_table
from sleuth.kit import generator
from sleuth.models.clue.game import ACCUSE, SHOW, SUGGESTING, in_case_file
from sleuth.models.clue.imagined.one_turn import one_turn
from sleuth.models.game import legal_actions
from sleuth.models.kernels.kernel import plain

GAME = clue_table(players=3)


def value(game: Game, states: Any, player: int) -> float:
    values = np.zeros(game.players)
    plain(game.returns)(states[0], game.tables, values)
    assert values.sum() == pytest.approx(1.0)
    return float(values[player])


def step(game: Game, states: Any, action: int) -> None:
    assert action in legal_actions(game, states)
    plain(game.apply)(states[0], action, game.tables, generator(1))


@pytest.mark.parametrize("right", [True, False])
def test_who_accuses_what_looks_likeliest_wins_if_it_is_so(right: bool) -> None:
    """After an answer it is the state that says who is right, not how likely it looked."""
    game = one_turn(GAME)
    states = game.initial(3)
    me, file = int(states[0].player), plain(in_case_file)(game.initial(3)[0], game.tables)
    tables = game.tables
    tables.begun[:] = 0, me
    tables.rows[50] = 1
    tables.likeliest[1] = file if right else (file + 1) % 324
    tables.accusing[1] = 0.5
    step(game, states, 50)
    while int(states[0].player) != me:
        step(game, states, int(legal_actions(game, states)[0]))
    accuse, last = legal_actions(game, states).tolist()
    assert last == PASS
    step(game, states, accuse)
    assert value(game, states, me) == float(right)


def test_every_answer_has_a_worth_of_its_own() -> None:
    found: set[float] = set()
    for seed in range(12):
        game = one_turn(GAME)
        states = game.initial(seed)
        me = int(states[0].player)
        game.tables.begun[:] = 0, me
        game.tables.rows[50] = 1
        answers = game.tables.passing.shape[1]
        game.tables.passing[1] = np.arange(answers) / answers
        step(game, states, 50)
        asked, shown = int(states[0].refuter), -1
        while int(states[0].player) != me:
            shown = int(legal_actions(game, states)[0])
            step(game, states, shown)
        step(game, states, PASS)
        cards = [0, 6 + 5, 12 + 5]  # of triple 50
        place = 3 * 2 if asked < 0 else 3 * ((asked - me - 1) % 3) + cards.index(shown - SHOW)
        assert value(game, states, me) == place / answers
        found.add(place)
    assert len(found) >= 4


def shown(seed: int) -> Play:
    """A play in which somebody may accuse after their first suggestion."""
    play = Play.new(GAME, seed=seed)
    play.apply(50)
    while len(play.legal()) < 300:
        play.apply(int(play.legal()[0]))
    return play


def told(accusing: float, passing: float) -> SearchAgent:
    """A search that is told what it is worth to accuse and to pass."""
    belief = ClueBelief()

    def begin(game: Game, view: Any, seen: Any) -> None:
        belief.begin(game, view, seen)
        game.tables.accusing[0], game.tables.passing[0] = accusing, passing

    return SearchAgent(
        search=Search(one_turn(GAME), exploration=0.3),
        belief=belief,
        budget=Budget(simulations=60),
        begins=begin,
    )


def test_a_search_accuses_where_that_is_worth_more_than_to_pass() -> None:
    play = shown(1)
    view, seen = play.view(play.player), play.seen_by(play.player)
    for accusing, passing in ((0.3, 0.0), (0.3, 0.2), (0.3, 0.4), (1.0, 0.9), (0.1, 0.9)):
        found = told(accusing, passing).decision(view, seen)
        assert (found.action >= ACCUSE and found.action != PASS) == (accusing > passing)
        by_code = {report.action == PASS: report.value for report in found.actions}
        assert by_code[True] == pytest.approx(passing)
        assert by_code[False] == pytest.approx(accusing)


def test_only_questions_that_may_be_best_are_tried() -> None:
    play = Play.new(GAME, seed=2)
    assert play.view(play.player).states[0].stage == SUGGESTING
    found = told(0.0, 0.5).decision(play.view(play.player), play.seen_by(play.player))
    assert 1 <= len(found.actions) <= 64
    assert found.untried == 0
