"""Games whose players are of different kinds, for `kinds.py`: what beliefs say, and what is so.

A collector plays the games of one field and goes through them. At each moment it notes how many
observations a viewer has, the log loss of what is hidden by each model, and what the mixture says
of the kinds of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from sleuth import Play, play_match, together
from sleuth import game as game_by_name
from sleuth.beliefs.games.cheat.judges import (
    KindsTruth,
    PredictedTruth,
)
from sleuth.beliefs.games.cheat.judges import (
    shipped_kinds as cheat_kinds,
)
from sleuth.beliefs.games.clue.hearing import COMMON
from sleuth.beliefs.games.clue.kinds import UNSURE
from sleuth.beliefs.games.clue.learned import ALIKE_KIND
from sleuth.beliefs.games.clue.passing import PassingBelief
from sleuth.beliefs.games.clue.play import declared
from sleuth.beliefs.games.saboteur.kinds import KindsModel
from sleuth.beliefs.games.saboteur.kinds import shipped_kinds as saboteur_kinds
from sleuth.beliefs.games.scotland_yard.move_model import shipped_kinds as hider_kinds
from sleuth.beliefs.games.scotland_yard.play import LEARNED
from sleuth.games.cheat import seen_game as cheat_game
from sleuth.games.clue import (
    CARDS,
    CASE_FILE,
    Accusation,
    KindsBelief,
    LearnedBelief,
    Suggestion,
    seen_game,
)
from sleuth.games.saboteur import SaboteurBelief
from sleuth.games.scotland_yard import ScotlandYardBelief
from sleuth.models.cheat.state import is_claim
from sleuth.models.clue.cards import CATEGORIES
from sleuth.models.records.replay import observed
from sleuth.models.saboteur.state import SABOTEUR
from sleuth.models.scotland_yard.state import HIDER
from sleuth.predictors import NONE, Kinds

from .judged_games import LEAST

#: What the mixture and the model that does not listen are called.
MIXTURE: Final = "all kinds"
SILENT: Final = "not listening"
#: The mixture as it is approximated, where it is.
HEARD: Final = "all kinds, heard"
MIXED: Final = "mixed"
SEEKERS: Final = "mcts:simulations=100,belief=uniform"


@dataclass(frozen=True)
class Moment:
    """What a viewer could have thought.

    Attributes:
        game: Number of the game.
        seen: Observations of others by then.
        losses: For each model the log loss of what is hidden, in nats.
        kinds: Of each other player the true kind, where a kind is theirs, and what was said of it.
    """

    game: int
    seen: int
    losses: dict[str, float]
    kinds: tuple[tuple[str | None, dict[str, float]], ...] = ()


Collector = Callable[[str, int, int], Iterator[Moment]]


def _loss(chance: float) -> float:
    return -float(np.log(max(chance, LEAST)))


# -- Clue

CLUE: Final = {
    "entropy": ALIKE_KIND,
    "notebook": "seeks the file",
    "ledford": UNSURE,
    "random": NONE,
}


def clue(field: str, games: int, seed: int) -> Iterator[Moment]:
    """The case file, to one viewer of each game, after each round; four players without a board."""
    rules = game_by_name("clue_table", players=4)
    agents = [*CLUE] if field == MIXED else [field] * 4
    single = [ALIKE_KIND, *COMMON, UNSURE]
    mixture = KindsBelief()
    models: dict[str, Any] = {
        MIXTURE: mixture,
        HEARD: KindsBelief(exact=False),
        "learned": LearnedBelief(),
        SILENT: PassingBelief(),
        **{name: KindsBelief(exact=False, kinds=Kinds([name], none=0.0)) for name in single},
    }
    for one in play_match(rules, agents, games=games, seed=seed).games:
        play = one.replay(rules).record().replay(rules)
        viewer = one.number // 4 % 4
        places = play.truth()[0].holder.tolist()
        known = seen_game(play.view(viewer), play.seen_by(viewer))
        belief = declared(known.until(0))
        names = [*known.players, CASE_FILE, ""]
        true = {card: names[place] for card, place in zip(CARDS, places, strict=True)}
        file = tuple(
            next(card for card in cards if true[card] == CASE_FILE) for cards in CATEGORIES.values()
        )
        place = belief.case_file.values.index(file)
        asked = heard = 0
        for turn, seen in enumerate(known.events, start=1):
            event = seen.event
            if isinstance(event, Accusation) and (event.correct or event.by == known.viewer):
                break
            asked += isinstance(event, Suggestion)
            heard += isinstance(event, Suggestion) and event.by != known.viewer
            if asked % 4 or not isinstance(event, Suggestion) or asked > 40:
                continue
            now = known.until(turn)
            losses = {
                name: _loss(float(model.posterior(now).distribution(belief.case_file)[place]))
                for name, model in models.items()
            }
            kinds = mixture.kinds_of(now)
            of = {name: CLUE[agents[one.seats[seat]]] for seat, name in enumerate(known.players)}
            yield Moment(
                one.number, heard, losses, tuple((of[name], kinds[name]) for name in kinds)
            )


# -- Saboteur

SABOTEUR_AGENTS: Final = {
    "dwarf:saboteurs=explicit": "dwarf, open",
    "dwarf:saboteurs=switching": "dwarf, switching",
    "dwarf:saboteurs=hidden": "dwarf, hidden",
    "mcts:simulations=50": "search",
    "random": NONE,
}
MOMENTS: Final = (0.25, 0.5, 0.75, 1.0)


def saboteur(field: str, games: int, seed: int) -> Iterator[Moment]:
    """The roles of the others, to one viewer of each round, at four moments; five players."""
    base = saboteur_kinds()

    def alone(name: str) -> SaboteurBelief:
        habits = {each: base.habits[each] for each in (name, NONE)}
        model = KindsModel(Kinds([name], none=0.0), habits, base.trust)
        return SaboteurBelief("kinds", model=model)

    for rules in ("paper", "official"):
        made = game_by_name("saboteur", rules=rules)
        agents = [*SABOTEUR_AGENTS] if field == MIXED else [field] * made.players
        first = games if rules == "official" else 0
        for one in play_match(made, agents, games=games, seed=seed).games:
            record = one.replay(made).record()
            roles = record.replay(made).truth()[0].roles.tolist()
            viewer, last = one.number % made.players, len(record.actions) - 1
            wanted = {round(share * last) for share in MOMENTS}
            mixture = SaboteurBelief("kinds")
            models = {
                MIXTURE: mixture,
                "table": SaboteurBelief("table"),
                "learned": SaboteurBelief("learned"),
                SILENT: SaboteurBelief("uniform"),
                **{name: alone(name) for name in base.kinds.names if name != NONE},
            }
            for event, each in enumerate(observed(record, made, viewer)):
                if event not in wanted:
                    continue
                hidden = mixture.hidden(each.view)
                others = [
                    (seat, hidden[f"role of {name}"])
                    for seat, name in enumerate(made.roles)
                    if f"role of {name}" in hidden
                ]
                feature = together(*(part for _, part in others))
                truth = tuple(int(roles[seat] == SABOTEUR) for seat, _ in others)
                known = {name: model.known(each.view, each.seen) for name, model in models.items()}
                losses = {
                    name: _loss(model.posterior(known[name]).marginal(feature).get(truth, 0.0))
                    for name, model in models.items()
                }
                signs = known[MIXTURE].signs
                heard = sum(sign.player != viewer and bool(sign.about) for sign in signs)
                kinds = mixture.kinds_of(known[MIXTURE])
                of = {
                    name: SABOTEUR_AGENTS[agents[one.seats[seat]]]
                    for seat, name in enumerate(made.roles)
                }
                told = tuple((of[name], kinds[name]) for name in kinds)
                yield Moment(first + one.number, heard, losses, told)


# -- Scotland Yard

HIDERS: Final = {
    "mcts:simulations=1000": LEARNED,
    "paranoid": "looks ahead",
    "mcts:simulations=200,playouts=random": "searches, any playouts",
    "random": NONE,
}


def scotland_yard(field: str, games: int, seed: int) -> Iterator[Moment]:
    """The hider's station, to the seekers, after each move without a reveal."""
    made = game_by_name("scotland_yard")
    mixture = ScotlandYardBelief("kinds")
    models = {
        MIXTURE: mixture,
        LEARNED: ScotlandYardBelief("moves"),
        SILENT: ScotlandYardBelief("steps"),
        **{name: ScotlandYardBelief("moves", moves=each) for name, each in hider_kinds().items()},
    }
    for place, hider in enumerate(HIDERS if field == MIXED else [field]):
        count = games // len(HIDERS) if field == MIXED else games
        played = play_match(made, [hider, SEEKERS], games=count, seed=seed, swap=False).games
        for one in played:
            play, heard = Play.new(made, seed=one.seed), 0
            for action in one.actions:
                mover = play.player
                play.apply(action)
                if mover != HIDER or play.over:
                    continue
                heard += 1
                view, seen = play.view(1), play.seen_by(1)
                if view.states[0].surfaced_turn == view.states[0].turn:
                    continue
                station = int(play.truth()[0].stations[HIDER])
                feature = mixture.hidden(view)["hider"]
                losses = {
                    name: _loss(float(model.infer(view, seen).distribution(feature)[station - 1]))
                    for name, model in models.items()
                }
                told = ((HIDERS[hider], mixture.kinds_of(view, seen)),)
                yield Moment(place * count + one.number, heard, losses, told)


# -- Cheat

CLAIMANTS: Final = {
    "people:population=reacting": "reacting people",
    "people:population=steady": "steady people",
    "mga:simulations=30": "searches",
    "random": NONE,
}
#: Who may call them.
CALLER: Final = "people:population=steady"


def cheat(field: str, games: int, seed: int) -> Iterator[Moment]:
    """Whether the last claim is true, to the player who may call it."""
    made = game_by_name("cheat")
    predictors = cheat_kinds()
    for place, claimant in enumerate(CLAIMANTS if field == MIXED else [field]):
        count = games // len(CLAIMANTS) if field == MIXED else games
        for one in play_match(made, [claimant, CALLER], games=count, seed=seed).games:
            mixture = KindsTruth(predictors)
            models: Mapping[str, Any] = {
                MIXTURE: mixture,
                **{name: PredictedTruth(each) for name, each in predictors.items()},
            }
            play, theirs = Play.new(made, seed=one.seed), one.seats.index(0)
            for action in one.actions:
                mover = play.player
                play.apply(action)
                state = play.truth()[0]
                if play.over or mover != theirs or play.player == theirs:
                    continue
                if not is_claim(int(state.log[state.turn - 1])):
                    continue
                viewer = 1 - theirs
                view, seen = play.view(viewer), play.seen_by(viewer)
                true = cheat_game(play.view(theirs)).turns[-1].true
                turns = cheat_game(view)
                heard = sum(
                    each.kind == "claim" and each.by == theirs
                    for each in turns.turns[: turns.since]
                )
                losses = {}
                for name, model in models.items():
                    chance = float(model(view, seen))
                    losses[name] = _loss(chance if true else 1.0 - chance)
                told = ((CLAIMANTS[claimant], mixture.kinds_of(view, seen)),)
                yield Moment(place * count + one.number, heard, losses, told)


#: Of each game its collector, the fields that it has, and models that are no kind.
GAMES: Final[Mapping[str, tuple[Collector, Sequence[str]]]] = {
    "clue": (clue, (MIXED, "entropy", "notebook", "ledford", "random")),
    "saboteur": (saboteur, (MIXED, *SABOTEUR_AGENTS)),
    "scotland_yard": (scotland_yard, (MIXED, *HIDERS)),
    "cheat": (cheat, (MIXED, *CLAIMANTS)),
}
#: Models that are no kind of the mixture; they are no candidates for the best single kind.
OTHERS: Final = (MIXTURE, HEARD, "learned", "table", SILENT)
