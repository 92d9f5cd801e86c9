"""Games led back to the deal: played again they show the viewer what they saw, and nothing else."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import numpy as np
import pytest
from scipy.stats import chisquare

from sleuth import HIDDEN, SPECTATOR, Game, Play, belief, game
from sleuth.beliefs.games import drawn_histories
from sleuth.beliefs.games.contract import Histories
from sleuth.beliefs.games.histories import draws_games, histories
from sleuth.games.cheat import CheatBelief, cheat, mini_cheat
from sleuth.kit import SeenPlay, View, generator
from sleuth.models.cheat import mini_deals
from sleuth.models.cheat.people.person import person
from sleuth.models.game import legal_actions, mover_of
from sleuth.models.state_fields import flat_numbers

ODD = {
    "ranks": 5,
    "suits": 2,
    "hand": 3,
    "first_card": "aside",
    "follows": "valid",
    "turns": "call winner",
    "empty_deck": "pass",
    "false_claim": "some",
    "false_cards": "any",
}


def led_back(known: Any, view: View, seen: SeenPlay, count: int, seed: int) -> Histories:
    rng = np.random.default_rng(seed)
    found = histories(known, known.infer(view, seen), view, seen, count, rng)
    assert found is not None
    assert len(found.starts) == count
    return found


def check_again(rules: Game, found: Histories, view: View, seen: SeenPlay) -> None:
    """Played again, each game shows what the viewer saw, and ends with what they know."""
    for place in range(len(found.starts)):
        states = found.starts[place : place + 1].copy()
        assert tuple(flat_numbers(rules.masked(states, view.viewer)).tolist()) == seen.start
        steps = zip(found.actions[place], found.listed[place], seen.events, strict=True)
        for code, listed, each in steps:
            mover = mover_of(states)
            assert listed in legal_actions(rules, states)
            assert rules.listed_code(states, int(code)) == listed
            rules.apply(states[0], int(code), rules.tables, generator(place))
            observed = rules.observe(states[0], int(code), mover, view.viewer, rules.tables)
            assert (mover, observed) == (each.event.mover, each.event.observation)
        assert rules.masked(states, view.viewer).tobytes() == view.states.tobytes()


def played(rules: Game, seed: int) -> list[int]:
    """The actions of a game of two people, who sometimes do anything."""
    play, rng = Play.new(rules, seed=seed), np.random.default_rng(seed)
    people = [person(rules, 2 * seed + one) for one in (0, 1)]
    while not play.over:
        viewer, legal = play.player, play.legal()
        decided = people[viewer].decide(play.view(viewer), play.seen_by(viewer))
        play.apply(decided if rng.random() < 0.8 else int(rng.choice(legal[:3])))
    return play.actions


@pytest.mark.parametrize("settings, games", [({}, 3), (ODD, 6)])
def test_games_of_cheat_led_back_are_what_the_viewer_saw(
    settings: dict[str, Any], games: int
) -> None:
    rules, known, moments = cheat(**settings), CheatBelief(), 0
    for seed in range(games):
        play = Play.new(rules, seed=seed)
        for code in played(rules, seed):
            if len(play.actions) % 5 == seed % 5:
                for viewer in (0, 1):
                    view, seen = play.view(viewer), play.seen_by(viewer)
                    found = led_back(known, view, seen, 2, seed)
                    check_again(rules, found, view, seen)
                    moments += 1
            play.apply(code)
    assert moments > 30


def exact(rules: Game, view: View, seen: SeenPlay) -> dict[Any, float]:
    """The games that the viewer may have seen, as likely as chance makes them."""
    found: defaultdict[Any, float] = defaultdict(float)

    def follow(start: Any, states: Any, codes: tuple[int, ...], chance: float) -> None:
        if len(codes) == len(seen.events):
            if rules.masked(states, view.viewer).tobytes() == view.states.tobytes():
                found[start, codes] += chance
            return
        event, mover = seen.events[len(codes)].event, mover_of(states)
        for code in legal_actions(rules, states).tolist() if mover == event.mover else ():
            if event.action in (None, code):
                after = states.copy()
                rules.apply(after[0], code, rules.tables, generator(0))
                seen_of_it = rules.observe(after[0], code, mover, view.viewer, rules.tables)
                if seen_of_it == event.observation:
                    follow(start, after, (*codes, code), chance)

    rows, chances = mini_deals(rules)
    begun = rules.masked(rules.initial(0), SPECTATOR)
    for row, chance in zip(rows, chances.tolist(), strict=True):
        states = begun.copy()
        rules.fill(states[0], row, rules.tables, generator(0))
        if tuple(flat_numbers(rules.masked(states, view.viewer)).tolist()) == seen.start:
            follow(states.tobytes(), states, (), chance)
    total = sum(found.values())
    return {each: chance / total for each, chance in found.items()}


#: After each of these moments of a game of Mini-Cheat a player knows little of the other's hand: a
#: card was taken, a pile was turned up, and lies lie face down.
MOMENTS = (
    (85, [1, 14, 7, 6], 1),
    (85, [1, 14, 7, 6], 0),
    (53, [1, 10, 10, 10], 1),
    (158, [14, 0], 0),
)


@pytest.mark.parametrize("seed, actions, viewer", MOMENTS)
def test_games_of_mini_cheat_led_back_are_as_likely_as_chance_makes_them(
    seed: int, actions: list[int], viewer: int
) -> None:
    rules = mini_cheat(10)
    play = Play.new(rules, seed=seed)
    for action in actions:
        play.apply(action)
    view, seen = play.view(viewer), play.seen_by(viewer)
    wanted, count = exact(rules, view, seen), 4_000
    found = led_back(CheatBelief(), view, seen, count, seed)
    drawn = Counter(
        (found.starts[place : place + 1].tobytes(), tuple(found.listed[place].tolist()))
        for place in range(count)
    )
    assert len(wanted) > 10
    assert drawn.keys() <= wanted.keys()
    apart = sum(abs(drawn[each] / count - chance) for each, chance in wanted.items()) / 2
    assert apart < 0.55 * (len(wanted) / count) ** 0.5  # 0.4 times that by chance alone


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_where_nothing_hidden_changes_a_world_is_the_deal(name: str) -> None:
    rules, known = game(name), belief(name)
    for seed in range(12):
        play, rng = Play.new(rules, seed=seed), np.random.default_rng(seed)
        while not play.over:
            for viewer in (0, 1):
                view, seen = play.view(viewer), play.seen_by(viewer)
                check_again(rules, led_back(known, view, seen, 6, seed), view, seen)
            play.apply(int(rng.choice(play.legal())))


def codes_of(found: Histories, place: int) -> tuple[int, ...]:
    return tuple(code for code in found.actions[place].tolist() if code >= 0)


def enumerated(rules: Game, view: View, seen: SeenPlay) -> dict[Any, float]:
    """All games that fit, from all deals, with the probability of their deal among those alike."""
    found: dict[Any, float] = {}
    viewer, events = view.viewer, [each.event for each in seen.events]

    def follow(
        start: bytes, states: Any, codes: tuple[int, ...], place: int, chance: float
    ) -> None:
        mover, last = mover_of(states), place == len(events)
        if last and rules.masked(states, viewer).tobytes() == view.states.tobytes():
            found[start, codes] = chance
        for code in legal_actions(rules, states).tolist():
            after = states.copy()
            rules.apply(after[0], code, rules.tables, generator(0))
            saw = rules.observe(after[0], code, mover, viewer, rules.tables)
            if mover != viewer and saw == HIDDEN:
                follow(start, after, (*codes, code), place, chance)
            elif not last and (mover, saw) == (events[place].mover, events[place].observation):
                if events[place].action not in (None, code):
                    continue
                follow(start, after, (*codes, code), place + 1, chance)

    deals, total = rules.starts(), 0.0
    for number, chance in enumerate(deals.probabilities.tolist()):
        states = deals.states[number : number + 1].copy()
        if tuple(flat_numbers(rules.masked(states, viewer)).tolist()) == seen.start:
            follow(states.tobytes(), states.copy(), (), 0, chance)
            total += chance
    return {each: chance / total for each, chance in found.items()}


#: Games that are drawn for each moment, one at a time, so that they do not depend on each other.
TRIALS = 400
HIDING = (
    ("goofspiel", {"cards": 3}),
    ("goofspiel", {"cards": 4}),
    ("goofspiel", {"cards": 4, "order": "descending"}),
    ("phantom_tic_tac_toe", {}),
    ("the_resistance", {}),
)


@pytest.mark.parametrize("name, settings", HIDING)
@pytest.mark.parametrize("room", [1_024, 16])
def test_games_with_hidden_actions_are_drawn_as_their_deals_are_likely(
    name: str, settings: dict[str, Any], room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drawn_histories, "ROOM", room)
    monkeypatch.setattr(drawn_histories, "ROOM_EACH", 0)
    monkeypatch.setattr(drawn_histories, "MOST_ROOM", room)
    monkeypatch.setattr(drawn_histories, "_LEAST", 1)
    rules, known, moments = game(name, **settings), belief(game(name, **settings)), 0
    compared = 0
    for seed in range(3):
        play, rng = Play.new(rules, seed=seed), np.random.default_rng(seed)
        while not play.over and len(play.actions) < 7:
            viewer = play.player
            view, seen = play.view(viewer), play.seen_by(viewer)
            wanted = enumerated(rules, view, seen)
            ways = list[float]()
            drawn, squares = defaultdict[Any, float](float), defaultdict[Any, float](float)
            for trial in range(TRIALS):
                draws = np.random.default_rng((seed, len(play.actions), trial))
                found = histories(known, None, view, seen, 1, draws)
                if found is None:  # all that there was room for came to a dead end
                    assert room == 16
                    ways.append(0.0)
                    continue
                ways.append(found.ways[-1] if found.ways else 1.0)
                each = found.starts.tobytes(), codes_of(found, 0)
                drawn[each] += ways[-1]
                squares[each] += ways[-1] ** 2
            total = sum(wanted.values())
            assert drawn.keys() <= wanted.keys()
            if room == 1_024 and len(wanted) <= 1_024:
                assert np.allclose(ways, total)
                counts = [drawn[each] / total for each in wanted]
                expected = [TRIALS * chance / total for chance in wanted.values()]
                if len(wanted) > 1 and min(expected) >= 3:
                    assert chisquare(counts, expected).pvalue > 1e-5
                    compared += 1
            error = 4 * float(np.std(ways)) / TRIALS**0.5 + 1e-9 * total
            assert abs(float(np.mean(ways)) - total) < error
            for each, chance in wanted.items():
                if TRIALS * chance >= 5 * total:
                    spread = max(squares[each], TRIALS * chance * total) ** 0.5
                    assert abs(drawn[each] - TRIALS * chance) < 5 * spread + 1e-9 * total * TRIALS
            moments += 1
            play.apply(int(rng.choice(play.legal())))
    assert moments > 8
    assert compared > 4 or room == 16


@pytest.mark.parametrize("name, settings", [*HIDING, ("goofspiel", {"cards": 13})])
def test_drawn_games_show_the_viewer_what_they_saw_and_depend_on_nothing_else(
    name: str, settings: dict[str, Any]
) -> None:
    options = settings | ({"order": "descending"} if settings.get("cards") == 13 else {})
    rules = game(name, **options)
    known, tried = belief(rules), 0
    for seed in range(3):
        play, rng = Play.new(rules, seed=seed), np.random.default_rng(seed)
        while not play.over and len(play.actions) < 20:
            viewer = play.player
            view, seen = play.view(viewer), play.seen_by(viewer)
            found = histories(known, None, view, seen, 8, np.random.default_rng(seed))
            assert found is not None
            for place in range(8):
                other = Play.new(rules, seed=0, start=found.starts[place : place + 1])
                for code in codes_of(found, place):
                    other.apply(code)
                assert other.view(viewer) == view
                assert other.seen_by(viewer).digest == seen.digest
            # The last of them was hardly what happened, and gives the same draws.
            again = histories(
                known,
                None,
                other.view(viewer),
                other.seen_by(viewer),
                8,
                np.random.default_rng(seed),
            )
            assert again is not None
            assert again.starts.tobytes() == found.starts.tobytes()
            assert again.actions.tobytes() == found.actions.tobytes()
            assert again.ways == found.ways
            tried += 1
            play.apply(int(rng.choice(play.legal())))
    assert tried > 8


@pytest.mark.parametrize(
    "name, drawn",
    [("goofspiel", True), ("love_letter", True), ("leduc_poker", False), ("cheat", False)],
)
def test_a_game_at_random_shows_whether_games_are_drawn(name: str, drawn: bool) -> None:
    assert draws_games(belief(name), game(name)) == drawn


def test_there_is_room_for_so_many_games_however_many_are_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rooms = list[int]()

    def population_of(rules: Game, room: int) -> Any:
        rooms.append(room)
        return made(rules, room)

    made = drawn_histories.population_of
    monkeypatch.setattr(drawn_histories, "population_of", population_of)
    monkeypatch.setattr(drawn_histories, "MOST_ROOM", 2_048)
    rules = game("goofspiel", cards=6)
    play = Play.new(rules, seed=1)
    for code in (0, 1, 2):
        play.apply(code)
    view, seen = play.view(1), play.seen_by(1)
    found = histories(belief(rules), None, view, seen, 5_000, np.random.default_rng(1))
    assert found is not None
    assert len(found.starts) == 5_000
    assert max(rooms) == 2_048


def test_who_asks_for_the_kernel_beforehand_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    waited = list[bool]()

    def compile_now(wanted: Any, *, wait: bool = False) -> bool:
        waited.append(wait)
        return False

    monkeypatch.setattr(drawn_histories, "compile_now", compile_now)
    assert not drawn_histories.warm_histories(game("goofspiel", cards=2))
    assert waited == [True]


def test_dice_are_not_led_back() -> None:
    play = Play.new("saboteur", seed=1)
    assert play.game.has_dice
    view, seen = play.view(play.player), play.seen_by(play.player)
    assert histories(belief("saboteur"), None, view, seen, 5, np.random.default_rng(1)) is None
