"""Skull: shall I turn over the two discs in front of Bo, or of Kit?

Everybody has three roses and a skull, and lays two of the four. A person who bids high has rarely
laid the skull; a person who laid it seldom raises.
"""

from __future__ import annotations

from sleuth import Deal, Model, Posterior, infer

#: How likely a person raises, without and with a skull in front of them.
RAISES = {0: 0.6, 1: 0.25}

mats = {
    name: Deal({"rose": 3, "skull": 1}, holders={"mat": 2, "hand": 2}, name=name)
    for name in ("Bo", "Kit")
}

#: Who raised the bid, and who passed, in order.
BIDS = (("Bo", True), ("Kit", True), ("Bo", False))


def after(bids: tuple[tuple[str, bool], ...]) -> Posterior:
    """What I believe after some bids."""
    given = [
        mats[name]
        .count("mat", "skull")
        .weigh(
            {skulls: p if raised else 1.0 - p for skulls, p in RAISES.items()},
            because=f"{name} {'raised' if raised else 'passed'}",
            id=f"bid {number}",
        )
        for number, (name, raised) in enumerate(bids, start=1)
    ]
    return infer(Model(*mats.values()), given)


def main() -> None:
    for number in range(len(BIDS) + 1):
        belief = after(BIDS[:number])
        safe = {
            name: belief.probability(mat.count("mat", "skull").equals(0))
            for name, mat in mats.items()
        }
        print(number, {name: round(chance, 3) for name, chance in safe.items()})


if __name__ == "__main__":
    main()
