"""The agents of Clue play by the rules, know nothing hidden, and accuse when they know."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sleuth import Play, game
from sleuth.agents import parse_agent
from sleuth.beliefs.games.clue.learned import NAMES, learned
from sleuth.beliefs.games.clue.suggesting import SuggestionWorth
from sleuth.beliefs.predictors.predictor import LINEAR, NODE, PredictorTables
from sleuth.errors import RecordError, SettingsError
from sleuth.games.clue import PASS
from sleuth.kit import save_predictor
from sleuth.models.clue.board.walking import STAY, TURNING
from sleuth.models.clue.game import ACCUSE, ACCUSING, SHOW, SHOWING, SUGGESTING
from sleuth.planners.clue.agents import AGENTS, Detective, Situation
from sleuth.predictors import Predictor

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


def test_to_stay_is_compared_with_one_suggestion_elsewhere() -> None:
    """However many suggestions are thought ahead: those after this one are to come anyhow."""
    made, chosen = game("clue", summons=True), set[bool]()
    nearest, *hunts = (
        parse_agent(f"{text},{QUICK}").prepare(made)(1)
        for text in ("nearest:price=0.0", "hunt:horizon=1", "hunt:horizon=2")
    )
    for seed in range(3, 9):
        play = Play.new(made, seed=seed)
        while not play.over and len(play.actions) < 120:
            view, seen = play.view(play.player), play.seen_by(play.player)
            if int(play.truth()[0].stage) == TURNING and STAY in play.legal():
                stays = [hunt.decide(view, seen) == STAY for hunt in hunts]
                assert stays[0] == stays[1]
                chosen.add(stays[0])
                if len(chosen) == 2:
                    return
            play.apply(nearest.decide(view, seen))
    raise AssertionError("one of the two was never chosen")


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


def test_probability_gain_is_weighed_against_bits() -> None:
    """One of two suggestions tells more bits, the other makes it likelier to be right."""
    made = game("clue_table", players=3)
    play = Play.new(made, seed=6)
    codes = np.array([7, 11], dtype=np.int32)
    chosen = {}
    for weight in (0.0, 1.0, 100.0):
        agent = parse_agent(f"detective:probability_gain={weight}").prepare(made)(3)
        assert isinstance(agent, Detective)
        moment = Situation(agent, play.view(0), play.seen_by(0))
        bits, right = np.zeros(324), np.zeros(324)
        bits[codes], right[codes] = (0.5, 0.3), (0.2, 0.25)
        moment.told = SuggestionWorth(bits, right)
        chosen[weight] = moment.suggesting(codes)
    assert chosen == {0.0: 7, 1.0: 7, 100.0: 11}


def test_who_listens_takes_what_was_learned_from_a_file(tmp_path: Path) -> None:
    usual = learned().predictor
    # The same, but that everybody names their own cards.
    weights = np.where(np.array(NAMES) == "held", 8.0, 0.0)
    tables = PredictorTables(
        np.zeros(0, dtype=NODE).view(np.recarray),
        np.zeros(0, dtype=np.int32),
        np.zeros(len(NAMES)),
        np.array([LINEAR, 1.0, 0.0, -4.0]),
        weights,
    )
    save_predictor(Predictor({**usual.card, "kind": "linear"}, tables), tmp_path / "mine")
    play = Play.new(game("clue_table"), seed=4)
    play.apply(next(code for code in range(324) if play.truth()[0].holder[code // 54] == 0))
    while play.player != 1 or int(play.truth()[0].stage) != SUGGESTING:
        legal = play.legal()
        play.apply(PASS if PASS in legal else int(legal[0]))
    view, seen = play.view(1), play.seen_by(1)
    file = {}
    for text in ("learned", "learned,predictor=usual", f"learned,predictor={tmp_path / 'mine'}"):
        agent = parse_agent(f"detective:knows={text}").prepare(play.game)(1)
        assert isinstance(agent, Detective)
        file[text[-4:]] = Situation(agent, view, seen).file()
    assert (file["rned"] == file["sual"]).all()
    assert np.abs(file["sual"] - file["mine"]).max() > 1e-4


def test_other_games_and_impossible_options_are_refused() -> None:
    with pytest.raises(SettingsError, match="plays only clue"):
        parse_agent("detective").prepare(game("kuhn_poker"))
    with pytest.raises(SettingsError):
        parse_agent("detective:worlds=0").prepare(game("clue_table"))
    with pytest.raises(SettingsError, match="probability_gain"):
        parse_agent("daring:probability_gain=-1").prepare(game("clue_table"))
    with pytest.raises(SettingsError):
        parse_agent("detective:shows=most")
    for option in ("price=-1", "seconds=-3", "finalists=-1"):
        with pytest.raises(SettingsError, match=option.partition("=")[0]):
            parse_agent(f"detective:{option}").prepare(game("clue_table"))
    with pytest.raises(SettingsError, match="from a table only"):
        parse_agent("detective:asks=uncertain").prepare(game("clue_table"))
    with pytest.raises(SettingsError, match="write detective:knows=learned,predictor=mine"):
        parse_agent("detective:predictor=mine").prepare(game("clue_table"))
    with pytest.raises(RecordError, match="cannot be read"):
        parse_agent("daring:predictor=nowhere").prepare(game("clue_table"))


def test_players_who_conclude_little_are_found_out() -> None:
    made = game("clue_table", players=3)
    (daring, heard) = (
        parse_agent(f"daring:{QUICK}{more}").prepare(made)(1) for more in ("", ",knows=heard")
    )
    others = [parse_agent("ledford").prepare(made)(seat) for seat in range(3)]
    play = Play.new(made, seed=6)
    while len(play.actions) < 30 and not play.over:
        seat = play.player
        play.apply(others[seat].decide(play.view(seat), play.seen_by(seat)))
    assert isinstance(daring, Detective)
    assert isinstance(heard, Detective)
    moment = Situation(daring, play.view(0), play.seen_by(0))
    reasons = moment.belief.reasons(moment.known)
    assert len(reasons) == 3 - 1
    assert max(reasons.values()) < 0.3
    assert heard.belief.reasons(moment.known) == {}
