"""The search of a whole game in one file, from which it goes on as if it had not stopped.

A file is a bundle of arrays and a card: the game, the method, its numbers. Reading it
runs no code, and every index in its arrays is checked against its bounds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from ...data.disk.bundles import bundled, unbundled
from ...data.disk.contents import contents
from ...data.disk.growing import same_values
from ...data.disk.json_text import Fields, parse_json
from ...data.disk.reading import FileKind
from ...data.disk.writing import whole
from ...data.errors import RecordError, SettingsError
from ...data.version import version
from ...models.game import Game
from ...models.games import entry_of
from ...models.games import game as named_game
from ...models.kernels.hash_table import enter_all
from ...models.kernels.randomness import Generator, generator
from ..search.budget import MOST
from ..search.kernels.selection import Mixing
from ..search.kernels.tree import ABSENT, EDGES, NODES, Tree, empty_tree
from ..search.options import MOST_WORKERS
from .kernels.memory import memory_of
from .sampling import Sampling

FORMAT: Final = "sleuth-whole-game"
#: Version of the files; readers refuse a newer one.
VERSION: Final = 1
#: Bytes of a file, and of all its arrays.
MOST_BYTES: Final = 2**32
ENDING: Final = ".npz"
_CARD: Final = "card.json"
_MOST_CARD: Final = 2**16
#: How hard arrays are pressed together: much of them is alike.
_LEVEL: Final = 1
#: What stands in a tree for each node, and for each edge; slots follow from the keys.
_OF_NODES: Final[tuple[str, ...]] = ("keys", "players", "parents", "visits", "blocks", "held")
_OF_EDGES: Final[tuple[str, ...]] = (
    "block_count", "block_next", "actions", "edge_visits", "available", "values", "squares", "best",
)  # fmt: skip
_FIELDS: Final = (
    "format", "version", "game", "game_version", "settings", "contents", "sampling", "seed",
    "workers", "share", "hero", "simulations", "seconds", "cpu_seconds", "sleuth",
)  # fmt: skip


class KeptWorker(NamedTuple):
    """The state of one worker, from which a run goes on.

    Attributes:
        tree: The statistics.
        counters: int64[2], see `Memory`.
        random: The generator of its draws.
    """

    tree: Tree
    counters: NDArray[np.int64]
    random: Generator


class KeptSearch(NamedTuple):
    """The contents of a file.

    Attributes:
        game: The game.
        sampling: The method.
        seed: Of all draws.
        share, hero: Of a rival.
        seconds, cpu_seconds: What it has taken so far.
        workers: What each goes on from.
    """

    game: Game
    sampling: Sampling
    seed: int
    share: float
    hero: int
    seconds: float
    cpu_seconds: float
    workers: Sequence[KeptWorker]


def kept_file(path: str | Path) -> Path:
    """The file of a name that may lack the ending.

    Raises:
        SettingsError: It is no name of a file.
    """
    base = Path(path)
    if not base.name:
        raise SettingsError("a file needs a name", value=str(path), hint="write NAME.npz")
    return base if base.suffix == ENDING else base.with_name(base.name + ENDING)


def write_kept(kept: KeptSearch, path: Path) -> None:
    """Write a search into a file, whole or not at all.

    Raises:
        SettingsError: It cannot be written.
    """
    arrays: dict[str, NDArray[Any]] = {}
    for number, worker in enumerate(kept.workers):
        used = worker.tree.used
        parts = {
            **{name: getattr(worker.tree, name)[: int(used[NODES])] for name in _OF_NODES},
            **{name: getattr(worker.tree, name)[: int(used[EDGES])] for name in _OF_EDGES},
            "counters": worker.counters,
            "random": worker.random,
        }
        arrays |= {f"{number}/{name}": array for name, array in parts.items()}
    card = {
        "format": FORMAT,
        "version": VERSION,
        **_of_game(kept.game),
        "sampling": asdict(kept.sampling),
        "seed": kept.seed,
        "workers": len(kept.workers),
        "share": kept.share,
        "hero": kept.hero,
        "simulations": sum(int(worker.counters[0]) for worker in kept.workers),
        "seconds": kept.seconds,
        "cpu_seconds": kept.cpu_seconds,
        "sleuth": version(),
    }
    content = bundled(arrays, texts={_CARD: json.dumps(card, indent=2)}, level=_LEVEL)
    with whole(path, where="out") as draft:
        draft.write_bytes(content)


def read_kept(path: Path, game: Game | None = None) -> KeptSearch:
    """The search in a file.

    Args:
        path: The file.
        game: The game, where it is not one of those that come with sleuth.

    Raises:
        RecordError: It cannot be read, is damaged, of a newer version, or of another game.
    """
    hint = "write it with WholeGameSearch.save, or with 'sleuth solve --out'"
    content = FileKind(what="the search", most=MOST_BYTES, hint=hint).bytes(path)
    where = str(path)
    try:
        arrays, texts = unbundled(content, most=MOST_BYTES, texts={_CARD: _MOST_CARD})
    except Exception:
        raise RecordError(
            "this is no file of a search of a whole game", where=where, hint=hint
        ) from None
    try:
        return _checked(parse_json(texts[_CARD]), arrays, game)
    except (RecordError, SettingsError) as error:
        at = f"{where}, {error.where}" if error.where else where
        more = {} if error.value is None else {"value": error.value}
        raise RecordError(error.message, where=at, hint=error.hint, **more) from None


def _of_game(game: Game) -> dict[str, Any]:
    """The fields of a card that are about its game."""
    known = entry_of(game)
    own = {f"game {known.name}": known.digest} if known is not None and known.digest else {}
    return {
        "game": game.name,
        "game_version": game.version,
        "settings": dict(game.settings),
        "contents": {**own, **contents(game.settings.values())},
    }


def _checked(card: object, arrays: Mapping[str, NDArray[Any]], game: Game | None) -> KeptSearch:
    if not isinstance(card, dict) or cast("dict[str, Any]", card).get("format") != FORMAT:
        raise RecordError("this is no file of a search of a whole game")
    known = cast("dict[str, Any]", card)
    if type(known.get("version")) is int and known["version"] > VERSION:
        raise RecordError(
            f"it was written by a newer sleuth: version {known['version']}",
            hint=f"this one reads up to version {VERSION}; update sleuth",
        )
    fields = Fields(known, _FIELDS)
    game = _game_of(fields, known) if game is None else game
    said = {name: known[name] for name in ("game", "game_version", "settings", "contents")}
    if not same_values(said, _of_game(game)):
        raise RecordError(
            "it is of another game, or of one with other rules or settings",
            value=f"{known['game']} {known['settings']}"[:200],
            hint=f"this one is {game.name} {dict(game.settings)}",
        )
    count = fields.whole("workers", least=1, most=MOST_WORKERS)
    workers = [
        _worker({name: arrays.get(f"{number}/{name}") for name in _names()}, game, f"{number}")
        for number in range(count)
    ]
    if len(arrays) != count * len(_names()):
        raise RecordError("there is an array too many")
    return KeptSearch(
        game=game,
        sampling=_sampling(known["sampling"]),
        seed=fields.whole("seed", most=2**64 - 1),
        share=fields.number("share", least=0.0, most=1.0),
        hero=fields.whole("hero", least=-1, most=game.players - 1),
        seconds=fields.number("seconds", least=0.0),
        cpu_seconds=fields.number("cpu_seconds", least=0.0),
        workers=workers,
    )


def _game_of(fields: Fields, card: Mapping[str, Any]) -> Game:
    name = fields.text("game")
    # A name that leads to a file would run what is in it.
    if not name.isidentifier() or not isinstance(card["settings"], dict):
        raise RecordError("no such game", where="field 'game'", value=name)
    try:
        return named_game(name, **card["settings"])
    except (TypeError, ValueError, OverflowError, LookupError, AttributeError):
        raise RecordError("these are no settings of this game", where="field 'settings'") from None


def _sampling(given: object) -> Sampling:
    try:
        values: dict[str, Any] = dict(cast("dict[str, Any]", given))
        values["mixing"] = Mixing(**values["mixing"])
        return Sampling(**values)
    except (TypeError, ValueError, KeyError):
        raise RecordError("these are no numbers of a method", where="field 'sampling'") from None


def _names() -> tuple[str, ...]:
    return (*_OF_NODES, *_OF_EDGES, "counters", "random")


def _worker(arrays: Mapping[str, NDArray[Any] | None], game: Game, number: str) -> KeptWorker:
    """The state of a worker, if its arrays are what they should be.

    Raises:
        RecordError: One is missing, has another type or shape, or leads out of its bounds.
    """

    def refuse(what: str) -> RecordError:
        return RecordError(
            f"the arrays are not those of a run: {what}",
            where=f"worker {number}",
            hint="the file is damaged or was changed",
        )

    keys, codes = arrays["keys"], arrays["actions"]
    if keys is None or codes is None or keys.ndim != 1 or codes.ndim != 1:
        raise refuse("keys or actions are missing")
    nodes, edges = len(keys), len(codes)
    if max(nodes, edges) > MOST:
        raise refuse("there are too many of them")
    memory = memory_of(game)
    tree = empty_tree(max(nodes, 16), max(edges, 16), best=True)
    shapes = {
        **{name: (getattr(tree, name).dtype, (nodes,)) for name in _OF_NODES},
        **{name: (getattr(tree, name).dtype, (edges,)) for name in _OF_EDGES},
        "counters": (memory.counters.dtype, memory.counters.shape),
        "random": (np.dtype(np.uint64), generator(0).shape),
    }
    found: dict[str, NDArray[Any]] = {}
    for name, (kind, shape) in shapes.items():
        array = arrays[name]
        if array is None or array.dtype != kind or array.shape != shape:
            raise refuse(f"{name} is missing, or has another type or shape")
        found[name] = array
    if found_wrong := _out_of_bounds(found, game):
        raise refuse(found_wrong)
    for name in (*_OF_NODES, *_OF_EDGES):
        getattr(tree, name)[: len(found[name])] = found[name]
    tree.used[NODES], tree.used[EDGES] = nodes, edges
    enter_all(tree.slots, tree.keys, nodes)
    return KeptWorker(tree, found["counters"].copy(), found["random"].copy())


def _out_of_bounds(arrays: Mapping[str, NDArray[Any]], game: Game) -> str:
    """The name of what leads out of its bounds, or is no number; empty where all is right."""
    nodes, edges = len(arrays["keys"]), len(arrays["actions"])
    least: dict[str, int] = dict.fromkeys(
        ("players", "actions", "visits", "edge_visits", "available"), 0
    )
    most: dict[str, int] = {"players": game.players - 1, "actions": game.action_space - 1}
    most |= dict.fromkeys(("blocks", "parents"), edges - 1)
    for name in (*_OF_NODES[1:-1], *_OF_EDGES[:-3]):
        array = arrays[name]
        if (array < least.get(name, ABSENT)).any() or (array > most.get(name, MOST)).any():
            return name
    if not all(np.isfinite(arrays[name]).all() for name in (*_OF_EDGES[-3:], "held")):
        return "a number that is not finite"
    if (arrays["squares"] < 0.0).any() or len(np.unique(arrays["keys"])) < nodes:
        return "squares or keys"
    if not arrays["random"].all():
        return "random"
    # An information set has one block of actions, side by side.
    blocks = arrays["blocks"][arrays["blocks"] != ABSENT]
    counts = arrays["block_count"][blocks]
    right = (counts >= 1) & (counts <= game.max_actions) & (blocks + counts <= edges)
    if not right.all() or (arrays["block_next"][blocks] != ABSENT).any():
        return "blocks"
    if (arrays["counters"] < 0).any():
        return "counters"
    return ""
