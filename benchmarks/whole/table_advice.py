"""Two recorded games of Clue entered on the page of advice in a browser, by touches alone.

    python -m benchmarks.whole.table_advice [--json]

A page of 360 px is opened on a `sleuth table` of its own. Three mistakes are made on the way
and mended: an entry is forgotten and put in later, one has a wrong card and is corrected in place,
and one is taken back and entered anew. The network is cut twice in the middle of an event, whose
touches are sent when it is back. In the end the page must name the case file that the record has,
or the one that its events leave, and its entries must be those of the record.

Of every game stand there: the events, the touches in all and a touch an event (with the mending,
without the set-up), the touches of the set-up, the case file that the page named, and whether its
entries are the record's.
"""

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .table_client import TableProcess
from .table_games import browser_path
from .table_phone import Phone, recorded

if TYPE_CHECKING:
    from collections.abc import Mapping

    from playwright.sync_api import Locator, Page

#: Each record with its viewer, and the case file that it leaves.
GAMES = {
    "neller_main": ("scarlet", ("peacock", "lead pipe", "billiard room")),
    "ledford_05": ("Player1", ("plum", "candlestick", "library")),
}
#: Events in whose middle the network is cut.
CUT = (4, 12)
#: Milliseconds in which anything has come that is waited for.
PATIENCE = 60_000


class BrowserPhone(Phone):
    """A page of advice in a browser: whatever is touched is seen there before.

    Args:
        page: The page, which shows the lobby.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self.touches = 0
        page.locator('[data-line="new advice clue"]').first.tap()
        self._form = ""

    @property
    def number(self) -> int:
        """The number of what is entered next, as touches say it, once all touches were heard."""
        from playwright.sync_api import expect

        expect(self.page.locator("body.waiting")).to_have_count(0, timeout=PATIENCE)
        # What was heard is shown with the next message of the stream.
        self.page.wait_for_timeout(500)
        line = self.page.locator('#panel-enter [data-line*=" do "]').first
        return int(str(line.get_attribute("data-line", timeout=PATIENCE)).split()[0])

    def touch(self, line: str, *, panel: str | None = None) -> None:
        self._at(line, panel).tap(timeout=PATIENCE)
        self.touches += 1

    def fill(self, line: str, blanks: Mapping[str, str]) -> None:
        form = self._at(line, None, "form")
        for name, value in blanks.items():
            form.locator(f'[name="{name}"]').fill(value)
        form.locator("button[type=submit]").tap()
        self.touches += 1

    def presses(self, line: str) -> bool:
        return self._at(line).get_attribute("aria-pressed", timeout=PATIENCE) == "true"

    def _asks(self, key: str) -> bool:
        self.page.wait_for_timeout(400)
        return bool(self.page.locator(f'#panel-form [data-line*=" set {key} "]').count()) or bool(
            self.page.locator(f'#panel-form form[data-line$=" set {key}"]').count()
        )

    def _at(self, line: str, panel: str | None = None, tag: str = "") -> Locator:
        within = f"#panel-{panel} " if panel else ""
        return self.page.locator(
            f'{within}{tag}[data-line$=" {line}"], {within}{tag}[data-line="{line}"]'
        ).first


def entered(page: Page, name: str) -> dict[str, Any]:
    """A recorded game, entered from the lobby on."""
    viewer, file = GAMES[name]
    settings, events = recorded(name, viewer)
    phone = BrowserPhone(page)
    phone.set_up(settings)
    page.locator("#panel-enter").wait_for(timeout=PATIENCE)
    setting_up, phone.touches = phone.touches, 0
    wrong = next(
        n for n, e in enumerate(events) if n >= 3 and viewer not in (e["by"], e["refuter"])
    )
    for number, event in enumerate(events):
        if number == 6:
            continue  # It was forgotten.
        if number in CUT:
            page.context.set_offline(True)
            phone.touch(f"do card {event['cards'][0]}")
            phone.touch(f"do card {event['cards'][1]}")
            page.context.set_offline(False)
            phone.page.wait_for_timeout(1_500)
            # The two that were touched already stand there; touching them again would drop them.
            rest = {**event, "cards": event["cards"][2:]}
            phone.enter(rest)
        elif number == wrong:
            other = next(card for card in ("rope", "wrench", "knife") if card not in event["cards"])
            phone.enter({**event, "cards": [event["cards"][0], other, event["cards"][2]]})
        else:
            phone.enter(event)
        if number == 9:
            phone.touch("undo")
            phone.page.wait_for_timeout(500)
            phone.enter(event)
        if number == 8:
            phone.touch("entry 7")
            phone.touch("insert 7")
            phone.page.wait_for_timeout(500)
            phone.enter(events[6])
        if number == wrong + 8:
            phone.touch(f"entry {wrong + 1}")
            phone.touch(f"do card {events[wrong]['cards'][1]}")
            phone.touch("done")
            phone.page.wait_for_timeout(500)
    shown = page.locator("#panel-file").inner_text()
    record = page.request.get(f"{page.url.partition('#')[0]}/get/record").json()
    fields = ("type", "by", "cards", "refuter", "shown")
    same = [{key: each.get(key) for key in fields} for each in record["events"]] == [
        {key: event[key] for key in fields} for event in events
    ]
    return {
        "events": len(events),
        "touches": phone.touches,
        "touches_per_event": round(phone.touches / len(events), 3),
        "touches_of_the_set_up": setting_up,
        "case_file": " ".join(shown.split()),
        "right": all(card in shown for card in file) and "accuse" in shown,
        "entries_as_recorded": same,
    }


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--json", action="store_true", help="one JSON object and nothing else")
    given = parser.parse_args()
    from playwright.sync_api import sync_playwright

    found: dict[str, Any] = {}
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=browser_path(), args=["--no-sandbox"])
        server = TableProcess(Path(folder))
        for name in GAMES:
            context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
            page = context.new_page()
            page.goto(f"{server.address}/?key={server.key}")
            found[name] = entered(page, name)
            context.close()
            if not given.json:
                print(f"{name}: {json.dumps(found[name])}", flush=True)
        server.kill()
        browser.close()
    if given.json:
        print(json.dumps(found))


if __name__ == "__main__":
    main()
