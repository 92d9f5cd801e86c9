"""What a search of Clue is told: answers, the questions worth a look, and the race by hand."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth.beliefs.games.clue.foreseeing import Race, answers, race_of, undominated
from sleuth.beliefs.games.clue.play import declared, suggestions
from sleuth.beliefs.games.clue.rivals import OthersKnowledge
from sleuth.beliefs.games.clue.suggesting import SuggestionWorth
from sleuth.beliefs.games.clue.waiting import ABLE, doubt_left, knowing
from sleuth.games.clue import simulate
from sleuth.models.clue.editions import CLASSIC
from sleuth.models.clue.imagined.race import ROUNDS

NEVER, ALWAYS = np.zeros(ROUNDS), np.ones(ROUNDS)
ONE = np.full(1, ABLE)


def alone(bits: list[list[float]], then: float = 5.0) -> Race:
    """The race against rivals to whom so much is open, where one is right or wrong for even."""
    now = np.array(bits)
    hits = np.array([True, False])
    return race_of(
        OthersKnowledge(("a",), np.full(2, 0.5), hits, np.full_like(now, then), now, ONE)
    )


def test_somebody_who_is_certain_of_the_next_turn_leaves_nothing_to_wait_for() -> None:
    """To accuse is worth 0.4 to who is 40 % sure, and to pass a tenth of what it would be."""
    nobody, soon = alone([[9.0], [9.0]]), alone([[0.0], [0.0]])
    assert soon.either[0] == pytest.approx(1.0 - ABLE)
    assert nobody.passing(0.4, 2.0) > 0.4
    assert soon.passing(0.4, 2.0) < 0.1 < 0.4


def test_nobody_in_the_way_waits_until_certain() -> None:
    free = Race(0.5, ALWAYS, ALWAYS)
    assert free.passing(0.5, 1.0) == pytest.approx(1.0, abs=0.02)
    assert Race(0.5, NEVER, NEVER).passing(0.5, 1.0) == 0.0
    # Who knows already, and is not sure to have another turn, does not wait.
    risky = Race(1.0, 0.8 * ALWAYS, 0.8 * ALWAYS)
    assert risky.passing(1.0, 0.0) == pytest.approx(0.8)


def test_one_round_by_hand() -> None:
    """One more turn, then somebody else is right: the part of the doubt that is gone by then."""
    once = np.eye(ROUNDS)[0]
    left = float(doubt_left(np.array([4.5]))[0, 0])
    assert Race(0.3, once, once).passing(0.3, 4.5) == pytest.approx(1.0 - 0.7 * left)
    # A question that leaves less of it counts.
    assert Race(0.3, once, once).passing(0.3, 4.5, 0.5) == pytest.approx(1.0 - 0.7 * 0.5)
    # Others are sooner where the likeliest case file is the true one.
    assert Race(0.3, NEVER, once).passing(0.3, 4.5) == pytest.approx(0.7 * (1.0 - left))


def test_rivals_who_passed_make_unlikely_what_they_would_have_known() -> None:
    bits = np.array([[0.0], [5.0]])
    found = race_of(
        OthersKnowledge(("a",), np.full(2, 0.5), np.array([True, False]), bits, bits, ONE)
    )
    assert found.right == pytest.approx((1.0 - ABLE) / (2.0 - ABLE))


def test_the_less_is_open_the_sooner_one_knows_and_the_less_doubt_is_left() -> None:
    bits = np.linspace(0.0, 8.0, 40)
    know, left = knowing(bits), doubt_left(bits)
    assert (know[0] == 1.0).all()
    assert (left[0] == 0.0).all()
    for table in (know, left):
        assert ((0.0 <= table) & (table <= 1.0)).all()
    assert (np.diff(know, axis=1) >= 0.0).all()
    assert (np.diff(left, axis=1) <= 0.0).all()
    assert (1.0 - left >= know - 0.1).all()  # whoever knows is not in doubt; both were counted


def test_no_question_is_left_out_that_tells_more_or_lets_one_be_right_sooner() -> None:
    bits, right = np.zeros(324), np.zeros(324)
    bits[[3, 7, 9, 11]], right[[3, 7, 9, 11]] = (2.0, 1.5, 1.0, 1.4), (0.1, 0.3, 0.4, 0.2)
    assert undominated(SuggestionWorth(bits, right)) == [9, 7, 3]


@pytest.mark.parametrize("code", [0, 113, 200])
def test_what_is_known_after_an_answer_is_what_the_posterior_says(code: int) -> None:
    game = simulate(3, np.random.default_rng(3), turns=7).seen_by("p2")
    belief = declared(game.until(0))
    posterior = belief.infer(game)
    found = answers(
        posterior.sample_array(8_000, np.random.default_rng(1)), 3, 1, code, CLASSIC.codes
    )
    question = suggestions(belief)[code]
    chances = posterior.distribution(question.feature) @ question.table
    assert (found.there[: len(chances)] <= (chances > 0.0)).all()
    for place, outcome in enumerate(question.outcomes):
        if chances[place] < 0.1:
            continue
        after = posterior.observe(question.observed(outcome))
        file = after.distribution(belief.case_file)
        assert found.sure[place] == pytest.approx(file.max(), abs=0.06)
        assert found.bits[place] == pytest.approx(after.entropy(belief.case_file), abs=0.12)
        assert file[found.likeliest[place]] > file.max() - 0.05


def test_what_a_player_expects_who_could_accuse() -> None:
    """Nobody is in the way for one round: a question that halves the doubt is worth its answer."""
    once = np.eye(ROUNDS)[0]
    found = Race(0.4, once, once).outlook(0.4, 0.7, 4.5)
    assert found.right == 0.4
    assert found.after == pytest.approx(0.7)
    assert found.waiting == pytest.approx(0.7)
    assert found.sooner == pytest.approx(0.0)
