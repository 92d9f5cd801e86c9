"""Predictors of what an opponent does: their files, and a compiled evaluation of one row.

A predictor is two files: ``NAME.npz``, arrays and nothing else, and ``NAME.json``, a card that says
what it predicts, from which features, what it was trained on and how good it was. Reading them runs
no code: arrays are read without pickle, every index is checked against its bounds, and the card
holds the digest of the arrays.
"""

# pyright: reportArgumentType=false, reportReturnType=false

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...data.checks import is_number
from ...data.disk.bundles import bundled, unbundled
from ...data.disk.reading import FileKind
from ...data.errors import RecordError, SettingsError
from ...models.kernels.kernel import kernel
from ...models.records.reading import parse_json, refused

FORMAT: Final = "sleuth-predictor"
#: Version of the files; readers refuse a newer one.
VERSION: Final = 1
MOST_BYTES: Final = 256 * 2**20
MOST_FEATURES: Final = 1_000
#: Of any number in the arrays: products and sums of so many of them stay finite.
MOST_NUMBER: Final = 1e100
#: Of players' offsets, in log odds: far beyond people, and what can still be squared.
MOST_SPREAD: Final = 100

#: How the trees of each kind make a probability.
FOREST: Final = 0
BOOSTED: Final = 1
LINEAR: Final = 2
#: One of several is chosen. The kernel `probability`, which sees one row, takes it for linear.
CHOSEN: Final = 3
KINDS: Final = ("forest", "boosted", "linear", "choice")

# A node of a tree: rows whose feature is at most the threshold go on to the node that follows, the
# others to `right`. A leaf has feature -1, its value in `threshold`, and itself as `right`.
NODE: Final = np.dtype([("threshold", np.float64), ("feature", np.int32), ("right", np.int32)])

#: Probabilities are kept this far from 0 and 1 where their logit is taken.
EDGE: Final = 1e-6


class PredictorTables(NamedTuple):
    """The parts of a predictor that the kernel `probability` needs; all of them arrays.

    Attributes:
        nodes: Records of type ``NODE``, tree after tree.
        roots: int32[trees], the first node of each.
        typical: float64[F], what stands for a feature that is not known.
        numbers: float64[4]: the kind; slope and intercept of the calibration; what is added to the
            sum of a boosted or linear predictor.
        weights: float64[F] of a linear predictor, else zeros.
    """

    nodes: Any
    roots: NDArray[np.int32]
    typical: NDArray[np.float64]
    numbers: NDArray[np.float64]
    weights: NDArray[np.float64]


@kernel
def probability(row: Any, tables: Any) -> float:
    """A predictor's probability for one row of features; float64[F], unknown ones not a number.

    Thresholds are compared with values in single precision, as scikit-learn does.
    """
    kind = int(tables.numbers[0])
    total = 0.0
    if kind >= LINEAR:
        for feature in range(len(row)):
            value = row[feature]
            if math.isnan(value):
                value = tables.typical[feature]
            total += tables.weights[feature] * value
        total += tables.numbers[3]
    else:
        values = np.empty(len(row), dtype=np.float32)
        for feature in range(len(row)):
            value = row[feature]
            values[feature] = tables.typical[feature] if math.isnan(value) else value
        total = sum_of_leaves(values, tables.nodes, tables.roots)
        if kind == FOREST:
            share = min(max(total / len(tables.roots), EDGE), 1.0 - EDGE)
            total = math.log(share / (1.0 - share))
        else:
            total += tables.numbers[3]
    return 1.0 / (1.0 + math.exp(-(tables.numbers[1] * total + tables.numbers[2])))


@kernel(allocates=False)
def sum_of_leaves(values: Any, nodes: Any, roots: Any) -> float:
    """The sum over all trees of the value of the leaf that a row comes to."""
    total = 0.0
    count = len(roots)
    # Eight trees side by side: while one waits for its node, the others go on. A leaf stays where
    # it is, since its `right` is itself.
    done = 0
    while done + 8 <= count:
        a, b, c, d = roots[done], roots[done + 1], roots[done + 2], roots[done + 3]
        e, f, g, h = roots[done + 4], roots[done + 5], roots[done + 6], roots[done + 7]
        going = True
        while going:
            going = False
            for _ in range(4):
                a = step(a, values, nodes)
                b = step(b, values, nodes)
                c = step(c, values, nodes)
                d = step(d, values, nodes)
                e = step(e, values, nodes)
                f = step(f, values, nodes)
                g = step(g, values, nodes)
                h = step(h, values, nodes)
            most = max(
                max(
                    max(nodes[a].feature, nodes[b].feature), max(nodes[c].feature, nodes[d].feature)
                ),
                max(
                    max(nodes[e].feature, nodes[f].feature), max(nodes[g].feature, nodes[h].feature)
                ),
            )
            going = most >= 0
        total += nodes[a].threshold + nodes[b].threshold + nodes[c].threshold + nodes[d].threshold
        total += nodes[e].threshold + nodes[f].threshold + nodes[g].threshold + nodes[h].threshold
        done += 8
    for tree in range(done, count):
        node = roots[tree]
        while nodes[node].feature >= 0:
            node = step(node, values, nodes)
        total += nodes[node].threshold
    return total


@kernel(allocates=False, inline="late")
def step(node: int, values: Any, nodes: Any) -> int:
    """The node where a row goes on from a node."""
    feature = nodes[node].feature
    right = nodes[node].right
    following = node + 1 if feature >= 0 else right
    value = values[max(feature, 0)]
    return following if value <= nodes[node].threshold else right


@kernel
def probabilities(rows: Any, tables: Any) -> Any:
    """The same of many rows; float64[n]."""
    found = np.empty(len(rows))
    for place in range(len(rows)):
        found[place] = probability(rows[place], tables)
    return found


@dataclass(frozen=True, eq=False)
class Predictor:
    """A trained predictor that came from a file or from training.

    Attributes:
        card: What it is, as in its JSON file, without the digest of the arrays.
        tables: Its arrays, for `probability`.

    >>> from sleuth.games.cheat import TRUTH, USUAL, known_predictor
    >>> truth = known_predictor(USUAL, of=TRUTH)
    >>> truth.features[:2], truth.spread > 0
    (('impossible', 'unseen'), True)
    >>> rows = [[2, 4, *[0] * 19], [0, 4, *[0] * 19]]
    >>> truth(rows).shape, truth.outside(rows)[0, :2].tolist()
    ((2,), [True, False])
    """

    card: Mapping[str, Any]
    tables: PredictorTables

    @property
    def features(self) -> tuple[str, ...]:
        """Names of what it is told."""
        return tuple(self.card["features"])

    @property
    def spread(self) -> float:
        """The standard deviation of players' offsets, in log odds; 0 where the card has none.

        An offset is a player's difference from what it says of anybody, see `adaptation`.
        """
        return float(self.card.get("spread", 0.0))

    def __call__(self, rows: ArrayLike) -> NDArray[np.float64]:
        """Probabilities for rows of features.

        Args:
            rows: float64[n, F] or one row; what is not known is not a number. If its kind is
                ``"choice"``, all that could be chosen: the probabilities add up to 1.

        Returns:
            float64[n].

        Raises:
            SettingsError: Rows have another number of features.
        """
        given = np.atleast_2d(np.ascontiguousarray(rows, dtype=np.float64))
        if given.ndim != 2 or given.shape[1] != len(self.features):
            raise SettingsError(
                f"this predictor is told {len(self.features)} features", value=given.shape
            )
        if self.tables.numbers[0] == CHOSEN:
            scores = given @ self.tables.weights
            odds = np.exp(scores - scores.max())
            return odds / odds.sum()
        return probabilities(given, self.tables)

    def outside(self, rows: ArrayLike) -> NDArray[np.bool_]:
        """bool[n, F]: values beyond all that it was trained on."""
        given = np.atleast_2d(np.asarray(rows, dtype=np.float64))
        lowest, highest = (
            np.array(self.card[name], dtype=np.float64) for name in ("lowest", "highest")
        )
        return (given < lowest) | (given > highest)


def load_predictor(
    path: str | Path, *, game: str | None = None, features: Sequence[str] | None = None
) -> Predictor:
    """The predictor in two files.

    Args:
        path: With or without the ending of either file.
        game: Refuse another game's.
        features: Refuse one that is told something else.

    Raises:
        RecordError: A file is missing, damaged, changed, of a newer version, or not of this game.

    >>> from sleuth.games.cheat import TRUTH, USUAL, known_predictor
    >>> from sleuth.kit import save_predictor
    >>> from sleuth.predictors import load_predictor
    >>> _ = save_predictor(known_predictor(USUAL, of=TRUTH), "mine")
    >>> load_predictor("mine", game="cheat").card["predicts"]
    'the claim is true'
    """
    arrays_path, card_path = paths(path)
    card = _checked_card(_read(card_path), str(card_path))
    content = _read(arrays_path)
    if hashlib.sha256(content).hexdigest() != card.pop("sha256"):
        raise RecordError(
            "the arrays are not those that the card was written for",
            where=str(arrays_path),
            hint="the file is damaged or was changed: get both files again, or train anew",
        )
    for name, wanted in (("game", game), ("features", None if features is None else [*features])):
        if wanted is not None and card[name] != wanted:
            raise RecordError(
                f"the predictor is made for other {name}"
                if name == "features"
                else "the predictor is made for another game",
                where=str(card_path),
                value=card[name],
                hint="train one with this version of sleuth",
            )
    return Predictor(card, _checked_tables(_arrays(content, arrays_path), card, arrays_path))


def paths(path: str | Path) -> tuple[Path, Path]:
    """Names of a predictor's two files: arrays and card.

    Raises:
        RecordError: The path ends in no name.
    """
    base = Path(path)
    if not base.name:
        raise RecordError(
            "a predictor needs a name",
            value=str(path),
            hint="a predictor is two files, NAME.npz and NAME.json",
        )
    if base.suffix in (".npz", ".json"):
        base = base.with_suffix("")
    return base.with_name(base.name + ".npz"), base.with_name(base.name + ".json")


def array_bytes(tables: PredictorTables) -> bytes:
    """The arrays as they stand in a file: the same for the same arrays."""
    return bundled(tables._asdict())


def _read(path: Path) -> bytes:
    hint = "a predictor is two files, NAME.npz and NAME.json"
    return FileKind(what="the predictor", most=MOST_BYTES, hint=hint).bytes(path)


_FIELDS: Final[dict[str, type]] = {
    "format": str, "version": int, "game": str, "predicts": str, "kind": str, "features": list,
    "lowest": list, "highest": list, "sha256": str,
}  # fmt: skip


def _checked_card(content: bytes, where: str) -> dict[str, Any]:
    try:
        value = parse_json(content)
    except RecordError as error:
        raise RecordError(
            f"the card cannot be read: {error}",
            where=where,
            hint="the file is damaged: get it again, or train anew",
        ) from None
    if not isinstance(value, dict) or cast(dict[str, Any], value).get("format") != FORMAT:
        raise RecordError("this is not the card of a predictor", where=where)
    card = cast(dict[str, Any], value)
    version = card.get("version")
    if type(version) is not int or version < 1:
        raise refused("the card has no version", where=where, value=version)
    if version > VERSION:
        raise RecordError(
            f"the predictor was written by a newer sleuth: version {version}",
            where=where,
            hint=f"this one reads up to version {VERSION}; update sleuth",
        )
    for name, kind in _FIELDS.items():
        if type(card.get(name)) is not kind:
            raise RecordError(
                f"the card's field {name!r} is missing or of another type", where=where
            )
    names: list[Any] = card["features"]
    if not 1 <= len(names) <= MOST_FEATURES or not all(type(name) is str for name in names):
        raise RecordError("the card must name its features", where=where)
    if card["kind"] not in KINDS:
        raise RecordError("no such kind of predictor", where=where, value=card["kind"])
    for name in ("lowest", "highest"):
        numbers: list[Any] = card[name]
        if len(numbers) != len(names) or not all(is_number(each) for each in numbers):
            raise RecordError(
                f"the card's field {name!r} has a number for each feature", where=where
            )
    spread: Any = card.get("spread", 0.0)
    if type(spread) not in (int, float) or not 0 <= spread <= MOST_SPREAD:
        raise refused(
            f"the card's field 'spread' is a number from 0 to {MOST_SPREAD}",
            where=where,
            value=spread,
            hint="in log odds; write 0 for players who do not differ",
        )
    return card


def _arrays(content: bytes, path: Path) -> dict[str, NDArray[Any]]:
    try:
        return unbundled(content, most=MOST_BYTES)[0]
    except Exception:
        raise RecordError(
            "the arrays cannot be read", where=str(path), hint="the file is damaged: get it again"
        ) from None


def _checked_tables(
    arrays: Mapping[str, NDArray[Any]], card: Mapping[str, Any], path: Path
) -> PredictorTables:
    def refuse(what: str) -> RecordError:
        return RecordError(
            f"the arrays make no predictor: {what}",
            where=str(path),
            hint="the file is damaged or was changed: get it again, or train anew",
        )

    count = len(card["features"])
    if set(arrays) != set(PredictorTables._fields):
        raise refuse("one is missing, or there is one too many")
    shapes = {"typical": (count,), "numbers": (4,), "weights": (count,)}
    for name, shape in shapes.items():
        if arrays[name].dtype != np.float64 or arrays[name].shape != shape:
            raise refuse(f"{name} has another type or shape")
        if not _usable(arrays[name]):
            raise refuse(f"{name} has a number that is not finite, or too large")
    nodes, roots = arrays["nodes"], arrays["roots"]
    if nodes.dtype != NODE or nodes.ndim != 1 or roots.dtype != np.int32 or roots.ndim != 1:
        raise refuse("nodes or roots have another type or shape")
    if arrays["numbers"][0] != KINDS.index(card["kind"]):
        raise refuse("its kind is not that of the card")
    if card["kind"] not in ("linear", "choice"):
        _check_trees(nodes, roots, count, refuse)
    return PredictorTables(
        nodes.view(np.recarray),
        np.ascontiguousarray(roots),
        np.ascontiguousarray(arrays["typical"]),
        np.ascontiguousarray(arrays["numbers"]),
        np.ascontiguousarray(arrays["weights"]),
    )


def _check_trees(nodes: NDArray[Any], roots: NDArray[Any], count: int, refuse: Any) -> None:
    """Every way through every tree stays within it and ends."""
    # In 64 bits: the difference of two numbers of 32 bits can be too large for such a number.
    roots = roots.astype(np.int64)
    feature, ways = nodes["feature"].astype(np.int64), nodes["right"].astype(np.int64)
    if len(roots) < 1 or roots[0] != 0 or np.any(np.diff(roots) < 1) or roots[-1] >= len(nodes):
        raise refuse("a tree does not begin where the one before it ends")
    if not _usable(nodes["threshold"]):
        raise refuse("a threshold is not finite, or too large")
    place = np.arange(len(nodes))
    ends = np.append(roots[1:], len(nodes))[np.searchsorted(roots, place, side="right") - 1]
    inner = feature >= 0
    if np.any(feature < -1) or np.any(feature >= count):
        raise refuse("a node asks for a feature that is not there")
    # Both ways lead onwards, so no way goes round in a circle.
    right = ways[inner]
    if np.any(right <= place[inner] + 1) or np.any(right >= ends[inner]):
        raise refuse("a way leads out of its tree")
    if np.any(ways[~inner] != place[~inner]):
        raise refuse("a leaf is no end")


def _usable(numbers: NDArray[np.float64]) -> bool:
    """True if no sum or product of such numbers can become anything but a number."""
    return bool((np.abs(numbers) <= MOST_NUMBER).all())


def forest_nodes(trees: Sequence[Any], scale: float = 1.0) -> tuple[Any, NDArray[np.int32]]:
    """The nodes and roots of scikit-learn's fitted trees.

    Args:
        trees: Their ``tree_`` attributes. Leaves of two classes get the share of the second.
        scale: By which leaves are multiplied, as the learning rate of boosted trees.
    """
    parts: list[NDArray[Any]] = []
    roots: list[int] = []
    total = 0
    for tree in trees:
        made = np.zeros(tree.node_count, dtype=NODE)
        order: list[int] = []
        stack = [0]
        while stack:
            node = stack.pop()
            order.append(node)
            if tree.children_left[node] >= 0:
                stack += [int(tree.children_right[node]), int(tree.children_left[node])]
        place = np.empty(tree.node_count, dtype=np.int64)
        place[order] = np.arange(len(order))
        inner = tree.children_left >= 0
        values: NDArray[np.float64] = tree.value[:, 0, :]
        leaf = values[:, 0] if values.shape[1] == 1 else values[:, 1] / values.sum(axis=1)
        made["feature"][place] = np.where(inner, tree.feature, -1)
        made["threshold"][place] = np.where(inner, tree.threshold, leaf * scale)
        made["right"] = total + np.arange(len(order))
        made["right"][place[inner]] = place[tree.children_right[inner]] + total
        roots.append(total)
        total += len(order)
        parts.append(made)
    made = np.concatenate(parts) if parts else np.zeros(0, dtype=NODE)
    return made.view(np.recarray), np.array(roots, dtype=np.int32)
