"""Clue without a board: suggestions and answers in words, and the own hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...beliefs.games.clue.play import declared, seen_game
from ...beliefs.language.features import Feature, TupleOf
from ...models.clue.edition import ClueEdition
from ...models.clue.game import SHOWING, SUGGESTING, edition_of
from ...models.game import SPECTATOR
from ...models.play import View
from ..kit.answers.values import Facts, Paragraph, Statements
from ..kit.display import Display, Sight, probabilities
from ..kit.number_words import listed, percent
from .notebook import notebook


class ClueTable(Display):
    """Suggestions and answers, and what is in one's own hand."""

    title = "Clue without a board"
    rules = (
        "One suspect, one weapon and one room are in the case file; find out which. Suggest three "
        "cards: the next player who holds one of them must show you one. Then accuse or pass. A "
        "player with a wrong accusation is out, and goes on showing cards."
    )
    writing = (
        "Write 'suggest green rope study', 'show rope', 'accuse green rope study' or 'pass'; words "
        "may be shortened."
    )

    @property
    def edition(self) -> ClueEdition:
        """The cards of the game."""
        return edition_of(self.game)

    def moves(self, sight: Sight) -> Statements:
        """Cards to choose from instead of all their combinations."""
        stage = int(sight.state.stage)
        if stage == SHOWING:
            return super().moves(sight)
        verb = "suggest" if stage == SUGGESTING else "pass, or accuse"
        lines = [f"{verb} one of each:"]
        lines += [
            f"  {name}: {', '.join(cards)}" for name, cards in self.edition.categories.items()
        ]
        return [Paragraph("\n".join(lines))]

    def situation(self, sight: Sight) -> Statements:
        """The own hand, and what is to be done."""
        state, role = sight.state, sight.view.viewer
        holders = list(zip(self.edition.cards, state.holder.tolist(), strict=True))
        hand = [card for card, who in holders if who == role]
        lines = [f"Your hand: {', '.join(hand)}"] if role != SPECTATOR else []
        if face_up := [card for card, who in holders if who == self.game.players + 1]:
            lines.append(f"Face up: {', '.join(face_up)}")
        if state.player == role and not sight.view.over:
            lines.append(self.asked(sight))
        return [Paragraph("\n".join(lines))]

    def asked(self, sight: Sight) -> str:
        """The next thing to be done."""
        if sight.state.stage == SHOWING:
            return f"Show {self.name_of(int(sight.state.suggester), sight)} one of them."
        return "Suggest three cards." if sight.state.stage == SUGGESTING else "Accuse, or pass."

    def sentence(self, sight: Sight, place: int) -> str:
        """A suggestion, an answer or an accusation, as far as the player saw it."""
        event = sight.seen.events[place].event
        who, seen = self.name_of(event.mover, sight), event.observation
        edition, codes = self.edition, self.edition.codes
        if seen == codes.passing:
            return f"{who}: pass"
        if seen == codes.showed:
            return f"{who}: show a card"
        if codes.show <= seen < codes.accuse:
            return f"{who}: show {edition.cards[seen - codes.show]}"
        if seen % codes.base < codes.triples:
            refuter = seen // codes.base - 1
            answer = (
                "nobody can show one of them"
                if refuter < 0
                else f"{self.name_of(refuter, sight)} must show one of them"
            )
            return f"{who}: suggest {listed(edition.triple(seen % codes.base))}; {answer}"
        outcome, code = divmod(seen, codes.base)
        said = f"{who}: accuse {listed(edition.triple(code - codes.accuse))}"
        if outcome == 1:
            return f"{said}, rightly"
        looked = f"; in the case file are {listed(edition.triple(outcome - 2))}" if outcome else ""
        return f"{said}, wrongly{looked}"

    def drawn_belief(self, sight: Sight) -> Statements:
        """The notebook: how likely each player has each card, the likelier the darker."""
        game = seen_game(sight.view, sight.seen)
        known = self.game_belief()
        assert known is not None, "cards are hidden"
        posterior = known.infer(sight.view, sight.seen)
        return [notebook(posterior.table(declared(game.until(0)).cards), game.edition.categories)]

    def laid_open(self, sight: Sight) -> Statements:
        """The hands of all, and the case file."""
        names = [*self.game.roles, "case file", "face up"]
        holders = [*zip(self.edition.cards, sight.state.holder.tolist(), strict=True)]
        hands = {
            name: listed([card for card, who in holders if who == place])
            for place, name in enumerate(names)
        }
        return [Facts(tuple((name, hand) for name, hand in hands.items() if hand))]

    def guesses(self, view: View) -> Mapping[str, Feature]:
        """Each card of the case file, and then all three together."""
        found = super().guesses(view)
        (file,) = found.values()
        assert isinstance(file, TupleOf)
        return {**dict(zip(self.edition.categories, file.parts, strict=True)), **found}

    def belief(self, sight: Sight) -> Statements:
        """The case file card by card, then its likeliest contents."""
        known = self.game_belief()
        assert known is not None, "cards are hidden"
        posterior = known.infer(sight.view, sight.seen)
        (file,) = known.hidden(sight.view).values()
        joint: dict[Sequence[str], float] = posterior.marginal(file)
        lines: list[str] = []
        for place, (name, cards) in enumerate(self.edition.categories.items()):
            shares = {
                card: sum(p for triple, p in joint.items() if triple[place] == card)
                for card in cards
            }
            ranked = sorted(shares.items(), key=lambda pair: -pair[1])
            said = ", ".join(f"{card} {percent(share)} %" for card, share in ranked if share > 0.0)
            lines.append(f"{name}: {said}")
        together = {", ".join(triple): probability for triple, probability in joint.items()}
        bars = probabilities("case file", together, posterior.entropy(file))
        return [Paragraph("\n".join(lines)), bars]
