"""A viewer's possible knowledge of any recorded game: computed, as text and as a page."""

from .analyst import NO_AGENT, Analyst, valued, valuing_agent
from .moments import ActionValue

__all__ = ["NO_AGENT", "ActionValue", "Analyst", "valued", "valuing_agent"]
