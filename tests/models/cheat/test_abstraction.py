"""The paper's 16 attributes, their packing, and the rollout with its six rules."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from sleuth import Game, Play
from sleuth.errors import SettingsError
from sleuth.games.cheat import cheat
from sleuth.kit import generator
from sleuth.models.cheat.abstraction import ATTRIBUTES, BITS, open_key, packed_key, with_open_claims
from sleuth.models.cheat.playouts import must_call, people, with_rollout
from sleuth.models.cheat.state import ACTIONS, CALL, TAKE

from .situations import CODES, GAME, played, situation

FIRST = "8 8 6 ace ace king 2 3"
SECOND = "9 7 7 5 5 queen queen 10"


def seen(play: Play, viewer: int, *, opened: bool = True) -> dict[str, int]:
    key = open_key if opened else packed_key
    found = unpacked(int(key(play.truth()[0], viewer, GAME.tables)))
    return dict(zip(ATTRIBUTES, found, strict=True))


def unpacked(key: int) -> list[int]:
    values: list[int] = []
    for bits in BITS:
        values.append(key & ((1 << bits) - 1))
        key >>= bits
    assert key == 0
    return values


def attributes(state: Any, viewer: int) -> list[int]:
    """The attributes but for the first, as the paper's tables have them."""
    other, ranks = 1 - viewer, 13
    higher, lower = (state.rank + 1) % ranks, (state.rank - 1) % ranks
    cards = [count if count <= 4 else 5 if count <= 8 else 6 for count in range(53)]
    return [
        int(state.hands[viewer, higher] > 0),
        int(state.hands[viewer, lower] > 0),
        *(cards[count] for count in (state.sizes[viewer], state.sizes[other], state.pile)),
        min(int(state.turn) + 1, 127),
        *(min(int(state.collected[other, rank]), 3) for rank in (higher, lower)),
        *(
            int(times[player, rank] > 0)
            for times, player in (
                (state.claimed, viewer), (state.claimed, other), (state.caught, viewer),
            )
            for rank in (higher, lower)
        ),
        int(state.catches[viewer] > 0),
    ]  # fmt: skip


def test_thirty_one_bits_are_used() -> None:
    assert sum(BITS) == 31
    assert len(BITS) == len(ATTRIBUTES) == 16


def test_at_the_start_only_the_cards_count() -> None:
    found = seen(situation(FIRST, SECOND), 0)
    assert found["can claim higher"] == found["can claim lower"] == 1
    assert (found["own cards"], found["opponent's cards"], found["pile"]) == (5, 5, 1)
    assert found["round"] == 1
    assert sum(list(found.values())[7:]) == 0
    assert seen(situation(FIRST, SECOND), 1)["can claim higher"] == 0


@pytest.mark.parametrize(
    "moves, action",
    [(["higher true 1"], 0), (["lower false 1"], 1), (["take"], 2), (["lower false 1", "call"], 3)],
)
def test_the_first_attribute_is_what_the_opponent_did_last(moves: list[str], action: int) -> None:
    play = played(situation(FIRST, SECOND), *moves)
    assert seen(play, play.player)["opponent's previous action"] == action


def test_at_the_table_nobody_knows_whether_the_claim_is_true() -> None:
    true = played(situation(FIRST, SECOND), "higher true 1")
    false = played(situation(FIRST, SECOND), "higher false 1")
    keys = [packed_key(play.truth()[0], 1, GAME.tables) for play in (true, false)]
    assert keys[0] == keys[1]
    keys = [open_key(play.truth()[0], 1, GAME.tables) for play in (true, false)]
    assert keys[0] != keys[1]
    # After the call everybody knows.
    both = [
        packed_key(played(play, "call").truth()[0], 1, GAME.tables) & 3 for play in (true, false)
    ]
    assert both == [0, 1]


def test_claims_and_catches_on_the_two_next_ranks_are_attributes() -> None:
    play = played(situation(FIRST, SECOND), "lower false 2")  # 6 is the rank now
    assert seen(play, 1)["opponent claimed higher"] == 0
    played(play, "take", "higher false 1")  # 7
    assert seen(play, 1)["opponent claimed lower"] == 1
    assert seen(play, 0)["claimed lower"] == 1
    played(play, "call")  # the first is caught on the 7, and nothing is claimed any more
    found = seen(play, 0)
    assert (found["claimed lower"], found["caught"], found["caught higher"]) == (0, 1, 0)
    played(play, "take", "lower false 1")  # 6: the 7 is one higher
    assert seen(play, 0)["caught higher"] == 1


def test_cards_of_the_next_ranks_that_the_opponent_took_up_are_estimated() -> None:
    play = played(situation(FIRST, SECOND), "higher true 2", "call")
    found = seen(play, 0)
    assert found["opponent's cards lower"] == 1  # the 7 that was turned up
    assert found["opponent's cards higher"] == 0


@pytest.mark.parametrize("settings", [{}, {"turns": "call winner", "follows": "valid"}])
def test_the_packed_key_holds_exactly_the_attributes(settings: dict[str, Any]) -> None:
    game = cheat(**settings)
    keys: set[int] = set()
    rng = np.random.default_rng(1)
    for seed in range(40):
        play = Play.new(game, seed=seed)
        while not play.over:
            state = play.truth()[0]
            for viewer in range(2):
                key = int(packed_key(state, viewer, game.tables))
                assert 0 <= key < 2**31
                values = attributes(state, viewer)
                assert unpacked(key)[1:] == values
                assert unpacked(int(open_key(state, viewer, game.tables)))[1:] == values
                keys.add(key)
            play.apply(int(rng.choice(play.legal())))
    assert len(keys) > 400


def test_the_papers_search_sees_claims() -> None:
    game = with_open_claims(GAME)
    play = Play.new(game, seed=1, start=situation(FIRST, SECOND).truth())
    played(play, "higher false 1")
    assert play.seen_by(1).events[0].event.observation == CODES["higher false 1"]


# Playouts


def taken(game: Game, play: Play, draws: int = 4000) -> Counter[int]:
    codes, random = play.legal(), generator(5)
    found: Counter[int] = Counter()
    for _ in range(draws):
        place = game.policy(play.truth()[0], codes, len(codes), game.tables, random)
        found[int(codes[place])] += 1
    return found


def test_people_call_take_and_lie_as_often_as_in_the_paper() -> None:
    shares = people()
    assert sum(shares) == pytest.approx(1)
    assert shares[CALL] == 0.105
    assert 0.196 <= shares[TAKE] <= 0.239
    lies = sum(shares[code] for code in range(2, ACTIONS) if (code - 2) // 4 % 2)
    assert 0.404 <= lies / (1 - shares[CALL] - shares[TAKE]) <= 0.448


def expected(play: Play, illegal: str) -> dict[int, float]:
    shares, codes = people(), play.legal().tolist()
    total = sum(shares[code] for code in codes)
    if illegal == "even":
        return {code: shares[code] + (1 - total) / len(codes) for code in codes}
    return {code: shares[code] / total for code in codes}


@pytest.mark.parametrize("illegal", ["proportional", "even"])
def test_playouts_take_actions_as_often_as_people(illegal: Any) -> None:
    play = situation(FIRST, SECOND)
    found = taken(with_rollout(GAME, illegal=illegal), play)
    wanted = expected(play, illegal)
    chi_square = sum((found[code] - 4000 * p) ** 2 / (4000 * p) for code, p in wanted.items())
    assert set(found) <= set(wanted)
    assert chi_square < 32  # 11 degrees of freedom: one in a thousand is 31.3


def test_wrong_frequencies_are_refused() -> None:
    for wrong in ([1.0] * 17, [0.0] * 18, [-1.0] + [1.0] * 17, [float("nan")] * 18):
        with pytest.raises(SettingsError):
            with_rollout(GAME, frequencies=wrong)


def called(play: Play) -> bool:
    """Whether a rule applies, and then a playout always calls."""
    applies = bool(must_call(play.truth()[0], GAME.tables))
    assert (set(taken(GAME, play, 60)) == {CALL}) == applies
    return applies


def test_the_six_rules_call_a_lie() -> None:
    nothing = "9 10 jack queen queen"
    assert not called(played(situation(FIRST, nothing), "lower false 1"))
    # a) The opponent has no more cards.
    assert called(played(situation("2", nothing), "lower false 1"))
    # b) More than eight cards on the table.
    lies = ["lower false 4", "lower false 3", "lower false 1"]
    assert called(played(situation(FIRST, nothing), *lies))
    # c) Caught more than eight times.
    for times, calls in ((8, False), (9, True)):
        start = situation(FIRST, nothing).truth()
        start[0].catches[0] = times
        assert called(played(Play.new(GAME, seed=1, start=start), "lower false 1")) == calls
    # d) The same claim since the last call.
    again = ["lower false 1", "take", "higher false 1", "take", "lower false 1"]
    assert called(played(situation("2 2 2 2 3 3", nothing), *again))
    # e) The player holds a card of the claimed rank.
    assert called(played(situation(FIRST, nothing + " 6"), "lower false 1"))
    # f) Caught before on the same rank.
    before = ["lower false 1", "call", "take", "take", "higher false 1", "take", "lower false 1"]
    assert called(played(situation("2 2 2 2 3 3", nothing), *before))


def test_no_rule_calls_a_true_claim() -> None:
    assert not called(played(situation("8", "8 9 10"), "higher true 1"))
