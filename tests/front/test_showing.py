"""Values show themselves in a notebook, and a play shows nobody more than they may know."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sleuth
from sleuth.equilibria import GameTree
from sleuth.games.cheat import mini_cheat, rows_of, simulate
from sleuth.games.small import kuhn_poker
from sleuth.nested import KripkeModel
from sleuth.networks import example_network

NUMBER = sleuth.Choice("number", range(1, 9))
HALVES = sleuth.Questions(
    NUMBER,
    lambda question, places: (places < question).astype(int),
    outcomes=("no", "yes"),
    names=[f"at most <{limit}>?" for limit in range(1, 13)],
)


def _belief(**options: Any) -> sleuth.Posterior:
    return sleuth.infer(sleuth.Model(NUMBER), **options)


def _kuhn() -> sleuth.Play:
    play = sleuth.Play.new("kuhn_poker", seed=1)
    play.apply(1)
    return play


#: What makes a value, and what stands in what a notebook shows of it.
VALUES: dict[str, tuple[Callable[[], Any], tuple[str, ...]]] = {
    "a model": (lambda: sleuth.Model(NUMBER), ("number", "8 values")),
    "a belief": (_belief, ("number", "12 %")),
    "diagnostics": (
        lambda: _belief(method="likelihood_weighting", samples=50).diagnostics,
        ("effective samples", "50"),
    ),
    "an exact answer's diagnostics": (lambda: _belief().diagnostics, ("exact",)),
    "questions": (lambda: HALVES, ("12 questions", "at most &lt;1&gt;?", "and 2 more", "no, yes")),
    "ranked questions": (
        lambda: _belief().best_questions(HALVES, about=NUMBER, n=2),
        ("at most &lt;4&gt;?", "1.00"),
    ),
    "a network": (lambda: example_network("asia"), ("dysp", "bronc, either", "yes, no")),
    "a Kripke model": (
        lambda: KripkeModel(("rain", "sun"), ("ann",), np.full((1, 2, 2), 0.5)),
        ("rain", "possible for ann"),
    ),
    "exploitability": (
        lambda: sleuth.exploitability(tree := GameTree(kuhn_poker()), tree.uniform_policy()),
        ("0.4583", "player 1"),
    ),
    "a training": (
        lambda: sleuth.train(
            rows_of(simulate(8, seed=1, games=9, game=mini_cheat())),
            models=["logistic"],
            folds=2,
            seed=1,
        ),
        ("logistic, cold", "AUC", "the claim is true"),
    ),
    "games": (lambda: sleuth.kit.GAMES, ("kuhn_poker", "Scotland Yard", "players")),
    "a game's entry": (lambda: sleuth.kit.GAMES["clue"], ("Clue", "players")),
    "a game": (lambda: sleuth.game("kuhn_poker"), ("first, second", "state.cards")),
    "a record": (lambda: sleuth.example("neller_main"), ("neller_main.json", "clue")),
    "a file of many records": (lambda: sleuth.example("cheat"), ("games",)),
    "a record of a play": (lambda: _kuhn().record(), ("kuhn_poker", "moves")),
    "a play": (_kuhn, ("Kuhn poker", "first: bet", "second is to move")),
    "a play that is over": (lambda: _over(), ("The game is over",)),
    "a view": (lambda: _kuhn().view(1), ("? 2", "pass, bet", "what second knows")),
    "what was seen": (lambda: _kuhn().seen_by(0), ("first", "bet")),
}


def _over() -> sleuth.Play:
    play = _kuhn()
    play.apply(0)
    return play


@pytest.mark.parametrize("name", VALUES)
def test_a_value_shows_itself(name: str) -> None:
    make, wanted = VALUES[name]
    shown = make()._repr_html_()
    assert shown.startswith('<div class="sleuth">')
    assert "<script" not in shown
    for words in wanted:
        assert words in shown


def _numbers_hidden_from(play: sleuth.Play, viewer: int) -> list[sleuth.Play]:
    """The same play with other truths that look the same to a viewer."""
    mine = play.view(viewer)
    found: list[sleuth.Play] = []
    for seed in range(200):
        other = sleuth.Play.new(play.game, seed=seed)
        for action in play.actions:
            if action not in other.legal().tolist():
                break
            other.apply(action)
        else:
            if other.view(viewer) == mine and other.truth().tobytes() != play.truth().tobytes():
                found.append(other)
    return found


@pytest.mark.parametrize(
    "game", ["kuhn_poker", "leduc_poker", "love_letter", "liars_dice_for_many"]
)
def test_nothing_hidden_is_shown(game: str) -> None:
    """Whatever else may be true, the page stays the same."""
    play = sleuth.Play.new(game, seed=3)
    for viewer in (0, sleuth.SPECTATOR):
        others = _numbers_hidden_from(play, viewer)
        assert others
        for other in others[:5]:
            assert other.view(viewer)._repr_html_() == play.view(viewer)._repr_html_()
            assert other.seen_by(viewer)._repr_html_() == play.seen_by(viewer)._repr_html_()
            if viewer == sleuth.SPECTATOR:
                assert other._repr_html_() == play._repr_html_()
            assert other.record()._repr_html_() == play.record()._repr_html_()


@pytest.mark.parametrize("name", sleuth.games.names())
def test_a_play_of_every_game_shows_itself(name: str) -> None:
    play = sleuth.Play.new(name, seed=5)
    for _ in range(3):
        if not play.over:
            play.apply(int(play.legal()[0]))
    for shown in (play, play.view(0), play.seen_by(0)):
        text = re.sub(r"<style>.*?</style>|<[^>]*>", " ", shown._repr_html_())
        assert "-1000003" not in text
        assert len(text.split()) > 3
