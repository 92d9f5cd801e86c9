"""The cells of the tables of Cheat: who plays whom, and how many matches; see `cheat_tables`."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace

from sleuth.data.files import resource

#: Of all matches, so that all cells have the same deals and the same people.
SEED = 2018
#: Games of a match.
SERIES = 4
#: Simulations of one move: about 10 ms of processor time for each of the agents.
PAPER = "simulations=500"
OURS = "simulations=500"
#: Simulated people: those who react to being caught and lied to, and those of before.
REACTING = "people:population=reacting"
STEADY = "people:population=steady"


@dataclass(frozen=True)
class Cell:
    """A match of two agents, played many times.

    Attributes:
        name: What it is called.
        agent: Whose numbers are shown.
        opponent: Whom they play.
        matches: How many are wanted, of four games each.
    """

    name: str
    agent: str
    opponent: str = STEADY
    matches: int = 1_000

    @property
    def games(self) -> int:
        """How many games are wanted."""
        return SERIES * self.matches

    @property
    def file(self) -> str:
        """Cells with equal agents share their games; other predictors make other agents."""
        key = json.dumps([self.agent, self.opponent, SEED, SERIES]).encode()
        for name in ("truth.npz", "calls.npz"):
            key += resource("cheat", name).read_bytes()
        return f"{hashlib.sha256(key).hexdigest()[:16]}.jsonl"


@dataclass(frozen=True)
class Table:
    """Some cells with a heading.

    Attributes:
        word: Short name for the command line.
        title: Heading.
        about: What it shows.
        cells: In the order in which they are played.
        compared: Pairs of cells, by name, whose difference is shown, match by match.
        variance: Cells, by name, that an analysis of variance sets beside each other.
        note: What came out, and why.
    """

    word: str
    title: str
    about: str
    cells: tuple[Cell, ...]
    compared: tuple[tuple[str, str], ...] = ()
    variance: tuple[str, ...] = ()
    note: str = ""


MGA = Cell("MGA", f"mga:{PAPER}")
PMGA = Cell("PMGA", f"pmga:{PAPER}")
FPMGA = Cell("FPMGA", f"fpmga:right=0.85,{PAPER}")
OWN = Cell("ours", f"ours:{OURS}")
FIGURE = (MGA, PMGA, FPMGA, OWN)
#: Ours, that gets to know the other during a match.
KNOWING = Cell("ours, getting to know them", f"{OWN.agent},known=yes")

#: What `sleuth tune` chose for PMGA, see docs/results/cheat_tuning.md, and its kin with the same.
CHOSEN = "exploration=0.115,mixing_slowing=0.00201,discount=0.992"
TUNED = f"{PMGA.agent},{CHOSEN}"
TUNED_FIGURE = (*(replace(cell, agent=f"{cell.agent},{CHOSEN}") for cell in FIGURE[:3]), OWN)

#: Options with which the search does what the paper's text says.
READINGS = (
    ("all ways in one tree", "one_tree=yes"),
    ("each leaves the tree alone", "each_leaves=yes"),
    ("the first action counts", "counts_first=yes"),
    ("all three", "one_tree=yes,each_leaves=yes,counts_first=yes"),
)

#: How far ours trusts that opponents do what is predicted of them.
TRUSTS = (
    *((f"trust {trust:g}", f"trust={trust}") for trust in (0.75, 0.5, 0.25, 0.0)),
    ("as far as it is sure", "sure=yes"),
)

TABLES = (
    Table(
        "people",
        "Against simulated people (the paper's Figure 3)",
        "Each agent plays the same deals against the same people, who were drawn anew from "
        "[those who react](../cheat.md#simulated-people). Predictors have learned from others. "
        "The paper's agents have the constants that [a tournament chose](cheat_tuning.md).",
        (
            *(replace(cell, opponent=REACTING) for cell in TUNED_FIGURE),
            Cell("PMGA, usual constants", PMGA.agent, REACTING, 250),
            Cell("another person", REACTING, REACTING, 250),
        ),
        (
            ("PMGA", "MGA"),
            ("FPMGA", "PMGA"),
            ("ours", "PMGA"),
            ("PMGA", "PMGA, usual constants"),
        ),
        ("MGA", "PMGA", "FPMGA"),
        note=(
            "These people react: they lie less after they were caught, call more after they were "
            "lied to, and lie less to an opponent whose calls are right. The paper's people lied "
            "in 44.8 %, 42.4 % and 40.4 % of their claims to MGA, PMGA and FPMGA, which ended with "
            "2.89, 3.51 and 4.56 cards fewer than they. Here, too, better predictions leave fewer "
            "cards and fewer lies. Games tell these agents apart less well: all win nearly always."
        ),
    ),
    Table(
        "known",
        "An opponent who gets to be known",
        "Ours, with an offset that it learns of the other from the claims that are turned up in "
        "the match (`known=yes`), and without, against people of both populations.",
        (
            replace(OWN, name="ours, people who react", opponent=REACTING),
            replace(KNOWING, name="knowing, people who react", opponent=REACTING),
            replace(OWN, name="ours, steady people"),
            replace(KNOWING, name="knowing, steady people"),
        ),
        (
            ("knowing, people who react", "ours, people who react"),
            ("knowing, steady people", "ours, steady people"),
        ),
    ),
    Table(
        "steady",
        "Against steady people",
        "The same against the population of before, whose people react little; all tables from "
        "here on are against them, too. Predictors have learned from people who react, and "
        "[fare worse](cheat_training.md#people-who-react) with steady ones.",
        (*FIGURE, Cell("another person", STEADY, matches=250)),
        (("PMGA", "MGA"), ("FPMGA", "PMGA"), ("ours", "PMGA")),
        ("MGA", "PMGA", "FPMGA"),
        note=(
            "The order is the expected one: PMGA above MGA, FPMGA above PMGA, ours above PMGA, in "
            "games and in cards, and none of the intervals above holds 0. Everybody is near the "
            "top against these people, who do not plan, so games tell agents apart less well than "
            "cards do; the paper's people won at least 11 %. That people get better with "
            "practice against MGA, or lie less to who catches them, does not show here: two in "
            "five adapt, and only a little.\n\n"
            "What limits the paper's agent is that it makes little of what it is told. "
            "`python benchmarks/cheat_hints.py` tells agents for sure whether claims are true: of "
            "40 lies it calls 8 with 500 simulations and 17 with 8,000 (of 40 true claims 3 and "
            "none); ours calls 26 and 27, and no true claim. We think it is its playouts: sixty "
            "turns long, so that the pile a caught liar takes up is lost in what happens later. "
            "More time helps it more than a better predictor does."
        ),
    ),
    Table(
        "head",
        "Ours against PMGA",
        "Head to head, every deal in both seats.",
        (
            Cell("ours against PMGA", OWN.agent, PMGA.agent),
            Cell("ours against PMGA with tuned constants", OWN.agent, TUNED, 50),
        ),
        note=(
            "Ours plans against people, and PMGA plays otherwise: nine of ten of its claims are "
            "lies, and it calls three times as often as they do. Ours gets to know that during "
            "the match, from the calls it counts and the lies that were turned up. Against a "
            "PMGA that explores less, which beats the usual one, ours wins less often, and "
            "still by far. What less trust in people would win and risk, "
            "[Mini-Cheat](cheat_restricted.md) tells exactly."
        ),
    ),
    Table(
        "tuned",
        "PMGA with tuned constants",
        "Against steady people, with what a tournament of PMGA against itself chose "
        "([which](cheat_tuning.md)).",
        (PMGA, Cell("PMGA, tuned", TUNED, matches=200)),
        (("PMGA, tuned", "PMGA"),),
        note=(
            "What a tournament against itself chose plays better against people too, in cards; "
            "in games everybody is near the top."
        ),
    ),
    Table(
        "text",
        "As the text has it: what each reading changes",
        "PMGA with what the paper's algorithms 1 and 2 say where the default is another, and MGA "
        "with 0.5 for claims that counting decides, too "
        "([which](fidelity.md#search-sections-2-to-46)), against steady people.",
        (
            replace(PMGA, matches=50),
            *(Cell(name, f"{PMGA.agent},{more}", matches=50) for name, more in READINGS),
            replace(MGA, matches=50),
            Cell("MGA, 0.5 throughout", f"{MGA.agent},excluded=yes", matches=50),
        ),
        (*((name, "PMGA") for name, _ in READINGS), ("MGA, 0.5 throughout", "MGA")),
        ("PMGA", *(name for name, _ in READINGS)),
        note=(
            "One tree, and leaving it one by one, cannot be told from the usual search, nor "
            "can all three together. With the first action counted fewer cards are left; it is one "
            "of five differences, but its interval is far from 0. P = 0.5 for claims that counting "
            "decides makes MGA worse, in cards and in calls. Wins are near the top and tell "
            "nothing. The usual search stays as it is."
        ),
    ),
    Table(
        "time",
        "With eight times the time",
        "4,000 simulations a move, against steady people.",
        tuple(
            Cell(cell.name, cell.agent.replace("=500", "=4000"), matches=50)
            for cell in (MGA, PMGA, FPMGA, OWN)
        ),
        (("PMGA", "MGA"), ("FPMGA", "PMGA")),
        note=(
            "The paper's agents had 25 seconds a move, and card differences of -2.89, -3.51 and "
            "-4.56: with more time the numbers come near those."
        ),
    ),
    Table(
        "parts",
        "What ours is made of",
        "Against PMGA, with parts of it left out, or with more time.",
        (
            Cell("ours", OWN.agent, PMGA.agent, 50),
            Cell("without a predictor of truth", f"{OWN.agent},predictor=none", PMGA.agent, 50),
            Cell(
                "an opponent who is searched, by the rules, with the paper's playouts",
                f"mcts:predictor=usual,information=key,exploration=0.2,{OURS}",
                PMGA.agent,
                50,
            ),
            Cell("2,000 simulations", "ours:simulations=2000", PMGA.agent, 50),
        ),
        note=(
            "Most of it is the opponent who is predicted instead of searched, with playouts "
            "that end early: the same worlds and predictor with the paper's playouts win 60 % "
            "of the games. What the predictor of truth is worth against PMGA, whose lies it has "
            "not learned from, and what more time, so few matches do not tell."
        ),
    ),
    Table(
        "trust",
        "Less trust in what is predicted of people",
        "Ours, with opponents who do what is predicted of them in a share of the simulations only "
        "and are searched in the rest ([which](../cheat-agents.md#trust)), against people who "
        "react and against PMGA. How much less exploitable it gets by that, "
        "[Mini-Cheat](cheat_restricted.md) tells.",
        (
            replace(OWN, opponent=REACTING, matches=150),
            *(Cell(name, f"{OWN.agent},{more}", REACTING, 150) for name, more in TRUSTS),
            Cell("ours against PMGA", OWN.agent, PMGA.agent, 50),
            *(
                Cell(f"{name} against PMGA", f"{OWN.agent},{more}", PMGA.agent, 50)
                for name, more in (TRUSTS[1], TRUSTS[-1])
            ),
        ),
        (
            *((name, "ours") for name, _ in TRUSTS),
            *((f"{name} against PMGA", "ours against PMGA") for name, _ in (TRUSTS[1], TRUSTS[-1])),
        ),
    ),
    Table(
        "quality",
        "Win rate against predictor quality",
        "The paper's agent with a noisy oracle, which is right so often, against steady people.",
        (
            *(
                Cell(f"{right:.2f}", f"fpmga:right={right},{PAPER}", matches=500)
                for right in (0.5, 0.6, 0.7, 0.8)
            ),
            Cell("0.85", FPMGA.agent, matches=500),
            *(
                Cell(f"{right:.2f}", f"fpmga:right={right},{PAPER}", matches=500)
                for right in (0.9, 1.0)
            ),
        ),
        note=(
            "The better the oracle, the more games are won, the more calls are right, and the "
            "fewer cards are left in the end; an oracle that is right half of the time tells "
            "nothing, and is where MGA is."
        ),
    ),
)
