"""What is learned from games of Scotland Yard is what happened in them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth.beliefs.games.scotland_yard.features import COUNT, FEATURES
from sleuth.beliefs.games.scotland_yard.move_model import MoveModel
from sleuth.beliefs.games.scotland_yard.play import ScotlandYardBelief
from sleuth.data.errors import SettingsError
from sleuth.models.play import Play
from sleuth.models.records.reading import parse_json, read_bytes
from sleuth.models.scotland_yard import HIDER, scotland_yard, stations_of
from sleuth.models.scotland_yard.advice.categories import Categories
from sleuth.planners.matches.match_games import PlayedGame
from sleuth.training.scotland_yard.scores import Scores, score
from sleuth.training.scotland_yard.training import choices_of, count_categories, hider_turns, train

GAME = scotland_yard()


def played_by(model: MoveModel | None, games: int, seed: int = 0) -> list[PlayedGame]:
    """Games in which he moves by a model (None: any move) and detectives anyhow."""
    found: list[PlayedGame] = []
    for number in range(games):
        play, rng = Play.new(GAME, seed=seed + number), np.random.default_rng((seed, number))
        while not play.over:
            legal = play.legal()
            chances = None
            if play.player == HIDER and model is not None:
                chances = model.chances(play.view(-1).states, GAME.tables)[legal]
                chances = chances / chances.sum()
            play.apply(int(rng.choice(legal, p=chances)))
        found.append(PlayedGame(number, play.seed, (0,) * 6, tuple(play.actions), (0.0,) * 6, 0.0))
    return found


def wary() -> MoveModel:
    """A hider who goes where nobody can catch him, and saves double moves."""
    weights = dict.fromkeys(FEATURES, 0.0)
    weights |= {"can be caught": -3.0, "double": -2.0, "onward moves": 1.0}
    return MoveModel(tuple(weights.values()), 0.0)


def test_every_move_of_his_is_one_choice_among_all_he_had() -> None:
    played = played_by(None, 3)
    turns = list(hider_turns(GAME, played))
    choices = choices_of(turns, GAME)
    assert choices.rows.shape[1] == COUNT
    place = 0
    for one in played:
        play = Play.new(GAME, seed=one.seed)
        for action in one.actions:
            if play.player == HIDER:
                turn, legal = turns[place], play.legal().tolist()
                assert (turn.game, turn.action) == (one.number, action)
                assert choices.sizes[place] == len(legal)
                assert choices.chosen[place] - choices.starts[place] == legal.index(action)
                assert turn.station == play.truth()[0].stations[HIDER]
                place += 1
            play.apply(action)
    assert place == len(turns) == len(choices.starts)


def test_categories_are_counted_after_each_of_his_moves() -> None:
    turns = list(hider_turns(GAME, played_by(None, 3)))
    made = count_categories(turns, GAME)
    distance = GAME.tables.board[0].distance
    was, could = [0] * 5, [0] * 5
    for turn in turns:
        state: Any = turn.after[0]
        seekers = state.stations[1:].tolist()

        def category(station: int, seekers: list[int] = seekers) -> int:
            return min(5, min(int(distance[seeker, station]) for seeker in seekers)) - 1

        was[category(turn.to)] += 1
        for each in {category(station) for station in stations_of(state.possible)}:
            could[each] += 1
    table = made.tables["minimum_distance"]
    assert (list(table.was), list(table.could)) == (was, could)


@pytest.mark.slow
def test_the_model_that_moves_were_made_by_is_found_and_helps() -> None:
    truth = wary()
    trained = train(played_by(truth, 60), GAME)
    found = dict(zip(FEATURES, trained.moves.weights, strict=True))
    assert found["double"] < -1.0
    assert found["onward moves"] > 0.3
    assert trained.fitted.log_loss < trained.fitted.even_loss - 0.3
    beliefs = {
        "uniform": ScotlandYardBelief("uniform"),
        "even": ScotlandYardBelief("steps"),
        "truth": ScotlandYardBelief("moves", moves=truth),
        "learned": ScotlandYardBelief("moves", moves=trained.moves),
    }
    scores = score(GAME, played_by(truth, 12, seed=1_000), beliefs)
    learned, right = scores.loss("learned").mean, scores.loss("truth").mean
    assert right - 0.05 < learned < right + 0.15
    assert scores.loss("learned", against="even").low > 0.0
    assert scores.loss("learned", against="uniform").low > 0.0
    # A belief that is right is as sure as it may be.
    assert right == pytest.approx(scores.entropy("truth").mean, abs=0.25)


def test_scores_are_log_losses_in_bits_where_he_did_not_show_himself() -> None:
    played = played_by(None, 4)
    scores = score(GAME, played, {"uniform": ScotlandYardBelief("uniform")})
    assert scores.games == 4
    for moment in scores.moments:
        assert moment.turn not in (3, 8, 13, 18, 24)
        assert moment.losses[0] == pytest.approx(np.log2(moment.length))
        assert moment.entropies[0] == pytest.approx(np.log2(moment.length))
    mean = np.mean([np.log2(moment.length) for moment in scores.moments])
    interval = scores.loss("uniform")
    assert interval.mean == pytest.approx(mean)
    assert interval.low < mean < interval.high
    turns = scores.by_turn()
    assert sum(count for count, _, _ in turns.values()) == len(scores.moments)


def test_intervals_are_over_games_not_moments() -> None:
    """Moments of one game that are all alike say no more than one of them."""
    one = score(GAME, played_by(None, 4), {"uniform": ScotlandYardBelief("uniform")})
    many = Scores(one.names, one.moments * 10)
    assert many.loss("uniform") == pytest.approx(one.loss("uniform"))


def test_what_was_learned_comes_back_from_its_files(tmp_path: Path) -> None:
    trained = train(played_by(None, 6), GAME, card={"seed": 3})
    files = trained.save(tmp_path)
    assert Categories.from_json(parse_json(read_bytes(files["categories"]))) == trained.categories
    assert MoveModel.from_json(parse_json(read_bytes(files["moves"]))) == trained.moves
    assert trained.moves.card["games"] == trained.categories.card["games"] == 6
    assert trained.moves.card["seed"] == 3
    with pytest.raises(SettingsError, match="at least 5 games"):
        train(played_by(None, 2), GAME)
