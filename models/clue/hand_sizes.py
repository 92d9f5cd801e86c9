"""The sizes of hands in Clue where nobody wrote them down: cards are dealt around the table.

One card at a time goes to each player in turn, beginning with somebody who is not known. So hands
differ by one card at most, and those with a card more belong to players who sit side by side. Each
player is as likely to have been the first.
"""

from __future__ import annotations

from collections.abc import Sequence

Sizes = tuple[int | None, ...]
"""The number of cards of each player in turn order; None where it is not known."""


def possible_sizes(sizes: Sequence[int | None], dealt: int) -> list[tuple[int, ...]]:
    """The sizes that hands can have, equally likely; none if no such deal fits what is known.

    Args:
        sizes: What is known.
        dealt: How many cards are dealt to players.

    >>> from sleuth.models.clue.hand_sizes import possible_sizes
    >>> possible_sizes([5, None, None, None], 18)
    [(5, 5, 4, 4), (5, 4, 4, 5)]
    """
    known = tuple(size for size in sizes if size is not None)
    if len(known) == len(sizes):
        return [known] if sum(known) == dealt else []
    count = len(sizes)
    each, more = divmod(dealt, count)
    rotated = (
        tuple(each + ((seat - first) % count < more) for seat in range(count))
        for first in range(count)
    )
    return [
        found
        for found in dict.fromkeys(rotated)
        if all(size in (None, here) for size, here in zip(sizes, found, strict=True))
    ]


def left_over(sizes: Sequence[int | None], cards: int) -> int:
    """The number of cards dealt to nobody where they lie face down.

    If sizes are not known, everybody has the same number, as many as there are cards for.

    Args:
        sizes: What is known of the hands.
        cards: How many there are without the case file.
    """
    known = [size for size in sizes if size is not None]
    return cards - sum(known) if len(known) == len(sizes) else cards % len(sizes)
