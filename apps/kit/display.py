"""Showing a game to a person, and how moves are written: the same for any game.

A game that is worth more has a `Display` of its own, which overrides parts of this one. Displays
are handed a `Sight` and nothing else, so they cannot show what the person may not see.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from ...beliefs.games.contract import Focused, GameBelief
from ...beliefs.games.registry import belief_or_none
from ...beliefs.language.features import Feature
from ...data.errors import SettingsError, nearest, plain_name
from ...models.game import HIDDEN, SPECTATOR, Game
from ...models.games import entry_of
from ...models.play import Play, SeenPlay, View, viewer_name
from .answers.values import Bars, Paragraph, Statement, Statements
from .understanding import Meant, understand

if TYPE_CHECKING:
    from ...planners.matches.winning import WinningChances

#: Most values of one hidden thing that are listed.
MOST_VALUES: Final = 8
#: Most hidden things that are listed.
MOST_HIDDEN: Final = 24
#: Moves at random that show whether players see the codes of actions.
TRIED: Final = 200


@dataclass(frozen=True)
class Sight:
    """All that a person may see at one moment.

    Attributes:
        view: The state as the role that they play now knows it.
        seen: All that this role has seen.
        public_view, public_seen: The same for somebody who only looks on: what all know.
        person: The roles that the person plays.

    >>> import sleuth
    >>> from sleuth.kit import Sight
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> known = play.view(0), play.seen_by(0)
    >>> sight = Sight(*known, play.view(sleuth.SPECTATOR), play.seen_by(sleuth.SPECTATOR), (0,))
    >>> sight.state.cards.tolist()
    [0, -1000003]
    """

    view: View
    seen: SeenPlay
    public_view: View
    public_seen: SeenPlay
    person: tuple[int, ...]

    @staticmethod
    def of(play: Play, role: int, person: tuple[int, ...]) -> Sight:
        """All that a person may see now who plays some roles, with the eyes of one of these.

        >>> import sleuth
        >>> play = sleuth.Play.new("kuhn_poker", seed=1)
        >>> sleuth.kit.Sight.of(play, 0, (0,)).state.cards.tolist()  # the other's is hidden
        [0, -1000003]
        """
        return Sight(
            play.view(role),
            play.seen_by(role),
            play.view(SPECTATOR),
            play.seen_by(SPECTATOR),
            person,
        )

    @property
    def state(self) -> Any:
        """The state that the role knows, ``HIDDEN`` wherever it does not."""
        return self.view.states[0]


Extra = tuple[str, Callable[[Sight, str], Statements]]
"""A command of one game's own: what it shows, in words, and what makes that of what follows it."""


class Display:
    """Shows a game; this one knows nothing but the names of its actions.

    What players see of a move is a number of the game's own. Where it is the action's code, the
    move is called by its name; where it is not, only a display of the game's own can say more.

    Attributes:
        game: The game.
        title: What it is called.
        rules: What a player has to know, in a few sentences.
        writing: How a move is written.
        said: Words of moves that must not be left out.
        unit: What returns are counted in, such as "chip"; empty where they only say who has won.
        teams: Roles that one person plays together, by the word for them.
        extras: Commands that this game alone has.

    >>> import sleuth
    >>> from sleuth.answers import Paragraph, as_text
    >>> from sleuth.kit import Display, Sight
    >>> class Words(Display):
    ...     unit = "chip"
    ...     def situation(self, sight):
    ...         return [Paragraph(f"There are {2 + sight.state.moves} chips in the middle.")]
    ...     def value_name(self, feature, value):
    ...         return f"the {value}"
    ...     def ending(self, sight):
    ...         return "The cards are shown."
    ...     @property
    ...     def extras(self):
    ...         return {"odds": ("how often one wins", lambda sight, rest: [Paragraph("Half.")])}
    >>> words = Words(sleuth.game("kuhn_poker"))
    >>> play = sleuth.Play.new("kuhn_poker", seed=1)
    >>> play.apply(1)
    >>> view, seen = play.view(1), play.seen_by(1)
    >>> sight = Sight(view, seen, play.view(sleuth.SPECTATOR), play.seen_by(sleuth.SPECTATOR), (1,))
    >>> said = (*words.situation(sight), *words.belief(sight), *words.moves(sight))
    >>> print(as_text(*said, *words.at_a_move(sight), *words.last_moment([view])))
    There are 3 chips in the middle.
    card of first: 1.00 bits open
      the jack  50 % ████████
      the queen 50 % ████████
    pass  bet
    >>> words.happened(sight, 0) == [words.sentence(sight, 0)], words.name_of(1, sight)
    (True, 'you')
    >>> words.prompt(sight), words.names((0, 1)), words.teams, list(words.extras)
    ('second', 'first, second', {'first': (0,), 'second': (1,)}, ['odds'])
    >>> words.move_names(view) == words.said_names(view), words.spelt_out("bet")
    (True, 'bet')
    >>> words.understood("be", view)
    Meant(action=1, problem='')
    >>> words.returned(-2.0), words.expected(0.5), words.ending(sight)
    (' 2 chips', '+0.50 chips on average', 'The cards are shown.')
    >>> type(words.game_belief()).__name__
    'KuhnPokerBelief'
    >>> words.standing(sight) == words.situation(sight) == words.laid_open(sight)
    True
    >>> words.drawn_belief(sight) == words.belief(sight), words.winning_chances(sight).sides
    (True, ('first', 'second'))
    """

    title: str = ""
    rules: str = ""
    writing: str = ""
    said: frozenset[str] = frozenset()
    unit: str = ""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.title = self.title or game.name.replace("_", " ").capitalize()
        self._belief: GameBelief | None = None

    @property
    def teams(self) -> Mapping[str, tuple[int, ...]]:
        """The roles that one person can play, by the word for them: each side of the game."""
        places = self.game.side_of
        return {
            side: tuple(number for number, of in enumerate(places) if of == place)
            for place, side in enumerate(self.game.sides)
        }

    @property
    def extras(self) -> Mapping[str, Extra]:
        return {}

    def names(self, roles: tuple[int, ...]) -> str:
        """The name of several roles together: their team's word, or one by one."""
        for word, team in self.teams.items():
            if team == roles and len(team) > 1:
                return f"the {word}"
        return ", ".join(viewer_name(self.game.roles, role) for role in roles)

    # -- moves

    def move_names(self, view: View) -> dict[int, str]:
        """The names of the legal actions: code -> words."""
        return {action: self.game.action_name(action) for action in view.legal().tolist()}

    def said_names(self, view: View) -> dict[int, str]:
        """The names of the legal actions in a sentence: code -> words."""
        return self.move_names(view)

    def spelt_out(self, line: str) -> str:
        """A line in the words of `move_names`, where a person may write it in others too."""
        return line

    def understood(self, line: str, view: View) -> Meant:
        """The action that a line names, which may say how a legal action is carried out."""
        return understand(self.spelt_out(line), self.move_names(view), self.said)

    def moves(self, sight: Sight) -> Statements:
        """The legal moves, as a person reads them."""
        return [listing(list(self.said_names(sight.view).values()))]

    def move_steps(self, view: View) -> dict[int, tuple[str, ...]]:
        """The names of the legal actions in the words that are touched one after the other.

        On a page a person who has many moves chooses the first word, then the next, and so on; a
        cell of a board or a place on a map that is called by one of the words can be touched, too.

        >>> import sleuth
        >>> play = sleuth.Play.new("clue_table", seed=1)
        >>> sleuth.kit.display(play.game).move_steps(play.view(0))[0]
        ('suggest', 'scarlet', 'candlestick', 'kitchen')
        """
        return {action: _steps(name) for action, name in self.said_names(view).items()}

    def prompt(self, sight: Sight) -> str:
        """The words before the cursor."""
        return viewer_name(self.game.roles, sight.view.viewer)

    # -- what there is to see

    def situation(self, sight: Sight) -> Statements:
        """The game as it stands; empty where what has happened says all."""
        return [Paragraph("\n".join(self._fields(sight.state)))]

    def on_page(self, sight: Sight) -> Statements:
        """The game as it stands, as a page shows it all the time.

        >>> import sleuth
        >>> play = sleuth.Play.new("kuhn_poker", seed=1)
        >>> shown = sleuth.kit.display(play.game)
        >>> print(shown.on_page(sleuth.kit.Sight.of(play, 0, (0,)))[0].text)
        you: jack, 1 in the pot
        second: a hidden card, 1 in the pot
        """
        moves = sight.view.player == sight.view.viewer and not sight.view.over
        return [*self.situation(sight), *(self.at_a_move(sight) if moves else ())]

    def at_a_move(self, sight: Sight) -> Statements:
        """More that is shown before each move of the person, besides the situation."""
        return []

    def happened(self, sight: Sight, first: int) -> list[str]:
        """The events seen from this place on, in sentences."""
        return [
            self.sentence(sight, place)
            for place in range(first, len(sight.seen.events))
            if sight.seen.events[place].event.observation != HIDDEN
        ]

    def sentence(self, sight: Sight, place: int) -> str:
        """One event that was seen, in a sentence without a full stop."""
        event = sight.seen.events[place].event
        who = self.name_of(event.mover, sight)
        if event.action is not None:
            return f"{who}: {self.game.action_name(event.action)}"
        if 0 <= event.observation < self.game.action_space and self._sees_codes:
            return f"{who}: {self.game.action_name(event.observation)}"
        return f"{who} makes a move ({event.observation})"

    @cached_property
    def _sees_codes(self) -> bool:
        """True where what others see of a move is its code, wherever it can be one."""
        game, random = self.game, np.random.default_rng(0)
        tried = seed = 0
        while tried < TRIED:
            play = Play.new(game, seed=seed)
            while not play.over and tried < TRIED:
                mover, action = play.player, int(random.choice(play.legal()))
                play.apply(action)
                state = play.truth()[0]
                for viewer in {*range(game.players), SPECTATOR} - {mover}:
                    seen = int(game.observe(state, action, mover, viewer, game.tables))
                    if 0 <= seen < game.action_space and seen != action:
                        return False
                tried += 1
            seed += 1
        return True

    def ending(self, sight: Sight) -> str:
        """More that is to be said when the game is over."""
        return ""

    def returned(self, value: float) -> str:
        """A player's return in the end, after "You have won" or "lost"; empty if that says all."""
        if self.unit:
            return f" {abs(value):g} {self.unit}{'' if abs(value) == 1 else 's'}" if value else ""
        return "" if self._says_who_won else f" ({value:+g})" if value else " (0)"

    def expected(self, value: float) -> str:
        """The average of the simulations of an action, in words; empty where it only ranks.

        What a search wins promises nothing, so it is said only where returns are counted in
        something that people count as well, such as chips.
        """
        return f"{value:+.2f} {self.unit}s on average" if self.unit else ""

    @property
    def _says_who_won(self) -> bool:
        """True where returns only say who has won; in a draw both have won by half."""
        return (self.game.lowest, self.game.highest) == (-1, 1)

    def belief(self, sight: Sight) -> Statements:
        """All that the role can know of what is hidden from it, as the engine says."""
        known = self.game_belief()
        if known is None:
            return [Paragraph("Nothing is hidden in this game.")]
        posterior = known.infer(sight.view, sight.seen)
        hidden = known.hidden(sight.view)
        if not hidden:
            return [Paragraph("Nothing is hidden from you.")]
        parts: list[Statement] = []
        for name, feature in list(hidden.items())[:MOST_HIDDEN]:
            shares = {
                self.value_name(feature, value): probability
                for value, probability in posterior.marginal(feature).items()
            }
            parts.append(probabilities(name, shares, posterior.entropy(feature)))
        if len(hidden) > MOST_HIDDEN:
            parts.append(Paragraph(f"and {len(hidden) - MOST_HIDDEN} more"))
        return parts

    def standing(self, sight: Sight) -> Statements:
        """The game as it stands, as a replay shows it after every move, beside `drawn_belief`."""
        return self.situation(sight)

    def drawn_belief(self, sight: Sight) -> Statements:
        """The belief as a replay shows it after every move: drawn where there is a board.

        It is asked with the eyes of any viewer, whoever is to move; `belief` where a game draws
        none.
        """
        return self.belief(sight)

    def laid_open(self, sight: Sight) -> Statements:
        """The game as it stands for somebody from whom nothing is hidden, such as in a replay.

        Args:
            sight: With the whole state in place of what one player knows.
        """
        return self.standing(sight)

    def winning_chances(self, sight: Sight) -> WinningChances | None:
        """The chance of each side to win, as far as the viewer can know; None for nobody knows.

        It takes a worker of its own. Games are played on from what the viewer can know, unless a
        display knows better, such as by what was counted in matches.

        Raises:
            ContradictionError: By the belief, what was seen cannot have happened.
            CostError, UnsupportedError: The belief cannot say it.
        """
        from ...planners.matches.winning import winning_chances

        return winning_chances(sight.view, sight.seen, self.game_belief())

    def guesses(self, view: View) -> Mapping[str, Feature]:
        """Features to ask a person about before they are shown what can be known, by name.

        The main things come first. It is made from their view alone.

        >>> import sleuth
        >>> shown = sleuth.kit.display(sleuth.game("kuhn_poker"))
        >>> list(shown.guesses(sleuth.Play.new("kuhn_poker", seed=1).view(0)))
        ['card of second']
        """
        known = self.game_belief()
        if known is None:
            return {}
        hidden = known.hidden(view)
        main = [*known.main(view)] if isinstance(known, Focused) else []
        ordered = dict.fromkeys([*(name for name in main if name in hidden), *hidden])
        return {name: hidden[name] for name in ordered}

    def value_name(self, feature: Feature, value: Any) -> str:
        """The name of a value of something hidden."""
        if not isinstance(value, tuple):
            return str(value)
        return ", ".join(str(part) for part in cast("tuple[object, ...]", value))

    def last_moment(self, views: Sequence[View]) -> Statements:
        """A report's section about the last moment, as its viewers know it; empty for none."""
        return []

    # -- for those who override

    def game_belief(self) -> GameBelief | None:
        """The game's belief; None if nothing is hidden.

        Raises:
            SettingsError: Something is hidden, and no belief is known.
        """
        if self._belief is None:
            self._belief = belief_or_none(self.game)
        return self._belief

    def name_of(self, role: int, sight: Sight) -> str:
        """A player's role; "you" where the person plays but that one."""
        if sight.person == (role,):
            return "you"
        return viewer_name(self.game.roles, role)

    def _fields(self, state: Any) -> list[str]:
        lines: list[str] = []
        for name in self.game.state.names or ():
            numbers = np.asarray(state[name]).reshape(-1).tolist()
            shown = ["?" if number == HIDDEN else str(number) for number in numbers]
            lines.append(f"{name}: {' '.join(shown)}")
        return lines


def _steps(name: str) -> tuple[str, ...]:
    """The words of a name; what stands between commas stays together."""
    first, *others = name.split(", ")
    if not others:
        return tuple(name.split())
    verb, _, rest = first.partition(" ")
    return (verb, *([rest] if rest else []), *others)


def situation_of(view: View, seen: SeenPlay) -> Statements:
    """A game as it stands to one viewer, with all players named by their roles."""
    return display(view.game).situation(Sight(view, seen, view, seen, ()))


def display(game: Game) -> Display:
    """The display of a game; other games than those that have one are shown by action names.

    >>> import sleuth
    >>> from sleuth.kit import display
    >>> display(sleuth.game("kuhn_poker")).title
    'Kuhn poker'
    """
    entry = entry_of(game)
    make = None if entry is None else entry.part("display")
    return (make or Display)(game)


def listing(names: list[str]) -> Paragraph:
    """Names one after the other; those of many words set apart by bars."""
    return Paragraph((" | " if any(" " in name for name in names) else "  ").join(names))


def probabilities(
    name: str, shares: Mapping[str, float], entropy: float, *, most: int = MOST_VALUES
) -> Bars:
    """Something hidden: its likeliest values as bars, and its entropy."""
    ranked = sorted(shares.items(), key=lambda pair: -pair[1])
    left = ranked[most:]
    rest = sum(probability for _, probability in left) if left else None
    return Bars(name, tuple(ranked[:most]), entropy, len(left), rest)


def roles_named(display: Display, word: str, *, where: str) -> tuple[int, ...]:
    """The roles that a role's or team's name stands for.

    Raises:
        SettingsError: There is no such role or team.
    """
    plain = plain_name(word)
    known = {**display.teams}
    for number, role in enumerate(display.game.roles):
        known.setdefault(role, (number,))
    for name, roles in known.items():
        if plain_name(name) == plain:
            return roles
    raise SettingsError(
        f"{display.game.name} has no such role",
        where=where,
        value=word,
        hint=nearest(word, display.teams),
    )
