"""The benchmark of beliefs over Mr X goes on with its games, and writes what it computed."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return importlib.import_module("benchmarks.scotland_yard.belief")


def test_the_page_and_the_json_say_the_same(
    benchmark: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(benchmark, "HIDERS", {"anyhow": "random", "later": "random"})
    monkeypatch.setattr(benchmark, "SEEKERS", "random")
    monkeypatch.setattr(benchmark, "PAGE", tmp_path / "page.md")
    state = ["--state", str(tmp_path)]
    benchmark.main([*state, "--games", "3"])
    page = (tmp_path / "page.md").read_text("utf-8")
    capsys.readouterr()
    (tmp_path / "later.jsonl").unlink()
    benchmark.main([*state, "--report", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert list(found["hiders"]) == ["anyhow"]
    said = found["hiders"]["anyhow"]
    assert (found["unit"], said["games"]) == ("bits", 3)
    for name in benchmark.MAIN:
        mean, low, high = said["log_loss"][name]
        assert f"| {name} | {mean:.2f} [{low:.2f}, {high:.2f}] |" in page
    assert said["log_loss"]["uniform list"] == pytest.approx(said["entropy"]["uniform list"])
    # Two hiders, each with a table and one by rounds, and the table of categorizations.
    assert page.count("| uniform list |") == 5
    assert sum(name.count(",") == 2 for name in said["log_loss"]) == 12
