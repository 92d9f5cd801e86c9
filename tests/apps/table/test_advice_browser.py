"""A game of Clue entered on the page of advice in a browser, with a thumb and with keys."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from .servers import Server
from .test_advice import recorded
from .test_look_browser import CELL, CONTRAST, CONTRAST_OF_LARGE, PALE, SMALL, TOUCHED, nameless

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.browser

Serve = Callable[..., Server]


def enters(page: Page, line: str) -> Locator:
    """What says a line where things are entered, whatever stands before it."""
    return page.locator(f'#place-touch [data-line$="{line}"]')


def begun(page: Page, serve: Serve) -> Server:
    """The page of a game of six that is set up by touches."""
    settings, _ = recorded("neller_main", "scarlet")
    server = serve()
    page.goto(server.address + server.say("/lobby", "new advice clue")["go"])
    for place, name in enumerate(settings["players"], 1):
        page.locator(f'input[name="{place}"]').fill(name)
    page.get_by_role("button", name="Go on").tap()
    enters(page, "set me scarlet").tap()
    for card in settings["hand"]:
        enters(page, f" pick {card}").tap()
    page.get_by_role("button", name="These 3 cards").tap()
    return server


def test_a_game_is_entered_on_a_phone_whose_network_goes(serve: Serve, phone: Page) -> None:
    from playwright.sync_api import expect

    begun(phone, serve)
    _, events = recorded("neller_main", "scarlet")
    head = phone.locator("#panel-enter h2")
    for number, event in enumerate(events[:6], 1):
        expect(head).to_contain_text(f"{number},", timeout=15_000)
        # With cards, who shows and nothing else to wait for, all of an event is touched at once.
        phone.context.set_offline(number in (2, 4))
        for card in event["cards"]:
            enters(phone, f" do card {card}").tap()
        if number != 6:  # The one who is asked first is the one who holds a card.
            enters(phone, f" do shows {event['refuter']}").tap()
        phone.context.set_offline(False)
        if event["shown"]:
            enters(phone, f" do sees {event['shown']}").tap()
    expect(head).to_contain_text("7, your turn", timeout=15_000)
    expect(phone.locator("#panel-log button")).to_have_count(6)
    # What was below is not what is shown of the form that comes instead.
    phone.set_viewport_size({"width": 360, "height": 480})
    place = phone.locator("#place-touch")
    place.evaluate("each => { each.scrollTop = each.scrollHeight }")
    assert place.evaluate("each => each.scrollTop") > 0
    phone.locator("#panel-log button").first.dispatch_event("click")
    expect(head).to_contain_text("Correct entry 6", timeout=15_000)
    expect(head).to_be_in_viewport(ratio=1)
    phone.set_viewport_size({"width": 360, "height": 740})
    notebook = phone.locator("#panel-notebook")
    expect(notebook.get_by_label("scarlet, mustard: certain")).to_be_visible()
    notebook.get_by_label("scarlet, mustard: certain").tap()
    expect(phone.locator("#panel-answer")).to_contain_text("by entry 1", timeout=15_000)
    phone.locator("#panel-answer").get_by_role("button", name="1: scarlet suggests").tap()
    expect(head).to_contain_text("Correct entry 1")
    expect(enters(phone, " do sees scarlet")).to_have_attribute("aria-pressed", "true")
    enters(phone, " do sees lounge").tap()
    enters(phone, " done").tap()
    expect(notebook.get_by_label("lounge, mustard: certain")).to_be_visible()
    expect(phone.locator("#panel-best")).to_contain_text("suggest", timeout=60_000)
    assert phone.evaluate(PALE, [CONTRAST, CONTRAST_OF_LARGE]) == []
    assert phone.evaluate(SMALL, [TOUCHED, CELL]) == []
    assert nameless(phone) == []
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
    phone.reload()
    expect(phone.locator("#panel-log button")).to_have_count(6)


def test_keys_alone_enter_a_move_and_take_it_back(serve: Serve, phone: Page) -> None:
    from playwright.sync_api import expect

    begun(phone, serve)
    enters(phone, " do card plum").focus()
    phone.keyboard.press("Enter")
    expect(enters(phone, " do card plum")).to_have_attribute("aria-pressed", "true")
    expect(enters(phone, " do card plum")).to_be_focused()
    for line in (" do card rope", " do card hall"):
        enters(phone, line).focus()
        phone.keyboard.press("Space")
        # The form comes anew with every touch, and takes the focus with it.
        expect(enters(phone, line)).to_have_attribute("aria-pressed", "true", timeout=15_000)
        expect(enters(phone, line)).to_be_focused()
    enters(phone, " do shows nobody").focus()
    phone.keyboard.press("Space")
    expect(phone.locator("#panel-log")).to_contain_text(
        "scarlet suggests plum, rope and hall", timeout=15_000
    )
    phone.keyboard.press("Backspace")
    expect(phone.locator("#panel-log")).not_to_contain_text("scarlet suggests")


def test_another_box_is_chosen_on_a_phone_and_its_cards_are_touched(
    serve: Serve, phone: Page
) -> None:
    from playwright.sync_api import expect

    server = serve()
    phone.goto(server.address + server.say("/lobby", "new advice clue")["go"])
    phone.get_by_role("button", name="Another box").tap()
    phone.get_by_role("button", name="Clue Master Detective").tap()
    expect(phone.locator('input[name="10"]')).to_be_visible()
    for place, name in enumerate(("Ada", "Bob", "Cleo"), 1):
        phone.locator(f'input[name="{place}"]').fill(name)
    phone.get_by_role("button", name="Go on").tap()
    enters(phone, "set me Ada").tap()
    for card in ("brunette", "gray", "poison", "rope", "studio", "gazebo", "fountain", "library"):
        enters(phone, f" pick {card}").tap()
    enters(phone, " pick drawing room").tap()
    phone.get_by_role("button", name="These 9 cards").tap()
    expect(phone.locator("#panel-enter h2")).to_contain_text("1, your turn", timeout=15_000)
    for line in ("card rose", "card horseshoe", "card carriage house", "shows Cleo", "sees rose"):
        enters(phone, f" do {line}").tap()
    expect(phone.locator("#panel-log")).to_contain_text("Bob passes, Cleo shows rose")
    expect(phone.get_by_label("rose, Cleo: certain")).to_be_visible()
    assert phone.evaluate("document.documentElement.scrollWidth") <= 360
