"""The HTML report of an analysed game: one self-contained file, readable anywhere, printable."""

from importlib.resources import files
from typing import Final

from .page import html_report

#: What all reports look like; a game's own rules follow it.
REPORT_STYLE: Final = files(__package__ or "").joinpath("style.css").read_text("utf-8")

__all__ = ["REPORT_STYLE", "html_report"]
