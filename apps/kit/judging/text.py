"""A judgement as text."""

from __future__ import annotations

from ..answers.values import Paragraph, Statements
from .judgement import Judgement
from .sections import in_words, sections


def judgement_text(judgement: Judgement) -> Statements:
    """Everything there is to say of a judgement."""
    exact = "exact" if judgement.exact else "an estimate"
    made = (
        f"Method: {judgement.method.replace('_', ' ')} ({exact}). sleuth {judgement.version},"
        f" seed {judgement.seed}, seen {judgement.record_sha256[:12]}"
    )
    return (
        Paragraph(judgement.title, "strong"),
        Paragraph(f"What {judgement.viewer} stated, beside what could be known.", blank="below"),
        Paragraph(in_words(judgement)),
        *sections(judgement),
        Paragraph(made, "soft", blank="above"),
    )
