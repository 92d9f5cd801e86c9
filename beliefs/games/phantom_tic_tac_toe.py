"""Phantom tic-tac-toe as a declaration: who has which square.

Every set of marks that fits what the viewer knows is equally likely, which is right against
somebody who names any square they do not know to be taken.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from ...models.game import HIDDEN
from ...models.play import SeenPlay, View
from ...models.small.tic_tac_toe import SQUARES
from ..infer import infer
from ..language.features import Feature
from ..language.variables import Deal
from ..modelling.model import Model
from ..posterior import Posterior
from .contract import CachedBelief

PLAYERS: Final = ("first", "second")
LINES: Final = (
    ("a1", "b1", "c1"),
    ("a2", "b2", "c2"),
    ("a3", "b3", "c3"),
    ("a1", "a2", "a3"),
    ("b1", "b2", "b3"),
    ("c1", "c2", "c3"),
    ("a1", "b2", "c3"),
    ("c1", "b2", "a3"),
)


class PhantomKnowledge(NamedTuple):
    """The viewer's knowledge: the marks they see, how many there are, and the winner, if any."""

    marks: tuple[int, ...]
    turn: int
    winner: int


class PhantomTicTacToeBelief(CachedBelief[PhantomKnowledge]):
    """Every square is the first player's, the second's, or empty.

    >>> from sleuth import Play
    >>> from sleuth.games.small import PhantomTicTacToeBelief
    >>> play, belief = Play.new("phantom_tic_tac_toe", seed=1), PhantomTicTacToeBelief()
    >>> play.apply(4)
    >>> known = belief.known(play.view(1), play.seen_by(1))
    >>> centre = belief.hidden(play.view(1))["b2"]
    >>> {owner: round(p, 3) for owner, p in belief.posterior(known).marginal(centre).items()}
    {'first': 0.111, 'empty': 0.889}
    """

    def known(self, view: View, seen: SeenPlay) -> PhantomKnowledge:
        """The marks that the viewer sees, ``HIDDEN`` where they do not know."""
        return _known(view)

    def posterior(self, known: PhantomKnowledge) -> Posterior:
        """Nobody has a line but the winner."""
        deal = _deal(known)
        given = [
            deal.which(player, SQUARES)
            .satisfies(_has_line if known.winner == number else _has_none)
            .observed(because=f"{player} has {'a' if known.winner == number else 'no'} line")
            for number, player in enumerate(PLAYERS)
            if deal.holders[player] > 2
        ]
        return infer(Model(deal), given, method="card_by_card")

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """The owner of each square that the viewer does not know."""
        known = _known(view)
        deal = _deal(known)
        return {
            square: deal.holder_of(square)
            for square, mark in zip(SQUARES, known.marks, strict=True)
            if mark == HIDDEN
        }


def _known(view: View) -> PhantomKnowledge:
    # Their own marks and those they bumped into: whatever else a view let through is not read.
    state, viewer = view.states[0], view.viewer
    found = state.found[viewer].tolist() if viewer >= 0 else [0] * 9
    marks = tuple(
        mark if viewer >= 0 and (mark == viewer + 1 or turn > 0) else HIDDEN
        for mark, turn in zip(state.squares.tolist(), found, strict=True)
    )
    return PhantomKnowledge(marks, int(state.turn), int(state.winner))


def _deal(known: PhantomKnowledge) -> Deal:
    sizes = {"first": (known.turn + 1) // 2, "second": known.turn // 2, "empty": 9 - known.turn}
    marks = {
        player: [
            square for square, mark in zip(SQUARES, known.marks, strict=True) if mark == number + 1
        ]
        for number, player in enumerate(PLAYERS)
    }
    return Deal(SQUARES, holders=sizes, known=marks, name="squares")


def _has_line(squares: tuple[str, ...]) -> bool:
    return any(set(line) <= set(squares) for line in LINES)


def _has_none(squares: tuple[str, ...]) -> bool:
    return not _has_line(squares)
