"""Beside a table of Scotland Yard: whole games, contradictions, corrections, plans, and files."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sleuth.apps.kit.advising.book import Book
from sleuth.apps.kit.advising.ranking import leading
from sleuth.apps.kit.advising.session import Advising
from sleuth.apps.kit.number_words import number
from sleuth.apps.scotland_yard.advising import answers
from sleuth.apps.scotland_yard.advising.adviser import HuntAdviser
from sleuth.apps.scotland_yard.advising.table import HuntSetup
from sleuth.errors import ContradictionError
from sleuth.games.scotland_yard import HiderMove, ScotlandYardRecord
from sleuth.models.scotland_yard.advice.win_rates import FEW
from sleuth.models.scotland_yard.events import HuntEvent
from sleuth.models.scotland_yard.record.record import load
from sleuth.models.scotland_yard.record.seen import SPECTATOR

from ...conftest import Sleuth
from ...play.scripts import Script, run
from ..hunts import analyse

GAMES = Path(__file__).parents[4] / "data" / "scotland_yard" / "games"
FILE = "agents_caught_early.json"
SETUP = ["13 26 29 34 50", "", ""]
#: A first round: Mr. X by taxi, and all detectives.
ROUND = ["t", "taxi 23", "39", "t 41", "47", "49"]


@pytest.fixture
def told(tmp_path: Path) -> Callable[..., str]:
    """What somebody is told who types these lines, in a file of their own."""

    def says(*lines: str, name: str = "game.jsonl", begun: bool = False, width: int = 120) -> str:
        script = Script([*(() if begun else SETUP), *lines], width=width)
        path = tmp_path / name
        with Book(path, HuntAdviser()) as book:
            run(Advising(HuntAdviser(), book, path.with_suffix(".json"), script))
        return script.text

    return says


def typed(record: ScotlandYardRecord) -> list[str]:
    """What a detective types during a game, in few letters."""
    lines: list[str] = []
    for seen in record.seen_by(SPECTATOR).events:
        event = seen.event
        letter = {"taxi": "t", "bus": "b", "underground": "u", "black": "x"}[event.ticket]
        words = [letter, *([] if event.to is None else [str(event.to)])]
        if isinstance(event, HiderMove):
            lines.append(" ".join([*words, *(["double"] if event.double else [])]))
            continue
        lines.append(" ".join([*words, *(["caught"] if event.caught else [])]))
    return lines


def setup_of(record: ScotlandYardRecord) -> list[str]:
    settings = dict(record.settings)
    black = settings.pop("black_fares", 5)
    rules = [
        f"{name}={','.join(map(str, value)) if isinstance(value, (list, tuple)) else value}"
        for name, value in settings.items()
        if name != "seekers"
    ]
    return [" ".join(map(str, record.seekers)), str(black), " ".join(rules)]


def test_a_whole_game_is_followed_and_becomes_a_record_to_analyse(
    advise: Any, sleuth: Sleuth, tmp_path: Path
) -> None:
    """Whatever was typed gives what an analysis of the recorded game says a spectator knew."""
    record, path = load(GAMES / FILE).without_truth(), tmp_path / "game.jsonl"
    ran = advise("scotland-yard", path, typed=[*setup_of(record), *typed(record), "log"])
    assert ran.code == 0, ran.err
    kept = load(path.with_suffix(".json")).seen_by(SPECTATOR)
    assert kept.observations == record.seen_by(SPECTATOR).observations
    assert kept.seekers == record.seekers
    known = analyse(record, SPECTATOR)
    counts = [moment.detail.possible for moment in known.timeline[1:] if moment.detail.possible > 1]
    said = re.findall(r"(?:Mr\. X may be at|Still) (\w+) stations", ran.out)
    assert said == [number(count, "station").split()[0] for count in counts]
    assert "The game is over: the detectives have won." in ran.out
    found = sleuth("analyse", path.with_suffix(".json"), "--json").json()
    assert found["events"] == len(record.events)


def test_what_the_adviser_knows_is_what_the_record_tells_a_spectator() -> None:
    record = load(GAMES / FILE).without_truth()
    events: tuple[HuntEvent, ...] = record.events[:20]
    black = record.game.settings["black_fares"]
    settings = {"seekers": [*record.seekers], "black_fares": black, "rules": {}}
    table = HuntSetup.of(settings, [event.to_json() for event in events])
    moment = analyse(record, SPECTATOR).timeline[20]
    np.testing.assert_allclose(table.stations, moment.detail.stations, atol=1e-12)
    assert table.record.events == events


def test_best_says_what_every_detective_should_do(told: Callable[..., str]) -> None:
    setup = ("13 26 29", "", "")
    lines = (*ROUND[:4], "u", "best", "taxi 37", "best")
    said = told(*setup, *lines, begun=True).split("> best\n")[1:]
    assert "seeker 1 to" in said[0]
    rows = re.findall(r"^ *(\d+) +(taxi|bus|underground) +(\d+) ", said[0], re.MULTILINE)
    assert rows
    assert [int(rank) for rank, _, _ in rows] == sorted(int(rank) for rank, _, _ in rows)
    for seeker in (2, 3):
        assert f"seeker {seeker} by " in said[0].split("If nobody is found, then")[1]
    assert "seeker 2 to" in said[1]
    assert "seeker 1 " not in said[1].split("If nobody is found")[1]


def test_a_sure_catch_is_named(tmp_path: Path) -> None:
    """Mr. X surfaces beside a detective, and there is nothing to plan after that."""
    record = load(GAMES / FILE).without_truth()
    lines = [*setup_of(record), *typed(record)]
    assert lines[-1].endswith(" caught")
    script = Script([*lines[:-1], "best"], width=120)
    with Book(tmp_path / "game.jsonl", HuntAdviser()) as book:
        run(Advising(HuntAdviser(), book, tmp_path / "game.json", script))
    where = lines[-1].split()[1]
    chance = re.findall(rf"would find them at {where} \(\w+\) with (\S+) %\.", script.text)
    assert chance
    best = script.text.split("> best\n")[1]
    assert re.search(rf"^ *1 +\w+ {where} .*{chance[-1]} %", best, re.MULTILINE)


def test_a_search_promises_no_wins(
    told: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its values were 98 % for every move of a hunt that was lost. Games that were played count."""
    monkeypatch.setattr(answers, "AGENT", "mcts:simulations=50")
    (three,) = told("13 26 29", "", "", "t", "best", begun=True).split("> best\n")[1:]
    assert "±" not in three
    assert "was not measured" in three
    (five,) = told("t", "best", name="five.jsonl").split("> best\n")[1:]
    said = " ".join(five.split())
    assert "±" not in said
    found = re.search(
        r"The programs reached such a position in (\d+) games \(rounds 1 to 3, 41 or more "
        r"possible stations\)\. Detectives won (\d+) % \((\d+) to (\d+) %\) of them\.",
        said,
    )
    assert found
    games, rate, low, high = map(int, found.groups())
    assert games >= FEW
    assert low <= rate <= high


def test_what_the_search_cannot_tell_apart_shares_its_rank() -> None:
    def report(value: float, margin: float) -> Any:
        return SimpleNamespace(value=value, interval=(value - margin, value + margin))

    first, near, far = report(0.5, 0.1), report(0.35, 0.1), report(0.1, 0.1)
    assert leading([first, near, far]) == 2
    assert leading([first, far, near]) == 1
    assert leading([report(math.nan, 0.0)]) == 1


def test_contradictions_name_the_entries_and_can_be_corrected(
    told: Callable[..., str], tmp_path: Path
) -> None:
    rounds = [*ROUND, "u", "37", "51", "54", "46", "66"]
    said = told(*rounds, "t 168", "where", "24", "change 7 t", "where")
    parts = said.split("> where\n")
    for part in parts[:2]:
        assert "Entries 7 and 13 cannot all be true" in part
        assert "  7: Mr. X: underground" in part
        assert "  13: Mr. X: taxi, and is seen at 168" in part
        assert "Until then nothing can be worked out." in part
    # The game went on, and what was entered meanwhile counts.
    assert "14: seeker 1: taxi to 24" in said
    assert load(tmp_path / "game.json").events[-1].to_json()["to"] == 24
    assert "Mr. X is at 168." in said.split("> change 7 t\n")[1]


def test_a_correction_that_makes_later_moves_impossible_says_which(
    told: Callable[..., str], tmp_path: Path
) -> None:
    said = told(*ROUND, "u", "37", "change 2 bus 52", "51", "undo", "51")
    wrong = said.split("> change 2 bus 52\n")[1]
    assert "Mr. X may be" not in wrong.split("> undo")[0]
    assert "Entry 8 cannot be true" in wrong
    assert "9, seeker 2 goes from 39 to> 51" in wrong
    assert len(load(tmp_path / "game.json").events) == 9


def test_lines_that_mean_nothing_change_nothing(told: Callable[..., str], tmp_path: Path) -> None:
    lines = ("46", "fly", "t 46", "t t", "b", "t", "23", "200", "46 double", "was 46")
    said = told(*lines)
    for words in (
        "It is the turn of Mr. X",
        "No such word (got 'fly')",
        "Nobody saw where this move led",
        "One ticket and one station make a move",
        "It is the turn of seeker 1",
        "Several tickets lead there (got 23); write taxi 23 or bus 23.",
        "There is no such station (got '200')",
        "The game goes on after this move",
    ):
        assert words in said, words
    assert "1: Mr. X: bus." in said  # a letter is enough


def test_undo_and_resume_at_any_line(told: Callable[..., str], tmp_path: Path) -> None:
    whole = told(*ROUND, "log", name="whole.jsonl").split("> log\n")[1]
    told(ROUND[0])
    for line in ROUND[1:]:
        assert "already; 'log' lists" in told(line, begun=True)
    said = told("x", "undo", "log", begun=True)
    assert "Taken back: Mr. X: black." in said
    assert said.split("> log\n")[1].split("Everything")[0] == whole.split("Everything")[0]
    one, other = ((tmp_path / f"{name}.json").read_text() for name in ("whole", "game"))
    assert one == other


def test_a_game_that_mr_x_cannot_go_on_with_ends_where_they_were(told: Callable[..., str]) -> None:
    said = told(*ROUND, "was 400", "was 105")
    assert "6: seeker 5: taxi to 49; Mr. X was at 105" in said
    assert "6, the game is over" in said


def test_after_the_last_move_the_game_is_over(told: Callable[..., str], tmp_path: Path) -> None:
    said = told("13", "", "rounds=1 reveals=1", "t 99", "taxi 24", "taxi 4", begun=True)
    assert "1, Mr. X, move 1, and surfaces> t 99" in said
    assert "The game is over: Mr. X got away." in said
    assert "2, the game is over> taxi 4" in said
    assert "The game is over; write 'undo' if it is not." in said
    assert load(tmp_path / "game.json").replayed.over


def test_the_start_is_refused_where_the_rules_refuse_it(told: Callable[..., str]) -> None:
    script = ["13 14", "13 13", "13 900", "1 2 3 4 5 6", "a", "13 26", "", "lives=3", "rounds=22"]
    said = told(*script, "t", begun=True)
    assert "No player can start there" in said
    assert "and seeker 1 starts there" in said
    assert "This must be 199 at most (got 900)" in said
    assert "There are 1 to 5 detectives" in said
    assert "Whole numbers are needed" in said
    assert "No such rule (got 'lives=3')" in said
    assert "1: Mr. X: taxi." in said


#: A game of the newer box in which Mr. X came from 45 by 32 and 19 to 9.
NEWER = ["later", "29 50", "", "", "t", "16", "37", "t", "28", "23", "t 9"]


def test_a_game_of_the_newer_box_is_followed_and_analysed(
    advise: Any, sleuth: Sleuth, tmp_path: Path
) -> None:
    path = tmp_path / "newer.jsonl"
    ran = advise("scotland-yard", path, typed=[*NEWER, "where", "pieces", "setup"])
    assert ran.code == 0, ran.err
    assert "Mr. X starts at one of 35 45 51 71 78 104 106 127 132 146 166 170 172." in ran.out
    assert "black fares of Mr. X (empty: 5)> " in ran.out
    assert "Mr. X is at 9." in ran.out
    assert "edition: later\n" in ran.out
    record = load(path.with_suffix(".json"))
    assert record.game.settings["edition"] == "later"
    assert record.game.settings["seeker_tickets"] == [11, 8, 4]
    found = sleuth("analyse", path.with_suffix(".json"), "--json").json()
    assert found["timeline"][0]["possible"] == 13
    assert found["timeline"][-1]["stations"] == {"9": 1.0}
    compared = sleuth("compare", path.with_suffix(".json"), "--json").json()
    assert compared["exact"] == "forward_filter"
    assert compared["methods"]["particles"]["tv"] < 0.1


def test_start_cards_of_the_other_box_are_recognised(told: Callable[..., str]) -> None:
    said = told("", "123 29", "setup edition", "newer", "123 29", "", "", "t", begun=True)
    assert "No player can start there" in said
    assert "start cards of the later box; if it is yours write 'setup edition'" in said
    assert "1: Mr. X: taxi." in said


def test_with_another_box_the_starts_are_asked_for_again(told: Callable[..., str]) -> None:
    said = told("setup edition", "later", "13 26 29 34 50", "", "setup", "setup seekers", "132")
    assert "edition: later\n" in said
    assert "No detective can start there" in said


@pytest.mark.parametrize("rules", [{"rounds": 9}, {"edition": "later"}])
def test_a_table_set_up_before_boxes_were_asked_for_goes_on(
    told: Callable[..., str], tmp_path: Path, rules: dict[str, Any]
) -> None:
    with Book(tmp_path / "game.jsonl", HuntAdviser()) as book:
        for key, value in (("seekers", [132, 26]), ("black_fares", 2), ("rules", rules)):
            book.set_up(key, value)
        book.add({"by": "hider", "ticket": "taxi"})
    said = told("setup", "undo", "t", begun=True)
    assert f"edition: {rules.get('edition', 'classic')}\n" in said
    assert "which box" not in said
    assert "The log has no entries now." in said
    assert "1: Mr. X: taxi." in said


@pytest.mark.parametrize("line", ["13, 26, 29, 34 and 53", "13; 26; 29; 34; 53"])
def test_stations_may_be_listed_as_in_a_sentence(told: Callable[..., str], line: str) -> None:
    assert "seekers: 13, 26, 29, 34, 53\n" in told("setup seekers", line, "setup")


def test_with_more_detectives_black_fares_are_asked_for_again(told: Callable[..., str]) -> None:
    said = told("setup seekers", "13 26 29", "2", "setup", "setup seekers", "13 26 29 34 53", "",
                "setup")  # fmt: skip
    fewer, more = said.split("> setup\n")[1:]
    assert "black_fares: 2\n" in fewer
    assert "black fares of Mr. X (empty: 5, one for each detective)>" in fewer
    assert "black_fares: 5\n" in more


def test_rules_that_differ_are_said_back(told: Callable[..., str]) -> None:
    said = told("setup rules", "double_moves=1 rounds=3 reveals=2,3")
    assert "Played otherwise: double moves 1; rounds 3; reveals 2 and 3.\n" in said


def test_stations_may_be_asked_for_as_the_map_names_them(told: Callable[..., str]) -> None:
    said = told(*ROUND, "map t46", "why t46", "why bu46?", "why 46")
    assert "There is no such station" not in said
    assert len(set(re.findall(r"Mr\. X (?:may|cannot) be at 46.*", said))) == 1


def test_where_pieces_stand_is_shown_whatever_contradicts(told: Callable[..., str]) -> None:
    said = told(*ROUND, "u", "37", "change 2 bus 52", "pieces", "map", "where")
    standing = said.split("> pieces\n")[1].split("> map")[0]
    assert re.search(r"seeker 1 +52", standing)
    assert "This is how it was before entry 8, which cannot be true." in standing
    assert said.count("Until then nothing can be worked out.") == 2


def test_why_names_the_entries_that_rule_a_station_out(told: Callable[..., str]) -> None:
    said = told(*ROUND, "why 47", "why 13", "why 46", "why x")
    assert re.search(r"Mr\. X cannot be at 47, by entr(y|ies) [\d, and]+\.", said)
    assert "There is no such station" in said


def test_the_page_of_the_game_can_be_written(told: Callable[..., str], tmp_path: Path) -> None:
    said = told(*ROUND, "report")
    assert f"  {tmp_path / 'game.html'}" in said
    assert "Mr. X was best hidden" in (tmp_path / "game.html").read_text()


def test_pictures_fit_a_narrow_terminal(told: Callable[..., str]) -> None:
    said = told(*ROUND, "map 46", "map", "pieces", "where", "help", width=60)
    assert max(map(len, said.split("Everything")[0].splitlines())) <= 60


def test_a_table_after_an_impossible_move_names_it() -> None:
    settings = {"seekers": [13, 26], "black_fares": 2, "rules": {}}
    entries = [{"by": "hider", "ticket": "taxi"}, {"by": "seeker 1", "ticket": "taxi", "to": 100}]
    with pytest.raises(ContradictionError) as refused:
        HuntSetup.of(settings, entries)
    assert refused.value.evidence == (2,)


def test_a_box_that_is_asked_for_again_may_stay(told: Callable[..., str]) -> None:
    said = told("setup edition", "")
    assert (
        "which box: classic (18 start cards) or later (29, with D or X) (empty: as it was)>" in said
    )
