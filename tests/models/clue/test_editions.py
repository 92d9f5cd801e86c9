"""Editions of Clue as data: what is read, recognised and refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sleuth import SleuthError
from sleuth.errors import RecordError, SettingsError
from sleuth.games.clue import ClueDeclaration, ClueEdition, ClueRecord, edition
from sleuth.models.clue.edition import made_edition
from sleuth.models.clue.editions import edition_names, recognised

OWN = {
    "name": "seaside",
    "title": "Seaside Clue",
    "cards": {
        "suspect": ["gull", "crab", "seal"],
        "weapon": ["anchor", "net"],
        "room": ["pier", "cave", "beach"],
    },
    "aliases": {"seagull": "gull"},
}
RECORD = {
    "game": "clue",
    "cards": OWN["cards"],
    "aliases": OWN["aliases"],
    "players": ["ann", "bob"],
    "hand_sizes": [3, 2],
    "observer": "ann",
    "own_hand": ["Seagull", "net", "pier"],
    "events": [
        {"type": "suggest", "by": "ann", "cards": ["crab", "anchor", "cave"], "refuter": None}
    ],
}


def test_the_shipped_editions_are_sound_and_named_by_their_files():
    for name in edition_names():
        box = edition(name)
        assert box.name == name
        assert len({*box.cards}) == len(box.cards)
        assert all(box.canonical(other) == card for other, card in box.other_names)
    assert edition("Classic") is edition("classic")


def test_an_edition_of_ones_own_is_read_from_a_file(tmp_path):
    path = tmp_path / "seaside.json"
    path.write_text(json.dumps(OWN))
    box = edition(str(path))
    assert (box.title, box.triples, box.dealt) == ("Seaside Clue", 18, 5)
    assert box.canonical("The Seagull") == "gull"
    path.write_text(json.dumps(box.to_json()))
    assert edition(str(path)) == box


def test_a_record_lists_its_own_cards():
    record = ClueRecord.from_json(RECORD)
    assert record.edition.rooms == ("pier", "cave", "beach")
    assert ClueRecord.from_json(record.to_json()) == record
    seen = record.seen_by("ann")
    posterior = ClueDeclaration(seen).infer(seen)
    # By hand: bob holds none of the three; so seal and beach are theirs.
    assert posterior.entropy(ClueDeclaration(seen).case_file) == pytest.approx(0.0)


def test_the_case_file_is_counted_by_hand():
    record = ClueRecord.from_json({**RECORD, "events": []})
    belief = ClueDeclaration(record.seen_by("ann"))
    # Left are crab, seal, anchor, cave, beach; the file has anchor and one of each pair.
    chances = belief.infer().marginal(belief.case_file)
    assert len(chances) == 4
    assert set(chances.values()) == {0.25}


@pytest.mark.parametrize(
    "change, words",
    [
        ({"cards": {**OWN["cards"], "room": ["pier", "Pier"]}}, "stands here twice"),
        ({"cards": {**OWN["cards"], "weapons": []}}, "weapons"),
        ({"cards": {**OWN["cards"], "room": ["pier"]}}, "2 items at least"),
        ({"aliases": {"seagull": "gul"}}, "did you mean 'gull'"),
        ({"aliases": {"crab": "gull"}}, "two cards"),
        ({"edition": "masterdetective", "cards": None}, "did you mean|no such edition"),
    ],
)
def test_what_makes_no_edition_is_refused(change, words):
    with pytest.raises(RecordError, match=words):
        ClueRecord.from_json({**RECORD, **change})


def test_a_file_that_is_no_edition_is_refused(tmp_path):
    path = tmp_path / "mine.json"
    for text in ("[]", "{", json.dumps({"name": "x"}), json.dumps({**OWN, "players": [0, 40]})):
        path.write_text(text)
        with pytest.raises(SettingsError, match=r"mine\.json"):
            edition(str(path))
    with pytest.raises(SleuthError, match="no such edition"):
        edition("clasic")


def test_the_classic_edition_goes_first_where_several_fit():
    assert recognised(["plum", "hall"], 21).name == "classic"
    assert recognised([], None).name == "classic"
    assert recognised(["no card of any"], 21).name == "classic"


def test_equal_cards_make_equal_editions():
    one = made_edition("mine", OWN["cards"], title="one")
    other = made_edition("mine", OWN["cards"], title="other", players=(2, 4))
    assert one == other
    assert hash(one) == hash(other)
    assert isinstance(one, ClueEdition)


def test_a_file_without_cards_is_told_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "box.json"
    path.write_text('{"name": "box"}')
    with pytest.raises(SettingsError, match=r"box\.json, field 'cards': it is missing"):
        edition(str(path))
