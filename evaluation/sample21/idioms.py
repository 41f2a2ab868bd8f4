"""Flags gold that thinks in tables: lookups of what lies in the document already, whole documents passed on."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from benchmark_data.docmap.queries.leftovers import relational_leftovers
from benchmark_data.docmap.types import ColumnField, Docmap, EmbedManyField, EmbedOneField, Shape
from benchmark_data.docmap.walk import parts_of, shapes_in
from evaluation.sample21.proofs import ItemFault
from evaluation.types import Query

_WHOLE: Final = ("$$ROOT", "$$CURRENT")
_ADVICE: Final = frozenset({"facet_as_union", "unindexed_lookup"})
_MEANING: Final[Mapping[str, str]] = {
    "javascript": "it runs JavaScript",
    "cross_join": "a lookup without a key joins everything with everything",
    "unindexed_lookup": "a lookup decides by its pipeline, without a key",
    "embedded_lookup": "it looks up what lies in the document already",
    "pushes_documents": "it gathers whole documents",
    "self_lookup": "it looks up its own collection for one value",
    "facet_as_union": "its branches may be one query each",
}


def idiom_faults(query: Query, docmap: Docmap) -> Iterator[ItemFault]:
    """What of a gold query a document's reader would not write; some of it is advice only."""
    pipeline = list(query.arguments.get("pipeline", ()))
    flags = relational_leftovers(pipeline, embedded=held_elsewhere(docmap), collection=query.collection)
    for flag in flags:
        message = f"{_MEANING[flag]}."
        yield ItemFault(field="mql", rule=flag, message=message, is_advice=flag in _ADVICE)
    whole = sorted({text.split(".")[0] for text in _texts(query.arguments) if text.split(".")[0] in _WHOLE})
    for text in whole:
        yield ItemFault(field="mql", rule="whole_document", message=f"{text} passes whole documents on.")


def held_elsewhere(docmap: Docmap) -> frozenset[tuple[str, str]]:
    """Pairs of a collection and another one, all of whose own columns the first one holds in embedded objects."""
    roots = {collection.name: root for collection in docmap.collections for root in collection.roots}
    columns = {name: (root.table, _columns(root.shape)) for name, root in roots.items()}
    found = set()
    for name, root in roots.items():
        held: dict[str, set[str]] = {}
        for shape in shapes_in(root.shape):
            for field in shape.fields:
                for part in parts_of(field) if isinstance(field, EmbedOneField | EmbedManyField) else ():
                    held.setdefault(part.table, set()).update(_columns(part))
        for other, (table, own) in columns.items():
            if other != name and table in held and own and own <= held[table]:
                found.add((name, other))
    return frozenset(found)


def _columns(shape: Shape) -> set[str]:
    return {field.column for field in shape.fields if isinstance(field, ColumnField)}


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for inside in value.values():
            yield from _texts(inside)
    elif isinstance(value, list | tuple):
        for inside in value:
            yield from _texts(inside)
