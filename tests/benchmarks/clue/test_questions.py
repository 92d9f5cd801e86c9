"""The game of one who asks keeps the contract, and two steps ahead are counted right."""

from __future__ import annotations

import importlib
import itertools
import json
import math
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import chisquare

from sleuth import Play, check_game
from sleuth.kit import generator

NAMES = ("clue_questions", "clue_seeker")
FILE = 3

pytestmark = pytest.mark.usefixtures("plain_python")


@pytest.fixture(scope="module")
def asking() -> ModuleType:
    return importlib.import_module("benchmarks.clue.questions")


@pytest.fixture(scope="module")
def seeking(asking: ModuleType) -> ModuleType:
    return importlib.import_module("benchmarks.clue.seeker")


def test_the_game_keeps_the_contract(seeking: ModuleType) -> None:
    game = seeking.clue_seeker(5, turns=3)
    assert check_game(game, seeking.SeekerBelief(), plays=1, worlds=2).moves > 0


def test_a_refuter_shows_each_of_their_cards_equally_often(seeking: ModuleType) -> None:
    game, random, shown = seeking.clue_seeker(3), generator(3), [0, 0, 0]
    start = game.initial(1)
    start["holder"][0, [0, 6]], start["holder"][0, 12] = 1, 2
    for _ in range(600):
        states = start.copy()
        game.apply(states[0], 0, game.tables, random)
        assert int(states["refuter"][0]) == 1
        shown[[0, 6, 12].index(int(states["shown"][0]))] += 1
    assert shown[2] == 0
    assert chisquare(shown[:2]).pvalue > 1e-3


def test_one_question_stands_for_all_that_ask_the_same(
    asking: ModuleType, seeking: ModuleType
) -> None:
    game, belief = seeking.clue_seeker(3), seeking.SeekerBelief()
    play = Play.new(game, seed=2)
    for _ in range(3):
        view, seen = play.view(0), play.seen_by(0)
        (file,) = belief.hidden(view).values()
        every = [*belief.all_questions(view).values()]
        all_of_them = belief.infer(view, seen).information_gain(every, about=file)
        few = asking.gains(belief, view, seen)
        assert len(few) < 60
        assert {*np.round(all_of_them, 7)} == {*np.round([*few.values()], 7)}
        play.apply(asking.greedy(belief, view, seen))


def test_two_steps_are_those_of_all_deals_and_all_second_questions(
    asking: ModuleType, seeking: ModuleType
) -> None:
    game, belief = seeking.clue_seeker(3), seeking.SeekerBelief()
    play = Play.new(game, seed=2)
    for _ in range(5):
        play.apply(asking.greedy(belief, play.view(0), play.seen_by(0)))
    view, seen = play.view(0), play.seen_by(0)
    found = asking.two_steps_ahead(belief, view, seen, 2).values

    holders = deals(view.states["holder"][0])
    weights = np.ones(len(holders))
    for each in seen.events:
        shown, rest = divmod(each.event.observation, seeking.SHOWN)
        who, triple = divmod(rest, seeking.REFUTER)
        weights *= answers(holders, triple)[:, 21 * (who - 1) + shown - 1 if shown else 0]
    holders, weights = holders[weights > 0], weights[weights > 0]
    files = np.argsort(holders != FILE, axis=1, kind="stable")[:, :3] @ [441, 21, 1]
    every = [answers(holders, triple) for triple in range(324)]

    def told(triple: int, shares: NDArray[Any]) -> float:
        return bits(files, shares) - sum(
            bits(files, shares * chances) for chances in every[triple].T if (shares * chances).any()
        )

    weights /= weights.sum()
    for triple, value in found.items():
        later = sum(
            max(told(second, weights * chances) for second in range(324))
            for chances in every[triple].T
            if (weights * chances).any()
        )
        assert value == pytest.approx(told(triple, weights) + later, abs=1e-9)


def test_what_is_remembered_is_right_for_cards_of_other_names(
    asking: ModuleType, seeking: ModuleType
) -> None:
    game, belief, decided = seeking.clue_seeker(3), seeking.SeekerBelief(), list[int]()

    def ask(view: Any, seen: Any) -> int:
        decided.append(len(seen.events))
        return asking.greedy(belief, view, seen)

    remembered = asking.Remembered(ask)
    for seed in range(12):
        play = Play.new(game, seed=seed)
        for _ in range(2):
            view, seen = play.view(0), play.seen_by(0)
            chosen, few = remembered(view, seen), asking.gains(belief, view, seen)
            assert few[chosen] == pytest.approx(max(few.values()))
            play.apply(chosen)
    assert decided.count(0) < 12
    assert decided.count(1) < 12


def deals(own: NDArray[Any]) -> NDArray[np.int8]:
    """All deals to three players of whom the first one's cards are known."""
    open_cards = [card for card in range(21) if own[card] != 0]
    kinds = (range(6), range(6, 12), range(12, 21))
    found: list[NDArray[np.int8]] = []
    for file in itertools.product(*([c for c in kind if c in open_cards] for kind in kinds)):
        rest = np.array([card for card in open_cards if card not in file])
        theirs = np.array([*itertools.combinations(range(12), 6)])
        block = np.full((len(theirs), 21), 2, dtype=np.int8)
        block[:, [card for card in range(21) if card not in open_cards]] = 0
        block[:, file] = FILE
        np.put_along_axis(block, rest[theirs], 1, axis=1)
        found.append(block)
    return np.concatenate(found)


def answers(holders: NDArray[np.int8], triple: int) -> NDArray[np.float64]:
    """P(answer) in every deal, by 21 times who shows a card and the card; nobody does at 0."""
    cards = np.array([triple // 54, 6 + triple // 9 % 6, 12 + triple % 9])
    lies, found = holders[:, cards], np.zeros((len(holders), 63))
    for player in (2, 1):  # who is asked first has the last word
        held = lies == player
        some = held.any(axis=1)
        found[some] = 0.0
        shares = held[some] / held[some].sum(axis=1)[:, None]
        found[np.ix_(some, 21 * player + cards)] = shares
    found[found.sum(axis=1) == 0.0, 0] = 1.0
    return found


def bits(files: NDArray[Any], shares: NDArray[Any]) -> float:
    """Entropy of the case file by weights of deals, times their sum."""
    sums = np.bincount(files, weights=shares)
    total = sums.sum()
    return -sum(each * math.log2(each / total) for each in sums[sums > 0.0])


def test_a_table_goes_on_and_says_who_needs_less(
    asking: ModuleType,
    seeking: ModuleType,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "SIMULATIONS", 20)
    monkeypatch.setattr(asking, "SHORTLIST", 1)
    monkeypatch.setattr(asking, "clue_seeker", lambda players: seeking.clue_seeker(players, 2))
    given = ["--players", "3", "--json", "--out", str(tmp_path / "kept"), "--deals"]
    assert asking.main([*given, "1"]) == 0
    first = json.loads(capsys.readouterr().out)["3"]
    assert asking.main([*given, "2"]) == 0
    found = json.loads(capsys.readouterr().out)["3"]
    assert found["deals"] == 2
    for name in asking.NAMES:
        kept = (tmp_path / "kept" / f"3_{name}.jsonl").read_text().splitlines()
        turns = [json.loads(line)["turns"] for line in kept]
        assert turns[0] == first[name]["turns"]
        assert found[name]["turns"] == pytest.approx(sum(turns) / 2)
    assert found["search_less_greedy"]["turns"] == pytest.approx(
        found["search"]["turns"] - found["greedy"]["turns"]
    )


@pytest.mark.parametrize(
    "wrong, said", [(["--deals", "0"], "1 deal is"), (["--players", "3", "9"], "2 to 6 players: 9")]
)
def test_what_cannot_be_asked_is_refused(
    asking: ModuleType, wrong: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        asking.main(wrong)
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err
