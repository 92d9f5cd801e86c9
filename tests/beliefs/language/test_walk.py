"""A walk is a position that moves in steps; what is declared and observed of it."""

from __future__ import annotations

import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from scipy import sparse

from sleuth import Choice, Model, Posterior, Question, SleuthError, Walk, compare, infer, together
from sleuth.errors import (
    ContradictionError,
    DeclarationError,
    EvidenceError,
    RecordError,
    UnsupportedError,
)
from sleuth.networks import to_bif

from ..walks import Stream, streams

STREET = {"dock": ["inn"], "inn": ["dock", "church"], "church": ["inn"]}


def thief() -> Walk:
    return Walk("thief", ["dock", "inn", "church"], start={"dock": 1, "church": 3})


def test_before_the_first_step_it_is_where_it_starts() -> None:
    walk = thief()
    belief = infer(Model(walk))
    assert (belief.method, belief.exact) == ("forward_filter", True)
    assert belief.marginal(walk.at()) == {"dock": 0.25, "church": 0.75}
    assert belief.log_evidence == pytest.approx(0.0, abs=1e-15)
    anywhere = Walk("cat", [1, 2, 3, 4])
    assert infer(Model(anywhere)).marginal(anywhere.at()) == dict.fromkeys([1, 2, 3, 4], 0.25)


def test_a_step_moves_it_and_the_past_stays() -> None:
    walk = thief()
    belief = infer(Model(walk), [walk.step(STREET), walk.step(STREET)])
    assert belief.marginal(walk.at(step=1)) == {"inn": 1.0}
    assert belief.marginal(walk.at()) == {"dock": 0.5, "church": 0.5}
    assert belief.marginal(walk.at(step=0)) == {"dock": 0.25, "church": 0.75}
    assert belief.marginal(walk.at(step=2)) == belief.marginal(walk.at())


def test_what_is_seen_now_tells_of_the_past() -> None:
    # He goes right for sure from dock, and from church stays with one half.
    walk = thief()
    step = {"dock": ["inn"], "church": ["inn", "church"]}
    belief = infer(Model(walk), [walk.step(step), walk.seen_at("inn")])
    # 1/4 * 1 against 3/4 * 1/2.
    assert belief.marginal(walk.at(step=0)) == pytest.approx({"dock": 0.4, "church": 0.6})
    assert belief.log_evidence == pytest.approx(math.log(0.25 + 0.375))


def test_rows_that_do_not_sum_to_one_are_likelihoods() -> None:
    walk = thief()
    ticket = {"dock": {"inn": 0.2}, "church": {"inn": 0.5, "church": 0.1}}
    belief = infer(Model(walk), [walk.step(ticket)])
    assert belief.log_evidence == pytest.approx(math.log(0.25 * 0.2 + 0.75 * 0.6))


def test_a_step_may_depend_on_which_type_of_player_this_is() -> None:
    walk, kind = thief(), Choice("kind", {"bold": 0.5, "shy": 0.5})
    tables = {"bold": {"inn": ["church"]}, "shy": {"inn": {"church": 0.25, "dock": 0.75}}}
    belief = infer(
        Model(walk, kind), [walk.step(STREET), walk.step(tables, by=kind), walk.seen_at("church")]
    )
    assert belief.marginal(kind.value()) == pytest.approx({"bold": 0.8, "shy": 0.2})
    left = belief.observe(walk.step(STREET), walk.step(tables, by=kind))
    assert left.marginal(together(kind.value(), walk.at())) == pytest.approx(
        {("bold", "church"): 0.8, ("shy", "church"): 0.05, ("shy", "dock"): 0.15}
    )


def test_evidence_may_weigh_position_and_type_together_or_a_past_position() -> None:
    walk, kind = thief(), Choice("kind", ["bold", "shy"])
    both = together(walk.at(), kind.value())
    belief = infer(Model(walk, kind), [both.weigh(lambda v: 3.0 if v == ("dock", "shy") else 1.0)])
    assert belief.marginal(both) == pytest.approx(
        {
            ("dock", "bold"): 1 / 10,
            ("dock", "shy"): 3 / 10,
            ("church", "bold"): 3 / 10,
            ("church", "shy"): 3 / 10,
        }
    )
    later = belief.observe(walk.step(STREET), walk.step(STREET), walk.not_at("dock", step=0))
    assert later.marginal(walk.at(step=0)) == {"church": 1.0}


def test_every_form_of_a_table_is_the_same_step() -> None:
    walk = thief()
    dense = [[0, 1, 0], [0.5, 0, 0.5], [0, 1, 0]]
    csr = sparse.csr_matrix(np.array(dense))
    forms: list[Any] = [
        STREET,
        {at: dict.fromkeys(then, 1.0 / len(then)) for at, then in STREET.items()},
        lambda at: STREET[at],
        dense,
        np.array(dense),
        csr,
        sparse.coo_array(np.array(dense)),
        (csr.indptr, csr.indices, csr.data),
        walk.transition(STREET),
    ]
    assert {walk.step(form) for form in forms} == {walk.step(STREET)}


@pytest.mark.parametrize(
    "table, words",
    [
        ({"pier": ["inn"]}, "unknown position"),
        ({"dock": ["in"]}, "unknown position.*did you mean 'inn'"),
        ({"dock": "inn"}, "no list of positions"),
        ({"dock": ["inn", "inn"]}, "follows 'dock' twice"),
        ({"dock": {"inn": -1.0}}, "finite and not negative"),
        ({"dock": {"inn": math.nan}}, "finite and not negative|not a number"),
        ({"dock": {"inn": "often"}}, "not a number"),
        ({"dock": {"inn": 0.0}}, "zero everywhere"),
        ({}, "zero everywhere"),
        ([[1.0, 0.0], [0.0, 1.0]], "3 by 3"),
        (sparse.eye(2), "3 by 3"),
        (([0, 1, 1, 1], [7], [1.0]), "sparse table by rows"),
        ("taxi", "no transition"),
    ],
)
def test_a_wrong_table_is_refused(table: Any, words: str) -> None:
    with pytest.raises(EvidenceError, match=words):
        thief().step(table)


@pytest.mark.parametrize(
    "arguments, words",
    [
        (("", ["a"]), "needs a name"),
        (("w", "ab"), "positions are a list"),
        (("w", {"a", "b"}), "positions are a list"),
        (("w", []), "1 to 30,000 positions"),
        (("w", ["a", "a"]), "given twice"),
        (("w", [["a"]]), "hashable"),
        (("w", ["a"], ["b"]), "unknown position"),
        (("w", ["a"], {"a": -1}), "not negative"),
        (("w", ["a"], {"a": 0}), "zero everywhere"),
        (("w", ["a"], "a"), "list of positions"),
    ],
)
def test_a_wrong_walk_is_refused(arguments: Any, words: str) -> None:
    with pytest.raises(DeclarationError, match=words):
        Walk(*arguments)


def test_slips_in_steps_and_features_are_refused() -> None:
    walk, kind = thief(), Choice("kind", ["bold", "shy"])
    belief = infer(Model(walk, kind), [walk.step(STREET)])
    other = Walk("thief", ["dock", "inn"])
    for slip, words in (
        (lambda: belief.marginal(walk.at(step=2)), "only 1 steps so far"),
        (lambda: belief.observe(walk.seen_at("pier")), "unknown position"),
        (lambda: belief.observe(walk.not_at(["dock", "pier"])), "unknown position"),
        (lambda: walk.not_at(["dock", "inn", "church"]), "nowhere else"),
        (lambda: walk.step({"bold": STREET}, by=kind), "lacks a table"),
        (lambda: walk.step({"bald": STREET, "shy": STREET}, by=kind), "no such value"),
        (lambda: walk.step(STREET, by=kind), "no such value"),
        (lambda: walk.step([STREET], by=kind), "needs a table for each"),  # pyright: ignore[reportArgumentType]
        (lambda: belief.observe(other.step({"dock": ["inn"]})), "other positions"),
        (lambda: belief.marginal(other.at()), "other positions"),
        (lambda: belief.observe(Walk("cat", ["a"]).step({"a": ["a"]})), "no such walk"),
        (
            lambda: infer(Model(walk)).observe(walk.step({"bold": STREET, "shy": STREET}, by=kind)),
            "no such choice",
        ),
    ):
        with pytest.raises(EvidenceError, match=words):
            slip()
    swapped = Choice("kind", ["shy", "bold"])
    with pytest.raises(EvidenceError, match="other values"):
        belief.observe(walk.step({"bold": STREET, "shy": STREET}, by=swapped))


def test_positions_may_be_pairs_of_coordinates() -> None:
    walk = Walk("king", [(x, y) for x in range(3) for y in range(3)], start=[(1, 1)])
    near = walk.transition(
        lambda at: [(x, y) for x, y in walk.positions if max(abs(x - at[0]), abs(y - at[1])) == 1]
    )
    belief = infer(Model(walk), [walk.step(near), walk.not_at((0, 0))])
    assert len(belief.marginal(walk.at())) == 7
    assert len(belief.observe(walk.not_at([(0, 1), (0, 2)])).marginal(walk.at())) == 5


def test_contradictions_name_observations_of_which_none_can_be_left_out() -> None:
    walk = thief()
    belief = infer(
        Model(walk),
        [
            walk.step(STREET, because="first step"),
            walk.not_at("church", because="the church is locked"),
            walk.step(STREET, because="second step"),
        ],
    )
    with pytest.raises(ContradictionError, match="cannot all be true") as caught:
        belief.observe(walk.seen_at("inn", because="he was seen in the inn"))
    # At the inn after one step (he started elsewhere), he cannot be there after the next.
    assert list(caught.value.evidence) == ["first step", "second step", "he was seen in the inn"]


@settings(deadline=None, max_examples=40)
@given(stream=streams(most=6, most_steps=2))
def test_a_conflict_is_irreducible(stream: Stream) -> None:
    walk, steps = stream.walk, stream.steps
    assume(len(walk.positions) > 1)
    # Wherever it can still be, it is not.
    for place in sorted({path[-1] for (_, path), _ in stream.worlds()}):
        stream.given.append(walk.not_at(place))
        weights = {other: float(other != place) for other in walk.positions}
        stream.weighing.append(("position", steps, weights))
    with pytest.raises(ContradictionError) as caught:
        infer(stream.model, stream.given)
    named = [f"evidence {place + 1}" for place in range(len(stream.given))]
    kept = list(caught.value.evidence)
    assert set(kept) <= set(named)

    def possible(wanted: list[Any]) -> bool:
        weighing = [
            entry if name in wanted else (entry[0], entry[1], _Ones(entry[0] == "step"))
            for name, entry in zip(named, stream.weighing, strict=True)
        ]
        freed = Stream(stream.walk, stream.kind, stream.model, [], weighing, stream.steps)
        return any(True for _ in freed.worlds())

    assert not possible(kept)
    for name in kept:
        assert possible([other for other in kept if other != name])


class _Ones(dict[Any, Any]):
    """Weights that say nothing, or a table of them for every value of a choice."""

    def __init__(self, nested: bool) -> None:
        self.nested = nested

    def __missing__(self, key: Any) -> Any:
        return _Ones(False) if self.nested else 1.0


def test_what_is_certain_is_explained() -> None:
    walk = thief()
    belief = infer(
        Model(walk),
        [
            walk.at().weigh([1.0, 2.0, 3.0], because="a rumour"),
            walk.step(STREET, because="first step"),
            walk.step(STREET, because="second step"),
            walk.not_at("dock", because="the dock is guarded"),
        ],
    )
    assert belief.explain(walk.at().equals("church")) == [
        "first step",
        "second step",
        "the dock is guarded",
    ]
    assert belief.explain(walk.at(step=0).equals("inn")) == []
    with pytest.raises(EvidenceError, match="neither certain nor impossible"):
        belief.explain(walk.at(step=0).equals("dock"))


def test_evidence_is_taken_back_but_steps_are_not() -> None:
    walk = thief()
    before = infer(Model(walk), [walk.step(STREET), walk.step(STREET, because="he went on")])
    belief = before.observe(walk.not_at("dock", because="guarded", event=4))
    assert belief.retract("guarded").marginal(walk.at()) == before.marginal(walk.at())
    assert belief.retract(4) == before
    with pytest.raises(EvidenceError, match="cannot be taken back"):
        belief.retract("he went on")


@settings(deadline=None, max_examples=40)
@given(stream=streams())
def test_a_saved_posterior_comes_back_as_it_was(
    stream: Stream, tmp_path_factory: pytest.TempPathFactory
) -> None:
    assume(sum(weight for _, weight in stream.worlds()) > 0.0)
    belief = infer(stream.model, stream.given)
    path = tmp_path_factory.getbasetemp() / "walk.json"
    belief.save(path)
    again = Posterior.load(path)
    assert again == belief
    assert again.digest == belief.digest
    assert again.marginal(stream.walk.at()) == belief.marginal(stream.walk.at())
    assert again.log_evidence == belief.log_evidence


@pytest.mark.parametrize(
    "entry, value",
    [
        ("starts", [0, 1]),
        ("targets", [99, 99, 99, 99]),
        ("weights", [1.0, -1.0, 1.0, 1.0]),
        ("starts", [0, 1.5, 3, 4]),
    ],
)
def test_a_damaged_file_of_a_walk_is_refused(tmp_path: Path, entry: str, value: Any) -> None:
    walk, path = thief(), tmp_path / "walk.json"
    infer(Model(walk), [walk.step(STREET)]).save(path)
    data = json.loads(path.read_text("utf-8"))
    data["history"][0]["transitions"][0][entry] = value
    path.write_text(json.dumps(data), "utf-8")
    with pytest.raises(RecordError, match="damaged"):
        Posterior.load(path)


def test_a_question_about_the_position_has_its_gain() -> None:
    walk = thief()
    belief = infer(Model(walk), [walk.step(STREET), walk.step(STREET)])
    seen = Question(walk.at(), lambda at: {at == "dock": 1.0}, name="is he at the dock?")
    assert belief.information_gain(seen, about=walk.at()) == pytest.approx(1.0)
    assert belief.information_gain(seen, about=walk.at(step=0)) == pytest.approx(0.0, abs=1e-12)
    assert belief.best_questions([seen], about=walk.at(), n=1)[0][1] == pytest.approx(1.0)


def test_a_long_walk_can_be_sent_to_a_worker() -> None:
    walk = thief()
    street = walk.transition(STREET)
    belief = infer(Model(walk), [walk.step(street), walk.not_at("dock")] * 1_000)
    again = pickle.loads(pickle.dumps(belief))
    assert again == belief
    onward = [each.observe(walk.step(street)).log_evidence for each in (belief, again)]
    assert onward[0] == onward[1]


def test_its_marginals_go_into_a_table() -> None:
    walk, kind = thief(), Choice("kind", ["bold", "shy"])
    frame = infer(Model(kind, walk), [walk.step(STREET)]).to_frame()
    rows = frame[frame["variable"] == "thief"]
    assert dict(zip(rows["value"], rows["probability"], strict=True)) == {
        "dock": 0.0,
        "inn": 1.0,
        "church": 0.0,
    }


def test_a_walk_of_one_position_keeps_all_weights() -> None:
    walk = Walk("stone", ["here"])
    belief = infer(Model(walk), [walk.at().weigh([0.5]), walk.at().weigh([0.25])])
    belief = belief.observe(walk.step([[1.0]]), walk.at(step=0).weigh([0.5]))
    assert belief.log_evidence == pytest.approx(math.log(0.5 * 0.25 * 0.5))


def test_its_start_is_drawn_as_declared() -> None:
    walk = thief()
    worlds = Model(walk).simulate(4_000, np.random.default_rng(0)).value(walk.at())
    assert set(worlds) == {"dock", "church"}
    assert worlds.count("church") == pytest.approx(3_000, abs=150)


def test_engines_are_compared_on_it() -> None:
    walk, kind = thief(), Choice("kind", ["bold", "shy"])
    given = [walk.step(STREET), walk.step(STREET), walk.at().weigh([1.0, 1.0, 4.0])]
    methods = ["forward_filter", "enumeration", "particles", "metropolis"]
    compared = compare(Model(walk, kind), given, methods=methods, samples=4_000, isolate=False)
    assert compared.exact == "forward_filter"
    assert compared["enumeration"].tv == pytest.approx(0.0, abs=1e-12)
    assert 0.0 < (compared["particles"].tv or 0.0) < 0.05
    assert "one position of a walk" in compared["metropolis"].reason


def test_before_its_first_step_it_is_written_as_a_network(tmp_path: Path) -> None:
    walk, path = thief(), tmp_path / "thief.bif"
    to_bif(Model(walk), [walk.not_at("dock")], path)
    assert "table 0.25, 0.0, 0.75" in path.read_text("utf-8")
    with pytest.raises(UnsupportedError, match="steps cannot be written"):
        to_bif(Model(walk), [walk.step(STREET)], path)


def test_other_names_do_not_disturb_it() -> None:
    # Sites of a walk are numbered by its steps.
    walk, kind = Walk("0", ["0", "1"], start=["0"]), Choice("1", ["0", "1"])
    belief = infer(Model(kind, walk), [walk.step({"0": ["0", "1"]}), walk.seen_at("1")])
    assert belief.joint(kind.value(), walk.at(), walk.at(step=0)) == {
        ("0", "1", "0"): 0.5,
        ("1", "1", "0"): 0.5,
    }


def test_a_wrong_thing_is_refused_as_before() -> None:
    with pytest.raises(SleuthError, match="moves"):
        infer(Model(thief())).observe(42)  # pyright: ignore[reportArgumentType]
