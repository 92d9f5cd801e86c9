"""Hints in Clue ask about what tells most, and accuse only when that is right."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from sleuth import Play, SearchAgent
from sleuth.games.clue import PASS, clue_table
from sleuth.models.clue.game import ACCUSE, ACCUSING, SHOWING
from sleuth.planners.agents import names
from sleuth.planners.search.kernels.knowledge import MOST_CLASSES
from sleuth.planners.search.objective import VALUE


@pytest.fixture(scope="module")
def benchmark() -> ModuleType:
    return importlib.import_module("benchmarks.clue.hints")


@pytest.fixture(scope="module")
def judge(benchmark: ModuleType) -> ModuleType:
    assert benchmark.judged
    return importlib.import_module("benchmarks.clue.judge")


def adviser(players: int) -> SearchAgent:
    game = clue_table(players)
    agent = names.adviser(game).prepare(game)(1)
    assert isinstance(agent, SearchAgent)
    return agent


@pytest.mark.parametrize("seed", range(5))
def test_nobody_is_told_to_accuse_after_a_first_question(seed: int) -> None:
    play, rng = Play.new(clue_table(), seed=seed), np.random.default_rng(seed)
    while play.view(play.player).states[0].stage != ACCUSING:
        play.apply(int(rng.choice(play.legal())))
    found = adviser(3).decision(play.view(play.player), play.seen_by(play.player))
    assert found.action == PASS
    assert len(found.actions) == 2
    assert found.untried == 0


def test_hints_ask_well_and_accuse_rightly(benchmark: ModuleType, judge: ModuleType) -> None:
    plays = benchmark.positions(16)
    hints = benchmark.measured(plays, "mcts")
    found = benchmark.summary(hints, judge.judged(plays, judge.Kept(), most=0))
    assert found["questions"] == found["accusations_or_passes"] == 8
    assert found["share_mean"] >= 0.97
    assert found["share_least"] >= 0.9
    assert found["accused_wrongly"] == found["passed_wrongly"] == 0
    assert found["accused_not_the_likeliest"] == 0
    assert {each.players for each in hints} == {3, 4, 5, 6}


def test_who_is_certain_is_told_to_accuse(benchmark: ModuleType) -> None:
    """Every player asks well until one knows the case file."""
    play, rng = Play.new(clue_table(), seed=2), np.random.default_rng(2)
    asker, agent = benchmark.Asker(adviser(3).belief, rng), adviser(3)
    while not play.over:
        action = asker.decide(play)
        if action >= ACCUSE and action != PASS:
            assert agent.decide(play.view(play.player), play.seen_by(play.player)) == action
            return
        play.apply(action)
    pytest.fail("nobody was certain")


def test_what_a_wrong_accusation_would_show_is_no_gain(benchmark: ModuleType) -> None:
    """A player who accuses wrongly sees the case file, but is out: only value counts there."""
    play, rng = Play.new(clue_table(), seed=2), np.random.default_rng(2)
    agent = adviser(3)
    asker = benchmark.Asker(agent.belief, rng)
    few = 0
    while not play.over:
        view, seen = play.view(play.player), play.seen_by(play.player)
        if view.states[0].stage == ACCUSING:
            posterior = agent.posterior(view, seen)
            assert agent.objective(view, seen, posterior) is VALUE
            assert agent.belief is not None
            (file,) = agent.belief.hidden(view).values()
            few += int(np.count_nonzero(posterior.distribution(file)) <= MOST_CLASSES)
        play.apply(asker.decide(play))
    assert few > 0


def test_a_position_is_played_on_as_its_viewer_may_imagine_it(
    benchmark: ModuleType, judge: ModuleType
) -> None:
    """Other cards, other cards shown to others; what the viewer has seen stays the same."""
    (play,) = [play for play in benchmark.positions(4) if play.actions][-1:]
    me, rng = play.player, np.random.default_rng(1)
    belief = adviser(play.game.players).belief
    assert belief is not None
    posterior = belief.infer(play.view(me), play.seen_by(me))
    others = [judge.in_world(play, me, world, rng) for world in belief.worlds(posterior, 5, rng)]
    assert all(other.seen_by(me) == play.seen_by(me) for other in others)
    assert len({other.truth().tobytes() for other in others}) > 1
    assert not any(other.truth()[0].stage == SHOWING for other in others)


def verdict(benchmark: ModuleType, judge: ModuleType, hint: dict[str, Any], **worth: Any) -> Any:
    made = benchmark.Hint(players=3, seed=1, turn=9, bits=1.0, said="", **hint)
    return benchmark.Judgement(hint=made, worth=judge.Worth(**worth))


def test_a_hint_is_wrong_where_the_other_answer_is_worth_more(
    benchmark: ModuleType, judge: ModuleType
) -> None:
    def wrong(hint: dict[str, Any], **worth: Any) -> bool:
        return len(benchmark.wrongs([verdict(benchmark, judge, hint, **worth)])) == 1

    often, seldom, passes = (1, 1, 1, 0) * 45, (0, 0, 0, 1) * 45, {"passes": True}
    assert wrong({"accused": 0.4}, likeliest=0.4, won=often)
    assert not wrong({"accused": 0.7}, likeliest=0.7, won=often)
    assert not wrong({"accused": 0.4}, likeliest=0.4, won=often[:8])
    assert not wrong(passes, likeliest=0.4, won=often)
    assert wrong(passes, likeliest=0.4, won=seldom)
    assert not wrong({"accused": 0.4}, likeliest=0.4, won=seldom)
    assert wrong({"accused": 0.2}, likeliest=0.4, won=seldom)
    assert wrong({"accused": 0.02}, likeliest=0.02)
    assert not wrong(passes, likeliest=0.02)
    assert wrong(passes, likeliest=1.0)
    assert not wrong({"accused": 1.0}, likeliest=1.0)


def test_what_a_hint_loses_is_said_with_its_doubt(benchmark: ModuleType, judge: ModuleType) -> None:
    found = verdict(benchmark, judge, {"passes": True}, likeliest=0.5, won=(1, 0, 0, 0) * 5)
    assert found.loss == pytest.approx(0.25)
    assert found.worth.interval[0] < 0.25 < found.worth.interval[1]
    assert found.most == pytest.approx(0.5 - found.worth.interval[0])
    # Halves that say different things: what is gained by choosing the luckier one is no loss.
    lucky = verdict(benchmark, judge, {"accused": 0.5}, likeliest=0.5, won=(1, 0, 1, 0, 1, 1))
    assert lucky.loss > 0.0 > lucky.careful


def test_many_positions_make_chance_wrong_seldom(judge: ModuleType) -> None:
    """Where accusing and going on are worth the same, 1,000 judges seldom say that one is wrong."""
    rng = np.random.default_rng(1)
    values = [
        judge.Worth(likeliest=0.3, won=tuple((rng.random(180) < 0.3).astype(int).tolist())).p_value
        for _ in range(1_000)
    ]
    assert np.mean(np.array(values) < 0.05) < 0.05
    rejected = [any(judge.holm(values[first : first + 50])) for first in range(0, 1_000, 50)]
    assert sum(rejected) <= 3


def test_holm_rejects_step_by_step(judge: ModuleType) -> None:
    """0.05 / 3, then 0.05 / 2, then 0.05: the first that is too large ends it."""
    assert judge.holm([0.04, 0.01, 0.024]) == [True, True, True]
    assert judge.holm([0.04, 0.02, 0.03]) == [False, False, False]
    assert judge.holm([0.06, 0.01, 0.9]) == [False, True, False]
    assert judge.holm([]) == []


def test_an_interrupted_judgement_goes_on(
    benchmark: ModuleType, judge: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def played_on(play: Play, first: int) -> list[int]:
        asked.append(first)
        if len(asked) == 2 and not again:
            raise KeyboardInterrupt
        return [1, 0] * (judge.AT_ONCE // 2)

    again, path = False, tmp_path / "kept.jsonl"
    monkeypatch.setattr(judge, "played_on", played_on)
    kept = judge.Kept(path)
    plays = benchmark.positions(10, kept=kept)
    with pytest.raises(KeyboardInterrupt):
        judge.judged(plays, kept, most=20)
    kept.close()
    with path.open("a") as stream:
        stream.write('{"players": 3, "seed"')  # cut off
    again, kept = True, judge.Kept(path)
    same = benchmark.positions(10, kept=kept)
    assert [play.actions for play in same] == [play.actions for play in plays]
    found = judge.judged(same, kept, most=20)
    assert asked[:3] == [0, 10, 10]
    kept.close()
    made = len(asked)
    assert found == judge.judged(same, judge.Kept(path), most=20)
    assert len(asked) == made
    assert [each is None for each in found] == [True, False] * 5
    assert {len(each.won) for each in found if each} <= {0, 20}
    assert any(each.won for each in found if each)


def test_an_earlier_run_stands_beside_this_one(
    benchmark: ModuleType, judge: ModuleType, tmp_path: Path
) -> None:
    plays = benchmark.positions(4)
    hints, worths = benchmark.measured(plays, "mcts"), judge.judged(plays, judge.Kept(), most=0)
    path = tmp_path / "before.json"
    path.write_text(json.dumps({"hints": benchmark._listed({"mcts": hints}, worths)}))
    assert benchmark._earlier(path, plays) == {"mcts, before": hints}
    with pytest.raises(SystemExit, match="other positions"):
        benchmark._earlier(path, plays[:2])
