"""Every text of the page on what people played, in one place."""

from __future__ import annotations

from typing import Final

PLAYED: Final = "What people played"
LEAD: Final = (
    "Games that people finished at these tables, if all who played them have agreed. They are in "
    "the folder of the tables and nowhere else; predictors of how people play are trained on them "
    "as they are."
)
NOTHING: Final = "No game is kept yet."
TRAIN: Final = "sleuth train {game} {folder}"
GAME: Final = "game"
GAMES: Final = "games"
PEOPLE: Final = "people"
BY_PERSON: Final = "By person"
PERSON: Final = "person"
AGREED: Final = "may be kept"
YES: Final = "yes"
NO: Final = "no"
SAVE_ALL: Final = "Save everything"
SAVE: Final = "Save"
SAVE_OF: Final = "Save: {}"
DELETE_ALL: Final = "Delete everything"
DELETE: Final = "Delete"
DELETE_OF: Final = "Delete: {}"
FORGET: Final = "Forget"
FORGET_OF: Final = "Forget {}"
SURE: Final = "Delete {games} for good: {what}"
SURE_OF_PERSON: Final = (
    "All games that {what} played are deleted for good, also those with others, and {what} is "
    "asked anew: {games}"
)
LEAVE: Final = "Leave it"
EVERYTHING: Final = "everything"
GAIN: Final = "What more games would bring: {}"
NO_ROWS: Final = "Nothing says what can be learned from records of this game."
TOO_FEW: Final = "There are too few: {games}. From {least} on it can be said what more would bring."
ASK_GAIN: Final = "Work it out, beside what people play"
WORKED_OUT: Final = "working it out: {} of {} parts"
LEARNED_FROM: Final = "games learned from"
LOSS: Final = "loss in nats"
AGAINST: Final = "against {baseline}"
ALIKE: Final = "all alike"
BASE_RATE: Final = "the base rate"
FOUND: Final = (
    "Of {things} {what} in {games} games, each predicted by what other games teach. All of them "
    "together lose {gain:.3f} nats less than {baseline} (95 % interval {low:.3f} to {high:.3f})."
)
MORE_HELPS: Final = (
    "From half of the games to all of them the loss fell by {fell:.3f}: more games help."
)
MORE_DOES_NOT: Final = (
    "From half of the games to all of them the loss did not fall: more of them are not known to "
    "help."
)
STILL_NOTHING: Final = "So far a predictor knows no more than {baseline}."
