"""The small games by hand: who may do what, who sees what, who wins what."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from sleuth import HIDDEN, SPECTATOR, Game, Play, game
from sleuth.errors import SettingsError
from sleuth.games.clue import CARDS, PASS, clue_table
from sleuth.games.small import leduc_poker, phantom_tic_tac_toe, tic_tac_toe
from sleuth.kit import GAMES, generator
from sleuth.models.clue.game import ACCUSE, OUTCOME, REFUTER, SHOW, SHOWED, TRIPLES, triple_cards
from sleuth.models.small.leduc_poker import CALL, FOLD, RAISE
from sleuth.models.small.phantom_tic_tac_toe import MARKED
from sleuth.models.small.tic_tac_toe import SQUARES


def played(game: Game, *actions: int, start: Any = None) -> Play:
    play = Play.new(game, seed=0, start=start)
    for action in actions:
        play.apply(action)
    return play


def squares(text: str) -> list[int]:
    return [SQUARES.index(name) for name in text.split()]


# Tic-tac-toe


@pytest.mark.parametrize(
    "line", ["a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3"]
)
@pytest.mark.parametrize("last", range(3))
def test_three_in_a_row_or_column_win(line: str, last: int) -> None:
    mine = squares(line)
    mine = mine[last + 1 :] + mine[: last + 1]
    others = [place for place in squares("a1 b2 c3 b1 c2") if place not in mine]
    play = played(tic_tac_toe(), mine[0], others[0], mine[1], others[1], mine[2])
    assert play.over
    assert play.returns().tolist() == [1, -1]


@pytest.mark.parametrize("line", ["a1 b2 c3", "c3 a1 b2", "a3 b2 c1", "c1 a3 b2", "b2 c1 a3"])
def test_three_in_a_diagonal_win_for_the_second_player_too(line: str) -> None:
    first, second, third = squares(line)
    others = [place for place in squares("b1 a2 c2 b3") if place not in (first, second, third)]
    play = played(tic_tac_toe(), others[0], first, others[1], second, others[2], third)
    assert play.returns().tolist() == [-1, 1]


def test_nine_marks_without_a_line_are_a_draw() -> None:
    play = played(tic_tac_toe(), *squares("a1 b1 c1 b2 a2 c2 b3 a3 c3"))
    assert play.over
    assert play.returns().tolist() == [0, 0]


def test_a_ninth_mark_can_still_win() -> None:
    play = played(tic_tac_toe(), *squares("a1 b1 c1 a2 b2 c2 b3 a3 c3"))
    assert play.returns().tolist() == [1, -1]


def test_a_square_is_taken_once() -> None:
    assert played(tic_tac_toe(), 4, 0).legal().tolist() == [1, 2, 3, 5, 6, 7, 8]


# Phantom tic-tac-toe


def test_a_player_who_bumps_is_told_and_names_another_square() -> None:
    play = played(phantom_tic_tac_toe(), 4, 4)
    assert play.player == 1
    assert play.legal().tolist() == [0, 1, 2, 3, 5, 6, 7, 8]
    assert [seen.event.observation for seen in play.seen_by(1).events] == [MARKED, 4 + 9]
    play.apply(0)
    assert play.player == 0
    assert play.legal().tolist() == [0, 1, 2, 3, 5, 6, 7, 8]  # he does not know of a1


def test_the_other_does_not_notice_that_somebody_bumped() -> None:
    bumped = played(phantom_tic_tac_toe(), 4, 4, 0)
    smooth = played(phantom_tic_tac_toe(), 4, 0)
    for viewer in (0, SPECTATOR):
        assert bumped.view(viewer) == smooth.view(viewer)
        assert bumped.seen_by(viewer) == smooth.seen_by(viewer)
    assert bumped.view(1) != smooth.view(1)


def test_a_view_shows_the_own_marks_and_those_found() -> None:
    play = played(phantom_tic_tac_toe(), 4, 4, 0, 0)
    assert play.view(0).states[0].squares.tolist() == [2] + [HIDDEN] * 3 + [1] + [HIDDEN] * 4
    assert play.view(1).states[0].squares.tolist() == [2] + [HIDDEN] * 3 + [1] + [HIDDEN] * 4
    assert play.view(SPECTATOR).states[0].squares.tolist() == [HIDDEN] * 9


def test_the_longest_game_of_phantom_tic_tac_toe_has_17_moves() -> None:
    first, second = squares("a1 b1 c2 a3 b3"), squares("c1 a2 b2 c3")
    actions: list[int] = []
    for turn in range(5):
        actions += [*(second[turn - 1 : turn]), first[turn]]
        if turn < 4:
            actions += [first[turn], second[turn]]
    play = played(phantom_tic_tac_toe(), *actions)
    assert play.over
    assert len(actions) == phantom_tic_tac_toe().max_depth == 17
    assert play.returns().tolist() == [0, 0]


# Leduc poker


def dealt(first: int, second: int, table: int) -> Any:
    states = leduc_poker().states(1)
    states[0].cards[:] = first, second
    states[0].table = table
    states[0].bets[:] = 1
    states[0].folded = -1
    return states


@pytest.mark.parametrize(
    "cards, actions, won",
    [
        ((2, 0, 1), (CALL, CALL, CALL, CALL), 1),  # king against jack, nobody bets
        ((0, 2, 0), (CALL, CALL, CALL, CALL), 1),  # a pair of jacks beats a king
        ((1, 1, 0), (CALL, CALL, RAISE, CALL), 0),  # equal cards split
        ((2, 2, 0), (RAISE, RAISE, CALL, RAISE, RAISE, CALL), 0),
        ((2, 1, 0), (RAISE, FOLD), 1),  # the ante
        ((2, 1, 0), (RAISE, RAISE, FOLD), -3),  # the ante and 2
        ((0, 1, 1), (RAISE, RAISE, CALL, RAISE, RAISE, CALL), -13),  # all that can be lost
        ((0, 1, 1), (CALL, RAISE, CALL, CALL, RAISE, CALL), -7),  # 1 + 2 + 4
        ((0, 1, 1), (CALL, RAISE, CALL, RAISE, RAISE, FOLD), -7),
    ],
)
def test_leduc_pays_what_the_rules_say(
    cards: tuple[int, int, int], actions: tuple[int, ...], won: int
) -> None:
    play = played(leduc_poker(), *actions, start=dealt(*cards))
    assert play.over
    assert play.returns().tolist() == [won, -won]


def test_leduc_allows_two_raises_a_round_and_folding_under_pressure_only() -> None:
    start = dealt(0, 1, 2)
    for actions, legal in (
        ((), [CALL, RAISE]),
        ((CALL,), [CALL, RAISE]),
        ((RAISE,), [FOLD, CALL, RAISE]),
        ((RAISE, RAISE), [FOLD, CALL]),
        ((RAISE, RAISE, CALL), [CALL, RAISE]),
        ((RAISE, RAISE, CALL, RAISE, RAISE), [FOLD, CALL]),
    ):
        assert played(leduc_poker(), *actions, start=start).legal().tolist() == legal


def test_the_card_on_the_table_is_seen_in_the_second_round() -> None:
    play = played(leduc_poker(), RAISE, start=dealt(0, 1, 2))
    assert [int(play.view(viewer).states[0].table) for viewer in (0, 1)] == [HIDDEN, HIDDEN]
    play.apply(CALL)
    assert [int(play.view(viewer).states[0].table) for viewer in (0, 1, SPECTATOR)] == [2, 2, 2]
    assert play.player == 0


# Clue without a board

# The case file is green, rope and study; p1 has every third of the other cards, and so on.
CASE = tuple(CARDS.index(card) for card in ("green", "rope", "study"))


def table(players: int = 3, turns: int = 60) -> Play:
    made = clue_table(players, turns)
    states = made.initial(0)
    rest = [card for card in range(21) if card not in CASE]
    for place, card in enumerate(rest):
        states[0].holder[card] = place % players
    states[0].holder[list(CASE)] = players
    return Play.new(made, seed=0, start=states)


def triple(*cards: str) -> int:
    return next(number for number in range(TRIPLES) if triple_cards(number) == cards)


def holder(play: Play, card: str) -> int:
    return int(play.truth()[0].holder[CARDS.index(card)])


def held(play: Play, player: int, kind: slice = slice(0, 21)) -> list[str]:
    return [card for card in CARDS[kind] if holder(play, card) == player]


def test_eighteen_cards_are_dealt_and_one_of_each_kind_is_put_away() -> None:
    for players, sizes in ((3, [6, 6, 6]), (4, [5, 5, 4, 4]), (5, [4, 4, 4, 3, 3]), (6, [3] * 6)):
        holders = clue_table(players).initial(3)[0].holder
        assert np.bincount(holders).tolist() == [*sizes, 3]
        assert [int((holders[kind] == players).sum()) for kind in KINDS] == [1, 1, 1]


KINDS = (slice(0, 6), slice(6, 12), slice(12, 21))


def test_the_first_in_turn_who_can_refute_must_show_a_card_he_chooses() -> None:
    play = table()
    suspect, room = held(play, 2, KINDS[0])[0], held(play, 2, KINDS[2])[0]
    play.apply(triple(suspect, "rope", room))
    assert play.player == 2
    show = [SHOW + CARDS.index(card) for card in (suspect, room)]
    assert play.legal().tolist() == show
    play.apply(show[1])
    assert play.player == 0
    assert len(play.legal()) == TRIPLES + 1
    asked = triple(suspect, "rope", room) + REFUTER * 3
    for viewer, seen in ((0, show[1]), (2, show[1]), (1, SHOWED), (SPECTATOR, SHOWED)):
        observed = [event.event.observation for event in play.seen_by(viewer).events]
        assert observed == [asked, seen]


def test_a_player_with_one_of_the_cards_has_one_way_to_show_it() -> None:
    play = table()
    play.apply(triple(held(play, 1, KINDS[0])[0], "rope", "study"))
    assert play.player == 1
    assert len(play.legal()) == 1


def test_nobody_asks_the_suggester_himself() -> None:
    play = table()
    play.apply(triple(held(play, 0, KINDS[0])[0], "rope", "study"))
    assert play.player == 0
    assert play.legal()[-1] == PASS
    assert play.seen_by(1).events[0].event.observation < REFUTER


def test_who_accuses_rightly_wins() -> None:
    play = table()
    play.apply(triple("green", "rope", "study"))
    play.apply(ACCUSE + triple("green", "rope", "study"))
    assert play.over
    assert play.returns().tolist() == [1, 0, 0]
    assert play.seen_by(2).events[-1].event.observation // OUTCOME == 1


def test_who_accuses_wrongly_looks_is_out_and_goes_on_showing() -> None:
    play = table()
    wrong = triple(held(play, 0, KINDS[0])[0], "rope", "study")
    play.apply(wrong)
    play.apply(ACCUSE + wrong)
    assert play.player == 1
    holders = play.view(0).states[0].holder
    assert [card for card in range(21) if holders[card] == 3] == list(CASE)
    assert (play.view(1).states[0].holder == 3).sum() == 0
    own = play.seen_by(0).events[-1].event.observation
    assert triple_cards(own // OUTCOME - 2) == ("green", "rope", "study")
    assert play.seen_by(1).events[-1].event.observation == ACCUSE + wrong
    play.apply(wrong)  # only p1 holds the suspect
    assert play.player == 0
    play.apply(int(play.legal()[0]))
    play.apply(PASS)
    assert play.player == 2
    play.apply(triple("green", "rope", "study"))
    play.apply(PASS)
    assert play.player == 1  # p1 has no more turns


def test_the_game_ends_when_all_are_out_or_after_the_last_suggestion() -> None:
    wrong = triple("green", "rope", "hall")
    play = table()
    while not play.over:
        legal = play.legal()
        codes = [code for code in (wrong, ACCUSE + wrong) if code in legal]
        play.apply(codes[0] if codes else int(legal[0]))
    assert play.truth()[0].turn == 3
    assert play.returns().tolist() == [0, 0, 0]
    play = table(turns=2)
    while not play.over:
        play.apply(int(play.legal()[-1]))
    assert play.truth()[0].turn == 2


def test_a_playout_accuses_what_nobody_could_refute_and_nothing_else() -> None:
    game = clue_table()
    play = table()
    play.apply(triple("green", "rope", "study"))
    legal = play.legal()
    assert legal[game.policy(play.truth()[0], legal, len(legal), game.tables, generator(1))] == (
        ACCUSE + triple("green", "rope", "study")
    )
    play.apply(PASS)
    for seed in range(50):
        legal = play.legal()
        named = legal[game.policy(play.truth()[0], legal, 324, game.tables, generator(seed))]
        assert not set(triple_cards(int(named))) & set(held(play, 1))


@pytest.mark.parametrize("settings", [{"players": 1}, {"players": 11}, {"turns": 0}])
def test_settings_without_a_game_are_refused(settings: dict[str, int]) -> None:
    with pytest.raises(SettingsError, match="clue_table"):
        game("clue-table", **settings)


# Compiled and plain

RANDOM_PLAYS = """
import hashlib
from sleuth import Play, below, game
from sleuth.kit import GAMES, generator
digests = {}
for name in GAMES:
    seen = hashlib.sha256()
    made = game(name)
    # Long games meet as many states in few plays.
    for seed in range(6 if made.max_depth < 20 else 2):
        play, random = Play.new(made, seed=seed), generator(seed, 99)
        while not play.over:
            legal = play.legal()
            seen.update(play.truth().tobytes() + legal.tobytes())
            for viewer in range(-1, made.players):
                seen.update(play.view(viewer).data)
                seen.update(play.seen_by(viewer).digest.encode())
            by_policy = made.policy(play.truth()[0], legal, len(legal), made.tables, random)
            index = by_policy if seed % 2 else below(random, len(legal))
            play.apply(int(legal[index]))
        seen.update(play.truth().tobytes() + play.returns().tobytes())
    digests[name] = seen.hexdigest()
"""


def test_compiled_and_plain_games_have_the_same_bytes() -> None:
    compiled: dict[str, Any] = {}
    exec(RANDOM_PLAYS, compiled)
    printed = subprocess.run(
        [sys.executable, "-c", f"{RANDOM_PLAYS}\nimport json\nprint(json.dumps(digests))"],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert compiled["digests"] == json.loads(printed)
    assert set(compiled["digests"]) == set(GAMES)


# OpenSpiel


@pytest.mark.parametrize(
    "name, theirs",
    [
        ("kuhn_poker", "kuhn_poker"),
        ("leduc_poker", "leduc_poker"),
        ("tic_tac_toe", "tic_tac_toe"),
        ("phantom_tic_tac_toe", "phantom_ttt"),
    ],
)
def test_openspiel_plays_the_same_games(name: str, theirs: str) -> None:
    pyspiel = pytest.importorskip("pyspiel")
    rng = np.random.default_rng(0)
    for _ in range(300):
        other = pyspiel.load_game(theirs).new_initial_state()
        start = game(name).initial(0)
        if name == "leduc_poker":
            chance = rng.permutation(6).tolist()
            start[0].cards[:], start[0].table = [card // 2 for card in chance[:2]], chance[2] // 2
        else:
            chance = rng.permutation(3).tolist()
            if name == "kuhn_poker":
                start[0].cards[:] = chance[:2]
        play = Play.new(game(name), seed=0, start=start)
        while not other.is_terminal():
            if other.is_chance_node():
                other.apply_action(chance.pop(0))
                continue
            assert play.player == other.current_player()
            assert play.legal().tolist() == other.legal_actions()
            action = int(rng.choice(other.legal_actions()))
            play.apply(action)
            other.apply_action(action)
        assert play.over
        assert play.returns().tolist() == other.returns()
