"""What a refuter shows, and how probable it is."""

from __future__ import annotations

import pickle
from collections.abc import Mapping

import pytest

from sleuth.errors import EvidenceError, RecordError, SettingsError
from sleuth.models.clue import choice_model, preference_choice

HELD = ("plum", "rope", "hall")


def test_a_refuter_who_chooses_at_random_shows_each_card_equally_often():
    model = choice_model("random")
    assert model.probabilities("ben", "ann", HELD) == dict.fromkeys(HELD, 1 / 3)
    assert model.probabilities("ben", "ann", HELD[:2]) == {"plum": 0.5, "rope": 0.5}
    assert model.probabilities("ben", "ann", HELD[:1]) == {"plum": 1.0}
    assert model.weighs


def test_an_ignored_choice_is_drawn_at_random_but_says_nothing():
    model = choice_model("ignored")
    assert not model.weighs
    assert model.probabilities("ben", "ann", HELD) == dict.fromkeys(HELD, 1 / 3)


def test_by_default_rooms_are_shown_before_weapons_before_suspects():
    model = choice_model("preference")
    assert model.probabilities("ben", "ann", HELD) == {
        "plum": 0.01,
        "rope": 0.01,
        "hall": pytest.approx(0.98),
    }
    assert model.probabilities("ben", "ann", ("plum", "rope")) == {"plum": 0.01, "rope": 0.99}
    assert model.probabilities("ben", "ann", ("plum",)) == {"plum": 1.0}


def test_a_preference_may_name_some_cards_and_leave_the_rest_as_they_were():
    model = choice_model("preference", ["Prof. Plum", "rope"])
    assert model.order == ("plum", "rope")
    assert model.probabilities("ben", "ann", ("white", "knife", "hall"))["hall"] == 0.98
    assert model.probabilities("ben", "ann", HELD)["plum"] == pytest.approx(0.98)


def test_a_preference_may_slip_more_often_but_never_less_than_one_time_in_a_hundred():
    model = preference_choice(slip=0.2)
    assert sum(model.probabilities("ben", "ann", HELD).values()) == pytest.approx(1)
    assert model.probabilities("ben", "ann", HELD)["plum"] == 0.2
    for slip in (0.0, 0.5, -1.0, float("nan")):
        with pytest.raises(SettingsError, match="slip"):
            preference_choice(slip=slip)


def test_a_preference_with_a_wrong_or_double_card_is_refused():
    with pytest.raises(RecordError, match="preference, item 2: no such card"):
        choice_model("preference", ["rope", "rop"])
    with pytest.raises(SettingsError, match="twice"):
        choice_model("preference", ["rope", "Rope"])


def test_an_unknown_model_is_refused_and_so_is_a_preference_that_would_not_be_used():
    with pytest.raises(SettingsError, match="did you mean 'random'"):
        choice_model("randm")
    with pytest.raises(SettingsError, match="only by the choice model 'preference'"):
        choice_model("random", ["rope"])


def test_anybody_can_bring_a_model_of_his_own():
    def last(refuter: str, suggester: str, held: tuple[str, ...]) -> Mapping[str, float]:
        return {held[-1]: 1.0}

    model = choice_model(last)
    assert model.name == "custom"
    assert model.weighs
    assert model.probabilities("ben", "ann", HELD) == {"plum": 0.0, "rope": 0.0, "hall": 1.0}
    assert choice_model(model) is model


@pytest.mark.parametrize(
    "answer, complaint",
    [
        ({"knife": 1.0}, "not held"),
        ({"plum": 0.5}, "do not sum to 1"),
        ({"plum": 1.5, "rope": -0.5}, "no probability"),
        ({"plum": float("nan")}, "no probability"),
        ({}, "do not sum to 1"),
    ],
)
def test_a_model_that_answers_with_no_distribution_is_refused(
    answer: dict[str, float], complaint: str
):
    model = choice_model(lambda refuter, suggester, held: answer)
    with pytest.raises(EvidenceError, match=complaint):
        model.probabilities("ben", "ann", HELD)


@pytest.mark.parametrize("name", ["random", "ignored", "preference"])
def test_a_named_model_goes_to_another_process(name: str):
    model = choice_model(name)
    assert pickle.loads(pickle.dumps(model)) == model
