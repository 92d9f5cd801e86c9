"""What an action tells: the estimate of the search against the posterior's exact gain."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import entropy

from sleuth import Budget, Game, Objective, Play, Search, below, kernel
from sleuth.errors import SettingsError
from sleuth.games.clue import PASS, ClueBelief, ClueDeclaration, clue_table, seen_game
from sleuth.models.clue.game import TRIPLES
from sleuth.planners.search.kernels.gains import UNKNOWN, count, gain, total_entropy, usual_gain
from sleuth.planners.search.kernels.handing_up import arrive, take
from sleuth.planners.search.kernels.knowledge import ABSENT, no_knowledge, row_made

BITS = 4

# The fields are those of other small games of tests, for which the search is compiled once.
STATE = np.dtype([("player", np.int32), ("secret", np.int32), ("answer", np.int32)])


@kernel
def start(state: Any, tables: Any, random: Any) -> None:
    state.secret = below(random, 2**BITS)
    state.answer = -1


@kernel
def legal(state: Any, tables: Any, actions: Any) -> int:
    # Ask for the lowest bits of the secret: 0, 1, 2, 3 or all 4 of them.
    for asked in range(BITS + 1):
        actions[asked] = asked
    return BITS + 1


@kernel
def apply(state: Any, action: int, tables: Any, random: Any) -> None:
    if state.answer >= 0:
        state.player = -1
    state.answer = state.secret % 2**action


@kernel
def observe(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    return action * 100 + state.answer


@kernel
def returns(state: Any, tables: Any, values: Any) -> None:
    values[0] = 0.0


@kernel
def mask(state: Any, viewer: int, tables: Any) -> None:
    state.secret = -1_000_003


@kernel
def fill(state: Any, world: Any, tables: Any, random: Any) -> None:
    state.secret = world[0]


def bits_game() -> Game:
    """Asking twice for some bits of a number."""
    return Game(
        name="bits",
        version=1,
        roles=("asker",),
        state=STATE,
        action_space=BITS + 1,
        max_actions=BITS + 1,
        max_depth=2,
        lowest=0,
        highest=1,
        start=start,
        legal=legal,
        apply=apply,
        observe=observe,
        returns=returns,
        mask=mask,
        fill=fill,
    )


def secrets(n: int, rng: np.random.Generator) -> NDArray[np.int16]:
    return rng.integers(0, 2**BITS, size=(n, 1)).astype(np.int16)


def first_column(rows: NDArray[np.int16]) -> NDArray[np.int32]:
    return rows[:, 0].astype(np.int32)


ABOUT_SECRET = Objective(
    gain_weight=1.0, classes=first_column, class_names=tuple(str(i) for i in range(2**BITS))
)


def test_asking_for_so_many_bits_tells_so_many() -> None:
    play = Play.new(bits_game(), seed=1)
    search = Search(play.game, exploration=20.0, worlds=50_000)
    decision = search.decide(
        play.view(0), secrets, Budget(simulations=200_000), objective=ABOUT_SECRET, seed=3
    )
    for asked in range(BITS + 1):
        assert decision[asked].gain == pytest.approx(asked, abs=0.02)


def test_with_a_weight_on_information_the_search_asks_for_all() -> None:
    play = Play.new(bits_game(), seed=1)
    decision = Search(play.game).decide(
        play.view(0), secrets, Budget(simulations=20_000), objective=ABOUT_SECRET
    )
    assert decision.action == BITS
    assert decision[BITS].visits > 10_000


def test_at_the_root_the_exact_gain_is_what_counts() -> None:
    play = Play.new(bits_game(), seed=1)
    told = Objective(gain_weight=1.0, exact={0: 0.0, 1: 3.5, 2: 0.1, 3: 0.2, 4: 0.3})
    decision = Search(play.game).decide(
        play.view(0), secrets, Budget(simulations=20_000), objective=told
    )
    assert decision.action == 1
    assert decision[1].gain == 3.5


def test_information_without_saying_what_about_is_refused() -> None:
    with pytest.raises(SettingsError, match="nothing says what about"):
        Objective(gain_weight=1.0)


def late_position() -> tuple[Play, ClueDeclaration, Any]:
    """The first suggestion of a game of three at which at most 64 case files are left."""
    game, belief = clue_table(players=3), ClueBelief()
    rng = np.random.default_rng(0)
    play = Play.new(game, seed=4)
    while True:
        actions = play.legal()
        if len(actions) == TRIPLES + 1:
            play.apply(PASS)
            continue
        if len(actions) == TRIPLES:
            view, seen = play.view(play.player), play.seen_by(play.player)
            posterior = belief.infer(view, seen)
            left = posterior.marginal(belief.hidden(view)["case file"])
            if sum(share > 0 for share in left.values()) <= 64:
                return play, ClueDeclaration(seen_game(view, seen)), posterior
        play.apply(int(rng.choice(actions)))


def test_late_in_clue_the_estimate_is_the_exact_gain_and_gets_better() -> None:
    play, clue, posterior = late_position()
    exact = posterior.information_gain(clue.suggestions, about=clue.case_file)
    order = np.argsort(exact)
    ten = sorted(order[np.linspace(len(order) - 200, len(order) - 1, 10).astype(int)].tolist())
    belief = ClueBelief()
    numbers: dict[tuple[int, ...], int] = {}

    def case_files(rows: NDArray[np.int16]) -> NDArray[np.int32]:
        cards = np.sort(np.argsort(rows != 3, axis=1, kind="stable")[:, :3], axis=1)
        return np.array([numbers.setdefault(tuple(row), len(numbers)) for row in cards.tolist()])

    # Refuters choose at random, as the posterior believes.
    me = play.player
    searched = tuple(player == me for player in range(3))
    search = Search(play.game, exploration=5.0, searched=searched, worlds=200_000)
    objective = Objective(
        classes=case_files, class_names=tuple(str(number) for number in range(64)), depth=1
    )
    errors: list[float] = []
    for simulations in (20_000, 200_000):
        numbers.clear()
        decision = search.decide(
            play.view(me),
            lambda n, rng: belief.worlds(posterior, n, rng),
            Budget(simulations=simulations),
            objective=objective,
            seed=1,
            actions=ten,
        )
        assert {report.action for report in decision.actions} == set(ten)
        off = [abs((decision[action].gain or 0.0) - exact[action]) for action in ten]
        errors.append(max(off))
    assert max(exact[action] for action in ten) > 1.0
    assert errors[1] < 0.02
    assert errors[1] < errors[0]


def of(*values: int) -> NDArray[np.int32]:
    return np.array(values, dtype=np.int32)


def knowing(rows: int, classes: int):
    """Rows, of which the first is the root's."""
    table = no_knowledge(rows + 1, classes, 0)
    row_made(table, np.uint64(99), ABSENT, 0)
    return table


def test_entropies_of_counts_are_corrected_for_few_states() -> None:
    rng = np.random.default_rng(5)
    shares = rng.dirichlet(np.ones(16))
    true = entropy(shares, base=2)
    corrected: list[float] = []
    plain: list[float] = []
    for _ in range(300):
        drawn = rng.choice(16, size=100, p=shares)
        one = knowing(0, 16)
        for value in drawn.tolist():
            count(one, 0, of(value))
        corrected.append(total_entropy(one, 0, 1) / 100)
        plain.append(float(entropy(np.bincount(drawn, minlength=16), base=2)))
    assert np.mean(plain) < true - 0.05
    assert abs(np.mean(corrected) - true) < abs(np.mean(plain) - true) / 3


def test_an_action_that_tells_nothing_gains_nothing_on_average() -> None:
    rng = np.random.default_rng(6)
    table = knowing(8, 8)
    for value in rng.integers(0, 8, size=4_000).tolist():
        action = take(table, 0, np.uint64(1), of(value), 1)
        arrive(table, action, np.uint64(100 + int(rng.integers(4))), of(value), 1.0)
    assert gain(table, action, 1) < 0.01


def test_with_few_states_nothing_is_said() -> None:
    table = knowing(4, 8)
    for value in range(8):
        action = take(table, 0, np.uint64(1), of(value), 1)
        arrive(table, action, np.uint64(100 + value % 2), of(value), 1.0)
    assert gain(table, action, 1) == UNKNOWN


def test_until_it_is_known_the_next_decision_is_held_to_tell_as_much_as_this_one() -> None:
    table = knowing(4, 8)
    action = take(table, 0, np.uint64(1), of(0), 1)
    table.exact[action] = 0.75
    arrive(table, action, np.uint64(100), of(0), 1.0)
    assert usual_gain(table, 1) == usual_gain(table, 0) == 0.75
