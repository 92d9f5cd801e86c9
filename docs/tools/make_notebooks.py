"""Executes the notebooks of docs/notebooks/ in build/notebooks, and makes a page of each.

Run ``python docs/tools/make_notebooks.py``, or ``make notebooks``; names of notebooks run only
those. Each is executed as a reader finds it, and beside every exercise what its gap, a wrong answer
and the solution come to: "Still to do", "Not yet" and "Right". The pages, ``NAME.md`` with pictures
beside them, are what the site shows.
"""

from __future__ import annotations

import base64
import re
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import nbformat
from nbclient import NotebookClient

ROOT: Final = Path(__file__).resolve().parents[2]
NOTEBOOKS: Final = ROOT / "docs" / "notebooks"
BUILT: Final = ROOT / "build" / "notebooks"
#: Seconds that one cell may take, without a compiler, too.
PATIENCE: Final = 120
#: Notebooks that are executed at the same time, each by a process of its own.
AT_ONCE: Final = 2


def role_of(cell: Any) -> str:
    """The part of a cell in a lesson: exercise, check, solution, figure, or nothing of these."""
    return next(iter(cell.metadata.get("tags", ())), "")


def executed(path: Path) -> Any:
    """A notebook with the outputs of its cells.

    Raises:
        SystemExit: A check does not say what it should.
        CellExecutionError: A cell fails.
    """
    source = nbformat.read(path, as_version=4)
    run = source.copy()
    checks = {each.metadata.exercise: each for each in source.cells if role_of(each) == "check"}
    run.cells, said = [], {}
    for cell in source.cells:
        run.cells.append(cell)
        if role_of(cell) == "check":
            said[len(run.cells) - 1] = "Still to do"
            run.cells.append(nbformat.v4.new_code_cell(f"{cell.metadata.wrong}\n{cell.source}"))
            said[len(run.cells) - 1] = "Not yet"
        elif role_of(cell) == "solution":
            run.cells.append(nbformat.v4.new_code_cell(checks[cell.metadata.exercise].source))
            said[len(run.cells) - 1] = "Right"
    # Files that a lesson writes go where the notebook is built.
    where = {"metadata": {"path": str(BUILT)}}
    client = NotebookClient(run, timeout=PATIENCE, kernel_name="python3", resources=where)
    client.extra_arguments = ["--log-level=ERROR"]
    client.execute()
    for number, wanted in said.items():
        (verdict,) = (each["data"]["text/plain"] for each in run.cells[number].outputs)
        if not verdict.startswith(wanted):
            code = run.cells[number].source
            sys.exit(f"{path.name}: {verdict!r} where it should say {wanted!r}:\n{code}")
    # Not those that were put in beside the source's.
    own = {id(cell) for cell in source.cells}
    run.cells = [cell for cell in run.cells if id(cell) in own]
    return run


def is_current(path: Path) -> bool:
    """Whether a notebook was executed as it is now."""
    made = BUILT / path.name
    texts = [
        [cell.source for cell in nbformat.read(each, as_version=4).cells]
        for each in (made, path)
        if each.is_file()
    ]
    return len(texts) == 2 and texts[0] == texts[1] and made.with_suffix(".md").is_file()


def page_of(notebook: Any, name: str, folder: Path) -> str:
    """The page of an executed notebook; its pictures are written to a folder.

    Args:
        notebook: The notebook, with outputs.
        name: What it is called, without an ending.
        folder: Where the page will be.
    """
    opened = (
        f"[Save the notebook]({name}.ipynb){{ download }} and [open it in Jupyter]"
        "(../notebooks.md#opening-them), or read it here with all answers.\n"
    )
    parts: list[str] = []
    for number, cell in enumerate(notebook.cells):
        if cell.cell_type == "markdown":
            parts.append(re.sub(r"(\]\([\w./-]+)\.ipynb\)", r"\1.md)", cell.source))
            if number == 0:
                heading, _, rest = parts[0].partition("\n")
                parts[0] = f"{heading}\n\n{opened}{rest}"
            continue
        role = role_of(cell)
        # A solution's first line is all that a notebook shows of it; here its summary says it.
        source = cell.source.partition("\n")[2] if role == "solution" else cell.source
        code = f"```python\n{source}\n```"
        outputs = [] if role == "check" else [*_shown(cell, f"{name}_{number}", folder)]
        if role == "figure":
            parts += [*outputs, _folded("The code of this figure", [code])]
        elif role == "solution":
            parts.append(
                _folded(f"Solution to exercise {cell.metadata.exercise}", [code, *outputs])
            )
        else:
            parts += [code, *outputs]
    return "\n\n".join(parts) + "\n"


def _folded(title: str, parts: list[str]) -> str:
    inside = "\n\n".join(parts)
    return f'<details markdown="1">\n<summary>{title}</summary>\n\n{inside}\n\n</details>'


def _shown(cell: Any, name: str, folder: Path) -> Iterator[str]:
    """The outputs of a cell, as parts of a page."""
    for number, output in enumerate(cell.outputs):
        if output.output_type == "stream":
            if output.name == "stdout":
                yield f"```text\n{output.text.rstrip()}\n```"
            continue
        data = output.data
        if "text/html" in data:
            # Who reads a page was not asked for a prediction.
            yield re.sub(r"\n\s*| You made no prediction[^<]*", " ", data["text/html"])
        elif "image/png" in data:
            picture = folder / f"{name}_{number}.png"
            picture.write_bytes(base64.b64decode(data["image/png"]))
            yield f"![The picture that the code above draws]({picture.name})"
        else:
            yield f"```text\n{data['text/plain'].rstrip()}\n```"


def make(path: Path) -> str:
    """Execute a notebook and write it with its page; returns what there is to say of it."""
    begun = time.perf_counter()
    notebook = executed(path)
    nbformat.write(notebook, BUILT / path.name)
    (BUILT / f"{path.stem}.md").write_text(page_of(notebook, path.stem, BUILT), "utf-8")
    words = sum(len(each.source.split()) for each in notebook.cells if each.cell_type == "markdown")
    exercises = sum(role_of(each) == "check" for each in notebook.cells)
    took = time.perf_counter() - begun
    return f"{path.stem:17} {took:5.1f} s  {words:5,} words  {exercises} exercises"


def main(names: list[str]) -> None:
    """Execute notebooks and write them with their pages."""
    BUILT.mkdir(parents=True, exist_ok=True)
    paths = [path for path in sorted(NOTEBOOKS.glob("*.ipynb")) if not names or path.stem in names]
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for line in threads.map(make, paths):
            print(line, flush=True)
    print(BUILT)


if __name__ == "__main__":
    main(sys.argv[1:])
