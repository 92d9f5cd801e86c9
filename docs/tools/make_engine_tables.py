"""The tables of engines in the documentation, made from what the engines declare.

`engine_table` says what each engine is for. `support_table` puts small typical problems to every
engine's `cost` and writes down its answer: ``yes``, why not, or that it would take too long.
Run ``python docs/tools/make_engine_tables.py PAGE...`` to renew the tables in pages that
have them.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from sleuth.beliefs.arrays.problem import Problem
from sleuth.beliefs.engines import APPROXIMATE, EXACT, NAMES, cost_of, engine
from sleuth.beliefs.engines.base import EngineOptions, Unsupported
from sleuth.beliefs.engines.choosing import parts_for
from sleuth.beliefs.games.clue.declaration import ClueDeclaration
from sleuth.beliefs.infer import infer
from sleuth.beliefs.language.counting import any_of
from sleuth.beliefs.language.covering import disjoint
from sleuth.beliefs.language.features import together
from sleuth.beliefs.language.variables import Choice, Deal
from sleuth.beliefs.language.walk import Walk
from sleuth.beliefs.modelling.history import Observation
from sleuth.beliefs.modelling.model import Model
from sleuth.data.errors import SettingsError
from sleuth.data.files import resource
from sleuth.models.clue.record.record import load
from sleuth.models.clue.seen import SPECTATOR


@dataclass(frozen=True)
class Probe:
    """A typical problem.

    Attributes:
        name: What is typical about it.
        problem: The declaration and its evidence as arrays.
        small: Whether every engine that supports it solves it within a moment.
    """

    name: str
    problem: Problem
    small: bool = True


SIX: Final = "neller_main.json"


@cache
def probes() -> tuple[Probe, ...]:
    """The problems that every engine is asked about."""
    made = (
        ("distinct items, hard evidence", _distinct(), True),
        ("exact counts of a category per holder", _categories(), True),
        ("a weight on which items a holder has", _subsets(), True),
        ("evidence that ties holders", _ties(), True),
        ("identical copies, hard evidence", _copies(), True),
        ("identical copies, counts of several items at once", _sums(), True),
        ("claims that split off, merge, are revealed or predicted", _claims(), True),
        ("a hand that took up cards that were seen, drew, and claims again", _taken(), True),
        ("a hand that changes, eight turns of it", _changing(), False),
        ("a deal and a choice", _mixed(), True),
        ("a network of choices", _network(), True),
        ("two ships that do not overlap", _fleet(4, (3, 2)), True),
        ("five ships on 10 x 10, after 60 misses", _fleet(10, (5, 4, 3, 3, 2), 6), False),
        ("a walk whose steps depend on a choice", _walk(), True),
        ("a walk beside a deal", _beside(), True),
        ("a walk over a graph of 199 positions", _wide(), True),
        ("100 items in 100 boxes, five of them seen", _boxes(), False),
        ("Clue: 3 players, after 4 events", _clue("plum_game2.json", 4), False),
        ("Clue: 6 players, at the start", _clue(SIX, 0), False),
        ("Clue: 6 players, after 12 events", _clue(SIX, 12), False),
        ("Clue: 6 players, after 12 events, a spectator", _clue(SIX, 12, viewer=SPECTATOR), False),
    )
    return tuple(Probe(name, problem, small) for name, problem, small in made)


def engine_table() -> str:
    """Every engine, whether it is exact, and what it is for, as a Markdown table."""
    rows = [
        (f"`{name}`", "exact" if engine(name).exact else "approximate", engine(name).summary)
        for name in NAMES
    ]
    return _markdown(("engine", "answers", "for"), rows)


@cache
def support_table() -> str:
    """What every engine can solve, as a Markdown table with notes."""
    notes: list[str] = []
    rows = [
        (
            probe.name,
            *(_verdict(name, probe.problem, notes) for name in EXACT),
            _together(probe.problem, notes),
        )
        for probe in probes()
    ]
    head = ("problem", *(f"`{name}`" for name in EXACT), "approximate ones")
    told = "\n".join(f"{number}. {note}" for number, note in enumerate(notes, start=1))
    return f"{_markdown(head, rows)}\n\n{told}"


TABLES: Final[dict[str, Callable[[], str]]] = {
    "engines": engine_table,
    "support": support_table,
}


def renewed(page: str) -> str:
    """A page with every marked table made anew.

    A table stands between ``<!-- engines -->`` (or ``<!-- support -->``) and ``<!-- end -->``.
    """
    for name, make in TABLES.items():
        pattern = re.compile(rf"(<!-- {name} -->).*?(<!-- end -->)", re.DOTALL)
        if pattern.search(page):
            table = f"\n\n{make()}\n\n"
            page = pattern.sub(lambda match, table=table: match[1] + table + match[2], page)
    return page


def _verdict(name: str, problem: Problem, notes: list[str]) -> str:
    chosen = engine(name)
    cost = cost_of(chosen, problem)
    if isinstance(cost, Unsupported):
        if parts_for(chosen, problem, EngineOptions()) is not None:
            return "yes"
        # One note for a reason, however large the number in it.
        reason = re.sub(r"\b\d+ such\b", "several such", cost.reason)
        if reason not in notes:
            notes.append(reason)
        return f"no ({notes.index(reason) + 1})"
    if chosen.exact and cost.operations > EngineOptions().limit and not cost.bound:
        return "too long"
    return "yes"


def _together(problem: Problem, notes: list[str]) -> str:
    """One verdict of all approximate engines, and those that differ from it."""
    verdicts = {name: _verdict(name, problem, notes) for name in APPROXIMATE}
    usual = Counter(verdicts.values()).most_common(1)[0][0]
    others = [f"`{name}`: {said}" for name, said in verdicts.items() if said != usual]
    return "; ".join([usual, *others])


def _markdown(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _problem(model: Model, *given: Observation) -> Problem:
    return infer(model, given, method="card_by_card").problem


def _letters() -> Deal:
    return Deal(list("abcdefgh"), holders={"me": 3, "you": 3, "table": 2})


def _boxes() -> Problem:
    items = [f"item {number}" for number in range(100)]
    deal = Deal(items, holders={f"box {number}": 1 for number in range(100)})
    seen = [deal.item_of(f"box {number}").equals(items[7 * number]) for number in range(5)]
    return infer(Model(deal), seen, method="symmetry").problem


def _distinct() -> Problem:
    cards = _letters()
    return _problem(
        Model(cards), cards.holds("me", ["a", "b"]), cards.holds_any("you", ["c", "d", "e"])
    )


def _categories() -> Problem:
    cards = Deal(
        list("abcdef"),
        holders={"me": 2, "you": 2, "table": 2},
        categories={"vowel": ["a", "e"], "other": ["b", "c", "d", "f"]},
        counts={"table": {"vowel": 1, "other": 1}},
    )
    return _problem(Model(cards), cards.lacks("you", "a"))


def _subsets() -> Problem:
    cards = _letters()
    which = cards.which("you", ["a", "b", "c"])
    return _problem(
        Model(cards), which.weigh(lambda held: 1.0 / len(held) if "a" in held else 0.0, exact=True)
    )


def _ties() -> Problem:
    cards = _letters()
    pair = together(cards.count("me", ["a", "b", "c"]), cards.count("you", ["a", "b", "c"]))
    return _problem(Model(cards), pair.weigh(lambda counts: 1.0 + counts[0] + 2.0 * counts[1]))


def _copies() -> Problem:
    cards = Deal({"ace": 2, "king": 4}, holders={"me": 2, "you": 2, "table": 2})
    return _problem(Model(cards), cards.holds("me", "king", 2), cards.lacks("you", "ace"))


def _sums() -> Problem:
    cards = Deal({"ace": 2, "king": 2, "ten": 2}, holders={"me": 2, "you": 2, "table": 2})
    return _problem(Model(cards), cards.holds_any("you", ["ace", "king"]))


def _claims() -> Problem:
    cards = Deal({"ace": 2, "king": 2, "ten": 2}, holders={"me": 2, "you": 3, "table": 1})
    first = cards.split("you", "first claim", 1)
    second = cards.split("you", "second claim", 1)
    return _problem(
        Model(cards),
        cards.holds("me", "king"),
        first,
        cards.all_of("first claim", "ace").predicted(0.8),
        second,
        cards.reveal("second claim", ["ten"]),
        cards.merge(["second claim", "table"], "table"),
    )


def _taken() -> Problem:
    cards = Deal({"ace": 3, "king": 3, "ten": 2}, holders={"you": 2, "pile": 2, "deck": 4})
    return _problem(
        Model(cards),
        cards.reveal("pile", ["ace", "king"]),
        cards.merge(["you", "pile"], "you"),
        cards.split("you", "first claim", 1),
        cards.all_of("first claim", "ace").predicted(0.8),
        cards.split("deck", "drawn", 1),
        cards.merge(["you", "drawn"], "you"),
        cards.split("you", "second claim", 2),
        cards.all_of("second claim", "king").predicted(0.3),
    )


def _changing() -> Problem:
    cards = Deal({"ace": 3, "king": 3, "ten": 4}, holders={"you": 1, "out": 0, "deck": 9})
    steps: list[Observation] = []
    for turn, card in enumerate(["ten", "king", "ten", "ace", "ten", "king", "ace", "ten"]):
        drawn, played = f"drawn {turn}", f"played {turn}"
        steps += [
            cards.split("deck", drawn, 1),
            cards.merge(["you", drawn], "you"),
            cards.split("you", played, 1),
            cards.reveal(played, [card]),
            cards.merge([played, "out"], "out"),
            cards.item_of("you").weigh({"ace": 3.0, "king": 2.0, "ten": 1.0}),
        ]
    return infer(Model(cards), steps).problem


def _mixed() -> Problem:
    cards = Deal({"ace": 2, "king": 2}, holders={"me": 2, "you": 2})
    honest = Choice("honest", {True: 0.7, False: 0.3})
    both = together(cards.count("you", "ace"), honest.value())
    return _problem(
        Model(cards, honest), both.weigh(lambda pair: 0.9 if pair[1] == (pair[0] > 0) else 0.1)
    )


def _network() -> Problem:
    rain = Choice("rain", {True: 0.2, False: 0.8})
    sprinkler = Choice("sprinkler", [True, False])
    wet = Choice("wet", [True, False])
    watered = together(rain.value(), sprinkler.value())
    soaked = together(rain.value(), sprinkler.value(), wet.value())
    return _problem(
        Model(rain, sprinkler, wet),
        watered.weigh(lambda value: 0.02 if all(value) else 0.8 if not value[1] else 0.2),
        soaked.weigh(lambda value: 0.95 if value[2] == any(value[:2]) else 0.05),
        wet.equals(True),
    )


def _fleet(side: int, lengths: Sequence[int], missed: int = 0) -> Problem:
    """Ships on a square board; all shots at its last columns missed."""
    ships: list[Choice] = []
    for number, length in enumerate(lengths):
        parts, starts = range(length), range(side - length + 1)
        across = [
            tuple((row, first + part) for part in parts) for row in range(side) for first in starts
        ]
        down = [tuple((row, column) for column, row in place) for place in across]
        ships.append(Choice(f"ship {number}", [*across, *down]))
    squares = [(row, column) for row in range(side) for column in range(side)]
    hits = [
        any_of(ship.satisfies(lambda place, at=square: at in place) for ship in ships)
        for square in squares
        if square[1] >= side - missed
    ]
    given = [*disjoint(ships), *(~hit for hit in hits)]
    return infer(Model(*ships), given, method="exact_cover").problem


def _walk() -> Problem:
    walk, kind = Walk("walker", list("abcd"), start=["a"]), Choice("kind", ["bold", "shy"])
    tables = {"bold": {"a": ["b", "c"], "b": ["d"], "c": ["d"]}, "shy": {"a": ["b"], "b": ["a"]}}
    step = walk.step(tables, by=kind)
    return _problem(Model(walk, kind), step, walk.not_at("c", step=1), step)


def _beside() -> Problem:
    walk = Walk("walker", list("abc"), start=["a"])
    cards = Deal(["ace", "king"], holders={"me": 1, "you": 1})
    both = together(walk.at(), cards.holder_of("ace"))
    step = walk.step({"a": ["b", "c"], "b": ["c"], "c": ["c"]})
    return _problem(Model(walk, cards), step, both.weigh(lambda pair: 1.0 + (pair[0] == "b")))


def _wide() -> Problem:
    walk = Walk("walker", range(199), start=[0, 1])
    step = walk.transition(lambda at: [place for place in (at - 7, at + 1) if 0 <= place < 199])
    given = [walk.step(step), walk.not_at(1), walk.step(step), walk.step(step)]
    return infer(Model(walk), given).problem


def _clue(file: str, events: int, *, viewer: str | None = None) -> Problem:
    """A shipped game after so many events, as its observer or somebody else saw it."""
    game = load(resource("clue", "games", file)).seen_by(viewer).until(events)
    return ClueDeclaration(game).infer(game, method="card_by_card").problem


def main(pages: Sequence[str]) -> None:
    """Renew the tables in these pages; print them all if none is named."""
    if not pages:
        print(engine_table(), support_table(), sep="\n\n")
    for path in map(Path, pages):
        if not path.is_file():
            raise SettingsError("no such page", value=str(path))
        path.write_text(renewed(path.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
