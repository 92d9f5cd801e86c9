"""Tournaments of one agent with different options against itself: the numbers that play best.

Successive halving (Karnin, Koren and Somekh 2013, "Almost optimal exploration in multi-armed
bandits"): in every stage each candidate plays as many games against others that are left, the
better half goes on, and plays twice as many. Or a knockout: who loses a match is out. All matches
of a stage have the same deals, and every deal is played with seats swapped.

The agent that comes out first was lucky as well as good, so what it won says too much. At the end
it plays the agent that it shall replace, in games that have chosen nobody.
"""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, cast, get_args

import numpy as np

from ...data.checks import known_name, whole_number
from ...data.disk.growing import same_values
from ...data.disk.holding import HeldFile, hold
from ...data.disk.json_text import parse_json
from ...data.disk.writing import make_folder
from ...data.errors import RecordError, SettingsError
from ...data.progress import Tell, silent
from ...data.version import version
from ...models.game import Game
from ...models.games import GameEntry, game_from
from ...models.records.reading import MOST_BYTES
from ..agents import NamedAgent, seed_of
from ..matches.contents import CONTENTS, changed, field_of
from ..matches.match import play_match
from .pairings import Method, Pairing, expected, pairings
from .scores import By, CandidateScore, Round, Rounds, rounds_of

MOST_CANDIDATES: Final = 1_024
#: The file of a folder that says which tournament it is of.
HEADER: Final = "tournament.json"
# What the seeds of a tournament are for.
_ORDER: Final = 0
_STAGE: Final = 1
_FINAL: Final = 2


@dataclass(frozen=True, kw_only=True)
class Stage:
    """One stage of a tournament.

    Attributes:
        scores: By the number of every candidate that was left, the best first.
        kept: Numbers of those that went on.
    """

    scores: dict[int, CandidateScore]
    kept: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class TuningResult:
    """The findings of a tournament.

    Attributes:
        game: The game's name.
        method: How it was played.
        by: What was scored.
        candidates: All that took part.
        stages: In their order.
        best: Number of who was left.
        against: The agent that the best one played in the end; None if there was none.
        final: The score of the best against it, in games of their own.
        seed: The tournament can be played again with it.
        seconds: Wall-clock time of this run.
    """

    game: str
    method: Method
    by: By
    candidates: tuple[NamedAgent, ...]
    stages: tuple[Stage, ...]
    best: int
    against: NamedAgent | None
    final: CandidateScore | None
    seed: int
    seconds: float = field(compare=False)

    @property
    def games(self) -> int:
        """The number of games played."""
        listed = sum(score.games for stage in self.stages for score in stage.scores.values()) // 2
        return listed + (0 if self.final is None else self.final.games)

    @property
    def verdict(self) -> str | None:
        """The best one's standing against the agent it played; None without a final.

        It is ``"better"``, ``"worse"``, or ``"not apart"``: its interval holds one half.
        """
        if self.final is None:
            return None
        low, high = self.final.interval
        return "better" if low > 0.5 else "worse" if high < 0.5 else "not apart"

    def order(self) -> tuple[int, ...]:
        """Numbers of all candidates, the best first: who came farther, then who did better."""
        placed: list[int] = [self.best]
        for stage in reversed(self.stages):
            placed += [number for number in stage.scores if number not in placed]
        return tuple(placed)

    def last(self, number: int) -> tuple[int, CandidateScore]:
        """The last stage that a candidate played in, from 1, and its score there."""
        for place in range(len(self.stages), 0, -1):
            if number in self.stages[place - 1].scores:
                return place, self.stages[place - 1].scores[number]
        raise KeyError(number)

    def to_json(self) -> dict[str, Any]:
        """The tournament as ``sleuth tune --json`` prints it."""
        final = None
        if self.final is not None and self.against is not None:
            final = {"against": self.against.text, **self.final.to_json(), "verdict": self.verdict}
        return {
            "game": self.game,
            "method": self.method,
            "by": self.by,
            "best": self._candidate(self.best),
            "final": final,
            "candidates": [self._candidate(number) for number in self.order()],
            "stages": [
                {
                    "scores": {
                        self.candidates[number].text: score.to_json()
                        for number, score in stage.scores.items()
                    },
                    "kept": [self.candidates[number].text for number in stage.kept],
                }
                for stage in self.stages
            ],
            "games": self.games,
            "seconds": self.seconds,
            "seed": self.seed,
            "version": version(),
        }

    def _candidate(self, number: int) -> dict[str, Any]:
        stage, score = self.last(number)
        agent = self.candidates[number]
        return {
            "agent": agent.text,
            "options": dict(agent.options),
            "stage": stage,
            **score.to_json(),
        }


def tune(
    game: Game | GameEntry | str,
    candidates: Sequence[NamedAgent],
    *,
    games: int = 20,
    method: Method = "halving",
    by: By = "wins",
    against: NamedAgent | None = None,
    final: int = 100,
    seed: int = 0,
    workers: int = 1,
    out: str | Path | None = None,
    progress: Tell = silent,
) -> TuningResult:
    """Play a tournament.

    Args:
        game: The game, or its entry. It has two sides: two players, or two teams, whose agent has
            all of their roles.
        candidates: At least two; see `planners.tuning.options.candidates`.
        games: Games of each candidate in the first stage (halving), or in every match (knockout).
        method: ``"halving"`` or ``"knockout"``.
        by: Score won games, or returns: what wins say nothing of, as in poker.
        against: Whom the best one plays in the end; None for nobody.
        final: In how many games.
        seed: The same seed gives the same tournament.
        workers: Processes; -1 for all cores.
        out: A folder that keeps finished games; a tournament that was interrupted goes on from
            there.
        progress: Told after every game.

    Raises:
        SettingsError: Something does not fit: the game, the candidates, or the folder.
        KeyboardInterrupt: Ctrl-C; what was finished is in ``out``.

    >>> from sleuth.matches import candidates, tune
    >>> tried = candidates("mcts", "simulations=2/20")
    >>> result = tune("kuhn_poker", tried, games=2, final=0, seed=1)
    >>> result.game
    'kuhn_poker'
    """
    begin, game = time.perf_counter(), game_from(game)
    for word, known in ((method, get_args(Method)), (by, get_args(By))):
        known_name(word, known, "choice")
    if len(game.sides) != 2:
        raise SettingsError(
            "a tournament needs a game of two sides",
            where=f"game {game.name!r}",
            value=len(game.sides),
        )
    if not 2 <= len(candidates) <= MOST_CANDIDATES:
        raise SettingsError(
            f"a tournament has 2 to {MOST_CANDIDATES:,} candidates", value=len(candidates)
        )
    each = _even(games, "games")
    last = 0 if against is None else _even(final, "final")
    folder = None if out is None else Path(out)
    held = None
    if folder is not None:
        held = _begin(folder, _header(game, candidates, each, method, by, against, seed))
    with held or nullcontext():
        table = _Table(game, candidates, by, seed, workers, folder, progress)
        table.total = last + sum(
            pairing.games for stage in expected(len(candidates), each, method) for pairing in stage
        )
        left = [
            int(n)
            for n in np.random.default_rng(seed_of(seed, _ORDER)).permutation(len(candidates))
        ]
        stages: list[Stage] = []
        while len(left) > 1:
            number = len(stages)
            planned = pairings(len(left), each * (2**number if method == "halving" else 1), method)
            stages.append(_stage(table, number, left, planned, method))
            # Who plays whom does not depend on who was better before: like would meet like.
            left = [one for one in left if one in stages[-1].kept]
        score = None
        if against is not None:
            score = table.final(candidates[left[0]], against, last)
    return TuningResult(
        game=game.name,
        method=method,
        by=by,
        candidates=tuple(candidates),
        stages=tuple(stages),
        best=left[0],
        against=against,
        final=score,
        seed=seed,
        seconds=time.perf_counter() - begin,
    )


def _stage(
    table: _Table, number: int, left: Sequence[int], pairings: Sequence[Pairing], method: Method
) -> Stage:
    rounds: dict[int, list[Round]] = {each: [] for each in left}
    kept: set[int] = set()
    for pairing in pairings:
        one, other = left[pairing.one], left[pairing.other]
        found = table.match(number, one, other, pairing.games)
        rounds[one] += found[0]
        rounds[other] += found[1]
        if method == "knockout":
            first, second = (CandidateScore.of(each, table.by).rate for each in found)
            kept.add(other if second > first else one)
    scores = {each: CandidateScore.of(rounds[each], table.by) for each in left}
    order = sorted(left, key=lambda each: (-scores[each].rate, each))
    if method == "knockout":
        kept.update(each for each in left if not rounds[each])
    else:
        kept.update(order[: (len(left) + 1) // 2])
    order.sort(key=lambda each: each not in kept)
    return Stage(
        scores={each: scores[each] for each in order},
        kept=tuple(each for each in order if each in kept),
    )


class _Table:
    """Plays matches, and counts their games."""

    def __init__(
        self,
        game: Game,
        candidates: Sequence[NamedAgent],
        by: By,
        seed: int,
        workers: int,
        folder: Path | None,
        progress: Tell,
    ) -> None:
        self.game = game
        self.candidates = candidates
        self.by: By = by
        self.seed = seed
        self.workers = workers
        self.folder = folder
        self.progress = progress
        self.done = self.total = 0

    def match(self, stage: int, one: int, other: int, games: int) -> Rounds:
        """Two candidates of a stage: the rounds of each."""
        agents = self.candidates[one], self.candidates[other]
        # One seed for all matches of a stage: all have the same deals.
        seed = seed_of(self.seed, _STAGE, stage)
        return self._play(
            agents, games, seed, f"stage {stage + 1}", f"stage-{stage + 1}-{one}-{other}.jsonl"
        )

    def final(self, best: NamedAgent, against: NamedAgent, games: int) -> CandidateScore:
        """The best candidate against whom it shall replace."""
        seed = seed_of(self.seed, _FINAL)
        rounds = self._play((best, against), games, seed, "final", "final.jsonl")
        return CandidateScore.of(rounds[0], self.by)

    def _play(
        self, agents: tuple[NamedAgent, NamedAgent], games: int, seed: int, what: str, file: str
    ) -> Rounds:
        before = self.done

        def tell(playing: str, done: int, total: int) -> None:
            self.done = before + done
            self.progress(f"playing, {what}", self.done, self.total)

        result = play_match(
            self.game,
            agents,
            games=games,
            seed=seed,
            workers=self.workers,
            swap=True,
            out=None if self.folder is None else self.folder / file,
            progress=tell,
        )
        self.done = before + games
        return rounds_of(result, self.game.highest - self.game.lowest)


def _even(value: int, name: str) -> int:
    """A number of games, so that every deal is played with seats swapped."""
    found = whole_number(value, name, least=2, most=1_000_000)
    if found % 2:
        raise SettingsError(
            "an even number of games is needed, to swap seats", where=name, value=value
        )
    return found


def _header(
    game: Game,
    candidates: Sequence[NamedAgent],
    games: int,
    method: Method,
    by: By,
    against: NamedAgent | None,
    seed: int,
) -> dict[str, Any]:
    return {
        "tournament": 1,
        "game": game.name,
        "game_version": game.version,
        "settings": dict(game.settings),
        "candidates": [each.text for each in candidates],
        "games": games,
        "method": method,
        "by": by,
        "against": None if against is None else against.text,
        "seed": seed,
        "version": version(),
        **field_of(game, *candidates, against),
    }


def _begin(folder: Path, header: dict[str, Any]) -> HeldFile:
    """Make the folder, or see that it is of this very tournament; no other process has it then."""
    path = folder / HEADER
    if folder.exists() and not folder.is_dir():
        raise SettingsError("this is a file", value=str(folder), hint="name a folder")
    if not path.exists():
        if folder.is_dir() and any(folder.iterdir()):
            raise SettingsError(
                "this folder is there already, and not of a tournament",
                value=str(folder),
                hint="name another",
            )
        make_folder(folder)
    held = hold(path)
    try:
        text = (json.dumps(header, indent=2) + "\n").encode()
        content = held.stream.read(MOST_BYTES)
        # Nothing yet, or it was cut off while it was written.
        if held.writable and text.startswith(content):
            held.stream.write(text[len(content) :])
            held.stream.flush()
            return held
        _check_header(folder, content, header)
    except BaseException:
        held.close()
        raise
    return held


def _check_header(folder: Path, content: bytes, header: dict[str, Any]) -> None:
    try:
        found = cast("dict[str, Any]", parse_json(content))
        differing = [
            name
            for name in header
            if name != CONTENTS and not same_values(found.get(name), header[name])
        ]
        changes = changed(found, header)
    except (RecordError, AttributeError):
        differing, changes = ["form of the file"], None
    if changes and not differing:
        raise SettingsError(
            f"this folder is of another tournament: {changes}",
            value=str(folder),
            hint="name another folder",
        )
    if differing:
        differ = "differ" if differing[0] in ("settings", "candidates", "games") else "differs"
        raise SettingsError(
            f"this folder is of another tournament: {differing[0].replace('_', ' ')} {differ}",
            value=str(folder),
            hint="name another folder",
        )
