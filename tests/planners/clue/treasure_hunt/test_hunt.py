"""The treasure hunt on Clue's board: ways, where to step, which room next."""

from __future__ import annotations

import itertools
import time

import numpy as np
import pytest

from sleuth import Posterior
from sleuth.beliefs.arrays.layout import Floats
from sleuth.errors import RecordError, SettingsError
from sleuth.games.clue import ROOMS, ClueDeclaration, Suggestion, TreasureHunt, Weights, simulate
from sleuth.models.clue.board.board import board
from sleuth.planners.clue.treasure_hunt import Breadth, Ways
from sleuth.planners.clue.treasure_hunt.routes import best_route
from sleuth.planners.clue.treasure_hunt.walking import place_values, stops

START = board().starts["scarlet"]


@pytest.fixture(scope="module")
def known() -> tuple[ClueDeclaration, Posterior]:
    game = simulate(3, np.random.default_rng(3)).seen_by("p1").until(8)
    belief = ClueDeclaration(game)
    return belief, belief.infer(game)


# -- ways


def test_a_passage_takes_a_turn_and_ways_lead_through_rooms() -> None:
    ways, rooms = Ways(board()), {room: place for place, room in enumerate(ROOMS)}
    lounge, conservatory = rooms["lounge"], rooms["conservatory"]
    assert ways.between[lounge, conservatory] == 1.0
    # By the lounge it is nearer from the dining room than along the hallway.
    there = ways.between[rooms["dining room"], conservatory]
    assert there == ways.direct[rooms["dining room"], lounge] + 1.0
    assert there < ways.direct[rooms["dining room"], conservatory]
    assert np.isinf(ways.between.diagonal()).all()


def test_closed_rooms_are_neither_ends_nor_on_the_way() -> None:
    ways, rooms = Ways(board()), {room: place for place, room in enumerate(ROOMS)}
    dining, lounge = rooms["dining room"], rooms["lounge"]
    closed = ways.closed(dining, "lounge")
    assert closed == tuple(sorted((dining, lounge)))
    turns = ways.turns(dining, closed)
    assert np.isinf(turns[[dining, lounge]]).all()
    assert turns[rooms["conservatory"]] > ways.between[dining, rooms["conservatory"]]


def test_two_dice_are_faster_and_dice_without_limit_take_a_turn() -> None:
    one, two, free = (Ways(board(), dice).between for dice in (1, 2, None))
    apart = ~np.eye(len(ROOMS), dtype=np.bool_)
    assert (two[apart] <= one[apart] + 1e-12).all()
    assert two[apart].sum() < one[apart].sum()
    assert (free[apart] == 1.0).all()


def test_places_have_names() -> None:
    ways = Ways(board())
    assert ways.name(ways.number(START)) == START
    assert ways.number("Billiard Room") == ways.number("billiard room")
    with pytest.raises(SettingsError, match="no such place"):
        ways.number((0, 0))
    with pytest.raises(SettingsError, match="no room"):
        ways.number("rope")
    with pytest.raises(RecordError, match="kitchen"):
        ways.number("kitchin")
    with pytest.raises(SettingsError, match="dice"):
        Ways(board(), 0)
    with pytest.raises(SettingsError, match="last room"):
        ways.closed(3, START)


# -- walking


def arrivals(seed: int) -> Floats:
    return np.random.default_rng(seed).uniform(0.0, 2.0, len(ROOMS))


@pytest.mark.parametrize("dice", [1, 2, None])
def test_values_of_places_follow_from_where_a_roll_can_end(dice: int | None) -> None:
    """Bellman's equation, with the places a roll leads to by their distances."""
    ways, cost = Ways(board(), dice), 0.2
    worth = arrivals(1)
    worth[4] = -np.inf
    values = place_values(ways, worth, cost)
    for place in range(0, ways.board.places, 7):
        rolled = sum(
            chance * max(stops(ways, place, roll, worth, values).values())
            for roll, chance in enumerate(ways.rolls.tolist())
            if chance
        )
        end = ways.board.passage[place] if place < len(ROOMS) else -1
        passage = worth[end] if end >= 0 else -np.inf
        assert values[place] == pytest.approx(max(rolled, passage) - cost, abs=1e-9)


def test_deciding_after_every_roll_is_worth_more_than_keeping_to_a_room() -> None:
    ways, worth, cost = Ways(board()), arrivals(2), 0.2
    values = place_values(ways, worth, cost)
    kept = (worth - cost * ways.direct).max(axis=1)
    assert (values >= kept - 1e-12).all()
    assert (values > kept + 1e-3).any()


def test_stopping_short_on_a_square_can_be_better_than_every_longer_walk() -> None:
    """Two dice: from there more rooms are within reach."""
    ways, found = Ways(board(), 2), 0
    for seed in (30, 35, 40):
        rng = np.random.default_rng(seed)
        worth, cost = rng.uniform(0.0, 2.0, len(ROOMS)), float(rng.uniform(0.05, 0.8))
        values = place_values(ways, worth, cost)
        for place, roll in itertools.product(range(len(ROOMS), ways.board.places, 3), range(2, 7)):
            ends = stops(ways, place, roll, worth, values)
            far = ways.board.distances[place]
            stop = max(ends, key=lambda each: ends[each])
            longer = [ends[each] for each in ends if far[each] > far[stop]]
            found += bool(stop >= len(ROOMS) and longer and max(longer) < ends[stop] - 1e-6)
    assert found > 0


# -- the hunt


def test_a_plan_stops_short_in_a_near_room(known: tuple[ClueDeclaration, Posterior]) -> None:
    """Where a turn costs much, a six is not walked to its end."""
    belief, posterior = known
    hunt = TreasureHunt(belief=belief, horizon=1, weights=Weights(distance=1.0))
    square = next(square for room, square in board().doors if room == "ballroom")
    step = hunt.plan(posterior, square).step(6)
    assert (step.place, step.short, step.turns) == ("ballroom", True, 0.0)
    assert step.because.startswith("it enters the ballroom, where a suggestion tells")
    # Where turns cost nothing, the room that tells most is worth the way.
    free = TreasureHunt(belief=belief, horizon=1, weights=Weights(distance=0.0))
    plan = free.plan(posterior, square)
    assert plan.best.gain == max(room.gain for room in plan.rooms)
    assert plan.step(6).heading == plan.best.room


def test_every_step_aims_where_it_says(known: tuple[ClueDeclaration, Posterior]) -> None:
    belief, posterior = known
    plan = TreasureHunt(belief=belief, horizon=1).plan(posterior, START)
    before = plan.ways.direct[plan.place]
    for roll in range(1, 7):
        step = plan.step(roll)
        assert step.heading in ROOMS
        assert step.value >= plan.value  # the turn is paid before
        assert step.turns <= before[ROOMS.index(step.heading)]
    values = [plan.step(roll).value for roll in range(1, 7)]
    assert values == sorted(values)
    assert plan.value == pytest.approx(sum(values) / 6 - plan.turn)
    for roll in (7, -1, 0):
        with pytest.raises(SettingsError, match="roll"):
            plan.step(roll)


def test_the_passage_is_taken_where_it_leads_to_what_tells_most(
    known: tuple[ClueDeclaration, Posterior],
) -> None:
    belief, posterior = known
    dear = TreasureHunt(belief=belief, horizon=1, weights=Weights(distance=1.0))
    assert dear.plan(posterior, "lounge").passage == "conservatory"
    assert dear.plan(posterior, "lounge", last="conservatory").passage is None
    assert dear.plan(posterior, "hall").passage is None


@pytest.mark.parametrize("exact", [True, False])
def test_no_room_follows_itself(known: tuple[ClueDeclaration, Posterior], exact: bool) -> None:
    belief, posterior = known
    hunt = TreasureHunt(belief=belief, horizon=2, exact=exact, seconds=0.5)
    place: str | tuple[int, int] = START
    visited: list[str] = []
    for _ in range(4):
        plan = hunt.plan(posterior, place, last=visited[-1] if visited else None)
        assert len(plan.rooms) == len(ROOMS) - bool(visited)
        place = plan.best.room
        visited.append(place)
        assert plan.best.suggestion[2] == place
    assert all(one != other for one, other in itertools.pairwise(visited))


@pytest.mark.parametrize("horizon", [1, 2, 4])
def test_dice_without_limit_take_the_most_profitable_rooms(
    known: tuple[ClueDeclaration, Posterior], horizon: int
) -> None:
    """The paper's proposition 4, with benefits that add up."""
    belief, posterior = known
    hunt = TreasureHunt(belief=belief, dice=None, horizon=horizon, exact=False)
    plan = hunt.plan(posterior, START)
    profits = sorted((room.gain - hunt.weights.distance for room in plan.rooms), reverse=True)
    assert plan.best.value == pytest.approx(sum(profits[:horizon]))
    if horizon == 1:
        gains = [room.gain for room in plan.rooms]
        assert gains == pytest.approx(sorted(gains, reverse=True))


def test_additive_plans_are_the_best_routes(known: tuple[ClueDeclaration, Posterior]) -> None:
    belief, posterior = known
    hunt = TreasureHunt(belief=belief, horizon=9, exact=False, weights=Weights(distance=0.1))
    plan = hunt.plan(posterior, START)
    gains = {room.room: room.gain for room in plan.rooms}
    ways = Ways(board())
    turns = np.array([{room.room: room.turns for room in plan.rooms}[room] for room in ROOMS])
    between = np.where(np.isfinite(ways.between), ways.between, 0.0)
    route = best_route(np.array([gains[room] for room in ROOMS]), 0.1 * turns, 0.1 * between)
    assert plan.best.value == pytest.approx(route.value)
    assert plan.best.room == ROOMS[route.cells[0]]


def test_the_sweep_of_weights_and_horizons(known: tuple[ClueDeclaration, Posterior]) -> None:
    belief, posterior = known
    turns: list[float] = []
    for distance in (0.0, 0.05, 0.2, 1.0):
        worth: list[float] = []
        for horizon in (1, 2):
            weights = Weights(benefit=1.0, distance=distance)
            hunt = TreasureHunt(
                belief=belief,
                horizon=horizon,
                weights=weights,
                breadth=Breadth(cells=2, questions=1),
                seconds=None,
            )
            plan = hunt.plan(posterior, START)
            worth.append(max(room.value for room in plan.rooms))
            if horizon == 1:
                turns.append(plan.best.turns)
        assert worth[1] >= worth[0] - 1e-9  # what follows is only done where it pays
    assert turns == sorted(turns, reverse=True)  # dearer turns, nearer rooms
    # Both weights ten times as large change no decision.
    one = TreasureHunt(belief=belief, horizon=1).plan(posterior, START)
    weights = Weights(benefit=10.0, distance=0.5)
    ten = TreasureHunt(belief=belief, horizon=1, weights=weights).plan(posterior, START)
    assert [room.room for room in one.rooms] == [room.room for room in ten.rooms]


def test_a_decision_keeps_to_its_time(known: tuple[ClueDeclaration, Posterior]) -> None:
    belief, posterior = known
    hunt = TreasureHunt(belief=belief, horizon=50, seconds=0.3)
    hunt.plan(posterior, START)
    begun = time.monotonic()
    plan = hunt.plan(posterior, START)
    assert time.monotonic() - begun < 3.0  # on a busy machine
    assert len(plan.rooms) == len(ROOMS)


@pytest.mark.parametrize("seconds", [0.0, 1.0])
def test_a_decision_with_six_players_takes_at_most_a_second(seconds: float) -> None:
    """A position in which to value every suggestion exactly takes several seconds."""
    game = simulate(6, np.random.default_rng(2)).seen_by("p1").until(10)
    belief = ClueDeclaration(game)
    hunt = TreasureHunt(belief=belief, seconds=seconds)
    hunt.plan(belief.infer(game.until(10)), START)
    posterior = belief.infer(game)
    # What other processes do is not its own time.
    begun = time.process_time()
    plan = hunt.plan(posterior, START)
    assert time.process_time() - begun <= 1.0
    assert len(plan.rooms) == len(ROOMS)
    for room in plan.rooms[:2]:
        asked = belief.suggestion(room.suggestion)
        gain = posterior.information_gain(asked, about=belief.case_file)
        assert room.gain == pytest.approx(gain, abs=1e-9)


def test_what_is_screened_out_would_not_have_told_more(
    known: tuple[ClueDeclaration, Posterior],
) -> None:
    belief, posterior = known
    every = TreasureHunt(
        belief=belief, horizon=1, breadth=Breadth(valued=1_000), seconds=None
    ).plan(posterior, START)
    some = TreasureHunt(belief=belief, horizon=1, seconds=None).plan(posterior, START)
    gains = [{room.room: room.gain for room in plan.rooms} for plan in (every, some)]
    for room, gain in gains[0].items():
        assert gains[1][room] == pytest.approx(gain, abs=0.02)
    assert [room.room for room in some.rooms[:3]] == [room.room for room in every.rooms[:3]]


def test_settings_are_checked(known: tuple[ClueDeclaration, Posterior]) -> None:
    with pytest.raises(SettingsError, match="horizon"):
        TreasureHunt(belief=known[0], horizon=0)
    with pytest.raises(SettingsError, match="seconds"):
        TreasureHunt(belief=known[0], seconds=-1.0)


# -- what the paper says of the posterior


@pytest.mark.parametrize("players", [3, 5])
def test_the_case_file_is_what_nobody_holds(players: int) -> None:
    """The paper's observation 8: P(case file) = P(no player holds any of the three)."""
    record = simulate(players, np.random.default_rng(players), turns=6)
    game = record.seen_by("p2")
    belief = ClueDeclaration(game)
    posterior = belief.infer(game)
    shares = posterior.marginal(belief.case_file)
    assert any(isinstance(seen.event, Suggestion) for seen in game.events)
    for triple, chance in itertools.islice(shares.items(), 0, None, 9):
        nobody = belief.cards.count(game.players, triple).equals(0)
        assert posterior.probability(nobody) == pytest.approx(chance, abs=1e-12)


def test_a_plan_of_exact_gains_is_the_greedy_plan(known: tuple[ClueDeclaration, Posterior]) -> None:
    belief, posterior = known
    hunt = TreasureHunt(belief=belief, horizon=1)
    asked = [[belief.suggestion(cards) for cards in each] for each in hunt.suggestions]
    gains = np.array([posterior.information_gain(each, about=belief.case_file) for each in asked])
    greedy, given = hunt.plan(posterior, START), hunt.plan_of(gains, START)
    assert [each.room for each in given.rooms] == [each.room for each in greedy.rooms]
    assert [each.suggestion for each in given.rooms] == [each.suggestion for each in greedy.rooms]
    assert given.value == pytest.approx(greedy.value)
