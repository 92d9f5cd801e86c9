"""Where Mr. X is in the newer box, against all paths that the rules allow, written plainly."""

from __future__ import annotations

import os

import numpy as np
import pytest

from sleuth import SPECTATOR, Game, Play
from sleuth.games.scotland_yard import ScotlandYardBelief, ScotlandYardRecord, scotland_yard
from sleuth.models.scotland_yard import HIDER

from ....models.scotland_yard.plain_paths import paths, shares

GAMES = 6 if "SLEUTH_FUZZ" not in os.environ else 300
SETTINGS = (
    {"seekers": 2, "rounds": 6, "reveals": [5]},
    {"seekers": 5, "rounds": 4, "reveals": [], "hider_tickets": [1, 1, 1], "black_fares": 2},
)


def going_on(game: Game, seed: int) -> Play:
    """A random game of at most 15 moves that is not over."""
    play, rng = Play.new(game, seed=seed), np.random.default_rng(seed)
    while len(play.actions) < 15:
        after = play.record().replay(game)
        after.apply(int(rng.choice(play.legal())))
        if after.over:
            break
        play = after
    return play


@pytest.mark.parametrize("seed", range(GAMES))
def test_the_belief_is_what_counting_all_paths_gives(seed: int) -> None:
    settings = SETTINGS[seed % len(SETTINGS)]
    game = scotland_yard("later", **settings)  # pyright: ignore[reportArgumentType]
    belief, rng = ScotlandYardBelief("steps"), np.random.default_rng(seed)
    play = Play.new(game, seed=seed)
    for _ in range(20):
        play.apply(int(rng.choice(play.legal())))
        if play.over or int(play.truth()[0].turn) > 4:
            break
        record = ScotlandYardRecord.from_play(play).without_truth()
        listed = paths(record, his_turn=play.player == HIDER)
        expected = shares(listed)
        posterior = belief.posterior(record.seen_by())
        (at,) = belief.hidden(play.view(SPECTATOR)).values()
        found = {int(each): share for each, share in posterior.marginal(at).items() if share}
        assert found.keys() == expected.keys()
        assert found == pytest.approx(expected, abs=1e-12)
        assert int(play.truth()[0].stations[HIDER]) in expected


@pytest.mark.parametrize("seed", range(GAMES))
def test_moves_that_follow_from_a_record_are_those_of_all_paths(seed: int) -> None:
    game = scotland_yard("later", seekers=3, rounds=4, reveals=[2, 4], double_moves=1)
    play = going_on(game, seed)
    record = ScotlandYardRecord.from_play(play)
    public = record.without_truth()
    found = public.known_play()
    assert found.known is not None
    assert record.known_play().known is None
    listed = paths(public, his_turn=play.player == HIDER)
    hiders = [n for n, event in enumerate(public.events, 1) if hasattr(event, "double")]
    certain = {
        number
        for place, number in enumerate(hiders)
        if len({path.steps[place] for path in listed}) == 1
    }
    assert found.known & {*hiders} == certain
    assert {*range(1, len(public.events) + 1)} - {*hiders} <= found.known
    # What is known is what happened, whichever game stands for all that agree.
    for number in found.known:
        assert found.record.actions[number - 1] == play.actions[number - 1]
