"""What people played: counted, saved, deleted after a question, and what more would bring."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import numpy as np
import pytest

import sleuth
from sleuth.apps.table.lobby import Lobby
from sleuth.apps.table.people import gaining, keeping
from sleuth.apps.table.people.sitting import PlayedGames
from sleuth.apps.table.sitting import Line
from sleuth.apps.table.web.markup import panel_html
from sleuth.errors import RecordError, SleuthError
from sleuth.models.play import person_named
from sleuth.training.learning_curve import LEAST_GAMES, learning_curve
from sleuth.training.rows import RowMaker, TrainingRows

Page = Callable[[], PlayedGames]


@pytest.fixture
def lobby(tmp_path: Path) -> Iterator[Lobby]:
    made = Lobby(tmp_path)
    for name in ("Anna", "Ben"):
        keeping.answer(tmp_path, name, True)
    keeping.answer(tmp_path, "Cleo", False)
    yield made
    made.close()


@pytest.fixture
def page(lobby: Lobby) -> PlayedGames:
    place = lobby.place(lobby.make("people", {}).tokens[0])
    assert place is not None
    assert isinstance(place.sitting, PlayedGames)
    return place.sitting


def keep(folder: Path, name: str, seed: int, *seats: str) -> None:
    play, random = sleuth.Play.new(name, seed=seed), np.random.default_rng(seed)
    while not play.over:
        play.apply(int(random.choice(play.legal())))
    assert keeping.keep(folder, play.record(), [1.0] * len(play.actions), seats) is not None


def shown(page: PlayedGames) -> str:
    return "".join(panel_html(panel) for panel in page.panels(0))


def say(page: PlayedGames, line: str) -> None:
    page.take(0, Line(line, {}, line))


def test_it_says_how_many_games_there_are_and_of_whom(page: PlayedGames, lobby: Lobby) -> None:
    assert "No game is kept yet" in shown(page)
    for seed in range(3):
        keep(lobby.folder, "kuhn_poker", seed, person_named("Anna"), person_named("Ben"))
    keep(lobby.folder, "cheat", 1, person_named("Anna"), "random")
    said = shown(page)
    for words in ("Kuhn Poker", "Cheat", "Anna", "Cleo", "sleuth train cheat"):
        assert words in said
    assert "Nothing says what can be learned" in said
    assert "There are too few: 1 game" in said
    assert page.due() is None


def test_everything_is_saved_and_deleted_after_a_question(page: PlayedGames, lobby: Lobby) -> None:
    for seed in range(2):
        keep(lobby.folder, "kuhn_poker", seed, person_named("Anna"), "random")
    keep(lobby.folder, "kuhn_poker", 7, person_named("Ben"), "random")
    for name, count in (("played", 3), ("game-kuhn-poker", 3)):
        content = page.download(0, name).content
        assert isinstance(content, bytes)
        with ZipFile(BytesIO(content)) as archive:
            assert len(archive.namelist()) == count
    with pytest.raises(SleuthError):
        page.download(0, "person-x")
    say(page, "forget Anna")
    assert "2 games" in shown(page)
    assert len(keeping.kept_games(lobby.folder)) == 3, "it is asked first"
    say(page, "leave")
    say(page, "sure forget Anna")
    assert len(keeping.kept_games(lobby.folder)) == 3, "nothing was asked"
    say(page, "forget Anna")
    say(page, "sure forget Anna")
    assert len(keeping.kept_games(lobby.folder)) == 1
    say(page, "delete all")
    say(page, "sure delete all")
    assert keeping.kept_games(lobby.folder) == []
    with pytest.raises(SleuthError):
        say(page, "nonsense")


def test_the_page_is_reached_from_the_lobby_and_is_no_table_of_it(lobby: Lobby) -> None:
    from sleuth.apps.table.home import Home

    home = Home(lobby)
    address = home.take(0, Line("new people", {}, "a"))
    said = {panel.name: panel_html(panel) for panel in home.panels(0)}
    assert address in said["people"]
    assert address not in said["goes-on"]


class Leads(RowMaker):
    """Whether the first player of Kuhn poker bets, who does so with a king in these games."""

    game = "kuhn_poker"
    features = ("card", "noise")
    labels = {"bets": "they bet"}  # noqa: RUF012

    def row(self, view: object, seen: object) -> None:
        return None

    def label(self, outcome: object) -> dict[str, bool | None]:
        return {"bets": None}


def rows(games: int, *, known: bool) -> TrainingRows:
    """Rows of games in which the first feature says it all, or nothing does."""
    random = np.random.default_rng(3)
    features, table = [], []
    for game in range(games):
        for turn in range(12):
            card, noise = random.integers(2), random.random()
            bets = card if known else random.integers(2)
            features.append((float(card), noise))
            table.append((int(bets), 0, 1, game, 1, turn))
    return TrainingRows.made(Leads(), features, table, ("Anna", "Ben"))


def test_a_curve_falls_where_there_is_something_to_learn_and_not_where_there_is_nothing() -> None:
    found = learning_curve(rows(LEAST_GAMES, known=True), model="tree")
    assert found.points[-1].loss < 0.25 < found.baseline
    assert found.points[-1].games == 0.75 * LEAST_GAMES
    assert found.interval[0] > 0.0
    said = gaining.said(found, choices=False)
    assert "more games help" in str(said) or "not known to help" in str(said)
    nothing = learning_curve(rows(LEAST_GAMES, known=False), model="tree")
    assert nothing.interval[0] < 0.0
    assert "knows no more than the base rate" in str(gaining.said(nothing, choices=False))
    with pytest.raises(RecordError):
        learning_curve(rows(LEAST_GAMES - 1, known=True))


def test_what_more_would_bring_is_worked_out_when_it_is_asked(
    page: PlayedGames, lobby: Lobby, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sleuth.training.learning_curve.FOLDS", 2)
    monkeypatch.setattr("sleuth.training.learning_curve.SHARES", (0.5, 1.0))
    for seed in range(LEAST_GAMES):
        keep(lobby.folder, "scotland_yard", seed, person_named("Anna"), *["random"] * 5)
    assert page.due() is None
    say(page, "gain scotland_yard")
    jobs = 0
    while (job := page.due()) is not None:
        page.done(job, job.make(*job.arguments))
        jobs += 1
        if jobs == 1:
            assert "1 of 4 parts" in shown(page)
    assert jobs == 5
    said = shown(page)
    assert f"in {LEAST_GAMES} games" in said
    assert "against all alike" in said
    say(page, "delete scotland_yard")
    say(page, "sure delete scotland_yard")
    assert page.due() is None
