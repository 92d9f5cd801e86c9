"""The agents of Cheat for many: what the one that counts calls and claims, and that it wins."""

from __future__ import annotations

import pytest

from sleuth import Play, SleuthError, agent, game, play_match
from sleuth.models.cheat.for_many import claim_of
from sleuth.models.cheat.for_many.state import CALL, CLAIM, PASS

GAME = game("cheat_for_many", players=3, ranks=6, suits=3)


def decided(play: Play, words: str = "counting") -> int:
    made = agent(words, GAME, seed=1)
    return int(made.decide(play.view(play.player), play.seen_by(play.player)))


def test_it_lays_down_all_cards_of_the_rank_and_one_other_where_it_has_none() -> None:
    found: set[bool] = set()
    for seed in range(12):
        play = Play.new(GAME, seed=seed)
        rank, count, true = claim_of(decided(play))
        held = int(play.truth()[0].hands[0, rank])
        assert (count, true) == ((held, held) if held else (1, 0))
        found.add(held > 0)
    assert found == {True, False}


def test_it_calls_what_its_own_cards_contradict_and_lets_the_likely_stand() -> None:
    found: set[int] = set()
    for seed in range(20):
        play = Play.new(GAME, seed=seed)
        claims = {claim_of(code): code for code in play.legal().tolist()}
        count = max(count for _, count, _ in claims)
        play.apply(min(code for shape, code in claims.items() if shape[1] == count))
        held = int(play.truth()[0].hands[1, 0])
        if held + count > 3:
            assert decided(play) == CALL
        found.add(decided(play, "counting:calls=0"))
        one = Play.new(GAME, seed=seed)
        one.apply(CLAIM + 1 if (0, 1, 1) in claims else CLAIM)
        if int(one.truth()[0].hands[1, 0]) == 0:
            assert decided(one) == PASS
    assert found == {CALL, PASS}


def test_the_last_who_is_asked_calls_somebodys_last_cards() -> None:
    small = game("cheat_for_many", players=2, ranks=3, suits=2)
    play = Play.new(small, seed=1)
    while int(play.truth()[0].sizes[0]) > 0:
        asked = int(play.truth()[0].claimant) >= 0
        codes = play.legal().tolist()
        play.apply(PASS if asked else codes[-1] if play.player == 0 else codes[0])
    made = agent("counting:calls=0", small, seed=1)
    assert made.decide(play.view(1), play.seen_by(1)) == CALL


def test_counting_wins_from_chance_and_a_search_plays_by_name() -> None:
    match = play_match(GAME, ["counting", "random", "random"], games=12, seed=1)
    assert match.win_rates[0] > 0.7
    match = play_match(GAME, ["mcts:simulations=20", "counting", "random"], games=2, seed=1)
    assert len(match.games) == 2


def test_impossible_options_are_refused() -> None:
    for words in (
        "counting:honest=2",
        "counting:calls=-1",
        "mcts:honest=1.5",
        "counting:predictor=no.npz",
    ):
        with pytest.raises(SleuthError):
            agent(words, GAME)
