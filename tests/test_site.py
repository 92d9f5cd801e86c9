"""The site: every page has its place, every link leads somewhere, nothing comes from elsewhere."""

from __future__ import annotations

import functools
import importlib
import re
import sys
import threading
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

import sleuth

from .test_project import ROOT

DOCS = ROOT / "docs"
SITE = ROOT / "build" / "site"

sys.path.insert(0, str(DOCS / "tools"))
site, checking, reference, reports = (
    importlib.import_module(name)
    for name in ("make_site", "check_site", "make_reference", "make_reports")
)
sys.path.remove(str(DOCS / "tools"))


def navigation() -> list[str]:
    """The pages that the navigation leads to."""
    text = (ROOT / "mkdocs.yml").read_text("utf-8").partition("\nnav:\n")[2]
    return re.findall(r": (\S+\.(?:md|html))$", text, re.MULTILINE)


def test_every_page_has_its_place_in_the_navigation() -> None:
    pages = {path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*.md")}
    made = {"reference/index.md", *(f"reference/{name}.md" for name in reference.modules())}
    made |= {f"notebooks/{path.stem}.md" for path in (DOCS / "notebooks").glob("*.ipynb")}
    listed = navigation()
    assert sorted((pages | made) - set(listed)) == [], "are not in mkdocs.yml, nav"
    assert sorted(set(listed) - (pages | made)) == [], "are in mkdocs.yml, nav, and nowhere else"
    assert len(listed) == len(set(listed))


# Pages as they stand on the site


def turned(text: str, page: str, tmp_path: Path) -> tuple[str, Any]:
    pages = site.Pages(tmp_path)
    return pages._turned(text, DOCS / page, page), pages


def test_a_link_that_leaves_the_pages_leads_to_the_text_of_the_file(tmp_path: Path) -> None:
    text = "[rules](../../models/game.py#L3), [others](../names.md), [data](../../data/cheat)"
    found, _ = turned(text, "search/index.md", tmp_path)
    assert found == (
        "[rules](../files/models/game.py.md#L3), [others](../names.md), "
        "[data](../files/data/cheat/index.md)"
    )
    page = site.text_of(ROOT / "data" / "lazy.py")
    assert "# lazy.py" in page
    assert "```python\n" in page
    assert "def attach(page: str)" in page


@pytest.mark.parametrize(
    "text",
    [
        "```python\n[a](../../models/game.py)\n```\n",
        "[web](https://example.org/a.py)",
        "[below](#names)",
        "![picture](pictures/report.png)",
    ],
)
def test_other_links_stay_as_they_are(text: str, tmp_path: Path) -> None:
    assert turned(text, "index.md", tmp_path)[0] == text


def test_a_bar_in_the_code_of_a_table_has_no_backslash(tmp_path: Path) -> None:
    text = "| `--choice a\\|b` | one \\| two |\n\nIn a text `a\\|b`.\n"
    assert turned(text, "index.md", tmp_path)[0] == text.replace("a\\|b", "a|b", 1)


def test_a_folder_says_what_each_of_its_programs_is() -> None:
    page = site.text_of(ROOT / "examples")
    assert "- [mastermind.py](mastermind.py): Mastermind: which of all 1,296 codes" in page


def test_a_lesson_is_a_page_that_leads_to_its_notebook(tmp_path: Path) -> None:
    link = "[the first](notebooks/1_evidence.ipynb)"
    assert turned(link, "notebooks.md", tmp_path)[0] == "[the first](notebooks/1_evidence.md)"
    pages = site.Pages(tmp_path)
    assert pages.take_lessons() <= 6
    lesson = (tmp_path / "notebooks" / "1_evidence.md").read_text("utf-8")
    assert lesson.startswith("# 1. What the card says\n\n[Save the notebook](1_evidence.ipynb)")


def test_the_readme_is_the_start_page(tmp_path: Path) -> None:
    assert turned("[readme](../README.md)", "names.md", tmp_path)[0] == "[readme](index.md)"


# What is looked for in a built site

GOOD = (
    '<h1 id="top">A</h1><a href="b.html#there">b</a><a href="#top">up</a><img src="p.png">'
    '<link rel="stylesheet" href="s.css"><a href="https://example.org/">elsewhere</a>'
    '<link rel="canonical" href="https://example.org/a.html">'
)


def looked_at(folder: Path, page: str, style: str = "") -> Any:
    (folder / "a.html").write_text(page, "utf-8")
    (folder / "b.html").write_text('<p id="there">b</p>', "utf-8")
    (folder / "p.png").write_bytes(b"")
    (folder / "s.css").write_text(style, "utf-8")
    return checking.check(folder)


def test_a_good_site_has_nothing_wrong_and_says_where_it_leads(tmp_path: Path) -> None:
    found = looked_at(tmp_path, GOOD, "b { background: url(p.png) }")
    assert found.problems == ()
    assert (found.pages, found.links) == (2, 5)
    assert found.elsewhere == ("https://example.org/", "https://example.org/a.html")


@pytest.mark.parametrize(
    "added, wrong",
    [
        ('<a href="c.html">', "is not there: c.html"),
        ('<a href="b.html#where">', "has no such anchor: b.html#where"),
        ('<a href="#nowhere">', "has no such anchor: #nowhere"),
        ('<img src="q.png">', "is not there: q.png"),
        ('<img srcset="p.png 1x, q.png 2x">', "is not there: q.png"),
        ('<img src="https://example.org/p.png">', "is loaded from elsewhere"),
        ('<script src="//example.org/a.js"></script>', "is loaded from elsewhere"),
        ('<link rel="stylesheet" href="https://example.org/f.css">', "is loaded from elsewhere"),
        ('<link rel="preconnect" href="https://example.org">', "is loaded from elsewhere"),
        ('<style>@import "https://example.org/f.css"</style>', "is loaded from elsewhere"),
        ('<p style="background: url(http://example.org/p.png)">', "is loaded from elsewhere"),
        ('<iframe src="http://example.org/"></iframe>', "is loaded from elsewhere"),
    ],
)
def test_what_is_wrong_is_found(added: str, wrong: str, tmp_path: Path) -> None:
    (problem,) = looked_at(tmp_path, GOOD + added).problems
    assert problem.startswith("a.html: ")
    assert wrong in problem


def test_letters_from_elsewhere_are_found_in_styles(tmp_path: Path) -> None:
    style = "@font-face { src: url('https://example.org/f.woff2') }"
    assert looked_at(tmp_path, GOOD, style).problems == (
        "s.css: is loaded from elsewhere: https://example.org/f.woff2",
    )


def test_an_empty_folder_is_no_site(tmp_path: Path) -> None:
    assert "has no pages" in checking.check(tmp_path).problems[0]


# Pages that are made


def test_the_reference_has_every_name_with_what_the_code_says_of_it() -> None:
    page = reference.page_of("sleuth", sleuth)
    assert [
        name for name in reference.public(sleuth) if f"{{ #{name.strip('_')} }}" not in page
    ] == []
    deal = page.partition("## `Deal` {")[2].partition("\n## ")[0]
    assert "class Deal(\n    items: Mapping[str, int] | Sequence[str],\n    *,\n" in deal
    assert " - **holders:**  How many items each holder has" in deal
    assert "```pycon\n>>> from sleuth import Deal, Model, infer\n" in deal
    assert "#### `Deal.holds` { #Deal.holds }" in deal
    assert "HIDDEN = -" in page
    assert "<function" not in page
    assert "Ellipsis" not in reference.page_of("sleuth.teaching", sleuth.teaching)
    assert " object at 0x" not in page
    assert ":class:" not in page


def test_the_gallery_is_what_its_list_says() -> None:
    page = (DOCS / "gallery.md").read_text("utf-8")
    assert page == reports.page(), "run: python docs/tools/make_reports.py"
    shown = reports.with_reports(page)
    for each in reports.EXHIBITS:
        assert (DOCS / "pictures" / each.picture).is_file()
        assert (f"(reports/{each.report})" in shown) == bool(each.report)
    assert sum(bool(each.report) for each in reports.EXHIBITS) >= 5


def test_the_list_of_games_leads_to_the_page_of_each() -> None:
    page = (DOCS / "games.md").read_text("utf-8")
    rows = dict(re.findall(r"^\| \[`(\w+)`\]\((\S+)\) \|", page, re.M))
    assert sorted(rows) == sorted(sleuth.kit.GAMES)
    assert all(Path(rows[name]).stem == name and (DOCS / rows[name]).is_file() for name in rows)


def test_a_number_beside_another_tool_stands_on_the_page_that_is_named() -> None:
    page = (DOCS / "other-tools.md").read_text("utf-8").partition("## Measured here")[2]
    rows = [line.strip("|").split("|") for line in page.splitlines() if line.startswith("|")][2:]
    assert len(rows) >= 8
    for _what, _beside, theirs, ours, where in rows:
        link = re.search(r"\((\S+)\)", where)
        assert link is not None
        measured = (DOCS / link[1]).read_text("utf-8")
        for number in re.findall(r"\d[\d,.]*", f"{theirs} {ours}"):
            assert re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d.,]\d)", measured), number


def test_words_stand_in_their_order() -> None:
    words = re.findall(r"^\| \*\*(.+?)\*\*", (DOCS / "glossary.md").read_text("utf-8"), re.M)
    assert len(words) >= 30
    assert words == sorted(words, key=str.lower)


# The site itself, where it has been built


@pytest.fixture
def address() -> Any:
    if not (SITE / "index.html").is_file():
        pytest.skip("the site is not built: make site")

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


@pytest.mark.browser
def test_a_browser_asks_nobody_else_and_no_page_is_wider_than_a_phone(
    address: str, browser: Any
) -> None:
    page = browser.new_page(viewport={"width": 390, "height": 844})
    asked: list[str] = []
    failed: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("requestfailed", lambda request: failed.append(request.url))
    for name in ("index", "games/clue", "methods/junction_tree", "gallery", "beliefs/engines"):
        page.goto(f"{address}/{name}.html")
        page.wait_for_load_state("networkidle")
        wide = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
        assert wide <= 0, name
    assert [url for url in asked if not url.startswith((address, "data:", "blob:"))] == []
    assert failed == []
    page.close()


@pytest.mark.browser
def test_the_search_finds_a_page(address: str, browser: Any) -> None:
    page = browser.new_page()
    page.goto(f"{address}/index.html")
    page.wait_for_load_state("networkidle")
    page.get_by_role("button", name="Search").click()
    page.wait_for_timeout(500)  # the letters would lead to other pages until its window is there
    page.keyboard.type("strategy fusion")
    page.locator("a", has_text="Which states are searched").first.wait_for()
    page.close()
