"""Replays: any record and games of agents, moment by moment, with anybody's eyes; nothing leaks."""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sleuth
from sleuth.apps.table.lobby import Lobby
from sleuth.apps.table.replay.reels import PlayReel
from sleuth.apps.table.replay.sitting import Replay
from sleuth.apps.table.replay.sources import MOST_BYTES
from sleuth.apps.table.sitting import Job, Line
from sleuth.apps.table.web.markup import panel_html
from sleuth.data.files import resource
from sleuth.errors import SettingsError, SleuthError
from sleuth.kit import GAMES, PlayRecord
from sleuth.models.clue.record.record import ClueRecord
from sleuth.models.game import HIDDEN
from sleuth.models.recorded import played_again
from sleuth.models.records.play_start import state_from_json
from sleuth.planners.matches.winning import winning_chances

Make = Callable[..., Replay]


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    made = Lobby(tmp_path)
    yield made
    made.close()


@pytest.fixture
def replay(lobby: Lobby) -> Make:
    def make(**blanks: str) -> Replay:
        place = lobby.place(lobby.make("replay", blanks).tokens[0])
        assert place is not None
        assert isinstance(place.sitting, Replay)
        return place.sitting

    return make


def work(replay: Replay, most: int = 1_000) -> list[Job]:
    """Do all that is due, as workers do it."""
    done: list[Job] = []
    while len(done) < most and (job := replay.due()) is not None:
        done.append(job)
        try:
            answer = job.make(*job.arguments)
        except SleuthError as error:
            replay.failed(job, error)
        else:
            replay.done(job, answer)
    return done


def say(replay: Replay, text: str, touch: str = "", **blanks: str) -> str:
    return replay.take(0, Line(text, blanks, touch or f"{text} {len(blanks)}"))


def shown(replay: Replay) -> dict[str, str]:
    return {panel.name: panel_html(panel) for panel in replay.panels(0)}


def saved(replay: Replay) -> Any:
    content = replay.download(0, "record").content
    assert isinstance(content, bytes)
    return json.loads(content)


def played(name: str, seed: int = 1, most: int = 12, **settings: Any) -> PlayRecord:
    game = sleuth.game(name, **settings)
    play, random = sleuth.Play.new(game, seed=seed), np.random.default_rng(seed)
    while not play.over and len(play.actions) < most:
        play.apply(int(random.choice(play.legal())))
    return play.record()


def of(record: PlayRecord) -> str:
    return json.dumps(record.to_json())


@pytest.mark.parametrize("name", ["gregstoll_simple_suggest", "agents_caught_early"])
def test_a_record_in_its_own_notation_is_shown_at_every_moment(replay: Make, name: str) -> None:
    one = replay(example=name)
    work(one)
    events = {"gregstoll_simple_suggest": 1, "agents_caught_early": 42}[name]
    for at in (0, 1, events):
        say(one, f"at {at}", f"{at}")
        page = shown(one)
        assert f"Move {at} of {events}" in page["table"]
        assert "working it out" not in "".join(page.values())
        assert "style=" not in "".join(page.values())


def test_a_partial_record_offers_only_the_eyes_that_it_has(replay: Make) -> None:
    page = shown(replay(example="neller_main"))
    assert "scarlet" in page["eyes"]
    assert "spectator" in page["eyes"]
    assert "mustard" not in page["eyes"]
    assert "everybody" not in page["eyes"]


def test_steps_keys_and_links_lead_where_they_say(replay: Make) -> None:
    one = replay(record=of(played("kuhn_poker")))
    work(one)
    length = len(played("kuhn_poker").actions)
    where = {
        "next": 1, "last": length, "back": length - 1, "first": 0, "at #1-2": 1, "at 999": length,
        "at 0": 0,
    }  # fmt: skip
    for line, at in where.items():
        say(one, line)
        assert f"Move {at} of {length}" in shown(one)["table"]
    say(one, "go", to="2")
    page = shown(one)
    assert "Move 2 of" in page["table"]
    assert "#2-2" in page["steps"]
    assert 'rel="bookmark"' in page["steps"]
    for key in ("ArrowLeft", "ArrowRight", "Home", "End", "Space", "+", "-"):
        assert f'aria-keyshortcuts="{key}"' in page["steps"]
    with pytest.raises(SleuthError):
        say(one, "nonsense")
    with pytest.raises(SleuthError):
        say(one, "at x")


def test_it_runs_at_a_speed_and_waits_for_what_is_not_known_yet(replay: Make) -> None:
    one = replay(record=of(played("kuhn_poker")))
    assert one.later() is None
    say(one, "run")
    seconds = one.later()
    assert seconds == 1.0
    one.tick()
    assert "Move 0 of" in shown(one)["table"]
    work(one)
    one.tick()
    assert "Move 1 of" in shown(one)["table"]
    say(one, "faster")
    assert one.later() == 0.5
    for _ in range(9):
        one.tick()
    assert one.later() is None


def test_a_touch_counts_once_and_the_place_outlives_the_server(lobby: Lobby) -> None:
    token = lobby.make("replay", {"record": of(played("kuhn_poker"))}).tokens[0]
    place = lobby.place(token)
    assert place is not None
    place.sitting.take(0, Line("next", {}, "a"))
    assert place.sitting.known("a")
    lobby.close()
    again = Lobby(lobby.folder).place(token)
    assert again is not None
    assert again.sitting.known("a")
    assert "Move 1 of" in "".join(panel_html(panel) for panel in again.sitting.panels(0))


def test_a_touch_that_leads_to_another_game_makes_one(lobby: Lobby) -> None:
    record = {"record": of(played("kuhn_poker"))}
    place = lobby.place(lobby.make("replay", record).tokens[0])
    assert place is not None
    led = {place.sitting.take(0, Line("watch", {"seed": "1"}, "a")) for _ in range(2)}
    assert len(led) == 1
    assert len(list(lobby.kept())) == 2


def test_agents_are_watched_and_a_server_that_was_killed_goes_on(lobby: Lobby) -> None:
    blanks = {"game": "leduc_poker", "agents": "mcts:simulations=20 random", "seed": "5"}
    token = lobby.make("replay", blanks).tokens[0]
    place = lobby.place(token)
    assert place is not None
    assert isinstance(place.sitting, Replay)
    assert place.sitting.later() is not None, "whoever comes to watch need not ask for it"
    work(place.sitting, most=4)
    lobby.close()
    again = Lobby(lobby.folder).place(token)
    assert again is not None
    assert isinstance(again.sitting, Replay)
    work(again.sitting)
    say(again.sitting, "last")
    work(again.sitting)
    record = saved(again.sitting)
    game = sleuth.game("leduc_poker")
    assert PlayRecord.from_json(record).replay(game).over
    whole = {**blanks, "seed": "5"}
    unbroken = lobby.place(lobby.make("replay", whole).tokens[0])
    assert unbroken is not None
    assert isinstance(unbroken.sitting, Replay)
    work(unbroken.sitting)
    say(unbroken.sitting, "last")
    work(unbroken.sitting)
    assert saved(unbroken.sitting) == record


def test_a_move_that_cannot_be_kept_is_made_again(
    lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    blanks = {"game": "leduc_poker", "agents": "random random", "seed": "5"}
    token = lobby.make("replay", blanks).tokens[0]
    place = lobby.place(token)
    assert place is not None
    assert isinstance(place.sitting, Replay)

    def full(*_: object) -> None:
        raise SettingsError("the disk is full")

    with monkeypatch.context() as now:
        now.setattr("sleuth.apps.table.kept.SittingFile.write", full)
        with pytest.raises(SettingsError):
            work(place.sitting)
    work(place.sitting)
    record = saved(place.sitting)
    lobby.close()
    again = Lobby(lobby.folder).place(token)
    assert again is not None
    assert isinstance(again.sitting, Replay)
    assert saved(again.sitting) == record
    assert record["actions"]


def test_agents_are_not_far_ahead_of_who_watches(replay: Make) -> None:
    one = replay(game="saboteur", agents="random " * 5, seed="3")
    moves = 0
    while (job := one.due()) is not None:
        if job.make.__name__ == "move":
            one.done(job, job.make(*job.arguments))
            moves += 1
        else:
            # What is shown of a moment does not matter here.
            one.failed(job, SettingsError("this is not worked out here"))
    assert moves == 12
    say(one, "at 3")
    assert one.due() is not None


@pytest.mark.parametrize(
    "name, field, most",
    [("clue_table", "holder", 9), ("leduc_poker", "cards", 2), ("saboteur", "roles", 8)],
)
def test_nothing_that_a_viewer_is_shown_changes_with_what_they_cannot_see(
    name: str, field: str, most: int
) -> None:
    """The pages and the work of every viewer, of plays whose hidden part alone differs."""
    record, compared = played(name, most=most), 0
    game = sleuth.game(name)
    one = PlayReel(record.replay(game))
    for viewer in (*range(game.players), -1):
        other = _looking_alike(one.play, viewer, field)
        if other is None:
            continue
        assert other.play.truth().tobytes() != one.play.truth().tobytes()
        eyes = 1 + (viewer if viewer >= 0 else game.players)
        for at in range(one.length + 1):
            for what in ("scene", "chance"):
                mine, theirs = (each.places(what, eyes, at) for each in (one, other))
                assert [one.job(p) for p in mine] == [other.job(p) for p in theirs]
            assert one.table(eyes, at) == other.table(eyes, at)
            assert one.event(eyes, at) == other.event(eyes, at)
            compared += 1
    assert compared > one.length


def _looking_alike(play: sleuth.Play, viewer: int, field: str) -> PlayReel | None:
    """A play with other hidden values that looks the same to a viewer at every moment."""
    game, random = play.game, np.random.default_rng(viewer + 2)
    start = state_from_json(play.record().start, game)
    hidden = np.flatnonzero(game.masked(start, viewer)[0][field] == HIDDEN)
    for _ in range(2_000):
        states = start.copy()
        states[0][field][hidden] = random.permutation(states[0][field][hidden])
        if states.tobytes() == start.tobytes():
            continue
        other = sleuth.Play(game, play.seed, states)
        try:
            for action in play.actions:
                other.apply(action)
        except SleuthError:
            continue
        if other.seen_by(viewer) == play.seen_by(viewer) and other.view(viewer) == play.view(
            viewer
        ):
            return PlayReel(other)
    return None


def test_nor_with_what_else_a_written_record_says(replay: Make) -> None:
    """Two players' cards change places; who cannot see them is shown the same at every moment."""
    value = json.loads(resource("clue", "games", "ledford_06.json").read_text("utf-8"))
    viewer, one, other = value["players"][:3]
    own = ClueRecord.from_json(value).seen_by(viewer)
    for mine, theirs in itertools.product(value["hands"][one], value["hands"][other]):
        changed = json.loads(json.dumps(value))
        changed["hands"][one][changed["hands"][one].index(mine)] = theirs
        changed["hands"][other][changed["hands"][other].index(theirs)] = mine
        with contextlib.suppress(SleuthError):
            if ClueRecord.from_json(changed).seen_by(viewer) == own:
                break
    else:
        pytest.fail("no two cards can change places")
    pages: list[list[dict[str, str]]] = []
    for each in (value, changed):
        made = replay(record=json.dumps(each))
        shown_here: list[dict[str, str]] = []
        for eyes in (0, 1):
            for at in range(len(value["events"]) + 1):
                say(made, f"at {at}-{eyes}", f"{at}-{eyes}")
                work(made)
                page = shown(made)
                # The address of the page is its own.
                shown_here.append({n: page[n] for n in ("table", "belief", "open", "events")})
        pages.append(shown_here)
    half = len(pages[0]) // 2
    assert pages[0][:half] == pages[1][:half]
    assert pages[0][half:] != pages[1][half:], "whoever holds one of them sees the difference"


def test_only_everybody_in_a_finished_record_is_shown_the_truth(replay: Make) -> None:
    whole = replay(record=of(played("kuhn_poker")))
    jobs = work(whole)
    assert "true_chances" in {job.make.__name__ for job in jobs}
    # The second player has the king; the first holds that and the queen for equally likely.
    assert "card of second: king, 50 %" in shown(whole)["belief"]
    say(whole, "eyes 1")
    assert not {"held_true", "true_chances"} & {job.make.__name__ for job in work(whole)}
    page = shown(whole)
    assert "king" not in page["table"]
    assert "card of second: king" not in page["belief"]
    part = replay(record=of(played("kuhn_poker", most=1)))
    assert "true_chances" not in {job.make.__name__ for job in work(part)}


def test_a_chance_to_win_says_how_it_was_found_and_how_sure_it_is(replay: Make) -> None:
    one = replay(record=of(played("leduc_poker", most=2)))
    say(one, "eyes 1")
    work(one)
    page = shown(one)["chance"]
    assert "Of 400 games" in page
    assert "95 % interval" in page
    assert "<svg" in page


def test_chances_are_those_of_the_deals_that_fit() -> None:
    play = sleuth.Play.new("kuhn_poker", seed=1)
    play.apply(1)
    play.apply(1)
    view, seen = play.view(0), play.seen_by(0)
    found = winning_chances(view, seen, sleuth.belief("kuhn_poker"))
    # The bets are equal and the first player has the jack: they have lost, whatever the other has.
    assert found.shares == (0.0, 1.0)
    assert found.games in (0, 400)


def test_records_of_every_form_are_taken(replay: Make, lobby: Lobby) -> None:
    lines = resource("cheat", "example.jsonl").read_text("utf-8")
    many = replay(record=lines, file="games.jsonl")
    page = shown(many)
    assert "Another of the" in page["record"]
    address = say(many, "number", number="2")
    place = lobby.place(address.removeprefix("/s/"))
    assert place is not None
    assert isinstance(place.sitting, Replay)
    assert "#0" in "".join(shown(place.sitting).values())


def test_what_is_no_record_is_refused_and_nothing_is_made(lobby: Lobby) -> None:
    refused = [
        {"record": "nonsense"},
        {"record": "[1]"},
        {"record": "x" * (MOST_BYTES + 1)},
        {"record": json.dumps({"game": "no_such_game", "actions": []})},
        {"example": "../../etc/passwd"},
        {"game": "no_such_game"},
        {"game": "/tmp/x.py:GAME"},
        {"game": "kuhn_poker", "agents": "nobody nobody"},
        {"game": "kuhn_poker", "seed": "-1"},
    ]
    for blanks in refused:
        with pytest.raises(SleuthError):
            lobby.make("replay", blanks)
    assert not list(lobby.kept())


def test_workers_find_a_game_of_an_earlier_version_of_its_rules() -> None:
    folder = Path(__file__).parents[2] / "data" / "files_of_0_1"
    play = played_again(PlayRecord.load(folder / "later_scotland_yard.json"))
    named = PlayReel(play).named
    assert named.version < GAMES["scotland_yard"].game(edition="later").version
    assert play.record().replay(named.game).truth().tobytes() == play.truth().tobytes()
