"""One block of memory for all that a kernel is handed, with guard cells around each part of it.

Afterwards the block tells what the kernel wrote to: guards that changed, or parts that it must
leave alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

#: The value of every byte that belongs to no part.
UNTOUCHED: Final = 0x5A
#: Parts begin at multiples of it, so that numbers of every kind are aligned.
ALIGNED: Final = 16


@dataclass(frozen=True)
class GuardedMemory:
    """The parts of a block, and what stands in it before a kernel is called.

    Attributes:
        block: All of it.
        content: The same as bytes.
        places: Where each part begins and ends.
        edge: So many bytes before and after every part are guards.
    """

    block: NDArray[np.uint8]
    content: bytes
    places: Mapping[str, tuple[int, int]]
    edge: int

    @classmethod
    def of(cls, parts: Mapping[str, bytes], edge: int) -> GuardedMemory:
        """Memory with these parts.

        Args:
            parts: Names and contents.
            edge: The fewest guard bytes before and after each.
        """
        edge += -edge % ALIGNED
        guard = bytes([UNTOUCHED]) * edge
        pieces: list[bytes] = []
        places: dict[str, tuple[int, int]] = {}
        begin = edge
        for name, content in parts.items():
            places[name] = begin, begin + len(content)
            rest = -len(content) % ALIGNED
            pieces += (guard, content, guard[:1] * rest, guard)
            begin += len(content) + rest + 2 * edge
        joined = b"".join(pieces)
        return cls(np.frombuffer(joined, dtype=np.uint8), joined, places, edge)

    def part(self, block: NDArray[np.uint8], name: str, kind: Any) -> NDArray[Any]:
        """A part of a copy of the block, as an array of some type."""
        begin, end = self.places[name]
        return block[begin:end].view(kind)

    def overrun(self, after: bytes) -> str | None:
        """The first part beyond whose ends something was written, by the block's bytes."""
        for name, (begin, end) in self.places.items():
            before_it, behind = slice(begin - self.edge, begin), slice(end, end + self.edge)
            if after[before_it] != self.content[before_it] or after[behind] != self.content[behind]:
                return name
        return None

    def changed(self, after: bytes, name: str) -> bool:
        """True if a part is not as it was."""
        begin, end = self.places[name]
        return after[begin:end] != self.content[begin:end]
