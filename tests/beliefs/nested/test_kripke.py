"""Kripke models of beliefs: laws of their relations, and formulas against a slow reading."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sleuth import HIDDEN, Play, Posterior, game
from sleuth.beliefs.nested import kripke
from sleuth.beliefs.nested.formulas import And, Everybody, Not
from sleuth.beliefs.nested.kripke import (
    HALF,
    Rule,
    euclidean,
    reflexive,
    serial,
    symmetric,
    transitive,
)
from sleuth.beliefs.nested.worlds import every_world
from sleuth.errors import ContradictionError, CostError, SettingsError
from sleuth.games.small import KuhnPokerBelief
from sleuth.nested import (
    Believes,
    Common,
    Fact,
    Knows,
    KripkeModel,
    Nesting,
    absolute,
    draw_model,
    relative,
)

PLAYERS = ("first", "second")
KD45 = {"serial", "transitive", "euclidean"}


def kuhn(rule: Rule = HALF) -> KripkeModel:
    """All six deals: nobody has told anything."""
    return KripkeModel.of(Nesting(KuhnPokerBelief()), (HIDDEN, HIDDEN), PLAYERS, rule=rule)


def test_what_a_mind_holds_possible_is_listed_once(monkeypatch: pytest.MonkeyPatch) -> None:
    listed: list[Posterior] = []

    def noted(posterior: Posterior, **most: int) -> Any:
        listed.append(posterior)
        return every_world(posterior, **most)

    monkeypatch.setattr(kripke, "every_world", noted)
    model = kuhn()
    # A spectator's, and those of two players who hold one of three cards: not two in six worlds.
    assert len(listed) == 1 + 2 * 3
    assert all(len(np.unique(table, axis=0)) == 3 for table in model.plausibility)


def has(player: int, card: str) -> Fact:
    view = Play.new(game("kuhn_poker"), seed=0).view(-1)
    return Fact(KuhnPokerBelief().hidden(view)[f"card of {PLAYERS[player]}"].equals(card))


def test_cards_are_known_as_far_as_they_are_seen() -> None:
    model = kuhn()
    king = has(0, "king")
    assert len(model.worlds) == 6
    assert (Knows(0, king).truth(model) == king.truth(model)).all()
    # The second player is sure of it in no world, and sure that it is not so with the king.
    assert not Believes(1, king).truth(model).any()
    assert (Knows(1, ~king).truth(model) == has(1, "king").truth(model)).all()
    # With one of two cards in hand, they believe the other of two once the third is ruled out.
    assert Believes(1, king, given=~has(0, "jack")).truth(model)[has(1, "queen").truth(model)].all()


def test_that_each_knows_their_own_card_is_common_knowledge() -> None:
    model = kuhn()
    for player in (0, 1):
        for card in ("jack", "queen", "king"):
            mine = has(player, card)
            knows = Knows(player, mine) | Knows(player, ~mine)
            assert Common(knows, knows=True).truth(model).all()
            assert not Common(mine, knows=True).truth(model).any()


@pytest.mark.parametrize("rule", [relative(0.5), relative(1.0), relative(1e-9)])
def test_relative_belief_is_kd45_and_knowledge_s5(rule: Rule) -> None:
    model = kuhn(rule)
    for laws in model.properties().values():
        assert {law for law, obeyed in laws.items() if obeyed} >= KD45
    for relation in model.possible:
        assert [test(relation) for test in (reflexive, symmetric, transitive)] == [True] * 3


def test_an_absolute_threshold_can_leave_nothing_to_believe() -> None:
    """What "Saboteurs" (2012) risks: then a player believes everything, and its contrary."""
    model = kuhn(absolute(0.6))
    assert not any(laws["serial"] for laws in model.properties().values())
    king = has(0, "king")
    assert Believes(1, And(king, ~king)).truth(model).all()
    assert not Believes(1, And(king, ~king)).truth(model.with_rule(relative(1.0))).any()


@st.composite
def models(draw: st.DrawFn) -> KripkeModel:
    """Players who see a part of the world, as every belief of ours makes them."""
    worlds = draw(st.integers(1, 6))
    prior = np.array(draw(st.lists(st.integers(1, 5), min_size=worlds, max_size=worlds)), float)
    tables: list[np.ndarray] = []
    for _ in range(2):
        cells = np.array(draw(st.lists(st.integers(0, 2), min_size=worlds, max_size=worlds)))
        same = cells[:, None] == cells[None, :]
        shares = same * prior
        tables.append(shares / shares.sum(axis=1, keepdims=True))
    rule = draw(st.sampled_from([relative(1.0), relative(0.5), relative(1e-9), absolute(0.3)]))
    return KripkeModel(tuple(range(worlds)), PLAYERS, np.array(tables), rule)


@given(models())
def test_every_belief_made_from_what_players_see_is_k45_and_serial_if_relative(
    model: KripkeModel,
) -> None:
    for laws in model.properties().values():
        obeyed = {law for law, holds in laws.items() if holds}
        assert obeyed >= (KD45 if model.rule.relative else KD45 - {"serial"})


def slowly(model: KripkeModel, formula: object, world: int) -> bool:
    """A formula as its definition reads, world by world."""

    def led(player: int | str, at: int, knows: bool = False) -> list[int]:
        relation = (model.possible if knows else model.believed)[model.player(player)]
        return [to for to in range(len(model.worlds)) if relation[at, to]]

    match formula:
        case Fact():
            assert isinstance(formula.by_world, tuple)
            return formula.by_world[world]
        case Not():
            return not slowly(model, formula.what, world)
        case And():
            return slowly(model, formula.one, world) and slowly(model, formula.other, world)
        case Believes(given=None):
            return all(slowly(model, formula.what, to) for to in led(formula.player, world))
        case Believes():
            plausible = {
                to: model.plausibility[model.player(formula.player), world, to]
                for to in led(formula.player, world, knows=True)
                if formula.given is not None and slowly(model, formula.given, to)
            }
            least = model.rule.least
            if model.rule.relative:
                least *= max(plausible.values(), default=0.0)
            return all(slowly(model, formula.what, to) for to, p in plausible.items() if p >= least)
        case Knows():
            return all(slowly(model, formula.what, to) for to in led(formula.player, world, True))
        case Everybody():
            return all(
                slowly(model, formula.what, to)
                for player in range(2)
                for to in led(player, world, formula.knows)
            )
        case Common():
            reached: set[int] = set()
            new = {to for player in range(2) for to in led(player, world, formula.knows)}
            while new:
                reached |= new
                new = {
                    to for at in new for player in range(2) for to in led(player, at, formula.knows)
                } - reached
            return all(slowly(model, formula.what, to) for to in reached)
    raise AssertionError(formula)


def formulas(worlds: int) -> st.SearchStrategy[object]:
    facts = st.lists(st.booleans(), min_size=worlds, max_size=worlds).map(
        lambda truth: Fact("a", tuple(truth))
    )
    players = st.integers(0, 1)
    return st.recursive(
        facts,
        lambda of: st.one_of(
            st.builds(Not, of),
            st.builds(And, of, of),
            st.builds(Believes, players, of, st.none() | of),
            st.builds(Knows, players, of),
            st.builds(Everybody, of, st.booleans()),
            st.builds(Common, of, st.booleans()),
        ),
        max_leaves=4,
    )


@given(st.data())
def test_formulas_are_true_where_their_definition_says(data: st.DataObject) -> None:
    model = data.draw(models())
    formula = data.draw(formulas(len(model.worlds)))
    fast = formula.truth(model)  # type: ignore[attr-defined]
    assert fast.tolist() == [slowly(model, formula, at) for at in range(len(model.worlds))]


@given(st.lists(st.lists(st.booleans(), min_size=4, max_size=4), min_size=4, max_size=4))
def test_laws_are_what_their_definitions_say(lines: list[list[bool]]) -> None:
    relation = np.array(lines)
    every = range(4)
    assert serial(relation) == all(any(line) for line in lines)
    assert reflexive(relation) == all(lines[a][a] for a in every)
    assert symmetric(relation) == all(lines[a][b] == lines[b][a] for a in every for b in every)
    assert transitive(relation) == all(
        lines[a][c] or not (lines[a][b] and lines[b][c])
        for a in every
        for b in every
        for c in every
    )
    assert euclidean(relation) == all(
        lines[b][c] or not (lines[a][b] and lines[a][c])
        for a in every
        for b in every
        for c in every
    )


def test_a_small_model_is_drawn(tmp_path: Path) -> None:
    path = draw_model(kuhn(), tmp_path / "model.png", actual=0)
    assert path.read_bytes().startswith(b"\x89PNG")
    many = KripkeModel(tuple(range(30)), ("one",), np.ones((1, 30, 30)))
    with pytest.raises(CostError, match="at most 24 worlds"):
        draw_model(many, tmp_path / "many.png")
    assert not (tmp_path / "many.png").exists()


def test_a_model_begins_with_what_everybody_knows() -> None:
    with pytest.raises(ContradictionError, match="begin with what everybody knows"):
        KripkeModel.of(Nesting(KuhnPokerBelief()), (2, HIDDEN), PLAYERS)


def test_bad_numbers_are_refused() -> None:
    with pytest.raises(SettingsError, match="a share is above 0"):
        relative(0.0)
    with pytest.raises(SettingsError, match="shape"):
        KripkeModel(("a",), PLAYERS, np.ones((1, 1, 1)))
    with pytest.raises(SettingsError, match="not negative"):
        KripkeModel(("a",), ("one",), -np.ones((1, 1, 1)))
    with pytest.raises(SettingsError, match="needs a truth value"):
        Fact("a", (True,)).truth(kuhn())
    with pytest.raises(SettingsError, match="has no belief"):
        has(0, "king").truth(KripkeModel(("a",), ("one",), np.ones((1, 1, 1))))
