"""Rival models of one player: are they honest, a bluffer, or do they not look at their card?

A player gets a high or a low card each round and bets or not. After the round the card is shown
only if somebody called. Each model says how likely a bet is with either card; the evidence of all
rounds weighs the models against each other.
"""

from __future__ import annotations

from sleuth import Choice, Evidence, Model, Posterior, infer, together

#: P(bet | card) in each model, and how likely the model is before the first round.
BETS = {
    "honest": {"high": 0.9, "low": 0.1},
    "bluffer": {"high": 0.8, "low": 0.6},
    "blind": {"high": 0.5, "low": 0.5},
}
PRIOR = {"honest": 0.5, "bluffer": 0.3, "blind": 0.2}
HIGH = 0.4

#: Whether they bet, and the card if it was shown.
ROUNDS = ((True, "low"), (True, None), (False, None), (True, "high"), (True, None))


def after(rounds: tuple[tuple[bool, str | None], ...]) -> Posterior:
    """What is believed about the player, and about every card, after some rounds."""
    kind = Choice("kind", PRIOR)
    cards = [
        Choice(f"card {number}", {"high": HIGH, "low": 1.0 - HIGH})
        for number in range(1, len(rounds) + 1)
    ]
    given: list[Evidence] = []
    for number, ((bet, shown), card) in enumerate(zip(rounds, cards, strict=True), start=1):
        both = together(kind.value(), card.value())
        chances = {pair: BETS[pair[0]][pair[1]] for pair in both.values}
        given.append(
            both.weigh(
                {pair: p if bet else 1.0 - p for pair, p in chances.items()},
                because=f"round {number}: {'bet' if bet else 'no bet'}",
            )
        )
        if shown is not None:
            given.append(card.equals(shown).observed(because=f"round {number}: {shown} shown"))
    return infer(Model(kind, *cards), given)


def main() -> None:
    for number in range(len(ROUNDS) + 1):
        belief = after(ROUNDS[:number])
        shares = belief.marginal(Choice("kind", PRIOR).value())
        print(number, {kind: round(share, 3) for kind, share in shares.items()})


if __name__ == "__main__":
    main()
