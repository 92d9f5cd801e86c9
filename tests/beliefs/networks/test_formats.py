"""Networks in files of all formats: read, written, read again, and read by other tools.

With ``SLEUTH_FUZZ`` all networks that pgmpy ships go through all formats, not the small ones alone.
"""

from __future__ import annotations

import gzip
import os
import re
from importlib import import_module
from math import log
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import Choice, infer
from sleuth.beliefs.networks.formats.contents import (
    NetworkContents,
    StatedTable,
    StatedValue,
    StatedVariable,
    network_of,
)
from sleuth.errors import EvidenceError, RecordError, SettingsError, UnsupportedError
from sleuth.networks import (
    Network,
    example_network,
    read_evidence,
    read_network,
    write_evidence,
    write_network,
)

from .peers import pgmpy_model, pyagrum, quietly

#: Small enough to be read by all, with many states, many parents, and names that are no words.
SMALL = ("asia", "cancer", "earthquake", "sachs", "survey", "child", "insurance", "alarm")
LARGE = (
    *("andes", "barley", "diabetes", "hailfinder", "hepar2", "link", "mildew", "munin", "munin1"),
    *("munin2", "munin3", "munin4", "pathfinder", "pigs", "water", "win95pts"),
)
SHIPPED = SMALL if "SLEUTH_FUZZ" not in os.environ else (*SMALL, *LARGE)
SUFFIXES = (".bif", ".xml", ".net", ".uai", ".bif.gz")

XMLBIF = """<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE BIF [
  <!ELEMENT BIF ( NETWORK )*> <!ATTLIST BIF VERSION CDATA #REQUIRED>
]>
<BIF VERSION="0.3"><NETWORK>
<NAME>Dog &amp; Problem</NAME>
<!-- Variables -->
<VARIABLE TYPE="nature">
  <NAME>out</NAME><OUTCOME>d\xe9hors</OUTCOME><OUTCOME> &lt;in </OUTCOME>
  <PROPERTY>position = (155, 165)</PROPERTY><PROPERTY>observed = d\xe9hors</PROPERTY>
</VARIABLE>
<VARIABLE TYPE="nature"><NAME>ill</NAME><OUTCOME>yes</OUTCOME><OUTCOME>no</OUTCOME></VARIABLE>
<VARIABLE TYPE="nature"><NAME>away</NAME><OUTCOME>a</OUTCOME><OUTCOME>b</OUTCOME></VARIABLE>
<DEFINITION><FOR>out</FOR><GIVEN>ill</GIVEN><GIVEN>away</GIVEN>
  <TABLE>0.99 0.01 <!-- (ill, b) --> 0.97 0.03
  0.9 0.1 0.3 0.7</TABLE></DEFINITION>
<DEFINITION><FOR>ill</FOR><TABLE>0.01 0.99</TABLE></DEFINITION>
<DEFINITION><FOR>away</FOR><TABLE>0.15 0.85</TABLE></DEFINITION>
</NETWORK></BIF>
"""

NET = """% HUGIN writes comments
net { name = "dogs"; node_size = (50 50); }
discrete node out { label = "is { it; } out?"; states = ("out" "<in"); observed = "out"; }
node ill
{
  states = (yes no); % quotes are not needed
}
node away { states = ("a" "b"); }
potential (ill) { data = (0.01 0.99); }
potential (away | ) { data = (0.15 0.85); }
potential (out | ill away) {
  data = (((0.99 0.01)   % ill=yes  away=a
           (0.97 0.03))
          ((0.9 0.1)(0.3 0.7)));
}
"""

UAI = """BAYES
3
2 2 2
3
3 1 2 0
1 1
1 2

8
0.99 0.01 0.97 0.03
0.9 0.1 0.3 0.7
2 0.01 0.99
2 0.15 0.85
"""

#: Of the variable that comes first in each of them.
OUT = 0.01 * (0.15 * 0.99 + 0.85 * 0.97) + 0.99 * (0.15 * 0.9 + 0.85 * 0.3)


def saved(text: str, folder: Path, suffix: str) -> Path:
    file = folder / f"read{suffix}"
    file.write_bytes(text.encode("latin-1"))
    return file


@pytest.mark.parametrize("suffix, text", [(".xml", XMLBIF), (".net", NET), (".uai", UAI)])
def test_a_file_that_was_written_by_hand_is_what_it_says(
    tmp_path: Path, suffix: str, text: str
) -> None:
    network = read_network(saved(text, tmp_path, suffix))
    first, *others = network.choices
    assert next(iter(network.query(first, method="enumeration").values())) == pytest.approx(OUT)
    assert network.parents[first] == tuple(others)
    assert network.observed == {}
    if suffix != ".uai":
        value = network.choices["out"].options[0]
        assert read_network(tmp_path / f"read{suffix}", observed=True).observed == {"out": value}
    if suffix == ".xml":
        assert (network.name, network.choices["out"].options) == (
            "Dog & Problem",
            ("déhors", "<in"),
        )


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", SHIPPED)
def test_a_network_comes_back_from_every_format(name: str, suffix: str, tmp_path: Path) -> None:
    network, file = example_network(name), tmp_path / f"written{suffix}"
    write_network(network, file)
    again = read_network(file)
    if suffix == ".uai":
        number = {variable: str(place) for place, variable in enumerate(network.choices)}
        assert [*again.choices] == [*number.values()]
        for variable, choice in network.choices.items():
            other = again.choices[number[variable]]
            assert again.parents[other.name] == tuple(map(number.get, network.parents[variable]))
            np.testing.assert_array_equal(other.table, choice.table)
        return
    assert again.choices == network.choices
    assert again.parents == network.parents
    assert again.name == network.name or network.name == name
    assert (file.read_bytes()[:2] == b"\x1f\x8b") == suffix.endswith(".gz")


def pgmpy_tables(file: Path) -> dict[str, Any]:
    readers = {".xml": "XMLBIFReader", ".net": "NETReader"}
    if file.suffix == ".bif":
        model = pgmpy_model(path=str(file))
    else:
        with quietly():
            reader = getattr(import_module("pgmpy.readwrite"), readers[file.suffix])
            model = reader(str(file)).get_model()
    return {cpd.variable: cpd for cpd in model.get_cpds()}


@pytest.mark.parametrize("suffix", [".bif", ".xml", ".net"])
@pytest.mark.parametrize("name", ["asia", "child"])
def test_pgmpy_reads_the_same_tables(name: str, suffix: str, tmp_path: Path) -> None:
    network, file = example_network(name), tmp_path / f"written{suffix}"
    write_network(network, file)
    for variable, cpd in pgmpy_tables(file).items():
        about = (*network.parents[variable], variable)
        table = np.transpose(cpd.values, [cpd.variables.index(each) for each in about])
        for axis, each in enumerate(about):
            states = [*map(str, cpd.state_names[each])]
            table = table.take([states.index(s) for s in network.choices[each].options], axis=axis)
        np.testing.assert_array_equal(table.ravel(), network.choices[variable].table.ravel())


@pytest.mark.parametrize("suffix", [".bif", ".bifxml", ".net"])
@pytest.mark.parametrize("name", ["asia", "alarm", "insurance", "win95pts"])
def test_pyagrum_reads_the_same_tables_and_its_files_are_read(
    name: str, suffix: str, tmp_path: Path
) -> None:
    gum, network, file = pyagrum(), example_network(name), tmp_path / f"written{suffix}"
    write_network(network, file)
    theirs = gum.loadBN(str(file))
    gum.saveBN(theirs, str(file))
    for ours in (network, read_network(file)):
        assert {*ours.choices} == {*network.choices}
        for variable, choice in ours.choices.items():
            about = [variable, *reversed(ours.parents[variable])]
            table = theirs.cpt(variable)
            table = (table.reorganize(about) if about[1:] else table).toarray()
            # pyAgrum reads numbers in single precision.
            np.testing.assert_allclose(table.ravel(), choice.table.ravel(), atol=1e-6)
            assert choice.options == network.choices[variable].options


def test_names_of_all_kinds_come_back_or_are_refused(tmp_path: Path) -> None:
    states = ["a b", "<&>", "(1,2]", "[x", "y]", "1", "", "né;e{", "a//b", "/*", "%", "'", "=5"]
    variables = [StatedVariable("a, (b)", tuple(states), ""), StatedVariable("table", ("1",), "")]
    tables = [
        StatedTable("a, (b)", ("table",), np.full(13, 1 / 13), ""),
        StatedTable("table", (), np.ones(1), ""),
    ]
    seen = [StatedValue("a, (b)", "<&>", "")]
    network = network_of(NetworkContents("my net", variables, tables, "", seen, own=True))
    for suffix in (".bif", ".xml"):
        write_network(network, tmp_path / f"names{suffix}")
        again = read_network(tmp_path / f"names{suffix}")
        assert again.choices == network.choices
        assert (again.name, again.observed) == ("my net", {"a, (b)": "<&>"})
    with pytest.raises(UnsupportedError, match=r"named by a letter.*'a, \(b\)'.*XMLBIF"):
        write_network(network, tmp_path / "names.net")
    with pytest.raises(UnsupportedError, match="no place for observed values"):
        write_network(network, tmp_path / "names.uai")
    quote = Network("n", {'"': Choice('"', ["x", "y"])}, {'"': ()}, (), {})
    for suffix in (".bif", ".net"):
        with pytest.raises(UnsupportedError, match="XMLBIF"):
            write_network(quote, tmp_path / f"quote{suffix}")
    write_network(quote, tmp_path / "quote.xml")
    assert read_network(tmp_path / "quote.xml").choices == quote.choices
    with pytest.raises(UnsupportedError, match="the same name"):
        write_network(
            Network("n", {"x": Choice("x", ["1", 1])}, {"x": ()}, (), {}), tmp_path / "twice.bif"
        )
    assert sorted(file.name for file in tmp_path.iterdir()) == [
        "names.bif",
        "names.xml",
        "quote.xml",
    ]


MARKOV = """MARKOV
3
2 2 3
2
2 0 1
3 0 1 2

4
 4.0 2.0
 1.0 0.0
12
 2.0 5.0 3.0   0.5 1.0 1.5
 1.0 1.0 1.0   9.0 9.0 9.0
"""


def test_a_markov_network_is_its_factors_and_their_sum_the_partition_function(
    tmp_path: Path,
) -> None:
    file = saved(MARKOV, tmp_path, ".uai")
    network = read_network(file)
    # 4 * (2 + 5 + 3) + 2 * (0.5 + 1 + 1.5) + 1 * 3 + 0
    posterior = network.infer(method="enumeration")
    assert network.log_probability(posterior) == pytest.approx(log(40.0 + 6.0 + 3.0))
    assert network.query("0") == pytest.approx({"0": 46 / 49, "1": 3 / 49})
    seen = infer(network.model, network.observe({"1": "1"}), method="enumeration")
    assert network.log_probability(seen) == pytest.approx(log(6.0))
    write_network(network, tmp_path / "again.uai")
    again = read_network(tmp_path / "again.uai")
    assert again.choices == network.choices
    assert [piece.table.tolist() for piece in again.evidence] == [
        piece.table.tolist() for piece in network.evidence
    ]
    for suffix in (".bif", ".xml", ".net"):
        with pytest.raises(UnsupportedError, match=r"this is a Markov network.*\.uai"):
            write_network(network, tmp_path / f"again{suffix}")


def test_evidence_comes_in_files_of_its_own(tmp_path: Path) -> None:
    asia, file = example_network("asia"), tmp_path / "asia.uai.evid"
    write_evidence({"xray": "yes", "asia": "no"}, asia, file)
    assert read_evidence(file, asia) == [{"xray": "yes", "asia": "no"}]
    file.write_text("2\n1 0 0\n2 1 0\n 2 1")
    assert read_evidence(file, asia) == [{"asia": "yes"}, {"tub": "yes", "smoke": "no"}]
    file.write_text("0\n")
    assert read_evidence(file, asia) == [{}]
    for text, message in [
        ("1 8 0", r"line 1, column 3: here must be a variable.*up to 7 \(got '8'\)"),
        ("1 0 2", "line 1, column 5: here must be a value of variable asia"),
        ("2 0 1 0 1", "line 1, column 7: a variable is observed twice"),
        ("1 2 0 1 1", "line 1, column 3: here must be the number of observed variables"),
        ("", "line 1, column 1: .*the file ends"),
    ]:
        file.write_text(text)
        with pytest.raises(RecordError, match=message):
            read_evidence(file, asia)
    with pytest.raises(EvidenceError, match="did you mean 'xray'"):
        write_evidence({"xrai": "yes"}, asia, file)


BROKEN = [
    (".xml", "<TABLE>0.01", "<TABLE>0.o1", "line 17, column 34: this is no number .*'0.o1'"),
    (".xml", "0.9 0.1 0.3", "0.9 0.2 0.3", r"line 16, column 3: .*'out' given \(no, a\) must add"),
    (".xml", "0.9 0.1 0.3", "0.9 -.1 0.3", "line 16, column 7: the numbers .* from 0 to 1"),
    (".xml", "0.9 0.1 0.3", "0.9 0.3", "line 14, column 1: .* needs 2 x 2 x 2 = 8 numbers"),
    (".xml", "<FOR>ill</FOR>", "", "line 17, column 1: this DEFINITION has no FOR"),
    (".xml", "<FOR>ill</FOR>", "<FOR>il</FOR>", "line 17, column 1: .*not declared.*mean 'ill'"),
    (".xml", "<FOR>ill</FOR>", "<FRO>ill</FRO>", "line 17, column 13: this element .*'FOR'"),
    (".xml", "<FOR>ill</FOR>", "<FOR>out</FOR>", "line 17, column 1: .*given twice .*'out'"),
    (
        ".xml",
        "<FOR>ill</FOR>",
        "ill<FOR>ill</FOR>",
        "line 17, column 13: here is no place for text",
    ),
    (".xml", "<NAME>ill</NAME>", "<NAME>out</NAME>", "line 12, column 1: .*declared twice"),
    (
        ".xml",
        '"nature"><NAME>ill',
        '"utility"><NAME>ill',
        "line 12, column 1: .*influence diagrams",
    ),
    (".xml", "</NETWORK>", "", "line 19, column 3: this is no XML: mismatched tag"),
    (".xml", "]>", '<!ENTITY a "b">]>', "line 4, column 12: entities are not read .*'a'"),
    (".xml", "ISO-8859-1", "EBCDIC-X", "line 1, column .*: this is no XML: unknown encoding"),
    (".net", "(0.01 0.99)", "(0.01 O.99)", "line 9, column 32: this is no number .*'O.99'"),
    (".net", "(0.9 0.1)", "(0.9 0.2)", r"line 14, column 13: .*'out' given \(no, a\) must add up"),
    (".net", "(0.9 0.1)", "(0.9)", "line 12, column 10: the rows of 'out' are not of one length"),
    (".net", "(0.9 0.1)", "", "line 11, column 1: .* needs 2 x 2 x 2 = 8 numbers"),
    (".net", "(0.9 0.1)", "(0.9 0.1", "line 12, column 10: a bracket .* does not close"),
    (".net", "(0.9 0.1)", "0.9 0.1)", "line 14, column .*: this bracket closes nothing"),
    (
        ".net",
        "data = (0.01 0.99)",
        "model_data = (x)",
        "line 9, column 1: .*expressions are not read",
    ),
    (".net", "states = (yes no);", "", "line 4, column 1: a node has no states"),
    (".net", "discrete node out", "utility out", "line 3, column 1: only chance nodes .*'utility'"),
    (
        ".net",
        "potential (ill)",
        "potential (ill away)",
        r"line 9, column 16: here must be . or \), since",
    ),
    (".net", "node ill", "knot ill", "line 4, column 1: here must be a block.*is it a NET file"),
    (".uai", "BAYES", "BAYS", "line 1, column 1: here must be BAYES or MARKOV .*'BAYS'"),
    (
        ".uai",
        "\n3\n3 1",
        "\n2\n3 1",
        "line 4, column 1: a Bayesian network of 3 variables has as many",
    ),
    (
        ".uai",
        "3 1 2 0",
        "3 1 3 0",
        r"line 5, column 5: here must be a variable of table 0.* up to 2",
    ),
    (".uai", "3 1 2 0", "3 1 1 0", "line 9, column 1: a variable is named twice"),
    (
        ".uai",
        "8\n",
        "7\n",
        "line 9, column 1: the table of .0. needs 2 x 2 x 2 = 8 numbers|line 11",
    ),
    (
        ".uai",
        "2 0.15 0.85",
        "2 0.15",
        "line 14, column 1: table 2 has 2 numbers, but the file ends",
    ),
    (".uai", "2 0.15 0.85", "2 0.15 x", "line 13, column 8: this is no number"),
    (".uai", "2 0.15 0.85", "2 0.15 0.85 1", "line 13, column 13: nothing comes after"),
    (".uai", "0.9 0.1", "0.9 0.2", "line 11, column 1: the probabilities of '0'"),
]


@pytest.mark.parametrize("suffix, old, new, message", BROKEN)
def test_a_broken_file_is_refused_with_line_column_and_reason(
    tmp_path: Path, suffix: str, old: str, new: str, message: str
) -> None:
    text = {".xml": XMLBIF, ".net": NET, ".uai": UAI}[suffix]
    assert old in text
    file = saved(text.replace(old, new), tmp_path, suffix)
    with pytest.raises(RecordError, match=message) as caught:
        read_network(file)
    assert re.match(r"read\.\w+, line \d+, column \d+: ", str(caught.value))


def test_names_of_several_lines_make_no_message_of_several_lines(tmp_path: Path) -> None:
    text = XMLBIF.replace("&lt;in", "a\nb").replace("observed = d\xe9hors", "observed = c")
    with pytest.raises(RecordError, match=r"line 11, .* no such value .*; known: déhors, a b$"):
        read_network(saved(text, tmp_path, ".xml"))


def test_a_name_that_says_no_format_is_refused(tmp_path: Path) -> None:
    for ask in (read_network, lambda path: write_network(example_network("asia"), path)):
        with pytest.raises(SettingsError, match=r"says its format.*\.bif, \.xml"):
            ask(tmp_path / "asia.txt")
    with pytest.raises(SettingsError, match="cannot be written"):
        write_network(example_network("asia"), tmp_path / "nowhere" / "asia.bif")
    file = tmp_path / "asia.BIF.GZ"
    write_network(example_network("asia"), file)
    assert gzip.decompress(file.read_bytes()).startswith(b"network")
    assert [*read_network(file).choices] == [*example_network("asia").choices]
