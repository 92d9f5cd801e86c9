"""What detectives learn below the root, and a hider who minds what they learn."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import cast

import numpy as np
import pytest

from sleuth import Budget, Play, SearchAgent, check_agent
from sleuth.agents import Agent, parse_agent, search_agent
from sleuth.beliefs.games.scotland_yard.hiding import STEP
from sleuth.errors import SettingsError
from sleuth.games.scotland_yard import ScotlandYardBelief, scotland_yard
from sleuth.models.scotland_yard.imagined import believed
from sleuth.models.scotland_yard.state import HIDER, bits_of

TAXIS = scotland_yard(seekers=3, seeker_tickets=(4, 0, 0))
SMALL = scotland_yard(seekers=2, rounds=7, reveals=[2, 5])
#: Nobody needs to move double in a few moves.
AGENT = "mcts:simulations=3000,belief=steps,gain=1,filter=no"


def four_stations() -> Play:
    """The hider is at one of four stations, each as likely. The first detective can look at 176,
    the second must look at 8, as the third stands on their other way; 67 and 100 are far."""
    states = TAXIS.initial(1)
    state = states[0]
    state.stations[:4] = [100, 189, 1, 9]
    state.possible[:] = bits_of([8, 67, 100, 176])
    state.player = state.turn = 1
    state.log[0] = 0
    state.tickets[HIDER, 0] -= 1
    return Play.new(TAXIS, seed=1, start=states)


def test_what_two_detectives_learn_is_the_drop_of_the_entropy_of_the_filter() -> None:
    play = four_stations()
    view, seen = play.view(1), play.seen_by(1)
    decision = search_agent(AGENT, TAXIS, seed=1).decision(view, seen)
    found = decision[decision.action]
    assert found.name == "taxi 189 to 176"
    # By hand: of four stations one is looked at, and then one of three if the hider was not there.
    first = 2.0 - 0.75 * math.log2(3)
    second = 0.75 * (math.log2(3) - 2 / 3)
    assert found.gain == pytest.approx(first)
    assert found.later == pytest.approx(second, abs=0.03)
    # The chain rule: together they are what was open less what is open at the end, one bit in two
    # cases of four.
    assert (found.gain or 0.0) + found.later == pytest.approx(2.0 - 0.5 * 1.0, abs=0.03)
    assert decision.learning is not None
    assert decision.learning.asked > 3
    # Nothing is estimated about a station that moves, so without the filter nothing is known.
    alone = search_agent(f"{AGENT},asks=no", TAXIS, seed=1)
    assert alone.objective(view, seen, alone.posterior(view, seen)).classes is None
    assert not any(each.later for each in alone.decision(view, seen).actions)


def test_the_gain_of_the_root_is_found_without_its_question_too() -> None:
    play = four_stations()
    view, seen = play.view(1), play.seen_by(1)
    agent = search_agent(AGENT, TAXIS, seed=1)
    posterior = agent.posterior(view, seen)
    wanted = agent.objective(view, seen, posterior)
    assert agent.belief is not None
    decision = agent.search.decide(
        view,
        lambda n, rng: cast(ScotlandYardBelief, agent.belief).worlds(posterior, n, rng),
        Budget(simulations=3_000),
        objective=replace(wanted, exact={}),
        seed=1,
    )
    for report in decision.actions:
        if report.visits > 200:
            assert report.exact
            assert report.gain == pytest.approx(wanted.exact[report.action], abs=0.03)


def test_at_a_later_moment_the_filter_says_what_it_says_in_play() -> None:
    play, rng = Play.new(SMALL, seed=2), np.random.default_rng(2)
    while play.player != 1:
        play.apply(int(rng.choice(play.legal())))
    agent = search_agent("mcts:simulations=10,belief=steps,gain=1", SMALL, seed=1)
    view, seen = play.view(1), play.seen_by(1)
    ask = agent.objective(view, seen, agent.posterior(view, seen)).ask
    assert ask is not None
    belief, asked = ScotlandYardBelief("steps"), 0
    while not play.over:
        play.apply(int(rng.choice(play.legal())))
        if play.over:
            break
        events = play.seen_by(1).events[len(seen.events) :]
        told = ask(play.truth(), [each.event for each in events], gains=False)
        assert told is not None
        now = belief.infer(play.view(1), play.seen_by(1))
        assert told.entropy == pytest.approx(now.entropy(belief.hidden(view)["hider"]), abs=1e-9)
        asked += told.entropy > 0.5
    assert asked > 3


def at_the_hiders_turn(seed: int) -> Play:
    """In the fourth round, two moves after a reveal."""
    play, rng = Play.new(SMALL, seed=seed), np.random.default_rng(seed)
    while not (play.player == HIDER and play.truth()[0].turn == 3):
        play.apply(int(rng.choice(play.legal())))
    return play


@pytest.mark.parametrize("likelihood", ["steps", "moves", "uniform"])
def test_the_hider_knows_what_the_seekers_will_believe(likelihood: str) -> None:
    play = at_the_hiders_turn(6)
    belief = ScotlandYardBelief(likelihood)
    exposed = belief.exposure(play.view(HIDER), play.seen_by(HIDER))
    assert set(exposed) == set(play.legal().tolist())
    target, count = SMALL.tables.board[0].target, int(SMALL.tables.board[0].moves)
    for code, share in exposed.items():
        then = play.record().replay(SMALL)
        then.apply(code)
        if then.over:
            continue
        posterior = belief.infer(then.view(1), then.seen_by(1))
        chances = posterior.marginal(belief.hidden(then.view(1))["hider"])
        assert share == pytest.approx(chances[int(target[code % count])], abs=1e-12)
    assert min(exposed.values()) < max(exposed.values())
    assert belief.exposure(play.view(1), play.seen_by(1)) == {}
    # With a reveal everybody knows.
    play = at_the_hiders_turn(6)
    play.apply(int(play.legal()[0]))
    while play.player != HIDER:
        play.apply(int(play.legal()[0]))
    assert set(belief.exposure(play.view(HIDER), play.seen_by(HIDER)).values()) == {1.0}


def test_the_seekers_of_a_hiders_playouts_go_by_their_own_filter() -> None:
    play = at_the_hiders_turn(6)
    agent = search_agent(
        "mcts:simulations=60,belief=moves,imagined=predicted,playouts=total", SMALL, seed=1
    )
    game = agent.search.game
    assert believed(game)
    assert not believed(search_agent("mcts:simulations=60,belief=moves", SMALL, seed=1).search.game)
    agent.decide(play.view(HIDER), play.seen_by(HIDER))
    belief = ScotlandYardBelief("moves")
    shares = belief.infer(play.view(1), play.seen_by(1)).marginal(
        belief.hidden(play.view(1))["hider"]
    )
    distance = SMALL.tables.board[0].distance
    for station in (1, 67, 199):
        by_hand = sum(share * int(distance[station, there]) for there, share in shares.items())
        assert game.tables.rules[0].total_distance[station] == pytest.approx(
            STEP * by_hand, abs=0.51
        )
    # The real game's own tables are left alone.
    assert not SMALL.tables.rules[0].total_distance.any()


def test_a_hider_with_the_filter_decides_by_what_they_know() -> None:
    text = "mcts:simulations=30,belief=steps,imagined=predicted,playouts=total,hiding=0.5"
    assert check_agent(SMALL, cast(Agent, parse_agent(text).prepare(SMALL)(1)), plays=1) > 0
    play = at_the_hiders_turn(6)
    made = search_agent("mcts:simulations=300,belief=steps,hiding=0.5", SMALL, seed=1)
    assert isinstance(made, SearchAgent)
    decision = made.decision(play.view(HIDER), play.seen_by(HIDER))
    exposed = ScotlandYardBelief("steps").exposure(play.view(HIDER), play.seen_by(HIDER))
    for each in decision.actions:
        assert each.gain == pytest.approx(-exposed[each.action])
        assert each.information == pytest.approx(-0.5 * exposed[each.action])
        assert each.score == pytest.approx(each.value + each.information, nan_ok=True)
    with pytest.raises(SettingsError, match="hiding needs a likelihood of the belief"):
        search_agent("mcts:belief=paper_table,hiding=0.5", SMALL, seed=1)
