"""Rows of Clue: the cards that could be named or shown, and those that were."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from sleuth.beliefs.games.clue.learned import NAMES, learned
from sleuth.errors import RecordError, SettingsError
from sleuth.games.clue import (
    ClueRecord,
    HouseRules,
    LearnedBelief,
    Suggestion,
    seen_game,
    simulate,
)
from sleuth.kit import Played, save_predictor
from sleuth.models.games import entry
from sleuth.predictors import TrainingRows
from sleuth.training.clue.rows import ChoiceSubject, played_game, rows_of, written_game
from sleuth.training.play_files import SelfPlay, mixed_play
from sleuth.training.training import train


@pytest.fixture(scope="module")
def games() -> list[Played]:
    made = entry("clue_table")
    played = [made.game(players=players) for players in (3, 4)]
    return list(mixed_play(played, ("notebook", "ledford"), SelfPlay(count=6, seed=4)))


@pytest.fixture(scope="module")
def rows(games: list[Played]) -> TrainingRows:
    return rows_of(ChoiceSubject(), map(played_game, games))


def test_of_each_suggestion_there_is_a_row_for_each_card(
    games: list[Played], rows: TrainingRows
) -> None:
    asked = rows.where(rows.features[:, 0] == 0.0)
    for number, one in enumerate(games):
        holders = one.record.replay(one.game).truth()[0].holder
        own = asked.where(asked.match == number)
        for turn in np.unique(own.turn):
            cards = own.where(own.turn == turn)
            assert len(cards) == 21
            by_kind = [cards.features[:, NAMES.index("kind")] == kind for kind in range(3)]
            assert [cards.labels["chosen"][kind].sum() for kind in by_kind] == [1, 1, 1]
            (player,) = {cards.players[each].partition(", ")[2] for each in cards.player}
            seat = one.game.roles.index(player)
            np.testing.assert_array_equal(
                cards.features[:, NAMES.index("held")] == 1.0, holders == seat
            )
            assert np.isnan(cards.features[:, NAMES.index("shown before") :]).all()


def test_of_several_cards_one_is_shown(rows: TrainingRows) -> None:
    shown = rows.where(rows.features[:, 0] == 1.0)
    assert len(shown)
    places = np.stack([shown.match, shown.turn], axis=1)
    for place in np.unique(places, axis=0):
        here = (places == place).all(axis=1)
        assert here.sum() in (2, 3)
        assert shown.labels["chosen"][here].sum() == 1
        assert (shown.features[here, NAMES.index("others")] == here.sum() - 1).all()


def test_what_was_trained_is_a_belief(rows: TrainingRows, tmp_path: Path) -> None:
    found = train(rows, models=("tree",), folds=2, seed=1)
    save_predictor(found.required_predictor, tmp_path / "made")
    name = str(tmp_path / "made")
    assert LearnedBelief(name).model is learned(name)
    assert ChoiceSubject.game == entry("clue_table").part("rows").game
    with pytest.raises(RecordError, match="nothing to learn"):
        rows_of(ChoiceSubject(), [])


def test_on_a_board_rooms_are_no_choice() -> None:
    played = mixed_play([entry("clue").game(players=3)], ("notebook",), SelfPlay(count=1, seed=4))
    rows = rows_of(ChoiceSubject(), map(played_game, played))
    asked = rows.where(rows.features[:, 0] == 0.0)
    assert len(asked)
    assert set(asked.features[:, NAMES.index("kind")].tolist()) == {0.0, 1.0}
    for turn in np.unique(asked.turn):
        assert asked.labels["chosen"][asked.turn == turn].sum() == 2


def written(one: Played) -> ClueRecord:
    """A play as a record with everybody's cards, as somebody would write it down."""
    play = one.record.replay(one.game)
    views = [seen_game(play.view(seat), play.seen_by(seat)) for seat in range(one.game.players)]
    by = dict(zip(views[0].players, views, strict=True))
    # The suggester saw what was shown.
    events = [
        by[getattr(seen.event, "by", "")].events[place].event
        for place, seen in enumerate(views[0].events)
    ]
    return ClueRecord(
        players=views[0].players,
        sizes=tuple(size for _, size in views[0].hand_sizes),
        events=tuple(events),
        face_up=views[0].face_up,
        dealt=tuple(view.own_hand for view in views),
    )


def test_a_written_record_gives_the_rows_of_its_play(games: list[Played]) -> None:
    for one in games:
        record = written(one)
        whole = rows_of(ChoiceSubject(), filter(None, [written_game(record)]))
        played = rows_of(ChoiceSubject(), [played_game(one)])
        np.testing.assert_array_equal(whole.features, played.features)
        np.testing.assert_array_equal(whole.labels["chosen"], played.labels["chosen"])
        np.testing.assert_array_equal(whole.turn, played.turn)


def test_an_observer_who_wrote_gives_the_rows_of_their_own_choices(games: list[Played]) -> None:
    record = written(games[0])
    whole = rows_of(ChoiceSubject(), filter(None, [written_game(record)]))
    for seat, player in enumerate(record.players):
        seen = record.seen_by(player)
        own = ClueRecord(
            players=record.players,
            sizes=record.sizes,
            events=tuple(each.event for each in seen.events),
            observer=player,
            own_hand=seen.own_hand,
            face_up=record.face_up,
        )
        rows = rows_of(ChoiceSubject(), filter(None, [written_game(own)]))
        mine = whole.where(whole.player == seat)
        np.testing.assert_array_equal(rows.features, mine.features)
        np.testing.assert_array_equal(rows.labels["chosen"], mine.labels["chosen"])


def test_records_without_a_hand_are_left_out_and_named(tmp_path: Path, games: list[Played]) -> None:
    record = written(games[0])
    record.dump(tmp_path / "whole.json")
    silent = tmp_path / "silent.json"
    ClueRecord(players=record.players, sizes=record.sizes, events=()).dump(silent)
    rows = ChoiceSubject().read(sorted(tmp_path.iterdir()), entry("clue"))
    assert len(rows)
    assert rows.notes == ("left out, since they tell nobody's hand: silent.json",)
    with pytest.raises(RecordError, match="whose hand is known"):
        ChoiceSubject().read([silent], entry("clue"))


def test_editions_beside_records_are_left_out_and_named(
    tmp_path: Path, games: list[Played]
) -> None:
    written(games[0]).dump(tmp_path / "whole.json")
    cards = {"suspect": ["ann", "ben"], "weapon": ["rope", "fork"], "room": ["lake", "wood"]}
    (tmp_path / "box.json").write_text(json.dumps({"name": "picnic", "cards": cards}))
    rows = ChoiceSubject().read(sorted(tmp_path.iterdir()), entry("clue"))
    alone = ChoiceSubject().read([tmp_path / "whole.json"], entry("clue"))
    np.testing.assert_array_equal(rows.features, alone.features)
    assert rows.notes == (*alone.notes, "left out, since they are editions: box.json")


def test_of_one_game_more_records_are_advised(games: list[Played]) -> None:
    one = rows_of(ChoiceSubject(), [played_game(games[0])])
    with pytest.raises(SettingsError, match="record more") as caught:
        train(one)
    assert "later" not in str(caught.value)


@pytest.mark.parametrize("room, named", [("any", 21), ("none", 12)])
def test_by_house_rules_all_who_show_a_card_chose_one(room: str, named: int) -> None:
    rules = HouseRules(who_shows="all", room=room)  # pyright: ignore[reportArgumentType]
    record = simulate(3, np.random.default_rng(3), rules=rules, turns=12)
    game = written_game(record)
    assert game is not None
    rows = rows_of(ChoiceSubject(), [game])
    shows = rows.features[:, 0] == 1.0
    asked = [event for event in record.events if isinstance(event, Suggestion)]
    assert (~shows).sum() == named * len(asked)
    hands = record.hands or {}
    could = [
        len({*hands[each.player]} & {*event.cards}) for event in asked for each in event.refutations
    ]
    assert shows.sum() == sum(count for count in could if count > 1)
    assert any(event.further for event in asked)


def test_what_was_typed_beside_a_table_leads_to_its_record(tmp_path: Path) -> None:
    typed = tmp_path / "evening.jsonl"
    typed.write_text('{"advice": "clue", "schema": 1}\n{"set": {"me": "ada"}}\n')
    with pytest.raises(RecordError) as told:
        ChoiceSubject().read([typed], entry("clue"))
    assert "did you mean" not in str(told.value)
    typed.with_suffix(".json").write_text("{}")
    with pytest.raises(RecordError, match=r"did you mean the record, .*evening\.json\?"):
        ChoiceSubject().read([typed], entry("clue"))
