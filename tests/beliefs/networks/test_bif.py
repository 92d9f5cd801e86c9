"""Files in BIF: read as what they say, or refused with the place and the reason."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

from sleuth import Choice, Model
from sleuth.errors import RecordError
from sleuth.networks import Network, read_bif, to_bif

from .peers import SPRINKLER

RAIN = {"yes": 0.2 * 0.99 * 0.5 + 0.2 * 0.01 * 0.99, "no": 0.8 * 0.4 * 0.6}
RAIN = {value: share / sum(RAIN.values()) for value, share in RAIN.items()}
#: P(B = u) is 0.2 * 0.1 + 0.8 * 0.7.
PAIR = """network n {{ }}
variable A {{ type discrete [ 2 ] {{ {x}, {y} }}; }}
variable B {{ type discrete [ 2 ] {{ u, v }}; }}
probability ( A ) {{ table 0.2, 0.8; }}
probability ( B | A ) {{
  {rows}
}}
"""


def read(text: str | bytes, folder: Path) -> Network:
    file = folder / "read.bif"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_bif(file)


def rain(network: Network) -> dict[str, float]:
    return network.query("rain", {"grass": "wet"}, method="enumeration")


@pytest.mark.parametrize(
    "text",
    [
        SPRINKLER,
        SPRINKLER.replace("\n", "\r\n").rstrip(),
        SPRINKLER.replace("\n", "\r"),
        SPRINKLER.replace("\n", " "),
        "\ufeff" + SPRINKLER,
        SPRINKLER.replace(", ", " "),
        SPRINKLER.replace(";\n}", ';\n  property weight = "a;b" ;\n}'),
        SPRINKLER.replace("{\n", '{ // a comment; with } and "\n'),
        SPRINKLER.replace(", ", ",/* two\nlines; */ "),
        SPRINKLER.replace("rain", '"rain"'),
        SPRINKLER.replace("(on, yes)", "( on ,yes )").replace("[ 2 ]", "[2]"),
        SPRINKLER.replace("{ yes, no };", "{ yes no }"),
        # In a table the child varies slowest.
        SPRINKLER.replace("(yes) 0.01, 0.99;\n  (no) 0.4, 0.6", "table 0.01, 0.4, 0.99, 0.6"),
        # JavaBayes writes no bar.
        SPRINKLER.replace("|", ","),
        SPRINKLER.replace("network sprinkler {\n}\n", ""),
        SPRINKLER.replace("(on, yes)", "property why = x;\n  (on, yes)"),
        SPRINKLER.replace("0.99, 0.01, 0.0;", "99e-2, +1.E-2, .0;"),
    ],
)
def test_a_file_says_the_same_however_it_is_laid_out(tmp_path: Path, text: str) -> None:
    assert rain(read(text, tmp_path)) == pytest.approx(RAIN, abs=1e-14)


@pytest.mark.parametrize("title, name", [("unknown", "read"), ("", "read"), ("wet", "wet")])
def test_a_file_without_a_title_lends_its_name(tmp_path: Path, title: str, name: str) -> None:
    text = SPRINKLER.replace("network sprinkler", f"network {title}")
    assert read(text, tmp_path).name == name


def test_a_packed_file_is_read(tmp_path: Path) -> None:
    network = read(gzip.compress(SPRINKLER.encode()), tmp_path)
    assert network.name == "sprinkler"
    assert rain(network) == pytest.approx(RAIN, abs=1e-14)


@pytest.mark.parametrize(
    "x, y, rows",
    [
        # What is not given is said for all at once.
        ("x", "y", "default 0.7, 0.3; (x) 0.1, 0.9;"),
        ("x", "y", "(x) 0.1, 0.9; default 0.7, 0.3;"),
        ("x", "y", "(y) 0.7, 0.3; (x) 0.1, 0.9;"),
        # Intervals, as R writes them.
        ("[0,1]", "(1,2]", "([0,1]) 0.1, 0.9; ((1,2]) 0.7, 0.3;"),
        ("(-Inf, 1)", "[1,Inf)", "((-Inf,1)) 0.1, 0.9; ([1, Inf)) 0.7, 0.3;"),
        ("<=1", ">1", "(<=1) 0.1, 0.9; (>1) 0.7, 0.3;"),
        ("n/a", "1", "(n/a) 0.1, 0.9; (1) 0.7, 0.3;"),
        ("table", "default", "(table) 0.1, 0.9; (default) 0.7, 0.3;"),
        ('"a, b"', '"c (d); {e}"', '("a, b") 0.1, 0.9; ("c (d); {e}") 0.7, 0.3;'),
        ('"http://x"', "'y'", "(\"http://x\") 0.1, 0.9; ('y') 0.7, 0.3;"),
        ("é", "日本", "(é) 0.1, 0.9; (日本) 0.7, 0.3;"),
    ],
)
def test_rows_and_names_of_all_kinds_are_read(tmp_path: Path, x: str, y: str, rows: str) -> None:
    network = read(PAIR.format(x=x, y=y, rows=rows), tmp_path)
    assert network.query("B")["u"] == pytest.approx(0.58, abs=1e-14)
    plain = [
        value.strip('"').replace(", ", ",") if "(" in x else value.strip('"') for value in (x, y)
    ]
    assert list(network.choices["A"].options) == plain


#: What is changed, and what is said of it then.
BROKEN = [
    (
        "table 0.2, 0.8",
        "table 0.2, 0.7",
        "line 13, column 9: the probabilities of 'rain' must add up to one",
    ),
    ("table 0.2, 0.8", "table -0.2, 1.2", "line 13, column 9: the numbers .* must be from 0 to 1"),
    ("table 0.2, 0.8", "table 0.2, nan", "line 13, column 14: the numbers .* must be from 0 to 1"),
    ("table 0.2, 0.8", "table 0.2, much", "line 13, column 14: this is no number .*'much'"),
    ("table 0.2, 0.8", "table 0.2, 0_8", "line 13, column 14: this is no number"),
    ("table 0.2, 0.8", "table 0.2", "line 12, column 1: the table of 'rain' needs 2 numbers"),
    ("(on, no) 0.6, 0.3, 0.1", "(on, no) 0.6, x, 0.1", "line 21, column 17: this is no number"),
    ("(on, no) 0.6, 0.3, 0.1", "(on, no) 0.6, 0.4", "line 21, column 3: a row of 'grass' needs 3"),
    (
        "(on, no) 0.6, 0.3, 0.1",
        "(on, no) 0.6, 0.3, 0.2",
        r"21, column 12: .*\(on, no\) must add up",
    ),
    ("(on, no) 0.6", "(on, maybe) 0.6", "line 21, column 3: 'rain' has no such value"),
    (
        "(on, no) 0.6",
        "(on) 0.6",
        "line 21, column 3: a row of 'grass' needs a value of each of its 2",
    ),
    (
        "(on, no) 0.6",
        "(on, yes) 0.6",
        r"line 21, column 3: a row of 'grass' is given twice.*on, yes",
    ),
    ("  (no) 0.4, 0.6;\n", "", r"line 15, column 1: the block of 'sprinkler' lacks a row .*\(no\)"),
    ("  (no) 0.4, 0.6;\n", "  table 0.4, 0.6, 0.4, 0.6;\n", "line 16, column 3: .* has a table"),
    (
        "  (no) 0.4, 0.6;\n",
        "  default 0.4;\n",
        "line 17, column 11: the default .* needs 2 numbers",
    ),
    ("  table 0.2, 0.8;\n", "", "line 12, column 1: this block has no probabilities"),
    ("  table 0.2, 0.8;\n", "  () 0.2, 0.8;\n", "line 13, column 3: .*no parents, and so no rows"),
    (
        "  table 0.2, 0.8;\n",
        "  table 0.2, 0.8;\n  table 1, 0;\n",
        "line 14, column 3: table comes twice",
    ),
    ("  table 0.2, 0.8;\n", "  table 0.2, 0.8\n", "line 14, column 1: here must be a number, or ;"),
    ("  table 0.2, 0.8;\n", "  tabel 0.2, 0.8;\n", "line 13, column 3: here must be a row"),
    ("| rain )", "| train )", "line 15, column 1: .* not declared .*'train'.* did you mean 'rain'"),
    ("| rain )", "| sprinkler )", "line 15, column 1: a variable is named twice"),
    (
        "[ 2 ] { on, off }",
        "[ 2 ] { on, on }",
        "line 6, column 1: a value of 'sprinkler' is named twice",
    ),
    ("[ 2 ] { on, off }", "[ 3 ] { on, off }", "line 7, column 19: 'sprinkler' has another number"),
    ("[ 2 ] { on, off }", "[ 2 ] { }", "line 7, column 19: 'sprinkler' has another number"),
    (
        "type discrete [ 2 ] { on",
        "type continuous [ 2 ] { on",
        "line 7, column 8: here must be discrete",
    ),
    ("variable grass", "variable rain", "line 9, column 1: a variable is declared twice .*'rain'"),
    ("probability ( rain )", "chance ( rain )", "line 12, column 1: here must be a block"),
    (
        "probability ( sprinkler | rain )",
        "probability ( rain )",
        "line 15, column 1: the probabilities of a variable are given twice",
    ),
    ("  type discrete [ 2 ] { yes, no };\n", "", "line 3, column 1: a variable has no values"),
    (
        "(off, no) 0.0, 0.0, 1.0;\n}\n",
        "(off, no) 0.0, 0.0, 1.0;\n",
        "line 24, column 1: .* the file ends",
    ),
    ("(yes) 0.01", "/* (yes) 0.01", "line 16, column 3: this comment does not end"),
    (SPRINKLER, "once upon a time", "line 1, column 1: here must be a block.*is it a BIF file"),
    (SPRINKLER, "", "line 1, column 1: no variable is declared here"),
]


@pytest.mark.parametrize("old, new, message", BROKEN)
def test_a_broken_file_is_refused_with_line_column_and_reason(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    assert old in SPRINKLER
    with pytest.raises(RecordError, match=message) as caught:
        read(SPRINKLER.replace(old, new), tmp_path)
    assert re.match(r"read\.bif, line \d+, column \d+: ", str(caught.value))


def test_variables_in_a_circle_are_refused(tmp_path: Path) -> None:
    rows = "  (wet) 0.2, 0.8;\n  (damp) 0.2, 0.8;\n  (dry) 0.2, 0.8;"
    text = SPRINKLER.replace("rain ) {\n  table 0.2, 0.8;", f"rain | grass ) {{\n{rows}")
    with pytest.raises(RecordError, match=r"line .*depend on each other in a circle"):
        read(text, tmp_path)


@pytest.mark.parametrize(
    "content, message",
    [
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "read.bif: this is no text.*is it the right file"),
        (b"\x1f\x8b\x08\x00 not really compressed", "cannot be unpacked"),
        (SPRINKLER.encode("utf-16"), "this is text in UTF-16; save the file in UTF-8"),
        (
            SPRINKLER.replace("damp", "für").encode("latin-1"),
            "line 10, column 31: this is text, but not in UTF-8.*Latin-1.*'ü'",
        ),
    ],
)
def test_other_encodings_are_named(tmp_path: Path, content: bytes, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        read(content, tmp_path)
    with pytest.raises(RecordError, match=r"nowhere\.bif"):
        read_bif(tmp_path / "nowhere.bif")


def test_marks_of_observed_values_count_only_if_they_are_ours_or_wanted(tmp_path: Path) -> None:
    mark = "property observed = wet ;\n}\nprobability ( rain )"
    foreign = tmp_path / "foreign.bif"
    foreign.write_text(SPRINKLER.replace("}\nprobability ( rain )", mark))
    assert read_bif(foreign).observed == {}
    assert read_bif(foreign, observed=True).observed == {"grass": "wet"}
    java = SPRINKLER.replace("}\nprobability ( rain )", mark.replace("= wet", "wet"))
    foreign.write_text(java)
    assert read_bif(foreign, observed=True).observed == {"grass": "wet"}
    sky = Choice("sky", ["clear", "grey"])
    ours = to_bif(Model(sky), [sky.value().weigh([0.2, 0.4])], tmp_path / "ours.bif")
    assert read_bif(ours.path).observed == ours.observed != {}
    assert read_bif(ours.path, observed=False).observed == {}
    # So they were written by sleuth 0.1, which did not sign them.
    old = ours.path.read_text().replace("  property written_by = sleuth ;\n", "")
    foreign.write_text(old)
    assert read_bif(foreign).observed == ours.observed
    foreign.write_text(SPRINKLER.replace("}\nprobability ( rain )", mark.replace("wet", "west")))
    with pytest.raises(RecordError, match="line 11, column 1: 'grass' has no such value"):
        read_bif(foreign)


def test_a_table_that_no_memory_holds_is_refused_before_it_is_made(tmp_path: Path) -> None:
    names = [f"v{number}" for number in range(40)]
    variables = [f"variable {name} {{ type discrete [ 2 ] {{ a, b }}; }}\n" for name in names]
    text = f"probability ( v0 | {', '.join(names[1:])} ) {{ default 0.5, 0.5; }}\n"
    with pytest.raises(RecordError, match=r"line 41, column 1: .*more than 20,000,000 numbers"):
        read("".join(variables) + text, tmp_path)
