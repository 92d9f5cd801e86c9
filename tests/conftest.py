"""What all tests share: how hypothesis runs, and that Ctrl-C can be tested."""

from __future__ import annotations

import os
import signal

from hypothesis import settings

# The first call of a kernel compiles it, so single examples have no deadline. The suite draws the
# same examples every time; the fuzz run draws new ones.
settings.register_profile("suite", deadline=None, derandomize="SLEUTH_FUZZ" not in os.environ)
settings.load_profile("suite")

# A shell's background jobs ignore Ctrl-C, and so would all that tests start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
