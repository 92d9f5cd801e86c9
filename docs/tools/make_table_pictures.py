"""Makes the pictures of the table in the browser: docs/pictures/table*.png.

Run ``python docs/tools/make_table_pictures.py`` where chromium or chrome is installed, in an
environment for development. Everything is touched as a person touches it; names of pictures as
arguments make these alone.
"""

from __future__ import annotations

import shutil
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from sleuth import example
from sleuth.apps.table.lobby import Lobby
from sleuth.apps.table.web.app import TableServer

PICTURES = Path(__file__).parents[1] / "pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "chrome")
PHONE, TABLET, SCREEN = (360, 740), (820, 1080), (1280, 800)
COLOURS = 128
#: The recorded game of Clue, who looks, and the events that are entered.
RECORD, VIEWER, EVENTS = "neller_main", "scarlet", 13
#: The recorded game that is replayed, and the move that is looked at with the detectives' eyes.
HUNT, MOVE, EYES = "agents_escape", "27", 1
#: The panel that shows a guess, and then how good it was.
GUESS = "guess"
#: Milliseconds in which anything that is waited for has come.
PATIENCE = 60_000


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server with an empty lobby, and its key."""
    listening = socket.create_server(("127.0.0.1", 0))
    host = f"127.0.0.1:{listening.getsockname()[1]}"
    lobby = Lobby(folder)
    table = TableServer(lobby, [host], addresses=["http://192.0.2.7:8642"], game="clue")
    server = uvicorn.Server(uvicorn.Config(table.app, log_level="critical"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    yield f"http://{host}/?key={lobby.key}"
    server.should_exit = True
    table.stop_soon()
    thread.join(10)


class Visitor:
    """A person with a browser at the table.

    Args:
        browser: The browser.
        lobby: The address of the lobby, with its key.
        size: The size of its window.
        dark: Whether the system is dark.
    """

    def __init__(
        self, browser: Browser, lobby: str, size: tuple[int, int] = PHONE, *, dark: bool = False
    ) -> None:
        width, height = size
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            device_scale_factor=1.5 if size == PHONE else 1.0,
        )
        context.set_default_timeout(PATIENCE)
        self.page: Page = context.new_page()
        self.page.goto(lobby)

    def begin(self, kind: str, game: str) -> None:
        """Begin a table in the lobby."""
        self.touch(f"new {kind} {game}")
        self.page.wait_for_url("**/s/*")

    def touch(self, line: str) -> None:
        """Touch what says a line, whatever number stands before it, and wait for the answer."""
        self.page.locator(f'[data-line="{line}"], [data-line$=" {line}"]').first.click()
        self.wait()

    def offers(self, line: str) -> bool:
        """Whether something can be touched that says a line and is not chosen yet."""
        found = f'[data-line$=" {line}"]:not([aria-pressed=true]):not([disabled])'
        return self.page.locator(found).count() > 0

    def fill(self, line: str, blanks: dict[str, str]) -> None:
        """Fill in a form and hand it in."""
        form = self.page.locator(f'form[data-line="{line}"], form[data-line$=" {line}"]').first
        for name, words in blanks.items():
            field = form.locator(f'[name="{name}"]')
            if field.evaluate("each => each.tagName") == "SELECT":
                field.select_option(words)
            else:
                field.fill(words)
        form.locator("button").click()
        self.wait()

    def wait(self) -> None:
        """Wait until a line counts, and what follows from it is shown."""
        expect(self.page.locator("body.waiting")).to_have_count(0, timeout=PATIENCE)
        self.page.wait_for_timeout(200)

    def see(self, words: str) -> None:
        """Wait until something is shown, and nothing is worked out any more."""
        expect(self.page.locator("main")).to_contain_text(words, timeout=PATIENCE)
        expect(self.page.locator("[aria-busy=true]")).to_have_count(0, timeout=PATIENCE)

    def photograph(self, panel: str = "") -> Image.Image:
        """What is seen at the top of the page, or from a panel on."""
        top = f"document.querySelector('#panel-{panel}').offsetTop - 50" if panel else "0"
        self.page.evaluate(f"scrollTo(0, {top})")
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            self.page.screenshot(path=file.name)
            return Image.open(file.name).convert("RGB")


def beside_a_game(visitor: Visitor, events: int = EVENTS) -> None:
    """Enter a recorded game of Clue on the page of advice."""
    value = game_of_clue()
    visitor.begin("advice", "clue")
    names = {str(place): name for place, name in enumerate(value["players"], 1)}
    visitor.fill("set players", names)
    visitor.touch(f"set me {VIEWER}")
    for card in value["own_hand"]:
        visitor.touch(f"pick {card}")
    visitor.touch(f"set hand {', '.join(value['own_hand'])}")
    for event in value["events"][:events]:
        if visitor.offers(f"do by {event['by']}"):
            visitor.touch(f"do by {event['by']}")
        for card in event["cards"]:
            visitor.touch(f"do card {card}")
        shows = f"do shows {event['refuter'] or 'nobody'}"
        if visitor.offers(shows):
            visitor.touch(shows)
        if event["shown"] and visitor.offers(f"do sees {event['shown']}"):
            visitor.touch(f"do sees {event['shown']}")


def game_of_clue() -> dict[str, Any]:
    """The recorded game, as its viewer wrote it down."""
    value: Any = example(RECORD).value
    return dict(value)


def lobby(browser: Browser, address: str) -> Image.Image:
    """The lobby on a phone."""
    visitor = Visitor(browser, address)
    visitor.see("Be advised")
    return visitor.photograph()


def advice(browser: Browser, address: str) -> Image.Image:
    """The notebook on a phone, and what is touched for the next suggestion."""
    visitor = Visitor(browser, address)
    beside_a_game(visitor)
    visitor.touch("do card rope")
    visitor.see("rope")
    return visitor.photograph()


def advice_wide(browser: Browser, address: str) -> Image.Image:
    """The same on a screen, where everything stands beside it."""
    visitor = Visitor(browser, address, SCREEN, dark=True)
    beside_a_game(visitor)
    visitor.see("What to ask")
    return visitor.photograph()


def guess(browser: Browser, address: str) -> Image.Image:
    """A guess on a phone, and how good it was."""
    visitor = Visitor(browser, address)
    visitor.begin("game", "kuhn_poker")
    visitor.fill("begin", {"guess": "yes", "seed": "4"})
    visitor.see("Say it yourself first")
    return visitor.photograph(GUESS)


def scored(browser: Browser, address: str) -> Image.Image:
    """How good it was, on a dark phone."""
    visitor = Visitor(browser, address, dark=True)
    visitor.begin("game", "kuhn_poker")
    visitor.fill("begin", {"guess": "yes", "seed": "4"})
    visitor.see("Say it yourself first")
    form = visitor.page.locator("form[data-line^='guess ']").first
    for name, share in (("queen", "80"), ("king", "20"), ("jack", "0")):
        form.get_by_label(name).fill(share)
    form.locator("button").click()
    visitor.wait()
    visitor.see("you said")
    return visitor.photograph(GUESS)


def watch(browser: Browser, address: str) -> Image.Image:
    """A replay of a recorded game of Scotland Yard on a screen."""
    visitor = Visitor(browser, address, SCREEN)
    visitor.page.locator("#panel-records summary").click()
    visitor.fill("new replay", {"example": HUNT})
    visitor.page.wait_for_url("**/s/*")
    visitor.see("Chance to win")
    visitor.touch(f"eyes {EYES}")
    visitor.fill("go", {"to": MOVE})
    visitor.see(f"Move {MOVE} ")
    visitor.page.wait_for_timeout(5000)
    visitor.see("Chance to win")
    return visitor.photograph()


def play(browser: Browser, address: str) -> Image.Image:
    """A game of Scotland Yard on a screen."""
    visitor = Visitor(browser, address, SCREEN)
    visitor.begin("game", "scotland_yard")
    visitor.fill("begin", {"seed": "4"})
    visitor.see("What you can know")
    return visitor.photograph()


MADE: dict[str, tuple[Callable[[Browser, str], Image.Image], ...]] = {
    "table.png": (lobby, advice, scored),
    "table_advice.png": (advice_wide,),
    "table_play.png": (play,),
    "table_guess.png": (guess, scored),
    "table_watch.png": (watch,),
}
#: Pixels between pictures that stand side by side.
GAP = 24


def beside(pictures: list[Image.Image]) -> Image.Image:
    """Pictures side by side, each with a line around it."""
    width = sum(each.width + 2 for each in pictures) + GAP * (len(pictures) - 1)
    made = Image.new("RGB", (width, max(each.height for each in pictures) + 2), "white")
    left = 0
    for each in pictures:
        made.paste((139, 141, 148), (left, 0, left + each.width + 2, each.height + 2))
        made.paste(each, (left + 1, 1))
        left += each.width + 2 + GAP
    return made


def main() -> None:
    """Make the pictures that are asked for, or all."""
    found = next(filter(None, map(shutil.which, BROWSERS)), None)
    if found is None:
        sys.exit(f"a browser is needed: one of {', '.join(BROWSERS)}")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for name in sys.argv[1:] or MADE:
            pictures: list[Image.Image] = []
            for make in MADE[name]:
                with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as address:
                    pictures.append(make(browser, address))
            target = PICTURES / name
            beside(pictures).quantize(COLOURS, Image.Quantize.FASTOCTREE).save(
                target, optimize=True
            )
            print(f"{target} {target.stat().st_size:,} bytes")
        browser.close()


if __name__ == "__main__":
    main()
