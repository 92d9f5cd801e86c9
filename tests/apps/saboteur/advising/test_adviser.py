"""Beside a table of Saboteur: whole games line by line and by touches, corrections, and files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from benchmarks.whole.table_phone import Phone
from sleuth.apps.kit.advising.book import Book
from sleuth.apps.kit.advising.session import Advising
from sleuth.apps.kit.answers.values import Grid, Tile
from sleuth.apps.saboteur.advising.adviser import SaboteurAdviser
from sleuth.apps.saboteur.advising.sentences import said
from sleuth.apps.saboteur.advising.table import MineTable
from sleuth.games.saboteur import SaboteurBelief, SaboteurRecord, saboteur
from sleuth.models.saboteur.record.events import RoundDeal

from ....models.saboteur.games import NAMES, played
from ...conftest import Sleuth
from ...play.scripts import Script, run

SETUP = ["Ann Bob Cid", "ann", "", "miner", "NES, ew, map, ns, break cart, NESW"]


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., str]:
    """What somebody is told who types these lines, in a file of their own."""

    def says(*lines: str, begun: bool = False, width: int = 120) -> str:
        script = Script([*(() if begun else SETUP), *lines], width=width)
        path = tmp_path / "game.jsonl"
        with Book(path, SaboteurAdviser()) as book:
            run(Advising(SaboteurAdviser(), book, path.with_suffix(".json"), script))
        return script.text

    return says


def test_a_whole_game_of_three_rounds_is_typed_and_is_the_record(
    told: Callable[..., str], tmp_path: Path
) -> None:
    game = saboteur("tight", players=4, rounds=3, pay="gold", hand=2, stock=3)
    record = SaboteurRecord.from_play(played(game, 3), players=NAMES[:4]).seen_by("Bob")
    first, *events = record.events
    assert isinstance(first, RoundDeal)
    rules = " ".join(f"{name}={value}" for name, value in record.settings.items())
    setup = ["Ann Bob Cid Dan", "bob", rules, first.role, ", ".join(first.hand)]
    # What the log says of an entry is understood where it is typed.
    lines = [said(event) if n % 2 else event.line for n, event in enumerate(events)]
    text = told(*setup, *lines, begun=True)
    assert "the game is over" in text
    assert SaboteurRecord.load(tmp_path / "game.json") == record


def test_the_belief_beside_a_table_is_the_belief_in_play(told: Callable[..., str]) -> None:
    game = saboteur(players=4)
    play = played(game, 5)
    seen = SaboteurRecord.from_play(play, players=NAMES[:4]).seen_by("Ann")
    first, *events = [event for event in seen.events if event.kind != "end"][:-1]
    assert isinstance(first, RoundDeal)
    settings = {"players": NAMES[:4], "me": "Ann", "rules": {}, "role": first.role,
                "hand": first.hand}  # fmt: skip
    table = MineTable.of(settings, [event.to_json() for event in events])
    again = SaboteurRecord.from_play(play).completed().play.begin(game)
    for action in table.replay.play.actions:
        again.apply(action) if again.player == 0 else again.apply(play.actions[len(again.actions)])
    view, belief = again.view(0), SaboteurBelief()
    posterior = belief.infer(view, again.seen_by(0))
    for number, (name, share) in enumerate(table.suspicion.items(), start=2):
        feature = belief.hidden(view)[f"role of player {number}"]
        assert posterior.marginal(feature).get(1, 0.0) == pytest.approx(share, abs=1e-12), name


@pytest.mark.usefixtures("plain_python")
def test_what_is_asked_is_answered(told: Callable[..., str]) -> None:
    text = told(
        "tell", "map left, saw stone, says stone, drew es", "bob broken lantern on ann", "who",
        "gold", "why bob", "why", "cid passes", "best", "hand", "mine", "help",
    )  # fmt: skip
    assert "map top     0.92" in text
    assert "Gold: middle 50 %, bottom 50 %." in text
    assert "Saboteur: Bob 67 %, Cid 17 %." in text
    assert "Ann says top is stone. You know: top is a stone." in text
    assert re.search(r"Bob breaks lantern of Ann +33 → 67 %", text)
    assert "Write 'why Bob'" in text
    assert "discard NES" in text
    assert "You are a miner. Your hand: NESW, NES, NS, EW, NW, break cart." in text
    assert "cid map left, says stone" in text


def test_the_card_drawn_is_asked_for_and_anything_can_be_corrected(
    told: Callable[..., str], tmp_path: Path
) -> None:
    text = told(
        "discard NES", "drew dead x", "dead n", "bob NES d7", "bob ESW d7",
        "cid map top, says gold", "discard map", "NS", "bob map top, says stone",
        "change 3 cid map middle, says gold",
        "change 1 drew NESW", "change 2 bob passes", "undo", "unsure 2", "remove 3", "undo",
        "setup me",
        "bob", "back", "log",
    )  # fmt: skip
    assert "1, which card did you draw?> dead n" in text
    assert "it does when it is turned: 'NSW d7'" in text
    assert "1: Ann discards NES, drew NESW" in text
    assert "so none can be left out" in text
    assert "Entry 3 cannot be true" in text
    assert "3: Cid looks at middle, says gold" in text
    value = json.loads((tmp_path / "game.json").read_text())
    assert value["events"][1] == {"type": "turn", "by": "Ann", "what": "discard NES",
                                  "drew": "NESW"}  # fmt: skip


@pytest.mark.parametrize(
    "saw, answers, said",
    [
        ("map middle, saw gold", [], "Cid lays ESW j7, middle is gold"),
        ("map top, saw stone", ["stone", "stone SW"], "Cid lays ESW j7, middle is stone SW"),
        ("map top, saw stone", ["middle is gold"], "Cid lays ESW j7, middle is gold"),
    ],
)
def test_a_goal_that_is_reached_is_asked_for_where_it_is_not_known(
    told: Callable[..., str], saw: str, answers: list[str], said: str
) -> None:
    setup = ["Ann Bob Cid Dan", *SETUP[1:]]
    way = ["bob NEW d7", "cid NEW e7", "dan NESW f7", "EW g7, drew ESW", "bob NEW h7",
           "cid NESW i7", "dan passes", "discard NS, drew NE", "bob passes",
           "cid ESW j7"]  # fmt: skip
    text = told(*setup, f"{saw}, drew NS", *way, *answers, "log", begun=True)
    assert ("is reached: gold, stone NW or stone SW?" in text) == bool(answers)
    assert ("which stone is the middle goal" in text.lower()) == ("stone" in answers)
    assert f"11: {said}" in text.partition("> log")[2]
    if said.endswith("stone SW"):
        assert "middle is stone NW" in told("change 11 middle is stone NW", "log", begun=True)


def test_gold_cards_are_taken_by_the_rules(told: Callable[..., str]) -> None:
    setup = ["Ann Bob Cid", "ann", "rules=tight hand=1 stock=5 rounds=2 saboteurs=1 pay=gold",
             "miner", "EW"]  # fmt: skip
    way = ["EW b3, drew NESW", "EW c3", "EW d3", "NESW e3, drew NES", "NESW f3", "NESW g3",
           "discard NES", "NESW h3, middle is gold"]  # fmt: skip
    text = told(*setup, *way, "Cid; Bob 3, Ann 1", "Cid; Bob 3 1, Ann", "Cid; Bob 3 1",
                "miner: map", begun=True)  # fmt: skip
    assert "who were the saboteurs, and who took which gold cards?" in text
    assert "Bob takes 2 of the 3 gold cards" in text
    assert "Gold cards have 1 to 3 nuggets" in text
    assert "Gold so far: Ann 0, Bob 4, Cid 0." in text
    assert "of which nothing was said are not counted" in text


def test_cards_that_cannot_be_are_told_with_their_entries(told: Callable[..., str]) -> None:
    text = told("map left, saw gold, drew map", "bob passes", "cid passes",
                "map middle, saw gold, drew NS")  # fmt: skip
    assert "no three goals are so: entry 1 says otherwise" in text.replace("\n", " ").lower()


def test_narrow_terminals_show_all(told: Callable[..., str]) -> None:
    text = told(
        "map left, saw stone, drew es", "bob broken lantern on ann", "who", "mine", width=40
    )
    said = [line for line in text.splitlines() if "sleuth" not in line]
    assert max(len(line) for line in said if ">" not in line) <= 40
    assert "looked" in text


def test_the_record_of_a_table_is_analysed(
    told: Callable[..., str], tmp_path: Path, sleuth: Sleuth
) -> None:
    told("map left, saw stone, says stone, drew es", "bob broken lantern on ann", "cid passes",
         "report")  # fmt: skip
    assert "<svg" in (tmp_path / "game.html").read_text()
    ran = sleuth("analyse", str(tmp_path / "game.json"), "--json", "--agent", "none")
    assert ran.code == 0
    found = ran.json()
    assert found["viewer"] == "Ann"
    last = {each["name"]: each["marginal"] for each in found["timeline"][-1]["hidden"]}
    assert {*last} == {"gold", "role of Bob", "role of Cid"}


# -- on a page


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[Phone]:
    made = Phone(tmp_path, "saboteur")
    made.fill("set players", {"1": "Ann", "2": "Bob", "3": "Cid"})
    made.touch("set me Ann")
    made.touch("set role miner")
    for card in ("NEW", "NES", "NES 2", "map", "EW", "NEW 2"):
        made.touch(f"pick {card}")
    yield made
    made.close()


def board(phone: Phone) -> Grid:
    (found,) = phone.panel("mine").parts
    assert isinstance(found, Grid)
    return found


def lines_of(grid: Grid) -> list[str]:
    return [tile.line for row in grid.rows for tile in row if isinstance(tile, Tile) and tile.line]


def test_a_turn_is_touched_in_the_mine(phone: Phone) -> None:
    phone.touch("set hand NEW, NES, NES 2, map, EW, NEW 2")
    phone.touch("do kind path")
    phone.touch("do card ESW")
    assert "do at d7" in lines_of(board(phone))
    phone.say("do at d7")
    phone.touch("do drew rockfall")
    (entry,) = phone.sitting.log.entries
    assert (entry["what"], entry["drew"]) == ("ESW d7", "rockfall")
    # Another's broken tool, whose card nobody has seen.
    phone.touch("do kind break")
    phone.touch("do tool lantern")
    phone.touch("do on Ann")
    phone.touch("do kind map")
    phone.touch("do goal top")
    phone.touch("do says gold")
    phone.touch("do kind discard")
    phone.touch("do card EW")
    phone.touch("do drew NS")
    said = [entry["what"] for entry in phone.sitting.log.entries]
    assert said == ["ESW d7", "break lantern Ann", "map top", "discard EW"]


def test_a_goal_that_is_reached_the_end_and_the_next_deal_are_touched(tmp_path: Path) -> None:
    phone = Phone(tmp_path, "saboteur")
    phone.fill("set players", {"1": "Ann", "2": "Bob", "3": "Cid"})
    phone.touch("set me Ann")
    phone.touch("set role miner")
    phone.touch("setup rules")
    settings = "rules=tight hand=1 stock=5 rounds=2 saboteurs=1 pay=gold"
    phone.fill("set rules", {"rules": settings})
    phone.touch("pick EW")
    phone.touch("set hand EW")
    path = [("EW", "b3", "NESW"), ("EW", "c3", ""), ("EW", "d3", ""), ("NESW", "e3", "NES"),
            ("NESW", "f3", ""), ("NESW", "g3", "")]  # fmt: skip
    for card, cell, drawn in path:
        phone.touch("do kind path")
        phone.touch(f"do card {card}")
        phone.touch(f"do at {cell}", panel="enter")
        if drawn:
            phone.touch(f"do drew {drawn}")
    phone.touch("do kind discard")
    phone.touch("do card NES")
    phone.touch("do kind path")
    phone.touch("do card NESW")
    phone.touch("do at h3", panel="enter")
    offered = [touch.line.split(" do ")[-1] for _, touch in phone.offered()]
    assert {"is middle gold", "is middle stone SW", "is middle stone NW"} <= {*offered}
    phone.touch("do is middle gold")
    phone.touch("do exposed Cid")
    # Who finished the way takes the first of three cards, and the last one.
    offered = [touch.line.split(" do ")[-1] for _, touch in phone.offered()]
    assert "took 3+1 Bob" in offered
    assert [each for each in offered if each.endswith(" Ann")] == [
        "exposed Ann", "took 3 Ann", "took 2 Ann", "took 1 Ann"
    ]  # fmt: skip
    phone.touch("do took 3+1 Bob")
    phone.touch("do took 2 Ann")
    phone.touch("do done")
    phone.touch("do role saboteur")
    phone.touch("do pick map")
    entries = phone.sitting.log.entries
    assert entries[-3]["turned"] == {"middle": "gold"}
    assert entries[-2] == {"type": "end", "saboteurs": ["Cid"],
                           "cards": {"Bob": [3, 1], "Ann": [2]}}  # fmt: skip
    assert entries[-1] == {"type": "deal", "player": "Ann", "role": "saboteur", "hand": ["map"]}
    assert "Round 2 of 2" in str(phone.panel("hand").parts[0])
    phone.close()
