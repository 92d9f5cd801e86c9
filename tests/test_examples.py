"""The small games of examples/ against brute force: every world written out and weighed by hand."""

from __future__ import annotations

import importlib.util
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping
from itertools import combinations, pairwise, product
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from sleuth import infer

ROOT = Path(__file__).parents[1]

#: Largest difference that rounding may make.
TOLERANCE = 1e-12
#: The largest there was, by example.
ERRORS: defaultdict[str, float] = defaultdict(float)


def example(name: str) -> Any:
    """An example as a module of its own."""
    spec = importlib.util.spec_from_file_location(f"example_{name}", ROOT / f"examples/{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module: ModuleType = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def agree(game: Any, found: Mapping[Any, float], wanted: Mapping[Any, float]) -> None:
    """Probabilities, or bits, are those by hand; what is not named is 0."""
    keys = {*found, *wanted}
    largest = max(abs(found.get(key, 0.0) - wanted.get(key, 0.0)) for key in keys)
    name = game.__name__.removeprefix("example_")
    ERRORS[name] = max(ERRORS[name], largest)
    assert largest <= TOLERANCE


def shares(worlds: list[tuple[Any, float]], of: Any) -> dict[Any, float]:
    """How likely each answer is, of worlds with weights."""
    found: defaultdict[Any, float] = defaultdict(float)
    for world, weight in worlds:
        found[of(world)] += weight
    total = sum(found.values())
    return {answer: weight / total for answer, weight in found.items() if weight}


def test_the_resistance() -> None:
    game = example("the_resistance")
    for number in range(len(game.MISSIONS) + 1):
        worlds: list[tuple[Any, float]] = []
        for spies in combinations(game.PLAYERS, 2):
            weight = float("Ann" not in spies)
            for team, fails in game.MISSIONS[:number]:
                there = len({*team} & {*spies})
                weight *= math.comb(there, fails) * 0.7**fails * 0.3 ** max(there - fails, 0)
            worlds.append((spies, weight))
        belief = game.after(game.MISSIONS[:number])
        for player in game.PLAYERS:
            wanted = shares(worlds, lambda spies, player=player: player in spies)
            spy = game.roles.count(player, "spy").equals(1)
            agree(game, {True: belief.probability(spy)}, {True: wanted.get(True, 0.0)})


def test_hanabi() -> None:
    game = example("hanabi_hand")
    for number in range(len(game.HINTS) + 1):
        worlds: list[tuple[Any, float]] = []
        for hand in product(game.LEFT, repeat=len(game.SLOTS)):
            weight = 1.0
            left = dict(game.LEFT)
            for card in hand:
                weight *= left[card]  # so many physical cards could lie here
                left[card] -= 1
            for word, slots in game.HINTS[:number]:
                fits = [word in card.split() for card in hand]
                weight *= fits == [slot in slots for slot in game.SLOTS]
            worlds.append((hand, weight))
        belief = game.after(game.HINTS[:number])
        for place, slot in enumerate(game.SLOTS):
            wanted = shares(worlds, lambda hand, place=place: hand[place])
            agree(game, belief.marginal(game.cards.item_of(slot)), wanted)


def test_skull() -> None:
    game = example("skull")
    discs = ("rose", "rose", "rose", "skull")
    for number in range(len(game.BIDS) + 1):
        worlds: list[tuple[Any, float]] = []
        for laid in product(combinations(range(4), 2), repeat=2):
            skulls = {
                name: sum(discs[disc] == "skull" for disc in mat)
                for name, mat in zip(game.mats, laid, strict=True)
            }
            weight = 1.0
            for name, raised in game.BIDS[:number]:
                p = {0: 0.6, 1: 0.25}[skulls[name]]
                weight *= p if raised else 1.0 - p
            worlds.append((skulls, weight))
        belief = game.after(game.BIDS[:number])
        for name, mat in game.mats.items():
            wanted = shares(worlds, lambda skulls, name=name: skulls[name])
            agree(game, belief.marginal(mat.count("mat", "skull")), wanted)


def test_rival_models() -> None:
    game = example("rival_models")
    for number in range(len(game.ROUNDS) + 1):
        rounds = game.ROUNDS[:number]
        worlds: list[tuple[Any, float]] = []
        for kind, *cards in product(game.PRIOR, *[("high", "low")] * number):
            weight = game.PRIOR[kind]
            for card, (bet, shown) in zip(cards, rounds, strict=True):
                weight *= game.HIGH if card == "high" else 1.0 - game.HIGH
                p = game.BETS[kind][card]
                weight *= (p if bet else 1.0 - p) * (shown in (None, card))
            worlds.append(((kind, *cards), weight))
        belief = game.after(rounds)
        for place, variable in enumerate(belief.model.variables):
            wanted = shares(worlds, lambda world, place=place: world[place])
            agree(game, belief.marginal(variable.value()), wanted)
        evidence = math.log(sum(weight for _, weight in worlds))
        agree(game, {"log": belief.log_evidence}, {"log": evidence})


def test_minesweeper() -> None:
    game = example("minesweeper")
    worlds: list[tuple[Any, float]] = []
    for mines in map(set, combinations(game.FIELDS, game.MINES)):
        fits = all(
            field not in mines and len(mines & {*game.neighbours(field)}) == number
            for field, number in game.OPENED.items()
        )
        if fits:
            worlds.append((mines, 1.0))
    belief = game.after(game.OPENED)
    table = belief.table(game.board)
    for field in game.FIELDS:
        wanted = shares(worlds, lambda mines, field=field: field in mines).get(True, 0.0)
        agree(game, {True: table[field].get("mined", 0.0)}, {True: wanted})


def test_saboteurs() -> None:
    game = example("saboteurs")
    for number in range(len(game.ACTIONS) + 1):
        worlds: list[tuple[Any, float]] = []
        for saboteurs in combinations((*game.PLAYERS, "spare"), 2):
            weight = float("Ann" not in saboteurs)
            for by, does, whom in game.ACTIONS[:number]:
                other = (by in saboteurs) != (whom in saboteurs)
                weight *= {"blocks": 4.0, "frees": 0.5}[does] if other else 1.0
            worlds.append((saboteurs, weight))
        belief = game.after(game.ACTIONS[:number])
        for player in game.PLAYERS:
            wanted = shares(worlds, lambda held, player=player: player in held).get(True, 0.0)
            there = game.roles.count(player, "saboteur").equals(1)
            agree(game, {True: belief.probability(there)}, {True: wanted})


def bits(counts: dict[Any, int]) -> float:
    """Entropy of an answer that so many equally likely worlds give."""
    total = sum(counts.values())
    return -sum(count / total * math.log2(count / total) for count in counts.values())


def test_mastermind() -> None:
    game = example("mastermind")

    def marked(asked: tuple[int, ...], hidden: tuple[int, ...]) -> tuple[int, int]:
        black = sum(one == other for one, other in zip(asked, hidden, strict=True))
        both = sum((Counter(asked) & Counter(hidden)).values())
        return black, both - black

    codes = [*product(range(1, game.COLOURS + 1), repeat=game.PEGS)]
    asked = codes[:: len(codes) // 7]
    for number in range(len(game.ASKED) + 1):
        left = [
            code
            for code in codes
            if all(marked(tuple(map(int, g)), code) == found for g, found in game.ASKED[:number])
        ]
        belief = game.after(game.ASKED[:number])
        wanted = shares([(code, 1.0) for code in left], lambda code: code)
        agree(game, belief.marginal(game.code), wanted)
        gains = belief.information_gain(game.guesses, about=game.code)
        for guess in asked:
            told = bits(Counter(marked(guess, code) for code in left))
            agree(game, {guess: gains[codes.index(guess)]}, {guess: told})


def test_battleship() -> None:
    game = example("battleship")
    assert game.SIDE == 9

    def lines(length: int) -> list[set[str]]:
        there: list[set[str]] = []
        for row, column in product(range(9), repeat=2):
            for down, right in ((0, 1), (1, 0)):
                fields = [(row + down * step, column + right * step) for step in range(length)]
                if max(map(max, fields)) < 9:
                    there.append({f"{'abcdefghi'[r]}{c + 1}" for r, c in fields})
        return there

    hits = {field for field, struck in game.SHOTS if struck}
    missed = {field for field, struck in game.SHOTS if not struck}
    found: Counter[str] = Counter()
    total = 0
    fleets = [
        [fields for fields in lines(length) if not fields & missed]
        for length in game.LENGTHS.values()
    ]
    for one, other in product(*fleets[:2]):
        if one & other:
            continue
        for third in fleets[2]:
            if hits <= one | other | third and not third & (one | other):
                total += 1
                found.update(one | other | third)
    belief = game.after(game.SHOTS)
    assert len(belief.marginal(game.where)) == total
    chances = {field: belief.probability(game.hit(field)) for field in game.FIELDS}
    agree(game, chances, {field: hits / total for field, hits in found.items()})


def test_word_guess() -> None:
    game = example("word_guess")

    def marked(guess: str, hidden: str) -> str:
        marks = ["=" if one == other else "-" for one, other in zip(guess, hidden, strict=True)]
        left = Counter(h for h, mark in zip(hidden, marks, strict=True) if mark != "=")
        for place, letter in enumerate(guess):
            if marks[place] != "=" and left[letter]:
                marks[place] = "+"
                left[letter] -= 1
        return "".join(marks)

    asked: list[tuple[str, str]] = []
    truth = game.HIDDEN[17]
    for guess in (None, game.WORDS[900], game.WORDS[901]):
        if guess is not None:
            asked.append((guess, marked(guess, truth)))
        left = [w for w in game.HIDDEN if all(marked(g, w) == found for g, found in asked)]
        belief = game.after(asked)
        wanted = shares([(word, 1.0) for word in left], lambda word: word)
        agree(game, belief.marginal(game.word.value()), wanted)
        gains = belief.information_gain(game.guesses, about=game.word.value())
        for number in range(0, len(game.WORDS), 50):
            told = bits(Counter(marked(game.WORDS[number], word) for word in left))
            agree(game, {number: gains[number]}, {number: told})


def test_number_cards() -> None:
    module = example("number_cards")
    game = module.NumberCards(hand=["2", "5", "9"])
    asked = ((1, 4, 2), (6, 8, "a shrug"), (3, 3, 1))
    for number in range(len(asked) + 1):
        worlds: list[tuple[Any, float]] = []
        rest = [card for card in module.DECK if card not in ("2", "5", "9")]
        for aside in combinations(rest, 3):
            weight = 1.0
            for low, high, answer in asked[:number]:
                yours = sum(low <= int(card) <= high for card in rest if card not in aside)
                shrugs = answer == "a shrug"
                weight *= module.SHRUG if shrugs else (1.0 - module.SHRUG) * (answer == yours)
            worlds.append((aside, weight))
        given = [game.how_many(low, high).observed(answer) for low, high, answer in asked[:number]]
        found = infer(game.model, given).marginal(game.aside)
        agree(module, found, shares(worlds, lambda aside: aside))


def best_of(cards: tuple[str, ...]) -> tuple[Any, ...]:
    """The best five of some cards, by the words of the rules; a better hand is larger."""

    def value(five: tuple[str, ...]) -> tuple[Any, ...]:
        ranks = sorted(("23456789TJQKA".index(card[0]) for card in five), reverse=True)
        counts = sorted(Counter(ranks).items(), key=lambda pair: (-pair[1], -pair[0]))
        order = [rank for rank, _ in counts]
        shape = [count for _, count in counts]
        if ranks == [12, 3, 2, 1, 0]:
            ranks = order = [3, 2, 1, 0, -1]
        straight = len(order) == 5 and ranks[0] - ranks[4] == 4
        flush = len({card[1] for card in five}) == 1
        shapes = [[1] * 5, [2, 1, 1, 1], [2, 2, 1], [3, 1, 1], "straight", "flush", [3, 2], [4, 1]]
        kind = 8 if straight and flush else 4 if straight else 5 if flush else shapes.index(shape)
        return kind, order

    return max(map(value, combinations(cards, 5)))


def test_aces_against_kings() -> None:
    game = example("aces_against_kings")
    rng = np.random.default_rng(7)
    hands = np.array([rng.choice(52, 7, replace=False) for _ in range(400)])
    # Hands of one suit, too, which are rare.
    hands[:60] = np.array([rng.choice(np.arange(0, 52, 4), 7, replace=False) for _ in range(60)])
    strengths = game.strength(hands).tolist()
    by_hand = [best_of(tuple(game.DECK[card] for card in hand)) for hand in hands]
    order = sorted(range(len(hands)), key=lambda place: by_hand[place])
    for one, other in pairwise(order):
        assert (strengths[one] < strengths[other]) == (by_hand[one] < by_hand[other])
        assert (strengths[one] == strengths[other]) == (by_hand[one] == by_hand[other])
    # After a flop and a card of the turn, 44 cards may come last: here both have two pairs or more.
    shown = ["Kh", "9s", "9h", "2c"]
    worlds: list[tuple[Any, float]] = [
        ((*shown, last), 1.0) for last in game.REST if last not in shown
    ]
    wanted = shares(
        worlds, lambda board: best_of((*board, *game.ACES)) > best_of((*board, *game.KINGS))
    )
    belief = game.belief.observe(game.table.holds("board", shown))
    won = game.board.satisfies(lambda boards: game.difference(boards) > 0, at_once=True)
    agree(game, belief.marginal(won), wanted)
