"""A person plays: the course of a game, what they are told, and what they are not."""

from __future__ import annotations

import json
import re
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth import HIDDEN, Play, game
from sleuth.answers import Machine, to_json
from sleuth.apps.kit.conversation import converse
from sleuth.apps.kit.records.opening import files_of
from sleuth.apps.play import session
from sleuth.apps.play.recording import Recording
from sleuth.apps.play.saved import YOU, load
from sleuth.apps.play.session import Session
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.errors import SettingsError
from sleuth.games.cheat import cheat, read_records
from sleuth.games.scotland_yard import stations_of
from sleuth.kit import GAMES, SeenPlay, View, display, generator

from .scripts import Script, run, told

GOLDEN = Path(__file__).parent / "golden"
ASKED = ["look", "moves", "log", "belief", "hint random", "?", "nonsense"]


def begun(name: str, seed: int, moves: int) -> Play:
    """A game in which everybody has moved at random so far."""
    play = Play.new(game(name), seed=seed)
    rng = np.random.default_rng(seed)
    while not play.over and len(play.actions) < moves:
        play.apply(int(rng.choice(play.legal())))
    return play


NAMES = list(GAMES)


def test_every_game_is_shown_in_a_way_of_its_own() -> None:
    assert [name for name in GAMES if GAMES[name].part("display") is None] == []


GAME_OF = {name: entry.game for name, entry in GAMES.items()} | {"cheat": cheat}
SCRIPTS = {
    "cheat": ["?", "moves", "higher 1", "h 1 l", "look", "h 2 lie", "call", "take", "log"],
    "tic_tac_toe": ["?", "b2", "b2", "moves", "a1", "look", "c1", "c3", "a3", "b1", "b3"],
    "phantom_tic_tac_toe": ["b2", "a1", "look", "c1", "a3", "log"],
    "kuhn_poker": ["belief", "moves", "bet"],
    "leduc_poker": ["belief", "moves", "check", "raise", "call", "check", "call"],
    "clue": [
        *["?", "roll", "h24", "pass", "map", "roll", "h23", "pass", "roll", "hall", "h19", "pass"],
        *["roll", "moves", "lounge", "moves", "sug gre rop", "pass", "moves", "passage", "look"],
        *["pass", "pass", "log"],
    ],
    "clue_table": ["?", "belief", "moves", "suggest green rope", "sug gre rop ki", "pass", "log"],
    "saboteur": ["?", "moves", "nesw d7", "sw d1", "ew e7", "discard", "dead", "belief", "log"],
    "scotland_yard": ["?", "moves", "1", "map", "map 67", "map 200", "37", "log"],
}


@pytest.mark.parametrize("name", SCRIPTS)
def test_a_game_reads_as_it_should(name: str) -> None:
    play = Play.new(GAME_OF[name](), seed=4)
    person = display(play.game).teams.get("seekers", (0,))
    said = told(play, person, SCRIPTS[name], path=None)
    said = said.replace(f"{name}-1.json", "FILE")
    for each in Path().glob(f"{name}-*.json"):
        each.unlink()
    golden = GOLDEN / f"{name}.txt"
    assert said == golden.read_text("utf-8")


def test_who_wins_with_others_has_won() -> None:
    for role in range(3):
        rules: dict[str, Any] = {"players": 3, "saboteurs": 2, "spare": False, "hand": 1}
        play = Play.new(game("saboteur", stock=0, **rules), seed=1)
        said = told(play, (role,), ["discard"])
        verdict = "You have won." if play.returns()[role] > 0 else "You have lost."
        assert verdict in said
        assert "the saboteurs win the round. Saboteurs: " in said


@pytest.mark.parametrize("name", NAMES)
def test_a_game_goes_on_from_its_file_as_it_would_have_gone_on(name: str, tmp_path: Path) -> None:
    whole = Play.new(game(name), seed=11)
    person = display(whole.game).teams.get("seekers", (0,))
    seats = tuple(YOU if role in person else "random" for role in range(whole.game.players))

    class Chooser(Script):
        """Types a legal move chosen by the number of moves, and leaves every third time."""

        def __init__(self, session_play: Play, patience: int) -> None:
            super().__init__([])
            self.play, self.patience = session_play, patience

        def ask(self, prompt: str, words: object = ()) -> str | None:
            self.patience -= 1
            if self.patience < 0:
                return None
            play = self.play
            names = display(play.game).move_names(play.view(play.player))
            return list(names.values())[(7 * len(play.actions)) % len(names)]

    run(Session(whole, display(whole.game), seats, Chooser(whole, 10**6)))
    assert whole.over

    path = tmp_path / "kept.json"
    first = Play.new(game(name), seed=11)
    run(Session(first, display(first.game), seats, Chooser(first, 1), path))
    for _ in range(whole.game.max_depth):
        found = load(path)
        assert found.seats == seats
        if found.play.over:
            break
        again = Chooser(found.play, 3)
        run(Session(found.play, display(found.game), found.seats or (), again, path))
    assert load(path).play.actions == whole.actions


def worlds(play: Play, role: int) -> list[Play]:
    """The same game with other truths that look the same to a role."""
    states = play.view(role).states
    truth = play.truth()
    made: list[Play] = []
    if play.game.name == "scotland_yard":
        for station in stations_of(states[0].possible)[:5]:
            other = truth.copy()
            other[0].stations[0] = station
            made.append(play.supposing(other))
        return made
    known = belief_or_none(play.game)
    if known is None:
        return made
    posterior = known.infer(play.view(role), play.seen_by(role))
    for number, row in enumerate(known.worlds(posterior, 6, np.random.default_rng(1))):
        other = play.view(role).states
        play.game.fill(other[0], row, play.game.tables, generator(number))
        made.append(play.supposing(other))
    return made


def spoken(play: Play, person: Sequence[int], lines: Sequence[str]) -> str:
    """All values that a person is told, of which text and pages are made, as JSON."""
    seats = tuple(YOU if role in person else "random" for role in range(play.game.players))
    machine = Machine(lambda hearer: Session(play, display(play.game), seats, hearer).steps())
    said = [machine.start(), *map(machine.take, lines), machine.take(None)]
    return json.dumps(to_json(said))


@pytest.mark.parametrize("name", [name for name in NAMES if game(name).hides])
def test_nothing_that_is_said_depends_on_what_the_person_cannot_see(name: str) -> None:
    compared = 0
    for seed, moves in enumerate((0, 1, 2, 3, 5, 8)):
        play = begun(name, seed=seed, moves=moves)
        if play.over:
            continue
        teams = display(play.game).teams.values()
        person = next(team for team in teams if play.player in team)
        if person == (0,) and name == "scotland_yard":
            continue  # he knows where he is
        asked = [*ASKED, *display(play.game).extras]
        said = spoken(play, person, asked)
        for other in worlds(play, play.player):
            if other.truth().tobytes() == play.truth().tobytes():
                continue
            for left in Path().glob("*.json"):
                left.unlink()
            assert spoken(other, person, asked) == said
            compared += 1
        for left in Path().glob("*.json"):
            left.unlink()
    assert compared > 3


def test_a_display_that_looks_at_the_truth_would_be_found() -> None:
    play = begun("scotland_yard", seed=3, moves=1)
    (other, *_) = [
        each for each in worlds(play, 1) if each.truth().tobytes() != play.truth().tobytes()
    ]
    assert play.view(1) == other.view(1)
    assert play.truth()[0].stations[0] != other.truth()[0].stations[0]
    assert play.view(1).states[0].stations[0] == HIDDEN


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("width", [40, 60, 80, 132])
def test_nothing_is_wider_than_the_terminal(name: str, width: int) -> None:
    plays = (begun(name, seed=seed, moves=2) for seed in range(6, 20))
    play = next(each for each in plays if not each.over)
    person = next(team for team in display(play.game).teams.values() if play.player in team)
    said = told(play, person, [*ASKED, *display(play.game).extras], width=width)
    wide = [line for line in said.splitlines() if len(line) > width]
    # What is to be copied stands in one line; what was typed is not ours.
    assert [line for line in wide if "--resume" not in line and "> " not in line] == []


def test_what_is_typed_cannot_command_the_terminal() -> None:
    play = Play.new(game("kuhn_poker"), seed=1)
    said = told(play, (0,), ["\x1b[31mbet\x07", "\x1b[31mhint\x07", "bet"])
    assert not {"\x1b", "\x07"} & set(said)


def test_a_person_can_play_all_roles() -> None:
    play = Play.new(game("tic_tac_toe"), seed=1)
    said = told(play, (0, 1), ["a1", "b1", "a2", "b2", "a3"])
    assert play.over
    assert "The game is a draw" in said or "You have won" in said


def test_mr_x_is_shown_what_the_others_may_think_and_which_station_is_his() -> None:
    play = Play.new(game("scotland_yard"), seed=4)
    said = told(play, (0,), ["belief"])
    own = int(play.truth()[0].stations[0])
    assert "Where they may think you are: 13 stations, " in said
    assert f"{own} (you)" in said
    seekers = told(Play.new(game("scotland_yard"), seed=4), range(1, 6), ["belief"])
    assert "Where Mr. X is: " in seekers
    assert "(you)" not in seekers


def test_without_a_move_nothing_is_kept() -> None:
    said = told(Play.new(game("kuhn_poker"), seed=1), (0,), ["quit"])
    assert "nothing is saved" in said
    assert list(Path().iterdir()) == []


def test_a_file_that_is_there_is_not_overwritten() -> None:
    Path("notes.json").write_text("notes", "utf-8")
    said = told(Play.new(game("tic_tac_toe"), seed=1), (0,), ["a1", "save notes.json", "quit"])
    assert "this file is there already" in said
    assert Path("notes.json").read_text("utf-8") == "notes"
    assert "tic_tac_toe-1.json" in said
    load(Path("tic_tac_toe-1.json"))


def test_a_hint_calls_a_move_by_one_word() -> None:
    said = told(Play.new(game("leduc_poker"), seed=4), (0,), ["hint mcts:simulations=200"])
    said = " ".join(said.split())
    assert "mcts:simulations=200 would choose: " in said
    assert re.search(r" on check \([+-][\d.]+ chips on average\)", said)
    assert "call check" not in said


def test_a_hint_is_what_the_agent_would_do() -> None:
    play = Play.new(game("tic_tac_toe"), seed=1)
    for square in (0, 3, 1, 4):
        play.apply(square)
    said = told(play, (0,), ["hint mcts:simulations=400", "hint rendom", "hint alpha_beta"])
    said = " ".join(said.split())
    assert "mcts:simulations=400 would choose: c1. Its search spent " in said
    assert re.search(r" % of its simulations on c1[,.]", said)
    assert "did you mean 'random'?" in said
    assert "alpha_beta would choose: c1" in said


@pytest.mark.usefixtures("plain_python")
def test_a_hint_says_the_mixture_that_an_agent_draws_from() -> None:
    said = told(Play.new(game("leduc_poker"), seed=4), (0,), ["hint sound:simulations=200"])
    said = " ".join(said.split())
    found = re.search(
        r"would choose: (\w+)\. It plays (\w+) [\d.]+, (\w+) [\d.]+; drawn: (\w+)\.", said
    )
    assert found
    chosen, *played, drawn = found.groups()
    assert chosen == drawn
    assert sorted(played) == ["check", "raise"]


@pytest.mark.parametrize("name", ["tic_tac_toe", "scotland_yard", "clue_table"])
@pytest.mark.usefixtures("plain_python")
def test_a_hint_ranks_moves_and_promises_nothing(name: str) -> None:
    """What moves return in a search is no chance to win: a hunt that is lost returned 0.96."""
    hints = ["hint mcts:simulations=50"]
    said = " ".join(told(Play.new(game(name), seed=4), (0,), hints).split())
    _, _, hint = said.partition("would choose: ")
    assert "% of its simulations on" in hint
    assert "won" not in hint
    assert not re.search(r"return|[+\u2212-]\d\.\d\d", hint)


def test_a_hint_says_what_the_search_could_not_find_out() -> None:
    play = Play.new(game("clue_table"), seed=1)
    said = " ".join(told(play, (0,), ["hint"]).split())
    assert re.search(r"cannot tell 'suggest [^']+' from 'suggest [^']+', ", said)
    assert re.search(r"did not try \d+ of 324 actions\.", said)


@pytest.mark.parametrize("seed", [1, 2])
def test_a_hint_names_actions_in_the_order_that_is_meant_and_says_why_it_takes_one(
    seed: int,
) -> None:
    """In Clue the most tried action is often none of those that tell most."""
    play = Play.new(game("clue_table"), seed=seed)
    said = " ".join(told(play, (0,), ["hint"]).split())
    listed = re.findall(
        r"(\d+) % of its simulations on ([^,]+, [^,]+, [^,(]+) \(\d\.\d\d bits\)", said
    )
    shares = [int(share) for share, _ in listed]
    assert len(shares) == 3
    assert shares == sorted(shares, reverse=True)
    assert "It weighs what an action tells (in bits) as well as what it leads to." in said
    (chosen,) = re.findall(r"would choose: ([^.]+)\.", said)
    assert chosen in [name for _, name in listed]
    why = "Among those it cannot tell apart it takes"
    assert (why in said) == (chosen != listed[0][1])


def test_a_hint_of_several_trees_says_that_shares_do_not_rank() -> None:
    said = " ".join(
        told(
            Play.new(game("tic_tac_toe"), seed=1), (0,), ["hint mcts:trees=3,simulations=60"]
        ).split()
    )
    assert "It ranks actions by how they turned out, not by how often it tried them." in said


def test_an_error_of_an_agent_does_not_cost_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    from sleuth.agents import RandomAgent

    def broken(self: RandomAgent, view: object, seen: object) -> int:
        raise SettingsError("the agent gives up")

    monkeypatch.setattr(RandomAgent, "decide", broken)
    with pytest.raises(SettingsError, match="gives up"):
        told(Play.new(game("tic_tac_toe"), seed=1), (0,), ["b2"])
    assert load(Path("tic_tac_toe-1.json")).play.actions == [4]


def test_a_move_that_cannot_be_kept_does_not_end_the_game(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    path = folder / "game.json"
    play = Play.new(game("tic_tac_toe"), seed=1)
    script = Script(["b2", "save", "save elsewhere.json"])
    session = Session(play, display(play.game), (YOU, "random"), script, path)
    folder.rmdir()
    run(session)
    assert "This move is not saved" in script.text
    assert "The game is saved in elsewhere.json" in script.text
    assert len(load(Path("elsewhere.json")).play.actions) == 2


def test_a_game_may_be_kept_where_spaces_are() -> None:
    said = told(Play.new(game("tic_tac_toe"), seed=1), (0,), ["b2", "save my game.json", "quit"])
    assert "sleuth play --resume 'my game.json'" in said
    assert load(Path("my game.json")).seats == (YOU, "random")


class Person(Script):
    """Somebody at a terminal, not in a pipe."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__(lines)
        self.alive = True

    @contextmanager
    def waiting(self, what: str) -> Generator[None, None, None]:
        yield


def left(lines: list[str], monkeypatch: pytest.MonkeyPatch) -> str:
    """What a person is told who plays in a folder that is closed to him."""

    def closed(*_: object) -> Path:
        raise SettingsError("this cannot be written", where="save", value="tic_tac_toe-1.json")

    monkeypatch.setattr(session, "save_new", closed)
    play = Play.new(game("tic_tac_toe"), seed=1)
    person = Person(lines)
    run(Session(play, display(play.game), (YOU, "random"), person))
    return person.text


def test_who_leaves_may_name_another_file_where_the_game_cannot_be_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = left(["b2", "quit", f"save {tmp_path / 'kept.json'}", "quit"], monkeypatch)
    assert "write 'save FILE' to save the game elsewhere" in " ".join(said.split())
    assert "lost" not in said
    assert len(load(tmp_path / "kept.json").play.actions) == 2


def test_who_leaves_twice_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    said = left(["b2", "quit", "look", "quit", "look"], monkeypatch)
    assert said.count("write 'save FILE'") == 1
    assert "The game is lost" in said
    assert said.count("look") == 1


def test_words_of_all_prompts_are_answered_after_the_game() -> None:
    play = Play.new(game("tic_tac_toe"), seed=1)
    lines = ["a1", "b1", "a2", "b2", "a3", "back", "maybe", "setup", "help", "undo", "y"]
    person = Person(lines)
    first = Session(play, display(play.game), (YOU, YOU), person)
    run(first)
    assert converse(first.another(2), person) is not None
    asked = [part.splitlines()[1] for part in person.text.split("Another game? yes or no>")[1:-1]]
    assert asked[0] == "The game is over, so there is nothing to go back to."
    assert asked[1] == "Neither yes nor no (got 'maybe'); write 'yes' or 'no'."
    assert "The game is over, and was not saved." in person.text
    assert "when you leave" not in person.text
    assert asked[3].startswith("'yes' deals a new game with the same settings and roles")
    assert asked[4].startswith("Neither yes nor no (got 'undo')")


def test_after_a_game_another_can_be_played() -> None:
    play = Play.new(game("tic_tac_toe"), seed=1)
    moves = ["a1", "b1", "a2", "b2", "a3"]
    person = Person([*moves, "help", "yes", *moves, "no"])
    first = Session(play, display(play.game), (YOU, YOU), person, Path("kept.json"))
    run(first)
    second = converse(first.another(2), person)
    assert second is not None
    assert (second.play.seed, second.play.actions, second.path) == (2, [], None)
    run(second)
    assert converse(second.another(3), person) is None
    assert person.text.count("Another game? yes or no>") == 3
    # What was saved after every move is so again, in a file of its own.
    assert sorted(path.name for path in Path().iterdir()) == ["kept.json", "tic_tac_toe-1.json"]
    assert load(Path("tic_tac_toe-1.json")).play.over
    # Of a pipe nobody is asked, nor who has left.
    over = told(Play.new(game("tic_tac_toe"), seed=1), (0, 1), moves)
    assert "Another game" not in over
    left = Session(Play.new(play.game, seed=1), display(play.game), (YOU, YOU), Person(["a1"]))
    run(left)
    assert converse(left.another(2), person) is None


def test_who_leaves_keeps_one_file(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play.new(game("tic_tac_toe"), seed=1)
    run(Session(play, display(play.game), (YOU, "random"), Person(["b2", "quit"])))
    assert [each.name for each in Path().iterdir()] == ["tic_tac_toe-1.json"]


def test_a_question_ends_with_its_mark() -> None:
    said = told(Play.new(game("kuhn_poker"), seed=4), (0,), ["pess", "help"], width=60)
    assert "did you mean 'pass'?\n" in said
    assert "agent would do; 'hint\n           NAME[:key" in said


def test_who_has_no_cards_is_not_shown_by_rank() -> None:
    play = Play.new(cheat(ranks=6, hand=1), seed=1)
    # The first lays down his only card; the second asks what he can know of him.
    play.apply(next(code for code in play.legal().tolist() if code >= 2))
    said = told(play, (1,), ["belief"])
    assert "The other has no cards left." in said
    assert "by counting alone" in said
    assert "at least one" not in said


def test_a_game_that_is_recorded_goes_on_being_recorded(tmp_path: Path) -> None:
    play = Play.new(cheat(), seed=4)
    file = tmp_path / "my records.jsonl"
    said = told(play, (0,), ["yes", "take", "quit"], recording=Recording(file, files_of("cheat")))
    assert f"sleuth play --resume cheat-1.json --record '{file}'\n" in said
    play = Play.new(cheat(), seed=4)
    said = told(
        play,
        (0,),
        ["no", "take", "quit"],
        recording=Recording(tmp_path / "other.jsonl", files_of("cheat")),
    )
    assert "sleuth play --resume cheat-2.json\n" in said


def test_one_card_is_a_card() -> None:
    said = told(Play.new(cheat(ranks=6, hand=1), seed=1), (0,), [])
    assert "Your 1 card: " in said


def ended(*, seed: int, person: int, **settings: Any) -> tuple[Play, str]:
    """A game of Cheat to its end, in which a person calls what he can and takes cards else."""
    play = Play.new(cheat(**settings), seed=seed)
    typed = ["call", "take", "higher 1", "lower 1", "higher 1 lie"] * 60
    return play, told(play, (person,), typed)


def test_who_has_lost_or_won_at_cheat_is_told_why() -> None:
    causes: set[tuple[bool, bool]] = set()
    for seed in range(24):
        for person in range(2):
            # Few cards end games by an empty hand, few rounds by their number.
            rounds = 30 if seed % 2 else 5
            play, said = ended(seed=seed, person=person, ranks=5, suits=3, hand=2, rounds=rounds)
            assert play.over
            *_, why, verdict = said.splitlines()
            sizes = play.truth()[0].sizes.tolist()
            mine, other = sizes[person], sizes[1 - person]
            if "no cards left" in why:
                won = why.startswith("You have")
                assert (mine if won else other) == 0
                who = "You have" if won else f"{('First', 'Second')[1 - person]} has"
                were = "were" if won else "was"
                assert why == f"{who} no cards left, and {were} not caught at a lie."
                assert verdict.startswith("You have won" if won else "You have lost")
                causes.add((True, won))
            else:
                assert len(play.actions) == rounds
                assert why.startswith("There are no more rounds: ")
                assert f"ou have {mine} card" in why
                assert f" has {other} card" in why
                assert verdict.startswith(
                    "You have won" if mine < other
                    else "You have lost" if mine > other
                    else "The game is a draw"
                )  # fmt: skip
                causes.add((False, mine < other))
    assert causes == {(True, True), (True, False), (False, True), (False, False)}


# How long a person takes


class Clock:
    """A time that goes on by so many seconds whenever a person has typed a line."""

    def __init__(self) -> None:
        self.now = 0.0

    def monotonic(self) -> float:
        return self.now


def heard_in(
    monkeypatch: pytest.MonkeyPatch, person: Script, play: Play, seats: tuple[str, ...], **kept: Any
) -> list[tuple[float | None, ...]]:
    """The seconds that random agents are told of, each time one decides."""
    from sleuth.agents import RandomAgent

    heard: list[tuple[float | None, ...]] = []
    usual = RandomAgent.decide
    clock = Clock()

    def decide(self: RandomAgent, view: View, seen: SeenPlay) -> int:
        heard.append(seen.told.seconds)
        return usual(self, view, seen)

    asked = person.ask

    def ask(prompt: str, words: Sequence[str] = ()) -> str | None:
        clock.now += 1.25
        return asked(prompt, words)

    with monkeypatch.context() as patched:
        patched.setattr(RandomAgent, "decide", decide)
        patched.setattr(person, "ask", ask)
        patched.setattr(session, "time", clock)
        run(Session(play, display(play.game), seats, person, **kept))
    return heard


def test_agents_are_told_how_long_a_person_at_a_terminal_took(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    path = tmp_path / "kept.json"
    lines = ["higher 1 lie", "look", "take"]
    play = Play.new(cheat(), seed=4)
    heard = heard_in(monkeypatch, Person(lines), play, (YOU, "random"), path=path)
    # The second move took him two lines.
    assert heard == [(1.25,), (1.25, None, 2.5)]
    found = load(path)
    assert found.seconds == (1.25, None, 2.5, None)
    again = heard_in(
        monkeypatch, Person(["take"]), found.play, (YOU, "random"), path=path, seconds=found.seconds
    )
    assert again == [(1.25, None, 2.5, None, 1.25)]


def test_of_what_comes_from_a_pipe_nobody_knows_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play.new(cheat(), seed=4)
    heard = heard_in(monkeypatch, Script(["higher 1 lie", "take"]), play, (YOU, "random"))
    assert heard == [(), ()]


def test_of_a_game_from_elsewhere_nobody_knows_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play.new(cheat(), seed=4)
    play.apply(int(play.legal()[0]))
    play.apply(int(play.legal()[0]))
    heard = heard_in(monkeypatch, Person(["take"]), play, (YOU, "random"))
    assert heard == [(None, None, 1.25)]


def test_a_simulated_person_takes_his_time_here_too(tmp_path: Path) -> None:
    path = tmp_path / "kept.json"
    play = Play.new(cheat(), seed=4)
    run(Session(play, display(play.game), (YOU, "people"), Script(["take", "take"]), path))
    mine, other, *_ = load(path).seconds
    assert mine is None
    assert other is not None
    assert other > 0.0


def test_a_recorded_game_has_the_seconds_from_before_it_was_left(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "records.jsonl"
    small = cheat(ranks=4, suits=2, hand=2, rounds=6)
    path = tmp_path / "kept.json"
    play = Play.new(small, seed=3)
    heard_in(
        monkeypatch, Person(["yes", "take"]), play, (YOU, "random"), path=path,
        recording=Recording(file, files_of("cheat")),
    )  # fmt: skip
    found = load(path)
    typed = ["call", "take"] * 12
    told(
        found.play, (0,), typed, recording=Recording(file, files_of("cheat")), seconds=found.seconds
    )
    (record,) = read_records(file)
    assert [turn.seconds for turn in record.turns] == [1.25] + [None] * (len(record.turns) - 1)
