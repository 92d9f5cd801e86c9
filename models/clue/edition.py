"""An edition of Clue: which cards there are, of which category, and the names people write.

All of Clue takes its cards from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from ...data.disk.json_text import refused
from ...data.errors import SettingsError, SleuthError, nearest
from .codes import CardCodes, card_codes

Triple = tuple[str, str, str]
"""One suspect, one weapon, one room, in this order."""

FEWEST_PLAYERS: Final = 2
MOST_PLAYERS: Final = 10
#: Fewest and most cards of a category.
FEWEST_OF_A_KIND: Final = 2
MOST_OF_A_KIND: Final = 30
#: The categories: who, with what, where.
KINDS: Final = ("suspect", "weapon", "room")

# Words before a surname that change nothing: "col. mustard", "mr green" and "rev. green".
_TITLES: Final = frozenset(
    {"captain", "chef", "col", "colonel", "doctor", "dr", "lady", "lord", "madam", "madame"}
    | {"mayor", "miss", "mister", "monsieur", "mr", "mrs", "ms", "prof", "professor", "rev"}
    | {"revd", "reverend", "sgt", "sergeant", "sir", "solicitor", "the"}
)
_PUNCTUATION: Final = str.maketrans({".": " ", "-": " ", "_": " ", ",": " "})


@dataclass(frozen=True, kw_only=True)
class ClueEdition:
    """The cards of a box of Clue.

    Attributes:
        name: The word for it, such as ``"master_detective"``.
        title: Its name for people.
        suspects, weapons, rooms: The cards in the order used everywhere.
        other_names: Pairs of another name that people write, and the card.
        players: The fewest and the most players.
        board: The board that goes with it, if sleuth has it.

    >>> from sleuth.games.clue import edition
    >>> box = edition("classic")
    >>> len(box.cards), box.dealt, box.triples
    (21, 18, 324)
    >>> box.canonical("Rev. Green"), box.find("spanner"), box.aliases["dagger"]
    ('green', 'wrench', 'knife')
    >>> box.category("hall"), box.position["hall"], box.parts[2], list(box.categories)
    ('room', 19, slice(12, 21, None), ['suspect', 'weapon', 'room'])
    >>> box.in_deck_order(["hall", "plum"]), box.to_json()["players"]
    (('plum', 'hall'), [2, 10])
    >>> box.triple(3), box.number_of(("scarlet", "candlestick", "dining room")), box.codes.show
    (('scarlet', 'candlestick', 'dining room'), 3, 324)
    """

    name: str
    title: str = field(compare=False)
    suspects: tuple[str, ...]
    weapons: tuple[str, ...]
    rooms: tuple[str, ...]
    other_names: tuple[tuple[str, str], ...] = ()
    players: tuple[int, int] = field(default=(FEWEST_PLAYERS, MOST_PLAYERS), compare=False)
    board: str | None = field(default=None, compare=False)

    def __hash__(self) -> int:
        return hash(self.cards)

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """All cards: suspects, weapons, rooms."""
        return self.suspects + self.weapons + self.rooms

    @cached_property
    def categories(self) -> Mapping[str, tuple[str, ...]]:
        """The cards by category: ``"suspect"``, ``"weapon"``, ``"room"``."""
        return dict(zip(KINDS, (self.suspects, self.weapons, self.rooms), strict=True))

    @cached_property
    def position(self) -> Mapping[str, int]:
        """The place of each card among all."""
        return {card: place for place, card in enumerate(self.cards)}

    @cached_property
    def parts(self) -> tuple[slice, slice, slice]:
        """The places of the suspects, the weapons and the rooms among all cards."""
        first, second = len(self.suspects), len(self.suspects) + len(self.weapons)
        return slice(0, first), slice(first, second), slice(second, len(self.cards))

    @property
    def dealt(self) -> int:
        """The number of cards that are not in the case file."""
        return len(self.cards) - len(KINDS)

    @property
    def triples(self) -> int:
        """The number of suggestions that one can make."""
        return len(self.suspects) * len(self.weapons) * len(self.rooms)

    @cached_property
    def codes(self) -> CardCodes:
        """The codes of actions and observations in the compiled game."""
        return card_codes(len(self.suspects), len(self.weapons), len(self.rooms))

    def triple(self, number: int) -> Triple:
        """The suspect, weapon and room of a triple's number, counted from 0."""
        pair, room = divmod(number, len(self.rooms))
        suspect, weapon = divmod(pair, len(self.weapons))
        return self.suspects[suspect], self.weapons[weapon], self.rooms[room]

    def number_of(self, cards: Sequence[str]) -> int:
        """The number of a triple: what `triple` is the reverse of."""
        suspect, weapon, room = (self.position[card] for card in cards)
        codes = self.codes
        pair = suspect * codes.weapons + weapon - codes.suspects
        return pair * codes.rooms + room - codes.suspects - codes.weapons

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """Other names that people write for cards: name -> card."""
        return dict(self.other_names)

    @cached_property
    def _categories(self) -> Mapping[str, str]:
        return {card: kind for kind, cards in self.categories.items() for card in cards}

    def category(self, card: str) -> str:
        """``"suspect"``, ``"weapon"`` or ``"room"``.

        Raises:
            RecordError: If ``card`` is no card, under any of its names.
        """
        return self._categories[self.canonical(card)]

    def canonical(self, name: object, *, where: str | None = None) -> str:
        """The card somebody calls ``name``: ``"Rev. Green"`` is ``"green"``.

        Capitals, dots, hyphens, underscores, extra spaces and titles do not matter.

        Args:
            name: What was written.
            where: The place to name in the error.

        Raises:
            RecordError: If it is no card; the message names the nearest one.
        """
        if isinstance(name, str):
            if name in self.position:
                return name
            card = self.find(name)
            if card is not None:
                return card
            hint = nearest(_plain(name)[:40], self.cards)
        else:
            hint = f"a card is written as text, such as {self.weapons[0]!r}"
        raise refused("no such card", where=where, value=name, hint=hint)

    def find(self, name: str) -> str | None:
        """The card somebody calls ``name``; None if there is none."""
        return self._found.get(_plain(name))

    @cached_property
    def _found(self) -> Mapping[str, str]:
        found = {_plain(name): card for name, card in self.other_names}
        return found | {_plain(card): card for card in self.cards}

    def in_deck_order(self, cards: Iterable[str]) -> tuple[str, ...]:
        """The cards, sorted as the deck is: suspects, weapons, rooms."""
        return tuple(sorted(cards, key=self.position.__getitem__))

    def to_json(self) -> dict[str, Any]:
        """The edition as it stands in a file; `load_edition` gives an equal one back."""
        made: dict[str, Any] = {"name": self.name, "title": self.title}
        made["cards"] = {kind: list(cards) for kind, cards in self.categories.items()}
        if self.other_names:
            made["aliases"] = dict(self.other_names)
        made["players"] = list(self.players)
        return made if self.board is None else made | {"board": self.board}


def _plain(name: str) -> str:
    """A name as it is compared: small letters, no punctuation, no title before a surname."""
    words = name.casefold().translate(_PUNCTUATION).split()
    while len(words) > 1 and words[0] in _TITLES:
        words = words[1:]
    return " ".join(words)


def made_edition(
    name: str,
    cards: Mapping[str, Sequence[str]],
    *,
    title: str = "",
    aliases: Mapping[str, str] | None = None,
    players: Sequence[int] = (FEWEST_PLAYERS, MOST_PLAYERS),
    board: str | None = None,
    where: str = "edition",
    error: type[SleuthError] = SettingsError,
) -> ClueEdition:
    """The edition of these cards.

    Args:
        name: The word for it.
        cards: The cards of the three categories.
        title: Its name for people; empty for the name.
        aliases: Other names that people write for cards: name -> card.
        players: The fewest and the most players.
        board: The board that goes with it.
        where: The place to name in an error.
        error: The error to raise.

    Raises:
        SettingsError: Or the error asked for: a card, or a name of one, stands twice, an alias is
            of no card, or the numbers of players make no sense.
    """
    made = ClueEdition(
        name=name,
        title=title or name.replace("_", " "),
        suspects=tuple(cards[KINDS[0]]),
        weapons=tuple(cards[KINDS[1]]),
        rooms=tuple(cards[KINDS[2]]),
        other_names=tuple((aliases or {}).items()),
        players=(players[0], players[1]),
        board=board,
    )
    known: dict[str, str] = {}
    for card in made.cards:
        if not (plain := _plain(card)) or not card.isprintable():
            raise error("a card needs a name", where=where, value=card)
        if plain in known:
            hint = f"it reads as {known[plain]!r}" if card != known[plain] else ""
            raise error("a card stands here twice", where=where, value=card, hint=hint)
        known[plain] = card
    for other, card in made.other_names:
        if card not in made.position:
            hint = nearest(card, made.cards)
            raise error("another name is of no card", where=where, value=card, hint=hint)
        if known.setdefault(_plain(other), card) != card:
            hint = f"it is {known[_plain(other)]!r}"
            raise error("another name is of two cards", where=where, value=other, hint=hint)
    low, high = made.players
    if not FEWEST_PLAYERS <= low <= high <= MOST_PLAYERS:
        hint = f"from {FEWEST_PLAYERS} to {MOST_PLAYERS}, the fewest first"
        raise error("no such numbers of players", where=where, value=[low, high], hint=hint)
    return made
