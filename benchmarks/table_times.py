"""How long people wait at `sleuth table`: for a belief, for advice, and for its first page.

    python -m benchmarks.table_times [--parts times,start,load] [--players 3,4,5,6] [--events N]
                                     [--tables 20] [--seconds S] [--repeat N] [--json]

Everything is asked over HTTP of a server in a process of its own, and is there when the stream of
events has brought it, as a page gets it.

`times`: whole games of Clue are entered on the page of advice, touch by touch; of four and six
players recorded ones, of others simulated ones. *Belief* is from a touch until the notebook and
whatever else is shown at once is what it has to be after it; *advice* is from the touch that
completes an event until nothing on the page is still being worked out.

`start`: from the command until its address is printed and the first page is there with all of its
files; with what Python and the compiler keep, and with nothing kept.

`load`: games of agents go on at so many tables, each with a person who moves as soon as they may,
while somebody touches a Clue table three times a second: how long each touch waits for the belief.

With ``--json`` an object with a key for each part is printed:

    {"times": {"3": {"touches": 136, "events": 30, "belief": {"median": s, "worst": s},
                     "advice": {"median": s, "worst": s}}, ...},
     "start": {"warm": {"address": s, "page": s, "cpu": s}, "empty": {...}},
     "load": {"tables": 20, "moves": n, "touches": n, "belief": {"median": s, "worst": s}},
     "machine": {"cores": n, "load": l}}

where s are seconds, by the clock but for ``cpu``, those of the processor, and the load is the mean
number of waiting processes before and after.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import runpy
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec
from importlib.util import module_from_spec
from pathlib import Path
from typing import Any, Final

if not __package__:
    # Called by its path: it is found as a module of its package, as with python -m.
    benchmarks = ModuleSpec("benchmarks", None, is_package=True)
    benchmarks.submodule_search_locations = [str(Path(__file__).parent)]
    sys.modules["benchmarks"] = module_from_spec(benchmarks)
    runpy.run_module("benchmarks.table_times", run_name="__main__")
    sys.exit()

from .whole.table_client import Client, TableProcess, Watch, offers
from .whole.table_scripts import ScriptLine, clue_script

PARTS: Final = ("times", "start", "load")
BUSY: Final = 'aria-busy="true"'
#: Seconds between the touches of a person beside many tables.
PAUSE: Final = 1 / 3
#: Games that go on beside them.
GAMES: Final = ("cheat", "kuhn_poker", "leduc_poker", "saboteur")
#: As a user has it: nobody waits for the compiler.
USUAL: Final = {"SLEUTH_COMPILE": "background"}


def progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def summary(seconds: Sequence[float]) -> dict[str, float]:
    return {"median": round(statistics.median(seconds), 4), "worst": round(max(seconds), 4)}


# -- times


def enter(client: Client, script: Sequence[ScriptLine], *, advised: bool) -> dict[str, Any]:
    """Seconds from touches to beliefs, and to advice where somebody waits for that."""
    address = client.begin("advice", "clue")
    page = Watch(client, address)
    page.wait(bool)
    beliefs: list[float] = []
    advices: list[float] = []
    for number, said in enumerate(script):
        begun = time.perf_counter()
        client.say(address, said.text, said.blanks, f"touch {number}")
        beliefs.append(page.wait(said.is_shown, said.text) - begun)
        if advised and said.enters:
            advices.append(page.wait(is_done, "advice") - begun)
    page.close()
    found: dict[str, Any] = {"touches": len(beliefs), "events": len(advices)}
    return {**found, "belief": summary(beliefs), "advice": summary(advices or [0.0])}


def is_done(panels: Mapping[str, str]) -> bool:
    """True if nothing is still being worked out."""
    return not any(BUSY in html[: html.find(">")] for html in panels.values())


def times(players: Sequence[int], events: int | None) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for count in players:
        script = clue_script(count, events=events)
        with tempfile.TemporaryDirectory() as folder:
            process = TableProcess(Path(folder) / "table", environment=USUAL)
            enter(process, script[:40], advised=True)  # Its worker has begun, as after set-up.
            found[str(count)] = enter(process, script, advised=True)
            process.interrupt()
        progress(f"{count} players: {found[str(count)]}")
    return found


# -- start


def started(environment: Mapping[str, str]) -> dict[str, float]:
    """Seconds until the address is printed, and until the first page is there."""
    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        process = TableProcess(Path(folder) / "table", environment={**USUAL, **environment})
        process.ask("GET", f"/?key={process.key}").read()
        page = process.text("/")
        for path in re.findall(r'(?:href|src)="(/static/[^"]+)"', page):
            process.text(path)
        seconds, cpu = time.perf_counter() - begun, process.cpu()
        process.interrupt()
    return {"address": round(process.seconds, 3), "page": round(seconds, 3), "cpu": round(cpu, 3)}


def start(repeat: int) -> dict[str, Any]:
    started({})
    warm = [started({}) for _ in range(repeat)]
    empty: list[dict[str, float]] = []
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as cache:
            kept = {
                "SLEUTH_CACHE_DIR": f"{cache}/kernels",
                "PYTHONPYCACHEPREFIX": f"{cache}/python",
            }
            empty.append(started(kept))
    progress(f"start: warm {warm}, empty {empty}")
    middle = {name: sorted(all_, key=lambda each: each["page"]) for name, all_ in (
        ("warm", warm), ("empty", empty))}  # fmt: skip
    return {name: all_[len(all_) // 2] for name, all_ in middle.items()}


# -- load


def keep_playing(client: Client, game: str, over: threading.Event, moves: list[int]) -> None:
    """Move at a table as soon as one may, one game after the other."""
    address = client.begin("game", game)
    begins = next(each for each in offers(client.text(address)) if each.line == "begin")
    client.say(address, "begin", begins.blanks)
    page = Watch(client, address)
    while not over.is_set():
        found = [each.line for html in page.panels.values() for each in offers(html)]
        lines = [line for line in found if line.split()[0] in ("move", "another")]
        if lines:
            client.say(address, lines[-1] if lines[-1] == "another" else lines[0])
            moves.append(1)
        over.wait(0.2)
    page.close()


def load(tables: int, seconds: float) -> dict[str, Any]:
    script = clue_script(4)
    over, moves = threading.Event(), list[int]()
    with tempfile.TemporaryDirectory() as folder:
        process = TableProcess(Path(folder) / "table", environment=USUAL)
        address = process.begin("advice", "clue")
        page = Watch(process, address)
        page.wait(bool)
        players = [
            threading.Thread(
                target=keep_playing, args=(process, GAMES[place % len(GAMES)], over, moves)
            )
            for place in range(tables)
        ]
        for player in players:
            player.start()
        waits: list[float] = []
        end = time.monotonic() + seconds
        for number, said in enumerate(script):
            begun = time.perf_counter()
            process.say(address, said.text, said.blanks, f"touch {number}")
            waits.append(page.wait(said.is_shown, said.text) - begun)
            if time.monotonic() > end:
                break
            time.sleep(PAUSE)
        over.set()
        for player in players:
            player.join()
        page.close()
        process.interrupt()
        assert not (Path(folder) / "table" / "errors.log").exists()
    found = {"tables": tables, "moves": len(moves), "touches": len(waits), "belief": summary(waits)}
    progress(f"load: {found}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--parts", default=",".join(PARTS), help="what is measured")
    parser.add_argument("--players", default="3,4,5,6", help="how many play Clue")
    parser.add_argument("--events", type=int, help="how many events are entered; all by default")
    parser.add_argument("--tables", type=int, default=20, help="tables beside the person's")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long these go on")
    parser.add_argument("--repeat", type=int, default=3, help="starts; the middle one is told")
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args()
    before = os.getloadavg()[0]
    found: dict[str, Any] = {}
    parts = arguments.parts.split(",")
    if "times" in parts:
        found["times"] = times([*map(int, arguments.players.split(","))], arguments.events)
    if "start" in parts:
        found["start"] = start(arguments.repeat)
    if "load" in parts:
        found["load"] = load(arguments.tables, arguments.seconds)
    mean = round((before + os.getloadavg()[0]) / 2, 1)
    found["machine"] = {"cores": os.cpu_count(), "load": mean}
    if arguments.json:
        print(json.dumps(found))
        return
    for count, each in found.get("times", {}).items():
        for part in ("belief", "advice"):
            print(f"{count} players, {part:7} {_said(each[part])}  ({each['touches']} touches)")
    for name, each in found.get("start", {}).items():
        print(
            f"{name:5} start: address {each['address']:.1f} s, page {each['page']:.1f} s, "
            f"{each['cpu']:.1f} s of the processor"
        )
    if "load" in found:
        print(f"beside {arguments.tables} tables: belief {_said(found['load']['belief'])}")
    print(f"load of the machine: {mean}, {os.cpu_count()} cores")


def _said(found: Mapping[str, float]) -> str:
    return f"median {1000 * found['median']:6.0f} ms, worst {1000 * found['worst']:6.0f} ms"


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        main()
