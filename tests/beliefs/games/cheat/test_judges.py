"""What is made of claims of Cheat: predictors, hints, both ways, and a game that is imagined."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from sleuth import OVER, Play
from sleuth.beliefs.games.cheat.imagined import (
    HORIZON,
    OFFSET,
    ROOT,
    SEARCHER,
    begin,
    calls_offset,
    predicted_game,
    predicted_policy,
)
from sleuth.beliefs.games.cheat.judges import CALLS, judge
from sleuth.data.files import resource
from sleuth.errors import RecordError, SettingsError
from sleuth.games.cheat import (
    TRUTH,
    USUAL,
    Acquaintance,
    Challenge,
    CheatBelief,
    cheat,
    features,
    known_predictor,
    no_counts,
    seen_game,
)
from sleuth.kit import Briefing, SeenPlay, View, generator
from sleuth.models.cheat.advice import last_claim
from sleuth.models.cheat.people.person import counted, person

GAME = cheat()
Moment = tuple[Play, View, SeenPlay]


@pytest.fixture(scope="module")
def moments() -> list[Moment]:
    """Moments of games between people at which a claim may be called."""
    found: list[Moment] = []
    for seed in range(4):
        play = Play.new(GAME, seed=seed)
        people = [person(GAME, 10 + seed), person(GAME, 20 + seed)]
        while not play.over:
            viewer = play.player
            view, seen = play.view(viewer), play.seen_by(viewer)
            if 0 in view.legal():
                found.append((play.supposing(play.truth()), view, seen))
            play.apply(people[viewer].decide(view, seen))
    assert len(found) > 60
    return found


def test_a_predictor_is_told_what_the_challenger_knows(moments: list[Moment]) -> None:
    usual, predictor = judge(USUAL), known_predictor(USUAL, TRUTH)
    assert callable(usual)
    earlier = (moments[-1][1], moments[5][1])
    for place, (_, view, seen) in enumerate(moments[::7]):
        seconds = 3.0 + place if place % 2 else None
        turns = len(seen_game(view).turns)
        told = Briefing(seconds=(None,) * (turns - 1) + (seconds,), earlier=earlier)
        before = counted(earlier, view.viewer)
        row = features(Challenge(view, before, seconds))
        heard = replace(seen, told=told)
        assert usual(view, heard) == pytest.approx(float(predictor(row)[0]), abs=1e-12)
    assert predictor.card["predicts"] == "the claim is true"
    assert known_predictor(USUAL, CALLS).card["predicts"] == "the claim will be called"


def test_the_predictor_of_the_package_tells_lies_from_true_claims(moments: list[Moment]) -> None:
    usual = judge(USUAL)
    assert callable(usual)
    said: dict[bool, list[float]] = {True: [], False: []}
    for play, view, seen in moments:
        truth = GAME.advice.secret
        assert truth is not None
        said[bool(truth(play.truth(), view.viewer))].append(usual(view, seen) or 0.0)
    assert np.mean(said[True]) > np.mean(said[False]) + 0.2


def test_a_hint_is_worth_how_often_it_is_right(moments: list[Moment]) -> None:
    hinted = judge("hint", 0.85)
    assert callable(hinted)
    _, view, seen = moments[0]
    assert hinted(view, seen) is None
    assert hinted(view, replace(seen, told=Briefing(hint=True))) == 0.85
    assert hinted(view, replace(seen, told=Briefing(hint=False))) == pytest.approx(0.15)


def test_ways_are_what_counting_thinks_of_both(moments: list[Moment]) -> None:
    counting, even = CheatBelief(), CheatBelief(predictor="even")
    both = 0
    for _, view, seen in moments[::5]:
        ways = counting.ways(view, seen)
        assert sum(way.chance for way in ways) == pytest.approx(1)
        if len(ways) == 1:
            continue
        both += 1
        assert [way.name for way in ways] == ["true", "false"]
        assert [way.chance for way in even.ways(view, seen)] == [0.5, 0.5]
        known = counting.infer(view, seen)
        *_, last = (name for name in counting.hidden(view) if name.startswith("claim"))
        true = counting.hidden(view)[last]
        assert known.marginal(true)[True] == pytest.approx(ways[0].chance)
        for way, certain in zip(ways, (1.0, 0.0), strict=True):
            assert way.posterior.marginal(true).get(True, 0.0) == pytest.approx(certain)
        # By counting's own chances the two ways together are what is known.
        hands = [name for name in counting.hidden(view) if " of " in name]
        feature = counting.hidden(view)[hands[3]]
        for value, share in known.marginal(feature).items():
            parts = [way.chance * way.posterior.marginal(feature).get(value, 0) for way in ways]
            assert sum(parts) == pytest.approx(share, abs=1e-9)
    assert both > 5


def test_a_way_that_counting_excludes_can_be_asked_for(moments: list[Moment]) -> None:
    counting, even = CheatBelief(), CheatBelief(predictor="even", excluded=True)
    rng = np.random.default_rng(1)
    found = 0
    for _, view, seen in moments[::2]:
        known = counting.ways(view, seen)
        ways = even.ways(view, seen)
        if known[0].name == "as it is":
            assert len(ways) == 1
            continue
        assert [(way.name, way.chance) for way in ways] == [("true", 0.5), ("false", 0.5)]
        if len(known) == 2:
            assert all(way.worlds is None for way in ways)
            continue
        found += 1
        (drawn,) = (way for way in ways if way.worlds is not None)
        assert drawn.name != known[0].name
        assert drawn.worlds is not None
        for row in drawn.worlds(3, rng):
            states = view.states.copy()
            GAME.fill(states[0], row, GAME.tables, generator(1, 2))
            assert last_claim(states, view.viewer) == (drawn.name == "true")
            deck = states[0].deck[: states[0].left]
            assert ((deck >= 0) & (deck < 13)).all()
    assert found > 2
    assert len(CheatBelief(excluded=True).ways(*moments[0][1:])) in (1, 2)


def test_where_nothing_is_claimed_there_is_one_way() -> None:
    play = Play.new(GAME, seed=1)
    (way,) = CheatBelief(predictor="even").ways(play.view(0), play.seen_by(0))
    assert way.chance == 1.0


def test_words_that_make_no_sense_are_refused(tmp_path: Any) -> None:
    with pytest.raises(SettingsError, match="number from"):
        judge("hint", 0.3)
    with pytest.raises(SettingsError, match="how often a hint is right"):
        judge("hint")
    with pytest.raises(RecordError, match="cannot be read"):
        judge(str(tmp_path / "nothing"))
    of_calls = Path(str(resource("cheat", "calls")))
    with pytest.raises(RecordError, match="whether the claim is true"):
        judge(str(of_calls))


# A game that is imagined with predictors


@pytest.fixture(scope="module")
def imagined() -> Any:
    return predicted_game(GAME, known_predictor(USUAL, TRUTH), known_predictor(USUAL, CALLS))


def called(imagined: Any, states: Any, draws: int) -> int:
    """How often the policy calls."""
    legal = np.zeros(18, np.int32)
    count = int(GAME.legal(states[0], GAME.tables, legal))
    random = generator(7)
    return sum(
        int(legal[predicted_policy(states[0], legal, count, imagined.tables, random)]) == 0
        for _ in range(draws)
    )


def test_the_opponent_calls_as_often_as_is_predicted(imagined: Any, moments: list[Moment]) -> None:
    predictor = known_predictor(USUAL, CALLS)
    imagined.tables.before[:] = 0
    for play, view, _ in moments[:40:8]:
        imagined.tables.numbers[SEARCHER] = 1 - view.viewer
        for offset in (0.0, 1.5):
            imagined.tables.numbers[OFFSET] = offset
            chance = float(predictor(features(Challenge(view, no_counts())))[0])
            logit = math.log(chance / (1 - chance)) + offset
            expected = 1 / (1 + math.exp(-logit))
            found = called(imagined, play.truth(), 600)
            assert binomtest(found, 600, expected).pvalue > 1e-4


def test_nobody_sees_through_cards(imagined: Any, moments: list[Moment]) -> None:
    # The paper's playouts call a lie and no true claim; here the same is done whatever it is.
    for play, view, _ in moments[::9]:
        truth = play.truth()
        state: Any = truth[0]
        turn = int(state.turn) - 1
        swapped = truth.copy()
        swapped[0].cards[turn] = 1 if int(state.cards[turn]) != 1 else 2
        swapped[0].hands[1 - view.viewer] = np.roll(state.hands[1 - view.viewer], 3)
        for searcher in range(2):
            imagined.tables.numbers[SEARCHER] = searcher
            assert called(imagined, truth, 40) == called(imagined, swapped, 40)


def test_the_game_is_broken_off_at_its_horizon(imagined: Any) -> None:
    rng = np.random.default_rng(1)
    for seed in range(5):
        states = GAME.initial(seed)
        imagined.tables.numbers[ROOT] = 0
        while states[0].player != OVER:
            legal = np.zeros(18, np.int32)
            count = int(imagined.legal(states[0], imagined.tables, legal))
            action = int(rng.choice(legal[:count]))
            imagined.apply(states[0], action, imagined.tables, generator(seed, int(states[0].turn)))
        values = np.zeros(2)
        imagined.returns(states[0], imagined.tables, values)
        assert values[0] == -values[1]
        if states[0].winner:
            assert abs(values[0]) == 1.0
        else:
            assert states[0].turn == HORIZON
            fewer = int(states[0].sizes[0]) - int(states[0].sizes[1])
            assert np.sign(values[0]) == -np.sign(fewer)


def test_who_calls_often_is_expected_to() -> None:
    assert calls_offset(0, 0) == 0.0
    assert calls_offset(3, 20) == pytest.approx(0.0)
    assert calls_offset(15, 20) > calls_offset(8, 20) > 0.0 > calls_offset(0, 20)


def test_a_search_begins_with_what_its_player_was_told(
    imagined: Any, moments: list[Moment]
) -> None:
    _, view, seen = moments[3]
    earlier = (moments[-1][1],)
    begin(imagined, view, replace(seen, told=Briefing(earlier=earlier)))
    assert imagined.tables.before.tolist() == counted(earlier, view.viewer).tolist()
    assert imagined.tables.numbers[SEARCHER] == view.viewer
    assert imagined.tables.numbers[ROOT] == len(seen_game(view).turns)


def test_an_opponent_gets_to_be_known_by_what_was_turned_up(moments: list[Moment]) -> None:
    """The same as training learns, claim by claim; in the next game of the match, too."""
    usual, known = judge(USUAL), judge(USUAL, known=True)
    assert callable(usual)
    assert callable(known)
    knows = Acquaintance(known_predictor(USUAL, TRUTH).spread)
    earlier: tuple[View, ...] = ()
    moved = 0
    for seed in (3, 4):
        play = Play.new(GAME, seed=seed)
        people = [person(GAME, 12), person(GAME, 22)]
        knows.begin()
        while not play.over:
            viewer = play.player
            view, seen = play.view(viewer), play.seen_by(viewer)
            if viewer == 0 and 0 in view.legal():
                turns = seen_game(view)
                shown = enumerate(turns.turns[: turns.since])
                knows.turn_up({at: each.true for at, each in shown if each.true is not None})
                heard = replace(seen, told=Briefing(earlier=earlier))
                anybody, said = usual(view, heard), known(view, heard)
                assert anybody is not None
                assert said is not None
                assert said == pytest.approx(knows.hear(len(turns.turns) - 1, anybody), abs=1e-9)
                assert known(view, heard) == said
                moved += abs(said - anybody) > 1e-6
            play.apply(people[viewer].decide(view, seen))
        turns = seen_game(play.view(0))
        shown = enumerate(turns.turns[: turns.since])
        knows.turn_up({at: each.true for at, each in shown if each.true is not None})
        earlier = (*earlier, play.view(0))
    assert moved > 5


@pytest.mark.parametrize("predictor", ["even", "none", "hint"])
def test_what_is_no_predictor_is_not_moved(predictor: str) -> None:
    with pytest.raises(SettingsError, match="known of a player"):
        judge(predictor, 0.8, known=True)
