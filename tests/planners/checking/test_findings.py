"""Planted faults in the file of a game: each is found with its place and a remedy, once."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

from sleuth import (
    HIDDEN,
    OVER,
    CachedBelief,
    Choice,
    Feature,
    Game,
    Model,
    Posterior,
    below,
    check_game,
    game,
    infer,
    kernel,
)
from sleuth.answers import to_json
from sleuth.apps.commands.new_game import source
from sleuth.kit import NO_CARD, FaultReport, Finding, SeenPlay, View, find_faults
from sleuth.planners.checking import belief_checks, conformance, leak_checks
from sleuth.planners.checking.findings import CHECKS, FOLLOWERS, finding_of
from sleuth.planners.checking.guarded_kernels import ConformanceError
from sleuth.planners.checking.hidden_actions import HiddenActions
from sleuth.planners.checking.misspelt import uncompiled
from sleuth.shelf import goofspiel as rules


class Fault(NamedTuple):
    """A fault that is written into the file of a new game, and what must be found.

    Attributes:
        old, new: What is replaced, and by what.
        check: Which check finds it.
        kernel: The kernel, or the method of the belief.
        field: The field of the state.
        line: Words of the line that is named; empty where no line can be known.
        hint: Words of the remedy.
    """

    old: str
    new: str
    check: str
    kernel: str = ""
    field: str = ""
    line: str = ""
    hint: str = ""
    also: tuple[str, str] = ("", "")


PLANTED = {
    "no Python": Fault(
        "    other = 1 - state.player\n    count = 0",
        "    other = 1 - state.player\n    count = = 0",
        "syntax",
        line="count = = 0",
        hint="mend this line",
    ),
    "a missing module": Fault(
        "import numpy as np\n",
        "import numpy as np\nimport no_such_module\n",
        "import",
        line="import no_such_module",
        hint="install what is missing",
    ),
    "an error at its top": Fault(
        "ANSWERS = (", "NUMBERS_AGAIN = NUMBERS // 0\nANSWERS = (", "run", line="NUMBERS // 0"
    ),
    "the end of the process": Fault(
        "ANSWERS = (", "raise SystemExit(3)\nANSWERS = (", "run", line="raise SystemExit"
    ),
    "a number of another kind": Fault(
        '("answer", np.int32)',
        '("answer", np.float64)',
        "declared",
        field="answer",
        line="RULES = Game(",
        hint="use np.int32",
    ),
    "no game by this name": Fault("GAME = GameEntry(", "MINE = GameEntry(", "file", hint="MINE"),
    "a field that is misspelt": Fault(
        "state.low[other], state.high[other]):",
        "state.low[other], state.hihg[other]):",
        "kernels",
        "legal",
        line="state.hihg",
        hint="did you mean 'high'?",
    ),
    "a name that nobody knows": Fault(
        "actions[count] = number\n",
        "actions[count] = numbre\n",
        "kernels",
        "legal",
        line="numbre",
    ),
    "an error in a kernel": Fault(
        "    mover = state.player\n",
        "    mover = state.player\n    rest = NUMBERS + 'one'\n",
        "kernels",
        "apply",
        line="rest = NUMBERS",
    ),
    "an index out of bounds": Fault(
        "actions[count] = number\n", "actions[count + 8] = number\n", "bounds", "legal"
    ),
    "a loop without end": Fault(
        "    count = 0\n    for number",
        "    count = 0\n    while count == 0:\n        other = other\n    for number",
        "time",
        "legal",
        line="while count|other = other",
        hint="loop",
    ),
    "an action beyond the space": Fault(
        "action_space=NUMBERS,", "action_space=NUMBERS - 1,", "legal", "legal", hint="action_space"
    ),
    "a start without a player": Fault(
        "        state.secret[player] = below",
        "        state.player = OVER\n        state.secret[player] = below",
        "start",
        "start",
        field="player",
        line="state.player = OVER",
    ),
    "a turn of nobody's": Fault(
        "    state.player = other\n", "    state.player = 2 + other\n", "apply", "apply"
    ),
    "returns out of bounds": Fault(
        "values[state.winner] = 1", "values[state.winner] = 2", "returns", "returns"
    ),
    "a return that is not written": Fault(
        "    values[1 - state.winner] = -1\n", "", "returns", "returns"
    ),
    "a game that is too long": Fault(
        "max_depth=2 * NUMBERS", "max_depth=1", "depth", hint="max_depth is 1"
    ),
    "a mask that leaks": Fault(
        "    for player in range(2):\n        if player != viewer:\n            state.secret",
        "    for player in range(1):\n        if player != viewer:\n            state.secret",
        "worlds",
        "fill",
        field="secret",
        hint="mask shows what they cannot know",
    ),
    "a mask that forgets who looks on": Fault(
        "        if player != viewer:\n            state.secret",
        "        if player != viewer and viewer >= 0:\n            state.secret",
        "spectator",
        "mask",
        field="secret",
        hint="hide what any player cannot see",
    ),
    "a mask that writes zeros": Fault(
        "state.secret[player] = HIDDEN", "state.secret[player] = 0", "mask", "mask"
    ),
    "legal that reads what is hidden": Fault(
        "    return count\n",
        "    return count if state.secret[other] > 3 else 1\n",
        "own moves",
        "legal",
        field="secret",
        line="state.secret[other] > 3",
        hint="'secret'",
    ),
    "observe that tells a secret": Fault(
        "return 3 * action + int(state.answer)",
        "return 3 * action + int(state.answer) + 300 * state.secret[mover]",
        "told",
        "observe",
        field="secret",
        line="state.secret[mover]",
        hint="'secret'",
        also=("*divmod(each.event.observation, 3)", "*divmod(each.event.observation % 300, 3)"),
    ),
    "fill that leaves something": Fault(
        "state.secret[player] = world[player]",
        "state.secret[0] = world[0]",
        "fill",
        "fill",
        field="secret",
        hint="fill must write all",
    ),
    "a belief that fails": Fault(
        "viewer, own, moves = known\n",
        "viewer, own = known\n",
        "belief",
        "posterior",
        line="viewer, own = known",
    ),
    "a belief that forgets": Fault(
        "in moves:\n            secret",
        "in moves[-1:]:\n            secret",
        "update",
        "posterior",
        hint="let the belief read all",
    ),
    "hidden that gives names": Fault(
        "secret.name: secret.value()\n",
        "secret.name: secret.name\n",
        "hidden",
        "hidden",
        hint="features such as choice.value()",
    ),
    "questions that are none": Fault(
        "return {number: _question(secret, number) for number in range(NUMBERS)}",
        "return {number: number for number in range(NUMBERS)}",
        "learned",
        "questions",
    ),
}


def planted(folder: Path, *faults: Fault) -> str:
    """The file of a new game as plain Python, which needs no compiler, with faults in it."""
    text = source("my_game", "my_game.py").replace("@kernel\n", "")
    for fault in faults:
        for old, new in ((fault.old, fault.new), fault.also):
            assert old in text
            text = text.replace(old, new, 1)
    (folder / "my_game.py").write_text(text, "utf-8")
    return f"{folder / 'my_game.py'}:GAME"


@pytest.fixture(autouse=True)
def fewer_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """None of these faults needs many starts to be found."""
    monkeypatch.setattr(conformance, "FEWEST_STARTS", 5)
    monkeypatch.setattr(conformance, "MOST_STARTS", 5)
    monkeypatch.setattr(leak_checks, "MOST_DRAWS", 200)
    monkeypatch.setattr(belief_checks, "WORLDS", 100)


def found_in(named: str, seconds: float | None = None) -> FaultReport:
    return find_faults(named, plays=2, belief_plays=6, seconds=seconds)


def line_of(finding: Finding) -> str:
    if finding.place.line is None:
        return ""
    return Path(finding.place.file).read_text("utf-8").splitlines()[finding.place.line - 1]


@pytest.mark.parametrize("fault", PLANTED.values(), ids=list(PLANTED))
def test_a_planted_fault_is_named_with_its_place_and_a_remedy(fault: Fault, tmp_path: Path) -> None:
    named = planted(tmp_path, fault)
    report = found_in(named, 0.4 if fault.check == "time" else None)
    first = report.findings[0]
    assert first.check == fault.check, report.findings
    if fault.kernel:
        assert first.place.kernel == fault.kernel
    if fault.field:
        assert first.place.field == fault.field
    if fault.line:
        assert any(words in line_of(first) for words in fault.line.split("|"))
    assert first.place.file == named.removesuffix(":GAME")
    assert fault.hint in first.hint
    assert len(report.findings) <= 8, "nothing is said again and again"
    # Whatever else is found is said to follow from it.
    assert {each.follows for each in report.findings[1:]} <= {first.check}, report.findings


def test_a_helper_that_is_no_kernel_gets_its_remedy() -> None:
    def helper(number: int) -> int:
        return number

    @njit
    def calling(number: int) -> int:
        return helper(number)

    with pytest.raises(TypingError) as raised:
        calling(1)
    said = uncompiled(game("kuhn_poker"), "apply", raised.value)
    assert said.hint == "write @kernel above 'def helper'"
    found = finding_of(raised.value, game("kuhn_poker"), None)
    assert "\n" not in found.message
    assert "'helper'" in found.message
    assert line_of(found).strip() == "return helper(number)"


def test_faults_that_do_not_follow_from_each_other_are_all_found(tmp_path: Path) -> None:
    names = ("returns out of bounds", "hidden that gives names", "a mask that writes zeros")
    named = planted(tmp_path, *(PLANTED[name] for name in names))
    causes = {each.check for each in found_in(named).findings if not each.follows}
    assert causes == {"returns", "hidden", "mask"}


def test_findings_are_plain_data(tmp_path: Path) -> None:
    for finding in found_in(planted(tmp_path, PLANTED["returns out of bounds"])).findings:
        assert json.loads(json.dumps(to_json(finding)))["check"] == finding.check


def test_checks_that_follow_are_checks() -> None:
    assert set(FOLLOWERS) | {each for some in FOLLOWERS.values() for each in some} <= set(CHECKS)


def test_a_game_in_order_has_no_findings(tmp_path: Path) -> None:
    report = found_in(planted(tmp_path))
    assert (report.findings, report.game) == ((), "my_game")
    assert report.rules is not None
    assert report.belief is not None


# A mask that leaves what somebody did and others may not know yet


@kernel
def mask_without_bids(state: Any, viewer: int, tables: Any) -> None:
    for player in range(tables.players):
        if player != viewer:
            for card in range(tables.cards):
                state.hands[player, card] = HIDDEN
    for place in range(state.left):
        state.deck[place] = HIDDEN


@kernel
def fill_without_bids(state: Any, world: Any, tables: Any, random: Any) -> None:
    bids = state.bids.copy()
    rules.fill(state, world, tables, random)
    for player in range(tables.players):
        state.bids[player] = bids[player]
        if bids[player] != NO_CARD:
            state.hands[player, bids[player]] = 0


def test_a_bid_that_lies_open_before_it_is_counted_is_found() -> None:
    open_bids = replace(game("goofspiel"), mask=mask_without_bids, fill=fill_without_bids)
    with pytest.raises(ConformanceError, match="observes the same whether") as found:
        check_game(open_bids, plays=2)
    assert found.value.check == "alike"
    assert found.value.fields == ("bids",)
    assert "let mask hide it" in found.value.hint


# The same where no fill ever touches it, and no other check finds it


def start_votes(state: Any, tables: Any, random: Any) -> None:
    state.coin = below(random, 2)
    state.votes[0] = state.votes[1] = NO_CARD


def legal_votes(state: Any, tables: Any, actions: Any) -> int:
    actions[0], actions[1] = 0, 1
    return 2


def apply_vote(state: Any, action: int, tables: Any, random: Any) -> None:
    state.votes[state.player] = action
    state.player = 1 if state.player == 0 else OVER


def observe_vote(state: Any, action: int, mover: int, viewer: int, tables: Any) -> int:
    if state.player == OVER:
        return 2 + state.votes[0] + 2 * state.votes[1] + 4 * state.coin
    return action if mover == viewer else 0


def returns_of_votes(state: Any, tables: Any, values: Any) -> None:
    for player in range(2):
        values[player] = 1.0 if state.votes[player] == state.coin else 0.0


def mask_the_coin(state: Any, viewer: int, tables: Any) -> None:
    if state.player != OVER:
        state.coin = HIDDEN


def mask_coin_and_votes(state: Any, viewer: int, tables: Any) -> None:
    if state.player != OVER:
        state.coin = HIDDEN
        if state.votes[0] != NO_CARD and viewer != 0:
            state.votes[0] = HIDDEN


def fill_the_coin(state: Any, world: Any, tables: Any, random: Any) -> None:
    if state.coin == HIDDEN:
        state.coin = world[0]
    if state.votes[0] == HIDDEN:
        state.votes[0] = world[1]


COIN, VOTE = Choice("coin", ["heads", "tails"]), Choice("vote", ["heads", "tails"])


class Votes(CachedBelief[int]):
    def known(self, view: View, seen: SeenPlay) -> int:
        return 0

    def posterior(self, known: int) -> Posterior:
        return infer(Model(COIN, VOTE))

    def hidden(self, view: View) -> dict[str, Feature]:
        return {} if view.over else {"coin": COIN.value()}


def votes(mask: Any) -> Game:
    kind = np.dtype([("player", np.int32), ("coin", np.int32), ("votes", np.int32, (2,))])
    return Game(
        name="votes", version=1, roles=("first", "second"), state=kind, action_space=2,
        max_actions=2, max_depth=2, lowest=0, highest=1, start=start_votes, legal=legal_votes,
        apply=apply_vote, observe=observe_vote, returns=returns_of_votes, mask=mask,
        fill=fill_the_coin,
    )  # fmt: skip


def test_a_vote_that_lies_open_is_found_by_this_check_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert "alike" in check_game(votes(mask_coin_and_votes), Votes(), plays=4).checks
    with pytest.raises(ConformanceError, match=r"\[alike\].*sees a difference in 'votes'"):
        check_game(votes(mask_the_coin), Votes(), plays=4)
    monkeypatch.setattr(HiddenActions, "follow", lambda *given: None)
    check_game(votes(mask_the_coin), Votes(), plays=8)
