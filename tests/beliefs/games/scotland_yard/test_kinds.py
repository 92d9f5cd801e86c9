"""Of which kind Mr. X is, follows from how Mr. X moves, together with where Mr. X is."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest

from sleuth import Play
from sleuth.beliefs.games.scotland_yard.move_model import shipped_kinds
from sleuth.beliefs.games.scotland_yard.play import LEARNED, Hunt, public_events
from sleuth.beliefs.kinds import SLIP
from sleuth.games.scotland_yard import ScotlandYardBelief, scotland_yard, shipped_moves
from sleuth.models.scotland_yard import HIDER
from sleuth.models.scotland_yard.public_state import public_start
from sleuth.predictors import NONE, Kinds

GAME = scotland_yard()


def _played(moves: int) -> Play:
    play, rng = Play.new(GAME, seed=5), np.random.default_rng(5)
    while len(play.actions) < moves and not play.over:
        play.apply(int(rng.choice(play.legal())))
    return play


@pytest.fixture(scope="module")
def play() -> Play:
    return _played(26)


def test_kinds_are_weighed_by_their_own_filters(
    play: Play, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One filter for each kind, which slips, weighed by its log evidence."""
    models = {LEARNED: shipped_moves(), **shipped_kinds(), NONE: None}
    even = Hunt._chances
    logs: list[float] = []
    stations = []
    start, events = public_start(play.seen_by(1).start), public_events(play.seen_by(1))
    for model in models.values():
        hunt = Hunt(GAME.tables, model or shipped_moves())

        def slips(self, states, ticket, given, *, doubled, model=model):  # type: ignore[no-untyped-def]
            random = even(self, states, ticket, None, doubled=doubled)
            if model is None:
                return random
            return (1 - SLIP) * even(self, states, ticket, model, doubled=doubled) + SLIP * random

        with monkeypatch.context() as patched:
            patched.setattr(Hunt, "_chances", slips)
            posterior = hunt.moment(start, events).posterior
        logs.append(posterior.log_evidence)
        stations.append(posterior.distribution(posterior.model.walks[0].at()))
    prior = np.array(Kinds([name for name in models if name != NONE]).prior)
    weights = prior * np.exp(np.array(logs) - max(logs))
    weights /= weights.sum()
    belief = ScotlandYardBelief("kinds")
    view, seen = play.view(1), play.seen_by(1)
    kinds = belief.kinds_of(view, seen)
    assert [kinds[name] for name in models] == pytest.approx(weights, abs=1e-9)
    found = belief.infer(view, seen)
    expected = weights @ np.array(stations)
    assert found.distribution(belief.hidden(view)["hider"]) == pytest.approx(expected, abs=1e-9)
    total = max(logs) + math.log((prior * np.exp(np.array(logs) - max(logs))).sum())
    assert found.log_evidence == pytest.approx(total, abs=1e-9)


def test_a_hider_who_makes_any_move_is_of_no_kind() -> None:
    belief = ScotlandYardBelief("kinds")
    long = _played(60)
    kinds = belief.kinds_of(long.view(1), long.seen_by(1))
    assert kinds[NONE] > 0.5
    assert belief.kinds_of(long.view(HIDER), long.seen_by(HIDER)) == {}
    assert ScotlandYardBelief("moves").kinds_of(long.view(1), long.seen_by(1)) == {}


def test_where_the_hider_really_is_changes_nothing(play: Play) -> None:
    sent: ScotlandYardBelief = pickle.loads(pickle.dumps(ScotlandYardBelief("kinds")))
    first, second = (
        ScotlandYardBelief("kinds").kinds_of(play.view(seat), play.seen_by(seat)) for seat in (1, 3)
    )
    assert first == second == sent.kinds_of(play.view(2), play.seen_by(2))
