"""Under house rules of Clue a belief is what a count of all deals by those rules says."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sleuth.games.clue import (
    CARDS,
    CASE_FILE,
    Accusation,
    ClueDeclaration,
    ClueRecord,
    HouseRules,
    SeenClue,
    simulate,
)
from sleuth.models.clue import FACE_DOWN
from sleuth.models.clue.simulate import random_policy

from .clue_worlds import Array
from .house_worlds import house_worlds

GAMES = int(os.environ.get("SLEUTH_FUZZ", "10"))
#: By name the rules, the hands that are dealt, cards face up, and whether sizes are written down.
TABLES: dict[str, tuple[HouseRules, tuple[int, ...], bool]] = {
    "all show": (HouseRules(who_shows="all"), (10, 3, 3, 2), True),
    "out is skipped": (HouseRules(player_out="skipped"), (10, 4, 4), True),
    "both": (HouseRules(who_shows="all", player_out="skipped"), (9, 3, 3, 3), True),
    "face down": (HouseRules(left_over="face down"), (10, 3, 3), True),
    "looked at": (HouseRules(left_over="looked at"), (10, 3, 3), True),
    "no room": (HouseRules(room="none"), (10, 4, 4), True),
    "any room": (HouseRules(room="any"), (10, 4, 4), True),
    "openly": (HouseRules(card_shown="openly"), (10, 4, 4), True),
    "all openly, no room": (
        HouseRules(who_shows="all", card_shown="openly", room="none"),
        (9, 3, 3, 3),
        True,
    ),
    "sizes not known": (HouseRules(), (3, 3, 2, 2), False),
    "sizes not known, all show": (HouseRules(who_shows="all"), (2, 3, 3, 2), False),
}


def played(name: str, seed: int) -> ClueRecord:
    """A game under the rules of a table, in which the first player has a large hand."""
    rules, sizes, written = TABLES[name]
    rng = np.random.default_rng([seed, len(name)])
    if not written:
        first = int(rng.integers(len(sizes)))
        sizes = (*sizes[first:], *sizes[:first])
    record = simulate(
        len(sizes), rng, hand_sizes=sizes, rules=rules, turns=6, guess=0.15, policy=random_policy
    )
    return record if written else replace(record, sizes=(None,) * len(sizes))


def compared(game: SeenClue) -> None:
    """The belief is what the count says, cell by cell."""
    belief = ClueDeclaration(game)
    posterior, counted = belief.infer(game), house_worlds(game)
    shares = belief.table(posterior)
    table = counted.table()
    for place, card in enumerate(CARDS):
        for number, holder in enumerate(counted.holders):
            assert shares[card].get(holder, 0.0) == pytest.approx(table[place, number], abs=1e-9)
    file: Array = posterior.distribution(belief.case_file).reshape(6, 6, 9)
    assert np.abs(file - counted.case_file()).max() < 1e-9


@pytest.mark.parametrize("name", TABLES)
def test_a_belief_is_what_a_count_of_all_deals_says(name: str):
    for seed in range(max(1, GAMES // 50)):
        record = played(name, seed)
        game = record.seen_by("p1")
        for moment in {len(game.events) // 2, len(game.events)}:
            compared(game.until(moment))


@pytest.mark.parametrize("name", TABLES)
def test_the_true_deal_is_always_possible(name: str):
    for seed in range(GAMES):
        record = played(name, seed)
        assert ClueRecord.from_json(json.loads(json.dumps(record.to_json()))) == record
        truth = {card: player for player, hand in (record.hands or {}).items() for card in hand}
        truth |= dict.fromkeys(record.case_file or (), CASE_FILE)
        for viewer in record.viewers():
            game = record.seen_by(viewer)
            belief = ClueDeclaration(game)
            shares = belief.table(belief.infer(game))
            held = np.array([[*each.values()] for each in shares.values()])
            assert np.abs(held.sum(axis=1) - 1.0).max() < 1e-9
            # What is nobody's and not in the case file lies face down.
            assert all(
                shares[card][truth.get(card, FACE_DOWN)] > 0.0
                for card in CARDS
                if card not in record.face_up
            )


@pytest.mark.parametrize("name", TABLES)
def test_a_question_tells_what_its_answers_tell_deal_by_deal(name: str):
    """Every answer is as likely as it comes up in the deals, and leaves as much open."""
    record = played(name, 1)
    game = record.seen_by("p1")
    belief, counted = ClueDeclaration(game), house_worlds(game)
    posterior = belief.infer(game)
    for question in belief.suggestions[5::97]:
        cards = tuple(question.name.split(", "))
        files: dict[Any, dict[int, float]] = {}
        inside = counted.held == counted.holders.index(CASE_FILE)
        number = inside @ (2 ** np.arange(21))
        for answer, chance in replayed(game, counted.holders, counted.held, cards):
            for file, share in zip(
                number.tolist(), (chance * counted.weights).tolist(), strict=True
            ):
                if share > 0.0:
                    left = files.setdefault(answer, {})
                    left[file] = left.get(file, 0.0) + share
        total = sum(sum(left.values()) for left in files.values())
        assert total == pytest.approx(counted.weights.sum())
        after = sum(sum(left.values()) / total * bits([*left.values()]) for left in files.values())
        before = bits(np.bincount(np.unique(number, return_inverse=True)[1], counted.weights))
        told = posterior.information_gain(question, about=belief.case_file)
        assert told == pytest.approx(before - after, abs=1e-9)


def bits(weights: Any) -> float:
    shares = np.array(weights) / np.sum(weights)
    shares = shares[shares > 0.0]
    return float(-(shares * np.log2(shares)).sum())


def replayed(
    game: SeenClue, holders: tuple[str, ...], held: Array, cards: tuple[str, ...]
) -> list[tuple[Any, Array]]:
    """Every answer to a suggestion by the first player, with its chance in each deal."""
    events = [seen.event for seen in game.events]
    out = {e.by for e in events if isinstance(e, Accusation) and not e.correct}
    found: list[tuple[Any, Array]] = [((), np.ones(held.shape[0]))]
    stopped: list[tuple[Any, Array]] = []
    for player in game.players[1:]:
        if game.rules.player_out == "skipped" and player in out:
            continue
        has = np.array([held[:, CARDS.index(card)] == holders.index(player) for card in cards])
        number = has.sum(axis=0)
        shows = [
            ((player, card), has[place] / np.maximum(number, 1)) for place, card in enumerate(cards)
        ]
        grown = [((*answer, pair), old * new) for answer, old in found for pair, new in shows]
        found = [(answer, old * (number == 0)) for answer, old in found]
        if game.rules.who_shows == "first":
            stopped += grown
        else:
            found += grown
    return [(answer, chance) for answer, chance in found + stopped if chance.any()]


def test_a_viewer_learns_nothing_of_who_is_skipped():
    dealt = {"game": "clue", "players": ["a", "b", "c"], "hand_sizes": [6, 6, 6]}
    mine = {"observer": "a", "own_hand": ["plum", "green", "rope", "hall", "study", "wrench"]}
    accused, asked = ["white", "lead pipe", "kitchen"], ["white", "knife", "kitchen"]
    wrong = {"type": "accuse", "by": "b", "cards": accused, "correct": False}
    asks = {"type": "suggest", "by": "a", "cards": asked, "refuter": "c", "shown": "kitchen"}
    record = dealt | mine | {"events": [wrong, asks]}
    shares = {
        word: shown_by(record | {"rules": {"player_out": word}}) for word in ("shows", "skipped")
    }
    assert shares["shows"]["knife"]["b"] == 0.0
    assert shares["skipped"]["knife"]["b"] > 0.3
    # What c showed says that b has not got it, and nothing else.
    rest = [shares["skipped"][card]["b"] for card in ("knife", "revolver", "candlestick")]
    assert rest[1] == pytest.approx(rest[2])


def shown_by(record: dict[str, Any]) -> Any:
    game = ClueRecord.from_json(record).seen_by()
    belief = ClueDeclaration(game)
    return belief.table(belief.infer(game))


def test_cards_face_down_and_sizes_that_are_not_known_by_hand():
    """Of 17 cards unknown two lie face down; of four suspects unknown one is in the case file."""
    value = {"game": "clue", "players": ["a", "b", "c", "d"], "events": [], "observer": "a"}
    hidden = shown_by(
        value | {"hand_sizes": [4] * 4, "own_hand": ["plum", "green", "rope", "hall"]}
    )
    assert hidden["scarlet"][CASE_FILE] == pytest.approx(1 / 4)
    assert hidden["scarlet"][FACE_DOWN] == pytest.approx(3 / 4 * 2 / 14)
    five = value | {"players": ["a", "b", "c", "d", "e"]}
    unknown = shown_by(five | {"own_hand": ["candlestick", "kitchen", "mustard"]})
    # Of 15 cards b and e have three or four, equally likely, and c and d four.
    assert unknown["scarlet"][CASE_FILE] == pytest.approx(1 / 5)
    assert unknown["scarlet"]["b"] == pytest.approx(4 / 5 * 3.5 / 15)
    assert unknown["scarlet"]["c"] == pytest.approx(4 / 5 * 4 / 15)


def test_sizes_that_are_not_known_are_averaged_over_the_deals():
    """The belief is that of each deal around the table, by how likely it makes what was seen."""
    for seed in range(3):
        rng = np.random.default_rng(seed)
        record = simulate(5, rng, turns=8, policy=random_policy)
        game = replace(record, sizes=(None,) * 5).seen_by("p1")
        whole = [replace(record, sizes=sizes).seen_by("p1") for sizes in game.possible_sizes]
        assert len(whole) == 3
        beliefs = [ClueDeclaration(each) for each in whole]
        posteriors = [each.infer(seen) for each, seen in zip(beliefs, whole, strict=True)]
        weights = np.exp([each.log_evidence for each in posteriors])
        files = [
            each.distribution(belief.case_file)
            for each, belief in zip(posteriors, beliefs, strict=True)
        ]
        belief = ClueDeclaration(game)
        file = belief.infer(game).distribution(belief.case_file)
        assert np.abs(file - weights @ np.array(files) / weights.sum()).max() < 1e-12


@pytest.mark.parametrize("name", TABLES)
def test_what_is_likely_is_as_often_true(name: str):
    """The case file has the probability that one expects of it, over many games."""
    surprise = variance = 0.0
    for seed in range(1000, 1000 + 3 * GAMES):
        record = played(name, seed)
        game = record.seen_by("p2")
        if any(isinstance(e.event, Accusation) and e.event.by == "p2" for e in game.events):
            continue  # they have seen it
        belief = ClueDeclaration(game)
        shares = belief.infer(game).distribution(belief.case_file)
        squares = float(shares @ shares)
        truth = belief.case_file.values.index(record.case_file)
        surprise += float(shares[truth]) - squares
        variance += float(shares @ (shares - squares) ** 2)
    assert abs(surprise) < 4.0 * np.sqrt(variance)
