"""One player's knowledge of a state: the state without the rest. Only a play makes views."""

from __future__ import annotations

from typing import Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from ..data.errors import SettingsError
from ..data.tables import html_note, html_shown, html_table
from .game import HIDDEN, OVER, SPECTATOR, Game, States, legal_actions, mover_of
from .records.play_start import state_to_json

#: Most actions that a notebook names.
MOST_ACTIONS: Final = 12
#: Handed over by a play, the only maker of views.
PLAYS: Final = object()


class View:
    """The state of a game without what one viewer cannot know of it. Only a :class:`Play` makes it.

    Views never change, and are equal when the same game looks the same to the same viewer.

    Attributes:
        game: The game.
        viewer: Whose view it is: a player's number, or ``SPECTATOR``.
        data: The bytes of the masked state.

    >>> import sleuth
    >>> view = sleuth.Play.new("kuhn_poker", seed=1).view(0)
    >>> view.legal().tolist()
    [0, 1]
    >>> view.to_json()["state"], view.over
    ({'player': 0, 'cards': [0, None], 'bets': [1, 1], 'moves': 0}, False)
    >>> view.states[0].cards.tolist()  # HIDDEN stands for what the viewer cannot know
    [0, -1000003]
    """

    __slots__ = ("data", "game", "player", "viewer")

    game: Game
    viewer: int
    data: bytes
    player: int

    def __init__(self, game: Game, viewer: int, states: States, token: object = None) -> None:
        if token is not PLAYS:
            raise TypeError("views are made by a play: write play.view(viewer) instead")
        for name, value in (
            ("game", game),
            ("viewer", viewer),
            ("data", states.tobytes()),
            ("player", mover_of(states)),
        ):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a view cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a view cannot be changed")

    def __reduce__(self) -> Any:
        raise TypeError("a view does not leave its process; send the record and make it there")

    def __repr__(self) -> str:
        return f"<View of {self.game.name} by {viewer_name(self.game.roles, self.viewer)}>"

    def _repr_html_(self) -> str:
        """The fields of the state as the viewer knows them, and what they can do."""
        known = self.to_json()
        rows = [(name, _words(value)) for name, value in known["state"].items()]
        legal = [self.game.action_name(action) for action in known["legal"]]
        more = f" and {len(legal) - MOST_ACTIONS} more" if len(legal) > MOST_ACTIONS else ""
        who = "nobody: the game is over" if known["player"] is None else known["player"]
        notes = [
            f"to move: {who}",
            *(["can " + ", ".join(legal[:MOST_ACTIONS]) + more] if legal else []),
        ]
        table = html_table(
            ("", ""), rows, caption=f"{self.game.name}: what {known['viewer']} knows"
        )
        return html_shown(table, *map(html_note, notes))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, View)
            and _identity(self.game) == _identity(other.game)
            and self.viewer == other.viewer
            and self.data == other.data
        )

    def __hash__(self) -> int:
        return hash((self.viewer, self.data))

    @property
    def over(self) -> bool:
        """True if the game is over."""
        return self.player == OVER

    @property
    def states(self) -> States:
        """A copy of the masked state, in an array of one."""
        return self.game.states_of(self.data)

    def to_json(self) -> dict[str, Any]:
        """The view as plain values: the masked state, and the codes of what the viewer can do.

        null stands for what the viewer cannot know.
        """
        moves = not self.over and self.viewer == self.player
        roles = self.game.roles
        return {
            "game": self.game.name,
            "settings": dict(self.game.settings),
            "viewer": viewer_name(roles, self.viewer),
            "player": None if self.over else roles[self.player],
            "state": known_numbers(state_to_json(self.states)),
            "legal": self.legal().tolist() if moves else [],
        }

    def legal(self) -> NDArray[np.int32]:
        """Codes of the legal actions, computed from nothing but this view.

        Raises:
            SettingsError: It is not the viewer's move.
        """
        if self.over or self.viewer != self.player:
            raise SettingsError(
                "only the player to move knows their legal actions",
                where=f"view of {viewer_name(self.game.roles, self.viewer)}",
                hint="the game is over"
                if self.over
                else f"it is the move of {viewer_name(self.game.roles, self.player)}",
            )
        return legal_actions(self.game, self.states)


def known_numbers(value: Any) -> Any:
    """Plain values with None wherever a number says that it is hidden."""
    if isinstance(value, dict):
        fields = cast("dict[str, Any]", value)
        return {name: known_numbers(each) for name, each in fields.items()}
    if isinstance(value, list | tuple):
        return [known_numbers(each) for each in cast("list[Any]", value)]
    return None if value == HIDDEN else value


def _words(value: Any) -> str:
    """Numbers as a person reads them, with a question mark for what is hidden."""
    if isinstance(value, list):
        return " ".join(map(_words, cast("list[Any]", value)))
    return "?" if value is None else str(value)


def viewer_name(roles: tuple[str, ...], viewer: int) -> str:
    """A player's role, or the word for somebody who looks on."""
    return "spectator" if viewer == SPECTATOR else roles[viewer]


def _identity(game: Game) -> tuple[str, int, dict[str, Any]]:
    return game.name, game.version, dict(game.settings)
