"""The Resistance: who are the two spies among five, after three missions?

A mission of loyal players cannot fail. A spy on a mission lets it fail seven times in ten.
"""

from __future__ import annotations

from math import comb

from sleuth import Deal, Model, Posterior, infer

PLAYERS = ("Ann", "Bea", "Cem", "Dov", "Eve")
FAILING = 0.7

roles = Deal({"spy": 2, "loyal": 3}, holders=dict.fromkeys(PLAYERS, 1))

#: Who went, and how many of them let the mission fail.
MISSIONS = (
    (("Ann", "Bea"), 0),
    (("Bea", "Cem", "Dov"), 1),
    (("Ann", "Dov"), 1),
)


def chance(fails: int, spies: int) -> float:
    """How likely so many spies let a mission fail so many times."""
    return comb(spies, fails) * FAILING**fails * (1.0 - FAILING) ** (spies - fails)


def after(missions: tuple[tuple[tuple[str, ...], int], ...], me: str = "Ann") -> Posterior:
    """What a loyal player believes after some missions."""
    given = [roles.holds(me, "loyal", because="my own role")]
    for number, (team, fails) in enumerate(missions, start=1):
        spies = roles.count(team, "spy")
        given.append(
            # More fails than spies are against the rules: those zeros are meant.
            spies.weigh(
                {count: chance(fails, count) for count in spies.values},
                exact=True,
                because=f"mission {number}: {', '.join(team)}, {fails} failed",
            )
        )
    return infer(Model(roles), given)


def main() -> None:
    for number in range(len(MISSIONS) + 1):
        belief = after(MISSIONS[:number])
        shares = {
            player: belief.probability(roles.count(player, "spy").equals(1)) for player in PLAYERS
        }
        print(number, {player: round(share, 3) for player, share in shares.items()})
    certain = roles.count("Dov", "spy").equals(1)
    print("Dov is a spy, by:", after(MISSIONS).explain(certain))


if __name__ == "__main__":
    main()
