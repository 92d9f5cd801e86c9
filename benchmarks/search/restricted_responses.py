"""What restricted responses win from coins in Kuhn and Leduc poker, and what they risk.

    python -m benchmarks.search.restricted_responses [--iterations N] [--picture FILE]

The model is a player who takes every action equally often. For each p there is the restricted
response to it (CFR+), and beside them whoever plays an equilibrium in some games and the best
response in the rest. Won and exploitability are in antes, on average over both seats, and exact for
the policies that so many iterations give.
"""

from __future__ import annotations

import argparse
from itertools import permutations
from pathlib import Path

from sleuth import exploitability, game
from sleuth.equilibria import GameTree, tradeoffs
from sleuth.planners.small_games.exploitability import Policy
from sleuth.planners.small_games.restricted import mean_policy, winnings

from ..cheat.curve import Tradeoff as Point
from ..cheat.curve import draw_tradeoffs

ROWS: dict[str, list[tuple[int, ...]]] = {
    "kuhn_poker": list(permutations(range(3))),
    "leduc_poker": sorted(set(permutations([0, 1, 2, 3, 3, 3]))),
}
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 1.0)
#: In how many of four games the best response is played.
OFTEN = (1, 2, 3)


def curves(name: str, iterations: int) -> list[Point]:
    """The restricted responses, and mixtures of the first and the last of them."""
    tree = GameTree(game(name), rows=ROWS[name])
    model = tree.uniform_policy()
    found = tradeoffs(tree, model, shares=SHARES, iterations=iterations)
    points = [
        Point("restricted response", f"p = {each.share:g}", (each.won, 0), (each.exploitability, 0))
        for each in found
    ]
    for often in OFTEN:
        mixture: list[Policy] = [found[-1].policy] * often + [found[0].policy] * (4 - often)
        policy = mean_policy(tree, mixture)
        won = sum(winnings(tree, policy, model)) / 2
        risked = exploitability(tree, policy).exploitability
        points.append(
            Point("best response, else equilibrium", f"{often} of 4 games", (won, 0), (risked, 0))
        )
    return points


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--iterations", type=int, default=2_000)
    parser.add_argument("--picture", type=Path, help="draw the curve of Leduc poker here")
    chosen = parser.parse_args()
    found = {name: curves(name, chosen.iterations) for name in ROWS}
    print("| policy | Kuhn, won | exploitability | Leduc, won | exploitability |")
    print("|---|---|---|---|---|")
    for both in zip(*found.values(), strict=True):
        cells = [f"{each.won[0]:.3f} | {each.exploitable[0]:.3f}" for each in both]
        print(f"| {both[0].group}, {both[0].name} | {' | '.join(cells)} |")
    if chosen.picture is not None:
        draw_tradeoffs(
            found["leduc_poker"], chosen.picture, ["restricted response"], won_from="coins"
        )


if __name__ == "__main__":
    main()
