"""Cards and events of a game of Clue as a person would write them, as text or as markup."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Final

from ...models.clue.board.squares import place_said
from ...models.clue.cards import CASE_FILE, FACE_DOWN, FACE_UP
from ...models.clue.events import (
    NO_SUGGESTION,
    Accusation,
    ClueEvent,
    Has,
    Look,
    Move,
    NotHas,
    OneOf,
    Suggestion,
)
from ...models.clue.house_rules import HouseRules
from ...models.clue.seen import SeenClue
from ..kit.number_words import listed
from ..kit.pages.markup import Html, element, join, name

#: House rules in words.
RULES_SAID: Final = {
    ("who_shows", "all"): "all show a card who can",
    ("player_out", "skipped"): "nobody asks a player who accused wrongly",
    ("left_over", "face down"): "cards left over lie face down",
    ("left_over", "looked at"): "cards left over lie face down, and players look at them",
    ("room", "any"): "a suggestion names any room",
    ("room", "none"): "a suggestion names no room",
    ("card_shown", "openly"): "everybody sees the card shown",
}

Write = Callable[[str], str]


def cards(names: Iterable[str]) -> Html:
    """Cards, each kept in one line."""
    return join(map(_card, names), ", ")


def sentence(event: ClueEvent) -> Html:
    """The event as markup: names are set apart, and each card is kept in one line."""
    return Html(describe(event, name, _card) + ".")


def describe(event: ClueEvent, name: Write = str, card: Write = str) -> str:
    """The event in one sentence without a full stop.

    Args:
        event: As a viewer saw it.
        name: How a player's name, or that of a place, is written.
        card: How a card is.
    """
    match event:
        case Suggestion():
            suggested = listed([*map(card, event.cards)])
            return f"{name(event.by)} suggests {suggested}: {_answer(event, name, card)}"
        case Accusation():
            verdict = "rightly" if event.correct else "wrongly"
            seen = f", and sees {listed([*map(card, event.seen)])}" if event.seen else ""
            accused = listed([*map(card, event.cards)])
            return f"{name(event.by)} accuses {accused}, {verdict}{seen}"
        case Look(by, seen):
            found = f", and sees {listed([*map(card, seen)])}" if seen else ""
            return f"{name(by)} looks at the cards left over{found}"
        case Move(by, to) if to == NO_SUGGESTION:
            return f"{name(by)} makes no suggestion"
        case Move(by, to):
            return f"{name(by)} moves to {name(place_said(to))}"
        case Has() | NotHas() | OneOf():
            who = f"the {CASE_FILE}" if event.player == CASE_FILE else name(event.player)
            if isinstance(event, OneOf):
                return f"{who} has at least one of {listed([*map(card, event.cards)])}"
            verb = "has" if isinstance(event, Has) else "does not have"
            return f"{who} {verb} {card(event.card)}"


def cards_of(event: ClueEvent) -> tuple[str, ...]:
    """The cards that an event names."""
    match event:
        case Suggestion() | OneOf() | Look():
            return event.cards
        case Accusation():
            return (*event.cards, *(event.seen or ()))
        case Has() | NotHas():
            return (event.card,)
        case Move():
            return ()


def known_of(
    named: Collection[str], viewer: str, hand: Iterable[str], face_up: Iterable[str]
) -> list[str]:
    """The cards of some that a viewer knew from the start to hold, or to lie face up."""
    held = [card for card in hand if card in named]
    shown = [card for card in face_up if card in named]
    said = [f"{viewer} {'hold' if viewer == 'you' else 'holds'} {listed(held)}"] if held else []
    are = "lies" if len(shown) == 1 else "lie"
    return [*said, *([f"{listed(shown)} {are} face up"] if shown else [])]


def holding(card: str, holder: str) -> str:
    """The place of a card, in words."""
    if holder == CASE_FILE:
        return f"{card} is in the case file"
    return f"{card} lies {holder}" if holder in (FACE_UP, FACE_DOWN) else f"{holder} has {card}"


def size_of(game: SeenClue, player: str) -> str:
    """The number of a player's cards, as far as it is known: ``"4"``, or ``"3 or 4"``."""
    seat = game.players.index(player)
    return listed(sorted({str(sizes[seat]) for sizes in game.possible_sizes}), "or")


def rules_said(rules: HouseRules) -> list[str]:
    """The house rules that are not the usual ones, in words."""
    return [RULES_SAID[name, word] for name, word in rules.to_json().items()]


def _answer(event: Suggestion, name: Write, card: Write) -> str:
    verb = "passes" if len(event.passed) == 1 else "pass"
    before = f"{listed([*map(name, event.passed)])} {verb}, " if event.passed else ""
    if not event.refuter_recorded:
        return f"{before}what came of it was not recorded"
    if event.refuter is None:
        return "nobody can refute"
    shows = [
        f"{name(each.player)} shows {card(each.shown) if each.shown else 'a card'}"
        for each in event.refutations
    ]
    return f"{before}{listed(shows)}"


def _card(card: str) -> Html:
    return element("span", card, class_="card")
