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
        "[those who react](../cheat.md#simulated-people). Predictors have learned from others. "
        "The paper's agents search as its text says, with the constants that [a tournament "
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
        note=(
            "As in the paper, a predictor wins more games, leaves fewer cards and ends games in "
            "fewer rounds (PMGA minus MGA). The paper's agents ended with 2.89, 3.51 and 4.56 "
            "cards fewer than people, who lied in 44.8 %, 42.4 % and 40.4 % of their claims. Here "
            "they lie less to better agents, too, but that is how these people are made: they lie "
            "less to an opponent whose calls are right, less after they were caught, and call "
            "more after they were lied to.\n\n"
            "FPMGA, which is told the truth 85 times out of 100, leaves fewer cards than PMGA, as "
            "in the paper.\n\n"
            "Six things go against the paper:\n\n"
            "- FPMGA wins no more games than PMGA (+0.04, -0.59 to +0.66); in the paper FPMGA is "
            "significantly better.\n"
            "- FPMGA's games are shorter than PMGA's; there they were longer. The paper's "
            "hypothesis, that FPMGA calls more often, does not hold here either: MGA calls most.\n"
            "- MGA wins 1.2 points fewer of the last two games than of the first two (± 1.5), so "
            "people show no measurable gain from practice; the paper's people won 13 % and then "
            "28 %. Simulated people cannot learn to play better, so this says nothing about the "
            "paper's.\n"
            "- People take cards from the deck no more often against MGA than against the "
            "others.\n"
            "- People's lies differ between agents, as these people are made. In the paper no "
            "difference in people's habits between agents was significant.\n"
            "- Every agent wins nearly always, we think because simulated people do not plan; the "
            "paper's people won at least 11 %.\n\n"
            "By [our first readings](cheat_first_readings.md) MGA was stronger (-2.76 cards), "
            "because it did not search ways that counting rules out (the next table). All agents "
            "met the same deals and people. The analysis of variance does not use that; the "
            "differences match by match do, and are sharper."
        ),
    ),
    Table(
        "text",
        "What each reading changes",
        "PMGA and MGA with one or all of the points in which our search differed from the paper's "
        "algorithms at first ([which](../cheat-agents.md#the-papers-search)).",
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
        note=(
            "For PMGA no reading differs measurably from the text's, nor do all five together. "
            "MGA wins more games (+1.65, +0.00 to +3.30) and leaves half a card fewer (-0.51, "
            "-0.73 to -0.30) if only the possible way is searched when counting rules the other "
            "out. All five changes together do not help it more. The text searches both ways. "
            "Searching the impossible way costs PMGA nothing measurable."
        ),
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
        note=(
            "Ours wins 94 of 100 games against PMGA. PMGA does not act as people are predicted "
            "to. When ours trusts that prediction fully (trust 1), it wins 78 (the table on trust "
            "below). With trust 1, an agent that gets to know PMGA wins no measurably larger "
            "share of games. It leaves 0.3 cards fewer, in games that are 3 rounds longer."
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
        note="Getting to know people makes no measurable difference in so many matches.",
    ),
    Table(
        "trust",
        "Less trust in what is predicted of people",
        "Ours, with opponents who do what is predicted of them in a share of the simulations only "
        "and are searched in the rest ([which](../cheat-agents.md#trust)), against people who "
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
        note=(
            "Against people, less trust costs 0.2 to 0.8 of a card (0.4 with 0.25), and only "
            "`trust=0` loses games: one in a hundred. Against PMGA less trust wins more games: 78 "
            "% with trust 1, 89 % with 0.5, 94 % with 0.25 and 95 % with 0. In Mini-Cheat a best "
            "response wins less than half as much from an agent with trust 0.25 as from one with "
            "trust 1, and both win the same from people. So 0.25 is the default. Trust by "
            "certainty costs half a card against people, and wins 4.1 points fewer games against "
            "PMGA (0.5 to 7.7)."
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
        note=(
            "An oracle that is right half of the time is worth nothing: it does as well as MGA "
            "above. From 0.7 on more knowledge wins more games, leaves fewer cards, and makes "
            "fewer and better calls; people lie less to it. So the paper's conclusion holds, that "
            "the agent plays better as the predictor gets better. Games get shorter: match by "
            "match by 2.2 rounds (0.6 to 3.7) from 0.5 to 1."
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
        note=(
            "Eight times the time is worth about two cards to each of the paper's agents, match "
            "by match -1.95 (-2.35 to -1.55), -2.27 (-2.58 to -1.97) and -2.58 (-2.90 to -2.27). "
            "That is more than a predictor is worth. To ours with trust 1 it is worth nothing "
            "measurable. The paper's three agents all leave fewer cards than in the paper, and "
            "PMGA and FPMGA lose hardly a game. That PMGA's games are shorter than MGA's is no "
            "longer shown (-1.44 rounds, -3.13 to +0.26). FPMGA again wins no more games than "
            "PMGA (+0.25, -0.60 to +1.10)."
        ),
    ),
)
