"""`sleuth play` as a program: its options, pipes, a terminal, Ctrl-C, and what is refused."""

from __future__ import annotations

import io
import json
import os
import select
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from sleuth import Play, game
from sleuth.apps.commands.play import asked_seats
from sleuth.games.cheat import read_records
from sleuth.kit import PlayRecord, display

from ..conftest import Ran, Sleuth
from .test_analyse import assert_refused

BOT = Path(__file__).parents[3] / "examples" / "bots" / "plain.py"
PROGRAM = [sys.executable, "-m", "sleuth.apps.main", "play"]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def play(sleuth: Sleuth, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Calls the command with what a person types."""

    def called(*arguments: object, typed: str = "") -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        return sleuth("play", *arguments)

    return called


def test_a_game_can_be_played_through_a_pipe(play: Any) -> None:
    ran = play("kuhn-poker", "--seed", 4, "--against", "random", typed="belief\nbet\n")
    assert ran.code == 0
    assert "first> belief" in ran.out
    assert "You have lost 2 chips." in ran.out
    assert list(Path().iterdir()) == []


def test_a_line_without_end_is_refused(play: Any) -> None:
    ran = play("kuhn-poker", "--against", "random", typed="\0" * 100_000)
    assert ran.code == 2
    assert "a line of input has at most 10,000 letters" in ran.err


def test_the_end_of_input_keeps_the_game_and_says_how_to_go_on(play: Any) -> None:
    arguments = ("scotland-yard:seekers=2", "--as", "seekers", "--against", "random", "--seed", 1)
    ran = play(*arguments, typed="nonsense\n")
    assert ran.code == 0
    assert "sleuth play --resume scotland_yard-1.json" in ran.out
    again = play("--resume", "scotland_yard-1.json", typed="map\nquit\n")
    assert again.code == 0
    assert "You play the seekers. random plays Mr. X." in again.out
    assert "[1] detective" in again.out
    kept = json.loads(Path("scotland_yard-1.json").read_text("utf-8"))
    assert kept["played_by"] == {"hider": "random", "seeker 1": "you", "seeker 2": "you"}


def test_a_game_is_kept_after_every_move_and_at_its_end(play: Any) -> None:
    arguments = ("kuhn-poker", "--seed", 4, "--against", "random", "--save", "kuhn.json")
    assert play(*arguments, typed="bet\n").code == 0
    assert len(PlayRecord.load("kuhn.json").actions) == 2
    ended = play("kuhn-poker", "--resume", "kuhn.json")
    assert ended.code == 0
    assert "You have lost 2 chips." in ended.out


def test_what_is_no_text_names_no_move() -> None:
    arguments = [*PROGRAM, "kuhn-poker", "--seed", "4", "--against", "random"]
    typed = b"\xff\xfe\x00\n" + b"a" * 9_000 + b"\nbet\n"
    done = subprocess.run(arguments, input=typed, capture_output=True, timeout=120, check=False)
    assert done.returncode == 0
    assert b"is not possible now; you can choose pass or bet" in done.stdout
    assert b"You have lost 2 chips." in done.stdout


def test_a_line_without_an_end_is_not_waited_for() -> None:
    arguments = [*PROGRAM, "kuhn-poker", "--seed", "4", "--against", "random"]
    typed = b"a" * 100_000 + b"\nbet\n"
    done = subprocess.run(arguments, input=typed, capture_output=True, timeout=120, check=False)
    assert done.returncode == 2
    assert done.stderr == b"sleuth: a line of input has at most 10,000 letters\n"


def test_the_same_seed_is_the_same_game(play: Any) -> None:
    arguments = ("leduc-poker", "--against", "random")
    first = play(*arguments, "--seed", 8, typed="check\ncall\ncall\ncall\n")
    assert play(*arguments, "--seed", 8, typed="check\ncall\ncall\ncall\n").out == first.out
    others = {play(*arguments, typed="log\n").out for _ in range(8)}
    assert len(others) > 1


def test_each_role_can_have_an_agent_of_its_own() -> None:
    table = display(game("clue_table"))
    agents = ["p3=random", "uniform:trees=2"]
    assert asked_seats(table, "p2", agents) == ("uniform:trees=2", "you", "random")
    assert asked_seats(table, None, None) == ("you", "mcts", "mcts")
    yard = display(game("scotland_yard", seekers=2))
    assert asked_seats(yard, "Seeker-2", ["seeker-1=random"]) == ("mcts", "random", "you")
    assert asked_seats(yard, "hider", ["seekers=random"]) == ("you", "random", "random")
    together = display(game("hanabi"))  # one team, which is played whole by whoever asks for it
    assert asked_seats(together, None, None) == ("you", "mcts")
    assert asked_seats(together, "team", None) == ("you", "you")


def test_a_record_of_another_source_can_be_gone_on_with(play: Any) -> None:
    Play.new(game("kuhn_poker"), seed=4).record().save("record.json")
    ran = play("--resume", "record.json", "--as", "second", "--against", "random", typed="bet\n")
    assert ran.code == 0
    assert "You play second." in ran.out


REFUSED: list[tuple[list[str], str]] = [
    (["kuhn_pocker"], "did you mean 'kuhn_poker'?"),
    (["kuhn_poker", "--as", "third"], "no such role"),
    (["scotland-yard", "--as", "seeker"], "did you mean 'seekers'?"),
    (["kuhn_poker", "--against", "rendom"], "did you mean 'random'?"),
    (["kuhn_poker", "--against", "first=random"], "played by you already"),
    (["kuhn_poker", "--against", "third=random"], "no such role"),
    (["kuhn_poker", "--against", "random", "--against", "mcts"], "write ROLE=NAME for each"),
    (["kuhn_poker", "--seed", "-1"], "--seed"),
    (["kuhn_poker", "--save", "nowhere/x.json"], "no such folder"),
    (["kuhn_poker", "--save", "notes.json"], "this file is there already"),
    (["--resume", "nowhere.json"], "no such file"),
    (["--resume", "notes.json"], "this is not JSON"),
    (["--resume", "kept.json", "--as", "first"], "--as comes from the file"),
    (["--resume", "kept.json", "--seed", "1"], "--seed comes from the file"),
    (["leduc_poker", "--resume", "kept.json"], "the file holds another game"),
    (["tic_tac_toe", "--against", "mcts:gain=1"], "nothing is to be learned"),
]


@pytest.mark.parametrize(
    "arguments, expected", REFUSED, ids=[" ".join(each[0]) for each in REFUSED]
)
def test_bad_input_is_refused_and_nothing_is_written(
    play: Any, arguments: list[str], expected: str
) -> None:
    Path("notes.json").write_text("notes\n", "utf-8")
    play("kuhn-poker", "--seed", 4, "--against", "random", "--save", "kept.json", typed="bet\n")
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    assert_refused(play(*arguments), expected)
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


def test_a_file_starts_no_program_unless_its_agents_are_named_once_more(play: Any) -> None:
    text = f"bot:{sys.executable} {BOT}"
    began = play(
        "kuhn-poker", "--seed", 4, "--against", text, "--save", "kept.json", typed="pass\n"
    )
    assert began.code == 0
    kept = json.loads(Path("kept.json").read_text("utf-8"))
    assert kept["played_by"]["second"] == text
    refused = play("--resume", "kept.json", typed="pass\n")
    assert_refused(refused, "an agent of this file runs a program")
    assert_refused(play("--resume", "kept.json", "--against", "bot:true"), "runs a program")
    assert play("--resume", "kept.json", "--against", text, typed="pass\n").code == 0


@pytest.mark.parametrize("place", range(5, 400, 31))
def test_a_damaged_file_is_refused_or_is_a_game(play: Any, place: int) -> None:
    play("kuhn-poker", "--seed", 4, "--against", "random", "--save", "kept.json", typed="bet\n")
    whole = bytearray(Path("kept.json").read_bytes())
    whole[place % len(whole)] ^= 1
    Path("kept.json").write_bytes(whole)
    ran = play("--resume", "kept.json", typed="pass\n" * 3)
    assert ran.code in (0, 2)
    if ran.code == 2:
        assert ran.err.startswith("sleuth: kept.json")


@pytest.mark.skipif(os.name == "nt", reason="terminals of another kind")
def test_in_a_terminal_ctrl_c_keeps_the_game_and_it_goes_on() -> None:
    columns = 40
    arguments = ["tic-tac-toe", "--against", "random", "--seed", "2"]
    said, code = typed_in_terminal([*PROGRAM, *arguments], [b"b2\r", b"\x03"], columns)
    assert code == 130
    assert "sleuth play --resume tic_tac_toe-1.json" in said
    assert "sleuth: interrupted" in said
    assert "Traceback" not in said
    again = [*PROGRAM, "--resume", "tic_tac_toe-1.json"]
    said, code = typed_in_terminal(again, [b"loo\t\r", b"\x04"], columns)
    assert code == 0
    assert "You marked b2." in said
    assert "first> look" in said, "the tabulator completes words"
    assert "\x1b[3" not in said, "nothing is coloured where NO_COLOR says so"


def typed_in_terminal(
    program: list[str], keys: list[bytes], columns: int, *, prompt: bytes = b"first> "
) -> tuple[str, int]:
    """What a program says in a terminal, and how it ends; keys are typed at its prompts."""
    import fcntl
    import pty
    import struct
    import termios

    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 40, columns, 0, 0))
    environment = {**os.environ, "NO_COLOR": "1", "TERM": "xterm"}
    environment.pop("COLUMNS", None)
    process = subprocess.Popen(
        program, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True
    )
    os.close(inner)
    said = b""
    end = time.monotonic() + 120.0
    interrupted = False
    try:
        for key in [*keys, b""]:
            seen = said.count(prompt)
            while said.count(prompt) <= seen if key else process.poll() is None:
                assert time.monotonic() < end, said.decode()
                if not select.select([outer], [], [], 2.0)[0]:
                    if interrupted and not key:
                        # One that comes between the prompt and the waiting for keys is lost.
                        process.send_signal(signal.SIGINT)
                    continue
                try:
                    said += os.read(outer, 4096)
                except OSError:  # the other end is closed
                    break
            if key == b"\x03":
                # The terminal is not the process's own: the signal is what Ctrl-C comes to.
                process.send_signal(signal.SIGINT)
                interrupted = True
            elif key:
                os.write(outer, key)
        return said.decode(), process.wait(timeout=60)
    finally:
        process.kill()
        os.close(outer)


# Recording games to train on


def cheat_until_the_end(play: Any, *arguments: object, first: str = "") -> Ran:
    """A game in which the person calls what can be called and takes cards else, to its end."""
    small = "cheat:ranks=4,suits=2,hand=2,rounds=6"
    typed = first + "call\ntake\n" * 12
    return play(small, "--against", "random", "--seed", 3, *arguments, typed=typed)


def test_a_finished_game_is_added_to_records_after_one_was_asked_once(play: Any) -> None:
    records = Path("mine.jsonl")
    ran = cheat_until_the_end(play, "--record", records, first="yes\n")
    assert ran.code == 0
    assert "Is that all right?" in ran.out
    assert "The game is added to mine.jsonl" in ran.out
    again = cheat_until_the_end(play, "--record", records, "--seed", 4)
    assert "Is that all right?" not in again.out
    cheat_until_the_end(play, "--record", records, "--seed", 4)  # the same deal once more
    games = read_records(records)
    assert [game.players for game in games] == [("you", "random")] * 3
    assert len({game.match for game in games}) == 3
    assert all(game.knows(player) for game in games for player in range(2))


def test_a_file_of_several_people_says_who_played_and_asks_each_of_them(play: Any) -> None:
    records = ("--record", "ours.jsonl")
    for name in ("Anna", "Ben"):
        ran = cheat_until_the_end(play, *records, "--name", name, first="yes\n")
        assert ran.code == 0
        assert f"as {name}'s to ours.jsonl" in " ".join(ran.out.split())
        assert "You play first." in ran.out
        assert name not in ran.out.partition("Is that all right?")[2]
    again = cheat_until_the_end(play, *records, "--name", "Anna")
    assert "Is that all right?" not in again.out
    nameless = cheat_until_the_end(play, *records, first="no\n")
    assert "Nothing is recorded." in nameless.out
    games = read_records("ours.jsonl")
    assert [game.players for game in games] == [(n, "random") for n in ("Anna", "Ben", "Anna")]
    assert len({game.match for game in games}) == 3


REFUSED_NAMES = ["", " Anna", "An\nna", "\x1b", "\udcff", "a" * 81, "spectator", "random"]


@pytest.mark.parametrize("name", REFUSED_NAMES)
def test_a_name_that_records_refuse_is_refused_before_the_game(play: Any, name: str) -> None:
    assert_refused(cheat_until_the_end(play, "--record", "mine.jsonl", "--name", name), "--name")
    assert list(Path().iterdir()) == []


def test_a_name_stands_in_records_only(play: Any) -> None:
    assert_refused(play("cheat", "--name", "Anna"), "add --record FILE")


def test_a_named_game_that_was_left_goes_on_under_the_name(play: Any) -> None:
    small = "cheat:ranks=4,suits=2,hand=2,rounds=6"
    named = ("--record", "our games.jsonl", "--name", "Anna B")
    left = play(small, "--against", "random", "--seed", 3, *named, typed="yes\n")
    assert left.code == 0
    assert "nothing is saved" in left.out
    left = play(small, "--against", "random", "--seed", 3, *named, typed="yes\ntake\n")
    (command,) = [line for line in left.out.splitlines() if "--resume" in line]
    assert command == (
        "  sleuth play --resume cheat-1.json --record 'our games.jsonl' --name 'Anna B'"
    )
    play(*shlex.split(command)[2:], typed="yes\n" + "call\ntake\n" * 12)
    (game,) = read_records("our games.jsonl")
    assert game.players == ("Anna B", "random")


@pytest.mark.usefixtures("plain_python")
def test_an_agent_with_a_long_name_gets_a_shorter_one_in_the_record(play: Any) -> None:
    agent = "mcts:simulations=20,exploration=0.7,trees=2,information=actions,discount=0.99,worlds=8"
    assert len(agent) > 80
    small = "cheat:ranks=4,suits=2,hand=2,rounds=6"
    arguments = (small, "--against", agent, "--seed", 3, "--record", "mine.jsonl")
    ran = play(*arguments, typed="yes\n" + "call\ntake\n" * 12)
    assert ran.code == 0, ran.err
    (game,) = read_records("mine.jsonl")
    assert game.players[1].startswith("mcts:simulations=20")


@pytest.mark.parametrize("answer", ["no", "", "perhaps\nno"])
def test_nothing_is_recorded_of_who_does_not_agree(play: Any, answer: str) -> None:
    ran = cheat_until_the_end(play, "--record", "mine.jsonl", first=f"{answer}\n")
    assert ran.code == 0
    assert "Nothing is recorded." in ran.out
    assert list(Path().iterdir()) == []


def test_what_cannot_be_recorded_is_said_before_the_game(play: Any) -> None:
    assert_refused(play("kuhn-poker", "--record", "mine.jsonl"), "in Cheat and Cheat for many only")
    assert_refused(play("cheat", "--record", "mine.csv"), "JSON Lines")
    assert_refused(play("cheat", "--record", "no/such/folder.jsonl"), "--record")


@pytest.mark.slow
def test_that_something_is_compiled_is_said_once_on_a_machine(tmp_path: Path) -> None:
    environment = {**os.environ, "SLEUTH_CACHE_DIR": str(tmp_path / "cache")}
    said: list[str] = []
    # Looking ahead is compiled in a third of the time that a search takes, by the same function.
    for command in (
        ["play", "kuhn-poker", "--against", "alpha_beta"],
        ["match", "kuhn-poker", "--agents", "alpha_beta", "random", "--games", "2"],
    ):
        ran = subprocess.run(
            [*PROGRAM[:-1], *command],
            input="quit\n",
            env=environment,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert ran.returncode == 0, ran.stderr
        # What follows says how far it has come.
        said += [line for line in ran.stderr.splitlines() if "once on this machine" in line]
    assert any("kuhn_poker for looking ahead" in line for line in said), said
    assert len(set(said)) == len(said), said
