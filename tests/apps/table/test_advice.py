"""Advice on a page: games that were recorded, entered by touches alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth.apps.kit.answers.values import Paragraph, Sheet, Touch
from sleuth.beliefs.games.clue.declaration import ClueDeclaration
from sleuth.models.clue.record.record import ClueRecord

from .phone import Phone

ROOT = Path(__file__).parents[3]
GAMES = ROOT / "data" / "clue" / "games"


def recorded(name: str, viewer: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What a viewer sets up and sees of a record: settings and events."""
    record = ClueRecord.load(GAMES / f"{name}.json")
    seen = record.seen_by(viewer)
    events: list[dict[str, Any]] = [each.event.to_json() for each in seen.events]
    for event in events:
        mine = event["refuter"] is not None and viewer in (event["by"], event["refuter"])
        if mine and event["shown"] is None and record.hands is not None:
            # The record does not say which card was shown.
            held = record.hands[str(event["refuter"])]
            event["shown"] = next(card for card in event["cards"] if card in held)
    sizes = [record.hand_sizes[name] for name in record.players]
    settings = {
        "players": list(record.players), "me": viewer, "sizes": sizes,
        "faceup": list(record.face_up), "hand": list(seen.own_hand),
    }  # fmt: skip
    return settings, events


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
    share = believed(settings, events)
    for (card, holder), words in shown(phone).items():
        expected = share[card].get(holder, 0.0)
        assert words == ("✓" if expected == 1.0 else "–" if expected == 0.0 else words)
        if words not in "✓–":
            assert float(words) == pytest.approx(100 * expected, abs=0.5)


def event_card(event: Mapping[str, Any]) -> str:
    """The weapon of a suggestion."""
    return event["cards"][1]
