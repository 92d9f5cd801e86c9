"""Plays and what is seen of them, as a notebook shows them.

A play is shown as somebody who looks on sees it, and what a player has seen as that player knows
it: what draws them is handed a `Sight` or that player's events, and nothing else.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ...data.errors import SleuthError
from ...data.markup import Html, element
from ...data.showing import Drawer
from ...data.tables import html_note, html_shown, html_table
from ...models.game import HIDDEN, SPECTATOR
from ...models.games import game
from ...models.play import Play, SeenPlay, viewer_name
from .answers.text import as_text
from .display import Sight, display

#: Most moves that are listed: the last ones.
MOST_MOVES: Final = 12
#: Columns of a board.
WIDTH: Final = 88


def play_html(play: Play) -> Html:
    """A game in progress, as a spectator sees it."""
    words, sight = display(play.game), Sight.of(play, SPECTATOR, ())
    moves = words.happened(sight, 0)
    left = len(moves) - MOST_MOVES
    earlier = [html_note(f"{left} earlier moves")] if left > 0 else []
    return html_shown(
        element("p", element("b", words.title), ", as somebody sees it who looks on"),
        element("pre", as_text(*words.standing(sight), width=WIDTH)),
        *earlier,
        *(html_note(move) for move in moves[-MOST_MOVES:]),
        html_note(
            "The game is over."
            if play.over
            else f"{viewer_name(play.game.roles, play.player)} is to move."
        ),
    )


def seen_html(seen: SeenPlay) -> Html:
    """All that one viewer has seen: whose moves, and what these looked like."""
    try:
        found = game(seen.game, **seen.settings)
    except SleuthError:
        found = None  # a game of a file that was not named here
    rows = [
        (
            str(each.number),
            viewer_name(seen.roles, each.event.mover),
            "nothing" if each.event.observation == HIDDEN else str(each.event.observation),
            ""
            if each.event.action is None
            else str(each.event.action)
            if found is None
            else found.action_name(each.event.action),
        )
        for each in seen.events[-MOST_MOVES:]
    ]
    who = viewer_name(seen.roles, seen.viewer)
    left = len(seen.events) - MOST_MOVES
    return html_shown(
        html_table(
            ("", "who moved", "seen", "own action"),
            rows,
            caption=f"{seen.game}: what {who} has seen",
        ),
        *([html_note(f"and {left} before them")] if left > 0 else []),
    )


#: By the kind of value.
SHOWN: Final[Mapping[str, Drawer]] = {"play": play_html, "seen": seen_html}
