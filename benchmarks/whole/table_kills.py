"""What is left when `sleuth table` is killed again and again while people touch its tables."""

from __future__ import annotations

import json
import random
import signal
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from .table_client import PATIENCE, Client, TableProcess, Watch, free_port, offers
from .table_scripts import ScriptLine

#: How a line begins by which a person says that they have the phone now.
LOOKS: Final = "i-am "
PERSON: Final = "a person here"
#: How a game is begun, but for the other seats.
BEGINNING: Final = {
    "seat 0": PERSON, "others": "", "seed": "5", "guess": "no", "belief": "no", "advice": "no",
}  # fmt: skip


@dataclass(frozen=True)
class KillReport:
    """How a run went.

    Attributes:
        kills: How often the server was killed.
        said: Touches, by table.
        lost: Touches that the files do not have.
        twice: Touches that the files have more than once.
        returned: How often a page came back by itself.
        actions: What was played at the game's table, by everybody.
        code: The exit code of the last server, which was ended by SIGTERM.
        seconds: Seconds in all.
    """

    kills: int
    said: tuple[int, ...]
    lost: int
    twice: int
    returned: int
    actions: tuple[int, ...]
    code: int
    seconds: float


def survive(
    folder: Path,
    script: Sequence[ScriptLine],
    *,
    game: str,
    kills: int,
    seed: int,
    others: str = "random",
) -> KillReport:
    """Enter a game of Clue and play another game while the server is killed at random moments.

    Each page shows after each touch what it has to, whatever happened to the server.

    Args:
        folder: Where the tables are kept; a new one.
        script: The game of Clue.
        game: The game that is played, one game after the other until the script is over.
        kills: How often the server is killed.
        seed: Of the moments.
        others: Who has the other seats: an agent, whose moves a worker makes, or `PERSON`.
    """
    draw, begun = random.Random(seed), time.perf_counter()
    port = free_port()
    process = TableProcess(folder, port)
    client = Client(process.host, process.key)
    told = client.begin("advice", "clue"), client.begin("game", game)
    watches = [Watch(client, address) for address in told]
    done = [0, 0]
    ended = threading.Event()
    problems: list[BaseException] = []

    def entering() -> None:
        for number, said in enumerate(script):
            client.insist(told[0], said.text, said.blanks, f"enter {number}")
            watches[0].wait(said.is_shown, said.text)
            done[0] = number + 1

    def playing() -> None:
        seats = {f"seat {place}": others for place in range(1, 12)}
        client.insist(told[1], "begin", {**seats, **BEGINNING}, "play 0")
        done[1] = 1
        persons = 0
        while not ended.is_set():
            watches[1].wait(lambda panels: bool(_moves(panels)), "a move")
            found = _moves(watches[1].panels)
            if not found:
                continue
            if found[0].startswith(LOOKS):
                # Somebody else takes the phone; a server that is new does not know who has it.
                persons += 1
                line = found[persons % len(found)]
                client.insist(told[1], line, {}, f"look {persons}")
                time.sleep(0.02)
                continue
            line = found[0]
            if client.insist(told[1], line, {}, f"play {done[1]}")["refused"]:
                continue  # It does not know any more who has the phone.
            done[1] += 1
            watches[1].wait(lambda panels, line=line: line not in _moves(panels), "another move")

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in (entering, playing)]
    for thread in threads:
        thread.start()
    for kill in range(kills):
        # Not before each has gone on a little, and in the middle of something.
        before, end = list(done), time.monotonic() + PATIENCE
        most = len(script) * (kill + 1) // (kills + 1)
        while not problems and time.monotonic() < end:
            if done[0] >= most and done[1] > before[1] + 1:
                break
            time.sleep(0.001)
        assert problems or done[1] > before[1] + 1, "nothing goes on"
        time.sleep(draw.uniform(0.0, 0.05))
        process.kill()
        process = TableProcess(folder, port)
    threads[0].join(4 * PATIENCE)
    ended.set()
    threads[1].join(2 * PATIENCE)
    for watch in watches:
        watch.close()
    code = process.interrupt(signal.SIGTERM)
    if problems:
        raise problems[0]
    assert process.errors == []
    assert process.workers() == []
    assert not (folder / "errors.log").exists()
    return _report(folder, told, done, kills, watches, code, time.perf_counter() - begun)


def _report(
    folder: Path,
    told: Sequence[str],
    done: Sequence[int],
    kills: int,
    watches: Sequence[Watch],
    code: int,
    seconds: float,
) -> KillReport:
    lost = twice = 0
    actions: list[int] = []
    for address, name, count in zip(told, ("enter", "play"), done, strict=True):
        steps = _steps(folder, address[3:])
        touches = [step["touch"] for step in steps if "touch" in step]
        wanted = [f"{name} {number}" for number in range(count)]
        lost += len({*wanted} - {*touches})
        twice += len(touches) - len({*touches})
        assert [each for each in touches if each in {*wanted}] == wanted, "the order is another"
        actions += [step["step"]["action"] for step in steps if "action" in step["step"]]
    returned = sum(watch.returns for watch in watches)
    return KillReport(kills, tuple(done), lost, twice, returned, tuple(actions), code, seconds)


def _steps(folder: Path, token: str) -> list[dict[str, Any]]:
    for path in (folder / "sittings").glob("*.jsonl"):
        head, *lines = path.read_text("utf-8").splitlines()
        if token in json.loads(head)["seats"]:
            return [json.loads(line) for line in lines]
    raise AssertionError("the file of a table is gone")


def _moves(panels: Any) -> list[str]:
    """What can be done now: a move, another game when one is over, or another person's look."""
    found = [each.line for html in panels.values() for each in offers(html)]
    moves = [line for line in found if line.split()[0] in ("move", "another")]
    return moves or [line for line in found if line.startswith(LOOKS)]
