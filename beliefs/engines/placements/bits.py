"""The effect of an option on the state of every open factor, as masks over the words of a key.

Nearly every factor is a bit: a square is taken or not, a piece is placed or not. What an option
asks of such bits and does to them is done with a few operations on whole words, for all states of
a layer at once; factors with more states are looked up one after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...arrays.layout import Floats, Integers
from ..partial_deals.automata import Automata
from .options import CoverOptions

Words = NDArray[np.int64]

#: Most choices whose bits say together which factors can be forgotten.
MOST_OPEN = 12


class Lookup(NamedTuple):
    """A factor with more than two states, or with weights of its own.

    Attributes:
        word, shift, mask: Its field in the key.
        following, weight: The next state, -1 where there is none, and its weight; by state.
    """

    word: int
    shift: int
    mask: int
    following: Integers
    weight: Floats


@dataclass(frozen=True, eq=False)
class KeyMove:
    """One option of a layer.

    Attributes:
        care, want: Bits that must have a value, and the value; shape (words,).
        clear, put: Bits that are set to 0, and to 1 after that; shape (words,).
        lookups: The factors that are no plain bits.
    """

    care: Words
    want: Words
    clear: Words
    put: Words
    lookups: tuple[Lookup, ...]

    def of(self, keys: Words, strong: bool) -> tuple[Integers, Words, Floats | None]:
        """The states that allow it, what they become, and what that weighs (None: one).

        Args:
            keys: Shape (words, states).
            strong: Whether weights are logarithms to base two.
        """
        fits = np.ones(int(keys.shape[1]), dtype=np.bool_)
        for word in np.flatnonzero(self.care).tolist():
            fits &= ((keys[word] ^ self.want[word]) & self.care[word]) == 0
        for word, shift, mask, following, _ in self.lookups:
            fits &= following[(keys[word] >> shift) & mask] >= 0
        rows: Integers = np.flatnonzero(fits)
        made = keys[:, rows]
        weights: Floats | None = None
        for word, shift, mask, following, weight in self.lookups:
            state = (keys[word, rows] >> shift) & mask
            made[word] += (following[state] - state) << shift
            if (weight != 1.0).any():
                factor = np.log2(np.maximum(weight, 1e-320)) if strong else weight
                factor = factor[state]
                if weights is None:
                    weights = factor
                else:
                    weights = weights + factor if strong else weights * factor
        for word in range(keys.shape[0]):
            if self.clear[word]:
                made[word] &= ~self.clear[word]
            if self.put[word]:
                made[word] |= self.put[word]
        return rows, made, weights


class KeyMoves:
    """The automata of factors, layer by layer; see `build_automata`.

    Args:
        options: The layers.
        automata: The automata of `CoverOptions.factors`.
    """

    def __init__(self, options: CoverOptions, automata: Automata) -> None:
        self._options, self._automata = options, automata
        starts = np.unique(automata.transition)
        following = np.searchsorted(starts, automata.transition) + 1
        self._end = np.append(starts, -1)[following]
        self._forgetting = _Forgetting(options, self)

    def block(self, touch: int, layer: int) -> tuple[Integers, Floats]:
        """Next states and weights of a touch, shape (states, options of the layer)."""
        automata = self._automata
        options = int(self._options.start[layer + 1] - self._options.start[layer])
        first, end = int(automata.transition[touch]), int(self._end[touch])
        if end < 0:
            # The last one; what lies behind it is never reached.
            room = (automata.following.shape[0] - first) // options
            end = first + min(int(automata.mask[touch]) + 1, room) * options
        shape = -1, options
        return automata.following[first:end].reshape(shape), automata.weight[first:end].reshape(
            shape
        )

    def fields(self, layer: int) -> range:
        """The touches of a layer."""
        begin = self._automata.begin
        return range(int(begin[layer]), int(begin[layer + 1]))

    def field(self, touch: int) -> tuple[int, int, int]:
        """Word, shift and mask of the factor of a touch."""
        automata = self._automata
        return int(automata.word[touch]), int(automata.shift[touch]), int(automata.mask[touch])

    def moves(self, layer: int) -> list[KeyMove]:
        """The effect of each option of a layer."""
        options = int(self._options.start[layer + 1] - self._options.start[layer])
        words = self._automata.words
        care, want, clear, put = np.zeros((4, options, words), dtype=np.int64)
        lookups: list[list[Lookup]] = [[] for _ in range(options)]
        for touch in self.fields(layer):
            word, shift, mask = self.field(touch)
            following, weight = self.block(touch, layer)
            plain = (following < 0) | (weight == 1.0)
            same: Integers = np.arange(int(following.shape[0]))
            changes = (following != same[:, None]) | ~plain
            bits = mask <= 1 and bool(plain.all())
            for option in np.flatnonzero(np.any(changes, axis=0)).tolist():
                column = following[:, option]
                if not bits:
                    lookups[option].append(Lookup(word, shift, mask, column, weight[:, option]))
                    continue
                bit = 1 << shift
                zero, one = int(column[0]), int(column[1]) if column.shape[0] > 1 else -1
                if mask == 0:
                    # A factor that never is in two states has no bit.
                    if zero < 0:
                        lookups[option].append(Lookup(word, 0, 0, column, weight[:, option]))
                    continue
                if zero < 0 or one < 0:
                    care[option, word] |= bit
                    want[option, word] |= bit if zero < 0 else 0
                    result = one if zero < 0 else zero
                    if result < 0:
                        lookups[option].append(Lookup(word, shift, 1, column, weight[:, option]))
                    if result == (zero < 0):
                        continue  # it stays
                elif zero != one:
                    lookups[option].append(Lookup(word, shift, 1, column, weight[:, option]))
                    continue
                else:
                    result = zero
                if result > 0:
                    put[option, word] |= bit
                elif result == 0:
                    clear[option, word] |= bit
        return [
            KeyMove(care[option], want[option], clear[option], put[option], tuple(lookups[option]))
            for option in range(options)
        ]

    def forget(self, layer: int, keys: Words) -> None:
        """Set back, after a layer, the states that no longer matter; in place."""
        self._forgetting.after(layer, keys)


class _Forgetting:
    """Factors whose state no longer matters, since every choice that can still touch them is made.

    A square that only placed ships could still cover is as good as free.
    """

    def __init__(self, options: CoverOptions, touches: KeyMoves) -> None:
        self._choices = options.pairs.sites
        factors, layers = options.factors, options.layers
        count = factors.start.shape[0] - 1
        numbers: Integers = np.arange(int(count))
        owner = numbers.repeat(np.diff(factors.start))
        # In each layer touches are given out factor by factor, those first that begin first.
        first_layer = factors.site[factors.start[:-1]]
        rank = np.empty(count, dtype=np.int64)
        rank[np.argsort(first_layer, kind="stable")] = np.arange(count)
        order = np.lexsort((rank[owner], factors.site))
        touch_of = np.empty(owner.shape[0], dtype=np.int64)
        touch_of[order] = np.arange(owner.shape[0])
        self._open: list[list[tuple[int, int, int]]] = [[] for _ in range(layers)]
        self._gone: list[list[tuple[int, int, list[int]]]] = [[] for _ in range(layers)]
        last_of = self._last_touches(options)
        for factor in range(count):
            rows = range(int(factors.start[factor]), int(factors.start[factor + 1]))
            read = [int(factors.site[row]) for row in rows]
            if factor < self._choices:
                for here, after, row in zip(read, read[1:], rows, strict=False):
                    word, shift, _ = touches.field(int(touch_of[row]))
                    for layer in range(here, after):
                        self._open[layer].append((factor, word, shift))
                continue
            later = last_of[factor - self._choices]
            rest: Floats = np.ones(1)
            for position in range(len(read) - 1, 0, -1):
                touch = int(touch_of[rows[position]])
                following, weight = touches.block(touch, read[position])
                after = np.where(following[:, 0] >= 0, following[:, 0], 0)
                rest = np.where(
                    following[:, 0] >= 0, weight[:, 0] * rest[np.minimum(after, rest.size - 1)], 0.0
                )
                if rest[0] <= 0.0 or (rest != rest[0]).any():
                    continue
                word, shift, mask = touches.field(touch)
                for layer in range(read[position - 1], read[position]):
                    needed = [site for site, last in later.items() if last > layer]
                    self._gone[layer].append((word, mask << shift, needed))

    def _last_touches(self, options: CoverOptions) -> list[dict[int, int]]:
        """Of every factor and choice the last layer in which it touches it."""
        layer_of = np.zeros(options.pairs.count, dtype=np.int64)
        layer_of[options.pair] = options.layer[options.option]
        found: list[dict[int, int]] = []
        for factor in options.touched:
            last: dict[int, int] = {}
            for pair in factor.pairs.tolist():
                site = int(options.pairs.site[pair])
                last[site] = max(last.get(site, 0), int(layer_of[pair]))
            found.append(last)
        return found

    def after(self, layer: int, keys: Words) -> None:
        """Forget what can be forgotten after a layer."""
        opened = self._open[layer]
        if not 0 < len(opened) <= MOST_OPEN:
            return
        place = {site: number for number, (site, _, _) in enumerate(opened)}
        numbers = np.arange(1 << len(opened))
        gone = np.zeros((keys.shape[0], numbers.size), dtype=np.int64)
        for word, bits, needed in self._gone[layer]:
            if all(site in place for site in needed):
                wanted = sum(1 << place[site] for site in needed)
                gone[word, (numbers & wanted) == wanted] |= bits
        if not gone.any():
            return
        placed = np.zeros(keys.shape[1], dtype=np.int64)
        for number, (_, word, shift) in enumerate(opened):
            placed |= ((keys[word] >> shift) & 1) << number
        for word in np.flatnonzero(np.any(gone, axis=1)).tolist():
            keys[word] &= ~gone[word][placed]
