"""Tables of filters, time, other readings and other playouts; see `scotland_yard_tables`."""

from __future__ import annotations

from collections.abc import Sequence

from .cells import (
    HIDER,
    LC,
    LIST,
    RANDOM,
    READINGS,
    SECONDS,
    TEXT_HIDER,
    Cell,
    Table,
    alike,
    hider_of,
    ten_thousand,
)

ALL_DOUBLES = f"{HIDER},filter=no,imagined=doubles"
#: The readings that were usual at first.
OLD_HIDER = hider_of("first")
OLD_CREDITS = f"credited={READINGS['first']['credited']}"
CAPTURES = hider_of("moment_and_captures")


def _timed(
    name: str,
    paper: float,
    seekers: str = "",
    hider: str = "",
    *,
    kind: str = "mcts",
    seconds: float = SECONDS,
) -> Cell:
    """Both with the same processor time, and seekers without categorization."""
    time = f"cpu_seconds={seconds:g}"
    return ten_thousand(name, f"{kind}:{LIST},{time}{seekers}", f"mcts:{time}{hider}", paper)


def _pairings(seconds: float, paper: Sequence[float]) -> tuple[Cell, ...]:
    """The four cells of a column of Table III, both sides with the same processor time."""
    sides = (("MC", "MM"), ("MC", "random"), ("random", "MM"), ("random", "random"))
    return tuple(
        _timed(
            f"seekers {seekers}, hider {hider}",
            number,
            RANDOM if seekers == "random" else "",
            RANDOM if hider == "random" else "",
            seconds=seconds,
        )
        for (seekers, hider), number in zip(sides, paper, strict=True)
    )


def _reading(
    name: str, options: str, paper: float | None = None, hider: str = HIDER, playouts: int = 1_000
) -> Cell:
    """Seekers with categorization and other options, beside a number of the paper's."""
    return Cell(name, f"mcts:{LC}{options}", hider, paper, 100, playouts)


def _capture(name: str, seekers: str, hider: str, paper: float | None = None) -> Cell:
    """Both without categorization and with other playouts."""
    return Cell(name, f"mcts:{LIST},playouts={seekers}", f"mcts:playouts={hider}", paper, 100)


READING_TABLES = (
    Table(
        "beyond",
        "Beyond the paper",
        "Three kinds of seekers with 1,000 playouts: the paper's best with so few "
        "(categorization, r = 0.4); the same, but with worlds drawn from the exact filter with "
        "the learned model of the hider's moves; and the second kind with information gain about "
        "the hider's station added to the objective (a bit counts 0.1 points; a win and a loss "
        "are two points apart). The hider's playouts are the text's (the list of the moment), so "
        "the first cell is not that of Table X above.",
        (
            Cell("the paper's best", f"mcts:{LC},r=0.4", TEXT_HIDER, 55.6, 1_000),
            Cell("exact filter, learned moves", "mcts:belief=moves,r=0.4", TEXT_HIDER, None, 1_000),
            Cell("and gain", "mcts:belief=moves,r=0.4,gain=0.1", TEXT_HIDER, None, 1_000),
        ),
        against_first=True,
    ),
    Table(
        "filter",
        "Move filtering, and the price of a double move",
        "1,000 playouts, with Location Categorization, r = 0. In the paper's program of 2011 the "
        "hider wins 34.0 % with filtering and 19.4 % without. Without filtering the hider "
        "considers all legal moves, and double moves below the root as well. A hider with "
        "filtering can count double moves below the root, too (`imagined=rules`).",
        (
            Cell("with filtering", f"mcts:{LC}", HIDER, 66.0),
            Cell("without filtering", f"mcts:{LC}", ALL_DOUBLES, 80.6, 100),
            Cell(
                "without, doubles at the root only", f"mcts:{LC}", f"{HIDER},filter=no", None, 100
            ),
            Cell(
                "with filtering, doubles in the tree",
                f"mcts:{LC}",
                f"{HIDER},imagined=rules",
                None,
                400,
            ),
        ),
        against_first=True,
        paper_games=None,
    ),
    Table(
        "filter10",
        "Move filtering with 10,000 playouts",
        "As the table before, but with 10,000 playouts, without Location Categorization, and "
        "against the hider by the list of the moment.",
        (
            ten_thousand("with filtering", f"mcts:{LIST}", TEXT_HIDER, 66.0),
            ten_thousand(
                "without filtering", f"mcts:{LIST}", f"{TEXT_HIDER}:filter=no,imagined=rules", 80.6
            ),
        ),
        against_first=True,
        paper_games=None,
    ),
    Table(
        "timed",
        "The same time for both sides (Tables III and IV)",
        "Without Location Categorization. Each side has 0.05 seconds of processor time for a move "
        "(the paper's: 1 second), and the hider's playouts are the text's.",
        (
            *_pairings(SECONDS, (73.5, 78.1, 39.7, 49.0)),
            _timed("separate trees, average score", 37.1, kind="average"),
            _timed("separate trees, majority vote", 39.9, kind="vote"),
        ),
    ),
    Table(
        "growing",
        "The same time for both sides, and more of it (Table III)",
        "As the table before with two and a half times as much: 0.125 seconds of processor time "
        "for a move (the paper's: 2.5 seconds).",
        _pairings(0.125, (74.9, 79.9, 55.8, 59.2)),
    ),
    Table(
        "second",
        "A second for both sides (Table III)",
        "As the two tables before with the paper's own time: a second of processor time for a "
        "move. A game takes two to three minutes of one core, so there are few. In that second the "
        "hider makes about 86,000 simulations and seekers 240,000, with greedy playouts.",
        _pairings(1, (73.5, 78.1, 39.7, 49.0)),
    ),
    Table(
        "readings",
        "How much our readings matter",
        "Points that the paper leaves open are read in another way here. Seekers use "
        "categorization, and both sides have 1,000 playouts if nothing else is said. Compare these "
        "cells with those of the same r in Table X above. By the first readings the hider's "
        "playouts keep the list of the root (`playouts=total`), and each seeker's node is credited "
        "from that seeker's side (`credited=own`).",
        (
            _reading("r = 0, first readings", "", 34.5, OLD_HIDER),
            _reading("r = 0.4, first readings", f",r=0.4,{OLD_CREDITS}", 55.6, OLD_HIDER),
            _reading("r = 1, first readings", f",r=1,{OLD_CREDITS}", 26.0, OLD_HIDER),
            _reading("r = 0.4, list of the root", ",r=0.4", 55.6, OLD_HIDER),
            _reading("r = 1, list of the root", ",r=1", 26.0, OLD_HIDER),
            _reading("r = 0, first readings, 10,000 playouts", "", 67.7, OLD_HIDER, 10_000),
            _reading(
                "r = 1, first readings, 10,000 playouts",
                f",r=1,{OLD_CREDITS}",
                23.1,
                OLD_HIDER,
                10_000,
            ),
            _reading("r = 0, n by availability", ",by_availability=yes", 34.5),
            _reading("r = 0, observer's tree", ",information=observer", 34.5),
            _reading("r = 0, double moves in the tree", ",playouts=chase,imagined=doubles", 34.5),
            _reading("r = 0, seekers without Progressive History", ",bias_weight=0"),
            ten_thousand(
                "reduced tree, without categorization, 10,000 playouts",
                f"mcts:{LIST},playouts=chase,imagined=alone",
                HIDER,
                34.3,
            ),
            _reading("r = 0, list of the moment, captures", "", 34.5, CAPTURES),
            _reading(
                "r = 0.4, list of the moment, captures",
                ",r=0.4",
                55.6,
                CAPTURES,
            ),
            _reading(
                "r = 1, list of the moment, captures",
                ",r=1",
                26.0,
                CAPTURES,
            ),
        ),
    ),
    Table(
        "capture",
        "Playouts that capture",
        "Random playouts in which a seeker captures the hider if possible. Both sides search with "
        "such playouts, or only one side does. 1,000 playouts (the paper's: 1 second, Table III), "
        "seekers without categorization.",
        (
            _capture("both random", "random", "random", 49.0),
            _capture("both capture", "capture", "capture", 49.0),
            _capture("seekers capture, hider random", "capture", "random", 49.0),
            _capture("seekers random, hider captures", "random", "capture", 49.0),
            _capture(
                "both capture every second time",
                "capture,epsilon=0/0.5",
                "capture,epsilon=0/0.5",
                49.0,
            ),
            _capture("both capture, seekers without history", "capture,bias_weight=0", "capture"),
            _capture("both random, seekers without history", "random,bias_weight=0", "random"),
        ),
    ),
    Table(
        "capture10",
        "Playouts that capture, 10,000 of them (Table III)",
        "As the table before with 10,000 playouts (the paper's: 1 second). In the first two rows "
        "one side searches with random playouts in which seekers capture. The other side has the "
        "text's playouts: MM with the list of the moment for the hider, MC for seekers.",
        (
            ten_thousand(
                "seekers capture, hider MM", f"mcts:{LIST},playouts=capture", TEXT_HIDER, 39.7
            ),
            ten_thousand(
                "seekers MC, hider captures", f"mcts:{LIST}", "mcts:playouts=capture", 78.1
            ),
            alike("both capture", "capture", 49.0),
            ten_thousand("seekers MC, hider MM", f"mcts:{LIST}", TEXT_HIDER, 73.5),
        ),
    ),
)
