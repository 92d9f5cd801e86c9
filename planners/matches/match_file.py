"""The file of a match: finished games, a line each, so that an interrupted match goes on.

The number of games is not in its first line: a match can be made longer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, cast

from ...data.disk.growing import GrowingFile, read_lines, same_values
from ...data.disk.json_text import Fields
from ...data.errors import RecordError, SettingsError, shorten
from ...models.game import Game
from .contents import CONTENTS, changed
from .match_games import MatchPlan, PlayedGame

_WORDS: Final = {
    "game": "game",
    "game_version": "version of the game",
    "settings": "settings of the game",
    "agents": "agents",
    "swap": "swapping of seats",
    "neighbours": "order of the agents",
    "series": "games of a series",
    "seed": "seed",
    "version": "version of sleuth",
    "match": "form of the file",
}
_PLURAL: Final = ("agents", "games of a series", "settings of the game")
#: The fields of a game's line.
FIELDS: Final = ("number", "seed", "seats", "actions", "returns", "seconds")
#: A field more where sides are dealt in secret: the one that won.
SIDE: Final = "side"
#: And its agents, which older files do not have.
OF_SIDE: Final = "of_side"
#: And a field of games that were lost by a fault of a program.
LOST_BY: Final = "lost_by"
_MOST: Final = 2**63 - 1
#: Part of a return by which adding up may miss it.
_ROUNDING: Final = 1e-9


class MatchFile(GrowingFile):
    """The finished games of one match, held by this process until it is closed.

    Args:
        path: The file; made with the first game, if it is not there.
        plan: The match.
        game: What is played.

    Attributes:
        games: Those that were in the file, by number.

    Raises:
        SettingsError: The file is of another match, or of something else, or another process is
            writing to it.
        RecordError: A line is no game of this match: a field is missing, out of range, or not
            what the match's seed, agents and game make it.
    """

    def __init__(self, path: Path, plan: MatchPlan, game: Game) -> None:
        self.games: dict[int, PlayedGame] = {}
        self.plan = plan
        self.game = game
        super().__init__(path, plan.header(game), where="out")

    def add(self, game: PlayedGame) -> None:
        """Writes a game that has just ended."""
        line = asdict(game)
        if game.side is None:
            del line[SIDE], line[OF_SIDE]
        if game.lost_by is None:
            del line[LOST_BY]
        self.write(line)

    def check(self, found: object, header: Mapping[str, Any]) -> None:
        """Refuses the file of another match."""
        if not isinstance(found, dict) or "match" not in found:
            raise SettingsError(
                "this file is there already, and is not of a match",
                where="out",
                value=str(self.path),
                hint="name another",
            )
        there = cast(dict[str, Any], found)
        for name in (*_WORDS, *there):
            if name == CONTENTS:
                continue
            if not same_values(there.get(name), header.get(name)):
                word = _WORDS.get(name, "form of the file")
                differ = "differ" if word in _PLURAL else "differs"
                has = shorten(repr(there.get(name)))
                raise SettingsError(
                    f"this file is of another match: the {word} {differ}",
                    where="out",
                    value=str(self.path),
                    hint=f"it has {has}, not {header.get(name)!r}; name another file",
                )
        if changes := changed(there, header):
            raise SettingsError(
                f"this file is of another match: {changes}",
                where="out",
                value=str(self.path),
                hint="name another file",
            )

    def take(self, value: object) -> None:
        """Keeps a game; the first, where a line stands twice."""
        game = self._game(value)
        if self.games.setdefault(game.number, game) != game:
            raise RecordError(
                "another game has this number", where="field 'number'", value=game.number
            )

    def refusal(self) -> tuple[str, str]:
        """Of a line that is no game."""
        return "this is no game of this match", "delete the line, and its game is played again"

    def _game(self, value: object) -> PlayedGame:
        plan = self.plan
        game = game_of(value, self.game, agents=len(plan.agents))
        planned = {"seed": plan.deal_seed(game.number), "seats": plan.seats(game.number)}
        for name, wanted in planned.items():
            if getattr(game, name) != wanted:
                raise RecordError(
                    f"game {game.number} of this match has {wanted!r}",
                    where=f"field {name!r}",
                    value=getattr(game, name),
                )
        return game


def game_of(value: object, game: Game, *, agents: int) -> PlayedGame:
    """The game of a line, as far as it can be one by the sizes of the rules.

    Raises:
        RecordError: It cannot; with field and value.
    """
    dealt = (SIDE, OF_SIDE) if game.secret_sides else ()
    fields = Fields(value, (*FIELDS, *dealt, LOST_BY), optional=(SIDE, OF_SIDE, LOST_BY))
    side = fields.text(SIDE) if SIDE in fields else None
    if side is not None and side not in game.secret_sides:
        raise RecordError("no such side", where=f"field {SIDE!r}", value=side)
    room = _ROUNDING * max(1.0, abs(game.lowest), abs(game.highest))
    return PlayedGame(
        number=fields.whole("number", most=_MOST),
        seed=fields.whole("seed", most=2**64 - 1),
        seats=fields.wholes("seats", count=game.players, most=agents - 1),
        actions=fields.wholes("actions", longest=game.max_depth, most=game.action_space - 1),
        returns=fields.numbers(
            "returns", count=agents, least=game.lowest - room, most=game.highest + room
        ),
        seconds=fields.number("seconds", least=0.0),
        side=side,
        of_side=fields.wholes(OF_SIDE, longest=agents, most=agents - 1)
        if OF_SIDE in fields
        else (),
        lost_by=fields.whole(LOST_BY, most=agents - 1) if LOST_BY in fields else None,
    )


def read_games(path: Path, game: Game, *, agents: int) -> dict[int, PlayedGame]:
    """The games in the file of a match by number, whatever the match; nothing without the file.

    Raises:
        RecordError: A line is no game of this kind; with file, line, field and value.
    """
    found: dict[int, PlayedGame] = {}
    for place, value in enumerate(read_lines(path)[1:], start=2):
        try:
            one = game_of(value, game, agents=agents)
        except RecordError as error:
            raise RecordError(str(error), where=f"{path}, line {place}") from None
        found.setdefault(one.number, one)
    return found
