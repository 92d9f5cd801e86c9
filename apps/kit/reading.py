"""Pages of the documentation in a terminal."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from typing import Final

from ...data.manual import Page
from .answers.text import put
from .answers.values import Column, Command, Paragraph, Sheet
from .console import out

#: Longer lines are hard to read.
_WIDEST: Final = 100


def list_pages(pages: Sequence[Page]) -> None:
    """Print the names of all pages, with their titles."""
    rows = tuple((page.name, page.title) for page in pages)
    put(
        out(),
        Paragraph("The pages of this installation", "strong"),
        Sheet((Column("page", whole=True, accent=True), Column("title", room=60, under=0)), rows),
        Paragraph("Read one with", blank="above"),
        Command("sleuth docs PAGE"),
    )


def show_page(page: Page) -> None:
    """Show a page: formatted and page by page in a terminal, elsewhere as it is written."""
    if not sys.stdout.isatty():
        print(page.text, end="")
        return
    from rich.markdown import Markdown

    console = out()
    console.width = min(console.width, _WIDEST)
    shown = Markdown(page.text, hyperlinks=False)
    pager = os.environ.get("PAGER", "less")
    if "less" in pager and shutil.which("less"):
        # As other programs set it: with colours, and no pager for what fits on the screen.
        os.environ.setdefault("LESS", "FRX")
        with console.pager(styles=True):
            console.print(shown)
    elif pager == "cat" or console.is_dumb_terminal:
        console.print(shown)
    else:
        with console.pager():
            console.print(shown)
