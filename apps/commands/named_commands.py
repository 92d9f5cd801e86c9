"""A group of commands that says which one may have been meant, as all other names do."""

from __future__ import annotations

from typing import Any

from typer.core import TyperGroup

from ...data.errors import SettingsError, nearest


class NamedCommands(TyperGroup):
    """Commands called by their names, in which ``-`` and ``_`` are the same."""

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name.

        Raises:
            SettingsError: No command has this name.
        """
        found = super().get_command(ctx, cmd_name.replace("_", "-"))
        if found is None and not ctx.resilient_parsing:
            raise SettingsError(
                "no such command",
                where=ctx.command_path if ctx.parent else None,
                value=cmd_name,
                hint=nearest(cmd_name, self.commands),
            )
        return found
