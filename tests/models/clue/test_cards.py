"""The deck and the names people write for its cards."""

from __future__ import annotations

import pytest

from sleuth.errors import RecordError
from sleuth.games.clue import CARDS, ROOMS, SUSPECTS, WEAPONS
from sleuth.models.clue import CATEGORIES, canonical, category
from sleuth.models.clue.cards import in_deck_order


def test_the_deck_has_six_suspects_six_weapons_and_nine_rooms_in_a_fixed_order():
    assert SUSPECTS == ("scarlet", "mustard", "white", "green", "peacock", "plum")
    assert WEAPONS == ("candlestick", "knife", "lead pipe", "revolver", "rope", "wrench")
    rooms = (
        *("kitchen", "ballroom", "conservatory", "dining room", "billiard room"),
        *("library", "lounge", "hall", "study"),
    )
    assert list(ROOMS) == list(rooms)
    assert CARDS == SUSPECTS + WEAPONS + ROOMS
    assert {card: name for name, cards in CATEGORIES.items() for card in cards} == {
        card: category(card) for card in CARDS
    }


@pytest.mark.parametrize("card", CARDS)
def test_a_card_is_known_by_its_own_name_however_it_is_written(card: str):
    for variant in (card, card.upper(), f"  {card.title()} ", card.replace(" ", "_")):
        assert canonical(variant) == card


@pytest.mark.parametrize(
    "written, meant",
    [
        ("Miss Scarlett", "scarlet"),
        ("rev. green", "green"),
        ("Mr Green", "green"),
        ("Col. Mustard", "mustard"),
        ("colonel  mustard", "mustard"),
        ("Mrs. White", "white"),
        ("Dr. Orchid", "white"),
        ("prof plum", "plum"),
        ("spanner", "wrench"),
        ("dagger", "knife"),
        ("lead piping", "lead pipe"),
        ("lead-pipe", "lead pipe"),
        ("pipe", "lead pipe"),
        ("billiard", "billiard room"),
        ("Billiards Room", "billiard room"),
        ("the library", "library"),
        ("DiningRoom", "dining room"),
    ],
)
def test_common_variants_are_understood(written: str, meant: str):
    assert canonical(written) == meant


def test_an_unknown_card_is_refused_with_the_nearest_one():
    with pytest.raises(RecordError, match=r"event 3: no such card \(got 'knif'\).*'knife'"):
        canonical("knif", where="event 3")


@pytest.mark.parametrize("value", ["", " ", "rev.", "room", "lead", 7, None, True, ["plum"], {}])
def test_what_is_no_card_is_refused(value: object):
    with pytest.raises(RecordError, match="no such card"):
        canonical(value)


def test_cards_are_sorted_as_the_deck_is():
    assert in_deck_order({"study", "rope", "plum", "scarlet"}) == (
        *("scarlet", "plum", "rope", "study"),
    )
