"""What all tests share: how hypothesis runs."""

from __future__ import annotations

import os

from hypothesis import settings

# The first call of a kernel compiles it, so single examples have no deadline. The suite draws the
# same examples every time; the fuzz run draws new ones.
settings.register_profile("suite", deadline=None, derandomize="SLEUTH_FUZZ" not in os.environ)
settings.load_profile("suite")
