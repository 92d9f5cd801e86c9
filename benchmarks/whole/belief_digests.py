"""What is believed in games, as one word for each moment; `same_beliefs` compares two checkouts.

    python benchmarks/whole/belief_digests.py [--plays 3] [--records N]

Every shipped record is analysed from the eyes of everybody, and so are games of Clue, Cheat,
Scotland Yard and Saboteur in which all actions are drawn at random. Of each posterior that is made
on the way, by what is known in it, a digest is printed of its log evidence, of the marginals of all
that is hidden, and of worlds that are drawn from it.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import Any, Final

import numpy as np

import sleuth
from sleuth.data.files import examples

GAMES: Final = ("clue", "cheat", "scotland_yard", "saboteur")
DRAWN: Final = 16
#: Names that observers of a record may have, besides those of its players.
OBSERVERS: Final = ("spectator", "hider", "seekers", "seeker_1")
#: Actions of a random game.
ACTIONS: Final = 40


def word(belief: sleuth.Posterior) -> str:
    """All that a posterior says of its variables, and worlds drawn from it, as a digest."""
    found = hashlib.sha256(float(belief.log_evidence).hex().encode())
    for variable in belief.model.variables:
        if isinstance(variable, sleuth.Deal):
            rows = belief.table(variable)
            shares = np.array([[*row.values()] for row in rows.values()])
        else:
            feature = variable.value() if isinstance(variable, sleuth.Choice) else variable.at()
            shares = belief.distribution(feature)
        found.update(shares.tobytes())
    found.update(belief.sample_array(DRAWN, np.random.default_rng(1)).tobytes())
    return found.hexdigest()[:16]


@contextmanager
def kept() -> Generator[list[sleuth.Posterior]]:
    """A list to which every posterior is added that is made meanwhile."""
    made: list[sleuth.Posterior] = []
    usual = sleuth.Posterior.__init__

    def begin(self: sleuth.Posterior, *given: Any, **named: Any) -> None:
        usual(self, *given, **named)
        made.append(self)

    sleuth.Posterior.__init__ = begin
    try:
        yield made
    finally:
        sleuth.Posterior.__init__ = usual


def analyse_records(most: int) -> None:
    """Analyse so many records of each game that come with sleuth, from the eyes of everybody."""
    analysed: Counter[str] = Counter()
    for name in sorted(examples()):
        record = sleuth.example(name)
        analysed[record.game] += 1
        if analysed[record.game] > most:
            continue
        value: Any = record.value
        players = value.get("players", ()) if isinstance(value, dict) else value.games[0].players
        for observer in (None, *OBSERVERS, *players):
            # Not everybody is there in every game, and some saw too little to be asked.
            with suppress(sleuth.SleuthError):
                record.analyse(observer=observer)


def play_games(number: int) -> None:
    """Ask what each player believes at every moment of games in which any action is taken."""
    for game in GAMES:
        belief = sleuth.belief(game)
        for seed in range(number):
            play, rng = sleuth.Play.new(game, seed=seed), np.random.default_rng(seed)
            while not play.over and len(play.record().actions) < ACTIONS:
                for viewer in (*range(play.game.players), sleuth.SPECTATOR):
                    with suppress(sleuth.SleuthError):
                        belief.infer(play.view(viewer), play.seen_by(viewer))
                play.apply(int(rng.choice(play.legal())))


def words(plays: int, records: int) -> dict[str, str]:
    """For whatever is known at a moment, a word for what is believed then."""
    with kept() as made:
        analyse_records(records)
        play_games(plays)
    found: dict[str, str] = {}
    for belief in made:
        asked = f"{belief.digest[:24]} {'auto' if belief.automatic else belief.method}"
        if asked not in found and belief.exact and belief.log_evidence > -np.inf:
            found[asked] = word(belief)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--plays", type=int, default=3, metavar="N", help="of each game")
    parser.add_argument("--records", type=int, default=1_000, metavar="N", help="of each game")
    asked = parser.parse_args()
    print(json.dumps(words(asked.plays, asked.records)))


if __name__ == "__main__":
    main()
