"""What a start or an observation tells beyond what is believed is found; other things are not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from sleuth import Game, below, check_game, kernel
from sleuth.games.small import KuhnPokerBelief
from sleuth.kit import SeenPlay, View
from sleuth.models.small import kuhn_poker as kuhn
from sleuth.models.small import leduc_poker as leduc
from sleuth.planners.checking.guarded_kernels import ConformanceError
from sleuth.planners.checking.start_leaks import find_leak


def with_hint(game: Game, fields: Any) -> Game:
    return replace(game, state=np.dtype([*fields.descr, ("hint", np.int32)]))


KUHN = with_hint(kuhn.kuhn_poker(), kuhn.kuhn_poker().state)
LEDUC = with_hint(leduc.leduc_poker(), leduc.leduc_poker().state)


@kernel
def start_with_a_copy(state: Any, tables: Any, random: Any) -> None:
    kuhn.start(state, tables, random)
    state.hint = state.cards[0]


@kernel
def start_with_a_comparison(state: Any, tables: Any, random: Any) -> None:
    kuhn.start(state, tables, random)
    state.hint = 1 if state.cards[0] > state.cards[1] else 0


@kernel
def start_with_a_die(state: Any, tables: Any, random: Any) -> None:
    kuhn.start(state, tables, random)
    state.hint = below(random, 6)


@kernel
def start_with_a_pair(state: Any, tables: Any, random: Any) -> None:
    leduc.start(state, tables, random)
    state.hint = 1 if state.table == state.cards[1] else 0


@pytest.mark.parametrize(
    "broken",
    [
        replace(KUHN, start=start_with_a_copy),
        replace(KUHN, start=start_with_a_comparison),
        replace(LEDUC, start=start_with_a_pair),
    ],
    ids=["copy", "comparison", "pair"],
)
def test_a_public_field_that_is_filled_from_the_deal_is_found(broken: Game) -> None:
    with pytest.raises(ConformanceError, match="let mask hide it") as found:
        check_game(broken)
    assert found.value.check == "dealt"


def test_a_public_die_that_nothing_depends_on_is_no_leak() -> None:
    assert "dealt" in check_game(replace(KUHN, start=start_with_a_die)).checks


class ReadsTheHint(KuhnPokerBelief):
    """The copy is meant to be seen: a card turned up."""

    def known(self, view: View, seen: SeenPlay) -> tuple[int, int]:
        cards = list(super().known(view, seen))
        cards[0] = int(view.states[0].hint)
        return cards[0], cards[1]


def test_what_the_belief_reads_is_no_leak() -> None:
    assert "dealt" in check_game(replace(KUHN, start=start_with_a_copy), ReadsTheHint()).checks


def test_a_belief_that_is_wrong_whatever_is_seen_is_no_leak() -> None:
    rng = np.random.default_rng(0)
    dealt = np.column_stack((rng.integers(2, size=400), rng.integers(2, size=400)))
    views = np.column_stack((dealt[:, 0], np.full(400, -1_000_003)))
    imagined = np.repeat(dealt[:, None], 8, axis=1)
    imagined[:, :, 1] = rng.random((400, 8)) < 0.8
    assert find_leak(views, dealt, imagined) is None
    imagined[:, :, 1] = rng.integers(2, size=(400, 8))
    dealt[:, 1] = dealt[:, 0]
    leak = find_leak(views, dealt, imagined)
    assert leak is not None
    assert (leak.seen, leak.hidden) == (0, 1)


# Observations


@kernel
def observe_the_others_card(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    told = kuhn.observe(state, action, mover, viewer, tables)
    return told + 100 * (1 + state.cards[1 - mover]) if viewer == mover else told


@kernel
def observe_the_movers_card(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    told = kuhn.observe(state, action, mover, viewer, tables)
    return told + 100 * (1 + state.cards[mover]) if viewer == 1 - mover else told


@kernel
def observe_the_card_on_the_table(
    state: Any, action: int, mover: int, viewer: int, tables: Any
) -> int:
    told = leduc.observe(state, action, mover, viewer, tables)
    return told + 100 * (1 + state.table) if viewer == mover else told


@pytest.mark.parametrize(
    "broken, field",
    [
        (replace(kuhn.kuhn_poker(), observe=observe_the_others_card), "cards"),
        (replace(kuhn.kuhn_poker(), observe=observe_the_movers_card), "cards"),
        (replace(leduc.leduc_poker(), observe=observe_the_card_on_the_table), "table"),
    ],
    ids=["mover", "other", "table"],
)
def test_an_observation_that_tells_what_is_hidden_is_found(broken: Game, field: str) -> None:
    with pytest.raises(ConformanceError, match=f"observe reads '{field}', which mask hides") as got:
        check_game(broken)
    assert got.value.check == "told"
