"""The model of Mr X's moves: chances that add up, features by hand, and the filter it drives."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from sleuth import OVER, SPECTATOR, Play
from sleuth.beliefs.games.scotland_yard.features import COUNT, FEATURES, described_actions
from sleuth.data.files import resource
from sleuth.errors import RecordError, SettingsError
from sleuth.games.scotland_yard import (
    MoveModel,
    ScotlandYardBelief,
    scotland_yard,
    shipped_moves,
    stations_of,
)
from sleuth.models.scotland_yard import HIDER
from sleuth.models.scotland_yard.advice.move_filtering import threatened
from sleuth.models.scotland_yard.advice.playouts import closest
from sleuth.models.scotland_yard.public_state import even_chances

GAME = scotland_yard()
BOARD = GAME.tables.board[0]
MOVES = int(BOARD.moves)


def some_model(seed: int = 0, **settings: Any) -> MoveModel:
    weights = np.random.default_rng(seed).normal(0.0, 0.7, COUNT)
    return MoveModel(tuple(weights.tolist()), **settings)


def turns(games: int, **settings: Any) -> Any:
    """Plays of random moves, whenever it is the hider's turn."""
    game = scotland_yard(**settings)
    for seed in range(games):
        play, rng = Play.new(game, seed=seed), np.random.default_rng(seed)
        while not play.over:
            if play.player == HIDER:
                yield play
            play.apply(int(rng.choice(play.legal())))


def test_chances_are_of_his_legal_actions_and_add_up_to_one() -> None:
    model, doubles = some_model(even=0.1), 0
    for play in turns(3, black_fares=2):
        states = play.view(SPECTATOR).states
        chances = model.chances(states, play.game.tables)
        even = np.zeros(MOVES)
        even_chances(states[0], play.game.tables, even)
        station = int(play.truth()[0].stations[HIDER])
        here = np.flatnonzero(np.tile(BOARD.origin[:MOVES], 2) == station)
        legal = play.legal()
        doubles += bool((legal >= MOVES).any())
        assert set(here[chances[here] > 0.0].tolist()) == set(legal.tolist())
        for origin in stations_of(states[0].possible):
            total = chances[:MOVES][BOARD.origin[:MOVES] == origin].sum()
            total += chances[MOVES:][BOARD.origin[:MOVES] == origin].sum()
            assert total == pytest.approx(1.0 if even[BOARD.origin[:MOVES] == origin].any() else 0)
    assert doubles > 3


def test_chances_are_the_softmax_of_weights_times_features() -> None:
    model = some_model(even=0.1)
    for play in turns(2):
        states = play.view(SPECTATOR).states
        station = int(play.truth()[0].stations[HIDER])
        codes, rows = described_actions(states[0], station, states.copy()[0], GAME.tables)
        assert codes.tolist() == play.legal().tolist()
        scores = np.exp(rows @ np.array(model.weights))
        expected = 0.9 * scores / scores.sum() + 0.1 / len(codes)
        assert model.chances(states, GAME.tables)[codes] == pytest.approx(expected)


def test_features_are_what_their_names_say() -> None:
    names = {name: place for place, name in enumerate(FEATURES)}
    met: set[str] = set()
    for play in turns(4):
        state, states = play.truth()[0], play.view(SPECTATOR).states
        station = int(state.stations[HIDER])
        codes, rows = described_actions(states[0], station, states.copy()[0], GAME.tables)
        shown = int(state.turn) + 1 in (3, 8, 13, 18, 24)
        for code, row in zip(codes.tolist(), rows, strict=True):
            move, double = code % MOVES, code >= MOVES
            target, ticket = int(BOARD.target[move]), int(BOARD.ticket[move])
            near = closest(state, target, GAME.tables)
            caught = threatened(state, target, GAME.tables)
            expected = {
                "near 1": near == 1,
                "near 3": near == 3,
                "farther from the nearest": near - closest(state, station, GAME.tables),
                "can be caught": caught,
                "can be caught, shown": caught and shown,
                "ferry leaves": BOARD.kind[target] == 3,
                "bus": ticket == 1,
                "black": ticket == 3,
                "last ticket of its kind": state.tickets[HIDER, ticket] == 1,
                "black, just shown": ticket == 3
                and state.surfaced_turn == state.turn
                and state.turn > 0,
                "double": double,
                "double, can be caught": double and caught,
                "double, shown": double and shown,
            }
            for name, value in expected.items():
                assert row[names[name]] == pytest.approx(float(value)), name
                if value:
                    met.add(name)
            after = play.supposing(play.truth())
            after.apply(code)
            length = len(stations_of(after.truth()[0].possible))
            assert row[names["length of the list"]] == pytest.approx(np.log(length) / 5.0)
    assert len(met) >= 12


def test_without_trust_all_his_moves_are_equally_likely() -> None:
    given = {
        trust: ScotlandYardBelief("moves", moves=some_model(even=0.0), trust=trust)
        for trust in (0.0, 1.0)
    }
    even, differs = ScotlandYardBelief("steps"), 0
    for play in turns(2):
        view, seen = play.view(SPECTATOR), play.seen_by(SPECTATOR)
        feature = even.hidden(view)["hider"]
        expected = even.infer(view, seen).marginal(feature)
        assert given[0.0].infer(view, seen).marginal(feature) == pytest.approx(expected)
        differs += given[1.0].infer(view, seen).marginal(feature) != pytest.approx(expected)
    assert differs > 10


def test_the_filter_weighs_every_game_by_the_chances_of_its_moves() -> None:
    model = some_model(3, even=0.05)
    given = ScotlandYardBelief("moves", moves=model)
    game = scotland_yard(seekers=2, reveals=[2])
    compared = 0
    for seed in range(5):
        play, rng = Play.new(game, seed=seed), np.random.default_rng(seed)
        while len(play.actions) < 7 and not play.over:
            play.apply(int(rng.choice(play.legal())))
        if play.over:
            continue
        feature = given.hidden(play.view(1))["hider"]
        found = given.infer(play.view(1), play.seen_by(1)).marginal(feature)
        assert found == pytest.approx(weighed(play, model))
        compared += len(found) > 1
    assert compared > 1


def weighed(wanted: Play, model: MoveModel) -> dict[int, float]:
    """P(his station | what everybody saw), by going through all games he could have played."""
    game = wanted.game
    seen = [(each.event.mover, each.event.observation) for each in wanted.seen_by(SPECTATOR).events]
    result: dict[int, float] = {}

    def go(states: Any, place: int, weight: float) -> None:
        state = states[0]
        if place == len(seen):
            if state.player != OVER:
                station = int(state.stations[HIDER])
                result[station] = result.get(station, 0.0) + weight
            return
        mover, observation = seen[place]
        if state.player != mover:
            return
        actions = np.zeros(game.max_actions, dtype=np.int32)
        count = int(game.legal(state, game.tables, actions))
        tried = actions[:count].tolist() if mover == HIDER else [wanted.actions[place]]
        chances = None
        if mover == HIDER:
            chances = model.chances(game.masked(states, SPECTATOR), game.tables)
        for action in tried:
            after = states.copy()
            game.apply(after[0], action, game.tables, None)
            if game.observe(after[0], action, mover, SPECTATOR, game.tables) == observation:
                go(after, place + 1, weight if chances is None else weight * chances[action])

    start = Play.new(game, seed=wanted.seed).truth()
    for station in stations_of(start[0].possible):
        states = start.copy()
        states[0].stations[HIDER] = station
        go(states, 0, 1.0)
    total = sum(result.values())
    return {station: weight / total for station, weight in result.items()}


def test_a_model_comes_back_from_its_file() -> None:
    model = shipped_moves()
    assert {"games", "hider", "seed", "log_loss_of_a_move_in_nats"} <= set(model.card)
    assert MoveModel.from_json(model.to_json()) == model


@pytest.mark.parametrize("trust", [0.0, 0.5, 1.0])
def test_trust_comes_back_from_the_file(trust: float) -> None:
    model = shipped_moves().trusted(trust)
    again = MoveModel.from_json(json.loads(json.dumps(model.to_json())))
    assert again == model
    assert again.trust == trust


def test_the_file_of_a_model_with_all_trust_does_not_say_so() -> None:
    shipped = resource("scotland_yard", "moves.json").read_text("utf-8")
    assert json.dumps(shipped_moves().to_json(), indent=1) + "\n" == shipped
    assert "trust" not in json.loads(shipped)


@pytest.mark.parametrize(
    "change, message",
    [
        ({"format": "x"}, "this is no file of"),
        ({"weights": {"near 1": 0.0}}, "the weights are of other features"),
        ({"weights": dict.fromkeys(FEATURES, float("nan"))}, "one finite weight"),
        ({"weights": dict.fromkeys(FEATURES, "1")}, "one finite weight"),
        ({"even": 2}, "even is a number from 0 to 1"),
        ({"trust": 2}, "trust is a number from 0 to 1"),
        ({"trust": None}, "trust is a number from 0 to 1"),
        ({"card": []}, "field 'card': a JSON object is needed"),
    ],
)
def test_a_damaged_model_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError, match=message):
        MoveModel.from_json(shipped_moves().to_json() | change)


def test_trust_is_a_share() -> None:
    with pytest.raises(SettingsError, match="trust is a number from 0 to 1"):
        ScotlandYardBelief("moves", trust=1.5)
