"""Records through the face: opened, analysed, compared, and refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import sleuth
from sleuth import SleuthError

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "data" / "clue" / "games" / "plum_game2.json"


def timeless(value: Any) -> Any:
    """A value of JSON without how long anything took."""
    if isinstance(value, dict):
        kept = value.items()
        return {key: timeless(each) for key, each in kept if not key.endswith(("_ms", "seconds"))}
    return [timeless(each) for each in value] if isinstance(value, list) else value


def test_a_record_is_analysed_as_by_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    from sleuth.kit import main

    analysis = sleuth.analyse(RECORD)
    assert not main(["analyse", str(RECORD), "--json"])
    said = json.loads(capsys.readouterr().out)
    assert timeless(json.loads(json.dumps(analysis.to_json()))) == timeless(said)


def test_an_analysis_shows_itself(tmp_path: Path) -> None:
    analysis = sleuth.load(RECORD).analyse()
    assert "mustard" in str(analysis)
    page = analysis.html()
    assert page.lower().startswith("<!doctype html>")
    framed = analysis._repr_html_()
    assert framed.startswith("<iframe")
    assert "<script" not in framed  # what stands in the frame is escaped
    assert analysis.save(tmp_path / "report.html").read_text("utf-8") == page


def test_a_frame_has_a_distribution_for_every_card_after_every_event() -> None:
    frame = sleuth.load(RECORD).analyse().to_frame()
    assert list(frame.columns) == ["event", "viewer", "variable", "value", "probability"]
    totals = frame.groupby(["event", "variable"])["probability"].sum()
    assert len(totals) > 100
    assert totals.between(1 - 1e-9, 1 + 1e-9).all()


def test_what_is_wrong_with_a_record_or_an_option_is_said(tmp_path: Path) -> None:
    with pytest.raises(SleuthError, match="such"):
        sleuth.load(tmp_path / "missing.json")
    (tmp_path / "broken.json").write_text("{")
    with pytest.raises(SleuthError, match=r"broken\.json"):
        sleuth.load(tmp_path / "broken.json")
    with pytest.raises(SleuthError, match="did you mean"):
        sleuth.analyse(RECORD, observr="Plum")
    with pytest.raises(SleuthError, match="there is no such event"):
        sleuth.load(RECORD).compare(["card_by_card"], event=900)
    with pytest.raises(SleuthError, match="unknown method"):
        sleuth.load(RECORD).compare(["card_by_crad"])
    with pytest.raises(SleuthError, match="not for this game"):
        sleuth.analyse(RECORD, agent="mcts")
    with pytest.raises(SleuthError, match="no such example"):
        sleuth.example("neller_man_2")


def test_a_record_of_a_play_is_analysed_from_its_json() -> None:
    kuhn = sleuth.game("kuhn_poker")
    play = sleuth.Play.new(kuhn, seed=3)
    while not play.over:
        play.apply(int(play.view(play.player).legal()[0]))
    analysis = sleuth.analyse(play.record().to_json(), agent="none")
    same = sleuth.analyse(play.record(), agent="none")
    assert timeless(same.to_json()) == timeless(analysis.to_json())
    assert set(analysis.to_frame()["variable"]) >= {"other_card"} or len(analysis.to_frame())


def test_agents_and_predictors_by_name(tmp_path: Path) -> None:
    with pytest.raises(SleuthError, match="did you mean"):
        sleuth.agent("mtcs", "kuhn_poker")
    with pytest.raises(SleuthError, match="either records"):
        sleuth.train("cheat")
    with pytest.raises(SleuthError, match="nothing says what can be learned"):
        sleuth.train("kuhn_poker", simulate=2)
    with pytest.raises(SleuthError):
        sleuth.predictor(tmp_path / "none.npz")


def test_what_was_trained_is_read_again(tmp_path: Path) -> None:
    training = sleuth.train(
        "cheat", simulate=4, models=["logistic"], seed=5, folds=2, out=tmp_path / "people"
    )
    again = sleuth.train(training.rows, models=["logistic"], seed=5, folds=2)
    assert again.to_json() == training.to_json()
    with pytest.raises(SleuthError, match="rows are all"):
        sleuth.train(training.rows, simulate=4)
    read = sleuth.predictor(tmp_path / "people")
    assert training.predictor is not None
    assert read.features == training.predictor.features


def test_an_option_of_a_games_matches_is_none_of_its_analyses() -> None:
    record = sleuth.example("scotland_yard")
    with pytest.raises(SleuthError, match="for matches of scotland_yard"):
        record.analyse(hider="random")


def test_an_option_of_something_else_says_of_what() -> None:
    record = sleuth.load(RECORD)
    with pytest.raises(SleuthError, match=r"no such option \(got 'event'\); 'compare' has it"):
        record.analyse(event=3)
    with pytest.raises(SleuthError, match=r"no such option \(got 'agent'\); 'analyse' has it"):
        record.compare(agent="mcts")
    with pytest.raises(SleuthError, match=r"not for this game .*saboteur, scotland_yard"):
        record.analyse(likelihood="exact")
    with pytest.raises(SleuthError, match="known: ") as refused:
        record.analyse(viewer="plum_agent")
    known = str(refused.value).partition("known: ")[2].split(", ")
    assert {"observer", "method", "choice"} <= set(known)
    assert not {"event", "agent", "likelihood", "hider"} & set(known)


def test_the_ending_says_in_which_form_an_analysis_is_written(tmp_path: Path) -> None:
    import pandas as pd

    analysis = sleuth.load(RECORD).analyse()
    told = json.loads(analysis.save(tmp_path / "out.json").read_text("utf-8"))
    assert told == json.loads(json.dumps(analysis.to_json()))
    table = pd.read_csv(analysis.save(tmp_path / "out.csv"))
    pd.testing.assert_frame_equal(table, analysis.to_frame())
    assert analysis.save(tmp_path / "out.HTM").read_text("utf-8") == analysis.html()
    for name in ("out.pdf", "out"):
        with pytest.raises(SleuthError, match=r"\.html.*\.json.*\.csv"):
            analysis.save(tmp_path / name)
        assert not (tmp_path / name).exists()


def test_a_record_says_which_game_it_is_of() -> None:
    record = sleuth.load(RECORD)
    assert record.game == "clue"
    assert str(record) == "GameRecord('plum_game2.json', game='clue')"
    assert "game='cheat', games=" in str(sleuth.example("cheat"))
    assert "game=None" in str(sleuth.GameRecord("", {"a": 1}))


def test_a_name_of_an_example_that_is_no_file_says_so() -> None:
    for load in (sleuth.load, sleuth.games.clue.load):
        for name in ("neller_main", "neller_main.json"):
            with pytest.raises(SleuthError, match=r"sleuth\.example\('neller_main'\)"):
                load(name)


@pytest.mark.parametrize("written", ['{"a": 1}', '{"game": 3}', "[1]", "null"])
def test_what_names_no_game_is_refused_when_it_is_opened(tmp_path: Path, written: str) -> None:
    (tmp_path / "other.json").write_text(written)
    words = "names the game, such as 'clue'" if '"a"' in written else r"other\.json"
    with pytest.raises(sleuth.errors.RecordError, match=words):
        sleuth.load(tmp_path / "other.json")


def test_blanks_in_the_name_of_a_game_are_as_good_as_lines() -> None:
    assert sleuth.game("kuhn poker").name == sleuth.game("kuhn-poker").name == "kuhn_poker"


def test_games_with_a_notation_of_their_own_are_analysed_for_one_viewer() -> None:
    """As the page of analyses says, which names them."""
    from sleuth.kit import GAMES

    page = (ROOT / "docs" / "analysing.md").read_text("utf-8")
    for game in ("cheat", "clue", "scotland_yard"):
        assert GAMES[game].records is not None
        assert game.replace("_", " ").title() in page
        options = {"game": 1} if game == "cheat" else {}
        with pytest.raises(SleuthError, match="'all'"):
            sleuth.example(game).analyse(observer="all", **options)
    told = sleuth.example("clue").analyse().to_json()
    assert not {"settings", "roles", "over"} & set(told)


def test_the_games_that_come_with_records_are_examples() -> None:
    from sleuth.kit import GAMES

    for game in ("cheat", "clue", "scotland_yard"):
        assert game in GAMES
        assert sleuth.example(game).value == sleuth.example(game.replace("_", "-")).value
    assert len(sleuth.example("cheat").analyse(game=2).to_frame()) > 10
