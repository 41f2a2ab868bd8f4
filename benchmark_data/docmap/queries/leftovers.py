"""Flags on pipelines that think in tables: what a person should look at before they become gold."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_JAVASCRIPT = frozenset({"$where", "$function", "$accumulator"})


def relational_leftovers(
    pipeline: list[dict[str, Any]], *, embedded: Iterable[tuple[str, str]] = (), collection: str = ""
) -> tuple[str, ...]:
    """Flags of D6, sorted.

    Args:
        pipeline: the stages.
        embedded: pairs of a collection and another one whose data it holds already.
        collection: where the pipeline starts.

    Returns:
        "javascript", "cross_join", "unindexed_lookup" (a pipeline decides without a key), "embedded_lookup" (of data
        that lies in the document), "pushes_documents" ($push of $$ROOT), "self_lookup" (a $lookup of the own
        collection for one value), "facet_as_union".
    """
    found = set(_in_stages(pipeline, collection, frozenset(embedded)))
    found |= {"javascript" for key, _ in _pairs(pipeline) if key in _JAVASCRIPT}
    found |= {
        "pushes_documents" for key, value in _pairs(pipeline) if key == "$push" and value in ("$$ROOT", "$$CURRENT")
    }
    return tuple(sorted(found))


def _in_stages(pipeline: list[dict[str, Any]], collection: str, embedded: frozenset[tuple[str, str]]) -> Iterator[str]:
    for stage in pipeline:
        [(name, value)] = stage.items()
        if name == "$lookup":
            yield from _in_lookup(value, collection, embedded)
        if name == "$facet" and len(value) > 1:
            yield "facet_as_union"
        for inside, source in _pipelines(name, value, collection):
            yield from _in_stages(inside, source, embedded)


def _in_lookup(value: Mapping[str, Any], collection: str, embedded: frozenset[tuple[str, str]]) -> Iterator[str]:
    stages = value.get("pipeline") or []
    if "localField" not in value:
        if value.get("let"):
            yield "unindexed_lookup"
        elif not any("$limit" in stage or _is_whole_group(stage) for stage in stages):
            yield "cross_join"
    if (collection, value["from"]) in embedded:
        yield "embedded_lookup"
    if collection and value["from"] == collection and any(_is_whole_group(stage) for stage in stages):
        yield "self_lookup"


def _is_whole_group(stage: Mapping[str, Any]) -> bool:
    """Whether a stage makes one document of all."""
    return "$facet" in stage or ("$group" in stage and stage["$group"].get("_id", 0) is None)


def _pipelines(name: str, value: Any, collection: str) -> Iterator[tuple[list[dict[str, Any]], str]]:
    if name == "$facet":
        for inside in value.values():
            yield inside, collection
    elif name in {"$lookup", "$unionWith"} and isinstance(value, Mapping) and value.get("pipeline"):
        yield value["pipeline"], str(value.get("from") or value.get("coll"))


def _pairs(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, Mapping):
        for key, inside in value.items():
            yield key, inside
            yield from _pairs(inside)
    elif isinstance(value, list):
        for inside in value:
            yield from _pairs(inside)
