"""Answers as values of plain data, and text, HTML and JSON made of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.apps.kit.answers.html import shown as shown
    from sleuth.apps.kit.answers.schema import reply as reply
    from sleuth.apps.kit.answers.schema import schema as schema
    from sleuth.apps.kit.answers.schema import statement as statement
    from sleuth.apps.kit.answers.schema import to_json as to_json
    from sleuth.apps.kit.answers.text import as_text as as_text
    from sleuth.apps.kit.answers.text import printed as printed
    from sleuth.apps.kit.answers.values import Area as Area
    from sleuth.apps.kit.answers.values import Bars as Bars
    from sleuth.apps.kit.answers.values import Column as Column
    from sleuth.apps.kit.answers.values import Command as Command
    from sleuth.apps.kit.answers.values import Facts as Facts
    from sleuth.apps.kit.answers.values import Grid as Grid
    from sleuth.apps.kit.answers.values import Map as Map
    from sleuth.apps.kit.answers.values import Option as Option
    from sleuth.apps.kit.answers.values import Paragraph as Paragraph
    from sleuth.apps.kit.answers.values import Prompt as Prompt
    from sleuth.apps.kit.answers.values import Refusal as Refusal
    from sleuth.apps.kit.answers.values import Reply as Reply
    from sleuth.apps.kit.answers.values import Section as Section
    from sleuth.apps.kit.answers.values import Sheet as Sheet
    from sleuth.apps.kit.answers.values import Spot as Spot
    from sleuth.apps.kit.answers.values import Statement as Statement
    from sleuth.apps.kit.answers.values import Statements as Statements
    from sleuth.apps.kit.answers.values import Tile as Tile
    from sleuth.apps.kit.answers.values import Track as Track
    from sleuth.apps.kit.conversation import Machine as Machine

__getattr__, __dir__, __all__ = attach(__name__)
