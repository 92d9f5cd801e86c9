"""Cheat for many as its players see it: the table, the own hand, and what may be elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from ....beliefs.games.cheat.for_many.declaration import ManyCheatDeclaration
from ....models.cheat import RANK_NAMES
from ....models.cheat.for_many import SeenManyCheat, claim_of, many_claim_code, seen_many_cheat
from ....models.cheat.for_many.record.files import rank_named
from ....models.cheat.for_many.rules import PACKED, SHOWN
from ....models.cheat.for_many.state import (
    CALL,
    CLAIM,
    MOST_CLAIMED,
    PASS,
    cards_of,
)
from ....models.play import View
from ...kit.answers.values import Paragraph, Statement, Statements, right, sheet
from ...kit.display import Display, Sight
from ...kit.number_words import counted, listed, number, percent
from ...kit.understanding import Meant, split

#: Numbers of true cards among others: in figures they would be taken for ranks.
WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight")
#: Fewer than so many cards of a rank are shown one by one.
FEW = 4


class CheatForMany(Display):
    """Claims by how many cards of which rank, and whether they are true."""

    title = "Cheat for many"
    rules = (
        "All cards are dealt. In turn, lay down cards face down and say how many of which rank "
        "they are. It may be a lie. Then each of the others in turn may call it one: the cards "
        "are turned up, and the player who was wrong takes the pile. A player with no cards left "
        "wins, unless their last claim is caught as a lie."
    )
    writing = (
        "Write '2x 7' to claim two sevens and lay them down, '2x 7 lie' to lay down two other "
        "cards, '2x 7 lie 7 jack' to say which cards, '3x 7 lie one true' for one seven and two "
        "others; 'call' or 'pass' when you are asked."
    )
    said = frozenset({"lie", "true"})

    # -- moves

    def move_names(self, view: View) -> dict[int, str]:
        """Claims as ``2x 7`` and ``2x 7 lie``."""
        return {action: _move(action) for action in view.legal().tolist()}

    def said_names(self, view: View) -> dict[int, str]:
        """Claims as ``claim two 7s, true`` and ``claim two jacks, a lie``."""
        return {action: _said(action) for action in view.legal().tolist()}

    def understood(self, line: str, view: View) -> Meant:
        """A claim may say which cards it lays down, after the word ``lie``."""
        for action, name in self.said_names(view).items():
            if split(name) == split(line):
                return Meant(action)
        words = split(line)
        if len(words) > 1 and words[0].isdigit() and (rank := rank_named(words[1])):
            # As people say it: two sevens.
            words = [f"{words[0]}x", rank, *words[2:]]
            line = " ".join(words)
        place = max((at for at, word in enumerate(words) if word == "lie"), default=len(words))
        typed = words[place + 1 :]
        whole = super().understood(line, view)
        if whole.action is not None or not typed:
            return whole
        meant = super().understood(" ".join(words[: place + 1]), view)
        game = seen_many_cheat(view)
        found = [_rank(word, game.ranks) for word in typed]
        if meant.action is None or meant.action < CLAIM or None in found:
            strange = [word for word, rank in zip(typed, found, strict=True) if rank is None]
            said = f"{strange[0]!r} is no card; you have {_hand(game)}" if strange else ""
            return Meant(None, said) if said and meant.action is not None else whole
        ranks = [rank for rank in found if rank is not None]
        rank, count, _ = claim_of(meant.action)
        problem = _why_not(ranks, rank, count, game)
        return Meant(None, problem) if problem else Meant(many_claim_code(rank, ranks))

    def moves(self, sight: Sight) -> Statements:
        """The kinds of moves, and what the claims would be."""
        legal = sight.view.legal().tolist()
        if CALL in legal:
            claim = seen_many_cheat(sight.view).claims[-1]
            said = number(claim.count, RANK_NAMES[claim.rank])
            lines = [
                f"call: turn up the {said}, since you think that is a lie",
                "pass: let it stand",
            ]
            return [Paragraph("\n".join(lines))]
        game = seen_many_cheat(sight.view)
        hand = game.hand or ()
        claims = [claim_of(action) for action in legal]
        lines: list[str] = []
        lies: dict[tuple[int, ...], list[str]] = {}
        for rank in dict.fromkeys(rank for rank, _, _ in claims):
            here = [(count, true) for each, count, true in claims if each == rank]
            true = "/".join(f"{count}x" for count, true in here if count == true)
            if true:
                lines.append(f"{true} {RANK_NAMES[rank]}: true, you have {hand[rank]}")
            counts = tuple(dict.fromkeys(count for count, true in here if count > true))
            lies.setdefault(counts, []).append(RANK_NAMES[rank])
        for counts, names in lies.items():
            if counts:
                many = "/".join(f"{count}x" for count in counts)
                ranks = "RANK" if len(names) > FEW else "/".join(names)
                lines.append(f"{many} {ranks} lie: lay down other cards")
        return [Paragraph("\n".join(lines))]

    # -- what there is to see

    def situation(self, sight: Sight) -> Statements:
        """The table: who has how many cards and was caught how often, the pile, the own hand."""
        game = seen_many_cheat(sight.view)
        parts = self._table(sight, game)
        if game.hand is not None:
            held = sum(game.hand)
            parts.append(Paragraph(f"Your {counted(held, 'card')}: {_hand(game)}"))
        return parts

    def laid_open(self, sight: Sight) -> Statements:
        """The same with all hands."""
        game = seen_many_cheat(sight.view)
        lines = [
            f"{role}: {_cards_in(hand)}"
            for role, hand in zip(self.game.roles, sight.state.hands.tolist(), strict=False)
        ]
        return [*self._table(sight, game), Paragraph("\n".join(lines))]

    def happened(self, sight: Sight, first: int) -> list[str]:
        """The claims and calls seen from this place on: passes are not worth a line."""
        events = sight.seen.events
        return [
            self.sentence(sight, place)
            for place in range(first, len(events))
            if events[place].event.observation % SHOWN != PASS
        ]

    def sentence(self, sight: Sight, place: int) -> str:
        """A claim, a call and what came of it, or that somebody passed."""
        event = sight.seen.events[place].event
        shown, public = divmod(event.observation, SHOWN)
        who = self.name_of(event.mover, sight)
        if public == PASS:
            return f"{who}: pass"
        if public == CALL:
            return f"{who}: call. {self._outcome(sight, place, cards_of((shown - 1) % PACKED))}"
        rank, count = _claimed(public)
        said = f"{who}: claim {number(count, RANK_NAMES[rank])}"
        cards = cards_of(shown - 1) if shown else ()
        if cards and set(cards) != {rank}:
            said += f", and lay down {_names(cards)}"
        return said

    def ending(self, sight: Sight) -> str:
        """The reason why the game is over: an empty hand, or enough claims."""
        winner = int(sight.state.winner)
        if winner < 0:
            return f"After {counted(int(sight.state.turn), 'claim')} the game is a draw."
        name = self.name_of(winner, sight)
        have, were = ("have", "were") if name == "you" else ("has", "was")
        said = f"{name} {have} no cards left, and {were} not caught at a lie"
        return f"{said[:1].upper()}{said[1:]}."

    def belief(self, sight: Sight) -> Statements:
        """The chance of each claim on the pile, and the others' cards of each rank."""
        known = self.game_belief()
        assert known is not None, "hands are hidden"
        posterior = known.infer(sight.view, sight.seen)
        hidden = known.hidden(sight.view)
        game = seen_many_cheat(sight.view)
        parts: list[Statement] = []
        claims: list[tuple[str, ...]] = []
        for place, claim in enumerate(game.claims):
            feature = hidden.get(f"claim {place + 1} is true")
            if feature is not None:
                share = percent(posterior.marginal(feature).get(True, 0.0))
                said = number(claim.count, RANK_NAMES[claim.rank])
                claims.append((self.name_of(claim.by, sight), said, f"{share} %"))
        if claims:
            table = sheet("claims on the pile", "", right("true"), rows=claims[::-1])
            parts.append(table)
        others = [
            player
            for player in range(self.game.players)
            if f"ace of {self.game.roles[player]}" in hidden
        ]
        rows: list[tuple[str, ...]] = []
        for rank in RANK_NAMES[: game.ranks]:
            row = [rank]
            for player in others:
                shares = posterior.marginal(hidden[f"{rank} of {self.game.roles[player]}"])
                expected = sum(count * share for count, share in shares.items())
                row.append(f"{expected:.1f}")
            rows.append(tuple(row))
        if others:
            names = [right(self.game.roles[player]) for player in others]
            parts.append(Paragraph("Expected number of cards in each hand", "strong"))
            parts.append(sheet(right(), *names, rows=rows))
        declared = ManyCheatDeclaration(game)
        if not declared.exact:
            said = "About: which of the cards that you knew others to hold they laid down since"
            whole = "" if declared.counting == "settled" else " before this pile"
            parts.append(Paragraph(f"{said}{whole} is not followed."))
        return parts

    # -- parts

    def _table(self, sight: Sight, game: SeenManyCheat) -> list[Statement]:
        """Everybody's cards and claim, and the words for the pile and the rank in force."""
        state = sight.state
        rows: list[tuple[str, ...]] = []
        for player, size in enumerate(game.sizes):
            last = next((claim for claim in game.pile_claims[::-1] if claim.by == player), None)
            said = "" if last is None else number(last.count, RANK_NAMES[last.rank])
            caught = int(state.caught[player])
            rows.append(
                (
                    ">" if player == game.player else "",
                    self.name_of(player, sight),
                    str(size),
                    said,
                    str(caught) if caught else "",
                )
            )
        columns = ["", "", right("cards"), "claim on the pile", right("caught lying")]
        lines = [f"{counted(game.pile, 'card')} on the pile."]
        if game.asked:
            last = game.claims[-1]
            who = self.name_of(last.by, sight)
            claims = "claim" if who == "you" else "claims"
            said = number(last.count, RANK_NAMES[last.rank])
            lines.append(f"{who[:1].upper()}{who[1:]} {claims} to have laid down {said}.")
        elif not game.over:
            lines.append(self._next(game))
        return [sheet(*columns, rows=rows), Paragraph(" ".join(lines))]

    def _next(self, game: SeenManyCheat) -> str:
        """The ranks that can be claimed next."""
        last = game.claims[-1].rank if game.claims else None
        order, ranks = self.game.settings["order"], game.ranks
        if order == "ascending":
            found = [0 if last is None else (last + 1) % ranks]
        elif order == "descending":
            found = [ranks - 1 if last is None else (last - 1) % ranks]
        elif last is None or order == "free" or (order == "same" and not game.pile):
            return "Any rank can be claimed."
        elif order == "same":
            found = [last]
        else:
            found = [(last - 1) % ranks, last, (last + 1) % ranks]
        return f"The next claim is of {listed([RANK_NAMES[rank] for rank in found], 'or')}."

    def _outcome(self, sight: Sight, place: int, cards: Sequence[int]) -> str:
        """The outcome of a call: whether the claim was true, and who took the pile."""
        events = sight.seen.events
        caller = events[place].event.mover
        claims = [seen.event for seen in events[:place] if seen.event.observation % SHOWN >= CLAIM]
        rank, _ = _claimed(claims[-1].observation % SHOWN)
        true = set(cards) == {rank}
        loser = caller if true else claims[-1].mover
        takes = "take" if sight.person == (loser,) else "takes"
        was = "It was true" if true else f"It was a lie: {_names(cards)}"
        return f"{was}; {self.name_of(loser, sight)} {takes} the pile"


def _claimed(public: int) -> tuple[int, int]:
    """The rank and the number of cards of a claim, as everybody sees it."""
    rank, count = divmod(public - CLAIM, MOST_CLAIMED)
    return rank, count + 1


def _move(action: int) -> str:
    if action < CLAIM:
        return "call" if action == CALL else "pass"
    rank, count, true = claim_of(action)
    said = f"{count}x {RANK_NAMES[rank]}"
    if true == count:
        return said
    return f"{said} lie {WORDS[true]} true" if true else f"{said} lie"


def _said(action: int) -> str:
    """An action in words that need no knowledge of how it is written."""
    if action < CLAIM:
        return "call it a lie" if action == CALL else "pass"
    rank, count, true = claim_of(action)
    said = f"claim {number(count, RANK_NAMES[rank])}"
    if true == count:
        return f"{said}, true"
    return f"{said}, {WORDS[true]} of them true" if true else f"{said}, a lie"


def _why_not(cards: Sequence[int], rank: int, count: int, game: SeenManyCheat) -> str:
    """The reason why no lie lays down these cards; empty if one can."""
    if len(cards) != count:
        return f"the claim is of {counted(count, 'card')}, not of {len(cards)}"
    hand = game.hand or ()
    for card in cards:
        if cards.count(card) > hand[card]:
            name = RANK_NAMES[card]
            held = number(hand[card], name) if hand[card] else f"no {name}"
            return f"you hold {held}; you have {_hand(game)}"
    if set(cards) == {rank}:
        return "that would be no lie"
    return ""


def _rank(word: str, ranks: int) -> int | None:
    """The rank that a word is, or begins; None for others."""
    names = RANK_NAMES[:ranks]
    if word in names:
        return names.index(word)
    begun = [place for place, name in enumerate(names) if name.startswith(word)]
    return begun[0] if len(begun) == 1 and word.isalpha() else None


def _hand(game: SeenManyCheat) -> str:
    return _cards_in(game.hand or ())


def _cards_in(hand: Sequence[int]) -> str:
    """Cards by rank, one by one."""
    return _names([rank for rank, count in enumerate(hand) for _ in range(count)])


def _names(cards: Sequence[int]) -> str:
    return " ".join(RANK_NAMES[rank] for rank in cards)
