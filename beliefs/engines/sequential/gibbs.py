"""Gibbs sampling: chains in which every variable in turn is drawn anew given all others.

A systematic scan over blocks: variables that determine each other change together (see `blocks`),
and cards of deals change by swaps between the scans, as in `metropolis`. Chains begin at worlds
that were drawn independently, so that R-hat tells whether they found the same.

After every scan a chain may jump: a whole world is drawn one variable after the other (see
`order`) and taken by the rule of Metropolis and Hastings (an independence chain, Tierney, 1994).
That joins what scans cannot, and costs about as much as they do; where hardly a jump is taken it is
left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...arrays.layout import Floats, Integers, number_type
from ...arrays.problem import Problem
from ..base import Cost, Diagnostics, EngineOptions, Unsupported, Worlds
from ..sampling.cards import Cards, open_cards
from ..sampling.metropolis import SWEEPS, cost_of_chains, diagnose, refuse_short_chains
from ..sampling.sampled import ChainedWorlds, WeightedWorlds, nothing_left
from ..sampling.swaps import UNIFORMS, Moves, walk
from .blocks import Blocks, blocks_of
from .drawing import Drawing, drawing
from .filtering import start_worlds
from .scanning import scan, scan_and_jump

#: Scans that are thrown away at each temperature: weights to the power given; zeros stay zeros.
BURN_IN = ((0.5, 50), (1.0, 100))
#: Chains jump no more where they took fewer of their jumps than this while they were burnt in.
WORTHWHILE = 0.01
#: Uniform numbers that are made at a time.
CHUNK = 2_000_000


@dataclass(frozen=True)
class Gibbs:
    """Chains that draw one variable, or a block of them, after the other."""

    name: str = "gibbs"
    exact: bool = False
    summary: str = "networks of any size; blocks of variables that determine each other; R-hat"

    def cost(self, problem: Problem) -> Cost | Unsupported:
        return cost_of_chains(problem)

    def solve(self, problem: Problem, options: EngineOptions) -> WeightedWorlds:
        """Worlds of equal weight, the chains one after the other.

        Raises:
            CostError: No world was found that fits all hard evidence.
        """
        refuse_short_chains(options)
        cards = open_cards(problem)
        if cards.impossible:
            return nothing_left(problem)
        rng = np.random.default_rng([options.seed, 5])
        starts = start_worlds(cards, options.chains, rng)
        if starts is None:
            return nothing_left(problem)
        dealt = (cards.choices[cards.movable] == 0).any()
        source = None if dealt else drawing(cards.problem, cards, evidence=True)
        draws = math.ceil(options.samples / options.chains)
        kind = number_type(problem.layout.slot_count)
        chains: Any = np.zeros((options.chains, draws, cards.count), dtype=kind)
        chain, taken = GibbsChain(cards, blocks_of(cards), source), 0.0
        for number, stream in enumerate(rng.spawn(options.chains)):
            taken += chain.run(starts[number], stream, chains[number]) / options.chains
        worlds: Any = chains.reshape(-1, cards.count)
        weights: Any = np.full(worlds.shape[0], 1.0 / worlds.shape[0])
        return ChainedWorlds(
            problem,
            worlds,
            weights,
            math.nan,
            _diagnosed(problem, chains, chain.blocks, taken),
            chains=options.chains,
        )


@dataclass(frozen=True, eq=False)
class GibbsChain:
    """The way in which a chain changes.

    Attributes:
        cards: What is drawn.
        blocks: Choices that are drawn together.
        source: Worlds to jump to; None where deals would be drawn anew, too.
    """

    cards: Cards
    blocks: Blocks
    source: Drawing | None

    def run(self, start: Worlds, rng: np.random.Generator, kept: Worlds) -> float:
        """Run one chain; returns the share of jumps that it took.

        Args:
            start: A world of positive weight, shape (cards,).
            rng: Source of randomness.
            kept: Its worlds, shape (draws, cards); written.
        """
        slot: Integers = start.astype(np.int64)
        taken = 0.0
        for power, scans in BURN_IN:
            unkept = np.zeros((scans, kept.shape[1]), dtype=kept.dtype)
            source = self.source if power == 1.0 else None
            taken = self._scan(slot, power * self.cards.log_table, rng, unkept, source)
        source = self.source if taken >= WORTHWHILE else None
        return self._scan(slot, self.cards.log_table, rng, kept, source)

    def _scan(
        self,
        slot: Integers,
        log_table: Floats,
        rng: np.random.Generator,
        kept: Worlds,
        source: Drawing | None,
    ) -> float:
        """Scan and keep; returns the share of jumps that were taken."""
        blocks, cards = self.blocks.arrays, self.cards
        factors, moves = cards.problem.arrays, self._swaps()
        count = blocks.start.shape[0] - 1
        steps = SWEEPS * moves.movable.shape[0]
        # Cards of deals are swapped after every scan.
        size = 1 if steps else max(CHUNK // max(count, 1), 1)
        taken = 0
        for first in range(0, kept.shape[0], size):
            part = kept[first : first + size]
            rows = int(part.shape[0])
            uniform = rng.random((rows, count))
            if source is not None:
                drawn, log_weights = source.draw(rows, rng)
                drawn = np.ascontiguousarray(drawn)
                jumps, order = rng.random(rows), source.order.arrays
                taken += scan_and_jump(
                    slot, blocks, log_table, order, drawn, log_weights, uniform, jumps, part
                )
                continue
            scan(slot, blocks, factors, log_table, cards.allowed, uniform, part)
            if steps:
                uniform = rng.random((steps, UNIFORMS))
                walk(slot, moves, log_table, cards.problem.factor_count, uniform, steps, part)
        return taken / kept.shape[0]

    def _swaps(self) -> Moves:
        """Moves of the cards of deals alone."""
        moves = self.cards.moves
        return moves._replace(movable=moves.movable[self.cards.choices[moves.movable] == 0])


def _diagnosed(problem: Problem, chains: Worlds, blocks: Blocks, taken: float) -> Diagnostics:
    found = diagnose(problem, chains, taken)
    notes = ["no estimate of the log evidence: Gibbs sampling does not give one"]
    notes += found.notes[1:]
    torn = blocks.torn.shape[0]
    if torn:
        tables = "a table has" if torn == 1 else f"{torn:,} tables have"
        notes.append(
            f"{tables} zeros, and too many values to be drawn as one: "
            "chains may not reach all worlds by scans alone"
        )
    return replace(found, acceptance=taken or None, notes=tuple(notes))


ENGINE = Gibbs()
