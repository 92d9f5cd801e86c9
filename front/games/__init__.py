"""A page for each game: what is its own, beside what `sleuth` has for all.

>>> import sleuth
>>> sleuth.games.clue.CARDS[:2]
('scarlet', 'mustard')
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.games import cheat as cheat
    from sleuth.games import clue as clue
    from sleuth.games import saboteur as saboteur
    from sleuth.games import scotland_yard as scotland_yard
    from sleuth.games import small as small
    from sleuth.models.games import names as names

__getattr__, __dir__, __all__ = attach(__name__)
