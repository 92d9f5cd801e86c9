"""Models of a refuter's choice which of their cards to show, as probabilities.

A refuter who holds several of the three suggested cards chooses one. How probable each choice is
enters beliefs as a likelihood, and the simulator draws from it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from ...data.errors import EvidenceError, SettingsError, nearest
from .edition import ClueEdition
from .editions import CLASSIC

ChoiceFunction = Callable[[str, str, tuple[str, ...]], Mapping[str, float]]
"""(refuter, suggester, suggested cards they hold: suspect, weapon, room) -> {card: P(shown)}"""

ChoiceName = Literal["random", "ignored", "preference"]
NAMES: Final[tuple[ChoiceName, ...]] = ("random", "ignored", "preference")

SLIP: Final = 0.01
"""The default, and least, probability of each card that a stated preference would not show."""

_TOLERANCE: Final = 1e-9


@dataclass(frozen=True)
class ChoiceModel:
    """A refuter's choice, by name or as somebody's own function. Made by :func:`choice_model`.

    Attributes:
        name: ``"random"``, ``"ignored"`` (nothing is learned from which card was shown),
            ``"preference"`` or ``"custom"``.
        order: For a preference, cards that are shown rather, the likeliest first. After them come
            rooms, weapons, suspects.
        slip: For a preference, the probability of each other card they hold.
        function: For a custom model, the choice itself.
    """

    name: str
    order: tuple[str, ...] = ()
    slip: float = SLIP
    function: ChoiceFunction | None = None

    @property
    def weighs(self) -> bool:
        """True if the card shown says more than that the refuter holds it."""
        return self.name != "ignored"

    def probabilities(
        self, refuter: str, suggester: str, held: tuple[str, ...]
    ) -> dict[str, float]:
        """P(they show the card), for each of the one to three suggested cards they hold.

        ``"ignored"`` draws at random where something must be drawn; code that updates a belief
        asks :attr:`weighs` first.

        Args:
            refuter: Who shows a card.
            suggester: To whom.
            held: The suggested cards the refuter holds, in the order suspect, weapon, room.

        Raises:
            EvidenceError: If a custom function's answer is no distribution over ``held``.
        """
        if len(held) == 1 and self.function is None:
            return {held[0]: 1.0}
        if self.function is not None:
            return _checked(self.function(refuter, suggester, held), held)
        if self.name == "preference":
            return _preferred(self.order, self.slip, held)
        return dict.fromkeys(held, 1.0 / len(held))

    def __call__(self, refuter: str, suggester: str, held: tuple[str, ...]) -> dict[str, float]:
        """The same as :meth:`probabilities`."""
        return self.probabilities(refuter, suggester, held)


def preference_choice(
    order: Sequence[str] = (), slip: float = SLIP, *, edition: ClueEdition = CLASSIC
) -> ChoiceModel:
    """The first card of ``order`` that they hold is shown; each other with probability ``slip``.

    Args:
        order: Cards, those shown rather first. Cards left out come after them: a room before a
            weapon, a weapon before a suspect.
        slip: At least 0.01, so that one wrong guess about an opponent never makes the truth
            impossible, and at most 1/3, which is a random choice among three.
        edition: The cards of the game.

    Raises:
        RecordError: If a name in ``order`` is no card.
        SettingsError: If a card stands in ``order`` twice, or ``slip`` is out of its range.
    """
    first = [
        edition.canonical(card, where=f"preference, item {i}") for i, card in enumerate(order, 1)
    ]
    for i, card in enumerate(first):
        if card in first[:i]:
            raise SettingsError(
                "a card stands in the preference twice", where="preference", value=card
            )
    if not SLIP <= slip <= 1 / 3:
        raise SettingsError(
            "this is no probability of a slip", where="slip", value=slip, hint="0.01 to 1/3"
        )
    return ChoiceModel("preference", order=tuple(first), slip=slip)


def choice_model(
    model: str | ChoiceFunction | ChoiceModel = "random",
    preference: Sequence[str] | None = None,
    *,
    edition: ClueEdition = CLASSIC,
) -> ChoiceModel:
    """The model of a name, or of somebody's own function.

    Args:
        model: ``"random"``, ``"ignored"``, ``"preference"``, or a function
            (refuter, suggester, held) -> {card: probability}.
        preference: The order of a preference; see :func:`preference_choice`.
        edition: The cards of the game.

    Raises:
        SettingsError: If the name is unknown, or an order is given that would not be used.
        RecordError: If a name in ``preference`` is no card.
    """
    name = model if isinstance(model, str) else None
    if name is not None and name not in NAMES:
        raise SettingsError(
            "no such choice model", where="choice", value=name, hint=nearest(name, NAMES)
        )
    if name == "preference":
        return preference_choice(preference or (), edition=edition)
    if preference is not None:
        raise SettingsError(
            "a preference is used only by the choice model 'preference'",
            where="preference",
            value=list(preference),
            hint="choose it, or leave the preference out",
        )
    if isinstance(model, ChoiceModel):
        return model
    if isinstance(model, str):
        return ChoiceModel(model)
    return ChoiceModel("custom", function=model)


def _preferred(order: tuple[str, ...], slip: float, held: tuple[str, ...]) -> dict[str, float]:
    # Of the cards left out a room is shown before a weapon: the last of those held.
    first = min(reversed(held), key=lambda card: order.index(card) if card in order else len(order))
    return {card: 1.0 - slip * (len(held) - 1) if card == first else slip for card in held}


def _checked(answer: Mapping[str, float], held: tuple[str, ...]) -> dict[str, float]:
    """A custom function's answer, with a zero for the cards it left out."""
    where = f"the choice among {', '.join(held)}"
    for card, probability in answer.items():
        if card not in held:
            raise EvidenceError(
                "a card that is not held cannot be shown",
                where=where,
                value=card,
                hint=f"they hold {', '.join(held)}",
            )
        if not (math.isfinite(probability) and probability >= 0):
            raise EvidenceError("this is no probability", where=where, value=probability)
    total = math.fsum(answer.values())
    if abs(total - 1) > _TOLERANCE:
        raise EvidenceError(
            "probabilities do not sum to 1", where=where, value=total, hint="divide by their sum"
        )
    return {card: float(answer.get(card, 0.0)) for card in held}
