"""Players' beliefs about what others believe: nesting, Kripke models, formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.beliefs.nested.drawing import draw_model as draw_model
    from sleuth.beliefs.nested.formulas import Believes as Believes
    from sleuth.beliefs.nested.formulas import Common as Common
    from sleuth.beliefs.nested.formulas import Fact as Fact
    from sleuth.beliefs.nested.formulas import Knows as Knows
    from sleuth.beliefs.nested.formulas import KnowsValue as KnowsValue
    from sleuth.beliefs.nested.kripke import KripkeModel as KripkeModel
    from sleuth.beliefs.nested.kripke import absolute as absolute
    from sleuth.beliefs.nested.kripke import relative as relative
    from sleuth.beliefs.nested.minds import Nesting as Nesting

__getattr__, __dir__, __all__ = attach(__name__)
