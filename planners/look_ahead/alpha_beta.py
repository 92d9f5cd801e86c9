"""Paranoid alpha-beta: the player who decides against all others together.

They, and their allies, maximise what they get; everybody else minimises it (Sturtevant and Korf
2000, "On pruning techniques for multi-player games"). Lines are cut off by alpha-beta (Knuth and
Moore 1975) and looked at in a good order: the principal line of the depth before, killer moves
(Akl and Newborn 1977), then the history heuristic (Schaeffer 1989).

>>> from sleuth import Play
>>> from sleuth.games.small import tic_tac_toe
>>> from sleuth.search import AlphaBeta, Limits
>>> game = tic_tac_toe()
>>> play = Play.new(game, seed=0)
>>> found = AlphaBeta(game).decide(play.view(0), limits=Limits())
>>> found.value, found.solved, len(found.line)
(0.0, True, 9)
"""

from __future__ import annotations

from .deepening import Deepening


class AlphaBeta(Deepening):
    """Paranoid alpha-beta over one game. Compiles at first use, once per machine.

    Its arguments are those of `Deepening`; nobody's decisions are taken for chance, unless it is
    said of whom.

    >>> import sleuth
    >>> from sleuth.search import AlphaBeta, Limits
    >>> search = AlphaBeta("tic_tac_toe")
    >>> search.warm()
    >>> search.prepare()  # compiles in another process, where `warm` has not
    >>> isinstance(search.compiled, bool)
    True
    >>> play = sleuth.Play.new("tic_tac_toe", seed=1)
    >>> for square in (0, 3, 1, 4):
    ...     play.apply(square)
    >>> found = search.decide(play.view(0), limits=Limits(depth=1))
    >>> found.name, found.value
    ('c1', 1.0)
    """
