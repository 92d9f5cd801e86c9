"""What an action says about its player, and what it is to them: in mines drawn by hand."""

from __future__ import annotations

import numpy as np

from sleuth import Game
from sleuth.games.saboteur import saboteur
from sleuth.models.saboteur import signs, uses
from sleuth.models.saboteur.advice import worth_of_path
from sleuth.models.saboteur.mine import FAR, distances
from sleuth.models.saboteur.rules import act_openly
from sleuth.models.saboteur.state import MOST_CELLS

from .situations import TIGHT, code_of, drawn

#: From a1 a way leads nowhere, for b1 has a wall there. a4 and b3 are dead ends.
NO_WAY = """
    .  NS . . . . . . ?
    NS .  . . . . . . .
    S  xW . . . . . . ?
    xN .  . . . . . . .
    .  .  . . . . . . ?
"""
#: The same, and a way is left to the east.
A_WAY = NO_WAY.replace("xW", "EW")
#: A bit of a mine that is joined to nothing. From c2 it is as far to a goal as from the start.
APART = """
    .  .  NS . . . . . ?
    .  .  .  . . . . . .
    S  .  .  . . . . . ?
    .  .  .  . . . . . .
    .  .  .  . . . . . ?
"""
DEAD_END = ("dead NS",)


def sign(picture: str, name: str, hand: tuple[str, ...], game: Game = TIGHT) -> int:
    """The row of the only sign of an action; -1 for none."""
    before = drawn(picture, hand, game=game)
    after, code = before.copy(), code_of(name, before, game)
    act_openly(after[0], code, game.tables)
    found = np.zeros((signs.MOST_SIGNS, 3), dtype=np.int32)
    count = signs.signs_of(before[0], after[0], 0, code, game.tables, found)
    assert count <= 1
    return int(found[0, 0]) if count else -1


def use(picture: str, name: str, hand: tuple[str, ...], game: Game = TIGHT) -> int:
    """What an action is to somebody who expects the gold at any goal."""
    states = drawn(picture, hand, game=game)
    actions = np.array([code_of(name, states, game)], dtype=np.int32)
    found = np.zeros((2, 1), dtype=np.int32)
    uses.uses_of(states[0], actions, 1, 0b111, game.tables, found[0], found[1])
    return int(found[0, 0])


def worth(picture: str, name: str, hand: tuple[str, ...], *, saboteur: bool) -> int:
    """How much a player of a playout likes a path card."""
    states, steps = drawn(picture, hand), np.empty(MOST_CELLS, dtype=np.int32)
    distances(states[0], 0b111, TIGHT.tables, steps)
    assert (steps[TIGHT.tables.rules[0].start] == FAR) == (picture == NO_WAY)
    return int(worth_of_path(states[0], code_of(name, states), steps, saboteur, TIGHT.tables))


def test_where_no_way_is_left_no_dead_end_is_on_the_shortest() -> None:
    assert sign(NO_WAY, "dead NS a1", DEAD_END) == signs.DEAD_END
    assert use(NO_WAY, "dead NS a1", DEAD_END) == uses.LAY_END
    assert worth(NO_WAY, "dead NS a1", DEAD_END, saboteur=True) == 1
    assert worth(NO_WAY, "dead NS a1", DEAD_END, saboteur=False) == -3


def test_a_dead_end_on_the_shortest_way_is_one() -> None:
    for picture, cell in ((A_WAY, "c3"), (NO_WAY.replace("xW", "."), "b3")):
        hand = ("dead EW",)
        assert sign(picture, f"dead EW {cell}", hand) == signs.DEAD_END_ON_WAY
        assert use(picture, f"dead EW {cell}", hand) == uses.LAY_END_ON_WAY
    assert worth(A_WAY, "dead EW c3", ("dead EW",), saboteur=True) == 4
    # The same card where nothing leads to a goal, while a way is left elsewhere.
    assert sign(A_WAY, "dead NS a1", DEAD_END) == signs.DEAD_END


def test_where_no_way_is_left_a_rockfall_that_opens_none_clears_nothing() -> None:
    ended = NO_WAY.replace(".  NS", "xNS NS")
    assert sign(ended, "rockfall a1", ("rockfall",)) == -1
    assert use(ended, "rockfall a1", ("rockfall",)) == uses.DIG_ELSE
    assert sign(ended, "rockfall b3", ("rockfall",)) == signs.CLEARED
    assert use(ended, "rockfall b3", ("rockfall",)) == uses.DIG_CLEARS


def test_what_is_joined_to_nothing_is_on_no_shortest_way() -> None:
    game = saboteur("tight", placing="extends")
    assert sign(APART, "dead NS c2", DEAD_END, game) == signs.DEAD_END
    assert use(APART, "dead NS c2", DEAD_END, game) == uses.LAY_END
