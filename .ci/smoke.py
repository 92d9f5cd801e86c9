"""The installed package at work, far from its repository: python smoke.py [--libraries]."""

from __future__ import annotations

import contextlib
import itertools
import json
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
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


#: Commands of the README that are no example: one installs, one learns from games of one's own.
OTHERS = ("pip ", "YOUR_GAMES")


def run_readme() -> None:
    """The blocks of the README, as the wheel has it, in a folder of their own.

    The commands must end well, and the Python blocks must print what they say.
    """
    page = metadata.metadata("sleuth").get_payload()
    assert isinstance(page, str), type(page)
    found = [(block["kind"], block["text"]) for block in BLOCK.finditer(page)]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        run_blocks(found)
        commands = [line for kind, text in found if kind == "bash" for line in text.splitlines()]
        ran = [run_command(line) for line in commands if not any(each in line for each in OTHERS)]
        assert len(ran) > 10, ran
        assert "</html>" in Path("report.html").read_text("utf-8")


def run_command(line: str) -> str:
    """Run a command as a person would who then leaves; of the server it is asked to start."""
    name, *arguments = shlex.split(line, comments=True)
    assert name == "sleuth", line
    if arguments[0] != "table":
        return sleuth(*arguments, typed="quit\n" * 3)
    served = subprocess.Popen(
        [name, *arguments, "--no-browser", "--port", "0", "--folder", "kept"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert served.stdout is not None
    try:
        said = next(each for each in served.stdout if "http://" in each)
    finally:
        served.terminate()
        served.wait()
    return said


def run_blocks(found: list[tuple[str, str]]) -> None:
    """The Python blocks must print what the block of output behind each says."""
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
    # What came with the wheel.
    assert sleuth("docs", "analysing").startswith("# ")
    sleuth("docs", "--copy-examples", "examples")
    assert (
        subprocess.run([sys.executable, "-I", "examples/programs/number_cards.py"]).returncode == 0
    )

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
