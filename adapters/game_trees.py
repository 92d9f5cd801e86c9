"""Games that are written out, in the form of Gambit's extensive games, which OpenSpiel reads, too.

The form is that of ``.efg`` files (Gambit's manual, "The extensive game (.efg) file format"). A
written-out game is handed over once, so whatever solves it there runs in compiled code: nothing of
it asks our rules again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ..data.errors import SettingsError
from ..data.libraries import library
from ..models.game import Game
from ..models.games import GameEntry, game_from
from ..planners.small_games.exploitability import GameTree, Policy

#: Text has no other quotation marks within its own.
_MARKS: Final = str.maketrans('"\n\t', "'  ")


class WrittenTree:
    """A game tree as text, and the places of its information sets and actions there.

    Attributes:
        tree: The tree.
        text: The game in the form of an ``.efg`` file.

    >>> from sleuth.adapters import WrittenTree
    >>> from sleuth.equilibria import GameTree
    >>> written = WrittenTree(GameTree("kuhn_poker"))
    >>> written.text.splitlines()[0]
    'EFG 2 R "kuhn_poker" { "first" "second" }'
    >>> written.save("kuhn.efg")
    >>> uniform = written.tree.uniform_policy()
    >>> written.theirs(uniform)["0-0-1-0"]
    [(0, 0.5), (1, 0.5)]
    >>> back = written.ours(written.theirs(uniform))
    >>> all((back[known] == uniform[known]).all() for known in uniform)
    True
    """

    def __init__(self, tree: GameTree) -> None:
        self.tree = tree
        self._labels: dict[int, str] = {}
        self._ids: dict[int, int] = {}
        #: Of each information set: its player's, counted from 1, and the order of its actions.
        self._places: dict[int, int] = {}
        counts = [0] * tree.game.players
        for known in tree.information_sets:
            counts[known.player] += 1
            self._places[known.index] = counts[known.player]
        roles = " ".join(f'"{role.translate(_MARKS)}"' for role in tree.game.roles)
        lines = [f'EFG 2 R "{tree.game.name}" {{ {roles} }}']
        if len(tree.starts) > 1:
            deals = " ".join(f'"deal {n}" {share!r}' for n, (_, share) in enumerate(tree.starts))
            lines.append(f'c "" 1 "deal" {{ {deals} }} 0')
        self._outcomes = 0
        for start, _ in tree.starts:
            self._write(start, lines)
        self.text = "\n".join(lines)

    def save(self, path: str | Path) -> None:
        """Write the game to a file, for Gambit and its kin."""
        Path(path).write_text(self.text + "\n", encoding="utf-8")

    def theirs(self, policies: Policy | Sequence[Policy]) -> dict[str, list[tuple[int, float]]]:
        """A policy as OpenSpiel takes it for this game: information set -> actions, probabilities.

        Args:
            policies: One for all players, or one for each, see `GameTree`.

        Raises:
            SettingsError: It does not fit the tree.
        """
        chosen = self.tree.checked(policies)
        found: dict[str, list[tuple[int, float]]] = {}
        for known in self.tree.information_sets:
            shares = chosen[known.player][known.index].tolist()
            pairs = zip(known.actions, shares, strict=True)
            found[self._name(known.index)] = sorted((self._ids[code], p) for code, p in pairs)
        return found

    def ours(
        self, policy: Mapping[str, Sequence[tuple[int, float]]]
    ) -> dict[int, NDArray[np.float64]]:
        """A policy of OpenSpiel for this game, as ours.

        Raises:
            SettingsError: An information set is missing.
        """
        found: dict[int, NDArray[np.float64]] = {}
        for known in self.tree.information_sets:
            name = self._name(known.index)
            if name not in policy:
                raise SettingsError(
                    "the policy says nothing about an information set",
                    where=f"game {self.tree.game.name!r}",
                    value=name,
                )
            shares = dict(policy[name])
            found[known.index] = np.array([shares[self._ids[code]] for code in known.actions])
        return found

    def _name(self, index: int) -> str:
        """The text by which OpenSpiel knows an information set: mover, viewer, number and name."""
        player = self.tree.information_sets[index].player
        return f"{player}-{player}-{self._places[index]}-{index}"

    def _write(self, number: int, lines: list[str]) -> None:
        history = self.tree.histories[number]
        if history.values is not None:
            self._outcomes += 1
            values = " ".join(map(repr, history.values.tolist()))
            lines.append(f't "" {self._outcomes} {{ {values} }}')
            return
        known = self.tree.information_sets[history.information_set]
        # OpenSpiel numbers actions as it first reads them, and sorts the numbers of a node, but
        # not its branches: so they have to come in this order.
        new = (code for code in known.actions if code not in self._ids)
        for code in sorted(new):
            self._ids[code] = len(self._ids)
        after = dict(zip(known.actions, history.after, strict=True))
        ordered = sorted(after, key=self._ids.__getitem__)
        labels = " ".join(f'"{self._label(code)}"' for code in ordered)
        place = self._places[known.index]
        lines.append(f'p "" {known.player + 1} {place} "{known.index}" {{ {labels} }} 0')
        for code in ordered:
            self._write(after[code], lines)

    def _label(self, code: int) -> str:
        if code not in self._labels:
            name = self.tree.game.action_name(code).translate(_MARKS)
            taken = name in self._labels.values()
            self._labels[code] = f"{name} ({code})" if taken else name
        return self._labels[code]


def openspiel_tree(game: Game | GameEntry | GameTree | WrittenTree | str) -> Any:
    """A game of pyspiel that holds the whole tree in compiled code, for solvers.

    Args:
        game: The tree, also as text; or a game that is small enough to be written out.

    Raises:
        SettingsError: pyspiel is not installed.
        CostError, UnsupportedError: The game cannot be written out, see `GameTree`.

    >>> from sleuth.adapters import openspiel_tree
    >>> theirs = openspiel_tree("kuhn_poker")
    >>> theirs.num_players(), theirs.utility_sum()
    (2, 0.0)
    """
    pyspiel = library("pyspiel", "openspiel", where="openspiel_tree")
    if not isinstance(game, GameTree | WrittenTree):
        game = GameTree(game_from(game))
    written = game if isinstance(game, WrittenTree) else WrittenTree(game)
    return pyspiel.load_efg_game(written.text)
