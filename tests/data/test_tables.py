"""Small tables, for a terminal and for a notebook."""

from __future__ import annotations

import math
from html.parser import HTMLParser

import pytest

from sleuth.data.tables import aligned, html_note, html_shown, html_table
from sleuth.data.words import bits, percent

#: Elements that have no end.
VOID = {"br", "hr", "img", "input", "meta"}


class Checked(HTMLParser):
    """Whether every element ends, and which there are."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


NASTY = "<script>alert('x')</script> & \"quoted\""


def test_columns_stand_below_each_other() -> None:
    assert aligned([["name", "n"], ["a", "1,000"], ["long one", ""]]) == [
        "name          n",
        "a         1,000",
        "long one",
    ]


def test_whatever_a_cell_says_is_text() -> None:
    shown = html_shown(html_table([NASTY, "p"], [[NASTY, 0.25]], caption=NASTY), html_note(NASTY))
    checked = Checked(shown)
    assert checked.open == []
    assert set(checked.seen) <= {
        *("div", "style", "table", "caption", "thead", "tbody", "tr", "th", "td", "p"),
    }
    assert shown.count("&lt;script&gt;") == 4


def test_words_stand_at_the_left_and_numbers_at_the_right() -> None:
    rows = [
        ["asia", "1 or 2 values", "-0.5 to +1,200.5", "41 %"],
        ["tub", "-", "−3", "?"],
    ]
    shown = html_table(["", "values", "interval", "share"], rows)
    for words in ("values", "1 or 2 values", "-"):
        assert f' class="words">{words}</t' in shown
    for number in ("interval", "-0.5 to +1,200.5", "−3", "41 %", "?"):
        assert f"<td>{number}</td>" in shown or f"<th>{number}</th>" in shown


def test_a_probability_is_a_percentage_on_a_ground_as_dark() -> None:
    assert '<td class="share" style="--p:0.25">25 %</td>' in html_table(["p"], [[0.25]])


def test_without_headings_there_is_no_head() -> None:
    assert "<thead>" not in html_table(["", ""], [["a", "b"]])


@pytest.mark.parametrize(
    "value, plain, signed",
    [
        (1.234, "1.23", "+1.23"),
        (-1.234, "−1.23", "−1.23"),
        (-0.001, "0.00", "0.00"),
        (math.inf, "∞", "+∞"),
        (-math.inf, "−∞", "−∞"),
    ],
)
def test_bits_have_a_true_minus_and_certainty_a_sign(value: float, plain: str, signed: str) -> None:
    assert (bits(value), bits(value, sign=True)) == (plain, signed)


def test_what_is_open_is_never_written_as_certain() -> None:
    assert [percent(p) for p in (0.0, 1e-6, 0.5, 1 - 1e-6, 1.0)] == ["0", "<1", "50", ">99", "100"]
