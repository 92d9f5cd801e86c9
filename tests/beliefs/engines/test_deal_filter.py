"""A hand that changes: a long game of a small deck, against filters written by hand for it."""

from __future__ import annotations

import itertools
import math
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from sleuth import Choice, Deal, Model, Posterior, Question, infer, together
from sleuth.errors import ContradictionError, CostError, EvidenceError, UnsupportedError

from .games import p_value

#: Love Letter: its cards, and how many of each there are.
PACK = {
    "guard": 5,
    "priest": 2,
    "baron": 2,
    "handmaid": 2,
    "prince": 2,
    "king": 1,
    "countess": 1,
    "princess": 1,
}
#: Games that are played; many more with SLEUTH_FUZZ.
GAMES = 1_000 if os.environ.get("SLEUTH_FUZZ") else 16


def love_letter() -> Deal:
    """Two players, a card laid aside, and nothing played yet."""
    holders = {"burnt": 1, "first": 1, "second": 1, "discard": 0, "deck": 13}
    return Deal(PACK, holders=holders, name="cards")


@dataclass
class ByHand:
    """A filter for the first player of Love Letter, and nothing else.

    Attributes:
        unseen: Cards that were never seen, by what they are.
        states: The other's hand and the card that was laid aside, and the weight of both; the
            weights add up to how likely everything was that was seen.
    """

    unseen: Counter[str]
    states: dict[tuple[tuple[str, ...], str], float]

    @staticmethod
    def dealt(mine: str) -> ByHand:
        unseen = Counter(PACK)
        unseen[mine] -= 1
        states: dict[tuple[tuple[str, ...], str], float] = {}
        for burnt, card in itertools.product(PACK, PACK):
            left = unseen.copy()
            weight = left[burnt] / 15
            left[burnt] -= 1
            weight *= left[card] / 14
            if weight > 0.0:
                states[(card,), burnt] = weight * PACK[mine] / 16
        return ByHand(unseen, states)

    def _left(self, hand: tuple[str, ...], burnt: str) -> Counter[str]:
        return self.unseen - Counter([*hand, burnt])

    def i_draw(self, card: str) -> None:
        for state in self.states:
            left = self._left(*state)
            self.states[state] *= left[card] / left.total()
        self.unseen[card] -= 1

    def they_draw(self) -> None:
        after: dict[tuple[tuple[str, ...], str], float] = {}
        for (hand, burnt), weight in self.states.items():
            left = self._left(hand, burnt)
            for card, number in left.items():
                state = tuple(sorted((*hand, card))), burnt
                after[state] = after.get(state, 0.0) + weight * number / left.total()
        self.states = after

    def they_play(self, card: str) -> None:
        after: dict[tuple[tuple[str, ...], str], float] = {}
        for (hand, burnt), weight in self.states.items():
            if card in hand:
                rest = [*hand]
                rest.remove(card)
                state = tuple(rest), burnt
                after[state] = after.get(state, 0.0) + weight * hand.count(card) / len(hand)
        self.states = after
        self.unseen[card] -= 1

    def not_guessed(self, card: str) -> None:
        self.states = {state: w for state, w in self.states.items() if card not in state[0]}

    @property
    def total(self) -> float:
        return math.fsum(self.states.values())

    def share(self, test: Any) -> float:
        return math.fsum(w for state, w in self.states.items() if test(*state)) / self.total


def games(seed: int, turns: int = 12) -> Iterator[tuple[list[Any], ByHand, Deal]]:
    """A random game, move by move: what was observed, and the truth by hand."""
    rng = np.random.default_rng(seed)
    deal = love_letter()
    cards = [str(c) for c in rng.permutation([c for c, n in PACK.items() for _ in range(n)])]
    _, mine, yours = cards.pop(), [cards.pop()], [cards.pop()]
    truth = ByHand.dealt(mine[0])
    yield [deal.reveal("first", [mine[0]], because="my card")], truth, deal
    for turn in range(turns):
        who, hand = (("first", mine), ("second", yours))[turn % 2]
        drawn, played = f"drawn {turn}", f"played {turn}"
        steps: list[Any] = [deal.split("deck", drawn, 1)]
        hand.append(cards.pop())
        if who == "first":
            steps.append(deal.reveal(drawn, [hand[-1]], because=f"I draw in turn {turn}"))
            truth.i_draw(hand[-1])
        else:
            truth.they_draw()
        steps.append(deal.merge([who, drawn], who))
        yield steps, truth, deal
        card = hand.pop(int(rng.integers(2)))
        steps = [deal.split(who, played, 1), deal.reveal(played, [card], because=f"turn {turn}")]
        if who == "second":
            truth.they_play(card)
        else:
            # In turn two, say, I know my hand, and any of my two cards was as likely.
            number = 1 if hand[0] == card else 2
            truth.states = {state: w / number for state, w in truth.states.items()}
        steps.append(deal.merge([played, "discard"], "discard"))
        yield steps, truth, deal
        guess = str(rng.choice([*PACK]))
        if who == "first" and guess != yours[0]:
            truth.not_guessed(guess)
            yield [deal.lacks("second", guess, because=f"no {guess}")], truth, deal


def agree(belief: Posterior, truth: ByHand, deal: Deal) -> None:
    assert belief.log_evidence == pytest.approx(math.log(truth.total), abs=1e-10)
    for item in PACK:
        for holder, found in (("second", lambda hand, _: hand), ("burnt", lambda _, b: (b,))):
            shares = belief.marginal(deal.count(holder, item))
            for number in range(3):
                wanted = truth.share(lambda h, b, n=number, i=item, f=found: f(h, b).count(i) == n)
                assert shares.get(number, 0.0) == pytest.approx(wanted, abs=1e-12)
    both = belief.joint(deal.count("second", "guard"), deal.item_of("burnt"))
    for (number, burnt), share in both.items():
        wanted = truth.share(lambda h, b, n=number, w=burnt: (h.count("guard"), b) == (n, w))
        assert share == pytest.approx(wanted, abs=1e-12)


@pytest.mark.parametrize("seed", range(GAMES))
def test_every_moment_of_love_letter_is_as_a_filter_by_hand_has_it(seed: int) -> None:
    belief: Posterior | None = None
    for steps, truth, deal in games(seed):
        belief = infer(Model(deal), steps) if belief is None else belief.observe(steps)
        if seed < 6 or len(belief.history) > 60:  # all moments of some, the last of all
            agree(belief, truth, deal)
    assert belief is not None
    assert (belief.method, belief.exact, len(belief.history) > 60) == ("deal_filter", True, True)


def played(seed: int = 3, turns: int = 7) -> tuple[Posterior, Deal, list[Any]]:
    """A game in its middle, all at once."""
    moments = [*games(seed, turns)]
    steps = [step for some, _, _ in moments for step in some]
    deal = moments[0][2]
    return infer(Model(deal), steps), deal, steps


def test_all_at_once_is_move_by_move_and_what_was_saved() -> None:
    belief, deal, steps = played()
    slowly = infer(Model(deal), method="deal_filter")
    for step in steps:
        slowly = slowly.observe(step)
    assert slowly == belief
    assert slowly.log_evidence == pytest.approx(belief.log_evidence, abs=1e-13)
    again = Posterior.restored(belief.pieces())
    for other in (slowly, again):
        assert other.method == "deal_filter"
        for item, shares in belief.table(deal).items():
            assert other.table(deal)[item] == pytest.approx(shares, abs=1e-14)


def test_holders_and_columns_keep_the_order_of_the_declaration() -> None:
    belief, deal, _ = played(turns=6)
    columns = [("cards", item) for item, number in PACK.items() for _ in range(number)]
    assert belief.holders(deal) == [*deal.holders]
    assert belief.columns() == columns
    belief = belief.observe(deal.split("deck", "new", 2), deal.merge(["burnt", "first"], "both"))
    belief = belief.observe(deal.merge(["both", "second"], "first"))
    assert belief.holders(deal) == ["first", "discard", "deck", "new"]
    assert belief.columns() == columns
    assert [*belief.table(deal)["guard"]] == belief.holders(deal)
    row = belief.sample_array(1, np.random.default_rng(1))[0]
    held = Counter(row.tolist())
    assert [held[number] for number in range(4)] == [3, 6, 5, 2]


@pytest.mark.parametrize("method", ["card_by_card", "auto"])
def test_the_order_does_not_depend_on_the_method(method: str) -> None:
    deal = Deal({"ace": 2, "king": 3, "ten": 1}, holders={"me": 2, "you": 2, "pot": 2})
    belief = infer(
        Model(deal),
        [
            deal.split("you", "claim", 1),
            deal.reveal("claim", {"ace": 1}),
            deal.reveal("me", ["king", "ten"]),
            deal.split("pot", "card", 1),
            deal.merge(["claim", "you"], "hers"),
            deal.merge(["card", "me"], "me"),
        ],
        method=method,
    )
    assert belief.holders(deal) == ["me", "pot", "hers"]
    assert [item for _, item in belief.columns()] == ["ace"] * 2 + ["king"] * 3 + ["ten"]
    rows = belief.sample_array(400, np.random.default_rng(2))
    # Of the two kings and the ace that nobody saw, one each is with me, in the pot, and with hers.
    assert set(rows[:, 5].tolist()) == {0}
    assert all(sorted(Counter(row).values()) == [1, 2, 3] for row in rows.tolist())
    assert {tuple(sorted(row[:2])) for row in rows.tolist()} == {(0, 2), (1, 2), (2, 2)}
    for world in belief.sample(3, np.random.default_rng(3)):
        assert [*world["deal"]] == ["me", "pot", "hers"]
    listed, shares = belief.worlds()
    assert listed.shape == (3, 6)
    assert shares == pytest.approx([1 / 3] * 3)


def test_drawn_worlds_are_as_likely_as_they_should_be() -> None:
    belief, deal, _ = played(turns=4)
    asked = together(deal.item_of("second"), deal.item_of("burnt"))
    expected = belief.marginal(asked)
    drawn = Counter(
        (world["cards"]["second"][0], world["cards"]["burnt"][0])
        for world in belief.sample(4_000, np.random.default_rng(5))
    )
    assert set(drawn) <= set(expected)
    observed = np.array([drawn[value] / 4_000 for value in expected])
    assert p_value(observed, np.array([*expected.values()]), 4_000) > 1e-4
    # Copies are alike, so each of them is as often in the deck.
    rows = belief.sample_array(4_000, np.random.default_rng(6))
    guards = [place for place, (_, item) in enumerate(belief.columns()) if item == "guard"]
    shares = (rows[:, guards] == belief.holders(deal).index("deck")).mean(axis=0)
    assert np.ptp(shares) < 0.05


def test_gains_and_explanations_reach_over_a_whole_game() -> None:
    belief, deal, _ = played(turns=9)
    about = deal.item_of("second")
    asked = Question(deal.count("second", "guard"), lambda n: {n: 1.0}, name="a guard?")
    gain = belief.information_gain(asked, about=about)
    left = 0.0
    for number, share in belief.marginal(deal.count("second", "guard")).items():
        seen = belief.observe(deal.count("second", "guard").equals(number))
        left += share * seen.entropy(about)
        after = belief.after_each([asked.observed(number)], about=about)
        assert after.entropies[0] == pytest.approx(seen.entropy(about), abs=1e-9)
    assert gain == pytest.approx(belief.entropy(about) - left, abs=1e-12)
    played_guards = belief.probability(deal.count("discard", "guard").at_least(1))
    assert played_guards == 1.0
    because = belief.explain(deal.count("discard", "guard").at_least(1))
    assert len(because) == 1
    assert str(because[0]).startswith("turn ")


def test_a_choice_beside_the_deal_is_learned_from_what_is_played() -> None:
    style = Choice("style", {"careful": 0.5, "bold": 0.5})
    deal = Deal({"low": 3, "high": 3}, holders={"me": 1, "you": 1, "deck": 4, "out": 0})
    belief = infer(Model(deal, style), [deal.reveal("me", ["low"], because="my card")])
    posterior = {"careful": 0.5, "bold": 0.5}
    states: dict[tuple[str, int, int], float] = {
        (kind, high, 3 - high): 0.5 * (3 if high else 2) / 5
        for kind in posterior
        for high in (0, 1)
    }
    high_at_most = {"careful": 0.2, "bold": 0.9}
    for turn in range(2):
        card, shown = f"drawn {turn}", f"shown {turn}"
        belief = belief.observe(deal.split("deck", card, 1), deal.merge(["you", card], "you"))
        belief = belief.observe(deal.split("you", shown, 1))
        # Who has both chooses; a split takes either, so its half is made up for.
        chosen = together(style, deal.item_of(shown), deal.item_of("you")).weigh(
            lambda value: (
                1.0
                if value[1] == value[2]
                else 2.0 * abs(high_at_most[value[0]] - (value[1] == "low"))
            )
        )
        belief = belief.observe(chosen, deal.reveal(shown, ["high"], because=f"turn {turn}"))
        belief = belief.observe(deal.merge([shown, "out"], "out"))
        after: dict[tuple[str, int, int], float] = {}
        for (kind, mine, high), weight in states.items():
            size = 4 - turn
            for drawn, number in ((1, high), (0, size - high)):
                share = weight * number / size
                hand = mine + drawn
                if hand:
                    share *= 1.0 if hand == 2 else high_at_most[kind]
                    key = kind, hand - 1, high - drawn
                    after[key] = after.get(key, 0.0) + share
        states = after
    total = math.fsum(states.values())
    bold = math.fsum(weight for (kind, _, _), weight in states.items() if kind == "bold")
    assert belief.method == "deal_filter"
    assert belief.probability(style.equals("bold")) == pytest.approx(bold / total, abs=1e-12)
    high = math.fsum(weight for (_, hand, _), weight in states.items() if hand)
    assert belief.marginal(deal.item_of("you"))["high"] == pytest.approx(high / total, abs=1e-12)
    assert belief.log_evidence == pytest.approx(math.log(total / 2), abs=1e-12)


def test_a_game_that_cannot_be_true_names_what_was_seen() -> None:
    belief, deal, _ = played(turns=5)
    with pytest.raises(ContradictionError) as caught:
        belief.observe(deal.reveal("second", ["king"]), deal.reveal("burnt", ["king"]))
    assert len(caught.value.evidence) >= 1


def test_what_is_too_large_at_first_is_followed_when_nothing_else_can() -> None:
    names = [f"card {number}" for number in range(16)]
    deal = Deal(names, holders={"a": 1, "b": 1, "c": 1, "d": 1, "deck": 12})
    belief = infer(Model(deal))
    for turn in range(2):
        for place, holder in enumerate("abcd"):
            card = f"{holder} draws {turn}"
            shown = f"{holder} plays {turn}"
            belief = belief.observe(
                deal.which(holder, names[:4]).weigh(lambda held: 1.0 + len(held)),
                deal.split("deck", card, 1),
                deal.merge([holder, card], holder),
                deal.split(holder, shown, 1),
                deal.reveal(shown, [names[4 * turn + place]], because=shown),
            )
    assert belief.exact
    assert sum(belief.marginal(deal.item_of("a")).values()) == pytest.approx(1.0)


def test_too_many_states_are_refused_with_what_to_do() -> None:
    deal = Deal({f"card {n}": 2 for n in range(26)}, holders={"a": 9, "b": 9, "deck": 34})
    with pytest.raises(CostError, match=r"at most 131,072 states.*method='auto'"):
        infer(Model(deal), method="deal_filter")


def test_other_methods_are_told_to_be_named_from_the_start() -> None:
    belief, deal, steps = played(turns=2)
    named = infer(Model(deal), steps[:8], method="card_by_card")
    early = infer(Model(deal), steps[:8])
    assert named.method == "card_by_card"
    for item, shares in named.table(deal).items():
        assert early.table(deal)[item] == pytest.approx(shares, abs=1e-12)
    with pytest.raises(UnsupportedError, match=r"name the method.*from the start"):
        _ = belief.problem.arrays
    with pytest.raises(EvidenceError, match=r"no such holder now.*present holders: burnt, first"):
        belief.marginal(deal.count("drawn 1", "guard"))
