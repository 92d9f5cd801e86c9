"""Saboteur's roles: who digs for gold, and who only pretends?

Five players have five of six role cards, two of which are saboteurs; the sixth is spare. A player
is likely of another side than those they block, and of the same side as those they free.
"""

from __future__ import annotations

from sleuth import Deal, Model, Posterior, infer, together

PLAYERS = ("Ann", "Bea", "Cem", "Dov", "Eve")

roles = Deal({"saboteur": 2, "miner": 4}, holders={**dict.fromkeys(PLAYERS, 1), "spare": 1})

#: How many times likelier an action is between players of different sides than of the same side.
RATIOS = {"blocks": 4.0, "frees": 0.5}

ACTIONS = (
    ("Bea", "blocks", "Ann"),
    ("Cem", "frees", "Ann"),
    ("Dov", "blocks", "Bea"),
    ("Eve", "blocks", "Cem"),
)


def after(actions: tuple[tuple[str, str, str], ...], me: str = "Ann") -> Posterior:
    """What a miner believes after some actions."""
    given = [roles.holds(me, "miner", because="my own role")]
    for number, (by, does, whom) in enumerate(actions, start=1):
        both = together(roles.count(by, "saboteur"), roles.count(whom, "saboteur"))
        given.append(
            both.weigh(
                {pair: RATIOS[does] if pair[0] != pair[1] else 1.0 for pair in both.values},
                because=f"{by} {does} {whom}",
                id=f"action {number}",
            )
        )
    return infer(Model(roles), given)


def main() -> None:
    for number in range(len(ACTIONS) + 1):
        belief = after(ACTIONS[:number])
        shares = {
            player: belief.probability(roles.count(player, "saboteur").equals(1))
            for player in PLAYERS
        }
        print(number, {player: round(share, 3) for player, share in shares.items()})


if __name__ == "__main__":
    main()
