"""The lowest versions that setup.cfg allows, as constraints for pip: python .ci/lowest.py [FILE]

Of what sleuth itself and its extra `plots` require; what that brings along is pip's choice.
"""

from __future__ import annotations

import configparser
import sys
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

SETUP = Path(__file__).resolve().parent.parent / "setup.cfg"


def lowest(setup: Path = SETUP) -> list[str]:
    """A line ``name==version`` for every direct requirement.

    Raises:
        ValueError: A requirement names no lowest version.
    """
    config = configparser.ConfigParser()
    config.read_string(setup.read_text("utf-8"))
    lines: list[str] = []
    required = config["options"]["install_requires"]
    plots = config.get("options.extras_require", "plots", fallback="")
    for line in f"{required}\n{plots}".splitlines():
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        requirement = Requirement(line)
        bounds = [each.version for each in requirement.specifier if each.operator == ">="]
        if len(bounds) != 1:
            raise ValueError(f"{line}: name one lowest version, such as >=1.2")
        lines.append(f"{canonicalize_name(requirement.name)}=={bounds[0]}")
    return sorted(lines)


if __name__ == "__main__":
    print("\n".join(lowest(*map(Path, sys.argv[1:2]))))
