"""Builds the site in build/site: the pages of docs/ and those that are made of the code.

Run ``python docs/tools/make_site.py``, or ``make site``. Pages are put together in build/pages,
where a link that leaves docs/ leads to a page with the text of the file that it names. Then
zensical makes HTML of them, and `check_site` looks at every link.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from posixpath import relpath
from typing import Final

import make_llms
import make_notebooks
import make_reference
import make_reports
import nbformat
from check_site import check

ROOT: Final = Path(__file__).resolve().parents[2]
DOCS: Final = ROOT / "docs"
PAGES: Final = ROOT / "build" / "pages"
SITE: Final = ROOT / "build" / "site"
LESSONS: Final = DOCS / "notebooks"
#: Files of docs/ that are copied as they are.
COPIED: Final = (".png", ".json", ".css", ".txt", ".ipynb")
#: The folder of pages with the texts of files from elsewhere in the repository.
FILES: Final = "files"
#: Characters of a file beyond which only its beginning is on its page.
LONGEST: Final = 60_000
#: The languages of files, for colours.
LANGUAGES: Final = {".py": "python", ".json": "json", ".js": "javascript", ".sh": "bash"}

FENCED = re.compile(r"^(?P<fence>`{3,})[^\n]*\n.*?^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)
#: A row of a table, and code in it: there a bar divides no cells here, and needs no backslash.
ROW = re.compile(r"^\|.*$", re.MULTILINE)
CODE = re.compile(r"`[^`\n]+`")
LINK = re.compile(r"(?P<text>!?\[[^\]]*\])\((?P<to>[^)\s]+)\)")


def outside_of_code(text: str, change: Callable[[str], str]) -> str:
    """A page whose text was changed everywhere but in blocks of code."""
    made: list[str] = []
    last = 0
    for block in FENCED.finditer(text):
        made += [change(text[last : block.start()]), block[0]]
        last = block.end()
    return "".join([*made, change(text[last:])])


def with_bars(text: str) -> str:
    """Text whose tables have no backslash before a bar in code, which would be shown."""
    return ROW.sub(
        lambda row: CODE.sub(lambda code: code[0].replace("\\|", "|"), row[0]),
        text,
    )


def links(text: str) -> list[str]:
    """Where a page leads to."""
    found: list[str] = []

    def note(part: str) -> str:
        found.extend(match["to"] for match in LINK.finditer(part))
        return part

    outside_of_code(text, note)
    return found


class Pages:
    """The pages of the site, put together in a folder.

    Attributes:
        folder: Where they are written.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._waiting: list[Path] = []
        self._staged: set[Path] = set()

    def write(self, name: str, text: str) -> None:
        """Write a page, or anything else of text."""
        target = self.folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")

    def take_docs(self) -> None:
        """Take all pages of docs/."""
        for path in sorted(DOCS.rglob("*")):
            if not path.is_file() or DOCS / "tools" in path.parents:
                continue
            name = path.relative_to(DOCS).as_posix()
            if path.suffix == ".md":
                text = self._turned(path.read_text("utf-8"), path, name)
                self.write(name, make_reports.with_reports(text))
            elif path.name == make_llms.FILE.name:
                # It leads to pages as they are served.
                self.write(name, path.read_text("utf-8").replace(".md):", ".html):"))
            elif path.suffix in COPIED:
                (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(path, self.folder / name)

    def take_lessons(self) -> int:
        """Take the pages of notebooks; returns how many have nothing that their cells show.

        Those are not executed yet, or were changed since; `make_notebooks` executes them.
        """
        bare, folder = 0, self.folder / "notebooks"
        folder.mkdir(parents=True, exist_ok=True)
        for path in sorted(LESSONS.glob("*.ipynb")):
            made = make_notebooks.BUILT / f"{path.stem}.md"
            name = f"notebooks/{path.stem}.md"
            if make_notebooks.is_current(path):
                text = made.read_text("utf-8")
                for picture in made.parent.glob(f"{path.stem}_*.png"):
                    shutil.copyfile(picture, folder / picture.name)
            else:
                bare += 1
                source = nbformat.read(path, as_version=4)
                text = make_notebooks.page_of(source, path.stem, folder)
            self.write(name, self._turned(text, path, name))
        return bare

    def take_files(self) -> None:
        """Take the files from elsewhere to which pages lead, and those to which they lead."""
        while self._waiting:
            path = self._waiting.pop()
            name = page_of(path)
            self.write(name, self._turned(text_of(path), path, name))

    def _turned(self, text: str, path: Path, name: str) -> str:
        """The text of a page with links that lead to pages of the site."""

        def turn(match: re.Match[str]) -> str:
            file, mark, anchor = match["to"].partition("#")
            if "://" in file or file.startswith("mailto:") or not file:
                return match[0]
            target = ((path if path.is_dir() else path.parent) / file).resolve()
            if target.suffix == ".ipynb" and LESSONS not in path.parents:
                target = target.with_suffix(".md")
            there = self._placed(target)
            return f"{match['text']}({relpath(there, Path(name).parent.as_posix())}{mark}{anchor})"

        return outside_of_code(text, lambda part: LINK.sub(turn, with_bars(part)))

    def _placed(self, target: Path) -> str:
        """Where a file of the repository is on the site; it is taken there."""
        if target == ROOT / "README.md":
            return "index.md"
        if DOCS in target.parents and target.suffix in (".md", *COPIED):
            return target.relative_to(DOCS).as_posix()
        if target not in self._staged:
            self._staged.add(target)
            self._waiting.append(target)
        return page_of(target)


def page_of(path: Path) -> str:
    """The name of the page with the text of a file, or with the list of a folder."""
    name = path.relative_to(ROOT).as_posix()
    return f"{FILES}/{name}{'/index' if path.is_dir() else ''}.md".replace(".md.md", ".md")


def text_of(path: Path) -> str:
    """The page of a file from elsewhere in the repository."""
    name = path.relative_to(ROOT).as_posix()
    hidden = "---\nsearch:\n  exclude: true\n---\n\n"
    if path.is_dir():
        listed = [f"- [{each.name}]({each.name}){about(each)}" for each in _listed(path)]
        return f"{hidden}# {name}/\n\nFiles of the repository:\n\n" + "\n".join(listed) + "\n"
    text = path.read_text("utf-8")
    if path.suffix == ".md":
        return text
    cut = f"\nThese are its first {LONGEST:,} characters.\n" if len(text) > LONGEST else ""
    fence = "`" * (3 + max(map(len, re.findall(r"`{3,}", text)), default=0))
    code = f"{fence}{LANGUAGES.get(path.suffix, 'text')}\n{text[:LONGEST].rstrip()}\n{fence}\n"
    return f"{hidden}# {path.name}\n\nThe file `{name}` of the repository.\n{cut}\n{code}"


def about(path: Path) -> str:
    """The sentence with which a program begins, after a colon."""
    if path.suffix != ".py":
        return ""
    said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
    first = " ".join(said.partition("\n\n")[0].split())
    return f": {first}" if first else ""


def _listed(folder: Path) -> Iterator[Path]:
    for each in sorted(folder.iterdir()):
        if each.suffix == ".py" and each.name != "__init__.py":
            yield each


def main() -> None:
    """Put the pages together, build the site, and look at its links."""
    begun = time.perf_counter()
    for folder in (PAGES, SITE):
        shutil.rmtree(folder, ignore_errors=True)
    pages = Pages(PAGES)
    pages.take_docs()
    bare = pages.take_lessons()
    pages.take_files()
    for name, text in make_reference.made().items():
        pages.write(name, text)
    make_reports.write(PAGES / "reports")
    put = time.perf_counter()
    built = subprocess.run(
        [sys.executable, "-m", "zensical", "build", "-f", str(ROOT / "mkdocs.yml")],
        cwd=ROOT,
        env={**os.environ, "NO_COLOR": "1"},
        capture_output=True,
        text=True,
    )
    if built.returncode:
        sys.exit(f"{built.stdout}{built.stderr}")
    done = time.perf_counter()
    found = check(SITE)
    print(
        f"{found} in {done - begun:.0f} s, of which zensical {done - put:.1f} s: {SITE}/index.html"
    )
    if bare:
        print(f"{bare} lessons are without what their cells show: make notebooks, then make site")
    if found.problems:
        sys.exit("\n".join(found.problems))


if __name__ == "__main__":
    main()
