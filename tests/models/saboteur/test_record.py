"""Records of Saboteur: lines, files, worlds that agree with them, and what nobody may see."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import Game, Play
from sleuth.errors import RecordError
from sleuth.games.saboteur import RoundTurn, SaboteurRecord, json_schema, saboteur
from sleuth.models.saboteur.record.notation import Notation
from sleuth.models.saboteur.record.replaying import game_of
from sleuth.models.saboteur.state import MINERS_WIN

from .games import NAMES, played

#: Small games of three rounds with gold; more behind a number in the environment.
COUNT = int(os.environ.get("SLEUTH_FUZZ", "8"))
THREE = ("Ann", "Bob", "Cid")
SCHEMA = Path(__file__).parents[3] / "docs" / "saboteur" / "record.schema.json"
HEAD = ["game: saboteur", "players: Ann, Bob, Cid"]
ANN = [*HEAD, "me: Ann", "deal Ann miner: NES, EW, map, dead N, rockfall, NS"]


def varied(seed: int) -> Game:
    """Another game for each seed: three rounds or one, gold or sides, 3 to 6 players."""
    return saboteur(
        rules="tight" if seed % 3 == 0 else "official",
        players=3 + seed % 4,
        rounds=3 if seed % 2 else 1,
        pay="gold" if seed % 2 else "sides",
        stock=6 if seed % 2 else None,
        hand=3 if seed % 2 else None,
    )


def same_but_for_stones(one: Play, other: Play, viewer: int) -> None:
    """Two plays look alike to a viewer, but for which of two stones they saw with a map."""
    first, second = one.view(viewer).states[0], other.view(viewer).states[0]
    for name in one.game.state.names or ():
        if name != "goals":
            np.testing.assert_array_equal(first[name], second[name], err_msg=name)
    np.testing.assert_array_equal(np.minimum(first.goals, 1), np.minimum(second.goals, 1))


@pytest.mark.parametrize("seed", range(COUNT))
def test_a_game_is_written_down_and_carried_out_again(seed: int) -> None:
    play = played(varied(seed), seed)
    record = SaboteurRecord.from_play(play, players=NAMES[: play.game.players])
    assert record.kind == "full"
    assert SaboteurRecord.from_json(record.to_json()) == record
    assert SaboteurRecord.from_lines(record.text.splitlines()) == record
    last = record.completed().last
    assert last.actions == play.actions
    assert last.truth()[0].won.tolist() == play.truth()[0].won.tolist()
    for viewer in (record.players[seed % play.game.players], "spectator"):
        seen, number = record.seen_by(viewer).checked(), record.number_of(viewer)
        assert SaboteurRecord.from_lines(seen.text.splitlines()) == seen
        worlds = [seen.completed(seed=world).last for world in (1, 2)]
        # Whatever world completes it, its viewer sees the same: what they saw in the game.
        assert worlds[0].view(number) == worlds[1].view(number)
        assert worlds[0].seen_by(number) == worlds[1].seen_by(number)
        same_but_for_stones(worlds[0], play, number)


def test_worlds_of_one_record_differ_in_what_it_does_not_say() -> None:
    record = SaboteurRecord.from_lines([*ANN, "Ann map top, saw stone, drew EW", "Bob discards"])
    truths = [record.completed(seed=seed).last.truth()[0] for seed in range(1, 30)]
    assert {truth.roles[:4].tolist()[0] for truth in truths} == {0}
    assert len({tuple(truth.roles[1:4].tolist()) for truth in truths}) == 3
    assert {truth.goals[:3].tolist().index(0) for truth in truths} == {1, 2}
    assert len({tuple(truth.hands[2].tolist()) for truth in truths}) > 20


@pytest.mark.parametrize(
    "line, what",
    [
        ("ann path SEN at 1 0", "NES d7"),
        ("Ann nes d7", "NES d7"),
        ("ann plays NES x on d7", "dead NES d7"),
        ("ann cross d7", "NESW d7"),
        ("ann dead end EW d7", "dead EW d7"),
        ("ann es at 3 -2", "ES f5"),
        ("bob broken lantern on cid", "break lantern Cid"),
        ("bob breaks cid's lamp", "break lantern Cid"),
        ("bob lantern of cid broken", "break lantern Cid"),
        ("cid fixes pick of ann", "repair pickaxe Ann"),
        ("cid repair lantern ann by cart+lantern", "repair lantern Ann by lantern+cart"),
        ("cid map left", "map top"),
        ("cid looks at the bottom goal", "map bottom"),
        ("ann rockfall d7", "rockfall d7"),
        ("b passes", "discard"),
        ("ann discards dead e", "discard dead E"),
        ("ann discards broken cart", "discard break cart"),
    ],
)
def test_people_write_turns_in_many_ways(line: str, what: str) -> None:
    found = Notation(game_of(THREE, {})).event(line)
    assert isinstance(found, RoundTurn)
    assert found.what == what


def test_a_turn_says_what_was_seen_said_drawn_and_turned_up() -> None:
    notation = Notation(game_of(THREE, {}), "Bob")
    found = notation.turn("map right says gold, saw stone, drew broken pickaxe")
    assert (found.by, found.says, found.saw, found.drew) == (
        "Bob", "gold", "stone", "break pickaxe"
    )  # fmt: skip
    found = notation.turn("ann NS k6, top is stone SW")
    assert (found.by, found.turned) == ("Ann", {"top": "stone SW"})
    assert notation.turn("cid map top").says == "nothing"


@pytest.mark.parametrize(
    "lines, said",
    [
        (["Bob NES d7"], "it is the turn of Ann"),
        (["Ann NES d7"], "does not have this card|does not fit"),
        (["Ann map top, drew EW"], "what did Ann see"),
        (["Ann map top, saw gold", "Bob discards"], "drawn in the turn before"),
        (["Ann discard", "Bob discards"], "which card did Ann discard"),
        (["Ann discard NES, drew EW", "Bob discards NS"], "face down"),
        (["Ann discard NES, drew EW", "Bob repair cart Ann"], "cannot be done now"),
        (["Ann discard NES, drew EW", "Bob EW f7"], "does not fit there"),
        (["Ann discard NES, drew EW", "end: saboteurs Bob"], "not over"),
        (["Ann discard NES, drew EW", "Bob map top, saw gold"], "record does not know"),
        (["Ann dance"], "nothing that was done"),
        (["Ann NES"], "which cell"),
        (["Ann NES z9"], "which cell"),
        (["Ann map top, saw gold, drew map", "Bob discards", "Cid discards",
          "Ann map middle, saw gold, drew EW"], "no three goals are so"),
        (["Ann discard NES, drew rockfall", "Bob discards", "Cid discards",
          "Ann discard NS, drew rockfall", "Bob discards", "Cid discards",
          "Ann discard EW, drew rockfall"],
         r"^lines 4, 5, 8, 11: there are only 3 cards 'rockfall'"),
    ],
)  # fmt: skip
def test_what_is_against_the_rules_is_refused(lines: list[str], said: str) -> None:
    with pytest.raises(RecordError, match=said):
        SaboteurRecord.from_lines([*ANN, *lines])


@pytest.mark.parametrize(
    "line, word",
    [
        ("Dan NES d7", "'Dan'"),
        ("Ann ESQ d7", "'ESQ"),
        ("Ann NES D99", "'NES D99'"),
        ("Ann break Lantern of Zoe", "'Zoe'"),
        ("deal Ann Minner: NES", "'Minner'"),
        ("end: saboteurs Dan", "'Dan'"),
    ],
)
def test_what_is_no_line_is_said_as_it_was_written(line: str, word: str) -> None:
    with pytest.raises(RecordError) as caught:
        SaboteurRecord.from_lines([*HEAD, line])
    assert f"(got {word}" in str(caught.value)


def test_a_goal_that_is_reached_must_be_told() -> None:
    settings = ["rules: rules=tight, hand=1, stock=6"]
    way = ["Ann EW b3", "Bob EW c3", "Cid EW d3"]
    head = [*HEAD, *settings, "# nobody's cards are known"]
    lines = [*head, *way]
    with pytest.raises(RecordError, match="only 3 cards"):
        SaboteurRecord.from_lines([*lines, "Ann EW e3"])
    lines += ["Ann NESW e3", "Bob NESW f3", "Cid NESW g3"]
    with pytest.raises(RecordError, match="line 11: a goal is reached: what is it"):
        SaboteurRecord.from_lines([*lines, "Ann NESW h3"])
    with pytest.raises(RecordError, match="which stone"):
        SaboteurRecord.from_lines([*lines, "Ann NESW h3, middle is stone"])
    record = SaboteurRecord.from_lines([*lines, "Ann NESW h3, middle is stone SW"])
    assert record.kind == "public"
    assert record.completed().last.truth()[0].goals.tolist()[1] == 1
    # The gold ends the round; who was a saboteur must be told before the last card counts.
    lines.append("Ann NESW h3, middle is gold")
    assert SaboteurRecord.from_lines(lines).completed().missing == "end"
    ended = SaboteurRecord.from_lines([*lines, "end: saboteurs Bob, Cid"]).completed()
    assert ended.last.over
    assert ended.last.truth()[0].winner == MINERS_WIN
    with pytest.raises(RecordError, match="of the role cards, 2 are"):
        SaboteurRecord.from_lines([*lines, "end: saboteurs Bob"])


def test_a_round_goes_on_with_the_next_deal_and_gold_is_added_up() -> None:
    lines = [
        *HEAD, "me: Ann", "rules: rules=tight, hand=1, stock=5, rounds=2, pay=gold, saboteurs=1",
        "deal Ann miner: EW", "Ann EW b3, drew NESW", "Bob EW c3", "Cid EW d3",
        "Ann NESW e3, drew NES", "Bob NESW f3", "Cid NESW g3", "Ann discard NES",
        "Bob NESW h3, middle is gold",
    ]  # fmt: skip
    assert SaboteurRecord.from_lines(lines).completed().missing == "end"
    lines.append("end: saboteurs Cid; Bob 3 1, Ann 2")
    assert SaboteurRecord.from_lines(lines).completed().missing == "deal"
    lines.append("deal Ann miner: map")
    record = SaboteurRecord.from_lines(lines)
    state = record.completed().last.view(0).states[0]
    assert (state.won[:3].tolist(), state.gold_left.tolist()) == ([2, 4, 0], [15, 7, 3])
    assert (int(state.player), int(state.rounds_played), int(state.roles[0])) == (2, 1, 0)
    with pytest.raises(RecordError, match="it is the turn of Cid"):
        SaboteurRecord.from_lines([*lines, "Ann discard map, drew EW"])
    # Bob finished the way, and takes the first and the third card; Cid is a saboteur.
    for end in ("Bob 3; Ann 2 1", "Bob 3 2 1", "Ann 1 1"):
        with pytest.raises(RecordError, match=r"^line 14: (Bob takes 2|Ann takes 1) of the 3"):
            SaboteurRecord.from_lines([*lines[:-2], f"end: saboteurs Cid; {end}"])
    assert SaboteurRecord.from_lines([*lines[:-2], "end: saboteurs Cid; Ann 2, Bob 3 1"])


def test_errors_say_the_lines_of_a_text() -> None:
    lines = ["# an evening", *ANN, "", "Ann discard NES, drew rockfall", "Bob EW f7"]
    with pytest.raises(RecordError, match=f"^line {len(lines)}: the card does not fit"):
        SaboteurRecord.from_lines(lines)
    lines[-1:] = ["Bob NES d7"]
    with pytest.raises(RecordError, match="it does when it is turned: 'NSW d7'"):
        SaboteurRecord.from_lines(lines)
    with pytest.raises(RecordError, match=r"no such setting.*got 'round'.*'rounds'"):
        SaboteurRecord.from_lines(["players: Ann, Bob, Cid", "rules: round=3"])


def test_a_record_says_only_what_its_viewers_knew(tmp_path: Path) -> None:
    record = SaboteurRecord.from_lines([*ANN, "Ann map top, saw stone, drew EW"])
    assert record.viewers() == ("Ann", "spectator")
    with pytest.raises(RecordError, match="does not say what this viewer saw"):
        record.seen_by("Bob")
    assert record.seen_by("spectator").to_json()["events"] == [
        {"type": "turn", "by": "Ann", "what": "map top", "says": "nothing"}
    ]
    path = tmp_path / "evening.txt"
    path.write_text(record.text, encoding="utf-8")
    assert SaboteurRecord.load(path) == record
    assert json_schema()["title"] == "Saboteur record"


def test_the_published_schema_is_current() -> None:
    assert json.loads(SCHEMA.read_text("utf-8")) == json_schema(), (
        "run: python -m sleuth.models.saboteur > docs/saboteur/record.schema.json"
    )


def test_whatever_is_broken_in_a_record_is_a_record_error() -> None:
    rng = np.random.default_rng(0)
    game = saboteur("tight", players=3, hand=2, stock=4, rounds=2, pay="gold")
    value = SaboteurRecord.from_play(played(game, 2), players=THREE).to_json()
    lines = SaboteurRecord.from_json(value).text.splitlines()
    strange: list[Any] = [None, True, -1, 10**30, 0.5, "", "Ann", "NES", "map top", [], {}, [1]]
    refused = 0
    for _ in range(150):
        broken = json.loads(json.dumps(value))
        at = rng.choice(["players", "settings", "events", "events", "events", "observer"])
        what = strange[int(rng.integers(len(strange)))]
        if at == "events" and rng.random() < 0.9:
            event = broken[at][int(rng.integers(len(broken[at])))]
            event[str(rng.choice([*event, "drew", "turned", "saw"]))] = what
        elif at == "settings":
            broken[at][str(rng.choice(["rounds", "hand", "tools", "pay", "x"]))] = what
        else:
            broken[at] = what
        words = [list(line) for line in lines]
        for _ in range(3):
            line = words[int(rng.integers(len(words)))]
            line[int(rng.integers(len(line)))] = str(rng.choice(list("xN ,:;1 ")))
        text = {"game": "saboteur", "lines": ["".join(line) for line in words]}
        for read in (broken, text):
            try:
                SaboteurRecord.from_json(read)
            except RecordError:
                refused += 1
    assert refused > 200
