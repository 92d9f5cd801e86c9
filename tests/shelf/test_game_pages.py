"""The pages of games: they are those that are made now, and one leads to all of the shelf."""

from __future__ import annotations

import importlib
import json
import re
import sys
from typing import Any

import pytest

from sleuth.kit import GAMES

from ..test_project import ROOT
from .test_shelf import NAMES, SHELF

DOCS = ROOT / "docs"
PAGES = DOCS / "shelf"
AGAIN = "run: python docs/tools/make_game_pages.py"

sys.path.insert(0, str(ROOT / "docs" / "tools"))
tool = importlib.import_module("make_game_pages")
sys.path.remove(str(ROOT / "docs" / "tools"))

pytestmark = pytest.mark.usefixtures("plain_python")


def numbers() -> dict[str, Any]:
    return json.loads((ROOT / "docs" / "results" / "shelf.json").read_text("utf-8"))


@pytest.mark.parametrize("name", GAMES)
def test_a_page_is_what_its_game_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its example is run where those of all pages are."""
    page = (DOCS / tool.file_of(name)).read_text("utf-8")
    printed = re.findall(r"^```output\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    monkeypatch.setattr(tool, "printed", lambda program: printed.pop())
    assert page == tool.page_of(name), AGAIN


@pytest.mark.parametrize("name", NAMES)
def test_a_game_of_the_shelf_has_a_picture(name: str) -> None:
    assert (DOCS / "pictures" / f"shelf_{name}.png").is_file(), f"{AGAIN} --pictures"


def test_every_game_has_a_page_and_every_page_a_game() -> None:
    found = {path.stem for folder in ("games", "shelf") for path in (DOCS / folder).glob("*.md")}
    assert found == {"index", *GAMES}
    assert set(tool.TOLD) == {name for name in GAMES if name not in NAMES}


def test_the_table_has_every_game() -> None:
    assert (PAGES / "index.md").read_text("utf-8") == tool.index(), AGAIN
    assert sorted(tool.shelf()) == NAMES
    assert {path.stem for path in PAGES.glob("*.md")} == {"index", *NAMES}
    assert "(docs/shelf/index.md)" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("path", SHELF, ids=NAMES)
def test_the_numbers_are_of_the_file_as_it_is(path: Any) -> None:
    lines = len(path.read_text("utf-8").splitlines())
    assert numbers()[path.stem]["lines"] == lines, "run: python -m benchmarks.shelf --write"
