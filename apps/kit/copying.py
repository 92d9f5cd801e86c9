"""Examples that came with the installation, copied to where they can be changed."""

from __future__ import annotations

import os
import shutil
from importlib.resources import files
from pathlib import Path

from ...data.disk.writing import make_folder
from ...data.errors import SettingsError
from ...data.files import records
from ...data.manual import folder


def copy_examples(target: Path) -> int:
    """Write the example programs, the games of the shelf and the recorded games into a new folder.

    Args:
        target: The folder, which must not be there yet, or be empty.

    Returns:
        The number of files.

    Raises:
        SettingsError: There is something already, or the folder cannot be made.
    """
    where = "--copy-examples"
    if os.path.lexists(target) and (not target.is_dir() or any(target.iterdir())):
        raise SettingsError(
            "there is something already", where=where, value=str(target), hint="name a new folder"
        )
    programs = folder("examples")
    copied = {
        f"programs/{path.relative_to(programs).as_posix()}": path
        for path in programs.rglob("*.*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    copied |= {f"shelf/{path.name}": path for path in folder("shelf").glob("[!_]*.py")}
    copied |= {f"records/{name}": Path(str(found)) for name, found in records().items()}
    # All of it or nothing.
    draft = target.with_name(f".{target.name}.part")
    shutil.rmtree(draft, ignore_errors=True)
    make_folder(draft, where=where)
    try:
        for name, path in copied.items():
            made = draft / name
            made.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, made)
        about = files("sleuth.apps.kit").joinpath("copied_examples.txt").read_text("utf-8")
        (draft / "README.md").write_text(about, "utf-8")
        if target.is_dir():
            target.rmdir()
        draft.rename(target)
    except OSError as problem:
        said = (problem.strerror or str(problem)).lower()
        raise SettingsError(
            f"the examples cannot be written: {said}", where=where, value=str(target)
        ) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return len(copied) + 1
