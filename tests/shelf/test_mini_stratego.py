"""Mini Stratego: fights, runs, and what is known of pieces that moved, were shown, or did not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from sleuth import SPECTATOR, Game, Play, SleuthError, belief, game
from sleuth.answers import as_text
from sleuth.kit import Sight, display
from sleuth.shelf.mini_stratego import KINDS, LETTERS, outcome

from .plain_worlds import PlainWorld, plain_worlds, shares

pytestmark = pytest.mark.usefixtures("plain_python")

#: Small enough for all worlds to be written out.
SMALL: tuple[dict[str, Any], ...] = (
    {"columns": 2, "army": "F23M", "moves": 20},
    {"columns": 2, "army": "FB23", "moves": 30},
    {"columns": 3, "army": "F2M", "moves": 20},
)
MOVES, ASKED = 7, 2
#: Of boards of so many squares, here.
COLUMNS = {10: 2, 9: 3, 15: 3}


def begin(squares: int, pieces: int) -> list[str]:
    """The squares where pieces begin, red's and then blue's."""
    columns = COLUMNS[squares]
    names = [f"{'abc'[at % columns]}{1 + at // columns}" for at in range(squares)]
    return names[:pieces] + names[::-1][:pieces]


def keeps(play: Play) -> None:
    """All kinds are there; pieces on the board once, those that moved or are gone as they must."""
    state, army = play.truth()[0], play.game.tables.army
    for own in (state.kinds[: len(army)], state.kinds[len(army) :]):
        assert sorted(own.tolist()) == army.tolist()
    there = state.board[state.board >= 0].tolist()
    assert len(there) == len({*there})
    for piece, (kind, sign) in enumerate(zip(state.kinds, state.signs, strict=True)):
        assert sign != 1 or kind > 1
        assert sign == 2 or piece in there
    assert state.moves == len(play.actions)
    for name, piece in zip(begin(len(state.board), len(army)), range(2 * len(army)), strict=True):
        square = "abc".index(name[0]) + COLUMNS[len(state.board)] * (int(name[1]) - 1)
        assert state.signs[piece] or state.board[square] == piece
    flags = [piece for piece, kind in enumerate(state.kinds.tolist()) if kind == 0]
    lost = [number for number, flag in enumerate(flags) if flag not in there]
    if play.over:
        stuck = play.game.action_name(play.actions[-1]) == "cannot move"
        assert lost or stuck or len(play.actions) == play.game.max_depth
        winner = int(state.winner)
        assert lost in ([], [1 - winner])
        assert play.returns().tolist() == (
            [0, 0] if winner < 0 else [1 - 2 * winner, 2 * winner - 1]
        )
    else:
        assert not lost


def starts(made: Game) -> Iterator[tuple[float, Any]]:
    """Both armies set up in any way."""
    first, orders = made.initial(0), sorted({*permutations(made.tables.army.tolist())})
    for red, blue in product(orders, repeat=2):
        states = first.copy()
        states[0].kinds[:] = red + blue
        yield 1.0, states


def values(world: PlainWorld) -> Mapping[str, Any]:
    """The kind of each piece, called by where it began."""
    kinds = [KINDS[kind] for kind in world.state.kinds.tolist()]
    size = len(kinds) // 2
    squares = begin(len(world.state.board), size)
    names = [f"{('red', 'blue')[at >= size]} from {name}" for at, name in enumerate(squares)]
    return dict(zip(names, kinds, strict=True))


def fought(attacker: str, defender: str) -> str:
    """The pieces that are left of a fight, as the rules have it."""
    if attacker == defender:
        return ""
    if (attacker, defender) in (("spy", "marshal"), ("miner", "bomb")):
        return attacker
    ranks = ["flag", "spy", "scout", "miner", "general", "marshal", "bomb"]
    return max(attacker, defender, key=ranks.index)


def test_fights_end_as_the_rules_say() -> None:
    for attacker, kind in enumerate(KINDS[2:], 2):
        for defender, other in enumerate(KINDS):
            left = {1: kind, -1: other, 0: ""}[outcome(attacker, defender)]
            assert left == fought(kind, other)


def set_up(red: str, blue: str, moves: str, columns: int = 3) -> Play:
    """A play of armies that stand so, from a1 and from the last square, with these moves."""
    made = game("mini_stratego", columns=columns, army=red)
    states = made.initial(0)
    states[0].kinds[:] = [LETTERS.index(each) for each in red + blue]
    play = Play.new(made, seed=0).supposing(states)
    for name in moves.split():
        codes = {made.action_name(code): code for code in play.legal().tolist()}
        play.apply(codes[name])
    return play


def shown(play: Play, viewer: int) -> dict[str, dict[str, float]]:
    """What a viewer believes of each piece."""
    posterior = belief(play.game).infer(play.view(viewer), play.seen_by(viewer))
    hidden = belief(play.game).hidden(play.view(viewer))
    return {
        name: {kind: share for kind, share in posterior.marginal(piece).items() if share}
        for name, piece in hidden.items()
    }


def test_a_scout_that_runs_is_known_and_one_that_steps_is_not() -> None:
    moves = "a1-a2 c3-c2 a2-a1"
    one_step = shown(set_up("2FM", "2FM", moves), 0)
    assert one_step["blue from c3"] == pytest.approx({"scout": 1 / 2, "marshal": 1 / 2})
    assert one_step["blue from b3"]["flag"] == pytest.approx(1 / 2)
    run = shown(set_up("2FM", "2FM", f"{moves} c2-a2"), 0)
    assert "blue from c3" not in run
    assert run["blue from a3"] == pytest.approx({"flag": 1 / 2, "marshal": 1 / 2})


def test_both_pieces_of_a_fight_are_shown_and_the_higher_stays() -> None:
    play = set_up("2FM", "2FM", "c1-c2 a3-a2 c2-c3")
    state = play.truth()[0]
    assert state.board[8] == 2
    assert 3 not in state.board
    assert {*shown(play, 1)} == {"red from a1", "red from b1"}
    assert shown(play, 0) == {
        "blue from b3": pytest.approx({"flag": 1}), "blue from a3": pytest.approx({"marshal": 1})
    }  # fmt: skip


def test_who_takes_the_flag_wins_and_all_is_shown() -> None:
    play = set_up("2FM", "2FM", "a1-a2 c3-c2 a2-b2 c2-c1 b2-b3")
    assert play.returns().tolist() == [1, -1]
    assert shown(play, 0) == shown(play, SPECTATOR) == {}


def test_who_cannot_move_has_lost() -> None:
    play = set_up("F2B", "F2B", "b1-b3")
    assert [play.game.action_name(code) for code in play.legal().tolist()] == ["cannot move"]
    assert "b1" not in shown(play, 0)
    play.apply(int(play.legal()[0]))
    assert play.returns().tolist() == [1, -1]


def test_moves_tell_no_more_than_what_can_move() -> None:
    made, rng = game("mini_stratego", **SMALL[0]), np.random.default_rng(5)
    compared = 0
    for seed in range(4):
        play = Play.new(made, seed=seed)
        for _ in range(1 + seed):
            if not play.over:
                play.apply(int(rng.choice(play.legal())))
        for viewer in (0, 1, SPECTATOR):
            hidden = belief(made).hidden(play.view(viewer))
            known = belief(made).infer(play.view(viewer), play.seen_by(viewer))
            worlds = plain_worlds(play, viewer, starts(made), lambda _, codes: [1.0] * len(codes))
            wanted = shares(worlds, values)
            for name, feature in hidden.items():
                compared += 1
                found = {kind: share for kind, share in known.marginal(feature).items() if share}
                assert found == pytest.approx(wanted[name])
    assert compared > 30


def test_fights_are_told_in_words_and_the_board_shows_what_is_known() -> None:
    play = set_up("2FM", "2FM", "c1-c2 a3-a2 c2-c3")
    words, sight = display(play.game), Sight.of(play, 0, (0,))
    assert words.happened(sight, 0)[-1] == ("you: c2-c3: the marshal strikes the scout, and wins")
    board = as_text(*words.situation(sight))
    assert [line.split() for line in board.splitlines()[:3]] == [
        ["3", ".", "b?", "rM"], ["2", "b!", ".", "."], ["1", "r2", "rF", "."]
    ]  # fmt: skip


@pytest.mark.parametrize(
    "settings", [{"army": "BS"}, {"army": "FXM"}, {"army": "F2M2"}, {"columns": 1}, {"moves": 0}]
)
def test_armies_that_cannot_be_are_refused(settings: Mapping[str, Any]) -> None:
    with pytest.raises(SleuthError, match=r"is out of range|no such army"):
        game("mini_stratego", **settings)
