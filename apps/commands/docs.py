"""`sleuth docs`: the pages and examples that came with the installation."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ...data.errors import SettingsError
from ..kit import completing
from .options import Json


def docs(
    page: Annotated[
        str | None,
        typer.Argument(
            metavar="[PAGE]",
            help="The page to read, such as 'analysing' or 'beliefs/declaring', or 'llms', what a "
            "language model is to know first; without it, all pages are listed.",
            autocompletion=completing.pages,
            show_default=False,
        ),
    ] = None,
    path: Annotated[
        bool, typer.Option("--path", help="Print only where the page, or the folder of all, is.")
    ] = False,
    copied: Annotated[
        Path | None,
        typer.Option(
            "--copy-examples",
            metavar="FOLDER",
            help="Write the example programs, the games of the shelf and recorded games into a new "
            "folder.",
        ),
    ] = None,
    as_json: Json = False,
) -> None:
    """Read the pages of the documentation, or copy the examples. Nothing is loaded from elsewhere.

    In a terminal a page is shown as in a book, elsewhere as it is written (Markdown).
    """
    if copied is not None:
        for option, value in {"PAGE": page, "--path": path, "--json": as_json}.items():
            if value:
                raise SettingsError(
                    f"{option} and --copy-examples do not go together", hint="leave one out"
                )
        from ..kit.copying import copy_examples

        number = copy_examples(copied)
        print(f"{number} files are in {copied}; README.md there says what they are")
        return
    from ...data import manual

    found = None if page is None else manual.page(page)
    if as_json:
        from ..kit.console import print_json

        listed = [_plain(each) for each in manual.pages()]
        print_json(listed if found is None else {**_plain(found), "text": found.text})
    elif path:
        print(manual.folder("docs") if found is None else found.path)
    else:
        from ..kit.reading import list_pages, show_page

        list_pages(manual.pages()) if found is None else show_page(found)


def _plain(page: Any) -> dict[str, str]:
    return {"name": page.name, "title": page.title, "path": str(page.path)}
