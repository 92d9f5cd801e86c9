"""Clue without a board for one player who asks: the others only show cards, at random.

The seeker suggests three cards each turn, and knows from every answer who may hold which card. Two
cards of a kind about which the same is known are the same to ask about, so one of them stands for
all: of 324 suggestions a few are left at the beginning. The game ends when the seeker knows the
case file by who passed, what was shown and how many cards each player has; its return is minus the
number of suggestions.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from sleuth import HIDDEN, OVER, CachedBelief, Feature, Game, Posterior, Question, below, kernel
from sleuth.beliefs.games.clue.play import declared, suggestions
from sleuth.games.clue import CARDS, SeenClue, Suggestion
from sleuth.kit import SeenPlay, View
from sleuth.models.clue.codes import CardCodes
from sleuth.models.clue.events import asked_in_turn
from sleuth.models.clue.game import (
    CODES,
    DEALT,
    TRIPLES,
    card_of,
    fill,
    roles,
    triple_cards,
)
from sleuth.models.clue.game import (
    start as deal,
)
from sleuth.models.clue.seen import numbered
from sleuth.models.clue.simulate import usual_hand_sizes

#: What the seeker sees: the suggestion, and these times (1 + who showed) and (1 + which card).
REFUTER: Final = 1_000
SHOWN: Final = 10_000
SEEKER: Final = 0

# `may[c]` has a bit for every player who may hold card c, and one more for the case file.
STATE: Final = np.dtype(
    [
        ("player", np.int32),
        ("holder", np.int32, (21,)),
        ("suggestion", np.int32),
        ("refuter", np.int32),
        ("shown", np.int32),
        ("turn", np.int32),
        ("winner", np.int32),
        ("may", np.int32, (21,)),
        ("asked", np.int32, (21,)),
    ]
)


class Seeking(NamedTuple):
    """The settings.

    Attributes:
        players: How many there are.
        turns: After so many suggestions the game ends.
        dealt: All cards that are not in the case file.
        codes: The numbers of the edition.
    """

    players: int
    turns: int
    dealt: int = DEALT
    codes: CardCodes = CODES


@kernel(allocates=False)
def category(card: int) -> int:
    """The number of a card's kind: suspect, weapon or room."""
    return 0 if card < 6 else 1 if card < 12 else 2


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    deal(state, tables, random)
    for card in range(21):
        own = state.holder[card] == SEEKER
        state.may[card] = 1 if own else (2 << tables.players) - 2
    state.shown = -1


@kernel(allocates=False)
def only(state: Any, card: int, who: int) -> int:
    """Writes down that somebody has a card; how many others might have had it until then."""
    others = 0
    bits = state.may[card] & ~(1 << who)
    while bits != 0:
        others += bits & 1
        bits >>= 1
    state.may[card] = 1 << who
    return others


@kernel(allocates=False)
def conclude(state: Any, tables: Any) -> None:
    """Follow what is known of who may hold what, until nothing more follows.

    A hand whose cards are all known has no others; a hand that has as many cards as may be in it
    has all of these; in the case file is one card of each kind.
    """
    places = tables.players + 3
    changed = 1
    while changed > 0:
        changed = 0
        for place in range(places):
            who = min(place, tables.players)
            kind = place - tables.players
            size = 1
            if kind < 0:
                size = tables.dealt // tables.players
                size += 1 if place < tables.dealt % tables.players else 0
            sure = 0
            possible = 0
            for card in range(21):
                if kind >= 0 and category(card) != kind:
                    continue
                if state.may[card] == 1 << who:
                    sure += 1
                if (state.may[card] >> who) & 1 != 0:
                    possible += 1
            if sure == possible or (sure < size and possible > size):
                continue
            for card in range(21):
                if kind >= 0 and category(card) != kind:
                    continue
                if (state.may[card] >> who) & 1 != 0 and state.may[card] != 1 << who:
                    if sure >= size:
                        state.may[card] &= ~(1 << who)
                        changed += 1
                    else:
                        changed += only(state, card, who)


@kernel(allocates=False)
def told(state: Any, triple: int, refuter: int, shown: int, tables: Any) -> None:
    """Write down the answer to a suggestion: who showed which card, -1 for nobody."""
    state.suggestion = triple
    state.refuter = refuter
    state.shown = shown
    passed = refuter if refuter >= 0 else tables.players
    for place in range(3):
        card = card_of(triple, place, CODES)
        if state.may[card] == 1 << SEEKER:
            continue
        state.asked[card] = 1
        for player in range(1, passed):
            state.may[card] &= ~(1 << player)
    if shown >= 0:
        only(state, shown, refuter)
    conclude(state, tables)


@kernel(allocates=False)
def knows(state: Any, tables: Any) -> bool:
    """Whether the seeker knows the case file."""
    sure = 0
    for card in range(21):
        if state.may[card] == 1 << tables.players:
            sure += 1
    return sure == 3


@kernel(allocates=False)
def stands_for(state: Any, card: int) -> int:
    """The first card of its kind about which the same is known.

    Cards that were never asked about are alike, and cards of which it is known who has them.
    """
    bits = state.may[card]
    if state.asked[card] != 0 and bits & (bits - 1) != 0:
        return card
    for other in range(card):
        alike = state.asked[other] == 0 or bits & (bits - 1) == 0
        if alike and category(other) == category(card) and state.may[other] == bits:
            return other
    return card


@kernel(allocates=False)
def legal(state: Any, tables: Any, actions: Any) -> int:
    count = 0
    for triple in range(TRIPLES):
        new = True
        for place in range(3):
            card = card_of(triple, place, CODES)
            if stands_for(state, card) != card:
                new = False
        if new:
            actions[count] = triple
            count += 1
    return count


@kernel(allocates=False)
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    refuter = -1
    shown = -1
    for player in range(1, tables.players):
        held = 0
        for place in range(3):
            if state.holder[card_of(action, place, CODES)] == player:
                held += 1
        if held > 0:
            refuter = player
            pick = below(random, held)
            for place in range(3):
                card = card_of(action, place, CODES)
                if state.holder[card] == player:
                    if pick == 0:
                        shown = card
                    pick -= 1
            break
    told(state, action, refuter, shown, tables)
    state.turn += 1
    if knows(state, tables):
        state.winner = SEEKER
    if state.winner == SEEKER or state.turn >= tables.turns:
        state.player = OVER


@kernel(allocates=False)
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return action + REFUTER * (state.refuter + 1) + SHOWN * (state.shown + 1)


@kernel(allocates=False)
def returns(state: Any, tables: Any, values: Any) -> None:
    values[0] = -state.turn


@kernel(allocates=False)
def mask(state: Any, viewer: int, tables: Any) -> None:
    # Who watches sits behind the seeker.
    for card in range(21):
        if state.holder[card] != SEEKER:
            state.holder[card] = HIDDEN


@kernel(allocates=False)
def evaluate(state: Any, player: int, tables: Any) -> float:
    """Minus the suggestions so far, and one more: the case file is not known."""
    return -1.0 - state.turn


@kernel(allocates=False)
def policy(state: Any, actions: Any, count: int, tables: Any, random: Any) -> int:
    # They ask about cards that may be in the case file, each equally likely.
    triple = 0
    for kind in range(3):
        first = 6 * kind
        after = 21 if kind == 2 else first + 6
        open_cards = 0
        for card in range(first, after):
            open_cards += (state.may[card] >> tables.players) & 1
        pick = below(random, open_cards)
        for card in range(first, after):
            if (state.may[card] >> tables.players) & 1 != 0:
                if pick == 0:
                    triple = triple * (9 if kind == 2 else 6) + stands_for(state, card) - first
                pick -= 1
    for place in range(count):
        if actions[place] == triple:
            return place
    return 0


def clue_seeker(players: int = 3, turns: int = 40) -> Game:
    """The game for one: p1 asks, and the others show cards.

    Args:
        players: 3 to 6, with the one who asks.
        turns: Suggestions after which it ends.
    """
    return Game(
        name="clue_seeker",
        version=1,
        roles=("p1",),
        state=STATE,
        tables=Seeking(players, turns),
        settings={"players": players, "turns": turns},
        action_space=TRIPLES,
        max_actions=TRIPLES,
        max_depth=turns,
        lowest=-turns - 1,
        highest=0,
        start=start,
        legal=legal,
        apply=apply,
        observe=observe,
        returns=returns,
        mask=mask,
        fill=fill,
        columns=21,
        policy=policy,
    )


class SeekerBelief(CachedBelief[SeenClue]):
    """Who holds which card; a refuter shows any of the cards they could show, equally likely.

    Args:
        most: How many suggestions a search considers, those that tell most; 0 for all.
    """

    # With five players one takes some 200 kB.
    kept = 256

    def __init__(self, most: int = 0) -> None:
        super().__init__()
        self.most = most

    def __reduce__(self) -> Any:
        return type(self), (self.most,)

    def known(self, view: View, seen: SeenPlay) -> SeenClue:
        dealt = _dealt(view)
        events = (answer(each.event.observation, dealt.players) for each in seen.events)
        return replace(dealt, events=tuple(numbered(events, dealt.viewer)))

    def posterior(self, known: SeenClue) -> Posterior:
        """The posterior of all but the last answer, and what that one adds."""
        belief = declared(known.until(0))
        if not known.events:
            return belief.infer()
        before = self._posterior(known.until(len(known.events) - 1))
        return before.observe(belief.evidence(known.events[-1]))

    def hidden(self, view: View) -> Mapping[str, Feature]:
        """The case file: suspect, weapon and room."""
        return {"case file": declared(_dealt(view)).case_file}

    def questions(self, view: View) -> Mapping[int, Question]:
        """The suggestions that differ in what they ask about."""
        if view.over:
            return {}
        known = self.all_questions(view)
        return {code: known[code] for code in view.legal().tolist()}

    def all_questions(self, view: View) -> Mapping[int, Question]:
        """All suggestions."""
        return suggestions(declared(_dealt(view)))

    def telling(self, view: View) -> Collection[int]:
        """All actions are questions."""
        return range(TRIPLES)

    def undominated(self, view: View, posterior: Posterior) -> Sequence[int] | None:
        """The questions that tell most."""
        if not self.most:
            return None
        asked = self.questions(view)
        (file,) = self.hidden(view).values()
        gains = posterior.information_gain(list(asked.values()), about=file)
        order = np.argsort(-np.round(gains, 9), kind="stable")[: self.most]
        return sorted([*asked][place] for place in order)


def _dealt(view: View) -> SeenClue:
    """What the seeker knows before the first suggestion."""
    table = view.game.tables
    players = roles(table.players)
    own = (card for card, who in zip(CARDS, view.states[0].holder, strict=True) if who == SEEKER)
    sizes = usual_hand_sizes(table.players, table.dealt)
    return SeenClue(
        players=players,
        hand_sizes=tuple(zip(players, sizes, strict=True)),
        viewer=players[SEEKER],
        own_hand=tuple(own),
        face_up=(),
    )


def answer(observation: int, players: Sequence[str]) -> Suggestion:
    """The event that an observation of the seeker stands for."""
    shown, rest = divmod(observation, SHOWN)
    who, triple = divmod(rest, REFUTER)
    refuter = players[who - 1] if who else None
    return Suggestion(
        players[SEEKER],
        triple_cards(triple),
        refuter=refuter,
        shown=CARDS[shown - 1] if shown else None,
        passed=asked_in_turn(players, players[SEEKER], refuter),
    )
