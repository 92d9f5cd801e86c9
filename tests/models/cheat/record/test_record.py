"""Recorded games of Cheat: what they must say, what they let a viewer see, and their files."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import Play, SleuthError
from sleuth.errors import RecordError
from sleuth.games.cheat import (
    CheatRecord,
    cheat,
    check_records,
    json_schema,
    read_records,
    seen_game,
    write_records,
)
from sleuth.kit import generator
from sleuth.models.briefing import NOTHING
from sleuth.models.records.replay import observed

from ..situations import GAME
from .mutate import mutated

SCHEMA = Path(__file__).parents[4] / "docs" / "cheat" / "record.schema.json"


def random_play(seed: int, *, least: int = 0, **settings: Any) -> Play:
    game = cheat(**settings) if settings else GAME
    play, random = Play.new(game, seed=seed), generator(seed, 5)
    rng = np.random.default_rng(seed)
    while not play.over:
        codes = play.legal()
        place = game.policy(play.truth()[0], codes, len(codes), game.tables, random)
        play.apply(int(codes[place] if rng.random() < 0.5 else rng.choice(codes)))
    return play


def record_of(seed: int, **settings: Any) -> CheatRecord:
    play = random_play(seed, **settings)
    seconds = [float(place % 7) for place in range(len(play.actions))]
    return CheatRecord.from_play(play, players=("ann", "bob"), match=f"m{seed}", seconds=seconds)


#: A short game, whose numbers the tests below change.
GIVEN: dict[str, Any] = {
    "game": "cheat",
    "schema": 1,
    "match": "m1",
    "number": 1,
    "players": ["ann", "bob"],
    "first": "7",
    "hands": {
        "ann": ["8", "8", "6", "ace", "ace", "king", "2", "3"],
        "bob": ["9", "7", "7", "5", "5", "queen", "queen", "10"],
    },
    "turns": [
        {"by": "ann", "type": "claim", "rank": "8", "count": 2, "cards": ["8", "8"], "seconds": 2},
        {"by": "bob", "type": "claim", "rank": "9", "count": 1, "cards": ["9"], "seconds": 1.5},
        {"by": "ann", "type": "take", "card": "4"},
        {"by": "bob", "type": "claim", "rank": "10", "count": 2, "cards": ["5", "5"]},
        {"by": "ann", "type": "call", "caught": True, "seconds": 9.5},
        {"by": "bob", "type": "take"},
    ],
}


def changed(*path: Any, to: Any = None, drop: bool = False) -> dict[str, Any]:
    value: Any = copy.deepcopy(GIVEN)
    inner = value
    for key in path[:-1]:
        inner = inner[key]
    if drop:
        del inner[path[-1]]
    else:
        inner[path[-1]] = to
    return value


def refusal(value: Any) -> RecordError:
    with pytest.raises(RecordError) as caught:
        CheatRecord.from_json(value)
    return caught.value


def test_a_record_is_read_and_written_alike() -> None:
    record = CheatRecord.from_json(GIVEN)
    assert CheatRecord.from_json(record.to_json()) == record
    assert [turn.true for turn in record.turns] == [True, True, None, False, None, None]
    assert record.turns[4].caught
    assert record.turns[0].seconds == 2


@pytest.mark.parametrize(
    "settings",
    [{}, {"first_card": "aside", "turns": "call winner", "follows": "valid"}, {"ranks": 5}],
)
def test_a_play_becomes_a_record_with_the_same_moments(settings: dict[str, Any]) -> None:
    for seed in range(6):
        play = random_play(seed, **settings)
        record = CheatRecord.from_play(play)
        assert record.full
        assert CheatRecord.from_json(json.loads(json.dumps(record.to_json()))) == record
        again = Play.new(play.game, seed=play.seed)
        for turn, states in enumerate(record.moments()):
            truth = again.truth()
            for name in truth.dtype.names or ():
                if name != "deck":
                    assert np.array_equal(states[name], truth[name]), (turn, name)
            views = [record.play_at(turn).view(viewer) for viewer in (-1, 0, 1)]
            assert views == [again.view(viewer) for viewer in (-1, 0, 1)]
            if turn < len(play.actions):
                again.apply(play.actions[turn])
        won = play.returns()[0]
        assert record.winner == (None if won == 0 else 0 if won > 0 else 1)


def test_a_viewer_sees_what_he_saw_and_no_more() -> None:
    record = CheatRecord.from_json(GIVEN)
    early = record.seen_by("ann", 4)
    assert [turn.cards for turn in early.turns] == [(7, 7), None, None, None]
    assert [turn.seconds for turn in early.turns] == [2, 1.5, None, None]
    late = record.seen_by("ann")
    assert [turn.true for turn in late.turns[:4]] == [True, True, None, False]
    assert early.hand is not None
    assert sum(early.hand) == 7


def test_who_did_not_write_down_what_he_drew_cannot_be_asked() -> None:
    record = CheatRecord.from_json(GIVEN)
    assert record.viewers() == ("ann", "spectator")  # bob took a card that is not recorded
    with pytest.raises(RecordError, match="does not say what this viewer saw"):
        record.seen_by("bob")
    with pytest.raises(RecordError, match="ann"):
        record.seen_by("anne")


def test_one_players_own_notes_are_a_record() -> None:
    value = changed("hands", "bob", drop=True)
    record = CheatRecord.from_json(value)
    assert record.viewers() == ("ann", "spectator")
    assert record.seen_by("ann") == CheatRecord.from_json(GIVEN).seen_by("ann")
    notes = copy.deepcopy(value)
    del notes["turns"][4:]
    del notes["turns"][1]["cards"], notes["turns"][3]["cards"]
    record = CheatRecord.from_json(notes)
    assert record.seen_by("ann") == CheatRecord.from_json(GIVEN).seen_by("ann", 4)


@pytest.mark.parametrize(
    "value, where, what",
    [
        (changed("game", to="chess"), "field 'game'", "no such word"),
        (changed("schema", to=2), "field 'schema'", ""),
        (changed("players", to=["ann"]), "field 'players'", ""),
        (changed("players", to=["ann", "ann"]), "field 'players'", "different names"),
        (changed("first", to="1"), "field 'first'", "no such word"),
        (changed("first", drop=True), None, "'first' is missing"),
        (changed("settings", to={"rank": 13}), "settings", "slip"),
        (changed("settings", to={"ranks": 2}), None, "cheat, ranks is out of range"),
        (changed("settings", to={"ranks": 5}), "field 'first'", "no such rank"),
        (changed("hands", "ann", to=["8"]), "field 'hands', 'ann'", "8 cards are dealt"),
        (changed("hands", "eve", to=["8"]), "field 'hands'", ""),
        (changed("turns", 0, "rank", to="9"), "turn 1, field 'rank'", "one above or below"),
        (changed("turns", 0, "count", to=5), "turn 1, field 'count'", "4"),
        (changed("turns", 0, "cards", to=["8"]), "turn 1, field 'cards'", "as many cards"),
        (changed("turns", 0, "cards", to=["9", "9"]), "turn 1, field 'cards'", "holds 0 cards"),
        (changed("turns", 0, "cards", to=["8", "6"]), "turn 1, field 'cards'", "no card of the"),
        (changed("turns", 0, "by", to="bob"), "turn 1, field 'by'", "other player's turn"),
        (changed("turns", 0, "by", to="eve"), "turn 1, field 'by'", "no such player"),
        (changed("turns", 0, "seconds", to=-1), "turn 1, field 'seconds'", "0 at least"),
        (changed("turns", 0, "second", to=1), "turn 1", "slip"),
        (changed("turns", 0, "type", to="clam"), "turn 1, field 'type'", "no such type"),
        (changed("turns", 3, "cards", drop=True), "turn 4, field 'cards'", "turned up in turn 5"),
        (changed("turns", 4, "caught", to=False), "turn 5, field 'caught'", "was false"),
        (changed("turns", 5, "type", to="call"), "turn 6", "no claim to call"),
        (changed("winner", to="ann"), "field 'winner'", "not won"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(value: Any, where: str | None, what: str) -> None:
    error = refusal(value)
    if where is not None:
        assert error.where == where
    assert what in str(error)


def test_a_rank_has_no_more_cards_than_suits() -> None:
    value = changed("hands", "bob", to=["ace", "ace", "ace", "5", "5", "queen", "queen", "10"])
    assert "only 4 cards" in str(refusal(value))


def test_nothing_follows_the_end() -> None:
    value = record_of(3).to_json()
    value["turns"].append({"by": value["turns"][-2]["by"], "type": "take"})
    assert "over" in str(refusal(value))


def test_the_published_schema_is_that_of_the_code() -> None:
    assert json.loads(SCHEMA.read_text("utf-8")) == json_schema(), (
        "run: python -m sleuth.models.cheat > docs/cheat/record.schema.json"
    )


# Files


@cache
def recorded() -> tuple[CheatRecord, ...]:
    return tuple(record_of(seed) for seed in range(4))


@pytest.mark.parametrize("name", ["games.jsonl", "games.csv"])
def test_files_hold_the_same_games(name: str, tmp_path: Path) -> None:
    odd = CheatRecord.from_json({**GIVEN, "match": "odd", "note": 'he said "no", and left'})
    aside = record_of(9, first_card="aside")
    games = (*recorded(), odd, aside)
    write_records(games, tmp_path / name)
    assert read_records(tmp_path / name) == games
    assert check_records(str(tmp_path / name)) == (games, ())


def test_a_problem_is_told_with_its_line(tmp_path: Path) -> None:
    lines = [json.dumps(record.to_json()) for record in recorded()]
    lines[2] = json.dumps({**recorded()[2].to_json(), "first": "joker"})
    lines.insert(1, "")
    lines.append("{")
    (tmp_path / "games.jsonl").write_text("\n".join(lines))
    with pytest.raises(RecordError, match="line 4, field 'first': no such word"):
        read_records(tmp_path / "games.jsonl")
    found, problems = check_records(tmp_path / "games.jsonl")
    assert found == (*recorded()[:2], recorded()[3])
    assert [problem.line for problem in problems] == [4, 6]
    assert "not JSON" in str(problems[1].error)


def test_so_it_is_in_tables(tmp_path: Path) -> None:
    write_records(recorded()[:2], tmp_path / "games.csv")
    lines = (tmp_path / "games.csv").read_text().splitlines()
    place = next(n for n, line in enumerate(lines) if ",claim," in line and n > 1)
    lines[place] = lines[place].replace(",claim,", ",clam,")
    (tmp_path / "games.csv").write_text("\n".join(lines))
    found, problems = check_records(tmp_path / "games.csv")
    assert len(found) == 1
    assert problems[0].line == place + 1
    assert f"line {place + 1}, turn {place}" in str(problems[0].error)
    for header, what in (
        ("match,by", "the column 'number' is missing"),
        ("match,number,by,type,card,xx", "no such col"),
        ("match;by", "the column 'number' is missing"),
        ("match|number|by|type", "no such column"),
    ):
        (tmp_path / "games.csv").write_text(header + "\n")
        with pytest.raises(RecordError, match=what):
            read_records(tmp_path / "games.csv")


@pytest.mark.parametrize(
    "changed, what",
    [
        (lambda row: row.replace(",10,", ",king,"), "line 5, turn 4, field 'rank'"),
        (lambda row: row.rpartition(",")[0] + ",soon", "line 5, column 'seconds': a number"),
        (lambda row: row + ",more", "line 5: a row has as many fields"),
        (lambda row: row.rpartition(",")[0], r"\(got 18\); it has 19 columns"),
        (lambda row: row.replace("claim", '"cl"aim'), "line 5: this is no table"),
    ],
)
def test_a_mistake_in_a_table_is_told_with_the_line_of_its_row(
    changed: Callable[[str], str], what: str, tmp_path: Path
) -> None:
    write_records([CheatRecord.from_json(GIVEN)], tmp_path / "games.csv")
    lines = (tmp_path / "games.csv").read_text().splitlines()
    lines[4] = changed(lines[4])
    (tmp_path / "games.csv").write_text("\n".join(lines))
    with pytest.raises(RecordError, match=what):
        read_records(tmp_path / "games.csv")


def test_games_of_a_match_are_between_the_same_two_and_differ_in_number(tmp_path: Path) -> None:
    one = recorded()[0].to_json()
    other = {**recorded()[1].to_json(), "match": one["match"], "number": 2}
    text = "\n".join(json.dumps(value) for value in (one, one, other))
    (tmp_path / "games.jsonl").write_text(text)
    found, problems = check_records(tmp_path / "games.jsonl")
    assert len(found) == 2
    assert "stands in line 1" in str(problems[0].error)
    text = text.replace('"bob"', '"eve"', 1)
    (tmp_path / "games.jsonl").write_text(text.replace('"eve"', '"bob"', 1))
    swapped = json.dumps(other).replace("bob", "eve")
    (tmp_path / "games.jsonl").write_text(json.dumps(one) + "\n" + swapped)
    assert "same two players" in str(check_records(tmp_path / "games.jsonl")[1][0].error)


def test_files_that_cannot_be_read_are_refused(tmp_path: Path) -> None:
    for name, content in (
        ("a.jsonl", b"\xff\xfe"),
        ("b.csv", b"match,number,by,type\n\xff"),
        ("c.jsonl", b" " * (2**20 + 2)),
    ):
        (tmp_path / name).write_bytes(content)
        with pytest.raises(RecordError):
            read_records(tmp_path / name)
    with pytest.raises(RecordError, match="cannot be read"):
        read_records(tmp_path / "missing.jsonl")
    (tmp_path / "d.jsonl").write_text(json.dumps(recorded()[0].to_json(), indent=1))
    with pytest.raises(RecordError, match=r"^line 1, column 2: .*; write each game on one line"):
        read_records(tmp_path / "d.jsonl")
    with pytest.raises(RecordError):
        read_records(tmp_path)


# Fuzz


def test_broken_records_are_read_or_refused_cleanly(tmp_path: Path) -> None:
    rng = np.random.default_rng(11)
    read = refused = 0
    sources = [GIVEN, recorded()[0].to_json(), recorded()[1].to_json()]
    for number in range(600):
        value = mutated(sources[number % 3], rng)
        try:
            record = CheatRecord.from_json(value)
        except RecordError:
            refused += 1
            continue
        read += 1
        assert CheatRecord.from_json(record.to_json()) == record
        for viewer in record.viewers():
            seen = record.seen_by(viewer)
            assert len(seen.turns) == len(record.turns)
    assert read > 20
    assert refused > 200


@pytest.mark.parametrize("name", ["games.jsonl", "games.csv"])
def test_broken_files_are_read_or_refused_cleanly(name: str, tmp_path: Path) -> None:
    rng = np.random.default_rng(12)
    write_records((CheatRecord.from_json(GIVEN), recorded()[0]), tmp_path / name)
    content = (tmp_path / name).read_bytes()
    for _ in range(200):
        place = int(rng.integers(len(content)))
        junk = bytes(rng.integers(0, 256, size=int(rng.integers(0, 4))).tolist())
        keep = content[place + int(rng.integers(0, 20)) :] if rng.random() < 0.8 else b""
        (tmp_path / name).write_bytes(content[:place] + junk + keep)
        try:
            found, problems = check_records(tmp_path / name)
        except SleuthError:
            continue
        assert all(isinstance(problem.error, RecordError) for problem in problems)
        assert all(record.viewers() for record in found)


def test_the_view_of_a_play_and_of_its_record_are_one() -> None:
    play = random_play(5)
    record = CheatRecord.from_play(play)
    for viewer, name in ((0, "first"), (1, "second"), (-1, "spectator")):
        assert record.seen_by(name) == seen_game(play.view(viewer))


def test_a_record_is_followed_as_the_play_itself_is() -> None:
    play = random_play(6, first_card="aside")
    made = CheatRecord.from_play(play)
    turns = [replace(turn, seconds=float(place)) for place, turn in enumerate(made.turns)]
    record = replace(made, turns=tuple(turns))
    for viewer in (0, 1, -1):
        for one, other in zip(
            record.observed(viewer), observed(play.record(), play.game, viewer), strict=True
        ):
            assert one.seen.told.seconds == tuple(map(float, range(one.number)))
            before = one.before and (one.before[0], replace(one.before[1], told=NOTHING))
            assert replace(one, seen=replace(one.seen, told=NOTHING), before=before) == other
