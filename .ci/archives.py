"""Whether the built wheel and sdist hold what they should: python .ci/archives.py FOLDER."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from email import message_from_string
from pathlib import Path

PACKAGES = ("adapters", "apps", "beliefs", "data", "models", "planners", "shelf", "training")
# The package itself, whose files stand in a folder of another name.
FRONT = "front/"

# What an index page shows, beside the addresses.
METADATA = ("Author", "Classifier", "Keywords", "License", "License-File", "Summary")

# Of use in a checkout only.
NOT_IN_SDIST = {".gitattributes", ".gitignore"}


def read_in_the_wheel(name: str) -> bool:
    """True for pages and examples: no pictures, and no games that tables were counted from."""
    folder, _, rest = name.partition("/")
    if folder == "examples":
        return True
    page = rest.endswith((".md", ".json", ".txt", ".csv", ".ipynb"))
    return folder == "docs" and page and (rest.endswith(".md") or not rest.startswith("results/"))


def main(folder: Path) -> int:
    """Print what is missing or too much; 1 if anything is."""
    listing = subprocess.run(["git", "ls-files", "-z"], capture_output=True, text=True, check=True)
    tracked = {name for name in listing.stdout.split("\0") if name and Path(name).is_file()}

    (sdist,) = folder.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        in_sdist = {
            member.name.split("/", 1)[1] for member in archive.getmembers() if member.isfile()
        }
    (wheel,) = folder.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        in_wheel = {name for name in archive.namelist() if ".dist-info/" not in name}
        (said,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        metadata = message_from_string(archive.read(said).decode())
    expected = {
        f"sleuth/{name.removeprefix(FRONT)}"
        for name in tracked
        if name.split("/")[0] in PACKAGES or name.startswith(FRONT) or read_in_the_wheel(name)
    }

    problems = [f"not in the sdist: {name}" for name in sorted(tracked - NOT_IN_SDIST - in_sdist)]
    problems += [f"not in the wheel: {name}" for name in sorted(expected - in_wheel)]
    problems += [f"should not be in the wheel: {name}" for name in sorted(in_wheel - expected)]
    problems += [f"the metadata has no {name}" for name in METADATA if not metadata[name]]
    described = str(metadata.get_payload())
    if "](docs/" in described or "](CONTRIBUTING" in described:
        problems.append("the description has links that lead nowhere")
    print("\n".join(problems) or f"{sdist.name} and {wheel.name} hold what they should")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
