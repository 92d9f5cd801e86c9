"""What is typed and what it means."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth import Play, game
from sleuth.apps.kit.understanding import understand
from sleuth.kit import GAMES, display

YARD = {1: "taxi 8", 2: "taxi 89", 3: "bus 46", 4: "black 46", 5: "black 8", 6: "black 8 double"}


@pytest.mark.parametrize(
    "typed, action",
    [
        ("taxi 89", 2),
        ("TAXI, 89", 2),
        ("89 taxi", 2),
        ("t 89", 2),
        ("89", 2),
        ("bus", 3),
        ("bla 46", 4),
        ("black 8", 5),
        ("8 black d", 6),
        ("double", 6),
    ],
)
def test_words_may_be_short_left_out_and_in_any_order(typed: str, action: int) -> None:
    assert understand(typed, YARD).action == action


@pytest.mark.parametrize(
    "typed, action",
    [("black 8", 5), ("bl 8", 5), ("8 bl doub", 6), ("double", 6), ("taxi 8", 1)],
)
def test_some_words_must_be_said(typed: str, action: int) -> None:
    assert understand(typed, YARD, {"double"}).action == action


def test_a_lie_must_be_meant() -> None:
    claims = {1: "higher 1 lie", 2: "lower 1", 3: "lower 1 lie"}
    assert understand("higher 1", claims).action == 1
    meant = understand("higher 1", claims, {"lie"})
    assert meant.action is None
    assert "you can choose higher 1 lie" in meant.problem
    assert understand("lower", claims, {"lie"}).action == 2
    assert understand("h l", claims, {"lie"}).action == 1
    lies = {1: "higher 1 lie", 2: "higher 2 lie", 3: "call"}
    meant = understand("higher", lies, {"lie"})
    assert (
        meant.problem
        == "'higher' must say 'lie' as well: you can choose higher 1 lie or higher 2 lie"
    )


def test_a_code_is_not_taken_for_another_that_is_spelt_like_it() -> None:
    paths = {1: "NEW to e8", 2: "ES to f8"}
    assert "did you mean" not in understand("NE e7", paths).problem
    assert "NEW to e8" in understand("NE e7", paths).problem


@pytest.mark.parametrize(
    "typed, problem",
    [
        ("46", "'46' could be bus 46 or black 46"),
        ("b 46", "'b 46' could be bus 46 or black 46"),
        ("8", "'8' could be taxi 8, black 8 or black 8 double"),
        ("taxi 46", "'taxi 46' is not possible now; you can choose taxi 8, taxi 89, bus 46 or"),
        ("taxy", "'taxy' is not possible now; did you mean 'taxi'?"),
        ("9", "'9' is not possible now; you can choose taxi 8"),
        ("taxi 8 8", "is not possible now; you can choose taxi 8"),
        ("zzz", "'zzz' is not possible now; you can choose taxi 8, taxi 89, bus 46"),
    ],
)
def test_what_names_no_move_says_what_could_be_written(typed: str, problem: str) -> None:
    meant = understand(typed, YARD)
    assert meant.action is None
    assert problem in meant.problem


def test_a_cell_is_never_the_beginning_of_another() -> None:
    cells = {1: "EW e13", 2: "NS e2"}
    assert understand("ew e1", cells).action is None
    assert understand("e13", cells).action == 1
    assert understand("e2 ns", cells).action == 2


def test_what_could_be_written_is_never_a_long_list() -> None:
    many = {number: f"taxi {number}" for number in range(100)}
    assert understand("taxi", many).problem.endswith("taxi 7 and 92 more")
    assert understand("bus", many).problem.endswith("taxi 7 and 92 more")
    nine = {number: f"taxi {number}" for number in range(9)}
    assert understand("taxi", nine).problem.endswith("taxi 7 or taxi 8")


@pytest.mark.parametrize("name", list(GAMES))
def test_every_legal_move_can_be_written_as_it_is_called(name: str) -> None:
    yard = game(name)
    shown = display(yard)
    rng = np.random.default_rng(1)
    for seed in range(2):
        play = Play.new(yard, seed=seed)
        while not play.over and len(play.actions) < 30:
            names = shown.move_names(play.view(play.player))
            assert list(names) == play.legal().tolist()
            for action in rng.choice(list(names), size=min(12, len(names)), replace=False):
                assert understand(names[int(action)], names, shown.said).action == action
            play.apply(int(rng.choice(play.legal())))


def test_a_card_is_never_the_beginning_of_another() -> None:
    cards = {1: "discard NEW", 2: "discard NS", 3: "NEW e7", 4: "discard repair cart"}
    meant = understand("discard NE", cards, {"discard"})
    assert meant.action is None
    assert "you can choose discard NEW, discard NS or discard repair cart" in meant.problem
    assert understand("n e7", cards, {"discard"}).action is None
    assert understand("disc new", cards, {"discard"}).action == 1
    assert understand("disc rep", cards, {"discard"}).action == 4


def test_what_the_map_shows_can_be_typed() -> None:
    shown = display(game("scotland_yard"))

    def typed(line: str) -> int | None:
        return understand(shown.spelt_out(line), YARD, {"double"}).action

    assert typed("t89") == 2
    assert typed("b46") == 3
    assert typed("x8") == 5
    assert typed("bu89?") == 2  # several tickets name the station alone
    assert typed("x8 double") == 6
    assert typed("taxi, 89") == 2
    assert typed("b89") is None
