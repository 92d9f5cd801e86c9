"""Kuhn and Leduc poker: the cards one sees, and the bets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ...beliefs.language.deal_features import ItemOf
from ...beliefs.language.features import Feature
from ...models.game import HIDDEN, Game
from ...models.play import View
from ...models.settings import digits
from ...models.small import kuhn_poker, leduc_poker
from ..kit.answers.values import Paragraph, Statements
from ..kit.display import Display, Sight
from ..kit.number_words import listed


class KuhnPoker(Display):
    """One card each."""

    title = "Kuhn poker"
    unit = "chip"
    rules = (
        "The cards are {cards}. Each player gets one and puts 1 in. Bet 1 more or "
        "pass. After a bet, bet to call or pass to fold. The higher card wins the pot."
    )
    writing = "A move is pass or bet."

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.ranks = kuhn_poker.ranks_of(game.players)
        self.rules = self.rules.format(cards=listed(self.cards()))

    def cards(self) -> list[str]:
        """The cards that are dealt, in words."""
        return list(self.ranks)

    def card(self, number: int) -> str:
        """A card's name, or that it is not seen."""
        return "a hidden card" if number == HIDDEN else self.ranks[number]

    def situation(self, sight: Sight) -> Statements:
        """Cards and bets."""
        state = sight.state
        lines = [
            f"{self.name_of(player, sight)}: {self.card(int(state.cards[player]))}, "
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
            f"{self.name_of(player, sight)} {self.card(number)}"
            for player, number in enumerate(cards)
            if number <= players
        )


class LeducPoker(KuhnPoker):
    """One card each, and one on the table."""

    title = "Leduc poker"
    unit = "chip"
    rules = (
        "There are {cards}. Each player gets one card and puts 1 in. "
        "After a round of bets a card is laid on the table, and a second round follows. Raises "
        "are 2 in the first round and 4 in the second, at most two a round. A pair with the table "
        "wins, else the higher card."
    )
    writing = "A move is fold, call (or check) or raise."

    def cards(self) -> list[str]:
        """The cards that are dealt, in words."""
        return [f"two {rank}{'es' if rank == 'six' else 's'}" for rank in self.ranks]

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
        laid = [] if table == HIDDEN else [Paragraph(f"on the table: {self.card(table)}")]
        return [*super().situation(sight), *laid]

    def sentence(self, sight: Sight, place: int) -> str:
        """A bet, and the cards that it brought to light."""
        event = sight.seen.events[place].event
        shown, action = divmod(event.observation, leduc_poker.SHOWN)
        said = f"{self.name_of(event.mover, sight)}: {self.game.action_name(action)}"
        if shown > len(self.ranks):
            told = self._hands(sight, shown - 1 - len(self.ranks))
            return f"{said}. The cards are shown: {told}"
        if shown:
            return f"{said}. On the table now: {self.card(shown - 1)}"
        return said

    def guesses(self, view: View) -> Mapping[str, Feature]:
        """The card of every other player: a belief counts the copies of each, nobody guesses so."""
        return {
            name: ItemOf("cards", name.removeprefix("card of "), self.ranks)
            for name in super().guesses(view)
        }

    def value_name(self, feature: Feature, value: Any) -> str:
        """A hand of one card is that card."""
        # The belief counts the copies of each card.
        if isinstance(value, tuple) and 1 in value:
            return self.ranks[value.index(1)]
        return super().value_name(feature, value)
