"""Checks that features depend on nothing that the one who predicts cannot see."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from ..beliefs.games.contract import GameBelief
from ..data.errors import SettingsError
from ..models.game import Game
from ..models.kernels.randomness import generator
from ..models.play import Play
from ..models.rehearsal import Origin, filled
from ..planners.agents import drawn_from
from ..planners.search.determinization import checked_rows
from .rows import Outcome, RowMaker, classes_of, features_of


def check_rows(
    maker: RowMaker, game: Game, belief: GameBelief, *, plays: int = 5, worlds: int = 4,
    seed: int = 0,
) -> int:  # fmt: skip
    """Play random games and change, after each action, what its viewers cannot see.

    The label is asked of every changed truth before the features are, so that a maker who remembers
    the truth is found as well.

    Args:
        maker: Whose rows.
        game: The game.
        belief: What a viewer can know: what is changed is drawn from it.
        plays: Games.
        worlds: Changed truths for each viewer of an action.
        seed: Of all chance.

    Returns:
        How many rows were compared.

    Raises:
        SettingsError: A feature differs, or a row or a label is not what was declared.

    >>> import sleuth
    >>> from sleuth.kit import RowMaker, check_rows
    >>> class BetRows(RowMaker):
    ...     game, features, labels = "kuhn_poker", ("bet",), {"king": "the player has the king"}
    ...     def row(self, view, seen):
    ...         return (seen.events[-1].event.observation % 2,)
    ...     def label(self, outcome):
    ...         return {"king": outcome.before[0].cards[outcome.mover] == 2}
    >>> check_rows(BetRows(), sleuth.game("kuhn_poker"), sleuth.belief("kuhn_poker"), plays=2) > 0
    True
    """
    compared = 0
    for number in range(plays):
        rng = np.random.default_rng([seed, number])
        play = Play.new(game, seed=seed + number)
        while not play.over:
            before, mover = play, play.player
            play = before.supposing(before.truth())
            action = int(rng.choice(play.legal()))
            play.apply(action)
            for viewer in range(game.players):
                seen = play.seen_by(viewer)
                if viewer == mover or len(seen.events) == len(before.seen_by(viewer).events):
                    continue
                rows: list[Sequence[float] | None] = []
                for other in (play, *_imagined(play, belief, viewer, worlds, rng)):
                    truth = other.truth()
                    classes_of(
                        maker,
                        Outcome(
                            mover=mover,
                            action=action,
                            before=truth,
                            after=truth,
                            following=None,
                            end=truth,
                        ),
                    )
                    rows.append(features_of(maker, other.view(viewer), other.seen_by(viewer)))
                _compare(maker, rows, f"{game.name}, play {number}, move {len(play.actions)}")
                compared += rows[0] is not None
    return compared


def _imagined(
    play: Play, belief: GameBelief, viewer: int, worlds: int, rng: np.random.Generator
) -> Iterator[Play]:
    view = play.view(viewer)
    posterior = belief.infer(view, play.seen_by(viewer))
    for row in checked_rows(drawn_from(belief, posterior), worlds, rng):
        random = generator(play.seed, len(play.actions))
        yield play.supposing(filled(play.game, view.states, row[None], random, Origin.BELIEF))


def _compare(maker: RowMaker, rows: Sequence[Sequence[float] | None], where: str) -> None:
    first = rows[0]
    for other in rows[1:]:
        if (first is None) != (other is None):
            raise SettingsError("whether there is a row depends on what is hidden", where=where)
        for name, mine, theirs in zip(maker.features, first or (), other or (), strict=False):
            if mine != theirs and not (math.isnan(mine) and math.isnan(theirs)):
                raise SettingsError(
                    "a feature depends on what its viewer cannot see",
                    where=f"{where}, feature {name!r}",
                    value=(mine, theirs),
                    hint="compute it from the view and what was seen, and keep nothing",
                )
