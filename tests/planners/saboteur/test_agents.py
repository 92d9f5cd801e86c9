"""The paper's agents on Saboteur: strategies for each card and role, words, leaks, matches."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest

from sleuth import HIDDEN, Game, Play, check_agent, game, play_match
from sleuth.agents import parse_agent
from sleuth.beliefs.games.saboteur.likelihoods import Sign, Weight
from sleuth.data.intervals import wilson
from sleuth.errors import RecordError, SettingsError
from sleuth.games.saboteur import GOLD, SaboteurBelief, card_name, saboteur
from sleuth.models.saboteur.game import Preset
from sleuth.models.saboteur.reach import reach, scenario_of
from sleuth.models.saboteur.state import KINDS, MINER, SABOTEUR, SAY_GOLD, SAY_STONE
from sleuth.planners.agents.names import option_type
from sleuth.planners.saboteur.agents import DwarfAgent
from sleuth.planners.saboteur.trust import TrustAgent

PAPER = saboteur("paper")
ALL = ("random", "random", "dwarf:saboteurs=hidden", "dwarf:saboteurs=explicit", "dwarf:depth=1")


def agent(text: str = "dwarf", seed: int = 1) -> DwarfAgent:
    made = parse_agent(text).prepare(PAPER)(seed)
    assert isinstance(made, DwarfAgent)
    return made


def situation(role: int, hand: list[str], **changes: Any) -> Play:
    """The first player's first move, with a role and a hand."""
    states = PAPER.initial(3)
    state: Any = states[0]
    state.roles[:5] = [role, *([SABOTEUR] * (2 - role)), *([MINER] * (2 + role))]
    kinds = [next(k for k in range(KINDS) if card_name(k, 1) == card) for card in hand]
    state.hands[0, :6] = [*sorted(kinds), *[-1] * (6 - len(kinds))]
    for name, value in changes.items():
        state[name] = value
    return Play.new(PAPER, seed=3, start=states)


def chosen(play: Play, text: str = "dwarf") -> str:
    return PAPER.action_name(agent(text).decide(play.view(0), play.seen_by(0)))


def test_each_role_uses_path_cards_for_its_side() -> None:
    hand = ["NESW", "dead NESW"]
    assert chosen(situation(MINER, hand)) == "NESW d7"
    assert chosen(situation(SABOTEUR, hand), "dwarf:saboteurs=explicit") == "dead NESW d7"
    hidden = chosen(situation(SABOTEUR, hand), "dwarf:saboteurs=hidden")
    assert hidden in ("discard NESW", "NESW d7")
    assert chosen(situation(MINER, ["dead NESW"])) == "discard dead NESW"
    assert chosen(situation(SABOTEUR, ["NESW"]), "dwarf:saboteurs=hidden") == "discard NESW"


def test_a_miner_looks_first_and_frees_themselves_first() -> None:
    assert chosen(situation(MINER, ["map", "dead NESW"])).startswith("map")
    broken = np.zeros(10, dtype=np.int32)
    broken[[0, 3]] = 1
    play = situation(MINER, ["repair tools", "NESW"], broken=broken)
    assert chosen(play) == "repair tools player 1"
    broken[0] = 0
    play = situation(SABOTEUR, ["repair tools"], broken=broken)
    for style in ("explicit", "hidden", "switching"):
        assert not chosen(play, f"dwarf:saboteurs={style}").startswith("repair")


def test_a_miner_blocks_the_most_suspicious_and_frees_the_least() -> None:
    play, first = situation(MINER, ["break tools", "dead NESW"]), agent()
    # All are alike so far, and a miner does not block by chance.
    assert chosen(play) == "discard dead NESW"
    mind = first.mind(play.view(0), play.seen_by(0))
    suspicion = mind.suspicion()
    assert suspicion[1:].tolist() == pytest.approx([0.5] * 4)
    legal = play.view(0).legal()
    mind._added += 3.0 * mind.roles[:, 2]  # pyright: ignore[reportPrivateUsage]
    values = first._values(  # pyright: ignore[reportPrivateUsage]
        play.view(0).states[0], legal, np.full(3, 1 / 3), mind, mind.suspicion()
    )
    assert PAPER.action_name(int(legal[values.argmax()])) == "break tools player 3"
    broken = np.zeros(10, dtype=np.int32)
    broken[[1, 2]] = 1
    play = situation(MINER, ["repair tools"], broken=broken)
    legal = play.view(0).legal()
    values = first._values(  # pyright: ignore[reportPrivateUsage]
        play.view(0).states[0], legal, np.full(3, 1 / 3), mind, mind.suspicion()
    )
    assert PAPER.action_name(int(legal[values.argmax()])) == "repair tools player 2"


def test_miners_tell_the_truth_and_saboteurs_lie_when_it_helps() -> None:
    for role, style, others, lies in (
        (MINER, "switching", 0, False),
        (SABOTEUR, "explicit", 7, True),
        (SABOTEUR, "hidden", 0, True),
        (SABOTEUR, "hidden", 7, False),  # somebody else knows better
    ):
        looked = np.zeros(10, dtype=np.int32)
        looked[1] = others
        play = situation(role, ["map"], looked=looked)
        legal = play.legal()
        play.apply(int(legal[0]))
        state = play.truth()[0]
        gold = state.goals[int(state.saying) - 1] == GOLD
        said = agent(f"dwarf:saboteurs={style}").decide(play.view(0), play.seen_by(0))
        assert said == (SAY_GOLD if gold != lies else SAY_STONE)


def test_a_switching_saboteur_shows_themselves_when_the_gold_is_near() -> None:
    seen: dict[str, set[bool]] = {}
    for style in ("explicit", "switching", "hidden"):
        play = Play.new(PAPER, seed=5)
        agents = [agent(f"dwarf:saboteurs={style},depth=1", seed) for seed in range(5)]
        while not play.over:
            who = play.player
            view = play.view(who)
            play.apply(agents[who].decide(view, play.seen_by(who)))
            mind = agents[who].mind(view, play.seen_by(who))
            if mind.role == SABOTEUR:
                seen.setdefault(style, set()).add(mind.explicit)
            else:
                assert not mind.explicit
    assert seen == {"explicit": {True}, "switching": {False, True}, "hidden": {False}}


@pytest.mark.parametrize("text", ["dwarf", "dwarf:depth=1,saboteurs=hidden"])
def test_an_agent_decides_by_what_it_sees_and_nothing_else(text: str) -> None:
    small = saboteur("paper", hand=2, stock=6)
    assert check_agent(small, parse_agent(text).prepare(small)(1), plays=2) > 0


def test_a_decision_can_be_made_again_at_any_place() -> None:
    play, one = Play.new(PAPER, seed=8), agent()
    others = [agent(seed=2) for _ in range(5)]
    made: list[tuple[int, Any, Any, int]] = []
    while not play.over:
        who = play.player
        view, seen = play.view(who), play.seen_by(who)
        made.append((who, view, seen, one.decide(view, seen)))
        play.apply(others[who].decide(view, seen))
    for _, view, seen, action in reversed(made):
        assert agent().decide(view, seen) == action


def test_agents_play_several_rounds_and_the_official_rules() -> None:
    several = saboteur(rounds=2, pay="gold", players=4)
    result = play_match(several, ["dwarf"] * 4, games=1, seed=1)
    assert result.team_wins == {}
    official = play_match("saboteur", ["dwarf"] * 5, games=2, seed=1)
    assert sum(official.team_wins.values()) == 2


# -- sides that are dealt in secret


def test_a_match_says_how_often_each_secret_side_wins(tmp_path: Path) -> None:
    file = tmp_path / "match.jsonl"
    result = play_match(PAPER, ALL, games=6, seed=2, out=file)
    won = [one.replay(PAPER).truth()[0].winner for one in result.games]
    wins = {"miners": won.count(1), "saboteurs": won.count(2)}
    assert result.team_wins == wins
    # Each of a side that wins has won.
    roles = [one.replay(PAPER).truth()[0].roles[:5] for one in result.games]
    sides = [np.isin(dealt, SABOTEUR) + 1 for dealt in roles]
    counted = np.sum(
        [
            np.bincount(np.array(one.seats)[side == who], minlength=5)
            for one, side, who in zip(result.games, sides, won, strict=True)
        ],
        axis=0,
    )
    assert list(result.wins) == counted.tolist()
    assert result.shared == 0
    assert sum(result.wins) > 6
    said = result.to_json()
    assert said["saboteurs_win_rate"] == wins["saboteurs"] / 6
    assert said["interval"] == list(wilson(wins["saboteurs"], 6))
    again = play_match(PAPER, ALL, games=6, seed=2, out=file)
    assert again.resumed == 6
    assert again.team_wins == wins
    assert (again.wins, again.shared) == (result.wins, 0)
    # Older files do not say who was of the side.
    old = [json.loads(each) for each in file.read_text().splitlines()]
    bare = [{name: each[name] for name in each if name != "of_side"} for each in old]
    file.write_text("".join(json.dumps(each) + "\n" for each in bare))
    assert play_match(PAPER, ALL, games=6, seed=2, out=file).wins == result.wins
    lines = file.read_text().splitlines()
    line = json.loads(lines[1])
    file.write_text("\n".join([lines[0], json.dumps({**line, "side": "dwarfs"})]) + "\n")
    with pytest.raises(RecordError, match="no such side"):
        play_match(PAPER, ALL, games=6, seed=2, out=file)


def test_other_games_have_no_secret_sides() -> None:
    kuhn = game("kuhn_poker")
    assert kuhn.secret_sides == ()
    result = play_match(kuhn, ["random", "random"], games=2, seed=1)
    assert result.team_wins == {}
    assert [one.side for one in result.games] == [None, None]
    assert replace(kuhn).sides_dealt is None


def test_an_agent_of_one_game_is_known_by_name_and_plays_no_other() -> None:
    assert parse_agent("dwarf:depth=1,factor=1.5").text == "dwarf:depth=1,factor=1.5"
    assert get_args(option_type("dwarf", "depth")) == (1, 2)
    with pytest.raises(SettingsError, match="plays only saboteur"):
        parse_agent("dwarf").prepare(game("kuhn_poker"))
    with pytest.raises(SettingsError, match="did you mean 'dwarf'"):
        parse_agent("dwarv")
    for option in ("depth=3", "saboteurs=shy", "reading=loud", "factor=0", "step=0", "threshold=1"):
        with pytest.raises(SettingsError):
            parse_agent(f"dwarf:{option}").prepare(PAPER)
    parse_agent("dwarf:threshold=1,relative=no").prepare(PAPER)


# -- the public program

TIGHT = saboteur("tight")


def trusting(play: Play, viewer: int) -> TrustAgent:
    made = parse_agent("trust").prepare(play.game)(1)
    assert isinstance(made, TrustAgent)
    made.trust(play.view(viewer), play.seen_by(viewer))
    return made


def test_the_program_counts_the_cells_where_ways_can_go_on() -> None:
    states = TIGHT.initial(1)
    found = np.zeros(2)
    # The start opens to three cells of the board: one column on, and two above and below.
    reach(states[0], False, scenario_of(TIGHT.masked(states, 0)[0]), TIGHT.tables, found)
    assert found.tolist() == pytest.approx([0.2, (0.2 + 0.1 + 0.1) / 3])
    reach(states[0], True, scenario_of(TIGHT.masked(states, 0)[0]), TIGHT.tables, found)
    assert found.tolist() == pytest.approx([0.9, (0.8 + 0.9 + 0.9) / 3])


@pytest.mark.parametrize(
    "goals, scenario",
    [("???", 0), ("s??", 1), ("?g?", 1), ("??g", 1), ("g??", 2), ("?ss", 2), ("?s?", 3)],
)
def test_the_program_tells_apart_what_it_knows_of_the_goals(goals: str, scenario: int) -> None:
    state = TIGHT.masked(TIGHT.initial(1), 0)[0]
    state.goals[:] = [{"?": HIDDEN, "g": GOLD, "s": 1}[each] for each in goals]
    assert scenario_of(state) == scenario


def test_the_program_trusts_who_builds_and_who_blocks_whom_it_does_not_trust() -> None:
    play = Play.new(TIGHT, seed=2)
    role = int(play.truth()[0].roles[1])
    codes = {TIGHT.action_name(code): code for code in play.legal().tolist()}
    on = next(code for name, code in codes.items() if name.endswith("b3") and "dead" not in name)
    play.apply(on)
    before = trusting(play, 1)._trust  # pyright: ignore[reportPrivateUsage]
    assert (before[0] > 2.5) == (role == MINER)
    assert [before[other] for other in (2, 3, 4)] == [2.5] * 3
    assert 1 not in before


def test_the_program_throws_the_worst_card_away_where_it_can_do_nothing() -> None:
    states = TIGHT.initial(3)
    state: Any = states[0]
    state.roles[:5] = [MINER, MINER, MINER, SABOTEUR, SABOTEUR]
    kinds = sorted(k for k in range(KINDS) if card_name(k) in ("EW", "map", "rockfall"))
    state.hands[0] = [*kinds, -1, -1, -1]
    play = Play.new(TIGHT, seed=3, start=states)
    agent = parse_agent("trust").prepare(TIGHT)(1)
    name = TIGHT.action_name(agent.decide(play.view(0), play.seen_by(0)))
    assert name.startswith("EW")  # 50 times a column ahead is worth more than a map
    state.broken[0], state.looked[0], state.goals[:] = 1, 1, [GOLD, 1, 2]
    play = Play.new(TIGHT, seed=3, start=states)
    assert TIGHT.action_name(agent.decide(play.view(0), play.seen_by(0))) == "discard map"


def test_the_program_decides_by_what_it_sees() -> None:
    small = saboteur("tight", hand=2, stock=6)
    assert check_agent(small, parse_agent("trust").prepare(small)(1), plays=2) > 0


# -- who hides


def test_suspicious_actions_expose_a_saboteur_and_miners_do_not_ask() -> None:
    states = PAPER.initial(3)
    state: Any = states[0]
    state.roles[:5] = [SABOTEUR, SABOTEUR, MINER, MINER, MINER]
    kinds = sorted(k for k in range(KINDS) if card_name(k, 1) in ("NESW", "dead NESW"))
    state.hands[0] = [*kinds, -1, -1, -1, -1]
    play, known = Play.new(PAPER, seed=3, start=states), SaboteurBelief()
    found = {
        PAPER.action_name(code): exposed
        for code, exposed in known.exposure(play.view(0), play.seen_by(0)).items()
    }
    assert set(found) == {PAPER.action_name(code) for code in play.legal().tolist()}
    # Before anything is done a miner thinks so of two of four.
    assert found["NESW d7"] < 0.5 < found["discard NESW"] < found["dead NESW d7"] < 1.0
    state.roles[:2] = [MINER, SABOTEUR]
    play = Play.new(PAPER, seed=3, start=states)
    assert known.exposure(play.view(0), play.seen_by(0)) == {}


@pytest.mark.parametrize("preset", ["official", "paper"])
def test_what_says_nothing_exposes_as_much_as_the_deal_does(preset: Preset) -> None:
    class Silent:
        def of_action(self, sign: Sign) -> Weight:
            return Weight((sign.player,), np.zeros(2))

        def of_words(self, claims: object, goals: object, viewer: object) -> list[Weight]:
            return []

    game = saboteur(preset)
    cards = game.players + (preset == "official")  # a role card is left over
    seeds = (seed for seed in range(99) if game.initial(seed)[0].roles[0] == SABOTEUR)
    play = Play.new(game, seed=next(seeds))
    known = SaboteurBelief(model=Silent()).exposure(play.view(0), play.seen_by(0))
    saboteurs = int(game.tables.rules[0].saboteurs)
    assert known
    assert [*known.values()] == pytest.approx([saboteurs / (cards - 1)] * len(known))


def test_who_hides_does_not_do_what_exposes_them() -> None:
    states = PAPER.initial(3)
    state: Any = states[0]
    state.roles[:5] = [SABOTEUR, SABOTEUR, MINER, MINER, MINER]
    kind = next(k for k in range(KINDS) if card_name(k, 1) == "dead NESW")
    state.hands[0] = [kind, -1, -1, -1, -1, -1]
    play = Play.new(PAPER, seed=3, start=states)
    names = []
    for text in ("mcts:simulations=200", "mcts:simulations=200,hiding=5"):
        made = parse_agent(text).prepare(PAPER)(1)
        names.append(PAPER.action_name(made.decide(play.view(0), play.seen_by(0))))
    assert names[0].startswith("dead NESW")
    assert names[1] == "discard dead NESW"


@pytest.mark.parametrize(
    "of, options, words",
    [
        (PAPER, "hiding=-1", "hiding must be a number from 0"),
        (PAPER, "hiding=0.1,gain=0.1", "but not both"),
        (game("kuhn_poker"), "hiding=0.1", "nothing says what the players of this game give away"),
    ],
)
def test_hiding_that_means_nothing_is_refused(of: Game, options: str, words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        parse_agent(f"mcts:{options}").prepare(of)


def test_who_hides_decides_by_what_they_see() -> None:
    small = saboteur("paper", hand=2, stock=4)
    made = parse_agent("mcts:simulations=30,hiding=0.1").prepare(small)(1)
    assert check_agent(small, made, plays=2) > 0
