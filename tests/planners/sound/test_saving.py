"""What was learned is kept in a file, and goes on from there as if it had not stopped."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sleuth
from sleuth import Budget
from sleuth.data.disk.bundles import bundled, unbundled
from sleuth.equilibria import GameTree, WholeGameSearch
from sleuth.errors import RecordError, SettingsError

KUHN = "kuhn_poker"
CARD = {"card.json": 2**16}


@pytest.mark.parametrize("method", ["external", "outcome", "smooth", "uct"])
@pytest.mark.parametrize("workers", [1, 2])
def test_a_run_goes_on_as_if_it_had_not_stopped(tmp_path: Path, method: str, workers: int) -> None:
    def begun(simulations: int) -> WholeGameSearch:
        made = WholeGameSearch("leduc_poker", method=method, seed=3, workers=workers)
        return made.run(Budget(simulations=simulations))

    file = begun(200).save(tmp_path / "half")
    assert file == tmp_path / "half.npz"
    half, whole = WholeGameSearch.load(file), begun(500)
    assert (half.simulations, half.sampling, half.seed) == (200, whole.sampling, 3)
    assert half.run(Budget(simulations=300)).simulations == whole.simulations
    half.save(tmp_path / "half")
    whole.save(tmp_path / "whole")
    found, expected = (contents(tmp_path / name) for name in ("half.npz", "whole.npz"))
    assert found[0].keys() == expected[0].keys()
    for name, array in expected[0].items():
        assert np.array_equal(found[0][name], array), name
    tree = GameTree("leduc_poker")
    policy, other = half.policy(tree), whole.policy(tree)
    assert all(np.array_equal(policy[index], other[index]) for index in policy)


def test_the_same_run_is_the_same_file_but_for_its_times(tmp_path: Path) -> None:
    learning = WholeGameSearch(KUHN, seed=1).run(Budget(simulations=50))
    first = learning.save(tmp_path / "one").read_bytes()
    assert WholeGameSearch.load(tmp_path / "one").save(tmp_path / "two").read_bytes() == first


def contents(path: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    arrays, texts = unbundled(path.read_bytes(), most=2**20, texts=CARD)
    return arrays, json.loads(texts["card.json"])


def changed(path: Path, change: Callable[[dict[str, Any], dict[str, Any]], object]) -> Path:
    """The file with something in it that should not be there."""
    arrays, card = contents(path)
    change(arrays, card)
    path.write_bytes(bundled(arrays, texts={"card.json": json.dumps(card)}))
    return path


@pytest.fixture
def kept(tmp_path: Path) -> Path:
    return WholeGameSearch(KUHN, seed=1).run(Budget(simulations=50)).save(tmp_path / "kept")


def at(name: str, value: float) -> Callable[[dict[str, Any], dict[str, Any]], object]:
    def change(arrays: dict[str, Any], card: dict[str, Any]) -> None:
        arrays[f"0/{name}"][-1] = value

    return change


@pytest.mark.parametrize(
    "change, said",
    [
        (at("blocks", 10**6), "blocks"),
        (at("blocks", -2), "blocks"),
        (at("actions", 2), "actions"),
        (at("actions", -1), "actions"),
        (at("players", 2), "players"),
        (at("parents", 10**6), "parents"),
        (at("values", np.nan), "not finite"),
        (at("squares", -1.0), "squares"),
        (at("counters", -1), "counters"),
        (at("random", 0), "random"),
        (lambda arrays, card: arrays["0/block_count"].fill(3), "blocks"),
        (lambda arrays, card: arrays["0/keys"].fill(3), "keys"),
        (lambda arrays, card: arrays.pop("0/best"), "best is missing"),
        (lambda arrays, card: arrays.update({"0/best": np.zeros(3)}), "best is missing"),
        (lambda arrays, card: arrays.update({"1/best": np.zeros(3)}), "too many"),
        (lambda arrays, card: card.update(workers=2), "missing"),
        (lambda arrays, card: card.update(version=99), "newer sleuth"),
        (lambda arrays, card: card.update(format="other"), "no file of a search"),
        (lambda arrays, card: card.update(hero=7), "field 'hero'"),
        (lambda arrays, card: card.update(game="./x.py:GAME"), "no such game"),
        (lambda arrays, card: card.update(game_version=7), "of another game"),
        (lambda arrays, card: card.update(settings={"decks": 2}), "no such setting"),
        (lambda arrays, card: card["sampling"].update(method="guess"), "no such"),
        (lambda arrays, card: card["sampling"].update(more=1), "field 'sampling'"),
        (lambda arrays, card: card.pop("seed"), "the field is missing"),
    ],
)
def test_a_file_that_was_changed_is_refused(kept: Path, change: Any, said: str) -> None:
    with pytest.raises(RecordError, match=said) as raised:
        WholeGameSearch.load(changed(kept, change))
    assert str(kept) in str(raised.value)


def test_a_file_of_something_else_is_refused(tmp_path: Path, kept: Path) -> None:
    with pytest.raises(RecordError, match="of another game"):
        WholeGameSearch.load(kept, game="leduc_poker")
    with pytest.raises(RecordError, match="of another game"):
        WholeGameSearch.load(kept, game=sleuth.game("cheat", rounds=4))
    other = tmp_path / "other.npz"
    other.write_bytes(b"nothing")
    with pytest.raises(RecordError, match="no file of a search"):
        WholeGameSearch.load(other)
    with pytest.raises(RecordError):
        WholeGameSearch.load(tmp_path / "missing")
    with pytest.raises(SettingsError, match="needs a name"):
        WholeGameSearch.load("")


def test_a_run_against_a_rival_needs_them_again(tmp_path: Path) -> None:
    game = sleuth.game(KUHN)
    learning = WholeGameSearch(game, seed=1, rival=game.policy, share=0.5, hero=0)
    file = learning.run(Budget(simulations=50)).save(tmp_path / "kept")
    with pytest.raises(SettingsError, match="a hero a rival"):
        WholeGameSearch.load(file)
    again = WholeGameSearch.load(file, rival=game.policy).run(Budget(simulations=50))
    whole = WholeGameSearch(game, seed=1, rival=game.policy, share=0.5, hero=0).run(
        Budget(simulations=100)
    )
    tree = GameTree(KUHN)
    one, other = again.policy(tree), whole.policy(tree)
    assert all(np.array_equal(one[index], other[index]) for index in one)
