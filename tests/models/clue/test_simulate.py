"""Simulated games follow the rules, the choice model and the seed."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.errors import RecordError, SettingsError
from sleuth.games.clue import Accusation, ClueRecord, SeenClue, Suggestion, simulate
from sleuth.models.clue import Triple
from sleuth.models.clue.simulate import Policy, random_policy, unseen_policy, usual_hand_sizes

seeds = st.integers(0, 2**32 - 1)


@given(
    seed=seeds,
    players=st.integers(2, 6),
    policy=st.sampled_from([random_policy, unseen_policy]),
    choice=st.sampled_from(["random", "ignored", "preference"]),
    guess=st.sampled_from([0.0, 0.2]),
    accuse=st.booleans(),
)
def test_a_simulated_game_passes_every_check_of_the_record_reader(
    seed: int, players: int, policy: Policy, choice: str, guess: float, accuse: bool
):
    record = simulate(
        players,
        np.random.default_rng(seed),
        policy=policy,
        choice=choice,
        guess=guess,
        accuse=accuse,
    )
    assert record.kind == "full"
    assert ClueRecord.from_json(record.to_json()) == record
    for event in record.events:
        if isinstance(event, Suggestion):
            assert (event.shown is None) == (event.refuter is None)


def test_the_same_seed_gives_the_same_game():
    assert simulate(4, np.random.default_rng(7)) == simulate(4, np.random.default_rng(7))
    assert simulate(4, np.random.default_rng(7)) != simulate(4, np.random.default_rng(8))


def test_players_suggest_in_turn():
    record = simulate(["ann", "ben", "cleo"], np.random.default_rng(1), turns=7)
    by = [event.by for event in record.events if isinstance(event, Suggestion)]
    assert by == ["ann", "ben", "cleo", "ann", "ben", "cleo", "ann"]


@pytest.mark.parametrize(
    "players, sizes",
    [(2, (9, 9)), (3, (6, 6, 6)), (4, (5, 5, 4, 4)), (5, (4, 4, 4, 3, 3)), (6, (3,) * 6)],
)
def test_the_first_seats_get_the_extra_cards(players: int, sizes: tuple[int, ...]):
    assert usual_hand_sizes(players) == sizes
    assert simulate(players, np.random.default_rng(0)).sizes == sizes


def test_cards_that_are_not_dealt_lie_face_up():
    record = simulate(4, np.random.default_rng(0), hand_sizes=[4, 4, 4, 4])
    assert len(record.face_up) == 2
    assert not set(record.face_up) & {*(record.case_file or ())}
    assert ClueRecord.from_json(record.to_json()) == record


def test_every_card_is_dealt_to_every_place_equally_often():
    rng = np.random.default_rng(5)
    games = 4000
    counts: Counter[tuple[str, str]] = Counter()
    for _ in range(games):
        record = simulate(3, rng, turns=0)
        assert record.hands is not None
        counts.update((card, "p2") for card in record.hands["p2"])
        counts.update((card, "case file") for card in record.case_file or ())
    # P(a weapon or suspect is in the case file) = 1/6, a room 1/9; in p2's hand 5/18 or 8/27
    for card, place, p in [
        ("rope", "case file", 1 / 6),
        ("hall", "case file", 1 / 9),
        ("rope", "p2", 5 / 18),
        ("hall", "p2", 8 / 27),
    ]:
        error = 4 * (p * (1 - p) / games) ** 0.5
        assert counts[card, place] / games == pytest.approx(p, abs=error)


def test_a_refuter_with_two_cards_shows_each_half_the_time():
    shown = shown_of_two(np.random.default_rng(2), "random")
    assert shown["hall"] / shown.total() == pytest.approx(0.5, abs=0.06)


def test_a_refuter_with_a_preference_nearly_always_follows_it():
    shown = shown_of_two(np.random.default_rng(2), "preference")
    assert 0.96 < shown["hall"] / shown.total() < 1


def shown_of_two(rng: np.random.Generator, choice: str) -> Counter[str]:
    """What was shown by players who held the rope and the hall and not Plum."""

    def same(game: SeenClue, rng: np.random.Generator) -> Triple:
        return "plum", "rope", "hall"

    counts: Counter[str] = Counter()
    while counts.total() < 1200:
        record = simulate(3, rng, policy=same, choice=choice, turns=3)
        assert record.hands is not None
        for event in record.events:
            if isinstance(event, Suggestion) and event.refuter and event.shown:
                hand = record.hands[event.refuter]
                if "rope" in hand and "hall" in hand and "plum" not in hand:
                    counts[event.shown] += 1
    return counts


def test_a_policy_sees_only_what_its_player_sees():
    games: list[SeenClue] = []

    def watching(game: SeenClue, rng: np.random.Generator) -> Triple:
        games.append(game)
        return random_policy(game, rng)

    record = simulate(3, np.random.default_rng(3), policy=watching, guess=0.1)
    assert games
    for game in games:
        assert game == record.seen_by(game.viewer).until(len(game.events))


def test_the_default_policy_asks_for_cards_its_player_has_not_seen():
    record = simulate(4, np.random.default_rng(4), turns=40)
    assert record.hands is not None
    seen = {player: set(hand) for player, hand in record.hands.items()}
    for event in record.events:
        assert isinstance(event, Suggestion)
        assert seen[event.by].isdisjoint(event.cards)
        if event.shown:
            seen[event.by].add(event.shown)


def test_a_game_may_end_with_a_correct_accusation():
    record = simulate(3, np.random.default_rng(3), accuse=True, turns=4)
    last = record.events[-1]
    assert isinstance(last, Accusation)
    assert (last.by, last.cards, last.correct) == ("p2", record.case_file, True)


def test_a_wrong_accuser_sees_the_case_file_and_has_no_more_turns():
    record = simulate(6, np.random.default_rng(6), guess=0.2, turns=30)
    out: set[str] = set()
    for event in record.events:
        assert isinstance(event, Suggestion | Accusation)
        assert event.by not in out
        if isinstance(event, Accusation) and not event.correct:
            assert event.seen == record.case_file
            out.add(event.by)
    assert out


def test_a_game_is_over_when_all_are_out():
    record = simulate(3, np.random.default_rng(9), guess=1.0, accuse=True)
    assert len(record.events) <= 3
    assert all(isinstance(event, Accusation) for event in record.events)


def test_settings_that_make_no_sense_are_refused():
    rng = np.random.default_rng(0)
    for players in (0, 1, 11):
        with pytest.raises(SettingsError, match="2 to 10 players"):
            simulate(players, rng)
    for sizes in ([6, 6], [9, 9, 9], [-1, 9, 9]):
        with pytest.raises(SettingsError, match="hand_sizes"):
            simulate(3, rng, hand_sizes=sizes)
    with pytest.raises(SettingsError, match="guess"):
        simulate(3, rng, guess=1.5)
    with pytest.raises(SettingsError, match="choice"):
        simulate(3, rng, choice="best")
    with pytest.raises(SettingsError, match="a suspect, a weapon and a room"):
        simulate(3, rng, policy=lambda game, rng: ("rope", "plum", "hall"))
    with pytest.raises(RecordError, match="same name"):
        simulate(["ann", "ann", "ben"], rng)
