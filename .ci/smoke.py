"""The installed package at work, far from its repository: python smoke.py [--libraries]."""

from __future__ import annotations

import itertools
import json
import re
import shutil
import subprocess
import sys
from importlib import metadata
from importlib.resources import as_file, files
from pathlib import Path


def sleuth(*arguments: str, code: int = 0, typed: str = "", errors: bool = False) -> str:
    """Standard output (or the errors) of the command, which must end with ``code``."""
    finished = subprocess.run(
        ["sleuth", *arguments], input=typed, capture_output=True, text=True, check=False
    )
    assert finished.returncode == code, f"{arguments} ended with {finished}"
    return finished.stderr if errors else finished.stdout


BLOCK = re.compile(r"^```(?P<kind>\w+)[^\n]*\n(?P<text>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


def run_readme() -> None:
    """The Python blocks of the README, as the wheel has it, must print what they say."""
    page = metadata.metadata("sleuth").get_payload()
    assert isinstance(page, str), type(page)
    found = [(block["kind"], block["text"]) for block in BLOCK.finditer(page)]
    ran = 0
    for (kind, text), (following, output) in itertools.pairwise([*found, ("", "")]):
        if kind != "python":
            continue
        finished = subprocess.run(
            [sys.executable, "-I", "-c", text], capture_output=True, text=True, check=False
        )
        wanted = output if following == "output" else ""
        assert finished.stdout == wanted, f"{text}\nprints {finished}"
        ran += 1
    assert ran > 2, ran


def refuse_pictures() -> None:
    """Without matplotlib, which an extra brings, a picture is refused before any work."""
    with as_file(files("sleuth.data") / "clue" / "games" / "plum_game2.json") as record:
        said = sleuth("compare", str(record), "--plot", "methods.svg", code=2, errors=True)
    assert "pip install 'sleuth[plots]'" in said, said


def use_libraries() -> None:
    """Run what joblib, matplotlib, opt-einsum, pgmpy and scikit-learn are needed for."""
    with as_file(files("sleuth.data") / "clue" / "games") as games:
        records = Path("records")
        records.mkdir()
        for name in ("cluedoku_slide.json", "plum_game2.json"):
            shutil.copy(games / name, records)
    sleuth("analyse", str(records), "--out", "table.csv", "--workers", "2")
    assert "plum_game2.json" in Path("table.csv").read_text("utf-8")
    with as_file(files("pgmpy") / "utils" / "example_models" / "asia.bif.gz") as network:
        methods = ("--methods", "enumeration,pgmpy", "--plot", "methods.svg")
        found = json.loads(sleuth("compare", str(network), *methods, "--json"))
    assert found["methods"]["pgmpy"]["max_marginal_error"] < 1e-9
    assert "</svg>" in Path("methods.svg").read_text("utf-8")
    with as_file(files("sleuth.data") / "cheat" / "example.jsonl") as record:
        sleuth("train", "cheat", str(record), "--out", "predictor")
        sleuth("analyse", str(record), "--predictor", "predictor", "--agent", "none", "--json")


def main(*, libraries: bool) -> None:
    """Run what a new user would try first.

    Args:
        libraries: Whether to use every library that sleuth requires as well, which takes longer.
    """
    version = metadata.version("sleuth")
    assert version in sleuth("--version")
    assert "analyse" in sleuth("--help")

    with as_file(files("sleuth.data") / "clue" / "games" / "neller_main.json") as record:
        answer = json.loads(sleuth("analyse", str(record), "--json"))
        report = Path("report.html")
        sleuth("analyse", str(record), "--html", str(report))
    assert answer["version"] == version
    assert len(answer["timeline"]) == answer["events"] + 1
    assert abs(sum(each["probability"] for each in answer["case_file"]) - 1) < 1e-9
    assert "</html>" in report.read_text("utf-8")

    game = ["play", "scotland-yard:seekers=1", "--as", "seekers", "--against", "random"]
    sleuth(*game, "--seed", "1", "--save", "hunt.json", typed="moves\nmap\nquit\n")
    hunt = json.loads(sleuth("analyse", "hunt.json", "--json"))
    assert len(hunt["timeline"]) == hunt["events"] + 1
    with as_file(files("sleuth.data") / "scotland_yard" / "games" / "agents_escape.json") as record:
        sleuth("analyse", str(record), "--html", "hunt.html")
    assert "</html>" in Path("hunt.html").read_text("utf-8")

    run_readme()
    if libraries:
        use_libraries()
    else:
        refuse_pictures()

    Path("broken.json").write_text('{"game": "clue", "players": 3}')
    assert sleuth("analyse", "broken.json", "--json", code=2) == ""
    print(f"sleuth {version} works: {answer['method']}, {answer['events']} events")


if __name__ == "__main__":
    main(libraries="--libraries" in sys.argv)
