"""What a docmap makes use of: the verbs of its language, and the patterns of document design that they amount to."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Final

from benchmark_data.docmap.types import (
    ColumnField,
    ComputedField,
    ConstField,
    DeriveField,
    Docmap,
    EmbedManyField,
    EmbedOneField,
    Field,
    ReferenceField,
    Transform,
)
from benchmark_data.docmap.vocabulary import FailPolicy, NullPolicy, Operation, Role
from benchmark_data.docmap.walk import all_fields

VERBS: Final = (
    "column", "column type", "column decode", "column format", "column stored", "column null: omit",
    *(f"column on_fail: {policy}" for policy in (FailPolicy.KEEP, FailPolicy.NULL, FailPolicy.QUARANTINE)),
    "const", "derive", "embed_one upwards", "embed_one 1:1", "embed_one scalar", "embed_many home", "embed_many copy",
    "embed_many through", "embed_many payload", "embed_many key_by", "embed_many scalar", "embed_many order_by",
    "embed_many limit", "embed_many where", "embed_many max_items", "orphans", "reference", "reference extended",
    *(f"computed {operation}" for operation in Operation), "computed over several links", "computed where",
    "discriminator", "bucket", "relationships", "waivers", "checks", "workload", "indexes",
)  # fmt: skip
"""Everything that a docmap can say, in the order of the report."""

PATTERNS: Final = (
    "embedding", "subset", "extended reference", "computed", "attribute", "polymorphic", "bucket", "tree",
    "many-to-many with payload", "one-to-one",
)  # fmt: skip
"""The modelling patterns, in the order of the report."""


def verbs_of(docmap: Docmap) -> frozenset[str]:
    """The verbs, with their options, that a docmap uses."""
    found = {verb for field in _fields(docmap) for verb in _verbs(field)}
    collections = docmap.collections
    whole = {
        "discriminator": any(collection.discriminator for collection in collections),
        "bucket": any(collection.bucket for collection in collections),
        "indexes": any(collection.indexes for collection in collections),
        "relationships": any(not link.declared for link in docmap.links.values()),
        "waivers": bool(docmap.waivers),
        "checks": bool(docmap.checks),
        "workload": bool(docmap.workload),
    }
    return frozenset(found | {verb for verb, is_used in whole.items() if is_used})


def patterns_of(docmap: Docmap) -> frozenset[str]:
    """The modelling patterns that a docmap's fields amount to."""
    fields = tuple(_fields(docmap))
    found = {name for name, is_meant in _FIELD_PATTERNS.items() if any(map(is_meant, fields))}
    found |= {"polymorphic"} if any(collection.discriminator for collection in docmap.collections) else set()
    found |= {"bucket"} if any(collection.bucket for collection in docmap.collections) else set()
    return frozenset(found)


def _fields(docmap: Docmap) -> Iterator[Field]:
    yield from all_fields(docmap)
    for collection in docmap.collections:
        yield from collection.bucket.by if collection.bucket is not None else ()


def _verbs(field: Field) -> Iterator[str]:
    if isinstance(field, ColumnField):
        yield "column"
        yield from _transform_verbs(field.transform)
    elif isinstance(field, ConstField):
        yield "const"
    elif isinstance(field, DeriveField):
        yield "derive"
    elif isinstance(field, ReferenceField):
        yield "reference extended" if field.extended else "reference"
    elif isinstance(field, ComputedField):
        yield f"computed {field.operation}"
        yield from ("computed over several links",) if len(field.links) > 1 else ()
        yield from ("computed where",) if field.where else ()
    elif isinstance(field, EmbedOneField):
        yield "embed_one upwards" if field.upwards else "embed_one 1:1"
        yield from ("embed_one scalar",) if field.scalar else ()
        yield from ("orphans",) if field.orphans.collection else ()
    else:
        yield from _many_verbs(field)


def _transform_verbs(transform: Transform) -> Iterator[str]:
    options = {
        "column type": transform.type is not None,
        "column decode": bool(transform.decode),
        "column format": transform.format != Transform().format,
        "column stored": transform.stored is not None,
        "column null: omit": transform.null is NullPolicy.OMIT,
        f"column on_fail: {transform.on_fail}": transform.on_fail is not FailPolicy.ERROR,
    }
    yield from (verb for verb, is_used in options.items() if is_used)


def _many_verbs(field: EmbedManyField) -> Iterator[str]:
    options = {
        f"embed_many {field.role}": True,
        "embed_many through": field.through is not None,
        "embed_many payload": field.through is not None and bool(field.shape.fields),
        "embed_many key_by": field.key_by is not None,
        "embed_many scalar": field.scalar,
        "embed_many order_by": bool(field.order_by),
        "embed_many limit": field.limit is not None,
        "embed_many where": bool(field.where),
        "embed_many max_items": field.max_items is not None,
        "orphans": field.orphans.collection is not None,
    }
    yield from (verb for verb, is_used in options.items() if is_used)


def _is_tree(field: Field) -> bool:
    links = field.links if isinstance(field, ComputedField) else () if not hasattr(field, "link") else (field.link,)
    return any(link.child == link.parent for link in links)


_FIELD_PATTERNS: Final[Mapping[str, Callable[[Field], bool]]] = MappingProxyType(
    {
        "embedding": lambda field: isinstance(field, EmbedOneField | EmbedManyField) and field.role is Role.HOME,
        "subset": lambda field: isinstance(field, EmbedManyField) and field.limit is not None,
        "extended reference": lambda field: isinstance(field, ReferenceField) and bool(field.extended),
        "computed": lambda field: isinstance(field, ComputedField),
        "attribute": lambda field: isinstance(field, EmbedManyField) and field.key_by is not None,
        "tree": _is_tree,
        "many-to-many with payload": lambda field: "embed_many payload" in set(_verbs(field)),
        "one-to-one": lambda field: "embed_one 1:1" in set(_verbs(field)),
    }
)
