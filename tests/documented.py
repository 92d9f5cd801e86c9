"""The examples of the documentation, as tests run them and as a type checker reads them.

``python tests/documented.py FOLDER`` writes for every page with examples a module of them, in which
every line stands where it stands in the page, and the file of a new game.
"""

from __future__ import annotations

import itertools
import re
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sleuth.apps.commands.new_game import source

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("**/*.md"))]

FENCE = re.compile(r"^```(?P<kind>\w+)[^\n]*\n(?P<text>.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Block:
    """One fenced block of a page; ``line`` is that of its first line of text."""

    kind: str
    text: str
    line: int
    output: str | None


def blocks(page: str) -> Iterator[Block]:
    found = list(FENCE.finditer(page))
    for match, following in itertools.zip_longest(found, found[1:]):
        output = None
        if following is not None and following["kind"] == "output":
            between = page[match.end() : following.start()]
            output = following["text"] if not between.strip() else None
        line = page.count("\n", 0, match.start("text")) + 1
        yield Block(match["kind"], match["text"], line, output)


def module_of(page: str) -> str:
    """The Python blocks of a page as one module; empty if it has none."""
    lines: list[str] = []
    for block in blocks(page):
        if block.kind == "python":
            lines += [""] * (block.line - 1 - len(lines))
            lines += block.text.splitlines()
    return "".join(f"{line}\n" for line in lines)


def write_modules(folder: Path) -> list[Path]:
    """Write a module for every page with examples, and one of a new game; nothing else stays."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    written: list[Path] = []
    for page in PAGES:
        module = module_of(page.read_text("utf-8"))
        if module:
            name = page.relative_to(ROOT).with_suffix("").as_posix()
            written.append(folder / (re.sub(r"\W", "_", name) + ".py"))
            written[-1].write_text(module, "utf-8")
    # What a reader begins with passes the strictest of their checkers.
    written.append(folder / "new_game.py")
    text = source("my_game", "my_game.py")
    written[-1].write_text(f"# pyright: strict\n{text}", "utf-8")
    return written


if __name__ == "__main__":
    write_modules(Path(sys.argv[1]))
