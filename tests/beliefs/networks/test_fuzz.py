"""Files of networks that something went wrong with: a network, or one clear line of what is wrong.

``SLEUTH_FUZZ`` says how many (400 if unset), ``SLEUTH_FUZZ_SEED`` where the generator starts.
"""

from __future__ import annotations

import gzip
import os
import re
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

import numpy as np

from sleuth.beliefs.networks.files import FORMATS
from sleuth.beliefs.networks.formats.contents import contents_of, network_of
from sleuth.beliefs.networks.formats.uai import read_uai_evidence
from sleuth.errors import RecordError, UnsupportedError
from sleuth.networks import Network, example_network, read_network

from .peers import SPRINKLER
from .test_formats import MARKOV, NET, UAI, XMLBIF

FILES = int(os.environ.get("SLEUTH_FUZZ", "400"))
SEED = int(os.environ.get("SLEUTH_FUZZ_SEED", "0"))
#: Seconds that one small file may take, on a machine that does other things, too.
MOST_SECONDS = 5.0

AWKWARD = (
    SPRINKLER.replace("(yes) 0.01, 0.99;", "/* a\n comment */ default 1 0; // b")
    .replace("{ yes, no }", '{ "yes", (1,2] }')
    .replace("(no)", "((1,2])")
    .replace(", no)", ", (1,2])")
)
BASES = [
    *((".bif", SPRINKLER.encode()), (".bif", AWKWARD.encode())),
    (".xml", XMLBIF.encode("latin-1")),
    (".net", NET.encode()),
    *((".uai", UAI.encode()), (".uai", MARKOV.encode())),
    (".evid", b"2\n1 0 0\n2 1 0\n2 1\n"),
]
PIECES = [
    *b"(){}[]<>|;,\"'%&=/* \n\r\t\0",
    *(b"//", b"/*", b"*/", b"<!--", b"-->", b"&amp;", b"<![CDATA[", b"]]>", b"\xff", b"\xfe\xff"),
    *(b"\xef\xbb\xbf", "é\u2028\u0660".encode(), b"\x85", b"\x1f\x8b", b"\xc3", b"\xed\xa0\x80"),
    *(b"0", b"1", b"-1", b"2", b"3", b"1e999", b"-0.0", b"nan", b"inf", b"0.5", b"1e-320", b"1_0"),
    *(b"9" * 9, b"9" * 400, b"0x1", b"1e308 1e308", b"a" * 300, b"((((((((", b"))))", b"[" * 50),
    *(b"table", b"default", b"property", b"variable", b"probability", b"type", b"discrete"),
    *(b"rain", b"grass", b"yes", b"observed = wet ;", b"property observed = wet ;"),
    *(b"node", b"potential", b"states", b"data", b"net", b"class", b"utility", b'observed = "b";'),
    *(b"<TABLE>", b"</TABLE>", b"<FOR>", b"<VARIABLE>", b"</BIF>", b"<PROPERTY>", b"<NAME/>"),
    *(b"BAYES", b"MARKOV", b"0\n", b"\n\n"),
]


def mutated(content: bytes, rng: np.random.Generator) -> bytes:
    """A file with a few parts of it lost, doubled, moved, or written over."""
    for _ in range(int(rng.integers(1, 4))):
        numbers = [*re.finditer(rb"[0-9]+", content)]
        if numbers and rng.random() < 0.3:
            found = numbers[int(rng.integers(len(numbers)))]
            number = str(rng.integers(3)).encode()
            content = content[: found.start()] + number + content[found.end() :]
            continue
        words = (
            re.split(rb"(\W)", content)
            if rng.random() < 0.7
            else [content[at : at + 1] for at in range(len(content))]
        )
        if not words:
            return content
        at, other = (int(place) for place in rng.integers(len(words), size=2))
        piece = PIECES[int(rng.integers(len(PIECES)))]
        piece = bytes([piece]) if isinstance(piece, int) else piece
        match int(rng.integers(8)):
            case 0:
                del words[at : at + int(rng.integers(1, 12))]
            case 1:
                words[at:at] = words[at : at + int(rng.integers(1, 40))]
            case 2:
                words[at], words[other] = words[other], words[at]
            case 3:
                words[at] = piece
            case 4:
                words.insert(at, piece)
            case 5:
                words[at:at] = words[other : other + int(rng.integers(1, 40))]
            case 6:
                words[at:at] = [piece] * int(rng.choice([2, 30, 2_000]))
            case _:
                words = words[:at] if rng.random() < 0.3 else [*words[:at], words[at].swapcase()]
        content = b"".join(words)
    return content


def outcome(suffix: str, content: bytes, asia: Network) -> str:
    """A network that can be written as it was read, or the error."""
    name = f"file{suffix}"
    try:
        if suffix == ".evid":
            for values in read_uai_evidence(content, name, asia):
                asia.observe(values)
            return "read"
        form = FORMATS[suffix]
        network = network_of(form.read(content, name), name="file")
    except RecordError as error:
        message = str(error)
        assert re.match(r"file\.\w+(, line \d+, column \d+)?: \S", message), message
        assert "\n" not in message
        assert len(message) < 1_500
        return "refused"
    totals = np.concatenate([choice.table.sum(axis=1) for choice in network.choices.values()])
    assert np.abs(totals - 1.0).max() < 1e-9
    network.observe()
    if form.name == "UAI":
        assert contents_of(network).variables
        return "read"
    with suppress(UnsupportedError):  # names with letters that no file of XML may have
        written = FORMATS[".xml"].write(contents_of(network)).encode()
        assert network_of(FORMATS[".xml"].read(written, "again.xml")).choices == network.choices
    return "read"


def test_a_mutated_file_is_read_or_refused_in_one_line() -> None:
    rng, asia = np.random.default_rng(SEED), example_network("asia")
    counts: Counter[tuple[str, str]] = Counter()
    for _ in range(FILES):
        suffix, base = BASES[int(rng.integers(len(BASES)))]
        content = mutated(base, rng)
        start = time.process_time()
        counts[suffix, outcome(suffix, content, asia)] += 1
        assert time.process_time() - start < MOST_SECONDS, content
    said = Counter(outcome for _, outcome in counts.elements())
    assert min(said["read"], said["refused"]) > 0.05 * FILES
    # Of each format, where there are enough of it.
    assert FILES < 5_000 or len(counts) == 2 * len({suffix for suffix, _ in BASES})


def test_broken_packings_are_refused_in_one_line(tmp_path: Path) -> None:
    packed = gzip.compress(SPRINKLER.encode(), mtime=0)
    rng, file = np.random.default_rng(SEED), tmp_path / "file.bif.gz"
    refused = 0
    for _ in range(max(20, FILES // 40)):
        file.write_bytes(mutated(packed, rng))
        with suppress(RecordError):
            refused += 1
            read_network(file)
            refused -= 1
    assert refused > 0


def test_long_files_take_time_in_proportion() -> None:
    """What would take for ever in a careless expression."""
    for suffix, long in [
        (".bif", "variable a { type discrete [ 2 ] { " + "(" * 40_000),
        (".bif", "/*" * 40_000),
        (".bif", "/ " * 40_000),
        (".bif", "property " + '"' * 40_001),
        (".bif", "variable a { property " + 'x"y"' * 20_000),
        (".bif", "variable a { property observed" + '" ' * 20_000 + ";"),
        (".bif", "probability ( a ) { table " + "1 " * 40_000),
        (".bif", "probability ( a | b ) {" + "(x) 1, 2 " * 10_000),
        (".bif", "probability ( a | b ) {" + "(x / y " * 10_000),
        (".net", "net { a = " + '"' * 40_001),
        (".net", "potential (a) { data = " + "(" * 40_000 + ";"),
        (".net", "node a { states = " + '("a" ' * 20_000 + ";"),
        (".xml", "<BIF><NETWORK>" + "<VARIABLE>" * 20_000),
        (".xml", "<BIF><NETWORK>" + "<VARIABLE><NAME>a</NAME></VARIABLE>" * 5_000),
        (".uai", "BAYES " + "1 " * 100_000),
        (".uai", "MARKOV 5 " + "2 " * 5 + "9999 " + "0 " * 100_000),
    ]:
        start = time.process_time()
        assert outcome(suffix, long.encode(), example_network("asia")) == "refused"
        assert time.process_time() - start < MOST_SECONDS, long[:40]
