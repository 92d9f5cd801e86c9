"""What is learned replaces nothing but what was learned before."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sleuth.apps.main import app
from sleuth.errors import SettingsError


def texts(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in folder.iterdir()}


RESULTS = (".npz", ".json", ".report.html", ".report.json")


@pytest.mark.parametrize("ending", RESULTS)
def test_training_replaces_nothing_but_an_earlier_training(
    ending: str, tmp_path: Path, refused: Callable[..., str]
) -> None:
    (tmp_path / f"evening{ending}").write_text("my diary")
    words = "train cheat --simulate 2 --models logistic --out"
    said = refused(*words.split(), str(tmp_path / "evening"))
    assert f"evening{ending}" in said
    assert "would be replaced" in said
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {
        f"evening{ending}": "my diary"
    }


@pytest.mark.parametrize("name", ["made.categories.json", "made.npz"])
def test_learning_from_hunts_replaces_nothing_but_what_was_learned(
    name: str, tmp_path: Path, refused: Callable[..., str]
) -> None:
    (tmp_path / name).write_text("my diary")
    said = refused("train", "scotland_yard", "--simulate", "10", "--out", f"{tmp_path}/made")
    assert "would be replaced" in said
    assert texts(tmp_path) == {name: "my diary"}


@pytest.fixture
def refused() -> Callable[..., str]:
    def run(*words: str) -> str:
        found = CliRunner().invoke(app, list(words))
        assert isinstance(found.exception, SettingsError), found
        return str(found.exception)

    return run
