"""Arguments have one name in the library and another on the command line, each in its errors."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from pathlib import Path

import pytest

import sleuth as face
from sleuth import SleuthError
from sleuth.apps.kit.option_names import hint_written, place_written

from ...test_project import ROOT, python_files
from ..conftest import Sleuth

OPTIONS = {"observer": "--observer", "stop": "--stop", "simulate": "--simulate", "out": "--out"}
CLUE = ROOT / "data" / "clue" / "games" / "neller_main.json"
CHEAT = ROOT / "data" / "cheat" / "example.jsonl"
HUNT = ROOT / "data" / "scotland_yard" / "games" / "agents_escape.json"
#: What is refused: by the library, by a command, the argument, and its option.
REFUSED: list[tuple[Callable[[], object], tuple[Path, str, str], str]] = [
    (lambda: face.analyse(CLUE, observer="Nobody"), (CLUE, "--observer", "Nobody"), "observer"),
    (lambda: face.analyse(CHEAT, observer="Nobody"), (CHEAT, "--observer", "Nobody"), "observer"),
    (lambda: face.analyse(HUNT, observer="Nobody"), (HUNT, "--observer", "Nobody"), "observer"),
    (lambda: face.analyse(CHEAT, game=9), (CHEAT, "--game", "9"), "game"),
    (lambda: face.analyse(CLUE, preference=","), (CLUE, "--preference", ","), "preference"),
    (lambda: face.analyse(CLUE, choice="best"), (CLUE, "--choice", "best"), "choice"),
    (lambda: face.analyse(HUNT, method="enumeration"), (HUNT, "--method", "enumeration"), "method"),
    (lambda: face.analyse(CHEAT, agent="random"), (CHEAT, "--agent", "random"), "agent"),
]  # fmt: skip


@pytest.mark.parametrize(
    "library, words, name",
    REFUSED,
    ids=[f"{words[0].parent.name} {name}" for _, words, name in REFUSED],
)
def test_an_error_names_an_argument_in_the_library_and_an_option_on_the_command_line(
    sleuth: Sleuth, library: Callable[[], object], words: tuple[object, ...], name: str
) -> None:
    with pytest.raises(SleuthError) as refused:
        library()
    assert (refused.value.where or "").endswith(name)
    assert f"{name}: " in str(refused.value)
    assert "--" not in str(refused.value)
    ran = sleuth("analyse", *words)
    assert (ran.code, ran.out) == (2, "")
    assert f"--{name}: {refused.value.message}" in ran.err


def test_what_is_written_to_is_named_in_both(sleuth: Sleuth, tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    file.write_text("notes\n", "utf-8")
    agents = ("random", "random")
    with pytest.raises(SleuthError, match=r"^out: ") as refused:
        face.play_match("kuhn_poker", agents, games=1, out=file)
    said = sleuth("match", "kuhn-poker", "--agents", *agents, "--games", 1, "--out", file).err
    assert said == f"sleuth: --{refused.value}\n"


def test_a_hint_names_both_too(sleuth: Sleuth) -> None:
    with pytest.raises(SleuthError, match="or write `simulate=60`"):
        face.train("cheat")
    assert "or write --simulate 60\n" in sleuth("train", "cheat").err
    with pytest.raises(SleuthError, match="leave out `choice` or `predictor`"):
        face.analyse(CLUE, choice="random", predictor="usual")
    said = sleuth("analyse", CLUE, "--choice", "random", "--predictor", "usual").err
    assert "leave out --choice or --predictor\n" in said


@pytest.mark.parametrize(
    "where, written",
    [
        ("observer", "--observer"),
        ("a: b.json: observer", "a: b.json: --observer"),
        ("stop, alpha", "--stop, alpha"),
        ("observer's hand", "observer's hand"),
        ("event 3, observer", "event 3, observer"),
        ("", ""),
    ],
)
def test_a_place_is_an_option_where_it_is_an_argument(where: str, written: str) -> None:
    assert place_written(where, OPTIONS) == written


@pytest.mark.parametrize(
    "hint, written",
    [
        ("write `simulate=60`", "write --simulate 60"),
        ("leave out `out` or `observer`", "leave out --out or --observer"),
        ("write `worlds=8`", "write `worlds=8`"),
        ("add out=NAME", "add out=NAME"),
    ],
)
def test_only_marked_arguments_of_a_hint_are_options(hint: str, written: str) -> None:
    assert hint_written(hint, OPTIONS) == written


def places(path: Path) -> list[str]:
    """The texts that a file gives as the place of an error."""
    return [
        part.value
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.keyword) and node.arg == "where"
        for part in ast.walk(node.value)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]


def test_only_commands_say_themselves_how_an_option_is_written() -> None:
    commands = re.compile(r"apps/(commands|play)/")
    files = [path.relative_to(ROOT).as_posix() for path in python_files()]
    named = {name: places(ROOT / name) for name in files if not commands.match(name)}
    assert sum(map(len, named.values())) > 300
    assert [(name, text) for name, texts in named.items() for text in texts if "--" in text] == []
    assert "--save" in places(ROOT / "apps" / "commands" / "play.py")
