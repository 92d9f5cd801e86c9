"""The table of docs/ten-games.md: lines, seconds and the largest error of each small game.

    python -m benchmarks.whole.ten_games [--json]

Lines are code: no blank ones, comments or docstrings. Seconds are those of the processor for the
whole program examples/GAME.py in a process of its own, imports included. An error is the largest
difference between an answer and brute force over all worlds, in tests/test_examples.py.
"""

from __future__ import annotations

import argparse
import ast
import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
GAMES = (
    "number_cards", "the_resistance", "hanabi_hand", "skull", "rival_models", "minesweeper",
    "saboteurs", "mastermind", "battleship", "word_guess",
)  # fmt: skip
#: Tests that are not called like their program.
TESTS = {"hanabi_hand": "hanabi"}


def code_lines(path: Path) -> int:
    """Lines of a program that are neither blank nor words for people."""
    text = path.read_text("utf-8")
    words: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(
            node
        ):
            first = node.body[0]
            words.update(range(first.lineno, (first.end_lineno or first.lineno) + 1))
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#") and number not in words
        for number, line in enumerate(text.splitlines(), 1)
    )


def oracles() -> Any:
    """The module that holds the games against brute force."""
    path = ROOT / "tests/test_examples.py"
    spec = importlib.util.spec_from_file_location("test_examples", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def measured() -> dict[str, dict[str, float]]:
    """For each game lines, seconds and error."""
    checks = oracles()
    found: dict[str, dict[str, float]] = {}
    for game in GAMES:
        path = ROOT / f"examples/{game}.py"
        getattr(checks, f"test_{TESTS.get(game, game)}")()
        began = os.times()
        subprocess.run([sys.executable, str(path)], check=True, stdout=subprocess.DEVNULL)
        ended = os.times()
        seconds = ended.children_user + ended.children_system
        seconds -= began.children_user + began.children_system
        found[game] = {
            "lines": code_lines(path),
            "seconds": round(seconds, 1),
            "error": checks.ERRORS[game],
        }
    return found


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    found = measured()
    if parser.parse_args(arguments).json:
        print(json.dumps(found, indent=2))
        return
    print("| game | lines | seconds | largest error |\n|---|---|---|---|")
    for game, numbers in found.items():
        program = f"[`{game}.py`](../examples/{game}.py)"
        error = f"{numbers['error']:.0e}" if numbers["error"] else "0"
        print(f"| {program} | {numbers['lines']} | {numbers['seconds']} | {error} |")


if __name__ == "__main__":
    main(sys.argv[1:])
