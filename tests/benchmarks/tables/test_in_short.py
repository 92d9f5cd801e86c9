"""Pages of results begin with what came out, and say of it what their tables have."""

from __future__ import annotations

import importlib
import json
import re
from pathlib import Path
from typing import Any

import pytest

RESULTS = Path(__file__).resolve().parents[3] / "docs" / "results"
#: Pages of results, and one that stands with what it measures.
PAGES = [*sorted(RESULTS.glob("*.md")), RESULTS.parent / "search" / "information-value.md"]
in_short: Any = importlib.import_module("benchmarks.tables.in_short")
_, *SECTIONS = in_short.conclusions(in_short.SENTENCES)
NUMBER = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_some_ten_sentences_stand_in_front_with_the_numbers_of_the_page(page: Path) -> None:
    text = page.read_text("utf-8")
    title, short, below = re.split(in_short.IN_SHORT, text, maxsplit=1)
    assert re.fullmatch(r"# [^\n]+\n\n", title)
    sentences = [" ".join(each.split()) for each in re.split(r"^\d+\. ", short, flags=re.M)[1:]]
    assert 9 <= len(sentences) <= 12
    assert all(each.endswith(".") for each in sentences)
    known = set(NUMBER.findall(below))
    # A share of 0.415 is 41.5 %, and 58.5 % of the other side.
    shares = [float(number) for number in known if re.fullmatch(r"0\.\d+", number)]
    known |= {f"{100 * one:.4g}" for share in shares for one in (share, 1 - share)}
    assert {number for each in sentences for number in NUMBER.findall(each)} - known == set()


@pytest.mark.parametrize("name", SECTIONS)
def test_the_tables_of_the_page_fill_its_sentences(name: str) -> None:
    text = (RESULTS / f"{name}.md").read_text("utf-8")
    assert in_short.in_front(text, name) == text
    assert in_short.in_front(in_short.without(text), name) == text
    # Other numbers in the tables would be other numbers in front, and all sentences have theirs.
    turned = re.sub(r"(?<=[\d.])\d(?= [|%xµms±(])", "7", in_short.without(text))
    assert in_short.without(in_short.in_front(turned, name)) == turned
    assert in_short.IN_SHORT.search(in_short.in_front(turned, name))[1] not in text
    lines = in_short.conclusions(in_short.SENTENCES)[name].splitlines()
    assert f"\n{len(lines)}. " in text


def test_nothing_is_said_of_what_was_not_measured() -> None:
    page = "# How fast\n\n## Here\n\n| game | ours |\n|---|---|\n| kuhn_poker, 10,000 | - |\n"
    assert in_short.in_front(page, "cheat_restricted") == page
    said = in_short.in_front(page, "search_speed")
    assert "Leduc" not in said
    assert said.endswith(page.partition("\n\n")[2])


def test_the_page_about_exploitability_is_what_its_script_makes_of_its_figures() -> None:
    script = importlib.import_module("benchmarks.cheat.exploitability")
    figures = json.loads(script.FIGURES.read_text("utf-8"))
    assert script.page(figures) == script.PAGE.read_text("utf-8")


def test_the_page_about_what_is_risked_is_what_its_script_makes_of_its_table() -> None:
    script = importlib.import_module("benchmarks.cheat.restricted")
    text = script.PAGE.read_text("utf-8")
    row = re.compile(
        r"^\| `?(.+?)`? \| ([\w ]+) \| (\S+) ± (\S+) \| (\d\S+)(?: ± (\S+))? \|$", re.M
    )
    found = [
        script.Tradeoff(
            group,
            name if "`" not in name else f"{name}`",
            (float(won), float(off)),
            (float(lost), float(half or 0)),
        )
        for name, group, won, off, lost, half in row.findall(text)
    ]
    facts = {"rounds": 4, "sets": 1740, "people": 25, "seed": script.SEED, "seeds": 6}
    facts |= {"simulations": script.SIMULATIONS, "iterations": script.ITERATIONS}
    assert len(found) == 27
    assert script.page(found, facts) == text
