"""The belief of Cheat for many in play: its worlds, predictors, and how hands are counted."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np
import pytest

from sleuth import Play, check_game, game
from sleuth.beliefs.games.cheat.for_many.honesty import LEAST, ONE_CARD, SOME, likely_true
from sleuth.games.cheat import ManyCheatBelief, ManyCheatDeclaration, seen_many_cheat
from sleuth.kit import generator
from sleuth.models.cheat.for_many import claim_of

#: Tables of all sizes and orders of ranks; `SLEUTH_FUZZ` looks at all of them, else at one.
TABLES: tuple[dict[str, Any], ...] = (
    {"players": 4, "order": "near"},
    {"players": 3, "order": "ascending", "shown": "pile"},
    {"players": 5, "order": "same", "leads": "taker"},
    {"players": 6, "order": "free"},
    {"players": 4, "order": "descending", "packs": 2, "leads": "right"},
)


@pytest.mark.parametrize("settings", TABLES if "SLEUTH_FUZZ" in os.environ else TABLES[:1])
def test_nobody_is_told_what_they_cannot_know(settings: dict[str, Any]) -> None:
    made = game("cheat_for_many", ranks=4, suits=2, limit=8, **settings)
    assert check_game(made, plays=1, worlds=4).moves > 5


def course(moves: int, seed: int, **settings: Any) -> Play:
    """A game of the playout policy against itself, up to some move."""
    made = game("cheat_for_many", **settings)
    play, random = Play.new(made, seed=seed), generator(seed)
    while not play.over and len(play.actions) < moves:
        legal = play.legal()
        place = made.policy(play.truth()[0], legal, len(legal), made.tables, random)
        play.apply(int(legal[place]))
    return play


@pytest.mark.parametrize("moves, players", [(9, 4), (60, 4), (90, 3), (120, 6)])
def test_worlds_are_hands_of_the_right_sizes_and_drawn_as_likely_as_they_are(
    moves: int, players: int
) -> None:
    play = course(moves, seed=moves, players=players)
    belief = ManyCheatBelief()
    view, seen = play.view(0), play.seen_by(0)
    posterior = belief.infer(view, seen)
    rows = belief.worlds(posterior, 2000, np.random.default_rng(1))
    known = seen_many_cheat(view)
    hands = rows[:, : 13 * players].reshape(-1, players, 13)
    assert (hands.sum(axis=2) == known.sizes).all()
    assert (hands[:, 0] == known.hand).all()
    own = [card for claim in known.pile_claims for card in claim.cards or ()]
    laid = [
        column
        for claim in ManyCheatDeclaration.of(view).claims
        for column in range(claim.bottom, claim.bottom + claim.claim.count)
    ]
    pile = rows[:, 13 * players :][:, laid]
    for rank in range(13):
        elsewhere = (pile == rank).sum(axis=1) + own.count(rank)
        assert (hands[:, :, rank].sum(axis=1) + elsewhere == 4).all()
    for feature in belief.hidden(view).values():
        places = belief.places(posterior, feature, rows)
        shares = np.bincount(places, minlength=len(posterior.distribution(feature))) / len(rows)
        assert np.abs(shares - posterior.distribution(feature)).max() < 0.06


@pytest.mark.parametrize("honest", [0.3, 0.6, 0.9])
@pytest.mark.parametrize("said", [1, 2, 3])
def test_a_first_claim_is_true_as_bayes_rule_says(honest: float, said: int) -> None:
    play = Play.new(game("cheat_for_many"), seed=2)
    play.apply(next(code for code in play.legal().tolist() if claim_of(code)[1] == said))
    view, seen = play.view(1), play.seen_by(1)
    left = 4 - int(view.states[0].hands[1, 0])  # aces, of 39 cards
    holds = [
        math.comb(left, n) * math.comb(39 - left, 13 - n) / math.comb(39, 13) for n in range(5)
    ]
    # Who has aces and is honest says all of them, and sometimes not all; others say few.
    true = honest * (holds[said] + SOME * sum(holds[said + 1 :]))
    false = (1 - honest * sum(holds[1:])) * ONE_CARD * (1 - ONE_CARD) ** (said - 1)
    (claim,) = ManyCheatDeclaration.of(view).claims
    found = ManyCheatBelief(honest=honest).infer(view, seen)
    chance = found.probability(ManyCheatDeclaration.of(view).is_true(claim))
    assert chance == pytest.approx(max(LEAST, true / (true + false)) if holds[said] else 0.0)


def test_where_ranks_are_free_who_lies_need_not() -> None:
    chances: list[float] = []
    for order in ("ascending", "free"):
        play = Play.new(game("cheat_for_many", order=order), seed=2)
        play.apply(next(code for code in play.legal().tolist() if claim_of(code) == (0, 1, 0)))
        chances.append(likely_true(seen_many_cheat(play.view(1)), 0, 0.9))
    assert chances[0] + 0.1 < chances[1] < 0.95


def test_a_predictor_is_asked_once_and_remembered_as_long_as_the_claim_lies_there() -> None:
    asked: list[int] = []

    def truth(view: Any, seen: Any) -> float:
        asked.append(len(seen_many_cheat(view).claims))
        return 0.35

    belief = ManyCheatBelief(truth)
    play = course(0, seed=4)
    play.apply(int(play.legal()[0]))
    said: list[float] = []
    for _ in range(6):
        view = play.view(3)
        if seen_many_cheat(view).claims[-1].by != 3:
            first = ManyCheatDeclaration.of(view).claims[0]
            posterior = belief.infer(view, play.seen_by(3))
            said.append(posterior.probability(ManyCheatDeclaration.of(view).is_true(first)))
        play.apply(int(play.legal()[-1] if len(play.legal()) == 2 else play.legal()[0]))
    assert said[0] == pytest.approx(0.35)
    assert said == pytest.approx([0.35] * len(said), abs=0.05)
    assert len(asked) == len(set(asked)) == 2


def test_known_cards_of_several_hands_are_counted_card_by_card_or_settled() -> None:
    found = {
        ManyCheatDeclaration.of(course(moves, seed=3, players=6, packs=packs).view(-1)).counting
        for moves, packs in ((3, 1), (75, 1), (85, 1), (60, 2), (70, 2), (80, 2), (90, 2))
    }
    assert found >= {"type_counting", "settled"}


def test_cards_that_must_be_in_a_hand_stay_there_where_the_rest_cannot_be_counted() -> None:
    play = course(60, seed=3, players=6, packs=2)
    view = play.view(0)
    belief = ManyCheatDeclaration.of(view)
    posterior = belief.infer()
    for player in range(1, 6):
        for rank, held in enumerate(belief.game.collected[player]):
            laid = sum(claim.claim.count for claim in belief.claims if claim.claim.by == player)
            least = max(0, held - laid)
            shares = posterior.marginal(belief.count(player, rank))
            assert sum(share for count, share in shares.items() if count < least) == 0
