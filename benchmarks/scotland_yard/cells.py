"""The cells of the Scotland Yard paper, as matches of agents; see `scotland_yard_tables`."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

import sleuth
from sleuth.data.files import resource

READINGS = sleuth.game("scotland_yard").advice.readings
#: Of all matches, so that all cells have the same deals.
SEED = 2012
#: Files of what was learned, and the options of agents that use them.
LEARNED = {
    "moves.json": ("belief=moves",),
    "categories.json": ("belief=categories", "_general_", "_detailed_"),
}


@dataclass(frozen=True)
class Cell:
    """One number of the paper, or a setting of ours.

    Attributes:
        name: What it is called.
        seekers, hider: The agents, with what differs from their usual options.
        paper: The seekers' win rate in the paper in per cent; None where it has none.
        games: How many are wanted.
        playouts: Of both, where they make any and the agent does not say how many.
    """

    name: str
    seekers: str
    hider: str
    paper: float | None = None
    games: int = 400
    playouts: int = 1_000

    @property
    def agents(self) -> tuple[str, str]:
        """Hider and seekers, as a match takes them."""
        return _with(self.hider, self.playouts), _with(self.seekers, self.playouts)

    @property
    def file(self) -> str:
        """Cells with equal agents share their games; what was learned anew makes other agents."""
        key = json.dumps([*self.agents, SEED]).encode()
        for name, options in LEARNED.items():
            if any(option in text for option in options for text in (self.seekers, self.hider)):
                key += resource("scotland_yard", name).read_bytes()
        return f"{hashlib.sha256(key).hexdigest()[:16]}.jsonl"


@dataclass(frozen=True)
class Table:
    """Some cells with a heading, and what they show; `conclusions.md` says what came out.

    Attributes:
        word: Short name for the command line.
        title: Heading.
        about: One sentence on the setting.
        cells: In the order in which they are played.
        against_first: Whether the others are compared with the first, deal by deal.
        paper_games: From how many games the paper's numbers are; None if it does not say.
    """

    word: str
    title: str
    about: str
    cells: tuple[Cell, ...]
    against_first: bool = False
    paper_games: int | None = 1_000


def _with(agent: str, playouts: int) -> str:
    name, colon, options = agent.partition(":")
    if name not in ("mcts", "vote", "average") or {"simulations", "cpu_seconds"} & {
        option.partition("=")[0] for option in options.split(",")
    }:
        return agent
    return f"{name}:simulations={playouts}" + (f",{options}" if colon else "")


def hider_of(reading: str) -> str:
    """The hider by a reading of their playouts, see `READINGS` of the game's advice."""
    return f"mcts:playouts={READINGS[reading]['playouts'].partition('/')[0]}"


LIST = "belief=uniform"
#: The weights of the paper's own Table I, so that no other training changes a cell. Those named
#: `paper_detailed` are from its Table II.
LC = "belief=paper_table"
#: In place of the paper's second.
SECONDS = 0.05
TIME = f"cpu_seconds={SECONDS:g}"
PARANOID = f"paranoid:{TIME}"
RANDOM = ",playouts=random"
#: The reading of the hider's playouts that explains most tables: stations as known at the root, and
#: detectives who capture where they can. What agents do when nothing is said is the text's: the
#: list of the moment, by which detectives pass a hider within reach.
HIDER = hider_of("root")
#: What is usual for the agents, and so the text's reading.
TEXT_HIDER = "mcts"
#: A search updates the list in its tree; in a playout it stays as it was where the playout begins.
LEAF_HIDER = hider_of("leaf")

#: Tables IX and X of the paper: r, and its seekers' wins with categorization by playouts.
COALITION = (
    (0, 34.5, 48.3, 67.7),
    (0.1, 43.0, 59.7, 76.2),
    (0.2, 49.6, 64.5, 74.2),
    (0.3, 49.9, 64.1, 72.1),
    (0.4, 55.6, 58.7, 64.9),
    (0.5, 51.6, 58.5, 65.0),
    (0.6, 48.7, 52.4, 52.9),
    (0.7, 44.1, 50.1, 47.5),
    (0.8, 40.2, 39.7, 39.7),
    (0.9, 35.0, 37.0, 32.3),
    (1, 26.0, 24.3, 23.1),
)


def coalition(column: int, games: int, playouts: int, hider: str = HIDER) -> tuple[Cell, ...]:
    """Seekers with categorization and all values of r, beside one column of the paper's.

    Nothing is said of r = 0, which is usual, so that other tables share these games.
    """
    return tuple(
        Cell(f"r = {r:g}", f"mcts:{LC}{option}", hider, paper[column], games, playouts)
        for r, *paper in COALITION
        for option in (f",r={r:g}" if r else "",)
    )


def ten_thousand(name: str, seekers: str, hider: str = HIDER, paper: float | None = None) -> Cell:
    """A cell with 10,000 playouts and 100 games."""
    return Cell(name, seekers, hider, paper, 100, 10_000)


def separate_trees(hider: str) -> tuple[Cell, ...]:
    """Table IV's other determinizations, without categorization."""
    return (
        ten_thousand("separate trees, average score", f"average:{LIST}", hider, 31.3),
        ten_thousand("separate trees, majority vote", f"vote:{LIST}", hider, 35.1),
    )


def alike(name: str, playouts: str, paper: float, seekers: str = "mcts") -> Cell:
    """Both sides with the same playouts, and seekers without categorization."""
    return ten_thousand(
        name, f"{seekers}:{LIST},playouts={playouts}", f"mcts:playouts={playouts}", paper
    )
