"""The errors that are raised on purpose: each says what was wrong, where, and what to do.

>>> import sleuth
>>> try:
...     sleuth.game("cluedo")
... except sleuth.errors.SettingsError as error:
...     print(error.message, error.value)
no such game cluedo
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sleuth.data.lazy import attach

if TYPE_CHECKING:
    from sleuth.data.errors import ContradictionError as ContradictionError
    from sleuth.data.errors import CostError as CostError
    from sleuth.data.errors import DeclarationError as DeclarationError
    from sleuth.data.errors import EvidenceError as EvidenceError
    from sleuth.data.errors import ProgramError as ProgramError
    from sleuth.data.errors import RecordError as RecordError
    from sleuth.data.errors import SettingsError as SettingsError
    from sleuth.data.errors import SleuthError as SleuthError
    from sleuth.data.errors import UnsupportedError as UnsupportedError
    from sleuth.data.errors import WorkerError as WorkerError

__getattr__, __dir__, __all__ = attach(__name__)
