"""Games of any edition of Clue for tests: dealt and played by the rules, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from sleuth.games.clue import ClueEdition

#: A box of somebody's own.
LIGHTHOUSE = {
    "name": "lighthouse",
    "title": "Murder at the lighthouse",
    "cards": {
        "suspect": ["keeper", "captain", "smuggler", "widow"],
        "weapon": ["anchor", "harpoon", "lantern"],
        "room": ["lamp room", "cellar", "boat house", "stairs", "galley"],
    },
    "aliases": {"skipper": "captain", "lamp": "lantern"},
    "players": [2, 6],
}


def played(box: ClueEdition, names: Sequence[str], seed: int, *, turns: int = 60) -> dict[str, Any]:
    """A whole game as a record, which names no edition: it ends when one player has seen all.

    Players suggest cards that they have not seen; whoever must show one shows any.
    """
    rng = np.random.default_rng(seed)
    file = [str(rng.choice(cards)) for cards in box.categories.values()]
    pack = [card for card in box.cards if card not in file]
    rng.shuffle(pack)
    hands = {name: pack[place :: len(names)] for place, name in enumerate(names)}
    seen = {name: set(hand) for name, hand in hands.items()}
    events: list[dict[str, Any]] = []
    for turn in range(turns):
        by = names[turn % len(names)]
        open_ = [[c for c in cards if c not in seen[by]] for cards in box.categories.values()]
        asked = [str(rng.choice(cards)) for cards in open_]
        if max(map(len, open_)) == 1:
            events.append({"type": "accuse", "by": by, "cards": asked, "correct": True})
            break
        order = [names[(turn + step) % len(names)] for step in range(1, len(names))]
        refuter = next((name for name in order if {*asked} & {*hands[name]}), None)
        shown = None
        if refuter is not None:
            shown = str(rng.choice([card for card in asked if card in hands[refuter]]))
            seen[by].add(shown)
        suggested = {"type": "suggest", "by": by, "cards": asked}
        events.append(suggested | {"refuter": refuter, "shown": shown})
    return {
        "game": "clue",
        "players": [*names],
        "hand_sizes": [len(hands[name]) for name in names],
        "hands": {name: [*box.in_deck_order(hand)] for name, hand in hands.items()},
        "case_file": file,
        "events": events,
    }
