"""The house rules of Clue that a table may play by, and who is asked under them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from ...data.checks import known_name

WhoShows = Literal["first", "all"]
PlayerOut = Literal["shows", "skipped"]
LeftOver = Literal["face up", "face down", "looked at"]
RoomNamed = Literal["own", "any", "none"]
CardShown = Literal["secretly", "openly"]

#: By rule, the words that can stand for it; the first is usual.
WORDS: Final[dict[str, tuple[str, ...]]] = {
    "who_shows": ("first", "all"),
    "player_out": ("shows", "skipped"),
    "left_over": ("face up", "face down", "looked at"),
    "room": ("own", "any", "none"),
    "card_shown": ("secretly", "openly"),
}


@dataclass(frozen=True, kw_only=True)
class HouseRules:
    """The rules by which a table plays Clue where families differ; those of the box by default.

    Attributes:
        who_shows: The ``"first"`` player in turn order who holds one of the cards named shows one,
            or ``"all"`` who hold one show one each.
        player_out: A player whose accusation was wrong still ``"shows"`` cards, or is
            ``"skipped"``: nobody asks them any more.
        left_over: Cards that are dealt to nobody lie ``"face up"`` or ``"face down"``; or they
            are ``"looked at"`` by one player after the other, as the record says.
        room: A suggestion names one's ``"own"`` room, ``"any"`` room, or ``"none"``: then it names
            two cards.
        card_shown: To the suggester alone, ``"secretly"``, or ``"openly"`` to everybody.

    Raises:
        SettingsError: A word is none of these.

    >>> from sleuth.games.clue import HouseRules
    >>> rules, players = HouseRules(who_shows="all", player_out="skipped"), ["ann", "bob", "cid"]
    >>> rules.to_json()
    {'who_shows': 'all', 'player_out': 'skipped'}
    >>> rules.everybody_shows, rules.open, rules.hidden_left_over, rules.named
    (True, False, False, 3)
    >>> sorted(rules.skipped({"bob"})), rules.asked(players, "ann", out={"bob"})
    (['bob'], ('cid',))
    >>> rules.passed(players, "ann", ["cid"])
    ('bob',)
    """

    who_shows: WhoShows = "first"
    player_out: PlayerOut = "shows"
    left_over: LeftOver = "face up"
    room: RoomNamed = "own"
    card_shown: CardShown = "secretly"

    def __post_init__(self) -> None:
        for name, words in WORDS.items():
            known_name(getattr(self, name), words, "word for this rule", where=f"rules, {name}")

    def to_json(self) -> dict[str, Any]:
        """The rules that are not the usual ones, as in a record."""
        return {name: word for name, word in asdict(self).items() if word != WORDS[name][0]}

    @property
    def everybody_shows(self) -> bool:
        """True if all who hold a card that was named show one."""
        return self.who_shows == "all"

    @property
    def open(self) -> bool:
        """True if everybody sees the card shown."""
        return self.card_shown == "openly"

    @property
    def hidden_left_over(self) -> bool:
        """True if cards left over are not seen by everybody."""
        return self.left_over != "face up"

    @property
    def named(self) -> int:
        """The number of cards that a suggestion names: three, or two without a room."""
        return 2 if self.room == "none" else 3

    def skipped(self, out: Collection[str]) -> frozenset[str]:
        """The players whom nobody asks, of those who are ``out``."""
        return frozenset(out if self.player_out == "skipped" else ())

    def asked(
        self, players: Sequence[str], by: str, *, out: Collection[str] = ()
    ) -> tuple[str, ...]:
        """The players who are asked if nobody can show a card, in turn order.

        Args:
            players: Names in turn order.
            by: Who suggests.
            out: Who accused wrongly before.
        """
        first, skipped = players.index(by) + 1, self.skipped(out)
        in_turn = (*players[first:], *players[: first - 1])
        return tuple(player for player in in_turn if player not in skipped)

    def passed(
        self,
        players: Sequence[str],
        by: str,
        showing: Sequence[str] = (),
        *,
        out: Collection[str] = (),
    ) -> tuple[str, ...]:
        """The players who were asked and showed none, in turn order.

        Args:
            players, by, out: As for `asked`.
            showing: Who showed a card.
        """
        asked = self.asked(players, by, out=out)
        if self.everybody_shows or not showing:
            return tuple(player for player in asked if player not in showing)
        return asked[: asked.index(showing[0])]


USUAL: Final = HouseRules()
