"""A game of your own in one file: nine number cards, three each, three aside. Which are aside?

You may ask the other player how many of their cards lie in a range. They answer truly, but one time
in ten they only shrug.
"""

from __future__ import annotations

from sleuth import Deal, Model, Question, infer

DECK = [str(number) for number in range(1, 10)]
SHRUG = 0.1


class NumberCards:
    """What is hidden, what happens, and what can be asked; nothing about inference."""

    def __init__(self, hand: list[str]) -> None:
        holders = {"me": 3, "you": 3, "aside": 3}
        self.cards = Deal(DECK, holders=holders, known={"me": hand})
        self.model = Model(self.cards)
        self.aside = self.cards.which("aside", [card for card in DECK if card not in hand])

    def how_many(self, low: int, high: int) -> Question:
        """How many of your cards are from low to high?"""
        return Question(
            self.cards.count("you", DECK[low - 1 : high]),
            lambda number: {number: 1.0 - SHRUG, "a shrug": SHRUG},
            name=f"how many from {low} to {high}?",
        )


def main() -> None:
    game = NumberCards(hand=["2", "5", "9"])
    belief = infer(game.model)
    print(f"{belief.entropy(game.aside):.2f} bits are open")

    # What the other player really holds, and all that can be asked about it.
    truth = {"1", "3", "8"}
    ranges = [(low, high) for low in range(1, 10) for high in range(low, 10)]
    questions = {game.how_many(low, high): {*DECK[low - 1 : high]} for low, high in ranges}
    for turn in range(1, 5):
        question, gain = belief.best_questions([*questions], about=game.aside, n=1)[0]
        answer = "a shrug" if turn == 2 else len(truth & questions[question])
        belief = belief.observe(question.observed(answer, because=f"turn {turn}"))
        print(f"turn {turn}: {question.name} {answer} (promised {gain:.2f} bits)")

    for card in DECK:
        holder, probability = belief.most_likely(game.cards.holder_of(card))[0]
        reasons = ""
        if probability > 1.0 - 1e-9:
            proof = belief.explain(game.cards.holder_of(card).equals(holder))
            reasons = ", by " + ", ".join(map(str, proof)) if proof else ", from the start"
        print(f"{card}: {holder} with probability {probability:.2f}{reasons}")


if __name__ == "__main__":
    main()
