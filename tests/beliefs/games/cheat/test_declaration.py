"""What a player of Cheat can know: the declaration, and how it is used in play."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from sleuth import Deal, Game, Model, Play, Posterior, check_game, infer
from sleuth.beliefs.games.cheat.declaration import collected_before
from sleuth.beliefs.games.registry import belief_or_none
from sleuth.games.cheat import (
    RANK_NAMES,
    CheatBelief,
    CheatDeclaration,
    SeenCheat,
    cheat,
    mini_cheat,
    seen_game,
)
from sleuth.models.cheat.record.seen import SeenTurn, witness_game


def game(turns: list[SeenTurn], **changes: Any) -> SeenCheat:
    """A game of a pack of 12 as the first player saw it, four cards each."""
    sizes, left, pile, first = [4, 4], 3, 1, changes.get("first", 0)
    laid: list[SeenTurn] = []
    for turn in turns:
        if turn.kind == "claim":
            sizes[turn.by] -= turn.count
            pile += turn.count
            laid.append(turn)
        elif turn.kind == "take":
            sizes[turn.by] += 1
            left -= 1
        else:
            sizes[turn.by if laid[-1].true else 1 - turn.by] += pile
            pile = 0
    seen: dict[str, Any] = {
        "viewer": 0,
        "ranks": 4,
        "suits": 3,
        "hand": (1, 1, 1, 1),
        "sizes": (sizes[0], sizes[1]),
        "pile": pile,
        "left": left,
        "first": first,
        "aside": False,
        "rank": 0,
        "mixed": False,
        "turns": turns,
        "over": False,
    }
    return witness_game(**(seen | changes))


def random_game(settings: Game, seed: int, turns: int = 40) -> Play:
    """Somebody plays anyhow, with more claims than calls."""
    rng = np.random.default_rng(seed)
    play = Play.new(settings, seed=seed)
    while not play.over and len(play.actions) < turns:
        legal = play.legal()
        weights = np.where(legal == 0, 0.25, np.where(legal == 1, 0.4, 1.0))
        play.apply(int(rng.choice(legal, p=weights / weights.sum())))
    return play


def moments(settings: Game, seed: int, turns: int = 40) -> list[tuple[Any, Any]]:
    """View and events of the player to move, before every move of a game."""
    result: list[tuple[Any, Any]] = []
    done = random_game(settings, seed, turns)
    play = Play.new(settings, seed=seed)
    for action in done.actions:
        result.append((play.view(play.player), play.seen_by(play.player)))
        play.apply(action)
    return result


class WholeGame:
    """The same knowledge, declared from the first deal on: nothing is forgotten with a pile."""

    def __init__(self, settings: Game, play: Play, viewer: int) -> None:
        rules = settings.tables.rules[0]
        self.ranks, self.viewer = int(rules.ranks), viewer
        self.seen = seen_game(play.view(viewer))
        start: Any = settings.initial(play.seed)[0]
        mine = start.hands[viewer].tolist()[: self.ranks]
        hand = int(rules.hand)
        names = RANK_NAMES[: self.ranks]
        self.deal = Deal(
            dict.fromkeys(names, int(rules.suits)),
            holders={
                "me": hand,
                "other": hand,
                "pile": 1,
                "deck": self.ranks * int(rules.suits) - 2 * hand - 1,
            },
            known={
                "me": {name: count for name, count in zip(names, mine, strict=True) if count},
                "pile": {names[int(start.first)]: 1},
            },
        )
        self.names: dict[int, str] = {}
        self.ambiguous = False
        self.steps: list[Any] = []
        replay = Play.new(settings, seed=play.seed)
        before = mine
        for place, (turn, action) in enumerate(zip(self.seen.turns, play.actions, strict=True)):
            replay.apply(action)
            after = seen_game(replay.view(viewer)).hand
            assert after is not None
            self._turn(place, turn, before, after)
            before = list(after)

    def _turn(self, place: int, turn: SeenTurn, before: Any, after: Any) -> None:
        who = "me" if turn.by == self.viewer else "other"
        deal, name = self.deal, f"turn {place}"
        if turn.kind == "take":
            self.steps.append(deal.split("deck", name, 1))
            if who == "me":
                drawn = [RANK_NAMES[r] for r in range(self.ranks) if after[r] > before[r]]
                self.steps.append(deal.reveal(name, {drawn[0]: 1}))
            self.steps.append(deal.merge([who, name], who))
        elif turn.kind == "claim":
            self.steps.append(deal.split(who, name, turn.count))
            self.names[place] = name
            rank = RANK_NAMES[turn.rank]
            if who == "me":
                assert turn.cards is not None
                tally = {RANK_NAMES[r]: turn.cards.count(r) for r in set(turn.cards)}
                self.steps.append(deal.reveal(name, tally))
            elif not self.seen.mixed and turn.count > 1:
                allowed = [0, turn.count] if turn.count <= deal.items[rank] else [0]
                self.steps.append(deal.count(name, rank).among(allowed))
        else:
            known = collected_before(self.until(place))
            last: SeenTurn | None = None
            for laid, name in self.names.items():
                claim = last = self.seen.turns[laid]
                assert claim.cards is not None
                if claim.by != self.viewer:
                    self.ambiguous |= any(known[claim.by][rank] for rank in claim.cards)
                    tally = {RANK_NAMES[r]: claim.cards.count(r) for r in set(claim.cards)}
                    self.steps.append(deal.reveal(name, tally))
            assert last is not None
            loser = turn.by if last.true else 1 - turn.by
            into = "me" if loser == self.viewer else "other"
            pile = ["pile"] if self.pile_begins(place) else []
            self.steps.append(deal.merge([into, *pile, *self.names.values()], into))
            self.names = {}

    def pile_begins(self, place: int) -> bool:
        return not any(turn.kind == "call" for turn in self.seen.turns[:place])

    def until(self, place: int) -> SeenCheat:
        seen = self.seen
        return game(list(seen.turns[:place]), ranks=seen.ranks, suits=seen.suits, first=seen.first)

    def infer(self) -> Posterior:
        return infer(Model(self.deal), self.steps, method="card_by_card")


SMALL = cheat(ranks=4, suits=3, hand=3)
SOME = cheat(ranks=4, suits=3, hand=3, false_claim="some")


@pytest.mark.parametrize("false_claim", ["none", "some"])
def test_a_pile_at_a_time_is_the_whole_game_at_once(false_claim: Any) -> None:
    settings = cheat(ranks=4, suits=4, hand=5, false_claim=false_claim)
    compared = shown = 0
    for seed in range(60):
        play = random_game(settings, seed, turns=4 + seed % 7)
        if play.over:
            continue
        viewer = play.player
        whole = WholeGame(settings, play, viewer)
        if whole.ambiguous:
            continue
        seen = whole.seen
        pile = CheatDeclaration(seen)
        posterior, oracle = pile.infer(), whole.infer()
        for rank, name in enumerate(RANK_NAMES[: seen.ranks]):
            assert pile.holding(posterior, 1 - viewer, rank) == pytest.approx(
                oracle.marginal(whole.deal.count("other", name)), abs=1e-12
            )
        for place, truth in pile.truths(posterior).items():
            claim = whole.deal.all_of(whole.names[place], RANK_NAMES[seen.turns[place].rank])
            assert truth == pytest.approx(oracle.probability(claim), abs=1e-12)
        compared += 1
        shown += any(turn.kind == "call" for turn in seen.turns)
    assert compared >= 15
    assert shown >= 3


def test_a_claim_is_as_likely_as_counting_says() -> None:
    # He lays down one of his four cards: a deuce with 2 of the 7 cards that I cannot place.
    seen = game([SeenTurn(0, "take", 0), SeenTurn(1, "claim", 1, 1)], hand=(1, 1, 2, 1))
    held = CheatDeclaration(seen)
    posterior = held.infer()
    assert held.truths(posterior) == pytest.approx({1: 2 / 6})
    assert sum(held.hand(posterior, 1)["2"].values()) == pytest.approx(1.0)
    # Of his other three cards.
    wanted = 1.0 - math.comb(4, 3) / math.comb(6, 3)
    assert held.holds_at_least(posterior, 1, 1, 1) == pytest.approx(wanted)


def test_what_cannot_be_is_false_whatever_a_predictor_says() -> None:
    turns = [SeenTurn(0, "claim", 1, 1, (1,)), SeenTurn(1, "claim", 1, 2)]
    held = CheatDeclaration(game(turns, hand=(0, 1, 1, 1)))
    # Two of the three deuces are mine.
    assert held.truths(held.infer(0.999)) == {0: 1.0, 1: 0.0}


def test_what_must_be_is_true_whatever_a_predictor_says() -> None:
    # He was caught with four cards, and took them up with the ace: that is his whole hand.
    turns = [
        SeenTurn(0, "take", 0),
        SeenTurn(1, "claim", 3, 4, (1, 1, 1, 2)),
        SeenTurn(0, "call", 3),
        SeenTurn(1, "claim", 2, 1),
        SeenTurn(0, "take", 2),
        SeenTurn(1, "claim", 1, 3),
    ]
    seen = game(turns, hand=(2, 0, 2, 2))
    assert collected_before(seen) == ((0, 0, 0, 0), (1, 3, 1, 0))
    held = CheatDeclaration(seen)
    truths = held.truths(held.infer({3: 1e-6, 5: 1e-6}))
    # Three of them are no deuces only if there are three others.
    assert truths[5] == 1.0
    assert truths[3] < 1e-5


@pytest.mark.parametrize("p", [0.02, 0.4, 0.97])
def test_a_prediction_that_knows_the_count_is_taken_at_its_word(p: float) -> None:
    turns = [SeenTurn(0, "take", 0), SeenTurn(1, "claim", 1, 2)]
    held = CheatDeclaration(game(turns, hand=(1, 1, 2, 1)))
    assert held.truths(held.infer(p))[1] == pytest.approx(p)
    assert held.truths(held.infer({1: p}))[1] == pytest.approx(p)
    assert held.truths(held.infer({0: p}))[1] == held.truths(held.infer())[1]
    # Set against a baseline it did not have, it would be counted twice.
    twice = held.truths(held.infer({1: (p, 0.5)}))[1]
    counted = held.truths(held.infer())[1]
    odds = p / (1 - p) * counted / (1 - counted)
    assert twice == pytest.approx(odds / (1 + odds))


def test_taking_from_an_empty_deck_is_a_way_to_pass() -> None:
    turns = [SeenTurn(place % 2, "take", 0) for place in range(5)]
    seen = game(turns, sizes=(6, 5), left=0, hand=(2, 2, 1, 1), first=3)
    # Three cards were there: two for me, one for him.
    held = CheatDeclaration(seen, dealt=4)
    assert held.cards.holders == {"second": 4, "deck": 1, "seen": 7}
    posterior = held.infer()
    assert sum(posterior.table(held.cards)[name]["second"] for name in RANK_NAMES[:4]) == (
        pytest.approx(5.0)
    )


def test_somebody_who_looks_on_knows_no_hand() -> None:
    play = random_game(SMALL, 3, turns=5)
    held = CheatDeclaration(seen_game(play.view(-1)))
    posterior = held.infer(method="auto")
    assert set(held.hand(posterior, 0)) == set(held.hand(posterior, 1))


@pytest.mark.parametrize("settings", [SMALL, SOME, mini_cheat()], ids=["none", "some", "mini"])
def test_going_on_from_turn_to_turn_is_beginning_anew(settings: Game) -> None:
    kept = CheatBelief(0.7)
    for seed in range(4):
        for view, seen in moments(settings, seed, turns=24):
            known = kept.known(view, seen)
            posterior = kept.infer(view, seen)
            fresh = CheatDeclaration(known[0], dealt=known[1])
            anew = fresh.infer(dict(known[2]))
            assert posterior.log_evidence == pytest.approx(anew.log_evidence, abs=1e-12)
            truths = fresh.truths(posterior)
            assert truths == pytest.approx(fresh.truths(anew), abs=1e-12)
            if len(fresh.claims) == 1 and fresh.claims[0].place == len(known[0].turns) - 1:
                truth = truths[fresh.claims[0].place]
                assert truth == pytest.approx(0.7) or truth in (0.0, 1.0)


def test_a_predictor_is_asked_once_about_a_claim_and_remembered() -> None:
    asked: list[int] = []

    def truth(view: Any, seen: Any) -> float:
        asked.append(len(seen_game(view).turns))
        return 0.9

    kept = CheatBelief(truth)
    for _ in range(2):
        for view, seen in moments(SMALL, 5, turns=16):
            kept.infer(view, seen)
    assert asked
    assert len(set(asked)) == len(asked)


@pytest.mark.parametrize("settings", [SMALL, mini_cheat()], ids=["small", "mini"])
def test_worlds_are_hands_and_piles_as_likely_as_the_posterior_says(settings: Game) -> None:
    kept = CheatBelief(0.6)
    ranks, suits = settings.settings["ranks"], settings.settings["suits"]
    rng = np.random.default_rng(3)
    for view, seen in moments(settings, 2, turns=10):
        known = seen_game(view)
        posterior = kept.infer(view, seen)
        held = CheatDeclaration(known)
        held.infer()
        worlds = kept.worlds(posterior, 4_000, rng)
        other = 1 - view.viewer
        hands = worlds[:, other * ranks : (other + 1) * ranks]
        assert (hands.sum(axis=1) == known.sizes[other]).all()
        assert (worlds[:, 2 * ranks + ranks * suits :] == -1).all()
        for rank in range(ranks):
            for count, share in held.holding(posterior, other, rank).items():
                drawn = float((hands[:, rank] == count).mean())
                assert drawn == pytest.approx(share, abs=4.5 * math.sqrt(share / 4_000) + 1e-9)
        for claim in held.claims:
            start = 2 * ranks + claim.bottom
            laid = worlds[:, start : start + claim.turn.count]
            share = held.truths(posterior)[claim.place]
            drawn = float((laid == claim.turn.rank).all(axis=1).mean())
            assert drawn == pytest.approx(share, abs=4.5 * math.sqrt(share / 4_000) + 1e-9)


def test_it_keeps_the_contract_and_tells_nobody_what_he_cannot_know() -> None:
    assert isinstance(belief_or_none(SMALL), CheatBelief)
    checked = check_game(mini_cheat(), CheatBelief(0.6), plays=3, worlds=4)
    assert checked.moves > 0
    assert check_game(SOME, CheatBelief(), plays=1, worlds=4).moves > 0


def test_every_rank_and_hand_can_be_asked_for_by_name() -> None:
    kept = CheatBelief()
    view, seen = moments(SMALL, 1, turns=8)[-1]
    named = kept.hidden(view)
    other = ("first", "second")[1 - view.viewer]
    assert {f"{rank} of {other}" for rank in RANK_NAMES[:4]} <= set(named)
    posterior = kept.infer(view, seen)
    for feature in named.values():
        assert sum(posterior.marginal(feature).values()) == pytest.approx(1.0)


def liars(rate: float, rng: np.random.Generator) -> tuple[SeenCheat, bool, float]:
    """A claim after a claim, by a random liar; as seen, whether it is true, and how likely that is.

    Hands are dealt anyhow, he says anything and lays down any cards, and what he would not lay down
    he takes back: a lie with ``1 - rate``, true cards with ``rate``.
    """
    while True:
        cards = rng.permutation(np.repeat(np.arange(4), 3))
        first, mine, his = int(cards[0]), cards[1:5], list(cards[5:9])
        turns = [SeenTurn(0, "take", 0)]
        fits = True
        for by in (1, 0, 1):
            if by == 0:
                turns.append(SeenTurn(0, "take", 0))
                continue
            count = int(rng.integers(1, 3))
            rank = int(rng.integers(4))
            laid = [his.pop(int(rng.integers(len(his)))) for _ in range(count)]
            same = sum(card == rank for card in laid)
            accept = rate if same == 0 else 1.0 - rate if same == count else 0.0
            if rng.random() >= accept:
                fits = False
                break
            turns.append(SeenTurn(1, "claim", rank, count))
            true = same == count
        if fits:
            break
    drawn = cards[9:11]
    hand = np.bincount(np.concatenate([mine, drawn]), minlength=4)
    seen = game(turns, hand=tuple(hand.tolist()), first=first)
    held = CheatDeclaration(seen)
    # Odds of a claim are (1 - rate) : rate beside what counting says.
    spoken: dict[int, tuple[float, float]] = dict.fromkeys((1, 3), (1.0 - rate, 0.5))
    posterior = held.infer(spoken)
    return seen, true, held.truths(posterior)[3]


@pytest.mark.parametrize("rate", [0.2, 0.5])
def test_what_is_given_thirty_percent_is_true_thirty_percent_of_the_time(rate: float) -> None:
    rng = np.random.default_rng(int(100 * rate))
    drawn = [liars(rate, rng)[1:] for _ in range(1_500)]
    true = np.array([outcome for outcome, _ in drawn], dtype=np.float64)
    said = np.array([chance for _, chance in drawn])
    assert not true[said == 0.0].any()
    assert true[said == 1.0].all()
    open_ones = (said > 0.0) & (said < 1.0)
    true, said = true[open_ones], said[open_ones]
    assert np.ptp(said) > 0.3
    edges = np.quantile(said, np.linspace(0, 1, 9)[1:-1])
    bins = np.searchsorted(edges, said, side="right")
    statistic = 0.0
    degrees = 0
    for place in range(8):
        here = bins == place
        spread = float((said[here] * (1.0 - said[here])).sum())
        if spread < 3.0:
            continue
        statistic += (true[here].sum() - said[here].sum()) ** 2 / spread
        degrees += 1
    assert degrees >= 5
    # The 99.99 % point of chi-square with up to eight degrees of freedom.
    assert statistic < 31.8
    # A belief that is off by the rate would be seen.
    odds = said / (1.0 - said) * 3.0
    wrong = odds / (1.0 + odds)
    assert abs(true.sum() - wrong.sum()) > 5.0 * math.sqrt(float((wrong * (1 - wrong)).sum()))


def test_whole_hands_of_claims_are_listed_alike() -> None:
    # Three claims of a small pack, against every world counted by hand.
    turns = [SeenTurn(1, "claim", 1, 1), SeenTurn(0, "take", 1), SeenTurn(1, "claim", 2, 2)]
    seen = game(turns, hand=(1, 2, 1, 1), first=0)
    held = CheatDeclaration(seen)
    posterior = held.infer()
    unseen = [0, 1, 2, 2, 3, 3]
    true = both = total = 0
    for order in itertools.permutations(range(6)):
        cards = [unseen[card] for card in order]
        one, two = cards[0], cards[1:3]
        if sum(card == 2 for card in two) == 1:
            continue
        total += 1
        true += two == [2, 2]
        both += two == [2, 2] and one == 1
    assert held.truths(posterior)[2] == pytest.approx(true / total)
    pair = held.is_true(held.claims[0]) & held.is_true(held.claims[1])
    assert posterior.probability(pair) == pytest.approx(both / total)
