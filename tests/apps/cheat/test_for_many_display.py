"""Cheat for many in words: what a person types, and what they are told."""

from __future__ import annotations

import pytest

from sleuth import Play, game
from sleuth.answers import as_text
from sleuth.games.cheat import many_claim_code
from sleuth.kit import Sight, display, generator

GAME = game("cheat_for_many", players=3)
#: A deal in which the first player has an ace and a six.
SEED = 0


def sight(play: Play, role: int) -> Sight:
    return Sight.of(play, role, (role,))


def test_a_claim_is_written_by_its_cards_and_a_lie_may_name_them() -> None:
    play = Play.new(GAME, seed=SEED)
    view, shown = play.view(0), display(GAME)
    hand = play.truth()[0].hands[0].tolist()
    assert hand[0] >= 1
    assert hand[5] >= 1
    named = shown.understood("2x ace lie ace 6", view)
    assert named.action == many_claim_code(0, [0, 5])
    meant = {words: shown.understood(words, view).action for words in ("1x ace", "1x ace lie")}
    names = {GAME.action_name(code): code for code in play.legal().tolist()}
    assert meant == {"1x ace": names["1 of ace, true"], "1x ace lie": names["1 of ace, false"]}
    assert shown.understood("1 ace", view).action == meant["1x ace"]
    assert shown.understood("1 aces lie", view).action == meant["1x ace lie"]
    for code, name in shown.said_names(view).items():
        assert shown.understood(name, view).action == code


@pytest.mark.parametrize(
    "line, problem",
    [
        ("2x ace lie 6", "the claim is of 2 cards, not of 1"),
        ("1x ace lie ace", "that would be no lie"),
        ("1x ace lie joker", "'joker' is no card"),
    ],
)
def test_a_lie_that_cannot_be_is_answered_with_the_reason(line: str, problem: str) -> None:
    play = Play.new(GAME, seed=SEED)
    found = display(GAME).understood(line, play.view(0))
    assert found.action is None
    assert problem in found.problem


def test_calls_say_what_was_turned_up_and_nobody_else_is_told_of_a_lie() -> None:
    play = Play.new(GAME, seed=SEED)
    play.apply(many_claim_code(0, [0, 5]))
    shown = display(GAME)
    assert shown.happened(sight(play, 0), 0) == ["you: claim two aces, and lay down ace 6"]
    assert shown.happened(sight(play, 1), 0) == ["player 1: claim two aces"]
    play.apply(0)
    said = "you: call. It was a lie: ace 6; player 1 takes the pile"
    assert shown.happened(sight(play, 1), 1) == [said]


def test_a_belief_says_what_it_does_not_follow() -> None:
    play, random, shown = Play.new(GAME, seed=2), generator(2), display(GAME)
    assert "About" not in as_text(*shown.belief(sight(play, 0)))
    while len(play.actions) < 90:
        legal = play.legal()
        place = GAME.policy(play.truth()[0], legal, len(legal), GAME.tables, random)
        play.apply(int(legal[place]))
    assert "is not followed" in as_text(*shown.belief(sight(play, 0)))
