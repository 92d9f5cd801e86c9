"""The look of the pages, measured in a browser: what can be read, touched, told apart and named."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from .servers import Server
from .test_server import counter

if TYPE_CHECKING:
    from playwright.sync_api import Browser, FloatRect, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("counters")]

Serve = Callable[..., Server]

#: Contrast of text against its ground that WCAG 2.2 asks for (1.4.3, AA), and of large text.
CONTRAST, CONTRAST_OF_LARGE = 4.5, 3.0
#: Pixels across whatever is touched, and of a cell of a table (WCAG 2.2, 2.5.8).
TOUCHED, CELL = 44, 24
#: Words that have less contrast than they need: (contrast, words).
PALE = """([least, ofLarge]) => {
  const shades = (text) => (text.match(/[\\d.]+/g) || [0, 0, 0, 0]).map(Number);
  const over = (top, below) => {
    const share = top.length > 3 ? top[3] : 1;
    return [0, 1, 2].map((i) => share * top[i] + (1 - share) * below[i]);
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((each) => {
      const part = each / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    if (!element) return [255, 255, 255];
    return over(shades(getComputedStyle(element).backgroundColor), ground(element.parentElement));
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const words = walker.currentNode.textContent.trim();
    const holder = walker.currentNode.parentElement;
    if (!words || holder.closest("svg, script, noscript, :disabled")) continue;
    if (!holder.checkVisibility()) continue;
    const style = getComputedStyle(holder);
    let see = 1;
    for (let each = holder; each; each = each.parentElement)
      see *= Number(getComputedStyle(each).opacity);
    const behind = ground(holder);
    const [r, g, b, alpha = 1] = shades(style.color);
    const levels = [light(over([r, g, b, alpha * see], behind)), light(behind)];
    const contrast = (Math.max(...levels) + 0.05) / (Math.min(...levels) + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (contrast < (large ? ofLarge : least)) found.push([contrast.toFixed(2), words.slice(0, 60)]);
  }
  return found;
}"""
#: What is touched and is smaller than a finger: (width, height, markup).
SMALL = """([least, cell]) => [...document.querySelectorAll(
    ".touch, [data-line]:not(form), button, input, select, summary, header a")]
  .filter((each) => each.checkVisibility() && !each.closest("svg"))
  .map((each) => [each.getBoundingClientRect(), each.closest("td") ? cell : least, each])
  .filter(([box, size]) => box.height < size - 0.5 || box.width < size - 0.5)
  .map(([box, , each]) => [box.width, box.height, each.outerHTML.slice(0, 120)])"""
#: Whether what has the focus has an outline, and nothing lies above it.
SEEN = """() => {
  const focused = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(focused);
  const box = focused.getBoundingClientRect();
  const above = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
  return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && focused.contains(above);
}"""
#: Roles of what a screen reader must be able to name.
NAMED = {
    "button", "link", "img", "image", "textbox", "combobox", "slider", "spinbutton", "group",
    "region", "dialog", "Iframe",
}  # fmt: skip


def shows(page: Page, text: str, panel: str) -> None:
    from playwright.sync_api import expect

    expect(page.locator(f"#panel-{panel}")).to_contain_text(text, timeout=15_000)


def box(found: Locator) -> FloatRect:
    """Where something stands; it may just be replaced by what stands in its place."""
    while (where := found.bounding_box()) is None:
        found.wait_for()
    return where


def nameless(page: Page) -> list[str]:
    """What a screen reader meets and cannot name."""
    nodes = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]

    def value(node: dict[str, Any], what: str) -> str:
        return str(node.get(what, {}).get("value", ""))

    return [
        value(node, "role")
        for node in nodes
        if not node["ignored"] and value(node, "role") in NAMED and not value(node, "name").strip()
    ]


def look(page: Page) -> None:
    """Nothing on a page is pale, small, without a name, wide, or moves by itself."""
    assert page.evaluate(PALE, [CONTRAST, CONTRAST_OF_LARGE]) == [], page.url
    assert page.evaluate(SMALL, [TOUCHED, CELL]) == [], page.url
    assert nameless(page) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth") <= 360, page.url
    assert page.evaluate("document.getAnimations().length") == 0, page.url


@pytest.fixture
def pages(serve: Serve, tmp_path: Path) -> Callable[[], list[str]]:
    """Addresses of pages: the lobby with tables in it, a table, a page that says one thing."""

    def made() -> list[str]:
        server = serve(addresses=["http://192.0.2.7:8642"], game="clue")
        (path, _) = counter(server)
        game = server.say("/lobby", "new game kuhn_poker")["go"]
        advice = server.say("/lobby", "new advice clue")["go"]
        server.say("/lobby", f"more {game[3:]}")
        paths = (f"/?key={server.key}", path, game, advice, "/s/nowhere")
        return [server.address + each for each in paths]

    return made


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_can_be_read_fingers_can_touch_and_a_screen_reader_can_name(
    pages: Callable[[], list[str]], browser: Browser, scheme: Any
) -> None:
    context = browser.new_context(
        viewport={"width": 360, "height": 740}, color_scheme=scheme, reduced_motion="reduce"
    )
    page = context.new_page()
    for address in pages():
        page.goto(address)
        page.wait_for_load_state("load")
        look(page)
    context.close()


@pytest.mark.parametrize("width, height", [(360, 740), (820, 1180), (1920, 1080)])
def test_nothing_moves_below_a_finger_when_an_answer_comes(
    serve: Serve, browser: Browser, width: int, height: int
) -> None:
    server = serve()
    (path, _) = counter(server, delay="0.4")
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.goto(server.address + path)
    button = page.get_by_role("button", name="5", exact=True)
    before = box(button)
    shows(page, "its square is 0", "square")
    assert box(button) == before
    button.click()
    shows(page, "the sum is 5", "sum")
    assert box(button) == before
    shows(page, "its square is 25", "square")
    assert box(button) == before
    # What says that something was refused, or that the network is gone, moves nothing either.
    server.table.lobby.remove(next(server.lobby.kept()).path)
    button.click()
    page.locator("#refused:not([hidden])").wait_for()
    assert box(button) == before
    context.close()


def test_what_is_touched_stands_in_the_thumb_s_reach_and_can_be_folded_away(
    serve: Serve, phone: Page
) -> None:
    from playwright.sync_api import expect

    server = serve()
    (path, _) = counter(server)
    phone.goto(server.address + path)
    button = phone.get_by_role("button", name="5", exact=True)
    assert box(button)["y"] > 740 / 2
    fold = phone.get_by_role("button", name="What happens")
    fold.tap()
    expect(button).to_be_hidden()
    expect(fold).to_have_attribute("aria-expanded", "false")
    fold.tap()
    expect(button).to_be_visible()


def test_a_slip_of_the_finger_deletes_nothing(serve: Serve, phone: Page) -> None:
    from playwright.sync_api import expect

    server = serve()
    counter(server)
    phone.goto(f"{server.address}/?key={server.key}")
    more = phone.get_by_role("button", name="More about: Counter")
    at = box(more)
    # Twice at the same place, as a finger that slips: it opens, and closes again.
    for _ in range(2):
        phone.touchscreen.tap(at["x"] + at["width"] / 2, at["y"] + at["height"] / 2)
    expect(more).to_be_visible()
    more.tap()
    delete = phone.get_by_role("button", name="Delete for good: Counter")
    expect(delete).to_be_visible()
    assert len([*server.lobby.kept()]) == 1
    delete.tap()
    shows(phone, "Nothing yet", "goes-on")


def test_the_focus_is_seen_wherever_it_is_on_a_page_twice_as_large(
    serve: Serve, browser: Browser
) -> None:
    server = serve(game="clue")
    (path, _) = counter(server)
    # A window of 720 to 740 pixels at 200 %.
    context = browser.new_context(viewport={"width": 360, "height": 370}, device_scale_factor=2)
    page = context.new_page()
    for address in (f"/?key={server.key}", path):
        page.goto(server.address + address)
        page.wait_for_load_state("load")
        touched = page.locator("main :is(button, a, summary, input)").filter(visible=True)
        for _ in range(touched.count()):
            page.keyboard.press("Tab")
            assert page.evaluate(SEEN), page.evaluate("document.activeElement.outerHTML")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


def test_a_screen_reader_says_what_is_new_and_nothing_else(serve: Serve, phone: Page) -> None:
    from playwright.sync_api import expect

    server = serve()
    (path, _) = counter(server)
    phone.goto(server.address + path)
    shows(phone, "its square is 0", "square")
    news = phone.locator("#news[role=status]")
    expect(news).to_have_text("")
    phone.get_by_role("button", name="5", exact=True).tap()
    expect(news).to_have_text("Sum the sum is 5")
    shows(phone, "its square is 25", "square")
    expect(news).to_have_text("Sum the sum is 5")


def test_a_whole_game_is_played_by_the_keyboard_alone(serve: Serve, browser: Browser) -> None:
    server = serve()
    context = browser.new_context(viewport={"width": 360, "height": 740})
    page = context.new_page()
    page.goto(f"{server.address}/?key={server.key}")

    def go_to(name: str) -> None:
        """Press Tab until something has the focus, and then Enter."""
        page.locator("body[data-shown]").wait_for()
        page.get_by_role("button", name=name, exact=True).first.wait_for()
        for _ in range(80):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.textContent") == name:
                page.keyboard.press("Enter")
                return
        raise AssertionError(f"{name} is not reached")

    go_to("Kuhn poker")
    page.wait_for_url("**/s/*")
    go_to("Begin")
    over = page.locator("#panel-end")
    while not over.count():
        page.locator("#panel-moves:not([hidden]), #panel-end").first.wait_for()
        if page.get_by_role("button", name="pass", exact=True).count():
            look(page)
            go_to("pass")
            page.wait_for_timeout(200)
    look(page)
    context.close()
