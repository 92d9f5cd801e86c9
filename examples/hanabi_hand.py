"""Hanabi: which of my four cards can I play? Others see my cards, I see only hints.

Two colours, with three ones, two twos and one three each. The others hold some; the rest is in my
hand or in the deck.
"""

from __future__ import annotations

from sleuth import Deal, Evidence, Model, Posterior, infer

SLOTS = ("slot 1", "slot 2", "slot 3", "slot 4")
COLOURS = ("red", "blue")
COPIES = {1: 3, 2: 2, 3: 1}
#: What I see in other hands and on the table.
VISIBLE = ("red 1", "red 1", "blue 2", "blue 3")
#: The next card of each colour that the table can take.
PLAYABLE = ("red 2", "blue 1")

unseen = {
    f"{colour} {number}": copies - VISIBLE.count(f"{colour} {number}")
    for colour in COLOURS
    for number, copies in COPIES.items()
}
LEFT = {card: copies for card, copies in unseen.items() if copies > 0}
cards = Deal(LEFT, holders={**dict.fromkeys(SLOTS, 1), "deck": sum(LEFT.values()) - len(SLOTS)})

#: What was said: a colour or a number, and all slots that have it.
HINTS = (("red", ("slot 1", "slot 3")), ("1", ("slot 2", "slot 3")))


def after(hints: tuple[tuple[str, tuple[str, ...]], ...]) -> Posterior:
    """What I know after some hints; a hint names every card that it fits."""
    given: list[Evidence] = []
    for word, slots in hints:
        fitting = [card for card in LEFT if word in card.split()]
        for slot in SLOTS:
            fits = cards.item_of(slot).among(fitting)
            given.append(
                (fits if slot in slots else ~fits).observed(
                    because=f"'{word}': {' and '.join(slots)}", id=f"{word}, {slot}"
                )
            )
    return infer(Model(cards), given)


def main() -> None:
    for number in range(len(HINTS) + 1):
        belief = after(HINTS[:number])
        playable = [belief.probability(cards.item_of(slot).among(PLAYABLE)) for slot in SLOTS]
        print(number, "hints:", [round(chance, 3) for chance in playable])


if __name__ == "__main__":
    main()
