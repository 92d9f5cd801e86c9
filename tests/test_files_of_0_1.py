"""Files that version 0.1 wrote are read for ever: records, matches, kept games and posteriors."""

from __future__ import annotations

import json
import shutil
from math import log2
from pathlib import Path

import pytest

from sleuth import Deal, Posterior, play_match
from sleuth.apps.play.saved import load as load_saved
from sleuth.kit import GAMES, PlayRecord
from sleuth.models.recorded import played_again

FILES = Path(__file__).parent / "data" / "files_of_0_1"
EXPECTED = json.loads((FILES / "expected.json").read_text("utf-8"))


#: The games that it had.
NAMES = sorted(path.stem.removeprefix("play_") for path in FILES.glob("play_*.json"))


def test_all_its_games_are_still_there() -> None:
    assert len(NAMES) == 7
    assert set(NAMES) <= set(GAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_record_of_every_game_is_played_again(name: str) -> None:
    record = PlayRecord.load(FILES / f"play_{name}.json")
    play = played_again(record)
    assert tuple(play.actions) == record.actions
    assert play.record() == record


def test_a_saved_posterior_answers_as_it_did() -> None:
    belief = Posterior.load(FILES / "posterior_copies.json")
    (cards,) = belief.model.variables
    assert isinstance(cards, Deal)
    found = belief.marginal(cards.count("you", "ace"))
    expected = EXPECTED["posterior_copies"]
    assert {str(value): share for value, share in found.items()} == pytest.approx(expected)


def test_a_saved_posterior_of_a_game_of_clue_answers_as_it_did() -> None:
    belief = Posterior.load(FILES / "posterior_clue.json")
    assert belief.log_evidence == pytest.approx(EXPECTED["posterior_clue_log_evidence"], abs=1e-12)
    (cards,) = belief.model.variables
    assert isinstance(cards, Deal)
    kinds = ("suspect", "weapon", "room")
    case_file = [cards.single("case file", kind) for kind in kinds]
    joint = belief.joint(*case_file)
    entropy = EXPECTED["posterior_clue_entropy"]
    assert -sum(p * log2(p) for p in joint.values() if p) == pytest.approx(entropy, abs=1e-9)


def test_a_kept_game_goes_on() -> None:
    saved = load_saved(FILES / "saved_kuhn.json")
    assert saved.game.name == "kuhn_poker"
    assert saved.play.actions == [0, 1]
    assert saved.seats == ("you", "random")


def test_an_interrupted_match_goes_on_to_the_same_result(tmp_path: Path) -> None:
    whole = (FILES / "match_kuhn.jsonl").read_text("utf-8")
    cut = tmp_path / "match.jsonl"
    cut.write_text("".join(whole.splitlines(keepends=True)[:4]), "utf-8")
    done = tmp_path / "done.jsonl"
    shutil.copy(FILES / "match_kuhn.jsonl", done)
    agents = ["random", "mcts:simulations=50"]
    for path, known in ((cut, 3), (done, 6)):
        result = play_match("kuhn_poker", agents, games=6, seed=2, swap=True, out=path)
        assert result.resumed == known
        kept = json.loads((FILES / "match_kuhn.json").read_text("utf-8"))
        found = result.to_json()
        assert {name: found[name] for name in ("wins", "mean_return", "seed")} == {
            name: kept[name] for name in ("wins", "mean_return", "seed")
        }
