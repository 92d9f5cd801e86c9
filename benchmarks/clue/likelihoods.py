"""Which model of behaviour knows best what is in the case file? Log loss of the true one.

    python -m benchmarks.clue.likelihoods [--agents NAME...] [--games N] [--players N] [--board]
        [--predictor NAME] [--alike P...] [--seed S] [--out FOLDER] [--picture FILE] [--json]

Agents play against themselves. After each round every player says how likely each case file is,
and where each card lies, by each model, until somebody accuses rightly. Log losses are in nats, of
the case file, and (apart) of the holder of a card, a mean over the cards that the player does not
hold; means over rounds and players of a game. Intervals are 95 % of a bootstrap over games. With
``--out`` finished games are kept.

``counting`` counts deals; ``at random`` takes any of several cards to be shown equally often;
``heard`` adds what suggestions say by declared chances; ``learned`` is the predictor, with those
chances for the share of players (see ``--alike``) who are unlike those from whom was learned; and
``learned, shown`` takes from it only which cards are shown.
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

from sleuth import Posterior, game
from sleuth.beliefs.games.clue.hearing import HearingBelief
from sleuth.beliefs.games.clue.learned import ALIKE
from sleuth.beliefs.games.clue.play import declared
from sleuth.beliefs.judging.reliability import ReliabilityCells, plot_reliability
from sleuth.games.clue import (
    CARDS,
    CASE_FILE,
    Accusation,
    ClueDeclaration,
    LearnedBelief,
    SeenClue,
    Suggestion,
    seen_game,
)
from sleuth.kit import Played
from sleuth.models.clue.cards import CATEGORIES

from ..beliefs.judged_games import LEAST, Array, compared, self_play, written

AGENTS = ("notebook", "ledford", "factored", "daring", "random")
#: Rounds whose losses are shown apart; the last one stands for all that follow.
ROUNDS = 5
BASE = "at random"


class Counting:
    """Counts deals; with a model of what is shown, weighs them by it."""

    def __init__(self, choice: str) -> None:
        self.choice = choice

    def posterior(self, known: SeenClue) -> Posterior:
        """What follows from what was seen."""
        return ClueDeclaration(known.until(0), self.choice).infer(known)


class Shown:
    """What a learned belief says of the cards that are shown, and nothing of suggestions."""

    def __init__(self, belief: LearnedBelief) -> None:
        self.belief = belief

    def posterior(self, known: SeenClue) -> Posterior:
        """What follows from what was seen."""
        given = [
            each
            for turn, seen in enumerate(known.events)
            for each in self.belief.declared(known.until(turn)).evidence(seen)
        ]
        return declared(known.until(0)).infer().observe(given)


@dataclass(frozen=True)
class Moment:
    """What a player could have thought.

    Attributes:
        game, turn: Numbers of the game and of the round.
        file: For each model the log loss of the case file.
        holders: And of where a card lies.
        cells: For each model (chance, whether so) that a card is in the case file.
    """

    game: int
    turn: int
    file: dict[str, float]
    holders: dict[str, float]
    cells: dict[str, list[tuple[float, bool]]]


def moments_of(played: Iterable[Played], models: dict[str, Any]) -> list[Moment]:
    """Every player's moments of all games."""
    found: list[Moment] = []
    for number, one in enumerate(played):
        play = one.record.replay(one.game)
        count = one.game.players
        places = play.truth()[0].holder.tolist()
        for viewer in range(count):
            known = seen_game(play.view(viewer), play.seen_by(viewer))
            belief = declared(known.until(0))
            names = [*known.players, CASE_FILE]
            true = {card: names[place] for card, place in zip(CARDS, places, strict=True)}
            file = tuple(
                next(card for card in cards if true[card] == CASE_FILE)
                for cards in CATEGORIES.values()
            )
            place, asked = belief.case_file.values.index(file), 0
            for turn, seen in enumerate(known.events, start=1):
                if isinstance(seen.event, Accusation) and (
                    seen.event.correct or seen.event.by == known.viewer
                ):
                    break
                asked += isinstance(seen.event, Suggestion)
                if asked % count:
                    continue
                losses: dict[str, float] = {}
                holders: dict[str, float] = {}
                cells: dict[str, list[tuple[float, bool]]] = {}
                for name, model in models.items():
                    posterior = model.posterior(known.until(turn))
                    chances = posterior.distribution(belief.case_file)
                    losses[name] = -float(np.log(max(chances[place], LEAST)))
                    logs: list[float] = []
                    cells[name] = []
                    for card in CARDS:
                        if card in known.own_hand:
                            continue
                        by = posterior.marginal(belief.cards.holder_of(card))
                        logs.append(-np.log(max(by[true[card]], LEAST)))
                        share = float(by.get(CASE_FILE, 0.0))
                        cells[name].append((share, true[card] == CASE_FILE))
                    holders[name] = float(np.mean(logs))
                found.append(Moment(number, asked // count, losses, holders, cells))
    return found


def losses_of(moments: Sequence[Moment], what: str, model: str, turn: int | None = None) -> Array:
    """For each game that has such moments the mean log loss."""
    by: dict[int, list[float]] = {}
    for each in moments:
        if turn in (None, min(each.turn, ROUNDS)):
            by.setdefault(each.game, []).append(getattr(each, what)[model])
    return np.array([np.mean(each) for each in by.values()])


def reliability_of(moments: Sequence[Moment], model: str) -> Any:
    """How often cards that were thought to be in the case file were there."""
    cells = ReliabilityCells()
    for each in moments:
        for share, so in each.cells[model]:
            share = float(np.clip(share, 0.0, 1.0))
            cells.add([1.0 - share, share], happened=int(so), game=each.game)
    return cells.reliability(certainty=False)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--agents", nargs="+", default=AGENTS, help="who plays")
    parser.add_argument("--games", type=int, default=100, help="of each agent")
    parser.add_argument("--players", type=int, default=4)
    parser.add_argument("--board", action="store_true", help="on the board")
    parser.add_argument("--predictor", default="usual", help="by its file")
    parser.add_argument("--alike", nargs="+", type=float, default=[ALIKE, 1.0])
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--out", type=Path, default=None, help="where finished games are kept")
    parser.add_argument("--picture", type=Path, default=None, help="where the curves go")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked: Any = parser.parse_args(arguments)
    name = "clue" if asked.board else "clue_table"
    made = game(name, players=asked.players)

    def models() -> dict[str, Any]:
        """Anew for each agent: beliefs keep what they inferred."""
        by = {
            alike: LearnedBelief(asked.predictor, walks=asked.board, alike=alike)
            for alike in asked.alike
        }
        return {
            "counting": Counting("ignored"),
            BASE: Counting("random"),
            "heard": HearingBelief(walks=asked.board),
            "learned, shown": Shown(next(iter(by.values()))),
            **{f"learned, {alike:g} alike": each for alike, each in by.items()},
        }

    rows: list[dict[str, Any]] = []
    everything: list[Moment] = []
    for agent in asked.agents:
        played = self_play(
            made, agent, games=asked.games, seed=asked.seed, name=name + str(made.players),
            out=asked.out,
        )  # fmt: skip
        moments = moments_of(played, models())
        first = 1 + max((each.game for each in everything), default=-1)
        everything += [Moment(first + m.game, m.turn, m.file, m.holders, m.cells) for m in moments]
        for what in ("file", "holders"):
            base = losses_of(moments, what, BASE)
            for title in models():
                found = compared(title, losses_of(moments, what, title), base, asked.seed)
                parts = [losses_of(moments, what, title, turn + 1) for turn in range(ROUNDS)]
                by = [float(part.mean()) for part in parts if len(part)]
                rows.append({"agent": agent, "what": what, **found, "by_moment": by})
        print(f"{agent}: {asked.games} games", file=sys.stderr)
    curves = {title: reliability_of(everything, title) for title in models()}
    if asked.picture is not None:
        plot_reliability(curves, asked.picture)
    calibration = {
        title: {"error": curve.expected_error, "slope": curve.slope, "of": curve.slope_error}
        for title, curve in curves.items()
    }
    if asked.json:
        print(json.dumps({"rows": rows, "calibration": calibration}))
        return 0
    for what in ("file", "holders"):
        chosen = [row for row in rows if row["what"] == what]
        print(f"{what}\n\n{written(chosen, repr(BASE), 'after rounds 1, 2, ...')}\n")
    print("\n".join(f"{title}: {found}" for title, found in calibration.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
