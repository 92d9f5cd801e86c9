"""Recorded games of Cheat for many: what they must say, what they let a viewer see, their files."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth.data.errors import RecordError
from sleuth.games.cheat import (
    ManyCheatRecord,
    cheat_for_many,
    many_json_schema,
    rank_named,
    read_many_records,
    simulate_many,
    write_many_records,
)
from sleuth.models.cheat.for_many.record.files import FILES
from sleuth.models.cheat.for_many.state import cards_of
from sleuth.models.play import Play

SCHEMA = Path(__file__).parents[4] / "docs" / "cheat" / "record_for_many.schema.json"
#: Games of people that pass the reader; 1,000 by SLEUTH_FUZZ=1000.
GAMES = int(os.environ.get("SLEUTH_FUZZ", "12"))
SETTINGS: tuple[dict[str, Any], ...] = (
    {},
    {"players": 3, "order": "near"},
    {"players": 5, "packs": 2, "shown": "pile", "leads": "right"},
    {"players": 6, "order": "free", "most_claimed": 2, "leads": "taker", "limit": 60},
)


@cache
def games(place: int = 0, count: int = 2) -> tuple[ManyCheatRecord, ...]:
    game = cheat_for_many(**SETTINGS[place])
    return simulate_many(game.players, seed=place, games=count, game=game)


def evening(**more: Any) -> dict[str, Any]:
    """The beginning of a game that ann has written down."""
    return {
        "game": "cheat_for_many",
        "players": ["ann", "bob", "cid"],
        "settings": {"ranks": 3, "suits": 4},
        "hands": {"ann": ["ace", "2", "2", "3"]},
        "turns": [
            {"by": "ann", "type": "claim", "rank": "ace", "count": 2, "cards": ["ace", "3"]},
            {"by": "bob", "type": "claim", "rank": "2", "count": 1},
            {"by": "cid", "type": "call", "shown": ["3"]},
        ],
        **more,
    }


def read(**more: Any) -> ManyCheatRecord:
    return ManyCheatRecord.from_json(evening(**more))


# What a record is


def test_games_of_people_pass_the_reader_and_are_legal_in_the_game() -> None:
    done = 0
    for place, settings in enumerate(SETTINGS):
        count = max(1, GAMES // len(SETTINGS))
        for record in games(place, count):
            done += 1
            assert ManyCheatRecord.from_json(json.loads(json.dumps(record.to_json()))) == record
            game = cheat_for_many(**settings)
            assert record.game.settings == game.settings
            start = next(iter(record.moments()))
            play = Play(game, 1, start)
            for step in record.steps():
                listed = game.listed_code(play.truth(), step.code)
                assert listed in play.legal()
                assert play.player == step.by
                play.apply(step.code)
                assert play.truth().tobytes() == step.states.tobytes()
            assert play.over
            assert (record.winner is None) == (int(play.truth()[0].winner) < 0)
    assert done >= min(GAMES, len(SETTINGS))


def test_views_and_observations_are_those_of_the_play() -> None:
    record = games(2)[0]
    play = Play(record.game, 1, next(iter(record.moments())))
    steps = [*record.steps()][:60]
    for step in steps:
        play.apply(step.code)
    for viewer in (-1, 0, 3):
        now = [*record.observed(viewer)][len(steps)]
        assert now.view.states.tobytes() == play.view(viewer).states.tobytes()
        seen = play.seen_by(viewer)
        assert now.seen.start == seen.start
        assert [one.event for one in now.seen.events] == [one.event for one in seen.events]


def test_a_play_becomes_a_record_that_replays_to_its_end() -> None:
    rng = np.random.default_rng(5)
    play = Play.new(cheat_for_many(players=3), seed=5)
    while not play.over and len(play.record().actions) < 150:
        play.apply(int(rng.choice(play.legal())))
    record = ManyCheatRecord.from_play(play, players=("ann", "bob", "cid"), seconds=[1.0])
    assert record.full
    assert record.turns[0].seconds == 1.0
    *_, last = record.steps()
    assert last.states.tobytes() == play.truth().tobytes()
    assert ManyCheatRecord.from_json(record.to_json()) == record


def test_who_let_a_claim_pass_need_not_be_written() -> None:
    turns = evening()["turns"]
    said = [turns[0], {"by": "bob", "type": "pass"}, {"by": "cid", "type": "pass"}, *turns[1:]]
    assert read(turns=said) == read()
    assert [step.by for step in read().steps()] == [0, 1, 2, 1, 2]
    last = read(turns=[turns[0], {"by": "cid", "type": "pass"}])
    assert [(turn.by, turn.kind) for turn in last.turns[1:]] == [(1, "pass"), (2, "pass")]


def test_an_observer_knows_their_own_and_no_other_hand() -> None:
    record = read()
    assert record.viewers() == ("ann", "spectator")
    seen = record.seen_by("ann")
    assert seen.hand == (0, 2, 0)
    assert seen.sizes == (2, 6, 4)
    assert seen.claims[1].cards == (2,)
    assert record.turns[2].caught is True
    with pytest.raises(RecordError, match="does not say what this viewer saw"):
        record.seen_by("bob")
    with pytest.raises(RecordError, match="did you mean 'ann'"):
        record.seen_by("anne")


def test_who_takes_the_pile_needs_its_cards_to_be_known() -> None:
    turns = [*evening()["turns"], {"by": "cid", "type": "claim", "rank": "3", "count": 1}]
    wrong = {"by": "ann", "type": "call", "caught": False}
    assert read(turns=[*turns, wrong]).viewers() == ("ann", "spectator")
    more = [turns[0], turns[1], {"by": "ann", "type": "call", "caught": False}]
    assert read(turns=more).viewers() == ("ann", "spectator")
    hidden = [{**turns[0]}, turns[1], {"by": "cid", "type": "claim", "rank": "3", "count": 1}]
    assert read(turns=[*hidden, wrong]).viewers() == ("spectator",)
    pile = ["ace", "3", "2", "3"]
    assert read(turns=[*hidden, {**wrong, "pile": pile}]).viewers() == ("ann", "spectator")
    # However it was kept, ann knows what she laid there.
    mixed = read(turns=[*hidden, {**wrong, "pile": pile[::-1]}])
    assert [turn.cards for turn in mixed.turns[:3]] == [(0, 2), (1,), (2,)]
    # Of two others' claims nobody could tell which card was whose.
    third = {"by": "cid", "type": "claim", "rank": "3", "count": 1}
    again = {"by": "ann", "type": "claim", "rank": "ace", "count": 1, "cards": ["2"]}
    caught = {"by": "bob", "type": "call", "caught": True, "shown": ["2"]}
    four = [turns[0], {**turns[1]}, third, again]
    lying = ["ace", "3", "2", "3", "2"]
    assert read(turns=[*four, {**caught, "pile": lying}]).turns[2].cards == (2,)
    with pytest.raises(RecordError, match="not the cards from the bottom"):
        read(turns=[*four, {**caught, "pile": ["2", "3", "2", "ace", "3"]}])


def test_altering_what_a_viewer_cannot_see_changes_nothing_they_see() -> None:
    record, rng = games()[0], np.random.default_rng(1)
    changed = 0
    for viewer in range(4):
        cut = replace(record, turns=record.turns[:9], winner=None)
        name, seen = cut.players[viewer], cut.seen_by(record.players[viewer])
        # Two others change a card that neither has laid down.
        one, other = [seat for seat in range(4) if seat != viewer][:2]
        hands = [[*hand] for hand in cut.hands if hand is not None]
        pairs = [(a, b) for a in range(13) for b in range(13)]
        for place in rng.permutation(len(pairs))[:40].tolist():
            a, b = pairs[place]
            swapped = [[*hand] for hand in hands]
            swapped[one][a], swapped[other][b] = swapped[other][b], swapped[one][a]
            other_deal = replace(cut, hands=tuple(tuple(sorted(hand)) for hand in swapped))
            try:
                found = ManyCheatRecord.from_json(other_deal.to_json()).seen_by(name)
            except RecordError:
                continue  # somebody has laid that card down
            changed += other_deal.hands != cut.hands
            assert found == seen
    assert changed > 20


# What is refused


@pytest.mark.parametrize(
    "more, words",
    [
        ({"players": ["ann", "ann"]}, "different names"),
        ({"hands": {"ann": ["ace"]}}, "ann is dealt 4 cards"),
        ({"hands": {"dan": []}}, "no such player"),
        ({"hands": {"ann": ["ace", "2", "2", "4"]}}, "the pack has no such rank"),
        ({"settings": {"ordre": "near"}}, "did you mean 'order'"),
        ({"winner": "ann"}, "the game is not won"),
    ],
)
def test_what_is_wrong_with_a_game_is_said(more: dict[str, Any], words: str) -> None:
    with pytest.raises(RecordError, match=words):
        read(**more)


@pytest.mark.parametrize(
    "turn, place, words",
    [
        ({"by": "bob", "type": "claim", "rank": "3", "count": 1}, 1, "turn 2, field 'rank'.*of 2"),
        ({"by": "cid", "type": "claim", "rank": "2", "count": 1}, 1, "write 'bob'"),
        ({"by": "bob", "type": "claim", "rank": "2", "count": 5}, 1, "turn 2.*at most 4"),
        ({"by": "ann", "type": "call"}, 1, "nobody is asked about their own claim"),
        ({"by": "bob", "type": "call", "caught": False}, 1, "the claim was false"),
        ({"by": "bob", "type": "call", "shown": ["ace", "2"]}, 1, "other cards"),
        ({"by": "cid", "type": "call"}, 2, "turn 3.*turned up are needed"),
        ({"by": "cid", "type": "call", "shown": ["2"], "caught": True}, 2, "the claim was true"),
        ({"by": "cid", "type": "call", "shown": ["2"], "pile": ["2"]}, 2, "3 cards lie on the"),
        ({"by": "cid", "type": "snap"}, 2, "no such type of turn"),
    ],
)
def test_a_wrong_turn_is_named_with_its_place(turn: dict[str, Any], place: int, words: str) -> None:
    turns = evening()["turns"][:place]
    with pytest.raises(RecordError, match=rf"turn {place + 1}") as caught:
        read(turns=[*turns, turn])
    assert caught.match(words)


def test_cards_that_somebody_does_not_hold_are_refused() -> None:
    turns = evening()["turns"]
    with pytest.raises(RecordError, match=r"ann holds 1 cards of this rank.*'ace'"):
        read(turns=[{**turns[0], "cards": ["ace", "ace"]}])


# Files


@pytest.mark.parametrize("name", ["games.jsonl", "games.csv"])
def test_files_hold_the_same_games(name: str, tmp_path: Path) -> None:
    records = [*games(0), *(replace(each, match="other") for each in games(1)), read(match="ann")]
    write_many_records(records, tmp_path / name)
    assert read_many_records(tmp_path / name) == tuple(records)
    assert FILES.check(tmp_path / name) == (tuple(records), ())


def test_a_table_of_somebody_else_has_a_claim_on_each_row(tmp_path: Path) -> None:
    table = tmp_path / "evening.csv"
    table.write_text(
        "round,who,said,n,accuser,were\n"
        "a,Ann,Aces,2,bob,A K\n"
        "a,bob,two,1,,\n"
        "a,cid,3s,1,Ann,3\n"
        "b,bob,A,1,,\n"
        "b,Ann,2,1,,\n"
    )
    columns = {
        "game": "round", "player": "who", "rank": "said", "count": "n", "caller": "accuser",
        "shown": "were",
    }  # fmt: skip
    first, second = read_many_records(table, columns=columns)
    assert (first.match, first.players) == ("a", ("Ann", "bob", "cid"))
    assert [turn.kind for turn in first.turns] == ["claim", "call", "claim", "claim", "call"]
    assert [turn.true for turn in first.turns if turn.kind == "claim"] == [False, None, True]
    assert second.players == ("bob", "Ann")


def test_what_is_wrong_in_a_table_is_named_with_line_column_and_value(tmp_path: Path) -> None:
    table = tmp_path / "evening.csv"
    columns = {"player": "who", "rank": "said", "count": "n"}
    for rows, words in (
        ("ann,knave,1", r"line 2, column 'said': no such rank \(got 'knave'\)"),
        ("ann,ace,some", r"line 2, column 'n': a number is needed \(got 'some'\)"),
        ("ann,ace,1\nbob,king,1", r"line 3, turn 2, column 'said'.*'king'"),
        ("ann,ace,9\nbob,2,1", r"line 2, turn 1, column 'n'.*9"),
    ):
        table.write_text(f"who,said,n\n{rows}\n")
        with pytest.raises(RecordError, match=words):
            read_many_records(table, columns=columns)


def test_ranks_are_understood_as_people_write_them() -> None:
    words = {"A": "ace", "t": "10", "sixes": "6", "Kings": "king", "7s": "7", "10": "10"}
    assert {word: rank_named(word) for word in words} == words
    assert rank_named("joker") is None


def test_the_schema_is_the_published_one() -> None:
    assert json.loads(SCHEMA.read_text()) == many_json_schema(), (
        "run: python -m sleuth.models.cheat.for_many > docs/cheat/record_for_many.schema.json"
    )


def test_a_lie_can_be_called_whose_cards_nobody_wrote_down() -> None:
    """What somebody then holds to be known is true, and sizes are those of the full record."""
    lies = 0
    for record in games():
        viewer = 0
        turns, told = list(record.turns), -1
        for number, turn in enumerate(record.turns):
            if turn.kind == "claim":
                told = number
            elif turn.kind == "call" and turn.caught and turns[told].by != viewer:
                turns[told] = replace(turns[told], cards=None)
                lies += 1
        hands = tuple(hand if seat == viewer else None for seat, hand in enumerate(record.hands))
        less = replace(record, turns=tuple(turns), hands=hands)
        again = ManyCheatRecord.from_json(less.to_json())
        assert again.truths == less.truths == record.truths
        for moment, (truth, known) in enumerate(
            zip(record.moments(), again.moments(), strict=True)
        ):
            assert (truth["sizes"] == known["sizes"]).all()
            assert truth["player"] == known["player"]
            if moment % 5 == 0 and int(truth["player"][0]) >= 0:
                seen, state = again.seen_by(record.players[viewer], moment), truth[0]
                held = state["hands"].copy()
                for claim in range(seen.since, len(seen.claims)):
                    for card in cards_of(int(state["cards"][claim])):
                        held[seen.claims[claim].by, card] += 1
                collected = np.array(seen.collected)
                assert (collected <= held[: len(collected), : collected.shape[1]]).all()
    assert lies > 3
