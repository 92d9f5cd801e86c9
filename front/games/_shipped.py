"""The games that come with sleuth, with where their parts are.

One line makes a game known everywhere: for play, matches, searches, records and their analysis. A
part is imported when it is first asked for.
"""

from __future__ import annotations

from typing import Final

from sleuth.models.games import GameEntry

_BELIEFS: Final = "beliefs.games"


def _on_the_shelf(name: str, title: str = "") -> GameEntry:
    """A game of one file, in which its own entry says the rest."""
    return GameEntry(name, f"shelf.{name}:GAME", title=title)


GAMES: Final = (
    GameEntry(
        "cheat",
        "models.cheat:cheat",
        belief=f"{_BELIEFS}.cheat.play:CheatBelief",
        display="apps.cheat.display:Cheat",
        records="apps.cheat.game:CheatGame",
        files="apps.cheat.files:CheatFiles",
        summary="how likely every claim was, what a search would have done, and which cards the "
        "other player held",
        options="apps.cheat.options:OPTIONS",
        rows="training.cheat.claims:ClaimSubject",
        agents="planners.cheat.agents:AGENTS",
    ),
    GameEntry(
        "cheat_for_many",
        "models.cheat.for_many:cheat_for_many",
        title="Cheat for many",
        belief=f"{_BELIEFS}.cheat.for_many.play:ManyCheatBelief",
        display="apps.cheat.for_many.display:CheatForMany",
        records="apps.cheat.for_many.game:ManyCheatGame",
        files="apps.cheat.for_many.files:ManyCheatFiles",
        summary="how likely every claim was, which calls were worth making, and who may hold what",
        options="apps.cheat.for_many.options:OPTIONS",
        rows="training.cheat.for_many:ManyClaimSubject",
        agents="planners.cheat.for_many:AGENTS",
        adviser="apps.cheat.for_many.advising.adviser:ManyCheatAdviser",
    ),
    GameEntry(
        "clue",
        "models.clue.board.whole:clue",
        belief=f"{_BELIEFS}.clue.named:WalkingBelief",
        display="apps.clue.board_display:Clue",
        records="apps.clue.game:ClueGame",
        unnamed=True,
        summary="how much every event told about the case file, the holders of the cards, what is "
        "certain and which events prove it, and the best suggestions",
        options="apps.clue.options:OPTIONS",
        rows="training.clue.rows:ChoiceSubject",
        adviser="apps.clue.advising.adviser:ClueAdviser",
        agents="planners.clue.agents:AGENTS",
        written="models.clue.record.record:ClueRecord",
    ),
    GameEntry(
        "clue_table",
        "models.clue.game:clue_table",
        title="Clue without a board",
        belief=f"{_BELIEFS}.clue.named:NamedBelief",
        display="apps.clue.display:ClueTable",
        records="apps.clue.game:ClueGame",
        options="apps.clue.options:OPTIONS",
        rows="training.clue.rows:ChoiceSubject",
        agents="planners.clue.agents:AGENTS",
        written="models.clue.record.record:ClueRecord",
    ),
    GameEntry(
        "kuhn_poker",
        "models.small.kuhn_poker:kuhn_poker",
        title="Kuhn poker",
        belief=f"{_BELIEFS}.kuhn_poker:KuhnPokerBelief",
        display="apps.small.cards:KuhnPoker",
    ),
    GameEntry(
        "leduc_poker",
        "models.small.leduc_poker:leduc_poker",
        title="Leduc poker",
        belief=f"{_BELIEFS}.leduc_poker:LeducPokerBelief",
        display="apps.small.cards:LeducPoker",
    ),
    GameEntry(
        "phantom_tic_tac_toe",
        "models.small.phantom_tic_tac_toe:phantom_tic_tac_toe",
        title="Phantom tic-tac-toe",
        belief=f"{_BELIEFS}.phantom_tic_tac_toe:PhantomTicTacToeBelief",
        display="apps.small.boards:PhantomTicTacToe",
    ),
    GameEntry(
        "saboteur",
        "models.saboteur:saboteur",
        belief=f"{_BELIEFS}.saboteur.play:SaboteurBelief",
        display="apps.saboteur.display:Saboteur",
        records="apps.saboteur.game:SaboteurGame",
        options="apps.saboteur.options:OPTIONS",
        rows="training.saboteur.rows:DealSubject",
        adviser="apps.saboteur.advising.adviser:SaboteurAdviser",
        agents="planners.saboteur.agents:AGENTS",
        written="models.saboteur.record.record:SaboteurRecord",
    ),
    GameEntry(
        "scotland_yard",
        "models.scotland_yard:scotland_yard",
        belief=f"{_BELIEFS}.scotland_yard.play:ScotlandYardBelief",
        display="apps.scotland_yard.display:ScotlandYard",
        records="apps.scotland_yard.game:ScotlandYardGame",
        summary="where Mr. X could be after every move, and what the detectives missed",
        options="apps.scotland_yard.options:OPTIONS",
        rows="training.scotland_yard.rows:HiderMoves",
        adviser="apps.scotland_yard.advising.adviser:HuntAdviser",
        earlier="models.scotland_yard.game:earlier",
        written="models.scotland_yard.record.record:ScotlandYardRecord",
    ),
    GameEntry(
        "tic_tac_toe",
        "models.small.tic_tac_toe:tic_tac_toe",
        title="Tic-tac-toe",
        display="apps.small.boards:TicTacToe",
    ),
    _on_the_shelf("goofspiel"),
    _on_the_shelf("hanabi"),
    _on_the_shelf("battleship"),
    _on_the_shelf("the_resistance"),
    _on_the_shelf("love_letter"),
    _on_the_shelf("liars_dice_for_many", "Liar's dice for many"),
    _on_the_shelf("mini_stratego", "Mini Stratego"),
    _on_the_shelf("cockroach_poker"),
)
