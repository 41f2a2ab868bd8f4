"""Estimates what a pipeline costs: how many documents it reads and hands on, for a choice between equal pipelines."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import prod
from typing import Any, Final

from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.schema import Schema
from benchmark_data.docmap.queries.scope import TableLayout

_UNKNOWN_SIZE: Final = 1_000
_ELEMENTS: Final = 10.0
_LOOKUP: Final = 10.0
# Shares of documents that conditions keep, as query planners assume them without histograms.
_EQUAL, _RANGE, _PATTERN, _COMPUTED, _NEARLY_ALL = 0.05, 0.3, 0.2, 0.3, 0.9
_MISSING: Final = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Statistics:
    """What is known of the collections.

    Args:
        sizes: documents by collection.
        elements: mean elements of an array, by collection and path.
        indexed: by collection, the paths that an index begins with.
    """

    sizes: Mapping[str, int]
    elements: Mapping[tuple[str, str], float] = field(default_factory=dict)
    indexed: Mapping[str, frozenset[str]] = field(default_factory=dict)

    def size(self, collection: str) -> int:
        """Documents in a collection, at least one."""
        return max(1, self.sizes.get(collection, _UNKNOWN_SIZE))

    def is_indexed(self, collection: str, path: str) -> bool:
        """Whether an index finds documents by a path."""
        return path == "_id" or path in self.indexed.get(collection, frozenset())


def statistics_of(schema: Schema, layout: TableLayout) -> Statistics:
    """Sizes from the tables whose rows are documents, elements from those whose rows are in arrays."""
    sizes: dict[str, int] = {}
    embedded: list[tuple[str, str, int]] = []
    for table in schema.tables.values():
        try:
            place = layout.rows(table)
        except UntranslatableSqlError:
            continue
        paths = [str(step["$unwind"]).removeprefix("$") for step in place.steps if "$unwind" in step]
        if paths:
            embedded.append((place.collection, paths[-1], table.rows))
        else:
            sizes[place.collection] = sizes.get(place.collection, 0) + table.rows
    elements = {(name, path): rows / max(1, sizes.get(name, _UNKNOWN_SIZE)) for name, path, rows in embedded}
    return Statistics(sizes=sizes, elements=elements, indexed=layout.indexed)


def estimated_cost(collection: str, pipeline: Iterable[Mapping[str, Any]], statistics: Statistics) -> float:
    """Documents that a pipeline reads and hands on from stage to stage.

    A $lookup without index is taken for a hash join. Each $lookup makes all ten times as costly: a way with fewer joins
    is left only for one that reads next to nothing.
    """
    walk = _Walk(statistics)
    walk.run(collection, pipeline)
    return walk.cost * _LOOKUP**walk.lookups


class _Walk:
    """Goes through pipelines and adds up."""

    def __init__(self, statistics: Statistics) -> None:
        self._statistics = statistics
        self.cost = 0.0
        self.lookups = 0

    def run(self, collection: str, pipeline: Iterable[Mapping[str, Any]], rows: float | None = None) -> float:
        """The rows that come out; `rows` come in, all documents of the collection by default."""
        arrays: dict[str, float] = {}
        at_start = rows is None
        rows = float(self._statistics.size(collection)) if rows is None else rows
        for number, stage in enumerate(pipeline):
            [(name, value)] = stage.items()
            handed_on = rows
            if number == 0 and at_start and name == "$match":
                handed_on *= self._share_read(collection, value)
            self.cost += handed_on
            rows = self._after(name, value, rows, collection, arrays)
        return rows

    def _after(self, name: str, value: Any, rows: float, collection: str, arrays: dict[str, float]) -> float:
        if name == "$lookup":
            arrays[value["as"]] = self._looked_up(value, rows, collection)
        elif name == "$unwind":
            path = str(value["path"] if isinstance(value, Mapping) else value).removeprefix("$")
            return rows * arrays.get(path, self._statistics.elements.get((collection, path), _ELEMENTS))
        elif name == "$facet":
            for inside in value.values():
                self.run(collection, inside, rows)
            return 1.0
        elif name == "$unionWith":
            return rows + self.run(value["coll"], value.get("pipeline", []))
        return _kept(name, value, rows, self._statistics.size(collection))

    def _looked_up(self, value: Mapping[str, Any], rows: float, collection: str) -> float:
        """Documents that one row finds."""
        self.lookups += 1
        other, key = value["from"], value.get("foreignField")
        size = self._statistics.size(other)
        stages = value.get("pipeline") or []
        if key is None:
            # Without variables it is run once and kept.
            times = rows if value.get("let") else 1.0
            before = self.cost
            found = self.run(other, stages)
            self.cost = before + (self.cost - before + size) * times
            return found
        found = 1.0 if key == "_id" else max(1.0, size / self._statistics.size(collection))
        self.cost += rows * found + (0 if self._statistics.is_indexed(other, key) else size)
        before = self.cost
        kept = self.run(other, stages, found)
        self.cost = before + (self.cost - before) * rows
        return kept

    def _share_read(self, collection: str, condition: Mapping[str, Any]) -> float:
        size = self._statistics.size(collection)
        shares = [
            _share({path: test}, size)
            for path, test in condition.items()
            if path[:1] != "$" and self._statistics.is_indexed(collection, path)
        ]
        return min(shares, default=1.0)


def _kept(name: str, value: Any, rows: float, size: int) -> float:
    """Rows after a stage that only keeps some, or gathers them."""
    if name == "$match":
        return rows * _share(value, size)
    if name == "$group":
        return 1.0 if value.get("_id", 0) is None else rows * _RANGE
    return min(rows, float(value)) if name == "$limit" else rows


def _share(condition: Mapping[str, Any], size: int) -> float:
    """The share of documents that a $match document keeps."""
    return prod(_share_of(path, test, size) for path, test in condition.items())


def _share_of(path: str, test: Any, size: int) -> float:
    if path == "$and":
        return prod(_share(each, size) for each in test)
    if path == "$or":
        return min(1.0, sum(_share(each, size) for each in test))
    if path[:1] == "$":
        return _COMPUTED
    if test is None:
        return _MISSING
    if not isinstance(test, Mapping):
        return 1 / size if path == "_id" else _EQUAL
    return prod(_SHARES[operator](operand) if operator in _SHARES else _COMPUTED for operator, operand in test.items())


_SHARES: dict[str, Callable[[Any], float]] = {
    "$exists": lambda _: 1.0,
    "$ne": lambda operand: 1.0 if operand is None else _NEARLY_ALL,
    "$nin": lambda _: _NEARLY_ALL,
    "$in": lambda operand: min(1.0, _EQUAL * len(operand)),
    "$eq": lambda _: _EQUAL,
    "$gt": lambda _: _RANGE,
    "$gte": lambda _: _RANGE,
    "$lt": lambda _: _RANGE,
    "$lte": lambda _: _RANGE,
    "$regex": lambda _: _PATTERN,
    "$options": lambda _: 1.0,
}
