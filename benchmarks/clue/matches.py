"""Matches of the agents of Clue, on the board and without it.

    python -m benchmarks.clue.matches --cell NAME --games N [--json] [--out FILE] [--workers N]
    python -m benchmarks.clue.matches --list

A cell is a field of agents. Every deal is played as often as there are players, the agents moving
on by one seat, so all have the same cards. With --out finished games are kept, and a match that was
interrupted goes on. With --first a part is played, on another machine say. Win rates are of games
won alone; intervals are of 95 % (Wilson).

Of each agent: the share of its accusations that were wrong; how often it named a card of its own
where it held some of that kind (suspects and weapons); and, of the first games (--looked), how
often it was certain at the end of one of its turns, the turns it had had by then, and what a
decision takes. Certain is who has one case file left by the exact posterior, whatever they know.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from sleuth import Play, play_match
from sleuth import game as game_by_name
from sleuth.agents import parse_agent
from sleuth.data.intervals import wilson
from sleuth.games.clue import PASS, ClueBelief
from sleuth.jobs import cluster
from sleuth.models.clue.board.walking import BOARD_STATE, TURNING
from sleuth.models.clue.game import ACCUSE, ACCUSING, CODES, SUGGESTING, TRIPLES, card_of
from sleuth.planners.matches.match_games import PlayedGame

from ..tables.sharing import add_workers

SEED = 2018
#: Games that are looked at move by move.
LOOKED = 60
#: Games whose decisions are made again, to time them.
TIMED = 4
OURS = "daring"
#: The search as it was: it plays out a race, and knows what follows from the rules.
RACED = "search:belief=exact,imagined=predicted,alone=no,gain=5.0,exploration=0.7"


@dataclass(frozen=True)
class Cell:
    """A field of agents.

    Attributes:
        game: The game's name.
        settings: Its settings.
        agents: One for each player; the first is the one that the cell is about.
    """

    game: str
    settings: dict[str, Any]
    agents: tuple[str, ...]


def _fields() -> dict[str, Cell]:
    setting = {"players": 4, "hand": 4}
    made = {
        "ledford": Cell("clue", {**setting, "summons": True}, ("detective", *["ledford"] * 3)),
        "ledford_table": Cell("clue_table", setting, ("detective", *["ledford"] * 3)),
        "ledford_daring": Cell("clue_table", setting, (OURS, *["ledford"] * 3)),
        "ledford_board": Cell("clue", {**setting, "summons": True}, (OURS, *["ledford"] * 3)),
    }
    others = ("entropy", "factored", "notebook", "likeliest", "detective")
    for players in (3, 4, 5, 6):
        made[f"table{players}"] = Cell(
            "clue_table", {"players": players}, (OURS, *others[: players - 1])
        )
        made[f"board{players}"] = Cell(
            "clue",
            {"players": players},
            (OURS, *("hunt", "nearest", "entropy", "factored", "notebook")[: players - 1]),
        )
        made[f"strong{players}"] = Cell(
            "clue_table", {"players": players}, (OURS, *["entropy"] * (players - 1))
        )
        made[f"random{players}"] = Cell(
            "clue_table", {"players": players}, (OURS, *["random"] * (players - 1))
        )
    for players in (3, 4):
        made[f"rooms{players}"] = replace(
            made[f"board{players}"],
            agents=(f"{OURS}:walks=worth", *made[f"board{players}"].agents[1:]),
        )
    for name, one in (
        ("certain4", "detective"),
        ("hearing4", "daring:knows=heard"),
        ("passing4", "daring:knows=passed"),
        ("bits4", "daring:probability_gain=0.0"),
        ("right4", "detective:probability_gain=20.0"),
        ("notebook4", "notebook"),
        ("carefree4", "daring:shows=any"),
        ("search4", "search"),
        ("exact4", "search:belief=exact"),
        ("raced4", RACED),
        ("heard_raced4", RACED.replace("belief=exact", "belief=learned")),
        ("gain4", "search:gain=0.05"),
        ("kinds4", "search:belief=kinds"),
        ("race4", "daring:race=yes"),
    ):
        made[name] = Cell("clue_table", {"players": 4}, (one, *["entropy"] * 3))
    made["showing4"] = Cell(
        "clue_table", {"players": 4}, ("detective", *["detective:shows=any"] * 3)
    )
    for name, one in (
        ("hunt_greedy", "hunt:horizon=1"),
        ("hunt_pure", "hunt:horizon=1,dice=no"),
        ("hunt_free", "hunt:horizon=1,price=0.0"),
        ("hunt_dear", "hunt:horizon=1,price=0.2"),
        ("hunt_dearer", "hunt:horizon=1,price=0.5"),
        ("hunt_dearest", "hunt:horizon=1,price=1.0"),
        ("hunt_two", "hunt"),
        ("hunt_two_dear", "hunt:price=0.2"),
        ("hunt_additive", "hunt:exact=no"),
        ("hunt_three", "hunt:horizon=3"),
    ):
        made[name] = Cell("clue", {"players": 3}, (one, *["nearest"] * 2))
    for name in ("likeliest", "factored", "notebook", "search"):
        made[f"{name}_table"] = Cell("clue_table", {"players": 3}, (name, *["entropy"] * 2))
    made["raced_table"] = replace(made["search_table"], agents=(RACED, *["entropy"] * 2))
    return made


CELLS = _fields()


@dataclass
class Counts:
    """What one agent did."""

    accusations: int = 0
    wrong: int = 0
    own: int = 0
    named: int = 0
    turns: list[int] = field(default_factory=list[int])
    looked: int = 0
    seconds: list[float] = field(default_factory=list[float])


def looked_at(
    cell: Cell, games: Sequence[PlayedGame], agents: Sequence[str], looked: int
) -> dict[str, Counts]:
    """What the agents of a match did, by their texts."""
    rules = game_by_name(cell.game, **cell.settings)
    makers = {text: parse_agent(text).prepare(rules) for text in dict.fromkeys(agents)}
    found: dict[str, Counts] = defaultdict(Counts)
    for played in games:
        texts = [agents[agent] for agent in played.seats]
        look = played.number - games[0].number < looked
        timed = played.number - games[0].number < TIMED
        minds = [makers[text](played.seed + seat) for seat, text in enumerate(texts)]
        _follow(rules, played, texts, found, look, minds if timed else None)
    return found


def _follow(
    rules: Any,
    played: PlayedGame,
    texts: Sequence[str],
    found: dict[str, Counts],
    look: bool,
    minds: Sequence[Any] | None,
) -> None:
    play = Play.new(rules, seed=played.seed)
    belief = ClueBelief()
    turns, certain = [0] * len(texts), [False] * len(texts)
    begins = TURNING if rules.state is BOARD_STATE else SUGGESTING
    for action in played.actions:
        seat = play.player
        state, counts = play.truth()[0], found[texts[seat]]
        stage = int(state.stage)
        turns[seat] += stage == begins
        if stage == SUGGESTING and action < TRIPLES:
            for place, kind in ((0, slice(0, 6)), (1, slice(6, 12))):
                if (state.holder[kind] == seat).any():
                    counts.named += 1
                    counts.own += int(state.holder[card_of(action, place, CODES)] == seat)
        if stage == ACCUSING and (look or action != PASS):
            if action != PASS:
                counts.accusations += 1
            if look and not certain[seat]:
                view, seen = play.view(seat), play.seen_by(seat)
                (file,) = belief.hidden(view).values()
                certain[seat] = bool(belief.infer(view, seen).distribution(file).max() > 1 - 1e-9)
                if certain[seat]:
                    counts.turns.append(turns[seat])
        if minds is not None:
            view, seen = play.view(seat), play.seen_by(seat)
            begun = time.perf_counter()
            minds[seat].decide(view, seen)
            counts.seconds.append(time.perf_counter() - begun)
        play.apply(action)
        if stage == ACCUSING and ACCUSE <= action < PASS and not play.over:
            counts.wrong += 1
        elif stage == ACCUSING and ACCUSE <= action < PASS:
            counts.wrong += int(play.returns()[seat] < 1.0)
    if look:
        for text in texts:
            found[text].looked += 1


def played_cell(
    name: str, games: int, out: Path | None, workers: int, looked: int, first: int = 0
) -> dict[str, Any]:
    """A cell, played and summed up."""
    cell = CELLS[name]
    rules = game_by_name(cell.game, **cell.settings)
    result = play_match(
        rules, cell.agents, games=games, first=first, seed=SEED, workers=workers, out=out
    )
    found = looked_at(cell, result.games, cell.agents, looked)
    wins: dict[str, int] = defaultdict(int)
    for text, won in zip(cell.agents, result.wins, strict=True):
        wins[text] += won
    count = len(result.games)
    by_agent = {
        text: {"seats": cell.agents.count(text), **_summed(found[text], wins[text], count)}
        for text in wins
    }
    return {
        "cell": name,
        "game": cell.game,
        "settings": cell.settings,
        "seed": SEED,
        "first": first,
        "games": count,
        "nobody": result.shared,
        **by_agent[cell.agents[0]],
        "agents": by_agent,
        "seconds_per_game": float(np.mean([one.seconds for one in result.games])),
    }


def _summed(counts: Counts, won: int, games: int) -> dict[str, Any]:
    return {
        "win_rate": won / games,
        "interval": list(wilson(won, games)),
        "accusations": counts.accusations,
        "wrong_accusations": counts.wrong / max(counts.accusations, 1),
        "names_own": counts.own / max(counts.named, 1),
        "certain": len(counts.turns) / max(counts.looked, 1),
        "turns_to_certainty": float(np.mean(counts.turns)) if counts.turns else None,
        "seconds_per_decision": float(np.mean(counts.seconds)) if counts.seconds else None,
        "slowest_decision": max(counts.seconds, default=None),
    }


def line(text: str, found: dict[str, Any]) -> str:
    """An agent's line of the table."""
    low, high = found["interval"]
    turns = found["turns_to_certainty"]
    mean, most = (1e3 * (found[key] or 0) for key in ("seconds_per_decision", "slowest_decision"))
    return (
        f"| {text} | {found['seats']} | {found['win_rate']:.1%} | {low:.1%} to {high:.1%} "
        f"| {found['wrong_accusations']:.1%} of {found['accusations']} | {found['certain']:.0%} "
        f"| {'' if turns is None else f'{turns:.1f}'} "
        f"| {mean:.0f} | {most:.0f} |"
    )


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--cell", choices=CELLS, metavar="NAME")
    parser.add_argument("--games", type=int, default=100, metavar="N")
    parser.add_argument(
        "--first", type=int, default=0, metavar="N", help="number of the first game of this part"
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="where finished games are kept")
    add_workers(parser)
    parser.add_argument("--looked", type=int, default=LOOKED, metavar="N")
    parser.add_argument("--list", action="store_true", help="only say which cells there are")
    parser.add_argument("--json", action="store_true", help="print JSON and nothing else")
    asked = parser.parse_args(arguments)
    if asked.list or asked.cell is None:
        for name, cell in CELLS.items():
            print(f"{name:15} {cell.game}:{cell.settings} {' '.join(cell.agents)}")
        return 0
    with cluster(asked.cluster):
        found = played_cell(
            asked.cell, asked.games, asked.out, asked.workers, asked.looked, asked.first
        )
    if asked.json:
        print(json.dumps(found))
        return 0
    print(f"{asked.cell}: {found['games']} games, {found['nobody']} without a winner\n")
    print("| agent | seats | wins | 95 % | wrong accusations | certain | turns | ms | slowest |")
    print("|---|---|---|---|---|---|---|---|---|")
    for text, each in found["agents"].items():
        print(line(text, each))
    return 0


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    sys.exit(main())
