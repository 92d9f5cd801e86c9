"""Clue on its board: against the rules read once more, by hand, and against the dice."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import numpy as np
import pytest

from sleuth import HIDDEN, SPECTATOR, Game, Play, SearchAgent, check_game, game
from sleuth.agents import parse_agent
from sleuth.errors import SettingsError
from sleuth.games.clue import CARDS, PASS, ROOMS, SUSPECTS, clue, clue_table, expected_turns
from sleuth.kit import generator
from sleuth.models.clue.board.board import board
from sleuth.models.clue.board.walking import (
    MOVE,
    PASSAGE,
    ROLL,
    SQUARE,
    STAY,
    TURNING,
    WALKING,
    action_name,
    place_name,
    turns_to_a_room,
)
from sleuth.models.clue.board.whole import considered
from sleuth.models.clue.game import ACCUSE, ACCUSING, DEALT, SUGGESTING
from sleuth.models.clue.imagined.race import KNOWING, race
from sleuth.models.game import legal_actions
from sleuth.models.kernels.kernel import plain
from sleuth.models.recorded import played_again

from .plain_rules import TURNS, PlainClue

PLACE = {place_name(place): place for place in range(board().places)}
STAGES = {TURNING: "turn", WALKING: "walk", SUGGESTING: "suggest", 1: "show", ACCUSING: "accuse"}
#: One for each number of players; each setting of the board is met both ways.
SETTINGS: tuple[dict[str, Any], ...] = (
    {"players": 2, "dice": 2},
    {"players": 3, "summons": True},
    {"players": 4, "hand": 4, "again": True},
    {"players": 5, "blocks": True, "passages": False, "dice": 2},
    {"players": 6, "blocks": True, "summons": True, "again": True},
)


def by_policy(play: Play, random: Any) -> int:
    """What the game's own policy of playouts does."""
    made, legal = play.game, play.legal()
    actions = np.zeros(made.max_actions, dtype=np.int32)
    actions[: len(legal)] = legal
    return int(legal[made.policy(play.truth()[0], actions, len(legal), made.tables, random)])


def placed(made: Game, *rooms: str, seed: int = 0, **fields: Any) -> Play:
    """A game that begins with the first pawns in these places."""
    states = made.initial(seed)
    for suspect, room in enumerate(rooms):
        states[0].place[suspect] = PLACE[room]
        states[0].last[suspect] = PLACE[room] if PLACE[room] < SQUARE else -1
    for name, value in fields.items():
        states[0][name] = value
    return Play.new(made, seed=seed, start=states)


def named(play: Play) -> set[str]:
    return {action_name(code) for code in play.legal().tolist()}


def do(play: Play, *names: str) -> None:
    for name in names:
        play.apply(next(code for code in play.legal().tolist() if action_name(code) == name))


def places(play: Play) -> list[str]:
    return [place_name(place) for place in play.truth()[0].place.tolist()]


# Against the rules, read once more


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda each: str(each["players"]))
def test_random_games_go_by_the_rules(settings: dict[str, Any]) -> None:
    made = clue(**settings, turns=60)
    count, accused = made.players, 0
    for seed in range(4):
        play, random, rng = Play.new(made, seed=seed), generator(seed), np.random.default_rng(seed)
        holders = play.truth()[0].holder.tolist()
        of = [
            {card for card, who in zip(CARDS, holders, strict=True) if who == holder}
            for holder in range(count + 2)
        ]
        assert len(of[count]) == 3
        assert len(of[count + 1]) == DEALT - sum(map(len, of[:count]))
        plain_game = PlainClue(made.settings, of[:count], of[count])
        while not play.over:
            names = {action_name(code): code for code in play.legal().tolist()}
            assert set(names) == plain_game.legal()
            action = action_name(by_policy(play, random))
            if rng.random() < 0.3 and plain_game.stage != "accuse":
                action = str(rng.choice(sorted(names)))
            if plain_game.stage == "accuse" and rng.random() < 0.02:
                action = "accuse plum, rope, hall"
            play.apply(names[action])
            state = play.truth()[0]
            plain_game.apply(action, int(state.roll))
            accused += action.startswith("accuse")
            if plain_game.stage == "over":
                assert play.over
                break
            assert STAGES[int(state.stage)] == plain_game.stage
            assert (state.player, state.turn) == (plain_game.player, plain_game.turns)
            assert places(play) == [
                place if isinstance(place, str) else place_name(PLACE_OF[place])
                for place in plain_game.at.values()
            ]
            assert state.holder.tolist() == holders
        expected = [float(player == plain_game.winner) for player in range(count)]
        assert play.returns().tolist() == expected
    assert accused
    assert TURNS[-1] == plain_game.stage


PLACE_OF: dict[Any, int] = dict(board().place_of)


@pytest.mark.parametrize("settings", SETTINGS, ids=lambda each: str(each["players"]))
def test_it_keeps_the_contract(settings: dict[str, Any]) -> None:
    check_game(clue(**settings, turns=4), plays=1, worlds=6)


def test_the_table_keeps_the_contract_with_cards_face_up() -> None:
    check_game(clue_table(players=4, hand=4, turns=2), plays=1, worlds=6)


def test_a_table_plays_the_games_that_it_has_always_played() -> None:
    """States, views, observations, records and returns of games by policy and at random."""
    digests = {3: "f86a47049411fcd7", 4: "94226c4cb11eb01a", 6: "262d84ba4bb19d6a"}
    for players, expected in digests.items():
        made, found = clue_table(players, turns=12), hashlib.sha256()
        for seed in range(4):
            play, random = Play.new(made, seed=seed), generator(seed, 1)
            rng = np.random.default_rng(seed)
            while not play.over:
                code = by_policy(play, random)
                legal = play.legal()
                if rng.random() >= 0.8:
                    code = int(legal[rng.integers(len(legal))])
                play.apply(code)
                found.update(play.truth().tobytes())
                for viewer in (SPECTATOR, *range(players)):
                    found.update(play.view(viewer).data)
                    seen = play.seen_by(viewer).events[-1].event.observation
                    found.update(str(seen).encode())
            found.update(json.dumps(play.record().to_json()).encode())
            found.update(play.returns().tobytes())
        assert found.hexdigest()[:16] == expected


# By hand


def test_a_walk_ends_in_a_room_and_a_room_is_left_by_its_doors() -> None:
    play = placed(clue(), "hall", stage=WALKING, roll=1)
    assert named(play) == {"stay", "move l18", "move m18", "move p21"}
    play = placed(clue(), "l18", stage=WALKING, roll=2)
    assert "move hall" in named(play)
    assert "move p21" not in named(play)  # not through the room
    do(play, "move hall")
    assert play.truth()[0].stage == SUGGESTING
    assert len(play.legal()) == 37
    assert all(name == "pass" or name.endswith(", hall") for name in named(play))


def test_a_suggestion_brings_the_pawn_along_and_who_came_may_suggest_there() -> None:
    for summons in (False, True):
        play = placed(clue(players=2, summons=summons), "study")
        do(play, "passage", "suggest mustard, rope, kitchen")
        assert places(play)[:2] == ["kitchen", "kitchen"]
        while play.truth()[0].stage != TURNING:
            do(play, min(named(play) & {"pass"} or named(play)))
        assert play.player == 1
        assert named(play) == {"roll", "passage"} | ({"stay"} if summons else set())
        if summons:
            do(play, "stay")
            assert play.truth()[0].stage == SUGGESTING
            assert "suggest plum, rope, kitchen" in named(play)


def test_who_has_not_moved_suggests_nothing_but_may_accuse() -> None:
    play = placed(clue(), "study", stage=WALKING, roll=6)
    do(play, "stay")
    assert play.truth()[0].stage == ACCUSING
    assert len(play.legal()) == 325


@pytest.mark.parametrize("again", [False, True])
def test_a_room_may_be_entered_again_only_where_the_settings_say(again: bool) -> None:
    play = placed(clue(again=again), "hall", stage=WALKING, roll=1)
    do(play, "move l18", "pass")
    for _ in range(2):
        do(play, "roll", "stay", "pass")
    do(play, "roll")
    assert ("move hall" in named(play)) == again
    play = placed(clue(again=again), "hall", stage=WALKING, roll=3)
    assert "move hall" not in named(play)  # in no case in one turn


def test_pawns_stand_in_the_way_where_the_settings_say_so() -> None:
    """The lounge has one door, and mustard stands before it; a player who is out does not."""
    for blocks, out, ways in ((False, 0, 4), (True, 0, 0), (True, 1, 4)):
        play = placed(clue(blocks=blocks), "lounge", "g19", stage=WALKING, roll=2)
        states = play.truth()
        states[0].out[1] = out
        assert len(legal_actions(play.game, states)) == 1 + ways


def test_all_see_walks_and_dice_and_two_see_a_card() -> None:
    play = placed(clue(players=4), "kitchen", seed=1)
    do(play, "roll")
    roll = int(play.truth()[0].roll)
    assert 1 <= roll <= 6
    for viewer in (SPECTATOR, 0, 3):
        assert play.seen_by(viewer).events[-1].event.observation == ROLL + 1000 * roll
        assert play.view(viewer).states[0].roll == roll
    do(play, "stay", "pass")
    assert play.seen_by(2).events[-2].event.observation == STAY
    state = play.view(2).states[0]
    assert (state.place == play.truth()[0].place).all()
    assert (state.holder == HIDDEN).sum() == 21 - 4


def test_cards_face_up_are_seen_by_all() -> None:
    made = clue(players=4, hand=4)
    for viewer in (SPECTATOR, 1):
        holders = Play.new(made, seed=2).view(viewer).states[0].holder.tolist()
        assert holders.count(5) == 2
    assert clue_table(players=4, hand=4).settings["hand"] == 4


# Dice and ways


@pytest.mark.parametrize("dice", [1, 2])
@pytest.mark.parametrize("room", ["study", "ballroom"])
def test_walking_alone_takes_as_many_turns_as_the_treasure_hunt_says(dice: int, room: str) -> None:
    """Every roll brings the room nearer by as many steps, so turns are those of the recurrence."""
    made, target = clue(dice=dice), ROOMS.index(room)
    far = board().distances[:, target]
    for place in range(SQUARE, board().places, 3):
        for roll in (1, 4, 6 * dice):
            play = placed(made, place_name(place), stage=WALKING, roll=roll)
            reached = [code - MOVE for code in play.legal().tolist() if code != STAY]
            # Not by way of another room, and perhaps its passage.
            reached = [there for there in reached if there >= SQUARE or there == target]
            assert min(far[reached]) == max(far[place] - roll, 0)
    start, random, taken = board().place_of[board().starts["scarlet"]], generator(dice), 0
    apply = plain(made.apply)
    for _ in range(2000):
        left = int(far[start])
        while left > 0:
            states = made.initial(0)
            apply(states[0], ROLL, made.tables, random)
            left -= int(states[0].roll)
            taken += 1
    assert taken / 2000 == pytest.approx(expected_turns(int(far[start]), dice=dice)[-1], rel=0.03)


def test_playouts_come_to_rooms_and_end() -> None:
    play, random, came = Play.new(clue(players=4), seed=3), generator(1), 0
    while not play.over:
        play.apply(by_policy(play, random))
        came += play.truth()[0].stage == SUGGESTING
    assert play.returns().sum() == 1
    assert came > play.truth()[0].turn / 3


def test_rooms_and_the_nearest_squares_are_considered() -> None:
    play = placed(clue(dice=2), "h8", stage=WALKING, roll=5)
    kept = [action_name(code) for code in considered(play.view(0)).tolist()]
    assert {"move ballroom", "move kitchen"} & set(kept) == {
        name for name in named(play) if name in ("move ballroom", "move kitchen")
    }
    assert 2 <= len(kept) <= 9
    assert set(kept) < named(play)
    play = placed(clue(), "h8")
    assert considered(play.view(0)).tolist() == [ROLL]


def test_nearness_is_the_share_of_those_in_play() -> None:
    made = clue(players=3)
    nearness = made.advice.evaluations["nearness"]
    play = placed(made, "hall", "hall", "hall")
    states = play.truth()
    room = next(card - 12 for card in range(12, 21) if states[0].holder[card] == 3)
    states[0].place[0] = room
    values = [nearness(states[0], player, made.tables) for player in range(3)]
    assert sum(values) == pytest.approx(1.0)
    assert values[0] > values[1] or room == ROOMS.index("hall")
    states[0].out[0] = 1
    assert nearness(states[0], 0, made.tables) == 0.0
    assert nearness(states[0], 1, made.tables) == 0.5


# Those who plan in it


def test_a_race_goes_on_the_board() -> None:
    made = race(clue(players=2))
    made.tables.knows[:] = 1.0
    states, random = made.initial(1), generator(1)
    states[0].place[0] = PLACE["study"]
    for action in (PASSAGE, 9 * 7 + ROOMS.index("kitchen")):
        assert action in legal_actions(made, states)
        made.apply(states[0], action, made.tables, random)
    while states[0].stage != KNOWING:
        made.apply(states[0], int(legal_actions(made, states)[0]), made.tables, random)
    (accusation,) = legal_actions(made, states).tolist()
    assert ACCUSE <= accusation < PASS
    made.apply(states[0], accusation, made.tables, random)
    assert states[0].winner == 0
    # Who only walked does not know, and passes.
    states = made.initial(1)
    for action in (ROLL, STAY):
        made.apply(states[0], action, made.tables, random)
    assert legal_actions(made, states).tolist() == [PASS]


@pytest.mark.usefixtures("plain_python")
def test_agents_play_it() -> None:
    made = clue(players=2, turns=6)
    agents = [parse_agent(text).prepare(made)(5) for text in ("mcts:simulations=60", "random")]
    play = Play.new(made, seed=2)
    for _ in range(8):
        view = play.view(play.player)
        play.apply(int(agents[play.player].decide(view, play.seen_by(play.player))))
    mcts = agents[0]
    assert isinstance(mcts, SearchAgent)
    # It weighs one accusation against passing, and of walks only those that its advice considers.
    play = placed(made, "hall", stage=ACCUSING, suggestion=-1)
    assert len(mcts.decision(play.view(0), play.seen_by(0)).actions) == 2
    play = placed(made, "h8", stage=WALKING, roll=5)
    tried = {report.action for report in mcts.decision(play.view(0), play.seen_by(0)).actions}
    assert tried == set(considered(play.view(0)).tolist()) < set(play.legal().tolist())


def test_a_record_of_it_is_played_again() -> None:
    play, random = Play.new(clue(players=2, summons=True), seed=2), generator(1)
    for _ in range(20):
        play.apply(by_policy(play, random))
    again = played_again(play.record())
    assert (again.actions, again.truth().tobytes()) == (play.actions, play.truth().tobytes())


@pytest.mark.parametrize(
    "settings",
    [
        {"players": 1},
        {"players": 7},
        {"dice": 3},
        {"turns": 0},
        {"hand": 7},
        {"again": 1},
        {"board": False, "dice": 2},
    ],
)
def test_settings_without_a_game_are_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="clue"):
        game("clue", **settings)


def test_without_a_board_it_is_the_table() -> None:
    found = game("clue", board=False, players=4, hand=4)
    assert (found.name, found.settings) == ("clue_table", {"players": 4, "turns": 60, "hand": 4})
    assert set(SUSPECTS) == set(board().starts)


@pytest.mark.parametrize("dice", [1, 2])
def test_the_way_to_the_nearest_room_takes_as_many_turns_as_rolls(dice: int) -> None:
    rng = np.random.default_rng(dice)
    far = clue().tables.walk.distance[:SQUARE]
    rolled = np.cumsum(rng.integers(1, 7, (4_000, 24, dice)).sum(axis=2), axis=1)
    turns = []
    for room in range(SQUARE):
        steps = min(int(far[room, other]) for other in range(SQUARE) if other != room)
        turns.append(1.0 + (rolled < steps).sum(axis=1).mean())
    assert turns_to_a_room(dice) == pytest.approx(np.mean(turns), abs=0.02)
