"""A replay in a browser: by keys, and by a link to a moment."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from .servers import Server

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

Serve = Callable[..., Server]


def shows(page: Page, text: str) -> None:
    from playwright.sync_api import expect

    expect(page.locator("#panel-table")).to_contain_text(text, timeout=20_000)


def test_keys_step_through_a_record_and_a_link_leads_to_a_moment(serve: Serve, phone: Page) -> None:
    from playwright.sync_api import expect

    server = serve()
    token = server.lobby.make("replay", {"example": "neller_main"}).tokens[0]
    phone.goto(f"{server.address}/s/{token}")
    shows(phone, "Move 0 of 27")
    for key, at in (("ArrowRight", 1), ("End", 27), ("ArrowLeft", 26), ("Home", 0)):
        phone.locator("body").press(key)
        shows(phone, f"Move {at} of 27")
    phone.locator("body").press("+")
    phone.locator("body").press("Space")
    shows(phone, "Move 2 of 27")
    phone.locator("body").press("Space")
    # The address follows what is shown, so that a page that is loaded again stays where it was.
    phone.goto("about:blank")
    phone.goto(f"{server.address}/s/{token}#14")
    shows(phone, "Move 14 of 27")
    expect(phone.get_by_role("link", name="Link to this move")).to_have_attribute(
        "href", f"/s/{token}#14-0"
    )
    phone.reload()
    shows(phone, "Move 14 of 27")
    phone.get_by_role("button", name="spectator").tap()
    shows(phone, "Move 14 of 27")
    expect(phone.locator("#panel-belief h2")).to_have_text("What spectator can know")
    expect(phone).to_have_url(f"{server.address}/s/{token}#14-1")
    phone.get_by_label("Go to move").focus()
    phone.get_by_label("Go to move").press("ArrowRight")
    shows(phone, "Move 15 of 27")


def test_a_record_is_chosen_or_handed_in_as_a_file(serve: Serve, phone: Page) -> None:
    from sleuth.data.files import resource

    server = serve()
    phone.goto(f"{server.address}/?key={server.lobby.key}")
    phone.get_by_text("Replay a record", exact=True).tap()
    text = resource("scotland_yard", "games", "agents_escape.json").read_bytes()
    chosen = {"name": "mine.json", "mimeType": "application/json", "buffer": text}
    phone.locator("input[type=file]").set_input_files(chosen)  # pyright: ignore[reportArgumentType]
    phone.locator("form:has(input[type=file]) button").tap()
    shows(phone, "Move 0 of")
    phone.goto(server.address)
    phone.get_by_text("Replay a record", exact=True).tap()
    nonsense = {"name": "x.json", "mimeType": "application/json", "buffer": b"nonsense"}
    phone.locator("input[type=file]").set_input_files(nonsense)  # pyright: ignore[reportArgumentType]
    phone.locator("form:has(input[type=file]) button").tap()
    from playwright.sync_api import expect

    expect(phone.locator("#refused")).to_contain_text("JSON")
