"""Mr X on the real map: Algorithm 1, plain counting, and what everybody is told alike."""

from __future__ import annotations

import pickle
import time
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from sleuth import OVER, SPECTATOR, Play, Posterior, infer
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.errors import SettingsError
from sleuth.games.scotland_yard import (
    LIKELIHOODS,
    ScotlandYardBelief,
    ScotlandYardRecord,
    scotland_yard,
    stations_of,
)
from sleuth.models.scotland_yard import HIDER
from sleuth.models.scotland_yard.public_state import stuck_stations

ANY_DETECTIVE = 1


def marginal(
    given: ScotlandYardBelief, play: Play, viewer: int = ANY_DETECTIVE
) -> dict[int, float]:
    """Where a viewer thinks that he is."""
    return posterior_of(given, play, viewer).marginal(given.hidden(play.view(viewer))["hider"])


def posterior_of(given: ScotlandYardBelief, play: Play, viewer: int = ANY_DETECTIVE) -> Posterior:
    return given.infer(play.view(viewer), play.seen_by(viewer))


def moved(play: Play, rng: np.random.Generator) -> None:
    play.apply(int(rng.choice(play.legal())))


def random_play(seed: int, moves: int, **settings: Any) -> Play:
    """A random game of so many moves, or to its end."""
    play, rng = Play.new(scotland_yard(**settings), seed=seed), np.random.default_rng(seed)
    while len(play.actions) < moves and not play.over:
        moved(play, rng)
    return play


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
@pytest.mark.parametrize(
    "settings", [{}, {"seekers": 4, "rounds": 10, "reveals": [4, 9], "double_moves": 5}]
)
def test_a_station_is_possible_exactly_when_algorithm_1_has_it(
    likelihood: str, settings: dict[str, Any]
) -> None:
    given = ScotlandYardBelief(likelihood)
    for seed in range(6):
        play, rng = Play.new(scotland_yard(**settings), seed=seed), np.random.default_rng(seed)
        while not play.over:
            state = play.view(SPECTATOR).states[0]
            listed = set(stations_of(state.possible))
            if play.player == HIDER:
                # The paper's list keeps stations that he could not leave; the game would be over.
                listed -= set(stuck_stations(play.view(SPECTATOR).states, play.game.tables))
            found = marginal(given, play)
            assert set(found) == listed
            assert int(play.truth()[0].stations[HIDER]) in found
            moved(play, rng)


def counted(wanted: Play) -> dict[int, float]:
    """P(his station | what everybody saw), by going through all games in which he acts at random.

    Knows nothing of beliefs: it plays every action he could have taken from every start.
    """
    seen = [(each.event.mover, each.event.observation) for each in wanted.seen_by(SPECTATOR).events]
    result: dict[int, float] = {}

    def go(states: Any, place: int, weight: float) -> None:
        state = states[0]
        if place == len(seen):
            station = int(state.stations[HIDER])
            if (state.player == OVER) == wanted.over:
                result[station] = result.get(station, 0.0) + weight
            return
        mover, observation = seen[place]
        if state.player != mover:
            return
        actions = np.zeros(game.max_actions, dtype=np.int32)
        count = int(game.legal(state, game.tables, actions))
        tried = actions[:count] if mover == HIDER else [wanted.actions[place]]
        for action in tried:
            after = states.copy()
            game.apply(after[0], int(action), game.tables, None)
            if game.observe(after[0], int(action), mover, SPECTATOR, game.tables) == observation:
                go(after, place + 1, weight / count if mover == HIDER else weight)

    game = wanted.game
    start = Play.new(game, seed=wanted.seed).truth()
    for station in stations_of(start[0].possible):
        states = start.copy()
        states[0].stations[HIDER] = station
        go(states, 0, 1.0)
    total = sum(result.values())
    return {station: weight / total for station, weight in result.items()}


def test_the_filter_is_what_counting_all_games_says() -> None:
    given, doubled = ScotlandYardBelief("steps"), 0
    for seed in range(12):
        for moves in (1, 4, 7, 10):
            play = random_play(seed, moves, seekers=2, reveals=[2])
            if not play.over:
                doubled += int(play.truth()[0].doubles) < 2
                assert marginal(given, play) == pytest.approx(counted(play))
    assert doubled > 5


def test_particles_follow_the_filter() -> None:
    given = ScotlandYardBelief("steps")
    play = random_play(3, 40)
    assert not play.over
    exact = posterior_of(given, play)
    feature = given.hidden(play.view(1))["hider"]
    sampled = infer(exact.model, exact.history, method="particles", samples=20_000, seed=1)
    shares, found = exact.distribution(feature), sampled.distribution(feature)
    assert 0.5 * np.abs(shares - found).sum() < 0.03
    assert sampled.log_evidence == pytest.approx(exact.log_evidence, abs=0.1)


def test_where_he_was_is_smoothed_by_what_followed() -> None:
    given = ScotlandYardBelief("steps")
    play = random_play(5, 30)
    posterior = posterior_of(given, play)
    walk: Any = posterior.model.variables[0]
    paths = posterior.sample_array(20_000, np.random.default_rng(0))
    for step in (0, 2, paths.shape[1] - 1):
        shares = posterior.distribution(walk.at(step=step))
        common = np.flatnonzero(shares * len(paths) >= 5)
        counts = np.bincount(paths[:, step], minlength=len(shares))
        assert not counts[shares == 0.0].any()
        if len(common) > 1:
            expected = shares[common] / shares[common].sum() * counts[common].sum()
            assert chisquare(counts[common], expected).pvalue > 0.001
    # He showed himself after his third move, which everybody remembers.
    assert posterior.marginal(walk.at(step=3)) == {int(play.truth()[0].surfaced): 1.0}


def test_all_who_do_not_see_him_know_the_same_and_ask_once() -> None:
    given = ScotlandYardBelief()
    play = random_play(2, 25)
    posterior = posterior_of(given, play)
    for viewer in (SPECTATOR, *range(1, play.game.players)):
        assert posterior_of(given, play, viewer) is posterior
    assert posterior_of(ScotlandYardBelief(), play) == posterior


def test_he_knows_where_he_is_and_so_do_all_at_the_end() -> None:
    given = ScotlandYardBelief()
    play = random_play(2, 25)
    assert marginal(given, play, HIDER) == {int(play.truth()[0].stations[HIDER]): 1.0}
    play = random_play(2, 1_000)
    assert play.over
    assert marginal(given, play) == {int(play.truth()[0].stations[HIDER]): 1.0}


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_worlds_are_stations_as_often_as_they_are_likely(likelihood: str) -> None:
    given = ScotlandYardBelief(likelihood)
    play = random_play(1, 6)
    worlds = given.worlds(posterior_of(given, play), 20_000, np.random.default_rng(0))
    assert (worlds.shape, worlds.dtype) == ((20_000, 1), np.int16)
    assert worlds.flags.c_contiguous
    expected = marginal(given, play)
    assert len(expected) > 20
    counts = [int((worlds == station).sum()) for station in expected]
    assert sum(counts) == 20_000
    assert chisquare(counts, [20_000 * share for share in expected.values()]).pvalue > 0.001


def test_a_move_he_could_not_make_is_evidence_that_he_was_elsewhere() -> None:
    game = scotland_yard(seekers=3, black_fares=0, hider_tickets=(9, 0, 0), reveals=[])
    start = Play.new(game, seed=0).truth()
    state = start[0]
    # He is at 18 or 19; detectives come to all three neighbours of 18 but one.
    state.stations[:4] = [19, 8, 31, 44]
    state.possible[:] = 0
    state.possible[0] = (1 << 18) | (1 << 19)
    given = ScotlandYardBelief()
    play = Play.new(game, seed=0, start=start)
    assert marginal(given, play) == {18: 0.5, 19: 0.5}
    state.stations[3] = 43
    play = Play.new(game, seed=0, start=start)
    assert marginal(given, play) == {19: 1.0}
    assert set(marginal(ScotlandYardBelief("uniform"), play)) == {19}


def test_a_decision_of_ten_milliseconds_has_time_for_a_belief() -> None:
    game = scotland_yard()
    for likelihood in LIKELIHOODS:
        given = ScotlandYardBelief(likelihood)
        seconds: list[float] = []
        for seed in range(8):
            play, rng = Play.new(game, seed=seed), np.random.default_rng(seed)
            while not play.over:
                view, seen = play.view(play.player), play.seen_by(play.player)
                if play.player != HIDER:
                    begin = time.perf_counter()
                    given.worlds(given.infer(view, seen), 1_000, rng)
                    seconds.append(time.perf_counter() - begin)
                moved(play, rng)
        assert len(seconds) > 50
        # Half a millisecond where nothing else runs.
        assert np.quantile(seconds, 0.25) < 2e-3


@pytest.mark.parametrize("likelihood", LIKELIHOODS)
def test_a_record_says_the_same_as_the_game(likelihood: str) -> None:
    given = ScotlandYardBelief(likelihood)
    for seed, settings in ((1, {}), (2, {"seekers": 3, "double_moves": 5, "reveals": [2, 5]})):
        play, rng = Play.new(scotland_yard(**settings), seed=seed), np.random.default_rng(seed)
        while not play.over:
            moved(play, rng)
            # A record holds all moves before it: what is wrong with one is wrong ever after.
            if not play.over and rng.random() < 0.8:
                continue
            record = ScotlandYardRecord.from_play(play)
            for viewer, name in ((HIDER, "hider"), (2, "seeker 2"), (SPECTATOR, "spectator")):
                recorded = given.posterior(record.seen_by(name))
                assert recorded == posterior_of(given, play, viewer)
            assert given.posterior(record.without_truth().seen_by()) == recorded


def test_options_are_those_of_the_belief() -> None:
    game = scotland_yard()
    found: Any = belief_or_none(game, likelihood="uniform")
    assert found.likelihood == "uniform"
    assert pickle.loads(pickle.dumps(found)).likelihood == "uniform"
    with pytest.raises(SettingsError, match="did you mean 'uniform'"):
        ScotlandYardBelief("unifrom")
    with pytest.raises(SettingsError, match="did you mean 'likelihood'"):
        belief_or_none(game, liklihood="steps")


def test_gains_keep_no_tables_of_all_steps() -> None:
    known = ScotlandYardBelief("moves")
    play = random_play(2, 28)
    assert play.player != HIDER
    view = play.view(play.player)
    posterior = known.infer(view, play.seen_by(play.player))
    (station,) = known.hidden(view).values()
    for asked in known.questions(view).values():
        assert posterior.information_gain(asked, about=station) >= 0.0
    # Each posterior of a long match would keep megabytes.
    assert posterior.problem.packing.added
