"""Whatever is sent to the server: it answers, loses nothing, stays small, and nothing breaks.

``SLEUTH_FUZZ`` says how many requests (300 if unset), ``SLEUTH_FUZZ_SEED`` where the generator
starts.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import random
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from sleuth.apps.table import kept, lobby
from sleuth.apps.table.game import jobs
from sleuth.apps.table.lobby import KINDS
from sleuth.apps.table.sitting import Job
from sleuth.apps.table.web import guard, patience
from sleuth.apps.table.web.serving import MOST_OF_A_SEAT
from sleuth.apps.table.web.workers import Workers
from sleuth.data.errors import SettingsError

from .counter import Counter
from .servers import PATIENCE, Offer, Server, counter, offers, until

pytestmark = pytest.mark.usefixtures("counters", "plain_python")

REQUESTS = int(os.environ.get("SLEUTH_FUZZ", "300"))
SEED = int(os.environ.get("SLEUTH_FUZZ_SEED", "0"))
#: Bytes that a server may be larger after many requests.
MOST_GROWN = 40 * 2**20
#: Tables beside which something else goes on, by kind and game.
TABLES = [(kind, game) for kind in KINDS for game in ("clue", "cheat", "kuhn_poker", "saboteur")]

ODD = (
    "", " ", "\t", "\n", "\x00", "\x1b[2J", "\u202e", "\u200b", "\ufeff", "é", "日本", "🕵️",
    "\ud800", "²", "٣", "½", "-1", "0", "1e9", "9" * 30, "9" * 3_999, "NaN", "inf", "true", "null",
    "[]", "{}", "<script>", "</section>", "'", '"', "\\", "%s", "{0}", "../..", "a" * 4_000,
    "a" * 5_000, "/", "//evil.example", "javascript:alert(1)", "new", "delete", "add", ",", ":",
    "=", "#",
)  # fmt: skip


class NearWorkers(Workers):
    """What is due and takes no time is done; nobody works out what does."""

    async def run(self, job: Job, *, urgency: int = 0) -> Any:
        quick = job.make.__module__ == Counter.__module__ or job.make is jobs.ready
        if not (quick or (job.make is jobs.decided and job.arguments[1] == "random")):
            raise SettingsError("nobody works here")
        return await asyncio.to_thread(job.make, *job.arguments)


class Sender:
    """Draws requests and sends them.

    Attributes:
        sent: What was sent last, for whoever has to look for what broke.
    """

    def __init__(self, server: Server, seats: list[str], seed: int) -> None:
        self.server = server
        self.seats = seats
        self.random = random.Random(seed)
        self.said: list[tuple[str, dict[str, Any]]] = []
        self.offered: dict[str, list[Offer]] = {}
        self.sent: object = None

    def send(self) -> int | None:
        """Send something; the status of the answer, None for none."""
        kinds: list[Callable[[], int | None]] = [
            self.touch, self.touch, self.touch, self.odd_line, self.odd_line, self.odd_body,
            self.again, self.odd_request, self.raw, self.broken_off, self.look,
        ]  # fmt: skip
        return self.random.choice(kinds)()

    # -- what is sent

    def touch(self) -> int:
        """What a page offers, often with odd words in it."""
        seat = self.random.choice(self.seats)
        offered = self.offers(seat)
        chosen = self.random.choice(offered) if offered else Offer("")
        line = self.mutated(chosen.line) if self.random.random() < 0.2 else chosen.line
        blanks = dict(chosen.blanks)
        for name, among in chosen.choices.items():
            blanks[name] = self.random.choice([blanks[name], *among])
        for name in blanks:
            if self.random.random() < 0.1:
                blanks[name] = self.word()
        return self.say(seat, line, blanks)

    def odd_line(self) -> int:
        """Words that are put together at random."""
        line = " ".join(self.word() for _ in range(self.random.randrange(1, 5)))
        names = self.random.choice([["word"], ["move"], ["game", "seats"], [self.word()], []])
        return self.say(
            self.random.choice([*self.seats, "/lobby", "/s/nobody"]),
            line if self.random.random() < 0.9 else f"new {line}",
            {name: self.word() for name in names},
        )

    def again(self) -> int:
        """A touch that came before, also with another line."""
        if not self.said:
            return self.touch()
        seat, said = self.random.choice(self.said)
        if self.random.random() < 0.3:
            said = {**said, "line": self.mutated(said["line"])}
        return self.post(self.random.choice([seat, *self.seats]), json.dumps(said).encode())

    def odd_body(self) -> int:
        whole = json.dumps({"line": "add 1", "blanks": {"word": "a"}, "touch": "t"}).encode()
        odd: list[bytes] = [
            self.noise(200),
            whole[: self.random.randrange(len(whole))],
            self.mutated_bytes(whole),
            json.dumps(self.value(4)).encode(),
            json.dumps(
                {"line": self.value(1), "blanks": self.value(2), "touch": self.value(1)}
            ).encode(),
            b"[" * 30_000,
            b'{"line": "' + b"\\ud83d" * 500 + b'"}',
            b'{"line": ' + b"9" * 5_000 + b"}",
        ]
        return self.post(self.random.choice(self.seats), self.random.choice(odd))

    def odd_request(self) -> int | None:
        """A request whose parts are right one by one."""
        draw = self.random
        token = draw.choice(self.seats)[3:]
        path = draw.choice(
            ["/", "/?key=%ff", "/?key=", "/lobby/say", "/lobby/events", f"/s/{token}/get/%00",
             f"/s/{token}/get/..%2f..%2fkey", f"/s/{token}/get/record.json", f"/s/{token}%0a",
             f"/s/{token[:-1]}", "/s/", "/s/%ff%fe", "/static/..%2fapp.py", "/static/%00",
             f"/s/{token}/say", f"//{token}", "/" + "a" * 9_000]
        )  # fmt: skip
        method = draw.choice(["GET", "GET", "POST", "HEAD", "PUT", "DELETE", "OPTIONS", "TRACE"])
        name = draw.choice(
            ["Host", "Origin", "Cookie", "Content-Length", "Sec-Fetch-Site", "Transfer-Encoding",
             "Expect", "Upgrade", "Connection", "X-Forwarded-For", "Accept-Encoding"]
        )  # fmt: skip
        value = self.word().encode("utf-8", "replace").decode("latin-1")
        value = re.sub(r"[\r\n\x00]", "", value)[:500]
        return self.lines(f"{method} {path} HTTP/1.1", {name: value})

    def raw(self) -> int | None:
        """Bytes that may be no request at all."""
        whole = f"GET {self.random.choice(self.seats)} HTTP/1.1\r\nHost: {self.server.host}\r\n\r\n"
        return self.bytes(
            self.random.choice(
                [self.noise(300), self.mutated_bytes(whole.encode()), b"\r\n" * 50, b"GET " * 9_000,
                 whole.encode() * 5, b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"]
            )
        )  # fmt: skip

    def broken_off(self) -> None:
        """A request that ends in the middle."""
        body = json.dumps({"line": "add 1", "touch": f"cut {self.random.random()}"}).encode()
        head = (
            f"POST {self.random.choice(self.seats)}/say HTTP/1.1\r\nHost: {self.server.host}\r\n"
            f"Origin: {self.server.address}\r\nContent-Length: {len(body)}\r\n\r\n"
        ).encode()
        whole = head + body
        self.bytes(whole[: self.random.randrange(1, len(whole))])

    def look(self) -> int:
        """A page, or a stream of one that is left at once."""
        seat = self.random.choice(self.seats)
        if self.random.random() < 0.5:
            return self.server.ask("GET", seat).status
        with self.server.listening(seat) as page:
            return page.status

    # -- how it is sent

    def say(self, seat: str, line: str, blanks: dict[str, str]) -> int:
        number = self.random.choice([f"{self.random.random()}", self.word()])
        said = {"line": line, "blanks": blanks, "touch": number}
        self.said.append((seat, said))
        del self.said[:-50]
        return self.post(seat, json.dumps(said).encode())

    def post(self, seat: str, body: bytes) -> int:
        self.sent = (seat, body)
        answer = self.server.ask("POST", f"{seat}/say", body, self.server.cookie)
        answer.read()
        if answer.status == 200:
            self.offered.pop(seat, None)
        return answer.status

    def lines(self, first: str, headers: dict[str, str]) -> int | None:
        usual = {"Host": self.server.host, "Origin": self.server.address, "Connection": "close"}
        said = "".join(f"{name}: {value}\r\n" for name, value in (usual | headers).items())
        return self.bytes(f"{first}\r\n{said}\r\n".encode("latin-1"))

    def bytes(self, content: bytes) -> int | None:
        self.sent = content
        with self.server.connected() as sent:
            sent.settimeout(0.05)
            with contextlib.suppress(OSError):
                sent.sendall(content)
                answer = sent.recv(64)
                found = re.match(rb"HTTP/1.1 (\d+)", answer)
                return int(found[1]) if found else None
        return None

    # -- what it is drawn from

    def offers(self, seat: str) -> list[Offer]:
        """What a page offers."""
        if seat not in self.offered:
            self.offered[seat] = offers(self.server.text(seat))
        return self.offered[seat]

    def word(self) -> str:
        draw = self.random
        if draw.random() < 0.5:
            return draw.choice(ODD)
        return "".join(chr(draw.choice([draw.randrange(128), draw.randrange(0x3000)]))
                       for _ in range(draw.randrange(12)))  # fmt: skip

    def mutated(self, line: str) -> str:
        words = line.split(" ")
        place = self.random.randrange(len(words))
        words[place] = self.random.choice([self.word(), words[place] * 2, words[place][:-1]])
        return " ".join(words)

    def mutated_bytes(self, content: bytes) -> bytes:
        made = bytearray(content)
        for _ in range(self.random.randrange(1, 6)):
            made[self.random.randrange(len(made))] = self.random.randrange(256)
        return bytes(made)

    def noise(self, most: int) -> bytes:
        return self.random.randbytes(self.random.randrange(most))

    def value(self, depth: int) -> object:
        draw = self.random
        plain: list[object] = [None, True, draw.random(), 10 ** draw.randrange(400), self.word()]
        if depth == 0 or draw.random() < 0.4:
            return draw.choice(plain)
        if draw.random() < 0.5:
            return [self.value(depth - 1) for _ in range(draw.randrange(4))]
        names = draw.choice([["line", "blanks", "touch"], [self.word()]])
        return {name: self.value(depth - 1) for name in names}


def resident() -> int:
    """Bytes of memory that this process has; 0 where the system does not tell."""
    if not Path("/proc/self/statm").exists():
        return 0
    pages = Path("/proc/self/statm").read_text("utf-8").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE")


def test_whatever_is_sent_breaks_nothing_and_loses_nothing(
    serve: Callable[..., Server], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    server = serve(workers=NearWorkers(1))
    logging.getLogger("uvicorn.error").setLevel(logging.ERROR)
    caplog.set_level(logging.ERROR)
    calm, beside = (f"/s/{token}" for token in server.lobby.make("counter", {}).tokens)
    seats = [f"/s/{token}" for token in server.lobby.make("counter", {}).tokens]
    for kind, game in TABLES:
        with contextlib.suppress(SettingsError, ModuleNotFoundError):
            seats += [f"/s/{token}" for token in server.lobby.make(kind, {"game": game}).tokens]
    sender = Sender(server, seats, SEED)
    answered = 0
    before = 0
    for number in range(REQUESTS):
        if number == 2 * REQUESTS // 3:
            before = resident()
        status = sender.send()
        assert status not in (500, 503), sender.sent
        answered += status is not None
        if number % 10 == 0:
            assert not server.say(calm, "add 1", touch=f"calm {number}")["refused"]
    assert answered > REQUESTS / 2
    assert not (tmp_path / "table" / "errors.log").exists()
    assert caplog.records == []
    assert resident() - before < MOST_GROWN
    total = -(-REQUESTS // 10)
    assert f"the sum is {total}" in server.text(calm)
    shown = {seat: server.text(seat) for seat in (calm, beside)}
    until(lambda: all(each.watched == 0 for each in server.table._served.values()))  # pyright: ignore[reportPrivateUsage]
    server.stop()
    again = serve(workers=NearWorkers(1))
    assert f"the sum is {total}" in again.text(calm)
    assert {seat: again.text(seat) for seat in shown} == shown
    assert all(again.ask("GET", seat).status == 200 for seat in seats)


# -- connections


def test_who_begins_and_does_not_end_keeps_nobody_waiting(
    serve: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "SECONDS", 0.1)
    monkeypatch.setattr(guard, "MOST_SECONDS", 0.1)
    server = serve()
    (path, _) = counter(server)
    head = f"POST {path}/say HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.address}\r\n"
    begun = ["", "GET", f"GET {path} HTTP/1.1\r\nHost:", f"{head}Content-Length: 50\r\n\r\n{{"]
    sent = [server.connected() for _ in range(5) for _ in begun]
    for each, text in zip(sent, begun * 5, strict=True):
        each.sendall(text.encode())
    assert not server.say(path, "add 1")["refused"]
    for each in sent:
        each.settimeout(PATIENCE)
        while each.recv(4096):
            pass
        each.close()
    assert "the sum is 1" in server.text(path)


def test_an_address_has_so_many_connections(
    serve: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(patience, "MOST_OF_AN_ADDRESS", 5)
    server = serve()
    sent = [server.connected() for _ in range(6)]
    sent[5].settimeout(PATIENCE)
    with contextlib.suppress(ConnectionResetError):
        assert sent[5].recv(1) == b""
    for each in sent:
        each.close()
    until(lambda: server.ask("GET", "/").status == 403)


def test_pages_that_are_gone_without_a_word_lock_nobody_out(serve: Callable[..., Server]) -> None:
    server = serve()
    one, two = counter(server)
    with contextlib.ExitStack() as stack:
        pages = [stack.enter_context(server.listening(one)) for _ in range(2 * MOST_OF_A_SEAT)]
        for page in pages:
            page.wait_for("the sum is 0")
        other = stack.enter_context(server.listening(two))
        other.wait_for("the sum is 0")
        server.say(one, "add 1")
        for page in (other, *pages[-MOST_OF_A_SEAT + 1 :]):
            page.wait_for("the sum is 1")
        assert all(page.read() == "" for page in pages[:2])


def test_many_who_come_back_at_once_find_one_table(
    serve: Callable[..., Server], tmp_path: Path
) -> None:
    server = serve()
    (path, _) = counter(server)
    server.say(path, "add 5")
    server.stop()
    again = serve()
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda _: again.ask("GET", path).status, range(16)))
        assert answers == [200] * 16
        touches = [str(number) for number in range(10)] * 3
        list(pool.map(lambda touch: again.say(path, "add 1", touch=touch), touches))
    assert "the sum is 15" in again.text(path)


def test_a_table_that_is_closed_for_others_goes_on_when_it_is_touched(
    serve: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby, "MOST_OPEN", 2)
    server = serve()
    tables = [counter(server)[0] for _ in range(5)]
    with server.listening(tables[0]) as page:
        page.wait_for("the sum is 0")
        for _ in range(3):
            for path in tables:
                assert not server.say(path, "add 1")["refused"]
        while page.read():
            pass
    with server.listening(tables[0]) as page:
        page.wait_for("the sum is 3")
    assert all("the sum is 3" in server.text(path) for path in tables)


def test_a_table_at_which_too_much_was_done_says_so(
    serve: Callable[..., Server], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept, "MOST_STEPS", 3)
    server = serve()
    (path, _) = counter(server)
    said = [server.say(path, "add 1")["refused"] for _ in range(5)]
    assert [bool(each) for each in said] == [False, False, False, True, True]
    assert "too much was done" in said[3]
    assert "the sum is 3" in server.text(path)
