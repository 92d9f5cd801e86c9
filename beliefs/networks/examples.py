"""Well-known networks, which pgmpy ships."""

from __future__ import annotations

import gzip
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from ...data.errors import SettingsError, nearest
from .formats.bif import read_bif_contents
from .formats.contents import network_of
from .network import Network

_SUFFIX = ".bif.gz"


def network_file(name: str) -> Path:
    """The file of a well-known network.

    Raises:
        SettingsError: pgmpy ships none of this name, or is not installed.
    """
    if find_spec("pgmpy") is None:
        raise SettingsError(
            "pgmpy ships these networks, and is not installed",
            value=name,
            hint="install pgmpy>=1.1,<1.2 (there is none for Python 3.15 yet)",
        )
    folder = Path(str(files("pgmpy"))) / "utils" / "example_models"
    known = sorted(entry.name.removesuffix(_SUFFIX) for entry in folder.glob(f"*{_SUFFIX}"))
    if name not in known:
        raise SettingsError("pgmpy ships no such network", value=name, hint=nearest(name, known))
    return folder / f"{name}{_SUFFIX}"


def example_network(name: str) -> Network:
    """A well-known network that pgmpy ships: asia, child, insurance, alarm, ...

    They come from the bnlearn repository (M. Scutari, bnlearn.com/bnrepository).

    Raises:
        SettingsError: pgmpy ships none of this name, or is not installed.

    >>> from sleuth.networks import example_network
    >>> len(example_network("cancer").choices)
    5
    """
    file = network_file(name)
    return network_of(read_bif_contents(gzip.decompress(file.read_bytes()), file.name), name=name)
