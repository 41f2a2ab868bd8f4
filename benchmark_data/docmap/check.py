"""Checks a docmap before any data is read: all faults at once, each with its line."""

import sqlite3
from collections.abc import Iterable
from pathlib import Path

from benchmark_data.docmap.check_fields import check_shape
from benchmark_data.docmap.check_homes import check_homes
from benchmark_data.docmap.read import read_docmap
from benchmark_data.docmap.source import Schema, connect_read_only, quoted, read_schema
from benchmark_data.docmap.types import (
    Bucket,
    CollectionMap,
    ComputedField,
    DeriveField,
    Docmap,
    EmbedManyField,
    Field,
    Root,
    Shape,
)
from benchmark_data.docmap.walk import all_shapes, orphan_collections
from benchmark_data.errors import FaultyBundleError
from benchmark_data.faults import FaultLog
from benchmark_data.names import collection_name_problem, db_id_problem, indexed_path_problem


def read_checked(docmap: Path, source: Path) -> Docmap:
    """Read a docmap and check it against its source.

    Raises:
        FaultyBundleError: with all faults of text and design.
        SourceError: the source is no database that can be read.
        OSError: the docmap cannot be read.
    """
    connection = connect_read_only(source)
    try:
        log = FaultLog(docmap.name)
        try:
            text = docmap.read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            log.add("not_utf8", f"not UTF-8: byte {error.start + 1} is {error.object[error.start]:#04x}.")
            raise FaultyBundleError(log.faults) from error
        return checked(text, connection, log)
    finally:
        connection.close()


def checked(text: str, connection: sqlite3.Connection, log: FaultLog) -> Docmap:
    """Read and check a docmap's text.

    Raises:
        FaultyBundleError: with all faults.
    """
    schema = read_schema(connection)
    found = read_docmap(text, schema, log)
    if found is not None:
        check(found, schema, log)
        _check_expressions(found, connection, log)
    if found is None or log.total:
        faults = sorted(log.faults, key=lambda fault: fault.line or 0)
        raise FaultyBundleError(tuple(faults), total=log.total)
    return found


def check(docmap: Docmap, schema: Schema, log: FaultLog) -> None:
    """Note what is wrong with a docmap's design: names, paths, roles, types, and tables or columns without a home."""
    problem = db_id_problem(docmap.db_id) if docmap.db_id else None
    if problem is not None:
        log.add("bad_name", problem, field="source.db_id")
    for collection in docmap.collections:
        _check_collection(collection, schema, log)
    _check_orphans(docmap, log)
    names = {collection.name for collection in docmap.collections}
    for pattern in docmap.workload:
        if pattern.root and pattern.root not in names:
            log.add("unknown_collection", f"no collection {pattern.root!r}.", field=f"workload.{pattern.id}")
    check_homes(docmap, schema, log)


def _check_collection(collection: CollectionMap, schema: Schema, log: FaultLog) -> None:
    field = f"collections.{collection.name}"
    _check_name(collection.name, log, collection.line, field)
    values = [repr(root.value) for root in collection.roots]
    if collection.discriminator is not None and len(set(values)) < len(values):
        log.add("repeated_value", "two variants have the same value.", line=collection.line, field=field)
    reserved = ["_quarantine"]
    if collection.discriminator is not None:
        reserved.append(collection.discriminator)
    for root in collection.roots:
        if collection.bucket is not None:
            _check_bucket(root, collection.bucket, schema, log, field)
        else:
            check_shape(root.shape, schema, log, field=field, reserved=reserved, is_root=True)
    for index in collection.indexes:
        for path, _ in index.keys:
            problem = indexed_path_problem(path)
            if problem is not None:
                log.add("bad_index", f"{path!r} {problem}", line=collection.line, field=f"{field}.indexes")


def _check_bucket(root: Root, bucket: Bucket, schema: Schema, log: FaultLog, field: str) -> None:
    if root.id_fields:
        log.add("bad_id", "a bucket makes its own _id.", line=root.line, field=field)
    head = Shape(table=root.table, fields=bucket.by)
    check_shape(head, schema, log, field=field, reserved=("_id", "count", "bucket", bucket.items))
    check_shape(Shape(table=root.table, fields=root.fields), schema, log, field=f"{field}.{bucket.items}")


def _check_name(name: str, log: FaultLog, line: int, field: str) -> None:
    problem = collection_name_problem(name)
    if problem is not None:
        log.add("bad_name", f"the collection's name {problem}", line=line, field=field)


def _check_orphans(docmap: Docmap, log: FaultLog) -> None:
    taken = {collection.name for collection in docmap.collections}
    for name, fields in orphan_collections(docmap).items():
        line, path = fields[0].line, f"{fields[0].path}.orphans"
        _check_name(name, log, line, path)
        if name in taken or len(fields) > 1:
            message = f"the collection {name!r} is used twice: orphans need one of their own."
            log.add("repeated_collection", message, line=fields[-1].line, field=path)


def _check_expressions(docmap: Docmap, connection: sqlite3.Connection, log: FaultLog) -> None:
    """Let SQLite compile each expression over its table, without running it."""
    for shape in all_shapes(docmap):
        for field in shape.fields:
            if isinstance(field, DeriveField):
                _compile(connection, shape.table, [field.expression], log, field)
            elif isinstance(field, EmbedManyField) and field.where:
                _compile(connection, field.link.child, [field.where], log, field)
            elif isinstance(field, ComputedField):
                written = [text for text in (field.expression, field.where) if text]
                _compile(connection, field.links[-1].child, written, log, field)
    for check_ in docmap.checks:
        try:
            connection.execute(f"EXPLAIN {check_.sql}").close()
        except sqlite3.Error as error:
            log.add("bad_sql", f"SQLite refuses it: {error}.", field=f"checks.{check_.name}")


def _compile(
    connection: sqlite3.Connection, table: str, expressions: Iterable[str], log: FaultLog, field: Field
) -> None:
    for expression in expressions:
        try:
            connection.execute(f"EXPLAIN SELECT ({expression}) FROM {quoted(table)}").close()  # noqa: S608 the author's
        except sqlite3.Error as error:
            log.add("bad_expression", f"{expression!r} over {table}: {error}.", line=field.line, field=field.path)
