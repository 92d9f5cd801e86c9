"""Simulated people at the table: they do what the population does, by what they can see."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from sleuth import Play, play_match
from sleuth.errors import SettingsError
from sleuth.games.cheat import cheat, no_counts, simulate
from sleuth.kit import Briefing, View
from sleuth.models.cheat.people.person import SimulatedPerson, counted, person
from sleuth.models.cheat.people.population import POPULATION, REACTING, STEADY, bluffers, utilities
from sleuth.models.cheat.people.simulate import simulate_games
from sleuth.models.cheat.people.tallies import COUNTS, tally

from ..situations import GAME, played, situation


def middle(seed: int = 3, turns: int = 9) -> Play:
    """A game of two people, some turns on."""
    play = Play.new(GAME, seed=seed)
    people = [person(GAME, 2 * seed), person(GAME, 2 * seed + 1)]
    while len(play.actions) < turns and not play.over:
        viewer = play.player
        play.apply(people[viewer].decide(play.view(viewer), play.seen_by(viewer)))
    return play


def test_a_person_acts_as_often_as_his_utilities_say() -> None:
    play = middle()
    viewer = play.player
    view, seen = play.view(viewer), play.seen_by(viewer)
    habits = bluffers(1, seed=8).parameters[0]
    legal = view.legal()
    values, counts = np.zeros(18), no_counts()
    tally(play.truth()[0], GAME.tables, counts)
    padded = np.append(legal, np.zeros(18 - len(legal), np.int32))
    utilities(play.truth()[0], padded, len(legal), GAME.tables, habits, counts, values)
    shares = np.exp(values[: len(legal)])
    drawn = [SimulatedPerson(habits, seed).decide(view, seen) for seed in range(3_000)]
    found = np.array([drawn.count(int(code)) for code in legal])
    expected = 3_000 * shares / shares.sum()
    often = expected > 8
    grouped = [np.append(each[often], each[~often].sum()) for each in (found, expected)]
    assert chisquare(grouped[0] + 1e-9, grouped[1] + 1e-9).pvalue > 1e-3


def test_a_person_is_drawn_by_his_seed_and_stays_who_he_is() -> None:
    one, again, other = person(GAME, 5), person(GAME, 5), person(GAME, 6)
    assert one.habits.tolist() == again.habits.tolist()
    assert one.habits.tolist() != other.habits.tolist()
    assert len(one.habits) == len(POPULATION)
    play = middle()
    view, seen = play.view(play.player), play.seen_by(play.player)
    assert one.decide(view, seen) == again.decide(view, seen)
    assert one.took(view, seen, 1) == again.took(view, seen, 1) > 0


@pytest.mark.parametrize("population", [STEADY, REACTING])
def test_what_a_person_cannot_see_changes_nothing(population: str) -> None:
    for turns in (4, 7, 9):
        play = middle(turns=turns)
        viewer = play.player
        truth = play.truth()
        rng = np.random.default_rng(1)
        state: Any = truth[0]
        # Other cards in the other's hand and in the deck: only their number is seen.
        hidden = np.repeat(np.arange(13), state.hands[1 - viewer]).tolist()
        hidden += state.deck[: int(state.left)].tolist()
        order = rng.permutation(hidden)
        size = int(state.sizes[1 - viewer])
        state.hands[1 - viewer] = np.bincount(order[:size], minlength=13)
        state.deck[: int(state.left)] = order[size:]
        other = play.supposing(truth)
        for seed in range(20):
            somebody = person(GAME, seed, population=population)
            answers = {
                (somebody.decide(view, seen), somebody.took(view, seen, 1))
                for view, seen in (
                    (each.view(viewer), each.seen_by(viewer)) for each in (play, other)
                )
            }
            assert len(answers) == 1


def ends(games: int) -> list[tuple[tuple[int, int], Any]]:
    """Ends of simulated games of one match: who sat where, and the state."""
    people = bluffers(2, seed=4)
    return [(each.players, each.end) for each in simulate_games(people, seed=4, games=games)]


def test_what_was_counted_of_earlier_games_follows_a_player_to_his_seat() -> None:
    views: list[View] = []
    for players, end in ends(3):
        views.append(Play.new(cheat(), seed=0, start=end).view(players.index(0)))
    last = [*simulate_games(bluffers(2, seed=4), seed=4, games=4)][3]
    mine = last.players.index(0)
    assert counted(tuple(views), mine).tolist() == last.before.tolist()
    swapped = counted(tuple(views), 1 - mine)
    assert swapped.tolist() == last.before[::-1].tolist()
    assert counted((), 0).tolist() == no_counts().tolist()
    assert last.before.shape == (2, COUNTS)


def test_people_who_are_ashamed_lie_less_after_they_were_caught() -> None:
    habits = bluffers(1, seed=8).parameters[0].copy()
    habits[[name for name, *_ in POPULATION].index("shame")] = 6.0
    play = middle()
    view, seen = play.view(play.player), play.seen_by(play.player)

    def lies(told: Briefing) -> int:
        heard = replace(seen, told=told)
        chosen = [SimulatedPerson(habits, seed).decide(view, heard) for seed in range(400)]
        return sum(code >= 2 and (code - 2) // 4 % 2 == 1 for code in chosen)

    caught = situation("2 2 3 4 5 9 10 jack", "ace ace 2 king king king queen queen")
    played(caught, *["higher false 1", "call"] * 4)
    assert lies(Briefing(earlier=(caught.view(0),))) < lies(Briefing()) * 0.6
    # It was they who were caught, wherever they sit now; who caught them is not ashamed.
    assert lies(Briefing(earlier=(caught.view(1),))) > lies(Briefing()) * 0.8


@pytest.mark.parametrize("more", [{"seed": -1}, {"seed": 1.5}, {"games": 0}, {"players": 3}])
def test_people_who_cannot_be_drawn_are_refused(more: dict[str, Any]) -> None:
    with pytest.raises(SettingsError):
        simulate(**{"players": 2, "seed": 1, **more})


def test_people_play_matches_like_agents() -> None:
    result = play_match("cheat", ["people", "people"], games=4, series=4, seed=2)
    assert sum(result.wins) + result.shared == 4
    again = play_match("cheat", ["people", "people"], games=4, series=4, seed=2)
    assert again == result
