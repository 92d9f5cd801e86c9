"""Scotland Yard keeps the contract, and a search plays it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sleuth import (
    Budget,
    CachedBelief,
    Choice,
    Feature,
    Model,
    Play,
    Posterior,
    Search,
    check_game,
    infer,
    kernel,
    together,
)
from sleuth.games.scotland_yard import epsilons, scotland_yard, searching, stations_of
from sleuth.kit import SeenPlay, View
from sleuth.models.scotland_yard import HIDER, freeze, rules
from sleuth.models.scotland_yard.advice.playouts import greedy_total
from sleuth.models.scotland_yard.state import THE_HIDER, THE_SEEKERS
from sleuth.planners.checking.conformance import CHECKS
from sleuth.planners.checking.guarded_kernels import ConformanceError
from sleuth.search import coalition_reduction, progressive_history

# A choice has no room for 199 stations: a station is 16 times a row and a place in it.
ROW, PLACE = Choice("row", range(13)), Choice("place", range(16))
STATION = together(ROW.value(), PLACE.value())


TEAMS = ("hider", *("seekers",) * 5)


class UniformBelief(CachedBelief[tuple[int, ...]]):
    """Every station where the hider can be, each equally likely."""

    def known(self, view: View, seen: SeenPlay) -> tuple[int, ...]:
        state = view.states[0]
        if view.viewer == HIDER:
            return (int(state.stations[HIDER]),)
        return stations_of(state.possible)

    def posterior(self, known: tuple[int, ...]) -> Posterior:
        inside = STATION.satisfies(lambda row: 16 * row[0] + row[1] in known)
        return infer(Model(ROW, PLACE), [inside.observed(because="what was seen")])

    def worlds(self, posterior: Posterior, n: int, rng: np.random.Generator) -> NDArray[np.int16]:
        chances = posterior.marginal(STATION)
        stations = [16 * row + place for row, place in chances]
        drawn = rng.choice(stations, size=(n, 1), p=list(chances.values()))
        return np.ascontiguousarray(drawn, dtype=np.int16)

    def hidden(self, view: View) -> Mapping[str, Feature]:
        return {}


class FirstLegal:
    """An agent who takes the first legal action."""

    def decide(self, view: View, seen: SeenPlay) -> int:
        return int(view.legal()[0])


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"edition": "later", "seekers": 2, "rounds": 9, "seeker_tickets": [2, 1, 1]},
        {"seekers": 1, "rounds": 5, "hider_starts": [1, 13, 46], "seeker_starts": [13, 199]},
    ],
    ids=["classic", "newer", "given starts"],
)
def test_the_game_keeps_the_contract(settings: dict[str, object]) -> None:
    game = scotland_yard(**settings)  # pyright: ignore[reportArgumentType]
    # A play of the classic game has a hundred moves, each with futures as long.
    plays = 4 if settings else 1
    report = check_game(game, UniformBelief(), plays=plays, agent=FirstLegal())
    assert report.checks >= set(CHECKS) - {"key", "compiled", "sum of returns"}
    assert 0 < report.longest <= game.max_depth


@kernel
def observe_no_reveal(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return rules.observe(state, action, mover, viewer, tables) % rules.SHOWN


@kernel
def mask_after_the_first_move(state: Any, viewer: int, tables: Any) -> None:
    if state.turn != 1:
        rules.mask(state, viewer, tables)


@pytest.mark.parametrize(
    "fault, check",
    [({"observe": observe_no_reveal}, "alike"), ({"mask": mask_after_the_first_move}, "w")],
)
def test_a_leak_of_his_station_is_found(fault: dict[str, Any], check: str) -> None:
    game = replace(scotland_yard(seekers=2, rounds=9), **fault)
    with pytest.raises(ConformanceError, match=rf"\[{check}"):
        check_game(game, UniformBelief(), plays=4)


def test_a_detective_next_to_the_hider_catches_him() -> None:
    game = scotland_yard()
    for seed in range(200):
        play = Play.new(game, seed=seed)
        rng = np.random.default_rng(seed)
        # To the detective's move after the hider has shown himself next to him.
        while not play.over:
            state = play.truth()[0]
            near = [code for code in play.legal() if _target(game, code) == state.stations[HIDER]]
            if play.player > 0 and near and state.surfaced_turn == state.turn:
                search = Search(
                    searching(game),
                    selection=progressive_history,
                    history=True,
                    exploration=0.5,
                    own_returns=rules.own_returns,
                    credits=coalition_reduction(TEAMS, 0.1),
                    epsilon=epsilons(game.players),
                )
                belief, view = UniformBelief(), play.view(play.player)
                posterior = belief.infer(view, play.seen_by(play.player))
                decision = search.decide(
                    view,
                    lambda n, rng, b=belief, p=posterior: b.worlds(p, n, rng),
                    Budget(simulations=500),
                )
                assert decision.action in near
                assert decision.actions[0].value > 0.9
                return
            play.apply(int(rng.choice(play.legal())))
    raise AssertionError("no such position was met")


def test_credits_are_those_of_the_papers_coalition() -> None:
    def credited(captor: int, won: int, r: float) -> list[float]:
        states, values = scotland_yard().initial(0), np.zeros(6)
        states[0].won, states[0].captor = won, captor
        rules.own_returns(states[0], scotland_yard().tables, values)
        return (coalition_reduction(TEAMS, r) @ ((values + 1) / 2)).tolist()

    for r in (0.0, 0.1, 1.0):
        assert credited(2, THE_SEEKERS, r) == pytest.approx([0, 1 - r, 1, 1 - r, 1 - r, 1 - r])
        assert credited(0, THE_HIDER, r) == [1, 0, 0, 0, 0, 0]
        shut_in = 1 - r * 4 / 5
        assert credited(0, THE_SEEKERS, r) == pytest.approx([0, *(shut_in,) * 5])


def test_the_hider_searches_with_seekers_who_go_by_a_frozen_list() -> None:
    game = scotland_yard()
    play = Play.new(game, seed=1)
    imagined = searching(game)
    freeze(imagined, play.truth()[0].possible)
    search = Search(imagined, policy=greedy_total)
    belief, view = UniformBelief(), play.view(HIDER)
    posterior = belief.infer(view, play.seen_by(HIDER))
    decision = search.decide(
        view, lambda n, rng: belief.worlds(posterior, n, rng), Budget(simulations=300)
    )
    assert decision.action in play.legal()


def _target(game: object, code: int) -> int:
    board = game.tables.board[0]  # pyright: ignore[reportAttributeAccessIssue]
    return int(board.target[code % board.moves])
