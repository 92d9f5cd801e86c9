"""Nothing reaches a seat that its player cannot know: other worlds look the same to it."""

from __future__ import annotations

import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sleuth.apps.kit.answers.schema import to_json
from sleuth.apps.table.game.sitting import GameSitting
from sleuth.models.game import SPECTATOR, Game
from sleuth.models.kernels.randomness import generator
from sleuth.models.parcel import ViewParcel
from sleuth.models.play import Play

from .played import PlayedTable
from .test_playing import GAMES, table_of

HIDING = [game for game in GAMES if game != "tic_tac_toe"]
#: Moments of a game that are looked at, and worlds of each.
MOMENTS = 5
WORLDS = 2


def others(sitting: GameSitting, play: Play, viewer: int) -> list[Any]:
    """States that a player cannot tell from the true one."""
    known = sitting.course.name.display().game_belief()
    assert known is not None
    view = play.view(viewer)
    posterior = known.infer(view, play.seen_by(viewer))
    found: list[Any] = []
    rows = known.worlds(posterior, 4 * WORLDS, np.random.default_rng(len(play.actions)))
    for row in rows:
        states = view.states
        game: Game = play.game
        game.fill(states[0], row, game.tables, generator(1))
        if states.tobytes() != play.truth().tobytes():
            found.append(states)
    return found[:WORLDS]


def reached(sitting: GameSitting, seat: int) -> bytes:
    """All that a seat is sent, and what is worked out for it."""
    panels = [to_json(panel) for panel in sitting.panels(seat)]
    jobs = [(job.make.__qualname__, job.arguments) for job in sitting.jobs(seat)]
    return pickle.dumps(panels) + repr(jobs).encode()


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.rpartition(":")[2])
def test_a_seat_is_sent_the_same_in_every_world_that_its_player_holds_possible(
    tmp_path: Path, game: str
) -> None:
    here = {"seat 0": "a person here", "seat 1": "a person on device 2"}
    table = table_of(tmp_path, game, **here, guess="yes")
    course = table.sitting.course
    choose = random.Random(7)
    looked = 0
    while looked < MOMENTS:
        if course.over:
            course.take({"do": "another", "seed": looked + 10})
        play = course.playing
        if course.mover is not None and choose.random() < 0.5:
            looked += 1
            look(table, play)
        course.take({"do": "move", "action": int(choose.choice(play.legal().tolist()))})


def look(table: PlayedTable, play: Play) -> None:
    sitting, course = table.sitting, table.sitting.course
    mover = course.mover
    assert mover is not None
    table.say(f"advice {course.at}", mover.device)
    for person in course.persons:
        viewer = course.sight(person).view.viewer
        sitting.eyes(person.device).unguessed = ((course.number, course.at), person.roles)
        before = reached(sitting, person.device)
        assert before == reached(sitting, person.device)
        for states in others(sitting, play, viewer):
            course.play = play.supposing(states)
            assert reached(sitting, person.device) == before
        course.play = play


@pytest.mark.parametrize("game", HIDING, ids=lambda game: game.rpartition(":")[2])
def test_an_agent_is_handed_the_same_in_every_world_that_its_role_holds_possible(
    tmp_path: Path, game: str
) -> None:
    table = table_of(tmp_path, game, **{"seat 0": "random", "seat 1": "a person here"})
    sitting, course = table.sitting, table.sitting.course
    choose = random.Random(3)
    looked = 0
    while looked < MOMENTS:
        if course.over:
            course.take({"do": "another", "seed": looked + 10})
        play = course.playing
        if course.mover is None:
            looked += 1
            before = sitting.what_is_due()
            for states in others(sitting, play, play.player):
                course.play = play.supposing(states)
                assert sitting.what_is_due() == before
            course.play = play
        course.take({"do": "move", "action": int(choose.choice(play.legal().tolist()))})


def test_what_is_packed_for_another_process_is_what_was_there() -> None:
    play = Play.new("leduc_poker", seed=1)
    play.apply(1)
    play.apply(1)
    for viewer in (0, 1, SPECTATOR):
        packed = ViewParcel.of(play.view(viewer), play.seen_by(viewer))
        again = pickle.loads(pickle.dumps(packed))
        assert again == packed
        assert again.view(play.game) == play.view(viewer)
        assert again.seen(play.game) == play.seen_by(viewer)
