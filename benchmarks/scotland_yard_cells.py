"""The cells of the Scotland Yard paper, as matches of agents; see `scotland_yard_tables`."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

#: Of all matches, so that all cells have the same deals.
SEED = 2012


@dataclass(frozen=True)
class Cell:
    """One number of the paper, or a setting of ours.

    Attributes:
        name: What it is called.
        seekers, hider: The agents, with what differs from their usual options.
        paper: The seekers' win rate in the paper in per cent; None where it has none.
        games: How many are wanted.
        playouts: Of both, where they make any.
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
        """Cells with equal agents share their games."""
        digest = hashlib.sha256(json.dumps([*self.agents, SEED]).encode()).hexdigest()
        return f"{digest[:16]}.jsonl"


@dataclass(frozen=True)
class Table:
    """Some cells with a heading, what they show, and what is to be said of the result.

    Attributes:
        word: Short name for the command line.
        title: Heading.
        about: One sentence on the setting.
        cells: In the order in which they are played.
        against_first: Whether the others are compared with the first, deal by deal.
        note: Where and why our numbers differ.
    """

    word: str
    title: str
    about: str
    cells: tuple[Cell, ...]
    against_first: bool = False
    note: str = ""


def _with(agent: str, playouts: int) -> str:
    name, colon, options = agent.partition(":")
    if name not in ("mcts", "vote", "average"):
        return agent
    return f"{name}:simulations={playouts}" + (f",{options}" if colon else "")


LIST = "belief=uniform"
#: The weights of the paper's own Table I, so that no other training changes a cell.
LC = "belief=paper_table"
PARANOID = "paranoid:cpu_seconds=0.05"
EXPECTIMAX = f"expectimax:cpu_seconds=0.05,{LC}"
ALL_DOUBLES = "mcts:filter=no,imagined=doubles"

TABLES = (
    Table(
        "III",
        "Playouts (Table III)",
        "Seekers without Location Categorization. The paper's players had 1 second, ours 1,000 "
        "playouts.",
        (
            Cell("seekers MC, hider MM", f"mcts:{LIST}", "mcts", 73.5),
            Cell("seekers MC, hider random", f"mcts:{LIST}", "mcts:playouts=random", 78.1),
            Cell("seekers random, hider MM", f"mcts:{LIST},playouts=random", "mcts", 39.7),
            Cell(
                "seekers random, hider random",
                f"mcts:{LIST},playouts=random",
                "mcts:playouts=random",
                49.0,
            ),
        ),
        note=(
            "At 1,000 playouts the seekers win far less often than in the paper's second, which "
            "is as its Table X shows for fewer playouts; the order is the same: greedy playouts "
            "help both sides, and the seekers more. Random playouts of the seekers suffer most "
            "from their small number."
        ),
    ),
    Table(
        "IV",
        "Determinization (Table IV)",
        "Without Location Categorization, greedy playouts. The paper's numbers are for 10,000 "
        "playouts, ours for 1,000.",
        (
            Cell("single tree", f"mcts:{LIST}", "mcts", 63.6),
            Cell("separate trees, average score", f"average:{LIST}", "mcts", 31.3),
            Cell("separate trees, majority vote", f"vote:{LIST}", "mcts", 35.1),
        ),
        note=(
            "With 1,000 playouts there is little to choose between one tree and averaged trees: "
            "each separate tree gets some dozens of playouts, which is enough for averages and "
            "too few for votes. The paper's distance between one tree and many is that of ten "
            "times the playouts."
        ),
    ),
    Table(
        "V",
        "Location Categorization (Table V)",
        "General table, one-step selection. The paper's numbers are for 10,000 playouts, ours for "
        "1,000.",
        (
            Cell("none", f"mcts:{LIST}", "mcts", 63.6),
            Cell("minimum distance", f"mcts:{LC}", "mcts", 67.7),
            Cell("average distance", "mcts:belief=average_distance_general_1", "mcts", 61.7),
            Cell("station type", "mcts:belief=station_general_1", "mcts", 58.6),
        ),
        note=(
            "With so few playouts and no Coalition Reduction, where the hider is thought to be "
            "changes less than chance does with these numbers of games. Minimum distance takes "
            "the weights of the paper's own Table I; the other two are counted in games of "
            "sleuth's agents."
        ),
    ),
    Table(
        "X",
        "Coalition Reduction (Table X)",
        "1,000 playouts, with Location Categorization, as in the paper.",
        (
            Cell("r = 0", f"mcts:{LC}", "mcts", 34.5),
            Cell("r = 0.1", f"mcts:{LC},r=0.1", "mcts", 43.0),
            Cell("r = 0.2", f"mcts:{LC},r=0.2", "mcts", 49.6),
            Cell("r = 0.4", f"mcts:{LC},r=0.4", "mcts", 55.6),
            Cell("r = 0.7", f"mcts:{LC},r=0.7", "mcts", 44.1),
            Cell("r = 1", f"mcts:{LC},r=1", "mcts", 26.0),
        ),
        note=(
            "At r = 0 our seekers win less often than the paper's, at r = 0.2 and more they win "
            "as often or more often; the best r is the same. Early in the game nearly every "
            "playout ends with the hider caught (97 of 100 at the first moves), so that with r = "
            "0 the moves of one seeker hardly differ in value; with r > 0 they do. How members "
            "and hider are credited then matters most where r is large, see the readings below: "
            "the paper says only that the result is backed up as in negamax."
        ),
    ),
    Table(
        "filter",
        "Move filtering",
        "1,000 playouts, with Location Categorization, r = 0. The paper's program of 2011: the "
        "hider wins 34.0 % with and 19.4 % without filtering. Without it the hider considers all "
        "legal moves, double moves below the root too.",
        (
            Cell("with filtering", f"mcts:{LC}", "mcts", 66.0),
            Cell("without filtering", f"mcts:{LC}", ALL_DOUBLES, 80.6),
        ),
        note=(
            "Filtering is worth more here than in the program of 2011. Without it the hider of "
            "ours also considers every move a second time as the first half of a double move, at "
            "every ply, which costs him most of his playouts."
        ),
    ),
    Table(
        "paranoid",
        "Against the paranoid hider (Table VI)",
        "Seekers with 1,000 playouts (the paper's: 10,000); the hider looks ahead for 0.05 seconds "
        "of processor time (the paper's: 1 second).",
        (
            Cell("without categorization", f"mcts:{LIST}", PARANOID, 83.4),
            Cell("with categorization", f"mcts:{LC}", PARANOID, 86.4),
        ),
        note=(
            "Against the paranoid hider too the seekers win less often with a tenth of the "
            "paper's playouts; in the paper as here he is easier to catch than the hider with "
            "playouts."
        ),
    ),
    Table(
        "XI",
        "Search with playouts against minimax (Table XI)",
        "Seekers with categorization, those with playouts with r = 0.1. 2,000 playouts, or 0.05 "
        "seconds of processor time (the paper's: 1 second for all).",
        (
            Cell("MCTS, hider MCTS", f"mcts:{LC},r=0.1", "mcts", 81.2, 200, 2_000),
            Cell("MCTS, hider paranoid", f"mcts:{LC},r=0.1", PARANOID, 94.9, 200, 2_000),
            Cell("expectimax, hider MCTS", EXPECTIMAX, "mcts", 45.0, 200, 2_000),
            Cell("expectimax, hider paranoid", EXPECTIMAX, PARANOID, 76.2, 200, 2_000),
        ),
    ),
    Table(
        "IX",
        "The paper's conclusions at its 10,000 playouts (Table IX)",
        "What the two techniques bring, alone and together.",
        (
            Cell("plain", f"mcts:{LIST}", "mcts", 63.6, 200, 10_000),
            Cell("with categorization", f"mcts:{LC}", "mcts", 67.7, 200, 10_000),
            Cell("with r = 0.1", f"mcts:{LIST},r=0.1", "mcts", 70.1, 200, 10_000),
            Cell("with both", f"mcts:{LC},r=0.1", "mcts", 76.2, 200, 10_000),
        ),
    ),
    Table(
        "beyond",
        "Beyond the paper",
        "1,000 playouts. The paper's best seekers with so few (categorization, r = 0.4), the same "
        "with worlds drawn from the exact filter with the learned model of the hider's moves, and "
        "with what a move would tell of where he is as a part of the objective (0.1 of a point, "
        "of two between a win and a loss, for a bit).",
        (
            Cell("the paper's best", f"mcts:{LC},r=0.4", "mcts", 55.6, 1_000),
            Cell("exact filter, learned moves", "mcts:belief=moves,r=0.4", "mcts", None, 1_000),
            Cell("and gain", "mcts:belief=moves,r=0.4,gain=0.1", "mcts", None, 1_000),
        ),
        against_first=True,
    ),
    Table(
        "readings",
        "What our readings matter",
        "Seekers with categorization, 1,000 playouts, each point that the paper leaves open read "
        "in another way. The first three are to be compared with r = 0 and r = 0.4 and r = 1 of "
        "Table X above.",
        (
            Cell(
                "r = 0.4, credited from the root's side", f"mcts:{LC},r=0.4,credited=root", "mcts"
            ),
            Cell(
                "r = 0.4, the hider gets the rest of it",
                f"mcts:{LC},r=0.4,credited=negamax",
                "mcts",
                55.6,
            ),
            Cell(
                "r = 1, the hider gets the rest of it",
                f"mcts:{LC},r=1,credited=negamax",
                "mcts",
                26.0,
            ),
            Cell("r = 0, n by availability", f"mcts:{LC},by_availability=yes", "mcts", 34.5),
            Cell("r = 0, observer's tree", f"mcts:{LC},information=observer", "mcts", 34.5),
            Cell("r = 0, double moves in the tree", f"mcts:{LC},imagined=doubles", "mcts", 34.5),
            Cell("r = 0, hider with a list of the moment", f"mcts:{LC}", "mcts:playouts=total_now"),
        ),
    ),
)
