"""Cards, tools, maps, talk, ends and pay; the settings; and what nobody may see."""

from __future__ import annotations

import importlib
import math
from collections import Counter
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from sleuth import HIDDEN, OVER, SPECTATOR, Game, Play, check_game, together
from sleuth import game as game_of
from sleuth.errors import RecordError, SettingsError
from sleuth.games.saboteur import SaboteurBelief, saboteur
from sleuth.kit import PlayRecord, generator
from sleuth.models.game import States
from sleuth.models.saboteur.cards import counts_of, deck, gold_cards
from sleuth.models.saboteur.rules import apply
from sleuth.models.saboteur.state import DISCARD, MINERS_WIN, SABOTEURS_WIN

from .plain_rules import rows
from .situations import TIGHT, code_of, drawn, legal_names

COMPILED = hasattr(apply, "py_func")
EMPTY = """
    . . . . . . . . ?
    . . . . . . . . .
    S . . . . . . . ?
    . . . . . . . . .
    . . . . . . . . ?
"""
ALMOST = EMPTY.replace("S . . . . . . .", "S EW EW EW EW EW EW .")


def do(states: States, name: str, game: Game = TIGHT, seed: int = 1) -> None:
    game.apply(states[0], code_of(name, states, game), game.tables, generator(seed))


# Cards and settings


def test_the_deck_has_67_cards_in_every_game() -> None:
    assert sum(counts_of(3)) == sum(counts_of(1)) == 67
    left = [card.kind for card, count in zip(deck(), counts_of(1), strict=True) if count]
    assert Counter(left) == {
        "path": 7, "dead_end": 9, "break": 1, "repair": 1, "rockfall": 1, "map": 1,
    }  # fmt: skip
    assert [counts_of(1)[16], counts_of(1)[19]] == [9, 9]
    counts: Counter[tuple[str, int]] = Counter()
    for card in deck():
        counts[card.kind, len(card.tools)] += card.count
    assert counts == {
        ("path", 0): 31, ("dead_end", 0): 9, ("break", 1): 9, ("repair", 1): 6, ("repair", 2): 3,
        ("rockfall", 0): 3, ("map", 0): 6,
    }  # fmt: skip


def test_a_card_too_many_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from sleuth.models.saboteur import cards

    table = cards.read_table
    monkeypatch.setattr(cards, "read_table", lambda *path: [*table(*path), table(*path)[-1]])
    with pytest.raises(RecordError, match="order"):
        deck.__wrapped__()


@pytest.mark.parametrize("row", rows("roles.csv"), ids=lambda row: row["players"])
def test_hands_deck_and_worlds_of_roles(row: dict[str, str]) -> None:
    players, saboteurs = int(row["players"]), int(row["saboteur_cards"])
    game = saboteur(players=players)
    state: Any = game.initial(players)[0]
    assert (state.hands[:players] >= 0).sum(axis=1).tolist() == [int(row["hand_size"])] * players
    assert state.left == int(row["draw_pile_after_deal"])
    assert int(row["role_worlds"]) == math.comb(players + 1, saboteurs)
    assert round(2 ** entropy_of_roles(game), 6) == int(row["role_worlds"])


def entropy_of_roles(game: Game) -> float:
    """Bits of what somebody who looks on does not know of the roles."""
    play = Play.new(game, seed=0)
    belief = SaboteurBelief()
    view = play.view(SPECTATOR)
    hidden = belief.hidden(view)
    roles = [feature for name, feature in hidden.items() if name.startswith("role")]
    assert len(roles) == game.players
    return float(belief.infer(view, play.seen_by(SPECTATOR)).entropy(together(*roles)))


def test_the_paper_has_ten_worlds_of_roles() -> None:
    game = saboteur("paper")
    assert round(2 ** entropy_of_roles(game), 6) == 10
    dealt = Counter(tuple(game.initial(seed)[0].roles[:6].tolist()) for seed in range(2_000))
    assert len(dealt) == 10
    assert all(sum(roles) == 2 and roles[5] == 0 for roles in dealt)
    assert max(abs(count - 200) for count in dealt.values()) < 70  # 5 standard deviations


def test_presets_and_settings() -> None:
    paper = saboteur("paper")
    assert (paper.tables.rules[0].width, paper.tables.rules[0].cells) == (13, 169)
    assert paper.settings == saboteur("paper", players=5, tools=1, spare=False).settings
    assert saboteur(**paper.settings).settings == paper.settings
    assert saboteur("tight").tables.rules[0].cells == 45
    assert saboteur("tight", players=6, saboteurs=3).settings["saboteurs"] == 3
    assert saboteur(players=10).settings["hand"] == 4


@pytest.mark.parametrize(
    "settings, said",
    [
        ({"players": 11}, r"players is out of range \(got 11\)"),
        ({"rules": "papers"}, "did you mean 'paper'"),
        ({"placing": "anywhere"}, "no such choice"),
        ({"tools": 2}, "known: 1, 3"),
        ({"spare": 3}, "known: False, True"),
        ({"saboteurs": 5}, "saboteurs"),
        ({"players": 10, "hand": 6, "stock": 8}, "from 0 to 7"),
    ],
)
def test_impossible_settings_are_refused(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        saboteur(**settings)


# Tools


def test_a_broken_tool_stops_paths_until_it_is_mended() -> None:
    states = drawn(EMPTY, ["EW", "break cart", "repair pickaxe+cart"])
    state: Any = states[0]
    names = legal_names(states)
    assert {f"break cart player {number}" for number in (2, 3, 4, 5)} <= names
    assert "break cart player 1" not in names
    assert not any(name.startswith("repair") for name in names)
    do(states, "break cart player 2")
    state.player = 0
    state.hands[0, :] = [*sorted(state.hands[0, :3].tolist()), -1, -1, -1]
    assert state.broken.tolist()[:5] == [0, 4, 0, 0, 0]
    assert "repair cart player 2 by pickaxe+cart" in legal_names(states)
    state.hands[0, 0] = 18  # another broken cart
    state.hands[0, :3].sort()
    assert "break cart player 2" not in legal_names(states)
    assert "break cart player 3" in legal_names(states)
    state.broken[0] = 5
    names = legal_names(states)
    assert not any(name.startswith("EW") for name in names)
    assert {name for name in names if name.startswith("repair")} == {
        "repair pickaxe player 1 by pickaxe+cart",
        "repair cart player 1 by pickaxe+cart",
        "repair cart player 2 by pickaxe+cart",
    }
    do(states, "repair pickaxe player 1 by pickaxe+cart")
    assert state.broken.tolist()[:3] == [4, 4, 0]


def test_the_paper_has_one_block_a_player() -> None:
    game = saboteur("paper")
    states = game.initial(0)
    states[0].hands[0] = [16, 19, -1, -1, -1, -1]
    assert legal_names(states, game) == {
        *(f"break tools player {number}" for number in (2, 3, 4, 5)),
        "discard break tools",
        "discard repair tools",
    }
    states[0].broken[:5] = [1, 1, 0, 1, 1]
    assert {name for name in legal_names(states, game) if "discard" not in name} == {
        "break tools player 3",
        *(f"repair tools player {number}" for number in (1, 2, 4, 5)),
    }


# Rock-falls, maps and talk


def test_a_rockfall_removes_a_path_card_and_what_it_joined() -> None:
    states = drawn(EMPTY.replace("S . .", "S EW EW"), ["rockfall", "EW"])
    assert {name for name in legal_names(states) if "rockfall" in name} == {
        "rockfall b3", "rockfall c3", "discard rockfall",
    }  # fmt: skip
    assert "EW d3" in legal_names(states)
    do(states, "rockfall b3")
    state: Any = states[0]
    assert state.reached.sum() == 1
    state.player = 0
    names = legal_names(states)
    assert "EW b3" in names
    assert "EW d3" not in names


def test_a_map_shows_a_goal_to_one_player_who_may_lie() -> None:
    game = saboteur("tight")
    play = Play.new(game, seed=5)
    while "map middle" not in names_of(play):
        play.apply(int(play.legal()[-1]))
    mover = play.player
    other = (mover + 1) % 5
    play.apply(next(a for a in play.legal().tolist() if game.action_name(a) == "map middle"))
    card = int(play.truth()[0].goals[1])
    assert play.view(mover).states[0].goals.tolist() == [HIDDEN, card, HIDDEN]
    assert play.view(other).states[0].goals.tolist() == [HIDDEN] * 3
    assert play.view(other).states[0].looked[mover] == 2  # everybody saw which goal it was
    assert play.player == mover
    assert names_of(play) == {"say gold", "say stone", "say nothing"}
    lie = "say stone" if card == 0 else "say gold"
    play.apply(next(a for a in play.legal().tolist() if game.action_name(a) == lie))
    assert play.player == other
    assert play.view(SPECTATOR).states[0].claims[mover].tolist() == [0, 1 + (card == 0), 0]


def names_of(play: Play) -> set[str]:
    return {play.game.action_name(action) for action in play.legal().tolist()}


def test_nothing_is_said_where_nobody_talks() -> None:
    game = saboteur("tight", claims="none")
    states = drawn(EMPTY, ["map"], game=game)
    do(states, "map top", game)
    assert states[0].player == 1
    assert states[0].saying == 0
    states = drawn(EMPTY, ["map"])
    do(states, "map top")
    do(states, "say nothing")
    assert states[0].claims.sum() == 0
    assert states[0].player == 1


def test_what_is_discarded_only_its_player_knows() -> None:
    play = Play.new(TIGHT, seed=2)
    action = int(play.legal()[-1])
    assert action >= DISCARD
    play.apply(action)
    assert play.view(0).states[0].thrown[0] == action - DISCARD
    for viewer in (1, 4, SPECTATOR):
        assert play.view(viewer).states[0].thrown[0] == HIDDEN
        assert play.seen_by(viewer).events[-1].event.observation % TIGHT.action_space == DISCARD


# Ends and pay


def test_the_miners_win_with_the_gold_and_all_is_shown() -> None:
    states = drawn(ALMOST, ["EW"], [1, 0, 2])
    states[0].roles[:5] = [0, 1, 0, 1, 0]
    do(states, "EW h3")
    state: Any = states[0]
    assert (state.player, state.winner) == (OVER, MINERS_WIN)
    assert state.won[:5].tolist() == [1, -1, 1, -1, 1]
    masked = TIGHT.masked(states, 1)[0]
    assert masked.roles[:5].tolist() == [0, 1, 0, 1, 0]
    assert masked.goals.tolist() == [1, 0, 2]


def test_the_saboteurs_win_when_no_cards_are_left() -> None:
    play = Play.new(TIGHT, seed=1)
    while not play.over:
        play.apply(int(play.legal()[-1]))
    assert len(play.actions) == 67
    state: Any = play.truth()[0]
    assert state.winner == SABOTEURS_WIN
    assert play.returns().tolist() == [1.0 if role else -1.0 for role in state.roles[:5]]


def test_in_the_paper_the_round_ends_when_everybody_has_passed() -> None:
    game = saboteur("paper")
    play = Play.new(game, seed=1)
    while not play.over:
        play.apply(int(play.legal()[-1]))
    assert len(play.actions) == 37 + 5  # the deck, and then everybody once
    state: Any = play.truth()[0]
    assert play.returns().tolist() == [float(role) for role in state.roles[:5]]
    assert saboteur("paper", ends="hands").settings["ends"] == "hands"


@pytest.mark.parametrize(
    "roles, nuggets",
    [
        # Five cards: 3 2 2 1 1. The first player finishes, then it goes on counter-clockwise.
        ([0, 1, 0, 1, 0], [3 + 1, 0, 2, 0, 2 + 1][:5]),
        ([0, 0, 0, 0, 0], [3, 1, 1, 2, 2]),
        # A saboteur who finishes gets nothing.
        ([1, 0, 0, 0, 1], [0, 2, 2 + 1, 3 + 1, 0]),
    ],
)
def test_miners_share_the_gold(roles: list[int], nuggets: list[int]) -> None:
    game = saboteur("tight", pay="gold")
    states = drawn(ALMOST, ["EW"], [1, 0, 2], game=game)
    states[0].roles[:5] = roles
    states[0].gold_left[:] = [2, 2, 1]
    do(states, "EW h3", game)
    assert states[0].won[:5].tolist() == nuggets
    assert states[0].gold_left.tolist() == [0, 0, 0]


@pytest.mark.parametrize("row", rows("saboteur_gold.csv")[:4], ids=lambda row: str(row))
def test_saboteurs_get_gold_by_how_many_they_are(row: dict[str, str]) -> None:
    count = int(row["saboteurs_in_play"])
    game = saboteur(pay="gold", players=7)
    found = False
    for seed in range(400):
        play = Play.new(game, seed=seed)
        roles = play.truth()[0].roles[:7].tolist()
        if sum(roles) != count or found:
            continue
        found = True
        while not play.over:
            play.apply(int(play.legal()[-1]))
        expected = [float(row["nuggets_each"]) * role for role in roles]
        assert play.returns().tolist() == expected
    assert found or count < 2


def test_three_rounds_add_up_and_deal_anew() -> None:
    game = saboteur("tight", pay="gold", rounds=3)
    won = 0
    for seed in range(6):
        play, random = Play.new(game, seed=seed), generator(seed)
        ends: list[tuple[int, int, int]] = []
        before: Any = play.truth()[0]
        while not play.over:
            legal = play.legal()
            actions = np.append(legal, np.zeros(game.max_actions - len(legal), np.int32))
            state: Any = play.truth()[0]
            place = game.policy(state, actions, len(legal), game.tables, random)
            play.apply(int(legal[place]))
            state = play.truth()[0]
            if state.rounds_played > before.rounds_played:
                ends.append((int(state.winner), int(before.player), int(state.player)))
                gained = state.won - before.won
                assert min(gained) >= 0
                assert state.gold_left.sum() <= before.gold_left.sum()
                if not play.over:
                    assert state.turn == 0
                    assert state.board.astype(bool).sum() == 4
                    assert play.view(SPECTATOR).states[0].last == state.last > 0
            before = state
        assert len(ends) == 3
        assert all(after == (mover + 1) % 5 for _, mover, after in ends[:2])
        assert max(play.returns()) <= game.highest
        won += sum(winner == MINERS_WIN for winner, _, _ in ends)
    assert won > 0
    assert sum(gold_cards()) == 28


# The kit


def test_a_record_is_played_again() -> None:
    play, rng = Play.new(saboteur(players=4), seed=3), np.random.default_rng(3)
    while not play.over:
        play.apply(int(rng.choice(play.legal())))
    record = PlayRecord.from_json(play.record().to_json())
    again = record.replay(game_of("saboteur", **dict(record.settings)))
    assert again.truth().tobytes() == play.truth().tobytes()


def test_a_view_of_own_maps_moves_the_belief_in_the_gold() -> None:
    belief = SaboteurBelief()
    states = drawn(EMPTY, [], [1, 0, 2])
    states[0].looked[0] = 1
    states[0].roles[:5] = [0, 1, 0, 1, 0]
    play = Play.new(TIGHT, seed=1, start=states)
    posterior = belief.infer(play.view(0), play.seen_by(0))
    hidden = belief.hidden(play.view(0))
    assert posterior.marginal(hidden["gold"]) == pytest.approx({"middle": 0.5, "bottom": 0.5})
    assert set(hidden) == {"gold", *(f"role of player {number}" for number in (2, 3, 4, 5))}
    role = hidden["role of player 2"]
    assert posterior.marginal(role) == pytest.approx({0: 0.5, 1: 0.5})
    states[0].looked[0] = 2
    play = Play.new(TIGHT, seed=1, start=states)
    assert "gold" not in belief.hidden(play.view(0))
    worlds = belief.worlds(belief.infer(play.view(0), play.seen_by(0)), 9, np.random.default_rng(0))
    assert worlds.shape == (9, game_columns())
    assert set(worlds[:, -1].tolist()) == {1}


def game_columns() -> int:
    assert TIGHT.columns is not None
    return TIGHT.columns


SMALL: tuple[dict[str, Any], ...] = (
    {"rules": "tight", "players": 3, "hand": 2, "stock": 3, "saboteurs": 1, "spare": True},
    {"rules": "paper", "players": 3, "hand": 2, "stock": 3, "beyond": 0, "aside": 0},
    {"rules": "tight", "players": 3, "hand": 2, "stock": 1, "rounds": 2, "pay": "gold"},
)


@pytest.mark.parametrize(
    "settings", [SMALL[0], *(pytest.param(other, marks=pytest.mark.slow) for other in SMALL[1:])]
)
def test_the_contract_holds_and_nothing_leaks(settings: dict[str, Any]) -> None:
    report = check_game(saboteur(**settings), plays=2, worlds=4)
    assert {"compiled", "support", "observations", "told", "dealt"} <= report.checks


# Thousands of moves


@pytest.fixture(scope="module")
def invariants() -> ModuleType:
    return importlib.import_module("benchmarks.saboteur.invariants")


def test_thousands_of_moves_keep_every_invariant(invariants: ModuleType) -> None:
    for settings in invariants.SETTINGS:
        found = invariants.checked(saboteur(**settings), 4_000 if COMPILED else 100, 7)
        assert found["fault"] == "none", settings
        assert found["actions"] >= (4_000 if COMPILED else 100)


def test_a_broken_invariant_would_be_found(invariants: ModuleType) -> None:
    for field, place, value, fault in (
        ("hands", (0, 5), -1, "cards"),
        ("hands", (0, 0), 27, "order of a hand"),
        ("used", 3, 1, "cards"),
        ("broken", 2, 1, "tools"),
        ("roles", 0, 2, "roles"),
        ("goals", 1, 3, "goals"),
        ("board", 0, 1, "board"),
        ("reached", 0, 1, "reach"),
    ):
        states = TIGHT.initial(1)
        assert invariants.FAULTS[invariants.fault_of(states[0], TIGHT.tables)] == "none"
        states[0][field][place] = value
        assert invariants.FAULTS[invariants.fault_of(states[0], TIGHT.tables)] == fault, field
    states = TIGHT.initial(1)
    states[0].turn = 1
    assert invariants.FAULTS[invariants.fault_of(states[0], TIGHT.tables)] == "length"
