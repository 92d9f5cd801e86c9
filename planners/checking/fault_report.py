"""`find_faults`: all that `check_game` and `check_belief` find, of a game or of its file."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...beliefs.games.contract import GameBelief
from ...beliefs.games.registry import belief_or_none as known_belief
from ...data.checks import whole_number
from ...data.errors import SettingsError
from ...data.progress import Tell, silent
from ...models.game import Game
from ...models.games import GameEntry, game_from
from .belief_checks import BeliefConformance, belief_faults
from .conformance import Conformance, game_faults
from .faults import Faults
from .findings import Finding, findings_of, out_of_time
from .time_limit import OutOfTime, time_limit


@dataclass(frozen=True)
class FaultReport:
    """All that was found of a game.

    Attributes:
        game: The game's name; what it was asked for by, where it cannot be opened.
        findings: Each fault once, in the order in which they were found; empty for a game in order.
        rules: The checks of the rules and views; None where no game can be played.
        belief: The comparisons of the belief; None where nothing is hidden, or none was made.

    >>> import sleuth
    >>> report = sleuth.kit.find_faults("kuhn_poker", plays=2, belief_plays=5)
    >>> report.findings, report.rules.plays, report.belief.plays
    ((), 2, 5)
    """

    game: str
    findings: tuple[Finding, ...]
    rules: Conformance | None
    belief: BeliefConformance | None


def find_faults(
    game: Game | GameEntry | str,
    belief: GameBelief | None = None,
    *,
    plays: int = 20,
    belief_plays: int = 60,
    seed: int = 0,
    agent: Any = None,
    seconds: float | None = None,
    progress: Tell = silent,
) -> FaultReport:
    """Find all faults of a game and of its belief, where `check_game` raises the first one.

    It runs the game's code, which may do whatever Python can do.

    Args:
        game: The game, its entry or name, or its file, as ``"FILE.py:NAME"``: then what is wrong
            with the file itself is a finding, too.
        belief: Its belief; not needed if the game is known by an entry.
        plays: Random games to check the rules by.
        belief_plays: Random games to compare the belief with; 0 to leave that out.
        seed: Another seed, other games.
        agent: As for `check_game`.
        seconds: The time for all of it: what is still running then is the last finding. None for no
            limit.
        progress: Told after every play.

    >>> import sleuth
    >>> report = sleuth.kit.find_faults("no_such_file.py:GAME")
    >>> [(each.check, each.message) for each in report.findings]
    [('file', 'there is no such file')]
    """
    named = game if isinstance(game, str) else game.name
    return report_of(
        lambda: game_from(game),
        named,
        belief,
        plays=plays,
        belief_plays=belief_plays,
        seed=seed,
        agent=agent,
        seconds=seconds,
        progress=progress,
    )


def report_of(
    opened: Callable[[], Game],
    named: str,
    belief: GameBelief | None = None,
    *,
    plays: int = 20,
    belief_plays: int = 60,
    seed: int = 0,
    agent: Any = None,
    seconds: float | None = None,
    progress: Tell = silent,
) -> FaultReport:
    """The same of a game that is to be opened; what it was asked for by says where its file is."""
    whole_number(plays, "plays", least=1)
    whole_number(belief_plays, "belief_plays", least=0)
    if seconds is not None and not seconds > 0.0:
        raise SettingsError("a time must be positive", where="seconds", value=seconds)
    path, ending, _ = named.partition(".py:")
    file = str(Path(f"{path}.py").expanduser().resolve()) if ending else ""
    faults, made, rules, compared = Faults(keep=True), None, None, None
    late: Finding | None = None
    try:
        with time_limit(seconds):
            made = _opened(opened, faults)
            if made is not None:
                belief = _belief(made) if belief is None else belief
                rules = game_faults(
                    made, belief, faults, plays=plays, seed=seed, agent=agent, progress=progress
                )
                if made.hides and belief is not None and belief_plays:
                    compared = belief_faults(
                        made, belief, faults, plays=belief_plays, seed=seed, progress=progress
                    )
    except OutOfTime as error:
        late = out_of_time(error, seconds or 0.0, made, belief, file)
    found = findings_of(faults.kept, made, belief, file)
    return FaultReport(
        made.name if made is not None else named,
        found if late is None else (*found, late),
        rules,
        compared,
    )


def _opened(opened: Callable[[], Game], faults: Faults) -> Game | None:
    try:
        return faults.attempt(opened)
    except SystemExit as error:
        ended = SettingsError("the file ends the process", value=error.code)
        ended.__cause__ = error
        faults.kept.append(ended)
        return None


def _belief(game: Game) -> GameBelief | None:
    """The belief of a game's entry; without one that can be made, the checks of the game say so."""
    try:
        return known_belief(game) if game.hides else None
    except Exception:
        return None
