"""`check_game`: whether a game keeps the contract of `models/game.py`, and leaks nothing.

Plays random games and looks, at every move, at what the kernels do and what each player is told.
A failure says which check found it, in which play and at which move, and what may be wrong.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...beliefs.games.contract import GameBelief
from ...beliefs.games.registry import belief_or_none as known_belief
from ...data.errors import SettingsError, SleuthError
from ...data.progress import Tell, silent
from ...models.game import HIDDEN, OVER, SPECTATOR, Game, States
from ...models.games import GameEntry, game_from
from ...models.kernels.at_hand import NUMBA
from ...models.kernels.plain.twins import is_compiled
from ...models.play import Play, PlayRecord, viewer_name
from ...models.records.reading import parse_json
from ...models.rehearsal import rehearsed_elsewhere
from .faults import RAISING, Faults
from .guarded_kernels import ConformanceError, GuardedKernels
from .hidden_actions import HiddenActions
from .hidden_reads import different_fields
from .leak_checks import LeakChecks
from .misspelt import uncompiled
from .start_leaks import fields_of, numbers_of, viewers

#: Name and meaning of every check.
CHECKS: Final[Mapping[str, str]] = {
    "kernels": "every kernel compiles for the contract's arguments and runs without an error",
    "start": "a game starts with a player's move; the same seed starts the same game",
    "legal": "between 1 and max_actions different codes below action_space, while a game goes on",
    "bounds": "no kernel writes beyond what it is handed",
    "purity": "no kernel changes what it may only read",
    "tables": "no kernel writes to the tables",
    "memory": "no kernel keeps anything between calls",
    "compiled": "compiled and plain Python give the same bytes",
    "apply": "after every move it is a player's turn, or the game is over; nothing is HIDDEN",
    "fields": "every field of a state lies within the bounds that the game declares for it",
    "dice": "after a move nothing depends on chance where apply is known to draw none",
    "depth": "no game is longer than max_depth",
    "returns": "every player's return is written and lies between lowest and highest",
    "sum of returns": "all returns add up to what the game says they do",
    "policy": "the playout policy takes one of the legal actions",
    "record": "a record plays the same game again, also from its file",
    "seeds": "the same seed and actions give the same game",
    "threads": "games played on several threads at once are the same",
    "own moves": "what the player to move sees is enough to know their legal actions",
    "own outcome": "what a player sees at the end is enough to know their return",
    "mask": "masking hides something or nothing, but not whose move it is; twice is as once",
    "spectator": "a spectator sees nothing that a player does not see",
    "unnoticed": "a move of which a viewer notices nothing changes nothing in their view",
    "alike": "plays that differ in what somebody did and a viewer did not see look alike to them",
    "belief": "there is a belief where something is hidden, and it gives worlds as it should",
    "hidden": "what the belief names as hidden are features by their names",
    "support": "the belief thinks the truth possible",
    "fill": "nothing is HIDDEN in a state that is filled",
    "dealt": "nothing that is seen of a start says more of what is hidden than the belief knows",
    "worlds": "every filled state looks to the viewer like the true one",
    "told": "what observe tells of a move is so in every state imagined afterwards",
    "observations": "states that look the same go on looking the same while one sees the same",
    "futures": "a filled state can be played to its end",
    "key": "states that look the same to a viewer have one key",
    "samples": "nothing that is drawn for a viewer depends on what they cannot see",
    "decisions": "nothing that an agent decides depends on what they cannot see",
}

#: What it says that it does.
CHECKING: Final = "checking the rules, and what is seen"
#: Starts that are dealt to see whether they show too much: twenty for each play, in these bounds.
FEWEST_STARTS: Final = 100
#: So far may the returns of a game be from their sum, of floating-point numbers.
_ROUNDING: Final = 1e-9
MOST_STARTS: Final = 400


@dataclass(frozen=True)
class Conformance:
    """The checks that were made.

    Attributes:
        game: The game's name.
        plays: Games that were played.
        moves: Moves in all of them.
        longest: Moves of the longest.
        checks: Names of the checks that were made at least once.
    """

    game: str
    plays: int
    moves: int
    longest: int
    checks: frozenset[str]


def check_game(
    game: Game | GameEntry | str,
    belief: GameBelief | None = None,
    *,
    plays: int = 20,
    seed: int = 0,
    agent: Any = None,
    worlds: int = 16,
    progress: Tell = silent,
) -> Conformance:
    """Check that a game keeps the contract and that nobody is told what they cannot know.

    Args:
        game: The game, or its entry.
        belief: Its belief; not needed if nothing is hidden, or the game is known by an entry.
        plays: Random games to look at; half of their moves are made by the game's policy.
        seed: Another seed, other games.
        agent: Somebody with ``decide(view, seen)`` whose answers are compared as well, or a
            function that makes them anew for each decision.
        worlds: States imagined at each move that is looked at closely.
        progress: Told after every play; each is looked at twice.

    Returns:
        What was checked.

    Raises:
        ConformanceError: The first fault that was found: the name of the check, the place (play,
            its seed, the move) and a hint.

    >>> import sleuth
    >>> sleuth.check_game("kuhn_poker", plays=2).plays
    2
    """
    game = game_from(game)
    if plays < 1 or worlds < 2:
        raise SettingsError("at least one play and two worlds are needed", value=(plays, worlds))
    made = _checked(game, belief, plays, seed, agent, worlds, progress, RAISING)
    assert made is not None, "the first fault is raised"
    return made


def game_faults(
    game: Game,
    belief: GameBelief | None,
    faults: Faults,
    *,
    plays: int,
    seed: int,
    agent: Any = None,
    worlds: int = 16,
    progress: Tell = silent,
) -> Conformance | None:
    """The same checks, with all that fails kept in ``faults``; None where no game can be played."""
    return _checked(game, belief, plays, seed, agent, worlds, progress, faults)


def _checked(
    game: Game,
    belief: GameBelief | None,
    plays: int,
    seed: int,
    agent: Any,
    worlds: int,
    progress: Tell,
    faults: Faults,
) -> Conformance | None:
    where = f"game {game.name!r}"
    if belief is None and game.hides:
        belief = faults.attempt(_known_belief, game, where)
    # Whatever is compiled here is tried by plain Python first, move by move.
    with rehearsed_elsewhere(game):
        return faults.attempt(
            _played, game, belief, plays, seed, agent, worlds, where, progress, faults
        )


def _known_belief(game: Game, where: str) -> GameBelief | None:
    try:
        return known_belief(game)
    except SettingsError as error:
        raise ConformanceError("belief", error.message, where=where, hint=error.hint) from None


def _played(
    game: Game,
    belief: GameBelief | None,
    plays: int,
    seed: int,
    agent: Any,
    worlds: int,
    where: str,
    progress: Tell,
    faults: Faults,
) -> Conformance:
    compiling: list[str] = []
    try:
        game.warm(lambda name, done, total: compiling.append(name))
    except Exception as error:
        fault = uncompiled(game, compiling[-1] if compiling else "start", error)
        raise ConformanceError(
            "kernels",
            fault.message,
            where=where,
            hint=fault.hint,
            kernel=compiling[-1] if compiling else "",
        ) from error
    rules = _Rules(game, GuardedKernels(game), seed, faults)
    leaks = LeakChecks(
        game, belief, rules.kernels, rules.made, worlds=worlds, agent=agent, faults=faults
    )
    # The rules first: a fault in them would look like a leak.
    played: list[Play] = []
    for number in range(plays):
        rules.kernels.thorough = number < max(2, plays // 4)
        played += filter(None, (faults.attempt(rules.play, number),))
        progress(CHECKING, number + 1, 2 * plays)
    for number in range(plays):
        rules.kernels.thorough = number < max(2, plays // 4)
        faults.attempt(rules.play_watched, number, leaks)
        progress(CHECKING, plays + number + 1, 2 * plays)
    faults.attempt(leaks.starts, seed, min(MOST_STARTS, max(FEWEST_STARTS, 20 * plays)))
    faults.attempt(rules.threads, played)
    lengths = [len(play.actions) for play in played] or [0]
    return Conformance(game.name, plays, sum(lengths), max(lengths), frozenset(rules.made))


class _Rules:
    """Checks of rules, sizes, payoffs and records, along random games."""

    def __init__(self, game: Game, kernels: GuardedKernels, seed: int, faults: Faults) -> None:
        self.game = game
        self.kernels = kernels
        self.seed = seed
        self.faults = faults
        self.made = {"kernels", "bounds", "purity", "tables", "memory"}
        if NUMBA and any(is_compiled(getattr(game, name)) for name in game.signatures):
            self.made.add("compiled")

    def play(self, number: int) -> Play:
        """One random game, looked at move by move."""
        game, seed = self.game, self.seed + number
        where, rng = self._place(number), np.random.default_rng([self.seed, number])
        self.made.add("depth")
        attempt = self.faults.attempt
        attempt(self._start, seed, where)
        play = Play.new(game, seed=seed)
        while not play.over:
            place = f"{where}, after {len(play.actions)} moves"
            truth = play.truth()
            attempt(self._fields, truth, place)
            attempt(self._masks, truth, place)
            if len(play.actions) >= game.max_depth:
                raise ConformanceError(
                    "depth",
                    "the game is longer than max_depth",
                    where=place,
                    hint=f"max_depth is {game.max_depth}",
                )
            legal = attempt(self._legal, truth, place)
            if legal is None:
                return play  # it cannot go on
            attempt(self._own_moves, truth, legal, place)
            action = attempt(self._choose, truth, legal, rng, place)
            action = int(legal[0]) if action is None else action
            attempt(self._apply, truth, action, seed, len(play.actions) + 1, place)
            play.apply(action)
            if not OVER <= play.player < game.players:
                return play
        place = f"{where}, after {len(play.actions)} moves"
        attempt(self._fields, play.truth(), place)
        attempt(self._masks, play.truth(), place)
        attempt(self._returns, play.truth(), place)
        attempt(self._record, play, where)
        return play

    def play_watched(self, number: int, leaks: LeakChecks) -> None:
        """The same game again, looking at what everybody is told."""
        game = self.game
        where, rng = self._place(number), np.random.default_rng([self.seed, number])
        play = Play.new(game, seed=self.seed + number)
        hidden = HiddenActions(self.kernels, np.random.default_rng([self.seed, number, 2]))
        while not play.over and len(play.actions) < game.max_depth:
            place = f"{where}, after {len(play.actions)} moves"
            action = self.faults.attempt(self._choose, play.truth(), play.legal(), rng, place)
            action = int(play.legal()[0]) if action is None else action
            if game.hides:
                self.made.add("alike")
                self.faults.attempt(hidden.follow, play, action, place)
            leaks.before(play, action, np.random.default_rng([self.seed, number, 1]), place)
            before = {viewer: play.view(viewer) for viewer in viewers(game.players)}
            mover = play.player
            play.apply(action)
            if not OVER <= play.player < game.players:
                return
            leaks.after(play, before, mover, place)

    def _place(self, number: int) -> str:
        return f"game {self.game.name!r}, play {number + 1} (seed {self.seed + number})"

    def threads(self, played: list[Play]) -> None:
        """The same games one after the other and on several threads at once."""
        self.made.add("threads")
        # The very games that were looked at: nothing compiled meets a state for the first time.
        again = played[:8] * 2
        alone = [everything_of(play) for play in again]
        with ThreadPoolExecutor(4) as pool:
            together = list(pool.map(everything_of, again))
        if alone != together:
            raise ConformanceError(
                "threads",
                "games played at the same time disturb each other",
                where=f"game {self.game.name!r}",
                hint="kernels must not share anything that they write to",
            )

    def _start(self, seed: int, where: str) -> None:
        self.made.add("start")
        game = self.game
        called = self.kernels.call("start", game.states(1), where=where, seed=seed)
        player = int(called.states[0].player)
        if not 0 <= player < game.players:
            raise ConformanceError(
                "start",
                "a game must start with a player's move",
                where=where,
                value=player,
                fields=("player",),
            )
        if game.initial(seed).tobytes() != game.initial(seed).tobytes():
            raise ConformanceError("start", "the same seed starts different games", where=where)
        if np.any(called.states.view(np.int32) == HIDDEN):
            raise ConformanceError("start", "a start has something HIDDEN in it", where=where)

    def _legal(self, truth: States, where: str) -> NDArray[np.int32]:
        self.made.add("legal")
        game = self.game
        called = self.kernels.call("legal", truth, where=where)
        count = int(called.result)
        if not 1 <= count <= game.max_actions:
            raise ConformanceError(
                "legal",
                "the number of legal actions is out of bounds",
                where=where,
                value=count,
                hint=f"1 to max_actions, which is {game.max_actions}",
            )
        legal: NDArray[np.int32] = called.written[:count].copy()
        if legal.min() < 0 or legal.max() >= game.action_space:
            raise ConformanceError(
                "legal",
                "an action code is out of bounds",
                where=where,
                value=legal.tolist(),
                hint=f"codes run from 0 to action_space - 1, which is {game.action_space - 1}",
            )
        if len(np.unique(legal)) < count:
            raise ConformanceError(
                "legal", "an action is listed twice", where=where, value=legal.tolist()
            )
        return legal

    def _own_moves(self, truth: States, legal: NDArray[np.int32], where: str) -> None:
        self.made.add("own moves")
        game, count = self.game, len(legal)
        mover = int(truth[0].player)
        masked = self.kernels.call("mask", truth, where=where, viewer=mover).states
        sees = viewer_name(game.roles, mover)
        own = self.kernels.call("legal", masked, where=where, sees=sees)
        if int(own.result) != count or own.written[:count].tolist() != legal.tolist():
            raise ConformanceError(
                "own moves",
                f"{sees} cannot tell their legal actions from their view",
                where=where,
                value=own.written[: max(int(own.result), 0)].tolist(),
                hint=f"from the true state they are {legal.tolist()[:20]}; "
                + (self.kernels.reads("legal", masked, masked) or "legal reads what mask hides"),
            )

    def _choose(
        self, truth: States, legal: NDArray[np.int32], rng: np.random.Generator, where: str
    ) -> int:
        self.made.add("policy")
        called = self.kernels.call(
            "policy",
            truth,
            where=where,
            seed=int(rng.integers(2**31)),
            actions=np.append(legal, np.zeros(self.game.max_actions - len(legal), np.int32)),
            count=len(legal),
        )
        index: Any = called.result
        if index not in range(len(legal)):
            raise ConformanceError(
                "policy",
                "the policy must say the place of a legal action",
                where=where,
                value=index,
                hint=f"a whole number from 0 to {len(legal) - 1}",
            )
        return int(legal[index if rng.random() < 0.5 else rng.integers(len(legal))])

    def _apply(self, truth: States, action: int, seed: int, move: int, where: str) -> None:
        self.made.add("apply")
        mover = int(truth[0].player)
        called = self.kernels.call("apply", truth, where=where, seed=(seed, move), action=action)
        player = int(called.states[0].player)
        if not (player == OVER or 0 <= player < self.game.players):
            raise ConformanceError(
                "apply",
                "after a move it must be a player's turn",
                where=where,
                value=player,
                hint="0 or more, or OVER (-1) when the game is over",
                fields=("player",),
            )
        if np.any(called.states.view(np.int32) == HIDDEN):
            raise ConformanceError(
                "apply", "a true state has something HIDDEN in it", where=where, value=action
            )
        if not self.game.has_dice:
            self.made.add("dice")
            other = self.kernels.call(
                "apply", truth, where=where, seed=(seed, move, 1), action=action
            )
            if other.states.tobytes() != called.states.tobytes():
                raise ConformanceError(
                    "dice",
                    "apply draws from the generator itself, so nobody can know that it has dice",
                    where=where,
                    value=action,
                    hint="draw with below or uniform",
                )
        for viewer in viewers(self.game.players):
            self.kernels.call(
                "observe", called.states, where=where, action=action, mover=mover, viewer=viewer
            )

    def _fields(self, truth: States, where: str) -> None:
        for name, known in self.game.fields.items():
            self.made.add("fields")
            wrong = [
                n for n in truth[name].ravel().tolist() if not known.lowest <= n <= known.highest
            ]
            if wrong:
                raise ConformanceError(
                    "fields",
                    f"a number of field {name!r} is out of the bounds that the game declares",
                    where=where,
                    value=wrong[0],
                    hint=f"it says {known.lowest} to {known.highest}; widen that or mend the rules",
                )

    def _masks(self, truth: States, where: str) -> None:
        self.made |= {"mask", "spectator"}
        game = self.game
        cells = numbers_of(truth)
        masked: dict[int, States] = {}
        for viewer in viewers(game.players):
            name = viewer_name(game.roles, viewer)
            once = self.kernels.call("mask", truth, where=where, viewer=viewer).states
            twice = self.kernels.call("mask", once, where=where, viewer=viewer, sees=name).states
            masked[viewer] = once
            written = (numbers_of(once) != cells) & (numbers_of(once) != HIDDEN)
            if np.any(written):
                raise ConformanceError(
                    "mask",
                    f"the mask for {name} writes something else than HIDDEN",
                    where=where,
                    fields=fields_of(truth, written[0]),
                )
            if twice.tobytes() != once.tobytes():
                raise ConformanceError(
                    "mask",
                    f"masking a second time for {name} changes their view",
                    where=where,
                    hint="what mask leaves must not depend on what it hides",
                    fields=different_fields(once, twice),
                )
            if int(once[0].player) != int(truth[0].player):
                raise ConformanceError(
                    "mask",
                    f"the mask for {name} hides whose move it is",
                    where=where,
                    fields=("player",),
                )
        looks = numbers_of(masked[SPECTATOR]) != HIDDEN
        for player in range(game.players):
            shown = looks & (numbers_of(masked[player]) == HIDDEN)
            if np.any(shown):
                raise ConformanceError(
                    "spectator",
                    f"a spectator sees what {game.roles[player]} does not see",
                    where=where,
                    hint="the viewer -1 is no player: hide what any player cannot see",
                    fields=fields_of(truth, shown[0]),
                )

    def _returns(self, truth: States, where: str) -> None:
        self.made |= {"returns", "own outcome"}
        game = self.game
        values = self.kernels.call("returns", truth, where=where).written
        if not np.all((values >= game.lowest) & (values <= game.highest)):
            raise ConformanceError(
                "returns",
                "a return is missing, or not between lowest and highest",
                where=where,
                value=values.tolist(),
                hint=f"write one for every player, from {game.lowest} to {game.highest}",
            )
        if game.sum_of_returns is not None:
            self.made.add("sum of returns")
            if abs(float(values.sum()) - game.sum_of_returns) > _ROUNDING:
                raise ConformanceError(
                    "sum of returns",
                    "the returns do not add up to what the game says",
                    where=where,
                    value=values.tolist(),
                    hint=f"sum_of_returns is {game.sum_of_returns}; None where sums differ",
                )
        for player in range(game.players):
            masked = self.kernels.call("mask", truth, where=where, viewer=player).states
            sees = game.roles[player]
            own = self.kernels.call("returns", masked, where=where, sees=sees).written
            if own[player] != values[player]:
                reads = self.kernels.reads("returns", masked, masked)
                raise ConformanceError(
                    "own outcome",
                    f"{sees} cannot tell their return from their view",
                    where=where,
                    value=float(own[player]),
                    hint=f"it is {values[player]}; show at the end what decides, such as the cards"
                    + (f"; {reads}" if reads else ""),
                )

    def _record(self, play: Play, where: str) -> None:
        self.made |= {"record", "seeds"}
        record = play.record()
        hint = "settings and fields of the state must be plain JSON values: no tuples, no arrays"
        again = Play.new(self.game, seed=play.seed)
        for action in play.actions:
            again.apply(action)
        if again.truth().tobytes() != play.truth().tobytes():
            raise ConformanceError(
                "seeds", "the same seed and actions give another game", where=where
            )
        try:
            loaded = PlayRecord.from_json(parse_json(json.dumps(record.to_json())))
            replayed = loaded.replay(self.game)
        except (SleuthError, TypeError, ValueError) as error:
            raise ConformanceError("record", str(error), where=where, hint=hint) from error
        if loaded != record or replayed.truth().tobytes() != play.truth().tobytes():
            raise ConformanceError(
                "record", "from its file the record is another game", where=where, hint=hint
            )


def everything_of(play: Play) -> bytes:
    """The public side of the same game, played once more, and its pay, as bytes."""
    game, again = play.game, Play.new(play.game, seed=play.seed)
    seen: list[bytes] = []
    for action in play.actions:
        try:
            again.apply(action)
        except SettingsError as error:  # only where something disturbs it
            return str(error).encode()
        seen += [again.view(viewer).data for viewer in range(game.players)]
        seen.append(again.truth().tobytes())
    values = again.returns() if again.over else np.zeros(0)
    return b"".join(seen) + values.tobytes()
