"""Recorded games give the deductions that others published, and the counts computed for them.

What is expected stands in ``tests/data/clue/expected.json``: what the source of a record
deduced, and what an independent count of all deals consistent with the record found.
"""

from __future__ import annotations

import itertools
import json
import math
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import Posterior
from sleuth.data.files import shipped
from sleuth.games.clue import (
    CARDS,
    CASE_FILE,
    ROOMS,
    SUSPECTS,
    WEAPONS,
    ClueDeclaration,
    ClueRecord,
    SeenClue,
    Suggestion,
    load,
)
from sleuth.models.records.events import witness

EXPECTED: dict[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[3] / "data" / "clue" / "expected.json").read_text(encoding="utf-8")
)
NOTEBOOKS = sorted(name for name in EXPECTED if name.startswith("gregstoll_"))
LEDFORD = [f"ledford_{number:02}" for number in range(2, 17)]

# The counts are published with six digits.
SIX_DIGITS = 1e-6


@cache
def records() -> dict[str, ClueRecord]:
    return {file.name.removesuffix(".json"): load(file) for file in shipped("clue")}


@cache
def counted(name: str) -> tuple[ClueDeclaration, tuple[Posterior, ...]]:
    """The posteriors of a record's own viewer before and after every event, by plain counting."""
    game = records()[name].seen_by()
    belief = ClueDeclaration(game, "ignored")
    steps = [belief.infer(method="card_by_card")]
    for seen in game.events:
        steps.append(steps[-1].observe(belief.evidence(seen)))
    return belief, tuple(steps)


def shares(name: str) -> dict[str, dict[str, float]]:
    """P(holder of a card) after all events, by plain counting."""
    belief, steps = counted(name)
    return steps[-1].table(belief.cards)


def deals(posterior: Posterior) -> int:
    """Deals that are left, where every one of them weighs 1."""
    number = math.exp(posterior.solution.log_weight)
    # The log of a count of less than 2**53 still tells the count, up to its last rounding.
    assert abs(number - round(number)) < 1e-13 * number + 1e-6
    return round(number)


def holder(name: str) -> str:
    return CASE_FILE if name == "cf" else name


def test_every_case_is_shipped():
    editions = {name for name in records() if name.startswith("edition_")}
    assert set(EXPECTED) | set(LEDFORD) | editions == set(records())
    assert len(NOTEBOOKS) == 7


# -- six players: Neller's game


def test_nellers_game_ends_with_one_deal():
    _, steps = counted("neller_main")
    assert (
        deals(steps[-1]) == EXPECTED["neller_main"]["computed"]["deals_left_with_hand_sizes"] == 1
    )


def test_nellers_notepad_is_filled_in_completely():
    notepad = EXPECTED["neller_main"]["computed"]["notepad_with_hand_sizes"]
    found = shares("neller_main")
    assert set(notepad) == set(CARDS)
    for card, marks in notepad.items():
        assert len(marks) == 7
        for name, mark in marks.items():
            expected = {"Y": 1.0, "n": 0.0}[mark]
            assert found[card][holder(name)] == pytest.approx(expected, abs=1e-12), (card, name)


def test_nellers_accusation_is_the_case_file_and_known_only_at_the_end():
    expected = EXPECTED["neller_main"]
    belief, steps = counted("neller_main")
    known_after = expected["computed"]["case_file_known_after_event"]
    assert known_after == len(steps) - 1
    assert steps[known_after].entropy(belief.case_file) == pytest.approx(0.0, abs=1e-12)
    assert steps[known_after - 1].entropy(belief.case_file) > 0.1
    [(triple, probability)] = steps[-1].most_likely(belief.case_file, 2)
    assert list(triple) == expected["expected_by_source"]["accusation"]
    assert probability == pytest.approx(1.0, abs=1e-12)


# -- three players: Plum against two people


@pytest.mark.parametrize("event", range(6))
def test_plums_case_file_is_counted_after_every_event(event: int):
    belief, steps = counted("plum_game2")
    expected = EXPECTED["plum_game2"]["computed"][f"after_event_{event}"]
    posterior = steps[event]
    assert deals(posterior) == expected["deals"]
    found = posterior.marginal(belief.case_file)
    assert len(found) == expected["n_case_files"]
    assert sum(found.values()) == pytest.approx(1.0, abs=1e-12)
    for named, probability in expected["case_file"].items():
        assert found[tuple(named.split("|"))] == pytest.approx(probability, abs=SIX_DIGITS)


def test_plum_accuses_rightly():
    belief, steps = counted("plum_game2")
    expected = EXPECTED["plum_game2"]["expected_by_source"]
    assert expected["won"]
    accused = tuple(expected["final_accusation"])
    assert steps[-1].marginal(belief.case_file) == {accused: pytest.approx(1.0, abs=1e-12)}
    assert len(steps[-2].marginal(belief.case_file)) > 1


# -- a puzzle: Cluedoku


def test_the_player_of_the_cluedoku_slide_must_also_hold_the_lead_pipe():
    # Three cards, the wrench among them, and one of each of three lists: two lists share a card.
    expected = EXPECTED["cluedoku_slide"]["computed"]
    _, steps = counted("cluedoku_slide")
    assert deals(steps[-1]) == expected["deals"]
    found = shares("cluedoku_slide")
    certain = sorted(card for card in CARDS if found[card]["plum_player"] > 1.0 - 1e-12)
    assert certain == sorted(expected["must_hold"]) == ["lead pipe", "wrench"]


# -- notebooks: the tests of another solver


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_leaves_as_many_deals_as_were_counted(name: str):
    _, steps = counted(name)
    assert deals(steps[-1]) == EXPECTED[name]["computed"]["deals"]


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_gives_the_probabilities_that_were_counted(name: str):
    found = shares(name)
    for card, row in EXPECTED[name]["computed"]["probabilities"].items():
        for owner, probability in row.items():
            assert found[card][holder(owner)] == pytest.approx(probability, abs=SIX_DIGITS)


@pytest.mark.parametrize("name", NOTEBOOKS)
def test_a_notebook_gives_the_deductions_of_its_source(name: str):
    """Y: has it; n: does not; -: the source leaves it open, and so do all deals."""
    found = shares(name)
    marks = 0
    for owner, cells in EXPECTED[name]["expected_by_source"]["cells"].items():
        for card, mark in cells.items():
            probability = found[card][holder(owner)]
            if mark == "-":
                assert 0.0 < probability < 1.0 - 1e-9, (owner, card)
            else:
                expected = {"Y": 1.0, "n": 0.0}[mark]
                assert probability == pytest.approx(expected, abs=1e-12), (owner, card)
            marks += 1
    assert marks


def test_no_more_than_two_cards_of_the_case_file_follow_from_the_first_notebook():
    name = "gregstoll_add_card_expect_no_extras"
    found = shares(name)
    certain = {card for card in CARDS if found[card][CASE_FILE] > 1.0 - 1e-9}
    assert certain == set(EXPECTED[name]["expected_by_source"]["cells"]["cf"])


# -- four players: Ledford's simulated games, with the truth


@pytest.mark.parametrize("choice", ["random", "ignored"])
@pytest.mark.parametrize("name", LEDFORD)
def test_the_truth_stays_possible_after_every_event_for_every_seat(name: str, choice: str):
    record = records()[name]
    assert record.hands is not None
    truth = [
        *((card, owner) for owner, cards in record.hands.items() for card in cards),
        *((card, CASE_FILE) for card in record.case_file or ()),
    ]
    for viewer in record.players:
        game = record.seen_by(viewer)
        belief = ClueDeclaration(game, choice)
        posterior = belief.infer(method="card_by_card")
        place = belief.case_file.values.index(record.case_file)
        for seen in game.events:
            posterior = posterior.observe(belief.evidence(seen))
            assert posterior.distribution(belief.case_file)[place] > 0.0, (viewer, seen.number)
            found = posterior.table(belief.cards)
            assert all(found[card][owner] > 0.0 for card, owner in truth), (viewer, seen.number)


# -- the first refutation of a game of three: which card was shown matters


OWN = ("scarlet", "knife", "kitchen", "ballroom", "conservatory", "library")
SUGGESTED = ("mustard", "rope", "study")


@pytest.mark.parametrize(
    "choice, also_holds_the_weapon, weapon_in_case_file",
    [("ignored", 0.3636, 0.2000), ("random", 0.2406, 0.2424)],
)
def test_the_first_refutation_of_a_game_of_three(
    choice: str, also_holds_the_weapon: float, weapon_in_case_file: float
):
    """Own hand: four rooms, a suspect, a weapon; none of them suggested; the suspect is shown."""
    suspect, weapon, _ = SUGGESTED
    players = (("me", 6), ("refuter", 6), ("other", 6))
    event = Suggestion("me", SUGGESTED, refuter="refuter", shown=suspect)
    game = SeenClue(
        players=("me", "refuter", "other"),
        hand_sizes=players,
        viewer="me",
        own_hand=OWN,
        events=(witness(1, "me", event),),
    )
    belief = ClueDeclaration(game, choice)
    found = belief.infer(game, method="card_by_card").table(belief.cards)
    assert found[weapon]["refuter"] == pytest.approx(also_holds_the_weapon, abs=5e-5)
    assert found[weapon][CASE_FILE] == pytest.approx(weapon_in_case_file, abs=5e-5)

    total, held, in_case_file = by_hand(weighed=choice == "random")
    assert found[weapon]["refuter"] == pytest.approx(held / total, abs=1e-12)
    assert found[weapon][CASE_FILE] == pytest.approx(in_case_file / total, abs=1e-12)


def by_hand(*, weighed: bool) -> tuple[float, float, float]:
    """All 115,500 deals one by one: total weight, and that with the weapon in either place."""
    suspect, weapon, room = SUGGESTED
    unseen = [card for card in CARDS if card not in OWN]
    total = held = in_case_file = 0.0
    listed = 0
    for case_file in itertools.product(SUSPECTS, WEAPONS, ROOMS):
        if set(case_file) & set(OWN):
            continue
        rest = [card for card in unseen if card not in case_file]
        for hand in itertools.combinations(rest, 6):
            listed += 1
            if suspect not in hand:
                continue
            could_show = 1 + (weapon in hand) + (room in hand)
            weight = 1.0 / could_show if weighed else 1.0
            total += weight
            held += weight * (weapon in hand)
            in_case_file += weight * (weapon in case_file)
    assert listed == 115_500
    return total, held, in_case_file


# -- sizes of the exact problem


@pytest.mark.parametrize(
    "players, seat, unseen, known",
    [
        (3, 0, (1, 1, 4), 115_500),
        (4, 0, None, 13_513_500),
        (4, 3, None, 45_405_360),
        (5, 0, None, 756_756_000),
        (5, 4, None, 3_405_402_000),
        (6, 0, None, 36_324_288_000),
        (6, None, None, 44_460_928_512_000),
    ],
)
def test_as_many_deals_as_the_rules_allow(
    players: int, seat: int | None, unseen: tuple[int, int, int] | None, known: int
):
    """The number of deals for the hand that leaves most of them open (a spectator: none)."""
    sizes = [18 // players + (place < 18 % players) for place in range(players)]
    names = tuple(f"p{place}" for place in range(players))
    most = 0
    size = 0 if seat is None else sizes[seat]
    shapes = [unseen] if unseen else list(itertools.product(range(size + 1), repeat=3))
    for shape in shapes:
        if sum(shape) != size or any(
            count >= len(kind)
            for count, kind in zip(shape, (SUSPECTS, WEAPONS, ROOMS), strict=True)
        ):
            continue
        own = (*SUSPECTS[: shape[0]], *WEAPONS[: shape[1]], *ROOMS[: shape[2]])
        game = SeenClue(
            players=names,
            hand_sizes=tuple(zip(names, sizes, strict=True)),
            viewer="spectator" if seat is None else names[seat],
            own_hand=own,
        )
        belief = ClueDeclaration(game, "ignored")
        posterior = belief.infer(method="card_by_card")
        assert posterior.log_evidence == pytest.approx(0.0, abs=1e-9)
        expected = posterior.table(belief.cards)
        assert np.isclose(sum(expected[card][CASE_FILE] for card in CARDS), 3.0, atol=1e-12)
        most = max(most, deals(posterior))
    assert most == known
