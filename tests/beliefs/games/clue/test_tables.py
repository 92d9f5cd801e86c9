"""Tables of cards and holders: never wrong where they are sure, and Ledford's as published."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth.beliefs.games.clue import tables
from sleuth.games.clue import CARDS, ClueDeclaration, ClueRecord, simulate
from sleuth.models.clue.cards import POSITION
from sleuth.models.clue.editions import CLASSIC

PLAYERS = ("Ada", "Bob", "Cleo", "Dan")


def _game(*events: dict[str, object]) -> ClueRecord:
    return ClueRecord.from_json(
        {
            "game": "clue",
            "players": [*PLAYERS],
            "hand_sizes": [4, 4, 4, 4],
            "observer": "Ada",
            "own_hand": ["green", "rope", "hall", "study"],
            "face_up": ["mustard", "wrench"],
            "events": [*events],
        }
    )


@pytest.mark.parametrize("seed", range(6))
def test_tables_are_never_wrong_where_they_are_sure(seed: int) -> None:
    record = simulate(4, np.random.default_rng(seed), turns=14)
    game = record.seen_by("p2")
    belief = ClueDeclaration(game)
    posterior = belief.infer(game)
    for table in (tables.notebook(game), tables.factored(game)):
        assert table.sum(axis=1) == pytest.approx(np.ones(21))
        for card, where in enumerate(CARDS):
            chances = posterior.marginal(belief.cards.holder_of(where))
            for column, holder in enumerate((*game.players, "case file")):
                if table[card, column] > 1 - 1e-9:
                    assert chances.get(holder, 0.0) == pytest.approx(1.0)
                if table[card, column] == 0.0:
                    assert chances.get(holder, 0.0) == pytest.approx(0.0)


def test_a_factored_table_balances_hands_and_the_case_file() -> None:
    game = simulate(4, np.random.default_rng(3), turns=6).seen_by("p1")
    table = tables.factored(game)
    assert table[:, :4].sum(axis=0) == pytest.approx([5, 5, 4, 4], abs=0.05)
    assert [table[kind, -1].sum() for kind in CLASSIC.parts] == pytest.approx([1, 1, 1], abs=0.05)


def test_the_notebook_finds_the_one_card_that_is_left() -> None:
    events = [
        {"type": "suggest", "by": "Bob", "cards": ["plum", "knife", "kitchen"], "refuter": "Dan"},
        {"type": "suggest", "by": "Dan", "cards": ["plum", "knife", "hall"], "refuter": "Ada",
         "shown": "hall"},
        {"type": "suggest", "by": "Cleo", "cards": ["plum", "knife", "lounge"], "refuter": None},
    ]  # fmt: skip
    table = tables.notebook(_game(*events).seen_by("Ada"))
    assert table[POSITION["kitchen"], 3] == 1.0


def test_ledfords_table_by_hand() -> None:
    events = [
        {"type": "suggest", "by": "Ada", "cards": ["plum", "knife", "kitchen"], "refuter": "Cleo",
         "shown": "plum"},
        {"type": "suggest", "by": "Bob", "cards": ["white", "knife", "lounge"], "refuter": "Dan"},
    ]  # fmt: skip
    table = tables.ledford(_game(*events).seen_by("Ada"))
    assert table[POSITION["plum"]].tolist() == [0, 0, 1, 0, 0]
    assert table[POSITION["mustard"]].sum() == 0.0  # face up
    assert table[POSITION["green"], 0] == 1.0
    # Bob passed before Cleo; 15 cards were unknown when Dan, then, showed one of three.
    unknown = 21 - 4 - 2 - 1
    third = unknown / 3
    knife = np.array([0, 0, 1 / 3, 1 / 3, 1 / 3]) * [1, 1, 0, third, 1]
    assert table[POSITION["knife"]] == pytest.approx(knife / knife.sum())
    white = np.array([0, 1 / 4, 0, third / 4, 1 / 4])
    white = np.array([0, 1 / 3, 0, 1 / 3, 1 / 3]) * [0, 1, 0, third, 1]
    assert table[POSITION["white"]] == pytest.approx(white / white.sum())


def test_independent_deals_have_one_case_file_and_show_what_lies_open() -> None:
    game = _game().seen_by("Ada")
    rows = tables.drawn(
        tables.factored(game), game.face_up, 200, np.random.default_rng(0), game.edition
    )
    for kind in CLASSIC.parts:
        assert ((rows[:, kind] == 4).sum(axis=1) == 1).all()
    assert (rows[:, [POSITION["mustard"], POSITION["wrench"]]] == 5).all()
    assert (rows[:, [POSITION[card] for card in game.own_hand]] == 0).all()
