"""What suggestions tell, on drawn deals: as the exact posterior says, within what draws can say."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth import together
from sleuth.beliefs.games.clue.play import declared, suggestions
from sleuth.beliefs.games.clue.suggesting import case_files, told, told_by_rules
from sleuth.games.clue import ClueDeclaration, HouseRules, simulate
from sleuth.models.clue.editions import CLASSIC
from sleuth.models.clue.game import number_of


@pytest.mark.parametrize("players, after", [(3, 6), (4, 8)])
def test_drawn_gains_are_near_the_exact_ones(players: int, after: int) -> None:
    game = simulate(players, np.random.default_rng(players), turns=after).seen_by("p2")
    belief = declared(game.until(0))
    posterior = belief.infer(game)
    drawn = posterior.sample_array(8_000, np.random.default_rng(1))
    found = told(drawn, players, 1, CLASSIC.codes)
    asked = suggestions(belief)
    some = [*range(0, 324, 9)]
    exact = posterior.information_gain([asked[code] for code in some], about=belief.case_file)
    assert np.abs(found.bits[some] - exact).max() < 0.06
    # Where the draws send somebody, little is lost.
    best = int(found.bits.argmax())
    gains = posterior.information_gain([asked[best], *asked.values()], about=belief.case_file)
    assert gains[0] > gains.max() - 0.03


def test_how_likely_one_is_right_afterwards_is_what_each_answer_leaves() -> None:
    game = simulate(3, np.random.default_rng(3), turns=9).seen_by("p2")
    belief = declared(game.until(0))
    posterior = belief.infer(game)
    found = told(posterior.sample_array(8_000, np.random.default_rng(1)), 3, 1, CLASSIC.codes)
    asked = suggestions(belief)
    for code in (int(found.right.argmax()), int(found.right.argmin()), 100):
        question = asked[code]
        chances = posterior.distribution(question.feature) @ question.table
        exact = 0.0
        for chance, outcome in zip(chances, question.outcomes, strict=True):
            if chance > 0.0:
                after = posterior.observe(question.observed(outcome))
                exact += chance * after.distribution(belief.case_file).max()
        assert found.right[code] == pytest.approx(exact, abs=0.02)
    assert found.right.max() > found.right.min() + 0.05


def test_what_nobody_can_tell_tells_nothing() -> None:
    game = simulate(3, np.random.default_rng(5), turns=2).seen_by("p1")
    posterior = declared(game.until(0)).infer(game)
    drawn = posterior.sample_array(500, np.random.default_rng(2))
    own = [card for card in game.own_hand if card in ("green", "white", "plum", "peacock")]
    assert own
    files = case_files(drawn, 3, CLASSIC.codes)
    assert ((0 <= files) & (files < 324)).all()
    found = told(drawn, 3, 0, CLASSIC.codes)
    likeliest = np.bincount(files, minlength=324)
    assert found.right.min() >= likeliest.max() / 500 - 1e-12  # an answer never misleads
    assert found.right.max() <= 1.0 + 1e-12


def test_a_question_that_separates_two_deals_settles_the_case_file() -> None:
    deal = np.full(21, 1)
    deal[[0, 6, 12]] = 3
    deal[[7, 13]] = 2
    other = deal.copy()
    other[[6, 7]] = other[[7, 6]]
    found = told(np.array([deal, other] * 500), 3, 0, CLASSIC.codes)
    code = number_of(("scarlet", "knife", "ballroom"))
    separating = [each for each in range(324) if found.right[each] > 0.999]
    assert separating
    assert found.bits[separating] == pytest.approx(1.0, abs=0.01)
    assert found.bits.min() == pytest.approx(0.0, abs=0.01)
    assert 0 <= code < 324


RULES = {
    "usual": HouseRules(),
    "all show": HouseRules(who_shows="all"),
    "out is skipped": HouseRules(player_out="skipped"),
    "all show, no room, face down": HouseRules(who_shows="all", room="none", left_over="face down"),
}


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES.keys())
def test_by_house_rules_drawn_gains_are_near_the_exact_ones(rules: HouseRules) -> None:
    rng = np.random.default_rng(4)
    rng = np.random.default_rng(11)
    game = simulate(4, rng, turns=8, rules=rules, hand_sizes=[4] * 4, guess=0.15).seen_by("p2")
    assert game.out
    belief = ClueDeclaration(game)
    posterior = belief.infer(game)
    drawn = posterior.sample_array(8_000, np.random.default_rng(1))
    found = told_by_rules(belief, drawn)
    asked = belief.suggestions
    assert found.bits.shape == found.right.shape == (len(asked),)
    some = [*range(0, len(asked), max(1, len(asked) // 24))]
    exact = posterior.information_gain([asked[place] for place in some], about=belief.case_file)
    assert np.abs(found.bits[some] - exact).max() < 0.06
    for place in some[::8]:
        table = asked[place].table
        pair = together(belief.case_file, asked[place].feature)
        joint = posterior.distribution(pair).reshape(-1, table.shape[0]) @ table
        assert found.right[place] == pytest.approx(joint.max(axis=0).sum(), abs=0.02)
    few = told_by_rules(belief, drawn, chosen=[3])
    assert few.bits[3] == found.bits[3]
    assert np.count_nonzero(few.bits) <= 1
