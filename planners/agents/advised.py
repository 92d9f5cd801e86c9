"""Reading options that name something of a game's advice."""

from __future__ import annotations

from typing import Any, Final

from ...beliefs.games.contract import GameBelief, Imagining, ImaginingByName
from ...beliefs.games.registry import belief_or_none
from ...data.errors import SettingsError, meant, nearest
from ...models.game import Game
from .agent import Guess

#: Imagined with what a belief predicts of its players.
PREDICTED: Final = "predicted"
#: The imagined game that is the game itself.
RULES: Final = "rules"


def imagined_game(game: Game, name: str | None, belief: GameBelief | None = None) -> Game:
    """The game as it is imagined by a name of its advice or belief; None for what is usual there.

    ``rules`` is the game as it is, if its advice has no tables of its own for that; ``predicted``
    what the belief makes of it, if it knows how its players play.

    Raises:
        SettingsError: There is no such name.
    """
    known = dict(game.advice.imagined)
    if name is not None and isinstance(belief, ImaginingByName):
        known |= belief.imagines()
    if name == PREDICTED and isinstance(belief, Imagining):
        return belief.imagined(game)
    if name is None:
        return next(iter(known.values()))(game) if known else game
    if name == RULES and name not in known:
        return game
    if name not in known:
        raise SettingsError(
            "the game is not imagined like that",
            where="imagined",
            value=name,
            hint=nearest(name, {*known, RULES}),
        )
    return known[name](game)


def belief_of(
    game: Game, name: str | None, *, needed: str = "", **told: Any
) -> tuple[GameBelief | None, Guess | None]:
    """The judge of how likely the worlds are: the game's belief, or a guess of its advice.

    Args:
        game: The game.
        name: Of a guess, or a likelihood of the game's belief; None for its usual belief.
        needed: What needs the belief itself, such as ``a gain``; empty where a guess will do.
        told: More that the belief is told; None for nothing.

    Raises:
        SettingsError: There is no such name or option, or no belief is known.
    """
    given = {option: value for option, value in told.items() if value is not None}
    if name is None:
        return belief_or_none(game, **given), None
    if name in game.advice.guesses and not needed:
        return None, game.advice.guesses[name]
    if not game.hides:
        raise SettingsError(
            "nothing is hidden in this game, so there is nothing to believe",
            where="belief",
            value=name,
            hint="leave belief= out",
        )
    try:
        return belief_or_none(game, likelihood=name, **given), None
    except SettingsError as error:
        if error.value == "likelihood":
            known = [*game.advice.guesses, *(["predictor="] if "predictor" in error.hint else [])]
            raise SettingsError(
                "the belief of this game has no likelihoods to choose from",
                where="belief",
                value=name,
                hint=f"leave belief= out, or write {', '.join(known)}" if known else "leave it out",
            ) from None
        if error.value != name:
            raise
        guesses = game.advice.guesses
        if name in guesses:
            raise SettingsError(
                f"{needed} needs a likelihood of the belief, and this is a quick guess",
                where="belief",
                value=name,
                hint=error.hint,
            ) from None
        close = meant(name, guesses)
        if close and not error.hint.startswith("did you mean"):
            raise SettingsError(error.message, where=error.where, value=name, hint=close) from None
        raise


def evaluation_of(game: Game, name: str | None) -> Any:
    """An evaluation of the game's advice; None for the first of them.

    Raises:
        SettingsError: There is none of this name.
    """
    known = game.advice.evaluations
    name = next(iter(known), "") if name is None else name
    if name not in known:
        hint = nearest(name, known) if known else "this game offers none"
        raise SettingsError("no such evaluation", where="evaluation", value=name, hint=hint)
    return known[name]


def words_by_side(text: str | None, game: Game, where: str) -> tuple[str, ...]:
    """For each player a word, of one word for all or of one for each side with ``/`` between."""
    words = tuple(word.strip().replace("-", "_") for word in (text or "").split("/"))
    if len(words) == 1:
        return words * game.players
    if len(words) != len(game.sides):
        raise SettingsError(
            "this needs one word, or one for each side",
            where=where,
            value=text,
            hint=f"write {'/'.join('WORD' for _ in game.sides)} for {', '.join(game.sides)}",
        )
    return tuple(words[side] for side in game.side_of)


def numbers_by_side(text: str, game: Game, where: str) -> tuple[float, ...]:
    """For each player a number, of one for all or of one for each side with ``/`` between."""
    words = words_by_side(text, game, where)
    try:
        return tuple(float(word) for word in words)
    except ValueError:
        raise SettingsError("a number is needed", where=where, value=text) from None
