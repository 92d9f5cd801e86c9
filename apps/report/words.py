"""Numbers, names and events as a person would write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ...models.clue.cards import CASE_FILE, FACE_UP
from ...models.clue.events import Accusation, ClueEvent, Has, Move, NotHas, OneOf, Suggestion
from .markup import Html, element, join

SMALL_NUMBERS: Final = (
    *("no", "one", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve"),
)

ROUNDING: Final = 1e-9


def name(player: str) -> Html:
    """A player's name, set apart so that its direction of writing stays its own."""
    return element("bdi", player, class_="name")


def holder(word: str) -> Html:
    """A player, the case file, or the cards face up."""
    if word == CASE_FILE:
        return Html("the case file")
    return Html("face up") if word == FACE_UP else name(word)


def cards(names: Iterable[str]) -> Html:
    """Cards, each kept in one line."""
    return join((element("span", card, class_="card") for card in names), ", ")


def listed(parts: Sequence[object], last: str = "and") -> Html:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(parts) < 2:
        return join(parts)
    return join([join(parts[:-1], ", "), f" {last} ", parts[-1]])


def number(count: int, one: str, many: str | None = None) -> str:
    """A count with its noun; small ones in words."""
    word = SMALL_NUMBERS[count] if count < len(SMALL_NUMBERS) else f"{count:,}"
    return f"{word} {one if count == 1 else many or one + 's'}"


def bits(value: float, digits: int = 2) -> str:
    """Information in bits, without its unit; a true minus sign, and no minus zero."""
    text = f"{value:.{digits}f}"
    if float(text) == 0.0:
        text = text.lstrip("-")
    return text.replace("-", "\N{MINUS SIGN}")


def percent(probability: float, digits: int = 0) -> str:
    """A probability as a percentage, without its sign.

    What is not certain never reads as 0 or 100.
    """
    least = 10.0**-digits
    # Rounding in the last digits of a number is no doubt.
    shown = 100.0 if probability > 1.0 - ROUNDING else 100.0 * probability
    if 0.0 < shown < least:
        return f"<{least:g}"
    if 100.0 - least < shown < 100.0:
        return f">{100.0 - least:g}"
    return f"{shown:.{digits}f}"


def sentence(event: ClueEvent) -> Html:
    """What happened, as the viewer saw it."""
    if isinstance(event, Suggestion):
        return join([name(event.by), " suggests ", cards(event.cards), ". ", _answer(event)])
    if isinstance(event, Accusation):
        verdict = "and is right." if event.correct else "and is wrong."
        looked = join([" The case file: ", cards(event.seen), "."]) if event.seen else ""
        return join([name(event.by), " accuses ", cards(event.cards), ", ", verdict, looked])
    if isinstance(event, Move):
        return join([name(event.by), " goes to ", element("bdi", event.to), "."])
    who = Html("The case file") if event.player == CASE_FILE else name(event.player)
    if isinstance(event, Has):
        return join(["Note: ", who, " has ", cards([event.card]), "."])
    if isinstance(event, NotHas):
        return join(["Note: ", who, " does not have ", cards([event.card]), "."])
    assert isinstance(event, OneOf)
    among = listed([element("span", card, class_="card") for card in event.cards], "or")
    return join(["Note: ", who, " has ", among, "."])


def _answer(event: Suggestion) -> Html:
    passed = listed([name(player) for player in event.passed])
    verb = "passes" if len(event.passed) == 1 else "pass"
    before = join([passed, f" {verb}; "]) if event.passed else Html("")
    if not event.refuter_recorded:
        return join([before, "who" if before else "Who", " refuted was not recorded."])
    if event.refuter is None:
        return Html("Nobody shows a card.")
    what = cards([event.shown]) if event.shown else "a card"
    return join([before, name(event.refuter), " shows ", what, "."])
