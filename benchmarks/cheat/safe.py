"""Safe and profitable in Cheat: `safe` beside `ours`, in Mini-Cheat and in the whole game.

    python -m benchmarks.cheat.safe --parts mini            # about a minute
    python -m benchmarks.cheat.safe --parts people pmga [--matches 400]
    python -m benchmarks.cheat.safe --parts bounds          # in the whole game, half an hour
    python -m benchmarks.cheat.safe --write                 # what there is, on the page

In Mini-Cheat with four rounds the policy that external sampling learns from the deal is written
out: its exploitability and its winnings are exact, beside those of exact restricted responses
(CFR+) to the same prediction. In the whole game each agent plays matches of four games against
simulated people, the same ones for all, and against PMGA. What can be won from it at least is
played out by a local best response, and by a search with ten times the simulations.

Finished games stay in `--keep FOLDER`, a file for each cell; started again, the same command goes
on.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth import Budget, exploitability, game, play_match
from sleuth.beliefs.games.cheat.rival import predict_both, predicted_shares
from sleuth.data.disk.writing import write_whole
from sleuth.data.intervals import NINETY_FIVE
from sleuth.equilibria import (
    GameTree,
    LowerBound,
    ResponderSettings,
    WholeGameSearch,
    local_best_response,
    lower_bound,
    restricted_response,
)
from sleuth.games.cheat import CheatBelief
from sleuth.planners.small_games.exploitability import InformationSet, Policy
from sleuth.planners.small_games.restricted import winnings

from ..tables.in_short import in_front
from .cells import PMGA, REACTING, SEED, SERIES
from .counts import counts_of
from .restricted import AGENT, PAGE, People, crowd

KEEP = Path("cheat-safe")
SHARES = (0.0, 0.5, 0.75, 0.9, 1.0)
#: Of external sampling, for each seat; and of CFR+.
ITERATIONS = (20_000, 100_000)
EXACT = 100
BUDGET = "simulations=500"
#: In the whole game.
AGENTS = (
    *(f"safe:share={share:g},{BUDGET}" for share in SHARES),
    *(f"ours:trust={trust:g},{BUDGET}" for trust in (0.0, 0.25, 0.5, 0.75, 1.0)),
)
OPPONENTS = {"people": REACTING, "pmga": PMGA.agent}
MATCHES = {"people": 400, "pmga": 100}
#: Whose exploitability is bounded from below, and the budget of an agent that is asked so often.
BOUNDED = tuple(
    f"{agent},simulations=200"
    for agent in (
        *(f"safe:share={share:g}" for share in (0.0, 0.5, 0.75, 1.0)),
        *(f"ours:trust={trust:g}" for trust in (0.0, 0.5, 1.0)),
    )
)
#: Of the local best response, and the search that answers better.
RESPONDER = ResponderSettings(worlds=16, replies=4, playouts=100)
SEARCH = "ours:trust=0,simulations=2000"
#: Games with each of the two, over both seats.
BOUND_GAMES = (64, 60)


def predicted_policy(tree: GameTree, imagined: Any) -> Policy:
    """What is predicted of people at every information set."""
    predict_both(imagined)

    def shares(known: InformationSet) -> NDArray[np.float64]:
        actions, found = np.array(known.actions, np.int32), np.zeros(len(known.actions))
        predicted_shares(known.masked[0], actions, len(actions), imagined.tables, found)
        return found

    return tree.policy(shares)


def row(people: People, model: Policy, policy: Policy) -> dict[str, Any]:
    """What a policy wins and risks."""
    won = people.won(policy)
    return {
        "won": float(won.mean()),
        "error": NINETY_FIVE * float(won.std(ddof=1)) / len(won) ** 0.5,
        "predicted": float(np.mean(winnings(people.tree, policy, model))),
        "exploitability": exploitability(people.tree, policy).exploitability,
    }


def mini(count: int, seed: int) -> dict[str, Any]:
    """Restricted responses to what is predicted of people: exact ones, and by sampling."""
    people = crowd(4, count)
    tree = people.tree
    imagined = CheatBelief(predictor="usual").imagined(tree.game)
    model = predicted_policy(tree, imagined)
    found: dict[str, Any] = {"people": count, "seed": seed, "rows": []}
    for share in SHARES:
        exact = restricted_response(tree, model, share=share, iterations=EXACT)
        each: dict[str, Any] = {"share": share, "exact": row(people, model, exact)}
        for iterations in ITERATIONS:
            policy: dict[int, NDArray[np.float64]] = {}
            seconds = 0.0
            for hero in range(2):
                search = WholeGameSearch(
                    imagined, seed=seed, rival=imagined.policy, share=share, hero=hero
                )
                search.run(Budget(simulations=iterations))
                seconds += search.cpu_seconds
                learned = search.policy(tree)
                policy |= {
                    known.index: learned[known.index]
                    for known in tree.information_sets
                    if known.player == hero
                }
            each[str(iterations)] = row(people, model, policy) | {"cpu_seconds": seconds}
        print(json.dumps(each), file=sys.stderr, flush=True)
        found["rows"].append(each)
    return found


def matches(agent: str, opponent: str, count: int, keep: Path) -> dict[str, Any]:
    """The games of an agent against another one; a match is four of them."""
    keep.mkdir(parents=True, exist_ok=True)
    name = re.sub(r"[^a-z0-9.]+", "-", f"{agent} {opponent}")
    begin = time.perf_counter()
    result = play_match(
        "cheat",
        [agent, OPPONENTS[opponent]],
        games=count * SERIES,
        series=SERIES,
        seed=SEED,
        out=keep / f"{name}.jsonl",
    )
    cheat = game("cheat")
    counts = [
        counts_of(cheat, each.seed, each.actions, each.returns, each.seats)[0]
        for each in result.games
    ]

    def mean(values: Sequence[float]) -> list[float]:
        of_match = np.array(values).reshape(-1, SERIES).mean(axis=1)
        error = float(of_match.std(ddof=1)) / len(of_match) ** 0.5 if len(of_match) > 1 else 0.0
        return [float(of_match.mean()), NINETY_FIVE * error]

    found = {
        "agent": agent,
        "opponent": opponent,
        "matches": count,
        "won": mean([each.won for each in counts]),
        "cards": mean([each.cards for each in counts]),
        "rounds": mean([each.rounds for each in counts]),
        "seconds": time.perf_counter() - begin,
    }
    print(json.dumps(found), file=sys.stderr, flush=True)
    return found


def bounds(agent: str, keep: Path) -> dict[str, Any]:
    """What a best response wins from an agent at least, by two responders."""
    name = re.sub(r"[^a-z0-9.]+", "-", agent)
    asked, searched = BOUND_GAMES
    found = {
        "local": local_best_response(
            "cheat", agent, games=asked, seed=1, settings=RESPONDER, out=keep / f"lbr-{name}.jsonl"
        ),
        "search": lower_bound(
            "cheat", SEARCH, agent, games=searched, seed=1, out=keep / f"search-{name}.jsonl"
        ),
    }
    each = {"agent": agent} | {kind: _bound(bound) for kind, bound in found.items()}
    print(json.dumps(each), file=sys.stderr, flush=True)
    return each


def _bound(bound: LowerBound) -> list[float]:
    """The mean winnings, half of their interval, and the games."""
    return [bound.value, bound.error, sum(bound.games)]


def bound_table(found: Sequence[dict[str, Any]]) -> list[str]:
    """The part about what can be won from agents in the whole game."""
    lines = ["| agent | a local best response wins | the search wins |", "|" + "---|" * 3]
    for each in found:
        cells = [f"`{each['agent'].partition(',')[0]}`"]
        for kind in ("local", "search"):
            value, error, _ = each[kind]
            # Where one side won every game, nothing varies.
            cells.append(f"{value:+.3f}" + (f" ± {error:.3f}" if error == error else " (all)"))
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def mini_table(found: dict[str, Any]) -> list[str]:
    """The part about Mini-Cheat."""
    few, many = map(str, ITERATIONS)
    lines = [
        f"| share | won, exact | exploitability, exact | won, {int(few):,} iterations |"
        f" exploitability, {int(few):,} iterations | won, {int(many):,} iterations |"
        f" exploitability, {int(many):,} iterations | CPU seconds |",
        "|" + "---|" * 8,
    ]
    for each in found["rows"]:
        cells = [f"p = {each['share']:g}"]
        for kind in ("exact", few, many):
            known = each[kind]
            cells.append(f"{known['won']:+.3f} ± {known['error']:.3f}")
            cells.append(f"{known['exploitability']:.3f}")
        cells.append(f"{each[many]['cpu_seconds']:.1f}")
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def match_table(found: Sequence[dict[str, Any]]) -> list[str]:
    """The part about the whole game."""
    lines = ["| agent | against | won, % | card difference | rounds | matches |", "|" + "---|" * 6]
    for each in found:
        won, cards, rounds = each["won"], each["cards"], each["rounds"]
        cells = [
            f"`{each['agent'].replace(',' + BUDGET, '')}`",
            {"people": "people", "pmga": "PMGA"}[each["opponent"]],
            f"{100 * won[0]:.1f} ± {100 * won[1]:.1f}",
            f"{cards[0]:+.2f} ± {cards[1]:.2f}",
            f"{rounds[0]:.1f} ± {rounds[1]:.1f}",
            str(each["matches"]),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return lines


ABOUT = f"""\
{AGENT}

Measured by `python -m benchmarks.cheat.safe --write`. [`safe`](../cheat/agents.md#safe) learns a
restricted response by sampling, to what is predicted of people: it knows the predictors of the
package, and none of the people above.

### In Mini-Cheat

External sampling from the deal, four rounds, seed {{seed}}, once for each seat; beside it exact
restricted responses to the same prediction ({EXACT} iterations of CFR+). *Won* is from the
{{people}} people above, so that the rows with `trust` in the table above stand beside these.
CPU seconds are those of both seats, for the most iterations.
"""

WHOLE = f"""\
### In the whole game

500 iterations of `safe` and 500 simulations of `ours` for a move. A match is four games; the
same deals and people for all agents (seed {SEED}), people who react; intervals are over matches.
Games of `safe` begin with the worlds of now there, so nothing bounds what it loses to others.
From people `safe` with share 0.5 to 1 and `ours` win all but one or two games of a hundred; what
share and trust change is the card difference.
"""

BOUNDS = f"""\
### What can be won from them in the whole game

The exploitability of an agent of the whole game is not known. Whatever a responder wins from it
on average, a best response wins at least: each number is a lower bound of exploitability, and a
low one says nothing of how safe an agent is. Agents have 200 iterations or simulations for a move
here; 1 is a won game and -1 a lost one. The [local best
response](../search/exploitability.md#games-that-cannot-be-written-out)
(`{RESPONDER.text}`) knows the agent's policy, and played {BOUND_GAMES[0]} games over both seats.
The search is `{SEARCH}`, knows nothing of the agent, and played {BOUND_GAMES[1]}.

Here it is the search that shows something: a best response wins most games from every one of these
agents. Nothing here says that a share makes `safe` harder to exploit in the whole game than `ours`
is. With share 0 both responders win the most.
"""


def page(keep: Path) -> str:
    """The page, with this part as far as it was measured."""
    head = PAGE.read_text("utf-8").partition(AGENT)[0].rstrip() + "\n\n"
    found = json.loads((keep / "mini.json").read_text("utf-8"))
    parts = [ABOUT.format(**found), "\n".join(mini_table(found)), ""]
    kept = [json.loads(file.read_text("utf-8")) for file in keep.glob("cell-*.json")]
    if kept:
        wanted = [(opponent, agent) for opponent in OPPONENTS for agent in AGENTS]
        kept.sort(key=lambda each: wanted.index((each["opponent"], each["agent"])))
        parts += [WHOLE, "\n".join(match_table(kept)), ""]
    files = [keep / f"bound-{re.sub(r'[^a-z0-9.]+', '-', agent)}.json" for agent in BOUNDED]
    known = [json.loads(file.read_text("utf-8")) for file in files if file.exists()]
    if known:
        parts += [BOUNDS, "\n".join(bound_table(known)), ""]
    return in_front(head + "\n".join(parts).rstrip() + "\n", "cheat_restricted")


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--parts", nargs="*", choices=("mini", "bounds", *OPPONENTS), default=())
    parser.add_argument("--agents", nargs="*", default=AGENTS, choices=AGENTS)
    parser.add_argument("--matches", type=int, help="of a cell, instead of 400 and 100")
    parser.add_argument("--people", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, default=KEEP, help="folder of finished games")
    parser.add_argument("--write", action="store_true", help=f"write {PAGE.name}")
    chosen = parser.parse_args(arguments)
    chosen.keep.mkdir(parents=True, exist_ok=True)
    if "mini" in chosen.parts:
        found = mini(chosen.people, chosen.seed)
        write_whole(chosen.keep / "mini.json", json.dumps(found, indent=1) + "\n")
    for agent in BOUNDED if "bounds" in chosen.parts else ():
        name = re.sub(r"[^a-z0-9.]+", "-", agent)
        known = bounds(agent, chosen.keep)
        write_whole(chosen.keep / f"bound-{name}.json", json.dumps(known) + "\n")
    for opponent in OPPONENTS:
        for agent in chosen.agents if opponent in chosen.parts else ():
            cell = matches(agent, opponent, chosen.matches or MATCHES[opponent], chosen.keep)
            name = re.sub(r"[^a-z0-9.]+", "-", f"{agent} {opponent}")
            write_whole(chosen.keep / f"cell-{name}.json", json.dumps(cell) + "\n")
    if chosen.write:
        write_whole(PAGE, page(chosen.keep))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    raise SystemExit(main())
