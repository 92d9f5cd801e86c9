"""Clue by a table of cards and holders, as people and simple programs keep it: no joint belief.

A table has a row for each card and a column for each player, then one for the case file; what lies
face up has an empty row. Three ways to fill it:

- `notebook`: deductions by simple rules; whatever is left open is as likely as anything else.
- `factored`: a probability for each cell, rows and columns balanced to add up as they must.
- `ledford`: the table of the heuristic players of J. Ledford (MSc dissertation, Edinburgh 2018;
  program `jcl240/Cluedo_Sim`), who knows neither hand sizes nor that one card of each kind is in
  the case file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ....models.clue.edition import ClueEdition
from ....models.clue.events import Accusation, Suggestion
from ....models.clue.seen import SeenClue
from ...arrays.layout import Floats

#: Times that rows and columns are balanced in turn.
BALANCED: Final = 30

Mask = NDArray[np.bool_]


def suggestions(game: SeenClue) -> list[tuple[Suggestion, list[int], list[int]]]:
    """Every suggestion, with the numbers of its cards and of the players who passed."""
    seats = {player: seat for seat, player in enumerate(game.players)}
    position = game.edition.position
    return [
        (
            seen.event,
            [position[card] for card in seen.event.cards],
            [seats[player] for player in seen.event.passed],
        )
        for seen in game.events
        if isinstance(seen.event, Suggestion)
    ]


def _possible(game: SeenClue) -> tuple[Mask, list[tuple[int, list[int]]]]:
    """The possible places of each card by what was seen, and who must hold one of which cards."""
    count, me = len(game.players), game.players.index(game.viewer)
    position = game.edition.position
    possible = np.ones((len(position), count + 1), dtype=np.bool_)
    possible[:, me] = False
    clauses: list[tuple[int, list[int]]] = []
    for card in game.face_up:
        possible[position[card]] = False
    for card in game.own_hand:
        possible[position[card]] = np.arange(count + 1) == me
    for event, cards, passed in suggestions(game):
        for player in passed:
            if player != me:
                possible[cards, player] = False
        if event.refuter is None or event.refuter == game.viewer:
            continue
        refuter = game.players.index(event.refuter)
        if event.shown is None:
            clauses.append((refuter, cards))
        else:
            possible[position[event.shown]] = np.arange(count + 1) == refuter
    for seen in game.events:
        if isinstance(seen.event, Accusation) and seen.event.seen is not None:
            for card in seen.event.seen:
                possible[position[card]] = np.arange(count + 1) == count
    return possible, clauses


def notebook(game: SeenClue) -> Floats:
    """The deductions of simple rules; the rest of each row is shared out equally.

    A card that somebody has nobody else has; somebody all of whose cards are known has no others;
    who can have no more cards than they must has them all; of each kind one card is in the case
    file; and who must have one of several cards, and can have but one, has it.
    """
    possible, clauses = _possible(game)
    before = 0
    while possible.sum() != before:
        before = possible.sum()
        for player, (_, size) in enumerate(game.hand_sizes):
            if size is not None:
                _deduce(possible, slice(0, len(possible)), player, size)
        for kind in game.edition.parts:
            _deduce(possible, kind, len(game.players), 1)
        for player, cards in clauses:
            left = [card for card in cards if possible[card, player]]
            if len(left) == 1:
                _settle(possible, left[0], player)
    return possible / np.maximum(possible.sum(axis=1, keepdims=True), 1)


def _deduce(possible: Mask, rows: slice, holder: int, size: int) -> None:
    """Somebody has so many of some cards: none beside the known ones, or all that they can have."""
    known = possible[rows, holder] & (possible[rows].sum(axis=1) == 1)
    if known.sum() >= size:
        possible[rows, holder] &= known
    elif possible[rows, holder].sum() == size:
        for card in np.flatnonzero(possible[rows, holder]).tolist():
            _settle(possible, rows.start + card, holder)


def _settle(possible: Mask, card: int, holder: int) -> None:
    possible[card] = np.arange(possible.shape[1]) == holder


def factored(game: SeenClue) -> Floats:
    """A probability for each cell, each card for itself."""
    possible, clauses = _possible(game)
    sizes = np.array([game.expected_size(player) for player in game.players], dtype=float)
    table = _balanced(possible.astype(float), sizes, game.edition)
    for player, cards in clauses:
        shares = table[cards, player]
        any_of = 1.0 - np.prod(1.0 - shares)
        if 0.0 < any_of < 1.0:
            raised = np.minimum(shares / any_of, 1.0)
            rest = (1.0 - raised) / np.maximum(1.0 - shares, 1e-12)
            table[cards] *= rest[:, None]
            table[cards, player] = raised
            table = _balanced(table, sizes, game.edition)
    return table


def _balanced(table: Floats, sizes: Floats, edition: ClueEdition) -> Floats:
    """The table with rows that add up to 1, and columns to what is held."""
    for _ in range(BALANCED):
        totals = table[:, :-1].sum(axis=0)
        table[:, :-1] *= sizes / np.maximum(totals, 1e-12)
        for kind in edition.parts:
            table[kind, -1] /= max(float(table[kind, -1].sum()), 1e-12)
        table /= np.maximum(table.sum(axis=1, keepdims=True), 1e-12)
    return table


def ledford(game: SeenClue) -> Floats:
    """The table of Ledford's heuristic players, update by update."""
    count, me = len(game.players), game.players.index(game.viewer)
    position = game.edition.position
    table = np.full((len(position), count + 1), 1.0 / count)
    table[:, me] = 0.0
    unknown = set(range(len(position)))

    def check_off(card: str, holder: int | None) -> None:
        number = position[card]
        table[number] = 0.0
        if holder is not None:
            table[number, holder] = 1.0
        unknown.discard(number)

    for card in game.own_hand:
        check_off(card, me)
    for card in game.face_up:
        check_off(card, None)
    for event, cards, passed in suggestions(game):
        for player in passed:
            if player != me:
                table[cards, player] = 0.0
                normalise_rows(table, cards)
        if event.refuter is None or event.refuter == game.viewer:
            continue
        refuter = game.players.index(event.refuter)
        if event.shown is not None:
            check_off(event.shown, refuter)
            continue
        could = [card for card in cards if table[card, refuter] > 0.0]
        if could:
            table[could, refuter] *= len(unknown) / len(could)
            normalise_rows(table, could)
    return table


def normalise_rows(table: Floats, cards: Sequence[int]) -> None:
    """Divide the rows of some cards by their sums, where these are not zero."""
    sums = table[cards].sum(axis=1, keepdims=True)
    table[cards] = np.divide(table[cards], sums, out=table[cards], where=sums > 0.0)


def file_chances(table: Floats, edition: ClueEdition) -> Floats:
    """The probability of each triple in the case file, category by category; shape (triples,)."""
    suspects, weapons, rooms = (_shares(table[kind, -1]) for kind in edition.parts)
    return (suspects[:, None, None] * weapons[:, None] * rooms).ravel()


def _shares(column: Floats) -> Floats:
    total = float(column.sum())
    return column / total if total > 0.0 else np.full(len(column), 1.0 / len(column))


def drawn(
    table: Floats,
    face_up: Sequence[str],
    n: int,
    rng: np.random.Generator,
    edition: ClueEdition,
) -> NDArray[Any]:
    """Deals in which every card lies for itself where the table says, and the case file is one."""
    count = table.shape[1] - 1
    rows = np.empty((n, len(table)), dtype=np.int8)
    for card in range(len(table)):
        shares = table[card, :-1]
        shares = shares / shares.sum() if shares.sum() > 0.0 else np.full(count, 1.0 / count)
        rows[:, card] = rng.choice(count, size=n, p=shares)
    for kind in edition.parts:
        chosen = rng.choice(kind.stop - kind.start, size=n, p=_shares(table[kind, -1]))
        rows[np.arange(n), kind.start + chosen] = count
    for card in face_up:
        rows[:, edition.position[card]] = count + 1
    return rows
