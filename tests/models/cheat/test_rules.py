"""The rules of Cheat, move by move."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from sleuth import HIDDEN, SPECTATOR, Play, exploitability
from sleuth.equilibria import GameTree
from sleuth.errors import SettingsError
from sleuth.games.cheat import RANK_NAMES, cheat, mini_cheat, seen_game
from sleuth.models.cheat import mini_deals
from sleuth.models.cheat.rules import BASE, HANDS, SHOWN
from sleuth.models.cheat.state import CALL, TAKE

from .situations import CODES, GAME, counts, hand, legal_names, played, ranks, situation

FIRST = "8 8 6 ace ace king 2 3"
SECOND = "9 7 7 5 5 queen queen 10"


def test_eight_cards_each_and_one_on_the_pile() -> None:
    for seed in range(5):
        state = GAME.initial(seed)[0]
        assert state.sizes.tolist() == [8, 8]
        assert (state.pile, state.left) == (1, 35)
        assert state.rank == state.first
    firsts = Counter(int(GAME.initial(seed)[0].first) for seed in range(200))
    assert len(firsts) == 13


def test_a_claim_is_one_above_or_below_the_last_and_true_ones_need_the_cards() -> None:
    play = situation(FIRST, SECOND)
    assert legal_names(play) == {
        "take",
        *(f"higher true {k}" for k in (1, 2)),
        "lower true 1",
        *(f"{word} false {k}" for word in ("higher", "lower") for k in range(1, 5)),
    }
    played(play, "higher true 2")
    assert play.truth()[0].rank == RANK_NAMES.index("8")
    assert hand(play, 0) == ["ace", "ace", "2", "3", "6", "king"]
    assert play.truth()[0].pile == 3
    assert play.player == 1
    assert {"call", "higher true 1", "lower true 2"} <= legal_names(play)


def test_kings_and_aces_are_neighbours() -> None:
    play = situation(FIRST, SECOND, first="king")
    played(play, "higher true 2")
    assert play.truth()[0].rank == 0
    play = situation(FIRST, SECOND, first="ace")
    played(play, "lower true 1")
    assert RANK_NAMES[play.truth()[0].rank] == "king"


def test_there_is_nothing_to_call_but_the_other_players_claim_just_made() -> None:
    play = situation(FIRST, SECOND)
    assert "call" not in legal_names(play)
    played(play, "take")
    assert "call" not in legal_names(play)
    played(play, "higher false 1", "take")
    assert "call" not in legal_names(play)  # two turns ago is too late
    played(situation(FIRST, SECOND), "higher true 1", "call")


def test_a_false_claim_lays_the_cards_farthest_from_the_current_rank() -> None:
    # The current rank is the 7; king and ace are six away, the 2 is five.
    play = played(situation(FIRST, SECOND), "lower false 4")
    assert hand(play, 0) == ["3", "6", "8", "8"]
    assert RANK_NAMES[play.truth()[0].rank] == "6"


def test_ties_among_the_farthest_fall_on_each_card_equally_often() -> None:
    found: Counter[str] = Counter()
    for seed in range(900):
        start = situation("ace ace king 6", "9 7 7 5")
        play = Play.new(GAME, seed=seed, start=start.truth())
        played(play, "higher false 1")
        found["king" if "king" not in hand(play, 0) else "ace"] += 1
    assert abs(found["ace"] - 600) < 5 * (900 * 2 / 9) ** 0.5
    lowest = cheat(ties="lowest")
    play = played(situation("ace ace king 6", "9 7 7 5", game=lowest), "higher false 1")
    assert hand(play, 0) == ["ace", "6", "king"]


def test_a_lie_has_no_card_of_the_claimed_rank_unless_the_setting_allows_it() -> None:
    play = situation("8 8 8 2", SECOND)
    assert {name for name in legal_names(play) if "higher" in name} == {
        "higher true 1", "higher true 2", "higher true 3", "higher false 1",
    }  # fmt: skip
    mixed = cheat(false_claim="some")
    play = situation("8 8 8 2", SECOND, game=mixed)
    assert "higher false 4" in legal_names(play)
    played(play, "higher false 2")
    assert hand(play, 0) == ["8", "8"]  # the 2 first, and one 8 with it
    played(play, "call")
    assert play.truth()[0].sizes.tolist() == [5, 8]
    assert "lower false 1" not in legal_names(situation("6 6 6", SECOND, game=mixed))


def test_other_cards_of_a_lie() -> None:
    found = {
        tuple(hand(played(Play.new(game, seed=seed, start=start.truth()), "higher false 1"), 0))
        for game in (cheat(false_cards="any"),)
        for start in (situation("ace 6 3", SECOND, game=game),)
        for seed in range(40)
    }
    assert len(found) == 3


def test_a_liar_who_is_called_takes_the_pile() -> None:
    play = played(situation(FIRST, SECOND), "lower false 2", "call")
    state = play.truth()[0]
    assert state.sizes.tolist() == [9, 8]  # with the card turned up at the start
    assert hand(play, 0) == sorted([*FIRST.split(), "7"], key=RANK_NAMES.index)
    assert (state.pile, state.since) == (0, 2)
    assert play.player == 0
    assert RANK_NAMES[state.rank] == "6"
    assert state.catches.tolist() == [1, 0]
    assert state.caught[0].tolist() == counts("6")
    assert state.collected[0].sum() == 3


def test_a_wrong_accuser_takes_the_pile() -> None:
    play = played(situation(FIRST, SECOND), "higher true 2", "call")
    assert play.truth()[0].sizes.tolist() == [6, 11]
    assert hand(play, 1) == sorted([*SECOND.split(), "7", "8", "8"], key=RANK_NAMES.index)
    assert play.truth()[0].catches.tolist() == [0, 0]
    assert play.truth()[0].collected[1].tolist() == counts("7 8 8")


def test_the_whole_pile_is_taken_not_only_the_last_claim() -> None:
    play = played(situation(FIRST, SECOND), "higher true 2", "higher true 1", "lower false 1")
    played(play, "call")
    # The first player has lied last: his own three, the second's 9, and the 7 of the start.
    assert play.truth()[0].sizes.tolist() == [10, 7]
    assert hand(play, 0) == sorted([*FIRST.split(), "9", "7"], key=RANK_NAMES.index)


def test_a_claim_follows_the_last_claim_also_after_a_call_or_a_take() -> None:
    play = played(situation(FIRST, SECOND), "lower false 2", "call", "take")
    played(play, "higher true 2")
    assert RANK_NAMES[play.truth()[0].rank] == "7"
    valid = cheat(follows="valid")
    play = played(situation(FIRST, SECOND, game=valid), "lower false 2", "call")
    assert RANK_NAMES[play.truth()[0].rank] == "7"  # as if the lie had not been told
    play = played(situation(FIRST, SECOND, game=valid), "higher true 2", "call")
    assert RANK_NAMES[play.truth()[0].rank] == "8"


def test_who_is_right_in_a_call_goes_on_under_that_setting() -> None:
    game = cheat(turns="call winner")
    assert played(situation(FIRST, SECOND, game=game), "lower false 2", "call").player == 1
    assert played(situation(FIRST, SECOND, game=game), "higher true 2", "call").player == 0


def test_take_draws_the_next_card_and_is_not_legal_without_one() -> None:
    play = played(situation(FIRST, SECOND, draws="4 jack"), "take", "take")
    assert "4" in hand(play, 0)
    assert "jack" in hand(play, 1)
    assert play.truth()[0].left == 33
    small: dict[str, Any] = {"ranks": 3, "suits": 1, "hand": 1}
    play = Play.new(cheat(**small), seed=0)
    assert "take" not in legal_names(play)
    play = Play.new(cheat(**small, empty_deck="pass"), seed=0)
    before = play.truth()[0].sizes.tolist()
    played(play, "take")
    assert play.truth()[0].sizes.tolist() == before


def test_an_empty_hand_wins_unless_the_next_action_is_a_successful_call() -> None:
    play = played(situation("8", SECOND), "higher true 1")
    assert not play.over
    for answer in ("call", "take", "higher true 1", "lower false 2"):
        play = played(situation("8", SECOND), "higher true 1", answer)
        assert play.over
        assert play.returns().tolist() == [1, -1]
    for answer in ("take", "higher true 1"):
        play = played(situation("2", SECOND), "higher false 1", answer)
        assert play.returns().tolist() == [1, -1]  # the lie was not called
    play = played(situation("2", SECOND), "higher false 1", "call")
    assert not play.over
    assert hand(play, 0) == ["2", "7"]


def test_who_empties_his_hand_second_is_late() -> None:
    play = played(situation("8", "9"), "higher true 1", "higher true 1")
    assert play.over
    assert play.returns().tolist() == [1, -1]


def test_after_the_last_round_fewer_cards_win() -> None:
    play = played(situation(FIRST, SECOND, game=cheat(rounds=2)), "take", "higher false 1")
    assert play.over
    assert play.returns().tolist() == [-1, 1]
    play = played(situation(FIRST, SECOND, game=cheat(rounds=2)), "take", "take")
    assert play.returns().tolist() == [0, 0]
    second = cheat(rounds=2, equal_hands="second")
    assert played(situation(FIRST, SECOND, game=second), "take", "take").returns()[1] == 1
    both = cheat(rounds=1, round_of="both")
    assert not played(situation(FIRST, SECOND, game=both), "take").over
    assert played(situation(FIRST, SECOND, game=both), "take", "take").over


def test_an_empty_hand_in_the_last_round_wins() -> None:
    play = played(situation("2", SECOND, game=cheat(rounds=1)), "higher false 1")
    assert play.over
    assert play.returns().tolist() == [1, -1]


def test_the_first_card_can_be_laid_aside() -> None:
    play = played(situation(FIRST, SECOND, game=GAME), "lower false 2")
    assert play.truth()[0].pile == 3
    aside = cheat(first_card="aside")
    start = situation(FIRST, SECOND, game=aside).truth()
    start[0].pile = 0
    play = played(Play.new(aside, seed=1, start=start), "lower false 2", "call")
    assert hand(play, 0) == sorted(FIRST.split(), key=RANK_NAMES.index)


# What is seen


def test_a_player_sees_his_hand_and_all_sizes() -> None:
    play = played(situation(FIRST, SECOND), "lower false 2")
    for viewer in (0, 1):
        state = play.view(viewer).states[0]
        assert state.hands[viewer].tolist() == play.truth()[0].hands[viewer].tolist()
        assert set(state.hands[1 - viewer].tolist()) == {HIDDEN}
        assert state.sizes.tolist() == [6, 8]
        assert set(state.deck.tolist()[:35]) == {HIDDEN}
    assert play.view(0).states[0].cards[0] != HIDDEN
    assert play.view(1).states[0].cards[0] == HIDDEN
    assert play.view(SPECTATOR).states[0].cards[0] == HIDDEN


def test_a_call_shows_the_cards_of_every_claim_on_the_pile() -> None:
    play = played(situation(FIRST, SECOND), "higher true 2", "higher true 1", "lower false 1")
    assert [turn.cards for turn in seen_game(play.view(1)).turns] == [None, (8,), None]
    assert [turn.true for turn in seen_game(play.view(0)).turns] == [True, None, False]
    played(play, "call")
    for viewer in (0, 1, SPECTATOR):
        turns = seen_game(play.view(viewer)).turns
        assert [turn.true for turn in turns] == [True, True, False, None]
        assert [turn.kind for turn in turns] == ["claim"] * 3 + ["call"]


def test_what_was_seen_can_be_read_from_observations_alone() -> None:
    play = played(situation(FIRST, SECOND, draws="4"), "take", "lower false 2", "call")
    first, second = (play.seen_by(viewer).events for viewer in (0, 1))
    lie = 2 + 4 + 1
    assert [seen.event.observation % SHOWN for seen in second] == [TAKE, lie, CALL]
    number = first[0].event.observation // SHOWN - 1
    assert [number // BASE**rank % BASE for rank in range(13)] == counts(FIRST + " 4")
    assert first[1].event.observation == second[1].event.observation % SHOWN
    turned_up = (second[2].event.observation // SHOWN - 1) % HANDS
    assert [turned_up // BASE**rank % BASE for rank in range(13)] == counts("7 queen queen")


def test_cards_collected_are_remembered_until_they_are_claimed() -> None:
    play = played(situation(FIRST, SECOND), "higher true 2", "call")
    assert play.truth()[0].collected[1].tolist() == counts("7 8 8")
    played(play, "take", "lower true 2")  # claims the 7s: one of the two was collected
    assert play.truth()[0].collected[1].tolist() == counts("8 8")


def test_an_exposed_lie_takes_back_what_it_laid_down_of_what_was_collected() -> None:
    play = played(situation("8 8 6", "7 7 7"), "higher true 2", "call")
    assert play.truth()[0].collected[1].tolist() == counts("7 8 8")
    # Holding 7 7 7 7 8 8 he lies with the 8s; called, they come back and count once.
    played(play, "take", "lower false 2")
    assert hand(play, 1) == ["7"] * 4
    played(play, "call")
    assert play.truth()[0].collected[1].tolist() == counts("8 8")


# Settings


@pytest.mark.parametrize(
    "wrong",
    [
        {"ranks": 2},
        {"ranks": 14},
        {"suits": 5},
        {"hand": 26},
        {"rounds": 201},
        {"rounds": 101, "round_of": "both"},
        {"most_claimed": 5},
        {"first_card": "bottom"},
        {"ties": 1},
    ],
)
def test_settings_that_cannot_be_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        cheat(**wrong)


def test_mini_cheat_has_eight_cards() -> None:
    game = mini_cheat()
    state = game.initial(0)[0]
    assert state.sizes.tolist() == [2, 2]
    assert (state.pile, state.left) == (1, 3)
    assert game.max_depth == 5


def test_the_deck_can_be_named_in_a_world() -> None:
    game = mini_cheat()
    states = game.masked(game.initial(3), SPECTATOR)
    world = np.full(game.columns or 0, -1, dtype=np.int16)
    rest = np.full(4, 2)
    rest[states[0].first] -= 1
    order = np.repeat(np.arange(4), rest)
    for player in range(2):
        world[4 * player : 4 * player + 4] = np.bincount(order[2 * player :][:2], minlength=4)
    world[8 + 8 : 8 + 8 + 3] = order[4:]
    game.fill(states[0], world, game.tables, np.array([1], dtype=np.uint64))
    assert states[0].deck.tolist()[:3][::-1] == order[4:].tolist()
    assert states[0].hands[0].tolist()[:4] == world[:4].tolist()


def test_mini_cheat_can_be_written_out() -> None:
    game = mini_cheat(rounds=3)
    worlds, shares = mini_deals(game)
    assert len(worlds) == 207
    assert shares.sum() == pytest.approx(1)
    tree = GameTree(game, rows=worlds, weights=shares)
    assert len(tree.information_sets) == 358
    found = exploitability(tree, tree.uniform_policy())
    assert sum(found.values) == pytest.approx(0)
    assert found.exploitability > 0.5
    honest = tree.policy(
        lambda known: [
            1.0 if code < 2 or (code - 2) // 4 % 2 == 0 else 1e-9 for code in known.actions
        ]
    )
    assert exploitability(tree, honest).exploitability != found.exploitability


def test_names_of_actions_are_the_papers_eighteen() -> None:
    assert len(CODES) == 18
    assert CODES["lower false 4"] == 17
    assert ranks("ace king") == [0, 12]
