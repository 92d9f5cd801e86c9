"""The pages of the shelf: they are those that are made now, and one leads to all of them."""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

import pytest

from ..test_project import ROOT
from .test_shelf import NAMES, SHELF

PAGES = ROOT / "docs" / "shelf"
AGAIN = "run: python docs/tools/make_shelf_pages.py"

sys.path.insert(0, str(ROOT / "docs" / "tools"))
tool = importlib.import_module("make_shelf_pages")
sys.path.remove(str(ROOT / "docs" / "tools"))

pytestmark = pytest.mark.usefixtures("plain_python")


def numbers() -> dict[str, Any]:
    return json.loads((ROOT / "docs" / "results" / "shelf.json").read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_what_its_game_says(name: str) -> None:
    assert (PAGES / f"{name}.md").read_text("utf-8") == tool.page_of(name), AGAIN
    assert (ROOT / "docs" / "pictures" / f"shelf_{name}.png").is_file(), f"{AGAIN} --pictures"


def test_the_table_has_every_game() -> None:
    assert (PAGES / "index.md").read_text("utf-8") == tool.index(), AGAIN
    assert sorted(tool.names()) == NAMES
    assert {path.stem for path in PAGES.glob("*.md")} == {"index", *NAMES}
    assert "(docs/shelf/index.md)" in (ROOT / "README.md").read_text("utf-8")


@pytest.mark.parametrize("path", SHELF, ids=NAMES)
def test_the_numbers_are_of_the_file_as_it_is(path: Any) -> None:
    lines = len(path.read_text("utf-8").splitlines())
    assert numbers()[path.stem]["lines"] == lines, "run: python -m benchmarks.shelf --write"
