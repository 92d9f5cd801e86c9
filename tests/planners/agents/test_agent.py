"""Agents know what one player knows; names and options make them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import chisquare

from sleuth import Budget, Game, Play, Posterior, Search, SearchAgent, game, play_match
from sleuth.agents import AGENTS, Agent, DeterminizationAgent, RandomAgent, parse_agent
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.errors import SettingsError
from sleuth.games.clue import CARDS
from sleuth.games.small import KuhnPokerBelief
from sleuth.kit import View
from sleuth.planners.agents.names import NamedAgent, agents_of
from sleuth.search import Learning


@pytest.fixture(scope="module")
def kuhn() -> Game:
    return game("kuhn_poker")


def decide(agent: Agent, play: Play) -> int:
    return agent.decide(play.view(play.player), play.seen_by(play.player))


# Names


def test_a_name_with_options_makes_an_agent(kuhn: Game) -> None:
    agent = parse_agent("mcts:simulations=50,by-availability=no,gain=0.5")
    assert agent.options == (("simulations", 50), ("by_availability", False), ("gain", 0.5))
    assert parse_agent(agent.text) == agent
    made = agent.prepare(kuhn)(3)
    assert isinstance(made, SearchAgent)
    assert made.name == agent.text
    assert made.budget.simulations == 50
    assert not made.search.options.by_availability
    assert made.learning.gain_weight == 0.5


#: Agents that need more: what somebody did in part, simulated people, questions; the game that
#: alone has them; a program; what was learned; or whom they answer.
NEED_MORE = ("semi", "people", "asking", "pmga", "bot", "policy", "lbr")


@pytest.mark.parametrize("name", sorted(set(AGENTS) - set(NEED_MORE)))
def test_every_named_agent_decides_legally_and_the_same_with_the_same_seed(
    kuhn: Game, name: str
) -> None:
    usual = AGENTS[name].usual
    options = ":simulations=60" if hasattr(usual, "simulations") else ""
    make = parse_agent(name + options).prepare(kuhn)
    for seed in range(6):
        play = Play.new(kuhn, seed=seed)
        while not play.over:
            action = decide(make(seed), play)
            assert action in play.legal().tolist()
            assert decide(make(seed), play) == action
            play.apply(action)


@pytest.mark.parametrize("name", NEED_MORE)
def test_an_agent_that_needs_more_of_a_game_says_so(kuhn: Game, name: str) -> None:
    with pytest.raises(SettingsError) as found:
        parse_agent(name).prepare(kuhn)
    assert name in str(found.value)


WRONG = [
    ("mtcs", "did you mean 'mcts'?"),
    ("random,mcts", "one agent at a time"),
    ("random:seed=3", "it has none"),
    ("mcts:simulation=3", "did you mean 'simulations'?"),
    ("mcts:simulations=many", "a whole number is needed"),
    ("mcts:simulations=1.5", "a whole number is needed"),
    ("mcts:exploration=far", "a number is needed"),
    ("mcts:by_availability=perhaps", "yes or no is needed"),
    ("mcts:simulations", "write NAME:key=value"),
    ("mcts:", "write NAME:key=value"),
    ("mcts:trees=2,trees=3", "twice"),
    (":trees=2", "a name is missing"),
    ("", "a name is missing"),
]


@pytest.mark.parametrize("text, expected", WRONG)
def test_a_wrong_text_is_refused_with_what_to_write(text: str, expected: str) -> None:
    with pytest.raises(SettingsError, match=expected.replace("?", r"\?")):
        parse_agent(text)


UNFIT = [
    ("mcts:trees=-1", "trees"),
    ("mcts:simulations=0", "simulations must be positive"),
    ("mcts:selection=utc", "did you mean 'uct'"),
    ("mcts:information=all", "no such kind of information"),
    ("mcts:information=key", "has no key"),
    ("mcts:gain=-1", "gain_weight"),
]


@pytest.mark.parametrize("text, expected", UNFIT)
def test_an_option_that_does_not_fit_names_the_agent(kuhn: Game, text: str, expected: str) -> None:
    with pytest.raises(SettingsError, match=expected) as error:
        decide(parse_agent(text).prepare(kuhn)(0), Play.new(kuhn, seed=0))
    if "gain" not in text:
        assert text.split(":")[0] in str(error.value)


@pytest.mark.parametrize(
    "text, games",
    [
        ("mcts:predictor=usual", "cheat, cheat_for_many, saboteur"),
        ("semi:counts_first=yes", "cheat"),
    ],
)
def test_an_option_of_another_game_is_refused_and_the_game_is_named(text: str, games: str) -> None:
    agent = parse_agent(text)
    with pytest.raises(SettingsError, match="no such option in this game") as refused:
        agent.prepare(game("clue_table"))
    assert f"agents have it in {games}" in str(refused.value)
    assert "'clue_table'" in str(refused.value)


@pytest.mark.parametrize("of", ["cheat", "scotland_yard"])
def test_a_reading_is_its_options(of: str) -> None:
    made = game(of)
    kind = agents_of(made)["semi"]
    for reading, options in made.advice.readings.items():
        one = kind.settings(made, {"reading": reading, "worlds": 7})
        assert one == replace(kind.settings(made, {"worlds": 7, **options}), reading=reading)
        assert kind.settings(made, {"reading": reading, **options}) == replace(one, worlds=4096)
    with pytest.raises(SettingsError, match="did you mean 'text'"):
        kind.settings(made, {"reading": "test"})


def test_a_game_without_readings_says_so(kuhn: Game) -> None:
    with pytest.raises(SettingsError, match="this game offers none"):
        parse_agent("mcts:reading=text").prepare(kuhn)


def test_seconds_alone_are_a_budget(kuhn: Game) -> None:
    made = parse_agent("mcts:seconds=0.02").prepare(kuhn)(0)
    assert isinstance(made, SearchAgent)
    assert made.budget == Budget(seconds=0.02)
    assert NamedAgent("mcts").text == "mcts"


# Deciding


def test_the_random_agent_takes_every_action_equally_often() -> None:
    play = Play.new(game("tic_tac_toe"), seed=0)
    taken = np.bincount([decide(RandomAgent(seed), play) for seed in range(900)], minlength=9)
    assert chisquare(taken).pvalue > 1e-3


@pytest.mark.parametrize("name", ["alpha_beta", "expectimax", "mcts:simulations=2000"])
def test_nobody_who_looks_ahead_misses_a_win(name: str) -> None:
    board = game("tic_tac_toe")
    play = Play.new(board, seed=0)
    for action in (0, 4, 8, 2, 6, 7):
        play.apply(action)
    make = parse_agent(name).prepare(board)
    assert decide(make(1), play) == 3


def test_a_search_that_only_could_do_one_thing_does_not_search() -> None:
    board = game("tic_tac_toe")
    play = Play.new(board, seed=0)
    for action in (0, 4, 8, 1, 7, 6, 2, 5):
        play.apply(action)
    search = Search(board)
    agent = SearchAgent(search=search, belief=None, budget=Budget(simulations=10**9))
    assert decide(agent, play) == 3


def test_decisions_do_not_depend_on_what_is_hidden(kuhn: Game) -> None:
    make = parse_agent("mcts:simulations=300,gain=0.2").prepare(kuhn)
    for mine in range(3):
        decisions: list[object] = []
        for his in {0, 1, 2} - {mine}:
            start = kuhn.initial(0)
            start[0].cards[:] = [mine, his]
            play = Play.new(kuhn, seed=1, start=start)
            agent = make(5)
            assert isinstance(agent, SearchAgent)
            found = agent.decision(play.view(0), play.seen_by(0)).to_json()
            asked = {**found["learning"], "seconds": 0}
            decisions.append({**found, "seconds": 0, "learning": asked})
        assert decisions[0] == decisions[1]


def test_actions_that_a_belief_rules_out_are_not_searched(kuhn: Game) -> None:
    class Narrow(KuhnPokerBelief):
        def undominated(self, view: View, posterior: Posterior) -> Sequence[int] | None:
            return view.legal()[1:].tolist() if view.viewer == 0 else None

    play = Play.new(kuhn, seed=1)
    agent = SearchAgent(search=Search(kuhn), belief=Narrow(), budget=Budget(simulations=60))
    legal = play.legal().tolist()
    found = agent.decision(play.view(0), play.seen_by(0))
    assert [report.action for report in found.actions] == legal[1:]
    play.apply(legal[0])
    found = agent.decision(play.view(1), play.seen_by(1))
    assert sorted(report.action for report in found.actions) == play.legal().tolist()


def test_a_search_needs_a_belief_where_something_is_hidden(kuhn: Game) -> None:
    with pytest.raises(SettingsError, match="needs a belief"):
        SearchAgent(search=Search(kuhn), belief=None)
    with pytest.raises(SettingsError, match="nothing is hidden"):
        SearchAgent(
            search=Search(game("tic_tac_toe")),
            belief=None,
            learning=Learning(gain_weight=1.0),
        )


# Information


def test_the_gains_of_clues_questions_are_those_of_the_posterior() -> None:
    table = game("clue_table", players=3)
    play = Play.new(table, seed=3)
    view, seen = play.view(play.player), play.seen_by(play.player)
    known = belief_or_none(table)
    agent = SearchAgent(search=Search(table), belief=known, learning=Learning(gain_weight=2.0))
    posterior = agent.posterior(view, seen)
    objective = agent.objective(view, seen, posterior)
    assert sorted(objective.exact) == view.legal().tolist()
    assert objective.gain_weight == 2.0
    assert known is not None
    # The case file has too many values to be counted; its cards are.
    feature = known.hidden(view)["case file"]
    possible = {card for value in posterior.marginal(feature) for card in value}
    assert set(objective.class_names) == possible
    assert objective.entropy == pytest.approx(posterior.entropy(feature))
    # By hand: of cards all three of which are one's own, nothing can be learned.
    mine = set(np.flatnonzero(view.states[0].holder == view.viewer).tolist())
    for triple, gain in objective.exact.items():
        cards = {triple // 54, 6 + triple // 9 % 6, 12 + triple % 9}
        assert (gain < 1e-9) == (cards <= mine)


def test_classes_of_worlds_appear_as_often_as_their_values_are_likely(kuhn: Game) -> None:
    known = belief_or_none(kuhn)
    assert known is not None
    play = Play.new(kuhn, seed=2)
    agent = SearchAgent(
        search=Search(kuhn),
        belief=known,
        learning=Learning(gain_weight=1.0, about="card-of-second"),
    )
    view, seen = play.view(0), play.seen_by(0)
    posterior = agent.posterior(view, seen)
    objective = agent.objective(view, seen, posterior)
    assert objective.classes is not None
    assert objective.exact == {}
    rows = known.worlds(posterior, 2_000, np.random.default_rng(1))
    counts = np.bincount(objective.classes(rows)[:, 0])
    assert len(counts) == len(objective.class_names) == 2
    assert chisquare(counts).pvalue > 1e-3


def test_of_several_things_hidden_all_are_learned_about_unless_one_is_named(kuhn: Game) -> None:
    phantom = game("phantom_tic_tac_toe")
    play = Play.new(phantom, seed=0)
    for action in (0, 4):
        play.apply(action)
    view, seen = play.view(0), play.seen_by(0)
    learns = Learning(gain_weight=1.0)
    agent = SearchAgent(search=Search(phantom), belief=belief_or_none(phantom), learning=learns)
    posterior = agent.posterior(view, seen)
    assert agent.belief is not None
    hidden = agent.belief.hidden(view)
    assert len(hidden) > 1
    together = sum(posterior.entropy(feature) for feature in hidden.values())
    assert agent.objective(view, seen, posterior).entropy == pytest.approx(together)
    learns = Learning(gain_weight=1.0, about="card of firsts")
    wrong = SearchAgent(search=Search(kuhn), belief=belief_or_none(kuhn), learning=learns)
    with pytest.raises(SettingsError, match="did you mean 'card of first'"):
        decide(wrong, Play.new(kuhn, seed=0))


def test_uniform_worlds_ignore_how_likely_they_are() -> None:
    # Somebody who showed one of three cards is less likely to have had a choice. Counting deals
    # does not see that.
    table = game("clue_table", players=3)
    play = Play.new(table, seed=4)
    holder = play.truth()[0].holder
    asker, refuter = 0, 1
    suspect = int(np.flatnonzero(holder[:6] == refuter)[0])
    weapon = 6 + int(np.flatnonzero(holder[6:12] != asker)[0])
    room = 12 + int(np.flatnonzero(holder[12:] != asker)[0])
    play.apply(suspect * 54 + (weapon - 6) * 9 + room - 12)
    assert play.player == refuter
    play.apply(next(int(code) for code in play.legal() if code - 324 == suspect))
    view, seen = play.view(asker), play.seen_by(asker)
    search, known = Search(table), belief_or_none(table)
    weighted = SearchAgent(search=search, belief=known).posterior(view, seen).table("cards")
    counted = DeterminizationAgent(search=search, belief=known).posterior(view, seen).table("cards")
    name = table.roles[refuter]
    assert weighted[CARDS[suspect]][name] == counted[CARDS[suspect]][name] == 1.0
    for card in (CARDS[weapon], CARDS[room]):
        assert 0.0 < weighted[card][name] < counted[card][name]


def test_where_no_gain_is_known_an_agent_plays_by_value_alone() -> None:
    # Cards shown and accusations are no questions, and the case file has hundreds of values.
    learns = "mcts:simulations=30,gain=0.1,about=case_file"
    result = play_match("clue_table", (learns, "random", "random"), games=1, seed=2)
    assert len(result.games) == 1


def test_hints_name_agents_and_options_of_the_game_alone() -> None:
    kuhn, cheat = game("kuhn_poker"), game("cheat")

    def hint(text: str, of: Game | None = None) -> str:
        with pytest.raises(SettingsError) as refused:
            parse_agent(text, of)
        return refused.value.hint

    assert "detective" in hint("xx")
    assert "detective" not in hint("xx", kuhn)
    assert "right" in hint("mcts:claim=3").split(", ")
    assert "right" in hint("mcts:claim=3", cheat).split(", ")
    assert "right" not in hint("mcts:claim=3", kuhn).split(", ")
    with pytest.raises(SettingsError, match="did you mean 'mcts'"):
        play_match(kuhn, ["mcst", "random"], games=1)
