"""Advice on a page: games that were recorded, entered by touches alone."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks.whole.table_phone import Phone, recorded, seen_of
from sleuth.apps.clue.advising.adviser import ClueAdviser
from sleuth.apps.clue.advising.table import HOUSE
from sleuth.apps.kit.advising.book import Book
from sleuth.apps.kit.answers.values import Paragraph, Sheet, Touch
from sleuth.apps.table.advice.addressing import touches_of
from sleuth.beliefs.games.clue.declaration import ClueDeclaration
from sleuth.data.errors import SleuthError
from sleuth.models.clue.events import Suggestion
from sleuth.models.clue.house_rules import HouseRules
from sleuth.models.clue.record.record import ClueRecord
from sleuth.models.clue.simulate import simulate


def believed(settings: Mapping[str, Any], events: list[dict[str, Any]]) -> dict[str, Any]:
    """Who has which card by the analysis of a record."""
    written = {
        "game": "clue", "players": settings["players"], "hand_sizes": settings["sizes"],
        "observer": settings["me"], "face_up": settings["faceup"], "own_hand": settings["hand"],
        "events": events,
    }  # fmt: skip
    seen = ClueRecord.from_json(written).seen_by(settings["me"])
    belief = ClueDeclaration(seen)
    return belief.infer(seen).table(belief.cards)


def shown(phone: Phone) -> dict[tuple[str, str], str]:
    """The cells of the notebook, by card and holder."""
    (notebook,) = phone.panel("notebook").parts
    assert isinstance(notebook, Sheet)
    heads = [column.heading for column in notebook.columns]
    found: dict[tuple[str, str], str] = {}
    for row in notebook.rows:
        for head, cell in zip(heads, row, strict=True):
            if head and isinstance(row[0], str):
                assert isinstance(cell, Touch | Paragraph | str)
                found[row[0], head] = cell if isinstance(cell, str) else cell.text
    return found


@pytest.fixture
def phone(tmp_path: Path) -> Iterator[Phone]:
    made = Phone(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize("name, viewer, file", [
    ("neller_main", "scarlet", "peacock, lead pipe, billiard room"),
    ("ledford_05", "Player1", "plum, candlestick, library"),
])  # fmt: skip
def test_a_recorded_game_is_entered_by_touches_and_ends_in_the_right_accusation(
    phone: Phone, name: str, viewer: str, file: str
) -> None:
    settings, events = recorded(name, viewer)
    phone.set_up(settings)
    assert phone.touches <= 11
    phone.touches = 0
    wrong = next(
        n for n, e in enumerate(events) if n >= 3 and viewer not in (e["by"], e["refuter"])
    )
    rng = np.random.default_rng(1)
    for number, event in enumerate(events):
        if number == 6:
            continue  # It was forgotten.
        if number == wrong:
            other = next(card for card in ("rope", "wrench", "knife") if card not in event["cards"])
            phone.enter({**event, "cards": [event["cards"][0], other, event["cards"][2]]})
        else:
            phone.enter(event)
        if number == 9:
            # The one before was wrong, and is entered anew.
            phone.touch("undo")
            phone.enter(event)
        if number == 8:
            phone.touch("entry 7")
            phone.touch("insert 7")
            phone.enter(events[6])
        if number == wrong + 8:
            place = wrong + 1
            phone.touch(f"entry {place}")
            phone.touch(f"do card {event_card(events[wrong])}")
            phone.touch("done")
        if rng.random() < 0.3:
            phone.killed()
    assert phone.touches / len(events) <= 5.0
    entered = phone.sitting.log.entries
    assert [*map(dict, entered)] == [
        {key: event[key] for key in ("type", "by", "cards", "refuter", "shown")} for event in events
    ]
    (said,) = phone.panel("file").parts
    assert said == Paragraph(f"It is {file}: accuse.", "strong")
    assert file.split(", ")[0].encode() in phone.sitting.download(0, "report").here()
    share = believed(settings, events)
    for (card, holder), words in shown(phone).items():
        expected = share[card].get(holder, 0.0)
        assert words == ("✓" if expected == 1.0 else "–" if expected == 0.0 else words)
        if words not in "✓–":
            assert float(words) == pytest.approx(100 * expected, abs=0.5)


def event_card(event: Mapping[str, Any]) -> str:
    """The weapon of a suggestion."""
    return event["cards"][1]


def begun(phone: Phone, count: int) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A recorded game of which some events are entered."""
    settings, events = recorded("neller_main", "scarlet")
    phone.set_up(settings)
    for event in events[:count]:
        phone.enter(event)
    return settings, events


def test_what_is_touched_again_and_again_while_the_server_is_killed_counts_once(
    phone: Phone,
) -> None:
    settings, events = recorded("neller_main", "scarlet")
    rng = np.random.default_rng(2)
    say = phone.say

    def often(line: str, blanks: Mapping[str, str] | None = None) -> str:
        before = phone.path.stat().st_size
        said = say(line, blanks)
        if rng.random() < 0.5:
            # All of what this touch wrote was lost, or a part of it, or nothing.
            written = phone.path.stat().st_size - before
            phone.killed(int(rng.integers(0, written + 1)) if written else 0)
        phone.say_again()
        phone.say_again()
        return said

    phone.say = often
    phone.set_up(settings)
    for event in events[:8]:
        phone.enter(event)
    entered = [dict(entry) for entry in phone.sitting.log.entries]
    assert [entry["cards"] for entry in entered] == [event["cards"] for event in events[:8]]
    assert [entry["refuter"] for entry in entered] == [event["refuter"] for event in events[:8]]


def test_a_draft_is_there_again_after_the_server_was_killed(phone: Phone) -> None:
    begun(phone, 2)
    phone.touch("do card plum")
    phone.touch("do card kitchen")
    before = [panel for panel in phone.sitting.panels(0) if panel.name == "enter"]
    phone.killed()
    assert [panel for panel in phone.sitting.panels(0) if panel.name == "enter"] == before
    assert phone.presses("do card plum")
    assert not phone.presses("do card rope")


def test_a_touch_that_comes_after_the_entry_it_belongs_to_changes_nothing(phone: Phone) -> None:
    begun(phone, 1)
    lines = [touch.line for _, touch in phone.offered() if touch.line.endswith("do card rope")]
    phone.enter(recorded("neller_main", "scarlet")[1][1])
    for line in lines:
        phone.say(line)
    assert not phone.presses("do card rope")


def test_undo_takes_back_what_was_touched_and_then_what_was_entered(phone: Phone) -> None:
    begun(phone, 2)
    phone.touch("do card plum")
    phone.touch("undo")
    assert not phone.presses("do card plum")
    assert len(phone.sitting.log.entries) == 2
    phone.touch("undo")
    assert len(phone.sitting.log.entries) == 1


def test_entries_that_cannot_all_be_true_are_named_and_mended_by_touches(phone: Phone) -> None:
    _, events = begun(phone, 6)
    phone.touch("do kind other")
    phone.touch("do kind note")
    phone.touch("do holder mustard")
    phone.touch("do card library")  # It is in the hand of the one who enters.
    assert "notebook" not in [panel.name for panel in phone.sitting.panels(0)]
    conflict = phone.panel("conflict")
    assert "Entry 7 cannot be true" in str(conflict.parts[0])
    offered = {touch.line for panel, touch in phone.offered() if panel.name == "conflict"}
    assert {"entry 7", "setup hand"} <= offered
    for mend in ("unsure 7", "remove 7"):
        phone.touch(mend, panel="conflict")
        assert "notebook" in [panel.name for panel in phone.sitting.panels(0)]
        phone.touch("undo")
    phone.touch("entry 7", panel="conflict")
    phone.touch("do card rope")
    phone.touch("done")
    assert phone.sitting.log.entries[6]["card"] == "rope"
    assert shown(phone)["rope", "mustard"] == "✓"
    assert len(events) > 6


def test_what_was_set_up_is_changed_later_and_names_are_spelt_anew_everywhere(
    phone: Phone,
) -> None:
    settings, _ = begun(phone, 3)
    phone.touch("setup players")
    names = ["Scarlet", *settings["players"][1:]]
    phone.fill("set players", {str(place): name for place, name in enumerate(names, 1)})
    assert phone.sitting.log.settings["me"] == "Scarlet"
    assert phone.sitting.log.entries[0]["by"] == "Scarlet"
    phone.touch("setup hand")
    assert phone.presses("pick white")
    phone.touch("pick white")
    phone.touch("pick green")
    phone.touch("set hand library, study, green")
    assert "green" in phone.sitting.log.settings["hand"]
    phone.touch("setup rules")
    phone.touch("set rules none")
    assert phone.sitting.log.settings["rules"] == []
    words = [touch.text for touch in touches_of(phone.panel("setup").parts)]
    assert "You: Scarlet" in words
    assert "House rules: neither is allowed" in words
    assert "enter" in [panel.name for panel in phone.sitting.panels(0)]


def test_the_card_to_show_is_said_as_soon_as_the_three_cards_are_touched(phone: Phone) -> None:
    begun(phone, 5)
    for card in ("white", "wrench", "study"):
        phone.touch(f"do card {card}")
    (job,) = [job for job in phone.sitting.jobs(0) if job.panel and job.panel.name == "show"]
    (answer,) = job.make(*job.arguments)
    assert isinstance(answer, Sheet)
    assert {row[0] for row in answer.rows} == {"white", "study"}
    phone.touch("undo")
    phone.touch("do by mustard")
    for card in ("mustard", "wrench", "study"):
        phone.touch(f"do card {card}")
    assert "Show study" in str(phone.panel("show").parts)


def test_what_to_ask_is_touched_and_its_cards_are_chosen(phone: Phone) -> None:
    begun(phone, 6)
    (job,) = [job for job in phone.sitting.jobs(0) if job.panel and job.panel.name == "best"]
    said = job.make(*job.arguments)[0]
    assert isinstance(said, Sheet)
    first = next(cell for cell in said.rows[0] if isinstance(cell, Touch))
    assert first.line.startswith("do cards ")
    phone.say(first.line)
    for card in first.line.removeprefix("do cards ").split(", "):
        assert phone.presses(f"do card {card}")


def test_a_cell_says_why_and_leads_to_the_entries_that_prove_it(phone: Phone) -> None:
    begun(phone, 3)
    phone.touch("show proof scarlet", panel="notebook")
    said = phone.panel("answer").parts
    assert "mustard has scarlet, by entry 1" in str(said[0])
    assert "entry 1" in [touch.line for touch in touches_of(said)]
    phone.say("close")
    assert "answer" not in [panel.name for panel in phone.sitting.panels(0)]


def test_a_notebook_only_has_nothing_that_was_not_seen_and_entered(phone: Phone) -> None:
    _, events = begun(phone, 12)
    phone.touch("bare yes")
    phone.killed()
    cells = shown(phone)
    assert phone.sitting.jobs(0) == []
    assert {"notebook", "enter"} <= {panel.name for panel in phone.sitting.panels(0)}
    assert "file" not in [panel.name for panel in phone.sitting.panels(0)]
    assert (cells["plum", "mustard"], cells["plum", "green"]) == ("✓", "–")
    # Somebody showed one of three: the entry's number stands at each that is open.
    number = next(n for n, e in enumerate(events, 1) if e["by"] == "white")
    assert str(number) in cells["revolver", "peacock"].split()
    assert all(words in ("✓", "–", "") or {*words} <= {*"0123456789 "} for words in cells.values())
    phone.touch("bare no")
    assert "file" in [panel.name for panel in phone.sitting.panels(0)]


def test_the_files_go_on_in_a_terminal_and_are_analysed(phone: Phone, tmp_path: Path) -> None:
    begun(phone, 4)
    phone.touch("entry 2")
    phone.touch("remove 2")
    path = tmp_path / "game.jsonl"
    path.write_bytes(phone.sitting.download(0, "advice").here())
    with Book(path, ClueAdviser()) as book:
        assert book.entries == phone.sitting.log.entries
        assert {"edition": "classic", **book.settings} == phone.sitting.log.settings
    record = json.loads(phone.sitting.download(0, "record").here())
    assert len(record["events"]) == 3
    with pytest.raises(SleuthError, match="no such file"):
        phone.sitting.download(0, "secret")


@pytest.mark.parametrize("line", ["do", "do card", "do by Zed", "pick", "set", "set hand rope",
    "entry 99", "entry x", "remove 0", "unsure", "insert 7", "setup", "setup moon", "show", "undo",
    "99999999999999999999 undo", "do shows Zed", "done", "bare", "x", "do verdict", "do cards a",
    "\0", "do kind moon", "do sees moon", "show moon", "leave", "sure 1"])  # fmt: skip
def test_lines_that_no_page_says_are_refused_or_do_no_harm(phone: Phone, line: str) -> None:
    begun(phone, 2)
    entered = phone.sitting.log.entries
    with suppress(SleuthError):
        phone.say(line)
    assert phone.sitting.log.entries in (entered, entered[:1])
    phone.killed()
    assert phone.sitting.panels(0)


def enter_together(phone: Phone, event: Mapping[str, Any], me: str) -> None:
    """Touch a suggestion of a table where all show a card who can, or a look at cards."""
    number = phone.number
    if event["type"] == "look":
        phone.touch("do kind other")
        if not phone.presses(f"do by {event['by']}"):
            phone.touch(f"do by {event['by']}")
        phone.touch("do kind look")
        for card in event.get("cards", ()):
            phone.touch(f"do card {card}")
    else:
        if not phone.presses(f"do by {event['by']}"):
            phone.touch(f"do by {event['by']}")
        for card in event["cards"]:
            phone.touch(f"do card {card}")
        showing = event.get("refuters")
        if showing is None:
            showing = [{"player": event["refuter"], "shown": event["shown"]}]
        showing = [each for each in showing if each["player"] is not None]
        for each in showing:
            if each["player"] != me:
                phone.touch(f"do shows {each['player']}")
            said = f"do sees {each['player']}: {each['shown']}"
            if each["shown"] is not None and not phone.presses(said):
                phone.touch(said)
        phone.touch("do end answer" if showing else "do shows nobody")
    assert phone.number == number + 1, f"not entered: {event}"


@pytest.mark.parametrize("rules, seed", [("all", 3), ("all openly", 4), ("all noroom looked", 5)])
def test_all_who_show_a_card_are_touched(phone: Phone, rules: str, seed: int) -> None:
    house = HouseRules(**dict(map(HOUSE.__getitem__, rules.split())))  # pyright: ignore
    record = simulate(4, np.random.default_rng(seed), rules=house, hand_sizes=[4] * 4, turns=9)
    settings, events = seen_of(record, "p2")
    if house.left_over == "looked at":
        placed = {*(record.case_file or ())}.union(*(record.hands or {}).values())
        left = [card for card in record.edition.cards if card not in placed]
        events.insert(2, {"type": "look", "by": "p2", "cards": left})
        events.insert(3, {"type": "look", "by": "p3"})
    phone.set_up(settings)
    chosen: list[str] = []
    phone.touch("setup rules")
    for word in rules.split():
        if chosen:
            phone.touch("setup rules")
        chosen.append(word)
        phone.touch(f"set rules both {' '.join(chosen)}")
    for event in events:
        enter_together(phone, event, "p2")
    kept = [dict(entry) for entry in phone.sitting.log.entries]
    assert [each["cards"] for each in kept if "cards" in each] == [
        each["cards"] for each in events if "cards" in each
    ]
    written = record.to_json() | {"events": kept, "observer": "p2", "own_hand": settings["hand"]}
    seen = ClueRecord.from_json(
        {key: value for key, value in written.items() if key not in ("hands", "case_file")}
    ).seen_by()
    assert {each.event for each in seen.events if isinstance(each.event, Suggestion)} == {
        each.event for each in record.seen_by("p2").events if isinstance(each.event, Suggestion)
    }
    # What was touched can be corrected by touches.
    place = next(n for n, each in enumerate(kept, 1) if len(each.get("refuters", ())) > 1)
    gone = next(each["player"] for each in kept[place - 1]["refuters"] if each["player"] != "p2")
    phone.touch(f"entry {place}")
    phone.touch(f"do shows {gone}")
    phone.touch("do end answer")
    phone.touch("done")
    after = phone.sitting.log.entries[place - 1]["refuters"]
    assert gone not in [each["player"] for each in after]
