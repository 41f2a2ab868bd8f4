"""The same query asked in another order: what changes then was the engine's choice, not the question's.

Case: mini_dev issue 49, where 23 gold queries cut ties or nulls at a limit, so that a right answer could lose.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Final

from evaluation.types import Operation, Query

Stage = Mapping[str, Any]

KEY: Final = "__aptboard_key_"
"""Begins the names of computed sort keys; they are removed again right after the sort."""

FIRST_ONLY: Final = frozenset({"$geoNear", "$documents", "$densify", "$fill"})
"""Stages that must come first, or before which another order would ask another question."""

FIND_ONLY: Final = frozenset({"$", "$slice", "$elemMatch", "$meta"})
"""What a projection of find() may hold and a `$project` stage means otherwise."""

REGROUPING: Final = frozenset({"$group", "$bucket", "$bucketAuto"})


class Perturbation(StrEnum):
    """One way to ask in another order."""

    ASCENDING = "ascending"
    DESCENDING = "descending"
    NULLS_LAST = "nulls_last"
    TEXT_AS_NUMBERS = "text_as_numbers"


ORDERS: Final = {Perturbation.ASCENDING: 1, Perturbation.DESCENDING: -1}


def perturbed(query: Query, perturbation: Perturbation) -> Query | None:
    """The query as an aggregation in which the order that the query leaves open is decided.

    `ascending` and `descending` bring the documents of every collection, and the groups of every `$group`, in the
    order of `_id` and break ties of every `$sort` by it; `nulls_last` sorts null and missing behind every value;
    `text_as_numbers` sorts text that reads as a number by that number.

    Returns None where order can make no difference, or where the query cannot be asked as an aggregation.
    """
    pipeline = _as_pipeline(query)
    if pipeline is None:
        return None
    rewritten = _Rewriter(perturbation=perturbation).pipeline(pipeline, whole=True)
    if rewritten == pipeline:
        return None
    kept = {name: value for name, value in query.arguments.items() if name == "collation"}
    return replace(query, operation=Operation.AGGREGATE, arguments={"pipeline": rewritten, **kept})


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
        "$sort": arguments.get("sort"),
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

    perturbation: Perturbation

    @property
    def direction(self) -> int | None:
        return ORDERS.get(self.perturbation)

    def pipeline(self, stages: Sequence[Stage], *, whole: bool) -> list[Stage]:
        """One pipeline; `whole` where it reads its own documents from a collection."""
        rewritten: list[Stage] = []
        for stage in stages:
            rewritten.extend(self.stage(stage))
        if not whole or self.direction is None or (stages and next(iter(stages[0]), "") in FIRST_ONLY):
            return rewritten
        # Behind the first $match, so that an index still finds the documents and $text stands first.
        start = 1 if stages and "$match" in stages[0] else 0
        return [*rewritten[:start], {"$sort": {"_id": self.direction}}, *rewritten[start:]]

    def stage(self, stage: Stage) -> Iterator[Stage]:
        """The stages that stand for one."""
        name, content = next(iter(stage.items()), ("", None))
        if name == "$sort" and isinstance(content, Mapping):
            yield from self.sort(content)
        elif name == "$lookup" and isinstance(content, Mapping):
            yield {name: self.lookup(content)}
        elif name == "$unionWith" and isinstance(content, str | Mapping):
            yield {name: self.with_pipeline({"coll": content} if isinstance(content, str) else content)}
        elif name == "$facet" and isinstance(content, Mapping):
            yield {name: {key: self.pipeline(part, whole=False) for key, part in content.items()}}
        elif name == "$sortByCount" and self.direction is not None:
            yield {"$group": {"_id": content, "count": {"$sum": 1}}}
            yield {"$sort": {"count": -1, "_id": self.direction}}
        else:
            yield stage
            if name in REGROUPING and self.direction is not None:
                yield {"$sort": {"_id": self.direction}}

    def lookup(self, content: Mapping[str, Any]) -> Mapping[str, Any]:
        """A `$lookup`, whose documents come in the order in which they are found."""
        return self.with_pipeline(content) if "from" in content else content

    def with_pipeline(self, content: Mapping[str, Any]) -> Mapping[str, Any]:
        inner = self.pipeline(content.get("pipeline") or (), whole=True)
        return {**content, "pipeline": inner} if inner or "pipeline" in content else content

    def sort(self, keys: Mapping[str, Any]) -> Iterator[Stage]:
        """A `$sort` with its open order decided."""
        if self.direction is not None:
            yield {"$sort": {**keys, **({} if "_id" in keys else {"_id": self.direction})}}
            return
        plain = {path: way for path, way in keys.items() if way in {1, -1} and not isinstance(way, bool)}
        if plain != keys:
            # A sort by text score is left as it is.
            yield {"$sort": keys}
            return
        names = {path: f"{KEY}{number}" for number, path in enumerate(keys)}
        yield {"$addFields": {name: self.key(path) for path, name in names.items()}}
        order: dict[str, Any] = {}
        for path, way in keys.items():
            last = self.perturbation is Perturbation.NULLS_LAST
            order |= {names[path]: 1, path: way} if last else {names[path]: way}
        yield {"$sort": order}
        yield {"$project": dict.fromkeys(names.values(), 0)}

    def key(self, path: str) -> Mapping[str, Any]:
        """The computed key that stands before, or for, the value at a path."""
        value = f"${path}"
        if self.perturbation is Perturbation.NULLS_LAST:
            # Missing compares below null, and null below everything else but MinKey.
            return {"$cond": [{"$lte": [value, None]}, 1, 0]}
        number = {"$convert": {"input": value, "to": "double", "onError": value, "onNull": None}}
        return {"$cond": [{"$eq": [{"$type": value}, "string"]}, number, value]}
