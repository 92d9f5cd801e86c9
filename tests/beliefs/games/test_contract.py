"""What players of the small games can know is what counting all games says."""

from __future__ import annotations

import pickle
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chisquare

from sleuth import CachedBelief, Game, GameBelief, Play, game, infer
from sleuth.beliefs.games.contract import KEPT
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.errors import SettingsError
from sleuth.games.clue import CARDS, ClueBelief, ClueDeclaration, seen_game
from sleuth.kit import GAMES, generator


def filled(game: Game, play: Play, viewer: int, draws: int) -> Counter[bytes]:
    """How often each state is made from what a viewer knows."""
    given = belief_or_none(game)
    assert given is not None
    view = play.view(viewer)
    posterior = given.infer(view, play.seen_by(viewer))
    random = generator(5)
    found: Counter[bytes] = Counter()
    for world in given.worlds(posterior, draws, np.random.default_rng(1)):
        states = view.states
        game.fill(states[0], world, game.tables, random)
        found[states.tobytes()] += 1
    return found


def consistent(game: Game, wanted: Play, viewer: int) -> dict[bytes, float]:
    """P(state | what a viewer saw), by going through all games in which others act at random."""
    seen = wanted.seen_by(viewer)
    result: dict[bytes, float] = {}

    def go(actions: tuple[int, ...], weight: float) -> None:
        play = Play.new(game, seed=wanted.seed, start=start)
        for action in actions:
            play.apply(action)
        now = play.seen_by(viewer)
        if now.events != seen.events[: len(now.events)]:
            return
        if len(now.events) == len(seen.events) and play.player == wanted.player:
            state = play.truth().tobytes()
            result[state] = result.get(state, 0.0) + weight
            if play.player == viewer:
                return
        if play.over:
            return
        legal = play.legal().tolist()
        for action in legal:
            share = 1.0 if play.player == viewer else 1.0 / len(legal)
            go((*actions, action), weight * share)

    start = Play.new(game, seed=wanted.seed).truth()
    go((), 1.0)
    total = sum(result.values())
    return {state: weight / total for state, weight in result.items()}


@pytest.mark.parametrize(
    "actions, viewer",
    [
        ((4, 0), 0),
        ((4, 4, 0, 0, 8), 1),
        ((4, 0, 0, 8, 1), 0),
        ((4, 0, 8, 1, 1), 0),
        ((4, 4, 0, 8, 8, 1, 0, 3), 1),
        ((4, 0, 3, 5, 5, 1, 2), 0),
    ],
)
def test_phantom_beliefs_are_right_against_who_names_any_square(
    actions: tuple[int, ...], viewer: int
) -> None:
    play = Play.new(game("phantom_tic_tac_toe"), seed=0)
    for action in actions:
        play.apply(action)
    assert play.player == viewer
    expected = consistent(play.game, play, viewer)
    found = filled(play.game, play, viewer, 4000)
    assert set(found) <= set(expected)
    # States too rare to be counted are counted together.
    common = [state for state, share in expected.items() if share * 4000 >= 5]
    observed = [found[state] for state in common]
    shares = [expected[state] * 4000 for state in common]
    if 4000 - sum(shares) > 1e-6:
        observed.append(4000 - sum(observed))
        shares.append(4000 - sum(shares))
    if len(shares) > 1:
        assert chisquare(observed, shares).pvalue > 0.001


def test_kuhn_players_know_their_card_and_nothing_else() -> None:
    play = Play.new(game("kuhn_poker"), seed=0)
    given = belief_or_none(play.game)
    assert given is not None
    own = int(play.truth()[0].cards[0])
    others = [name for card, name in enumerate(("jack", "queen", "king")) if card != own]
    posterior = given.infer(play.view(0), play.seen_by(0))
    (name, feature), *rest = given.hidden(play.view(0)).items()
    assert (name, rest) == ("card of second", [])
    assert posterior.marginal(feature) == pytest.approx(dict.fromkeys(others, 0.5))
    play.apply(1)
    assert given.infer(play.view(0), play.seen_by(0)) is posterior
    assert len(given.hidden(play.view(-1))) == 2


def test_a_pair_in_leduc_is_half_as_likely_as_another_card() -> None:
    play = Play.new(game("leduc_poker"), seed=0)
    given = belief_or_none(play.game)
    assert given is not None
    own = int(play.truth()[0].cards[0])
    (feature,) = given.hidden(play.view(0)).values()
    shares = given.infer(play.view(0), play.seen_by(0)).marginal(feature)
    rank = {tuple(int(card == place) for place in range(3)): card for card in range(3)}
    assert {rank[value]: share for value, share in shares.items()} == pytest.approx(
        {card: 0.2 if card == own else 0.4 for card in range(3)}
    )


def some_table(players: int, moves: int, seed: int) -> Play:
    made = game("clue_table", players=players)
    play, random = Play.new(made, seed=seed), generator(seed, 1)
    while len(play.actions) < moves and not play.over:
        legal = play.legal()
        play.apply(int(legal[made.policy(play.truth()[0], legal, len(legal), made.tables, random)]))
    return play


def tables() -> Iterator[tuple[Play, int]]:
    for players in (3, 4):
        for seed, moves in ((1, 20), (2, 13)):
            play = some_table(players, moves, seed)
            for viewer in range(-1, players):
                yield play, viewer


def test_clue_at_a_table_is_what_a_record_of_clue_says() -> None:
    for play, viewer in tables():
        given = belief_or_none(play.game)
        assert given is not None
        view, seen = play.view(viewer), play.seen_by(viewer)
        recorded = seen_game(view, seen)
        expected = ClueDeclaration(recorded).infer(recorded)
        found = given.infer(view, seen)
        (feature,) = given.hidden(view).values()
        assert found.marginal(feature) == pytest.approx(expected.marginal(feature))
        holders = play.truth()[0].holder
        kinds = (slice(0, 6), slice(6, 12), slice(12, 21))
        truth = tuple(
            card
            for kind in kinds
            for card, who in zip(CARDS[kind], holders[kind], strict=True)
            if who == play.game.players
        )
        assert found.marginal(feature)[truth] > 0


def test_worlds_are_what_fill_reads() -> None:
    for name in GAMES:
        play = Play.new(game(name), seed=1)
        given = belief_or_none(play.game)
        if given is None:
            assert name == "tic_tac_toe"
            continue
        assert isinstance(given, GameBelief)
        worlds = given.worlds(
            given.infer(play.view(0), play.seen_by(0)), 7, np.random.default_rng(0)
        )
        assert worlds.dtype == np.int16
        assert worlds.flags.c_contiguous
        assert len(worlds) == 7
        assert type(pickle.loads(pickle.dumps(given))) is type(given)


def test_asking_again_costs_far_less_than_a_millisecond() -> None:
    play = Play.new(game("kuhn_poker"), seed=0)
    given = belief_or_none(play.game)
    assert given is not None
    view, seen, rng = play.view(0), play.seen_by(0), np.random.default_rng(0)
    seconds: list[float] = []
    for _ in range(30):
        start = time.perf_counter()
        given.worlds(given.infer(view, seen), 4096, rng)
        seconds.append(time.perf_counter() - start)
    assert min(seconds) < 1e-3


def test_every_game_that_hides_something_has_a_belief() -> None:
    for name in GAMES:
        assert (belief_or_none(game(name)) is None) == (not game(name).hides)
    with pytest.raises(SettingsError, match="no belief is known"):
        belief_or_none(replace(game("kuhn_poker"), name="mine"))


def test_posteriors_of_a_belief_can_be_asked_like_any_other() -> None:
    play = Play.new(game("kuhn_poker"), seed=0)
    given = belief_or_none(play.game)
    assert given is not None
    posterior = given.infer(play.view(0), play.seen_by(0))
    assert posterior.exact
    assert infer(posterior.model, posterior.history) == posterior


@pytest.mark.parametrize("name, kept", [("leduc_poker", KEPT), ("clue_table", 128)])
def test_a_belief_infers_once_and_keeps_no_more_than_it_says(name: str, kept: int) -> None:
    rules, given = game(name), belief_or_none(game(name))
    # What Clue offers by name keeps nothing beside what the belief of that name does.
    given = ClueBelief() if name == "clue_table" else given
    assert isinstance(given, CachedBelief)
    assert given.kept == kept
    play = Play.new(rules, seed=1)
    moments = [(play.view(0), play.seen_by(0))]
    while not play.over and len(moments) < 3:
        play.apply(int(play.legal()[0]))
        moments.append((play.view(0), play.seen_by(0)))
    found = [given.infer(*moment) for moment in moments]
    assert all(given.infer(*moment) is one for moment, one in zip(moments, found, strict=True))
    few = type("Few", (type(given),), {"kept": 1})()
    first = few.infer(*moments[0])
    assert few.infer(*moments[0]) is first
    few.infer(*moments[-1])
    assert few.infer(*moments[0]) is not first
