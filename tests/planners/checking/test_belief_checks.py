"""A belief that does not say what random plays bear out is found, and the event is named."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from sleuth import (
    HIDDEN,
    OVER,
    SPECTATOR,
    CachedBelief,
    Choice,
    Feature,
    Game,
    Model,
    Posterior,
    Question,
    below,
    check_belief,
    check_game,
    game,
    infer,
    uniform,
)
from sleuth.errors import SettingsError
from sleuth.games.cheat import cheat
from sleuth.kit import SeenPlay, View
from sleuth.planners.checking.belief_checks import CHECKS
from sleuth.planners.checking.guarded_kernels import ConformanceError
from sleuth.planners.checking.shares import Differences, Samples

# A hunt for a ship: the first player makes a secret bid, then the second looks at a square, or
# listens and hears in which half the ship is, which is right nine times of ten.
SQUARES = 6
ROUNDS = 3
LISTEN = SQUARES
RIGHT = 0.9
STATE = np.dtype(
    [
        ("player", np.int32),
        ("ship", np.int32),
        ("bids", np.int32, (ROUNDS,)),
        ("answer", np.int32),
        ("turn", np.int32),
    ]
)


def start(state: Any, tables: Any, random: Any, squares: int = SQUARES) -> None:
    state.ship = below(random, squares)


def legal(state: Any, tables: Any, actions: Any) -> int:
    count = 3 if state.player == 0 else SQUARES + 1
    actions[:count] = range(count)
    return count


def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    if state.player == 0:
        state.bids[state.turn] = action
        state.player = 1
        return
    if action == LISTEN:
        half = state.ship // 3
        state.answer = half if uniform(random) < RIGHT else 1 - half
    else:
        state.answer = int(state.ship == action)
    state.turn += 1
    state.player = 0 if state.turn < ROUNDS else OVER


def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return 0 if mover == 0 and viewer != 0 else 2 * action + state.answer * mover


def observe_telling(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return 2 * action + state.answer * mover


def returns(state: Any, tables: Any, values: Any) -> None:
    values[:] = (1, -1)


def mask(state: Any, viewer: int, tables: Any) -> None:
    if viewer != 0:
        state.ship = HIDDEN
        made = state.turn + (state.player == 1)
        state.bids[:made] = HIDDEN


def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    state.ship = world[0]
    for turn in range(ROUNDS):
        if state.bids[turn] == HIDDEN:
            state.bids[turn] = world[1 + turn]


HUNT = Game(
    name="hunt", version=1, roles=("hider", "seeker"), state=STATE, action_space=SQUARES + 1,
    max_actions=SQUARES + 1, max_depth=2 * ROUNDS, lowest=-1, highest=1, start=start, legal=legal,
    apply=apply, observe=observe, returns=returns, mask=mask, fill=fill, columns=1 + ROUNDS,
    action_name=lambda action: "listen" if action == LISTEN else f"look at {action + 1}",
)  # fmt: skip
SHIP = Choice("ship", range(SQUARES))
BIDS = [Choice(f"bid {turn + 1}", range(3)) for turn in range(ROUNDS)]
Known = tuple[int, tuple[tuple[int, int], ...]]


class HuntBelief(CachedBelief[Known]):
    """Where the ship is, by what was seen and heard."""

    def __init__(
        self,
        *,
        right: float = RIGHT,
        remembers: Callable[[tuple[tuple[int, int], ...]], Any] = tuple,
        ship: Choice = SHIP,
    ) -> None:
        super().__init__()
        self.right, self.remembers, self.ship = right, remembers, ship

    def known(self, view: View, seen: SeenPlay) -> Known:
        own = int(view.states[0].ship) if view.viewer == 0 else HIDDEN
        events = [each.event for each in seen.events if each.event.mover == 1]
        return own, tuple(self.remembers(tuple(divmod(e.observation, 2) for e in events)))

    def posterior(self, known: Known) -> Posterior:
        own, events = known
        ship = self.ship.value()
        given = [ship.equals(own).observed(because="my ship")] if own >= 0 else []
        for number, (action, answer) in enumerate(events):
            if action == LISTEN:
                weights = {s: self.right if s // 3 == answer else 1 - self.right for s in range(6)}
                given.append(ship.weigh(weights, because=f"heard {number}"))
            else:
                there = ship.equals(action)
                given.append((there if answer else ~there).observed(because=f"looked {number}"))
        return infer(Model(self.ship, *BIDS), given)

    def hidden(self, view: View) -> Mapping[str, Feature]:
        return {} if view.viewer == 0 else {"ship": self.ship.value()}


class Listing(HuntBelief):
    def hidden(self, view: View) -> Any:
        return [SHIP.value()]


class Naming(HuntBelief):
    def hidden(self, view: View) -> Any:
        return {"ship": "ship"}


class Elsewhere(HuntBelief):
    def hidden(self, view: View) -> Any:
        return {"ship": Choice("boat", range(SQUARES)).value()}


class Closing(HuntBelief):
    """Names nothing when the game is over, where nobody is shown the ship."""

    def hidden(self, view: View) -> Mapping[str, Feature]:
        return {} if view.over else super().hidden(view)


class Giving(HuntBelief):
    """Names nothing any more as soon as something was heard or looked at."""

    def hidden(self, view: View) -> Mapping[str, Feature]:
        return {} if view.states[0].turn > 0 else super().hidden(view)


class Choosy(HuntBelief):
    """Takes a look at a square for a sign that the ship is near: as if the hider had looked."""

    def posterior(self, known: Known) -> Posterior:
        looks = {action for action, _ in known[1] if action != LISTEN}
        near = {s: 3.0 if {s - 1, s + 1} & looks else 1.0 for s in range(SQUARES)}
        found = super().posterior(known)
        return found.observe(SHIP.value().weigh(near, because="where they looked"))


class Indifferent(Choosy):
    def indifferent(self) -> HuntBelief:
        return HuntBelief()


check = partial(check_belief, plays=14, worlds=50)


def test_a_right_belief_passes_with_the_names_of_what_was_checked() -> None:
    told: list[int] = []
    found = check(HUNT, HuntBelief(), progress=lambda what, done, total: told.append(done))
    assert found.checks == set(CHECKS)
    assert found.events > 30
    assert found.comparisons > 300
    assert told == [*range(1, 15)]


@pytest.mark.parametrize(
    "belief, event",
    [
        (
            HuntBelief(remembers=lambda events: [e for e in events if e[0] == LISTEN or e[1]]),
            "look",
        ),
        (HuntBelief(remembers=lambda events: events[-1:]), "seeker|hider"),
        (HuntBelief(remembers=lambda events: [e for e in events if e[0] != LISTEN]), "listen"),
        (HuntBelief(right=0.6), "listen"),
        (HuntBelief(right=0.1), "listen"),
    ],
    ids=["misses", "rounds", "sounds", "unsure", "the wrong way"],
)
def test_a_belief_that_forgets_or_weighs_wrongly_is_found(belief: HuntBelief, event: str) -> None:
    with pytest.raises(ConformanceError, match=r"\[(update|observe)\].*'ship' =") as caught:
        check(HUNT, belief)
    assert caught.value.where is not None
    assert any(word in caught.value.where for word in event.split("|"))


def test_an_observation_that_tells_a_hidden_bid_is_found() -> None:
    telling = replace(HUNT, observe=observe_telling)
    with pytest.raises(
        ConformanceError, match=r"hider: look.*observes.*\[observe\].*'bids\[\d\]' ="
    ):
        check(telling, HuntBelief())


def test_a_deal_that_is_declared_otherwise_than_it_is_dealt_is_found() -> None:
    uneven = replace(HUNT, start=partial(start, squares=4))
    with pytest.raises(ConformanceError, match=r"\[truth\].*'ship' = . with probability"):
        check(uneven, HuntBelief())
    wrong = HuntBelief(ship=Choice("ship", dict(zip(range(6), (9, 1, 1, 1, 1, 1), strict=True))))
    with pytest.raises(ConformanceError, match=r"\[truth\].*'ship' = . with probability"):
        check(HUNT, wrong)


@pytest.mark.parametrize("kind", [Listing, Naming, Elsewhere])
def test_what_is_hidden_must_be_features_of_the_model(kind: type[HuntBelief]) -> None:
    with pytest.raises(ConformanceError, match=r"\[hidden\]"):
        check(HUNT, kind())
    if kind is not Elsewhere:
        with pytest.raises(ConformanceError, match=r"\[hidden\]"):
            check_game(HUNT, kind(), plays=1)


@pytest.mark.parametrize("kind", [Closing, Giving])
def test_what_has_no_name_any_more_must_be_known(kind: type[HuntBelief]) -> None:
    with pytest.raises(
        ConformanceError, match=r"\[known\] 'ship' is hidden no more after 'l(isten|ook)"
    ):
        check(HUNT, kind())


def mask_until_the_end(state: Any, viewer: int, tables: Any) -> None:
    if viewer != 0 and state.player != OVER:
        mask(state, viewer, tables)


def observe_until_the_end(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    told = observe(state, action, mover, viewer, tables)
    return told + 100 * (1 + state.ship) if state.player == OVER else told


def test_what_the_end_shows_needs_no_name() -> None:
    shown = replace(HUNT, mask=mask_until_the_end, observe=observe_until_the_end)
    check(shown, Closing())


ASKED = Question(SHIP.value(), lambda square: {square: 1.0})
BOAT = Question(Choice("boat", range(2)).value(), lambda square: {square: 1.0})


@pytest.mark.parametrize(
    "name, given, said",
    [
        ("questions", [ASKED], "a mapping"),
        ("questions", None, "a mapping"),
        ("questions", {99: ASKED}, "by actions"),
        ("questions", {LISTEN: SHIP.value()}, "'listen' must ask a Question"),
        ("questions", {LISTEN: BOAT}, "cannot be asked 'listen'.*boat"),
        ("main", "ship", "names"),
        ("main", None, "names"),
        ("main", ["boat"], "no name that hidden ever gave.*boat.*ship"),
        ("telling", [99], "codes of actions"),
        ("telling", None, "codes of actions"),
    ],
)
def test_what_can_be_learned_must_be_questions_names_and_actions(
    name: str, given: Any, said: str
) -> None:
    belief = HuntBelief()
    setattr(belief, name, lambda view: given)
    with pytest.raises(ConformanceError, match=rf"\[learned\] .*{said}"):
        check(HUNT, belief, plays=1)
    right: Any = {"questions": {LISTEN: ASKED}, "main": ["ship"], "telling": range(SQUARES)}[name]
    setattr(belief, name, lambda view: right)
    check(HUNT, belief, plays=1)


def test_a_belief_that_reads_choices_says_what_it_is_without_them() -> None:
    with pytest.raises(ConformanceError, match=r"\[update\].*indifferent\(\).*choosing="):
        check(HUNT, Choosy())
    check(HUNT, Indifferent())


def by_cards(states: Any, actions: Any) -> list[float]:
    """Any card of the hand, each equally likely, whichever way is claimed."""
    from sleuth.models.cheat.rules import neighbour
    from sleuth.models.cheat.state import claim_code, is_claim

    state, mover = states[0], int(states[0].player)
    weights: list[float] = []
    for action in actions.tolist():
        if action < claim_code(0, 0, 1):
            weights.append(4.0)
            continue
        lower, false = divmod((action - claim_code(0, 0, 1)) // 4, 2)
        holds = int(state.hands[mover, neighbour(int(state.rank), lower, game_tables)])
        weights.append(float(int(state.sizes[mover]) - holds if false else holds))
    assert is_claim is not None
    return weights


SMALL = cheat(ranks=4, suits=2, hand=3, rounds=8, most_claimed=1, false_cards="any")
game_tables = SMALL.tables


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_small_games_that_come_with_sleuth_pass(name: str) -> None:
    check_belief(game(name), plays=6, worlds=40)


def test_cheat_passes_where_each_card_is_laid_down_as_often() -> None:
    check_belief(SMALL, plays=3, worlds=30, choosing=by_cards)


def test_where_nothing_is_hidden_there_is_nothing_to_believe() -> None:
    with pytest.raises(SettingsError, match="nothing is hidden"):
        check_belief(game("tic_tac_toe"))
    with pytest.raises(SettingsError, match="each legal action a number"):
        check_belief(HUNT, HuntBelief(), choosing=lambda states, actions: [1.0])
    assert SPECTATOR < 0


def test_numbers_with_very_many_values_are_no_difference_where_chance_draws_them_alike() -> None:
    # Of so many equally likely pairs those that are looked at must not be those one sample has.
    rng, found = np.random.default_rng(1), Differences()
    for moment in range(60):
        few, many = (Samples.of(rng.integers(20, size=(size, 2))) for size in (200, 600))
        found.add(["all"], [0, 1], few, many, f"moment {moment}")
    assert found.clearest(lambda place: True) is None
    assert found.of("all", (0, 1)).score < 1
