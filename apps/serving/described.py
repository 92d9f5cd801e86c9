"""Games as assistants are told of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...models.games import GameEntry
from ...planners.agents import agents_of
from ..kit.advising.known import adviser_of
from ..kit.answers.values import Facts, Statement
from ..kit.display import display
from .forms import AdviceGuide, GameForm, GuideForm, SettingForm


def game_form(found: GameEntry) -> GameForm:
    """A game in short."""
    settings = tuple(
        SettingForm(
            name, plain(parameter.default), found.setting_meanings.get(name, "").replace("``", "")
        )
        for name, parameter in found.settings.items()
    )
    advice = found.part("adviser") is not None
    return GameForm(found.name, found.called, found.game().hides, advice, settings)


def guide(found: GameEntry) -> GuideForm:
    """A game in detail."""
    made = found.game()
    shown = display(made)
    sides = {
        word: tuple(made.roles[role] for role in roles)
        for word, roles in shown.teams.items()
        if len(roles) > 1
    }
    beside = None
    if found.part("adviser") is not None:
        adviser = adviser_of(found.source or found.name)
        beside = AdviceGuide(tuple(adviser.keys), adviser.writing, dict(adviser.commands))
    return GuideForm(
        game=game_form(found),
        roles=made.roles,
        sides=sides,
        rules=shown.rules,
        agents={name: kind.says for name, kind in agents_of(made).items() if not kind.runs},
        beside=beside,
    )


def listing(games: Sequence[GameForm]) -> Statement:
    """Games, a line each."""
    return Facts(tuple((each.name, _in_short(each)) for each in games), column=24, wide=24)


def plain(value: Any) -> Any:
    """A value as JSON can have it; in words where it cannot."""
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in cast("Sequence[Any]", value)]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)


def _in_short(game: GameForm) -> str:
    parts = [game.title, "with advice beside a real game" if game.advice else ""]
    if game.settings:
        parts.append(f"settings {', '.join(each.name for each in game.settings)}")
    return "; ".join(filter(None, parts))
