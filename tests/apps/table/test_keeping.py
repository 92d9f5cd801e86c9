"""Games of people are kept if all have agreed, in the form that training takes, and deleted."""

from __future__ import annotations

import json
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

import sleuth
from sleuth.apps.play.saved import load
from sleuth.apps.table.people import keeping
from sleuth.kit import PlayRecord
from sleuth.models.games import entry as entry_of
from sleuth.models.play import PERSON, person_named, person_of

ANNA, BEN = person_named("Anna"), person_named("Ben")


def over(name: str, seed: int = 3) -> PlayRecord:
    """A game that is over, played at random."""
    play, random = sleuth.Play.new(name, seed=seed), np.random.default_rng(seed)
    while not play.over:
        play.apply(int(random.choice(play.legal())))
    return play.record()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("Anna", "Ben"):
        keeping.answer(tmp_path, name, True)
    return tmp_path


@pytest.mark.parametrize("name", ["cheat", "saboteur", "scotland_yard"])
def test_what_is_kept_is_trained_on_as_it_is(folder: Path, name: str) -> None:
    entry = entry_of(name)
    record = over(name)
    seats = [ANNA, "random", *["random"] * 9][: entry.game().players]
    path = keeping.keep(folder, record, [1.234] * len(record.actions), seats)
    assert path is not None
    make = entry.part("rows")
    assert make is not None
    assert len(make().read([path], entry)) > 0
    text = path.read_text("utf-8")
    assert "1.23" in text
    assert "1.234" not in text


def test_a_person_is_known_again_and_their_game_opens_in_the_terminal(folder: Path) -> None:
    path = keeping.keep(folder, over("scotland_yard"), [], [ANNA, *["random"] * 5])
    assert path is not None
    entry = entry_of("scotland_yard")
    make = entry.part("rows")
    assert make is not None
    assert "Anna" in make().read([path], entry).players
    saved = load(path)
    assert saved.seats is not None
    assert saved.seats[0] == PERSON
    assert saved.play.over


def test_a_game_is_kept_only_if_all_who_played_have_agreed(folder: Path) -> None:
    record = over("kuhn_poker")
    seconds = [1.0] * len(record.actions)
    assert keeping.keep(folder, record, seconds, [ANNA, person_named("Cleo")]) is None
    keeping.answer(folder, "Cleo", False)
    assert keeping.keep(folder, record, seconds, [ANNA, person_named("Cleo")]) is None
    assert keeping.keep(folder, record, seconds, ["random", "random"]) is None
    assert keeping.keep(folder, record, seconds, [ANNA, BEN]) is not None
    assert keeping.people(folder) == {"Anna": True, "Ben": True, "Cleo": False}
    assert keeping.agreed(folder, "Dora") is None


def test_a_game_that_is_not_over_is_not_kept(folder: Path) -> None:
    play = sleuth.Play.new("kuhn_poker", seed=1)
    play.apply(0)
    assert keeping.keep(folder, play.record(), [1.0], [ANNA, "random"]) is None


def test_the_same_game_is_kept_once(folder: Path) -> None:
    record = over("cheat")
    for _ in range(2):
        keeping.keep(folder, record, [], [ANNA, ANNA])
    (kept,) = keeping.kept_games(folder)
    assert kept.game == "cheat"
    assert kept.people == ("Anna",)
    assert len(kept.path.read_text("utf-8").splitlines()) == 1


def test_everything_can_be_taken_away_or_deleted_per_person_too(folder: Path) -> None:
    for seed in range(3):
        keeping.keep(folder, over("kuhn_poker", seed), [], [ANNA, BEN] if seed else [BEN, "random"])
    of_anna = keeping.kept_games(folder, person="Anna")
    assert len(of_anna) == 2
    with ZipFile(BytesIO(keeping.packed(of_anna))) as archive:
        names = archive.namelist()
        assert [json.loads(archive.read(each))["game"] for each in names] == ["kuhn_poker"] * 2
    keeping.forget(folder, "Anna")
    assert keeping.agreed(folder, "Anna") is None
    assert len(keeping.kept_games(folder)) == 1
    assert b"Anna" not in b"".join(
        each.read_bytes() for each in folder.rglob("*") if each.is_file()
    )
    keeping.delete(folder, keeping.kept_games(folder, game="kuhn_poker"))
    assert not keeping.kept_games(folder)


def test_what_was_deleted_does_not_come_back(folder: Path) -> None:
    record = over("kuhn_poker")

    def kept() -> Path | None:
        """Keep it, as a table does whenever it is opened again."""
        return keeping.keep(folder, record, [], [ANNA, "random"], table="one 0")

    assert kept() is not None
    keeping.delete(folder, keeping.kept_games(folder))
    assert kept() is None
    assert keeping.kept_games(folder) == []
    keeping.forget(folder, "Anna")
    keeping.answer(folder, "Anna", True)
    assert kept() is None


def test_who_says_later_who_they_are_is_in_the_same_game(folder: Path) -> None:
    record = over("kuhn_poker")
    keeping.answer(folder, PERSON, True)
    for person, table in ((person_named(PERSON), "one 0"), (ANNA, "one 0"), (ANNA, "other 0")):
        keeping.keep(folder, record, [], [person, "random"], table=table)
    assert [each.people for each in keeping.kept_games(folder)] == [("Anna",), ("Anna",)]
    assert all("Anna" in each.path.read_text("utf-8") for each in keeping.kept_games(folder))


def test_what_people_may_be_called() -> None:
    assert keeping.name_of("  Anna \n Maria ") == "Anna Maria"
    assert keeping.name_of("  ") == PERSON
    assert person_of(person_named("you: x")) == "you: x"
    assert person_of("mcts:simulations=10") is None
    assert person_of(person_named(PERSON)) == PERSON
