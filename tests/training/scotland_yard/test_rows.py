"""What is learned from games of Scotland Yard is what happened in them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import Play
from sleuth.beliefs.games.scotland_yard.features import COUNT, FEATURES
from sleuth.data.files import resource
from sleuth.errors import RecordError, SettingsError
from sleuth.games.scotland_yard import (
    Categories,
    MoveModel,
    ScotlandYardBelief,
    ScotlandYardRecord,
    scotland_yard,
    stations_of,
)
from sleuth.kit import GAMES, Played, save_predictor
from sleuth.models.records.reading import parse_json
from sleuth.models.scotland_yard import HIDER
from sleuth.predictors import Training, load_predictor
from sleuth.training.protocols import splits
from sleuth.training.scotland_yard.rows import (
    EVEN,
    HiderMoves,
    choices_of,
    count_categories,
    hider_moves,
    rows_of,
)
from sleuth.training.scotland_yard.scores import Scores, score
from sleuth.training.training import train

GAME = scotland_yard()


def played_by(model: MoveModel | None, games: int, seed: int = 0) -> list[Played]:
    """Games in which he moves by a model (None: any move) and detectives anyhow."""
    found: list[Played] = []
    for number in range(games):
        play, rng = Play.new(GAME, seed=seed + number), np.random.default_rng((seed, number))
        while not play.over:
            legal = play.legal()
            chances = None
            if play.player == HIDER and model is not None:
                chances = model.chances(play.view(-1).states, GAME.tables)[legal]
                chances = chances / chances.sum()
            play.apply(int(rng.choice(legal, p=chances)))
        found.append(Played(play.record(), GAME))
    return found


def trained_on(played: list[Played]) -> Training:
    return train(rows_of(HiderMoves(), played), folds=2, seed=3)


def wary() -> MoveModel:
    """A hider who goes where nobody can catch him, and saves double moves."""
    weights = dict.fromkeys(FEATURES, 0.0)
    weights |= {"can be caught": -3.0, "double": -2.0, "onward moves": 1.0}
    return MoveModel(tuple(weights.values()), 0.0)


def test_every_move_of_his_is_one_choice_among_all_he_had() -> None:
    played = played_by(None, 3)
    turns = [turn for one in played for turn in hider_moves(one)]
    choices = choices_of(rows_of(HiderMoves(), played))
    assert choices.rows.shape[1] == COUNT
    place = 0
    for number, one in enumerate(played):
        play = one.record.begin(GAME)
        for action in one.record.actions:
            if play.player == HIDER:
                turn, legal = turns[place], play.legal().tolist()
                assert (choices.groups[place], turn.action) == (2 * number, action)
                assert choices.sizes[place] == len(legal)
                assert choices.chosen[place] - choices.starts[place] == legal.index(action)
                assert turn.before is not None
                here: Any = turn.before[0].states[0]
                assert here.stations[HIDER] == play.truth()[0].stations[HIDER]
                place += 1
            play.apply(action)
    assert place == len(turns) == len(choices.starts)


def test_categories_are_counted_after_each_of_his_moves() -> None:
    played = played_by(None, 3)
    turns = [turn for one in played for turn in hider_moves(one)]
    made = count_categories(played)
    distance = GAME.tables.board[0].distance
    was, could = [0] * 5, [0] * 5
    for turn in turns:
        state: Any = turn.view.states[0]
        seekers = state.stations[1:].tolist()

        def category(station: int, seekers: list[int] = seekers) -> int:
            return min(5, min(int(distance[seeker, station]) for seeker in seekers)) - 1

        was[category(int(state.stations[HIDER]))] += 1
        for each in {category(station) for station in stations_of(state.possible)}:
            could[each] += 1
    table = made.tables["minimum_distance"]
    assert (list(table.was), list(table.could)) == (was, could)


@pytest.mark.slow
def test_the_model_that_moves_were_made_by_is_found_and_helps() -> None:
    truth = wary()
    trained = trained_on(played_by(truth, 60))
    learned = MoveModel.of(trained.required_predictor)
    found = dict(zip(FEATURES, learned.weights, strict=True))
    assert found["double"] < -1.0
    assert found["onward moves"] > 0.3
    choices, _ = trained.findings
    assert choices.value["log_loss"]["choice, cold"] < choices.value["log_loss"]["all alike"] - 0.3
    assert trained.scores["choice"]["cold"].auc > trained.baselines["all alike"].auc + 0.05
    beliefs = {
        "uniform": ScotlandYardBelief("uniform"),
        "even": ScotlandYardBelief("steps"),
        "truth": ScotlandYardBelief("moves", moves=truth),
        "learned": ScotlandYardBelief("moves", moves=learned),
    }
    scores = score(played_by(truth, 12, seed=1_000), beliefs)
    right = scores.loss("truth").mean
    assert right - 0.05 < scores.loss("learned").mean < right + 0.15
    assert scores.loss("learned", against="even").low > 0.0
    assert scores.loss("learned", against="uniform").low > 0.0
    # A belief that is right is as sure as it may be.
    assert right == pytest.approx(scores.entropy("truth").mean, abs=0.25)


def test_scores_are_log_losses_in_bits_where_he_did_not_show_himself() -> None:
    played = played_by(None, 4)
    scores = score(played, {"uniform": ScotlandYardBelief("uniform")})
    assert scores.games == 4
    assert not {3, 8, 13, 18, 24} & {*scores.turn.tolist()}
    assert scores.losses[:, 0] == pytest.approx(np.log2(scores.length))
    assert scores.entropies[:, 0] == pytest.approx(np.log2(scores.length))
    mean = np.mean(np.log2(scores.length))
    interval = scores.loss("uniform")
    assert interval.mean == pytest.approx(mean)
    assert interval.low < mean < interval.high
    turns = scores.by_turn()
    assert sum(count for count, _, _ in turns.values()) == len(scores.turn)


def test_intervals_are_over_games_not_moments() -> None:
    """Moments of one game that are all alike say no more than one of them."""
    one = score(played_by(None, 4), {"uniform": ScotlandYardBelief("uniform")})
    arrays: tuple[Any, ...] = (one.game, one.turn, one.length, one.losses, one.entropies)
    many = Scores(one.names, *(np.concatenate([each] * 10) for each in arrays))
    assert many.loss("uniform") == pytest.approx(one.loss("uniform"))


def test_what_was_learned_comes_back_from_its_files(tmp_path: Path) -> None:
    trained = trained_on(played_by(None, 6))
    predictor = trained.required_predictor
    save_predictor(predictor, tmp_path / "made")
    again = load_predictor(tmp_path / "made", game="scotland_yard", features=FEATURES)
    moves = MoveModel.of(again)
    assert moves == MoveModel.of(predictor)
    assert (moves.card["games"], moves.card["seed"], moves.even) == (6, 3, EVEN)
    rows = trained.rows.features[trained.rows.choice == 2]
    chances = again(rows)
    assert chances.sum() == pytest.approx(1.0)
    assert np.log(chances[1] / chances[0]) == pytest.approx((rows[1] - rows[0]) @ moves.weights)
    (text,) = HiderMoves().files(trained.rows).values()
    counted = Categories.from_json(parse_json(text.encode()))
    assert counted.tables == count_categories(trained.rows.played).tables
    assert counted.card["games"] == 6


def test_all_moves_of_a_turn_are_judged_together() -> None:
    rows = rows_of(HiderMoves(), played_by(None, 3))
    parts = list(splits(rows, "random", folds=3))
    tested = [set(rows.choice[part.test].tolist()) for part in parts]
    assert sum(map(len, tested)) == len(set.union(*tested)) == rows.labels["made"].sum()
    assert len(parts) == 3


def test_a_predictor_of_something_else_is_no_move_model() -> None:
    predictor = load_predictor(str(resource("cheat", "truth.json")))
    with pytest.raises(SettingsError, match="none of Mr"):
        MoveModel.of(predictor)


def written(folder: Path, play: Play, name: str, *, public: bool = False) -> Path:
    """A record of it as people write them."""
    record = ScotlandYardRecord.from_play(play)
    path = folder / f"{name}.json"
    (record.without_truth() if public else record).dump(path)
    return path


def newer_play(seed: int) -> Play:
    game = scotland_yard(edition="later", seekers=1, reveals=range(3, 25))
    play, rng = Play.new(game, seed=seed), np.random.default_rng(seed)
    while not play.over:
        play.apply(int(rng.choice(play.legal())))
    return play


def test_a_written_record_teaches_what_the_play_does(tmp_path: Path) -> None:
    play = newer_play(1)
    play.record().save(tmp_path / "play.json")
    files = [tmp_path / "play.json", written(tmp_path, play, "written")]
    both = HiderMoves().read(files, GAMES["scotland_yard"])
    one, other = (both.where(both.match == place) for place in (0, 1))
    assert len(one) == len(other) > 100
    np.testing.assert_array_equal(one.features, other.features)
    np.testing.assert_array_equal(one.labels["made"], other.labels["made"])
    np.testing.assert_array_equal(one.turn, other.turn)
    assert both.notes == ()


def test_of_what_everybody_saw_only_moves_are_learned_that_follow_from_it(tmp_path: Path) -> None:
    play = newer_play(2)
    files = [written(tmp_path, play, "full"), written(tmp_path, play, "seen", public=True)]
    both = HiderMoves().read(files, GAMES["scotland_yard"])
    full, seen = (both.where(both.match == place) for place in (0, 1))
    turns = np.unique(seen.turn)
    assert 0 < len(turns) < len(np.unique(full.turn))
    same = full.where(np.isin(full.turn, turns))
    np.testing.assert_array_equal(same.features, seen.features)
    np.testing.assert_array_equal(same.labels["made"], seen.labels["made"])
    assert "do not say where Mr. X went: 1 of 2" in both.notes[0]


def test_records_that_teach_nothing_are_named(tmp_path: Path) -> None:
    idle = {**ScotlandYardRecord.from_play(newer_play(3)).without_truth().to_json(), "moves": []}
    path = tmp_path / "idle.json"
    path.write_text(json.dumps(idle))
    with pytest.raises(RecordError, match=r"idle\.json: .*no move of Mr\. X is known.*their log"):
        HiderMoves().read([path], GAMES["scotland_yard"])
    both = HiderMoves().read(
        [path, written(tmp_path, newer_play(4), "full")], GAMES["scotland_yard"]
    )
    assert "no move is known in" in both.notes[1]
    assert "idle.json" in both.notes[1]
