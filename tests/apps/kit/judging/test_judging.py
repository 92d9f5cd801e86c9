"""Stated beliefs about records: asked without a leak, read with their errors, judged, shown."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

import pytest

import sleuth
from sleuth.answers import schema
from sleuth.apps.kit import truth
from sleuth.apps.kit.analysis.analyst import PlayTranscript
from sleuth.apps.kit.judging.judgement import Judgement
from sleuth.apps.kit.judging.questionnaire import questions_of
from sleuth.apps.kit.judging.stated_files import read_stated
from sleuth.beliefs.judging.stated import Estimate, Interval, StatedScores
from sleuth.errors import RecordError, SettingsError
from sleuth.kit import Analyst, PlayRecord, Questionnaire, display, questionnaire

from ...conftest import Sleuth

ABOUT = "card of second"


def kuhn(*actions: int, seed: int = 1) -> sleuth.Play:
    play = sleuth.Play.new("kuhn_poker", seed=seed)
    for action in actions:
        play.apply(action)
    return play


RECORD = kuhn(0, 1).record()


def answer(event: int = 0, about: str = ABOUT, **shares: float) -> dict[str, object]:
    return {"event": event, "about": about, "probabilities": shares}


def judged(*answers: Mapping[str, object], **options: Any) -> Judgement:
    return sleuth.judge(RECORD, {"answers": list(answers)}, **options).judgement


# Questions


def played(name: str, seed: int, moves: int, **settings: Any) -> sleuth.Play:
    """A game in which everybody does what is listed first or last, by turns."""
    play = sleuth.Play.new(sleuth.game(name, **settings), seed=seed)
    while not play.over and len(play.actions) < moves:
        play.apply(int(play.legal()[-(len(play.actions) % 2)]))
    return play


GAMES = [
    ("kuhn_poker", {}),
    ("leduc_poker", {}),
    ("goofspiel", {}),
    ("saboteur", {"players": 4}),
    ("love_letter", {}),
]


@pytest.mark.parametrize("name, options", GAMES, ids=[name for name, _ in GAMES])
def test_a_prompt_holds_what_was_seen_by_then_and_nothing_else(
    name: str, options: dict[str, Any]
) -> None:
    play = played(name, seed=3, moves=6, **options)
    asked = questionnaire(play.record(), moments=10_000)
    # Later events: the record that ends there gives the same bytes.
    for moves in range(len(play.actions)):
        short = played(name, seed=3, moves=moves, **options)
        event = len(short.seen_by(0).events)
        if event in asked.events:
            at_the_end = questionnaire(short.record(), moments=10_000)
            assert at_the_end.prompt(event) == asked.prompt(event)


def test_what_the_viewer_cannot_see_changes_nothing_that_they_are_asked() -> None:
    first: dict[tuple[int, tuple[int, ...]], Questionnaire] = {}
    pairs = 0
    for seed in range(12):
        play = kuhn(0, 1, seed=seed)
        asked = questionnaire(play.record())
        own = int(play.view(0).states[0].cards[0])
        before = first.setdefault((own, tuple(play.actions)), asked)
        if before is not asked:
            pairs += 1
            assert before.to_json() == asked.to_json()
            assert before.prompts() == asked.prompts()
    assert pairs > 3


@pytest.mark.parametrize("name, entries", [("ledford_06", "events"), ("agents_escape", "moves")])
def test_nothing_of_what_comes_later_in_a_written_record_is_told(name: str, entries: str) -> None:
    record = sleuth.example(name)
    whole = questionnaire(record, moments=10_000)
    value = cast("dict[str, Any]", record.value)
    short = questionnaire({**value, entries: value[entries][:3]}, moments=10_000)
    assert [short.prompt(event) for event in short.events] == [
        whole.prompt(event) for event in short.events
    ]


def test_other_roles_and_hands_of_others_change_nothing_that_somebody_is_asked() -> None:
    made = sleuth.game("saboteur", players=4)
    play = sleuth.Play.new(made, seed=3)
    for _ in range(5):
        play.apply(int(play.legal()[-1]))
    record = play.record()
    roles = list(record.start["roles"])
    roles[1], roles[4] = roles[4], roles[1]  # the fifth card was left over
    others = replace(record, start={**record.start, "roles": roles})
    assert others != record
    analyst = Analyst(made, sleuth.belief(made), display(made), agent="none")
    one, other = (questions_of(PlayTranscript(analyst, each, 0)) for each in (record, others))
    assert (one.prompts(), one.to_json()) == (other.prompts(), other.to_json())


def test_a_lie_in_cheat_changes_nothing_that_the_other_is_asked(tmp_path: Path) -> None:
    text = files("sleuth.data").joinpath("cheat/example.jsonl").read_text("utf-8").splitlines()[0]
    value = json.loads(text)
    value["turns"] = value["turns"][:3]
    value.pop("winner", None)
    prompts: list[str] = []
    for number, cards in enumerate((["2"], ["ace"])):
        value["turns"][0]["cards"] = cards
        (tmp_path / f"{number}.jsonl").write_text(json.dumps(value) + "\n", "utf-8")
        asked = questionnaire(tmp_path / f"{number}.jsonl", observer="p1")
        prompts.append(asked.prompts() + json.dumps(asked.to_json()))
    assert prompts[0] == prompts[1]


@pytest.mark.parametrize("name", ["ledford_06", "agents_caught_early", "cheat"])
def test_records_that_people_wrote_are_asked_about_and_judged(name: str) -> None:
    record = sleuth.example(name)
    options: dict[str, Any] = {"observer": "p1"} if name == "cheat" else {}
    asked = questionnaire(record, moments=3, **options)
    template = asked.to_json()
    some = [
        {**each, "probabilities": dict.fromkeys(values.values, 1.0 / len(values.values))}
        for each, values in zip(template["answers"], asked.questions, strict=True)  # pyright: ignore
    ][:3]
    found = sleuth.judge(record, {**template, "answers": some}, **options).judgement
    assert len(found.answers) == len(some)
    assert (found.viewer, found.scores.true_brier.value) == (asked.viewer, None)
    assert asked.prompt(asked.events[-1])


def test_a_template_is_answered_by_writing_numbers_into_it(tmp_path: Path) -> None:
    asked = questionnaire(RECORD)
    template = json.loads(json.dumps(asked.to_json()))
    assert [each["event"] for each in template["answers"]] == [0, 1, 2]
    assert set(template["answers"][0]["probabilities"].values()) == {None}
    template["answers"][1]["probabilities"].update(queen=0.5, king=0.5)
    found = sleuth.judge(RECORD, template).judgement
    assert (len(found.answers), found.unanswered) == (1, 2)
    table = asked.to_csv().replace("1,card of second,king,", "1,card of second,king,1")
    (tmp_path / "answers.csv").write_text(table, "utf-8")
    (one,) = sleuth.judge(RECORD, tmp_path / "answers.csv").judgement.answers
    assert {each.value: each.stated for each in one.shares}["king"] == 1.0


# Judged


def test_the_exact_answer_is_not_off() -> None:
    found = judged(answer(0, queen=0.5, king=0.5), answer(1, queen=0.5, king=0.5))
    assert found.scores.kl_bits.value == pytest.approx(0.0, abs=1e-12)
    assert found.answers[0].entropy_bits == pytest.approx(1.0)
    assert (found.impossible, found.certain) == ((), ())


def test_scores_by_the_truth_are_those_of_the_true_card() -> None:
    (one,) = judged(answer(0, queen=0.75, king=0.25)).answers
    assert one.truth == "king"
    assert one.true_log_bits == pytest.approx(2.0)
    assert one.true_brier == pytest.approx(2 * 0.75**2)


def test_something_impossible_is_told_with_its_proof() -> None:
    (slip,) = judged(answer(0, queen=0.5, jack=0.5), answer(1, queen=0.5, jack=0.5)).impossible
    assert (slip.event, slip.value, slip.stated, slip.moments) == (0, "jack", 0.5, 2)
    assert slip.proven


def test_clue_has_events_as_proof() -> None:
    record = sleuth.example("neller_main")
    about = "case file, part 1 of 3"
    flat = {"scarlet": 0.5, "plum": 0.25, "green": 0.25}
    found = sleuth.judge(record, {"answers": [answer(15, about, **flat)]}).judgement
    plum = next(each for each in found.impossible if each.value == "plum")
    assert plum.events == (7,)
    assert "mustard shows plum" in plum.because[0]


def test_a_later_certainty_that_is_missed_is_told() -> None:
    record = sleuth.example("neller_main")
    about = "case file, part 1 of 3"
    found = sleuth.judge(record, {"answers": [answer(27, about, peacock=0.5, plum=0.5)]}).judgement
    assert [(each.value, each.events) for each in found.certain] == [("peacock", (18, 21))]


@pytest.fixture(scope="module")
def example() -> Any:
    import importlib.util

    path = Path(__file__).parents[4] / "examples" / "stated_beliefs.py"
    spec = importlib.util.spec_from_file_location("stated_beliefs", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def row(name: str, scores: StatedScores) -> str:
    """A row of the page's table."""
    kl, *others = map(
        _number, (scores.kl_bits, scores.growth, scores.slope, scores.lagged, scores.recency)
    )
    thirds = f"{scores.early_kl_bits:.3f}, {scores.late_kl_bits:.3f}"
    return f"| {' | '.join((name, kl, thirds, *others))} |"


def _number(of: Estimate) -> str:
    assert of.value is not None
    assert of.interval is not None
    value, low, high = (0.0 + round(each, 3) for each in (of.value, *of.interval))
    return f"{value:.3f} ({low:.3f} to {high:.3f})"


def within(of: Estimate) -> Interval:
    assert of.interval is not None
    return of.interval


def test_three_made_up_judges_are_told_apart_on_a_recorded_game(
    example: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(truth, "DRAWN", 50)  # the page's table says nothing of the truth
    record = example.recorded_game()
    found = {
        name: sleuth.judge(record, example.stated(record, "player 1", weight)).judgement.scores
        for name, weight in example.JUDGES.items()
    }
    exact, forgetful, late = found.values()
    assert exact.kl_bits.value == pytest.approx(0.0, abs=1e-6)
    assert exact.slope.value == pytest.approx(1.0, abs=1e-6)
    assert exact.recency.value == pytest.approx(0.0, abs=1e-6)
    assert within(forgetful.growth)[0] > 0.002
    assert forgetful.late_kl_bits > 10 * forgetful.early_kl_bits
    assert within(forgetful.slope)[0] < 1.0 < within(forgetful.slope)[1]
    assert within(late.growth)[0] < 0.0 < within(late.growth)[1]
    assert within(late.recency)[0] > 0.9
    assert within(late.slope)[0] > 1.9
    page = (Path(__file__).parents[4] / "docs" / "judging.md").read_text("utf-8")
    for name, scores in found.items():
        assert row(name, scores) in page


# Refused


@pytest.mark.parametrize(
    "wrong, words",
    [
        (answer(0, queen=0.5, king=0.4), "do not add up to 1"),
        (answer(0, queen=-0.5, king=1.5), "a probability is a number from 0"),
        (answer(0, quean=1.0), "no such value"),
        (answer(9, queen=1.0), "no such event"),
        (answer(0, "card of third", queen=1.0), "nothing of this name is hidden"),
        ({"event": 0, "about": ABOUT}, "'probabilities' is missing"),
        ({"event": "1", "about": ABOUT, "probabilities": {}}, "the number of an event is needed"),
        (answer(0, king=True), "a probability is needed"),
    ],
    ids=lambda each: each if isinstance(each, str) else "",
)
def test_answers_that_cannot_be_judged_are_refused(wrong: dict[str, Any], words: str) -> None:
    if wrong.get("about") == ABOUT and "do not add" in words:
        wrong["probabilities"]["jack"] = 0.0
    with pytest.raises(RecordError, match=words) as refused:
        judged(wrong)
    assert "answer 1" in str(refused.value)


def test_probabilities_that_do_not_add_up_are_normalised_and_counted_if_one_says_so() -> None:
    wrong = answer(0, queen=30, king=60, jack=10)
    found = judged(wrong, normalise=True)
    assert found.normalised == 1
    assert {each.value: each.stated for each in found.answers[0].shares}["king"] == 0.6


def test_answers_about_another_record_or_viewer_are_refused() -> None:
    given = {"answers": [answer(0, queen=1.0)]}
    with pytest.raises(RecordError, match="another record"):
        sleuth.judge(RECORD, {**given, "record_sha256": "0" * 64})
    with pytest.raises(RecordError, match="another viewer"):
        sleuth.judge(RECORD, {**given, "viewer": "second"}, observer="first")
    with pytest.raises(RecordError, match="stated twice"):
        judged(answer(0, queen=1.0), answer(0, queen=1.0))
    with pytest.raises(SettingsError, match="nothing that can be asked about"):
        questionnaire(sleuth.Play.new("tic_tac_toe", seed=1).record())


def test_a_record_of_both_players_is_asked_about_from_the_eyes_of_one() -> None:
    """A template of both was written, and no answers to it could be judged."""
    cheat = sleuth.example("cheat")
    with pytest.raises(SettingsError, match=r"several.*name one of them: p2, p1"):
        questionnaire(cheat)
    asked = questionnaire(cheat, observer="p1").to_json()
    asked["answers"] = [
        {"event": 73, "about": "cards of rank ace that p2 holds", "probabilities": {"1": 1.0}}
    ]
    found = sleuth.judge(cheat, asked).judgement
    assert found.viewer == "p1"
    (slip,) = found.impossible
    assert slip.because == ("turn 73: p2 claims 4 × ace",), "players have their names"
    with pytest.raises(SettingsError, match="asked is after 0 to 100"):
        questionnaire(cheat, observer="p1", moments=1_000).at(500)


def test_errors_name_the_line(tmp_path: Path) -> None:
    file = tmp_path / "said.json"
    file.write_text(json.dumps({"answers": [answer(0, king=1), answer(-1, king=1)]}, indent=1))
    line = file.read_text().splitlines().index('   "event": -1,') + 1
    with pytest.raises(RecordError, match=f"line {line}, answer 2"):
        read_stated(file)
    table = tmp_path / "said.csv"
    table.write_text("event,about,value,probability\n0,card,king,1\n0,card,queen,much\n")
    with pytest.raises(RecordError, match=r"said.csv: line 3: a probability is needed"):
        read_stated(table)


# Shown


def test_the_command_asks_and_judges(sleuth: Sleuth, tmp_path: Path) -> None:
    record, template = tmp_path / "bet.json", tmp_path / "asked.json"
    PlayRecord.save(RECORD, record)
    assert sleuth("judge", record, "--template", template, "--as", "first").code == 0
    prompt = sleuth("judge", record, "--event", "1", "--as", "first").out
    assert "card of second: jack, queen, king" in prompt
    value = json.loads(template.read_text("utf-8"))
    for each in value["answers"]:
        each["probabilities"] = {"queen": 0.9, "king": 0.1}
    template.write_text(json.dumps(value), "utf-8")
    page = tmp_path / "page.html"
    ran = sleuth("judge", record, template, "--html", page)
    assert ran.code == 0
    assert "What first stated, beside what could be known." in ran.out
    assert "<h2>The scores</h2>" in page.read_text("utf-8")
    found = sleuth("judge", record, template, "--json").json()
    assert found["answers"][0]["truth"] == "king"
    assert sorted(found) == sorted(schema("judgement")["properties"])
    both = sleuth("judge", record, template, "--event", "1")
    assert both.code == 2
    assert "either answers are judged, or questions are asked" in both.err


def test_a_judgement_has_the_form_of_its_schema() -> None:
    from pydantic import TypeAdapter

    found = judged(answer(0, queen=0.9, king=0.1))
    assert TypeAdapter(Judgement).validate_python(asdict(found)) == found
