"""The report of a game of Scotland Yard: whole, safe, and without what the viewer cannot see."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from sleuth.apps.scotland_yard.report.page import HuntPage
from sleuth.apps.scotland_yard.report.rounds import in_words, rounds
from sleuth.apps.scotland_yard.transcript import HuntAnalysis
from sleuth.games.scotland_yard import board

from ..hunts import analyse, analysed, hunt


def html_report(analysis: HuntAnalysis) -> str:
    return HuntPage().html([analysis])


VOID = {"meta", "input", "br", "hr", "link"}


class Reader(HTMLParser):
    """Reads a page strictly: every element is closed where it should be."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def read(page: str) -> Reader:
    reader = Reader()
    reader.feed(page)
    reader.close()
    assert reader.open == []
    return reader


@pytest.mark.parametrize("moves", [0, 1, 7, 40, 1_000])
def test_a_report_is_one_well_formed_page_that_loads_nothing(moves: int) -> None:
    page = html_report(analysed(4, moves=moves))
    found = read(page)
    assert not found.all("script")
    for _, attributes in found.elements:
        for name, value in attributes.items():
            assert not name.startswith("on")
            if name in ("src", "href"):
                assert value is not None
                assert value.startswith("#")
    assert "url(" not in page
    assert "default-src &#x27;none&#x27;" in page
    ids = [each["id"] for _, each in found.elements if "id" in each]
    assert len(ids) == len(set(ids))
    assert {each["href"] for each in found.all("use")} <= {f"#{name}" for name in ids}


def test_every_line_of_the_game_can_be_chosen_and_one_is() -> None:
    analysis = analysed(4)
    found = read(html_report(analysis))
    lines = rounds(analysis)
    buttons = [each for each in found.all("input") if each["type"] == "radio"]
    assert [each["id"] for each in buttons] == [f"t{place}" for place in range(len(lines))]
    assert [each["aria-label"] for each in buttons] == [in_words(line) for line in lines]
    assert sum("checked" in each for each in buttons) == 1
    chosen = {each["for"] for each in found.all("label")} - {"large"}
    assert chosen == {each["id"] for each in buttons}
    classes = " ".join(each.get("class") or "" for _, each in found.elements).split()
    for place in range(len(lines)):
        assert {f"f{place}", f"c{place}", f"b{place}"} <= set(classes)


def test_the_board_has_every_connection_and_station_once() -> None:
    page = html_report(analysed(4, moves=0))
    drawn = re.search(r'<svg [^>]*class="board".*?</svg>', page, re.DOTALL)
    assert drawn is not None
    ways = dict(re.findall(r'<path d="([^"]*)" class="way (\w+)"', drawn[0]))
    for transport, count in (("taxi", 346), ("bus", 99), ("underground", 20), ("ferry", 3)):
        (path,) = [path for path, name in ways.items() if name == transport]
        assert path.count("M") == count
    assert drawn[0].count('class="stop ') == 199
    x, y = board().places[45]
    assert f'<text x="{x}" y="{y + 5}">46</text>' in drawn[0]


@pytest.mark.parametrize("observer", ["seekers", "spectator"])
def test_a_report_for_who_does_not_see_him_is_that_of_a_public_record(observer: str) -> None:
    record = hunt(4)
    full = html_report(analyse(record, observer))
    public = html_report(analyse(record.without_truth(), observer))
    assert full == public
    assert "Mr. X was at" not in full
    assert "Mr. X was at" in html_report(analysed(4))


def test_a_name_cannot_become_markup() -> None:
    page = html_report(analysed(4, moves=7))
    assert "A &lt;hunt&gt; &amp; more" in page
    assert "<hunt>" not in page


def test_heat_spots_are_the_possible_stations() -> None:
    analysis = analysed(4)
    page = html_report(analysis)
    for place, moments in enumerate(rounds(analysis)):
        group = re.search(rf'<g class="f{place}"><g class="heat">(.*?)</g>', page, re.DOTALL)
        assert group is not None
        stations = {int(each) for each in re.findall(r"<title>(\d+): ", group[1])}
        assert stations == {station for station, _ in moments[-1].detail.ranked}


def test_the_board_can_be_enlarged_without_a_script() -> None:
    page = html_report(analysed(4))
    read(page)
    box = page.index('type="checkbox" id="large"')
    assert page.count('for="large"') == 2, "a button and the board itself"
    assert box < page.index('class="frame"') < page.index(' class="board"')
    assert "#large:checked ~ .frame svg.board { width: max(84rem, 150%)" in page
    assert "<script" not in page
