"""Games for other libraries and other programs: whatever the kit plays, they can play.

This is a page like `sleuth.kit`: its names are imported when they are first used, and so are the
libraries that they stand before, which extras install.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..data.lazy import attach

if TYPE_CHECKING:
    from sleuth.adapters.environments import aec_env as aec_env
    from sleuth.adapters.environments import gymnasium_env as gymnasium_env
    from sleuth.adapters.environments import parallel_env as parallel_env
    from sleuth.adapters.game_trees import WrittenTree as WrittenTree
    from sleuth.adapters.game_trees import openspiel_tree as openspiel_tree
    from sleuth.adapters.openspiel import openspiel_game as openspiel_game

__getattr__, __dir__, __all__ = attach(__name__)
