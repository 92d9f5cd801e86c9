"""The HTML report of an analysed game: one self-contained file, readable anywhere, printable."""

from .page import html_report

__all__ = ["html_report"]
