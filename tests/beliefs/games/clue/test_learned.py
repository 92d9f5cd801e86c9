"""What was learned weighs deals as a choice among cards does; what nobody saw changes nothing."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from sleuth.beliefs.games.clue.learned import NAMES, ChoiceHistory, LearnedChoices, learned
from sleuth.beliefs.games.clue.play import declared
from sleuth.games.clue import CARDS, ClueBelief, LearnedBelief, SeenClue, Suggestion
from sleuth.models.clue.cards import CATEGORIES, POSITION
from sleuth.models.clue.seen import masked, numbered

from .clue_worlds import deals

PLAYERS = ("Ada", "Bob", "Cleo")
#: Nine cards are hidden from Ada, three of each kind.
OWN = (*CARDS[:3], *CARDS[6:9], *CARDS[12:18])
SUSPECT, WEAPON, ROOM = CARDS[3], CARDS[9], CARDS[18]
OTHERS = (CARDS[4], CARDS[10], ROOM)


def _asks(
    by: str,
    refuter: str,
    shown: str | None,
    cards: tuple[str, str, str] = (SUSPECT, WEAPON, ROOM),
    passed: tuple[str, ...] = (),
) -> Suggestion:
    return Suggestion(by, cards, refuter=refuter, shown=shown, passed=passed)


def _game(*events: Suggestion) -> SeenClue:
    return SeenClue(
        players=PLAYERS,
        hand_sizes=(("Ada", 12), ("Bob", 3), ("Cleo", 3)),
        viewer="Ada",
        own_hand=OWN,
        events=tuple(numbered((masked(each, "Ada") for each in events), "Ada")),
    )


GAME = _game(
    _asks("Ada", "Bob", WEAPON),
    _asks("Bob", "Cleo", None, (CARDS[4], WEAPON, ROOM)),
    _asks("Cleo", "Bob", None, passed=("Ada",)),
    _asks("Ada", "Cleo", ROOM, OTHERS, ("Bob",)),
    _asks("Cleo", "Bob", None, (SUSPECT, CARDS[10], OWN[-1])),
    _asks("Bob", "Cleo", None),
)


def _belief(predict: Callable[[Any], Any], alike: float = 1.0) -> LearnedBelief:
    belief = LearnedBelief(alike=alike)
    made: Any = predict
    belief.model = LearnedChoices(made)
    return belief


def _by_hand(rows: Any) -> Any:
    """More likely what is held, was named, or was shown before; rooms less than suspects."""
    of = {name: np.nan_to_num(rows[:, place]) for place, name in enumerate(NAMES)}
    score = of["held"] * (1.0 - of["shows"]) + 0.5 * of["named"] - 0.3 * of["kind"]
    score = score - 0.4 * of["passed"] + of["shown before"] + 0.2 * of["refuted"] - 1.0
    return 1.0 / (1.0 + np.exp(-score))


@pytest.mark.parametrize("chance", [0.0, 0.2, 1.0])
def test_a_predictor_that_finds_all_cards_equal_says_what_is_declared(chance: float) -> None:
    belief = _belief(lambda rows: np.full(len(rows), chance))
    found, expected = belief.posterior(GAME), ClueBelief().posterior(GAME)
    deal = declared(GAME.until(0))
    assert found.distribution(deal.case_file) == pytest.approx(
        expected.distribution(deal.case_file), abs=1e-12
    )
    for card in CARDS:
        holder = deal.cards.holder_of(card)
        assert found.distribution(holder) == pytest.approx(expected.distribution(holder), abs=1e-12)


def _chance(game: SeenClue, turn: int, hands: dict[str, set[str]]) -> float:
    """How likely an event is if the cards lie so, straight from what the choice is said to be."""
    event: Any = game.events[turn].event
    past = ChoiceHistory(game.until(turn))
    if set(event.cards) & set().union(*(hands[each] for each in event.passed)):
        return 0.0
    held = [card for card in event.cards if card in hands[event.refuter]]
    if not held or (event.shown is not None and event.shown not in held):
        return 0.0
    found = 1.0
    if event.by == "Ada":
        shares = _by_hand(past.showing(event.refuter, "Ada", held)) if len(held) > 1 else np.ones(1)
        return float(shares[held.index(event.shown)] / shares.sum())
    earlier = [seen.event for seen in game.events[:turn]]
    lacks = {
        card
        for each in earlier
        if isinstance(each, Suggestion) and event.by in each.passed
        for card in each.cards
    } | set(OWN)
    share = 3 / (21 - len(lacks))
    no, yes = (_by_hand(past.asking(event.by, each)) for each in (0.0, 1.0))
    for card, kind in zip(event.cards, CATEGORIES.values(), strict=True):
        mine = (yes if card in hands[event.by] else no)[POSITION[card]]
        rest = 0.0
        for other in set(kind) - {card}:
            place, likely = POSITION[other], 0.0 if other in lacks else share
            rest += likely * yes[place] + (1.0 - likely) * no[place]
        found *= mine / (mine + rest)
    return float(found)


def test_the_posterior_is_that_of_all_deals_weighed_by_hand() -> None:
    worlds = deals(GAME)
    weights = np.zeros(len(worlds.held))
    for place, row in enumerate(worlds.held):
        holders = [worlds.holders[number] for number in row]
        hands = {
            player: {card for card, who in zip(CARDS, holders, strict=True) if who == player}
            for player in PLAYERS
        }
        weights[place] = np.prod([_chance(GAME, turn, hands) for turn in range(len(GAME.events))])
    weights /= weights.sum()
    found = _belief(_by_hand).posterior(GAME)
    cards = declared(GAME.until(0)).cards
    for card in CARDS:
        by = found.marginal(cards.holder_of(card))
        for number, holder in enumerate(worlds.holders):
            here = float(weights[worlds.held[:, POSITION[card]] == number].sum())
            assert by.get(holder, 0.0) == pytest.approx(here, abs=1e-12)
    plain = ClueBelief().posterior(GAME)
    file = declared(GAME.until(0)).case_file
    assert np.abs(found.distribution(file) - plain.distribution(file)).max() > 0.01


def test_what_a_viewer_did_not_see_changes_nothing() -> None:
    shown = [
        _game(*(_asks("Bob", "Cleo", card), _asks("Cleo", "Bob", None))) for card in (SUSPECT, ROOM)
    ]
    belief = LearnedBelief()
    first, second = (belief.posterior(game) for game in shown)
    assert first.log_evidence == second.log_evidence
    rows = [ChoiceHistory(game).showing("Cleo", "Ada", (SUSPECT, ROOM)) for game in shown]
    np.testing.assert_array_equal(rows[0], rows[1])


def test_what_ones_own_suggestions_say_is_nothing_new() -> None:
    game = _game(_asks("Ada", "Bob", WEAPON))
    expected = ClueBelief().posterior(game)
    # Whether one card or another is shown of those held says more; that one asked, nothing.
    found = _belief(lambda rows: np.where(rows[:, 0] == 1.0, 0.5, 0.1 + 0.8 * rows[:, 2]))
    assert found.posterior(game).log_evidence == pytest.approx(expected.log_evidence, abs=1e-12)


def test_a_card_that_was_shown_is_known_to_be_so_to_the_suggester() -> None:
    past = ChoiceHistory(_game(_asks("Ada", "Bob", WEAPON)))
    rows = past.showing("Bob", "Ada", (SUSPECT, WEAPON))
    assert rows[:, NAMES.index("shown before")].tolist() == [0.0, 1.0]
    assert rows[:, NAMES.index("others shown before")].tolist() == [1.0, 0.0]
    assert rows[:, NAMES.index("named")].tolist() == [1.0, 1.0]
    choice = learned().choice(past)
    assert choice("Bob", "Ada", (WEAPON,)) == {WEAPON: 1.0}
    assert sum(choice("Bob", "Ada", (SUSPECT, WEAPON)).values()) == pytest.approx(1.0)


def test_a_belief_for_another_process_is_the_same() -> None:
    belief = LearnedBelief(walks=True, alike=0.25)
    sent = pickle.loads(pickle.dumps(belief))
    assert (sent.walks, sent.kinds) == (True, belief.kinds)
    assert sent.model is belief.model  # the file is read once in a process
