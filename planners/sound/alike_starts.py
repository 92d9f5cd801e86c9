"""The probability of a start that looks to a player as theirs did.

Lines that are led begin with such starts, and are weighed by how likely one is to be dealt.
"""

from __future__ import annotations

from typing import Final
from weakref import WeakKeyDictionary

from ...data.errors import CostError, UnsupportedError
from ...models.game import SPECTATOR, Game
from ...models.play import SeenPlay, start_as_seen
from ...models.state_fields import flat_numbers

#: Starts that are listed, and drawn where there are more, to see how likely the player's own is.
_LISTED: Final = 2_000
_DRAWN: Final = 256

#: A start as a player sees it, as everybody does, and how likely it is; by game and player.
Look = tuple[tuple[int, ...], bytes, float]
_looks: WeakKeyDictionary[Game, dict[int, tuple[bool, list[Look]]]] = WeakKeyDictionary()


def chance_of_start(game: Game, seen: SeenPlay) -> float:
    """The probability of a start that looks to a player as theirs did, among the deals.

    Deals are those that look to everybody as this one.
    """
    public = game.masked(start_as_seen(game, seen), SPECTATOR).tobytes()
    listed, looks = _starts_as_seen(game, seen.viewer)
    own = all_alike = 0.0
    for theirs, everybody, share in looks:
        if theirs == seen.start:
            own += share
        if theirs == seen.start or everybody == public:
            all_alike += share
    if not listed:
        return max(own, 0.5) / max(all_alike, 1.0)
    return own / all_alike if own else 1.0


def _starts_as_seen(game: Game, viewer: int) -> tuple[bool, list[Look]]:
    """The starts of a game as a player and as everybody sees them; True if these are all."""
    known = _looks.setdefault(game, {})
    if viewer not in known:
        try:
            found = game.starts(_LISTED)
            listed, states, shares = True, found.states, found.probabilities.tolist()
        except (CostError, UnsupportedError):
            listed, states, shares = False, game.states(_DRAWN), [1.0] * _DRAWN
            for seed in range(_DRAWN):
                states[seed] = game.initial(seed)[0]
        each = (states[place : place + 1] for place in range(len(shares)))
        known[viewer] = (
            listed,
            [
                (
                    tuple(flat_numbers(game.masked(start, viewer)).tolist()),
                    game.masked(start, SPECTATOR).tobytes(),
                    share,
                )
                for start, share in zip(each, shares, strict=True)
            ],
        )
    return known[viewer]
