"""The cards of the editions of Clue that come with sleuth: facts that can be used as they stand."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from sleuth.data.files import resource

EDITIONS = {
    file.name.removesuffix(".json"): json.loads(file.read_text(encoding="utf-8"))
    for file in sorted(resource("clue", "editions").iterdir(), key=lambda file: file.name)
}
#: Numbers of cards as boxes and public lists state them, by category.
COUNTS = {
    "2008": (6, 9, 9),
    "2016": (6, 6, 9),
    "junior": (6, 5, 5),
    "master_detective": (10, 8, 12),
    "simpsons": (6, 6, 9),
}


def cards_of(edition: Mapping[str, Any]) -> list[str]:
    return [card for cards in edition["cards"].values() for card in cards]


@pytest.mark.parametrize("name", EDITIONS)
class TestEdition:
    def test_it_is_called_as_its_file(self, name: str) -> None:
        edition = EDITIONS[name]
        assert edition["name"] == name
        assert set(edition) == {"name", "title", "cards", "aliases", "players", "board", "source"}
        assert edition["title"]
        assert edition["source"]

    def test_it_has_three_categories_of_at_least_two_cards(self, name: str) -> None:
        kinds = EDITIONS[name]["cards"]
        assert len(kinds) == 3
        assert min(map(len, kinds.values())) >= 2
        assert name not in COUNTS or tuple(map(len, kinds.values())) == COUNTS[name]

    def test_names_are_small_and_stand_for_one_card(self, name: str) -> None:
        cards, aliases = cards_of(EDITIONS[name]), EDITIONS[name]["aliases"]
        names = [*EDITIONS[name]["cards"], *cards, *aliases]
        assert all(each == each.casefold() == " ".join(each.split()) for each in names)
        # Dots, hyphens and underscores are left out of what people write before it is looked up.
        assert not any(sign in each for each in names for sign in ".-_,")
        assert len({*cards, *aliases}) == len(cards) + len(aliases)
        assert set(aliases.values()) <= set(cards)

    def test_the_players_are_as_many_as_the_cards_allow(self, name: str) -> None:
        fewest, most = EDITIONS[name]["players"]
        assert 2 <= fewest <= most <= 10
        assert len(cards_of(EDITIONS[name])) - 3 >= most


def test_there_are_the_editions_that_people_own() -> None:
    assert set(COUNTS) <= set(EDITIONS)


def test_no_two_editions_have_the_same_cards() -> None:
    decks = {frozenset(cards_of(edition)) for edition in EDITIONS.values()}
    assert len(decks) == len(EDITIONS)
