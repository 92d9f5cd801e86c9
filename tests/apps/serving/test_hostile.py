"""Whatever an assistant sends: it gets errors, nothing is lost, and nothing breaks.

``SLEUTH_FUZZ`` says how many calls (60 if unset), ``SLEUTH_FUZZ_SEED`` where the generator starts.
Where the former is set, `sleuth serve --mcp` is called so often, too, as another process.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import random
from typing import Any

import pytest

from sleuth.apps.serving.limits import DeskLimits

from .assistants import Assistant, Refused, assisted, assisted_by_program

pytestmark = pytest.mark.usefixtures("plain_python")

CALLS = int(os.environ.get("SLEUTH_FUZZ", "60"))
SEED = int(os.environ.get("SLEUTH_FUZZ_SEED", "0"))
#: Calls that are under way at once.
TOGETHER = 5
#: Tables that are attacked; beside a real game of some.
GAMES = ("clue", "saboteur", "scotland_yard", "cheat_for_many", "kuhn_poker", "tic_tac_toe")
ADVISED = ("saboteur", "scotland_yard", "cheat_for_many")
MOST_TABLES = 12
#: Letters of an error at most.
LONGEST = 3_000

ODD = (
    "", " ", "\n", "\x00", "\x1b[2J", "\u202e", "\u200b", "\ufeff", "é", "日本", "🕵️", "²", "٣",
    "-1", "0", "9" * 30, "NaN", "null", "[]", "{}", "<script>", "'", '"', "\\", "%s", "{0}",
    "../..", "/etc/passwd", "x.py:GAME", "a" * 4_000, "a" * 5_000, "clue", "kuhn_poker", "saboteur",
    "undo", "back", "setup players", "quit", "log", "best", "why", "why plum", "set players a b",
    "players", "hand", "case file", "mcts:simulations=1", "random", "mcts:seconds=1e9", "first",
    "change", "remove", "ada accuses plum rope hall wrong", "plum rope hall bob", "pass", "bet",
    '{"game": "clue"}',
    '{"game": "kuhn_poker", "actions": [1, 1, 1]}', '{"game": "x.py:GAME"}', "[" * 3_000,
)  # fmt: skip


def odd(choose: random.Random, depth: int = 0) -> Any:
    """Some value of JSON."""
    kinds = [
        lambda: choose.choice(ODD),
        lambda: choose.choice(ODD) * choose.randrange(3),
        lambda: choose.choice((0, 1, -1, 2, 7, 2**31, 2**63, -(2**70), 10**400, 1.5, 1e308)),
        lambda: choose.choice((None, True, False)),
    ]
    if depth < 4:
        kinds += [
            lambda: [odd(choose, depth + 1) for _ in range(choose.randrange(4))],
            lambda: {
                choose.choice(ODD): odd(choose, depth + 1) for _ in range(choose.randrange(3))
            },
        ]
    return choose.choice(kinds)()


def deep(levels: int) -> Any:
    value: Any = []
    for _ in range(levels):
        value = [value]
    return value


class Enemy:
    """Draws calls and makes them.

    Attributes:
        answered: How many were answered, and refused.
    """

    def __init__(self, assistant: Assistant, tools: list[Any]) -> None:
        self.assistant, self.tools = assistant, tools
        self.tables: list[str] = []
        self.choose = random.Random(SEED)
        self.answered = {True: 0, False: 0}
        self._left: list[str] = []
        self._closed = set[str]()

    async def call(self) -> None:
        tool, arguments = self._drawn()
        refused, found = "", dict[str, Any]()
        try:
            found = await self.assistant.call(tool, **arguments)
        except Refused as error:
            refused = str(error)
        self.answered[bool(found)] += 1
        if not found:
            assert 0 < len(refused) < LONGEST, (tool, arguments)
            for word in ("Traceback", "fault of its own"):
                assert word not in refused, (tool, arguments)
            return
        if tool == "close_table":
            self._closed.add(found["table"])
        if tool == "open_advice":
            self._left.append(found["table"])
        if tool == "open_game":
            self._left.append(found["seats"][0]["table"])

    async def open(self) -> None:
        """Open all tables that are attacked, or those that were closed."""
        self.tables = self.tables or [""] * len(GAMES)
        for place, table in enumerate(self.tables):
            if not table or table in self._closed:
                self.tables[place] = await self._opened(GAMES[place])

    async def _opened(self, game: str) -> str:
        try:
            if game == "clue":
                return await self.assistant.clue("plum knife kitchen bob plum")
            if game in ADVISED:
                return str((await self.assistant.call("open_advice", game=game))["table"])
            return await against_chance(self.assistant, game)
        except Refused as error:
            if "too many tables open" not in str(error):
                raise
        # One that is left over makes room.
        await self.assistant.call("close_table", table=self._left.pop())
        return await self._opened(game)

    def _drawn(self) -> tuple[str, dict[str, Any]]:
        choose = self.choose
        if choose.random() < 0.03:
            return str(choose.choice(ODD)), {}
        tool = choose.choice(self.tools)
        schema = tool.input_schema
        arguments: dict[str, Any] = {}
        for name, each in schema.get("properties", {}).items():
            if name not in schema.get("required", ()) and choose.random() < 0.5:
                continue
            if choose.random() < 0.06:
                continue
            arguments[name] = self._value(name, each)
        if choose.random() < 0.05:
            arguments[str(choose.choice(ODD)) or "x"] = odd(choose)
        if choose.random() < 0.02:
            arguments[choose.choice([*arguments, "table"])] = deep(choose.choice((50, 200)))
        return tool.name, arguments

    def _value(self, name: str, schema: dict[str, Any]) -> Any:
        choose = self.choose
        if choose.random() < 0.25:
            return odd(choose)
        if name == "table":
            return choose.choice(self.tables)
        if "enum" in schema:
            return choose.choice(schema["enum"])
        match schema.get("type"):
            case "string":
                return choose.choice(ODD)
            case "integer":
                return choose.choice((0, 1, 2, 3, 50, 10**6, -1))
            case "boolean":
                return choose.random() < 0.5
            case "array":
                return [choose.choice(ODD) for _ in range(choose.randrange(4))]
            case "object":
                return {choose.choice(ODD): choose.choice(ODD) for _ in range(choose.randrange(3))}
            case _:
                return odd(choose)


async def attacked(assistant: Assistant) -> None:
    # Two tables that nobody attacks, and some that are attacked.
    mine = await assistant.clue("plum knife kitchen bob plum", "white rope ball cleo")
    seat = await against_chance(assistant, "leduc_poker")
    before = await held(assistant, mine, seat)
    enemy = Enemy(assistant, (await assistant.client.list_tools()).tools)
    for _ in range(0, CALLS, TOGETHER):
        await enemy.open()
        await asyncio.gather(*(enemy.call() for _ in range(TOGETHER)))
    # Some are what they seem to be.
    assert CALLS // 10 < enemy.answered[True] < CALLS // 2
    assert await held(assistant, mine, seat) == before


def test_whatever_is_called_only_errors_come_and_nothing_is_lost(
    capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        assisted(attacked, seed=1, limits=DeskLimits(tables=MOST_TABLES, seconds=20.0))
    said = capfd.readouterr()
    assert "Traceback" not in said.err + said.out + caplog.text


@pytest.mark.skipif("SLEUTH_FUZZ" not in os.environ, reason="workers take minutes")
def test_whatever_a_program_is_asked_it_answers_and_prints_nothing_else() -> None:
    assisted_by_program(attacked, "--seed", "1", "--seconds", "20")


async def against_chance(assistant: Assistant, game: str) -> str:
    made = await assistant.call("open_game", game=game, agents={"second": "random"})
    return str(made["seats"][0]["table"])


async def held(assistant: Assistant, advised: str, seat: str) -> str:
    """Everything that two tables say."""
    found = [
        await assistant.call("log", table=advised),
        await assistant.call("ask", table=advised, question="notebook"),
        await assistant.call("beliefs", table=advised),
        await assistant.call("look", table=seat),
        await assistant.call("beliefs", table=seat),
    ]
    return json.dumps(found)


def test_there_are_only_so_many_tables() -> None:
    async def scene(assistant: Assistant) -> None:
        tables = [(await assistant.call("open_advice", game="saboteur"))["table"] for _ in range(3)]
        for _ in range(2):
            with pytest.raises(Refused, match="too many tables open"):
                await assistant.call("open_game", game="kuhn_poker")
        await assistant.call("close_table", table=tables[0])
        await assistant.call("open_advice", game="clue")
        with pytest.raises(Refused, match="no such table is open"):
            await assistant.call("log", table=tables[0])
        assert (await assistant.call("log", table=tables[1]))["said"]

    assisted(scene, limits=DeskLimits(tables=3))


def test_a_game_that_cannot_be_opened_leaves_no_table_behind() -> None:
    async def scene(assistant: Assistant) -> None:
        for options in (
            {"settings": {"players": 99}},
            {"settings": {"pleyers": 3}},
            {"agents": {"p2": "nobody"}},
            {"seats": ["p9"]},
            {"seats": ["p1", "p1"]},
            {"agents": {"p1": "random"}},
        ):
            with pytest.raises(Refused):
                await assistant.call("open_game", game="clue_table", **options)
        assert assistant.served.desk.tables.count == 0

    assisted(scene)
