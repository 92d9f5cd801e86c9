"""Online sampling: lines that are led are weighed back, and an answer knows nothing hidden."""

from __future__ import annotations

import numpy as np
import pytest

from sleuth import Budget, Play, SleuthError, exploitability, game
from sleuth.beliefs.games.histories import histories
from sleuth.equilibria import GameTree, OnlineSearch, Sampling, WholeGameSearch
from sleuth.kit import SeenPlay, View
from sleuth.models.kernels.hash_table import slot_of
from sleuth.planners.search.kernels.tree import ABSENT
from sleuth.planners.sound import online
from sleuth.planners.sound.deciding import drawn_decision
from sleuth.planners.sound.known_sets import known_keys

KUHN = GameTree("kuhn_poker")
METHODS = ("external", "outcome")


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("targeted, trembles", [(0.3, 0.0), (0.9, 0.0), (0.9, 1_000.0)])
def test_lines_that_are_led_leave_the_policy_of_the_whole_game_right(
    method: str, targeted: float, trembles: float
) -> None:
    for known in KUHN.information_sets[::3]:
        search = OnlineSearch(
            "kuhn_poker", sampling=Sampling(method=method), targeted=targeted, trembles=trembles
        )
        play = KUHN.play_to(known)
        view, seen = play.view(known.player), play.seen_by(known.player)
        search.decide(view, seen, Budget(simulations=200_000))
        assert search.led_from == "deal"
        policy = search.search.policy(KUHN)
        assert exploitability(KUHN, policy).exploitability < 0.03


@pytest.mark.parametrize("method", METHODS)
def test_a_tremble_that_never_falls_is_seen_in_the_policy(method: str) -> None:
    # After a bet: whose card bets how often decides whether to call.
    known = next(each for each in KUHN.information_sets if each.played == (1,))
    play = KUHN.play_to(known)
    view, seen = play.view(known.player), play.seen_by(known.player)
    lost: list[float] = []
    for trembles in (0.0, 1e12):
        sampling = Sampling(method=method)
        search = OnlineSearch("kuhn_poker", sampling=sampling, targeted=0.9, trembles=trembles)
        search.decide(view, seen, Budget(simulations=200_000))
        policy = search.search.policy(KUHN)
        lost.append(exploitability(KUHN, policy).exploitability)
    assert lost[0] < 0.02 < 0.04 < lost[1]


def test_after_some_moves_there_is_something_to_decide_by(plain_python: None) -> None:
    bids = game("goofspiel", cards=13, order="descending")

    def even(trembles: float) -> int:
        search = OnlineSearch(bids, trembles=trembles, kept=None if trembles else 1.0)
        play, rng, found = Play.new(bids, seed=1), np.random.default_rng(1), 0
        while len(play.legal()) > 5:
            if play.player == 0:
                decision = search.decide(play.view(0), play.seen_by(0), Budget(simulations=60))
                assert search.led_from == "deal"
                found += len(set((decision.policy or {}).values())) == 1
            play.apply(int(rng.choice(play.legal())))
        return found

    assert even(100_000.0) == 0
    assert even(0.0) > 2


def test_what_was_learned_fades_at_the_next_decision_and_not_before(plain_python: None) -> None:
    def sums(kept: float, again: bool) -> float:
        play = Play.new("leduc_poker", seed=2)
        search = OnlineSearch(
            play.game, sampling=Sampling(method="outcome"), targeted=0.5, kept=kept
        )
        search.decide(play.view(0), play.seen_by(0), Budget(simulations=400))
        if not again:
            play.apply(1)
            play.apply(1)
        before = sum(float(tree.squares.sum()) for tree in search.search.trees)
        player = play.player
        search.decide(play.view(player), play.seen_by(player), Budget(simulations=1))
        return sum(float(tree.squares.sum()) for tree in search.search.trees) / before

    assert sums(0.25, again=False) == pytest.approx(0.25, rel=0.02)
    assert sums(1.0, again=False) == pytest.approx(1.0, rel=0.02)
    assert sums(0.25, again=True) == pytest.approx(1.0, rel=0.02)


def test_lines_led_through_hidden_actions_are_weighed_by_how_many_there_are() -> None:
    bids = game("goofspiel", cards=4, order="descending")
    tree = GameTree(bids)
    asked = [known for known in tree.information_sets if len(known.actions) == 2]
    for known in (asked[0], asked[-1]):
        search = OnlineSearch(
            bids, sampling=Sampling(method="outcome"), targeted=0.5, lines=64, trembles=1_000.0
        )
        play = tree.play_to(known)
        search.decide(
            play.view(known.player), play.seen_by(known.player), Budget(simulations=300_000)
        )
        assert exploitability(tree, search.search.policy(tree)).exploitability < 0.004


def test_asked_at_every_information_set_it_comes_nearer_to_an_equilibrium() -> None:
    tree = GameTree("leduc_poker")
    search = OnlineSearch(tree.game)

    def policy(simulations: int) -> dict[int, np.ndarray]:
        found = {}
        for known in tree.information_sets:
            play = tree.play_to(known)
            view, seen = play.view(known.player), play.seen_by(known.player)
            search.forget()
            decision = search.decide(view, seen, Budget(simulations=simulations))
            assert decision.policy is not None
            found[known.index] = np.array([decision.policy[code] for code in known.actions])
        return found

    few, more = (exploitability(tree, policy(count)).exploitability for count in (100, 3_000))
    assert more < 0.4 < few


def test_statistics_are_kept_from_move_to_move_of_one_game() -> None:
    search = OnlineSearch("leduc_poker", seed=1)
    play = Play.new("leduc_poker", seed=1)
    made = []
    for _ in range(4):
        view, seen = play.view(play.player), play.seen_by(play.player)
        if play.player == 0:
            search.decide(view, seen, Budget(simulations=500))
            made.append(search.search.simulations)
        play.apply(1)
    assert made == [500, 1_000]
    other = Play.new("leduc_poker", seed=2)
    search.decide(other.view(0), other.seen_by(0), Budget(simulations=500))
    assert search.search.simulations == 500


def test_a_change_of_what_is_hidden_changes_no_decision() -> None:
    play = Play.new("leduc_poker", seed=3)
    play.apply(1)
    answers = set()
    for card in range(3):
        state = play.truth()
        state[0].cards[0] = card
        imagined = play.supposing(state)
        search = OnlineSearch("leduc_poker", sampling=Sampling(method="outcome"), seed=4)
        decision = search.decide(imagined.view(1), imagined.seen_by(1), Budget(simulations=400))
        assert decision.policy is not None
        answers.add((decision.action, tuple(decision.policy.values())))
    assert len(answers) == 1


def test_actions_are_drawn_as_often_as_the_policy_says() -> None:
    play = Play.new("kuhn_poker", seed=1)
    view, seen = play.view(0), play.seen_by(0)
    drawn = []
    search = OnlineSearch("kuhn_poker")
    search.decide(view, seen, Budget(simulations=50))
    shares = search.probabilities(view, seen)
    for seed in range(400):
        decision = drawn_decision(
            play.game,
            view,
            seen,
            shares,
            visits=np.zeros(2, np.int64),
            values=np.zeros(2),
            seed=seed,
            simulations=50,
        )
        drawn.append(decision.action)
    share, count = shares[0], drawn.count(0)
    spread = np.sqrt(400 * share * (1 - share))
    assert abs(count - 400 * share) < 4 * spread + 1e-9


@pytest.mark.parametrize("name", ["scotland_yard", "phantom_tic_tac_toe", "tic_tac_toe"])
@pytest.mark.usefixtures("plain_python")
def test_every_game_is_answered_and_says_from_where(name: str) -> None:
    play = Play.new(name, seed=1)
    play.apply(int(play.legal()[0]))
    search = OnlineSearch(name, sampling=Sampling(method="outcome"), lines=16)
    view, seen = play.view(play.player), play.seen_by(play.player)
    decision = search.decide(view, seen, Budget(simulations=6))
    assert decision.action in play.legal()
    assert search.led_from in ("deal", "now")
    again = search.decide(view, seen, Budget(simulations=6))
    assert again.simulations == 6


def test_walks_that_are_too_wide_are_left_for_outcome_sampling(plain_python: None) -> None:
    search = OnlineSearch("phantom_tic_tac_toe")
    play = Play.new("phantom_tic_tac_toe", seed=1)
    search.decide(play.view(0), play.seen_by(0), Budget(simulations=20))
    assert search.search.sampling.method == "outcome"
    assert search.targeted == 0.9


def test_a_method_that_is_given_is_all_that_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    warmed = list[str]()

    def warm(search: WholeGameSearch, say: object = None) -> bool:
        warmed.append(search.sampling.method)
        return True

    monkeypatch.setattr(WholeGameSearch, "warm", warm)
    OnlineSearch("tic_tac_toe", sampling=Sampling(method="outcome"), led="now").warm()
    assert warmed == ["outcome"]


def test_a_stop_while_games_are_drawn_ends_the_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    play = Play.new("leduc_poker", seed=1)
    view, seen = play.view(0), play.seen_by(0)
    search = OnlineSearch("leduc_poker", sampling=Sampling(method="outcome"), targeted=0.5)

    def drawing(*given: object, **named: object) -> object:
        search.stop()
        return histories(*given, **named)  # type: ignore[arg-type]

    search.stop()  # when nothing is decided, there is nothing to stop
    assert not search.decide(view, seen, Budget(simulations=20)).interrupted
    monkeypatch.setattr(online, "histories", drawing)
    decision = search.decide(view, seen, Budget(seconds=60))
    assert decision.interrupted
    assert decision.simulations == 0
    search.forget()
    with pytest.raises(KeyboardInterrupt):
        search.decide(view, seen, Budget(seconds=60))


@pytest.mark.parametrize(
    "given, word",
    [
        ({"sampling": Sampling(method="uct")}, "MCCFR"),
        ({"targeted": 2.0}, "targeted"),
        ({"trembles": -1.0}, "trembles"),
        ({"kept": 1.5}, "kept"),
        ({"lines": 0}, "lines"),
        ({"led": "here"}, "lead lines"),
        ({"seed": -1}, "seed"),
    ],
)
def test_mistakes_are_named(given: dict[str, object], word: str) -> None:
    with pytest.raises(SleuthError, match=word):
        OnlineSearch(game("kuhn_poker"), **given)  # type: ignore[arg-type]


def test_lines_from_the_deal_that_are_not_led_need_no_belief(plain_python: None) -> None:
    play = Play.new("phantom_tic_tac_toe", seed=1)
    play.apply(0)
    view, seen = play.view(play.player), play.seen_by(play.player)
    search = OnlineSearch(
        "phantom_tic_tac_toe", sampling=Sampling(method="outcome"), targeted=0.0, led="deal"
    )
    made = [search.decide(view, seen, Budget(simulations=4)) for _ in range(2)]
    assert [each.action in play.legal() for each in made] == [True, True]
    assert (search.led_from, search.search.simulations) == ("deal", 8)
    saboteur = Play.new("saboteur", seed=1)
    view, seen = saboteur.view(saboteur.player), saboteur.seen_by(saboteur.player)
    led = OnlineSearch("saboteur", sampling=Sampling(method="outcome"), led="deal")
    with pytest.raises(SleuthError, match="cannot say what was dealt"):
        led.decide(view, seen, Budget(simulations=4))


@pytest.mark.parametrize("led, wanted", [("auto", "deal"), ("now", "now"), ("deal", "deal")])
def test_lines_lead_from_the_deal_through_hidden_actions(led: str, wanted: str) -> None:
    play = Play.new("phantom_tic_tac_toe", seed=1)
    for code in (0, 0, 4):  # the second bumps into the first, and only they notice
        play.apply(code)
    view, seen = play.view(0), play.seen_by(0)
    search = OnlineSearch("phantom_tic_tac_toe", sampling=Sampling(method="outcome"), led=led)
    decision = search.decide(view, seen, Budget(simulations=200))
    assert (search.led_from, decision.simulations) == (wanted, 200)


def test_one_line_asks_for_room_for_one() -> None:
    wide, narrow = (
        WholeGameSearch("phantom_tic_tac_toe", method=method) for method in ("external", "outcome")
    )
    edges = [len(each.trees[0].actions) for each in (wide, narrow)]
    assert edges[0] > 8 * edges[1]


def test_lines_are_led_past_a_lie_of_the_players_own(plain_python: None) -> None:
    # A led line carries out the cards of a lie; its player remembers that they told one.
    play = Play.new("cheat", seed=3)
    search = OnlineSearch(
        "cheat", sampling=Sampling(method="outcome"), targeted=1.0, led="deal", lines=64
    )
    names = {play.game.action_name(code): code for code in range(play.game.max_actions + 8)}
    for name in ("lower false 2", "lower true 1", "lower false 1", "take"):
        view, seen = play.view(play.player), play.seen_by(play.player)
        if play.player == 0:
            before = _lines_to(search, view, seen)
            search.decide(view, seen, Budget(simulations=20))
            assert _lines_to(search, view, seen) - before == 40
        play.apply(names[name] if names[name] in play.legal() else int(play.legal()[-1]))


def _lines_to(search: OnlineSearch, view: View, seen: SeenPlay) -> int:
    """How many lines came to a decision."""
    (tree,) = search.search.trees
    key = known_keys(view.game, view, seen, "players")[-1]
    node = int(tree.slots[int(slot_of(tree.slots, tree.keys, key))])
    return 0 if node == ABSENT else int(tree.visits[node])
