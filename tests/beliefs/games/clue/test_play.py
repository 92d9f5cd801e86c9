"""What players of Clue without a board know, and what they can know of what others know."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth import Play
from sleuth.games.clue import CARDS, PASS, ClueBelief, Suggestion, clue_table, seen_game
from sleuth.models.clue.game import ACCUSE, ACCUSING, SHOWING, TRIPLES, triple_cards
from sleuth.models.clue.imagined.race import race
from sleuth.models.clue.seen import as_seen_by


def position(players: int, seed: int, turns: int) -> Play:
    """Somebody's turn to accuse, after suggestions at random."""
    play, rng = Play.new(clue_table(players), seed=seed), np.random.default_rng(seed)
    while True:
        state = play.view(play.player).states[0]
        if state.stage == ACCUSING and state.turn >= turns:
            return play
        play.apply(PASS if state.stage == ACCUSING else int(rng.choice(play.legal())))


def hands(play: Play) -> dict[str, frozenset[str]]:
    """Who holds what in truth."""
    holders = play.truth()[0].holder.tolist()
    return {
        name: frozenset(card for card, who in zip(CARDS, holders, strict=True) if who == seat)
        for seat, name in enumerate(play.game.roles)
    }


@pytest.mark.parametrize("players", [3, 5])
def test_in_the_true_world_others_saw_what_they_saw(players: int) -> None:
    """But for the cards that were shown to them, which are any of those that could be."""
    play = position(players, 3, 12)
    me = play.player
    mine = seen_game(play.view(me), play.seen_by(me))
    rng = np.random.default_rng(1)
    for other, name in enumerate(play.game.roles):
        truth = seen_game(play.view(other), play.seen_by(other))
        found = as_seen_by(mine, name, hands(play), rng)
        if other == me:
            assert found == mine
        assert found.own_hand == truth.own_hand
        for one, two in zip(found.events, truth.events, strict=True):
            if one.event != two.event:
                assert isinstance(one.event, Suggestion)
                assert name in (one.event.by, one.event.refuter)
                assert one.event.refuter is not None
                assert one.event.shown in set(one.event.cards) & hands(play)[one.event.refuter]


def test_others_know_what_everybody_heard() -> None:
    """Two players ask for the cards of the case file, and nobody can refute either."""
    play = position(3, 1, 1)
    holders = play.truth()[0].holder.tolist()
    file = tuple(card for card, who in zip(CARDS, holders, strict=True) if who == 3)
    wanted = next(triple for triple in range(TRIPLES) if triple_cards(triple) == file)

    def others(play: Play) -> list[float]:
        game, me = race(play.game), play.player
        ClueBelief().begin(game, play.view(me), play.seen_by(me))
        return [float(game.tables.knows[seat, 0]) for seat in range(3) if seat != me]

    assert max(others(play)) < 0.3
    for _ in range(2):
        play.apply(PASS)
        play.apply(wanted)
        assert play.view(play.player).states[0].stage == ACCUSING
    assert others(play) == [1.0, 1.0]


def test_a_race_begins_the_same_whatever_is_hidden() -> None:
    """Games that look the same to the player give the same chances."""
    play = position(4, 2, 9)
    me, belief = play.player, ClueBelief()
    view, seen = play.view(me), play.seen_by(me)
    known = seen_game(view, seen)
    found: list[bytes] = []
    for seed in range(3):
        (world,) = belief.worlds(belief.infer(view, seen), 1, np.random.default_rng(seed))
        start = play.game.initial(play.seed)
        start[0].holder[:] = world
        other, rng = Play.new(play.game, seed=play.seed, start=start), np.random.default_rng(seed)
        for action in play.actions:
            state = other.truth()[0]
            hidden = state.stage == SHOWING and me not in (state.player, state.suggester)
            other.apply(int(rng.choice(other.legal())) if hidden else action)
        assert seen_game(other.view(me), other.seen_by(me)) == known
        game = race(play.game)
        ClueBelief().begin(game, other.view(me), other.seen_by(me))
        found.append(game.tables.knows.tobytes())
    assert len(set(found)) == 1


@pytest.mark.parametrize("seed", range(4))
def test_only_the_likeliest_accusation_is_undominated(seed: int) -> None:
    play, belief = position(3, seed, 12), ClueBelief()
    view = play.view(play.player)
    posterior = belief.infer(view, play.seen_by(play.player))
    found = belief.undominated(view, posterior)
    assert found is not None
    accuse, last = found
    assert last == PASS
    (file,) = belief.hidden(view).values()
    chance = posterior.marginal(file)[triple_cards(accuse - ACCUSE)]
    assert chance == pytest.approx(float(posterior.distribution(file).max()))


def test_all_questions_may_be_the_best() -> None:
    play, belief = Play.new(clue_table(), seed=1), ClueBelief()
    view = play.view(play.player)
    assert belief.undominated(view, belief.infer(view, play.seen_by(play.player))) is None
