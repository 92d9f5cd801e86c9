"""The page of a seat in a browser: nothing is lost, nothing counts twice, nothing jumps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from .servers import Server
from .test_server import counter

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("counters")]

Serve = Callable[..., Server]


def shows(page: Page, text: str, panel: str = "sum") -> None:
    from playwright.sync_api import expect

    expect(page.locator(f"#panel-{panel}")).to_contain_text(text, timeout=15_000)


def test_what_is_touched_is_said_and_what_has_changed_is_shown(serve: Serve, phone: Page) -> None:
    server = serve()
    (path, _) = counter(server)
    phone.goto(server.address + path)
    phone.get_by_role("button", name="5", exact=True).tap()
    shows(phone, "the sum is 5")
    shows(phone, "its square is 25", "square")
    phone.get_by_label("A word").fill("tangerine")
    phone.get_by_label("A word").press("Enter")
    shows(phone, "tangerine", "own")
    phone.keyboard.press("Tab")
    phone.locator("body").press("r")
    shows(phone, "the sum is 8")


def test_the_network_is_cut_twice_and_nothing_is_lost_or_counts_twice(
    serve: Serve, phone: Page
) -> None:
    from playwright.sync_api import expect

    server = serve()
    (path, _) = counter(server)
    phone.goto(server.address + path)
    shows(phone, "the sum is 0")
    for total in (8, 16):
        phone.context.set_offline(True)
        expect(phone.locator("#lost")).to_be_visible()
        for number in ("1", "2", "5"):
            phone.get_by_role("button", name=number, exact=True).tap()
        # It is on the way to the server when the phone is put away, and its page thrown out.
        phone.context.set_offline(False)
        shows(phone, f"the sum is {total}")
        expect(phone.locator("#lost")).to_be_hidden()


def test_a_page_that_is_closed_while_the_network_is_gone_says_what_was_touched_later(
    serve: Serve, phone: Page
) -> None:
    server = serve()
    (path, _) = counter(server)
    phone.goto(server.address + path)
    shows(phone, "the sum is 0")
    phone.context.set_offline(True)
    phone.get_by_role("button", name="5", exact=True).tap()
    again = phone.context.new_page()
    phone.close()
    again.context.set_offline(False)
    again.goto(server.address + path)
    shows(again, "the sum is 5")


def test_a_server_that_is_gone_and_comes_back_is_joined_at_the_same_place(
    serve: Serve, phone: Page
) -> None:
    server = serve()
    (path, _) = counter(server)
    phone.goto(server.address + path)
    port = int(server.host.rpartition(":")[2])
    for total in (2, 4):
        shows(phone, f"the sum is {total - 2}")
        server.stop()
        phone.get_by_role("button", name="2", exact=True).tap()
        server = serve(port=port)
        shows(phone, f"the sum is {total}")


def test_what_somebody_writes_stays_while_others_change_the_page(serve: Serve, phone: Page) -> None:
    from playwright.sync_api import expect

    server = serve()
    (path, other) = counter(server)
    phone.goto(server.address + path)
    field = phone.get_by_label("A word")
    field.fill("half a wo")
    server.say(other, "add 1")
    shows(phone, "the sum is 1")
    expect(field).to_have_value("half a wo")
    expect(field).to_be_focused()


def test_a_keyboard_alone_is_enough(serve: Serve, phone: Page) -> None:
    server = serve()
    (path, _) = counter(server)
    phone.goto(server.address + path)
    shows(phone, "its square is 0", "square")
    for _ in range(20):
        phone.keyboard.press("Tab")
        if phone.evaluate("document.activeElement.dataset.line") == "add 2":
            break
    phone.keyboard.press("Enter")
    shows(phone, "the sum is 2")
    # The focus stays where it was, so that the same key does the same again.
    phone.keyboard.press("Enter")
    shows(phone, "the sum is 4")


def test_the_key_in_the_address_opens_the_lobby_in_a_browser(
    serve: Serve, browser: Browser
) -> None:
    from playwright.sync_api import expect

    server = serve()
    page = browser.new_page()
    page.goto(server.address)
    expect(page.get_by_role("heading")).to_contain_text("key")
    page.goto(f"{server.address}/?key={server.key}")
    assert page.url == f"{server.address}/"
    expect(page.get_by_role("button", name="Clue", exact=True).first).to_be_visible()
    page.context.close()


@pytest.mark.parametrize("width", [360, 820, 1920])
def test_no_page_is_wider_than_its_window(serve: Serve, browser: Browser, width: int) -> None:
    server = serve()
    (path, _) = counter(server)
    page = browser.new_page(viewport={"width": width, "height": 800})
    for each in (f"/?key={server.key}", path):
        page.goto(server.address + each)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.context.close()


def test_a_system_that_is_dark_gets_a_dark_page(serve: Serve, browser: Browser) -> None:
    server = serve()
    (path, _) = counter(server)
    page = browser.new_page(viewport={"width": 360, "height": 740}, color_scheme="dark")
    page.goto(server.address + path)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(22, 24, 29)"
    page.context.close()
