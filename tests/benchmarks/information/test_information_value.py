"""Games whose answer is known: what is measured there is right, and a mistake would be seen."""

from __future__ import annotations

import importlib
import json
from collections import Counter
from itertools import product
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from sleuth.errors import SettingsError

NAMES = (
    *("following", "asking_games", "asking_ahead", "decision_problems", "toy_questions"),
    *("mastermind_guesses", "wordle_guesses", "battleship_shots", "clue_questions"),
)

pytestmark = pytest.mark.usefixtures("plain_python")


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return importlib.import_module("benchmarks.information.information_value")


@pytest.fixture(scope="module")
def wordle(script: ModuleType) -> ModuleType:
    return script.wordle_guesses


@pytest.fixture(scope="module")
def battleship(script: ModuleType) -> ModuleType:
    return script.battleship_shots


def test_it_prints_one_object_with_a_part_for_each(
    script: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    assert script.main(["--parts", "mastermind,wordle", "--quick", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [*found] == ["mastermind", "wordle"]
    low, high = found["mastermind"]["interval"]
    assert low < found["mastermind"]["guesses"] < high
    assert found["mastermind"]["games"] == 4**3
    assert found["wordle"]["games"] == 60
    with pytest.raises(SystemExit):
        script.main(["--parts", "chess"])
    assert "no such part: chess" in capsys.readouterr().err


# -- questions asked ahead


def test_two_steps_ahead_find_the_question_that_greed_does_not(script: ModuleType) -> None:
    ahead = script.mastermind_guesses
    table = ahead.answers(3, 4)
    asker = ahead.Asker(table, 16, bit=ahead.BIT, later=len(table))
    two, greedy = (ahead.needed(table, asks).mean() for asks in (asker.two_steps, asker.greedy))
    assert two < greedy


def test_answers_of_mastermind_are_right(script: ModuleType) -> None:
    table = script.mastermind_guesses.answers(4, 6)
    codes = [*product(range(6), repeat=4)]
    # Two in place (the first 0 and the 2), and of the rest one that stands elsewhere.
    assert table[codes.index((0, 0, 2, 1)), codes.index((0, 1, 2, 3))] == 5 * 2 + 1
    assert [*np.diag(table)] == [20] * 1296
    # The first guess of greedy entropy tells 3.057 bits (Neuwirth 1982).
    asker = script.mastermind_guesses.Asker(table, 21, bit=0.3)
    belief, asked, value = asker.belief(np.arange(1296))
    gains = belief.information_gain(asked.some(np.arange(100)), about=value)
    assert gains.max() == pytest.approx(3.0567, abs=5e-5)


def test_a_question_that_splits_nothing_is_never_cheaper(script: ModuleType) -> None:
    ahead = script.mastermind_guesses
    table = ahead.answers(3, 4)
    spoiled = table.copy()
    spoiled[:, :32] = 0  # half of the codes look alike to all but their own guess
    np.fill_diagonal(spoiled, table.diagonal())
    costs = list[float]()
    for answers in (table, spoiled):
        asker, every = ahead.Asker(answers, 16, bit=ahead.BIT), np.arange(64)
        belief, asked, value = asker.belief(every)
        guesses = dict(enumerate(every.tolist()))
        costs.append(asker.one.choose(belief, asked, about=value, right=guesses).cost)
    assert costs[1] > costs[0] + 0.1


# -- words


@pytest.mark.parametrize(
    "guess, answer, said",
    [
        ("crane", "crane", "22222"),
        ("speed", "abide", "00101"),  # one e of two, and it is the first that counts
        ("speed", "erase", "10110"),  # both
        ("speed", "steal", "20200"),  # the e in place leaves none for the other
        ("eerie", "where", "10102"),  # the e in place counts before those before it
        ("allee", "label", "11120"),  # an e in place leaves none for the last
        ("mamma", "maxim", "22100"),
    ],
)
def test_letters_are_counted_as_often_as_the_answer_has_them(
    wordle: ModuleType, guess: str, answer: str, said: str
) -> None:
    number = int(wordle.patterns([guess], [answer])[0, 0])
    assert "".join(str(number // 3**place % 3) for place in range(5)) == said


def test_patterns_are_those_of_counting_letter_by_letter(wordle: ModuleType) -> None:
    words = wordle.generated(3, 30, 60).allowed
    for row, guess in zip(wordle.patterns(words, words), words, strict=True):
        for number, answer in zip(row.tolist(), words, strict=True):
            assert number == by_counting(guess, answer)


def by_counting(guess: str, answer: str) -> int:
    said = [2 if a == b else 0 for a, b in zip(guess, answer, strict=True)]
    left = Counter(b for a, b in zip(guess, answer, strict=True) if a != b)
    for place, letter in enumerate(guess):
        if said[place] == 0 and left[letter]:
            said[place], left[letter] = 1, left[letter] - 1
    return sum(digit * 3**place for place, digit in enumerate(said))


def test_generated_words_are_as_many_and_different(wordle: ModuleType) -> None:
    words = wordle.generated(7, 100, 400)
    assert words == wordle.generated(7, 100, 400)
    assert words.allowed[:100] == words.answers
    assert len(set(words.allowed)) == 400
    share = np.mean([letter in wordle.VOWELS for word in words.allowed for letter in word])
    assert 0.3 < share < 0.5


def test_a_reader_s_own_lists_are_taken(
    wordle: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers, allowed = tmp_path / "answers.txt", tmp_path / "allowed.txt"
    answers.write_text("crane\nslate\nplate\nskate\n")
    allowed.write_text("crane\nplumb\n")
    given = ["--answers", str(answers), "--allowed", str(allowed), "--json"]
    assert wordle.main(given) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["allowed"]) == (4, 5)
    allowed.write_text("crane\nfour\n")
    with pytest.raises(SystemExit) as stopped:
        wordle.main(given)
    assert stopped.value.code == 2
    assert "words have 5 letters" in capsys.readouterr().err


# -- ships


def test_chances_of_hits_are_those_of_all_fleets(battleship: ModuleType) -> None:
    _, belief = battleship.battleship(4, (3, 2))
    every = [
        {*one, *other}
        for one in battleship.placements(4, 3)
        for other in battleship.placements(4, 2)
        if not {*one} & {*other}
    ]
    history = ((5, 1), (6, 0), (1, 1))
    fits = [fleet for fleet in every if all((square in fleet) == hit for square, hit in history)]
    posterior = belief.after(history)
    for square in range(16):
        share = np.mean([square in fleet for fleet in fits])
        assert posterior.probability(belief.hits[square]) == pytest.approx(share, abs=1e-12)
    assert posterior.entropy(belief.fleet) == pytest.approx(np.log2(len(fits)))
    # A shot that was heard wrong gives other chances.
    wrong = belief.after(((5, 1), (6, 1), (1, 1)))
    assert wrong.probability(belief.hits[9]) != posterior.probability(belief.hits[9])


def test_fleets_that_are_drawn_are_each_as_likely(battleship: ModuleType) -> None:
    game, _ = battleship.battleship(3, (2, 1))
    drawn = Counter(tuple(sorted(fleet)) for fleet in battleship.fleets(game, 1_500, seed=1))
    # Twelve places for two squares and seven for the third; three in a row can be had in two ways.
    expected: dict[tuple[int, ...], float] = {}
    for two in battleship.placements(3, 2):
        for one in set(range(9)) - {*two}:
            fleet = tuple(sorted((*two, one)))
            expected[fleet] = expected.get(fleet, 0.0) + 1500 / (12 * 7)
    assert set(drawn) <= set(expected)
    off = sum((drawn[fleet] - often) ** 2 / often for fleet, often in expected.items())
    assert off < len(expected) + 4 * (2 * len(expected)) ** 0.5


def test_a_board_is_cleared_and_nobody_shoots_twice(battleship: ModuleType) -> None:
    _, belief = battleship.battleship(4, (3, 2))
    shots = battleship.shots({0, 1, 2, 14, 15}, battleship.by_probability(belief))
    assert 5 <= shots <= 16
    with pytest.raises(SettingsError, match="ships are"):
        battleship.battleship(4, (5,))


def test_a_fleet_that_is_not_listed_has_the_same_chances(
    battleship: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And who takes what tells most takes the shot nearest to even, until nothing is open."""
    _, listed = battleship.battleship(4, (3, 2))
    monkeypatch.setattr(battleship, "MOST", 10)
    _, belief = battleship.battleship(4, (3, 2))
    assert isinstance(belief, battleship.LargeFleetBelief)
    history = ((5, 1), (6, 0), (1, 1))
    one, other = (each.after(history) for each in (listed, belief))
    chances = [one.probability(hit) for hit in listed.hits]
    assert [other.probability(hit) for hit in belief.hits] == pytest.approx(chances)
    asked = battleship.by_information(belief)(history)
    gains = [abs(chance - 0.5) for chance in chances]
    assert gains[asked] == pytest.approx(min(gains))
    found = battleship.compared(4, (3, 2), games=2, simulations=10, seed=3)
    assert 5 <= found["information"]["shots"] <= 16
    assert "search" not in found


def test_a_search_shoots_at_squares_that_may_be_hit(battleship: ModuleType) -> None:
    game, belief = battleship.battleship(3, (2,))
    decide = battleship.by_search(game, belief, 60, seed=1)
    # Next to a hit whose other sides were missed there is one square left.
    assert decide(((4, 1), (1, 0), (3, 0), (5, 0))) == 7
    assert battleship.shots({4, 7}, decide) <= 9


# -- decision problems


def test_decisions_that_are_no_good_have_a_small_share(script: ModuleType) -> None:
    problems = script.decision_problems
    problem = problems.Problem.random(np.random.default_rng(5))
    best = problem.value(problem.start, problem.horizon, problems.WEIGHT)

    def worst(history: tuple[tuple[int, int], ...]) -> int:
        belief, left = problem.start, problem.horizon - len(history)
        for action, sight in history:
            belief = problem.after(belief, action)[sight][1]
        values = [
            problem.action_value(belief, action, left, problems.WEIGHT)
            for action in range(problem.actions)
        ]
        return int(np.argmin(values))

    assert problems.followed(problem, worst, problem.start, ()) < 0.9 * best
