"""Agents asked everywhere, matches head to head, and the page that shows what came out."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

PARTS: dict[str, Any] = {
    name: importlib.import_module(f"benchmarks.sound.{name}")
    for name in ("asked", "head_to_head", "report")
}
PAGE = "# A page\n\n<!-- curves -->\n<!-- end -->\nbetween\n<!-- matches -->\nold\n<!-- end -->\n"


def printed(part: str, capsys: pytest.CaptureFixture[str], *given: str) -> Any:
    assert PARTS[part].main([*given, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_an_agent_is_asked_at_every_decision_and_answers_are_kept(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    given = ["--quick", "--agents", "mcts", "--keep", str(tmp_path)]
    found = printed("asked", capsys, *given)["games"]["kuhn_poker"]
    assert found["decisions"] == 12
    values = found["agents"]["mcts"]["0.01"]
    assert values["choice"] == pytest.approx(1 / 6, abs=0.05)
    assert printed("asked", capsys, *given)["games"]["kuhn_poker"] == found
    (file,) = tmp_path.iterdir()
    assert len(file.read_text().splitlines()) == 13


def test_what_takes_too_long_is_left_out_and_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    given = ["--quick", "--agents", "mcts", "--keep", str(tmp_path), "--most", "0.1", "--json"]
    assert PARTS["asked"].main(given) == 0
    out, said = capsys.readouterr()
    assert json.loads(out)["games"]["kuhn_poker"]["agents"] == {"mcts": {}}
    assert "kuhn_poker, mcts:cpu_seconds=0.01: left out, 12 decisions take too long" in said


def test_a_cell_is_played_with_swapped_seats_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    part = PARTS["head_to_head"]
    monkeypatch.setattr(part, "AGENTS", ("mcts", "players"))
    monkeypatch.setattr(part, "CELLS", (part.Cell("kuhn_poker", 0.001, 8),))
    given = ["--keep", str(tmp_path), "--cells", "kuhn", "0.001s", "--games"]
    few = printed("head_to_head", capsys, *given, "4")["cells"]["kuhn_poker-0.001s"]
    assert (few["games"], few["swap"], few["pace"]) == (4, True, 0.001)
    all_of_it = printed("head_to_head", capsys, *given, "400")["cells"]["kuhn_poker-0.001s"]
    assert (all_of_it["games"], all_of_it["game"]) == (8, "kuhn_poker")
    assert len((tmp_path / "kuhn_poker-0.001s.jsonl").read_text().splitlines()) == 9
    others = ["--agents", "mcts:simulations=9", "random"]
    name = "kuhn_poker-0.001s mcts:simulations=9 random"
    monkeypatch.setattr(part, "timed", lambda agent, seconds: agent)
    assert printed("head_to_head", capsys, *given, "2", *others)["cells"][name]["games"] == 2
    assert len([*tmp_path.iterdir()]) == 2
    with pytest.raises(SystemExit):
        part.main(["--cells", "chess"])


def test_tables_stand_between_their_marks_and_what_is_new_replaces_what_is_old(
    tmp_path: Path,
) -> None:
    page, figures = tmp_path / "page.md", tmp_path / "figures.json"
    page.write_text(PAGE)
    curves = tmp_path / "curves.json"
    given = ["--page", str(page), "--figures", str(figures), "--pictures", str(tmp_path)]
    for methods in (
        {"ours:uct": [[0.5, 10_000, 0.25]], "ours:external": [[0.5, 10_000, 0.125]]},
        {"ours:uct": [[0.5, 10_000, 0.375], [12.0, 30_000, 0.0625]]},
    ):
        curves.write_text(json.dumps({"games": {"kuhn_poker": methods}}))
        assert PARTS["report"].main([*given, "--curves", str(curves)]) == 0
    text = page.read_text()
    assert "| Kuhn poker | `ours:uct` | 0.3750 |  |  | 30,000 | 12 | 0.0625 |" in text
    assert "| Kuhn poker | `ours:external` | 0.1250 |  |  | 10,000 | 0.5 | 0.1250 |" in text
    assert "between\n<!-- matches -->\nold" in text  # nothing is known of them
    for name in ("seconds", "simulations"):
        assert (tmp_path / f"soundness_{name}.png").read_bytes()[1:4] == b"PNG"


def test_a_table_says_how_an_agent_plays() -> None:
    report = PARTS["report"]
    asked = {
        "kuhn_poker": {
            "information_sets": 12,
            "decisions": 12,
            "agents": {
                "sound": {"0.01": {"mixed": 0.01, "visits": 0.2, "choice": 0.3}},
                "mcts": {"1": {"visits": 0.16, "choice": 0.17}},
            },
        }
    }
    assert report.asked_table(asked).splitlines()[0] == "| game | agent | 10 ms | 1 s |"
    assert report.asked_table(asked).splitlines()[2:] == [
        "| Kuhn poker (12 decisions) | `sound` | 0.010 |  |",
        "| Kuhn poker (12 decisions) | `mcts` |  | 0.170 |",
    ]
    match = {
        "game": "leduc_poker",
        "pace": 0.1,
        "agents": ["sound:least=0.3,cpu_seconds=0.1", "mcts"],
        "games": 400,
        "win_rate": {"sound:least=0.3,cpu_seconds=0.1": 0.5, "mcts": 0.375},
        "intervals": {"sound:least=0.3,cpu_seconds=0.1": [0.45, 0.55]},
        "mean_return": {"sound:least=0.3,cpu_seconds=0.1": 0.25},
        "return_intervals": {"sound:least=0.3,cpu_seconds=0.1": None},
    }
    assert report.matches_table({"cell": match}).splitlines()[-1] == (
        "| Leduc poker | `sound:least=0.3` | 100 ms | 400 | 0.500 (0.450 to 0.550) | 0.375 |"
        " +0.250 |"
    )
