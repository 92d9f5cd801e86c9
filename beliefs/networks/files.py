"""Files of networks: which format one has by its name, and reading and writing it."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ...data.disk.writing import whole
from ...data.errors import DeclarationError, SettingsError
from ..modelling.model import Model
from .formats.bif import read_bif_contents
from .formats.bif_text import bif_text
from .formats.contents import NetworkContents, contents_of, network_of
from .formats.net import net_text, read_net
from .formats.text import content_of
from .formats.uai import read_uai, read_uai_evidence, uai_evidence_text, uai_text
from .formats.xmlbif import read_xmlbif, xmlbif_text
from .network import Network


@dataclass(frozen=True)
class NetworkFormat:
    """A format of files: what it is called, and how they are read and written."""

    name: str
    read: Callable[[bytes, str], NetworkContents]
    write: Callable[[NetworkContents], str]


_BIF: Final = NetworkFormat("BIF", read_bif_contents, bif_text)
_XMLBIF: Final = NetworkFormat("XMLBIF", read_xmlbif, xmlbif_text)
_NET: Final = NetworkFormat("NET", read_net, net_text)

#: By the ending of a file's name, in small letters, without ``.gz``.
FORMATS: Final[Mapping[str, NetworkFormat]] = {
    ".bif": _BIF,
    ".xml": _XMLBIF,
    ".xmlbif": _XMLBIF,
    ".bifxml": _XMLBIF,
    ".net": _NET,
    ".hugin": _NET,
    ".uai": NetworkFormat("UAI", read_uai, uai_text),
}
_PACKED: Final = ".gz"


def format_of(path: str | Path) -> NetworkFormat | None:
    """The format of a file by its name; None if no network has such a name."""
    name = Path(path).name.lower().removesuffix(_PACKED)
    return next((form for suffix, form in FORMATS.items() if name.endswith(suffix)), None)


def read_network(path: str | Path, *, observed: bool | None = None) -> Network:
    """A network from a file: BIF, XMLBIF, NET (HUGIN) or UAI, also compressed (``.gz``).

    The name says the format: ``.bif``, ``.xml`` (``.xmlbif``, ``.bifxml``), ``.net`` (``.hugin``)
    or ``.uai``. Rows that add up to one only after rounding are rescaled.

    Args:
        path: The file.
        observed: Whether values that the file marks as observed count. By default they do in
            files that sleuth wrote, and in no others, where the marks may be left from somebody's
            last session.

    Raises:
        SettingsError: The name says no format.
        RecordError: The file cannot be read, or is no network in its format; the message names
            the line and the column.

    >>> from sleuth.networks import example_network, read_network, write_network
    >>> write_network(example_network("asia"), "asia.net")
    >>> read_network("asia.net").query("lung", {"xray": "yes"})["yes"]  # doctest: +ELLIPSIS
    0.488711...
    """
    return _read(Path(path), _known(path), observed)


def write_network(network: Network | Model, path: str | Path) -> None:
    """Write a network as a file: BIF, XMLBIF, NET (HUGIN) or UAI, also compressed (``.gz``).

    The name says the format, as for `read_network`. Values that are observed are written as marks,
    and count when the file is read again; a file of UAI has no place for them. Numbers are
    written so that they come back bit by bit. Other libraries pass over the marks: there, set
    `Network.observed` as observed, or all answers are wrong.

    Args:
        network: The network; or a model of choices, as `Network.of` takes it.
        path: The file.

    Raises:
        DeclarationError: It is no network.
        SettingsError: The name says no format, or the file cannot be written.
        UnsupportedError: The format cannot say it: a Markov network can only be written for UAI,
            and some names in some formats alone; or a variable of a model is no choice.

    >>> from sleuth.networks import example_network, read_network, write_network
    >>> cancer = example_network("cancer")
    >>> for name in ("cancer.bif", "cancer.xml", "cancer.net.gz", "cancer.uai"):
    ...     write_network(cancer, name)
    >>> list(read_network("cancer.xml").choices) == list(cancer.choices)
    True
    >>> list(read_network("cancer.uai").choices)  # UAI has no names
    ['0', '1', '2', '3', '4']
    """
    file = Path(path)
    form = _known(file)
    if isinstance(network, Model):
        network = Network.of(network, name=file.name.split(".")[0])
    if not isinstance(network, Network):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise DeclarationError(
            "this is no network to write",
            value=network,
            hint="Network.of(choices) makes one of choices, to_bif writes other declarations",
        )
    _write(file, form.write(contents_of(network)))


def read_bif(path: str | Path, *, observed: bool | None = None) -> Network:
    """A network from a BIF file, whatever its name; see `read_network`.

    >>> from sleuth import Choice, Model
    >>> from sleuth.networks import read_bif, to_bif
    >>> rain = Choice("rain", {"yes": 0.25, "no": 0.75})
    >>> read_bif(to_bif(Model(rain), [], "weather.bif").path).query("rain")
    {'yes': 0.25, 'no': 0.75}
    """
    return _read(Path(path), _BIF, observed)


def read_evidence(path: str | Path, network: Network) -> list[dict[str, str]]:
    """Observed values from a file of evidence in the format of UAI (``.evid``).

    Args:
        path: The file.
        network: The one that it numbers the variables of, in their order.

    Returns:
        For every sample in it the values by the names of the variables, as `Network.observe` takes
        them; most files have one sample.

    Raises:
        RecordError: The file cannot be read, or does not fit the network; the message names the
            line and the column.

    >>> from sleuth.networks import example_network, read_evidence, write_evidence
    >>> asia = example_network("asia")
    >>> write_evidence({"xray": "yes", "smoke": "no"}, asia, "asia.evid")
    >>> read_evidence("asia.evid", asia)
    [{'xray': 'yes', 'smoke': 'no'}]
    """
    file = Path(path)
    return read_uai_evidence(content_of(file), file.name, network)


def write_evidence(values: Mapping[str, str], network: Network, path: str | Path) -> None:
    """Write observed values as a file of evidence in the format of UAI; see `read_evidence`.

    Raises:
        EvidenceError: The network has no such variable or value.
        SettingsError: The file cannot be written.

    >>> from sleuth.networks import example_network, write_evidence
    >>> write_evidence({"xray": "yes"}, example_network("asia"), "asia.evid")
    >>> print(open("asia.evid").read(), end="")
    1 6 0
    """
    _write(Path(path), uai_evidence_text(values, network))


def _known(path: str | Path) -> NetworkFormat:
    found = format_of(path)
    if found is None:
        raise SettingsError(
            "the name of a network's file says its format",
            value=str(path),
            hint=f"end it in {', '.join(FORMATS)}, also with {_PACKED}",
        )
    return found


def _read(file: Path, form: NetworkFormat, observed: bool | None) -> Network:
    contents = form.read(content_of(file), file.name)
    return network_of(contents, name=file.name.split(".")[0], observed=observed)


def _write(file: Path, text: str) -> None:
    content = text.encode("utf-8")
    if file.name.lower().endswith(_PACKED):
        content = gzip.compress(content, mtime=0)
    with whole(file) as draft:
        draft.write_bytes(content)
