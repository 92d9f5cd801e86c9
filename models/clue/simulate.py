"""Clue without a board: seeded games for tests, calibration and training, as full records.

Cards are dealt, players suggest in turn whatever their policy says, the others refute in turn and
choose by a choice model what to show. The rules are those of `clue_table`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...data.errors import SettingsError
from ..game import OVER
from ..kernels.kernel import plain
from . import game as rules
from .edition import MOST_PLAYERS, ClueEdition
from .editions import CLASSIC
from .events import Accusation, Look, Named, Refutation, Suggestion, Triple
from .game import ACCUSING, ClueTables, state_of
from .game import DEALT as DEALT
from .house_rules import USUAL, HouseRules
from .record.record import ClueRecord
from .refuters import ChoiceFunction, ChoiceModel, choice_model
from .seen import SeenClue

if TYPE_CHECKING:
    from numpy.random import Generator

Policy = Callable[[SeenClue, "Generator"], Triple]
"""(the game as the player whose turn it is saw it, a generator) -> what they suggest"""

#: How likely a player looks at the cards left over in their turn, where that is the rule.
LOOKS = 0.3


def random_policy(game: SeenClue, rng: Generator) -> Triple:
    """Any of the suggestions, each equally often."""
    return _any_triple(rng, game.edition)


def unseen_policy(game: SeenClue, rng: Generator) -> Triple:
    """One card of each category that the player has not seen, each equally often.

    They have seen their hand, the cards face up, what was shown to them, and what they looked at.
    The cards of the case file stay unseen, so there is always one left.
    """
    known = {*game.own_hand, *game.face_up}
    for seen in game.events:
        if isinstance(seen.event, Suggestion):
            known.update(each.shown for each in seen.event.refutations if each.shown is not None)
        elif isinstance(seen.event, Look):
            known.update(seen.event.cards)
    chances = rng.random(3).tolist()
    suspect, weapon, room = (
        _pick([card for card in cards if card not in known], chance)
        for cards, chance in zip(game.edition.categories.values(), chances, strict=True)
    )
    return suspect, weapon, room


def usual_hand_sizes(players: int, dealt: int = DEALT) -> tuple[int, ...]:
    """Cards dealt one by one: the first seats get the extra ones."""
    return tuple(dealt // players + (seat < dealt % players) for seat in range(players))


def simulate(
    players: int | Sequence[str],
    rng: Generator,
    *,
    hand_sizes: Sequence[int] | None = None,
    choice: str | ChoiceFunction | ChoiceModel = "random",
    policy: Policy = unseen_policy,
    turns: int = 12,
    accuse: bool = False,
    guess: float = 0.0,
    edition: ClueEdition = CLASSIC,
    rules: HouseRules = USUAL,
) -> ClueRecord:
    """One game, as a full record without an observer.

    Args:
        players: Names in turn order, or how many (they are called p1, p2, ...); 2 to 10.
        rng: Where all chance comes from: the same generator state gives the same game.
        hand_sizes: Cards per player; what they leave lies face up, or as the house rules have it.
            Default: all are dealt.
        choice: Which card a refuter shows; see :func:`~sleuth.models.clue.refuters.choice_model`.
        policy: What the player whose turn it is suggests.
        turns: Number of suggestions, unless all players are out earlier.
        accuse: Whether the game ends with a correct accusation by the next player.
        guess: Probability that a player, before they suggest, accuses a random triple. A right
            one ends the game; a wrong one puts them out: they see the case file, refute, and have
            no more turns.
        edition: The cards.
        rules: The house rules. Where a suggestion names no room, that of the policy is left out.

    Raises:
        SettingsError: If the number of players, the hand sizes, ``guess`` or what the policy
            suggests make no sense.
        RecordError: If a player's name cannot be used in a record.

    >>> import numpy as np
    >>> from sleuth.games.clue import simulate
    >>> record = simulate(4, np.random.default_rng(1), turns=5)
    >>> record.players, record.sizes, len(record.events)
    (('p1', 'p2', 'p3', 'p4'), (5, 5, 4, 4), 5)
    """
    names = (
        tuple(f"p{seat}" for seat in range(1, players + 1))
        if isinstance(players, int)
        else (tuple(players))
    )
    if not 2 <= len(names) <= MOST_PLAYERS:
        raise SettingsError(
            f"Clue is for 2 to {MOST_PLAYERS} players", where="players", value=players
        )
    sizes = usual_hand_sizes(len(names), edition.dealt) if hand_sizes is None else tuple(hand_sizes)
    if len(sizes) != len(names) or min(sizes) < 0 or sum(sizes) > edition.dealt:
        raise SettingsError(
            f"{len(names)} hands of at most {edition.dealt} cards in all are needed",
            where="hand_sizes",
            value=list(sizes),
        )
    if not 0 <= guess <= 1:
        raise SettingsError("this is no probability", where="guess", value=guess)
    table = _DealtGame(names, sizes, rng, choice_model(choice), turns, edition, rules)
    while not table.over and table.state.turn < turns:
        if guess and rng.random() < guess:
            table.accuse(_any_triple(rng, edition))
        else:
            if rules.left_over == "looked at" and rng.random() < LOOKS:
                table.look()
            table.suggest(policy(table.record.seen_by(table.player), rng))
    if accuse and not table.over:
        table.accuse(table.case_file)
    if not isinstance(players, int):
        # Somebody's own names may be unusable; everything else is right by construction.
        return ClueRecord.from_json(table.record.to_json())
    return table.record


def _any_triple(rng: Generator, edition: ClueEdition) -> Triple:
    first, second, third = rng.random(3).tolist()
    suspect, weapon = _pick(edition.suspects, first), _pick(edition.weapons, second)
    return suspect, weapon, _pick(edition.rooms, third)


def _pick(cards: Sequence[str], chance: float) -> str:
    return cards[int(chance * len(cards))]


class _DealtGame:
    """A game being played: its state by the rules, and the record of it so far.

    Attributes:
        state: As in `clue_table`; nobody holds what lies face up.
        record: What happened, with everything that is known about it.
    """

    def __init__(
        self,
        names: tuple[str, ...],
        sizes: tuple[int, ...],
        rng: Generator,
        choice: ChoiceModel,
        turns: int,
        edition: ClueEdition,
        rules: HouseRules,
    ) -> None:
        self.rng, self.choice, self.edition = rng, choice, edition
        # After the last suggestion somebody may still accuse.
        self.tables = ClueTables(len(names), turns + 1, edition.dealt, codes=edition.codes)
        self.case_file = _any_triple(rng, edition)
        rest = [card for card in edition.cards if card not in self.case_file]
        order: list[int] = rng.permutation(edition.dealt).tolist()
        deck = [rest[place] for place in order]
        hands = [edition.in_deck_order([deck.pop(0) for _ in range(size)]) for size in sizes]
        self.left_over = edition.in_deck_order(deck)
        self.record = ClueRecord(
            players=names,
            sizes=sizes,
            events=(),
            face_up=() if rules.hidden_left_over else self.left_over,
            dealt=tuple(hands),
            case_file=self.case_file,
            edition=edition,
            rules=rules,
        )
        self.hands = dict(zip(names, hands, strict=True))
        self.out: list[str] = []
        fields = state_of(len(edition.cards), len(names))
        self.state: Any = np.zeros(1, np.dtype((np.record, fields))).view(np.recarray)[0]
        self.state.holder[:] = self.state.suggestion = self.state.refuter = self.state.winner = -1
        for number, held in enumerate((*hands, self.case_file)):
            self.state.holder[[edition.position[card] for card in held]] = number

    @property
    def over(self) -> bool:
        """True if somebody was right, or all are out."""
        return int(self.state.player) == OVER

    @property
    def player(self) -> str:
        """Whose turn it is."""
        return self.record.players[int(self.state.player)]

    def suggest(self, cards: Triple) -> None:
        """The player whose turn it is suggests; who must refute shows a card."""
        kinds = self.edition.categories.values()
        if not all(card in kind for card, kind in zip(cards, kinds, strict=True)):
            raise SettingsError(
                "a policy must suggest a suspect, a weapon and a room", where="policy", value=cards
            )
        rules, players, by = self.record.rules, self.record.players, self.player
        named: Named = cards if rules.named == 3 else cards[:2]
        refutations: list[Refutation] = []
        for player in rules.asked(players, by, out=self.out):
            held = tuple(card for card in named if card in self.hands[player])
            if held:
                refutations.append(Refutation(player, self._shown(player, by, held)))
                if not rules.everybody_shows:
                    break
        self.state.turn += 1
        self.state.stage = ACCUSING
        self._apply(self.edition.codes.passing)
        passed = rules.passed(players, by, [each.player for each in refutations], out=self.out)
        self._note(Suggestion.answered(by, named, refutations, passed=passed))

    def look(self) -> None:
        """The player whose turn it is looks at the cards left over, if there are any."""
        if self.left_over:
            self._note(Look(self.player, self.left_over))

    def accuse(self, cards: Triple) -> None:
        """The player whose turn it is accuses, looks, and is out unless they are right."""
        correct = cards == self.case_file
        seen = None if correct else self.case_file
        if not correct:
            self.out.append(self.player)
        self._note(Accusation(self.player, cards, correct, seen=seen))
        self.state.stage = ACCUSING
        self._apply(self.edition.codes.accuse + self.edition.number_of(cards))

    def _shown(self, refuter: str, suggester: str, held: tuple[str, ...]) -> str:
        """The card the refuter chooses to show."""
        if len(held) == 1:
            return held[0]
        chance = self.rng.random()
        picked = held[0]
        for card, probability in self.choice.probabilities(refuter, suggester, held).items():
            if probability > 0 and chance >= 0:
                picked = card
                chance -= probability
        return picked

    def _apply(self, action: int) -> None:
        # A game is too short to wait for the compiler; the rules draw nothing at random.
        plain(rules.apply)(self.state, action, self.tables, None)

    def _note(self, event: Suggestion | Accusation | Look) -> None:
        self.record = replace(self.record, events=(*self.record.events, event))
