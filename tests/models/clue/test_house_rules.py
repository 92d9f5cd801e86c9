"""House rules of Clue in records: what may be written, who is asked, and who sees what."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth.errors import RecordError, SettingsError
from sleuth.games.clue import (
    CARDS,
    Accusation,
    ClueRecord,
    HouseRules,
    Look,
    Refutation,
    Suggestion,
    simulate,
)
from sleuth.models.clue.house_rules import WORDS
from sleuth.models.clue.simulate import random_policy

Json = dict[str, Any]
SECRET = ("white", "lead pipe", "dining room")

rules = st.builds(HouseRules, **{name: st.sampled_from(words) for name, words in WORDS.items()})


def hands() -> Json:
    """B has accused wrongly and holds a card of the next suggestion, and so does c."""
    accused, asked = ["white", "lead pipe", "kitchen"], ["white", "knife", "kitchen"]
    return {
        "game": "clue",
        "players": ["a", "b", "c"],
        "hand_sizes": [6, 6, 6],
        "hands": {
            "a": ["plum", "green", "rope", "hall", "study", "wrench"],
            "b": ["knife", "mustard", "peacock", "lounge", "library", "candlestick"],
            "c": ["kitchen", "scarlet", "revolver", "ballroom", "conservatory", "billiard room"],
        },
        "case_file": list(SECRET),
        "events": [
            {"type": "accuse", "by": "b", "cards": accused, "correct": False},
            {"type": "suggest", "by": "a", "cards": asked, "refuter": "c", "shown": "kitchen"},
        ],
    }  # fmt: skip


def read(value: Json, **rules: str) -> ClueRecord:
    return ClueRecord.from_json(value | ({"rules": rules} if rules else {}))


def suggested(record: ClueRecord, number: int = -1) -> Suggestion:
    event = record.events[number]
    assert isinstance(event, Suggestion)
    return event


def test_a_player_who_is_out_is_skipped_where_the_rules_say_so():
    with pytest.raises(RecordError, match=r'"rules": \{"player_out": "skipped"\}'):
        read(hands())
    record = read(hands(), player_out="skipped")
    assert suggested(record).passed == ()
    assert ClueRecord.from_json(record.to_json()) == record
    # Nobody else is: before they are out, or of those who hold nothing.
    early = hands()
    early["events"].reverse()
    with pytest.raises(RecordError, match="b was asked and showed no card"):
        read(early, player_out="skipped")


@pytest.mark.parametrize(
    "refuter, passed", [("b", None), (None, ["b", "c"])], ids=["shows", "passes"]
)
def test_who_is_skipped_neither_shows_nor_passes(refuter: str | None, passed: Any):
    value = hands()
    value["events"][1] |= {"refuter": refuter, "shown": None}
    if passed:
        value["events"][1] |= {"refuter": "not recorded", "passed": passed}
    with pytest.raises(RecordError, match="nobody asks a player who accused wrongly"):
        read(value, player_out="skipped")


def test_all_show_who_can():
    value = hands()
    del value["events"][1]["refuter"], value["events"][1]["shown"]
    value["events"][1]["refuters"] = [{"player": "c", "shown": "kitchen"}, {"player": "b"}]
    with pytest.raises(RecordError, match=r'item 2: only the first.*"who_shows": "all"'):
        read(value)
    record = read(value, who_shows="all")
    # In turn order, however they were written.
    assert suggested(record).refutations == (Refutation("b"), Refutation("c", "kitchen"))
    assert suggested(record).passed == ()
    assert ClueRecord.from_json(record.to_json()) == record
    value["events"][1]["refuters"].pop()
    with pytest.raises(RecordError, match="b was asked and showed no card"):
        read(value, who_shows="all")
    value["events"][1]["refuters"] = [{"player": "c", "shown": "white"}]
    with pytest.raises(RecordError, match="does not hold this card"):
        read(value, who_shows="all", player_out="skipped")


def test_a_record_says_who_showed_once():
    value = hands()
    value["events"][1]["refuters"] = [{"player": "c"}]
    with pytest.raises(RecordError, match="'refuter': this stands in 'refuters' already"):
        read(value, who_shows="all")
    del value["events"][1]["refuter"], value["events"][1]["shown"]
    value["events"][1]["refuters"] = [{"player": "c"}, {"player": "c"}]
    with pytest.raises(RecordError, match="item 2: a player shows one card"):
        read(value, who_shows="all")
    del value["events"][1]["refuters"]
    with pytest.raises(RecordError, match="event 2: the field 'refuter' is missing"):
        read(value, who_shows="all")


def pool(**fields: Any) -> Json:
    value = hands() | {"hand_sizes": [6, 5, 5], "events": []}
    value["hands"] = value["hands"] | {name: value["hands"][name][:5] for name in ("b", "c")}
    return value | fields


def test_cards_over_that_nobody_names_lie_face_down():
    record = read(pool())
    assert record.rules == HouseRules(left_over="face down")
    assert record.seen_by("a").left_over == 2
    assert ClueRecord.from_json(record.to_json()) == record
    with pytest.raises(RecordError, match="make 19 cards"):
        read(pool(), left_over="face up")
    with pytest.raises(RecordError, match=r"face_up': by the house rules .* face down"):
        read(pool(face_up=["candlestick", "billiard room"]), left_over="face down")
    without = pool()
    del without["case_file"]
    with pytest.raises(RecordError, match="write the field 'case_file' as well"):
        read(without)


def test_who_looks_sees_all_that_is_left_over():
    looks: list[Json] = [{"type": "look", "by": "b"}]
    with pytest.raises(RecordError, match=r'nobody looks.*"left_over": "looked at"'):
        read(pool(events=looks))
    record = read(pool(events=looks), left_over="looked at")
    left = ("candlestick", "billiard room")
    # In a record with all hands it follows which cards these are.
    assert record.events == (Look("b", left),)
    seen = {viewer: record.seen_by(viewer).events[0].event for viewer in record.viewers()}
    assert seen == {
        "a": Look("b"), "b": Look("b", left), "c": Look("b"), "spectator": Look("b")
    }  # fmt: skip
    looks[0]["cards"] = ["candlestick", "plum"]
    with pytest.raises(RecordError, match="other cards are left over"):
        read(pool(events=looks), left_over="looked at")
    looks[0]["cards"] = ["candlestick"]
    with pytest.raises(RecordError, match="2 cards are left over"):
        read(pool(events=looks), left_over="looked at")


def test_a_suggestion_without_a_room_names_two_cards():
    value = hands() | {"events": []}
    value["events"] = [{"type": "suggest", "by": "a", "cards": ["knife", "white"], "refuter": "b"}]
    with pytest.raises(RecordError, match=r'"rules": \{"room": "none"\}'):
        read(value)
    record = read(value, room="none")
    assert suggested(record).cards == ("white", "knife")
    assert suggested(record).room is None
    for wrong in (["white", "knife", "kitchen"], ["white", "kitchen"], ["white", "plum"]):
        value["events"][0]["cards"] = wrong
        with pytest.raises(RecordError, match="not one suspect and one weapon"):
            read(value, room="none")


def test_sizes_that_nobody_wrote_are_those_of_a_deal_around_the_table():
    value: Json = {"game": "clue", "players": list("abcd"), "events": []}
    game = read(value | {"observer": "a", "own_hand": list(CARDS[::5])}).seen_by()
    assert game.hand_sizes == (("a", 5), ("b", None), ("c", None), ("d", None))
    assert game.possible_sizes == [(5, 5, 4, 4), (5, 4, 4, 5)]
    assert [game.expected_size(player) for player in "abcd"] == [5, 4.5, 4, 4.5]
    # The cards that lie face up, or face down, are not dealt.
    assert read(value | {"face_up": ["plum", "rope"]}).seen_by().possible_sizes == [(4,) * 4]
    hidden = read(value, left_over="face down").seen_by()
    assert (hidden.possible_sizes, hidden.left_over) == ([(4,) * 4], 2)
    with pytest.raises(RecordError, match="no deal around the table gives hands"):
        read(value | {"hand_sizes": [5, None, 5, None]})
    with pytest.raises(RecordError, match="the observer holds 4 or 5 cards"):
        read(value | {"observer": "a", "own_hand": list(CARDS[::7])})


def test_what_is_shown_openly_everybody_sees():
    record = read(hands(), player_out="skipped", card_shown="openly")
    for viewer in record.viewers():
        seen = record.seen_by(viewer).events[1].event
        assert isinstance(seen, Suggestion)
        assert seen.shown == "kitchen"


def test_a_word_that_is_no_rule_is_refused():
    with pytest.raises(RecordError, match=r"field 'who_shows'.*known: first, all"):
        read(hands(), who_shows="everyone")
    with pytest.raises(RecordError, match=r"'who_show'.*did you mean 'who_shows'"):
        read(hands(), who_show="all")
    with pytest.raises(SettingsError, match=r"rules, room.*no such word"):
        HouseRules(room="two")  # pyright: ignore[reportArgumentType]


seeds = st.integers(0, 2**32 - 1)


@given(seed=seeds, rules=rules, seat=st.integers(0, 4), written=st.booleans())
def test_altering_what_a_viewer_cannot_see_changes_nothing_for_them(
    seed: int, rules: HouseRules, seat: int, written: bool
):
    rng = np.random.default_rng(seed)
    record = simulate(
        4, rng, rules=rules, hand_sizes=[4] * 4, policy=random_policy, guess=0.2, turns=6
    )
    assert ClueRecord.from_json(record.to_json()) == record
    if not written:
        record = dataclasses.replace(record, sizes=(None,) * 4)
    viewer = record.viewers()[seat]
    other = altered(record, viewer, rng)
    assert other.seen_by(viewer) == record.seen_by(viewer)
    assert other.seen_by(viewer).digest == record.seen_by(viewer).digest


def altered(record: ClueRecord, viewer: str, rng: np.random.Generator) -> ClueRecord:
    """The record with other cards wherever the viewer could not see them."""
    changed: list[Any] = []
    for event in record.events:
        if isinstance(event, Look) and event.by != viewer:
            changed.append(Look(event.by, tuple(rng.permutation(CARDS)[:2])))
        elif isinstance(event, Accusation) and event.by != viewer:
            changed.append(dataclasses.replace(event, seen=SECRET))
        elif (
            isinstance(event, Suggestion)
            and not record.rules.open
            and viewer != event.by
            and event.refuter
        ):
            first, *further = (
                each
                if each.player == viewer
                else Refutation(each.player, str(rng.choice([*event.cards, ""])) or None)
                for each in event.refutations
            )
            changed.append(dataclasses.replace(event, shown=first.shown, further=tuple(further)))
        else:
            changed.append(event)
    assert record.dealt is not None
    dealt = dict(zip(record.players, record.dealt, strict=True))
    return dataclasses.replace(
        record,
        events=tuple(changed),
        dealt=tuple(
            hand if player == viewer else tuple(rng.permutation(CARDS)[: len(hand)])
            for player, hand in dealt.items()
        ),
        case_file=SECRET,
    )
