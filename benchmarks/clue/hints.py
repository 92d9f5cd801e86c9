"""Whether hints in Clue without a board ask well, and accuse only when that is right.

    python -m benchmarks.clue.hints [--positions N] [--agent NAME[:key=value,...]]
        [--games N] [--keep FILE] [--beside FILE.json] [--json]

Positions are of games of 3 to 6 players, half of them of people who ask well and half of people
who ask at random. Half of the positions are a player's turn to suggest: there the expected
information of the hint is compared with that of the best question, exactly. The others are their
turn to accuse or pass. An accusation is worth the probability of the case file that it names. To go
on is worth as many games as are won by the player of the hint when the position is played on, see
`clue_judge.py`. A hint is wrong if it is worth less than the other answer, or than the likeliest
case file, and that is no chance: where games are played on, by Holm's correction at 5 % for all of
these positions together. How many are at 1 % each is said too; one of a hundred would be by chance.

With --keep, positions and games are kept in a file, and an interrupted run goes on. With --beside,
the hints of an earlier run's --json stand beside these, judged by the same games.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sleuth import Game, Play, SearchAgent
from sleuth.agents import parse_agent
from sleuth.games.clue import PASS, ClueBelief, clue_table
from sleuth.models.clue.game import ACCUSE, ACCUSING, SHOW, SUGGESTING
from sleuth.planners.agents.names import ADVISER, adviser

from .judge import LOOKS, QUESTIONS, Kept, Worth, holm, judged, key_of, replayed, resampled
from .race import CERTAIN, CODES, Asker

#: Numbers of players of the positions, in turns.
PLAYERS = (3, 4, 3, 5, 3, 4, 6, 3, 4, 5)
#: Latest round of a position.
ROUNDS = 9
#: Less than this is no loss.
NOTHING = 1e-9


@dataclass(frozen=True, kw_only=True)
class Hint:
    """What was said at one position.

    Attributes:
        players, seed: The game.
        turn: Suggestions so far.
        bits: Open of the case file.
        said: The hint.
        share: At a suggestion, its gain as a share of the best question's.
        accused: If it accuses, the probability of the case file that it says.
        passes: Whether it says to pass.
        seconds: How long it took.
    """

    players: int
    seed: int
    turn: int
    bits: float
    said: str
    share: float | None = None
    accused: float | None = None
    passes: bool = False
    seconds: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """What a hint to accuse or to pass is worth.

    Attributes:
        hint: The hint.
        worth: What accusing and going on are worth.
    """

    hint: Hint
    worth: Worth

    @property
    def loss(self) -> float:
        """How much less than the better answer, by the estimate."""
        return self.worth.loss(not self.hint.passes, self.hint.accused or 0.0)

    @property
    def careful(self) -> float:
        """The same without what comes of looking for the larger of two estimates."""
        return self.worth.halves(not self.hint.passes, self.hint.accused or 0.0)

    @property
    def misses(self) -> bool:
        """Whether it accuses another than the likeliest case file, which is exact."""
        accused = self.hint.accused
        return accused is not None and accused < self.worth.likeliest - NOTHING

    @property
    def p_value(self) -> float:
        """Of the hint being no worse than the other answer; 0 where it is known to be."""
        worth = self.worth
        other = worth.likeliest if self.hint.passes else worth.mean
        said = worth.mean if self.hint.passes else self.hint.accused or 0.0
        return worth.p_value if other > said + NOTHING else 1.0

    @property
    def most(self) -> float:
        """The most that it may lose, by the interval of what going on is worth."""
        low, high = self.worth.interval
        if self.hint.passes:
            return max(0.0, self.worth.likeliest - low)
        return max(self.worth.likeliest, high) - (self.hint.accused or 0.0)


def positions(count: int, first: int = 0, kept: Kept | None = None) -> list[Play]:
    """Plays at a turn to suggest and at one to accuse, alternately."""
    kept = kept or Kept()
    found = [replayed(*each) for each in kept.positions[:count]]
    seed = found[-1].seed if found else first
    while len(found) < count:
        seed += 1
        rng = np.random.default_rng((3, seed))
        wanted = (SUGGESTING, ACCUSING)[len(found) % 2]
        players = PLAYERS[len(found) // 2 % len(PLAYERS)]
        play = Play.new(clue_table(players), seed=seed)
        until = int(rng.integers(0, ROUNDS * players))
        belief = ClueBelief()
        asker = Asker(belief, rng, QUESTIONS) if seed // 2 % 2 else None
        while not play.over:
            state = play.view(play.player).states[0]
            if state.turn >= until and state.stage == wanted:
                found.append(play)
                kept.add_position(play)
                break
            play.apply(asker.decide(play) if asker else _at_random(play, rng))
    return found


def _at_random(play: Play, rng: np.random.Generator) -> int:
    """Any suggestion, any card; nobody accuses."""
    if play.view(play.player).states[0].stage == ACCUSING:
        return PASS
    return int(rng.choice(play.legal()))


def hint(play: Play, agent: SearchAgent) -> Hint:
    """What the agent says at a position."""
    view, seen = play.view(play.player), play.seen_by(play.player)
    begun = time.perf_counter()
    decision = agent.decision(view, seen)
    seconds = time.perf_counter() - begun
    belief = ClueBelief()
    posterior = belief.infer(view, seen)
    (file,) = belief.hidden(view).values()
    known: dict[str, Any] = {
        **dict(zip(("players", "seed", "turn"), key_of(play), strict=True)),
        "bits": float(posterior.entropy(file)),
        "said": decision.name,
        "seconds": seconds,
    }
    if decision.action < SHOW:
        questions = belief.questions(view)
        gains = posterior.information_gain(list(questions.values()), about=file)
        best = float(gains.max())
        told = float(gains[list(questions).index(decision.action)])
        return Hint(**known, share=told / best if best > NOTHING else 1.0)
    if decision.action == PASS:
        return Hint(**known, passes=True)
    codes = [CODES[tuple(value)] for value in file.values]
    accused = float(posterior.distribution(file)[codes.index(decision.action - ACCUSE)])
    return Hint(**known, accused=1.0 if accused >= CERTAIN else accused)


def measured(plays: Sequence[Play], text: str) -> list[Hint]:
    """Hints at positions."""
    makers: dict[int, Any] = {}
    found: list[Hint] = []
    for number, play in enumerate(plays):
        game: Game = play.game
        if game.players not in makers:
            named = adviser(game) if text == ADVISER else parse_agent(text)
            makers[game.players] = named.prepare(game)
        found.append(hint(play, makers[game.players](number)))
        print(f"{number + 1} of {len(plays)}: {found[-1]}", file=sys.stderr)
    return found


def summary(hints: Sequence[Hint], worths: Sequence[Worth | None]) -> dict[str, float]:
    """The numbers of the table."""
    shares = np.array([each.share for each in hints if each.share is not None])
    pairs = [(each, worth) for each, worth in zip(hints, worths, strict=True) if worth is not None]
    choices = [Judgement(hint=each, worth=worth) for each, worth in pairs]
    played = [each for each in choices if each.worth.won]
    wrong = wrongs(choices)
    accused = [each for each in choices if not each.hint.passes]
    careful = [each.careful for each in choices]
    low, high = resampled(careful)
    worst = max(choices, key=lambda each: each.loss)
    seconds = [each.seconds for each in hints]
    return {
        "questions": len(shares),
        "share_mean": float(shares.mean()),
        "share_least": float(shares.min()),
        "share_5th_percentile": float(np.percentile(shares, 5)),
        "below_90_percent": float((shares < 0.9).mean()),
        "accusations_or_passes": len(choices),
        "certain": sum(each.worth.likeliest == 1.0 for each in choices),
        "played_on": len(played),
        "games": sum(len(each.worth.won) for each in played),
        "accused": len(accused),
        "accused_uncertain": sum(each.worth.likeliest < 1.0 for each in accused),
        "accused_not_the_likeliest": sum(each.misses for each in accused),
        "accused_wrongly": sum(each in wrong and not each.hint.passes for each in choices),
        "passed_wrongly": sum(each in wrong and each.hint.passes for each in choices),
        "wrong_at_1_percent_each": sum(each.misses or each.p_value < 0.01 for each in choices),
        "by_chance_at_1_percent_each": 0.01 * len(played),
        "loss_mean_at_most": float(np.mean([each.loss for each in choices])),
        "loss_mean_at_least": float(np.mean(careful)),
        "loss_mean_at_least_low": low,
        "loss_mean_at_least_high": high,
        "loss_most": worst.loss,
        "loss_most_high": worst.most,
        "seconds_median": float(np.median(seconds)),
        "seconds_95th_percentile": float(np.percentile(seconds, 95)),
    }


def wrongs(choices: Sequence[Judgement]) -> list[Judgement]:
    """The hints that are worth less, and not by chance."""
    played = [each for each in choices if each.worth.won]
    by_chance = dict(zip(map(id, played), holm([each.p_value for each in played]), strict=True))
    return [
        each
        for each in choices
        if each.misses or by_chance.get(id(each), each.loss > NOTHING and not each.worth.won)
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--positions", type=int, default=200, help="how many positions")
    parser.add_argument("--agent", action="append", help="who gives hints; mcts by default")
    parser.add_argument("--games", type=int, default=LOOKS[-1], help="from one position, at most")
    parser.add_argument("--keep", type=Path, help="a file that positions and games are kept in")
    parser.add_argument("--beside", type=Path, help="the --json of an earlier run")
    parser.add_argument("--json", action="store_true", help="numbers and hints as JSON")
    options = parser.parse_args()
    if options.positions < 2:
        parser.error(f"--positions must be at least 2, not {options.positions}")
    if options.games < LOOKS[0]:
        parser.error(f"--games must be at least {LOOKS[0]}, not {options.games}")
    kept = Kept(options.keep)
    plays = positions(options.positions, kept=kept)
    said = _earlier(options.beside, plays) if options.beside else {}
    said |= {text: measured(plays, text) for text in options.agent or ["mcts"]}
    worths = judged(plays, kept, options.games)
    numbers = {text: summary(found, worths) for text, found in said.items()}
    if options.json:
        print(json.dumps({"summary": numbers, "hints": _listed(said, worths)}, indent=1))
        return
    print("| | " + " | ".join(said) + " |")
    print("|---|" + "---|" * len(said))
    for name in next(iter(numbers.values())):
        cells = [f"{found[name]:.3g}" for found in numbers.values()]
        print(f"| {name.replace('_', ' ')} | " + " | ".join(cells) + " |")


def _earlier(path: Path, plays: Sequence[Play]) -> dict[str, list[Hint]]:
    """The hints of an earlier run, which must be of these positions."""
    fields = Hint.__dataclass_fields__
    found = {
        f"{text}, before": [
            Hint(**{name: value for name, value in each.items() if name in fields})
            for each in hints
        ]
        for text, hints in json.loads(path.read_text())["hints"].items()
    }
    for hints in found.values():
        if [(each.players, each.seed, each.turn) for each in hints] != list(map(key_of, plays)):
            sys.exit(f"{path} has hints at other positions")
    return found


def _listed(
    said: dict[str, list[Hint]], worths: Sequence[Worth | None]
) -> dict[str, list[dict[str, Any]]]:
    listed: dict[str, list[dict[str, Any]]] = {}
    for text, hints in said.items():
        pairs = list(zip(hints, worths, strict=True))
        choices = [Judgement(hint=each, worth=worth) for each, worth in pairs if worth is not None]
        wrong = {id(each.hint) for each in wrongs(choices)}
        more = {id(each.hint): _row(each) for each in choices}
        listed[text] = [
            asdict(each) | more.get(id(each), {}) | {"wrong": id(each) in wrong} for each in hints
        ]
    return listed


def _row(each: Judgement) -> dict[str, Any]:
    return {
        "likeliest": each.worth.likeliest,
        "games": len(each.worth.won),
        "going_on": each.worth.mean,
        "going_on_interval": each.worth.interval,
        "p_value": each.p_value,
        "loss": each.loss,
        "loss_at_most": each.most,
    }


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    main()
