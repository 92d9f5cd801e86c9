"""Pictures of trees: every label is on the page and hides no other."""

from __future__ import annotations

import itertools
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sleuth import Budget, Decision, Play, Search, SearchAgent, game
from sleuth.agents import parse_agent
from sleuth.errors import SettingsError
from sleuth.games.small import payoff, tree_game, turn
from sleuth.planners.viewing.drawing import draw_tree

# A drawing is the same however its tree came about; small ones grow sooner in plain Python.
pytestmark = pytest.mark.usefixtures("plain_python")


def decision(name: str, simulations: int = 3_000) -> Decision:
    made = game(name)
    play = Play.new(made, seed=1)
    agent = parse_agent(f"mcts:simulations={simulations}").prepare(made)(7)
    assert isinstance(agent, SearchAgent)
    return agent.decision(play.view(play.player), play.seen_by(play.player))


def texts(figure: Any) -> list[Any]:
    (axes,) = figure.axes
    return [text for text in axes.texts if text.get_text()]


def overlapping(figure: Any) -> list[tuple[str, str]]:
    """Pairs of labels that cover a common place."""
    figure.draw_without_rendering()
    places = [(text.get_text(), text.get_window_extent()) for text in texts(figure)]
    return [
        (one, other)
        for (one, here), (other, there) in itertools.combinations(places, 2)
        if min(here.x1, there.x1) > max(here.x0, there.x0)
        and min(here.y1, there.y1) > max(here.y0, there.y0)
    ]


def outside(figure: Any) -> list[str]:
    """Labels that are not on the page as a whole."""
    figure.draw_without_rendering()
    page = figure.bbox
    return [
        text.get_text()
        for text in texts(figure)
        if not (
            page.x0 <= text.get_window_extent().x0
            and text.get_window_extent().x1 <= page.x1
            and page.y0 <= text.get_window_extent().y0
            and text.get_window_extent().y1 <= page.y1
        )
    ]


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "clue_table", "phantom_tic_tac_toe"])
@pytest.mark.parametrize("sizes", [{}, {"depth": 1}, {"depth": 4, "width": 6, "most": 60}])
def test_every_label_is_on_the_page_and_hides_no_other(name: str, sizes: dict[str, int]) -> None:
    figure = draw_tree(decision(name).tree, **sizes)
    assert len(texts(figure)) > 5
    assert overlapping(figure) == []
    assert outside(figure) == []


def test_labels_that_overlap_would_be_found() -> None:
    figure = draw_tree(decision("kuhn_poker").tree)
    first = texts(figure)[1]
    figure.axes[0].text(*first.get_position(), "in the way", va=first.get_verticalalignment())
    figure.axes[0].text(-1, 0, "off the page")
    assert any("in the way" in pair for pair in overlapping(figure))
    assert outside(figure) == ["off the page"]


def test_the_most_visited_actions_are_drawn_with_their_figures() -> None:
    found = decision("clue_table")
    figure = draw_tree(found.tree, depth=1, width=3)
    words = [text.get_text().replace("\n", " ") for text in texts(figure)]
    for edge in found.tree.root.edges[:3]:
        assert edge.name in words
        assert f"{edge.visits:,} visits, value {edge.value:.3f}" in words
    left_out = [edge for edge in found.tree.root.edges[3:] if edge.visits]
    visits = sum(edge.visits for edge in left_out)
    assert f"{len(left_out)} more with {visits:,} visits" in words
    assert "clue_table: 3,000 simulations" in words


def named(name: str) -> Decision:
    """A decision between two actions and then two more, all called alike."""
    after = turn(1, payoff(1, -1), payoff(0, 0))
    called = replace(
        tree_game(turn(0, after, after)),
        action_name=lambda action: f"{name} {action}",
        roles=("somebody with a rather long name", "$x_1$"),
    )
    view = Play.new(called, seed=0).view(0)
    return Search(called).decide(view, budget=Budget(simulations=200))


@pytest.mark.parametrize(
    "name", ["pay $5 for $x_1$", "word" * 40, "many words " * 12, "één über \\n"]
)
def test_any_name_is_written_as_it_is(name: str) -> None:
    figure = draw_tree(named(name).tree)
    assert overlapping(figure) == []
    assert outside(figure) == []
    words = " ".join(text.get_text() for text in texts(figure))
    assert "$x_1$" in words
    assert name[:20].strip() in words


def test_lines_are_as_thick_as_actions_are_visited() -> None:
    found = decision("leduc_poker", simulations=60)
    figure = draw_tree(found.tree, depth=1)
    lines = [patch for patch in figure.axes[0].patches if patch.get_facecolor()[3] == 0.0]
    visits = [edge.visits for edge in found.tree.root.edges if edge.visits]
    thick = [line.get_linewidth() for line in lines]
    assert len(thick) == len(visits) == 2
    assert visits[0] != visits[1]
    assert thick[0] / thick[1] == pytest.approx(visits[0] / visits[1])


def test_no_more_actions_are_drawn_than_asked_for() -> None:
    figure = draw_tree(decision("clue_table").tree, depth=5, width=9, most=7)
    labels = [text.get_text() for text in texts(figure) if "value" in text.get_text()]
    assert len(labels) == 7


def test_a_tree_draws_itself_to_a_file(tmp_path: Path) -> None:
    found = decision("kuhn_poker")
    for ending, magic in ((".png", b"\x89PNG"), (".svg", b"<?xml"), (".pdf", b"%PDF")):
        path = found.tree.draw(tmp_path / f"tree{ending}", depth=2)
        assert path.read_bytes().startswith(magic)


def test_an_ending_that_names_no_picture_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="no picture can be written with that ending"):
        decision("kuhn_poker").tree.draw(tmp_path / "tree.foo")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("wrong", [{"depth": 0}, {"width": 0}, {"most": -1}])
def test_a_picture_of_nothing_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(SettingsError, match="must be at least 1"):
        draw_tree(decision("kuhn_poker").tree, **wrong)


def test_who_draws_nothing_loads_no_matplotlib() -> None:
    code = (
        "import sys, sleuth.planners, sleuth.planners.viewing.drawing\n"
        "assert 'matplotlib' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
