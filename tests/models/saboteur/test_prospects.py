"""What decides a round, and the evaluation: counted by hand, and what must be so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sleuth.games.saboteur import GOLD, card_name, saboteur
from sleuth.models.saboteur import prospects as kernels
from sleuth.models.saboteur.cards import weights
from sleuth.models.saboteur.state import KINDS, MINER, SABOTEUR, place_code

TIGHT = saboteur("tight")
CARD = {card_name(kind): kind for kind in range(KINDS)}


def begun(**hands: list[str]) -> Any:
    """A first move: players 1 to 3 are miners, 4 and 5 saboteurs, the gold lies in the middle."""
    states = TIGHT.initial(1)
    state: Any = states[0]
    state.roles[:5] = [MINER, MINER, MINER, SABOTEUR, SABOTEUR]
    state.goals[:] = [1, GOLD, 2]
    state.hands[:] = -1
    for player, cards in hands.items():
        kinds = sorted(CARD[card] for card in cards)
        state.hands[int(player[1:]) - 1, : len(kinds)] = kinds
    return states


def found(states: Any) -> Any:
    values = np.zeros(kernels.PROSPECTS)
    kernels.prospects(states[0], TIGHT.tables, values)
    return values


def worth(states: Any, player: int) -> float:
    return TIGHT.advice.evaluations["prospects"](states[0], player, TIGHT.tables)


def test_the_table_has_a_weight_for_each() -> None:
    assert len(weights()) == kernels.PROSPECTS
    assert TIGHT.tables.weights.tolist() == weights()


def test_a_first_move_counted_by_hand() -> None:
    values = found(begun(p1=["EW", "dead NESW", "map"], p2=["NS"], p4=["dead EW", "EW"]))
    # Seven cells lie between the start and the gold; the others are two rows aside.
    assert values[kernels.MISSING] == values[kernels.TO_NEAREST] == 7
    assert values[kernels.MISSING_SQUARED] == pytest.approx(4.9)
    assert values[kernels.ROUNDS_LEFT] == 67 / 5
    assert values[kernels.FOR_EACH_TURN] == pytest.approx(7 / (1 + 3 * 67 / 5))
    # East of the start EW goes on, and the dead end of a saboteur fits; NS fits nowhere on the way.
    assert (values[kernels.CAN_GO_ON], values[kernels.CAN_BLOCK]) == (1, 1)
    assert values[kernels.MINERS_PASSAGES] == 2
    assert values[kernels.SABOTEURS_ENDS] == 1
    assert values[kernels.KNOW] == 0
    assert values[kernels.FREE_SABOTEURS] == 1


def test_who_knows_the_gold_and_what_was_said() -> None:
    states = begun()
    state: Any = states[0]
    state.looked[:4] = [0b010, 0b101, 0b001, 0b010]  # the gold; both stones; one stone; a saboteur
    state.claims[0, 1], state.claims[3, 0], state.claims[4, 1] = 1, 1, 2
    values = found(states)
    assert values[kernels.KNOW] == pytest.approx(2 / 3)
    assert values[kernels.SAID_GOLD] == 0  # one true, one false
    assert values[kernels.SAID_STONE] == -1


def test_both_sides_share_what_there_is_and_what_helps_one_harms_the_other() -> None:
    hands = {"p1": ["EW"], "p2": ["NESW"], "p4": ["dead NESW"]}
    states = begun(**hands)
    before = worth(states, 0)
    assert before == worth(states, 1) == pytest.approx(-worth(states, 4))
    assert -1 < before < 1
    ahead = begun(**hands)
    TIGHT.apply(ahead[0], place_code(CARD["EW"], 0, 19), TIGHT.tables, np.ones(1, np.uint64))
    assert worth(ahead, 0) > before
    broken = begun(**hands)
    broken[0].broken[0] = 1
    assert worth(broken, 0) < before
    ended = begun(**hands)
    TIGHT.apply(ended[0], place_code(CARD["EW"], 0, 19), TIGHT.tables, np.ones(1, np.uint64))
    ended[0].board[19] = 1 + 2 * CARD["dead EW"]
    assert worth(ended, 3) > worth(ahead, 3)


@pytest.mark.parametrize("pay, most", [("sides", 1), ("equal", 1), ("gold", 12)])
def test_it_speaks_the_units_of_the_pay(pay: Any, most: int) -> None:
    game = saboteur("tight", pay=pay)
    for seed in range(3):
        state = game.initial(seed)[0]
        for player in range(5):
            value = game.advice.evaluations["prospects"](state, player, game.tables)
            assert game.lowest <= value <= min(most, game.highest)
