"""Cheat as it is played: from what a player sees to worlds for the search, turn by turn."""

# Whole numbers in kernels are NumPy's, which no annotation of theirs can say.
# pyright: reportArgumentType=false

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..models.cheat import RANK_NAMES, SeenGame, SeenTurn, columns_of, seen_game
from ..models.kernel import kernel
from ..models.play import SeenPlay, View
from .cheat import HANDS, CheatBelief, Truth
from .evidence import Evidence, Observation, Prediction
from .features import Feature
from .infer import infer
from .model import Model
from .playing import CachedBelief
from .posterior import Posterior
from .variables import Deal

#: Posteriors, odds and declarations that are kept to go on from.
KEPT: Final = 4096

#: The deal, and what everybody saw since the pile was turned up.
_Moment = tuple[Deal, tuple[tuple[int, str, int, int], ...]]


class CheatPlayBelief(CachedBelief[SeenGame]):
    """What a player of Cheat knows of the other's hand and of the cards that lie face down.

    Args:
        truth: A predictor of the truth of claims, see `CheatBelief.infer`. It is asked once for
            each claim, the first time the claim is seen, and set against counting at that moment.
    """

    def __init__(self, truth: Truth | float | None = None) -> None:
        super().__init__()
        self.truth = truth
        self._kept: OrderedDict[_Moment, Posterior] = OrderedDict()
        self._odds: OrderedDict[tuple[int, tuple[SeenTurn, ...]], tuple[float, float]]
        self._odds = OrderedDict()

    def __reduce__(self) -> Any:
        return type(self), (self.truth,)

    def known(self, view: View, seen: SeenPlay) -> SeenGame:
        """The game as the viewer saw it."""
        return seen_game(view)

    def posterior(self, known: SeenGame) -> Posterior:
        """The posterior of the last moment that is known, and what happened since."""
        belief = CheatBelief(known, cards=_same_deal)
        since, count = known.since, len(known.turns)
        public = tuple((t.by, t.kind, t.rank, t.count) for t in known.turns[since:])
        start = count
        while start > since and (belief.cards, public[: start - since]) not in self._kept:
            start -= 1
        posterior = self._kept.get((belief.cards, public[: start - since]))
        if posterior is None:
            posterior = infer(_model(belief.cards), method="type_counting")
            # Whoever looks on knows neither hand, which can be too much for it.
            posterior = replace(posterior, automatic=True, approximate=True)
            _keep(self._kept, (belief.cards, ()), posterior)
        for place in range(start, count):
            posterior = self._after(posterior, belief, place)
            _keep(self._kept, (belief.cards, public[: place + 1 - since]), posterior)
        return posterior

    def worlds(self, posterior: Posterior, n: int, rng: np.random.Generator) -> NDArray[np.int16]:
        """``n`` draws as columns for ``fill``, see `models.cheat`; shape (n, columns)."""
        return columns(posterior, n, rng)

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """Whether the last claim is true, and how many cards of each rank the other holds."""
        belief = CheatBelief(seen_game(view), cards=_same_deal)
        result: dict[str, Feature] = {}
        for place in range(belief.game.since, len(belief.game.turns)):
            for _ in belief.happened(place):
                pass
        if belief.claims:
            result["the last claim is true"] = belief.is_true(belief.claims[-1])
        for player, hand in enumerate(HANDS):
            if player != belief.viewer:
                for rank in belief.cards.items:
                    result[f"{rank} of {hand}"] = belief.cards.count(hand, rank)
        return result

    def _after(self, posterior: Posterior, belief: CheatBelief, place: int) -> Posterior:
        """What one turn adds."""
        turns = belief.viewer or 0, belief.game.turns[: place + 1]
        odds = self._odds.get(turns)
        given: list[Observation] = [
            *belief.happened(place, self.truth if odds is None else lambda game, place: odds)
        ]
        if not given:
            return posterior
        posterior = posterior.observe(given)
        if odds is None and isinstance(given[-1], Prediction):
            _keep(self._odds, turns, _against(posterior))
        return posterior


def columns(posterior: Posterior, n: int, rng: np.random.Generator) -> NDArray[np.int16]:
    """Worlds as a game's ``fill`` takes them, see `models.cheat`; shape (n, columns).

    The holder of a claim says how many cards lie face down below it.
    """
    cards = posterior.model.variables[0]
    assert isinstance(cards, Deal)
    ranks, suits = len(cards.items), max(cards.items.values())
    result = np.zeros((n, columns_of(ranks, suits)), dtype=np.int16)
    result[:, 2 * ranks + ranks * suits :] = -1
    holders = posterior.holders(cards)
    hand = np.array([HANDS.index(name) if name in HANDS else -1 for name in holders])
    bottom = np.array([int(name.partition(" above ")[2] or -1) for name in holders])
    rank = np.array([RANK_NAMES.index(item) for _, item in posterior.columns()])
    write_columns(posterior.sample_array(n, rng), rank, hand, bottom, ranks, result)
    return result


@kernel
def write_columns(worlds: Any, rank: Any, hand: Any, bottom: Any, ranks: int, result: Any) -> None:
    """Count hands, and put the cards of claims in their places on the pile.

    Args:
        worlds: Number of the holder of every card, shape (worlds, cards).
        rank: Of every card.
        hand: For every holder the player whose hand it is, or -1.
        bottom: For every holder the place of its first card on the pile, or -1.
        ranks: How many ranks there are.
        result: Written, shape (worlds, columns).
    """
    there = np.zeros(hand.shape[0], dtype=np.int64)
    for world in range(worlds.shape[0]):
        there[:] = 0
        for card in range(rank.shape[0]):
            holder = worlds[world, card]
            if hand[holder] >= 0:
                result[world, hand[holder] * ranks + rank[card]] += 1
            elif bottom[holder] >= 0:
                result[world, 2 * ranks + bottom[holder] + there[holder]] = rank[card]
                there[holder] += 1


def _against(posterior: Posterior) -> tuple[float, float]:
    """What the last prediction said, and the baseline that it was set against."""
    step = posterior.history[-1]
    assert isinstance(step, Evidence)
    assert step.prediction is not None
    floor = step.prediction.floor
    chance = min(max(step.prediction.p, floor), 1.0 - floor)
    ratio = float(step.table[1] / step.table[0])
    odds = math.exp(math.log(chance) - math.log1p(-chance) - math.log(ratio))
    return chance, odds / (1.0 + odds)


def _keep(kept: OrderedDict[Any, Any], key: object, value: object) -> None:
    kept[key] = value
    while len(kept) > KEPT:
        kept.popitem(last=False)


@lru_cache(maxsize=KEPT)
def _same_deal(deal: Deal) -> Deal:
    """The deal, or an equal one that was made before."""
    return deal


@lru_cache(maxsize=KEPT)
def _model(deal: Deal) -> Model:
    return Model(deal)
