"""Looks at a built site: every link and anchor is there, and nothing is loaded from elsewhere.

Run ``python docs/tools/check_site.py [FOLDER]``; ``--elsewhere`` lists the links that lead out of
the site, which nobody follows here.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Attributes whose files a browser loads by itself, by the name of the tag; None for any tag.
LOADED = {
    ("script", "src"),
    ("img", "src"),
    ("img", "srcset"),
    ("source", "src"),
    ("source", "srcset"),
    ("iframe", "src"),
    ("embed", "src"),
    ("object", "data"),
    ("audio", "src"),
    ("video", "src"),
    ("video", "poster"),
    ("track", "src"),
    ("input", "src"),
    ("image", "href"),
    ("use", "href"),
}
#: Relations of a <link> that only say something.
SAID = {"canonical", "prev", "next", "alternate", "author", "license", "help", "search"}
#: What a style loads.
OF_STYLES = re.compile(r"url\(\s*['\"]?([^'\")]+)|@import\s+['\"]([^'\"]+)")


@dataclass(frozen=True)
class Found:
    """What a look at a site found.

    Attributes:
        pages: The number of its pages.
        links: The number of links, pictures, styles and scripts that were followed within it.
        elsewhere: Where its links lead that leave it, each once.
        bytes: The size of its files.
        problems: What is wrong, a line each.
    """

    pages: int
    links: int
    elsewhere: tuple[str, ...]
    bytes: int
    problems: tuple[str, ...]

    def __str__(self) -> str:
        return (
            f"{self.pages} pages, {self.links:,} links, {len(self.elsewhere)} addresses elsewhere, "
            f"{self.bytes / 1e6:.1f} MB"
        )


class Page(HTMLParser):
    """What a page names: anchors that it has, links, and what it loads."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self._style = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag names."""
        values = {name: value or "" for name, value in attrs}
        self._style = tag == "style"
        self.anchors |= {values[each] for each in ("id", "name") if values.get(each)}
        for name, value in values.items():
            if name == "style":
                self.loaded += styles(value)
            elif (tag, name.removeprefix("xlink:")) in LOADED and value:
                parts = [each.split()[0] for each in value.split(",")]
                self.loaded += parts if name == "srcset" else [value]
            elif (tag, name) == ("link", "href"):
                told = set(values.get("rel", "").split()) <= SAID
                (self.links if told else self.loaded).append(value)
            elif name == "href":
                self.links.append(value)

    def handle_data(self, data: str) -> None:
        """Note what a style loads."""
        if self._style:
            self.loaded += styles(data)

    def handle_endtag(self, tag: str) -> None:
        """A style ends."""
        self._style = False


def styles(text: str) -> list[str]:
    """What a style loads."""
    return [one or other for one, other in OF_STYLES.findall(text)]


class Site:
    """The files of a site, and what its pages name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        self.files = {path for path in self.folder.rglob("*") if path.is_file()}
        self.elsewhere: set[str] = set()
        self.followed = 0

    @cached_property
    def pages(self) -> dict[Path, Page]:
        """Its pages, read."""
        found = sorted(path for path in self.files if path.suffix == ".html")
        return {path: Page(path.read_text("utf-8")) for path in found}

    def problems(self) -> Iterable[str]:
        """Everything that is wrong, a line each."""
        for path, page in self.pages.items():
            for address in page.links:
                yield from self._follow(path, address, loaded=False)
            for address in page.loaded:
                yield from self._follow(path, address, loaded=True)
        for path in sorted(self.files):
            if path.suffix == ".css":
                for address in styles(path.read_text("utf-8")):
                    yield from self._follow(path, address, loaded=True)

    def _follow(self, path: Path, address: str, *, loaded: bool) -> Iterable[str]:
        parts = urlsplit(address)
        where = path.relative_to(self.folder).as_posix()
        if parts.scheme == "data":
            return
        if parts.scheme or parts.netloc:
            if loaded:
                yield f"{where}: is loaded from elsewhere: {address}"
            self.elsewhere.add(address)
            return
        self.followed += 1
        home = self.folder if parts.path.startswith("/") else path.parent
        target = (home / unquote(parts.path).lstrip("/")).resolve() if parts.path else path
        if target.is_dir():
            target /= "index.html"
        if target not in self.files:
            yield f"{where}: is not there: {address}"
        elif parts.fragment and target in self.pages:
            names = {parts.fragment, unquote(parts.fragment)}
            if not names & self.pages[target].anchors:
                yield f"{where}: has no such anchor: {address}"


def check(folder: Path) -> Found:
    """Everything that is to be said of a site."""
    site = Site(folder)
    problems = tuple(site.problems())
    return Found(
        pages=len(site.pages),
        links=site.followed,
        elsewhere=tuple(sorted(site.elsewhere)),
        bytes=sum(path.stat().st_size for path in site.files),
        problems=problems if site.pages else (f"{folder}: has no pages", *problems),
    )


def main() -> None:
    """Look at a site, and end with 1 if something is wrong."""
    words = [each for each in sys.argv[1:] if not each.startswith("--")]
    found = check(Path(words[0] if words else "build/site"))
    if "--elsewhere" in sys.argv:
        print("\n".join(found.elsewhere))
    print(found)
    if found.problems:
        sys.exit("\n".join(found.problems))


if __name__ == "__main__":
    main()
