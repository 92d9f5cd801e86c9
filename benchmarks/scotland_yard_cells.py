"""The cells of the Scotland Yard paper, as matches of agents; see `scotland_yard_tables`."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from sleuth.data.files import resource

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
        """Cells with equal agents share their games; what was learned anew makes other agents."""
        key = json.dumps([*self.agents, SEED]).encode()
        for name, options in LEARNED.items():
            if any(option in self.seekers for option in options):
                key += resource("scotland_yard", name).read_bytes()
        return f"{hashlib.sha256(key).hexdigest()[:16]}.jsonl"


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
#: With Coalition Reduction as the paper words it.
NEGAMAX = "r={},credited=negamax"
ALL_DOUBLES = "mcts:filter=no,imagined=doubles"


def _reading(name: str, options: str, paper: float | None = None, playouts: int = 1_000) -> Cell:
    """Seekers with categorization and other options, beside a number of the paper's."""
    return Cell(name, f"mcts:{LC},{options}", "mcts", paper, 100, playouts)


def _capture(
    name: str, seekers: str, hider: str, paper: float | None = None, playouts: int = 1_000
) -> Cell:
    """Both without categorization and with other playouts."""
    return Cell(
        name, f"mcts:{LIST},playouts={seekers}", f"mcts:playouts={hider}", paper, 100, playouts
    )


def _now(
    name: str, options: str, paper: float | None = None, hider: str = "", playouts: int = 1_000
) -> Cell:
    """Seekers with categorization against a hider with a list of the moment."""
    seekers = f"mcts:{LC}" + (f",{options}" if options else "")
    return Cell(name, seekers, f"mcts:playouts=total_now{hider}", paper, 100, playouts)


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
            "Fewer playouts, weaker seekers: the paper's Table X shows the same for its own "
            "program (34.5 with 1,000 playouts, 77.4 with 100,000). In the same direction as in "
            "the paper, seekers with greedy playouts win far more often than with random ones, "
            "and a hider with greedy playouts is caught less often than one with random ones: "
            "17.0 points less by greedy seekers (10.9 to 23.1, deal by deal), 5.2 by random ones "
            "(1.8 to 8.7)."
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
            "One tree and averaged trees are not told apart here (-0.2 points, -6.0 to 5.5, deal "
            "by deal), while they are far apart in the paper; votes do worst, where in the paper "
            "averages do. Each separate tree gets some dozens of playouts out of 1,000; that this "
            "is too few for votes is our guess, not something that was tested."
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
            "With 1,000 playouts no categorization is told apart from none: minimum distance +5.0 "
            "points (-1.0 to 11.0, deal by deal), average distance +4.5 (-1.3 to 10.3), station "
            "type -1.8 (-7.4 to 3.9). The order is the paper's but for the average distance. "
            "Minimum distance takes the counts of the paper's own Table I; the other two are "
            "counted in 1,000 games of sleuth's agents, with 1,000 playouts for a move. What it "
            "brings with 10,000 playouts is further below."
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
            "As in the paper seekers with few playouts gain much by r, most between 0.2 and 0.4: "
            "28.5 points at 0.4 (22.1 to 34.9, deal by deal). At 0.1, 0.2 and 0.4 ours and the "
            "paper's numbers agree. At 0 ours win less often (26.5, 22.4 to 31.0) than the "
            "paper's, and from 0.7 on more often: at r = 1 nearly twice as often, where the "
            "paper's seekers, all selfish, lose what they had gained, and ours do not.\n\nWhat "
            "was found out about r = 1: here each seeker's nodes are credited from that seeker's "
            "side, and the hider loses no matter which seeker makes the catch. The paper speaks "
            "of the root player, and its tree may give the hider the rest. Neither reading "
            "explains the difference (see the readings below). Nor does it matter which players "
            "are credited when the hider is trapped: with nothing for a trap the seekers won 26 "
            "of 60 games. The credits are selfish as intended: the best action at a root has "
            "0.20 on average over 533 decisions, as with five seekers who share about 1. With "
            "10,000 playouts selfish seekers win 18.0 points less often than those with r = 0 "
            "(0.6 to 35.4, 50 deals), so it costs here too, but they are far from the paper's "
            "23.1. The difference is unexplained."
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
            Cell("without, doubles at the root only", f"mcts:{LC}", "mcts:filter=no"),
        ),
        note=(
            "Filtering is worth more here than in the program of 2011, whose setting is not known "
            "to us. Most of it is filtering itself, 38.8 points (28.9 to 48.6, 160 deals), as the "
            "third row says: there doubles are considered at the root, and not below it. Where "
            "our hider also has every move a second time below the root, as the first half of a "
            "double move, it is another 6.9 points, which are not told apart from none (-3.9 to "
            "17.6)."
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
            "Seekers with a tenth of the paper's playouts win far less often than the paper's, "
            "against a hider who looks ahead for a twentieth of the paper's time. With and "
            "without categorization are not told apart."
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
        note=(
            "The order is the paper's, and all seekers win less often than there. Players that "
            "look ahead have a twentieth of the paper's time, and players with playouts have "
            "2,000 of them instead of a second."
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
        note=(
            "The order is the paper's. Plain seekers agree with the paper's; those with a "
            "technique win somewhat more often than there. Deal by deal both together are better "
            "than plain seekers by 18.7 points (9.5 to 27.8) and than each alone by 10.0 (1.6 to "
            "18.4; 2.6 to 17.4), over 150 deals; either alone is not told apart from plain (+8.7, "
            "-1.8 to 19.1; +8.7, -1.1 to 18.5)."
        ),
    ),
    Table(
        "beyond",
        "Beyond the paper",
        "1,000 playouts. The paper's best seekers with so few (categorization, r = 0.4), the "
        "same with worlds drawn from the exact filter with the learned model of the hider's "
        "moves, and the same with information gain about the hider's station as a part of the "
        "objective (a bit counts 0.1 points, where a win and a loss are two points apart).",
        (
            Cell("the paper's best", f"mcts:{LC},r=0.4", "mcts", 55.6, 1_000),
            Cell("exact filter, learned moves", "mcts:belief=moves,r=0.4", "mcts", None, 1_000),
            Cell("and gain", "mcts:belief=moves,r=0.4,gain=0.1", "mcts", None, 1_000),
        ),
        against_first=True,
        note=(
            "A gain is shown where the interval of a difference does not contain 0. Seekers that "
            "know better where the hider is catch the hider far more often. The model of moves "
            "was learned from 1,000 games of the same kind of hider as here, with other deals, "
            "and its log loss of the true station is about 0.7 bits less than that of the "
            "categorization.\n\nInformation has no further worth beside that, and there is a "
            "reason. A detective's move tells whether the hider is there, so a move that catches "
            "the hider with probability p tells h(p) bits, the binary entropy, which grows with "
            "p up to one half. In 43 of the 44 turns of the two recorded games that ship "
            "(escape, caught early) in which the hider could be caught, the move likeliest to "
            "catch was the one that told most; in the other p was above one half. The search "
            "maximises catching already. The weight of a bit was set to 0.1 beforehand and not "
            "tuned."
        ),
    ),
    Table(
        "readings",
        "What our readings matter",
        "Seekers with categorization, 1,000 playouts if nothing else is said, each point that the "
        "paper leaves open read in another way; to be compared with the cells of the same r in "
        "Table X above.",
        (
            _reading("r = 0.4, credited from the root's side", "r=0.4,credited=root"),
            _reading("r = 0.4, the hider gets the rest of it", "r=0.4,credited=negamax", 55.6),
            _reading("r = 1, credited from the root's side", "r=1,credited=root", 26.0),
            _reading("r = 1, the hider gets the rest of it", "r=1,credited=negamax", 26.0),
            _reading("r = 1, with 10,000 playouts", "r=1", 23.1, playouts=10_000),
            _reading(
                "the same, the hider gets the rest", "r=1,credited=negamax", 23.1, playouts=10_000
            ),
            _reading("r = 0, n by availability", "by_availability=yes", 34.5),
            _reading("r = 0, observer's tree", "information=observer", 34.5),
            _reading("r = 0, double moves in the tree", "imagined=doubles", 34.5),
            Cell(
                "r = 0, hider with a list of the moment",
                f"mcts:{LC}",
                "mcts:playouts=total_now",
                games=100,
            ),
        ),
        note=(
            "Compare these only with their intervals: with 100 games most readings are not told "
            "apart from each other."
        ),
    ),
    Table(
        "now",
        "Old and new readings",
        "Seekers with categorization against a hider with playouts by the list of the moment, as "
        "section IV-C of the paper has it; credits are those of the root player, and the hider "
        "gets the rest. To be compared with the cells of the same r in Table X above.",
        (
            _now("r = 0", "", 34.5),
            _now("r = 0.4", NEGAMAX.format(0.4), 55.6),
            _now("r = 1", NEGAMAX.format(1), 26.0),
            _now("r = 0, the hider expects captures", "", 34.5, "_capture"),
            _now("r = 0.4, the hider expects captures", NEGAMAX.format(0.4), 55.6, "_capture"),
            _now("r = 1, the hider expects captures", NEGAMAX.format(1), 26.0, "_capture"),
            _now("r = 0, seekers without history", "bias_weight=0"),
            _now("r = 0, doubles in the hider's tree", "", None, ",imagined=rules"),
        ),
        note=(
            "With both readings selfish seekers (r = 1) win as often as the paper's, where the "
            "old ones won 46.8 (41.9 to 51.6). At r = 0 they win less often than the paper's; "
            "26.5 (22.4 to 31.0) by the old readings is not told apart from that. So one gap "
            "closes and another may grow. A hider whose playouts have captures too is not told "
            "apart from one without: -1.7 points at r = 0 (-15.2 to 11.9, 60 deals), -12.5 at r ="
            " 1 (-32.6 to 7.6, 40 deals). Nor are seekers without Progressive History, +12.5 "
            "(-6.3 to 31.3, 40 deals), nor a hider in whose tree double moves have a price, 0.0 "
            "(-15.7 to 15.7, 40 deals). Two games say nothing."
        ),
    ),
    Table(
        "capture",
        "Playouts that capture",
        "Playouts at random, in which a seeker captures the hider where they can, on both sides or "
        "on one. 1,000 playouts (the paper's: 1 second, Table III), seekers without "
        "categorization.",
        (
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
        note=(
            "Where both capture seekers win 28.6 (17.8 to 42.4), and 10.8 (8.1 to 14.2) in Table "
            "III above where nobody needs to. On one side alone or on both is not told apart "
            "(+2.5 points to the seekers' side alone, -15.4 to 20.4, 40 deals), nor is "
            "Progressive History (-10.0 without it, -26.9 to 6.9, 40 deals)."
        ),
    ),
    Table(
        "capture_more",
        "The same with 10,000 playouts",
        "Playouts that capture (Table IV, without categorization), and the new readings (Table IX, "
        "with it).",
        (
            _capture("both capture", "capture", "capture", 51.8, 10_000),
            _now("r = 0", "", 67.7, playouts=10_000),
            _now("r = 0, the hider expects captures", "", 67.7, "_capture", 10_000),
            _now(
                "r = 0.1, the hider expects captures", NEGAMAX.format(0.1), 76.2, "_capture", 10_000
            ),
            _now("r = 1, the hider expects captures", NEGAMAX.format(1), 23.1, "_capture", 10_000),
        ),
        note=(
            "The paper's 51.8 lies in the interval. Both at random, without captures, were not "
            "played again with so many playouts."
        ),
    ),
)
