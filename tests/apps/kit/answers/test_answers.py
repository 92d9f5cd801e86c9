"""Answers are plain data: text, HTML and JSON are made of the same values."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import TypeAdapter, ValidationError
from rich.console import Console

from sleuth import (
    Budget,
    Deal,
    Model,
    Play,
    Search,
    SearchAgent,
    belief,
    compare,
    game,
    play_match,
    train,
)
from sleuth.answers import (
    Area,
    Bars,
    Column,
    Command,
    Facts,
    Grid,
    Map,
    Paragraph,
    Refusal,
    Section,
    Sheet,
    Spot,
    Statement,
    Tile,
    Track,
    as_text,
    printed,
    schema,
    shown,
    statement,
    to_json,
)
from sleuth.apps.kit.answers.forms import (
    ComparisonForm,
    DecisionForm,
    GameCheck,
    MatchForm,
    TrainingForm,
)
from sleuth.apps.kit.answers.schema import Kind
from sleuth.apps.kit.answers.text import sentence
from sleuth.apps.kit.answers.values import Curve, CurveLine
from sleuth.games.cheat import mini_cheat, rows_of, simulate
from sleuth.search import Learning

from ...conftest import Sleuth

ROOT = Path(__file__).parents[4]
NASTY = "<b>\x1b[31m & 'x'"
SHEET = Sheet(
    (Column("card"), Column("left", "right"), Column(bar=10)),
    (("rope", "2", 0.5), (Paragraph("plum", "soft"), "10", 1.0)),
)
EVERY: tuple[Statement, ...] = (
    Paragraph("Bob has plum.\nCleo has rope.", "strong"),
    Command("sleuth play --resume a.json"),
    Refusal("no such card (got 'x'); did you mean 'y'?", "x", "did you mean 'y'?"),
    Facts((("log", "what was entered"), ("a long word of its own", "below it")), column=8),
    SHEET,
    Bars("card of second", (("queen", 0.75), ("king", 0.25)), bits=0.81, more=2, rest=0.0),
    Grid("board", (("·", Tile("X", tone="strong")), ("O", "·")), ("1", "2"), ("a", "b"), "X, O",
         across=2),
    Grid("mine", ((Tile(ways="es", ground="open"), Tile("[?]", ground="down")),), ("1",),
         ("a", "b")),
    Map("board", (Spot("X", 0, 0, piece="X"), Spot("2", 9, 9, goal="t", colour="red")),
        (Track("taxi", "dotted", "yellow", "t"),), ((0, 1, 0),), mover=0, legend="X is you"),
    Section("What is open", (Paragraph("Nothing.", blank="above"),), lead="By what was seen."),
    Sheet((Column("agent", joints=True, note="Agent: who plays."), Column("worth", room=30)),
          (("mcts:worlds=8", "0.50 to 0.75"),), close=0),
    Curve("chance to win", (CurveLine("first", (0.5, None, 1.0)), CurveLine("second", (0.5, 0.2))),
          at=2, line="first"),
    Curve("open", (CurveLine("bits", (2.0, 0.5)),), most=3.0),
)  # fmt: skip

#: What a page says in other words than a terminal.
DRAWN: tuple[Statement, ...] = (
    Grid("plan", ((Tile("S", colour="red", title="Miss <Scarlet>"), "+", "."),), ("1",),
         ("a", "b", "c"), "+ door", areas=(
             Area("wine cellar", ((0, 0), (0, 1)), ((0, 1, "e"),), passage="attic", line="go"),)),
    Map("town", (Spot("1", 0, 0, piece="X"), Spot("2", 9, 9, possible=True)),
        (Track("taxi", "dotted", "yellow"),), ((0, 1, 0),), legend="[X] Mr. X",
        signs=(("X", "Mr. X"), ("b", "black fare")), sought="Mr. X"),
)  # fmt: skip


def text(said: Statement, width: int = 60) -> str:
    page = io.StringIO()
    Console(file=page, width=width, height=25, highlight=False, markup=False).print(printed(said))
    return page.getvalue()


@pytest.mark.parametrize("said", EVERY + DRAWN, ids=lambda each: each.kind)
def test_a_statement_is_read_back_from_its_json(said: Statement) -> None:
    written = json.dumps(to_json(said), allow_nan=False)
    assert statement(json.loads(written)) == said
    assert json.loads(written)["kind"] == said.kind


@pytest.mark.parametrize("said", EVERY, ids=lambda each: each.kind)
def test_every_word_of_a_statement_stands_in_text_and_page(said: Statement) -> None:
    printed, page = text(said, 100).lower(), shown(said).lower()
    drawn = isinstance(said, Grid | Map)  # its title is for those who cannot see it
    for word in "\n".join(leaves(to_json(said))).lower().splitlines():
        assert word in printed or (drawn and word == said.title), (word, printed)
        assert word.strip("[]").strip() in page.replace("&#x27;", "'"), (word, page)


def leaves(value: object, name: str = "") -> list[str]:
    """The texts that a person reads."""
    if isinstance(value, dict):
        return [each for key, part in value.items() for each in leaves(part, key)]
    if isinstance(value, list):
        return [each for part in value for each in leaves(part, name)]
    silent = (
        "kind",
        "tone",
        "blank",
        "ways",
        "ground",
        "side",
        "stroke",
        "colour",
        "value",
        "hint",
    )
    return [value] if isinstance(value, str) and name not in silent else []


def test_what_is_no_statement_is_refused() -> None:
    for wrong in ({}, {"kind": "nonsense"}, {"kind": "paragraph"}, {"kind": "bars", "rows": 1}):
        with pytest.raises(ValidationError):
            statement(wrong)


def test_a_table_in_a_narrow_terminal_has_no_bars() -> None:
    assert text(SHEET) == (
        "card  left            \nrope     2  █████     \nplum    10  ██████████\n"
    )
    assert "█" not in text(SHEET, 39)


def test_a_column_gives_way_to_one_that_says_more_where_there_is_room() -> None:
    columns = (
        Column("mean and interval", room=30, note="Interval: 95 %."), Column("mean", until=30)
    )  # fmt: skip
    said = Sheet(columns, (("0.50 ± 0.10", "0.50"),))
    assert text(said, 30).split("\n") == [
        "mean and interval", "0.50 ± 0.10      ", "Interval: 95 %.", "",
    ]  # fmt: skip
    assert text(said, 29) == "mean\n0.50\n"
    assert ">mean</th>" not in shown(said)
    assert ">0.50 ± 0.10</td>" in shown(said)


def test_a_line_is_left_blank_above_or_below_a_paragraph() -> None:
    said = Paragraph("top", blank="below"), Paragraph("middle"), Paragraph("end", blank="above")
    assert as_text(*said) == "top\n\nmiddle\n\nend"
    assert shown(*said) == "<p>top</p><p>middle</p><p>end</p>"


@pytest.mark.parametrize(
    "said",
    [Paragraph(NASTY), Facts(((NASTY, NASTY),)), Bars(NASTY, ((NASTY, 1.0),)), Refusal(NASTY),
     Sheet((Column(NASTY),), ((NASTY,),)), Section(NASTY, (), NASTY), Command(NASTY)],
    ids=lambda each: each.kind,
)  # fmt: skip
def test_words_command_neither_a_terminal_nor_a_page(said: Statement) -> None:
    assert "\x1b" not in text(said)
    assert "<b>" not in shown(said)


@pytest.mark.parametrize("of", get_args(Kind))
def test_the_schema_of_the_documentation_is_that_of_the_values(of: Kind) -> None:
    name = "answers" if of == "reply" else of
    kept = json.loads((ROOT / "docs" / f"{name}.schema.json").read_text("utf-8"))
    assert kept == schema(of), "run: python docs/tools/make_schema.py"


@pytest.mark.parametrize("learning", [Learning(), Learning(gain_weight=1.0)], ids=["value", "gain"])
@pytest.mark.parametrize("simulations", [1, 40])
def test_a_decision_has_the_form_of_its_schema(simulations: int, learning: Learning) -> None:
    kuhn = game("kuhn_poker")
    agent = SearchAgent(
        search=Search(kuhn), belief=belief(kuhn), budget=Budget(simulations=simulations),
        learning=learning, seed=1,
    )  # fmt: skip
    play = Play.new(kuhn, seed=1)
    found = agent.decision(play.view(0), play.seen_by(0))
    assert (found.untried > 0) == (simulations == 1)
    assert (found.learning is None) == (not learning.gain_weight)
    assert_of_form(DecisionForm, found.to_json(), without=["policy", "caveat"])
    mixed = replace(found, policy={0: 0.75, 1: 0.25}, caveat="nothing is guaranteed")
    assert_of_form(DecisionForm, mixed.to_json())


@pytest.mark.parametrize("believed", [True, False])
def test_a_check_has_the_form_of_its_schema(sleuth: Sleuth, believed: bool) -> None:
    plays = ("--plays", 1, "--belief-plays", int(believed), "--json")
    value = sleuth("check", "kuhn-poker", *plays).json()
    assert (value["belief"] is not None) == believed
    assert_of_form(GameCheck, value)


def test_a_match_has_the_form_of_its_schema() -> None:
    found = play_match("kuhn_poker", ["random", "random"], games=3, seed=1)
    assert_of_form(MatchForm, found.to_json(), without=["interval"])


def test_a_match_of_two_teams_has_one_more_number() -> None:
    found = play_match("scotland_yard", ["random", "random"], games=1, seed=1, swap=False)
    value = found.to_json()
    rate = value.pop("seekers_win_rate")
    assert_of_form(MatchForm, value)
    read = TypeAdapter(MatchForm).validate_python(value | {"seekers_win_rate": rate})
    assert vars(read)["seekers_win_rate"] == rate


def test_a_comparison_has_the_form_of_its_schema() -> None:
    cards = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
    methods = ["enumeration", "rejection"]
    found = compare(Model(cards), methods=methods, samples=500, seed=1, isolate=False)
    assert_of_form(ComparisonForm, found.to_json())


def test_a_training_has_the_form_of_its_schema() -> None:
    rows = rows_of(simulate(8, seed=1, games=9, game=mini_cheat()))
    found = train(rows, models=["logistic"], folds=2, seed=1)
    value = found.to_json()
    assert value["models"]["logistic"]
    assert_of_form(TrainingForm, value, without=["files", "seconds"])
    # What the command prints beside the report.
    assert_of_form(TrainingForm, value | {"files": ["mine.npz"], "seconds": 1.5})


def assert_of_form(form: Any, value: object, without: Sequence[str] = ()) -> None:
    """The value is read without a conversion, nothing in it is left over, and little is missing."""
    written = json.dumps(value, allow_nan=False)
    read = TypeAdapter(form).validate_json(written, strict=True)
    left_out = dict.fromkeys(without)
    assert json.loads(json.dumps(asdict(read))) == json.loads(written) | left_out
    made: dict[str, Any] = TypeAdapter(form).json_schema()
    assert set(made["properties"]) == {*json.loads(written), *without}
    assert set(made["required"]).isdisjoint(without)


def test_a_page_has_areas_as_one_place_each_and_the_terminal_has_its_letters() -> None:
    tiles = tuple(Tile(mark, title=mark, colour="red") if mark else "." for mark in ("S", "", "W"))
    room = Area("wine cellar", ((0, 0), (0, 1)), ((0, 1, "e"),), passage="attic", line="go 3")
    grid = Grid("The house", (tiles,), ("1",), ("a", "b", "c"), "S, W pawns", areas=(room,))
    page = shown(grid)
    assert page.count('data-line="go 3"') == 1
    assert 'aria-label="wine cellar: S"' in page
    assert page.index("go 3") < page.index(">W</title>")
    for words in (">wine<", ">cellar<", ">⇄ attic<", "</svg>door</li>", "⇄ secret passage</li>"):
        assert words in page
    assert "S, W pawns" not in page
    assert "style=" not in page
    assert as_text(grid).splitlines() == [" 1 S.W", "   abc", "S, W pawns"]


def test_the_legend_of_a_page_is_of_its_own_colours_and_of_what_stands_there() -> None:
    tracks = (Track("ferry", "dashed", "cyan"), Track("taxi", "dotted", "yellow", "t"))
    signs = (("1", "detective"), ("X", "Mr. X"), ("x", "black fare"))
    spots = (Spot("4", 0, 0, piece="1"), Spot("9", 9, 9, goal="t"), Spot("5", 0, 9, possible=True))
    town = Map("town", spots, tracks, (), legend="[1] it", signs=signs, sought="Mr. X")
    legend = shown(town).partition('<ul class="key">')[2]
    assert legend.count("<line ") == 2
    assert 'stroke="yellow"' in legend
    said = ["</svg>t taxi<", "</svg>ferry<", "</svg>detective<", "</svg>Mr. X may be there<"]
    assert [words for words in said if words not in legend] == []
    assert "<b>t9</b> you can go there" in legend
    # Nothing is explained that is not there.
    assert "</svg>Mr. X<" not in legend
    assert "black fare" not in legend
    assert "[1] it" not in shown(town)
    assert "[1] it" in as_text(town)


def test_a_sentence_begins_with_a_capital_unless_it_begins_with_a_file() -> None:
    assert sentence("no such word (got 'x')") == "No such word (got 'x')."
    assert sentence("box.json: the field 'game' is missing") == (
        "box.json: the field 'game' is missing."
    )
    assert sentence("is it? yes. or no?") == "Is it? yes. or no?"
