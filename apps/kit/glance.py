"""A play as text at a glance, for those who watch a program play."""

from __future__ import annotations

from ...models.play import Play
from .answers.text import as_text
from .answers.values import Paragraph
from .display import Sight, display


def glance(play: Play, viewer: int) -> str:
    """The last that happened and how the game stands, as a player (or ``SPECTATOR``) sees it.

    >>> import sleuth
    >>> from sleuth.adapters import aec_env
    >>> env = aec_env("kuhn_poker", render_mode="ansi")
    >>> env.reset(seed=1)
    >>> env.step(1)
    >>> print(env.render())
    first: bet
    first: a hidden card, 2 in the pot
    you: queen, 1 in the pot
    """
    shown = display(play.game)
    sight = Sight.of(play, viewer, (viewer,))
    last = max(len(sight.seen.events) - 1, 0)
    happened = [Paragraph(sentence) for sentence in shown.happened(sight, last)]
    return as_text(*happened, *shown.situation(sight)).rstrip("\n")
