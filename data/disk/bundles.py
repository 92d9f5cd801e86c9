"""Arrays in one file: a zip of what `numpy.save` writes, of which reading runs no code.

What stands in such a file is checked before anything is reserved for it; indices in its arrays are
for the reader to check.
"""

from __future__ import annotations

import io
import math
import zipfile
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

#: The ending of an array's name in a bundle.
ARRAY: Final = ".npy"


def bundled(
    arrays: Mapping[str, NDArray[Any]],
    *,
    texts: Mapping[str, str] | None = None,
    level: int = 0,
) -> bytes:
    """Arrays as they stand in a file: the same bytes for the same arrays.

    Args:
        arrays: By their names.
        texts: Texts beside them, by the names of their members, such as ``"card.json"``.
        level: How hard to press them together, from 0 for not at all to 9.
    """
    pressed = zipfile.ZIP_DEFLATED if level else zipfile.ZIP_STORED
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as bundle:

        def write(name: str, content: str | bytes) -> None:
            # A fixed date: np.savez would write the time.
            bundle.writestr(zipfile.ZipInfo(name), content, pressed, level or None)

        for name, text in (texts or {}).items():
            write(name, text)
        for name, array in arrays.items():
            member = io.BytesIO()
            np.save(member, np.asarray(array), allow_pickle=False)
            write(f"{name}{ARRAY}", member.getvalue())
    return target.getvalue()


def unbundled(
    content: bytes, *, most: int, texts: Mapping[str, int] | None = None
) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """The arrays of a bundle, and its texts, by their names.

    Args:
        content: The file's content.
        most: Most bytes of all members together.
        texts: Texts that stand in it beside arrays, and most bytes of each.

    Raises:
        Exception: Any, where it is no bundle, or is damaged.
    """
    known = texts or {}
    with zipfile.ZipFile(io.BytesIO(content)) as bundle:
        members = bundle.infolist()
        names = {member.filename for member in members}
        if sum(member.file_size for member in members) > most:
            raise ValueError("there is more in it than may be")
        if len(names) < len(members) or not all(
            name in known or name.endswith(ARRAY) for name in names
        ):
            raise ValueError("there is something else in it")
        if any(bundle.getinfo(name).file_size > known[name] for name in names & known.keys()):
            raise ValueError("a text is longer than it may be")
        said = {name: bundle.read(name).decode("utf-8") for name in known}
        arrays = {
            member.filename.removesuffix(ARRAY): _array(bundle.read(member))
            for member in members
            if member.filename not in known
        }
    return arrays, said


def _array(content: bytes) -> NDArray[Any]:
    """The array in one member of a bundle; any exception where it is none."""
    # What it says of its own shape is met before anything is reserved for it.
    stream = io.BytesIO(content)
    version = np.lib.format.read_magic(stream)
    read_header = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }[version]
    shape, _, dtype = read_header(stream)
    if math.prod(shape) * dtype.itemsize != len(content) - stream.tell():
        raise ValueError("the array has another size than it says")
    stream.seek(0)
    return np.lib.format.read_array(stream, allow_pickle=False)
