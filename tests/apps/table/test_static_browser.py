"""The page without a server in a browser, with a stand-in for the browser's Python."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from sleuth.apps.table.static.writing import write_static

from .static_pages import handed_out
from .test_page_browser import shows

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("counters")]


def test_the_page_computes_in_the_browser_and_keeps_what_was_entered(
    tmp_path: Path, phone: Page
) -> None:
    write_static(tmp_path / "page", "x", kind="counter")
    with handed_out(tmp_path / "page") as address:
        phone.goto(address)
        shows(phone, "the sum is 0")
        phone.get_by_role("button", name="5", exact=True).tap()
        shows(phone, "the sum is 5")
        shows(phone, "its square is 25", "square")
        # No network any more: nothing of it is needed but the stand-in's.
        phone.get_by_label("A word").fill("tangerine")
        phone.get_by_label("A word").press("Enter")
        shows(phone, "tangerine", "own")
        phone.reload()
        shows(phone, "the sum is 5")
        shows(phone, "tangerine", "own")
        # Nothing is asked any more of a stand-in that is gone.
        phone.goto("about:blank")


def test_a_page_whose_python_does_not_come_says_so(tmp_path: Path, phone: Page) -> None:
    from playwright.sync_api import expect

    write_static(tmp_path / "page", "x", kind="counter")
    with handed_out(tmp_path / "page") as address:
        (tmp_path / "page" / "pyodide" / "pyodide.mjs").unlink()
        phone.goto(address)
        expect(phone.locator("#refused")).to_be_visible()
        assert phone.locator("#refused").inner_text()
