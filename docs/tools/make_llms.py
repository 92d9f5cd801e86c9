"""The list of all pages for language models, docs/llms.txt, in the form of https://llmstxt.org.

What is said of a page is what the README says of it; of pages that it does not name, such as those
of one game of the shelf, their first sentence.

    python docs/tools/make_llms.py          writes docs/llms.txt
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
FILE = DOCS / "llms.txt"
#: Pages that come first, and folders with a heading each; what is in none of them is told last.
FIRST = (
    "contract.md", "your-own-game.md", "beliefs/declaring.md", "names.md", "games.md",
    "command-line.md", "assistants.md",
)  # fmt: skip
FOLDERS: dict[str, tuple[str, ...]] = {
    "Commands, programs and people": ("", "ways"),
    "Beliefs": ("beliefs",),
    "Search": ("search",),
    "Methods": ("methods",),
    "Games": ("games", "clue", "cheat", "scotland_yard", "saboteur", "shelf"),
    "Optional": ("results",),
}
HEAD = """\
# sleuth

> A Python library and command for games with hidden information: declare once what is hidden, and
> get exact beliefs, proofs, the worth of questions, search, matches, training and analyses from it.

Things to know before you write code with it:

- Import from `sleuth` and its pages (`sleuth.kit`, `sleuth.search`, `sleuth.games.clue`, ...)
  alone; everything else is private.
- Do not compute probabilities by hand: declare the model and ask for them. They are exact unless a
  method that draws is named.
- To write a game, read contract.md first; `sleuth check FILE.py:GAME --json` then says every
  fault with its place and a remedy.
- An assistant gets all of it as tools: `sleuth serve --mcp` (see assistants.md).
- Errors are `SleuthError`: what was wrong, where, the value, and what to write instead.
"""


def made() -> str:
    """The whole file."""
    parts = [HEAD, "## Start here\n", *(f"{line(name)}\n" for name in FIRST)]
    for title, folders in FOLDERS.items():
        parts += [f"\n## {title}\n", *(f"{line(name)}\n" for name in _pages(folders))]
    return re.sub(r"(## .*\n)- ", r"\1\n- ", "".join([parts[0], "\n", *parts[1:]]))


def line(name: str) -> str:
    """A page with what is said of it."""
    text = (DOCS / name).read_text("utf-8")
    title = next(each for each in text.splitlines() if each.startswith("# ")).removeprefix("# ")
    return f"- [{title.replace('`', '')}]({name}): {_says(name) or _first_sentence(text)}"


def _pages(folders: tuple[str, ...]) -> Iterator[str]:
    for folder in folders:
        found = sorted((DOCS / folder).glob("*.md"), key=lambda path: (path.stem != "index", path))
        for path in found:
            name = path.relative_to(DOCS).as_posix()
            if name not in FIRST:
                yield name


def _says(name: str) -> str:
    """The README's words for a page; empty where it does not name it in a table."""
    readme = (ROOT / "README.md").read_text("utf-8")
    found = re.search(
        rf"^\| \[[^]]*\]\([^)]*docs/{re.escape(name)}\) \| (.*) \|$", readme, re.MULTILINE
    )
    return _plain(found[1]) if found else ""


def _first_sentence(text: str) -> str:
    """The first sentence, or of a list the first point."""
    blocks = re.sub(r"```.*?```", "", text, flags=re.DOTALL).split("\n\n")
    points = (re.split(r"\n(?:\d+\.|[-*]) ", each.strip())[0] for each in blocks)
    found = (" ".join(re.sub(r"^(?:\d+\.|[-*]) ", "", each).split()) for each in points)
    words = next(each for each in found if each and each[0] not in "#|<!" and each != "In short:")
    return _plain(re.split(r"(?<=[.?!]) (?=[A-Z`\[])", words)[0])


def _plain(text: str) -> str:
    """Words without links."""
    return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text).replace("**", "").strip().rstrip(":")


if __name__ == "__main__":
    FILE.write_text(made(), "utf-8")
