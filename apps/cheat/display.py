"""Cheat as its players see it: the own hand, what was claimed, what may be in the other's."""

from __future__ import annotations

from ...models.cheat import RANK_NAMES, SeenCheat, SeenTurn, seen_game
from ...models.cheat.chosen import chosen_code
from ...models.cheat.state import CALL, CLAIM, TAKE, claim_code, claim_of
from ...models.play import View
from ..kit.answers.values import Paragraph, Statement, Statements, right, sheet
from ..kit.display import Display, Sight
from ..kit.number_words import counted, number, percent
from ..kit.understanding import Meant, split


class Cheat(Display):
    """Claims by how many cards of the rank above or below, and whether they are true."""

    title = "Cheat"
    rules = (
        "Lay down cards face down and say how many of which rank they are: the rank above or below "
        "the one claimed last. It may be a lie. Or draw a card, or call the other's last claim a "
        "lie: the pile is turned up, and the player who was wrong takes it. A player with no cards "
        "left wins, unless their last claim is caught as a lie."
    )
    writing = (
        "Write 'higher 2' to claim two cards of the rank above and lay them down, 'higher 2 lie' "
        "to lay down other cards, 'lower 1' and so on, 'take' or 'call'. 'higher 2 lie 4 jack' "
        "says which cards; without that they are those farthest from the rank in force."
    )

    said = frozenset({"lie"})

    # -- moves

    def move_names(self, view: View) -> dict[int, str]:
        """Claims as ``higher 2`` and ``higher 2 lie``."""
        return {action: _move(action) for action in view.legal().tolist()}

    def said_names(self, view: View) -> dict[int, str]:
        """Claims by their rank, as ``claim two jacks, true`` and ``claim two jacks, a lie``."""
        game = seen_game(view)
        return {action: _said(action, game) for action in view.legal().tolist()}

    def understood(self, line: str, view: View) -> Meant:
        """A claim may say which cards it lays down, after the word ``lie``."""
        for action, name in self.said_names(view).items():
            if split(name) == split(line):
                return Meant(action)
        words = line.lower().replace(",", " ").split()
        # No card begins as the lie does, which stands before them.
        place = max((at for at, word in enumerate(words) if "lie".startswith(word)), default=99)
        whole = super().understood(line, view)
        meant = super().understood(" ".join(words[: place + 1]), view)
        typed = words[place + 1 :]
        if whole.action is not None or meant.action is None or meant.action < CLAIM or not typed:
            return whole
        found = [_rank(word, seen_game(view).ranks) for word in typed]
        strange = [word for word, rank in zip(typed, found, strict=True) if rank is None]
        if strange:
            return Meant(None, f"{strange[0]!r} is no card; you have {self._hand(view)}")
        ranks = [rank for rank in found if rank is not None]
        code = chosen_code(meant.action, ranks)
        if view.game.listed_code(view.states, code) < 0:
            said = f"you cannot lie with {' '.join(typed)!r}"
            return Meant(None, f"{said}: {self._why_not(ranks, meant.action, view)}")
        return Meant(code)

    def _why_not(self, ranks: list[int], action: int, view: View) -> str:
        """Why no lie lays down these cards, the plainest reason."""
        _, _, count = claim_of(action)
        if len(ranks) != count:
            return f"the claim is of {counted(count, 'card')}, not of {len(ranks)}"
        hand = seen_game(view).hand or ()
        for rank in ranks:
            if ranks.count(rank) > hand[rank]:
                name = RANK_NAMES[rank]
                held = number(hand[rank], name) if hand[rank] else f"no {name}"
                return f"you hold {held}; you have {self._hand(view)}"
        return "a lie has no card of the claimed rank in it"

    @staticmethod
    def _hand(view: View) -> str:
        """The own cards, by rank."""
        hand = seen_game(view).hand or ()
        return " ".join(
            name for name, count in zip(RANK_NAMES, hand, strict=False) for _ in range(count)
        )

    def moves(self, sight: Sight) -> Statements:
        """The kinds of moves, and what the claims would be."""
        game = seen_game(sight.view)
        legal = sight.view.legal().tolist()
        hand = game.hand or ()
        lines: list[str] = []
        if CALL in legal:
            lines.append("call: turn up the pile, since you think the last claim is a lie")
        if TAKE in legal:
            lines.append("take: draw a card")
        for lower, step in ((0, 1), (1, -1)):
            rank = (game.rank + step) % game.ranks
            for false in (0, 1):
                first = claim_code(lower, false, 1)
                counts = [str(action - first + 1) for action in legal if 0 <= action - first < 4]
                if counts:
                    word = "lower" if lower else "higher"
                    many = "/".join(counts)
                    lie = " lie" if false else ""
                    how = (
                        "and lay down other cards"
                        if false
                        else f"which is true: you have {hand[rank]}"
                    )
                    lines.append(f"{word} {many}{lie}: claim {many} x {RANK_NAMES[rank]}, {how}")
        return [Paragraph("\n".join(lines))]

    # -- what there is to see

    def situation(self, sight: Sight) -> Statements:
        """The pile, the hands, and the rank that claims go on from."""
        game = seen_game(sight.view)
        role = sight.view.viewer
        lines = [self._claims(game, f"of the other: {game.sizes[1 - role]}" if role >= 0 else "")]
        if game.hand is not None:
            held = [RANK_NAMES[rank] for rank, count in enumerate(game.hand) for _ in range(count)]
            cards = "card" if game.sizes[role] == 1 else "cards"
            lines.append(f"Your {game.sizes[role]} {cards}: {' '.join(held)}")
        return [Paragraph("\n".join(lines))]

    def drawn_belief(self, sight: Sight) -> Statements:
        """As `belief`; with the eyes of who looks on, all that is hidden, by name."""
        return self.belief(sight) if sight.view.viewer >= 0 else super().belief(sight)

    def laid_open(self, sight: Sight) -> Statements:
        """The same with both hands."""
        lines = [self._claims(seen_game(sight.view))]
        for role, hand in zip(self.game.roles, sight.state.hands.tolist(), strict=True):
            held = [RANK_NAMES[rank] for rank, count in enumerate(hand) for _ in range(count)]
            lines.append(f"{role}: {' '.join(held)}")
        return [Paragraph("\n".join(lines))]

    def sentence(self, sight: Sight, place: int) -> str:
        """A turn, as far as it was seen."""
        game = seen_game(sight.view)
        turn = game.turns[place]
        who = self.name_of(turn.by, sight)
        if turn.kind == "take":
            return f"{who}: take"
        if turn.kind == "call":
            return f"{who}: call. {self._outcome(sight, game, place)}"
        said = f"{who}: claim {_ranks(turn.rank, turn.count)}"
        if turn.by == sight.view.viewer and turn.true is False:
            said += f", and lay down {_cards(turn)}"
        return said

    def ending(self, sight: Sight) -> str:
        """Why the game is over: somebody has no cards left, or there are no more rounds."""
        game = seen_game(sight.view)
        names = [self.name_of(role, sight) for role in range(2)]
        winner = int(sight.state.winner) - 1
        # Only the other's action ends the game of who has no cards; the last round anybody's.
        if winner >= 0 and not game.sizes[winner] and game.turns[-1].by != winner:
            have, were = ("have", "were") if names[winner] == "you" else ("has", "was")
            said = f"{names[winner]} {have} no cards left, and {were} not caught at a lie"
        else:
            held = [
                f"{name} {'have' if name == 'you' else 'has'} {counted(size, 'card')}"
                for name, size in zip(names, game.sizes, strict=True)
            ]
            said = f"there are no more rounds: {', '.join(held)}"
        return f"{said[:1].upper()}{said[1:]}."

    def belief(self, sight: Sight) -> Statements:
        """The chance that the last claim is true, and the other's number of cards of each rank."""
        known = self.game_belief()
        assert known is not None, "hands are hidden"
        posterior = known.infer(sight.view, sight.seen)
        heading = "The other's hand, by rank: expected number of cards, and chance of at least one"
        rows: list[tuple[str, str, str]] = []
        parts: list[Statement] = []
        hidden = known.hidden(sight.view)
        claims = [name for name in hidden if " of " not in name]
        for name, feature in hidden.items():
            shares = posterior.marginal(feature)
            if name in claims:
                if name == claims[-1]:
                    true = percent(shares.get(True, 0.0))
                    parts.append(Paragraph(f"The last claim is true, by counting alone: {true} %"))
                continue
            expected = sum(count * share for count, share in shares.items())
            least = f"{percent(1.0 - shares.get(0, 0.0))} %"
            rows.append((name.partition(" of ")[0], f"{expected:.1f}", least))
        if not seen_game(sight.view).sizes[1 - sight.view.viewer]:
            return [*parts, Paragraph("The other has no cards left.")]
        table = sheet(right(), right(), right(), rows=rows)
        return [*parts, Paragraph(heading, "strong"), table]

    def _claims(self, game: SeenCheat, hands: str = "") -> str:
        """The rank in force, and how many cards are where; in all hands where not said in which."""
        roles = zip(self.game.roles, game.sizes, strict=True)
        return (
            f"Claims are one above or below {RANK_NAMES[game.rank]}. Cards on the pile: "
            f"{game.pile}, in the deck: {game.left}, "
            f"{hands or ', '.join(f'of {role}: {size}' for role, size in roles)}."
        )

    def _outcome(self, sight: Sight, game: SeenCheat, place: int) -> str:
        """The outcome of a call: whose claim it was, and who took the pile."""
        claim, caller = game.turns[place - 1], game.turns[place].by
        if claim.true is None:
            return "The pile is turned up"
        loser = caller if claim.true else claim.by
        takes = "take" if sight.person == (loser,) else "takes"
        was = "It was true" if claim.true else f"It was a lie: {_cards(claim)}"
        return f"{was}; {self.name_of(loser, sight)} {takes} the pile"


def _move(action: int) -> str:
    if action == CALL:
        return "call"
    if action == TAKE:
        return "take"
    lower, false, count = claim_of(action)
    return f"{'lower' if lower else 'higher'} {count}{' lie' if false else ''}"


def _said(action: int, game: SeenCheat) -> str:
    """An action in words that need no knowledge of how it is written."""
    if action == CALL:
        return "call it a lie"
    if action == TAKE:
        return "take a card"
    lower, false, count = claim_of(action)
    rank = (game.rank + (-1 if lower else 1)) % game.ranks
    return f"claim {number(count, RANK_NAMES[rank])}, {'a lie' if false else 'true'}"


def _rank(word: str, ranks: int) -> int | None:
    """The rank that a word is, or begins; None for others."""
    names = RANK_NAMES[:ranks]
    if word in names:
        return names.index(word)
    begun = [place for place, name in enumerate(names) if name.startswith(word)]
    return begun[0] if len(begun) == 1 and word.isalpha() else None


def _ranks(rank: int, count: int) -> str:
    """A claim in words, such as ``2 x 9``."""
    return f"{count} x {RANK_NAMES[rank]}"


def _cards(turn: SeenTurn) -> str:
    return " ".join(RANK_NAMES[rank] for rank in turn.cards or ())
