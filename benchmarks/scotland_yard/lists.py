"""Tables by the list of stations that the hider's playouts follow; see `scotland_yard_tables`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from .cells import (
    COALITION,
    HIDER,
    LC,
    LEAF_HIDER,
    LIST,
    TEXT_HIDER,
    Cell,
    Table,
    alike,
    coalition,
    separate_trees,
    ten_thousand,
)


def _twice(column: int, playouts: int, only: Sequence[float] = ()) -> tuple[Cell, ...]:
    """The list of the moment, where seekers have twice as many playouts as the hider."""
    return tuple(
        replace(cell, seekers=f"mcts:simulations={2 * playouts},{cell.seekers.partition(':')[2]}")
        for cell, (r, *_) in zip(
            coalition(column, 100, playouts, TEXT_HIDER), COALITION, strict=True
        )
        if not only or r in only
    )


def _our_counts(words: str, paper: Sequence[float]) -> tuple[Cell, ...]:
    """A categorization by our own counts: both tables, with one step and with two."""
    ways = {
        "": "general_1",
        ", two steps": "general_2",
        ", detailed": "detailed_1",
        ", detailed, two steps": "detailed_2",
    }
    return tuple(
        ten_thousand(
            f"{words}{more}", f"mcts:belief={words.replace(' ', '_')}_{way}", HIDER, number
        )
        for (more, way), number in zip(ways.items(), paper, strict=True)
    )


LIST_TABLES = (
    Table(
        "X",
        "Coalition Reduction with 1,000 playouts (Table X)",
        "With Location Categorization, as in the paper.",
        coalition(0, 400, 1_000),
    ),
    Table(
        "X2",
        "Coalition Reduction with 2,500 playouts (Table X)",
        "With Location Categorization, as in the paper.",
        coalition(1, 400, 2_500),
    ),
    Table(
        "IX",
        "Coalition Reduction with 10,000 playouts (Tables IX and X)",
        "With Location Categorization, as in the paper; the last two without.",
        (
            *coalition(2, 100, 10_000),
            ten_thousand("r = 0, without categorization", f"mcts:{LIST}", HIDER, 63.6),
            ten_thousand("r = 0.1, without categorization", f"mcts:{LIST},r=0.1", HIDER, 70.1),
        ),
    ),
    Table(
        "IV",
        "Determinization (Table IV)",
        "Without Location Categorization, 10,000 playouts.",
        (
            ten_thousand("single tree", f"mcts:{LIST}", HIDER, 63.6),
            *separate_trees(HIDER),
            alike("single tree, random playouts", "random", 51.8),
            alike("separate trees, average score, random playouts", "random", 31.2, "average"),
            alike("separate trees, majority vote, random playouts", "random", 37.5, "vote"),
            alike("single tree, random playouts that capture", "capture", 51.8),
        ),
    ),
    Table(
        "V",
        "Location Categorization (Table V)",
        "10,000 playouts. Rows use the general table and one-step selection unless they say "
        "otherwise. Minimum distance uses the paper's own counts, the other categorizations use "
        "ours.",
        (
            ten_thousand("none", f"mcts:{LIST}", HIDER, 63.6),
            ten_thousand("minimum distance", f"mcts:{LC}", HIDER, 67.7),
            ten_thousand("minimum distance, two steps", "mcts:belief=paper_general_2", HIDER, 66.3),
            ten_thousand("minimum distance, detailed", "mcts:belief=paper_detailed_1", HIDER, 63.5),
            ten_thousand(
                "minimum distance, detailed, two steps",
                "mcts:belief=paper_detailed_2",
                HIDER,
                65.6,
            ),
            *_our_counts("average distance", (61.7, 59.6, 63.9, 63.6)),
            *_our_counts("station", (58.6, 58.0, 57.9, 58.5)),
        ),
    ),
    Table(
        "III",
        "Playouts (Table III)",
        "Seekers without Location Categorization. The paper's players had 1 second, ours 10,000 "
        "playouts.",
        (
            ten_thousand("seekers MC, hider MM", f"mcts:{LIST}", HIDER, 73.5),
            ten_thousand("seekers MC, hider random", f"mcts:{LIST}", "mcts:playouts=random", 78.1),
            ten_thousand("seekers random, hider MM", f"mcts:{LIST},playouts=random", HIDER, 39.7),
            alike("seekers random, hider random", "random", 49.0),
            alike("the same, both capture", "capture", 49.0),
        ),
    ),
    Table(
        "leaf",
        "The list of the leaf with 1,000 playouts (Table X)",
        "As Table X above, but the hider's search updates the list of possible stations in its "
        "tree, and a playout leaves it as it was where the playout begins "
        "(`playouts=total_leaf`). Detectives do not capture on purpose in these playouts.",
        coalition(0, 400, 1_000, LEAF_HIDER),
    ),
    Table(
        "leaf25",
        "The list of the leaf with 2,500 playouts (Table X)",
        "The same with 2,500 playouts.",
        coalition(1, 100, 2_500, LEAF_HIDER),
    ),
    Table(
        "leaf10",
        "The list of the leaf with 10,000 playouts (Tables III, IV, IX and X)",
        "The same with 10,000 playouts; the last six are those of Tables III, IV and IX without "
        "categorization.",
        (
            *coalition(2, 100, 10_000, LEAF_HIDER),
            ten_thousand("single tree, without categorization", f"mcts:{LIST}", LEAF_HIDER, 63.6),
            ten_thousand("the same, r = 0.1", f"mcts:{LIST},r=0.1", LEAF_HIDER, 70.1),
            ten_thousand("the same, r = 1", f"mcts:{LIST},r=1", LEAF_HIDER, 22.6),
            *separate_trees(LEAF_HIDER),
            ten_thousand(
                "seekers random, hider MM", f"mcts:{LIST},playouts=random", LEAF_HIDER, 39.7
            ),
        ),
    ),
    Table(
        "text",
        "The list of the moment with 1,000 playouts (Table X)",
        "As Table X above, but the hider's playouts are the text's: detectives minimise the "
        "distances to the stations of the list as it changes, even if they could capture the "
        "hider. This is the agents' default.",
        coalition(0, 100, 1_000, TEXT_HIDER),
    ),
    Table(
        "text25",
        "The list of the moment with 2,500 playouts (Table X)",
        "As Table X with 2,500 playouts above, but against the hider of the table before.",
        coalition(1, 100, 2_500, TEXT_HIDER),
    ),
    Table(
        "text10",
        "The list of the moment with 10,000 playouts (Table IX)",
        "As Table IX above, but against the hider of the table before.",
        coalition(2, 100, 10_000, TEXT_HIDER),
    ),
    Table(
        "twice",
        "The list of the moment, 2,000 playouts for seekers and 1,000 for the hider",
        "As Table X above with 1,000 playouts, but the hider's playouts are the text's and seekers "
        "have twice as many as the hider.",
        _twice(0, 1_000),
    ),
    Table(
        "twice25",
        "The list of the moment, 5,000 playouts for seekers and 2,500 for the hider",
        "The same beside Table X with 2,500 playouts.",
        _twice(1, 2_500),
    ),
    Table(
        "twice10",
        "The list of the moment, 20,000 playouts for seekers and 10,000 for the hider",
        "The same beside Table IX.",
        _twice(2, 10_000, (0, 0.3, 0.5, 1)),
    ),
    Table(
        "textIV",
        "The list of the moment with 10,000 playouts (Tables III, IV and V)",
        "As Tables III, IV and V above, against the hider by the list of the moment.",
        (
            ten_thousand("single tree", f"mcts:{LIST}", TEXT_HIDER, 63.6),
            *separate_trees(TEXT_HIDER),
            ten_thousand("minimum distance", f"mcts:{LC}", TEXT_HIDER, 67.7),
            ten_thousand(
                "seekers random, hider MM", f"mcts:{LIST},playouts=random", TEXT_HIDER, 39.7
            ),
        ),
    ),
)
