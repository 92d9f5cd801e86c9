"""Records of Scotland Yard: the rules are kept, nobody sees too much, and a game comes back."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import OVER, Play
from sleuth.data.files import shipped
from sleuth.errors import RecordError, UnsupportedError
from sleuth.games.scotland_yard import (
    HiderMove,
    ScotlandYardRecord,
    SeekerMove,
    json_schema,
    scotland_yard,
)
from sleuth.kit import PlayRecord
from sleuth.models.scotland_yard import SPECTATOR, load

SCHEMA = Path(__file__).parents[4] / "docs" / "scotland_yard" / "record.schema.json"
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"edition": "later", "seekers": 3, "rounds": 6, "reveals": [2, 4], "double_moves": 4},
    {"seeker_tickets": [0, 5, 5], "hider_tickets": [3, 0, 0], "black_fares": 0},
    {"seekers": 2, "rounds": 12, "reveals": [], "seeker_tickets": [3, 1, 0]},
)


def random_game(seed: int, moves: int = 1_000, **settings: Any) -> Play:
    play, rng = Play.new(scotland_yard(**settings), seed=seed), np.random.default_rng(seed)
    while not play.over and len(play.actions) < moves:
        play.apply(int(rng.choice(play.legal())))
    return play


def written(seed: int = 3, moves: int = 40) -> dict[str, Any]:
    """A full record as its file has it."""
    value: Any = ScotlandYardRecord.from_play(random_game(seed, moves)).to_json()
    return json.loads(json.dumps(value))


@pytest.mark.parametrize("settings", SETTINGS, ids=["usual", "later", "few tickets", "no reveal"])
def test_a_game_comes_back_from_its_record(settings: dict[str, Any], tmp_path: Path) -> None:
    for seed in range(12):
        play = random_game(seed, **settings)
        record = ScotlandYardRecord.from_play(play, name="a game", source="random moves")
        assert record.kind == "full"
        assert record.settings.keys() <= settings.keys()
        record.dump(tmp_path / "game.json")
        again = load(tmp_path / "game.json")
        assert again == record
        assert again.digest == record.digest
        assert again.play().actions == play.actions
        assert again.play().truth().tobytes() == play.truth().tobytes()
        assert again.replayed.over
        assert ScotlandYardRecord.from_play(play.record()) == ScotlandYardRecord.from_play(play)


@pytest.mark.parametrize(
    "part, field, value, problem",
    [
        # Kernels would read far outside of the map.
        ("start", "stations", [2 * 10**9, 26, 29, 34, 50, 53], "no player can start there"),
        ("start", "stations", [13, 26, 29, 34, 50, -5_000_000], "no player can start there"),
        ("start", "stations", [13, 26, 29, 34, 50, 13], "starts there"),
        ("start", "turn", 1_000_000, "not how a game begins"),
        ("start", "possible", [0] * 7, "not how a game begins"),
        ("settings", "later", True, "no settings of this game"),
        ("settings", "reveals", 5, "no settings of this game"),
        ("settings", "edition", ["classic"], "no settings of this game"),
    ],
)
def test_a_kept_game_that_no_game_begins_as_is_refused(
    part: str, field: str, value: object, problem: str
) -> None:
    kept: Any = copy.deepcopy(random_game(3, 5).record().to_json())
    kept[part][field] = value
    with pytest.raises(RecordError, match=problem):
        ScotlandYardRecord.from_play(PlayRecord.from_json(kept))


def test_what_everybody_saw_is_a_record_of_its_own() -> None:
    endings: set[str] = set()
    for seed in range(48):  # three of them end in the rarest way
        record = ScotlandYardRecord.from_play(random_game(seed, **SETTINGS[seed % len(SETTINGS)]))
        public = record.without_truth()
        assert public.kind == "public"
        again = ScotlandYardRecord.from_json(public.to_json())
        assert again == public
        assert again.replayed.observations == record.replayed.observations
        assert again.replayed.states.tobytes() == record.replayed.states.tobytes()
        for viewer in public.viewers():
            assert public.seen_by(viewer) == record.seen_by(viewer)
        last = record.events[-1]
        if isinstance(last, HiderMove):
            endings.add("no detective can move" if last.to and not last.double else "shut in")
        else:
            endings.add("caught" if last.caught else "never caught")
    assert endings == {"caught", "never caught", "no detective can move", "shut in"}


def test_a_record_of_a_game_that_goes_on_can_be_played_on() -> None:
    play = random_game(8, 17)
    again = ScotlandYardRecord.from_play(play).play()
    assert (again.over, again.player) == (False, play.player)
    assert again.legal().tolist() == play.legal().tolist()
    with pytest.raises(UnsupportedError, match=r"Mr\. X's stations"):
        ScotlandYardRecord.from_play(play).without_truth().play()


def test_only_the_hider_sees_where_he_goes_unseen() -> None:
    play = random_game(5)
    record = ScotlandYardRecord.from_play(play)
    own = record.seen_by("hider")
    assert own.hider == record.hider
    assert [seen.event for seen in own.events] == list(record.events)
    for viewer in (*play.game.roles[1:], SPECTATOR):
        game = record.seen_by(viewer)
        assert game.hider is None
        turn = 0
        for seen, event in zip(game.events, record.events, strict=True):
            assert seen.viewer == viewer
            if isinstance(event, HiderMove):
                turn += 1
                shown = turn in (3, 8, 13, 18, 24) or event is record.events[-1]
                assert isinstance(seen.event, HiderMove)
                assert seen.event.to == (event.to if shown else None)
                assert (seen.event.ticket, seen.event.double) == (event.ticket, event.double)
            else:
                assert seen.event == event


def test_another_hidden_truth_changes_nothing_that_others_see() -> None:
    """Two games that differ only in his stations give the same view and the same digest."""
    value = written(moves=1)
    assert value["moves"][0]["by"] == "hider"
    views: dict[str, set[str]] = {SPECTATOR: set(), "hider": set()}
    for start, to in ((13, 14), (26, 15), (29, 16)):
        value |= {"seekers": [50, 53, 91, 94, 103], "hider": start}
        value["moves"] = [{"by": "hider", "ticket": "taxi", "to": to}]
        if start == 13:
            value["moves"][0]["to"] = 23
        record = ScotlandYardRecord.from_json(value)
        for viewer, digests in views.items():
            digests.add(record.seen_by(viewer).digest)
    assert len(views[SPECTATOR]) == 1
    assert len(views["hider"]) == 3


def changed(value: dict[str, Any], *path: Any, to: Any) -> dict[str, Any]:
    value = copy.deepcopy(value)
    at: Any = value
    for key in path[:-1]:
        at = at[key]
    at[path[-1]] = to
    return value


OPENING: dict[str, Any] = {
    "game": "scotland_yard",
    "schema": 1,
    "seekers": [26, 29, 50, 53, 91],
    "hider": 13,
    "moves": [
        {"by": "hider", "ticket": "bus", "to": 52},
        {"by": "seeker 1", "ticket": "taxi", "to": 15},
        {"by": "seeker 2", "ticket": "bus", "to": 41},
    ],
}
PUBLIC: dict[str, Any] = changed(
    {name: value for name, value in OPENING.items() if name != "hider"},
    "moves",
    0,
    to={"by": "hider", "ticket": "bus"},
)
HIDERS = ("moves", 0)


@pytest.mark.parametrize(
    "value, message",
    [
        (changed(OPENING, "seekers", to=[26, 29, 50, 53]), "field 'seekers': the game has 5"),
        (
            changed(OPENING, "seekers", 1, to=30),
            "'seekers', item 2: no player can start there.*starts",
        ),
        (changed(OPENING, "seekers", 1, to=26), "item 2: two players .*and seeker 1 starts there"),
        (
            changed(OPENING, "hider", to=26),
            "field 'hider': two players .*and seeker 1 starts there",
        ),
        (changed(OPENING, "settings", to={"rounds": 30}), "field 'rounds'.*30"),
        (changed(OPENING, "settings", to={"round": 3}), "slip.*did you mean 'rounds'"),
        (changed(OPENING, "settings", to={"speed": 3}), "no such setting"),
        (
            changed(OPENING, "settings", to={"black_fares": 0, "hider_tickets": [0, 1, 1]}),
            "field 'settings': the hider needs a taxi ticket",
        ),
        (changed(OPENING, *HIDERS, "by", to="seeker 1"), "move 1, field 'by'.*write 'hider'"),
        (changed(OPENING, *HIDERS, "ticket", to="tram"), "move 1, field 'ticket'.*known words"),
        (
            changed(OPENING, *HIDERS, "to", to=53),
            "field 'to': no bus goes there from 13.*to 14, 23",
        ),
        (changed(OPENING, *HIDERS, "to", to=400), "move 1, field 'to'.*station from 1 to 199"),
        (changed(OPENING, *HIDERS, to={"by": "hider", "ticket": "bus"}), "needs each station"),
        (changed(OPENING, *HIDERS, "caught", to=True), "only a detective can have"),
        (changed(OPENING, "moves", 1, "double", to=True), "move 2, field 'double': only Mr. X"),
        (changed(OPENING, "moves", 1, "ticket", to="black"), "seeker 1 has no such ticket left"),
        (changed(OPENING, "moves", 1, "to", to=None), "where the detective went is missing"),
        (changed(OPENING, "moves", 1, "by", to="seeker 2"), "turn.*write 'seeker 1'"),
        (changed(OPENING, "moves", 1, "caught", to=True), "Mr. X is not there.*Mr. X is at 52"),
        (changed(OPENING, "moves", 1, "shown", to=52), "the game goes on after this move"),
        (changed(OPENING, "moves", 2, "too", to=41), "move 3.*did you mean 'to'"),
        (changed(OPENING, "settings", to={"double_moves": 0}), None),
        (changed(OPENING, *HIDERS, "double", to=True), "move 2, field 'by'.*write 'hider'"),
        (
            changed(
                changed(OPENING, "settings", to={"double_moves": 0}), *HIDERS, "double", to=True
            ),
            "Mr. X has no double move left",
        ),
        (
            changed(
                changed(OPENING, "settings", to={"rounds": 1, "reveals": []}),
                *HIDERS,
                "double",
                to=True,
            ),
            "cannot be the first of two",
        ),
        (PUBLIC, None),
        (changed(PUBLIC, *HIDERS, "to", to=52), "nobody saw where this move led"),
        (changed(PUBLIC, *HIDERS, "to", to=199), "no bus takes Mr. X there"),
        (changed(PUBLIC, "settings", to={"reveals": [1]}), "surfaces after this move"),
        (
            # With no ticket left for the second half the game is over, and everybody sees where.
            changed(
                changed(PUBLIC, "settings", to={"hider_tickets": [1, 0, 0], "black_fares": 0}),
                "moves",
                to=[{"by": "hider", "ticket": "taxi", "double": True}],
            ),
            "surfaces after this move",
        ),
        (changed(PUBLIC, "moves", 1, "caught", to=True), "Mr. X cannot be there"),
        (changed(PUBLIC, "moves", 1, "shown", to=52), "the game goes on after this move"),
    ],
)
def test_a_mistake_is_refused_with_its_place(value: dict[str, Any], message: str | None) -> None:
    if message is None:
        ScotlandYardRecord.from_json(value)
        return
    with pytest.raises(RecordError, match=f"(?s){message}"):
        ScotlandYardRecord.from_json(value)


def test_nothing_follows_the_end_of_a_game() -> None:
    value: Any = ScotlandYardRecord.from_play(random_game(2)).to_json()
    last = int(value["moves"][-1].get("to"))
    value["moves"].append({"by": "hider", "ticket": "taxi", "to": last})
    with pytest.raises(RecordError, match=r"the game is over.*leave out this move"):
        ScotlandYardRecord.from_json(value)


def test_moves_that_leave_him_nowhere_are_refused() -> None:
    value = copy.deepcopy(PUBLIC)
    value["settings"] = {"reveals": [1], "seekers": 1}
    value["seekers"] = [26]
    value["moves"] = [
        {"by": "hider", "ticket": "taxi", "to": 14},
        {"by": "seeker 1", "ticket": "taxi", "to": 15},
        {"by": "hider", "ticket": "underground"},
    ]
    with pytest.raises(RecordError, match=r"move 3: after this move Mr\. X could be nowhere"):
        ScotlandYardRecord.from_json(value)


def test_where_he_was_is_told_when_he_was_never_caught() -> None:
    for seed in range(40):
        play = random_game(seed, rounds=4, reveals=[2])
        last = ScotlandYardRecord.from_play(play).events[-1]
        if isinstance(last, SeekerMove) and not last.caught:
            assert last.shown == play.truth()[0].stations[0]
            value: Any = ScotlandYardRecord.from_play(play).without_truth().to_json()
            del value["moves"][-1]["shown"]
            with pytest.raises(RecordError, match=r"the game is over.*write where Mr. X was"):
                ScotlandYardRecord.from_json(value)
            return
    raise AssertionError("he was always caught")


def test_what_was_shown_after_the_last_move_need_not_be_written_again() -> None:
    for seed in range(40):
        play = random_game(seed, rounds=4, reveals=[4])
        record = ScotlandYardRecord.from_play(play).without_truth()
        last = record.events[-1]
        if isinstance(last, SeekerMove) and last.shown is not None:
            value: Any = record.to_json()
            del value["moves"][-1]["shown"]
            assert ScotlandYardRecord.from_json(value) == record
            return
    raise AssertionError("he was always caught")


def test_a_view_of_what_is_not_recorded_is_refused() -> None:
    with pytest.raises(RecordError, match=r"does not say where Mr\. X went"):
        ScotlandYardRecord.from_json(PUBLIC).seen_by("hider")
    with pytest.raises(RecordError, match="did you mean 'seeker 1'"):
        ScotlandYardRecord.from_json(PUBLIC).seen_by("seeker1")


@pytest.mark.parametrize("file", shipped("scotland_yard"), ids=lambda file: file.name)
def test_shipped_games_are_whole_and_say_who_played(file: Any, tmp_path: Path) -> None:
    record = load(file)
    assert record.replayed.over
    assert "agents of sleuth" in (record.source or "")
    assert record.note == "Played by programs, not by people."
    record.dump(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_text("utf-8") == file.read_text("utf-8")


def test_shipped_games_show_both_endings_and_both_kinds() -> None:
    records = [load(file) for file in shipped("scotland_yard")]
    assert {record.kind for record in records} == {"full", "public"}
    assert {int(record.replayed.states[0].won) for record in records} == {1, 2}


def test_the_published_schema_is_current() -> None:
    assert json.loads(SCHEMA.read_text("utf-8")) == json_schema(), (
        "run: python -m sleuth.models.scotland_yard > docs/scotland_yard/record.schema.json"
    )


def test_whatever_is_broken_in_a_record_is_a_record_error() -> None:
    rng = np.random.default_rng(0)
    value = written(moves=20)
    strange: list[Any] = [None, True, -1, 0, 7, 200, 10**30, 0.5, "", "hider", "taxi", [], {}, [1]]
    refused = 0
    for _ in range(400):
        broken = copy.deepcopy(value)
        at: Any = broken
        while True:
            keys: Any = list(at) if isinstance(at, dict) else range(len(at))
            key = keys[int(rng.integers(len(keys)))]
            if not isinstance(at[key], (dict, list)) or rng.random() < 0.3 or not at[key]:
                break
            at = at[key]
        if rng.random() < 0.3:
            del at[key]
        else:
            at[key] = strange[int(rng.integers(len(strange)))]
        try:
            record = ScotlandYardRecord.from_json(broken)
        except RecordError:
            refused += 1
        else:
            assert ScotlandYardRecord.from_json(record.to_json()) == record
    assert refused > 200


def test_the_end_is_the_rules_end() -> None:
    record = ScotlandYardRecord.from_play(random_game(11))
    assert int(record.replayed.states[0].player) == OVER
    assert record.play().over
