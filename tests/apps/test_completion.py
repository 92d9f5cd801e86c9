"""What a shell completes: commands, and names of games, agents and methods, at once."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from sleuth.apps.kit import completing
from sleuth.beliefs.engines import NAMES
from sleuth.kit import GAMES, main
from sleuth.planners.agents.names import AGENTS


def test_the_file_of_names_says_what_there_is() -> None:
    said = completing.known()
    assert said["games"] == {
        name: {
            "advised": entry.adviser is not None,
            "learned": entry.rows is not None,
            "agents": [agent for agent in entry.part("agents") or () if agent not in AGENTS],
        }
        for name, entry in GAMES.items()
    }
    assert said["agents"] == list(AGENTS)
    assert said["methods"] == list(NAMES)


Completed = Callable[..., list[str]]


@pytest.fixture
def completed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Completed:
    """What the command answers a shell that asks for the last of some words."""

    def found(*words: str, shell: str = "bash") -> list[str]:
        typed = " ".join(("sleuth", *words))
        for name, value in {
            "_SLEUTH_COMPLETE": f"complete_{shell}",
            "COMP_WORDS": typed,
            "COMP_CWORD": str(len(words)),
            "_TYPER_COMPLETE_ARGS": typed,
            "_TYPER_COMPLETE_FISH_ACTION": "get-args",
        }.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit):
            main([])
        said = capsys.readouterr()
        assert said.err == ""
        return [line for line in said.out.splitlines() if line]

    return found


@pytest.mark.parametrize(
    "words, wanted",
    [
        (["an"], ["analyse"]),
        (["play", "sco"], ["scotland-yard"]),
        (["play", "scotland_"], ["scotland_yard"]),
        (["match", "kuhn-poker", "--agents", "random", "mc"], ["mcts"]),
        (["match", "saboteur", "--agents", "dw"], ["dwarf"]),
        (["match", "kuhn-poker", "--agents", "first=ra"], ["first=random"]),
        (["match", "kuhn-poker", "--agents", "dw"], []),
        (["compare", "game.json", "--methods", "enumeration,card"], ["enumeration,card-by-card"]),
        (["train", "sa"], ["saboteur"]),
        (["analyse", "game.json", "--likeli"], ["--likelihood"]),
    ],
)
def test_words_are_completed(completed: Completed, words: list[str], wanted: list[str]) -> None:
    assert completed(*words) == wanted


def test_advice_is_completed_with_games_that_have_it(completed: Completed) -> None:
    found = completed("advise", "")
    assert set(found) >= {"clue", "saboteur"}
    assert "kuhn-poker" not in found


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_are_answered_as_well(completed: Completed, shell: str) -> None:
    assert any("scotland-yard" in line for line in completed("play", "sco", shell=shell))


def test_a_game_in_a_file_here_is_offered_and_not_run(
    completed: Completed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = tmp_path / "ran"
    text = f"open({str(ran)!r}, 'w')\nGAME = sleuth.GameEntry('mine')\n"
    (tmp_path / "mine.py").write_text(text)
    assert completed("check", "mi") == ["mini-stratego", "mine.py:GAME"]
    completed("analyse", "x.json", "--rules", "mine.py:GAME", "--obs")
    completed("train", "mine.py:GAME", "--pre")
    assert not ran.exists()


def test_a_shell_does_not_wait() -> None:
    """Half a second of the processor's time, of which no library that computes takes any."""
    probe = (
        "import os, sys, time\n"
        "from contextlib import suppress\n"
        "from sleuth.apps.main import main\n"
        "with suppress(SystemExit):\n"
        "    main()\n"
        "heavy = sorted({'numpy', 'numba', 'pandas', 'scipy'} & set(sys.modules))\n"
        "print(heavy, time.process_time() < 0.5, file=sys.stderr)\n"
    )
    asked = {"_SLEUTH_COMPLETE": "complete_bash", "COMP_CWORD": "5"}
    asked["COMP_WORDS"] = "sleuth match clue --agents random "
    ran = subprocess.run(
        [sys.executable, "-c", probe], env=os.environ | asked, capture_output=True, text=True
    )
    assert "mcts" in ran.stdout
    assert ran.stderr == "[] True\n"


@pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed")
def test_bash_completes_with_the_script_that_the_command_shows(tmp_path: Path) -> None:
    script = subprocess.run(
        [sys.executable, "-m", "sleuth"],
        env=os.environ | {"_SLEUTH_COMPLETE": "source_bash"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    (tmp_path / "sleuth").write_text(f'#!/bin/sh\nexec {sys.executable} -m sleuth "$@"\n')
    (tmp_path / "sleuth").chmod(0o755)
    typed = (
        f"{script}\n"
        "COMP_WORDS=(sleuth play scot); COMP_CWORD=2\n"
        "read -r _ _ _ called _ <<< \"$(complete -p sleuth | tr '\\n' ' ')\"\n"
        "function=$(complete -p sleuth | sed 's/.*-F \\([^ ]*\\).*/\\1/')\n"
        "$function sleuth; printf '%s\\n' \"${COMPREPLY[@]}\"\n"
    )
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    found = subprocess.run(
        ["bash", "-c", typed],
        env=os.environ | {"PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (found.stdout, found.stderr) == ("scotland-yard\n", "")
