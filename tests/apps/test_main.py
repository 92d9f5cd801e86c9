"""The command as a program: its help, its version, its end."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from sleuth.apps import main as command
from sleuth.apps.clue.report.page import CluePage
from sleuth.data.output import CLOSED_PIPE
from sleuth.data.version import version
from sleuth.kit import GAMES

from .commands.test_analyse import same
from .conftest import Sleuth
from .games import shipped, small


def test_the_version_is_the_package_s(sleuth: Sleuth) -> None:
    assert sleuth("--version").out == f"sleuth {version()}\n"


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_names_the_commands(sleuth: Sleuth, arguments: list[str]) -> None:
    ran = sleuth(*arguments)
    assert ran.code == 0
    assert "analyse" in ran.out


def test_every_option_of_a_command_is_explained(sleuth: Sleuth) -> None:
    said = sleuth("analyse", "--help").out
    for option in (
        *("--observer", "--method", "--choice", "--preference", "--suggestions", "--samples"),
        *("--seed", "--json", "--html", "--out", "--workers"),
    ):
        assert option in said


def test_help_says_of_games_what_their_entries_say(sleuth: Sleuth) -> None:
    def said(command: str) -> str:
        return " ".join(re.sub(r"[│\s]+", " ", sleuth(command, "--help").out).split())

    found = said("analyse"), said("advise")
    assert "{" not in "".join(found).replace("{RECORD}", "").replace("{GAME}", "")
    for entry in GAMES.values():
        assert entry.summary in found[0]
        called = f"'{entry.name.replace('_', '-')}'"
        assert (called in found[1]) == (entry.adviser is not None)
    assert sum(bool(entry.summary) for entry in GAMES.values()) >= 3


def numeric_options(command: Any, place: str = "sleuth") -> Iterator[tuple[str, Any, Any]]:
    """Every option that takes a number, of a command and of those below it: its least and most."""
    for name in command.list_commands(None) if hasattr(command, "list_commands") else ():
        yield from numeric_options(command.get_command(None, name), f"{place} {name}")
    for option in command.params:
        kind = getattr(option, "type_descriptor", None)
        if kind is not None and kind.annotation in (int, float):
            yield f"{place} {option.opts[0]}", option.min, option.max


def test_every_number_has_a_least_and_a_most() -> None:
    found = [*numeric_options(get_command(command.app))]
    assert len(found) > 20
    assert [name for name, least, most in found if least is None or most is None] == []


@pytest.mark.parametrize(
    "arguments, meant",
    [
        (["analyse", "x.json", "--observr", "ben"], "; did you mean '--observer'?"),
        (["match", "kuhn-poker", "--noswap"], "; did you mean '--no-swap'?"),
        (["train", "cheat", "--simulat", "3"], "; did you mean '--simulate'?"),
        (["analyse", "x.json", "--job", "3"], ""),  # its old name is not told
        (["--quiet"], ""),
    ],
)
def test_an_option_that_may_have_been_meant_is_named_once(
    sleuth: Sleuth, arguments: list[str], meant: str
) -> None:
    ran = sleuth(*arguments)
    (written,) = [word for word in arguments if word.startswith("--")]
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith(f"sleuth: no such option (got '{written}'){meant}; see sleuth ")
    assert ran.err.count("--") == 2 + bool(meant)


@pytest.mark.parametrize(
    "arguments",
    [
        "match tic_tac_toe --agents random random --games",
        "match tic_tac_toe --agents random random --series",
        "tune tic_tac_toe mcts exploration=1,2 --final",
        "train cheat --simulate",
    ],
)
def test_a_number_that_is_too_large_is_refused_at_once(sleuth: Sleuth, arguments: str) -> None:
    ran = sleuth(*arguments.split(), "9" * 20)
    assert (ran.code, ran.out) == (2, "")
    assert "less than or equal to" in ran.err
    assert arguments.split()[-1] in ran.err


def test_an_unknown_command_is_refused(sleuth: Sleuth) -> None:
    ran = sleuth("analise")
    assert (ran.code, ran.out) == (2, "")
    assert "analise" in ran.err
    assert "did you mean 'analyse'?" in ran.err
    assert "Traceback" not in ran.err


def test_help_needs_none_of_the_engines() -> None:
    probe = (
        "import sys\n"
        "from sleuth.apps.main import main\n"
        "main(['--help'])\n"
        "print(sorted({'numpy', 'numba', 'pandas', 'matplotlib', 'pydantic'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True)
    assert found.stdout.splitlines()[-1] == "[]"


def test_an_interruption_ends_with_130_and_leaves_no_report(
    sleuth: Sleuth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(CluePage, "html", interrupted)
    record = tmp_path / "game.json"
    record.write_text(json.dumps(small()))
    ran = sleuth("analyse", record, "--html", tmp_path / "report.html")
    assert ran.code == 130
    assert "Traceback" not in ran.err
    assert [path.name for path in tmp_path.iterdir()] == ["game.json"]


def test_errors_of_our_own_are_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ZeroDivisionError("ours")

    monkeypatch.setattr(command, "app", broken)
    with pytest.raises(ZeroDivisionError):
        command.main([])


@pytest.mark.skipif(os.name == "nt", reason="signals and pipes of another kind")
def test_a_reader_who_leaves_early_is_no_error() -> None:
    program = [sys.executable, "-m", "sleuth.apps.main", "analyse"]
    with subprocess.Popen(
        [*program, str(shipped("plum_game2.json")), "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        said = process.stderr.read().decode()
        assert process.wait(timeout=300) == CLOSED_PIPE
    assert said == ""


def wait_for_second_opening(process: int, pipe: int) -> None:
    """Until a process has opened the pipe that it was handed; three seconds if nobody can tell."""
    files, inode = Path(f"/proc/{process}/fd"), os.fstat(pipe).st_ino
    until = time.monotonic() + (60.0 if files.exists() else 3.0)
    while time.monotonic() < until:
        time.sleep(0.05)
        with suppress(OSError):
            if [file.stat().st_ino for file in files.iterdir()].count(inode) > 1:
                return


@pytest.mark.skipif(os.name == "nt", reason="signals of another kind")
def test_ctrl_c_ends_the_process_with_130() -> None:
    # Before its work begins, the process waits for a record that comes from nowhere.
    pipe_read, pipe_write = os.pipe()
    program = [sys.executable, "-m", "sleuth.apps.main", "analyse", f"/dev/fd/{pipe_read}"]
    with subprocess.Popen(program, stderr=subprocess.PIPE, pass_fds=[pipe_read]) as process:
        assert process.stderr is not None
        wait_for_second_opening(process.pid, pipe_read)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read().decode()
        assert process.wait(timeout=60) == command.INTERRUPTED
    os.close(pipe_read)
    os.close(pipe_write)
    assert said.strip() == "sleuth: interrupted"


@pytest.mark.parametrize("game", ["plum_game2.json", "gregstoll_suggest_no_refute.json"])
def test_plain_python_says_what_compiled_kernels_say(
    sleuth: Sleuth, tmp_path: Path, game: str
) -> None:
    path = shipped(game)
    program = [sys.executable, "-m", "sleuth.apps.main", "analyse", str(path), "--json"]
    plain = {**os.environ, "NUMBA_DISABLE_JIT": "1", "SLEUTH_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run(program, env=plain, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert not (tmp_path / "cache").exists(), "nothing was compiled"
    interpreted, compiled = json.loads(done.stdout), sleuth("analyse", path, "--json").json()
    for answer in (interpreted, compiled):
        for moment in answer["timeline"]:
            del moment["seconds"]
    assert same(interpreted, compiled)
    assert len(interpreted["suggestions"]) == (10 if game == "plum_game2.json" else 0)


@pytest.mark.parametrize(
    "typed, meant",
    [
        ("play clu", "did you mean 'clue' or 'clue_table'?"),
        ("play KUHN:cards=3", "did you mean 'kuhn_poker'?"),
        ("match tac --agents random", "did you mean 'tic_tac_toe' or 'phantom_tic_tac_toe'?"),
        ("tune table --agent mcts --options exploration=1/2", "did you mean 'clue_table'?"),
        ("train scotland", "did you mean 'scotland-yard'?"),
        ("play kuhn-poker --against mct", "did you mean 'mcts'?"),
        ("match kuhn-poker --agents first=beta random", "did you mean 'alpha_beta'?"),
        ("tune kuhn-poker --agent alpha --options depth=1/2", "did you mean 'alpha_beta'?"),
        ("train scotland-yard --simulate 10 --agents hider=rand", "did you mean 'random'?"),
    ],
)
def test_names_of_games_and_agents_are_met_by_the_near_ones(
    sleuth: Sleuth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, typed: str, meant: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = sleuth(*typed.split())
    assert (ran.code, ran.out) == (2, "")
    assert meant in ran.err


def test_a_record_of_an_unknown_game_is_met_by_the_near_one(sleuth: Sleuth, tmp_path: Path) -> None:
    record = tmp_path / "record.json"
    record.write_text(json.dumps({**small(), "game": "scotland"}))
    ran = sleuth("analyse", record)
    assert (ran.code, ran.out) == (2, "")
    assert "did you mean 'scotland_yard'?" in ran.err
