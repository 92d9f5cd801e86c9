"""What the search must find in games whose right answer is known."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sleuth import Budget, Decision, Game, Play, Search
from sleuth.games.small import (
    by_world,
    leduc_poker,
    payoff,
    phantom_tic_tac_toe,
    tic_tac_toe,
    tree_game,
    turn,
)
from sleuth.models.small.leduc_poker import CALL
from sleuth.planners.search.determinization import Draw
from sleuth.planners.viewing.tree_walk import TreeWalk
from sleuth.search import AlphaBeta, Limits, from_list

# Tic-tac-toe


@pytest.mark.parametrize("seat", [0, 1])
def test_the_search_loses_tic_tac_toe_against_no_line_of_play(seat: int) -> None:
    search = Search(tic_tac_toe())
    answers: dict[bytes, int] = {}
    outcomes: list[float] = []

    def play_on(actions: tuple[int, ...]) -> None:
        play = Play.new(search.game, seed=0)
        for action in actions:
            play.apply(action)
        if play.over:
            outcomes.append(float(play.returns()[seat]))
        elif play.player == seat:
            view = play.view(seat)
            if view.data not in answers:
                decision = search.decide(view, budget=Budget(simulations=5_000), seed=1)
                answers[view.data] = decision.action
            play_on((*actions, answers[view.data]))
        else:
            for action in play.legal().tolist():
                play_on((*actions, action))

    play_on(())
    assert len(outcomes) > 50
    assert min(outcomes) == 0.0
    assert max(outcomes) == 1.0


def test_too_few_simulations_would_be_noticed() -> None:
    # The same check of single positions: with three simulations some answer loses.
    search, perfect = Search(tic_tac_toe()), AlphaBeta(tic_tac_toe())
    wrong = {3: 0, 5_000: 0}
    rng = np.random.default_rng(0)
    for _ in range(25):
        play = Play.new(search.game, seed=0)
        for _ in range(int(rng.integers(1, 5))):
            play.apply(int(rng.choice(play.legal())))
        if play.over:
            continue
        view = play.view(play.player)
        value = perfect.decide(view, limits=Limits()).value
        for simulations in wrong:
            budget = Budget(simulations=simulations)
            action = search.decide(view, budget=budget, seed=1).action
            after = Play.new(search.game, seed=0, start=play.truth())
            after.apply(action)
            if after.over:
                got = float(after.returns()[view.player])
            else:
                reply = perfect.decide(after.view(after.player), limits=Limits())
                got = -reply.value
            wrong[simulations] += got < value
    assert wrong[3] > 0
    assert wrong[5_000] == 0


# Strategy fusion


def guessing_game() -> Game:
    """A sure half, or a guess at which of two worlds it is, worth 1 or -1.

    With the world known a guess is worth 1, so a search that supposes so takes the guess; without
    it is worth 0 (Frank and Basin 1998, "Search in games with incomplete information").
    """
    guess = turn(0, by_world((1, -1), (-1, 1)), by_world((-1, 1), (1, -1)))
    return tree_game(turn(0, payoff(0.5, -0.5), guess), worlds=[1, 1])


SURE, GUESS = 0, 1
EITHER = from_list([[0], [1]])


def decide(game: Game, draw: Draw, simulations: int = 4_000, **options: Any) -> Decision:
    view = Play.new(game, seed=0).view(0)
    return Search(game, **options).decide(view, draw, Budget(simulations=simulations), seed=3)


@pytest.mark.parametrize("combine", ["vote", "average"])
def test_separate_trees_believe_that_the_world_will_be_known(combine: str) -> None:
    decision = decide(guessing_game(), EITHER, trees=20, combine=combine)
    assert decision.action == GUESS
    assert decision[GUESS].value > 0.9


@pytest.mark.parametrize("information", ["observer", "players"])
def test_one_tree_knows_that_the_world_has_to_be_guessed(information: str) -> None:
    decision = decide(guessing_game(), EITHER, information=information)
    assert decision.action == SURE
    assert decision[SURE].value == 0.5
    assert decision[GUESS].value < 0.25


def revealing_game() -> Game:
    """The opponent knows the world: he picks what is good for him in each.

    Action 0 wins 0.2 for sure. After action 1 an opponent who knows the world answers so that
    the player loses 1; one who does not can do no better than chance, which is worth 0.4.
    """
    answer = turn(1, by_world((-1, 1), (1.8, -1.8)), by_world((1.8, -1.8), (-1, 1)))
    return tree_game(
        turn(0, payoff(0.2, -0.2), answer), worlds=[1, 1], knows=[False, True], name="revealing"
    )


def test_a_tree_for_each_player_lets_the_opponent_use_what_he_knows() -> None:
    decision = decide(revealing_game(), EITHER, information="players")
    assert decision.action == 0
    assert decision[1].value < 0
    # One observer's tree has one answer for both worlds: it takes the opponent for as ignorant.
    assert decide(revealing_game(), EITHER, information="observer").action == 1


# Weights


def rare_world() -> Game:
    """A bet that wins 1 in world 0 and loses 1 in world 1."""
    return tree_game(turn(0, by_world((1, -1), (-1, 1)), payoff(0, 0)), worlds=[1, 4])


BET, PASS = 0, 1


def test_worlds_are_weighed_by_how_likely_they_are() -> None:
    # Three kinds of world listed, two of them good: counted alike, the bet looks good.
    listed = [[0], [0], [1]]
    uniform = decide(rare_world(), from_list(listed))
    assert uniform.action == BET
    assert uniform[BET].value == pytest.approx(1 / 3, abs=0.06)
    weighted = decide(rare_world(), from_list(listed, [0.1, 0.1, 0.8]))
    assert weighted.action == PASS
    assert weighted[BET].value == pytest.approx(0.2 - 0.8, abs=0.25)  # few visits


def test_separate_trees_weigh_worlds_too() -> None:
    listed = [[0], [0], [1]]
    options = {"trees": 60, "combine": "average"}
    assert decide(rare_world(), from_list(listed), **options).action == BET
    assert decide(rare_world(), from_list(listed, [0.1, 0.1, 0.8]), **options).action == PASS


def test_a_world_of_no_weight_is_never_met() -> None:
    decision = decide(rare_world(), from_list([[0], [1]], [1, 0]))
    assert decision[BET].value == 1.0


# What a player sees


def nodes_after(walk: TreeWalk, *actions: int) -> list[Any]:
    """The nodes that were first reached by these actions."""
    nodes = [walk.root]
    for action in actions:
        edges = [edge for node in nodes for edge in node.edges if edge.action == action]
        nodes = [child for edge in edges for child in edge.children]
    return nodes


def test_the_card_on_the_table_tells_nodes_apart_in_leduc_poker() -> None:
    # After both have called, the table is turned over: jack, queen or king.
    game = leduc_poker()
    play = Play.new(game, seed=1)
    mine = int(play.view(0).states[0].cards[0])
    deck = [card for card in range(6) if card != 2 * mine]
    rows: list[list[int]] = []
    for other in deck:
        for table in deck:
            if table != other:
                row = [3] * 6
                row[2 * mine], row[other], row[table] = 0, 1, 2
                rows.append(row)
    run = Search(game).start(play.view(0), from_list(rows), seed=2)
    walk = TreeWalk(game, run.extend(Budget(simulations=3_000)).branches[0].tree)
    assert len(nodes_after(walk, CALL, CALL)) == 3


def test_moves_that_a_player_does_not_notice_tell_him_nothing() -> None:
    # After a mark of ours the other may bump into it before he marks another square. We only see
    # that he has marked, so we are in one node, however often he bumped.
    game = phantom_tic_tac_toe()
    play = Play.new(game, seed=0)
    run = Search(game).start(play.view(0), from_list([[2] * 9]), seed=2)
    tree = run.extend(Budget(simulations=20_000)).branches[0].tree
    walk = TreeWalk(game, tree)
    for edge in walk.root.edges:
        ours = {
            child.index
            for node in _moves_of(edge.children, player=1)
            for after in node.edges
            for child in after.children
            if child.player == 0
        }
        assert len(ours) <= 1


def _moves_of(nodes: list[Any], player: int) -> list[Any]:
    """Those nodes of a player, and his further ones directly after them."""
    found: list[Any] = []
    todo = [node for node in nodes if node.player == player]
    while todo:
        node = todo.pop()
        found.append(node)
        todo += [child for edge in node.edges for child in edge.children if child.player == player]
    return found
