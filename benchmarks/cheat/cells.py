"""The cells of the tables of Cheat: who plays whom, and how many matches; see `cheat_tables`."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

import sleuth
from sleuth.data.files import resource

#: Of all matches, so that all cells have the same deals and the same people.
SEED = 2018
#: Games of a match.
SERIES = 4
#: Simulations of one move: about 10 ms of processor time for each of the agents.
PAPER = "simulations=500"
OURS = "simulations=500"
#: Simulated people who react to being caught and lied to.
REACTING = "people:population=reacting"


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
    opponent: str = REACTING
    matches: int = 1_000

    @property
    def agents(self) -> tuple[str, str]:
        """As a match takes them."""
        return self.agent, self.opponent

    @property
    def file(self) -> str:
        """Cells with equal agents share their games; other predictors make other agents."""
        key = json.dumps([*self.agents, SEED, SERIES]).encode()
        for name in ("truth.npz", "calls.npz"):
            key += resource("cheat", name).read_bytes()
        return f"{hashlib.sha256(key).hexdigest()[:16]}.jsonl"


@dataclass(frozen=True)
class Table:
    """Some cells with a heading; `conclusions.md` says what came out, and why.

    Attributes:
        word: Short name for the command line.
        title: Heading.
        about: What it shows.
        cells: In the order in which they are played.
        compared: Pairs of cells, by name, whose difference is shown, match by match.
        variance: Cells, by name, that an analysis of variance sets beside each other.
    """

    word: str
    title: str
    about: str
    cells: tuple[Cell, ...]
    compared: tuple[tuple[str, str], ...] = ()
    variance: tuple[str, ...] = ()


def options_of(reading: str) -> str:
    """The options of a reading of the game's advice."""
    chosen = sleuth.game("cheat").advice.readings[reading]
    words = {True: "yes", False: "no"}
    return ",".join(f"{option}={words.get(value, value)}" for option, value in chosen.items())


MGA = Cell("MGA", f"mga:{PAPER}")
PMGA = Cell("PMGA", f"pmga:{PAPER}")
FPMGA = Cell("FPMGA", f"fpmga:right=0.85,{PAPER}")
OWN = Cell("ours", f"ours:{OURS}")
#: The same where opponents always do what is predicted of them, which was usual at first.
TRUSTING = Cell("ours, trust 1", f"ours:{OURS},trust=1.0")
FIGURE = (MGA, PMGA, FPMGA, OWN, TRUSTING)
#: c, d and the discount as the paper prints them.
PRINTED = options_of("printed")

#: What the search does otherwise than the paper's text, as ours did at first.
READINGS = (
    ("a tree for each way", options_of("tree_for_each_way")),
    ("both leave the tree together", options_of("both_leave")),
    ("the first action does not count", options_of("first_action_uncounted")),
    ("one way where counting leaves one", options_of("one_way_by_counting")),
    ("exploration by availability", options_of("by_availability")),
    ("all five", options_of("first")),
)

#: How far ours trusts that opponents do what is predicted of them; 0.25 and 1 are cells above.
TRUSTS = (
    *((f"trust {trust:g}", f"trust={trust}") for trust in (0.75, 0.5, 0.0)),
    ("trust by certainty (`sure=yes`)", "sure=yes,trust=1.0"),
)

#: Those who play PMGA, too.
TRUSTED = TRUSTS[1:]
HEAD = Cell("ours against PMGA", OWN.agent, PMGA.agent)
TRUSTING_HEAD = Cell("ours, trust 1, against PMGA", TRUSTING.agent, PMGA.agent)

TABLES = (
    Table(
        "people",
        "Against simulated people (the paper's Figure 3)",
        "Each agent plays the same deals against the same people, who were drawn anew from "
        "[those who react](../cheat/index.md#simulated-people). Predictors have learned from "
        "others. The paper's agents search as its text says, with the constants that [a tournament "
        "chose](cheat_tuning.md).",
        (
            *FIGURE,
            Cell("PMGA, printed constants", f"{PMGA.agent},{PRINTED}", matches=250),
            Cell("another person", REACTING, matches=250),
        ),
        (
            ("PMGA", "MGA"),
            ("FPMGA", "PMGA"),
            ("ours", "PMGA"),
            ("ours, trust 1", "ours"),
            ("PMGA", "PMGA, printed constants"),
        ),
        ("MGA", "PMGA", "FPMGA"),
    ),
    Table(
        "text",
        "What each reading changes",
        "PMGA and MGA with one or all of the points in which our search differed from the paper's "
        "algorithms at first ([which](../cheat/agents.md#the-papers-search)).",
        (
            PMGA,
            *(Cell(name, f"{PMGA.agent},{more}", matches=250) for name, more in READINGS),
            MGA,
            Cell("MGA, one way where counting leaves one", f"{MGA.agent},excluded=no", matches=250),
            Cell("MGA, all five", f"{MGA.agent},{READINGS[-1][1]}", matches=250),
        ),
        (
            *((name, "PMGA") for name, _ in READINGS),
            ("MGA, one way where counting leaves one", "MGA"),
            ("MGA, all five", "MGA"),
        ),
        ("PMGA", *(name for name, _ in READINGS)),
    ),
    Table(
        "head",
        "Ours against PMGA",
        "Head to head, every deal in both seats; with `known=yes` ours adjusts its predictor to "
        "this opponent, from the claims turned up in the match.",
        (
            HEAD,
            TRUSTING_HEAD,
            Cell(
                "ours, trust 1, getting to know it",
                f"ours:{OURS},known=yes,trust=1.0",
                PMGA.agent,
                250,
            ),
        ),
        (
            (HEAD.name, TRUSTING_HEAD.name),
            ("ours, trust 1, getting to know it", TRUSTING_HEAD.name),
        ),
    ),
    Table(
        "known",
        "Getting to know the opponent",
        "Agents that adjust their predictor to this opponent, from the claims turned up in the "
        "match (`known=yes`), and agents that do not.",
        (
            TRUSTING,
            Cell(
                "ours, trust 1, getting to know them",
                f"ours:{OURS},known=yes,trust=1.0",
                matches=500,
            ),
            PMGA,
            Cell("PMGA, getting to know them", f"{PMGA.agent},known=yes", matches=500),
        ),
        (
            ("ours, trust 1, getting to know them", "ours, trust 1"),
            ("PMGA, getting to know them", "PMGA"),
        ),
    ),
    Table(
        "trust",
        "Less trust in what is predicted of people",
        "Ours, with opponents who do what is predicted of them in a share of the simulations only "
        "and are searched in the rest ([which](../cheat/agents.md#trust)), against people who "
        "react and against PMGA. The page on [Mini-Cheat](cheat_restricted.md) says how much less "
        "exploitable this makes it.",
        (
            TRUSTING,
            OWN,
            *(Cell(name, f"{OWN.agent},{more}", matches=150) for name, more in TRUSTS),
            TRUSTING_HEAD,
            HEAD,
            *(
                Cell(f"{name} against PMGA", f"{OWN.agent},{more}", PMGA.agent, 250)
                for name, more in TRUSTED
            ),
        ),
        (
            *((name, TRUSTING.name) for name in (OWN.name, *(name for name, _ in TRUSTS))),
            *(
                (name, TRUSTING_HEAD.name)
                for name in (HEAD.name, *(f"{name} against PMGA" for name, _ in TRUSTED))
            ),
        ),
    ),
    Table(
        "quality",
        "Win rate against predictor quality",
        "The paper's agent with a noisy oracle. Each row says how often the oracle is right.",
        tuple(
            Cell(f"{right:.2f}", f"fpmga:right={right},{PAPER}", matches=500)
            for right in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 1.0)
        ),
    ),
    Table(
        "time",
        "With eight times the time",
        "4,000 simulations a move.",
        tuple(
            Cell(cell.name, cell.agent.replace("=500", "=4000"), matches=200)
            for cell in (MGA, PMGA, FPMGA, TRUSTING)
        ),
        (("PMGA", "MGA"), ("FPMGA", "PMGA")),
    ),
)
