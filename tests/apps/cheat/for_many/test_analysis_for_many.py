"""`sleuth analyse` and `sleuth compare` on records of Cheat for many."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from sleuth import Play
from sleuth.apps.cheat.for_many.findings import ManyCheatAnalysis, call_gain
from sleuth.apps.cheat.for_many.page import ManyCheatPage
from sleuth.apps.cheat.for_many.transcript import ManyCheatTranscript
from sleuth.apps.kit.analysis.following import follow
from sleuth.data.progress import silent
from sleuth.games.cheat import (
    ManyCheatBelief,
    ManyCheatRecord,
    cheat_for_many,
    simulate_many,
    write_many_records,
)

from ...commands.test_analyse import assert_refused
from ...conftest import Sleuth

OPTIONS = ("--predictor", "none", "--json")


@cache
def record() -> ManyCheatRecord:
    """The beginning of a game between four, with small hands."""
    (whole,) = simulate_many(4, seed=5, games=1, game=cheat_for_many(ranks=6))
    return ManyCheatRecord.from_json(replace(whole, turns=whole.turns[:9], winner=None).to_json())


@cache
def analysed(viewer: str | None = None) -> ManyCheatAnalysis:
    return follow(ManyCheatTranscript(record(), viewer), silent)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "games.jsonl"
    write_many_records([record(), replace(record(), number=2)], path)
    return path


def test_every_claim_of_others_is_judged_by_what_its_viewer_knew() -> None:
    found, played = analysed().findings, record()
    claims = [turn for turn in played.turns if turn.kind == "claim"]
    assert len(found.claims) == len(claims)
    belief = ManyCheatBelief()
    for claim, turn in zip(found.claims, claims, strict=True):
        assert (claim.rank, claim.count, claim.true) == (turn.rank, turn.count, turn.true)
        assert claim.own == (turn.by == 0)
        assert (claim.probability is None) == claim.own
        if claim.own:
            continue
        play = played.play_at(claim.turn)
        true = belief.declared(play.view(0)).claims[-1]
        declared = belief.declared(play.view(0))
        chance = belief.infer(play.view(0), play.seen_by(0)).probability(declared.is_true(true))
        assert claim.probability == pytest.approx(chance, abs=1e-9)


def test_a_call_is_worth_it_below_one_in_as_many_as_play() -> None:
    assert call_gain(0.25, 8, 4) == pytest.approx(0.0)
    assert call_gain(0.0, 8, 4) == pytest.approx(8 / 3)
    assert call_gain(1.0, 8, 4) == -8
    found = analysed("spectator").findings
    assert found.worth_calling == ()  # who looks on is not asked
    for each in analysed().findings.worth_calling:
        assert each.asked
        assert each.caller is None


def test_altering_what_the_viewer_cannot_see_changes_no_number() -> None:
    played = record()
    hands = (played.hands[0], None, None, None)
    shown = {number for number, turn in enumerate(played.turns) if turn.kind == "call"}
    turns = [
        replace(turn, cards=None)
        if turn.kind == "claim" and turn.by != 0 and number + 1 not in shown
        else turn
        for number, turn in enumerate(played.turns)
    ]
    mine = ManyCheatRecord.from_json(replace(played, hands=hands, turns=tuple(turns)).to_json())
    if not mine.knows(0):
        pytest.skip("the first player takes a pile in this game")
    other = follow(ManyCheatTranscript(mine, mine.players[0]), silent)
    one = [each.probability for each in analysed().findings.claims]
    assert [each.probability for each in other.findings.claims] == one
    assert other.record_sha256 == analysed().record_sha256


def test_json_has_the_promised_keys(sleuth: Sleuth, file: Path) -> None:
    ran = sleuth("analyse", file, *OPTIONS)
    assert (ran.code, ran.err) == (0, "")
    found = ran.json()
    assert {"players", "claims", "worth_calling", "called_against_odds", "hands", "scores"} < set(
        found
    )
    assert set(found["claims"][0]) == {
        *("turn", "by", "rank", "count", "own", "counting", "predicted", "probability", "pile"),
        *("last", "asked", "caller", "true", "certain", "call_gain"),
    }
    assert [each["of"] for each in found["hands"]] == list(record().players[1:])
    for hand in found["hands"]:
        assert sum(hand["expected"].values()) == pytest.approx(hand["size"])
    second = sleuth("analyse", file, *OPTIONS, "--game", 2, "--observer", "spectator").json()
    assert (second["number"], second["viewer"]) == (2, "spectator")
    assert len(sleuth("analyse", file, *OPTIONS, "--observer", "all").json()["viewers"]) == 5


def test_the_shipped_predictor_is_asked_by_default(sleuth: Sleuth, file: Path) -> None:
    found = sleuth("analyse", file, "--json").json()
    assert found["predictor"]["game"] == "cheat_for_many"
    assert all((each["predicted"] is None) == each["own"] for each in found["claims"])


def test_a_report_is_written(sleuth: Sleuth, file: Path, tmp_path: Path) -> None:
    ran = sleuth("analyse", file, "--predictor", "none", "--html", tmp_path / "game.html")
    assert ran.code == 0
    assert "Every claim, by what" in ran.out
    page = (tmp_path / "game.html").read_text()
    assert "Claim by claim" in page
    assert "<script" not in page
    others = sum(not claim.own for claim in analysed().findings.claims)
    assert ManyCheatPage().html([analysed()]).count('class="lie"') > 0
    assert page.count("<title>turn") == 2 * others


def test_methods_are_compared_after_a_turn(sleuth: Sleuth, file: Path) -> None:
    options = ("--event", 2, "--methods", "type_counting,card_by_card", "--json")
    found = sleuth("compare", file, *options).json()
    assert found["exact"] == "type_counting"
    assert [*found["methods"]] == ["type_counting", "card_by_card"]


def test_methods_are_compared_where_few_cards_are_followed(sleuth: Sleuth, tmp_path: Path) -> None:
    """The exact answer then forgets where cards were that have been laid down."""
    turns = [
        {"by": "ann", "type": "claim", "rank": "ace", "count": 1, "cards": ["ace"]},
        {"by": "bob", "type": "claim", "rank": "2", "count": 2},
        {"by": "cid", "type": "call", "caught": True},
        {"by": "cid", "type": "claim", "rank": "3", "count": 1},
    ]
    record = {
        "game": "cheat_for_many",
        "players": ["ann", "bob", "cid"],
        "hands": {"ann": ["ace", "2", "2"]},
        "settings": {"ranks": 3, "suits": 3},
        "turns": turns,
    }
    (file := tmp_path / "few.jsonl").write_text(json.dumps(record) + "\n")
    options = ("--event", 4, "--observer", "ann", "--methods", "type_counting", "--json")
    found = sleuth("compare", file, *options).json()
    assert found["exact"] == "deal_filter"
    assert found["methods"]["type_counting"]["max_marginal_error"] < 1e-9


@pytest.mark.parametrize(
    "options, words",
    [
        (("--game", "3"), "it has 2"),
        (("--observer", "nobody"), "does not say what this viewer saw"),
        (("--method", "rejection"), "exact counting"),
        (("--predictor", "missing"), "missing"),
        (("--columns", "player=who"), "only a table"),
    ],
)
def test_what_cannot_be_is_refused(
    sleuth: Sleuth, file: Path, options: tuple[str, str], words: str
) -> None:
    assert_refused(sleuth("analyse", file, *options), words)


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_a_table_as_any_sheet_writes_it_is_analysed(
    sleuth: Sleuth, tmp_path: Path, separator: str
) -> None:
    rows = "player;rank;count;caller;shown\nann;aces;2;bob;A K\nbob;2;1;;\ncid;3s;1;;\n"
    (tmp_path / "evening.csv").write_text(rows.replace(";", separator))
    said = sleuth("analyse", tmp_path / "evening.csv", *OPTIONS).json()
    assert said["game"] == "cheat_for_many"
    assert len(said["claims"]) == 3


def test_a_play_that_was_kept_is_analysed_as_any_record(
    sleuth: Sleuth, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    play = Play.new(cheat_for_many(players=3, ranks=3), seed=2)
    for _ in range(4):
        play.apply(int(play.legal()[0]))
    Path("play.json").write_text(json.dumps(play.record().to_json()), "utf-8")
    ran = sleuth("analyse", "play.json", "--observer", "spectator", "--predictor", "none")
    assert ran.code == 0, ran.err
    assert "by what a spectator could know" in ran.out.replace("\n", " ")
    kept = sleuth("analyse", "play.json", *OPTIONS)
    ManyCheatRecord.from_play(play).dump("record.json")
    written = sleuth("analyse", "record.json", *OPTIONS)
    assert json.loads(kept.out)["claims"] == json.loads(written.out)["claims"]
