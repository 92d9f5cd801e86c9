"""Beside a real game of Clue: type in what you see, read what follows and what to ask.

Three players; you are Ada and hold six cards. Cards shown between the others stay null.
"""

from __future__ import annotations

from sleuth.games.clue import CARDS, ClueDeclaration, ClueRecord

RECORD = {
    "game": "clue",
    "players": ["Ada", "Bob", "Cleo"],
    "hand_sizes": [6, 6, 6],
    "observer": "Ada",
    "own_hand": ["plum", "rope", "knife", "kitchen", "hall", "study"],
    "events": [
        {
            "type": "suggest",
            "by": "Ada",
            "cards": ["green", "wrench", "lounge"],
            "refuter": "Bob",
            "shown": "lounge",
        },
        {
            "type": "suggest",
            "by": "Bob",
            "cards": ["white", "rope", "library"],
            "refuter": "Cleo",
            "shown": None,
        },
        {
            "type": "suggest",
            "by": "Cleo",
            "cards": ["green", "wrench", "kitchen"],
            "refuter": "Ada",
            "shown": "kitchen",
        },
    ],
}


def main() -> None:
    game = ClueRecord.from_json(RECORD).seen_by("Ada")
    clue = ClueDeclaration(game)
    belief = clue.infer(game)
    print(f"{belief.entropy(clue.case_file):.2f} bits of the case file are open. The likeliest:")
    for triple, probability in belief.most_likely(clue.case_file, 3):
        print(f"  {', '.join(triple)}: {probability:.3f}")

    print("Certain, beyond the own hand:")
    for card in CARDS:
        holder, probability = belief.most_likely(clue.cards.holder_of(card))[0]
        if probability > 1.0 - 1e-9 and holder != "Ada":
            events = belief.explain(clue.cards.holder_of(card).equals(holder))
            print(f"  {holder} has {card}, by event {', '.join(map(str, events))}")

    print("Worth asking now:")
    for question, gain in belief.best_questions(clue.suggestions, about=clue.case_file, n=3):
        print(f"  {question.name}: {gain:.2f} bits")


if __name__ == "__main__":
    main()
