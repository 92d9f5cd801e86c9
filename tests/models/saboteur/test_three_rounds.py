"""Games of three rounds with gold: what stays, what is dealt anew, and when a round is over."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from benchmarks.saboteur import invariants
from sleuth import OVER, Game, Play, check_game
from sleuth.games.saboteur import saboteur
from sleuth.kit import generator
from sleuth.models.saboteur.cards import gold_cards, role_cards, saboteur_gold
from sleuth.models.saboteur.state import FACE_DOWN, GOLD, MINERS_WIN, SABOTEUR

#: Random games; 1,000 behind a number in the environment.
COUNT = int(os.environ.get("SLEUTH_FUZZ", "8"))
ALL_NUGGETS = sum(nuggets * count for nuggets, count in enumerate(gold_cards(), start=1))


def three(players: int, *, small: bool) -> Game:
    return saboteur(
        players=players,
        rounds=3,
        pay="gold",
        rules="tight" if small else "official",
        spare=True,
        saboteurs=role_cards(players)[0],
        hand=role_cards(players)[1],
        stock=5 if small else None,
    )


def nuggets_left(state: Any) -> int:
    return sum(nuggets * int(left) for nuggets, left in enumerate(state.gold_left, start=1))


def ends_rightly(game: Game, before: Any, play: Play) -> None:
    """A round that is over ended by the rules, and paid by the rules."""
    after, players = play.truth()[0], game.players
    assert after.rounds_played == before.rounds_played + 1
    saboteurs = [player for player in range(players) if before.roles[player] == SABOTEUR]
    assert int(after.last) == sum(1 << player for player in saboteurs)
    won = (after.won - before.won)[:players].tolist()
    if after.winner == MINERS_WIN:
        # Miners take as many cards as there are players, at most nine, and saboteurs none.
        taken = int(sum(before.gold_left) - sum(after.gold_left))
        assert taken == min(players, 9)
        assert sum(won) == nuggets_left(before) - nuggets_left(after)
        assert all(won[player] == 0 for player in saboteurs)
        if after.player == OVER:
            cell = game.tables.rules[0].goals[after.goals.tolist().index(GOLD)]
            assert after.board[cell] != FACE_DOWN
    else:
        assert before.turn + 1 == game.tables.rules[0].turns
        each = saboteur_gold()[len(saboteurs)]
        assert won == [each if player in saboteurs else 0 for player in range(players)]
        assert nuggets_left(before) == nuggets_left(after)
    if after.player != OVER:
        assert (after.player, after.starter) == ((before.player + 1) % players,) * 2
        assert (int(after.turn), int(after.saying)) == (0, 0)
        assert int(sum(after.looked)) == int(sum(after.broken)) == 0


@pytest.mark.parametrize("seed", range(COUNT))
def test_games_of_three_rounds_keep_what_must_be_so(seed: int) -> None:
    game = three(3 + seed % 8, small=seed % 4 > 0)
    rng, play, rounds = np.random.default_rng(seed), Play.new(game, seed=seed), 0
    while not play.over:
        before, legal = play.truth()[0], play.legal()
        place = int(rng.integers(len(legal)))
        if rng.random() < 0.8:
            random = generator(seed + len(play.actions))
            place = int(game.policy(before, legal, len(legal), game.tables, random))
        play.apply(int(legal[place]))
        after = play.truth()[0]
        assert invariants.fault_of(after, game.tables) == 0
        # What miners took is what the pile has lost.
        if after.rounds_played > before.rounds_played:
            rounds += 1
            ends_rightly(game, before, play)
    assert rounds == 3
    assert nuggets_left(play.truth()[0]) <= ALL_NUGGETS
    assert play.returns().tolist() == play.truth()[0].won[: game.players].tolist()


def test_roles_are_dealt_anew_and_by_the_table() -> None:
    game = three(4, small=True)
    dealt: list[tuple[int, ...]] = []
    for seed in range(12):
        play, rounds = Play.new(game, seed=seed), -1
        while not play.over:
            state = play.truth()[0]
            if int(state.rounds_played) > rounds:
                rounds = int(state.rounds_played)
                dealt.append(tuple(state.roles[:5].tolist()))
            legal = play.legal()
            play.apply(int(legal[-1]))
    assert len(dealt) == 36
    assert {sum(roles) for roles in dealt} == {role_cards(4)[0]}
    # One role card of five is a saboteur's, and any of them may be, the one left over, too.
    assert len({*dealt}) == 5


def test_a_check_of_the_game_finds_nothing_in_three_rounds_with_gold() -> None:
    game = saboteur("tight", players=3, spare=True, saboteurs=1, hand=1, stock=1, rounds=3,
                    pay="gold")  # fmt: skip
    report = check_game(game, plays=1, worlds=2)
    assert {"compiled", "support", "observations", "told", "dealt"} <= report.checks
