"""Agents that play a mixed policy of the whole game: what they draw, remember and say."""

from __future__ import annotations

import threading
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import sleuth
from sleuth import Budget, Play, check_agent, exploitability
from sleuth.agents import KeptAgent, SoundAgent, parse_agent
from sleuth.equilibria import GameTree, OnlineSearch, WholeGameSearch, tabulate
from sleuth.errors import RecordError, SettingsError, UnsupportedError
from sleuth.planners.agents import NamedAgent
from sleuth.planners.agents.sound_agents import ALL_LED, FROM_HERE, LEAVES_OUT, NEVER_TRIED, UNLIKE
from sleuth.planners.sound.deciding import without_rare

KUHN = "kuhn_poker"
TREE = GameTree(KUHN)


@pytest.fixture(scope="module")
def learned() -> WholeGameSearch:
    return WholeGameSearch(KUHN, seed=1).run(Budget(simulations=20_000))


@pytest.fixture(scope="module")
def file(learned: WholeGameSearch, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return learned.save(tmp_path_factory.mktemp("kept") / "kuhn")


def test_what_was_kept_is_played(learned: WholeGameSearch, file: Path) -> None:
    table = tabulate(TREE, parse_agent(f"policy:{file}"), seed=1)
    assert table.mixed is not None
    expected = learned.policy(TREE)
    for index, shares in table.mixed.items():
        assert shares == pytest.approx(expected[index], abs=1e-12)
    found = exploitability(TREE, table.mixed).exploitability
    assert found == pytest.approx(exploitability(TREE, expected).exploitability)
    assert found < 0.02 < exploitability(TREE, table.choice).exploitability


def test_actions_are_drawn_as_often_as_the_policy_says(learned: WholeGameSearch) -> None:
    play = Play.new(KUHN, seed=3)
    view, seen = play.view(0), play.seen_by(0)
    agent = KeptAgent(learned)
    shares = learned.probabilities(view, seen)
    assert 0.05 < shares[1] < 0.95
    drawn = Counter(agent.again(seed).decide(view, seen) for seed in range(2_000))
    assert drawn[1] / 2_000 == pytest.approx(shares[1], abs=4 * np.sqrt(0.25 / 2_000))
    first = agent.decision(view, seen)
    assert agent.decision(view, seen).to_json() == first.to_json()
    assert first.policy == pytest.approx(dict(enumerate(shares)))
    assert first.actions[0].action == first.action
    assert first.mixture() in first.summary()
    assert "did not try" not in first.summary()


def test_no_decision_depends_on_what_is_hidden(learned: WholeGameSearch) -> None:
    assert check_agent(KUHN, KeptAgent(learned), plays=10) > 10


@pytest.mark.parametrize(
    "text, error, said",
    [
        ("policy", SettingsError, "plays what stands in a file"),
        ("policy:nowhere", SettingsError, "no such file"),
        ("policy:file=nowhere", SettingsError, "no such file"),
        ("policy:gain=1", SettingsError, "no such option"),
    ],
)
def test_what_cannot_be_is_refused(text: str, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        parse_agent(text).prepare(sleuth.game(KUHN))


def test_what_was_learned_before_is_a_beginning(learned: WholeGameSearch, file: Path) -> None:
    tables = {
        text: tabulate(TREE, parse_agent(f"sound:simulations=1{text}"), seed=1).mixed
        for text in ("", f",start={file}")
    }
    far, near = (exploitability(TREE, found or {}).exploitability for found in tables.values())
    assert near < 0.02 < far
    # Every game goes on from the file's statistics, which nobody changes.
    play, simulations = Play.new(KUHN, seed=1), learned.simulations
    agent = SoundAgent(
        game=sleuth.game(KUHN), budget=Budget(simulations=50), options={"start": learned}
    )
    for seed in range(2):
        play = Play.new(KUHN, seed=seed)
        assert agent.decision(play.view(0), play.seen_by(0)).simulations == 50
        assert agent._search.search.simulations == simulations + 50
    assert learned.simulations == simulations
    assert agent.again(2).decision(play.view(0), play.seen_by(0)).simulations == 50


def test_what_is_learned_on_is_what_one_search_learns(learned: WholeGameSearch) -> None:
    more = learned.copy().run(Budget(simulations=1_000)).policy(TREE)
    at_once = WholeGameSearch(KUHN, seed=1).run(Budget(simulations=21_000)).policy(TREE)
    assert all((more[place] == at_once[place]).all() for place in more)


@pytest.mark.parametrize(
    "game, options, said",
    [
        ("leduc_poker", "", "of another game"),
        (KUHN, ",method=outcome", "has another method"),
        (KUHN, ",workers=2", "another number of workers"),
        (KUHN, ",led=now", "worlds of now"),
    ],
)
def test_a_beginning_that_does_not_fit_is_refused(
    file: Path, game: str, options: str, said: str
) -> None:
    with pytest.raises(sleuth.SleuthError, match=said) as caught:
        parse_agent(f"sound:simulations=5,start={file}{options}").prepare(sleuth.game(game))
    assert caught.value.hint
    with pytest.raises(SettingsError, match="no such file"):
        parse_agent("sound:start=nowhere.npz").prepare(sleuth.game(KUHN))


def test_a_beginning_of_another_game_is_refused_by_the_search(learned: WholeGameSearch) -> None:
    with pytest.raises(SettingsError, match="of another game"):
        OnlineSearch("leduc_poker", start=learned)
    kuhn = sleuth.game(KUHN)
    with pytest.raises(SettingsError, match="with a rival"):
        OnlineSearch(kuhn, start=WholeGameSearch(kuhn, rival=kuhn.policy, share=0.5, hero=0))
    bandits = WholeGameSearch(KUHN, method="uct")
    with pytest.raises(UnsupportedError, match="only MCCFR"):
        OnlineSearch(KUHN, start=bandits)


def test_a_file_of_another_game_is_refused(file: Path) -> None:
    with pytest.raises(RecordError, match="of another game"):
        parse_agent(f"policy:{file}").prepare(sleuth.game("leduc_poker"))


def test_the_file_is_one_value_whatever_its_name(file: Path, tmp_path: Path) -> None:
    blank = tmp_path / "a name.npz"
    blank.write_bytes(file.read_bytes())
    named = parse_agent(f"policy:{blank}")
    assert (named.values, named.runs_program) == ((str(blank),), False)
    assert parse_agent(named.text) == named == NamedAgent("policy", (("file", str(blank)),))
    result = sleuth.play_match(KUHN, [named, "random"], games=4, seed=1)
    assert result.agents == (named.text, "random")


def sound(options: str, of: str = KUHN, seed: int = 1) -> SoundAgent:
    made = sleuth.agent(f"sound:{options}", of, seed=seed)
    assert isinstance(made, SoundAgent)
    return made


def moments(agent: SoundAgent, seed: int) -> list[tuple[sleuth.View, sleuth.SeenPlay]]:
    """The decisions of the first player in a game of Leduc that goes on for long."""
    play, found = Play.new(agent.game, seed=seed), []
    for action in (1, 2, 1, 1, 1):
        if play.player == 0:
            found.append((play.view(0), play.seen_by(0)))
        play.apply(action)
    return found


def test_more_time_comes_nearer_to_an_equilibrium() -> None:
    found = [
        tabulate(TREE, parse_agent(f"sound:simulations={count}"), seed=1).mixed
        for count in (20, 5_000)
    ]
    short, long = (exploitability(TREE, each).exploitability for each in found if each)
    assert long < 0.08 < short


def test_the_same_moment_gives_the_same_answer_and_other_seeds_others() -> None:
    agent = sound("simulations=300", "leduc_poker")
    first, second, *_ = moments(agent, seed=2)
    answers = [agent.decision(*moment) for moment in (first, first, second, second)]
    assert answers[0] is answers[1]
    assert answers[2] is answers[3]
    again = agent.again(1)
    assert [again.decision(*moment).policy for moment in (first, second)] == [
        answers[0].policy, answers[2].policy
    ]  # fmt: skip
    drawn = {sound("simulations=300", seed=seed).decide(*opening()) for seed in range(40)}
    assert drawn == {0, 1}


def opening() -> tuple[sleuth.View, sleuth.SeenPlay]:
    """The first decision of somebody who has the jack."""
    play = Play.new(KUHN, seed=1)
    return play.view(0), play.seen_by(0)


def test_what_was_learned_is_kept_in_one_game_and_forgotten_in_the_next() -> None:
    agent = sound("simulations=200", "leduc_poker")
    first, second, *_ = moments(agent, seed=2)
    agent.decision(*first)
    kept = agent.decision(*second)
    fresh = agent.again(1).decision(*second)
    assert kept.simulations == fresh.simulations == 200
    assert kept.policy != fresh.policy
    agent.decision(*moments(agent, seed=3)[0])  # another game
    assert agent.decision(*second).policy == fresh.policy


@pytest.mark.parametrize("of", [KUHN, "leduc_poker", "goofspiel"])
def test_no_decision_of_a_search_depends_on_what_is_hidden(of: str, plain_python: None) -> None:
    agent = parse_agent("sound:simulations=4,lines=8,method=outcome").prepare(sleuth.game(of))
    assert check_agent(of, lambda: agent(1), plays=2) > 1


def test_a_decision_can_be_stopped_from_another_thread() -> None:
    agent = sound("seconds=60")
    began = time.monotonic()
    threading.Timer(0.2, agent.stop).start()
    decision = agent.decision(*opening())
    assert time.monotonic() - began < 20.0
    assert decision.interrupted
    assert decision.policy is not None
    assert sum(decision.policy.values()) == pytest.approx(1.0)
    assert "stopped early" in decision.summary()
    threading.Timer(0.2, agent.stop).start()
    with pytest.raises(KeyboardInterrupt):  # a match does not go on with half a decision
        agent.decide(*opening())


def test_budgets_are_kept() -> None:
    assert sound("simulations=70").decision(*opening()).simulations == 70
    for limit in ("milliseconds=20", "seconds=0.02", "cpu_seconds=0.02"):
        assert 0.0 < sound(limit).decision(*opening()).seconds < 2.0
    few = sound("simulations=200,nodes=5,method=outcome", "leduc_poker")
    decision = few.decision(*moments(few, seed=2)[0])
    assert (decision.nodes, decision.full) == (5, True)
    assert sound("simulations=100,workers=2").decision(*opening()).simulations == 100


def test_the_rest_of_a_game_is_solved_once_where_it_is_small() -> None:
    agent = sound("simulations=300,resolve_below=20000", "leduc_poker")
    plain = sound("simulations=300", "leduc_poker")
    first, second, *_ = moments(agent, seed=2)
    for moment in (first, second):
        solved, searched = agent.decision(*moment), plain.decision(*moment)
        assert solved.policy is not None
        assert solved.policy != searched.policy
        assert sum(solved.policy.values()) == pytest.approx(1.0)
    large = sound("simulations=300,resolve_below=10", "leduc_poker")
    assert large.decision(*first).policy == plain.again(1).decision(*first).policy


@pytest.mark.parametrize(
    "of, led, said",
    [
        (KUHN, "auto", ""),
        ("tic_tac_toe", "auto", ""),
        ("love_letter", "auto", UNLIKE),
        ("phantom_tic_tac_toe", "auto", ""),
        ("phantom_tic_tac_toe", "now", FROM_HERE),
    ],
)
def test_a_decision_says_where_nothing_is_guaranteed(
    of: str, led: str, said: str, plain_python: None
) -> None:
    play = Play.new(of, seed=1)
    if of == "phantom_tic_tac_toe":
        for _ in range(2):
            play.apply(int(play.legal()[0]))
    agent = sound(f"simulations=4,lines=8,method=outcome,led={led}", of)
    decision = agent.decision(play.view(play.player), play.seen_by(play.player))
    assert decision.caveat == said
    assert decision.to_json().get("caveat", "") == said
    assert (said in decision.summary().splitlines()) == bool(said)


def test_rare_actions_are_left_out_where_that_is_asked_for() -> None:
    moment = opening()
    whole, often, likeliest = (
        sound(f"simulations=2000,least={least}").decision(*moment) for least in ("0", "0.3", "1")
    )
    policy = whole.policy or {}
    rest = {code: share if share >= 0.3 else 0.0 for code, share in policy.items()}
    total = sum(rest.values())
    assert often.policy == pytest.approx({code: share / total for code, share in rest.items()})
    assert likeliest.action == max(policy, key=policy.__getitem__)
    assert sorted((likeliest.policy or {}).values()) == [0.0, 1.0]
    assert (whole.caveat, often.caveat, likeliest.caveat) == ("", LEAVES_OUT, LEAVES_OUT)


def test_a_decision_that_no_walk_came_to_says_so(plain_python: None) -> None:
    play = Play.new("cheat", seed=1)
    for _ in range(4):
        play.apply(int(play.legal()[0]))
    view, seen = play.view(play.player), play.seen_by(play.player)
    led, elsewhere = (
        sound(f"simulations=2,lines=8,method=outcome,targeted={share},led=deal", "cheat")
        for share in ("0.9", "0")
    )
    assert led.decision(view, seen).caveat == ""
    assert elsewhere.decision(view, seen).caveat == NEVER_TRIED


def test_walks_of_the_other_player_come_to_a_decision_too() -> None:
    # One iteration: the second player's walk comes to what the first does later, by even chances.
    agent, found = sound("simulations=1", "leduc_poker"), set[tuple[bool, bool]]()
    for seed in range(40):
        moment = moments(agent, seed)[1]
        decision = agent.decision(*moment)
        came, tried = agent._search.came_by(*moment), any(each.visits for each in decision.actions)
        assert decision.caveat == ("" if came else NEVER_TRIED)
        found.add((came, tried))
    assert found == {(True, True), (True, False), (False, False)}


def test_a_kept_policy_says_where_it_knows_nothing(learned: WholeGameSearch) -> None:
    play = Play.new(KUHN, seed=1)
    moment = play.view(0), play.seen_by(0)
    assert KeptAgent(learned).decision(*moment).caveat == ""
    unlearned = KeptAgent(WholeGameSearch(KUHN)).decision(*moment)
    assert unlearned.caveat == NEVER_TRIED
    assert NEVER_TRIED in unlearned.summary().splitlines()
    again = without_rare(unlearned, play.game, *moment, 0.6, seed=1)
    assert again.caveat == NEVER_TRIED


@pytest.mark.parametrize("share, said", [("0.9", ""), ("1", ALL_LED)])
def test_a_search_that_goes_nowhere_else_says_so(share: str, said: str, plain_python: None) -> None:
    agent = sound(f"simulations=4,lines=8,method=outcome,targeted={share}")
    assert agent.decision(*opening()).caveat == said


@pytest.mark.parametrize(
    "options, said",
    [
        ("gain=1", "no such option"),
        ("method=uct", "no such method of sampling"),
        ("led=here", "no such way to lead lines"),
        ("exploration=0.5", "a number of one method"),
        ("exploration=2,method=outcome", "exploration"),
        ("seconds=1,milliseconds=5", "given twice"),
        ("milliseconds=0", "milliseconds"),
        ("targeted=2", "targeted"),
        ("trembles=-1", "trembles"),
        ("kept=2", "kept"),
        ("least=2", "least"),
        ("lines=0", "lines"),
        ("workers=0", "workers"),
        ("resolve_below=-1", "resolve_below"),
        ("simulations=0", "simulations"),
        ("belief=kinds", "no likelihoods"),
    ],
)
def test_options_that_make_no_sense_are_refused(options: str, said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        sound(options)


def test_a_safe_rest_needs_two_players(plain_python: None) -> None:
    with pytest.raises(SettingsError, match="two-player zero-sum"):
        parse_agent("sound:resolve_below=100").prepare(sleuth.game("love_letter", players=3))
