"""Knowledge compilation with PySDD: a sentential decision diagram of all deals.

One variable for each card and each other player who may hold it; a card that nobody holds is in
the case file. The deals of the declaration are compiled directly, card by card, by what is left
in every hand (a CNF with counters would take longer). Evidence is conjoined, all marginals come
from one pass of weighted model counting, and the case file's joint from one more pass for each
suspect and weapon that can still be there.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any

import numpy as np

from sleuth.models.clue import ClueEvent
from sleuth.models.records.events import Seen

from .states import Answer, Fact, State, case_place, categories, with_version

Joint = dict[tuple[int, int, int], float]
Everything = tuple[dict[int, list[float]], Joint]


class Deals:
    """A manager with the diagram of all deals that fit the viewer's hand."""

    def __init__(self, state: State, shape: str) -> None:
        sdd: Any = import_module("pysdd.sdd")
        self.others = state.others
        self.cards = state.open_cards
        self.suits = categories(self.cards)
        count = len(self.others) * len(self.cards)
        numbers = list(range(1, count + 1))
        vtree = sdd.Vtree(var_count=count, var_order=numbers, vtree_type=shape)
        self.manager: Any = sdd.SddManager.from_vtree(vtree)
        literals = iter(numbers)
        self.held: dict[tuple[int, str], Any] = {
            (card, player): self.manager.literal(next(literals))
            for card in self.cards
            for player in self.others
        }
        self.root: Any = self._deal(0, state.sizes, (0, 0, 0), {})

    def _deal(
        self, place: int, left: tuple[int, ...], taken: tuple[int, ...], known: dict[Any, Any]
    ) -> Any:
        """Ways to deal the cards from one on, given what fits and which case cards are taken."""
        cards_left = len(self.cards) - place
        if sum(left) + 3 - sum(taken) != cards_left:
            return self.manager.false()
        if not cards_left:
            return self.manager.true()
        key = (place, left, taken)
        if key not in known:
            card = self.cards[place]
            suit = [card in suit for suit in self.suits].index(True)
            result = self.manager.false()
            for number in range(len(left)):
                if left[number]:
                    after = (*left[:number], left[number] - 1, *left[number + 1 :])
                    rest = self._deal(place + 1, after, taken, known)
                    result = result | (self._only(card, number) & rest)
            if not taken[suit]:
                after = (*taken[:suit], 1, *taken[suit + 1 :])
                rest = self._deal(place + 1, left, after, known)
                result = result | (self._only(card, -1) & rest)
            known[key] = result
        return known[key]

    def _only(self, card: int, holder: int) -> Any:
        result = self.manager.true()
        for number, player in enumerate(self.others):
            literal = self.held[card, player]
            result = result & (literal if number == holder else ~literal)
        return result

    def given(self, root: Any, facts: list[Fact]) -> Any:
        """A diagram and more evidence: single cards first, they make it smaller."""
        for fact in sorted(facts, key=lambda fact: fact.kind == "any"):
            literals = [self.held[card, fact.player] for card in fact.cards if card in self.cards]
            if fact.kind == "lacks":
                for literal in literals:
                    root = root & ~literal
                continue
            clause = self.manager.false()
            for literal in literals:
                clause = clause | literal
            root = root & clause
        return root

    def everything(self, root: Any) -> Everything:
        """P(player holds card), and the joint of the case file."""
        counter = root.wmc(log_mode=False)
        total = counter.propagate()
        held = {
            card: [counter.literal_pr(self.held[card, player]) for player in self.others]
            for card in self.cards
        }
        possible = [[card for card in suit if 1.0 - sum(held[card]) > 1e-12] for suit in self.suits]
        joint: Joint = {}

        def in_case_file(card: int, weight: float) -> None:
            for player in self.others:
                counter.set_literal_weight(self.held[card, player], weight)

        for suspect in possible[0]:
            in_case_file(suspect, 0.0)
            for weapon in possible[1]:
                in_case_file(weapon, 0.0)
                share = counter.propagate() / total
                if share > 0.0:
                    for room in possible[2]:
                        elsewhere = sum(
                            counter.literal_pr(self.held[room, player]) for player in self.others
                        )
                        joint[suspect, weapon, room] = share * (1.0 - elsewhere)
                in_case_file(weapon, 1.0)
            in_case_file(suspect, 1.0)
        return held, joint


@dataclass(frozen=True)
class Compiled:
    """What is compiled before the event."""

    state: State
    ready: str
    shape: str
    deals: Deals
    root: Any

    def after(self, event: Seen[ClueEvent]) -> Everything:
        deals, root = self.deals, self.root
        events = [event]
        if self.ready == "nothing":
            deals = Deals(self.state, self.shape)
            root = deals.root
        if self.ready != "past":
            events = [*self.state.past.events, event]
        root = deals.given(root, self.state.facts(events))
        return deals.everything(root)

    def answer(self, posterior: Everything) -> Answer:
        held = np.zeros((21, len(self.state.others)))
        case = np.zeros((6, 6, 9))
        for card, shares in posterior[0].items():
            held[card] = shares
        for triple, share in posterior[1].items():
            case[case_place(*triple)] = share
        return Answer(held, case)


@dataclass(frozen=True)
class PySDD:
    """Compile deals, conjoin evidence, count.

    Attributes:
        ready: What is compiled before the event: ``"past"`` (the deals that the past has left:
            only the event is conjoined), ``"declaration"`` (all deals: all that was seen is
            conjoined) or ``"nothing"``.
    """

    ready: str = "past"
    once: bool = True

    @property
    def name(self) -> str:
        return {
            "past": "pysdd",
            "declaration": "pysdd, from all deals",
            "nothing": "pysdd, from nothing",
        }[self.ready]

    @property
    def library(self) -> str:
        return with_version("PySDD")

    @property
    def note(self) -> str:
        return {
            "past": "the diagram of the past is ready; the event is conjoined",
            "declaration": "the diagram of all deals is ready; all that was seen is conjoined",
            "nothing": "deals and all that was seen are compiled",
        }[self.ready]

    def refuses(self, players: int) -> str:
        return ""

    def prepare(self, state: State) -> Compiled:
        # A balanced tree takes longer to compile for, and then less time for an event.
        shape = "balanced" if self.ready == "past" and len(state.others) > 3 else "right"
        deals = Deals(state, shape)
        root = deals.root
        if self.ready == "past":
            root = deals.given(root, state.facts(state.past.events))
        return Compiled(state, self.ready, shape, deals, root)
