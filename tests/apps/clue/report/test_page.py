"""The HTML report says what the analysis says, loads nothing, and survives any name."""

from __future__ import annotations

import dataclasses
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest

from sleuth.apps.clue.findings import ClueAnalysis
from sleuth.games.clue import CARDS, CASE_FILE, ClueRecord, load

from ..analyses import analyse, html_report

GAMES = Path(__file__).resolve().parents[4] / "data" / "clue" / "games"
VOID = {"meta", "br", "hr", "link", "img", "input", "base"}
NASTY = [
    '<script>alert("x")</script>',
    "</style><b>'&amp;",
    '" onload="x',
    "\N{HEBREW LETTER ALEF}b",
]


@cache
def analysed(file: str, viewer: str | None = None, events: int | None = None) -> ClueAnalysis:
    record = load(GAMES / file)
    game = record.seen_by(viewer)
    if events is not None:
        game = game.until(events)
    return analyse(
        game, method="card_by_card", advice=2, suggestions=5, name=record.name, source=record.source
    )


CASES = [
    ("neller_main.json", None, None),
    ("plum_game2.json", None, None),
    ("plum_game2.json", None, 2),
    ("plum_game2.json", None, 0),
    ("ledford_02.json", "Player2", 9),
    ("ledford_02.json", "spectator", None),
    ("gregstoll_simple_suggest.json", None, None),
]
analyses = pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(map(str, case)))


class Page(HTMLParser):
    """Tags, ids, links and text of a page; complains about tags that are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(key, value or "") for key, value in attrs]
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return "".join(self.texts)

    def values(self, name: str) -> list[str]:
        return [value for key, value in self.attributes if key == name]


@analyses
def test_a_report_is_one_well_formed_page_whose_links_lead_somewhere(
    case: tuple[str, str | None, int | None],
) -> None:
    page = Page(html_report(analysed(*case)))
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    targets = [link.removeprefix("#") for link in page.values("href")]
    assert set(targets) <= set(ids)


@analyses
def test_a_report_loads_and_runs_nothing(case: tuple[str, str | None, int | None]) -> None:
    text = html_report(analysed(*case))
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "object", "base"} & set(page.tags)
    assert all(link.startswith("#") for link in page.values("href"))
    assert page.values("src") == []
    assert not any(key.startswith("on") for key, _ in page.attributes)
    assert not re.search(r"url\(|@import|https?://", text)
    assert any("default-src 'none'" in value for value in page.values("content"))


@analyses
def test_a_report_names_what_it_was_made_from(case: tuple[str, str | None, int | None]) -> None:
    analysis = analysed(*case)
    text = Page(html_report(analysis)).text
    words = ("card by card (exact)", analysis.version, "at random")
    for word in (*analysis.findings.seen.players, *words):
        assert word in text
    assert analysis.record_sha256 in text


def test_the_same_analysis_gives_the_same_bytes() -> None:
    case = ("neller_main.json", None, None)
    analysis = analysed(*case)
    slower = dataclasses.replace(
        analysis,
        timeline=tuple(
            dataclasses.replace(moment, seconds=moment.seconds + 1.0)
            for moment in analysis.timeline
        ),
    )
    assert html_report(analysis) == html_report(slower)


def renamed(names: list[str]) -> ClueAnalysis:
    written = load(GAMES / "ledford_02.json").to_json()
    fresh = {f"Player{seat}": name for seat, name in enumerate(names, start=1)}

    def swap(value: object) -> object:
        if isinstance(value, str):
            return fresh.get(value, value)
        if isinstance(value, list):
            return [swap(entry) for entry in value]
        if isinstance(value, dict):
            return {fresh.get(key, key): swap(entry) for key, entry in value.items()}
        return value

    record = ClueRecord.from_json(swap(written))
    return analyse(
        record.seen_by(names[1]).until(6), method="card_by_card", name=NASTY[0], source=NASTY[1]
    )


def test_names_are_text_whatever_they_hold() -> None:
    page = Page(html_report(renamed(NASTY)))
    assert not {"script", "b onload"} & set(page.tags)
    assert page.tags.count("style") == 1
    assert not any(key.startswith("on") for key, _ in page.attributes)
    for name in NASTY:
        assert name in page.text


def test_long_names_are_kept_whole() -> None:
    names = [letter * 80 for letter in "abcd"]
    page = Page(html_report(renamed(names)))
    assert all(name in page.text for name in names)


# What it says


def cells(analysis: ClueAnalysis) -> dict[tuple[str, str], str]:
    """Text of the notebook's cells: (card, holder) -> text."""
    text = html_report(analysis)
    table = text[text.index("<table") : text.index("</table>")]
    found: dict[tuple[str, str], str] = {}
    holders = [
        CASE_FILE,
        *analysis.findings.seen.players,
        *(["face up"] if analysis.findings.seen.face_up else []),
    ]
    for row in re.findall(r"<tr><th scope=\"row\">(.*?)</tr>", table):
        card = row[: row.index("<")]
        inside = [re.sub(r"<[^>]*>", "", cell) for cell in re.findall(r"<td[^>]*>(.*?)</td>", row)]
        found |= {(card, holder): cell for holder, cell in zip(holders, inside, strict=True)}
    return found


@analyses
def test_the_notebook_shows_every_marginal(case: tuple[str, str | None, int | None]) -> None:
    analysis = analysed(*case)
    shown = cells(analysis)
    certain = {(each.name, each.value) for each in analysis.proven}
    assert {card for card, _ in shown} == set(CARDS)
    for (card, holder), text in shown.items():
        probability = analysis.findings.marginals[card].get(holder, 0.0)
        if (card, holder) in certain:
            assert text == "\N{CHECK MARK}"
        elif probability == 0.0:
            assert text == "\N{MIDDLE DOT}"
        elif text[:4] not in ("&lt;", "&gt;"):
            assert float(text) == pytest.approx(100 * probability, abs=0.5)


def test_every_event_says_what_it_told_and_what_was_left() -> None:
    analysis = analysed("neller_main.json")
    text = html_report(analysis)
    for before, after in zip(analysis.timeline, analysis.timeline[1:], strict=False):
        row = text[text.index(f'id="event-{after.event}"') :]
        row = row[: row.index("</li>")]
        told = re.search(r"<b>(.*?)</b>", row)
        left = re.search(r'class="left">(.*?)<', row)
        assert told is not None
        assert left is not None
        value = float(told[1].replace("\N{MINUS SIGN}", "-"))
        assert value == pytest.approx(before.entropy_bits - after.entropy_bits, abs=0.0051)
        assert float(left[1]) == pytest.approx(after.entropy_bits, abs=0.0051)


def test_the_summary_says_when_the_case_file_was_certain() -> None:
    text = Page(html_report(analysed("neller_main.json"))).text
    assert "After event 27 the case file was certain: peacock, lead pipe, billiard room." in text


def test_the_summary_says_how_much_was_left_otherwise() -> None:
    analysis = analysed("ledford_02.json", "spectator")
    text = Page(html_report(analysis)).text
    left = analysis.timeline[-1].entropy_bits
    assert f"After the last event {left:.2f} bits were left" in text
    assert f"{len(analysis.findings.case_file)} triples possible" in text


def test_own_turns_are_set_beside_the_best_suggestion() -> None:
    analysis = analysed("plum_game2.json")
    text = Page(html_report(analysis)).text
    turns = [m.detail.suggestion for m in analysis.timeline if m.detail.suggestion]
    assert turns
    for turn in turns:
        assert f"Promised {turn.made.bits:.2f} bits" in text
        assert f"worth {turn.made.worth:.2f}" in text
        assert f"{turn.best[0].worth:.2f}" in text


def test_one_who_only_looks_on_has_no_own_turns_and_gets_no_advice() -> None:
    text = html_report(analysed("ledford_02.json", "spectator"))
    assert "What to ask next" not in text
    assert 'class="own"' not in text
    assert "triangles mark own turns" not in text


def test_an_estimate_is_called_one_and_never_certain_when_it_is_not() -> None:
    exact = analysed("neller_main.json")
    estimate = dataclasses.replace(
        exact, exact=False, method="metropolis", proven=(), notes=("few samples",)
    )
    text = Page(html_report(estimate)).text
    assert "an estimate" in text
    assert "few samples" in text
    assert "the case file was certain" not in text
    assert "By this estimate nothing but peacock, lead pipe, billiard room was left." in text
    assert "\N{CHECK MARK}" not in text
