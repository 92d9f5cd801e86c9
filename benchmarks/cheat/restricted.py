"""Exploitability against winnings in Mini-Cheat: what agents take from people, and what they risk.

    python -m benchmarks.cheat.restricted [--agents AGENT ...] [--seeds N] [--people N] [--write]

Mini-Cheat with four rounds is small enough for exact answers (see `cheat_exploitability.py`). The
people are simulated ones from whom no predictor has learned; what each of them does is a softmax,
so what a policy wins from each is exact, too. A policy's winnings are the average over both seats,
with a 95 % interval over people. Agents that search are asked at every information set, with 2,000
simulations; with several seeds their exploitability has a 95 % interval over them (Student's t).

Beside the agents stand restricted responses to the mean of those people (CFR+): nobody wins more
from them and is as hard to exploit; and two agents mixed at every decision.

Tables of agents grow in `--keep FOLDER`; started again, the same command goes on.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from sleuth import exploitability
from sleuth.agents import parse_agent
from sleuth.data.disk.writing import write_whole
from sleuth.data.intervals import NINETY_FIVE
from sleuth.equilibria import GameTree, restricted_response, tabulate
from sleuth.games.cheat import mini_cheat, no_counts
from sleuth.models.cheat import mini_deals
from sleuth.models.cheat.people.population import REACTING, bluffers, utilities
from sleuth.models.cheat.people.tallies import tally_all
from sleuth.planners.small_games.exploitability import Policy
from sleuth.planners.small_games.restricted import mean_policy
from sleuth.planners.small_games.tabulation import CHOICE, VISITS
from sleuth.planners.small_games.written_tree import InformationSet

from ..tables.conclusions import Hole
from ..tables.in_short import in_front
from .curve import Tradeoff, draw_tradeoffs

ROUNDS = 4
SIMULATIONS = 2_000
#: Of the people: the shipped predictors have learned from those of seed 7.
SEED = 2018
SHARES = (0.0, 0.5, 0.75, 0.9, 1.0)
ITERATIONS = 100
TRUSTS = (1.0, 0.75, 0.5, 0.25, 0.0)
AGENTS = (
    *(f"ours:trust={trust:g}" for trust in TRUSTS),
    "ours:sure=yes,trust=1",
    "players",
    "pmga",
    "mga",
)
#: Two that are mixed at every decision: the first this often, else the second.
MIXED = ("ours:trust=1", "ours:trust=0")
MIXES = (0.25, 0.5, 0.75)
PAGE = Path(__file__).parents[2] / "docs" / "results" / "cheat_restricted.md"
#: The heading of what `safe.py` measures, which stands on the same page.
AGENT = "## The agent `safe`"
KEEP = Path("cheat-exploitability")
#: What came out. Of a policy, by its name and maybe its actions: what it `won` from people, what a
#: best response wins from it (`lost`), and what it won more than another one (`more`).
NOTE = """
Trust changes how exploitable `ours` is, and hardly changes what it wins from people. With trust 1,
0.5 and 0 a best response wins {lost[ours:trust=1]:.2f}, {lost[ours:trust=0.5]:.2f} and
{lost[ours:trust=0]:.2f} from it, and the intervals are apart; its own winnings from these people
are {won[ours:trust=1]:.2f}, {won[ours:trust=0.5]:.2f} and {won[ours:trust=0]:.2f}. With trust 0.25,
the default, a best response wins {lost[ours:trust=0.25, what it takes]:.2f} and the agent
{won[ours:trust=0.25, what it takes]:.2f}. Trust by how sure the predictor is of the last claim
(`sure=yes`) gives {won[ours:sure=yes,trust=1]:.2f} and {lost[ours:sure=yes,trust=1]:.2f}, and is no
better than `trust=0.5`. Mixtures of the two ends lie on a line between them: half of each wins
{won[0.5 of `ours:trust=1`, else `ours:trust=0`]:.2f} and loses
{lost[0.5 of `ours:trust=1`, else `ours:trust=0`]:.2f}, not measurably another result than
`trust=0.5`. In the whole game less trust costs a few tenths of a card against people, and wins more
games against PMGA ([matches](cheat.md#less-trust-in-what-is-predicted-of-people)).

`players`, which knows nothing of people, wins less than `ours` and is as exploitable as
`trust=0.5`. If they act as often as visited, PMGA and MGA are the same player here: their
simulations do not depend on the predictor, which weighs the two ways of a claim only when the
agent decides. With the actions that they choose they win {won[pmga, what it takes]:.2f} and
{won[mga, what it takes]:.2f}: games against these people show no measurable difference.

All of these agents are far more exploitable than they need to be. The restricted response with p =
0.5 wins as much as `ours` and can hardly be exploited. The one with p = 0.75 wins as much as the
best agent (trust 0.75), and a best response wins {lost[p = 0.75]:.2f} from it and not
{lost[ours:trust=0.75, what it takes]:.2f}. The one with p = 0.9 wins
{more[p = 0.9 / ours:trust=1, what it takes]:.2f} more than `ours`, and a best response wins
{lost[p = 0.9]:.2f} from it. A response knows how these
people play; the search knows only people of the whole game. Besides, a search from one information
set is no equilibrium, however wary it is. All policies meet the same people, so the differences
between their winnings are surer than the intervals say.
"""
WIDTH = 100
RESTRICTED = "restricted response"
KINDS = {VISITS: "as often as visited", CHOICE: "what it takes"}


@dataclass
class People:
    """Simulated people in a game that is written out.

    Attributes:
        policies: What each of them does.
        reach: For each seat that somebody else has, how likely each person and chance bring about
            every end of a game, float64[people, ends]; and what is won there.
    """

    tree: GameTree
    policies: list[Policy]
    reach: list[NDArray[np.float64]] = field(init=False)
    values: NDArray[np.float64] = field(init=False)
    chance: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        histories = self.tree.histories
        self.ends = [at for at, each in enumerate(histories) if each.values is not None]
        self.values = np.array([histories[at].values for at in self.ends])
        self.chance = chance(self.tree)[self.ends]
        self.reach = [
            np.array([self.tree.reach(policy, seat)[self.ends] for policy in self.policies])
            for seat in range(2)
        ]

    def won(self, policy: Policy) -> NDArray[np.float64]:
        """What a policy wins from each of them, on average over both seats; float64[people]."""
        total = np.zeros(len(self.policies))
        for seat in range(2):
            own = self.tree.reach(policy, 1 - seat)[self.ends] / self.chance
            total += self.reach[seat] @ (own * self.values[:, seat]) / 2
        return total


def chance(tree: GameTree) -> NDArray[np.float64]:
    """How likely chance brings about every history, if all players do all they can for it."""
    found = np.zeros(len(tree.histories))
    for start, share in tree.starts:
        found[start] += share
    for number in range(len(tree.histories) - 1, -1, -1):
        for after in tree.histories[number].after:
            found[after] += found[number]
    return found


def person_policy(tree: GameTree, habits: NDArray[np.float64]) -> Policy:
    """What a simulated person does at every information set, in the first game of a match."""
    tables, counts = tree.game.tables, no_counts()

    def shares(known: InformationSet) -> NDArray[np.float64]:
        state, actions = known.masked[0], np.array(known.actions, dtype=np.int32)
        values = np.zeros(len(actions))
        tally_all(state, tables, no_counts(), counts)
        utilities(state, actions, len(actions), tables, habits, counts, values)
        return np.exp(values - values.max())

    return tree.policy(shares)


def mixed(tree: GameTree, one: Policy, other: Policy, share: float) -> Policy:
    """The first policy in a share of the decisions, else the other one."""
    return tree.policy(lambda known: share * one[known.index] + (1.0 - share) * other[known.index])


def measured(
    people: People, group: str, name: str, policies: Sequence[Policy], say: Callable[[str], None]
) -> Tradeoff:
    """What policies win from people and lay themselves open to; several are those of seeds."""
    won = np.mean([people.won(policy) for policy in policies], axis=0)
    risked = [exploitability(people.tree, policy).exploitability for policy in policies]
    half, count = 0.0, len(risked)
    if count > 1:
        quantile = float(stats.t.ppf(0.975, count - 1))
        half = quantile * float(np.std(risked, ddof=1)) / count**0.5
    error = NINETY_FIVE * float(won.std(ddof=1)) / len(won) ** 0.5
    found = Tradeoff(group, name, (float(won.mean()), error), (float(np.mean(risked)), half))
    say(f"{group}, {name}: {found.won}, {found.exploitable}")
    return found


def crowd(rounds: int, count: int) -> People:
    """People drawn anew, in the game written out."""
    game = mini_cheat(rounds)
    worlds, shares = mini_deals(game)
    tree = GameTree(game, rows=worlds, weights=shares)
    habits = bluffers(count, seed=SEED, population=REACTING).parameters
    return People(tree, [person_policy(tree, each) for each in habits])


def curve(people: People, chosen: argparse.Namespace, say: Callable[[str], None]) -> list[Tradeoff]:
    """All policies: agents, mixtures of two of them, and restricted responses."""
    tree = people.tree
    found: list[Tradeoff] = []
    tables: dict[str, list[Policy]] = {}
    chosen.keep.mkdir(parents=True, exist_ok=True)
    for text in chosen.agents:
        agent = parse_agent(text).with_simulations(chosen.simulations)
        name = re.sub(r"[^a-z0-9]+", "-", agent.text.lower())
        asked = [
            tabulate(
                tree,
                agent,
                seed=seed,
                out=chosen.keep / f"{name}-{chosen.rounds}-rounds-seed-{seed}.jsonl",
            ).policies
            for seed in range(chosen.seeds)
        ]
        for kind in asked[0]:
            policies = [each[kind] for each in asked]
            found.append(measured(people, KINDS[kind], text, policies, say))
        tables[text] = [each.get(VISITS, each[CHOICE]) for each in asked]
    if set(MIXED) <= set(tables):
        for share in MIXES:
            both = zip(*(tables[name] for name in MIXED), strict=True)
            policies = [mixed(tree, one, other, share) for one, other in both]
            name = f"{share:g} of `{MIXED[0]}`, else `{MIXED[1]}`"
            found.append(measured(people, "mixed", name, policies, say))
    model = mean_policy(tree, people.policies)
    for share in chosen.shares:
        policy = restricted_response(tree, model, share=share, iterations=chosen.iterations)
        found.append(measured(people, RESTRICTED, f"p = {share:g}", [policy], say))
    found.append(measured(people, "people", "the mean of those people", [model], say))
    return found


ABOUT = """\
# Mini-Cheat: what is taken from people, and what is risked

Written by `python -m benchmarks.cheat.restricted --write`. Mini-Cheat with {rounds} rounds has
{sets:,} information sets, so that all of this is exact. *Won* is what a policy wins from a
simulated person, 1 for a won game and -1 for a lost one, on average over both seats and {people}
people [who react](../cheat/index.md#simulated-people), from whom no predictor has learned (seed
{seed}; 95 % interval over people). *Exploitability* is what a best response wins from it ([how it
is computed](../search/exploitability.md)). Agents were asked at every information set with
{simulations:,} simulations, {seeds} times with other seeds; the interval of their exploitability
is over seeds (Student's t).

*Restricted responses* answer the mean of these people, and come from {iterations} iterations of
CFR+ ([how](../search/exploitability.md#taking-what-can-be-taken)). No policy that is as hard to
exploit wins more from these people. `PolicyAgent` plays by them. `trust` says in what share of
the simulations the opponent of `ours` does what is predicted of people; in the rest the opponent
is searched ([more](../cheat/agents.md#trust)). *Mixed*: the policies of two agents, averaged at
every decision. A restricted response assumes that the opponent is one of those people in a share
p of all games, and plays freely in the rest: with p = 0 it is an equilibrium, with p = 1 a best
response to them.

![Exploitability against winnings](cheat_restricted.png)

"""


def page(found: Sequence[Tradeoff], facts: dict[str, object]) -> str:
    """The page of results."""
    lines = ["| policy | actions | won from people | exploitability |", "|---|---|---|---|"]
    for each in found:
        name = f"`{each.name}`" if each.group in KINDS.values() else each.name
        won = f"{each.won[0]:+.3f} ± {each.won[1]:.3f}"
        half = f" ± {each.exploitable[1]:.3f}" if each.exploitable[1] else ""
        lines.append(f"| {name} | {each.group} | {won} | {each.exploitable[0]:.3f}{half} |")
    said = NOTE.format_map(holes(found)).strip().split("\n\n")
    note = [textwrap.fill(each, WIDTH, break_on_hyphens=False) for each in said]
    parts = [ABOUT.format(**facts).strip(), "\n".join(lines), *note]
    # What `safe.py` has written stays.
    _, heading, more = PAGE.read_text("utf-8").partition(AGENT)
    parts += [f"{heading}{more}".rstrip()] if heading else []
    return in_front("\n\n".join(parts) + "\n", "cheat_restricted")


def holes(found: Sequence[Tradeoff]) -> dict[str, Hole]:
    """The numbers that the page says of policies."""

    def policy(name: str) -> Tradeoff:
        lines = ((each, f"{each.name}, {each.group}, ") for each in found)
        return next(each for each, line in lines if line.startswith(f"{name}, "))

    def more(names: str) -> float:
        one, other = map(policy, names.split(" / "))
        return one.won[0] - other.won[0]

    return {
        "won": Hole(lambda name: policy(name).won[0]),
        "lost": Hole(lambda name: policy(name).exploitable[0]),
        "more": Hole(more),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--agents", nargs="*", default=AGENTS, help="names with options")
    parser.add_argument("--shares", nargs="*", type=float, default=SHARES)
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    parser.add_argument("--simulations", type=int, default=SIMULATIONS)
    parser.add_argument("--iterations", type=int, default=ITERATIONS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--people", type=int, default=25)
    parser.add_argument("--keep", type=Path, default=KEEP, help="folder of unfinished tables")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    chosen = parser.parse_args(arguments)
    people = crowd(chosen.rounds, chosen.people)
    found = curve(people, chosen, lambda text: print(text, file=sys.stderr, flush=True))
    facts = {**vars(chosen), "seed": SEED, "sets": len(people.tree.information_sets)}
    text = page(found, facts)
    print(text)
    if chosen.write:
        write_whole(PAGE, text)
        draw_tradeoffs(found, PAGE.with_suffix(".png"), [RESTRICTED])
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    raise SystemExit(main())
