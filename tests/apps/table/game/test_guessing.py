"""Guesses: what they score by hand, what they are compared with, and what was true."""

from __future__ import annotations

from math import log2
from pathlib import Path

import numpy as np
import pytest

from sleuth.apps.kit.answers.values import Sheet
from sleuth.apps.kit.display import Display
from sleuth.apps.table.game.course import PersonGuess
from sleuth.apps.table.game.guess_pages import calibration
from sleuth.apps.table.game.guessing import (
    GuessScore,
    dealt_values,
    spread,
    subjects,
    true_value,
    values_of,
)
from sleuth.data.errors import SettingsError
from sleuth.models.play import Play

from .played import PlayedTable, forms, play_on
from .test_playing import GAMES, table_of
from .test_table import names

CARDS = ("jack", "queen", "king")


def guessing_table(folder: Path, **blanks: str) -> PlayedTable:
    return table_of(folder, "kuhn_poker", **{"guess": "yes", "seed": "1", **blanks})


def said(**shares: int) -> dict[str, str]:
    """The blanks of a guess about a card in Kuhn poker, in the order of its values."""
    return {f"share {CARDS.index(card)}": str(share) for card, share in shares.items()}


def test_a_guess_scores_what_a_person_works_out_by_hand(tmp_path: Path) -> None:
    table = guessing_table(tmp_path)
    course = table.sitting.course
    own = int(course.sight(course.persons[0]).state.cards[0])
    assert CARDS[own] == "jack"  # queen and king are equally likely
    table.say("guess 0 0", **said(jack=0, queen=80, king=20))
    table.go_on()
    score = course.guesses[0].score
    assert score is not None
    queen, king, jack = (0.99 * share + 0.01 / 3 for share in (0.8, 0.2, 0.0))
    assert score.bits == pytest.approx(-(log2(queen) + log2(king)) / 2, abs=1e-12)
    assert score.exact == pytest.approx(1.0, abs=1e-12)
    assert score.rows == (
        ("jack", pytest.approx(jack), 0.0),
        ("queen", pytest.approx(queen), pytest.approx(0.5)),
        ("king", pytest.approx(king), pytest.approx(0.5)),
    )


def test_nobody_scores_better_than_what_can_be_known() -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        exact = rng.dirichlet(np.full(4, 0.5))
        guess = spread(dict(enumerate(rng.random(4))), 4, each=True)
        own = -sum(p * log2(q) for p, q in zip(exact, guess, strict=True))
        assert own >= -sum(p * log2(p) for p in exact if p > 0) - 1e-12


def test_what_is_not_named_is_spread_over_the_others() -> None:
    found = spread({3: 0.5, 7: 0.3}, 12, each=False)
    assert sum(found) == pytest.approx(1.0)
    assert found[3] == pytest.approx(0.99 * 0.5 + 0.01 / 12)
    assert found[0] == pytest.approx(0.99 * 0.02 + 0.01 / 12)
    assert sum(spread({0: 0.9, 1: 0.9}, 5, each=False)) == pytest.approx(1.0)
    with pytest.raises(SettingsError, match="likely"):
        spread({0: 0.0}, 5, each=False)


def test_what_can_be_known_waits_for_the_guess(tmp_path: Path) -> None:
    table = guessing_table(tmp_path)
    course = table.sitting.course
    assert [job for job in table.sitting.jobs(0) if job.panel and job.panel.name == "known"] == []
    assert "queen" not in "".join(map(str, table.panel("known").parts))
    (form,) = forms(table.panel("guess"))
    assert [blank.label for blank in form.blanks] == [*CARDS]
    for blanks in ({}, said(jack=0, queen=0, king=0), said(queen=101), {"share 1": "much"}):
        with pytest.raises(SettingsError):
            table.say(form.line, **blanks)
    table.say(form.line, **said(queen=50, king=50))
    table.killed()
    table.again()
    table.go_on()
    course = table.sitting.course
    assert len(course.guesses) == 1
    assert forms(table.panel("guess")) == []
    assert "bits" in table.words()
    (job,) = table.sitting.jobs(0)
    assert job.panel is not None
    assert job.panel.name == "known"
    with pytest.raises(SettingsError, match="already"):
        table.say(form.line, **said(queen=50, king=50))


def test_a_person_may_be_shown_it_without_a_guess(tmp_path: Path) -> None:
    table = guessing_table(tmp_path)
    table.say("skip 0")
    assert [job.panel.name for job in table.sitting.jobs(0) if job.panel] == ["known"]
    table.say("move 1 0")
    table.go_on()
    assert list(table.sitting.jobs(0)) == []


def test_what_was_true_is_known_when_the_game_is_over(tmp_path: Path) -> None:
    table = guessing_table(tmp_path)
    course = table.sitting.course
    other = CARDS[int(course.playing.truth()[0].cards[1])]
    table.say("guess 0 0", **said(queen=50, king=50))
    table.go_on()
    assert course.guesses[0].truth is None
    assert "class" not in names(table)
    play_on(table, seed=1)
    assert table.sitting.course.guesses[0].truth == other
    assert "class" in names(table)
    table.killed()
    assert table.sitting.course.guesses[0].truth == other
    table.say("another")
    assert len(table.sitting.course.guesses) == 1


def test_a_guess_about_a_moment_that_was_taken_back_counts_without_its_truth(
    tmp_path: Path,
) -> None:
    table = table_of(tmp_path, "leduc_poker", guess="yes", **{"seat 1": "a person here"})
    course = table.sitting.course
    table.say("i-am 0")
    table.say("move 1 0")
    table.say("i-am 1")
    table.say("guess 1 0", **{"share 0": "1", "share 1": "1", "share 2": "1"})
    table.go_on()
    table.say("move 1 1")
    table.say("i-am 0")
    table.say("guess 2 0", **{"share 0": "1", "share 1": "1", "share 2": "1"})
    table.go_on()
    table.say("back 2")
    assert course.playing.actions == []
    play_on_shared(table)
    assert [guess.truth for guess in course.guesses] == [None, None]
    assert all(guess.score is not None for guess in course.guesses)


def play_on_shared(table: PlayedTable) -> None:
    while not table.sitting.course.over:
        mover = table.sitting.course.mover
        assert mover is not None
        table.say(f"i-am {mover.roles[0]}")
        table.say(table.lines("moves")[0])
        table.go_on()


@pytest.mark.parametrize(
    "game", [name for name in GAMES if name != "tic_tac_toe"], ids=lambda game: game[-9:]
)
def test_what_is_true_is_read_off_the_states_that_a_belief_imagines(
    tmp_path: Path, game: str
) -> None:
    """Compared with what other players know, or the state says, in every game."""
    table = table_of(tmp_path, game, guess="yes")
    course = table.sitting.course
    play, display = course.playing, course.name.display()
    found = subjects(display, play.view(0))
    assert found
    about, feature = next(iter(found.items()))
    value = true_value(display, play, 0, about)
    assert value in [display.value_name(feature, each) for each in values_of(feature)]
    known = display.game_belief()
    assert known is not None
    # It is possible, and stays so however long the game goes on.
    likely = known.infer(play.view(0), play.seen_by(0)).marginal(feature)
    assert value in [display.value_name(feature, each) for each, p in likely.items() if p > 0]


def test_the_true_case_file_and_card_are_found() -> None:
    from sleuth import game
    from sleuth.apps.kit.display import display
    from sleuth.models.clue.cards import CARDS as CLUE

    made = game("clue_table")
    for seed in range(3):
        play = Play.new(made, seed=seed)
        truth = play.truth()[0].holder.tolist()
        file = [card for card, holder in zip(CLUE, truth, strict=True) if holder == made.players]
        assert true_value(display(made), play, 0, "case file") == ", ".join(file)
        for category, card in zip(("suspect", "weapon", "room"), file, strict=True):
            assert true_value(display(made), play, 0, category) == card
    kuhn = game("kuhn_poker")
    for seed in range(6):
        play = Play.new(kuhn, seed=seed)
        card = CARDS[int(play.truth()[0].cards[1])]
        assert true_value(display(kuhn), play, 0, "card of second") == card


def test_calibration_counts_what_was_said_by_tenths() -> None:
    rows = (("a", 0.31, 0.5), ("b", 0.39, 0.1), ("c", 0.3, 0.4))
    score = GuessScore(1.5, 1.4, rows, 0.0)
    guess = PersonGuess(0, (0,), 0, 0, "it", (), score, "c")
    table, _ = calibration([guess, guess])
    assert isinstance(table, Sheet)
    assert table.rows == (("33 %", "33 %", pytest.approx(1 / 3), "33 %", "6"),)


def test_everybody_has_a_row_when_the_game_is_over(tmp_path: Path) -> None:
    table = guessing_table(tmp_path, **{"seat 1": "a person on device 2"})
    table.say("guess 0 0", 0, **said(queen=50, king=50))
    table.say("guess 0 0", 1, **said(jack=100))
    table.go_on()
    table.say("move 1 0", 0)
    assert "class" not in names(table, 0)
    table.say("move 1 1", 1)
    table.go_on()
    (sheet,) = table.panel("class", 1).parts
    assert isinstance(sheet, Sheet)
    assert [row[0] for row in sheet.rows] == ["first", "second"]
    assert [float(str(row[4])) for row in sheet.rows] == sorted(
        float(str(row[4])) for row in sheet.rows
    )


def test_counts_that_no_deal_allows_are_not_offered() -> None:
    """And those that only the viewer can rule out are."""
    play = Play.new("leduc_poker", seed=1)
    display = Display(play.game)
    ((about, feature),) = display.guesses(play.view(0)).items()
    assert len(values_of(feature)) == 8
    cards = [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    ruled_out = 0
    for seed in range(12):
        play = Play.new("leduc_poker", seed=seed)
        for _ in range(2):
            names = display.move_names(play.view(play.player))
            play.apply(next(code for code, name in names.items() if name in ("check", "call")))
        view, seen = play.view(0), play.seen_by(0)
        offered = dealt_values(display, view, seen, about)
        assert sorted(offered) == sorted(cards)
        known = display.game_belief()
        assert known is not None
        ruled_out += len(known.infer(view, seen).marginal(feature)) < len(offered)
    assert ruled_out
