"""Writing the page that needs no server: its files, and the parts of sleuth that it runs."""

from __future__ import annotations

import json
import shutil
import zipfile
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from io import BytesIO
from pathlib import Path
from typing import Final

from ....data.errors import SettingsError
from ....data.version import version
from ...kit.pages.document import style_sheet
from .. import lobby
from ..texts import WITHOUT_SERVER
from ..web.markup import page

#: The packages of sleuth that it runs.
PACKAGES: Final = ("apps", "beliefs", "data", "front", "models", "planners", "shelf", "training")
ENDINGS: Final = frozenset({".py", ".css", ".svg", ".js"})
#: Data that games read; their folders of recorded games, and files of many, stay away.
DATA: Final = ("*.json", "*/*.csv", "*/*.json", "*/*.npz", "*/*.txt", "*/editions/*.json")
#: The file that says that a folder was written here, so that it may be written over.
MARK: Final = "sleuth.json"
#: What a folder of Pyodide must have, as its release for a server of one's own has it.
NEEDED: Final = ("pyodide.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
#: The packages of Pyodide that the page loads.
WHEELS: Final = ("numpy", "pydantic", "rich")
#: The program runs as WebAssembly, which a policy has to allow by name.
POLICY: Final = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'"


def write_static(
    folder: Path, game: str, pyodide: Path | None = None, *, kind: str = "advice"
) -> list[str]:
    """Write the page of a game into a folder; what is still missing there, in words.

    Args:
        folder: It is made; one that was written here before is written over.
        game: The game.
        pyodide: A folder with the files of Pyodide, which are copied; None where somebody else
            puts them into the folder ``pyodide``.
        kind: What the page is for; see `Sitting`.

    Raises:
        SettingsError: The folder has something else, cannot be written, or is no Pyodide.
    """
    if folder.exists() and any(folder.iterdir()) and not (folder / MARK).exists():
        raise SettingsError(
            "this folder has something else",
            where="static",
            value=str(folder),
            hint="name a new one",
        )
    missing = [] if pyodide is None else [each for each in NEEDED if not (pyodide / each).exists()]
    if missing:
        raise SettingsError(
            f"this is no folder of Pyodide: there is no {missing[0]}",
            where="pyodide",
            value=str(pyodide),
            hint="unpack its release there",
        )
    sitting, _ = lobby.kind_of(kind).made({"game": game})
    statics = files("sleuth.apps.table.web").joinpath("static")
    own = files(__package__ or "")
    html = page(
        WITHOUT_SERVER, {}, address="advice", lobby=False, worker="within.js", policy=POLICY
    )
    made: dict[str, bytes] = {
        "index.html": html.replace('="/static/', '="').encode(),
        "report.css": style_sheet().encode(),
        "within.js": own.joinpath("within.js").read_bytes(),
        "sleuth.zip": packed(),
        MARK: json.dumps(
            {"sleuth": version(), "kind": kind, "made": sitting, "wheels": WHEELS}
        ).encode(),
    }
    for name in ("table.js", "table.css", "icon.svg"):
        made[name] = statics.joinpath(name).read_bytes()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in made.items():
            (folder / name).write_bytes(content)
        if pyodide is not None and pyodide.resolve() != (folder / "pyodide").resolve():
            shutil.copytree(pyodide, folder / "pyodide", dirs_exist_ok=True)
    except OSError as error:
        raise SettingsError(
            f"this folder cannot be written: {(error.strerror or str(error)).lower()}",
            where="static",
            value=str(folder),
        ) from None
    return [each for each in NEEDED if not (folder / "pyodide" / each).exists()]


def packed() -> bytes:
    """The parts of sleuth that the page runs, as a zip file that is the same for the same files."""
    made = BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(_parts()):
            # A date would make each file another.
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _parts() -> Iterator[tuple[str, bytes]]:
    for name in PACKAGES:
        module = "sleuth" if name == "front" else f"sleuth.{name}"
        root = Path(str(import_module(module).__path__[0]))
        within = "sleuth" if name == "front" else f"sleuth/{name}"
        for path in root.rglob("*"):
            inner = path.relative_to(root).parts
            if name == "front" and len(inner) > 1 and inner[0] != "games":
                continue  # in an installation the other packages stand in the face's folder
            if path.suffix in ENDINGS and path.is_file() and "__pycache__" not in inner:
                yield f"{within}/{path.relative_to(root).as_posix()}", path.read_bytes()
        if name == "data":
            for pattern in DATA:
                for path in root.glob(pattern):
                    yield f"{within}/{path.relative_to(root).as_posix()}", path.read_bytes()
