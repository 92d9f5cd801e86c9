"""Claims at tables of many as rows to learn from, and predictors of them."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from sleuth.apps.main import app
from sleuth.beliefs.games.cheat.for_many.features import NAMES
from sleuth.data.errors import RecordError
from sleuth.games.cheat import (
    ManyCheatRecord,
    cheat_for_many,
    rows_of_many,
    simulate_many,
    write_many_records,
)
from sleuth.models.cheat.for_many.people.population import bluffers
from sleuth.models.cheat.for_many.people.simulate import simulate_games
from sleuth.predictors import load_predictor
from sleuth.training.cheat.for_many import rows_of_simulated


@pytest.fixture(scope="module")
def records() -> tuple[ManyCheatRecord, ...]:
    return simulate_many(16, seed=8, games=1, game=cheat_for_many(ranks=5))


def test_records_give_the_rows_of_the_games_that_they_are_of() -> None:
    game = cheat_for_many()
    people = bluffers(4, seed=3)
    fast = rows_of_simulated(simulate_games(people, seed=3, games=2, game=game), game)
    slow = rows_of_many(simulate_many(4, seed=3, games=2))
    np.testing.assert_allclose(fast.features[:, :-1], slow.features[:, :-1], atol=1e-12)
    np.testing.assert_allclose(fast.features[:, -1], slow.features[:, -1], atol=0.01)
    for word in ("true", "called"):
        assert fast.labels[word].tolist() == slow.labels[word].tolist()


def test_labels_are_what_came_of_a_claim(records: tuple[ManyCheatRecord, ...]) -> None:
    record = records[0]
    rows = rows_of_many([record])
    claims = [turn for turn in record.turns if turn.kind == "claim"]
    assert len(rows) == 3 * len(claims)
    for place, claim in enumerate(claims, start=1):
        here = rows.where(rows.turn == place)
        assert set(here.labels["true"].tolist()) == {int(bool(claim.true))}
        assert {rows.players[each] for each in here.player} == {record.players[claim.by]}
        assert here.labels["called"].tolist().count(1) <= 1
        asked = here.labels["called"] >= 0
        # Nobody is asked after somebody has called.
        assert asked.tolist() == sorted(asked.tolist(), reverse=True)
    calls = sum(turn.kind == "call" for turn in record.turns)
    assert int((rows.labels["called"] == 1).sum()) == calls


def test_who_writes_a_game_down_learns_from_what_they_saw(
    records: tuple[ManyCheatRecord, ...],
) -> None:
    record = records[0]
    hands = (record.hands[0], None, None, None)
    mine = rows_of_many([replace(record, hands=hands)])
    assert {mine.players[each] for each in mine.viewer} == {record.players[0]}
    with pytest.raises(RecordError, match="no claim to learn from"):
        rows_of_many([replace(record, hands=(None,) * 4)])
    with pytest.raises(RecordError, match="stands there twice"):
        rows_of_many([record, record])


def test_the_command_learns_from_somebody_elses_table(
    records: tuple[ManyCheatRecord, ...], tmp_path: Path
) -> None:
    table = tmp_path / "games.csv"
    write_many_records(records, table)
    head, rest = table.read_text().split("\n", 1)
    table.write_text(head.replace("player,", "who,").replace("rank", "claimed") + "\n" + rest)
    arguments = [
        "train",
        "cheat-for-many",
        str(table),
        "--models",
        "tree",
        "--json",
        "--protocols",
        "later",
    ]
    arguments += ["--columns", "player=who,rank=claimed", "--out", str(tmp_path / "p")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    value = json.loads(result.output)
    assert (value["players"], value["model"]) == (16, "tree")
    assert {"card counting", "running rate"} < set(value["baselines"])
    found = load_predictor(tmp_path / "p", game="cheat_for_many", features=NAMES)
    assert found.card["predicts"] == "the claim is true"
