"""Small worlds for the tests of approximate engines, and what 'close enough' means."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.stats import chisquare

from sleuth import Choice, Deal, Evidence, Feature, Model, Posterior, infer, together

SUSPECTS = ("scarlett", "mustard", "white", "green", "peacock", "plum")
WEAPONS = ("candlestick", "knife", "pipe", "revolver", "rope", "spanner")
ROOMS = ("hall", "lounge", "dining", "kitchen", "ballroom", "conservatory", "billiard", "library")
CATEGORIES = {"suspect": SUSPECTS, "weapon": WEAPONS, "room": (*ROOMS, "study")}
PLAYERS = ("ann", "bob", "cem")


def clue_deal(rng: np.random.Generator, *, own_hand: bool) -> tuple[Deal, dict[str, str]]:
    """A three-player game of Clue and who really has what; ann may see her own hand."""
    truth: dict[str, str] = {}
    dealt: list[str] = []
    for members in CATEGORIES.values():
        order = [members[place] for place in rng.permutation(len(members))]
        truth[order[0]] = "case file"
        dealt += order[1:]
    order = [dealt[place] for place in rng.permutation(len(dealt))]
    for place, card in enumerate(order):
        truth[card] = PLAYERS[place // 6]
    deal = Deal(
        [card for members in CATEGORIES.values() for card in members],
        holders={**dict.fromkeys(PLAYERS, 6), "case file": 3},
        categories=CATEGORIES,
        counts={"case file": dict.fromkeys(CATEGORIES, 1)},
        known={"ann": order[:6]} if own_hand else None,
    )
    return deal, truth


def clue_game(seed: int, events: int, *, own_hand: bool = True) -> tuple[Deal, list[Evidence]]:
    """A deal and what some suggestions showed about it, hard and soft."""
    rng = np.random.default_rng(seed)
    deal, truth = clue_deal(rng, own_hand=own_hand)
    given: list[Evidence] = []
    for turn in range(events):
        cards = [str(rng.choice(members)) for members in CATEGORIES.values()]
        for step in (1, 2):
            player = PLAYERS[(turn + step) % 3]
            held = [card for card in cards if truth[card] == player]
            if not held:
                given.append(deal.lacks(player, cards))
                continue
            if turn % 3 == 0:
                shown = held[int(rng.integers(len(held)))]
                given.append(
                    deal.which(player, cards).weigh(
                        lambda has, shown=shown: 1 / len(has) if shown in has else 0.0, exact=True
                    )
                )
            else:
                given.append(deal.holds_any(player, cards))
            break
    return deal, given


def mystery() -> tuple[Deal, list[Evidence]]:
    """Nine cards, four holders, one with exact categories; a few dozen deals are left."""
    rooms, weapons = [f"room {n}" for n in range(5)], [f"weapon {n}" for n in range(4)]
    deal = Deal(
        [*rooms, *weapons],
        holders={"ann": 3, "bob": 2, "cem": 2, "file": 2},
        categories={"rooms": rooms, "weapons": weapons},
        counts={"file": {"rooms": 1, "weapons": 1}},
        known={"ann": ["room 0", "room 1", "weapon 0"]},
    )
    given = [
        deal.holds_any("bob", ["room 2", "weapon 1"]),
        deal.which("cem", ["room 3", "weapon 2"]).weigh([0.4, 1.0, 0.5, 0.8]),
        deal.count("bob", weapons[1:]).weigh([0.5, 1.0, 0.7]),
    ]
    return deal, given


def everything(deal: Deal) -> Feature:
    """Who has what, of the cards of `mystery` that are not known, as one feature."""
    return together(*(deal.holder_of(card) for card in [*deal.items][2:] if card != "weapon 0"))


def cheat() -> tuple[Model, list[Any]]:
    """Identical copies, a pile of claims that is split, merged and in part revealed."""
    deal = Deal({"ace": 3, "king": 4, "two": 2}, holders={"me": 3, "you": 4, "deck": 2})
    model = Model(deal)
    given: list[Any] = [
        deal.holds("me", "king", 2),
        deal.split("you", "claim", 2),
        deal.all_of("claim", "ace").predicted(0.4, given=0.2),
        deal.split("you", "other", 1),
        deal.count("other", "king").weigh([0.3, 0.7]),
        deal.merge(["claim", "other"], "pile"),
        deal.count("pile", "two").weigh([1.0, 0.6, 0.3]),
        deal.reveal("deck", {"ace": 1, "two": 1}),
    ]
    return model, given


def mixed() -> tuple[Model, list[Evidence]]:
    """Two deals and two choices, tied together by soft evidence."""
    red = Deal(["a", "b", "c", "d"], holders={"x": 2, "y": 2}, name="red")
    blue = Deal({"coin": 3, "stone": 2}, holders={"x": 2, "z": 3}, name="blue")
    kind = Choice("kind", {"bold": 0.7, "shy": 0.2, "odd": 0.1})
    mood = Choice("mood", ["good", "bad"])
    given = [
        together(kind.value(), mood.value()).weigh([0.9, 0.1, 0.2, 0.8, 0.5, 0.5]),
        together(kind.value(), red.count("x", ["a", "b"])).weigh(
            [0.2, 0.5, 0.9, 0.9, 0.4, 0.1, 0.3, 0.3, 0.3]
        ),
        together(mood.value(), blue.count("x", "coin")).weigh(
            lambda value: 0.0 if value == ("bad", 2) else 1.0 + value[1], exact=True
        ),
    ]
    return Model(red, blue, kind, mood), given


def exact(model: Model, given: Any) -> Posterior:
    return infer(model, given, method="card_by_card")


def p_value(shares: Any, expected: Any, count: float) -> float:
    """P-value that so many independent draws have these shares; rare values are put together.

    Raises:
        AssertionError: Something impossible was drawn.
    """
    assert np.asarray(shares)[np.asarray(expected) <= 0.0].sum() == 0.0
    order = np.argsort(expected)
    wanted, found = np.asarray(expected)[order] * count, np.asarray(shares)[order] * count
    few = int(np.searchsorted(wanted.cumsum(), 10.0)) + 1
    wanted = np.concatenate([[wanted[:few].sum()], wanted[few:]])
    found = np.concatenate([[found[:few].sum()], found[few:]])
    return float(chisquare(found, wanted * found.sum() / wanted.sum()).pvalue)


def assert_close(answer: Posterior, oracle: Posterior, *, sigmas: float = 5.0) -> None:
    """Every expected number of copies is within sampling error of the exact one."""
    effective = answer.diagnostics.effective_samples
    assert effective is not None
    found, wanted = answer.solution.expected(), oracle.solution.expected()
    copies = oracle.problem.layout.copies[:, None]
    share = np.clip(wanted / copies, 0.0, 1.0)
    spread = copies * np.sqrt(share * (1.0 - share) / effective)
    assert (np.abs(found - wanted) <= sigmas * spread + 3.0 / effective).all()
