"""The beliefs of games that are known by name: what their players can know."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from ...data.errors import SettingsError, nearest
from ...models.game import Game
from ...models.games import GAMES, GameEntry, entry_of, game_from
from .contract import GameBelief


def belief_or_none(game: Game | GameEntry | str, **options: Any) -> GameBelief | None:
    """The belief that is registered with a game; None if nothing is hidden in it.

    Args:
        game: The game, or its entry.
        options: What its belief can be told, such as ``likelihood="uniform"`` for Scotland Yard.

    Raises:
        SettingsError: Something is hidden and no belief is known, or it has no such option.
    """
    game = game_from(game)
    if not game.hides:
        return None
    make = maker(game)
    if make is None:
        raise SettingsError(
            "no belief is known for this game",
            value=game.name,
            hint=f"make GameEntry({game.name!r}, rules=GAME, belief=MyBelief), or hand over a "
            "GameBelief of your own; see docs/your-own-game.md",
        )
    known = inspect.signature(make).parameters
    for option in options:
        if option not in known:
            raise SettingsError(
                "this belief has no such option",
                where=f"game {game.name!r}",
                value=option,
                hint=nearest(option, known) if known else "it has none",
            )
    return make(**options)


def belief(game: Game | GameEntry | str, **options: Any) -> GameBelief:
    """The belief of a game in which something is hidden: what its players can know.

    Args:
        game: The game, its entry, or its name.
        options: What its belief can be told, such as ``likelihood="uniform"`` for Scotland Yard.

    Raises:
        SettingsError: Nothing is hidden in the game, no belief is known, or it has no such option.

    >>> import sleuth
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> known = sleuth.belief("kuhn_poker").infer(play.view(0), play.seen_by(0))
    >>> [known.table("cards")[card]["second"] for card in ("jack", "queen", "king")]
    [0.0, 0.5, 0.5]
    """
    found = belief_or_none(game, **options)
    if found is None:
        raise SettingsError(
            "nothing is hidden in this game, so there is nothing to believe",
            value=game_from(game).name,
        )
    return found


def maker(game: Game) -> Callable[..., GameBelief] | None:
    """The maker of a game's belief; None where no belief is known."""
    found = entry_of(game)
    return None if found is None else found.part("belief")


def game_of(belief: GameBelief) -> str | None:
    """The name of the game that a belief of sleuth's own is about."""
    return next((name for name, each in GAMES.items() if type(belief) is each.part("belief")), None)
