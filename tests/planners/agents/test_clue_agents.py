"""The agents of Clue play by the rules, know nothing hidden, and accuse when they know."""

from __future__ import annotations

import pytest

from sleuth.data.errors import SettingsError
from sleuth.models.clue.game import ACCUSE, ACCUSING, PASS, SHOW, SHOWING
from sleuth.models.games import game
from sleuth.models.play import Play
from sleuth.planners.agents.clue import AGENTS
from sleuth.planners.agents.names import parse_agent

QUICK = "worlds=200"


def _texts(names: list[str]) -> list[str]:
    return [f"{name}:{QUICK}" for name in names]


def _played(rules: str, texts: list[str], seed: int, **settings: object) -> Play:
    made = game(rules, players=len(texts), **settings)
    agents = [parse_agent(text).prepare(made)(seed) for text in texts]
    play = Play.new(made, seed=seed)
    while not play.over:
        seat = play.player
        play.apply(agents[seat].decide(play.view(seat), play.seen_by(seat)))
    return play


@pytest.mark.parametrize(
    "names", [["detective", "factored", "notebook"], ["likeliest", "ledford", "daring"]]
)
def test_games_end_with_a_winner(names: list[str]) -> None:
    play = _played("clue_table", _texts(names), 3)
    assert sorted(play.returns()) == [0.0, 0.0, 1.0]


def test_all_walk_on_the_board() -> None:
    play = _played("clue", _texts(["detective", "nearest", "ledford"]), 2, summons=True, turns=60)
    assert len(play.actions) > 20


def test_certain_agents_are_never_wrong() -> None:
    for seed in range(3):
        play = Play.new(game("clue_table"), seed=seed)
        agents = [
            parse_agent(text).prepare(play.game)(seed)
            for text in _texts(["detective", "entropy", "notebook"])
        ]
        while not play.over:
            seat = play.player
            action = agents[seat].decide(play.view(seat), play.seen_by(seat))
            stage = int(play.truth()[0].stage)
            play.apply(action)
            if stage == ACCUSING and ACCUSE <= action < PASS:
                assert play.over
                assert play.returns()[seat] == 1.0


def test_a_card_that_was_shown_is_shown_again() -> None:
    play = Play.new(game("clue_table"), seed=4)
    holder = play.truth()[0].holder
    suspect, weapon = (
        next(card for card in kind if holder[card] == 1) for kind in (range(6), range(6, 12))
    )
    triple = suspect * 54 + (weapon - 6) * 9
    agent = parse_agent(f"detective:{QUICK}").prepare(play.game)(1)
    shown = []
    for _ in range(2):
        play.apply(triple)
        assert int(play.truth()[0].stage) == SHOWING
        assert play.player == 1
        shown.append(agent.decide(play.view(1), play.seen_by(1)))
        play.apply(shown[-1])
        play.apply(PASS)
        for other in (1, 2):  # their turns
            play.apply(0)
            while play.player != (other + 1) % 3 or int(play.truth()[0].stage) != 0:
                legal = play.legal()
                play.apply(PASS if PASS in legal else int(legal[0]))
    assert shown[0] == shown[1]
    assert SHOW <= shown[0] < ACCUSE


def test_a_decision_depends_on_nothing_hidden() -> None:
    made = game("clue_table", players=3)
    play = Play.new(made, seed=6)
    for name in AGENTS:
        agent = parse_agent(f"{name}:{QUICK}").prepare(made)
        view, seen = play.view(0), play.seen_by(0)
        assert agent(3).decide(view, seen) == agent(3).decide(view, seen)


def test_other_games_and_impossible_options_are_refused() -> None:
    with pytest.raises(SettingsError, match="plays only clue"):
        parse_agent("detective").prepare(game("kuhn_poker"))
    with pytest.raises(SettingsError):
        parse_agent("detective:worlds=0").prepare(game("clue_table"))
    with pytest.raises(SettingsError):
        parse_agent("detective:shows=most")
