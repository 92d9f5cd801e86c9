"""All marginals of a network under three evidences, by one library, in a process of its own.

    python -m benchmarks.beliefs.network_runs LIBRARY NETWORK FOLDER [SECONDS]

The answer is a file of the folder, so that what was measured is not measured again. Evidence is
drawn once, from the network's own tables as pyAgrum reads them: one world, of which is seen
nothing; three leaves; a tenth of the variables. Seconds are those of the processor, on one core.
"""

from __future__ import annotations

import gzip
import json
import math
import re
import resource
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np

#: Short runs are repeated, at most so often, until they have taken so many seconds together.
MOST_RUNS = 200
ENOUGH = 1.5
#: Most bytes that a library may ask for.
MOST_BYTES = 5 * 2**30
#: A value that pyAgrum reads: a word, or a number.
WORD = re.compile(r"[A-Za-z_]\w*|\d+")
#: A part of a file between separators.
TOKEN = re.compile(r"[^\s,;{}()\[\]|\"]+")

#: Under each evidence the distribution of every variable, in the order of the file; pgmpy is not
#: asked for what is seen.
Shares = list[list[list[float] | None]]


def path_of(name: str) -> Path:
    """The file of a network that pgmpy ships."""
    return Path(str(files("pgmpy") / "utils" / "example_models" / f"{name}.bif.gz"))


def names() -> list[str]:
    """All networks that pgmpy ships in BIF, the smallest files first."""
    folder = path_of("asia").parent
    found = sorted(folder.glob("*.bif.gz"), key=lambda path: (path.stat().st_size, path.name))
    return [path.name.removesuffix(".bif.gz") for path in found]


def spelt(text: str) -> str:
    """A file with the names that pyAgrum does not read, such as ``Asy/Patch`` or ``<5``, respelt.

    Any other character than a letter or a digit becomes an underscore.
    """

    def word(found: re.Match[str]) -> str:
        token = found[0]
        if WORD.fullmatch(token):
            return token
        try:
            float(token)
        except ValueError:
            return "s" + re.sub(r"\W", "_", token)
        return token

    return TOKEN.sub(word, text)


def write_evidence(name: str, folder: Path) -> None:
    """Draw the evidence, and keep it: for each variable that is seen the place of its value."""
    model = loaded(name, folder)
    rng = np.random.default_rng(37)
    world: dict[str, int] = {}
    for node in model.topologicalOrder():
        table = model.cpt(node)
        # The axes of a table are its variables backwards; its own is the last.
        above = tuple(world[parent] for parent in reversed(table.names[1:]))
        shares = table.toarray()[above]
        world[table.names[0]] = int(rng.choice(len(shares), p=shares / shares.sum()))
    every = [model.variable(node).name() for node in range(model.size())]
    leaves = [name for node, name in enumerate(every) if not model.children(node)]
    seen: list[list[str]] = [
        [],
        rng.choice(leaves, size=min(3, len(leaves)), replace=False).tolist(),
        rng.choice(every, size=max(1, round(len(every) / 10)), replace=False).tolist(),
    ]
    # By place, since pyAgrum may have names respelt.
    found = [{every.index(each): world[each] for each in sorted(names)} for names in seen]
    (folder / f"{name}.evidence.json").write_text(json.dumps(found), encoding="utf-8")


def evidence(name: str, folder: Path) -> list[dict[int, int]]:
    """The place of every value that is seen, by the place of its variable, for each evidence."""
    kept: list[dict[str, int]] = json.loads((folder / f"{name}.evidence.json").read_text("utf-8"))
    return [{int(variable): value for variable, value in each.items()} for each in kept]


def loaded(name: str, folder: Path) -> Any:
    """The network as pyAgrum reads it."""
    import pyagrum

    return pyagrum.loadBN(str(respelt(name, folder)))


def respelt(name: str, folder: Path) -> Path:
    """The network's file as pyAgrum can read it."""
    path = folder / f"{name}.bif"
    if not path.exists():
        text = gzip.decompress(path_of(name).read_bytes()).decode("utf-8")
        path.write_text(spelt(text), encoding="utf-8")
    return path


def ours(name: str, folder: Path) -> dict[str, Any]:
    """This package: reading, and all marginals."""
    from sleuth.beliefs.engines.junction.junction_tree import plan
    from sleuth.networks import example_network, read_bif

    _ = [example_network("cancer").query(each) for each in ("Smoker", "Xray")]  # imports
    path, wanted = path_of(name), evidence(name, folder)

    def answers(network: Any) -> Shares:
        choices = [*network.choices.values()]
        found: Shares = []
        for seen in wanted:
            values = {choices[place].name: choices[place].options[at] for place, at in seen.items()}
            posterior = network.infer(values)
            found.append([posterior.distribution(each).tolist() for each in choices])
        return found

    elimination = plan(read_bif(path).model.problem).elimination
    told = {"width": elimination.width, "numbers": elimination.entries}
    return measured(lambda: read_bif(path), answers, told, folder / f"{name}.ours.part")


def theirs(name: str, folder: Path) -> dict[str, Any]:
    """pyAgrum's LazyPropagation."""
    import pyagrum

    from sleuth.networks import example_network

    pyagrum.setNumberOfThreads(1)
    path, wanted = str(respelt(name, folder)), evidence(name, folder)

    def answers(model: Any) -> Shares:
        found: Shares = []
        lazy = pyagrum.LazyPropagation(model)
        for seen in wanted:
            lazy.setEvidence(seen)
            lazy.makeInference()
            found.append([lazy.posterior(node).tolist() for node in range(model.size())])
        return found

    def read() -> Any:
        return pyagrum.loadBN(path)

    found = measured(read, answers, {}, folder / f"{name}.pyagrum.part")
    if found["seconds"] < ENOUGH:
        # pyAgrum reads the numbers of a file as floats of 32 bits: once more with all their digits.
        found["exact"] = answers(example_network(name).to_pyagrum())
    return found


def pgmpys(name: str, folder: Path) -> dict[str, Any]:
    """pgmpy's VariableElimination, one query for each marginal."""
    import logging
    import warnings

    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    from pgmpy.inference import VariableElimination
    from pgmpy.readwrite import BIFReader

    wanted = evidence(name, folder)
    text = gzip.decompress(path_of(name).read_bytes()).decode("utf-8")

    def read() -> Any:
        reader = BIFReader(string=text)
        return reader, reader.get_model()

    def answers(found: Any) -> Shares:
        reader, model = found
        every, states = reader.variable_names, reader.variable_states
        elimination = VariableElimination(model)
        shares: Shares = []
        for seen in wanted:
            values = {every[place]: states[every[place]][at] for place, at in seen.items()}
            row: list[list[float] | None] = []
            for variable in every:
                if variable in values:
                    row.append(None)
                    continue
                factor: Any = elimination.query([variable], evidence=values, show_progress=False)
                names = factor.state_names[variable]
                row.append([float(factor.values[names.index(each)]) for each in states[variable]])
            shares.append(row)
        return shares

    return measured(read, answers, {}, folder / f"{name}.pgmpy.part")


def approximations(name: str, folder: Path) -> dict[str, Any]:
    """Approximate methods beside the junction tree."""
    from ..networks_approximate import measured as methods_measured

    return methods_measured(name)


def measured(
    read: Callable[[], Any],
    answers: Callable[[Any], Shares],
    told: Mapping[str, Any],
    part: Path,
) -> dict[str, Any]:
    """Seconds of reading, and of all marginals of what was just read; means of many where short.

    Args:
        read: Reads the network.
        answers: All marginals under each evidence.
        told: What is known already.
        part: A file for what is known before the answers are, which may never come.
    """
    runs: list[tuple[float, float]] = []
    shares: Shares = []
    spent = 0.0
    while not runs or (len(runs) < MOST_RUNS and spent < ENOUGH):
        start = time.process_time()
        network = read()
        between = time.process_time()
        if not runs:
            part.write_text(json.dumps({**told, "read": between - start}), encoding="utf-8")
        shares = answers(network)
        end = time.process_time()
        runs.append((between - start, end - between))
        spent += end - start
    # The first run loads what others find loaded. The clock is coarse, so that means are taken.
    read_in, answered_in = np.mean(runs[1:] or runs, axis=0).tolist()
    return {**told, "read": read_in, "seconds": answered_in, "shares": shares}


LIBRARIES: Mapping[str, Callable[[str, Path], dict[str, Any]]] = {
    "ours": ours,
    "pyagrum": theirs,
    "pgmpy": pgmpys,
    "approximate": approximations,
}


def main(arguments: Sequence[str]) -> None:
    """Measure one library on one network; the system ends it after so many seconds of work."""
    library, name, folder = arguments[0], arguments[1], Path(arguments[2])
    if len(arguments) > 3:
        most = math.ceil(float(arguments[3]))
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    if library == "evidence":
        write_evidence(name, folder)
        return
    from sleuth.errors import SleuthError

    try:
        found = LIBRARIES[library](name, folder)
    except (SleuthError, ArithmeticError, LookupError, MemoryError, ValueError) as error:
        part = folder / f"{name}.{library}.part"
        known = json.loads(part.read_text("utf-8")) if part.exists() else {}
        found = {**known, "refused": f"{type(error).__name__}: {error}"}
    (folder / f"{name}.{library}.json").write_text(json.dumps(found), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
