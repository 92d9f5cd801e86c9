"""A record that is handed in as a file: who may, how large it is, and what becomes of it."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from sleuth.apps.table.web.guard import MOST_BYTES, MOST_OF_A_FILE
from sleuth.data.files import resource

from .servers import Server

Serve = Callable[..., Server]
GAME = resource("clue", "games", "neller_main.json").read_bytes()


def test_a_file_becomes_a_replay_once(serve: Serve) -> None:
    server = serve()
    for _ in range(2):
        answer = server.ask("POST", "/lobby/upload?name=mine.json&touch=a", GAME, server.cookie)
        said = json.loads(answer.read())
        assert said["go"].startswith("/s/")
    (kept,) = server.lobby.kept()
    assert kept.name == "Replay: mine"
    assert "Move 0 of 27" in server.text(said["go"])


def test_nobody_hands_in_a_file_without_the_key_or_from_elsewhere(serve: Serve) -> None:
    server = serve()
    assert server.ask("POST", "/lobby/upload?name=x.json", GAME).status == 404
    refused = server.ask("POST", "/lobby/upload?name=x.json", GAME, server.cookie, own=False)
    assert refused.status == 403
    assert list(server.lobby.kept()) == []


@pytest.mark.parametrize(
    "content, name",
    [(b"nonsense", "x.json"), (b"\xff\x00", "x.jsonl"), (b"", "x.json"), (b"[" * 5_000, "x.json")],
)
def test_what_is_no_record_is_refused_in_a_sentence(
    serve: Serve, content: bytes, name: str
) -> None:
    server = serve()
    answer = server.ask("POST", f"/lobby/upload?name={name}", content, server.cookie)
    said = json.loads(answer.read())
    assert said["refused"]
    assert "/tmp" not in said["refused"]
    assert list(server.lobby.kept()) == []
    assert not (server.lobby.folder / "errors.log").exists()


def test_only_a_file_may_be_large_and_not_too_large(serve: Serve) -> None:
    server = serve()
    large = b" " * (MOST_BYTES + 1)
    assert server.ask("POST", "/lobby/say", large, server.cookie).status == 413
    assert server.ask("POST", "/lobby/upload?name=x.json", large, server.cookie).status == 200
    too_large = {**server.cookie, "Content-Length": str(MOST_OF_A_FILE + 1)}
    assert server.ask("POST", "/lobby/upload?name=x.json", b"", too_large).status == 413
