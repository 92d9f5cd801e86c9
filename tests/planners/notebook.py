"""The words of what shows itself in a notebook."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any


class Words(HTMLParser):
    """The text of a page, and the elements that it has."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.said: list[str] = []
        self.tags: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.add(tag)

    def handle_data(self, data: str) -> None:
        self.said.append(data)


def shown(result: Any) -> Words:
    return Words(result._repr_html_())
