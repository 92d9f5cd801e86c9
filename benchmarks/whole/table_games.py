"""A person's game of every game, played to its end in a browser while the server is killed.

    python -m benchmarks.whole.table_games [--games kuhn_poker,clue] [--kills 2] [--agent random]
        [--json]

`sleuth table` runs as a process of its own, which is killed (SIGKILL) at random moments, by default
twice a game, and started again on the same folder and port; the page stays open. The person touches
whatever can be touched, at random, and the games are kept short by their rules. In the end the
sitting's file is compared with what was touched: a move is lost if it is not there, and doubled if
it is there twice. ``two seats`` is a game of Kuhn poker by two pages with windows of their own.

Of every game stand there: the person's moves and those of agents, touches a move, moves lost and
doubled and whether all stand in their order, the seconds from a touch until the page has changed
(median and worst, without those in which the server was gone), and the seconds of the whole game.
Words of a move that were touched one after the other are forgotten by a server that is killed, and
touched again; a move is not.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .table_client import TableProcess

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
LIARS_DICE = f"{ROOT / 'examples' / 'your_own_game.py'}:GAME"
#: Games with the rules that keep them short.
GAMES: dict[str, dict[str, str]] = {
    "cheat": {"rounds": "8"},
    "clue": {"turns": "8"},
    "clue_table": {"turns": "8"},
    "kuhn_poker": {},
    "leduc_poker": {},
    "phantom_tic_tac_toe": {},
    "saboteur": {"players": "3"},
    "scotland_yard": {"seekers": "2", "rounds": "6"},
    "tic_tac_toe": {},
    "liars_dice": {},
}
#: How likely the server is killed after a touch: in short games, and in long ones.
OFTEN, SELDOM = 0.5, 0.2
#: Milliseconds in which anything has come that is waited for.
PATIENCE = 60_000
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def browser_path() -> str:
    """A browser of the system; the script ends where there is none."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None:
        sys.exit(f"no browser is installed: {', '.join(BROWSERS)}")
    return path


class KilledTable:
    """A server that is killed now and then, and pages that play at it.

    Args:
        folder: Where its tables are kept.
        kills: How often it is to be killed in a game.
        seed: Where chance comes from.
    """

    def __init__(self, folder: Path, kills: int, seed: int) -> None:
        self.folder = folder
        self.server = TableProcess(folder, options=(LIARS_DICE,))
        self.random = random.Random(seed)
        self.wanted = kills
        self.kills = 0
        self.touched: list[str] = []
        self.seconds: list[float] = []

    def killed(self) -> None:
        """The server is gone at any moment after a touch, and another one opens the folder."""
        time.sleep(self.random.random() * 0.15)
        self.server.kill()
        self.kills += 1
        time.sleep(0.2)
        self.server = TableProcess(self.folder, self.server.port, options=(LIARS_DICE,))

    def set_up(self, page: Page, game: str, agent: str, **people: str) -> None:
        """From the lobby to the first move."""
        page.goto(f"{self.server.address}/?key={self.server.key}")
        page.goto(self.server.address)
        source = LIARS_DICE if game == "liars_dice" else game
        page.locator(f'[data-line="new game {source}"]').first.click()
        begin = page.locator('form[data-line="begin"]')
        begin.wait_for(timeout=PATIENCE)
        if rules := GAMES[game]:
            form = page.locator('form[data-line="rules"]')
            page.locator("#panel-rules summary").click()
            for name, value in rules.items():
                form.locator(f'[name="set {name}"]').fill(value)
            form.get_by_role("button").click()
            page.wait_for_timeout(500)
        for seat in begin.locator('select[name^="seat "]').all()[1:]:
            seat.select_option(people.get(str(seat.get_attribute("name")), agent))
        begin.get_by_role("button").click()
        page.locator("#panel-since").wait_for(state="attached", timeout=PATIENCE)

    def play(self, pages: Sequence[Page], often: float) -> None:
        """Touch what can be touched on any page until the game is over on all."""
        end = time.monotonic() + 600
        while not all(page.locator("#panel-end").count() for page in pages):
            assert time.monotonic() < end, "the game does not end"
            page = next((each for each in pages if self._lines(each)), None)
            if page is None:
                pages[0].wait_for_timeout(10)
                continue
            self._touch(page, strikes=self.kills < self.wanted and self.random.random() < often)

    def _touch(self, page: Page, *, strikes: bool) -> None:
        lines = self._lines(page)
        line = self.random.choice(lines) if lines else ""
        if not line:
            return
        shown = int(page.locator("body").get_attribute("data-shown") or 0)
        begun = time.perf_counter()
        try:
            page.locator(f'#panel-moves [data-line="{line}"]').first.click(timeout=2_000)
        except Exception:
            return  # The page was replaced below the finger.
        self.touched.append(line)
        if strikes:
            self.killed()
            page.locator("#lost").wait_for(state="hidden", timeout=PATIENCE)
            if line.startswith("pick "):
                page.wait_for_timeout(1_000)
                return
        end = time.monotonic() + PATIENCE / 1000
        while int(page.locator("body").get_attribute("data-shown") or 0) == shown or (
            self._lines(page) == lines
        ):
            assert time.monotonic() < end, f"nothing comes of {line!r}"
            page.wait_for_timeout(5)
        if not strikes:
            self.seconds.append(time.perf_counter() - begun)

    def _lines(self, page: Page) -> list[str]:
        """The lines that can be touched for a move, as long as it is this page's turn."""
        markup = (
            "els => els.filter(e => !e.disabled && e.dataset.line.split(' ').length > 2)"
            ".map(e => e.dataset.line)"
        )
        return page.locator("#panel-moves [data-line]").evaluate_all(markup)

    def counted(self) -> dict[str, Any]:
        """The fate of the touches, by the file of the table."""
        path = max(
            (self.folder / "sittings").glob("*.jsonl"), key=lambda each: each.stat().st_mtime
        )
        steps = [json.loads(line) for line in path.read_text("utf-8").splitlines()[1:]]
        kept = [each for each in steps if each["step"]["do"] == "move"]
        own = [each["step"]["action"] for each in kept if "touch" in each]
        said = [int(line.split()[1]) for line in self.touched if line.startswith("move ")]
        touches = [each["touch"] for each in kept if "touch" in each]
        missing = sum(max(0, said.count(code) - own.count(code)) for code in set(said))
        return {
            "moves": len(said),
            "agents": len(kept) - len(own),
            "touches_a_move": round(len(self.touched) / max(1, len(said)), 2),
            "killed": self.kills,
            "lost": missing,
            "in_order": own == said,
            "doubled": len(own) - len(said) + missing + len(touches) - len(set(touches)),
            "median_s": round(statistics.median(self.seconds), 3) if self.seconds else None,
            "worst_s": round(max(self.seconds), 3) if self.seconds else None,
        }


def played(browser: Browser, game: str, kills: int, agent: str, seed: int) -> dict[str, Any]:
    """One game to its end; what became of it."""
    two = game == "two seats"
    with tempfile.TemporaryDirectory() as folder:
        table = KilledTable(Path(folder), kills, seed)
        contexts = [browser.new_context(viewport={"width": 360, "height": 740}) for _ in "12"]
        try:
            first = contexts[0].new_page()
            begun = time.perf_counter()
            pages = [first]
            if two:
                table.set_up(first, "kuhn_poker", agent, **{"seat 1": "a person on device 2"})
                address = first.locator("#panel-devices a").get_attribute("href")
                pages.append(contexts[1].new_page())
                pages[1].goto(str(address))
            else:
                table.set_up(first, game, agent)
            table.play(pages, SELDOM if GAMES.get(game) else OFTEN)
            found = table.counted()
            return {"game": game, **found, "seconds": round(time.perf_counter() - begun, 1)}
        finally:
            for context in contexts:
                context.close()
            table.server.kill()


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--games", default=",".join([*GAMES, "two seats"]))
    parser.add_argument("--kills", type=int, default=2, help="times that the server is killed")
    parser.add_argument("--agent", default="random", help="who plays the other roles")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    path = browser_path()
    rows: list[dict[str, Any]] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for game in options.games.split(","):
            rows.append(played(browser, game, options.kills, options.agent, options.seed))
            if not options.json:
                print("  ".join(f"{name} {value}" for name, value in rows[-1].items()), flush=True)
        browser.close()
    if options.json:
        print(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
