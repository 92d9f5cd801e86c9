"""Simulated people: seeded, within their information sets, and about as the paper's people."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from sleuth.data.files import resource
from sleuth.errors import SettingsError
from sleuth.games.cheat import CheatRecord, no_counts, read_records, simulate
from sleuth.kit import generator
from sleuth.models.cheat.people.population import (
    ADAPTING,
    NAMES,
    REACTING,
    SHAME,
    STEADY,
    TELL,
    Bluffers,
    bluffers,
    choose,
    seconds_for,
    utilities,
)
from sleuth.models.cheat.people.simulate import SimulatedGame, simulate_games
from sleuth.models.cheat.people.tallies import (
    ACTED,
    CALLED,
    CAUGHT,
    CLAIMED,
    RIGHT,
    SHOWN,
    SHOWN_LIES,
    TOOK,
    tally,
)
from sleuth.models.cheat.state import ACTIONS, CALL, TAKE

from ..situations import CODES, GAME, played, situation


@cache
def crowd(population: str = STEADY) -> Bluffers:
    return bluffers(200, seed=1, population=population)


@cache
def their_games(population: str = STEADY) -> list[SimulatedGame]:
    return list(simulate_games(crowd(population), seed=1))


def rates_after(population: str, what: str) -> tuple[float, float]:
    """How often claims are lies, or actions are calls, within four turns after the player's lie was
    called, or the other's was, less how often otherwise; and the difference's standard error.
    """
    found: dict[bool, list[float]] = {True: [], False: []}
    people = bluffers(1_200, seed=2, population=population)
    for game in simulate_games(people, seed=2):
        last = [-100, -100]
        for turn, action in enumerate(game.actions.tolist()):
            mover = turn % 2
            whose = mover if what == "lies" else 1 - mover
            claims, lie = action >= 2, action >= 2 and (action - 2) // 4 % 2 == 1
            if what == "lies" and claims:
                found[turn - last[whose] <= 4].append(lie)
            elif what == "calls" and turn and game.actions[turn - 1] >= 2:
                found[turn - last[whose] <= 4].append(action == CALL)
            if action == CALL and (game.actions[turn - 1] - 2) // 4 % 2 == 1:
                last[1 - mover] = turn
    after, else_ = (np.array(found[each], dtype=float) for each in (True, False))
    error = np.hypot(after.std() / len(after) ** 0.5, else_.std() / len(else_) ** 0.5)
    return float(after.mean() - else_.mean()), float(error)


def liked(play_moves: list[str], habits: np.ndarray, first: str, second: str) -> dict[str, float]:
    """Probabilities of a bluffer's actions."""
    play = played(situation(first, second), *play_moves)
    codes = play.legal()
    values, counts = np.zeros(ACTIONS), no_counts()
    tally(play.truth()[0], GAME.tables, counts)
    utilities(play.truth()[0], codes, len(codes), GAME.tables, habits, counts, values)
    shares = np.exp(values[: len(codes)])
    by_code = dict(zip(codes.tolist(), (shares / shares.sum()).tolist(), strict=True))
    return {name: by_code[code] for name, code in CODES.items() if code in by_code}


def habit(**changes: float) -> np.ndarray:
    made = np.array([crowd().parameters[:, place].mean() for place in range(len(NAMES))])
    for name, value in changes.items():
        made[NAMES.index(name.replace("_", " "))] = value
    return made


@pytest.mark.parametrize("population", [STEADY, REACTING])
def test_they_lie_take_and_call_as_often_as_the_papers_people(population: str) -> None:
    actions = np.concatenate([game.actions for game in their_games(population)])
    claims = actions >= 2
    lies = claims & ((actions - 2) // 4 % 2 == 1)
    assert 0.40 <= lies.sum() / claims.sum() <= 0.50
    assert 0.19 <= (actions == TAKE).mean() <= 0.25
    assert 0.08 <= (actions == CALL).mean() <= 0.13


def test_who_was_caught_lies_less_and_who_was_lied_to_calls_more() -> None:
    lies, error = rates_after(REACTING, "lies")
    steady, other = rates_after(STEADY, "lies")
    assert lies < -3 * error
    assert lies - steady < -3 * np.hypot(error, other)
    calls, error = rates_after(REACTING, "calls")
    assert calls > 3 * error


def test_who_bears_a_grudge_calls_more_the_fresher_it_is() -> None:
    hands = ("8 8 6 ace ace king 2 3", "9 7 7 5 5 queen queen 10")
    caught = ["lower false 1", "call"]
    later = ["take", "take"]

    def more(moves: list[str]) -> float:
        """How much a grudge raises the odds of calling the next claim."""
        odds: list[float] = []
        for grudge in (0.0, 1.0):
            call = liked([*moves, "lower false 1"], habit(grudge=grudge), *hands)["call"]
            odds.append(call / (1 - call))
        return float(np.log(odds[1] / odds[0]))

    assert more(later) == pytest.approx(0.0)
    assert 1.0 > more(caught) > more([*caught, *later]) > 0.5


def test_how_much_people_react_is_their_own() -> None:
    parameters = crowd(REACTING).parameters
    for name in ("sting", "grudge", "wariness", "shame"):
        strengths = parameters[:, NAMES.index(name)]
        assert strengths.min() >= 0
        assert strengths.std() > 0.2
        assert (strengths > 0).mean() > 0.75
    steady = crowd().parameters
    assert not steady[:, [NAMES.index(name) for name in ("sting", "grudge", "wariness")]].any()
    # The same people, but for what is otherwise in their population.
    assert np.array_equal(parameters[:, TELL], steady[:, TELL])


def test_a_population_that_there_is_not_is_refused() -> None:
    with pytest.raises(SettingsError, match="no such population"):
        bluffers(2, seed=1, population="stedy")


def test_who_is_wary_lies_less_to_an_opponent_whose_calls_are_right() -> None:
    hands = ("8 8 6 ace ace king 2 3", "9 7 7 5 5 queen queen 10")

    def less(moves: list[str]) -> float:
        """How much wariness lowers the odds of a lie."""
        odds: list[float] = []
        for wariness in (0.0, 6.0):
            shares = liked(moves, habit(wariness=wariness), *hands)
            lies = sum(share for name, share in shares.items() if "false" in name)
            odds.append(lies / (1 - lies))
        return float(np.log(odds[0] / odds[1]))

    assert less(["lower false 1", "call", "take", "take"]) > 0.5
    assert less(["lower true 1", "call", "take", "take"]) < -0.5  # a wrong call makes them bold
    # Nobody was called, or the other was.
    others = ([], ["lower false 1", "call", "take"])
    assert [less(moves) for moves in others] == pytest.approx([0.0, 0.0])


def test_the_same_seed_simulates_the_same_and_more_players_begin_alike() -> None:
    assert simulate(6, seed=9) == simulate(6, seed=9)
    assert simulate(6, seed=9) != simulate(6, seed=10)
    assert np.array_equal(bluffers(10, seed=1).parameters[:4], bluffers(4, seed=1).parameters)
    few, many = simulate(4, seed=9), simulate(8, seed=9)
    assert [record.turns for record in many[:8]] == [record.turns for record in few]


def test_a_match_is_four_games_between_the_same_two_who_begin_in_turn() -> None:
    records = simulate(4, seed=2)
    assert [(record.match, record.number) for record in records] == [
        (match, number) for match in ("m1", "m2") for number in (1, 2, 3, 4)
    ]
    assert records[0].players == records[1].players[::-1] == records[2].players
    for record in records:
        assert CheatRecord.from_json(record.to_json()) == record
        assert record.full


def test_some_adapt_and_others_do_not() -> None:
    ashamed = (crowd().parameters[:, SHAME] > 0).mean()
    assert ashamed == pytest.approx(ADAPTING[STEADY], abs=0.1)
    caught = ["lower false 1", "call", "take", "take"]
    fresh = ["take", "take", "take", "take"]
    hands = ("8 8 6 ace ace king 2 3", "9 7 7 5 5 queen queen 10")

    def lying(moves: list[str], **changes: float) -> float:
        shares = liked(moves, habit(caution=0, plenty=0, **changes), *hands)
        true = sum(p for name, p in shares.items() if "true" in name)
        false = sum(p for name, p in shares.items() if "false" in name)
        return false / (true + false)

    assert lying(caught, shame=3.0) < lying(caught, shame=0.0) - 0.05
    # Who was not caught is not ashamed.
    assert lying(fresh, shame=3.0) >= lying(fresh, shame=0.0)


def test_what_is_hidden_moves_nobody() -> None:
    """Two truths that look alike to the player to move."""
    one = liked(["lower false 2"], habit(), "8 8 6 ace ace king 2 3", "9 7 7 5 5 queen queen 10")
    two = liked(["lower false 2"], habit(), "8 8 4 4 4 jack 2 3", "9 7 7 5 5 queen queen 10")
    assert one == two


def test_doubters_call_what_is_unlikely() -> None:
    hands = ("8 8 6 ace ace king 2 3", "8 8 7 5 5 queen queen 10")
    likely = liked(["higher true 1"], habit(doubt=2.0), *hands)["call"]
    unlikely = liked(["higher false 4"], habit(doubt=2.0, count=0.0), *hands)["call"]
    assert unlikely > 1.5 * likely


def test_a_lie_takes_those_longer_who_have_a_tell() -> None:
    play = situation("8 8 6 ace ace king 2 3", "9 7 7 5 5 queen queen 10")
    state, random = play.truth()[0], generator(3)
    for tell, longer in ((0.0, 1.0), (0.5, np.exp(0.5))):
        habits = habit(tell=tell)
        assert habits[TELL] == tell
        medians = [
            np.median([seconds_for(state, CODES[name], GAME.tables, habits, random)
                       for _ in range(4000)])
            for name in ("higher true 1", "higher false 1")
        ]  # fmt: skip
        assert medians[1] / medians[0] == pytest.approx(longer, rel=0.08)


def test_choices_are_a_softmax() -> None:
    values, random = np.array([0.0, 1.0, -1.0]), generator(4)
    drawn = np.bincount([choose(values, 3, random) for _ in range(6000)], minlength=3)
    wanted = 6000 * np.exp(values) / np.exp(values).sum()
    assert ((drawn - wanted) ** 2 / wanted).sum() < 13.8  # 2 degrees of freedom, 1 in 1,000


def test_what_everybody_saw_is_counted() -> None:
    play = played(
        situation("8 8 6 ace ace king 2 3", "9 7 7 5 5 queen queen 10"),
        "lower false 1", "call", "take", "higher true 2", "lower true 1", "call", "take",
    )  # fmt: skip
    counts = no_counts()
    tally(play.truth()[0], GAME.tables, counts)
    first, second = counts.tolist()
    assert [first[place] for place in (ACTED, CLAIMED, TOOK, CALLED)] == [4, 2, 2, 0]
    assert [second[place] for place in (ACTED, CLAIMED, TOOK, CALLED)] == [3, 1, 0, 2]
    assert [first[place] for place in (CAUGHT, SHOWN, SHOWN_LIES)] == [1, 2, 1]
    assert [second[place] for place in (CAUGHT, SHOWN, SHOWN_LIES, RIGHT)] == [0, 1, 0, 1]


def test_players_come_in_pairs() -> None:
    with pytest.raises(SettingsError, match="pairs"):
        simulate(5, seed=1)


def test_the_example_records_are_of_this_population() -> None:
    records = read_records(resource("cheat", "example.jsonl"))
    assert len(records) == 4
    assert records == simulate(4, seed=2026, games=2)
