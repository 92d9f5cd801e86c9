"""The games that come with sleuth, with where their parts are.

One line makes a game known everywhere: for play, matches, searches, records and their analysis. A
part is imported when it is first asked for.
"""

from __future__ import annotations

from typing import Final

from sleuth.models.games import GameEntry

_BELIEFS: Final = "beliefs.games"
_PLAY: Final = "apps.play.games"

GAMES: Final = (
    GameEntry(
        "cheat",
        "models.cheat:cheat",
        belief=f"{_BELIEFS}.cheat.play:CheatBelief",
        display=f"{_PLAY}.cheat:Cheat",
        records="apps.cheat.game:CheatGame",
        files="apps.cheat.files:CheatFiles",
        options="apps.cheat.options:OPTIONS",
        rows="training.cheat.claims:ClaimSubject",
        agents="planners.cheat.agents:AGENTS",
    ),
    GameEntry(
        "clue",
        "models.clue.whole:clue",
        belief=f"{_BELIEFS}.clue.named:WalkingBelief",
        display=f"{_PLAY}.clue_board:Clue",
        records="apps.clue.game:ClueGame",
        unnamed=True,
        options="apps.clue.options:OPTIONS",
        rows="training.clue.rows:ChoiceSubject",
        adviser="apps.clue.advising.adviser:ClueAdviser",
        agents="planners.clue.agents:AGENTS",
    ),
    GameEntry(
        "clue_table",
        "models.clue.game:clue_table",
        belief=f"{_BELIEFS}.clue.named:NamedBelief",
        display=f"{_PLAY}.clue:ClueTable",
        records="apps.clue.game:ClueGame",
        options="apps.clue.options:OPTIONS",
        rows="training.clue.rows:ChoiceSubject",
        agents="planners.clue.agents:AGENTS",
    ),
    GameEntry(
        "kuhn_poker",
        "models.small.kuhn_poker:kuhn_poker",
        belief=f"{_BELIEFS}.kuhn_poker:KuhnPokerBelief",
        display=f"{_PLAY}.cards:KuhnPoker",
    ),
    GameEntry(
        "leduc_poker",
        "models.small.leduc_poker:leduc_poker",
        belief=f"{_BELIEFS}.leduc_poker:LeducPokerBelief",
        display=f"{_PLAY}.cards:LeducPoker",
    ),
    GameEntry(
        "phantom_tic_tac_toe",
        "models.small.phantom_tic_tac_toe:phantom_tic_tac_toe",
        belief=f"{_BELIEFS}.phantom_tic_tac_toe:PhantomTicTacToeBelief",
        display=f"{_PLAY}.boards:PhantomTicTacToe",
    ),
    GameEntry(
        "saboteur",
        "models.saboteur:saboteur",
        belief=f"{_BELIEFS}.saboteur.play:SaboteurBelief",
        display=f"{_PLAY}.saboteur:Saboteur",
        options="apps.saboteur.options:OPTIONS",
        rows="training.saboteur.rows:DealSubject",
        agents="planners.saboteur.agents:AGENTS",
    ),
    GameEntry(
        "scotland_yard",
        "models.scotland_yard:scotland_yard",
        belief=f"{_BELIEFS}.scotland_yard.play:ScotlandYardBelief",
        display=f"{_PLAY}.scotland_yard:ScotlandYard",
        records="apps.scotland_yard.game:ScotlandYardGame",
        options="apps.scotland_yard.options:OPTIONS",
        rows="training.scotland_yard.rows:HiderMoves",
        adviser="apps.scotland_yard.advising.adviser:HuntAdviser",
    ),
    GameEntry(
        "tic_tac_toe",
        "models.small.tic_tac_toe:tic_tac_toe",
        display=f"{_PLAY}.boards:TicTacToe",
    ),
)
