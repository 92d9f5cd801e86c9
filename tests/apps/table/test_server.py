"""The server of the table: who is let in, what counts, what reaches whom, and what goes on."""

from __future__ import annotations

import asyncio
import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from sleuth.apps.table.kept import SECRET, SittingFile
from sleuth.apps.table.lobby import Lobby
from sleuth.apps.table.sitting import Job
from sleuth.apps.table.web.app import cookie_of
from sleuth.apps.table.web.guard import MOST_BYTES, Rates
from sleuth.apps.table.web.workers import Workers
from sleuth.data.errors import SettingsError
from sleuth.models.kernels.compiling import BACKGROUND, SETTING

from .servers import Server, counter, until

pytestmark = pytest.mark.usefixtures("counters")

Serve = Callable[..., Server]


# -- who is let in


def test_the_lobby_needs_its_key_which_then_stays_in_the_browser(serve: Serve) -> None:
    server = serve()
    assert server.ask("GET", "/").status == 403
    assert server.ask("GET", "/?key=guessed").status == 403
    let_in = server.ask("GET", f"/?key={server.key}")
    assert (let_in.status, let_in.headers["location"]) == (303, "/")
    cookie = let_in.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite" in cookie
    assert (
        "Be advised"
        in server.ask("GET", "/", headers={"Cookie": cookie.split(";")[0]}).read().decode()
    )


def test_the_lobby_hears_nobody_without_its_key(serve: Serve) -> None:
    server = serve()
    body = json.dumps({"line": "new counter x"}).encode()
    assert server.ask("POST", "/lobby/say", body).status == 404
    assert server.ask("GET", "/lobby/events").status == 204
    assert list(server.lobby.kept()) == []


def test_the_key_of_a_folder_stays_and_is_for_its_user_alone(tmp_path: Path) -> None:
    first, again = Lobby(tmp_path), Lobby(tmp_path)
    assert first.key == again.key
    assert (tmp_path / "key").stat().st_mode & 0o077 == 0


def test_a_key_that_was_cut_off_lets_nobody_in(serve: Serve, tmp_path: Path) -> None:
    (tmp_path / "table").mkdir()
    (tmp_path / "table" / "key").write_text("\n", "utf-8")
    server = serve()
    assert server.ask("GET", "/").status == 403
    assert server.ask("GET", "/", headers={"Cookie": f"{cookie_of(server.key)}="}).status == 403
    assert Lobby(tmp_path / "table").key == server.key
    assert len(server.key) == -(-SECRET * 4 // 3)


def test_a_seat_cannot_be_guessed(serve: Serve) -> None:
    server = serve()
    tokens = [path[3:] for _ in range(20) for path in counter(server)]
    assert len({*tokens}) == 40
    # Base 64: four letters for three bytes.
    assert {len(token) for token in tokens} == {-(-SECRET * 4 // 3)}
    nearly = tokens[0][:-1] + ("A" if tokens[0][-1] != "A" else "B")
    assert server.ask("GET", f"/s/{nearly}").status == 404
    assert server.ask("POST", f"/s/{nearly}/say", b'{"line": "add 1"}').status == 404


@pytest.mark.parametrize(
    "headers, status",
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "evil.example"}, 421),
        ({"Content-Length": "99999999"}, 413),
        ({"Content-Length": "x"}, 400),
        ({}, 200),
    ],
    ids=str,
)
def test_only_pages_of_this_server_are_heard(
    serve: Serve, headers: dict[str, str], status: int
) -> None:
    server = serve()
    (path, _) = counter(server)
    body = json.dumps({"line": "add 5", "touch": "t"}).encode()
    usual = {} if "Content-Length" in headers else {"Content-Length": str(len(body))}
    assert server.ask("POST", f"{path}/say", body, usual | headers).status == status
    assert ("the sum is 5" in server.text(path)) == (status == 200)


def test_a_request_without_an_origin_says_nothing(serve: Serve) -> None:
    server = serve()
    (path, _) = counter(server)
    assert server.ask("POST", f"{path}/say", b'{"line": "add 1"}', own=False).status == 403


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"add 1",
        b"[]",
        b'{"line": 1}',
        b'{"line": "add 1", "blanks": []}',
        b'{"line": "add 1", "blanks": {"a": 1}}',
        b'{"line": "add 1", "touch": 7}',
        b'{"line": "add 1\\n", "touch": "t"}',
        b'{"line": "' + b"1" * 5_000 + b'"}',
        b"[" * 50_000,
        b"\xff\xfe",
    ],
    ids=lambda body: repr(body[:30]),
)
def test_what_is_no_line_is_refused_in_a_sentence(serve: Serve, body: bytes) -> None:
    server = serve()
    (path, _) = counter(server)
    answer = server.ask("POST", f"{path}/say", body)
    assert answer.status == 400
    assert json.loads(answer.read())["error"]
    assert "the sum is 0" in server.text(path)


def test_more_than_a_page_says_is_not_read(serve: Serve) -> None:
    server = serve()
    (path, _) = counter(server)
    assert server.ask("POST", f"{path}/say", b"x" * (MOST_BYTES + 1)).status == 413


def test_an_address_that_asks_too_often_waits(serve: Serve) -> None:
    server = serve(rates=Rates(rate=0.001, burst=3))
    (path, _) = counter(server)
    answers = [server.ask("GET", path) for _ in range(5)]
    assert [each.status for each in answers] == [200, 200, 200, 429, 429]
    assert answers[-1].headers["retry-after"] == "1"


def test_rates_refill_and_remember_a_bounded_number_of_addresses() -> None:
    clock = [0.0]
    rates = Rates(rate=2.0, burst=2.0, now=lambda: clock[0])
    assert [rates.allow("a") for _ in range(3)] == [True, True, False]
    assert rates.allow("b")
    clock[0] += 0.5
    assert [rates.allow("a") for _ in range(2)] == [True, False]
    for number in range(10_000):
        rates.allow(str(number))
    assert len(rates._left) <= 4096  # pyright: ignore[reportPrivateUsage]


def test_every_answer_has_the_policy_and_no_page_has_anything_inline(serve: Serve) -> None:
    server = serve()
    (path, _) = counter(server)
    for each in ("/", path, "/static/table.js", "/static/report.css", "/nowhere", "/s/nobody"):
        answer = server.ask("GET", each, headers=server.cookie)
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'self';")
        assert "unsafe" not in policy
        assert answer.headers["referrer-policy"] == "no-referrer"
        html = answer.read().decode()
        if not each.startswith("/static"):
            assert not re.search(
                r"<style|<script(?! src=\"/static/)|\sstyle=|\son[a-z]+=|https?:", html
            )


def test_no_file_but_those_of_pages_is_served(serve: Serve) -> None:
    server = serve()
    for name in ("..%2fapp.py", "app.py", "%2e%2e", "table.js%00", "__init__.py", "nothing.css"):
        assert server.ask("GET", f"/static/{name}").status == 404
    for name in ("table.js", "table.css", "report.css", "icon.svg"):
        assert server.ask("GET", f"/static/{name}").status == 200


# -- what counts


def test_a_line_that_is_said_twice_counts_once_also_after_a_restart(
    serve: Serve, tmp_path: Path
) -> None:
    server = serve()
    (path, _) = counter(server)
    for _ in range(3):
        assert server.say(path, "add 2", touch="one") == {"refused": "", "hint": "", "go": ""}
    server.say(path, "add 1", touch="two")
    assert "the sum is 3" in server.text(path)
    server.stop()
    again = serve()
    again.say(path, "add 2", touch="one")
    assert "the sum is 3" in again.text(path)


def test_a_refusal_says_why_and_what_to_write_instead(serve: Serve) -> None:
    server = serve()
    (path, _) = counter(server)
    heard = server.say(path, "subtract 1")
    assert "does not know this" in heard["refused"]
    assert heard["hint"] == "write add 1"


def test_a_line_may_lead_elsewhere(serve: Serve) -> None:
    server = serve()
    (path, _) = counter(server)
    assert server.say(path, "go")["go"] == "/elsewhere"


def test_a_line_that_was_cut_off_on_the_disk_is_said_again(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    (path, _) = counter(server)
    server.say(path, "add 1", touch="one")
    server.say(path, "add 2", touch="two")
    server.stop()
    file = next((tmp_path / "table" / "sittings").iterdir())
    file.write_bytes(file.read_bytes()[:-4])
    again = serve()
    assert "the sum is 1" in again.text(path)
    again.say(path, "add 2", touch="two")
    again.say(path, "add 1", touch="one")
    assert "the sum is 3" in again.text(path)


def test_a_file_of_something_else_is_passed_over_in_the_lobby(tmp_path: Path) -> None:
    lobby = Lobby(tmp_path)
    good = lobby.make("counter", {})
    for place, content in enumerate(("", "{}", "no JSON", '{"sitting": "counter"}', "[1]")):
        (tmp_path / "sittings" / f"{place}.jsonl").write_text(content, "utf-8")
    (kept,) = Lobby(tmp_path).kept()
    assert kept.path == good.path
    with pytest.raises(SettingsError, match="no file of a table"):
        SittingFile(tmp_path / "sittings" / "0.jsonl")


def test_two_servers_do_not_write_one_file(serve: Serve) -> None:
    server, other = serve(), serve()
    (path, _) = counter(server)
    server.say(path, "add 1")
    late = serve()
    answer = late.ask("GET", path)
    assert answer.status == 409
    assert "the sum" not in answer.read().decode()
    assert other.ask("GET", path).status == 404


def test_a_folder_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    with pytest.raises(SettingsError, match="folder: this folder cannot be used"):
        Lobby(tmp_path / "file" / "table")


# -- what reaches whom


def test_whatever_changes_reaches_every_page_of_a_seat_and_no_other(serve: Serve) -> None:
    server = serve()
    one, two = counter(server)
    with (
        server.listening(one) as first,
        server.listening(one) as twin,
        server.listening(two) as other,
    ):
        for each in (first, twin, other):
            each.wait_for("the sum is 0")
        server.say(one, "secret", {"word": "tangerine"})
        server.say(one, "add 2")
        for each in (first, twin):
            each.wait_for("tangerine")
        for each in (first, twin, other):
            each.wait_for("the sum is 2")
        assert "tangerine" not in "".join(other.received)


def test_only_what_has_changed_is_sent(serve: Serve) -> None:
    server = serve()
    (path, _) = counter(server)
    with server.listening(path) as page:
        page.wait_for("square is 0")
        before = len(page.received)
        server.say(path, "add 2")
        page.wait_for("square is 4")
        new = "".join(page.received[before:])
        assert "the sum is 2" in new
        assert "your secret" not in new


def test_what_a_person_calls_themselves_is_no_markup(serve: Serve) -> None:
    server = serve()
    (path, _) = counter(server)
    server.say(path, "secret", {"word": "<script>alert(1)</script>"})
    assert "<script>alert" not in server.text(path)
    assert "&lt;script&gt;" in server.text(path)


def test_a_file_is_handed_out_to_its_seat(serve: Serve) -> None:
    server = serve()
    (path, _) = counter(server)
    server.say(path, "add 5")
    answer = server.ask("GET", f"{path}/get/sum.txt")
    assert answer.headers["content-disposition"] == 'attachment; filename="sum.txt"'
    assert answer.read() == b"5"
    assert server.ask("GET", f"{path}/get/key").status == 404


# -- what takes long


def test_what_takes_long_comes_later_and_keeps_no_touch_waiting(serve: Serve) -> None:
    server = serve()
    (path, _) = counter(server, delay="0.5")
    with server.listening(path) as page:
        page.wait_for("the sum is 0")
        assert 'aria-busy="true"' in page.panels["square"]
        server.say(path, "add 1")
        page.wait_for("the sum is 1")
        assert "its square" not in page.panels["square"]
        page.wait_for("its square is 1")
        assert "aria-busy" not in page.panels["square"]


def test_a_worker_that_is_ended_is_replaced(serve: Serve, tmp_path: Path) -> None:
    server = serve()
    (path, _) = counter(server, ended=str(tmp_path))
    server.say(path, "add 2")
    with server.listening(path) as page:
        page.wait_for("its square is 4")
    assert (tmp_path / "was here").exists()


def test_nobody_waits_for_the_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SETTING, BACKGROUND)
    workers = Workers(1)
    try:
        assert asyncio.run(workers.run(Job(os.getenv, (SETTING,)))) == BACKGROUND
    finally:
        workers.close()


def test_what_is_due_is_done_while_somebody_is_there(serve: Serve) -> None:
    server = serve()
    (path, _) = counter(server)
    server.say(path, "add 5")
    with server.listening(path) as page:
        server.say(path, "double")
        page.wait_for("the sum is 10")


@pytest.mark.parametrize(
    "word, said, kept", [("fail", "cannot be doubled", False), ("break", "0", True)]
)
def test_what_cannot_be_done_is_said_and_what_nobody_expected_is_kept(
    serve: Serve, tmp_path: Path, word: str, said: str, kept: bool
) -> None:
    server = serve()
    (path, _) = counter(server)
    with server.listening(path) as page:
        server.say(path, word)
        page.wait_for(f"the sum is 0; {'' if kept else 'this '}{said}")
        server.say(path, "add 1")
        page.wait_for("the sum is 1")
    log = tmp_path / "table" / "errors.log"
    assert log.exists() == kept
    if kept:
        assert "ZeroDivisionError" in log.read_text("utf-8")


def test_what_runs_by_itself_goes_on_while_somebody_looks(serve: Serve) -> None:
    server = serve()
    (path, _) = counter(server)
    with server.listening(path) as page:
        server.say(path, "run")
        page.wait_for("the sum is 3")


# -- the lobby


def test_a_table_is_begun_and_deleted_in_the_lobby(serve: Serve) -> None:
    server = serve()
    heard = server.say("/lobby", "new counter x")
    assert heard["go"].startswith("/s/")
    assert "the sum is 0" in server.text(heard["go"])
    with server.listening("/lobby") as page:
        page.wait_for("Counter", panel="goes-on")
        server.say("/lobby", f"delete {heard['go'][3:]}")
        page.wait_for("Nothing yet", panel="goes-on")
    assert server.ask("GET", heard["go"]).status == 404
    until(lambda: not list(server.lobby.kept()))


@pytest.mark.parametrize("line", ["new nothing x", "delete nobody", "dance", "new", ""])
def test_what_the_lobby_does_not_know_is_refused(serve: Serve, line: str) -> None:
    server = serve()
    assert server.say("/lobby", line)["refused"]


def test_a_folder_has_room_for_so_many_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sleuth.apps.table.lobby.MOST_KEPT", 2)
    here = Lobby(tmp_path)
    # A game has a dozen seats.
    for _ in range(2):
        assert len(here.make("game", {"game": "kuhn_poker"}).tokens) > 2
    with pytest.raises(SettingsError, match="too many tables"):
        here.make("game", {"game": "kuhn_poker"})
    here.remove(next(here.kept()).path)
    here.make("game", {"game": "kuhn_poker"})
    here.close()
