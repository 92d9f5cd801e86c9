"""What every event of a game of Clue says, to whom, and what a suggestion would tell."""

from __future__ import annotations

import dataclasses
import itertools
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sleuth import Posterior, infer
from sleuth.errors import ContradictionError, EvidenceError, RecordError
from sleuth.games.clue import (
    CARDS,
    CASE_FILE,
    Accusation,
    ClueDeclaration,
    Has,
    Move,
    NotHas,
    OneOf,
    SeenClue,
    Suggestion,
    simulate,
)
from sleuth.models.clue import CATEGORIES, FACE_UP, choice_model
from sleuth.models.clue.events import ClueEvent
from sleuth.models.clue.simulate import random_policy, unseen_policy
from sleuth.models.records.events import witness

from ....models.clue.test_seen import altered
from .clue_worlds import Array, Worlds, likelihood, worlds

OWN = ("scarlet", "mustard", "candlestick", "knife", "kitchen", "ballroom")
PLAYERS = ("me", "left", "right")
ASKED = ("white", "rope", "hall")


def table_of(*events: ClueEvent, own: tuple[str, ...] = OWN, viewer: str = "me") -> SeenClue:
    """A game of three as I see it: I sit first, and these things happened."""
    return SeenClue(
        players=PLAYERS,
        hand_sizes=tuple((player, 6) for player in PLAYERS),
        viewer=viewer,
        own_hand=own,
        events=tuple(witness(number, viewer, event) for number, event in enumerate(events, 1)),
    )


def known(game: SeenClue, choice: Any = "random") -> tuple[ClueDeclaration, Posterior]:
    belief = ClueDeclaration(game, choice)
    return belief, belief.infer(game, method="card_by_card")


def shares(game: SeenClue, choice: Any = "random") -> dict[str, dict[str, float]]:
    belief, posterior = known(game, choice)
    return posterior.table(belief.cards)


certain = pytest.approx(1.0, abs=1e-12)


# -- what is known from the start


def test_before_anything_happens_only_the_own_hand_is_known():
    game = table_of()
    found = shares(game)
    for card in CARDS:
        open_holders = {holder for holder, share in found[card].items() if share > 0.0}
        assert open_holders == ({"me"} if card in OWN else {"left", "right", CASE_FILE})
        if card not in OWN:
            assert found[card]["left"] == pytest.approx(found[card]["right"], abs=1e-12)
    for category in CATEGORIES.values():
        assert sum(found[card][CASE_FILE] for card in category) == certain
    assert known(game)[1].log_evidence == pytest.approx(0.0, abs=1e-12)


def test_cards_face_up_are_in_nobodys_hand():
    game = SeenClue(
        players=PLAYERS,
        hand_sizes=(("me", 5), ("left", 5), ("right", 5)),
        viewer="me",
        own_hand=OWN[:5],
        face_up=("plum", "rope", "study"),
    )
    found = shares(game)
    for card in game.face_up:
        assert found[card] == {holder: float(holder == FACE_UP) for holder in found[card]}
    assert found["hall"][FACE_UP] == 0.0


def test_an_observer_who_does_not_know_his_own_hand_is_as_open_as_the_others():
    found = shares(table_of(own=()))
    for card in CARDS:
        assert found[card]["me"] == pytest.approx(found[card]["left"], abs=1e-12)
        assert found[card]["me"] > 0.0


def test_his_passing_and_showing_then_tell_him_about_his_own_hand():
    own = shares(table_of(Suggestion("left", ASKED, refuter="me", shown="rope"), own=()))
    assert own["rope"]["me"] == certain
    passed = shares(table_of(Suggestion("right", ASKED, refuter="left", passed=("me",)), own=()))
    assert all(passed[card]["me"] == 0.0 for card in ASKED)


def test_what_he_shows_himself_is_weighed_by_no_model_of_choice():
    event = Suggestion("left", ASKED, refuter="me", shown="rope")
    for own in ((), OWN):
        weighed, plain = (
            shares(table_of(event, own=own), choice) for choice in ("random", "ignored")
        )
        assert weighed == plain


# -- what each event says


def test_who_passed_holds_none_of_the_three():
    event = Suggestion("me", ASKED, refuter="right", shown="rope", passed=("left",))
    found = shares(table_of(event))
    assert all(found[card]["left"] == 0.0 for card in ASKED)
    assert found["rope"] == {"me": 0.0, "left": 0.0, "right": certain, CASE_FILE: 0.0}
    assert found["white"]["right"] > 0.0


def test_a_refutation_that_is_not_seen_means_at_least_one_of_the_three():
    game = table_of(Suggestion("left", ASKED, refuter="right"))
    belief, posterior = known(game)
    assert posterior.probability(belief.cards.count("right", ASKED).at_least(1)) == certain
    before = shares(table_of())
    after = posterior.table(belief.cards)
    for card in ASKED:
        assert before[card]["right"] < after[card]["right"] < 1.0
        assert after[card][CASE_FILE] < before[card][CASE_FILE]


def test_when_nobody_refutes_the_case_file_or_the_suggester_has_them():
    mine = Suggestion("me", ASKED, passed=("left", "right"))
    found = shares(table_of(mine))
    assert all(found[card][CASE_FILE] == certain for card in ASKED)
    theirs = Suggestion("left", ASKED, passed=("right", "me"))
    found = shares(table_of(theirs))
    assert all(found[card]["right"] == 0.0 for card in ASKED)
    assert all(0.0 < found[card]["left"] < 1.0 for card in ASKED)


def test_a_refuter_who_was_not_recorded_says_only_who_passed():
    event = Suggestion("me", ASKED, passed=("left",), refuter_recorded=False)
    game = table_of(event)
    assert len(ClueDeclaration(game).evidence(game.events[0])) == 1
    found = shares(game)
    assert all(found[card]["left"] == 0.0 for card in ASKED)
    assert all(0.0 < found[card]["right"] < 1.0 for card in ASKED)


def test_a_wrong_accusation_rules_out_the_three_together_and_nothing_else():
    game = table_of(Accusation("left", ASKED, correct=False))
    belief, before = known(table_of())
    after = belief.infer(game, method="card_by_card")
    shares_before, shares_after = (p.marginal(belief.case_file) for p in (before, after))
    assert ASKED not in shares_after
    assert len(shares_after) == len(shares_before) - 1
    kept = 1.0 - shares_before[ASKED]
    assert after.log_evidence == pytest.approx(math.log(kept), abs=1e-12)
    for triple, share in shares_after.items():
        assert share == pytest.approx(shares_before[triple] / kept, abs=1e-12)


def test_a_right_accusation_is_the_case_file():
    belief, posterior = known(table_of(Accusation("left", ASKED, correct=True)))
    assert posterior.marginal(belief.case_file) == {ASKED: certain}


def test_who_accused_wrongly_and_looked_knows_the_case_file_and_nobody_else_does():
    looked = ("white", "rope", "study")
    mine = Accusation("me", ASKED, correct=False, seen=looked)
    belief, posterior = known(table_of(mine))
    assert posterior.marginal(belief.case_file) == {looked: certain}
    theirs = Accusation("left", ASKED, correct=False)
    belief, posterior = known(table_of(theirs))
    assert len(posterior.marginal(belief.case_file)) > 50


def test_what_an_accuser_saw_counts_for_everybody_whose_view_holds_it():
    looked = ("white", "rope", "study")
    theirs = Accusation("left", ASKED, correct=False, seen=looked)
    belief, posterior = known(table_of(theirs))
    assert posterior.marginal(belief.case_file) == {looked: certain}


@pytest.mark.parametrize("holder", ["left", CASE_FILE])
def test_notes_say_what_they_say(holder: str):
    found = shares(table_of(Has(holder, "rope")))
    assert found["rope"][holder] == certain
    found = shares(table_of(NotHas(holder, "rope")))
    assert found["rope"][holder] == 0.0
    game = table_of(OneOf(holder, ("rope", "hall")))
    belief, posterior = known(game)
    condition = belief.cards.count(holder, ("rope", "hall")).at_least(1)
    assert posterior.probability(condition) == certain
    assert posterior.table(belief.cards)["rope"][holder] < 1.0


def test_moves_and_what_the_viewer_shows_or_passes_say_nothing_new_to_him():
    events = (
        Move("left", "hall"),
        Suggestion("left", (OWN[0], OWN[2], OWN[4]), refuter="me", shown=OWN[2]),
    )
    game = table_of(*events)
    belief = ClueDeclaration(game)
    assert [belief.evidence(seen) for seen in game.events] == [[], []]
    passed = table_of(Suggestion("right", ASKED, refuter="left", passed=("me",)))
    [evidence] = ClueDeclaration(passed).evidence(passed.events[0])
    assert evidence.because == "event 1: left showed a card"


def test_an_event_that_cannot_have_been_is_named_with_those_that_exclude_it():
    game = table_of(
        Move("left", "hall"),
        Suggestion("me", ASKED, refuter="right", shown="rope", passed=("left",)),
        Suggestion("left", ("plum", "wrench", "study"), refuter="right"),
        Has("left", "rope"),
    )
    with pytest.raises(ContradictionError, match="event 2, event 4") as caught:
        known(game)
    assert set(caught.value.evidence) == {2, 4}


def test_a_certainty_is_explained_by_its_events():
    game = table_of(
        Suggestion("left", ASKED, refuter="right"),
        Has("left", "white"),
        Has("right", "plum"),
        NotHas("right", "hall"),
    )
    belief, posterior = known(game)
    assert posterior.explain(belief.cards.all_of("right", ["rope"])) == [1, 2, 4]
    assert posterior.explain(belief.cards.all_of("me", [OWN[0]])) == []


# -- the refuter's choice


@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_refuter_with_several_cards_shows_each_equally_often(count: int):
    game = table_of(Suggestion("me", ASKED, refuter="left", shown="white"))
    belief = ClueDeclaration(game)
    [evidence] = belief.evidence(game.events[0])
    for held, weight in zip(evidence.feature.values, evidence.table, strict=True):
        if len(held) == count:
            assert weight == pytest.approx(1.0 / count if "white" in held else 0.0, abs=1e-15)


def test_a_question_lets_him_show_each_half_the_time():
    belief = ClueDeclaration(table_of())
    question = belief.suggestion(ASKED)
    row = question.feature.values.index(("left", "left", "right"))
    chances = dict(zip(question.outcomes, question.table[row], strict=True))
    assert {outcome: p for outcome, p in chances.items() if p} == {
        ("left", "white"): 0.5,
        ("left", "rope"): 0.5,
    }


def test_the_next_in_turn_who_can_refutes_and_nobody_else_is_asked():
    belief = ClueDeclaration(table_of(own=(), viewer="left"))
    question = belief.suggestion(ASKED)
    expected = {
        ("me", "right", CASE_FILE): ("right", "rope"),
        ("me", CASE_FILE, CASE_FILE): ("me", "white"),
        (CASE_FILE, "left", CASE_FILE): (None, None),
    }
    for value, outcome in expected.items():
        row = question.table[question.feature.values.index(value)]
        assert row[question.outcomes.index(outcome)] == 1.0


def test_a_preference_is_kept_but_for_one_in_a_hundred():
    game = table_of(Suggestion("me", ASKED, refuter="left", shown="white"))
    model = choice_model("preference", ["rope", "white"])
    [evidence] = ClueDeclaration(game, model).evidence(game.events[0])
    weights = dict(zip(evidence.feature.values, evidence.table, strict=True))
    assert weights["white",] == 1.0
    assert weights["white", "hall"] == pytest.approx(0.99)
    assert weights["white", "rope"] == pytest.approx(0.01)
    assert weights["white", "rope", "hall"] == pytest.approx(0.01)


def test_anybodys_own_model_of_a_refuter_is_weighed_and_never_rules_the_truth_out():
    def shows_rooms_to_me(refuter: str, suggester: str, held: tuple[str, ...]) -> dict[str, float]:
        assert (refuter, suggester) == ("left", "me")
        return {held[-1]: 1.0}

    game = table_of(Suggestion("me", ASKED, refuter="left", shown="white"))
    found = shares(game, choice_model(shows_rooms_to_me))
    plain = shares(game, "random")
    # They would have shown the hall, so they hardly have it, but may have made an exception.
    assert 0.0 < found["hall"]["left"] < 0.1 * plain["hall"]["left"]


def test_plain_counting_takes_a_card_shown_for_a_card_held():
    event = Suggestion("me", ASKED, refuter="left", shown="white")
    assert shares(table_of(event), "ignored") == shares(table_of(Has("left", "white")), "ignored")
    assert shares(table_of(event), "random") != shares(table_of(event), "ignored")


@pytest.mark.parametrize("number", range(5))
def test_by_plain_counting_log_evidence_is_the_share_of_deals_left(number: int):
    game = a_game(3, number)
    posterior = known(game, "ignored")[1]
    listed = worlds(game, "ignored")
    share = listed.weights.shape[0] / listed.listed
    assert posterior.log_evidence == pytest.approx(math.log(share), abs=1e-9)
    assert math.exp(posterior.solution.log_weight) == pytest.approx(listed.weights.shape[0])


# -- nothing leaks


def a_game(players: int, number: int, *, turns: int = 7) -> SeenClue:
    """A game in which the case file is still open for a player."""
    rng = np.random.default_rng([5, players, number])
    record = simulate(players, rng, turns=turns, policy=random_policy)
    return record.seen_by(record.players[int(rng.integers(players))])


def everything(game: SeenClue, choice: str) -> bytes:
    """All that a viewer can be told, byte by byte."""
    belief, posterior = known(game, choice)
    parts = [
        posterior.solution.expected().tobytes(),
        posterior.distribution(belief.case_file).tobytes(),
        np.float64(posterior.log_evidence).tobytes(),
        posterior.sample_array(20, np.random.default_rng(1)).tobytes(),
        repr(posterior.history).encode(),
    ]
    if game.is_player:
        some = belief.suggestions[::40]
        parts.append(posterior.information_gain(some, about=belief.case_file).tobytes())
    return b"".join(parts)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    players=st.integers(3, 6),
    seat=st.integers(0, 6),
    choice=st.sampled_from(["random", "ignored", "preference"]),
)
def test_altering_what_a_viewer_cannot_see_changes_no_answer_he_is_given(
    seed: int, players: int, seat: int, choice: str
):
    rng = np.random.default_rng(seed)
    turns = int(rng.integers(8, 16))
    record = simulate(players, rng, turns=turns, policy=unseen_policy, guess=0.1)
    viewer = record.viewers()[min(seat, players)]
    other = altered(record, viewer, rng)
    assert everything(other.seen_by(viewer), choice) == everything(record.seen_by(viewer), choice)


def test_what_a_viewer_sees_does_change_what_he_knows():
    record = simulate(3, np.random.default_rng(4), turns=9)
    answers = {viewer: everything(record.seen_by(viewer), "random") for viewer in record.viewers()}
    assert len(set(answers.values())) == len(answers) == 4


# -- what a suggestion would tell


def gain_by_hand(game: SeenClue, cards: tuple[str, ...], choice: str) -> float:
    """Mutual information of the answer and the case file, over all deals one by one."""
    listed = worlds(game, choice)
    place = game.players.index(game.viewer)
    asked = game.players[place + 1 :] + game.players[:place]
    prior = listed.case_file()
    left = 0.0
    total = 0.0
    passed: tuple[str, ...] = ()
    suggested: Any = cards
    for player in (*asked, None):
        for card in cards if player else (None,):
            event = Suggestion(game.viewer, suggested, refuter=player, shown=card, passed=passed)
            weights = likelihood(listed.holders, listed.held, game, event, choice)
            after = Worlds(listed.holders, listed.held, listed.weights * weights, listed.listed)
            share = float(after.weights.sum() / listed.weights.sum())
            total += share
            if share > 0.0:
                left += share * bits(after.case_file())
        passed = (*passed, player) if player else passed
    assert total == pytest.approx(1.0, abs=1e-12)
    return bits(prior) - left


def bits(shares: Array) -> float:
    positive = shares[shares > 0.0]
    return float(-(positive * np.log2(positive)).sum())


@pytest.mark.parametrize("choice", ["random", "preference"])
@pytest.mark.parametrize("number", range(4))
def test_all_gains_at_once_are_the_gains_one_by_one_and_by_hand(number: int, choice: str):
    game = a_game(3, number)
    belief, posterior = known(game, choice)
    assert len(belief.suggestions) == 324
    gains = posterior.information_gain(belief.suggestions, about=belief.case_file)
    names = [*itertools.product(*CATEGORIES.values())]
    assert gains.min() >= 0.0
    assert 0.2 < gains.max() <= posterior.entropy(belief.case_file) + 1e-12
    for place in range(number, 324, 23):
        question = belief.suggestions[place]
        assert question.name == ", ".join(names[place])
        alone = posterior.information_gain(question, about=belief.case_file)
        assert alone == pytest.approx(gains[place], abs=1e-12)
        assert gains[place] == pytest.approx(gain_by_hand(game, names[place], choice), abs=1e-9)


@pytest.mark.parametrize("players", [3, 5])
def test_a_gain_is_the_mean_drop_of_entropy_over_the_answers(players: int):
    game = a_game(players, 2, turns=10)
    belief, posterior = known(game)
    before = posterior.entropy(belief.case_file)
    for question in belief.suggestions[::50]:
        chances = posterior.distribution(question.feature) @ question.table
        left = 0.0
        for outcome, chance in zip(question.outcomes, chances, strict=True):
            if chance > 0.0:
                after = posterior.observe(question.observed(outcome))
                left += chance * after.entropy(belief.case_file)
        gain = posterior.information_gain(question, about=belief.case_file)
        assert gain == pytest.approx(before - left, abs=1e-9)


@pytest.mark.parametrize("choice", ["random", "preference"])
def test_the_answer_to_a_question_is_the_event_that_happens(choice: str):
    game = a_game(4, 1)
    belief, posterior = known(game, choice)
    place = game.players.index(game.viewer)
    asked = game.players[place + 1 :] + game.players[:place]
    possible = 0
    for cards in (ASKED, ("plum", "wrench", "study"), ("green", "revolver", "lounge")):
        question = belief.suggestion(cards)
        chances = posterior.distribution(question.feature) @ question.table
        for (refuter, shown), chance in zip(question.outcomes, chances, strict=True):
            passed = asked if refuter is None else asked[: asked.index(refuter)]
            event = Suggestion(game.viewer, cards, refuter=refuter, shown=shown, passed=passed)
            seen = witness(len(game.events) + 1, game.viewer, event)
            if chance == 0.0:
                with pytest.raises(ContradictionError):
                    posterior.observe(belief.evidence(seen))
                continue
            possible += 1
            happened = posterior.observe(belief.evidence(seen))
            answered = posterior.observe(question.observed((refuter, shown)))
            gained = happened.log_evidence - posterior.log_evidence
            assert gained == pytest.approx(math.log(chance), abs=1e-9)
            assert answered.log_evidence == pytest.approx(happened.log_evidence, abs=1e-9)
            first, second = (p.distribution(belief.case_file) for p in (answered, happened))
            assert np.abs(first - second).max() < 1e-12
    assert possible > 6


@pytest.mark.parametrize("players", [3, 6])
def test_the_best_questions_are_the_best_of_all(players: int):
    game = a_game(players, 3, turns=12)
    belief, posterior = known(game)
    gains = posterior.information_gain(belief.suggestions, about=belief.case_file)
    best = posterior.best_questions(belief.suggestions, about=belief.case_file, n=10)
    assert len(best) == 10
    assert [gain for _, gain in best] == sorted((gain for _, gain in best), reverse=True)
    exact = {question.name: gain for question, gain in zip(belief.suggestions, gains, strict=True)}
    for question, gain in best:
        assert gain == pytest.approx(exact[question.name], abs=1e-12)
    assert best[0][1] > 0.2
    # Screening is by sampling, but what it keeps is three times what is asked for.
    assert best[0][1] == pytest.approx(gains.max(), abs=1e-9)
    assert sum(gain for _, gain in best) > 0.995 * np.sort(gains)[-10:].sum()


def test_when_the_case_file_is_known_no_suggestion_tells_more():
    belief, posterior = known(table_of(Accusation("left", ASKED, correct=True)))
    gains = posterior.information_gain(belief.suggestions, about=belief.case_file)
    assert np.abs(gains).max() < 1e-12


def test_a_spectator_has_nothing_to_suggest():
    game = dataclasses.replace(table_of(own=()), viewer="spectator")
    belief = ClueDeclaration(game)
    assert belief.viewer is None
    with pytest.raises(RecordError, match="spectator makes no suggestions"):
        _ = belief.suggestions


def test_an_unknown_card_or_holder_is_refused_with_the_nearest_name():
    belief = ClueDeclaration(table_of())
    with pytest.raises(EvidenceError, match="did you mean 'rope'"):
        belief.cards.holds("left", "roqe")
    with pytest.raises(EvidenceError, match="did you mean 'right'"):
        infer(belief.model, belief.cards.holds("righ", "rope"))
