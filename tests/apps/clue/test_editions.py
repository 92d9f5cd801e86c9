"""Games of each edition of Clue: analysed, compared, advised in a terminal and on a page."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from itertools import product
from math import comb, log2
from pathlib import Path
from typing import Any

import pytest

from benchmarks.whole.table_phone import Phone
from sleuth import SPECTATOR, Play, game
from sleuth.apps.kit.answers.values import Facts, Paragraph, Sheet
from sleuth.apps.kit.display import Sight, display
from sleuth.games.clue import Accusation, ClueDeclaration, ClueEdition, ClueRecord, edition, load
from sleuth.models.clue.editions import edition_names

from ..conftest import Ran, Sleuth
from ..games import shipped
from .advising.test_adviser import typed
from .editions import LIGHTHOUSE, played

NAMES = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe")
#: Every method and every whole game takes minutes.
ALL = "SLEUTH_FUZZ" in os.environ
#: Every box that comes with sleuth, and one of somebody's own, with a number of players.
BOXES = [*zip(edition_names(), (3, 3, 2, 7, 3, 3), strict=True), ("lighthouse", 3)]


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "lighthouse.json"
    path.write_text(json.dumps(LIGHTHOUSE), "utf-8")
    return path


@pytest.fixture
def box(name: str, own: Path) -> ClueEdition:
    return edition(str(own) if name == "lighthouse" else name)


@pytest.fixture
def record(box: ClueEdition, players: int) -> dict[str, Any]:
    """A few turns as the second player wrote them down; of which edition it is, it does not say."""
    whole = played(box, NAMES[:players], seed=players, turns=6)
    hands = whole.pop("hands")
    del whole["case_file"]
    for event in whole["events"]:
        if NAMES[1] not in (event["by"], event["refuter"]):
            event["shown"] = None
    return {**whole, "observer": NAMES[1], "own_hand": hands[NAMES[1]]}


@pytest.mark.parametrize("name, players", BOXES)
def test_a_record_of_any_edition_is_analysed(
    sleuth: Sleuth, write: Callable[..., Path], own: Path, box: ClueEdition,
    record: dict[str, Any], name: str, tmp_path: Path,
) -> None:  # fmt: skip
    given = ("--edition", own if name == "lighthouse" else name, "--suggestions", "3")
    path, page = write(record), tmp_path / "report.html"
    said = sleuth("analyse", path, *given, "--html", page)
    assert said.code == 0, said.err
    assert ("Edition:" in said.out) == (name != "classic")
    found = sleuth("analyse", path, *given, "--json").json()
    assert [*found["marginals"]] == [*box.cards]
    written = {**record, "cards": {kind: [*cards] for kind, cards in box.categories.items()}}
    seen = ClueRecord.from_json(written).seen_by(NAMES[1])
    belief = ClueDeclaration(seen)
    exact = belief.infer(seen).table(belief.cards)
    for card, shares in found["marginals"].items():
        expected = {who: share for who, share in exact[card].items() if share > 0.0}
        assert shares == pytest.approx(expected, abs=1e-9)
    assert len(found["suggestions"]) == 3
    html = page.read_text("utf-8")
    assert f"{log2(box.triples):.2f}" in html
    assert all(f">{card}<" in html for card in box.cards)


@pytest.mark.parametrize("name, players", BOXES if ALL else [("junior", 7), ("lighthouse", 3)])
def test_methods_are_compared_on_any_edition(
    sleuth: Sleuth, write: Callable[..., Path], own: Path, record: dict[str, Any], name: str
) -> None:
    given = ("--edition", own if name == "lighthouse" else name)
    methods = ("--methods", "card_by_card,metropolis", "--samples", "200", "--event", "2")
    found = sleuth("compare", write(record), *given, *methods, "--json")
    assert found.code == 0, found.err
    assert "card_by_card" in found.out


@pytest.mark.parametrize("name, players", BOXES)
def test_a_game_of_any_edition_is_advised_in_a_terminal(
    advise: Callable[..., Ran], sleuth: Sleuth, tmp_path: Path, own: Path, box: ClueEdition,
    record: dict[str, Any], name: str,
) -> None:  # fmt: skip
    written = {**record, "cards": {kind: [*cards] for kind, cards in box.categories.items()}}
    seen = ClueRecord.from_json(written).seen_by(NAMES[1])
    belief = ClueDeclaration(seen)
    path = tmp_path / "evening.jsonl"
    answer = str(own) if name == "lighthouse" else name.replace("_", " ")
    set_up = [answer, " ".join(record["players"]), "bob", "", ", ".join(record["own_hand"])]
    dice = ["1"] if box.board else []
    best = f"best {box.rooms[0]}"
    ran = advise("clue", path, typed=[*set_up, *dice, *typed(seen), best, "notebook", "log"])
    assert ran.code == 0, ran.err
    left = belief.infer(seen).entropy(belief.case_file)
    assert f"Case file: {left:.2f} bits open" in ran.out
    assert f", {box.rooms[0]}  " in ran.out.split(f"> {best}\n")[1]
    saved = load(tmp_path / "evening.json")
    assert saved.edition.cards == box.cards
    assert saved.seen_by(NAMES[1]).events == seen.events
    # What was saved says itself of which edition it is.
    again = sleuth("analyse", tmp_path / "evening.json", "--json").json()
    assert again["timeline"][-1]["entropy_bits"] == pytest.approx(left, abs=1e-9)


@pytest.mark.parametrize("name, players", BOXES)
def test_a_game_of_any_edition_is_entered_on_the_page(
    tmp_path: Path, box: ClueEdition, record: dict[str, Any], name: str
) -> None:
    phone = Phone(tmp_path)
    try:
        phone.touch("setup edition")
        if name == "lighthouse":
            phone.fill("set edition", {"line": json.dumps(LIGHTHOUSE)})
        else:
            phone.touch(f"set edition {name}")
        settings = {
            "players": record["players"], "me": NAMES[1], "sizes": record["hand_sizes"],
            "faceup": [], "hand": record["own_hand"],
        }  # fmt: skip
        phone.set_up(settings)
        for event in record["events"]:
            phone.enter(event)
        assert len(phone.sitting.log.entries) == len(record["events"])
        (notebook,) = phone.panel("notebook").parts
        assert isinstance(notebook, Sheet)
        cards = {row[0] for row in notebook.rows if isinstance(row[0], str)}
        assert cards == set(box.cards)
        phone.killed()
        assert len(phone.sitting.log.entries) == len(record["events"])
        made = ClueRecord.from_json(json.loads(phone.sitting.download(0, "record").here()))
        assert made.edition.cards == box.cards
    finally:
        phone.close()


@pytest.mark.parametrize("name", edition_names()[1:] if ALL else ["junior", "simpsons"])
def test_the_shipped_game_of_an_edition_is_won_by_who_was_advised(
    advise: Callable[..., Ran], tmp_path: Path, name: str
) -> None:
    record = load(shipped(f"edition_{name}.json"))
    assert record.edition == edition(name)
    last, case_file = record.events[-1], record.case_file
    assert isinstance(last, Accusation)
    assert case_file is not None
    winner = last.by
    seen = record.seen_by(winner)
    set_up = [name, ", ".join(seen.players), winner, "", ", ".join(seen.own_hand)]
    ran = advise("clue", tmp_path / "game.jsonl", typed=[*set_up, *typed(seen)[:-1], "ready"])
    assert "Accuse {}, {} and {}: it is certain.".format(*case_file) in ran.out


def test_probabilities_of_master_detective_are_those_of_counting_deals() -> None:
    """Deals are counted by the places of the three cards that were named; the rest is alike."""
    record = ClueRecord.from_json({
        "game": "clue", "players": ["a", "b", "c", "d"], "hand_sizes": [7, 7, 7, 6],
        "observer": "a",
        "own_hand": [
            "plum", "gray", "brunette", "lead pipe", "dining room", "kitchen", "studio"
        ],
        "events": [
            {"type": "suggest", "by": "b", "cards": ["rose", "wrench", "courtyard"],
             "refuter": "d", "shown": None}
        ],
    })  # fmt: skip
    assert record.edition.name == "master_detective"
    # Suspects, weapons and rooms that a does not hold; b and d may hold the three, c passed.
    unknown, total = (7, 7, 9), 0
    named: list[dict[str, int]] = [{"b": 0, "d": 0, "case file": 0} for _ in unknown]
    for places in product(("b", "d", "case file"), repeat=3):
        if "d" not in places:
            continue
        b, d = 7 - places.count("b"), 6 - places.count("d")
        files = 1
        for place, cards in zip(places, unknown, strict=True):
            files *= 1 if place == "case file" else cards - 1
        deals = files * comb(b + 7 + d, b) * comb(7 + d, d)
        total += deals
        for found, place in zip(named, places, strict=True):
            found[place] += deals
    assert total == 14_501_051_136
    game = record.seen_by("a")
    belief = ClueDeclaration(game)
    for choice in ("random", "ignored"):
        belief = ClueDeclaration(game, choice)
        shares = belief.infer(game).table(belief.cards)
        for card, found in zip(("rose", "wrench", "courtyard"), named, strict=True):
            for holder, deals in found.items():
                assert shares[card][holder] == pytest.approx(deals / total, abs=1e-12)
        others = (total - named[0]["case file"]) / total / (unknown[0] - 1)
        assert shares["peach"]["case file"] == pytest.approx(others, abs=1e-12)


def test_names_of_a_box_are_understood_as_people_write_them(
    advise: Callable[..., Ran], tmp_path: Path
) -> None:
    set_up = ["master", "Ada Bob Cleo", "ada", "9 9 9"]
    hand = "Lady Peach, Sgt. Grey, Mrs. White, horse shoe, gun, trophy, carriage, Fountain, gazebo"
    lines = ["M. Brunette, spanner, drawing room: Bob", "mme. rose, poison, courtyard: Bob rose"]
    ran = advise("clue", tmp_path / "game.jsonl", typed=[*set_up, hand, *lines[1:], "log"])
    assert "Ada suggests rose, poison and courtyard: Bob shows rose" in ran.out, ran.out
    assert "Clue Master Detective: 10 suspects, 8 weapons, 12 rooms" in ran.out


@pytest.mark.parametrize("line, said", [
    ("moon", "No such edition (got 'moon')"),
    ("nowhere.json", "nowhere.json"),
    ("mastr detective", "No such edition"),
    ("suspect: ann, ben; weapon: rope, poison", "room: this is missing"),
    ("suspect: ann, ben; weapon: rope, rope; room: attic, cellar", "stands here twice"),
    ("suspect: ann, ben; weapon rope; room: attic, cellar", "these are no cards of a kind"),
    ('{"name": "x", "cards": {"suspect": ["a"]}}', "2"),
])  # fmt: skip
def test_what_is_no_edition_is_refused_and_asked_again(
    advise: Callable[..., Ran], tmp_path: Path, line: str, said: str
) -> None:
    ran = advise("clue", tmp_path / "game.jsonl", typed=[line, "", "Ada Bob", "ada"])
    assert said.casefold() in ran.out.casefold(), ran.out
    assert ran.out.count("which box") == 2
    assert "cards of Ada, Bob, or 'unknown' (empty: 9 9)" in ran.out


def test_cards_of_an_own_box_can_be_written_down(
    advise: Callable[..., Ran], tmp_path: Path
) -> None:
    cards = "suspects: Ann, Ben, Cid; weapons: rope and poison; rooms: Attic, boat house"
    ran = advise("clue", tmp_path / "game.jsonl", typed=[cards, "Ada Bob", "ada", "", "ben attic"])
    assert "your own box: 3 suspects, 2 weapons, 2 rooms" in ran.out
    ran = advise("clue", tmp_path / "game.jsonl", typed=["ann rope boat nobody", "quit"])
    assert "Ada suggests ann, rope and boat house: nobody can refute" in ran.out


def test_an_own_box_is_shown_in_words(
    advise: Callable[..., Ran], tmp_path: Path, own: Path
) -> None:
    ran = advise("clue", tmp_path / "game.jsonl", typed=[str(own), "setup", "quit"])
    shown = ran.out.split("> setup")[1]
    title = json.loads(own.read_text("utf-8"))["title"]
    assert f"edition: {title} (" in shown
    assert " suspects, " in shown
    assert "cards=" not in shown


def test_another_box_makes_what_was_dealt_asked_for_again(
    advise: Callable[..., Ran], tmp_path: Path
) -> None:
    first = ["", "Ada Bob Cleo", "ada", "", "green rope hall study lounge library", "1"]
    then = ["setup edition", "2008", "", "green rope hall spa patio theater axe"]
    ran = advise("clue", tmp_path / "game.jsonl", typed=[*first, *then, "notebook"])
    assert "What this changes is asked for again: sizes, faceup and hand." in ran.out
    assert "observatory" in ran.out.split("> notebook")[1]


def test_a_file_on_the_server_is_not_opened_for_a_page(tmp_path: Path, own: Path) -> None:
    phone = Phone(tmp_path)
    try:
        phone.touch("setup edition")
        with pytest.raises(Exception, match="no such edition"):
            phone.fill("set edition", {"line": str(own)})
    finally:
        phone.close()


def test_what_a_record_says_goes_before_the_option(
    sleuth: Sleuth, write: Callable[..., Path]
) -> None:
    record = {**played(edition("junior"), NAMES[:2], 1, turns=2), "edition": "junior"}
    assert "Clue Junior" in sleuth("analyse", write(record), "--edition", "2008").out
    ran = sleuth("analyse", write(record), "--edition", "moon")
    assert ran.code == 2
    assert "edition: no such edition (got 'moon')" in ran.err


def test_a_play_without_a_board_is_shown_by_the_names_of_its_edition(plain_python: None) -> None:
    play = Play.new(game("clue_table", players=2, edition="junior"), seed=4)
    box = edition("junior")
    play.apply(box.number_of(("plum", "cola", "3:00")))
    while play.player != 0 or play.game.action_name(int(play.legal()[0])).startswith("show"):
        play.apply(int(play.legal()[0]))
    looks_on = play.view(SPECTATOR), play.seen_by(SPECTATOR)
    sight = Sight(play.view(0), play.seen_by(0), *looks_on, (0,))
    shown = display(play.game)
    said = shown.sentence(sight, 0)
    assert "suggest plum, cola and 3:00" in said
    hand = [card for card in box.cards if play.view(0).states[0].holder[box.position[card]] == 0]
    (words,) = (part for part in shown.situation(sight) if isinstance(part, Paragraph))
    assert f"Your hand: {', '.join(hand)}" in words.text
    (moves,) = shown.moves(sight)
    assert isinstance(moves, Paragraph)
    assert "apple juice, chocolate milk, cola, lemonade, water" in moves.text
    (laid,) = shown.laid_open(sight)
    assert isinstance(laid, Facts)
    (drawn,) = shown.drawn_belief(sight)
    assert isinstance(drawn, Sheet)
    assert {row[0] for row in drawn.rows if isinstance(row[0], str)} == set(box.cards)
