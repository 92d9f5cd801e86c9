"""A Bayesian network with pyAgrum: junction trees over the holders of the cards.

The case file's three cards are roots, every open card's holder depends on the one of its
category, and a chain for every player but the last counts their cards; its end is observed. An
unseen refutation is one more node with the three holders as parents. Single cards are evidence.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from sleuth.models.clue import ClueEvent
from sleuth.models.records.events import Seen

from .states import Answer, Array, Fact, State, case_place, categories, with_version

Everything = tuple[dict[int, Array], Array]

CASE = ("suspect", "weapon", "room")


class Network:
    """A network that grows with the events; it is changed by them."""

    def __init__(self, state: State) -> None:
        self.gum: Any = import_module("pyagrum")
        self.state = state
        self.others = state.others
        self.cards = state.open_cards
        self.suits = categories(self.cards)
        self.evidence: dict[str, list[float]] = {}
        self.clauses = 0
        self.net: Any = self.gum.BayesNet()
        for name, suit in zip(CASE, self.suits, strict=True):
            self._node(name, len(suit))
            self.net.cpt(name).fillWith(1.0 / len(suit))
        for card in self.cards:
            self._holder(card)
        for player, size in zip(self.others[:-1], state.sizes, strict=False):
            self._count(player, size)

    def _node(self, name: str, size: int) -> None:
        self.net.add(self.gum.LabelizedVariable(name, "", size))

    def _table(self, name: str, table: Array) -> None:
        self.net.cpt(name)[:] = np.ascontiguousarray(table)

    def _holder(self, card: int) -> None:
        """Who has a card: one of the others, or at last the case file."""
        suit = [card in suit for suit in self.suits].index(True)
        count = len(self.others)
        self._node(f"card {card}", count + 1)
        self.net.addArc(CASE[suit], f"card {card}")
        table = np.full((len(self.suits[suit]), count + 1), 1.0 / count)
        table[:, count] = 0.0
        table[self.suits[suit].index(card)] = [0.0] * count + [1.0]
        self._table(f"card {card}", table)

    def _count(self, player: str, size: int) -> None:
        """A chain of how many cards a player has so far; more than their hand is impossible."""
        number = self.others.index(player)
        states = len(self.others) + 1
        before = ""
        for card in self.cards:
            name = f"{player} up to {card}"
            self._node(name, size + 1)
            # Tables are indexed from the last parent to the first.
            table = np.zeros((states, size + 1, size + 1))
            for holder, count in np.ndindex(states, size + 1):
                after = count + (holder == number)
                if after <= size:
                    table[holder, count, after] = 1.0
            if before:
                self.net.addArc(before, name)
            else:
                table = table[:, 0]
            self.net.addArc(f"card {card}", name)
            self._table(name, table)
            before = name
        self.evidence[before] = [0.0] * size + [1.0]

    def add(self, facts: list[Fact]) -> None:
        for fact in facts:
            number = self.others.index(fact.player)
            cards = [card for card in fact.cards if card in self.cards]
            if fact.kind == "any":
                self._clause(number, cards)
                continue
            for card in cards:
                name = f"card {card}"
                share = np.full(len(self.others) + 1, float(fact.kind == "lacks"))
                share[number] = float(fact.kind == "holds")
                known = self.evidence.get(name, [1.0] * share.shape[0])
                self.evidence[name] = (share * known).tolist()

    def _clause(self, number: int, cards: list[int]) -> None:
        self.clauses += 1
        name = f"refutation {self.clauses}"
        self._node(name, 2)
        states = len(self.others) + 1
        table = np.zeros((*[states] * len(cards), 2))
        for holders in itertools.product(range(states), repeat=len(cards)):
            table[holders] = [0.0, 1.0] if number in holders else [1.0, 0.0]
        for card in cards:
            self.net.addArc(f"card {card}", name)
        self._table(name, table)
        self.evidence[name] = [0.0, 1.0]

    def everything(self) -> Everything:
        inference = self.gum.ShaferShenoyInference(self.net)
        inference.setEvidence(self.evidence)
        for card in self.cards:
            inference.addTarget(f"card {card}")
        inference.addJointTarget(set(CASE))
        inference.makeInference()
        held = {card: inference.posterior(f"card {card}").toarray() for card in self.cards}
        joint = inference.jointPosterior(set(CASE)).reorganize(list(reversed(CASE)))
        return held, joint.toarray()


@dataclass(frozen=True)
class Growing:
    """The network of the past, to which the event is added."""

    network: Network

    def after(self, event: Seen[ClueEvent]) -> Everything:
        self.network.add(self.network.state.facts([event]))
        return self.network.everything()

    def answer(self, posterior: Everything) -> Answer:
        held = np.zeros((21, len(self.network.others)))
        case = np.zeros((6, 6, 9))
        for card, shares in posterior[0].items():
            held[card] = shares[:-1]
        for places in np.ndindex(*posterior[1].shape):
            cards = [suit[place] for suit, place in zip(self.network.suits, places, strict=True)]
            case[case_place(cards[0], cards[1], cards[2])] = posterior[1][places]
        return Answer(held, case)


@dataclass(frozen=True)
class PyAgrum:
    """Add the event to the network, and propagate."""

    once: bool = True

    @property
    def name(self) -> str:
        return "pyagrum"

    @property
    def library(self) -> str:
        return with_version("pyAgrum")

    @property
    def note(self) -> str:
        return "the network of the past is ready; the event is added and propagated"

    def refuses(self, players: int) -> str:
        if players > 4:
            return (
                "the counts of so many hands and the joint of the case file make cliques too large"
            )
        return ""

    def prepare(self, state: State) -> Growing:
        network = Network(state)
        network.add(state.facts(state.past.events))
        return Growing(network)
