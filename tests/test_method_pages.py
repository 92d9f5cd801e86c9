"""The pages of methods: they are those that are made now, and every engine and agent has one."""

from __future__ import annotations

import importlib
import re
import sys

import pytest

from sleuth.agents import AGENTS
from sleuth.beliefs.engines import NAMES

from .test_project import ROOT

DOCS = ROOT / "docs"
AGAIN = "run: python docs/tools/make_method_pages.py"

sys.path.insert(0, str(DOCS / "tools"))
tool = importlib.import_module("make_method_pages")
sys.path.remove(str(DOCS / "tools"))


@pytest.mark.parametrize("method", tool.methods(), ids=lambda method: method.name)
def test_a_page_is_what_is_said_of_its_method(
    method: tool.Method,  # pyright: ignore[reportInvalidTypeForm]
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its example is run where those of all pages are."""
    page = (DOCS / "methods" / tool.file_of(method)).read_text("utf-8")
    printed = re.findall(r"^```output\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    monkeypatch.setattr(tool, "printed", lambda program: printed.pop())
    assert page == tool.page_of(method), AGAIN


def test_uses_and_doubts_are_told_apart() -> None:
    by_name = {method.name: method for method in tool.methods()}
    tree, watched = by_name["junction_tree"], by_name["particles"]
    assert tree.uses.startswith("Use it for networks")
    assert watched.doubts.startswith("Watch `rejuvenated`")
    assert (tree.doubts, watched.uses) == ("", "")
    page = tool.PAGES / tool.file_of(by_name["Expectimax"])
    assert "## When not to trust it\n\nAgainst players who choose well" in page.read_text("utf-8")


def test_the_page_that_leads_to_them_has_all() -> None:
    assert (DOCS / "methods" / "index.md").read_text("utf-8") == tool.index(), AGAIN
    found = {path.name for path in (DOCS / "methods").glob("*.md")}
    assert found == {"index.md", *map(tool.file_of, tool.methods())}


def test_every_engine_has_a_page_and_every_way_to_search() -> None:
    names = {method.name for method in tool.methods()}
    assert set(NAMES) <= names
    # These are the same as another, or no method: chance, a person, a program of somebody's.
    alike = {
        "random",
        "search",
        "people",
        "bot",
        "paranoid",
        "alpha_beta",
        "expectimax",
        "asking",
        "policy",
        "sound",
        "lbr",
    }
    assert set(AGENTS) - alike <= names


def test_a_method_says_what_an_engine_answers_to_each_problem() -> None:
    by_name = {method.name: dict(method.supports) for method in tool.engines()}
    assert by_name["enumeration"]["two ships that do not overlap"] == "yes"
    assert by_name["gibbs"]["a walk beside a deal"].startswith("no: it changes one position")
    assert by_name["particles"]["a walk over a graph of 199 positions"] == "yes"
    assert len({tuple(each) for each in by_name.values()}) == 1
