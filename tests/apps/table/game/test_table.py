"""What happens at a table: setting up, sharing a device, moves taken back, agents that fail."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sleuth.apps.play.saved import load
from sleuth.apps.table.game.jobs import ready
from sleuth.apps.table.game.offered import offered_agents
from sleuth.apps.table.lobby import kind_of
from sleuth.apps.table.people.keeping import kept_games
from sleuth.apps.table.replay import working
from sleuth.apps.table.replay.sources import WatchedGame
from sleuth.apps.table.sitting import Panel
from sleuth.data.errors import SettingsError
from sleuth.models.games import entry
from sleuth.models.play import Play

from .played import PlayedTable, forms, play_on, pointed
from .test_playing import LIARS_DICE, ROOT, table_of

SHARED = {"seat 0": "a person here", "seat 1": "a person here"}
APART = {"seat 0": "a person here", "seat 1": "a person on device 2"}


# -- setting up


def test_the_rules_are_asked_for_and_kept(tmp_path: Path) -> None:
    table = PlayedTable(tmp_path, "clue_table")
    (form,) = forms(table.panel("rules"))
    assert [blank.name for blank in form.blanks] == [
        "set players",
        "set turns",
        "set hand",
        "set edition",
    ]
    table.say("rules", **{"set players": "4", "set turns": "60", "set hand": ""})
    assert table.sitting.course.name.game().players == 4
    (form,) = forms(table.panel("who"))
    assert [blank.label for blank in form.blanks[:4]] == ["p1", "p2", "p3", "p4"]
    assert [blank.value for blank in form.blanks[:2]] == ["a person here", "mcts:seconds=0.5"]
    words = [each.split(",")[0] for each in form.blanks[1].called]
    assert words[:2] == ["a person here", "a person on device 2"]
    assert words[5:8] == ["a good agent", "a quick agent", "an agent that moves at random"]
    assert "detective: asks what tells most" in words[8:]
    assert form.blanks[1].choices[5:8] == ("mcts:seconds=3", "mcts:seconds=0.5", "random")
    assert '<option value="random">an agent that moves' in table.words()
    table.killed()
    assert table.sitting.course.name.settings == (("players", "4"),)


def test_rules_that_cannot_be_change_nothing(tmp_path: Path) -> None:
    table = PlayedTable(tmp_path, "clue_table")
    for settings in (
        {"set players": "99"},
        {"set players": "many"},
        {"set edition": "/etc/secrets.json"},
    ):
        with pytest.raises(SettingsError):
            table.say("rules", **settings)
    assert table.sitting.file.steps == []


@pytest.mark.parametrize(
    "blanks, said",
    [
        ({"seat 0": "random", "seat 1": "random"}, "nobody plays"),
        ({"seat 1": "nobody:x=1"}, "no such agent"),
        ({"seed": "-1"}, "a seed is a whole number"),
        ({"others": "second"}, "this is no agent for a role"),
        ({"others": "third=random"}, "has no such role"),
    ],
)
def test_a_game_that_cannot_begin_says_why(
    tmp_path: Path, blanks: dict[str, str], said: str
) -> None:
    table = PlayedTable(tmp_path, "kuhn_poker")
    with pytest.raises(SettingsError, match=said):
        table.say("begin", **blanks)
    assert table.sitting.file.steps == []


def test_an_agent_that_cannot_play_leads_back_to_the_set_up(tmp_path: Path) -> None:
    table = PlayedTable(tmp_path, "kuhn_poker")
    table.say("begin", **{"seat 0": "a person here", "seat 1": "asking"})
    job = table.sitting.due()
    assert job is not None
    with pytest.raises(SettingsError) as caught:
        job.make(*job.arguments)
    table.sitting.failed(job, caught.value)
    assert "asking" in table.words()
    table.killed()
    assert forms(table.panel("who"))
    table.begin(**{"seat 1": "random"})
    assert table.sitting.course.begun


def test_agents_are_written_with_their_options(tmp_path: Path) -> None:
    table = PlayedTable(tmp_path, "kuhn_poker")
    table.begin(others="second=mcts:simulations=20")
    assert table.sitting.course.seats.agents == ("you", "mcts:simulations=20")


def test_only_the_host_sets_up(tmp_path: Path) -> None:
    table = PlayedTable(tmp_path, "kuhn_poker")
    assert table.sitting.panels(1) != table.sitting.panels(0)
    with pytest.raises(SettingsError, match="host"):
        table.say("begin", 1)


def test_a_page_cannot_make_the_server_run_a_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text("raise SystemExit('it was run')\n")
    record = Play.new("kuhn_poker", seed=1).record().to_json() | {"game": f"{mine}:GAME"}
    for kind, blanks in [
        ("game", {"game": f"{mine}:GAME"}),
        ("advice", {"game": f"{mine}:GAME"}),
        ("replay", {"game": f"{mine}:GAME"}),
        ("replay", {"record": json.dumps(record)}),
    ]:
        with pytest.raises(SettingsError, match="was not named"):
            kind_of(kind).made(blanks)


def test_a_game_of_a_readers_own_is_found_as_the_server_was_told_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry(LIARS_DICE)
    monkeypatch.chdir(ROOT / "examples")
    for text in ("your_own_game.py:GAME", "liars_dice"):
        made, seats = kind_of("game").made({"game": text})
        assert made["game"] == LIARS_DICE
        assert seats > 1
        assert kind_of("game").name(made) == "Play Liars Dice"


# -- who sees what


def test_a_device_that_is_handed_on_hides_what_the_last_one_saw(tmp_path: Path) -> None:
    table = table_of(tmp_path, "kuhn_poker", **SHARED)
    course = table.sitting.course
    assert names(table) == ["table"]
    table.say("i-am 0")
    mine, other = course.sight(course.persons[0]), course.sight(course.persons[1])
    own, hidden = (table.sitting.course.name.display().situation(each) for each in (mine, other))
    assert list(table.panel("game").parts) == own
    table.say("move 1 0")
    assert names(table) == ["table"]
    assert str(getattr(own[0], "text", "")).split(",")[0].removeprefix("you: ") not in table.words()
    with pytest.raises(SettingsError, match="nobody who plays"):
        table.say("move 1 1")
    table.say("i-am 1")
    assert list(table.panel("game").parts) != hidden  # they know of the bet now
    table.say("move 1 1")
    assert course.over


def test_nothing_is_covered_where_nothing_is_hidden(tmp_path: Path) -> None:
    table = table_of(tmp_path, "tic_tac_toe", **SHARED)
    for line in ("move 0 0", "move 1 1", "move 4 2"):
        assert "moves" in names(table)
        table.say(line)


def test_a_seat_moves_for_itself_alone(tmp_path: Path) -> None:
    table = table_of(tmp_path, "kuhn_poker", **APART)
    with pytest.raises(SettingsError, match="not your move"):
        table.say("move 0 0", 1)
    with pytest.raises(SettingsError, match="nobody who plays"):
        table.say("move 0 0", 2)
    assert "moves" not in names(table, 1)
    table.say("move 0 0")
    assert "moves" in names(table, 1)
    with pytest.raises(SettingsError, match="gone on"):
        table.say("move 0 0", 1)
    assert len(table.sitting.course.playing.actions) == 1


def test_the_host_has_the_addresses_of_the_other_devices(tmp_path: Path) -> None:
    table = table_of(tmp_path, "kuhn_poker", **APART)
    token = table.sitting.file.tokens[1]
    assert f"/s/{token}" in table.words(0)
    assert "<path" in table.words(0)
    assert token not in table.words(0).replace(f"/s/{token}", "")
    assert table.sitting.file.tokens[0] not in table.words(1)


def test_one_person_plays_all_of_a_team(tmp_path: Path) -> None:
    here = {f"seat {role}": "a person here" for role in (1, 2)}
    table = table_of(tmp_path, "scotland_yard", **{"seat 0": "random", **here})
    assert [each.roles for each in table.sitting.course.persons] == [(1, 2)]
    assert names(table) != ["table"]


# -- moves


def test_a_line_that_is_no_move_changes_nothing(tmp_path: Path) -> None:
    table = table_of(tmp_path, "tic_tac_toe")
    steps = len(table.sitting.file.steps)
    for line in ("move 99 0", "move -1 0", "move a 0", "move 0", "fly", "back 0", "another",
                 "replay", "anew", "guess 0 0", ""):  # fmt: skip
        with pytest.raises(SettingsError):
            table.say(line)
    with pytest.raises(SettingsError):
        table.say("say 0", move="z9")
    assert len(table.sitting.file.steps) == steps


def test_a_move_is_written_touched_or_pointed_at(tmp_path: Path) -> None:
    table = table_of(tmp_path, "tic_tac_toe", **SHARED)
    assert set(pointed(table.panel("game").parts)) == set(table.lines("moves"))
    table.say("say 0", move="b2")
    assert table.sitting.course.playing.actions == [4]
    assert "move 4 1" not in pointed(table.panel("game").parts)


def test_many_moves_are_chosen_word_by_word(tmp_path: Path) -> None:
    table = table_of(tmp_path, "clue_table")
    words = table.lines("moves")
    assert words == [f"pick 0 suggest|{suspect}" for suspect in
                     ("scarlet", "mustard", "white", "green", "peacock", "plum")]  # fmt: skip
    table.say("pick 0 suggest|plum")
    table.say("pick 0 suggest|plum|lead pipe")
    last = table.lines("moves")
    assert last[-1] == "pick 0"
    assert len(last) == 10
    table.say(last[0])
    game = table.sitting.course.playing.game
    made = table.sitting.course.playing.actions[0]
    assert game.action_name(made).startswith("suggest plum, lead pipe, ")


def test_a_cell_of_a_board_narrows_the_moves(tmp_path: Path) -> None:
    table = table_of(tmp_path, "saboteur")
    lines = pointed(table.panel("game").parts)
    assert lines
    cell = next(line for line in lines if line.startswith("pick"))
    table.say(cell)
    word = cell.split()[-1]
    names = table.sitting.course.name.display().said_names(
        table.sitting.course.sight(table.sitting.course.persons[0]).view
    )
    codes = {int(line.split()[1]) for line in table.lines("moves") if line.startswith("move")}
    assert codes <= {code for code, name in names.items() if name.endswith(f" {word}")}


def test_a_move_is_taken_back_to_before_the_last_one_of_this_person(tmp_path: Path) -> None:
    table = table_of(tmp_path, "tic_tac_toe")
    course = table.sitting.course
    assert table.lines("back") == []
    table.say("move 0 0")
    table.go_on()
    agent = course.playing.actions[1]
    (line,) = table.lines("back")
    table.say(line)
    assert course.playing.actions == []
    assert "took a move back" in table.words()
    table.killed()
    table.say("move 0 0")
    table.go_on()
    # Whoever decides from the same seed and the same knowledge decides the same.
    assert table.sitting.course.playing.actions == [0, agent]


def test_nothing_is_taken_back_where_that_was_ruled_out(tmp_path: Path) -> None:
    table = table_of(tmp_path, "tic_tac_toe", back="no")
    table.say("move 0 0")
    table.go_on()
    assert table.lines("back") == []
    with pytest.raises(SettingsError, match="taken back"):
        table.say("back 2")


def test_a_game_that_is_over_is_taken_back_and_ends_otherwise(tmp_path: Path) -> None:
    table = table_of(tmp_path, "tic_tac_toe", **SHARED)
    for at, cell in enumerate((0, 3, 1, 4, 2)):
        table.say(f"move {cell} {at}")
    course = table.sitting.course
    assert course.over
    table.say("back 5")
    assert not course.over
    table.say("move 8 4")
    assert course.playing.actions == [0, 3, 1, 4, 8]


def test_an_agent_that_would_think_for_hours_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="at most 60 seconds"):
        table_of(tmp_path, "kuhn_poker", others="second=mcts:seconds=3600")


def test_nobody_starts_a_program_from_a_page(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="started by the user of this machine alone"):
        table_of(tmp_path, "kuhn_poker", others="second=bot:touch,seconds=1")
    table = table_of(tmp_path, "kuhn_poker", others="second=random")
    assert not [text for text in offered_agents(table.sitting.course.playing.game) if "bot" in text]
    with pytest.raises(SettingsError, match="started by the user of this machine alone"):
        WatchedGame.of("kuhn_poker", "", "bot:touch random", 1)
    # Nor from a file of a table that somebody else has written.
    with pytest.raises(SettingsError, match="started by the user of this machine alone"):
        ready(table.sitting.course.name, ["bot:touch made"])
    with pytest.raises(SettingsError, match="started by the user of this machine alone"):
        working._maker(working.NamedGame("kuhn_poker", "{}", 1), "bot:touch made")


def test_what_several_people_have_seen_in_the_end_cannot_be_taken_back(tmp_path: Path) -> None:
    table = table_of(tmp_path, "kuhn_poker", **SHARED)
    for role in (0, 1):
        table.say(f"i-am {role}")
        table.say(f"move 0 {role}")
    assert table.sitting.course.over
    with pytest.raises(SettingsError, match="no move can be taken back here"):
        table.say("back 2")


# -- agents


def test_an_agent_that_fails_can_try_again(tmp_path: Path) -> None:
    table = table_of(tmp_path, "tic_tac_toe")
    table.say("move 0 0")
    job = table.sitting.due()
    assert job is not None
    table.sitting.failed(job, SettingsError("it was ended"))
    assert table.sitting.due() is None
    assert "it was ended" in table.words()
    table.say("again")
    table.go_on()
    assert len(table.sitting.course.playing.actions) == 2


def test_what_an_agent_may_not_do_is_no_move(tmp_path: Path) -> None:
    table = table_of(tmp_path, "tic_tac_toe")
    table.say("move 0 0")
    job = table.sitting.due()
    assert job is not None
    table.sitting.done(job, (0, None))
    assert "not legal" in table.words()
    assert table.sitting.course.playing.actions == [0]


def test_an_agent_thinks_as_in_the_terminal(tmp_path: Path) -> None:
    """Both go on by the same seeds, so a game that is saved here goes on there."""
    table = table_of(tmp_path, "leduc_poker", **{"seat 1": "mcts:simulations=30"})
    play_on(table, seed=4)
    sitting = table.sitting
    saved = tmp_path / "game.json"
    saved.write_bytes(sitting.download(0, "saved.json").here())
    found = load(saved)
    assert found.play.record() == sitting.course.playing.record()
    assert found.seats == ("you", "mcts:simulations=30")
    from sleuth.apps.play.seeds import agent_seed
    from sleuth.planners.agents import parse_agent

    agent = parse_agent("mcts:simulations=30").prepare(found.game)(agent_seed(found.play.seed, 1))
    again = type(found.play).new(found.game, seed=found.play.seed)
    for action in found.play.actions:
        if again.player == 1:
            assert agent.decide(again.view(1), again.seen_by(1)) == action
        again.apply(action)


def test_advice_comes_with_its_reason(tmp_path: Path) -> None:
    table = table_of(tmp_path, "leduc_poker", seed="3")
    table.say(f"advice {table.sitting.course.at}")
    advice = [job for job in table.sitting.jobs(0) if job.panel and job.panel.name == "advice"]
    (said,) = advice[0].make(*advice[0].arguments)
    assert "would choose" in said.text
    assert "of its simulations" in said.text
    (form,) = forms(table.panel("advice")) or [None]
    assert form is None  # it was asked for already


def test_advice_is_given_by_any_agent(tmp_path: Path) -> None:
    table = table_of(tmp_path, "leduc_poker", seed="3")
    (form,) = forms(table.panel("advice"))
    assert "random" in form.blanks[0].choices
    table.say(form.line, agent="random")
    (job,) = [job for job in table.sitting.jobs(0) if job.panel and job.panel.name == "advice"]
    (said,) = job.make(*job.arguments)
    assert said.text.startswith("random would choose")
    with pytest.raises(SettingsError, match="no such agent"):
        table.say(form.line, agent="nobody")


def test_belief_and_advice_are_shown_where_that_is_wanted(tmp_path: Path) -> None:
    table = table_of(tmp_path, "kuhn_poker", belief="no", advice="no")
    table.say("advice 0")
    assert table.sitting.jobs(0) == []
    assert not {"known", "advice"} & {*names(table)}


# -- afterwards


def test_another_game_has_another_deal(tmp_path: Path) -> None:
    table = table_of(tmp_path, LIARS_DICE)
    first = table.sitting.course.playing.seed
    play_on(table, seed=1)
    with pytest.raises(SettingsError):
        table.say("move 0 0")
    table.say("another")
    table.again()
    assert table.sitting.course.number == 1
    assert table.sitting.course.playing.seed != first
    play_on(table, seed=2)
    table.say("anew")
    assert forms(table.panel("who"))
    table.killed()
    assert forms(table.panel("who"))


@pytest.mark.parametrize("game", ["kuhn_poker", LIARS_DICE], ids=["kuhn_poker", "liars_dice"])
def test_a_game_that_is_over_is_looked_at_move_by_move(tmp_path: Path, game: str) -> None:
    table = table_of(tmp_path, game)
    play_on(table, seed=1)
    address = table.say("replay")
    place = table.lobby.place(address.removeprefix("/s/"))
    assert place is not None
    assert place.sitting.kind == "replay"
    assert any(panel.parts for panel in place.sitting.panels(0))
    table.killed()
    # Everybody is led to the same page.
    assert table.say("replay") == address
    assert len([kept for kept in table.lobby.kept() if kept.kind == "replay"]) == 1


def test_files_of_a_game_that_goes_on_are_for_who_plays_alone(tmp_path: Path) -> None:
    alone = table_of(tmp_path / "alone", "kuhn_poker")
    assert json.loads(alone.sitting.download(0, "saved.json").here())["played_by"] == {
        "first": "you", "second": "random"
    }  # fmt: skip
    several = table_of(tmp_path / "several", "kuhn_poker", **APART)
    for table in (alone, several):
        with pytest.raises(SettingsError):
            table.sitting.download(0, "record.json")
    with pytest.raises(SettingsError):
        several.sitting.download(0, "saved.json")


# -- games that are kept


def test_a_game_is_kept_when_all_have_agreed(tmp_path: Path) -> None:
    table = table_of(tmp_path, "kuhn_poker", **APART)
    with pytest.raises(SettingsError, match="who you are"):
        table.say("keep yes", 0)
    table.say("name", 0, name="Ann")
    with pytest.raises(SettingsError, match="has this name"):
        table.say("name", 1, name=" Ann ")
    table.say("name", 1, name="Ben")
    table.killed()
    assert "Ben (second)" in table.words(0)  # among the devices
    table.say("keep yes", 0)
    table.say("move 1 0", 0)
    table.say("move 1 1", 1)
    assert kept_games(tmp_path) == []
    table.say("keep yes", 1)
    (kept,) = kept_games(tmp_path)
    assert kept.people == ("Ann", "Ben")
    table.killed()
    assert "Your games are not kept" not in table.words(0)
    assert kept_games(tmp_path) == [kept]
    found = load(kept.path)
    assert found.play.record() == table.sitting.course.playing.record()
    assert found.seconds[0] is None  # the server was gone meanwhile
    assert found.seconds[1] is not None


@pytest.mark.parametrize("touch", ["keep no", "back 0", ""])
def test_a_game_is_not_kept_without_consent_or_with_moves_taken_back(
    tmp_path: Path, touch: str
) -> None:
    table = table_of(tmp_path, "kuhn_poker")
    if touch:
        table.say("name", name="Ann")
    if touch == "back 0":
        table.say("keep yes")
        table.say("move 1 0")
        table.say("back 1")
    elif touch:
        table.say(touch)
    play_on(table, seed=1)
    assert kept_games(tmp_path) == []


def test_somebody_without_a_name_answers_for_nobody(tmp_path: Path) -> None:
    table = table_of(tmp_path, "kuhn_poker")
    assert "keep yes" not in table.lines("keeping")
    with pytest.raises(SettingsError, match="say first who you are"):
        table.say("keep yes")


def test_nobody_answers_for_who_has_answered(tmp_path: Path) -> None:
    table = table_of(tmp_path, "kuhn_poker")
    table.say("name", name="Ann")
    table.say("keep no")
    table.say("keep no")
    with pytest.raises(SettingsError, match="already"):
        table.say("keep yes")
    play_on(table, seed=1)
    assert kept_games(tmp_path) == []


def test_a_game_goes_on_where_nobody_knows_who_has_agreed(tmp_path: Path) -> None:
    table = table_of(tmp_path, "kuhn_poker")
    table.say("name", name="Ann")
    table.say("keep yes")
    (people,) = tmp_path.rglob("people.json")
    people.write_text("{", "utf-8")
    assert "take the file away" in table.words(0)
    play_on(table, seed=1)


def names(table: PlayedTable, seat: int = 0) -> list[str]:
    """The panels that stand on a page."""
    found: list[Panel] = [each for each in table.sitting.panels(seat) if each.parts]
    return [each.name for each in found if each.name not in ("devices", "keeping")]
