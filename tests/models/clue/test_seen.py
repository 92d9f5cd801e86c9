"""Nobody sees what they could not have seen, and altering that changes nothing for them."""

from __future__ import annotations

import dataclasses
import pickle
from importlib.resources.abc import Traversable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.data.files import shipped
from sleuth.errors import SettingsError
from sleuth.games.clue import (
    CARDS,
    Accusation,
    ClueRecord,
    Has,
    Move,
    NotHas,
    OneOf,
    SeenClue,
    Suggestion,
    load,
    simulate,
)
from sleuth.models.clue import ClueEvent
from sleuth.models.clue.simulate import random_policy

from .record.examples import full, notebook, partial

SECRET = ("mustard", "wrench", "lounge")


def events(game: SeenClue) -> list[ClueEvent]:
    return [seen.event for seen in game.events]


def shown(game: SeenClue) -> list[str | None]:
    return [event.shown for event in events(game) if isinstance(event, Suggestion)]


def test_a_card_shown_is_seen_by_suggester_and_refuter_only():
    record = ClueRecord.from_json(full())
    assert shown(record.seen_by("ann")) == ["rope", None]
    assert shown(record.seen_by("ben")) == [None, "plum"]
    assert shown(record.seen_by("cleo")) == ["rope", "plum"]
    assert shown(record.seen_by("spectator")) == [None, None]


def test_the_case_file_is_seen_by_the_accuser_who_looked_only():
    record = ClueRecord.from_json(full())
    looked = {
        viewer: [
            event.seen for event in events(record.seen_by(viewer)) if isinstance(event, Accusation)
        ]
        for viewer in record.viewers()
    }
    assert looked == {"ann": [None], "ben": [SECRET], "cleo": [None], "spectator": [None]}


def test_notes_are_the_observers_and_leave_no_gap_for_others():
    record = ClueRecord.from_json(full())
    assert [seen.number for seen in record.seen_by("ann").events] == [1, 2, 3, 4, 5, 6, 7]
    for viewer in ("ben", "cleo", "spectator"):
        game = record.seen_by(viewer)
        assert [seen.number for seen in game.events] == [1, 2, 3, 4]
        assert {seen.viewer for seen in game.events} == {viewer}
        assert not any(isinstance(event, Has | NotHas | OneOf) for event in events(game))


def test_notes_in_a_full_record_without_an_observer_are_nobodys():
    record = ClueRecord.from_json(full() | {"observer": None, "own_hand": None})
    for viewer in record.viewers():
        assert len(record.seen_by(viewer).events) == 4


def test_a_player_knows_his_hand_and_a_spectator_none():
    record = ClueRecord.from_json(full())
    for player, hand in (record.hands or {}).items():
        assert record.seen_by(player).own_hand == hand
    assert record.seen_by("spectator").own_hand == ()


def test_the_observer_of_a_partial_record_sees_all_he_wrote_down():
    value = partial()
    value["events"][1]["shown"] = "plum"  # Cleo showed it to Ben, and Ann learned of it
    record = ClueRecord.from_json(value)
    assert tuple(events(record.seen_by())) == record.events
    assert record.seen_by().own_hand == record.own_hand
    assert record.seen_by("spectator").own_hand == ()
    assert shown(record.seen_by("spectator")) == [None, None]


def test_a_public_notebook_has_nothing_to_strip_but_a_spectator_sees_none_of_its_notes():
    record = ClueRecord.from_json(notebook())
    assert tuple(events(record.seen_by())) == record.events
    assert len(record.seen_by("spectator").events) == 4


def test_the_true_case_file_is_in_nobodys_view():
    record = ClueRecord.from_json(full())
    other = dataclasses.replace(record, case_file=("peacock", "rope", "hall"))
    partial_record = ClueRecord.from_json(partial() | {"case_file": list(SECRET)})
    assert partial_record.seen_by() == ClueRecord.from_json(partial()).seen_by()
    for viewer in record.viewers():
        assert record.seen_by(viewer) == other.seen_by(viewer)


def test_a_game_can_be_seen_up_to_any_moment():
    game = ClueRecord.from_json(partial()).seen_by()
    assert game.until(0).events == ()
    assert game.until(3).events == game.events[:3]
    assert game.until(7) == game
    assert game.until(3).digest != game.digest
    for count in (-1, 8):
        with pytest.raises(SettingsError, match="saw 7 events"):
            game.until(count)


def test_a_view_can_be_hashed_and_sent_to_another_process():
    game = ClueRecord.from_json(partial()).seen_by()
    again = pickle.loads(pickle.dumps(game))
    assert again == game
    assert hash(again) == hash(game)
    assert again.digest == game.digest


def test_what_a_viewer_could_see_is_in_the_digest():
    base = ClueRecord.from_json(partial()).seen_by().digest
    value = partial()
    value["events"][0]["shown"] = "mustard"
    assert ClueRecord.from_json(value).seen_by().digest != base
    value = partial() | {"own_hand": []}
    assert ClueRecord.from_json(value).seen_by().digest != base
    assert ClueRecord.from_json(partial() | {"note": "other"}).seen_by().digest == base


seeds = st.integers(0, 2**32 - 1)


@given(seed=seeds, players=st.integers(2, 6), seat=st.integers(0, 6))
def test_altering_what_a_viewer_cannot_see_changes_nothing_for_him(
    seed: int, players: int, seat: int
):
    rng = np.random.default_rng(seed)
    record = simulate(players, rng, policy=random_policy, guess=0.2, accuse=bool(rng.integers(2)))
    viewer = record.viewers()[min(seat, players)]
    other = altered(record, viewer, rng)
    assert other.seen_by(viewer) == record.seen_by(viewer)
    assert other.seen_by(viewer).digest == record.seen_by(viewer).digest
    for count in range(len(record.seen_by(viewer).events) + 1):
        assert other.seen_by(viewer).until(count) == record.seen_by(viewer).until(count)


def altered(record: ClueRecord, viewer: str, rng: np.random.Generator) -> ClueRecord:
    """The record with everything random that ``viewer`` could not see."""
    others = [player for player in record.players if player != viewer]
    changed: list[ClueEvent] = []
    for event in record.events:
        if rng.random() < 0.3:
            card = str(rng.choice(CARDS))
            changed.append(Has(others[0], card) if rng.random() < 0.5 else OneOf("p1", (card,)))
        match event:
            case Suggestion() if viewer not in (event.by, event.refuter) and event.refuter:
                card = rng.choice([*event.cards, ""])
                changed.append(dataclasses.replace(event, shown=str(card) or None))
            case Accusation() if viewer != event.by:
                changed.append(dataclasses.replace(event, seen=SECRET))
            case _:
                changed.append(event)
    assert record.dealt is not None
    own = dict(zip(record.players, record.dealt, strict=True)).get(viewer)
    return dataclasses.replace(
        record,
        events=tuple(changed),
        observer=str(rng.choice(others)),
        dealt=tuple(
            own if player == viewer and own is not None else tuple(rng.permutation(CARDS)[:size])
            for player, size in record.hand_sizes.items()
        ),
        case_file=SECRET,
        name="another name",
        note=str(rng.random()),
    )


@given(seed=seeds, players=st.integers(2, 6))
def test_no_private_thing_of_another_is_anywhere_in_a_view(seed: int, players: int):
    record = simulate(players, np.random.default_rng(seed), policy=random_policy, guess=0.1)
    for viewer in record.viewers():
        game = record.seen_by(viewer)
        for event in events(game):
            match event:
                case Suggestion(shown=card) if card is not None:
                    assert viewer in (event.by, event.refuter)
                case Accusation(seen=cards) if cards is not None:
                    assert viewer == event.by
                case _:
                    assert isinstance(event, Suggestion | Accusation | Move)


@pytest.mark.parametrize("file", shipped("clue"), ids=lambda file: file.name)
def test_a_spectator_of_a_shipped_game_sees_nothing_private(file: Traversable):
    game = load(file).seen_by("spectator")
    assert game.own_hand == ()
    for event in events(game):
        assert getattr(event, "shown", None) is None
        assert getattr(event, "seen", None) is None
        assert not isinstance(event, Has | NotHas | OneOf)
