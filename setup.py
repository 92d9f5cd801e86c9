"""What setup.cfg cannot say: the addresses, and the README as an index page shows it.

The address is in one place, ``repository-code`` of CITATION.cff. With it, the README's links lead
there. Without one they would lead nowhere, so pages are named as the installed command shows them.
"""

from __future__ import annotations

import re
from pathlib import Path

from setuptools import setup

ROOT = Path(__file__).resolve().parent
#: A picture or a link to a file of the project; a link may hold a picture's text.
LINK = re.compile(
    r"(?P<picture>!?)\[(?P<text>[^\[\]]*)\]\((?P<target>(?!https?:|mailto:|#)[^()\s]+)\)"
)
#: Blocks of code, in which nothing is a link.
CODE = re.compile(r"^(?P<fence>```+|~~~+).*?^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)


def address() -> str:
    """Where the project can be looked at; empty as long as that is nowhere."""
    said = (ROOT / "CITATION.cff").read_text("utf-8")
    found = re.search(r"^repository-code:\s*[\"']?([^\s\"']+)", said, re.MULTILINE)
    return found[1].rstrip("/") if found else ""


def description(page: str, base: str) -> str:
    """A page of the project's root without links that only work there.

    Args:
        page: The page, in Markdown.
        base: The project's address, or nothing.
    """

    def absolute(found: re.Match[str]) -> str:
        target = found["target"].removeprefix("./")
        if base:
            kind = "raw" if found["picture"] else "blob"
            return f"{found['picture']}[{found['text']}]({base}/{kind}/HEAD/{target})"
        if found["picture"]:
            return ""
        name = re.fullmatch(r"docs/(.+?)(?:/index)?\.md(?:#.*)?", target)
        if name is None:
            return found["text"]
        shown = f"`sleuth docs {name[1]}`"
        return shown if found["text"] == target else f"{found['text']} ({shown})"

    parts: list[str] = []
    end = 0
    for code in CODE.finditer(page):
        parts += [LINK.sub(absolute, page[end : code.start()]), code[0]]
        end = code.end()
    parts.append(LINK.sub(absolute, page[end:]))
    return re.sub(r"\n{3,}", "\n\n", "".join(parts))


def links(base: str) -> dict[str, str]:
    """The addresses that an index page shows."""
    if not base:
        return {}
    return {
        "Source": base,
        "Documentation": f"{base}/blob/HEAD/README.md",
        "Changelog": f"{base}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{base}/issues",
    }


if __name__ == "__main__":
    setup(
        long_description=description((ROOT / "README.md").read_text("utf-8"), address()),
        long_description_content_type="text/markdown",
        project_urls=links(address()),
    )
