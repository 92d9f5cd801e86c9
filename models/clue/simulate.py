"""Clue without a board: seeded games for tests, calibration and training, as full records.

Cards are dealt, players suggest in turn whatever their policy says, the others refute in turn and
choose by a choice model what to show.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from ...data.errors import SettingsError
from ..events import Seen
from .cards import CARDS, CATEGORIES, ROOMS, SUSPECTS, WEAPONS, in_deck_order
from .choice import Choice, ChoiceModel, choice_model
from .events import Accusation, ClueEvent, Suggestion, Triple
from .record import Record
from .rules import CASE_FILE_SIZE
from .schema import MAXIMAL_PLAYERS
from .seen import SeenGame, masked, numbered

if TYPE_CHECKING:
    from numpy.random import Generator

Policy = Callable[[SeenGame, "Generator"], Triple]
"""(the game as the player whose turn it is saw it, a generator) -> what he suggests"""

DEALT: Final = len(CARDS) - CASE_FILE_SIZE


def random_policy(game: SeenGame, rng: Generator) -> Triple:
    """Any of the 324 suggestions, each equally often."""
    return _any_triple(rng)


def unseen_policy(game: SeenGame, rng: Generator) -> Triple:
    """One card of each category that the player has not seen, each equally often.

    He has seen his hand, the cards face up, and what was shown to him. The cards of the case
    file stay unseen, so there is always one left.
    """
    known = {*game.own_hand, *game.face_up}
    for seen in game.events:
        if isinstance(seen.event, Suggestion) and seen.event.shown is not None:
            known.add(seen.event.shown)
    chances = rng.random(3).tolist()
    suspect, weapon, room = (
        _pick([card for card in cards if card not in known], chance)
        for cards, chance in zip((SUSPECTS, WEAPONS, ROOMS), chances, strict=True)
    )
    return suspect, weapon, room


def usual_hand_sizes(players: int) -> tuple[int, ...]:
    """18 cards dealt one by one: the first seats get the extra ones."""
    return tuple(DEALT // players + (seat < DEALT % players) for seat in range(players))


def simulate(
    players: int | Sequence[str],
    rng: Generator,
    *,
    hand_sizes: Sequence[int] | None = None,
    choice: str | Choice | ChoiceModel = "random",
    policy: Policy = unseen_policy,
    turns: int = 12,
    accuse: bool = False,
    guess: float = 0.0,
) -> Record:
    """One game, as a full record without an observer.

    Args:
        players: Names in turn order, or how many (they are called p1, p2, ...); 2 to 6.
        rng: Where all chance comes from: the same generator state gives the same game.
        hand_sizes: Cards per player; what they leave of 18 lies face up. Default: all 18 dealt.
        choice: Which card a refuter shows; see :func:`~sleuth.models.clue.choice.choice_model`.
        policy: What the player whose turn it is suggests.
        turns: Number of suggestions, unless all players are out earlier.
        accuse: Whether the game ends with a correct accusation by the next player.
        guess: Probability that a player, before he suggests, accuses a random triple. A right
            one ends the game; a wrong one puts him out: he sees the case file, refutes, and has
            no more turns.

    Raises:
        SettingsError: If the number of players, the hand sizes, ``guess`` or what the policy
            suggests make no sense.
        RecordError: If a player's name cannot be used in a record.
    """
    names = (
        tuple(f"p{seat}" for seat in range(1, players + 1))
        if isinstance(players, int)
        else (tuple(players))
    )
    if not 2 <= len(names) <= MAXIMAL_PLAYERS:
        raise SettingsError("Clue is for 2 to 6 players", where="players", value=players)
    sizes = usual_hand_sizes(len(names)) if hand_sizes is None else tuple(hand_sizes)
    if len(sizes) != len(names) or min(sizes) < 0 or sum(sizes) > DEALT:
        raise SettingsError(
            f"{len(names)} hands of at most {DEALT} cards in all are needed",
            where="hand_sizes",
            value=list(sizes),
        )
    if not 0 <= guess <= 1:
        raise SettingsError("this is no probability", where="guess", value=guess)
    game = _Game(names, sizes, rng, choice_model(choice))
    game.play(policy, turns, guess)
    last = game.next_player()
    if accuse and last is not None and not game.over:
        game.accuse(last, game.case_file)
    record = game.record()
    if not isinstance(players, int):
        # Somebody's own names may be unusable; everything else is right by construction.
        return Record.from_json(record.to_json())
    return record


def _any_triple(rng: Generator) -> Triple:
    first, second, third = rng.random(3).tolist()
    return _pick(SUSPECTS, first), _pick(WEAPONS, second), _pick(ROOMS, third)


def _pick(cards: Sequence[str], chance: float) -> str:
    return cards[int(chance * len(cards))]


class _Game:
    """A game being played: what the table knows, and each player's view of it so far."""

    def __init__(
        self, names: tuple[str, ...], sizes: tuple[int, ...], rng: Generator, choice: ChoiceModel
    ) -> None:
        self.names = names
        self.sizes = sizes
        self.rng = rng
        self.choice = choice
        self.case_file = _any_triple(rng)
        rest = [card for card in CARDS if card not in self.case_file]
        order: list[int] = rng.permutation(DEALT).tolist()
        deck = [rest[place] for place in order]
        ends = [sum(sizes[: seat + 1]) for seat in range(len(sizes))]
        self.hands = [
            in_deck_order(deck[end - size : end]) for end, size in zip(ends, sizes, strict=True)
        ]
        self.face_up = in_deck_order(deck[ends[-1] :])
        self.events: list[ClueEvent] = []
        self.views: list[list[Seen[ClueEvent]]] = [[] for _ in names]
        self.looked_at = [0] * len(names)
        self.out: set[int] = set()
        self.seat = 0
        self.over = False

    def play(self, policy: Policy, turns: int, guess: float) -> None:
        """Turns until there were ``turns`` suggestions, the game is over, or all are out."""
        suggestions = 0
        while suggestions < turns and not self.over:
            player = self.next_player()
            if player is None:
                return
            if guess and self.rng.random() < guess:
                self.accuse(player, _any_triple(self.rng))
            else:
                self.suggest(policy(self.view(self.seat), self.rng))
                suggestions += 1
            self.seat = (self.seat + 1) % len(self.names)

    def next_player(self) -> str | None:
        """Whose turn it is: the next who is not out, if anybody is left."""
        for _ in self.names:
            if self.seat not in self.out:
                return self.names[self.seat]
            self.seat = (self.seat + 1) % len(self.names)
        return None

    def view(self, seat: int) -> SeenGame:
        """What the player in ``seat`` has seen so far."""
        viewer = self.names[seat]
        so_far = self.views[seat]
        new = self.events[self.looked_at[seat] :]
        so_far.extend(
            numbered((masked(event, viewer) for event in new), viewer, start=len(so_far) + 1)
        )
        self.looked_at[seat] = len(self.events)
        return SeenGame(
            players=self.names,
            hand_sizes=tuple(zip(self.names, self.sizes, strict=True)),
            viewer=viewer,
            own_hand=self.hands[seat],
            face_up=self.face_up,
            events=tuple(so_far),
        )

    def suggest(self, cards: Triple) -> None:
        """The player in the present seat suggests; the others refute in turn."""
        if not all(card in kind for card, kind in zip(cards, CATEGORIES.values(), strict=True)):
            raise SettingsError(
                "a policy must suggest a suspect, a weapon and a room", where="policy", value=cards
            )
        by = self.names[self.seat]
        passed: list[str] = []
        for seat in self.after(self.seat):
            hand = self.hands[seat]
            refuter = self.names[seat]
            held = tuple(card for card in cards if card in hand)
            if held:
                shown = self.show(refuter, by, held)
                self.events.append(
                    Suggestion(by, cards, refuter=refuter, shown=shown, passed=tuple(passed))
                )
                return
            passed.append(refuter)
        self.events.append(Suggestion(by, cards, passed=tuple(passed)))

    def after(self, seat: int) -> Iterator[int]:
        """The other seats, in turn order."""
        for step in range(1, len(self.names)):
            yield (seat + step) % len(self.names)

    def show(self, refuter: str, suggester: str, held: tuple[str, ...]) -> str:
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

    def accuse(self, player: str, cards: Triple) -> None:
        """``player`` accuses, looks, and is out unless he is right."""
        correct = cards == self.case_file
        seen = None if correct else self.case_file
        self.events.append(Accusation(player, cards, correct, seen=seen))
        self.over = correct
        if not correct:
            self.out.add(self.names.index(player))

    def record(self) -> Record:
        """The game as a full record."""
        return Record(
            players=self.names,
            sizes=self.sizes,
            events=tuple(self.events),
            face_up=self.face_up,
            dealt=tuple(self.hands),
            case_file=self.case_file,
        )
