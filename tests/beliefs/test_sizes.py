"""What is too large is refused before anything is listed: sizes are counted first."""

from __future__ import annotations

import itertools
import resource
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, cast

import numpy as np
import pytest

from sleuth import (
    Choice,
    Deal,
    Model,
    Question,
    Questions,
    SleuthError,
    Walk,
    calibrate,
    compare,
    count_of,
    infer,
    reliability,
)

N: Final = 10**9
#: Seconds and bytes that a refusal may take, with much to spare.
SECONDS: Final = 6.0
ROOM: Final = 2**29

DIE = Choice("die", range(6))
SIDE = DIE.value()
LARGE = Choice("large", range(5_000))
CARDS = Deal({"ace": 2, "king": 3}, holders={"me": 2, "you": 3})
WALK = Walk("walk", [0, 1, 2])
SEEN = CARDS.count("me", "ace")
ASKED = [Question(SEEN, [[1, 0], [0, 1], [0, 1]], ["no", "yes"], name=str(n)) for n in range(50)]


@pytest.fixture(scope="module")
def bounded() -> Iterator[None]:
    """Little time, and little more memory than there is in use."""

    def late(*_: Any) -> None:
        raise TimeoutError("sizes were not counted before things were listed")

    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    used = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    before = signal.signal(signal.SIGALRM, late)
    resource.setrlimit(resource.RLIMIT_AS, (used + ROOM, hard))
    yield
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    signal.signal(signal.SIGALRM, before)


def endless() -> Any:
    return itertools.count()


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


def wide_model(choices: int, *, values: int) -> Model:
    """A model of many choices, one of which has many values."""
    return Model(Choice("many", range(values)), *[Choice(f"{n}", [0, 1]) for n in range(choices)])


def deal(**sizes: int) -> Deal:
    return Deal(dict(sizes), holders={"me": sum(sizes.values()) - 1, "you": 1})


def approximate(method: str, variable: Any = CARDS, **options: int) -> object:
    return infer(Model(variable), method=method, **cast("Any", options))


@pytest.mark.usefixtures("bounded", "plain_python")
@pytest.mark.parametrize(
    "ask, words",
    [
        # Declarations.
        (lambda: Choice("a", range(N)), r"1 to 100,000 values \(got 1000000000\)"),
        (lambda: Choice("a", range(10**30)), "1 to 100,000 values"),
        (lambda: Choice("a", (n for n in itertools.count())), "1 to 100,000 values"),
        (lambda: Choice("a", lambda _: range(N), given=SIDE), "at most 4,000,000 weights"),
        (
            lambda: Choice("a", lambda _: range(3_000), given=Choice("b", range(3_000)).value()),
            r"4,000,000 weights in its rows, which are 1,333 in each of 3,000 .got 3000",
        ),
        (lambda: Choice("a", lambda _: endless(), given=SIDE), "at most 4,000,000 weights"),
        (lambda: Choice("a", lambda _: range(5_000), given=LARGE.value()), "4,000,000 weights"),
        (
            lambda: Choice("a", lambda n: [n, n + 5_000], given=LARGE.value()),
            r"4,000,000 weights in its rows \(got 50000000\)",
        ),
        (lambda: Deal([f"{n}" for n in range(100_000)], holders={"me": 100_000}), "10,000 items"),
        (lambda: Deal(cast("Any", range(N)), holders={"me": N}), "at most 10,000 items"),
        (lambda: deal(ace=N, king=1), r"10,000 items, copies counted \(got 1000000001\)"),
        (lambda: deal(ace=10**30), "at most 10,000 items"),
        (
            lambda: Deal(["a"], holders={"me": 1}, categories={"all": cast("Any", range(N))}),
            "items",
        ),
        (lambda: Deal(["a"], holders={"me": 1}, known={"me": cast("Any", range(N))}), "items"),
        (lambda: Walk("walk", range(N)), "1 to 30,000 positions"),
        (lambda: Walk("walk", itertools.count()), "1 to 30,000 positions"),
        (lambda: wide_model(501, values=100_000), "at most 50,000,000"),
        # Features and evidence.
        (lambda: SIDE.among(range(N)), "cannot have this value"),
        (lambda: SIDE.among(itertools.repeat(0)), "at most 4,000,000 values"),
        (lambda: SIDE.weigh(range(1, N)), "one weight for each of its 6 values"),
        (lambda: SIDE.weigh(cast("Any", itertools.count(1))), "one weight for each of its 6"),
        (lambda: CARDS.count("me", itertools.repeat("ace")), "at most 10,000 items"),
        (lambda: CARDS.count(itertools.repeat("me"), "ace"), "at most 10,000 holders"),
        (lambda: CARDS.reveal("me", cast("Any", range(N))), "at most 10,000 items"),
        (lambda: count_of(DIE.equals(0) for _ in itertools.count()), "at most 10,000 conditions"),
        (lambda: infer(Model(DIE)).marginal((SIDE,) * 100_000), "at most 10,000 features"),
        (lambda: WALK.transition(lambda _: itertools.repeat(0)), "follows 0 twice"),
        (lambda: Walk("w", range(30_000)).transition(np.zeros((2, 2))), "at most 10,000,000 steps"),
        (
            lambda: Walk("w", range(4)).transition((np.zeros(5), [], range(N))),
            r"at most 10,000,000 steps \(got 1000000000\)",
        ),
        # Questions.
        (lambda: Question(SIDE, lambda _: {0: 1.0}, range(N)), "at most 4,000,000 outcomes"),
        (lambda: Question(SIDE, np.zeros(6, dtype=int), range(N)), "at most 4,000,000 outcomes"),
        (
            lambda: Question(LARGE.value(), lambda n: {n + side: 0.01 for side in range(100)}),
            r"at most 20,000,000 probabilities",
        ),
        (lambda: Questions(SIDE, lambda _, at: at, range(N), ["side"]), "4,000,000 outcomes"),
        (
            lambda: Questions(SIDE, lambda _, at: at, range(6), cast("Any", range(N))),
            "10,000,000 questions",
        ),
        # Draws.
        (lambda: infer(Model(DIE)).sample(N, rng()), "10,000,000 at most here"),
        (lambda: infer(Model(CARDS)).sample(10**7, rng()), "2,000,000 at most here"),
        (lambda: infer(Model(DIE)).sample_array(10**30, rng()), "100,000,000 at most here"),
        (lambda: infer(Model(CARDS)).sample_array(10**8, rng()), "20,000,000 at most here"),
        (lambda: Model(DIE).simulate(N, rng()), "100,000,000 at most here"),
        (
            lambda: infer(Model(CARDS)).best_questions(ASKED, about=SEEN, samples=N, n=1),
            "20,000,000 at most here",
        ),
        (lambda: approximate("rejection", samples=10**12), "samples.*from 1 to 100000000"),
        (lambda: approximate("metropolis", samples=10**8), "20,000,000 at most here"),
        (lambda: approximate("metropolis", chains=10**12), "chains.*from 1 to 10000"),
        (lambda: approximate("likelihood_weighting", samples=10**8), "20,000,000 at most"),
        (lambda: approximate("particles", samples=10**8), "20,000,000 at most here"),
        (lambda: approximate("particles", WALK, samples=10**9), "samples.*to 100000000"),
        # Judges.
        (lambda: compare(Model(CARDS), samples=10**12), "samples.*from 1 to 100000000"),
        (lambda: calibrate(Model(DIE), [], games=10**30), "games.*from 1 to 1000000"),
        (lambda: calibrate(Model(LARGE), [], games=10**5), "at most 10,000,000 probabilities"),
        (lambda: calibrate(Model(DIE), [], games=9, bins=N), "bins.*from 1 to 1000"),
        (lambda: calibrate(Model(DIE), [], games=9, samples=N), "samples.*to 100000000"),
        (lambda: reliability([0.5, 0.5], [0, 1], bins=N), "bins.*from 1 to 1000"),
    ],
)
def test_what_is_too_large_is_refused_at_once(ask: Callable[[], object], words: str) -> None:
    start = time.process_time()
    signal.setitimer(signal.ITIMER_REAL, 5 * SECONDS)
    try:
        with pytest.raises(SleuthError, match=words):
            ask()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    assert time.process_time() - start < SECONDS


def test_weights_near_the_largest_number_are_weights() -> None:
    even = {"a": 1e308, "b": 1e308}
    choice = Choice("choice", even)
    assert choice.prior == (0.5, 0.5)
    assert Choice("choice", {"a": 1.5e308, "b": 0.5e308}).prior == (0.75, 0.25)
    assert Choice("choice", lambda _: even, given=SIDE).prior == (0.5,) * 12
    assert Walk("walk", ["a", "b"], start=even).start == (0.5, 0.5)
    assert infer(Model(choice)).marginal(choice.value()) == {"a": 0.5, "b": 0.5}
    with pytest.raises(SleuthError, match="add up to more than any number"):
        choice.value().weigh(even, exact=True)
    with pytest.raises(SleuthError, match="add up to more than any number"):
        Walk("walk", ["a", "b"], start=even).step({"a": even, "b": even})


@pytest.mark.parametrize("least, most", [(5e-324, 1e308), (1e-200, 1e200), (1e-310, 1.0)])
def test_no_prior_weight_is_lost_beside_the_largest(least: float, most: float) -> None:
    weights = {"a": least, "b": most}
    for make in (
        lambda: Choice("choice", weights),
        lambda: Choice("choice", lambda _: weights, given=SIDE),
        lambda: Walk("walk", ["a", "b"], start=weights),
    ):
        with pytest.raises(SleuthError, match=f"further apart than floats do .got {least}"):
            make()


@pytest.mark.filterwarnings("error")
def test_far_too_many_worlds_are_no_warning() -> None:
    many = Deal([f"card {n}" for n in range(1_200)], holders={"me": 1_199, "you": 1})
    belief = infer(Model(many))
    assert belief.probability(many.holder_of("card 7").equals("you")) == pytest.approx(1 / 1_200)
