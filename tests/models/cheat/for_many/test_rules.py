"""Cheat for many against the same rules written plainly, in random games of all settings."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import numpy as np
import pytest

from sleuth import SPECTATOR, Game, Play
from sleuth.errors import SettingsError
from sleuth.games.cheat import cheat_for_many, many_claim_code, seen_many_cheat
from sleuth.models.cheat.for_many import claim_of
from sleuth.models.cheat.for_many.chosen import false_cards
from sleuth.models.cheat.for_many.state import ACTIONS, CALL, CLAIM, PASS, cards_of

from .plain_rules import PlainTable

ORDERS = ("ascending", "descending", "near", "same", "free")
#: Random games; `SLEUTH_FUZZ=1000` plays as many.
GAMES = int(os.environ.get("SLEUTH_FUZZ", "20"))


def any_table(rng: np.random.Generator) -> Game:
    """A game of any settings."""
    return cheat_for_many(
        players=int(rng.integers(2, 7)),
        packs=int(rng.integers(1, 4)),
        ranks=int(rng.integers(3, 14)),
        suits=int(rng.integers(2, 5)),
        order=str(rng.choice(ORDERS)),  # pyright: ignore[reportArgumentType]
        most_claimed=int(rng.integers(1, 9)),
        leads=str(rng.choice(["next", "right", "taker"])),  # pyright: ignore[reportArgumentType]
        shown=str(rng.choice(["claim", "pile"])),  # pyright: ignore[reportArgumentType]
        false_cards=str(rng.choice(["latest", "any"])),  # pyright: ignore[reportArgumentType]
        limit=int(rng.integers(10, 60)),
    )


def hands_of(state: Any, players: int) -> list[Counter[int]]:
    return [+Counter(dict(enumerate(hand))) for hand in state.hands.tolist()[:players]]


@pytest.mark.parametrize("seed", range(GAMES))
def test_random_games_go_as_the_rules_say(seed: int) -> None:
    rng = np.random.default_rng(seed)
    game = any_table(rng)
    play = Play.new(game, seed=seed)
    start = play.truth()[0]
    plain = PlainTable(game.settings, hands_of(start, game.players))
    sizes = [hand.total() for hand in plain.hands]
    assert max(sizes) - min(sizes) <= 1
    packs = game.settings["packs"] * game.settings["suits"]
    assert sum(plain.hands, Counter()) == dict.fromkeys(range(game.settings["ranks"]), packs)
    calls = rng.uniform(0.05, 0.5)
    while not play.over:
        state = play.truth()[0]
        assert int(state.player) == plain.player
        assert hands_of(state, game.players) == [+hand for hand in plain.hands]
        assert state.sizes.tolist()[: game.players] == [hand.total() for hand in plain.hands]
        lying = [laid for laid in plain.pile for _ in laid.cards]
        assert int(state.pile) == len(lying)
        legal = play.legal().tolist()
        if plain.asked:
            assert legal == [CALL, PASS]
            action = CALL if rng.random() < calls else PASS
            play.apply(action)
            plain.call() if action == CALL else plain.let_stand()
            continue
        assert {claim_of(action) for action in legal} == plain.shapes()
        assert len(set(legal)) == len(legal) <= game.max_actions
        action = int(rng.choice(legal))
        rank, count, true = claim_of(action)
        if rng.random() < 0.5:
            # A player names the cards.
            own = [card for card in plain.hands[plain.player].elements() if card != rank]
            false = rng.permutation(own)[: count - true].tolist()
            action = many_claim_code(rank, [rank] * true + false)
            assert Counter(false_cards(action)) == Counter(false)
        mover = plain.player
        play.apply(action)
        after = play.truth()[0]
        laid = cards_of(int(after.cards[int(after.turn) - 1]))
        plain.claim(rank, laid)
        assert seen_many_cheat(play.view(mover)).claims[-1].cards == laid
    assert plain.over
    returns = play.returns().tolist()
    if plain.winner is None:
        assert int(play.truth()[0].turn) == game.settings["limit"]
        assert returns == [1 / game.players] * game.players
    else:
        assert returns == [float(player == plain.winner) for player in range(game.players)]
    assert len(play.actions) <= game.max_depth


def after(game: Game, *moves: str, seed: int = 1) -> Play:
    """A game after some moves, by the names of its actions."""
    play = Play.new(game, seed=seed)
    for move in moves:
        names = {game.action_name(code): code for code in play.legal().tolist()}
        play.apply(names[move])
    return play


def test_a_taker_holds_what_was_turned_up_and_everybody_knows_it() -> None:
    game = cheat_for_many(players=3)
    play = after(game, "2 of ace, false", "pass", "call")
    truth = play.truth()[0]
    cards = seen_many_cheat(play.view(SPECTATOR)).claims[0].cards
    assert cards is not None
    for viewer in (SPECTATOR, 1, 2):
        seen = seen_many_cheat(play.view(viewer))
        assert seen.collected[0] == tuple(cards.count(rank) for rank in range(13))
    assert int(truth.sizes[0]) == 18  # 52 cards for three: one has 18
    assert not play.over


def test_who_laid_cards_there_knows_them_in_the_takers_hand_and_others_do_not() -> None:
    game = cheat_for_many(players=3)
    play = after(game, "1 of ace, false", "pass", "pass", "1 of 2, false", "pass", "call")
    laid = seen_many_cheat(play.view(0)).collected[1]
    others = seen_many_cheat(play.view(2)).collected[1]
    assert (sum(laid), sum(others)) == (2, 1)


def test_known_cards_that_may_have_been_laid_down_are_not_known_any_more() -> None:
    game = cheat_for_many(players=3)
    play = after(game, "2 of ace, false", "call", "1 of 2, false", "pass", "pass")
    known = seen_many_cheat(play.view(1))
    assert sum(known.collected[0]) == 2
    assert not known.forgot
    for move in ("1 of 3, false", "pass", "pass", "1 of 4, false", "pass", "call"):
        names = {game.action_name(code): code for code in play.legal().tolist()}
        play.apply(names[move])
    # The second player took no pile, and saw only the cards of the last claim, the first player's.
    assert seen_many_cheat(play.view(1)).forgot


def test_a_last_claim_wins_only_if_it_stands() -> None:
    game = cheat_for_many(players=2, ranks=3, suits=2)
    play = Play.new(game, seed=1)
    while int(play.truth()[0].sizes[0]) > 0:
        asked = int(play.truth()[0].claimant) >= 0
        claims = [code for code in play.legal().tolist() if code != CALL]
        play.apply(claims[0] if asked or play.player else claims[-1])
    assert not play.over
    assert play.player == 1
    play.apply(PASS)
    assert play.returns().tolist() == [1.0, 0.0]


@pytest.mark.parametrize(
    "settings", [{"players": 7}, {"packs": 0}, {"order": "any"}, {"limit": 401}, {"ranks": 2}]
)
def test_impossible_settings_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        cheat_for_many(**settings)


def test_codes_with_cards_that_cannot_be_laid_down_are_no_moves() -> None:
    game = cheat_for_many()
    play = Play.new(game, seed=1)
    hand = play.truth()[0].hands[0].tolist()
    has, lacks = hand.index(max(hand[1:]), 1), hand.index(0)
    good = many_claim_code(0, [has])
    assert game.listed_code(play.truth(), good) == good % ACTIONS >= CLAIM
    assert game.listed_code(play.truth(), many_claim_code(0, [lacks or 1] * 4)) == -1
    assert game.listed_code(play.truth(), CALL + ACTIONS * (good // ACTIONS)) == -1
