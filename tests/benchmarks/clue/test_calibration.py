"""The calibration of Clue is judged on the right cells, and page and picture are written."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture(scope="module")
def script() -> Any:
    return importlib.import_module("benchmarks.clue.calibration")


def test_cells_are_chosen_by_what_the_viewer_saw(script: Any):
    for viewer in script.VIEWERS:
        for game in script.games(4, 10, 1, viewer=viewer):
            pairs = script.asked(game.seen)
            shown = {
                (seen.event.refuter, card)
                for seen in game.seen.events
                if seen.event.shown
                for card in seen.event.cards
                if card != seen.event.shown
            }
            assert set(pairs[script.REFUTER]) <= shown
            assert all(holder != game.seen.viewer for holder, _ in pairs[script.REFUTER])
            assert set(game.truth) == {card for _, card in pairs[script.EVERY]}


def test_page_and_picture_are_written(
    script: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(script, "PICTURE", tmp_path / "pictures" / "curves.png")
    monkeypatch.setattr(script, "RESULTS", tmp_path / "results" / "page.md")
    monkeypatch.setattr(script, "PLAYERS", (3,))
    assert script.main(["--games", "12", "--seed", "1", "--write"]) == 0
    assert (tmp_path / "pictures" / "curves.png").read_bytes().startswith(b"\x89PNG")
    page = (tmp_path / "results" / "page.md").read_text(encoding="utf-8")
    assert "| the refuter also holds another of the three | random |" in page
    assert "../pictures/curves.png" in page
    assert "random" in capsys.readouterr().out
