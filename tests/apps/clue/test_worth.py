"""One yardstick for suggestions: beside a table and in the report, the same ones are best."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from sleuth.answers import Statements, as_text
from sleuth.apps.clue import worth
from sleuth.apps.clue.advising.answers import best, news, ready
from sleuth.apps.clue.advising.lines import Reader
from sleuth.apps.clue.advising.table import ClueSetup
from sleuth.apps.clue.report.events import events
from sleuth.apps.clue.worth import (
    RIGHT,
    best_by_room,
    estimated,
    few_by_room,
    most_worth,
    ranked,
    suggestions_of,
    tied_first,
    tied_rows,
    worth_of,
)
from sleuth.beliefs.games.clue.suggesting import told
from sleuth.games.clue import ROOMS
from sleuth.models.clue.editions import CLASSIC
from sleuth.models.clue.game import TRIPLES, triple_cards

from .analyses import analyse
from .analyses import text as report

NAMES = ("Ada", "Bob", "Cleo")
HELD = ["green", "rope", "hall", "study", "lounge", "library"]
ASKED = ("plum", "knife", "kitchen")
#: Ada asks for three cards that nobody in the game so far has named, and Bob shows one.
ENTRIES: tuple[dict[str, object], ...] = (
    {"type": "suggest", "by": "Cleo", "cards": [*ASKED], "refuter": None},
    {"type": "suggest", "by": "Ada", "cards": ["white", "wrench", "ballroom"], "refuter": "Bob",
     "shown": "white"},
)  # fmt: skip


def table(*entries: dict[str, object]) -> ClueSetup:
    settings = {
        "players": list(NAMES), "sizes": [6, 6, 6], "me": "Ada", "faceup": [], "hand": HELD,
        "dice": 1,
    }  # fmt: skip
    return ClueSetup.of(settings, entries)


def text(shown: Statements) -> str:
    return as_text(*shown, width=200)


def test_what_is_said_to_be_best_beside_a_table_is_best_in_the_report() -> None:
    """Ada asked what she was advised to: the report calls it so, too, and says the same number."""
    before = table(ENTRIES[0])
    (advised, *_) = most_worth(before.belief, before.posterior, 1)
    suggested = {"type": "suggest", "by": "Ada", "cards": [*advised.cards], "refuter": None}
    found = analyse(table(ENTRIES[0], suggested).game, advice=3, suggestions=3)
    turn = found.timeline[2].detail.suggestion
    assert turn is not None
    assert turn.made == advised
    assert turn.best[0].ties(turn.made)
    page = events(found)
    assert "was better" in page or "worth the same" in page
    assert "; the best, " not in page
    number = f"{advised.worth:.2f}"
    assert number in text(best(before, Reader(NAMES, "Ada", ()), ""))
    assert number in report(found)
    assert number in page


def test_worth_is_exact_and_as_near_on_drawn_deals_as_draws_are() -> None:
    now = table(*ENTRIES)
    belief, posterior = now.belief, now.posterior
    worlds = posterior.sample_array(4_000, np.random.default_rng(0))
    drawn = told(worlds, 3, 0, CLASSIC.codes)
    about = estimated(belief, posterior, suggestions_of(belief))
    # The same deals; `told` takes off what entropies of few draws are too small by.
    assert about == pytest.approx(drawn.bits + RIGHT * drawn.right, abs=0.1)
    for code in (0, 100, 323, int(about.argmax())):
        found = worth_of(belief, posterior, triple_cards(code))
        question = belief.suggestion(found.cards)
        gain = posterior.information_gain(question, about=belief.case_file)
        assert found.bits == pytest.approx(gain, abs=1e-9)
        right = 0.0
        for place, outcome in enumerate(question.outcomes):
            chance = float(posterior.distribution(question.feature) @ question.table[:, place])
            if chance > 0.0:
                known = posterior.observe(question.observed(outcome))
                right += chance * known.most_likely(belief.case_file)[0][1]
        assert found.sure == pytest.approx(right, abs=1e-9)


def test_the_best_are_found_among_few_and_stand_in_the_order_that_is_meant() -> None:
    now = table(*ENTRIES)
    everything = most_worth(now.belief, now.posterior, None)
    assert len({each.cards for each in everything}) == TRIPLES
    for one, other in itertools.pairwise(everything):
        assert one.worth > other.worth - 1e-9
    few = most_worth(now.belief, now.posterior, 5)
    assert [each.worth for each in few] == pytest.approx([each.worth for each in everything[:5]])
    by_room = best_by_room(now.belief, now.posterior)
    for room in ROOMS:
        first = next(each for each in everything if each.cards[-1] == room)
        assert by_room[room].ties(first)
        (only,) = most_worth(now.belief, now.posterior, 1, rooms=(room,))
        assert only.ties(first)


def test_ties_are_called_ties_and_keep_the_order_of_the_deck() -> None:
    """Nobody has said anything: what Ada does not hold is all alike."""
    start = table()
    found = most_worth(start.belief, start.posterior, 5)
    assert tied_first(found) == 5
    assert ranked(found[::-1], CLASSIC) == found
    assert "All of these are worth the same" in text(best(start, Reader(NAMES, "Ada", ()), ""))
    analysis = analyse(start.game, suggestions=3)
    said = report(analysis)
    assert sum(line.strip().startswith("1 ") for line in said.splitlines()) >= 3
    order = [[CLASSIC.position[card] for card in each.cards] for each in found]
    assert order == sorted(order)


def test_what_ties_is_called_so_wherever_it_is_named() -> None:
    start = table()
    shares = start.posterior.marginal(start.belief.case_file).values()
    others = sum(share > max(shares) - 1e-9 for share in shares) - 1
    assert others > 50
    tied = f", tied with {others} others."
    assert tied in text(news(start, None))
    assert tied in text(ready(start))


def test_rows_that_tie_among_themselves_and_rooms_with_other_cards_are_said() -> None:
    assert tied_rows([3.0, 2.0, 2.0 + 1e-9, 1.0, 0.5, 0.5]) == [(2, 3), (5, 6)]
    assert tied_rows([1.0, 1.0, 1.0]) == [(1, 3)]
    assert tied_rows([2.0, 1.0]) == tied_rows([]) == []
    now, reader = (
        table(*ENTRIES, {"type": "move", "by": "Ada", "to": "hall"}),
        Reader(NAMES, "Ada", ()),
    )
    found = most_worth(now.belief, now.posterior, 5)
    rows = [run for run in tied_rows([each.worth for each in found]) if run[0] > 1]
    said = text(best(now, reader, ""))
    few = few_by_room(now.belief, now.posterior)
    assert ("Other cards are worth the same in" in said) == any(
        each[0].ties(each[1]) for each in few.values()
    )
    for room in ROOMS:
        listed = most_worth(now.belief, now.posterior, 5, rooms=(room,))
        said = text(best(now, reader, room))
        for first, last in tied_rows([each.worth for each in listed]):
            row = f"Rows {first} {'and' if last == first + 1 else 'to'} {last} are worth the same"
            first_rows = "All of these" if last == len(listed) else f"The first {last}"
            assert (row if first > 1 else f"{first_rows} are worth the same") in said
            rows.append((first, last))
    assert rows


def test_where_deals_are_too_many_all_is_valued_on_some_that_are_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = table(*ENTRIES)
    exact = {each.cards: each for each in most_worth(now.belief, now.posterior, None)}
    monkeypatch.setattr(worth, "MOST_EDGES", 0)
    assert not any(each.drawn for each in most_worth(now.belief, now.posterior, 1))
    monkeypatch.setattr(worth, "always_exact", lambda _: False)  # as in a larger box
    drawn = most_worth(now.belief, now.posterior, None)
    assert all(each.drawn for each in drawn)
    assert {each.cards for each in drawn} == set(exact)
    for each in drawn:
        assert each.bits == pytest.approx(exact[each.cards].bits, abs=0.1)
        assert each.sure == pytest.approx(exact[each.cards].sure, abs=0.03)
    first = worth_of(now.belief, now.posterior, drawn[0].cards)
    assert first == drawn[0]
    by_room = best_by_room(now.belief, now.posterior)
    assert by_room[drawn[0].cards[-1]] == drawn[0]
    reader = Reader(NAMES, "Ada", ())
    assert worth.ESTIMATED in text(best(now, reader, ""))
    assert "what the others know is not worked out" in text(ready(now))
    said = report(analyse(now.game, suggestions=3))
    assert worth.ESTIMATED in " ".join(said.split())


def test_what_is_told_is_exact_for_all_suggestions_of_the_classic_box(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = table(*ENTRIES)
    before = analyse(now.game, suggestions=10).findings.suggestions
    monkeypatch.setattr(worth, "MOST_WORK", 0)
    assert analyse(now.game, suggestions=10).findings.suggestions == before
    bits = [round(told, 9) for _, told in before]
    assert bits == sorted(bits, reverse=True)
