"""Servers and browsers for the tests of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from sleuth.apps.table import lobby

from .counter import CounterKind
from .servers import Server

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture
def counters(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lobby knows the counter of the tests."""
    others = lobby.kind_of

    def kind_of(word: str) -> lobby.SittingKind:
        return CounterKind() if word == "counter" else others(word)

    monkeypatch.setattr(lobby, "kind_of", kind_of)


@pytest.fixture
def serve(tmp_path: Path) -> Iterator[Callable[..., Server]]:
    """Starts a server on a folder of the test; all are stopped in the end."""
    servers: list[Server] = []

    def start(**options: Any) -> Server:
        servers.append(Server(options.pop("folder", tmp_path / "table"), **options))
        return servers[-1]

    yield start
    for server in servers:
        server.stop()


@pytest.fixture
def phone(browser: Browser) -> Iterator[Page]:
    """A page of a phone, in which nothing may break the policy and no script may fail."""
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: complaints.append(said.text) if "Policy" in said.text else None)
    yield page
    context.close()
    assert complaints == []
