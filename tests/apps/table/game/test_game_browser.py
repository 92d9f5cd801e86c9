"""Games in a browser: played to the end, by one person and by two on devices of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from ..servers import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

Serve = Callable[..., Server]
#: Milliseconds in which anything has come that is waited for.
PATIENCE = 30_000


def opened(server: Server, page: Page, game: str) -> None:
    """From the lobby to the set-up of a game."""
    page.goto(f"{server.address}/?key={server.key}")
    page.goto(server.address)
    page.locator(f'[data-line="new game {game}"]').first.click()
    page.locator('form[data-line="begin"]').wait_for(timeout=PATIENCE)


def begun(page: Page, **choices: str) -> None:
    form = page.locator('form[data-line="begin"]')
    for name, choice in choices.items():
        form.locator(f'[name="{name.replace("_", " ")}"]').select_option(choice)
    form.get_by_role("button").click()
    page.locator("#panel-log").wait_for(state="attached", timeout=PATIENCE)


def test_a_game_against_an_agent_is_played_to_its_end_and_another_begun(
    serve: Serve, phone: Page
) -> None:
    from playwright.sync_api import expect

    server = serve()
    opened(server, phone, "tic_tac_toe")
    begun(phone, seat_1="random")
    board, end = phone.locator("#panel-game"), phone.locator("#panel-end")
    number = 0
    while not end.is_visible():
        moves = phone.locator(f'#panel-game g[data-line$=" {number}"]')
        expect(moves.or_(end).first).to_be_visible(timeout=PATIENCE)
        if end.is_visible():
            break
        if number == 2:
            # A server that is killed goes on where it was.
            port = int(server.host.partition(":")[2])
            server.stop()
            server = serve(port=port)
        moves.first.click()
        number += 2
        last = phone.locator(f'#panel-game g[data-line$=" {number}"]')
        expect(last.or_(end).first).to_be_visible(timeout=PATIENCE)
    expect(end).to_contain_text(re.compile("You have (won|lost)|draw"))
    expect(board.locator("g[data-line]")).to_have_count(0)
    phone.get_by_role("button", name="Another game").click()
    expect(phone.locator('#panel-moves button[data-line="move 0 0"]')).to_be_visible(
        timeout=PATIENCE
    )


def test_two_people_play_on_two_devices_and_see_their_own_cards(
    serve: Serve, phone: Page, browser: Browser
) -> None:
    from playwright.sync_api import expect

    server = serve()
    opened(server, phone, "kuhn_poker")
    begun(phone, seat_1="a person on device 2", guess="yes")
    expect(phone.locator("#panel-devices svg.code")).to_be_visible(timeout=PATIENCE)
    address = phone.locator("#panel-devices a").get_attribute("href")
    assert address is not None
    context = browser.new_context()
    other = context.new_page()
    other.goto(address)
    expect(other.locator("#panel-table")).to_contain_text("first's move", timeout=PATIENCE)
    cards = [
        page.locator("#panel-game").inner_text().partition("you: ")[2].split(",")[0]
        for page in (phone, other)
    ]
    assert cards[0] != cards[1]
    assert all(card in ("jack", "queen", "king") for card in cards)
    slider = phone.locator('#panel-guess input[type="range"]').first
    slider.fill("90")
    expect(phone.locator("#panel-guess output").first).to_have_text("90")
    phone.get_by_role("button", name="That is what I think").click()
    expect(phone.locator("#panel-guess")).to_contain_text("bits on average", timeout=PATIENCE)
    expect(phone.locator("#panel-known")).to_contain_text("50 %", timeout=PATIENCE)
    phone.get_by_role("button", name="bet", exact=True).click()
    other.get_by_role("button", name="bet", exact=True).click(timeout=PATIENCE)
    verdicts = []
    for page in (phone, other):
        expect(page.locator("#panel-end")).to_contain_text("You have", timeout=PATIENCE)
        verdicts.append("won 2 chips" in page.locator("#panel-end").inner_text())
    assert sorted(verdicts) == [False, True]
    context.close()


def test_a_board_wider_than_a_phone_shows_what_can_be_touched(serve: Serve, phone: Page) -> None:
    from playwright.sync_api import expect

    opened(serve(), phone, "saboteur")
    phone.locator('form[data-line="begin"] [name="seed"]').fill("4")
    begun(phone)
    places = phone.locator("#panel-game g.touch")
    expect(places.first).to_be_in_viewport(timeout=PATIENCE)
    board = phone.locator("#panel-game .scroll").first
    board.evaluate("each => { each.scrollLeft = each.scrollWidth }")
    expect(places.first).not_to_be_in_viewport()
    # The start is at the left, and where the card can be laid is there, too.
    phone.locator('#panel-moves button[data-line^="pick "]').first.click()
    expect(places.first).to_be_in_viewport(timeout=PATIENCE)
