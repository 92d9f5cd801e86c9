"""Files of networks: which format one has, and reading and writing it."""

from __future__ import annotations

from pathlib import Path

from .bif import read_bif_contents
from .contents import network_of
from .network import Network
from .text import content_of


def read_bif(path: str | Path, *, observed: bool | None = None) -> Network:
    """A network from a BIF file (``.bif``, or compressed as ``.bif.gz``).

    Rows that add up to one only after rounding are rescaled.

    Args:
        path: The file.
        observed: Whether values that the file marks as observed count: those of a line ``property
            observed = yes ;``. By default they do in files that sleuth wrote, and in no others,
            where the marks may be left from somebody's last session.

    Raises:
        RecordError: The file cannot be read, or is no network in BIF; the message names the line
            and the column.

    >>> from sleuth import Choice, Model
    >>> from sleuth.networks import read_bif, to_bif
    >>> rain = Choice("rain", {"yes": 0.25, "no": 0.75})
    >>> read_bif(to_bif(Model(rain), [], "weather.bif").path).query("rain")
    {'yes': 0.25, 'no': 0.75}
    """
    file = Path(path)
    contents = read_bif_contents(content_of(file), file.name)
    return network_of(contents, name=file.name.split(".")[0], observed=observed)
