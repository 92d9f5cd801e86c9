"""Editions of Scotland Yard: their cards, cards that somebody gives, and files of before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sleuth import Play
from sleuth.errors import RecordError, SettingsError
from sleuth.games.scotland_yard import ScotlandYardRecord, scotland_yard, stations_of
from sleuth.kit import PlayRecord
from sleuth.models.recorded import played_again
from sleuth.models.scotland_yard.game import starts_of

from .plain_rules import CARDS, D_CARDS, STARTS, X_CARDS

FILES = Path(__file__).parents[2] / "data" / "files_of_0_1"
OLD = {"hider_starts": sorted(STARTS), "seeker_starts": sorted(STARTS)}
#: Mr. X began at 45 and went 32, 19, 9 by taxi; 45 is a start card of the newer box alone.
NEWER: dict[str, Any] = {
    "game": "scotland_yard",
    "schema": 1,
    "settings": {"edition": "later", "seekers": 2, "seeker_tickets": [11, 8, 4]},
    "seekers": [29, 50],
    "moves": [
        {"by": "hider", "ticket": "taxi"},
        {"by": "seeker 1", "ticket": "taxi", "to": 16},
        {"by": "seeker 2", "ticket": "taxi", "to": 37},
        {"by": "hider", "ticket": "taxi"},
        {"by": "seeker 1", "ticket": "taxi", "to": 28},
        {"by": "seeker 2", "ticket": "taxi", "to": 23},
        {"by": "hider", "ticket": "taxi", "to": 9},
    ],
}


@pytest.mark.parametrize("edition", CARDS)
def test_everybody_starts_on_a_card_of_their_own_side(edition: str) -> None:
    hiders, seekers = CARDS[edition]
    game = scotland_yard(edition=edition)
    assert starts_of(game) == {"hider_starts": sorted(hiders), "seeker_starts": sorted(seekers)}
    seen: tuple[set[int], set[int]] = set(), set()
    for seed in range(120):
        state = game.initial(seed)[0]
        hider, *detectives = state.stations.tolist()
        assert len({hider, *detectives}) == 6
        assert set(stations_of(state.possible)) == hiders - {*detectives}
        seen[0].add(hider)
        seen[1].update(detectives)
    assert seen == (hiders, seekers)


def test_the_newer_box_has_29_cards_and_more_taxi_tickets() -> None:
    assert len(X_CARDS | D_CARDS) == len(X_CARDS) + len(D_CARDS) == 29
    assert scotland_yard().settings["seeker_tickets"] == [10, 8, 4]
    assert scotland_yard(edition="later").settings["seeker_tickets"] == [11, 8, 4]
    given = scotland_yard(edition="later", seeker_tickets=[10, 8, 4])
    assert given.settings["seeker_tickets"] == [10, 8, 4]


def test_start_cards_can_be_given() -> None:
    game = scotland_yard(seekers=1, hider_starts=[46, 13, 1], seeker_starts=[13, 199])
    assert game.settings["hider_starts"] == [1, 13, 46]
    drawn = [tuple(game.initial(seed)[0].stations[:2].tolist()) for seed in range(80)]
    assert {*drawn} == {(1, 13), (1, 199), (13, 199), (46, 13), (46, 199)}
    # Cards of the edition are no difference from it.
    assert scotland_yard(hider_starts=sorted(STARTS)).settings == scotland_yard().settings


@pytest.mark.parametrize(
    "settings, problem",
    [
        ({"hider_starts": []}, "the hider needs a start card"),
        ({"hider_starts": [1, 1]}, "one card for a station"),
        ({"hider_starts": [200]}, "hider_starts"),
        ({"seeker_starts": [13, 26, 29, 34]}, "5 detectives need as many"),
        ({"seeker_starts": [13, 26, 29, 34, 50]}, "5 detectives need as many"),
        ({"seekers": 2, "hider_starts": [40], "seeker_starts": [1, 28, 41, 52, 53]}, ""),
        (
            {"hider_starts": [1], "seeker_starts": [8, 9, 46, 58, 100]},
            r"could start at all stations around this one.*got 1\b",
        ),
    ],
)
def test_start_cards_without_a_game_are_refused(settings: dict[str, Any], problem: str) -> None:
    if not problem:
        assert scotland_yard(**settings).initial(1)[0].stations[0] == 40
        return
    with pytest.raises(SettingsError, match=problem):
        scotland_yard(**settings)


def test_a_game_of_the_newer_box_is_possible_from_45() -> None:
    record = ScotlandYardRecord.from_json(NEWER)
    assert 45 in starts_of(record.game)["hider_starts"]
    full = json.loads(json.dumps(NEWER))
    full["hider"] = 45
    for place, to in ((0, 32), (3, 19)):
        full["moves"][place]["to"] = to
    assert ScotlandYardRecord.from_json(full).without_truth() == record


def test_nobody_starts_on_a_card_of_the_other_side() -> None:
    for field, value, who in (
        ("hider", 13, "Mr. X cannot"),
        ("seekers", [35, 50], "no detective can"),
    ):
        wrong = {**NEWER, "seekers": [29, 123], "moves": [], field: value}
        with pytest.raises(RecordError, match=f"{who} start there"):
            ScotlandYardRecord.from_json(wrong)


def test_cards_of_the_older_box_are_recognised_in_a_record_of_the_newer_map() -> None:
    old = {**NEWER, "seekers": [132, 50], "moves": []}
    record = ScotlandYardRecord.from_json(old)
    assert starts_of(record.game) == OLD
    assert ScotlandYardRecord.from_json(record.to_json()) == record


def test_a_play_of_before_the_newer_cards_is_played_again_as_it_was() -> None:
    kept = PlayRecord.load(FILES / "later_scotland_yard.json")
    play = played_again(kept)
    assert play.over
    assert play.record() == kept
    assert starts_of(play.game) == OLD
    written = ScotlandYardRecord.from_play(kept)
    assert written.play().actions == play.actions
    assert ScotlandYardRecord.from_json(written.to_json()) == written
    again = Play.new(scotland_yard(edition="later", seekers=2, rounds=6), seed=kept.seed)
    assert again.game.version == kept.version + 1
