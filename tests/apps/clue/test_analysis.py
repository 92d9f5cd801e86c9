"""What an analysis says about small games that can be reasoned out by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from sleuth import Posterior, infer
from sleuth.apps.clue.findings import ClueAnalysis
from sleuth.errors import ContradictionError, SettingsError
from sleuth.games.clue import CARDS, ClueDeclaration, ClueRecord, LearnedBelief, load

from ..games import full, shipped, small
from .analyses import analyse


def analysed(
    record: dict[str, object], viewer: str | None = None, **options: object
) -> ClueAnalysis:
    return analyse(ClueRecord.from_json(record).seen_by(viewer), **options)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def ann() -> ClueAnalysis:
    return analysed(small(), advice=3)


def test_before_the_first_event_every_unseen_triple_is_equally_likely(ann: ClueAnalysis) -> None:
    assert ann.timeline[0].entropy_bits == pytest.approx(math.log2(5 * 5 * 5))
    assert ann.timeline[0].log_evidence == 0.0


def test_a_card_that_was_shown_is_certain_because_of_that_event(ann: ClueAnalysis) -> None:
    proven = {each.name: each for each in ann.proven}
    assert (proven["rope"].value, proven["rope"].events) == ("cleo", (1,))


def test_own_cards_are_certain_because_of_nothing(ann: ClueAnalysis) -> None:
    from_the_start = {each.name for each in ann.proven if each.events == ()}
    assert from_the_start == set(ann.findings.seen.own_hand)


def test_a_card_nobody_could_show_and_one_does_not_hold_is_in_the_case_file(
    ann: ClueAnalysis,
) -> None:
    proven = {each.name: (each.value, each.events) for each in ann.proven}
    assert proven["mustard"] == ("case file", (5,))
    assert proven["lounge"] == ("case file", (5,))


def test_a_game_says_by_how_few_events_a_card_is_certain_and_since_when() -> None:
    seen = load(shipped("neller_main.json")).seen_by("scarlet")
    found, declared = analyse(seen, advice=0), ClueDeclaration(seen)
    proven = {each.name: each for each in found.proven}
    few = {"green": (22,), "lead pipe": (16, 21), "peacock": (18, 21), "rope": (8, 18)}
    assert {card: proven[card].events for card in few} == few
    assert proven["green"].sooner == " (certain since event 9)"
    assert proven["mustard"].since == 17 < max(proven["mustard"].events)
    for card, each in proven.items():
        evidence = [
            fact
            for event in seen.events
            if event.number in each.events
            for fact in declared.evidence(event)
        ]
        alone = infer(declared.model, evidence)
        assert alone.probability(declared.cards.holder_of(card).equals(each.value)) == 1.0
        held = [moment.detail.marginals[card].get(each.value, 0.0) for moment in found.timeline]
        assert (each.since or 0) == next(n for n, share in enumerate(held) if share > 1.0 - 1e-9)


def test_who_passed_cannot_have_the_card(ann: ClueAnalysis) -> None:
    after_first = ann.timeline[1].detail.marginals
    assert "ben" not in after_first["mustard"]
    assert "ben" not in after_first["lounge"]


def test_a_wrong_accusation_rules_its_triple_out(ann: ClueAnalysis) -> None:
    assert "revolver" not in {triple[1] for triple, _ in ann.findings.case_file}
    assert (
        ann.timeline[5].detail.case_file["revolver"]
        > 0.0
        == ann.timeline[6].detail.case_file["revolver"]
    )


def test_moves_change_nothing_but_the_count_of_events(ann: ClueAnalysis) -> None:
    before, after = ann.timeline[2], ann.timeline[3]
    assert (after.entropy_bits, after.detail.marginals) == (
        before.entropy_bits,
        before.detail.marginals,
    )
    assert after.text == "cleo moves to lounge"


def test_every_card_has_exactly_one_holder_at_every_moment(ann: ClueAnalysis) -> None:
    for moment in ann.timeline:
        assert list(moment.detail.marginals) == list(CARDS)
        for shares in moment.detail.marginals.values():
            assert math.fsum(shares.values()) == pytest.approx(1.0, abs=1e-12)
            assert set(shares) <= set(ann.findings.holders)


def test_the_case_file_is_listed_whole_and_descending(ann: ClueAnalysis) -> None:
    shares = [probability for _, probability in ann.findings.case_file]
    assert math.fsum(shares) == pytest.approx(1.0, abs=1e-12)
    assert shares == sorted(shares, reverse=True)
    assert min(shares) > 0.0


def test_own_turns_and_only_those_are_judged(ann: ClueAnalysis) -> None:
    turns = {m.event: m.detail.suggestion for m in ann.timeline if m.detail.suggestion}
    assert list(turns) == [1, 5]
    for turn in turns.values():
        worth = [each.worth for each in turn.best]
        assert len(worth) == 3
        assert worth == pytest.approx(sorted(worth, reverse=True), abs=1e-9)
        assert turn.made.worth <= worth[0] + 1e-9


def test_the_gain_of_a_suggestion_made_is_what_it_told_on_average() -> None:
    # By the rule of total probability: over all answers, weighted by how likely they are.
    game = ClueRecord.from_json(small()).seen_by()
    start = game.until(0)
    belief = ClueDeclaration(start)
    posterior = belief.infer()
    question = belief.suggestion(("mustard", "rope", "lounge"))
    gain = posterior.information_gain(question, about=belief.case_file)
    after = 0.0
    for place, outcome in enumerate(question.outcomes):
        chance = float(posterior.distribution(question.feature) @ question.table[:, place])
        if chance > 0.0:
            known = posterior.observe(question.observed(outcome))
            after += chance * known.entropy(belief.case_file)
    assert gain == pytest.approx(posterior.entropy(belief.case_file) - after, abs=1e-9)


def test_all_324_suggestions_can_be_had_and_the_best_lead() -> None:
    everything = analysed(small(), suggestions=None).findings.suggestions
    best = analysed(small(), suggestions=4).findings.suggestions
    assert len(everything) == len({cards for cards, _ in everything}) == 324
    assert everything[:4] == best
    assert analysed(small(), suggestions=0).findings.suggestions == ()


def test_a_spectator_is_given_no_suggestions_and_knows_no_hand() -> None:
    seen = analysed(full(), "spectator", advice=3)
    assert seen.findings.suggestions == ()
    assert not seen.findings.seen.is_player
    assert all(moment.detail.suggestion is None for moment in seen.timeline)
    assert [each for each in seen.proven if not each.events] == []


def test_what_a_viewer_cannot_see_changes_nothing_for_them() -> None:
    told = full()
    told["events"][1]["shown"] = "wrench"
    silent = full()
    first, second = (analysed(record, "ann") for record in (told, silent))
    assert without_times(first) == without_times(second)
    assert first.record_sha256 == second.record_sha256
    assert without_times(analysed(told, "ben")) != without_times(analysed(silent, "ben"))


def test_who_listens_knows_at_each_moment_what_the_belief_that_listens_says() -> None:
    game = load(shipped("ledford_02.json")).seen_by("Player1").until(6)
    heard = LearnedBelief()
    found, plain = analyse(game, heard=heard, suggestions=1), analyse(game, suggestions=1)
    file = ClueDeclaration(game).case_file
    for moment in found.timeline:
        known = heard.posterior(game.until(moment.event))
        assert moment.entropy_bits == pytest.approx(known.entropy(file), abs=1e-12)
    assert (found.findings.choice, plain.findings.choice) == ("learned", "random")
    assert found.proven == plain.proven  # what is heard proves nothing
    assert abs(found.timeline[-1].entropy_bits - plain.timeline[-1].entropy_bits) > 0.01
    assert found.moved[0].by != plain.moved[0].by  # what is heard moves beliefs, by its event


def test_what_a_viewer_cannot_see_changes_nothing_that_is_heard() -> None:
    told = full()
    told["events"][1]["shown"] = "wrench"
    first, second = (
        without_times(analysed(record, "ann", heard=LearnedBelief())) for record in (told, full())
    )
    assert first == second != without_times(analysed(full(), "ann"))


def without_times(analysis: ClueAnalysis) -> dict[str, object]:
    made = analysis.to_json()
    timeline = made["timeline"]
    assert isinstance(timeline, list)
    for entry in timeline:
        del entry["seconds"]
    return made


def test_face_up_cards_are_certain_and_a_holder_of_their_own() -> None:
    seen = analyse(load(shipped("ledford_06.json")).seen_by("spectator"))
    assert seen.findings.holders[-1] == "face up"
    face_up = {each.name for each in seen.proven if each.value == "face up"}
    assert face_up == set(seen.findings.seen.face_up)
    assert all(each.events == () for each in seen.proven if each.value == "face up")


def test_a_record_that_cannot_have_happened_names_the_events() -> None:
    record = small()
    record["events"].append({"type": "has", "player": "ben", "card": "mustard"})
    with pytest.raises(ContradictionError) as caught:
        analysed(record)
    assert caught.value.evidence in ((1, 7), (5, 7))
    assert "7: ben has mustard" in str(caught.value)


def test_a_contradiction_with_the_viewers_own_cards_names_them() -> None:
    record = {
        "game": "clue", "players": ["scarlet", "mustard", "white"], "hand_sizes": [5, 5, 5],
        "observer": "scarlet", "own_hand": ["plum", "rope", "study", "hall", "lounge"],
        "face_up": ["green", "knife", "kitchen"],
        "events": [
            {"type": "has", "player": "white", "card": "peacock"},
            {"type": "has", "player": "mustard", "card": "study"},
        ],
    }  # fmt: skip
    with pytest.raises(ContradictionError) as caught:
        analysed(record)
    assert "event 2 cannot be true (2: mustard has study; scarlet holds study)" in str(caught.value)
    record["events"] = [{"type": "oneof", "player": "white", "cards": ["knife", "rope", "green"]}]
    with pytest.raises(ContradictionError) as caught:
        analysed(record)
    assert "; scarlet holds rope; green and knife lie face up)" in str(caught.value)


def test_an_approximate_method_proves_certainty_exactly_too() -> None:
    exact = analysed(small())
    drawn = analysed(small(), method="metropolis", samples=500, seed=1)
    assert (drawn.method, drawn.exact) == ("metropolis", False)
    assert drawn.proven == exact.proven
    assert drawn.to_json()["seed"] == 1


def test_the_method_that_answered_is_named() -> None:
    assert analysed(small(), method="card-by-card").method == "card_by_card"
    assert analysed(small()).method in ("card_by_card", "enumeration")


def test_exact_methods_agree_on_a_whole_analysis() -> None:
    one, other = (analysed(small(), method=each) for each in ("card_by_card", "enumeration"))
    for here, there in zip(one.timeline, other.timeline, strict=True):
        assert here.entropy_bits == pytest.approx(there.entropy_bits, abs=1e-9)
        assert here.log_evidence == pytest.approx(there.log_evidence, abs=1e-9)
    assert dict(one.findings.case_file) == pytest.approx(dict(other.findings.case_file), abs=1e-12)
    assert one.proven == other.proven
    gains = [bits for _, bits in one.findings.suggestions]
    assert gains == pytest.approx([bits for _, bits in other.findings.suggestions], abs=1e-9)


def test_impossible_options_are_refused() -> None:
    with pytest.raises(SettingsError):
        analysed(small(), suggestions=-1)
    with pytest.raises(SettingsError):
        analysed(small(), samples=0)


def test_progress_is_told_from_the_first_event_to_the_last() -> None:
    told: list[tuple[str, int, int]] = []
    analysed(small(), progress=lambda what, done, total: told.append((what, done, total)))
    steps = [done for what, done, _ in told if what == "following the game"]
    assert steps == list(range(1, 7))
    assert {total for _, _, total in told} == {6}


def test_an_approximation_tells_where_it_did_worst() -> None:
    drawn = analysed(small(), method="likelihood_weighting", samples=300, seed=1)
    worth = [moment.diagnostics.effective_samples or 0.0 for moment in drawn.timeline]
    assert worth[0] == pytest.approx(300.0)
    worst = worth.index(min(worth))
    assert any(
        note == f"the answers are worth at least {worth[worst]:,.0f} independent samples, "
        f"fewest after event {worst}"
        for note in drawn.notes
    )


def test_an_exact_answer_needs_no_notes(ann: ClueAnalysis) -> None:
    assert ann.notes == ()


def test_gains_that_differ_by_rounding_only_keep_the_order_of_the_cards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def equal(self: Posterior, questions: Any, *, about: Any) -> Any:
        return 1.0 + np.random.default_rng(0).random(len(questions)) * 1e-14

    game = ClueRecord.from_json(small()).seen_by()
    names = [question.name for question in ClueDeclaration(game).suggestions]
    monkeypatch.setattr(Posterior, "information_gain", equal)
    found = analyse(game, suggestions=5).findings.suggestions
    assert [", ".join(cards) for cards, _ in found] == names[:5]
