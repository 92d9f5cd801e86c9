"""Where to go in the report of a game on the board: the moment, the way, and the picture."""

from __future__ import annotations

import itertools
import json
import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from sleuth import Play, game
from sleuth.apps.clue.findings import ClueAnalysis
from sleuth.apps.clue.recorded import Recorded, recorded
from sleuth.games.clue import ROOMS, ClueDeclaration, ClueRecord, TreasureHunt, simulate
from sleuth.models.clue.board.board import room_doors, room_squares
from sleuth.models.clue.cards import in_deck_order

from ..analyses import analyse, html_report

HAND = ["green", "rope", "hall", "study", "lounge", "library"]


@cache
def walked() -> Recorded:
    """A game on the board between players who do anything, as the first saw it."""
    clue, rng = game("clue"), np.random.default_rng(5)
    play = Play.new(clue, seed=5)
    while len(play.actions) < 60 and not play.over:
        # Nobody ends the game by an accusation.
        names = {int(code): clue.action_name(int(code)) for code in play.legal()}
        codes = [code for code, name in names.items() if not name.startswith("accuse")]
        play.apply(int(rng.choice(codes)))
    return recorded(play.record().to_json(), "p1")


@cache
def analysed() -> ClueAnalysis:
    found = walked()
    return analyse(found.game, suggestions=0, standings=found.standings)


def test_the_last_turn_with_the_case_file_open_is_planned_for() -> None:
    walk, found = analysed().findings.walk, walked()
    assert walk is not None
    assert walk.standing == found.standings[-1]
    assert walk.standing.pawns.keys() >= {"p1", "p2", "p3"}
    # It is planned by what was known then, not in the end.
    known = found.game.until(walk.standing.event)
    belief = ClueDeclaration(known)
    hunt = TreasureHunt(belief=belief, seconds=None)
    plan = hunt.plan(belief.infer(known), walk.standing.place, walk.standing.last)
    assert plan.rooms == walk.plan.rooms


def test_the_page_shows_pawns_worth_and_way() -> None:
    walk = analysed().findings.walk
    assert walk is not None
    text = html_report(analysed())
    part = text[text.index("Where to go") : text.index("What is certain, and why")]
    assert part.count('class="pawn') == 6
    for room in walk.plan.rooms:
        assert f"<title>{room.room}: worth {room.value:.2f}</title>" in part
    shades = re.findall(r'fill-opacity="([\d.]+)"[^>]*><title>([\w ]+): worth ([\d.]+)', part)
    by_worth = sorted((float(worth), float(shade)) for shade, _, worth in shades)
    assert len(shades) == len(walk.plan.rooms)
    assert [shade for _, shade in by_worth] == sorted(shade for _, shade in by_worth)
    assert f"To the <b>{walk.plan.best.room}</b>" in part
    assert all(f"<b>{roll}</b>" in part or f"{roll}," in part for roll in (1, 6))
    assert html_report(analysed()) == text


@pytest.mark.parametrize("place", ["lounge", "kitchen", (17, 8), (8, 17)])
def test_a_way_is_made_of_single_steps_and_takes_the_turns_of_the_plan(
    place: str | tuple[int, int],
) -> None:
    known = simulate(3, np.random.default_rng(3)).seen_by("p1").until(8)
    belief = ClueDeclaration(known)
    plan = TreasureHunt(belief=belief, horizon=1, seconds=None).plan(belief.infer(known), place)
    board, way = plan.ways.board, plan.way
    assert plan.ways.name(way[0]) == place
    assert plan.ways.name(way[-1]) == plan.best.room
    turns, rooms = 0.0, [0]
    for step, (here, there) in enumerate(itertools.pairwise(way), start=1):
        passage = here < len(ROOMS) and board.passage[here] == there
        assert passage or there in board.steps[here]
        if there < len(ROOMS):
            turns += float(plan.ways.direct[way[rooms[-1]], there])
            rooms.append(step)
    assert turns == pytest.approx(plan.best.turns)


def test_a_notebook_with_moves_says_where_its_writer_stands() -> None:
    written = {
        "game": "clue",
        "players": ["Ada", "Bob", "Cleo"],
        "hand_sizes": [6, 6, 6],
        "observer": "Ada",
        "own_hand": [*in_deck_order(HAND)],
        "events": [
            {
                "type": "suggest",
                "by": "Ada",
                "cards": ["plum", "knife", "kitchen"],
                "refuter": "Bob",
                "shown": "plum",
            },
            {"type": "move", "by": "Ada", "to": "17 8"},
        ],
    }
    ClueRecord.from_json(written)
    (first, second) = recorded(written, None).standings
    assert (first.place, first.last) == ("kitchen", "kitchen")
    assert (second.place, second.last) == ((17, 8), "kitchen")
    written["events"] = written["events"][:1]  # pyright: ignore
    assert recorded(written, None).standings == ()


def test_a_game_without_a_board_has_no_picture() -> None:
    path = Path(__file__).parents[4] / "data" / "clue" / "games" / "ledford_02.json"
    assert recorded(json.loads(path.read_text()), None).standings == ()


def test_rooms_are_where_their_doors_are() -> None:
    squares = room_squares()
    assert sum(map(len, squares.values())) == len(frozenset[object]().union(*squares.values()))
    for room, doors in room_doors().items():
        for (row, column), (beyond, beside) in doors:
            assert (row, column) in squares[room]
            assert abs(row - beyond) + abs(column - beside) == 1
