"""Games that an assistant plays: whole games by advice, seats that see their own, tables kept."""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import pytest

import sleuth
from sleuth.apps.serving.limits import USUAL
from sleuth.apps.table.game.sitting import GameSitting

from ..table.game.test_hidden import others
from .assistants import Assistant, Refused, assisted, words

pytestmark = pytest.mark.usefixtures("plain_python")

#: Moments of a game that are looked at.
MOMENTS = int(os.environ.get("SLEUTH_LEAKS", "1"))
#: Fields that differ from call to call.
TIMES = ("seconds",)


async def seats_of(assistant: Assistant, game: str, **options: Any) -> list[str]:
    opened = await assistant.call("open_game", game=game, **options)
    return [each["table"] for each in opened["seats"]]


@pytest.mark.parametrize(
    "game, settings", [("leduc_poker", {}), ("clue_table", {"turns": 4})], ids=["leduc", "clue"]
)
def test_a_whole_game_is_played_by_advice(game: str, settings: dict[str, int]) -> None:
    async def scene(assistant: Assistant) -> None:
        agents = dict.fromkeys(sleuth.game(game).roles[1:], "random")
        (seat,) = await seats_of(assistant, game, agents=agents, settings=settings)
        at, moves = await assistant.call("look", table=seat), 0
        while not at["over"]:
            assert at["yours"]
            assert at["to_move"] == at["roles"][0]
            decided = await assistant.call("decide", table=seat, agent="mcts:simulations=4")
            legal = {each["code"]: each["name"] for each in at["moves"]}
            if at["left_out"] == 0:
                assert legal[decided["move"]["code"]] == decided["move"]["name"]
            at = await assistant.call("play", table=seat, move=decided["move"]["code"])
            moves += 1
        assert moves
        assert at["moves"] == []
        assert at["to_move"] is None
        with pytest.raises(Refused, match="the game is over"):
            await assistant.call("play", table=seat, move=0)
        record = (await assistant.call("record", table=seat))["said"][0]["text"]
        analysed = await assistant.call("analyse_record", record=record)
        assert analysed["said"]
        found = await assistant.call("decide_in_record", record=record, event=0, agent="random")
        assert found["role"] == sleuth.game(game).roles[0]

    assisted(scene, seed=5)


def test_advice_and_beliefs_are_those_of_the_kit() -> None:
    async def scene(assistant: Assistant) -> None:
        (seat,) = await seats_of(assistant, "kuhn_poker", agents={"second": "random"})
        found = await assistant.call("beliefs", table=seat)
        sitting = assistant.served.desk.tables.place(seat).sitting
        assert isinstance(sitting, GameSitting)
        play = sitting.course.playing
        belief, view = sleuth.belief("kuhn_poker"), play.view(0)
        posterior = belief.infer(view, play.seen_by(0))
        (feature,) = belief.hidden(view).values()
        assert found["beliefs"][0]["values"] == posterior.marginal(feature)
        decided = await assistant.call("decide", table=seat, agent="mcts:simulations=50")
        assert decided["decision"]["simulations"] == 50
        again = await assistant.call("decide", table=seat, agent="mcts:simulations=50")
        assert without_times(again) == without_times(decided)
        mixed = await assistant.call("decide", table=seat, agent="sound:simulations=20")
        policy = mixed["decision"]["policy"]
        assert sum(policy.values()) == pytest.approx(1.0)
        assert mixed["said"][0]["text"].startswith("It plays ")
        assert mixed["move"]["name"] in mixed["said"][0]["text"].partition("drawn: ")[2]
        assert decided["decision"]["policy"] is None
        said = await assistant.call("advise", table=seat, agent="random")
        assert said["said"][0]["text"].startswith("random would choose")
        with pytest.raises(Refused, match="asks anything"):
            await assistant.call("worth", table=seat)

    assisted(scene, seed=1)


def test_questions_have_their_worth_and_certain_things_their_proof() -> None:
    async def scene(assistant: Assistant) -> None:
        (seat,) = await seats_of(
            assistant, "clue_table", agents=dict.fromkeys(("p2", "p3"), "random")
        )
        worth = await assistant.call("worth", table=seat)
        bits = [each["bits"] for each in worth["questions"]]
        assert bits == sorted(bits, reverse=True)
        assert bits[0] > 0.5
        assert worth["about"] == ["case file"]
        await assistant.call("play", table=seat, move=worth["questions"][0]["move"])
        hidden = await assistant.call("beliefs", table=seat)
        for each in hidden["beliefs"]:
            for value, share in each["values"].items():
                asked = {"table": seat, "name": each["name"], "value": value}
                if share > 1 - 1e-9:
                    proof = await assistant.call("explain", **asked)
                    assert proof["claim"] == f"{each['name']} is {value}"
                else:
                    with pytest.raises(Refused, match="neither certain nor impossible"):
                        await assistant.call("explain", **asked)
                    break
            else:
                continue
            break
        with pytest.raises(Refused, match="did you mean"):
            await assistant.call("explain", table=seat, name="case fyle", value="x")

    assisted(scene, seed=2)


def without_times(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {key: without_times(each) for key, each in answer.items() if key not in TIMES}
    return [without_times(each) for each in answer] if isinstance(answer, list) else answer


@pytest.mark.parametrize("game", ["kuhn_poker", "cheat", "saboteur", "clue_table", "hanabi"])
def test_nothing_that_a_seat_cannot_see_changes_what_it_is_told(game: str) -> None:
    """At moments of a game the truth is changed to others that the seat holds possible."""

    async def scene(assistant: Assistant) -> None:
        roles = sleuth.game(game).roles
        agents = dict.fromkeys(roles[2:], "random")
        seats = await seats_of(assistant, game, seats=[*roles[:2]], agents=agents)
        choose, looked = random.Random(4), 0
        for _ in range(8 * MOMENTS):
            at = [await assistant.call("look", table=each) for each in seats]
            if any(each["over"] for each in at):
                break
            mover = next(each for each in at if each["yours"])
            if looked < MOMENTS and choose.random() < 0.6:
                looked += 1
                for seat in range(2):
                    await looks_the_same(assistant, seats, seat)
            move = choose.choice(mover["moves"])["code"]
            await assistant.call("play", table=mover["table"], move=move)
        assert looked

    assisted(scene, seed=3)


async def looks_the_same(assistant: Assistant, seats: list[str], seat: int) -> None:
    sitting = assistant.served.desk.tables.place(seats[seat]).sitting
    assert isinstance(sitting, GameSitting)
    course, play = sitting.course, sitting.course.playing
    before = await told(assistant, seats[seat])
    for states in others(sitting, play, seat)[:1]:
        # An agent that is asked what is due is another matter: see the tests of the table.
        course.play = play.supposing(states)
        assert await told(assistant, seats[seat]) == before
    course.play = play


async def told(assistant: Assistant, seat: str) -> list[Any]:
    """Everything that a seat can be told without a move."""
    asked = (
        ("look", {}), ("log", {}), ("beliefs", {}), ("worth", {}), ("record", {}),
        ("advise", {"agent": "random"}), ("decide", {"agent": "mcts:simulations=2"}),
        ("take_back", {}), ("explain", {"name": "x"}),
    )  # fmt: skip
    found: list[Any] = []
    for tool, more in asked:
        try:
            found.append(without_times(await assistant.call(tool, table=seat, **more)))
        except Refused as error:
            found.append((str(error), error.parts))
    return found


def test_a_move_can_be_taken_back_only_where_the_game_was_opened_so() -> None:
    async def scene(assistant: Assistant) -> None:
        options = {"agents": {"second": "random"}}
        (seat,) = await seats_of(assistant, "tic_tac_toe", **options)
        await assistant.call("play", table=seat, move=4)
        with pytest.raises(Refused, match="no move can be taken back here"):
            await assistant.call("take_back", table=seat)
        (seat,) = await seats_of(assistant, "tic_tac_toe", take_back=True, **options)
        before = await assistant.call("look", table=seat)
        await assistant.call("play", table=seat, move=4)
        assert await assistant.call("take_back", table=seat) == before

    assisted(scene, seed=1)


def test_a_table_that_is_kept_goes_on_after_the_server(tmp_path: Path) -> None:
    seats: list[str] = []
    seen: list[Any] = []

    async def first(assistant: Assistant) -> None:
        seats.extend(
            await seats_of(assistant, "tic_tac_toe", keep=True, agents={"second": "random"})
        )
        advised = await assistant.call("open_advice", game="clue", keep=True)
        await assistant.call("tell", table=advised["table"], lines=["Ada Bob Cleo", "ada"])
        seats.append(advised["table"])
        seen.append(await assistant.call("play", table=seats[0], move=0))
        closed = await assistant.call("close_table", table=seats[0])
        assert closed["kept"]

    async def second(assistant: Assistant) -> None:
        assert (await assistant.call("look", table=seats[0]))["view"] == seen[0]["view"]
        told = await assistant.call(
            "tell", table=seats[1], lines=["green rope hall stud loun libr"]
        )
        assert told["question"] is None

    async def third(assistant: Assistant) -> None:
        with pytest.raises(Refused, match="no such table is open"):
            await assistant.call("look", table=seats[0])
        with pytest.raises(Refused, match="this server keeps no tables"):
            await assistant.call("open_advice", game="clue", keep=True)

    assisted(first, folder=tmp_path)
    assisted(second, folder=tmp_path)
    assisted(third)


def test_what_a_language_model_reads_is_short() -> None:
    """Moves are there by name, hidden things with their likeliest values, unless one is named."""

    async def scene(assistant: Assistant) -> None:
        (seat,) = await seats_of(assistant, "clue_table")
        found = await assistant.client.call_tool("look", {"table": seat})
        names = [each["name"] for each in (found.structured_content or {})["moves"]]
        assert f"moves: {'; '.join(names)}\n" in words(found)
        (short,) = (await assistant.call("beliefs", table=seat))["beliefs"]
        (whole,) = (await assistant.call("beliefs", table=seat, names=["case file"]))["beliefs"]
        assert len(short["values"]) == USUAL.likeliest
        assert whole["left_out"] == 0
        assert len(short["values"]) + short["left_out"] == len(whole["values"])
        with pytest.raises(Refused, match="the game is not over"):
            await assistant.call("record", table=seat)

    assisted(scene, seed=2)


def test_tools_offer_what_they_take() -> None:
    async def scene(assistant: Assistant) -> None:
        for tool in (await assistant.client.list_tools()).tools:
            for each in tool.input_schema["properties"].values():
                if "default" in each and "type" in each:
                    kinds = {"object": dict, "array": list, "string": str, "boolean": bool}
                    assert isinstance(each["default"], kinds.get(each["type"], int)), tool.name
        agents = (await assistant.call("describe_game", game="kuhn_poker"))["agents"]
        assert "mcts" in agents
        assert "bot" not in agents

    assisted(scene)
