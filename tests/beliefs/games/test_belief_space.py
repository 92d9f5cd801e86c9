"""The belief as numbers of a fixed size: right, always in the same places, and without a leak.

``SLEUTH_SPACES`` says how many moments of each game are looked at (3 if unset).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import sleuth
from sleuth.beliefs.games.belief_space import BeliefSpace, Framing
from sleuth.beliefs.language.features import Feature
from sleuth.models.kernels.randomness import generator

MOMENTS = int(os.environ.get("SLEUTH_SPACES", "3"))
HIDING = [name for name in sleuth.games.names() if sleuth.game(name).hides]
#: Others of the shipped games: with cards that lie open, another box, other numbers of players.
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    *((name, {}) for name in HIDING),
    ("clue_table", {"players": 4}),
    ("saboteur", {"players": 3}),
    ("goofspiel", {"cards": 3, "players": 3}),
]


def moments(game: sleuth.Game, seed: int = 5) -> Iterator[sleuth.Play]:
    """A play at moments throughout a game at random, its start and its end among them."""
    whole, random = sleuth.Play.new(game, seed=seed), np.random.default_rng(seed)
    while not whole.over and len(whole.actions) < 60:
        whole.apply(int(random.choice(whole.legal())))
    actions = list(whole.actions)
    places = np.linspace(0, len(actions), MOMENTS).astype(int)
    again = sleuth.Play.new(game, seed=seed)
    for place, action in enumerate([*actions, None]):
        if place in places:
            yield again
        if action is not None:
            again.apply(action)


def parts(space: BeliefSpace, shares: Any) -> dict[str, dict[Any, float]]:
    """What stands at the places of each thing, by its values."""
    found: dict[str, dict[Any, float]] = {}
    first = 0
    for name, values in space.values.items():
        row = shares[first : first + len(values)].tolist()
        found[name] = {value: p for value, p in zip(values, row, strict=True) if p}
        first += len(values)
    return found


@pytest.mark.parametrize("name, settings", SETTINGS, ids=str)
def test_every_hidden_thing_has_its_exact_marginal_in_its_place(
    name: str, settings: dict[str, Any]
) -> None:
    game = sleuth.game(name, **settings)
    space, belief = BeliefSpace.of(game), sleuth.belief(game)
    for number, play in enumerate(moments(game)):
        viewer = number % game.players
        view, seen = play.view(viewer), play.seen_by(viewer)
        shares = space.observation(view, seen)
        assert shares.dtype == np.float32
        assert shares.shape == space.low.shape == (len(space.names),)
        assert ((shares >= space.low) & (shares <= space.high)).all()
        assert space.outside(view) == ()
        there = parts(space, shares)
        for each in there.values():
            assert not each or sum(each.values()) == pytest.approx(1.0, abs=1e-4)
        hidden = belief.hidden(view)
        claims = [each for each in hidden if each.startswith("claim ")]  # Cheat's, oldest first
        posterior = belief.infer(view, seen) if hidden else None
        for hidden_name, feature in hidden.items():
            back = len(claims) - 1 - claims.index(hidden_name) if hidden_name in claims else 0
            place = f"last claim{f' but {back}' if back else ''} is true"
            assert posterior is not None
            expected = posterior.marginal(feature)
            found = there[place if hidden_name in claims else hidden_name]
            assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", HIDING)
def test_no_byte_changes_with_what_the_viewer_cannot_see(name: str) -> None:
    game = sleuth.game(name)
    belief, space = sleuth.belief(game), BeliefSpace.of(game)
    changed = 0
    for number, play in enumerate(moments(game)):
        if play.over:
            continue
        viewer = number % game.players
        view, seen = play.view(viewer), play.seen_by(viewer)
        said = space.observation(view, seen).tobytes()
        posterior = belief.infer(view, seen)
        for row in belief.worlds(posterior, 2, np.random.default_rng(len(play.actions))):
            states = view.states
            game.fill(states[0], row, game.tables, generator(1))
            changed += states.tobytes() != play.truth().tobytes()
            other = play.supposing(states)
            # Another belief, which remembers nothing of the first.
            anew = replace(space, belief=sleuth.belief(game))
            assert anew.observation(other.view(viewer), other.seen_by(viewer)).tobytes() == said
    assert changed


@pytest.mark.parametrize("name", ["cheat", "goofspiel", "mini_stratego"])
def test_the_places_are_the_same_every_time(name: str) -> None:
    one, other = (BeliefSpace.of(sleuth.game(name)) for _ in range(2))
    assert one.names == other.names
    assert one.values == other.values


def test_what_became_known_has_one_and_what_is_gone_has_nothing() -> None:
    space = BeliefSpace.of("leduc_poker")
    play = sleuth.Play.new("leduc_poker", seed=1)
    there = parts(space, space.observation(play.view(0), play.seen_by(0)))
    assert there["card of first"] == {(1, 0, 0): 1.0}  # their own, a jack
    cheat = sleuth.Play.new("cheat", seed=21)
    space = BeliefSpace.of(cheat.game, viewers=[0])
    for action in (2, 3):
        cheat.apply(action)
    before = parts(space, space.observation(cheat.view(0), cheat.seen_by(0)))
    assert set(before["last claim is true"]) == {False, True}
    cheat.apply(0)  # called: it is turned up
    after = parts(space, space.observation(cheat.view(0), cheat.seen_by(0)))
    assert after["last claim is true"] == {}


def test_fewer_viewers_have_fewer_places() -> None:
    one, all_ = BeliefSpace.of("cheat", viewers=[1]), BeliefSpace.of("cheat")
    assert set(one.names) < set(all_.names)
    assert not any("of second" in name for name in one.names)
    play = sleuth.Play.new("cheat", seed=1)
    with pytest.raises(sleuth.SleuthError, match=r"no places for this viewer.*'first'"):
        one.observation(play.view(0), play.seen_by(0))
    spectator = BeliefSpace.of("kuhn_poker", viewers=[sleuth.SPECTATOR])
    kuhn = sleuth.Play.new("kuhn_poker", seed=1)
    seen = kuhn.seen_by(sleuth.SPECTATOR)
    assert spectator.observation(kuhn.view(sleuth.SPECTATOR), seen).sum() == pytest.approx(2.0)


class Reader(sleuth.CachedBelief[tuple[int, ...]]):
    """The belief of a reader, which names something anew at every move."""

    def known(self, view: Any, seen: Any) -> tuple[int, ...]:
        return (len(seen.events),)

    def posterior(self, known: tuple[int, ...]) -> sleuth.Posterior:
        coins = [coin(at) for at in range(known[0] + 1)]
        return sleuth.infer(sleuth.Model(*coins), coins[0].equals("heads"))

    def hidden(self, view: Any) -> Mapping[str, Feature]:
        moves = int(view.states[0].moves)
        return {f"coin {moves}": coin(moves).value()} if moves else {"start": coin(0).value()}


def coin(number: int) -> sleuth.Choice:
    return sleuth.Choice(f"coin {number}", {"heads": 0.25, "tails": 0.75})


class Short(Reader):
    """One that frames less than it names."""

    def frame(self, game: Any, viewer: int) -> Mapping[str, tuple[str, ...]]:
        return {"start": ("tails", "heads"), "kept": ("yes", "no")}

    def framed(self, view: Any) -> Mapping[str, Any]:
        return {**self.hidden(view), "kept": "no"}


def test_a_readers_belief_has_places_for_what_games_at_random_came_to() -> None:
    space = BeliefSpace.of("kuhn_poker", Reader(), viewers=[1])
    assert list(space.values) == ["start", "coin 1", "coin 2", "coin 3"]
    play = sleuth.Play.new("kuhn_poker", seed=1)
    play.apply(0)
    there = parts(space, space.observation(play.view(1), play.seen_by(1)))
    # The first is known by now, and the third is not there yet.
    assert there["start"] == {"heads": 1.0}
    assert there["coin 1"] == pytest.approx({"heads": 0.25, "tails": 0.75})
    assert there["coin 2"] == {}


def test_what_has_no_place_is_said_and_stops_nothing() -> None:
    assert isinstance(Short(), Framing)
    space = BeliefSpace.of("kuhn_poker", Short(), viewers=[1])
    play = sleuth.Play.new("kuhn_poker", seed=1)
    assert space.outside(play.view(1)) == ()
    assert space.observation(play.view(1), play.seen_by(1)).tolist() == [0.0, 1.0, 0.0, 1.0]
    play.apply(0)
    assert space.outside(play.view(1)) == ("coin 1",)
    assert space.observation(play.view(1), play.seen_by(1)).tolist() == [0.0, 0.0, 0.0, 1.0]


def test_there_is_no_space_where_nothing_is_hidden_or_nobody_looks() -> None:
    with pytest.raises(sleuth.SleuthError, match="nothing is hidden"):
        BeliefSpace.of("tic_tac_toe")
    with pytest.raises(sleuth.SleuthError, match="no such viewer"):
        BeliefSpace.of("kuhn_poker", viewers=[2])
