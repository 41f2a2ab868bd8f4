"""The same query asked in another order: what changes then was the engine's choice, not the question's.

Case: mini_dev issue 49, where 23 gold queries cut ties or nulls at a limit, so that a right answer could lose.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from typing import Any, Final

from evaluation.types import Operation, Query

Stage = Mapping[str, Any]

KEY: Final = "__aptboard_key_"
"""Begins the names of computed sort keys; they are removed again right after the sort."""

WHOLE: Final = f"{KEY}whole"
"""The key that holds a whole document: it decides every tie, also where documents share an _id or have none."""

FIRST_ONLY: Final = frozenset({"$geoNear", "$documents", "$densify", "$fill"})
"""Stages that must come first, or before which another order would ask another question."""

FIND_ONLY: Final = frozenset({"$", "$slice", "$elemMatch", "$meta"})
"""What a projection of find() may hold and a `$project` stage means otherwise."""

NEAREST_FIRST: Final = frozenset({"$near", "$nearSphere"})
"""Conditions of find() that sort by distance where nothing else is asked for."""

REGROUPING: Final = frozenset({"$group", "$bucket", "$bucketAuto"})

NUMBERS: Final = ["int", "long", "double", "decimal"]
NOTHING: Final = ["missing", "null", "undefined"]


class Perturbation(StrEnum):
    """One way to ask in another order."""

    ASCENDING = "ascending"
    DESCENDING = "descending"
    NULLS_LAST = "nulls_last"
    TEXT_AS_NUMBERS = "text_as_numbers"
    NUMBERS_ABOVE_TEXT = "numbers_above_text"


ORDERS: Final = frozenset({Perturbation.ASCENDING, Perturbation.DESCENDING})


def perturbed(query: Query, perturbation: Perturbation) -> Query | None:
    """The query with the order that it leaves open decided.

    `ascending` and `descending` bring the documents of every collection, and the groups of every `$group`, in the
    order of `_id`, and break the ties of every sort by the whole documents. The others are `ascending`, and sort
    otherwise: `nulls_last` null and missing behind every value, `text_as_numbers` text that reads as a number by that
    number, `numbers_above_text` numbers above text, where MongoDB has them below. They are to be compared with
    `ascending`, so that each changes one thing.

    Returns None where order can make no difference, or where the query cannot be asked so.
    """
    if query.operation is Operation.DISTINCT:
        # The values come in any order: where one of them is taken, all of them are asked for instead.
        return None if query.index is None or perturbation not in ORDERS else replace(query, index=None)
    if query.operation in {Operation.FIND, Operation.FIND_ONE}:
        if not query.arguments.get("sort") and NEAREST_FIRST.intersection(_keys(query.arguments.get("filter"))):
            return None
        if perturbation in ORDERS:
            return _find_sorted(query, perturbation)
    pipeline = _as_pipeline(query)
    if pipeline is None:
        return None
    rewritten = _Rewriter(perturbation=perturbation).pipeline(pipeline, whole=True)
    unchanged = perturbation not in ORDERS and rewritten == _Rewriter().pipeline(pipeline, whole=True)
    if unchanged or rewritten == pipeline:
        return None
    kept = {name: value for name, value in query.arguments.items() if name == "collation"}
    return replace(query, operation=Operation.AGGREGATE, arguments={"pipeline": rewritten, **kept})


def _find_sorted(query: Query, perturbation: Perturbation) -> Query:
    """A find() stays one, for its projections; before them each document has an _id of its own."""
    keys = _sort(query)
    if "_id" not in keys:
        keys = {**keys, "_id": -1 if perturbation is Perturbation.DESCENDING else 1}
    return replace(query, arguments={**query.arguments, "sort": keys})


def _sort(query: Query) -> Mapping[str, Any]:
    """What a find() is sorted by; the order of the storage is no order."""
    return {path: way for path, way in (query.arguments.get("sort") or {}).items() if path != "$natural"}


def _as_pipeline(query: Query) -> list[Stage] | None:
    arguments = query.arguments
    if query.operation is Operation.AGGREGATE:
        return list(arguments.get("pipeline") or ())
    if query.operation not in {Operation.FIND, Operation.FIND_ONE}:
        return None
    if any(key in FIND_ONLY or key.endswith(".$") for key in _keys(arguments.get("projection") or {})):
        return None
    limit = 1 if query.operation is Operation.FIND_ONE else abs(arguments.get("limit") or 0)
    stages = {
        "$match": arguments.get("filter"),
        "$sort": _sort(query),
        "$skip": arguments.get("skip"),
        "$limit": limit,
        "$project": arguments.get("projection"),
    }
    return [{name: value} for name, value in stages.items() if value]


def _keys(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        current = waiting.pop()
        if isinstance(current, Mapping):
            yield from current.keys()
            waiting.extend(current.values())
        elif isinstance(current, list | tuple):
            waiting.extend(current)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rewriter:
    """Rewrites pipelines at every depth for one perturbation."""

    perturbation: Perturbation = Perturbation.ASCENDING

    @property
    def direction(self) -> int:
        return -1 if self.perturbation is Perturbation.DESCENDING else 1

    def pipeline(self, stages: Sequence[Stage], *, whole: bool) -> list[Stage]:
        """One pipeline; `whole` where it reads its own documents from a collection."""
        rewritten: list[Stage] = []
        for stage in stages:
            rewritten.extend(self.stage(stage))
        if not whole or (stages and next(iter(stages[0]), "") in FIRST_ONLY):
            return rewritten
        # Behind the first $match, so that an index still finds the documents and $text stands first.
        start = 1 if stages and "$match" in stages[0] else 0
        return [*rewritten[:start], {"$sort": {"_id": self.direction}}, *rewritten[start:]]

    def stage(self, stage: Stage) -> Iterator[Stage]:
        """The stages that stand for one."""
        name, content = next(iter(stage.items()), ("", None))
        rewrite = self.rewriters().get(name)
        if rewrite is None or not isinstance(content, Mapping | str):
            yield stage
        else:
            yield from rewrite(content)

    def rewriters(self) -> Mapping[str, Callable[[Any], Iterable[Stage]]]:
        """What each stage that has to do with order becomes."""
        return {
            "$sort": self.sort,
            "$sortByCount": self.sort_by_count,
            "$sample": self.sample,
            "$lookup": self.lookup,
            "$graphLookup": self.graph_lookup,
            "$unionWith": self.union,
            "$facet": self.facet,
            **{name: partial(self.regroup, name) for name in REGROUPING},
        }

    def lookup(self, content: Mapping[str, Any]) -> Iterator[Stage]:
        """A `$lookup`, whose documents come in the order in which they are found."""
        yield {"$lookup": self.with_pipeline(content) if "from" in content else content}

    def graph_lookup(self, content: Mapping[str, Any]) -> Iterator[Stage]:
        """A `$graphLookup`, whose documents come in no particular order, by the server's manual."""
        yield {"$graphLookup": content}
        yield from self.turned(content.get("as"))

    def union(self, content: Mapping[str, Any] | str) -> Iterator[Stage]:
        yield {"$unionWith": self.with_pipeline({"coll": content} if isinstance(content, str) else content)}

    def facet(self, content: Mapping[str, Any]) -> Iterator[Stage]:
        yield {"$facet": {name: self.pipeline(part, whole=False) for name, part in content.items()}}

    def with_pipeline(self, content: Mapping[str, Any]) -> Mapping[str, Any]:
        return {**content, "pipeline": self.pipeline(content.get("pipeline") or (), whole=True)}

    def regroup(self, name: str, content: Mapping[str, Any]) -> Iterator[Stage]:
        """A stage that makes groups, which come in no particular order, nor do the elements of a set."""
        yield {name: content}
        fields = content if name == "$group" else content.get("output") or {}
        for field, accumulator in fields.items():
            if isinstance(accumulator, Mapping) and "$addToSet" in accumulator:
                yield from self.turned(field)
        yield {"$sort": {"_id": self.direction}}

    def turned(self, path: Any) -> Iterator[Stage]:
        """An array whose order means nothing, the other way round.

        Not where documents descend: an engine that keeps the order in which they come would give it turned already.
        """
        if self.direction == 1 and isinstance(path, str):
            yield {"$addFields": {path: {"$reverseArray": f"${path}"}}}

    def sample(self, content: Mapping[str, Any]) -> Iterator[Stage]:
        """A sample: the first documents, or the last ones."""
        yield from self.sort({})
        yield {"$limit": content.get("size")}

    def sort_by_count(self, content: Any) -> Iterator[Stage]:
        yield {"$group": {"_id": content, "count": {"$sum": 1}}}
        yield from self.sort({"count": -1})

    def sort(self, keys: Mapping[str, Any]) -> Iterator[Stage]:
        """A `$sort` with its open order decided."""
        plain = all(isinstance(way, int | float) for way in keys.values())
        # A sort by text score has no value to look at.
        computed = plain and self.perturbation not in ORDERS
        names = {path: f"{KEY}{number}" for number, path in enumerate(keys)} if computed else {}
        yield {"$addFields": {WHOLE: "$$ROOT", **{name: self.key(path) for path, name in names.items()}}}
        order: dict[str, Any] = {}
        for path, way in keys.items():
            order |= self.ordered(names[path], path, way) if computed else {path: way}
        yield {"$sort": {**order, WHOLE: self.direction}}
        yield {"$project": dict.fromkeys((WHOLE, *names.values()), 0)}

    def ordered(self, name: str, path: str, way: int) -> Mapping[str, int]:
        """The sort by one path; `name` holds its computed key."""
        match self.perturbation:
            case Perturbation.NULLS_LAST:
                return {name: 1, path: way}
            case Perturbation.TEXT_AS_NUMBERS:
                return {name: way}
            case _:
                return {name: way, path: way}

    def key(self, path: str) -> Mapping[str, Any]:
        """The computed key that stands before, or for, the value at a path."""
        value = f"${path}"
        kind = {"$type": value}
        match self.perturbation:
            case Perturbation.NULLS_LAST:
                # Missing compares below null, and null below everything else but MinKey.
                return {"$cond": [{"$lte": [value, None]}, 1, 0]}
            case Perturbation.TEXT_AS_NUMBERS:
                number = {"$convert": {"input": value, "to": "double", "onError": value, "onNull": None}}
                return {"$cond": [{"$eq": [kind, "string"]}, number, value]}
            case _:
                text_or_other = {"$cond": [{"$eq": [kind, "string"]}, 2, 1]}
                number_or_less = {"$cond": [{"$in": [kind, NUMBERS]}, 3, text_or_other]}
                return {"$cond": [{"$in": [kind, NOTHING]}, 0, number_or_less]}
