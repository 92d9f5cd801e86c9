"""Where Mr X can be: the declaration against the paper's Algorithm 1 and against plain counting."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth.beliefs.posterior import Posterior
from sleuth.beliefs.scotland_yard import BLACK, HiderBelief
from sleuth.data.errors import EvidenceError

STATIONS = range(1, 31)
SURFACES = (3, 8)


def random_map(rng: np.random.Generator) -> dict[str, dict[int, set[int]]]:
    """A ring of taxis with some more of them, a few buses, and a ferry."""
    reach: dict[str, dict[int, set[int]]] = {
        name: {station: set[int]() for station in STATIONS} for name in ("taxi", "bus", "ferry")
    }
    pairs = [("taxi", station, station % 30 + 1) for station in STATIONS]
    for name, count in (("taxi", 12), ("bus", 12), ("ferry", 2)):
        for _ in range(count):
            one, other = rng.choice(30, size=2, replace=False) + 1
            pairs.append((name, int(one), int(other)))
    for name, one, other in pairs:
        reach[name][one].add(other)
        reach[name][other].add(one)
    return reach


@dataclass
class Hunt:
    """A random game, with the list of possible locations as the paper computes it."""

    seed: int
    rng: np.random.Generator = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng(self.seed)
        self.reach = random_map(self.rng)
        starts = (self.rng.choice(30, size=9, replace=False) + 1).tolist()
        self.hider, self.seekers = starts[0], starts[1:4]
        self.possible = set(starts) - set(self.seekers)
        self.hunted = HiderBelief(STATIONS, self.reach, starts=starts, seekers=self.seekers)
        self.round = 0

    def targets(self, station: int, ticket: str) -> set[int]:
        """Stations reachable from a station with a ticket."""
        if ticket == BLACK:
            return set.union(*(table[station] for table in self.reach.values()))
        return self.reach[ticket][station]

    def moves(self, station: int) -> list[tuple[str, int]]:
        return [
            (ticket, target)
            for ticket in ("taxi", "bus", BLACK)
            for target in sorted(self.targets(station, ticket) - set(self.seekers))
        ]

    def play(self, belief: Posterior) -> Posterior | None:
        """A round of the game; None when it is over."""
        moves = self.moves(self.hider)
        if not moves:
            return None
        ticket, self.hider = moves[int(self.rng.integers(len(moves)))]
        self.round += 1
        # Algorithm 1.
        self.possible = {
            target
            for station in self.possible
            for target in self.targets(station, ticket)
            if target not in self.seekers
        }
        belief = belief.observe(self.hunted.moved(ticket, seekers=self.seekers))
        if self.round in SURFACES:
            self.possible = {self.hider}
            belief = belief.observe(self.hunted.shown(self.hider))
        assert self.hunted.possible(belief) == self.possible
        for number, station in enumerate(self.seekers):
            onward = self.targets(station, "taxi") - set(self.seekers)
            if not onward:
                continue
            target = sorted(onward)[int(self.rng.integers(len(onward)))]
            self.seekers[number] = target
            if target == self.hider:
                return None
            self.possible.discard(target)
            belief = belief.observe(self.hunted.not_caught(target))
            assert self.hunted.possible(belief) == self.possible
        return belief


@settings(deadline=None, max_examples=30)
@given(seed=st.integers(0, 2**32 - 1))
def test_a_station_is_possible_exactly_when_algorithm_1_has_it(seed: int) -> None:
    hunt = Hunt(seed)
    belief: Posterior | None = hunt.hunted.begin()
    assert hunt.hunted.possible(belief) == hunt.possible
    while belief is not None and hunt.round < 12:
        assert belief.method == "forward_filter"
        assert hunt.hider in belief.marginal(hunt.hunted.at)
        belief = hunt.play(belief)


def test_without_a_model_of_his_moves_he_chooses_evenly_among_them() -> None:
    hunt = Hunt(4)
    stay = list(hunt.seekers)
    belief = hunt.hunted.begin().observe(
        hunt.hunted.moved("taxi", seekers=stay), hunt.hunted.moved(BLACK, seekers=stay)
    )
    weights: dict[int, float] = dict.fromkeys(STATIONS, 0.0)
    for start in hunt.possible:
        first = hunt.moves(start)
        for ticket, between in first:
            second = hunt.moves(between)
            for other, end in second:
                if (ticket, other) == ("taxi", BLACK):
                    weights[end] += 1.0 / len(first) / len(second)
    total = sum(weights.values())
    assert belief.marginal(hunt.hunted.at) == pytest.approx(
        {station: weight / total for station, weight in weights.items() if weight > 0.0}
    )


def test_what_is_given_a_third_is_true_a_third_of_the_time() -> None:
    surprises: list[float] = []
    for seed in range(150):
        hunt = Hunt(seed)
        belief: Posterior | None = hunt.hunted.begin()
        while belief is not None and hunt.round < 6:
            belief = hunt.play(belief)
            if belief is not None:
                shares = belief.distribution(hunt.hunted.at)
                # What the true station was given, against what the belief expects of that.
                surprises.append(float(shares[hunt.hider - 1] - (shares * shares).sum()))
    # Rounds of one game are not independent, so they count for a third.
    error = np.std(surprises) / np.sqrt(len(surprises) / 3.0)
    assert error < 0.02
    assert abs(np.mean(surprises)) < 4.0 * error


def test_a_model_of_his_moves_weighs_them() -> None:
    reach = {"taxi": {1: [2, 3], 2: [1, 3], 3: [1, 2]}}
    hunted = HiderBelief([1, 2, 3], reach, starts=[1, 3], seekers=[3])
    chances = np.full((3, 3), 0.25)
    chances[0] = [0.1, 0.6, 0.3]
    belief = hunted.begin().observe(hunted.moved("taxi", seekers=[], chances=chances))
    assert belief.marginal(hunted.at) == pytest.approx({2: 2 / 3, 3: 1 / 3})
    assert belief.log_evidence == pytest.approx(np.log(0.9))
    chances[0, 1] = 0.0
    with pytest.raises(EvidenceError, match="raise the chances"):
        hunted.moved("taxi", seekers=[], chances=chances)


def test_slips_are_refused() -> None:
    hunted = HiderBelief([1, 2], {"taxi": {1: [2]}}, starts=[1], seekers=[])
    with pytest.raises(EvidenceError, match=r"no such ticket.*did you mean 'taxi'"):
        hunted.moved("taxy", seekers=[])
    with pytest.raises(EvidenceError, match="could not play"):
        hunted.moved("taxi", seekers=[], playable=[BLACK])
    with pytest.raises(EvidenceError, match="unknown station"):
        HiderBelief([1, 2], {"taxi": {1: [3]}}, starts=[1], seekers=[])
