"""Kuhn and Leduc poker: the cards one sees, and the bets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ...beliefs.language.deal_features import ItemOf
from ...beliefs.language.features import Feature
from ...models.game import HIDDEN
from ...models.play import View
from ...models.settings import digits
from ...models.small import kuhn_poker, leduc_poker
from ..kit.answers.values import Paragraph, Statements
from ..kit.display import Display, Sight

#: Hands of one card, as Leduc's belief counts jacks, queens and kings.
HANDS: Final = ((1, 0, 0), (0, 1, 0), (0, 0, 1))


def card(number: int, players: int = 2) -> str:
    """A card's name, or that it is not seen."""
    return "a hidden card" if number == HIDDEN else kuhn_poker.ranks_of(players)[number]


class KuhnPoker(Display):
    """One card each."""

    title = "Kuhn poker"
    unit = "chip"
    rules = (
        "The cards are jack, queen and king. Each player gets one and puts 1 in. Bet 1 more or "
        "pass. After a bet, bet to call or pass to fold. The higher card wins the pot."
    )
    writing = "A move is pass or bet."

    def situation(self, sight: Sight) -> Statements:
        """Cards and bets."""
        state = sight.state
        lines = [
            f"{self.name_of(player, sight)}: {card(int(state.cards[player]), self.game.players)}, "
            f"{int(state.bets[player])} in the pot"
            for player in range(self.game.players)
        ]
        return [Paragraph("\n".join(lines))]

    def sentence(self, sight: Sight, place: int) -> str:
        """A bet, and the cards at the showdown."""
        event = sight.seen.events[place].event
        shown, action = divmod(event.observation, kuhn_poker.SHOWN)
        said = f"{self.name_of(event.mover, sight)}: {self.game.action_name(action)}"
        if shown:
            said += f". The cards are shown: {self._hands(sight, shown - 1)}"
        return said

    def _hands(self, sight: Sight, told: int) -> str:
        players = self.game.players
        # Among more than two, one more digit stands for who folded.
        cards = digits(told, *[3 if players == 2 else players + 2] * players)[::-1]
        return ", ".join(
            f"{self.name_of(player, sight)} {card(number, players)}"
            for player, number in enumerate(cards)
            if number <= players
        )


class LeducPoker(KuhnPoker):
    """One card each, and one on the table."""

    title = "Leduc poker"
    unit = "chip"
    rules = (
        "There are two jacks, two queens and two kings. Each player gets one card and puts 1 in. "
        "After a round of bets a card is laid on the table, and a second round follows. Raises "
        "are 2 in the first round and 4 in the second, at most two a round. A pair with the table "
        "wins, else the higher card."
    )
    writing = "A move is fold, call (or check) or raise."

    def move_names(self, view: Any) -> dict[int, str]:
        """Calling nothing is called checking too."""
        names = super().move_names(view)
        if leduc_poker.FOLD not in names:
            names[leduc_poker.CALL] = "call check"
        return names

    def said_names(self, view: Any) -> dict[int, str]:
        """One word for each move, where two can be typed."""
        names = self.move_names(view)
        return {action: name.replace("call check", "check") for action, name in names.items()}

    def moves(self, sight: Sight) -> Statements:
        """The legal moves."""
        return [Paragraph("  ".join(self.said_names(sight.view).values()))]

    def situation(self, sight: Sight) -> Statements:
        """Cards and bets, and the table's card when it lies there."""
        table = int(sight.state.table)
        laid = [] if table == HIDDEN else [Paragraph(f"on the table: {card(table)}")]
        return [*super().situation(sight), *laid]

    def sentence(self, sight: Sight, place: int) -> str:
        """A bet, and the cards that it brought to light."""
        event = sight.seen.events[place].event
        shown, action = divmod(event.observation, leduc_poker.SHOWN)
        said = f"{self.name_of(event.mover, sight)}: {self.game.action_name(action)}"
        if 1 <= shown <= 3:
            return f"{said}. On the table now: {card(shown - 1)}"
        if shown:
            return f"{said}. The cards are shown: {self._hands(sight, shown - 4)}"
        return said

    def guesses(self, view: View) -> Mapping[str, Feature]:
        """The card of every other player: a belief counts the copies of each, nobody guesses so."""
        return {
            name: ItemOf("cards", name.removeprefix("card of "), tuple(leduc_poker.CARDS))
            for name in super().guesses(view)
        }

    def value_name(self, feature: Feature, value: Any) -> str:
        """A hand of one card is that card."""
        if value in HANDS:
            return leduc_poker.CARDS[HANDS.index(value)]
        return super().value_name(feature, value)
