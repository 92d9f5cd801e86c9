"""Tables of players who look ahead; see `scotland_yard_tables`."""

from __future__ import annotations

from collections.abc import Sequence

from .cells import (
    HIDER,
    LC,
    LIST,
    PARANOID,
    TEXT_HIDER,
    TIME,
    Cell,
    Table,
    ten_thousand,
)

PARANOID_LONGER = "paranoid:cpu_seconds=0.2"
EXPECTIMAX = f"expectimax:{TIME}"
#: A hider who looks one action of each player ahead.
ROUND = "paranoid:depth=6"
#: Their own move and the hider's: what wins most, and agrees best with the paper's.
TWO_PLIES = "expectimax:depth=2"
#: Table VIII: seekers' wins by categorization.
TABLE_VIII = (74.1, 76.3, 79.1, 71.5, 77.3, 69.3, 65.1)
#: The other columns of Table IX: r, and the seekers' wins without categorization against MCTS, with
#: it against the paranoid hider, and without it against that one.
TABLE_IX = (
    (0, 63.6, 87.9, 85.1),
    (0.1, 70.1, 92.9, 90.2),
    (0.2, 65.3, 92.5, 88.0),
    (0.3, 64.3, 91.0, 84.3),
    (0.4, 54.9, 88.9, 82.1),
    (0.5, 51.0, 86.0, 79.1),
    (0.6, 43.5, 83.0, 72.9),
    (0.7, 42.6, 74.9, 70.4),
    (0.8, 34.4, 69.4, 63.9),
    (0.9, 30.7, 63.2, 57.2),
    (1, 22.6, 50.7, 49.7),
)


def _other_hiders() -> tuple[Cell, ...]:
    """The three columns of Table IX that are not Table X, all with 10,000 playouts."""
    columns = (
        ("MCTS, hider MCTS", LIST, TEXT_HIDER),
        ("MCTS + LC, hider paranoid", LC, PARANOID),
        ("MCTS, hider paranoid", LIST, PARANOID),
    )
    return tuple(
        ten_thousand(
            f"{name}, r = {row[0]:g}",
            f"mcts:{belief}" + (f",r={row[0]:g}" if row[0] else ""),
            hider,
            row[column],
        )
        for column, (name, belief, hider) in enumerate(columns, start=1)
        for row in TABLE_IX
    )


def _expectimax(hider: str, paper: Sequence[float], games: int = 100) -> tuple[Cell, ...]:
    """Seekers who look ahead, with each categorization and table of the paper."""
    beliefs = {
        "none": LIST,
        "minimum distance, general": LC,
        "minimum distance, detailed": "belief=paper_detailed_1",
        **{
            f"{words}, {table}": f"belief={words.replace(' ', '_')}_{table}_1"
            for words in ("average distance", "station")
            for table in ("general", "detailed")
        },
    }
    return tuple(
        Cell(name, f"{TWO_PLIES},{belief}", hider, number, games, 10_000)
        for (name, belief), number in zip(beliefs.items(), paper, strict=True)
    )


def _plies(side: str, plies: int) -> str:
    return f"{side}: {plies} {'ply' if plies == 1 else 'plies'}"


MINIMAX_TABLES = (
    Table(
        "paranoid",
        "Against the paranoid hider (Table VI)",
        "Seekers with 10,000 playouts, as in the paper; the hider looks ahead for 0.05 seconds of "
        "processor time (the paper's: 1 second).",
        (
            ten_thousand("without categorization", f"mcts:{LIST}", PARANOID, 83.4),
            ten_thousand("with categorization", f"mcts:{LC}", PARANOID, 86.4),
            ten_thousand(
                "with categorization, two steps", "mcts:belief=paper_general_2", PARANOID, 86.3
            ),
            ten_thousand("with the detailed table", "mcts:belief=paper_detailed_1", PARANOID, 87.5),
            ten_thousand("with it, two steps", "mcts:belief=paper_detailed_2", PARANOID, 86.6),
        ),
    ),
    Table(
        "budgets",
        "Against the paranoid hider, with fewer playouts or more time (Table VI)",
        "As the table before; the budgets are in the names of the rows.",
        (
            *(
                Cell(
                    f"{words}, {playouts:,} playouts",
                    f"mcts:{belief}",
                    PARANOID,
                    paper,
                    100,
                    playouts,
                )
                for playouts in (1_000, 2_500)
                for words, belief, paper in (
                    ("without categorization", LIST, 83.4),
                    ("with it", LC, 86.4),
                )
            ),
            ten_thousand(
                "without categorization, hider 0.2 seconds", f"mcts:{LIST}", PARANOID_LONGER, 83.4
            ),
            ten_thousand("with it, hider 0.2 seconds", f"mcts:{LC}", PARANOID_LONGER, 86.4),
        ),
    ),
    Table(
        "IXp",
        "Coalition Reduction without categorization, and against the paranoid hider (Table IX)",
        "10,000 playouts. The hider who searches with playouts is the text's (the list of the "
        "moment); the paranoid hider looks ahead for 0.05 seconds of processor time (the paper's: "
        "1 second).",
        _other_hiders(),
    ),
    Table(
        "XI",
        "Search with playouts against minimax (Table XI)",
        "All seekers use categorization. Seekers who search with playouts have r = 0.1. Searches "
        "with playouts have 10,000 of them on either side. Expectimax looks two plies ahead (the "
        "next table says why). The paranoid hider looks ahead for 0.05 seconds of processor time "
        "(the paper's: 1 second for all). The last two rows have a hider who looks six plies "
        "ahead instead.",
        (
            ten_thousand("MCTS, hider MCTS", f"mcts:{LC},r=0.1", HIDER, 81.2),
            ten_thousand("MCTS, hider paranoid", f"mcts:{LC},r=0.1", PARANOID, 94.9),
            ten_thousand("expectimax, hider MCTS", f"{TWO_PLIES},{LC}", HIDER, 45.0),
            ten_thousand("expectimax, hider paranoid", f"{TWO_PLIES},{LC}", PARANOID, 76.2),
            Cell("expectimax, hider with six plies", f"{TWO_PLIES},{LC}", ROUND),
            ten_thousand("MCTS, hider with six plies", f"mcts:{LC},r=0.1", ROUND),
        ),
    ),
    Table(
        "depth",
        "Search depth of expectimax and of the paranoid hider",
        "Expectimax with categorization against the paranoid hider, as in Table XI above. A ply "
        "is an action of one player; six are a round. In the rows that name the hider, the "
        "seekers look two plies ahead. In the rows that name the seekers, the hider looks ahead "
        "for 0.05 seconds of processor time, which is enough for 7 to 13 plies.",
        (
            *(
                Cell(_plies("hider", plies), f"{TWO_PLIES},{LC}", f"paranoid:depth={plies}", 76.2)
                for plies in (1, 2, 4, 6, 7, 8)
            ),
            *(
                ten_thousand(
                    _plies("seekers", plies), f"expectimax:depth={plies},{LC}", PARANOID, 76.2
                )
                for plies in (1, 2, 3, 4, 6)
            ),
            ten_thousand("seekers: 0.05 seconds", f"{EXPECTIMAX},{LC}", PARANOID, 76.2),
            ten_thousand(
                "seekers: 0.05 seconds, who do not give up",
                f"{EXPECTIMAX},{LC},gives_up=no",
                PARANOID,
                76.2,
            ),
        ),
    ),
    Table(
        "VII",
        "Expectimax with categorizations (Table VII)",
        "Seekers who look two plies ahead, against a hider with 10,000 playouts (the paper's: 1 "
        "second for both). The seekers of the last row have 0.05 seconds of processor time and "
        "the whole tree, in which all seekers move.",
        (
            *_expectimax(HIDER, (40.6, 50.2, 44.2, 41.4, 40.3, 38.2, 39.9)),
            ten_thousand("none, whole tree", f"{EXPECTIMAX},{LIST},imagined=tracks", HIDER, 5.2),
        ),
    ),
    Table(
        "VIIb",
        "Expectimax against fewer playouts (Table VII)",
        "Seekers who look two plies ahead, against a hider with 1,000 and with 2,500 playouts.",
        tuple(
            Cell(
                f"{words}, {playouts:,} playouts",
                f"{TWO_PLIES},{belief}",
                HIDER,
                paper,
                400,
                playouts,
            )
            for playouts in (1_000, 2_500)
            for words, belief, paper in (("none", LIST, 40.6), ("minimum distance", LC, 50.2))
        ),
    ),
    Table(
        "VIII",
        "Expectimax with categorizations, against the paranoid hider (Table VIII)",
        "Seekers who look two plies ahead, against a hider who looks six, an action of each player "
        "(the paper's: 1 second for both).",
        # Games without playouts are short, so there are more of them.
        _expectimax(ROUND, TABLE_VIII, 400),
    ),
    Table(
        "VIIIb",
        "Expectimax with categorizations, against a paranoid hider with time (Table VIII)",
        "As the table before, but the hider has 0.05 seconds of processor time, in which it looks "
        "7 to 13 plies ahead.",
        _expectimax(PARANOID, TABLE_VIII),
    ),
)
