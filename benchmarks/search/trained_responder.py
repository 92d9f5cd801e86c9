"""Winnings of responders that are trained against an agent: lower bounds of its exploitability.

    python -m benchmarks.search.trained_responder [--quick] [--games 2000] [--seed 1]
        [--case mini_random mini_predicted leduc cheat] [--json]

Where the agent is a policy kernel, the responder's policy is learned by sampling whole games in
which the other player follows it (`WholeGameSearch` with a rival in every game). Another agent is
played against, and a table learns what each action brings. Then nothing is learned any more, and
fresh games are played from both seats. Where the game can be written out, the exact best response
stands beside: no responder wins more, but by chance.
"""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from sleuth import Budget, OwnAgent, Play, game
from sleuth.agents import parse_agent
from sleuth.beliefs.games.cheat.rival import predict_both
from sleuth.equilibria import GameTree, LowerBound, Sampling, WholeGameSearch, lower_bound, tabulate
from sleuth.games.cheat import CheatBelief, mini_cheat
from sleuth.kit import SeenPlay, View, any_action, generator
from sleuth.models.cheat import mini_deals
from sleuth.models.cheat.abstraction import packed_key
from sleuth.models.cheat.rules import can_call, neighbour
from sleuth.models.game import Game
from sleuth.models.kernels.kernel import kernel
from sleuth.planners.agents.agent import Maker, seed_of
from sleuth.planners.small_games.exploitability import Policy
from sleuth.planners.small_games.restricted import mean_policy

from ..cheat.safe import predicted_policy

#: The agent without a policy kernel, and by so many seeds it is known what it does how often.
SEARCH: Final = "mcts:simulations=20"
TABLES: Final = 64
#: Of UCB1: how much of the span of all returns an action that was hardly tried may be better.
EXPLORATION: Final = 0.2
HEADINGS: Final = (
    "| game | agent | trained by | from the first seat | from the second | on average "
    "| a best response |",
    "|---|---|---|---|---|---|---|",
)
#: Apart from the games that are played in the end.
_TRAINING: Final = 0x7A


@kernel(allocates=False)
def acting_key(state: Any, viewer: int, tables: Any) -> int:
    """The paper's abstraction of Cheat, and what tells apart which actions there are."""
    found = packed_key(state, viewer, tables)
    if can_call(state):
        found |= 1 << 31
    if state.left > 0:
        found |= 1 << 32
    for lower in range(2):
        holds = state.hands[viewer, neighbour(state.rank, lower, tables)]
        found |= min(holds, 4) << (33 + 6 * lower)
        found |= min(state.sizes[viewer] - holds, 4) << (36 + 6 * lower)
    return found


class KernelAgent:
    """Does what a game's policy kernel draws, from what its player sees."""

    def __init__(self, rules: Game, seed: int, name: str) -> None:
        self.rules, self.seed, self.name = rules, seed, name

    def decide(self, view: View, seen: SeenPlay) -> int:
        legal = view.legal()
        random = generator(self.seed, len(seen.events))
        actions = np.array(legal, np.int32)
        rules = self.rules
        return int(legal[rules.policy(view.states[0], actions, len(legal), rules.tables, random)])


class SampledResponder:
    """Takes what a search likes best; where it never came by, what the rival would do."""

    name = "sampled"

    def __init__(self, searches: Sequence[WholeGameSearch], seed: int) -> None:
        self.searches, self.unknown = searches, KernelAgent(searches[0].game, seed, "rival")

    def decide(self, view: View, seen: SeenPlay) -> int:
        shares = self.searches[view.viewer].probabilities(view, seen)
        if shares.max() == shares.min():
            return self.unknown.decide(view, seen)
        return int(view.legal()[int(shares.argmax())])


class TabularResponder:
    """Mean returns of actions by what a player knows, learned from games against an agent.

    Actions are tried by UCB1 (Auer, Cesa-Bianchi and Fischer 2002); in the end the one that was
    taken most is taken, and any where nothing is known.
    """

    name = "table"

    def __init__(self, rules: Game, agent: Maker, seed: int) -> None:
        self.rules, self.agent, self.seed = rules, agent, seed
        self.known: dict[object, Any] = {}

    def learn(self, games: int) -> TabularResponder:
        """Play so many games from each seat."""
        for number in range(games):
            seed = seed_of(self.seed, number)
            for seat in range(self.rules.players):
                self._play(Play.new(self.rules, seed=seed), seat, self.agent(seed))
        return self

    def _play(self, play: Play, seat: int, agent: Any) -> None:
        span = self.rules.highest - self.rules.lowest
        passed: list[tuple[Any, int]] = []
        while not play.over:
            view, seen = play.view(play.player), play.seen_by(play.player)
            if play.player != seat:
                play.apply(agent.decide(view, seen))
                continue
            legal = view.legal()
            # Times and sums of returns; before anything is tried once, it comes first.
            table = self.known.setdefault(_key(view, seen), np.zeros((2, len(legal))))
            times = table[0]
            if times.min() == 0.0:
                place = int(times.argmin())
            else:
                more = EXPLORATION * span * np.sqrt(math.log(times.sum()) / times)
                place = int((table[1] / times + more).argmax())
            passed.append((table, place))
            play.apply(int(legal[place]))
        for table, place in passed:
            table[:, place] += 1.0, float(play.returns()[seat])

    def decide(self, view: View, seen: SeenPlay) -> int:
        legal = view.legal()
        table = self.known.get(_key(view, seen))
        return int(legal[0 if table is None else int(table[0].argmax())])


def _key(view: View, seen: SeenPlay) -> object:
    events = tuple((each.event.mover, each.event.observation) for each in seen.events)
    return view.viewer, view.data, seen.start, events


@dataclass(frozen=True)
class TrainedBound:
    """The games of a trained responder.

    Attributes:
        name: Of the case.
        learner: How the responder was trained, in words.
        bound: The games.
        exact: What a best response wins from each seat; None where nobody knows.
        seconds: Of the processor, for the training.
    """

    name: str
    learner: str
    bound: LowerBound
    exact: tuple[float, ...] | None
    seconds: float

    def to_json(self) -> dict[str, Any]:
        return self.bound.to_json() | {
            "case": self.name,
            "learner": self.learner,
            "best_response": self.exact,
            "seconds": round(self.seconds, 1),
        }

    @property
    def line(self) -> str:
        """The line of the table."""
        bound, most = self.bound, self.exact
        cells = [
            f"{value:+.3f} ± {error:.3f} ({games})"
            for value, error, games in zip(bound.values, bound.errors, bound.games, strict=True)
        ]
        cells.append(f"{bound.value:+.3f} ± {bound.error:.3f}")
        cells.append("" if most is None else f"{sum(most) / len(most):+.3f}")
        return f"| {self.name} | {bound.agent} | {self.learner} | {' | '.join(cells)} |"


def _by_sampling(
    name: str,
    rules: Game,
    agent: str,
    *,
    sampling: Sampling,
    iterations: int,
    games: int,
    seed: int,
    exact: tuple[float, ...] | None = None,
) -> TrainedBound:
    """A responder to a policy kernel."""
    searches = [
        WholeGameSearch(
            rules, sampling=sampling, seed=seed, rival=rules.policy, share=1.0, hero=hero
        )
        for hero in range(rules.players)
    ]
    for search in searches:
        search.run(Budget(simulations=iterations))
    responder = OwnAgent("trained", lambda _: lambda seed: SampledResponder(searches, seed))
    rival = OwnAgent(agent, lambda _: lambda seed: KernelAgent(rules, seed, agent))
    return TrainedBound(
        name,
        f"{sampling.method} sampling, {iterations:,} iterations",
        lower_bound(rules, responder, rival, games=games, seed=seed),
        exact,
        sum(search.cpu_seconds for search in searches),
    )


def best(tree: GameTree, policy: Policy) -> tuple[float, ...]:
    """What a best response to a policy wins from each seat."""
    return tuple(tree.best_response(policy, seat).value for seat in range(tree.game.players))


def predicted(rules: Game) -> Game:
    """Cheat with what is predicted of people as its policy, played to its end."""
    imagined = CheatBelief(predictor="usual").imagined(rules)
    predict_both(imagined)
    return replace(imagined, apply=rules.apply, returns=rules.returns)


def mini_random(quick: bool, games: int, seed: int) -> TrainedBound:
    """Mini-Cheat with four rounds against coins."""
    tree = _mini()
    return _by_sampling(
        "Mini-Cheat",
        replace(tree.game, policy=any_action),
        "coins",
        sampling=Sampling(),
        iterations=500 if quick else 20_000,
        games=games,
        seed=seed,
        exact=best(tree, tree.uniform_policy()),
    )


def mini_predicted(quick: bool, games: int, seed: int) -> TrainedBound:
    """The same against what is predicted of people."""
    tree = _mini()
    rules = predicted(tree.game)
    return _by_sampling(
        "Mini-Cheat",
        rules,
        "people, as predicted",
        sampling=Sampling(),
        iterations=500 if quick else 20_000,
        games=games,
        seed=seed,
        exact=best(tree, predicted_policy(tree, rules)),
    )


def leduc(quick: bool, games: int, seed: int) -> TrainedBound:
    """Leduc poker against a search, of which tables by many seeds say what it does how often."""
    tree, count = GameTree("leduc_poker"), 100 if quick else 20_000
    agent = parse_agent(SEARCH)
    begin = time.process_time()
    table = TabularResponder(tree.game, agent.prepare(tree.game), _TRAINING + seed).learn(count)
    seconds = time.process_time() - begin
    tables = [tabulate(tree, agent, seed=each).choice for each in range(2 if quick else TABLES)]
    return TrainedBound(
        "Leduc poker",
        f"a table, {count:,} games from each seat",
        lower_bound(
            tree.game, OwnAgent("trained", lambda _: lambda _: table), agent, games=games, seed=seed
        ),
        best(tree, mean_policy(tree, tables)),
        seconds,
    )


def cheat(quick: bool, games: int, seed: int) -> TrainedBound:
    """The whole game of Cheat against what is predicted of people."""
    return _by_sampling(
        "Cheat",
        replace(predicted(game("cheat")), key=acting_key),
        "people, as predicted",
        sampling=Sampling(method="outcome", information="key"),
        iterations=2_000 if quick else 100_000,
        games=games,
        seed=seed,
    )


def _mini() -> GameTree:
    rules = mini_cheat(4)
    rows, chances = mini_deals(rules)
    return GameTree(rules, rows=rows, weights=chances)


CASES: Final[dict[str, Callable[[bool, int, int], TrainedBound]]] = {
    each.__name__: each for each in (mini_random, mini_predicted, leduc, cheat)
}


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--quick", action="store_true", help="hardly any training, few games")
    parser.add_argument("--games", type=int, help="fresh games, over both seats")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--case", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--json", action="store_true", help="a line of JSON for each case")
    given = parser.parse_args()
    games = given.games or (100 if given.quick else 2_000)
    if not given.json:
        print(*HEADINGS, sep="\n")
    for name in given.case:
        found = CASES[name](given.quick, games, given.seed)
        print(json.dumps(found.to_json()) if given.json else found.line, flush=True)


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    main()
