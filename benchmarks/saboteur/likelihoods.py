"""Which model of behaviour knows best who is a saboteur? Log loss of the true deal of the roles.

    python -m benchmarks.saboteur.likelihoods [--agents NAME...] [--games N] [--rules PRESET]
        [--predictors NAME...] [--tune FOLDER] [--trusted MODEL=NUMBER...] [--seed S]
        [--out FOLDER] [--picture FILE] [--json]

Agents play against themselves, by the rules that are named before them, as in ``"tight trust"``,
or else by those of ``--rules``. A quarter, half, three quarters through each round and at its end,
before the last event, which shows all roles, every player says how likely each deal of the roles
is, by each model. The log loss is in nats, a mean over moments and players of a game; intervals are
95 % of a bootstrap over games. ``--tune`` names records of agents that the predictor was trained
on, and finds there (never in games of the agents that are judged) how far each model is best
trusted: its logarithms are multiplied by that. With ``--out`` finished games are kept.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sleuth import HIDDEN, game
from sleuth.beliefs.games.saboteur.learned import learned
from sleuth.beliefs.games.saboteur.likelihoods import (
    ActionModel,
    AdditiveModel,
    TableModel,
    role_worlds,
)
from sleuth.beliefs.games.saboteur.play import SaboteurKnowledge
from sleuth.beliefs.judging.reliability import ReliabilityCells, plot_reliability
from sleuth.games.saboteur import GOLD, SaboteurBelief
from sleuth.kit import Played
from sleuth.models.games import entry
from sleuth.models.records.replay import observed
from sleuth.models.saboteur.state import GOALS
from sleuth.training.play_files import read_plays

from ..beliefs.judged_games import LEAST, Array, compared, self_play, written

AGENTS = (
    "dwarf:saboteurs=explicit,depth=2,factor=5",
    "dwarf:saboteurs=switching,depth=2,factor=5",
    "dwarf:saboteurs=hidden,depth=2,factor=5",
    "mcts:simulations=300",
)
MOMENTS = (0.25, 0.5, 0.75, 1.0)
TITLE = "at ¼, ½, ¾, the end"
TRUSTS = (0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.7, 1.0)


@dataclass(frozen=True)
class Moment:
    """What a player could have thought of the roles.

    Attributes:
        game: Number of the game.
        part: Which of the moments.
        viewer: Who thinks.
        worlds: Deals of the roles; shape (deals, players).
        true: The place of the true one.
        logs: For each model the log-likelihood of each deal and place of the gold, minus infinity
            for what the player knows to be false.
    """

    game: int
    part: int
    viewer: int
    worlds: Array
    true: int
    logs: dict[str, Array]

    def chances(self, model: str, trust: float = 1.0) -> Array:
        """How likely each deal is."""
        logs = trust * self.logs[model]
        shares = np.exp(logs - logs.max()).sum(axis=1)
        return shares / shares.sum()


def log_likelihoods(belief: SaboteurBelief, known: SaboteurKnowledge, worlds: Array) -> Array:
    """What a belief's model says of each deal and place of the gold."""
    logs = np.zeros((len(worlds), GOALS))
    for weight in belief.weights(known):
        found = weight.logs[tuple(worlds[:, player] for player in weight.players)]
        logs += found if weight.of_gold else found[:, None]
    logs[worlds[:, known.viewer] != known.roles[known.viewer]] = -np.inf
    for goal, card in enumerate(known.goals):
        if card != HIDDEN:
            logs[:, (np.arange(GOALS) == goal) != (card == GOLD)] = -np.inf
    return logs


def moments_of(played: Iterable[Played], models: dict[str, ActionModel | None]) -> list[Moment]:
    """Every player's moments of all games."""
    found: list[Moment] = []
    for number, one in enumerate(played):
        made, rules = one.game, one.game.tables.rules[0]
        beliefs = {
            name: SaboteurBelief("uniform" if model is None else "table", model=model)
            for name, model in models.items()
        }
        count = int(rules.players)
        worlds = role_worlds(count, int(rules.saboteurs), spare=int(rules.role_cards) > count)
        roles = one.record.replay(made).truth()[0].roles[:count]
        true = int((worlds == roles).all(axis=1).argmax())
        last = len(one.record.actions) - 1
        wanted = {round(share * last): part for part, share in enumerate(MOMENTS)}
        for viewer in range(count):
            for event, each in enumerate(observed(one.record, made, viewer)):
                if event not in wanted:
                    continue
                logs = {
                    name: log_likelihoods(belief, belief.known(each.view, each.seen), worlds)
                    for name, belief in beliefs.items()
                }
                found.append(Moment(number, wanted[event], viewer, worlds, true, logs))
    return found


def losses(moments: Sequence[Moment], model: str, trust: float, part: int | None = None) -> Array:
    """For each game the mean log loss of the true deal."""
    games = 1 + max(each.game for each in moments)
    sums, counts = np.zeros(games), np.zeros(games)
    for each in moments:
        if part in (None, each.part):
            sums[each.game] -= np.log(max(each.chances(model, trust)[each.true], LEAST))
            counts[each.game] += 1
    return sums / counts


def reliability_of(moments: Sequence[Moment], model: str, trust: float) -> Any:
    """How often players of whom it was thought so likely were saboteurs."""
    cells = ReliabilityCells()
    for each in moments:
        suspicion = each.chances(model, trust) @ each.worlds
        for player, role in enumerate(each.worlds[each.true].tolist()):
            if player != each.viewer:
                share = float(np.clip(suspicion[player], 0.0, 1.0))
                cells.add([1.0 - share, share], happened=role, game=each.game)
    return cells.reliability(certainty=False)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--agents", nargs="+", default=AGENTS, help="who plays")
    parser.add_argument("--games", type=int, default=100, help="of each agent")
    parser.add_argument("--trusted", nargs="*", default=[], help="as table=0.5: these as well")
    parser.add_argument("--rules", default="paper", help="a preset of the game")
    parser.add_argument("--predictors", nargs="+", default=["usual"], help="by their files")
    parser.add_argument("--tune", type=Path, default=None, help="records to fit trust to")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=None, help="where finished games are kept")
    parser.add_argument("--picture", type=Path, default=None, help="where the curves go")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked: Any = parser.parse_args(arguments)
    models: dict[str, ActionModel | None] = {
        **{
            "learned" if name == "usual" else f"learned, {Path(name).name}": learned(name)
            for name in asked.predictors
        },
        "table": TableModel(),
        "additive, 1.5": AdditiveModel(1.5),
        "additive, 5": AdditiveModel(5.0),
        "uniform": None,
    }
    forms: list[tuple[str, str, float]] = [(name, name, 1.0) for name in models]
    for each in asked.trusted:
        name, _, trust = each.rpartition("=")
        forms.append((f"{name}, trusted {trust}", name, float(trust)))
    if asked.tune is not None:
        files = sorted(asked.tune.rglob("*.json"))
        known = moments_of(read_plays(files, entry("saboteur")), models)
        for name in [each for each in models if each != "uniform"]:
            by = {trust: float(losses(known, name, trust).mean()) for trust in TRUSTS}
            trust = min(by, key=lambda each: by[each])
            if trust != 1.0:
                forms.append((f"{name}, trusted {trust:g}", name, trust))
            print(name, {each: round(loss, 3) for each, loss in by.items()}, file=sys.stderr)
    rows: list[dict[str, Any]] = []
    everything: list[Moment] = []
    for agent in asked.agents:
        # Agents may be given with their own rules, such as "tight trust".
        rules, plays = f"{asked.rules} {agent}".split()[-2:]
        played = self_play(
            game("saboteur", rules=rules),
            plays,
            games=asked.games,
            seed=asked.seed,
            name=rules,
            out=asked.out,
        )
        moments = moments_of(played, models)
        first = 1 + max((each.game for each in everything), default=-1)
        everything += [
            Moment(first + m.game, m.part, m.viewer, m.worlds, m.true, m.logs) for m in moments
        ]
        base = losses(moments, "table", 1.0)
        for title, name, trust in forms:
            rows.append(
                {
                    "agent": agent,
                    **compared(title, losses(moments, name, trust), base, asked.seed),
                    "by_moment": [
                        float(losses(moments, name, trust, part).mean())
                        for part in range(len(MOMENTS))
                    ],
                }
            )
        print(f"{agent}: {len(base)} games", file=sys.stderr)
    if asked.picture is not None:
        curves = {
            title: reliability_of(everything, name, trust)
            for title, name, trust in forms
            if name != "uniform"
        }
        plot_reliability(curves, asked.picture)
    print(json.dumps({"rows": rows}) if asked.json else written(rows, "the table", TITLE))
    return 0


if __name__ == "__main__":
    sys.exit(main())
