"""No file holds results of two agents, or of two games, of one name."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from sleuth import OwnAgent, game, play_match
from sleuth import game as game_by_name
from sleuth.agents import parse_agent
from sleuth.apps.commands.new_game import source
from sleuth.apps.kit.records import folder
from sleuth.apps.kit.records.contract import AnalysisRequest
from sleuth.apps.kit.records.journal import SUFFIX
from sleuth.data.files import resource
from sleuth.data.progress import silent
from sleuth.errors import SettingsError
from sleuth.matches import tune
from sleuth.models.games import entry
from sleuth.planners.agents.names import NamedAgent
from sleuth.planners.matches.contents import changed, contents_of
from sleuth.planners.matches.match_games import play_in_worker
from sleuth.planners.matches.match_teams import TeamAgents
from sleuth.planners.tuning.tournament import HEADER

pytestmark = pytest.mark.usefixtures("plain_python")


def trained(seed: int, name: str = "mine") -> str:
    """A predictor of Cheat in this folder, which differs from others by a seed."""
    shutil.copy(str(resource("cheat", "truth.npz")), f"{name}.npz")
    card = json.loads(resource("cheat", "truth.json").read_text("utf-8"))
    Path(f"{name}.json").write_text(json.dumps({**card, "seed": seed}), "utf-8")
    return name


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


AGENTS = ["random", "pmga:predictor=mine,simulations=2"]


def test_a_match_goes_on_with_the_agents_it_began_with() -> None:
    cheat = game("cheat", ranks=3, suits=2, hand=2)
    trained(1)
    for games in (1, 2):
        play_match(cheat, AGENTS, games=games, out="a.jsonl")
    before = Path("a.jsonl").read_bytes()
    trained(2)
    with pytest.raises(SettingsError, match="another match: what is in 'mine' differs"):
        play_match(cheat, AGENTS, games=3, out="a.jsonl")
    assert Path("a.jsonl").read_bytes() == before
    Path("mine.json").unlink()
    with pytest.raises(SettingsError, match="what is in 'mine' differs"):
        play_match(cheat, AGENTS, games=3, out="a.jsonl")
    trained(1)
    assert play_match(cheat, AGENTS, games=3, out="a.jsonl").resumed == 2


def test_a_file_that_does_not_say_what_the_agents_were_is_refused() -> None:
    cheat = game("cheat", ranks=3, suits=2, hand=2)
    trained(1)
    play_match(cheat, AGENTS, games=1, out="a.jsonl")
    head, *lines = Path("a.jsonl").read_text("utf-8").splitlines(keepends=True)
    old = json.loads(head)
    del old["contents"]
    Path("a.jsonl").write_text(json.dumps(old) + "\n" + "".join(lines), "utf-8")
    with pytest.raises(SettingsError, match="does not say what was in 'mine', as files of older"):
        play_match(cheat, AGENTS, games=2, out="a.jsonl")


def test_agents_without_files_are_said_as_before() -> None:
    """Files that version 0.1 wrote go on."""
    play_match("kuhn_poker", ["random", "random"], games=2, out="a.jsonl")
    assert "contents" not in json.loads(Path("a.jsonl").read_text("utf-8").splitlines()[0])


def test_a_worker_plays_with_the_files_that_the_match_began_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    trained(1)
    plans = []

    def kept(prepared, plan, numbers):  # type: ignore[no-untyped-def]
        plans.append(plan)
        return play_series(prepared, plan, numbers)

    from sleuth.planners.matches import match

    play_series = match.play_series
    monkeypatch.setattr(match, "play_series", kept)
    play_match(game("cheat", ranks=3, suits=2, hand=2), AGENTS, games=1)
    trained(2)
    with pytest.raises(SettingsError, match="changed while the match is played: what is in 'mine'"):
        play_in_worker(plans[0], range(1))


@pytest.fixture
def own() -> str:
    Path("mygame.py").write_text(source("my_game", "mygame.py"), "utf-8")
    return "mygame.py:GAME"


def test_a_match_goes_on_with_the_rules_it_began_with(own: str) -> None:
    play_match(own, ["random", "random"], games=2, out="a.jsonl")
    text = Path("mygame.py").read_text("utf-8")
    Path("mygame.py").write_text(text + "\n# Other rules.\n", "utf-8")
    with pytest.raises(SettingsError, match="another match: what is in 'game my_game' differs"):
        play_match(own, ["random", "random"], games=4, out="a.jsonl")
    Path("mygame.py").write_text(text, "utf-8")
    assert play_match(own, ["random", "random"], games=4, out="a.jsonl").resumed == 2


def test_a_game_is_opened_anew_when_its_file_has_changed(own: str) -> None:
    first = entry(own)
    assert entry(own).digest == first.digest
    assert game(own) is first.game()
    text = Path("mygame.py").read_text("utf-8")
    Path("mygame.py").write_text(f"{text}\nGAME = None\n", "utf-8")
    with pytest.raises(SettingsError, match="no such name"):
        game(own)
    Path("mygame.py").write_text(text, "utf-8")
    assert game(own) is not first.game()
    Path("mygame.py").unlink()
    with pytest.raises(SettingsError, match="no such file"):
        game(own)


def test_files_beside_a_game_count_and_libraries_do_not(
    own: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(".")
    text = Path("mygame.py").read_text("utf-8")
    Path("mygame.py").write_text("import rules_of_mine\n" + text, "utf-8")
    digests = set()
    for table in ("ONE = 1", "ONE = 2"):
        Path("rules_of_mine.py").write_text(table, "utf-8")
        digests.add(entry(own).digest)
        # As a new process would.
        Path("mygame.py").touch()
        monkeypatch.setattr("sleuth.models.games._modules._kept", {})
    assert len(digests) == 2


def test_a_tournament_goes_on_with_the_agents_it_began_with() -> None:
    cheat = game_by_name("cheat", ranks=3, suits=2, hand=2)
    trained(1)
    candidates = [parse_agent(AGENTS[1]), parse_agent("random")]

    def played() -> None:
        tune(cheat, candidates, games=2, out="tournament")

    played()
    trained(2)
    with pytest.raises(SettingsError, match="another tournament: what is in 'mine' differs"):
        played()
    head = json.loads((Path("tournament") / HEADER).read_text("utf-8"))
    del head["contents"]
    (Path("tournament") / HEADER).write_text(json.dumps(head, indent=2) + "\n", "utf-8")
    with pytest.raises(SettingsError, match="does not say what was in 'mine'"):
        played()


def test_a_table_of_records_goes_on_with_the_predictor_it_began_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def without_rows(
        suffix: str, asked: AnalysisRequest, name: str, content: bytes
    ) -> folder.RecordOutcome:
        return folder.RecordOutcome(name, "0" * 64, b"")

    monkeypatch.setattr(folder, "work", without_rows)
    Path("records").mkdir()
    record, *_ = resource("cheat", "example.jsonl").read_bytes().splitlines()
    (Path("records") / "a.json").write_bytes(record)

    def written(own: dict[str, str]) -> None:
        asked = AnalysisRequest(own=own)
        folder.analyse_folder(
            Path("records"), Path("t.csv"), asked, jobs=1, complain=pytest.fail, progress=silent
        )

    trained(1)
    written({"predictor": "mine"})
    trained(2)
    with pytest.raises(SettingsError, match="made with other files: what is in 'mine' differs"):
        written({"predictor": "mine"})
    with pytest.raises(SettingsError, match="made with other options"):
        written({"predictor": "none"})
    assert "contents" in json.loads(Path(f"t.csv{SUFFIX}").read_text("utf-8").splitlines()[0])


def test_of_everything_that_results_depend_on_the_files_are_known() -> None:
    trained(1)
    with_file = NamedAgent("pmga", (("predictor", "mine"), ("simulations", 3)))
    plain = NamedAgent("mcts", (("simulations", 3),))
    found = contents_of(with_file)
    assert list(found) == ["mine"]
    assert contents_of(TeamAgents((0, 1), (plain, with_file))) == found
    assert contents_of(plain, None, 3, OwnAgent("me", plain.prepare), game("cheat")) == {}
    assert contents_of("mine", plain) == found


def test_what_is_no_first_line_has_no_contents() -> None:
    now = {"contents": {"mine": "a"}}
    for there in (None, [], 3, "text"):
        assert changed(there, now) is None
    assert changed({"contents": 3}, now) == "it does not say what was in which file"
    assert changed({"contents": {"other": "b"}}, now) == "what is in 'other', 'mine' differs"
    assert changed(now, {}) == "what is in 'mine' differs"
    assert changed(now, now) is None
