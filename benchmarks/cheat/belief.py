"""What a player of Cheat makes of claims: counting, a predictor, and both, on people never seen.

    python -m benchmarks.cheat.belief [--train PLAYERS] [--judge PLAYERS] [--seed SEED] [--json]

A forest learns from some simulated people whether claims are true, its features among them what
counting says. Others are judged by counting alone, by the forest alone, by both as the belief puts
them together, and by both as if they knew nothing of each other. Differences come with the 95 %
interval of a bootstrap over matches. Then: what is known of hands, and how long all of it takes.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sleuth import Play
from sleuth.games.cheat import CheatBelief, CheatDeclaration, cheat, seen_game
from sleuth.models.cheat.people.population import bluffers
from sleuth.models.cheat.people.simulate import SimulatedGame, simulate_games
from sleuth.training.cheat.rows import rows_of_simulated
from sleuth.training.predictor_kinds import classifier

Floats = NDArray[np.float64]

WAYS = ("base rate", "counting", "forest", "both", "multiplied")
#: A probability is never taken to be nearer to 0 or 1 than this.
EDGE = 1e-6


def main() -> None:
    options = parse()
    game = cheat()
    learned = rows_of_simulated(
        simulate_games(bluffers(options.train, seed=options.seed), seed=options.seed), game
    )
    forest: Any = classifier("forest", seed=options.seed)
    forest.fit(learned.features, learned.labels["true"], groups=learned.match)
    others = bluffers(options.judge, seed=options.seed + 1)
    games = [*simulate_games(others, seed=options.seed + 1)]
    rows = rows_of_simulated(games, game)
    chances: Floats = forest.predict_proba(rows.features)[:, 1]
    said = {
        (int(match), int(number), int(turn)): float(chance)
        for match, number, turn, chance in zip(
            rows.match, rows.game, rows.turn, chances, strict=True
        )
    }
    judged = [claim for each in games for claim in judge(each, said)]
    found = scores(judged, float(learned.labels["true"].mean()))
    found["seconds"] = speed(games[:12], said)
    print(json.dumps(found, indent=2) if options.json else text(found))


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--train", type=int, default=300, help="people that are learned from")
    parser.add_argument("--judge", type=int, default=120, help="people that are judged")
    parser.add_argument("--seed", type=int, default=2018)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


def states_of(each: SimulatedGame) -> list[Any]:
    """The true state before every turn, from what the end tells of every turn."""
    from sleuth.models.cheat.rules import call, lay_down, pass_turn, settle
    from sleuth.models.cheat.state import TAKE, is_claim, public_of, rank_of
    from sleuth.models.kernels.cards import next_card

    game = cheat()
    end: Any = each.end[0]
    now = each.start.copy()
    state: Any = now[0]
    result = [now.copy()]
    for turn in range(int(end.turn)):
        logged = int(end.log[turn])
        mover, other = int(state.player), 1 - int(state.player)
        cornered = int(state.sizes[other]) == 0
        caught = False
        if is_claim(logged):
            packed = rest = int(end.cards[turn])
            while rest > 0:
                state.hands[mover, (rest & 15) - 1] -= 1
                rest >>= 4
            lay_down(state, public_of(logged), rank_of(logged), packed)
        elif public_of(logged) == TAKE:
            card = int(next_card(state))
            state.hands[mover, card] += 1
            state.sizes[mover] += 1
            pass_turn(state, TAKE)
        else:
            caught = bool(call(state, mover, game.tables))
        settle(state, mover, cornered, caught, game.tables)
        result.append(now.copy())
    return result


def judge(each: SimulatedGame, said: Mapping[tuple[int, int, int], float]) -> list[dict[str, Any]]:
    """Every claim that could be called, as the one who could call it saw it."""
    game = cheat()
    spoken: list[dict[int, tuple[float, float]]] = [{}, {}]
    result: list[dict[str, Any]] = []
    for turn, states in enumerate(states_of(each)):
        key = (each.match, each.number, turn)
        if key not in said:
            key = (each.match, each.number, turn - 1)
        state: Any = states[0]
        if turn == 0 or key not in said or int(state.player) < 0:
            continue
        viewer = int(state.player)
        seen = seen_game(Play.new(game, seed=0, start=states).view(viewer))
        last = seen.turns[-1]
        if last.kind != "claim" or last.by == viewer:
            continue
        belief = CheatDeclaration(seen)
        counted = belief.infer()
        chance = said[key]
        base = belief.truths(counted)[turn - 1]
        spoken[viewer][turn - 1] = (chance, base)
        both = belief.infer(spoken[viewer])
        odds = chance / (1.0 - chance) * max(base, EDGE) / max(1.0 - base, EDGE)
        packed, true = int(state.cards[turn - 1]), True
        while packed > 0:
            true = true and (packed & 15) - 1 == last.rank
            packed >>= 4
        hands: list[float] = []
        for posterior in (counted, both):
            loss = 0.0
            for rank in range(seen.ranks):
                held = belief.holding(posterior, 1 - viewer, rank)
                loss -= np.log(max(held.get(int(state.hands[1 - viewer, rank]), 0.0), EDGE))
            hands.append(float(loss))
        result.append(
            {
                "match": each.match,
                "true": true,
                "counting": base,
                "forest": chance,
                "both": belief.truths(both)[turn - 1],
                "multiplied": odds / (1.0 + odds),
                "hand": hands,
                "open": len(belief.claims),
            }
        )
    return result


def losses(chance: Floats, true: Floats) -> tuple[Floats, Floats]:
    """Log loss and Brier score of every claim."""
    kept = np.clip(chance, EDGE, 1.0 - EDGE)
    return -(true * np.log(kept) + (1 - true) * np.log1p(-kept)), (kept - true) ** 2


def scores(judged: list[dict[str, Any]], base_rate: float) -> dict[str, Any]:
    """What every way of judging is worth, and how they differ."""
    true = np.array([each["true"] for each in judged], dtype=np.float64)
    match = np.array([each["match"] for each in judged])
    said = {way: np.array([each.get(way, base_rate) for each in judged]) for way in WAYS}
    loss = {way: losses(said[way], true) for way in WAYS}
    found: dict[str, Any] = {"claims": len(judged), "true": float(true.mean())}
    for way in WAYS:
        found[way] = {"log_loss": float(loss[way][0].mean()), "brier": float(loss[way][1].mean())}
    for other in ("counting", "forest", "multiplied"):
        found[f"both - {other}"] = difference(loss["both"][0] - loss[other][0], match)
    hands = np.array([each["hand"] for each in judged])
    found["hand"] = {
        "counting": float(hands[:, 0].mean()),
        "both": float(hands[:, 1].mean()),
        "both - counting": difference(hands[:, 1] - hands[:, 0], match),
    }
    found["calibration"] = [
        {
            "claims": int(here.sum()),
            "said": float(said["both"][here].mean()),
            "true": float(true[here].mean()),
        }
        for here in deciles(said["both"])
    ]
    never = (said["both"] == 0.0) | (said["both"] == 1.0)
    found["certain"] = {
        "claims": int(never.sum()),
        "wrong": int((said["both"][never] != true[never]).sum()),
    }
    return found


def deciles(chance: Floats) -> list[NDArray[np.bool_]]:
    place = np.searchsorted(np.linspace(0.1, 0.9, 9), chance, side="right")
    return [place == number for number in range(10) if (place == number).any()]


def difference(per_claim: Floats, match: NDArray[Any]) -> dict[str, float]:
    """Mean difference with the 95 % interval of a bootstrap over matches."""
    labels, place = np.unique(match, return_inverse=True)
    sums = np.bincount(place, weights=per_claim)
    counts = np.bincount(place)
    rng = np.random.default_rng(1)
    drawn = rng.integers(len(labels), size=(2_000, len(labels)))
    means = sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1)
    low, high = np.quantile(means, [0.025, 0.975])
    return {"mean": float(per_claim.mean()), "low": float(low), "high": float(high)}


def speed(
    games: list[SimulatedGame], said: Mapping[tuple[int, int, int], float]
) -> dict[str, float]:
    """Processor seconds of a decision: inferring, and a thousand worlds for the search."""
    game = cheat()
    belief = CheatBelief(0.6)
    rng = np.random.default_rng(0)
    spent: list[tuple[float, float]] = []
    for number, each in enumerate(games):
        for states in states_of(each):
            viewer = int(states["player"][0])
            if viewer < 0:
                continue
            play = Play.new(game, seed=0, start=states)
            view, seen = play.view(viewer), play.seen_by(viewer)
            begun = time.process_time()
            posterior = belief.infer(view, seen)
            inferred = time.process_time()
            belief.worlds(posterior, 1_000, rng)
            if number:
                spent.append((inferred - begun, time.process_time() - inferred))
    times = np.array(spent)
    return {
        "infer": float(np.median(times[:, 0])),
        "worlds": float(np.median(times[:, 1])),
        "both, 95 of 100 below": float(np.quantile(times.sum(axis=1), 0.95)),
        "both, slowest": float(times.sum(axis=1).max()),
        "decisions": len(times),
    }


def text(found: Mapping[str, Any]) -> str:
    lines = [f"{found['claims']} claims, {found['true']:.1%} of them true", ""]
    lines += ["| way | log loss | Brier |", "|---|---|---|"]
    for way in WAYS:
        lines.append(f"| {way} | {found[way]['log_loss']:.4f} | {found[way]['brier']:.4f} |")
    lines.append("")
    for other in ("counting", "forest", "multiplied"):
        gap = found[f"both - {other}"]
        lines.append(
            f"both - {other}: {gap['mean']:+.4f} ({gap['low']:+.4f} to {gap['high']:+.4f})"
        )
    hand = found["hand"]
    gap = hand["both - counting"]
    lines += [
        f"log loss of a hand, rank by rank: counting {hand['counting']:.4f}, both "
        f"{hand['both']:.4f}, difference {gap['mean']:+.4f} ({gap['low']:+.4f} to "
        f"{gap['high']:+.4f})",
        f"certain: {found['certain']['claims']} claims, {found['certain']['wrong']} wrong",
        "",
        "| said | true | claims |",
        "|---|---|---|",
    ]
    for each in found["calibration"]:
        lines.append(f"| {each['said']:.3f} | {each['true']:.3f} | {each['claims']} |")
    lines += ["", *(f"{name}: {value}" for name, value in found["seconds"].items())]
    return "\n".join(lines)


if __name__ == "__main__":
    os.environ.setdefault("SLEUTH_COMPILE", "wait")  # what is measured is compiled
    main()
