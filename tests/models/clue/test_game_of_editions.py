"""Clue without a board with the cards of other editions: its codes, its laws, its beliefs."""

from __future__ import annotations

import itertools
import json
import math
import os
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

import sleuth
from sleuth import Play, check_game, game
from sleuth.errors import SettingsError
from sleuth.games.clue import (
    Accusation,
    ClueRecord,
    SeenClue,
    Suggestion,
    edition,
    seen_game,
    simulate,
)
from sleuth.models.clue.edition import ClueEdition, made_edition
from sleuth.models.clue.editions import edition_names, edition_of_text, text_of

SMALL = made_edition(
    "small",
    {"suspect": ["a", "b"], "weapon": ["c", "d", "e"], "room": ["f", "g"]},
)
#: Games of each edition; SLEUTH_FUZZ=50000 plays a thousand.
GAMES = max(6, int(os.environ.get("SLEUTH_FUZZ", "0")) // 50)


@pytest.mark.parametrize("name", edition_names())
def test_codes_and_triples_are_each_others_reverse(name: str) -> None:
    box = edition(name)
    codes = box.codes
    assert [box.number_of(box.triple(number)) for number in range(box.triples)] == [
        *range(box.triples)
    ]
    assert list(map(box.triple, range(box.triples))) == [
        *itertools.product(*box.categories.values())
    ]
    assert (codes.show, codes.accuse) == (box.triples, box.triples + len(box.cards))
    assert codes.passing < codes.showed < codes.base


def test_a_game_of_ones_own_edition_carries_its_cards(tmp_path: Path) -> None:
    path = tmp_path / "small.json"
    path.write_text(json.dumps(SMALL.to_json()))
    made = game("clue_table", edition=str(path), players=2)
    assert edition_of_text(made.settings["edition"]) == SMALL
    again = game("clue_table", **made.settings)
    assert again.settings == made.settings
    assert text_of(edition("junior")) == "junior"
    with pytest.raises(SettingsError, match="no such edition"):
        game("clue_table", edition="juniour")


@pytest.mark.parametrize("players", [2, 4, 8])
def test_the_game_keeps_the_contract(players: int) -> None:
    check_game(game("clue_table", edition=text_of(SMALL), players=players, turns=4), plays=1)


def counted(game: SeenClue) -> dict[tuple[str, ...], float]:
    """P(case file), by a list of all deals: no language, no engine.

    A deal counts as often as the players would have shown what the viewer saw.
    """
    box: ClueEdition = game.edition
    found: dict[tuple[str, ...], float] = defaultdict(float)
    for file in itertools.product(*box.categories.values()):
        if {*file} & {*game.face_up}:
            continue
        rest = [card for card in box.cards if card not in {*file, *game.face_up}]
        for deal in deals(rest, dict(game.hand_sizes)):
            if game.own_hand and deal[game.viewer] != {*game.own_hand}:
                continue
            found[file] += math.prod(
                chance(seen.event, file, deal, game.viewer) for seen in game.events
            )
    total = sum(found.values())
    return {file: weight / total for file, weight in found.items() if weight}


def deals(cards, sizes):
    if not sizes:
        yield {}
        return
    player, *others = sizes
    for hand in itertools.combinations(cards, sizes[player]):
        left = [card for card in cards if card not in hand]
        for deal in deals(left, {other: sizes[other] for other in others}):
            yield {player: {*hand}, **deal}


def chance(event, file, deal, viewer) -> float:
    if isinstance(event, Accusation):
        told = event.seen is None or event.seen == file
        return float(event.correct == (event.cards == file) and told)
    assert isinstance(event, Suggestion)
    players = [*deal]
    place = players.index(event.by)
    for player in players[place + 1 :] + players[:place]:
        held = deal[player] & {*event.cards}
        if held:
            if event.refuter != player:
                return 0.0
            if event.shown is None:
                return 1.0
            return (event.shown in held) / len(held)
    return float(event.refuter is None)


@pytest.mark.parametrize("players, hand", [(2, None), (2, 1), (3, 1)])
def test_the_belief_is_that_of_all_deals(players: int, hand: int | None) -> None:
    settings = {"players": players, "edition": text_of(SMALL), "turns": 6}
    made = game("clue_table", **settings, **({} if hand is None else {"hand": hand}))
    believed = sleuth.belief(made)
    for seed in range(GAMES):
        play, rng = Play.new(made, seed=seed), np.random.default_rng(seed)
        while not play.over and len(play.actions) < 12:
            play.apply(int(rng.choice(play.legal())))
        for viewer in range(players):
            view, seen = play.view(viewer), play.seen_by(viewer)
            expected = counted(seen_game(view, seen))
            posterior = believed.infer(view, seen)
            (file,) = believed.hidden(view).values() if not play.over else (None,)
            if file is not None:
                assert posterior.marginal(file) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("name", edition_names())
def test_simulated_games_keep_the_rules_and_come_back_as_they_were(name: str) -> None:
    box = edition(name)
    for seed in range(GAMES):
        rng = np.random.default_rng(seed)
        players = int(rng.integers(2, 11))
        record = simulate(players, rng, turns=8, edition=box, guess=0.05)
        hands = [card for hand in record.dealt or () for card in hand]
        assert sorted([*hands, *record.face_up, *(record.case_file or ())]) == sorted(box.cards)
        assert ClueRecord.from_json(record.to_json()) == record
        for viewer in record.viewers():
            assert {*record.seen_by(viewer).own_hand} <= {*box.cards}


@pytest.mark.usefixtures("plain_python")
def test_agents_play_other_editions() -> None:
    made = game("clue_table", edition=text_of(SMALL), players=3, turns=12)
    for name in ("entropy", "daring", "ledford", "mcts:simulations=40"):
        match = sleuth.play_match(made, [name, "random", "random"], games=1, seed=3)
        assert sum(match.wins) <= 1
