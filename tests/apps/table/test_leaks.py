"""No byte that is sent to a seat changes when what its player cannot see changes.

At moments of games between people on two devices and agents, all that the server sends to each
seat is taken down: its page, its stream, its files, and what it is answered. Then the truth is
changed to other worlds that the seat's player holds possible, and everything is asked again.

``SLEUTH_LEAKS`` says how many games of each kind are looked through (2 if unset, at a moment
each; more than two are looked through at every other move).
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import pickle
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, cast

import pytest

from sleuth.apps.kit.answers.values import Paragraph
from sleuth.apps.table.game.sitting import GameSitting
from sleuth.apps.table.sitting import Job, Panel
from sleuth.apps.table.web.workers import Workers
from sleuth.models.play import Play

from .game.played import PlayedTable
from .game.test_hidden import HIDING, others
from .game.test_playing import table_of
from .servers import Server

PLAYS = int(os.environ.get("SLEUTH_LEAKS", "2"))
#: Moments of a game that are looked at in a short run.
MOMENTS = 1
SHORT = PLAYS <= 2
BUSY = 'aria-busy="true"'

Serve = Callable[..., Server]


class TellingWorkers(Workers):
    """Their answers tell all that they were told, so that it is compared with all else.

    What is due is never done: the test moves for the agents.
    """

    async def run(self, job: Job, *, urgency: int = 0) -> Any:
        if job.panel is None:
            await asyncio.Event().wait()
        told = pickle.dumps((job.make.__qualname__, job.arguments))
        return [Paragraph(hashlib.sha256(told).hexdigest())]


class WatchedTable:
    """A table at a server, and all that the server sends to its seats."""

    def __init__(self, serve: Serve, folder: Path, game: str, number: int) -> None:
        people = {"seat 0": "a person here", "seat 1": "a person on device 2"}
        guess = "no" if number % 2 else "yes"
        self.table: PlayedTable = table_of(folder, game, **people, guess=guess)
        self.table.lobby.close()
        self.server = serve(folder=folder, workers=TellingWorkers(1))
        self.table.lobby = self.server.lobby
        self.sitting: GameSitting = self.table.sitting

    def sent(self, seat: int) -> list[str]:
        """All that a seat is sent now."""
        served = self.server.table._serving(cast("Any", self.sitting))
        served._shown.clear()
        served._answers.clear()
        path = f"/s/{self.sitting.file.tokens[seat]}"
        with self.server.listening(path) as page:
            page.wait_until(lambda: bool(page.panels) and BUSY not in str(page.panels))
        with self.server.listening(path) as page:
            while not page.panels:
                page.read()
            found = list(page.received)
        found.append(self.server.text(path))
        for name in ("record.json", "saved.json", "nothing"):
            answer = self.server.ask("GET", f"{path}/get/{name}")
            headers = [each for each in answer.headers.items() if each[0].lower() != "date"]
            found.append(f"{answer.status} {headers} {answer.read()!r}")
        return [*found, *self._answers(seat, path)]

    def _answers(self, seat: int, path: str) -> Iterator[str]:
        """The answers to lines that change nothing, as somebody might try them."""
        course = self.sitting.course
        lines = [f"advice {course.at}x", f"back {course.at + 1}", "replay", "move 0", "guess 0 0 0"]
        if course.mover is not None and course.mover.device != seat:
            lines += [f"move {action} {course.at}" for action in range(0, 40, 7)]
            lines.append(f"say {course.at}")
        for line in lines:
            yield f"{line}: {self.server.say(path, line, {'move': 'pass'})}"

    @contextmanager
    def in_world(self, play: Play) -> Iterator[None]:
        """The same table in another world."""
        course = self.sitting.course
        before, course.play = course.play, play
        yield
        course.play = before

    def look(self) -> int:
        """Compare what is sent in all worlds; how many were compared."""
        course = self.sitting.course
        play, compared = course.playing, 0
        for person in course.persons:
            viewer = course.sight(person).view.viewer
            worlds: Sequence[Any] = others(self.sitting, play, viewer)
            if not worlds:
                continue
            before = self.sent(person.device)
            for states in worlds[: 1 if SHORT else None]:
                with self.in_world(play.supposing(states)):
                    after = self.sent(person.device)
                assert after == before, f"seat {person.device} is sent something else"
                compared += 1
        return compared


def looked_through(serve: Serve, folder: Path, game: str, number: int) -> int:
    """Play a game, and look at its moments; how many worlds were compared."""
    watched = WatchedTable(serve, folder, game, number)
    course, choose = watched.sitting.course, random.Random(number)
    moments = compared = moves = 0
    while not (SHORT and moments >= MOMENTS):
        if course.over:
            if not SHORT or moves > 50:
                break
            course.take({"do": "another", "seed": number})
        if choose.random() < 0.5:
            moments += 1
            compared += watched.look()
        moves += 1
        course.take({"do": "move", "action": int(choose.choice(course.playing.legal().tolist()))})
    watched.server.stop()
    return compared


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.rpartition(":")[2])
def test_no_byte_that_a_seat_is_sent_tells_what_its_player_cannot_know(
    serve: Serve, tmp_path: Path, game: str
) -> None:
    compared = [
        looked_through(serve, tmp_path / str(number), game, number) for number in range(PLAYS)
    ]
    assert sum(compared) > 0


@pytest.mark.parametrize("where", ["panel", "job", "refusal"])
def test_a_leak_is_found(
    serve: Serve, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    panels, jobs, take = GameSitting.panels, GameSitting.jobs, GameSitting.take

    def truth(sitting: GameSitting) -> str:
        return hashlib.sha256(sitting.course.playing.truth().tobytes()).hexdigest()

    def leaking(sitting: GameSitting, seat: int) -> list[Panel]:
        first, *rest = panels(sitting, seat)
        # Nothing but the order of the page tells it.
        return [first, *rest] if int(truth(sitting), 16) % 2 else [*rest, first]

    def more_jobs(sitting: GameSitting, seat: int) -> list[Job]:
        return [*jobs(sitting, seat), Job(leaking, (truth(sitting),), Panel("more", ()))]

    def refusing(sitting: GameSitting, seat: int, line: Any) -> str:
        take(sitting, seat, line)
        return truth(sitting)

    changed = {
        "panel": ("panels", leaking), "job": ("jobs", more_jobs), "refusal": ("take", refusing)
    }  # fmt: skip
    watched = WatchedTable(serve, tmp_path, "kuhn_poker", 0)
    assert watched.look() > 0
    monkeypatch.setattr(GameSitting, *changed[where])
    with pytest.raises(AssertionError, match="is sent something else"):
        look_at_many(watched)


def look_at_many(watched: WatchedTable) -> None:
    for seed in range(20):
        watched.look()
        watched.sitting.course.take({"do": "another", "seed": seed})
