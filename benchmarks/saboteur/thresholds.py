"""The belief threshold of "Saboteurs" (Veldhuis, Jansen and Broers 2012) against its claims.

    python -m benchmarks.saboteur.thresholds [--rounds N] [--official N] [--workers N]
        [--only PART...] [--out FILE] [--report] [--json]

The report does not say where its threshold is. Here it counts from 0 or from the best deal
(``relative``), is 3, 5, 10 or 20 below that, and an event adds half a step, one, or two. Each
variant plays the twelve set-ups of `saboteur_setups.py`, with the same deals; of depth 1 the
threshold changes what is believed and not what is played, so a round serves all variants with its
step.

For each variant and claim: how often 18 rounds of each set-up, as many as the report has, look as
it says if they are drawn from the rounds that were played here. `CLAIMS` says what that means in
numbers. What the report says of its simplified rules was not played there; ``--official`` rounds
of each set-up by the card game's rules say how much more often miners win by them. With ``--out``
finished rounds are kept, and a run that was interrupted goes on from there; ``--report`` plays
nothing.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from scipy.stats import fisher_exact

from sleuth.agents import parse_agent
from sleuth.data.disk.growing import append_line, read_lines
from sleuth.data.intervals import NINETY_FIVE
from sleuth.models.saboteur.state import MINERS_WIN

from ..tables.sharing import add_workers, jobs_there
from .setups import SETUPS, agent_text, beliefs_of, played_game, round_of

#: Rounds that a worker plays at a time.
CHUNK = 20
LEVELS = (-3.0, -5.0, -10.0, -20.0)
STEPS = (0.5, 1.0, 2.0)
#: Rounds of a set-up in the report, and how often so many are drawn.
ROUNDS = 18
DRAWS = 4_000
#: Two shares of 18 rounds are told apart below this p (Fisher's exact test, two-sided).
APART = 0.05

Array = NDArray[Any]


class Variant(NamedTuple):
    """A threshold.

    Attributes:
        relative: Whether it counts from the best deal.
        level: Where it is.
        step: What a slight change adds.
    """

    relative: bool
    level: float
    step: float

    @property
    def options(self) -> str:
        """As options of the agent."""
        relative = "yes" if self.relative else "no"
        return f"relative={relative},threshold={self.level:g},step={self.step:g}"


VARIANTS = tuple(
    Variant(relative, level, step)
    for step in STEPS
    for relative in (False, True)
    for level in LEVELS
)


class Job(NamedTuple):
    """Rounds of a set-up, and the variants that they tell of."""

    rules: str
    setup: int
    variants: tuple[Variant, ...]
    numbers: tuple[int, ...]


def play_job(job: Job) -> list[dict[str, Any]]:
    """Play the rounds; what became of each, by every variant."""
    played = played_game(job.rules)
    make = parse_agent(agent_text(job.setup, job.variants[0].options)).prepare(played)
    found: list[dict[str, Any]] = []
    for number in job.numbers:
        winner, roles, minds = round_of(played, job.setup, number, make)
        for variant in job.variants:
            for mind in minds:
                mind.scheme = replace(
                    mind.scheme, threshold=variant.level, relative=variant.relative
                )
            found.append(
                {
                    "rules": job.rules,
                    "variant": variant.options,
                    "setup": job.setup,
                    "round": number,
                    "miners_win": winner == MINERS_WIN,
                    **beliefs_of(minds, roles),
                }
            )
    return found


def jobs_of(
    rules: str, rounds: int, done: set[tuple[Any, ...]], variants: Sequence[Variant]
) -> list[Job]:
    """What is still to be played; every set-up gets some rounds first and then more."""
    found: list[Job] = []
    for first in range(0, rounds, CHUNK):
        for setup, (_, depth, _) in enumerate(SETUPS):
            if depth == 1:
                groups = [
                    tuple(v for v in variants if v.step == step)
                    for step in dict.fromkeys(v.step for v in variants)
                ]
            else:
                groups = [(variant,) for variant in variants]
            for group in groups:
                todo = tuple(
                    number
                    for number in range(first, min(first + CHUNK, rounds))
                    if any((rules, v.options, setup, number) not in done for v in group)
                )
                if todo:
                    found.append(Job(rules, setup, group, todo))
    return found


# -- the report's claims, of 18 rounds of each set-up


class Drawn(NamedTuple):
    """Experiments of some rounds of each set-up; all have the shape (experiments, set-ups).

    Attributes:
        rounds: Of a set-up, in each experiment.
        wins: Rounds that the miners win.
        all_believe: Rounds after which all agents believe the true deal.
        lost: Agents who do not believe it.
        deals: How many deals an agent believes.
    """

    rounds: int
    wins: Array
    all_believe: Array
    lost: Array
    deals: Array


@cache
def _is_apart(rounds: int) -> Array:
    """Whether two numbers of wins in so many rounds each are told apart."""
    return np.array(
        [
            [
                cast(Any, fisher_exact([[a, rounds - a], [b, rounds - b]])).pvalue < APART
                for b in range(rounds + 1)
            ]
            for a in range(rounds + 1)
        ]
    )


def _places(**wanted: Any) -> list[int]:
    names: tuple[str, ...] = ("factor", "depth", "saboteurs")
    return [
        place
        for place, setup in enumerate(SETUPS)
        if all(setup[names.index(name)] == value for name, value in wanted.items())
    ]


HIDDEN = _places(saboteurs="hidden")
OTHERS = [place for place in range(len(SETUPS)) if place not in HIDDEN]
WEAK, STRONG = _places(factor=1.5), _places(factor=5.0)


def _same(drawn: Drawn, first: Sequence[int], second: Sequence[int]) -> Array:
    """Whether no pair of set-ups is told apart."""
    apart = _is_apart(drawn.rounds)
    return np.asarray(~apart[drawn.wins[:, first], drawn.wins[:, second]].any(axis=1))


def _mostly(drawn: Drawn) -> Array:
    return drawn.wins.mean(axis=1) < 0.5 * drawn.rounds


def _truth(drawn: Drawn) -> Array:
    return drawn.all_believe.mean(axis=1) >= 0.9 * drawn.rounds


def _fewer(drawn: Drawn) -> Array:
    return np.asarray((drawn.deals[:, STRONG] < drawn.deals[:, WEAK]).all(axis=1))


def _virtually(drawn: Drawn) -> Array:
    deep = _places(saboteurs="hidden", depth=2)
    return drawn.wins[:, deep].mean(axis=1) >= 17 / 18 * drawn.rounds


def _sporadically(drawn: Drawn) -> Array:
    share = 1.0 - drawn.wins[:, _places(saboteurs="hidden", depth=1)].mean(axis=1) / drawn.rounds
    return (share >= 1 / 18) & (share <= 1 / 4)


def _confusion(drawn: Drawn) -> Array:
    return drawn.lost[:, HIDDEN].mean(axis=1) > drawn.lost[:, OTHERS].mean(axis=1)


def _depth(drawn: Drawn) -> Array:
    shallow = [place for place in _places(depth=1) if place in OTHERS]
    deep = [place for place in _places(depth=2) if place in OTHERS]
    return _same(drawn, shallow, deep)


def _style(drawn: Drawn) -> Array:
    return _same(drawn, _places(saboteurs="explicit"), _places(saboteurs="switching"))


#: What the report says of its rounds, and what is taken to look so.
CLAIMS = {
    "saboteurs win more than half of all rounds": _mostly,
    "after 9 of 10 rounds all five believe the true deal": _truth,
    "a stronger factor leaves fewer deals, in 6 of 6 pairs": _fewer,
    "hidden, depth 2: miners win 17 of 18": _virtually,
    "hidden, depth 1: saboteurs win 1 of 18 to 1 of 4": _sporadically,
    "hidden: more agents lose the truth": _confusion,
    "depth makes no measurable difference, in 4 of 4 pairs": _depth,
    "explicit and switching do not differ measurably, in 4 of 4 pairs": _style,
}


def looks_so(rows: Sequence[dict[str, Any]], seed: int) -> dict[str, float] | None:
    """How often rounds that are drawn look as each claim says, and as all of them do."""
    rng = np.random.default_rng(seed)
    columns: dict[str, list[Array]] = {name: [] for name in Drawn._fields[1:]}
    for setup in range(len(SETUPS)):
        own = [row for row in rows if row["setup"] == setup]
        if not own:
            return None
        places = rng.integers(len(own), size=(DRAWS, ROUNDS))
        for name, values in (
            ("wins", [row["miners_win"] for row in own]),
            ("all_believe", [row["all_believe"] for row in own]),
            ("lost", [1.0 - row["truth_believed"] for row in own]),
            ("deals", [row["worlds_believed"] for row in own]),
        ):
            columns[name].append(np.array(values)[places].sum(axis=1))
    drawn = Drawn(ROUNDS, *(np.stack(columns[name], axis=1) for name in columns))
    found = {name: claim(drawn) for name, claim in CLAIMS.items()}
    together = np.logical_and.reduce(list(found.values()))
    return {
        **{name: float(held.mean()) for name, held in found.items()},
        "all": float(together.mean()),
    }


def favoured(rows: Sequence[dict[str, Any]]) -> dict[str, float] | None:
    """By how much more often miners win by the card game's rules; of explicit and switching."""
    shares: dict[str, list[tuple[float, int]]] = {"paper": [], "official": []}
    for rules, found in shares.items():
        for setup in OTHERS:
            won = [r["miners_win"] for r in rows if r["rules"] == rules and r["setup"] == setup]
            if not won:
                return None
            found.append((float(np.mean(won)), len(won)))
    more = np.mean(
        [o - p for (o, _), (p, _) in zip(shares["official"], shares["paper"], strict=True)]
    )
    variance = sum(
        share * (1.0 - share) / count for found in shares.values() for share, count in found
    )
    return {"more": float(more), "half": NINETY_FIVE * variance**0.5 / len(OTHERS)}


def table(rows: Sequence[dict[str, Any]], seed: int = 1) -> list[dict[str, Any]]:
    """What the rounds say of each variant."""
    found: list[dict[str, Any]] = []
    for variant in VARIANTS:
        every = [row for row in rows if row["variant"] == variant.options]
        own = [row for row in every if row["rules"] == "paper"]
        looks = looks_so(own, seed)
        if looks is None:
            continue
        by = {
            name: [float(np.mean([r[name] for r in own if r["setup"] == s])) for s in range(12)]
            for name in ("truth_believed", "all_believe", "nothing_believed", "worlds_believed")
        }
        found.append(
            {
                **variant._asdict(),
                "rounds": len(own) // len(SETUPS),
                "looks_so": looks,
                "likelier_than_not": sum(looks[name] >= 0.5 for name in CLAIMS),
                "official": favoured(every),
                **by,
            }
        )
    return found


def spread(values: Sequence[float]) -> str:
    """The least and the most, in hundredths."""
    return f"{100 * min(values):.0f} to {100 * max(values):.0f}"


def written(rows: Sequence[dict[str, Any]]) -> str:
    """The table in Markdown: a variant a row."""
    names = list(CLAIMS)
    lines = [f"{place}. {name}" for place, name in enumerate(names, start=1)]
    lines += [
        "",
        "| threshold | step | rounds | truth, % | all five, % | nothing, % | "
        + " | ".join(str(place) for place in range(1, 1 + len(names)))
        + " | all | likelier than not | by the card game's rules |",
        "|---" * (9 + len(names)) + "|",
    ]
    for row in rows:
        whose = "best" if row["relative"] else "0"
        more = row["official"]
        lines.append(
            f"| {whose} - {-row['level']:g} | {row['step']:g} | {row['rounds']} "
            f"| {spread(row['truth_believed'])} | {spread(row['all_believe'])} "
            f"| {spread(row['nothing_believed'])} | "
            + " | ".join(f"{row['looks_so'][name]:.2f}" for name in names)
            + f" | {row['looks_so']['all']:.3f} | {row['likelier_than_not']} of {len(names)} | "
            + (f"{100 * more['more']:+.0f} ± {100 * more['half']:.0f}" if more else "-")
            + " |"
        )
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=200, help="of each set-up")
    parser.add_argument("--official", type=int, default=50, help="by the card game's rules")
    add_workers(parser)
    parser.add_argument("--out", type=Path, default=None, help="where finished rounds are kept")
    parser.add_argument(
        "--only", nargs="*", default=None, help="variants, by a part of their options"
    )
    parser.add_argument("--report", action="store_true", help="only what is there already")
    parser.add_argument("--json", action="store_true", help="print JSON")
    asked: Any = parser.parse_args(arguments)
    kept = read_lines(asked.out) if asked.out is not None and asked.out.exists() else []
    done = {(row["rules"], row["variant"], row["setup"], row["round"]) for row in kept}
    rows: list[dict[str, Any]] = list(kept)
    variants = [
        v for v in VARIANTS if asked.only is None or any(part in v.options for part in asked.only)
    ]
    jobs = [] if asked.report else jobs_of("paper", asked.rounds, done, variants)
    jobs += [] if asked.report else jobs_of("official", asked.official, done, variants)
    done_there = jobs_there(asked, play_job, [(job,) for job in jobs])
    for place, played in enumerate(done_there, start=1):
        # A round that serves several variants may be known for some.
        new = [
            row
            for row in played
            if (row["rules"], row["variant"], row["setup"], row["round"]) not in done
        ]
        rows += new
        if asked.out is not None:
            for row in new:
                append_line(asked.out, json.dumps(row))
        print(f"\r{place}/{len(jobs)}", end="", file=sys.stderr)
    print(file=sys.stderr)
    found = table(rows)
    print(json.dumps({"variants": found}) if asked.json else written(found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
