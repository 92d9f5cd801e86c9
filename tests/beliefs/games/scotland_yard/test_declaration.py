"""Where Mr X can be: what each event says of it, on the real map."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth import Play
from sleuth.beliefs.games.scotland_yard.declaration import ScotlandYardDeclaration, steps_of
from sleuth.games.scotland_yard import TICKETS, ScotlandYardBelief, scotland_yard
from sleuth.models.scotland_yard import HIDER
from sleuth.models.scotland_yard.state import TAXI

BOARD = scotland_yard().tables.board[0]
STEPS = steps_of(BOARD)


def test_a_ticket_leads_where_its_moves_lead() -> None:
    moves = int(BOARD.moves)
    for ticket in range(len(TICKETS)):
        codes = np.flatnonzero(BOARD.ticket[:moves] == ticket)
        steps = STEPS[ticket]
        assert (steps.sources + 1).tolist() == BOARD.origin[codes].tolist()
        assert (steps.targets + 1).tolist() == BOARD.target[codes].tolist()
        assert steps.weights.tolist() == [1.0] * len(codes)


def test_a_model_of_the_moves_weighs_them() -> None:
    hider = ScotlandYardDeclaration([1, 18], STEPS)
    chances = np.zeros(len(STEPS[TAXI].targets))
    # From 1 taxis go to 8 and 9, and from 18 to 8, 31 and 43.
    for origin, target, chance in ((0, 7, 0.6), (0, 8, 0.3), (17, 7, 0.1), (17, 30, 0.2)):
        chances[(STEPS[TAXI].sources == origin) & (STEPS[TAXI].targets == target)] = chance
    belief = hider.begin().observe(hider.moved(TAXI, chances))
    expected = {8: 0.7 / 1.2, 9: 0.3 / 1.2, 31: 0.2 / 1.2}
    assert belief.marginal(hider.walk.at()) == pytest.approx(expected)
    assert belief.log_evidence == pytest.approx(np.log(0.6))


def test_what_is_seen_leaves_the_stations_that_agree_with_it() -> None:
    hider = ScotlandYardDeclaration([1, 18, 29], STEPS)
    begun = hider.begin()
    at = hider.walk.at()
    assert begun.observe(hider.not_caught(29)).marginal(at) == {1: 0.5, 18: 0.5}
    assert begun.observe(hider.can_move([18, 50])).marginal(at) == {1: 0.5, 29: 0.5}
    assert begun.observe(hider.shown(18)).marginal(at) == {18: 1.0}


def test_what_is_given_a_third_is_true_a_third_of_the_time() -> None:
    given, surprises = ScotlandYardBelief("steps"), list[float]()
    for seed in range(60):
        play, rng = Play.new(scotland_yard(), seed=seed), np.random.default_rng(seed)
        while not play.over and len(play.actions) < 30:
            mover = play.player
            play.apply(int(rng.choice(play.legal())))
            if mover == HIDER and not play.over:
                belief = given.infer(play.view(1), play.seen_by(1))
                (feature,) = given.hidden(play.view(1)).values()
                shares = belief.distribution(feature)
                station = int(play.truth()[0].stations[HIDER])
                # What the true station was given, against what the belief expects of that.
                surprises.append(float(shares[station - 1] - (shares * shares).sum()))
    # Rounds of one game are not independent, so they count for a third.
    error = np.std(surprises) / np.sqrt(len(surprises) / 3.0)
    assert error < 0.02
    assert abs(np.mean(surprises)) < 4.0 * error
