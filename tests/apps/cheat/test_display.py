"""A person who plays Cheat chooses the cards they lie with, and the game goes on from its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from sleuth import Play
from sleuth.errors import RecordError, SettingsError
from sleuth.games.cheat import CheatRecord, cheat
from sleuth.kit import PlayRecord, display
from sleuth.models.cheat.chosen import chosen_code
from sleuth.models.cheat.state import ACTIONS, claim_code

from ..play.conftest import elsewhere as elsewhere
from ..play.scripts import told

#: The first hand of this seed: ace 4 4 6 7 9 jack queen; claims go on from 2.
SEED = 4
LIE = claim_code(0, 1, 2)


def begun() -> Play:
    return Play.new(cheat(), seed=SEED)


def hand(play: Play) -> list[int]:
    return play.truth()[0].hands[0].tolist()


@pytest.mark.parametrize(
    "line, laid",
    [("higher 2 lie 4 queen", [3, 11]), ("h 2 l q, 4", [3, 11]), ("lower 2 lie 9 4", [3, 8])],
)
def test_a_lie_lays_down_the_cards_that_are_named(line: str, laid: list[int]) -> None:
    play, before = begun(), hand(begun())
    said = told(play, (0,), [line, "log"])
    names = {3: "4", 8: "9", 11: "queen"}
    assert f"and lay down {' '.join(names[rank] for rank in laid)}." in said
    for rank in laid:
        before[rank] -= 1
    play = begun()
    action = claim_code(int(line.startswith("l")), 1, 2)
    play.apply(chosen_code(action, laid))
    assert hand(play) == before
    assert play.view(1) == view_of(action)  # the other sees what they see of any such claim


def view_of(action: int) -> object:
    play = begun()
    play.apply(action)
    return play.view(1)


def test_a_game_with_chosen_cards_goes_on_from_its_file(tmp_path: Path) -> None:
    play = begun()
    play.apply(chosen_code(LIE, [3, 11]))
    play.apply(int(play.legal()[-1]))
    play.record().save(tmp_path / "game.json")
    again = PlayRecord.load(tmp_path / "game.json").replay(cheat())
    assert again.truth().tobytes() == play.truth().tobytes()
    assert play.game.action_name(play.actions[0]) == "higher false 2 by queen 4"
    record = CheatRecord.from_play(again, players=("Ann", "Ben"), match="1", seconds=[None] * 2)
    assert record.to_json()["turns"][0]["cards"] == ["4", "queen"]


@pytest.mark.parametrize(
    "cards",
    [[3], [3, 11, 6], [1, 3], [10, 10], [2, 3], [12, 3]],
    ids=["too few", "too many", "not held", "one of them held", "claimed", "never there"],
)
def test_cards_that_cannot_be_laid_down_are_refused(cards: list[int]) -> None:
    with pytest.raises(SettingsError, match="not legal"):
        begun().apply(chosen_code(LIE, cards))


@pytest.mark.parametrize(
    "code", [LIE + ACTIONS * 17 * 2**20, -ACTIONS, claim_code(0, 0, 1) + ACTIONS * 4, ACTIONS * 4]
)
def test_codes_of_nothing_are_refused(code: int) -> None:
    record = begun().record().to_json() | {"actions": [code]}
    with pytest.raises(RecordError):
        PlayRecord.from_json(record).replay(cheat())


def test_a_lie_may_have_some_true_cards_where_the_rules_say_so() -> None:
    play = Play.new(cheat(false_claim="some"), seed=SEED)
    down = claim_code(1, 1, 2)  # two aces, of which there is one
    play.apply(chosen_code(down, [0, 3]))
    assert play.truth()[0].hands[0].tolist()[0] == 0
    with pytest.raises(SettingsError):
        begun().apply(chosen_code(down, [0, 3]))


def test_what_is_no_card_is_explained() -> None:
    lies = [f"{claim} {cards}" for claim, cards in (
        ("higher 2 lie", "4 king"), ("higher 2 lie", "4 4 6"), ("higher 2 lie", "9 9"),
        ("higher 2 lie", "foo bar"),
    )]  # fmt: skip
    said = told(begun(), (0,), [*lies, "h 1 l", "log"], width=200)
    assert "You cannot lie with '4 king': you hold no king; you have ace 4 4 6 7 9 jack" in said
    assert "You cannot lie with '4 4 6': the claim is of 2 cards, not of 3." in said
    assert "You cannot lie with '9 9': you hold one 9; you have ace" in said
    assert "'foo' is no card; you have ace 4 4 6" in said
    assert "You: claim 1 x 3, and lay down 9." in said
    assert display(cheat()).move_names(begun().view(0))[LIE] == "higher 2 lie"


def test_claims_are_said_by_their_rank_and_understood_so() -> None:
    view, words = begun().view(0), display(cheat())
    names = words.said_names(view)
    assert names[LIE] == "claim two 3s, a lie"
    assert {words.understood(name, view).action: name for name in names.values()} == names
    assert "claim one ace, true" in names.values()
