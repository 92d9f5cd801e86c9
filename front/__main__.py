"""``python -m sleuth`` is the command `sleuth`."""

import sys

from sleuth.apps.main import main

if __name__ == "__main__":
    sys.exit(main())
