"""Words that a shell completes: names of games, agents and methods, and games of one's own here.

A shell asks again at every touch of its key, so nothing is imported that says what a game is: the
names stand in a file, which a test compares with the games themselves.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable
from functools import cache
from importlib import metadata
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import typer

from ...data import manual
from ...data.files import records as files_of_records
from ...models.shipped import GROUP

#: How an entry of a game stands in somebody's file.
_ENTRY: Final = re.compile(r"^(\w+)\s*(?::[^=\n]*)?=\s*(?:\w+\.)?GameEntry\(", re.MULTILINE)
#: Most files of a folder that are looked at, and most letters of each.
_MOST_FILES: Final = 200
_MOST_LETTERS: Final = 200_000


@cache
def known() -> dict[str, Any]:
    """The file of names."""
    return json.loads(files("sleuth.games").joinpath("names.json").read_text("utf-8"))


def games(incomplete: str) -> list[str]:
    """Games, also those that were installed or stand in files of this folder."""
    return _beginning([*known()["games"], *_installed(), *_own()], incomplete)


def advised(incomplete: str) -> list[str]:
    """Games beside which there is advice, and those of one's own."""
    listed = [name for name, each in known()["games"].items() if each["advised"]]
    return _beginning([*listed, *_installed(), *_own()], incomplete)


def learned() -> list[str]:
    """Games of which something can be learned."""
    found = [name for name, each in known()["games"].items() if each["learned"]]
    return _beginning(found, "")


def agents(ctx: typer.Context, incomplete: str) -> list[str]:
    """Agents of the game that was written, behind a role where one was written."""
    of_games = known()["games"]
    # Behind an option whose value is not there yet nothing has been parsed.
    typed = os.environ.get("COMP_WORDS") or os.environ.get("_TYPER_COMPLETE_ARGS", "")
    words = [str(ctx.params.get("game")), *typed.split()]
    named = [word.partition(":")[0].replace("-", "_") for word in words]
    own = [of_games[word] for word in named if word in of_games][:1] or of_games.values()
    role, sign, begun = incomplete.rpartition("=")
    if ":" in incomplete:  # an option of an agent
        return []
    names = dict.fromkeys([*(name for each in own for name in each["agents"]), *known()["agents"]])
    return [f"{role}{sign}{name}" for name in _beginning(names, begun)]


def method(incomplete: str) -> list[str]:
    """An inference method."""
    return _beginning(["auto", *known()["methods"]], incomplete)


def methods(incomplete: str) -> list[str]:
    """The last of several inference methods."""
    before, sign, begun = incomplete.rpartition(",")
    return [f"{before}{sign}{name}" for name in _beginning(known()["methods"], begun)]


def records(incomplete: str) -> list[str]:
    """A record that came with sleuth, once its folder is begun; else the shell names files."""
    named = (name.rpartition(".")[0] for name in files_of_records())
    return [name for name in named if incomplete and name.startswith(incomplete)]


def pages(incomplete: str) -> list[str]:
    """A page of the documentation."""
    return [page.name for page in manual.pages() if page.name.startswith(incomplete)]


def _beginning(names: Iterable[str], incomplete: str) -> list[str]:
    """Those that begin so; names are written with ``-`` unless ``_`` was."""
    written = (
        name if ".py:" in name or "_" in incomplete else name.replace("_", "-") for name in names
    )
    return [name for name in written if name.startswith(incomplete)]


def _installed() -> list[str]:
    return [point.name for point in metadata.entry_points(group=GROUP)]


def _own() -> list[str]:
    """The games in files of this folder, which are read and not run."""
    found: list[str] = []
    for path in sorted(Path().glob("*.py"))[:_MOST_FILES]:
        try:
            text = path.read_text("utf-8", errors="replace")
        except OSError:
            continue
        found += [f"{path.name}:{name}" for name in _ENTRY.findall(text[:_MOST_LETTERS])]
    return found
