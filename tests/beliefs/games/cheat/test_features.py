"""Features of a claim: computed from what the challenger knows, and from nothing later."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.stats import hypergeom

from sleuth import Play
from sleuth.beliefs.games.cheat.features import COUNT, FEATURES, NAMES, feature_row
from sleuth.errors import EvidenceError
from sleuth.games.cheat import Challenge, CheatRecord, cheat, features, no_counts, rows_of, simulate
from sleuth.models.cheat.counting import at_least
from sleuth.models.cheat.people.population import bluffers
from sleuth.models.cheat.people.simulate import simulate_games
from sleuth.training.cheat.rows import rows_of_simulated

GAME = cheat()


@cache
def simulated() -> tuple[CheatRecord, ...]:
    return simulate(8, seed=3)


def challenge(record: CheatRecord, turns: int, viewer: int | None = None) -> Challenge:
    play = record.play_at(turns)
    return Challenge(
        play.view(play.player if viewer is None else viewer),
        no_counts(),
        record.turns[turns - 1].seconds,
    )


def named(record: CheatRecord, turns: int) -> dict[str, float]:
    return dict(zip(NAMES, features(challenge(record, turns)).tolist(), strict=True))


def given(turns: list[dict[str, object]]) -> CheatRecord:
    return CheatRecord.from_json(
        {
            "game": "cheat",
            "players": ["ann", "bob"],
            "first": "7",
            "hands": {
                "ann": ["8", "8", "6", "ace", "ace", "king", "2", "3"],
                "bob": ["9", "9", "7", "5", "5", "6", "queen", "10"],
            },
            "turns": turns,
        }
    )


def claim(by: str, rank: str, *cards: str, seconds: float = 3.0) -> dict[str, object]:
    return {
        "by": by, "type": "claim", "rank": rank, "count": len(cards), "cards": list(cards),
        "seconds": seconds,
    }  # fmt: skip


def test_there_are_twenty_one() -> None:
    assert len(FEATURES) == COUNT == len(set(NAMES)) == 21


def test_the_features_of_a_first_claim() -> None:
    found = named(given([claim("ann", "6", "ace", "king", seconds=4.5)]), 1)
    assert found["count"] == 2
    assert found["lower"] == 1
    assert found["unseen"] == 3  # bob has one
    assert found["impossible"] == 0
    # Of 43 cards bob cannot place, three are sixes, and ann was dealt eight.
    assert found["chance"] == pytest.approx(hypergeom(43, 3, 8).sf(1))
    assert (found["own hand"], found["other hand"], found["pile"], found["deck"]) == (8, 6, 3, 35)
    assert found["caught rate"] == found["lie rate"] == found["call success"] == 0.5
    assert found["seconds"] == 4.5
    assert found["turn"] == found["since call"] == 1


def test_a_claim_of_more_cards_than_can_be_left_is_impossible() -> None:
    found = named(
        given([claim("ann", "8", "8", "8"), claim("bob", "9", "9", "9"),
               claim("ann", "10", "ace", "ace", "king", "2")]), 3,
    )  # fmt: skip
    assert found["unseen"] == 3  # bob has a ten
    assert found["impossible"] == 1
    assert found["chance"] == 0


def test_what_everybody_saw_before_counts() -> None:
    record = given(
        [
            claim("ann", "6", "ace", "king"),
            {"by": "bob", "type": "call"},
            {"by": "ann", "type": "take", "card": "jack"},
            claim("bob", "7", "7"),
            claim("ann", "6", "6"),
        ]
    )
    found = named(record, 5)
    assert found["caught on rank"] == 1
    assert found["caught rate"] == pytest.approx(2 / 3)
    assert found["lie rate"] == pytest.approx(2 / 3)
    assert found["take rate"] == pytest.approx(2 / 4)
    assert found["call success"] == pytest.approx(2 / 3)
    assert found["known"] == 0
    assert found["mine"] == 0
    assert found["since call"] == 3
    assert named(record, 4)["known"] == 0


def test_the_caught_rate_is_of_lies_until_the_last_call() -> None:
    turns = [
        claim("ann", "6", "ace", "king"),  # a lie that nobody calls
        claim("bob", "7", "7"),
        claim("ann", "6", "6"),
        claim("bob", "5", "9"),  # a lie that nobody calls
        claim("ann", "4", "2"),  # a lie that is called
        {"by": "bob", "type": "call"},
        {"by": "ann", "type": "take", "card": "jack"},
        claim("bob", "5", "5"),
        claim("ann", "6", "king"),  # a lie since the call
    ]
    # Until then nothing was turned up.
    assert named(given(turns[:5]), 5)["caught rate"] == 0.5
    # Ann was caught once, of two lies; the lie since the call does not count yet.
    assert named(given(turns), 9)["caught rate"] == pytest.approx((1 + 1) / (2 + 2))
    # Bob's lie was turned up, but nobody had called it.
    assert named(given(turns), 8)["caught rate"] == pytest.approx((0 + 1) / (1 + 2))


def test_chance_is_hypergeometric() -> None:
    for total in range(1, 12):
        for of_rank in range(min(total, 4) + 1):
            for held in range(total + 1):
                for wanted in range(5):
                    assert at_least(wanted, of_rank, total, held) == pytest.approx(
                        hypergeom(total, of_rank, held).sf(wanted - 1), abs=1e-12
                    )


def test_the_true_state_gives_what_the_view_gives() -> None:
    for record in simulated()[:6]:
        for turn, states in enumerate(record.moments()):
            if turn == 0 or record.turns[turn - 1].kind != "claim" or states["player"][0] < 0:
                continue
            row = np.empty(COUNT)
            seconds = record.turns[turn - 1].seconds or 0.0
            feature_row(states[0], no_counts(), seconds, GAME.tables, no_counts(), row)
            assert row.tolist() == features(challenge(record, turn)).tolist()


def test_a_claim_is_judged_by_who_may_call_it() -> None:
    record = given([claim("ann", "6", "ace"), {"by": "bob", "type": "take", "card": "4"}])
    with pytest.raises(EvidenceError, match="may call it"):
        challenge(record, 1, viewer=0)
    with pytest.raises(EvidenceError, match="no claim"):
        challenge(record, 2)
    with pytest.raises(EvidenceError, match="no claim"):
        challenge(record, 0)


@pytest.mark.parametrize("seed", range(6))
def test_nothing_later_changes_an_earlier_row(seed: int) -> None:
    """The same match up to some turn of some game, and then quite another one."""
    rng = np.random.default_rng(seed)
    match = [record for record in simulated() if record.match == simulated()[0].match]
    cut = int(rng.integers(len(match)))
    place = int(rng.integers(1, len(match[cut].turns)))
    kept = replace(match[cut], turns=match[cut].turns[:place], winner=None)
    going_on = kept.play_at(place)
    play = Play.new(GAME, seed=seed, start=going_on.truth())
    while not play.over:
        play.apply(int(rng.choice(play.legal())))
    first = Play.new(GAME, seed=0, start=next(kept.moments())).truth()
    seconds = [turn.seconds for turn in kept.turns]
    other = CheatRecord.from_states(GAME, first, play.truth(), seconds=seconds)
    other = replace(other, players=kept.players, match=kept.match, number=kept.number)
    assert other.turns[:place] == kept.turns
    later = [replace(each, seconds=99.0) for each in other.turns[place:]]
    changed = [*match[:cut], replace(other, turns=(*other.turns[:place], *later))]
    before, after = rows_of(match), rows_of(changed)
    early = (before.game < cut + 1) | ((before.game == cut + 1) & (before.turn <= place))
    same = (after.game < cut + 1) | ((after.game == cut + 1) & (after.turn <= place))
    assert np.array_equal(before.features[early], after.features[same], equal_nan=True)
    assert not np.array_equal(before.features, after.features, equal_nan=True)


def without_first(record: CheatRecord) -> CheatRecord:
    """The record without what only the first player knew: hand, cards drawn, claims not called."""
    called = [place for place, turn in enumerate(record.turns) if turn.kind == "call"]
    shown = max(called, default=-1)
    turns = [
        replace(turn, cards=None)
        if turn.by == 0 and (turn.kind == "take" or (turn.kind == "claim" and place > shown))
        else turn
        for place, turn in enumerate(record.turns)
    ]
    return CheatRecord.from_json(
        replace(record, hands=(None, record.hands[1]), turns=(*turns,)).to_json()
    )


def test_rows_are_what_the_challengers_views_give_whoevers_cards_are_recorded() -> None:
    first = simulated()[0]
    record = replace(first, turns=first.turns[:30], winner=None)
    for each in (record, without_first(record)):
        rows = rows_of([each])
        wanted = [
            turn
            for turn, made in enumerate(each.turns, start=1)
            if made.kind == "claim" and each.knows(1 - made.by)
        ]
        assert rows.turn.tolist() == wanted
        for place, turn in enumerate(wanted):
            expected = features(challenge(each, turn)).tolist()
            assert rows.features[place].tolist() == expected
            made = each.turns[turn - 1]
            assert rows.labels["true"][place] == (-1 if made.true is None else made.true)
            called = each.turns[turn].kind == "call" if turn < len(each.turns) else -1
            assert rows.labels["called"][place] == called
    assert -1 in rows_of([without_first(record)]).labels["true"]
    assert len(rows_of([without_first(record)])) < len(rows_of([record]))


def test_rows_of_records_and_of_simulated_games_are_one() -> None:
    people = bluffers(6, seed=5)
    fast = rows_of_simulated(simulate_games(people, seed=5), GAME)
    slow = rows_of(simulate(6, seed=5))
    assert np.allclose(fast.features[:, :20], slow.features[:, :20], rtol=0, atol=0)
    assert np.abs(fast.features[:, 20] - slow.features[:, 20]).max() < 0.006  # rounded in records
    for name in ("match", "game", "turn"):
        assert np.array_equal(getattr(fast, name), getattr(slow, name)), name
    for word in ("true", "called"):
        assert np.array_equal(fast.labels[word], slow.labels[word]), word
