"""Checks the fields of a docmap: legal paths that do not collide, roles that can hold, types that can be undone."""

from collections.abc import Iterable, Sequence

from benchmark_data.docmap.source import Schema, Table
from benchmark_data.docmap.transform import NATURAL
from benchmark_data.docmap.types import ColumnField, EmbedManyField, EmbedOneField, Field, Link, Shape
from benchmark_data.docmap.vocabulary import Role, StorageClass
from benchmark_data.docmap.walk import Embedding, orphan_columns, parts_of
from benchmark_data.faults import FaultLog

# The storage classes that a column of an affinity is sure not to have, or has by exception only.
_STORED = {
    "TEXT": {StorageClass.TEXT, StorageClass.BLOB},
    "INTEGER": {StorageClass.INTEGER, StorageClass.REAL},
    "REAL": {StorageClass.REAL},
}


def check_shape(
    shape: Shape,
    schema: Schema,
    log: FaultLog,
    *,
    field: str,
    reserved: Sequence[str] = (),
    is_root: bool = False,
    way: tuple[tuple[Link, bool], ...] = (),
    is_home: bool = True,
) -> None:
    """Note the faults of a shape and of all that is embedded in it.

    Args:
        field: where the shape stands, for messages.
        reserved: paths that are taken.
        is_root: whether `_id` is the document's own.
        way: the links followed to get here, each with whether it was followed upwards.
        is_home: whether homes may stand in it.
    """
    _check_paths(shape.fields, log, field, reserved)
    table = schema.table(shape.table)
    for one in shape.fields:
        place = f"{field}.{one.path}"
        if is_root and one.path.split(".")[0] == "_id" and not isinstance(one, ColumnField):
            log.add("bad_id", "only columns can make an _id.", line=one.line, field=place)
        if isinstance(one, ColumnField) and table is not None:
            _check_transform(one, table, log, place)
        if isinstance(one, EmbedOneField | EmbedManyField):
            _check_embedding(one, log, place, way, is_home=is_home)
            for part in parts_of(one):
                is_target = isinstance(one, EmbedManyField) and part is one.target
                check_shape(
                    part,
                    schema,
                    log,
                    field=place,
                    way=(*way, *_steps(one)),
                    is_home=is_home and one.role is Role.HOME and not is_target,
                )


def _steps(field: Embedding) -> tuple[tuple[Link, bool], ...]:
    if isinstance(field, EmbedOneField):
        return ((field.link, field.upwards),)
    return ((field.link, False),) if field.through is None else ((field.link, False), (field.through, True))


def _check_paths(fields: Iterable[Field], log: FaultLog, field: str, reserved: Sequence[str]) -> None:
    taken: dict[str, int] = dict.fromkeys(reserved, 0)
    for one in fields:
        if one.path == "":
            continue
        problem = _path_problem(one.path)
        if problem is not None:
            log.add("field_name", f"the path {one.path!r} {problem}", line=one.line, field=field)
        for other, line in taken.items():
            if one.path == other or one.path.startswith(f"{other}.") or other.startswith(f"{one.path}."):
                where = f" of line {line}" if line else ", which is reserved"
                log.add("path_conflict", f"{one.path!r} collides with {other!r}{where}.", line=one.line, field=field)
        taken[one.path] = one.line


def _path_problem(path: str) -> str | None:
    names = path.split(".")
    if not all(names):
        return "must have a name before, between and after its dots."
    if any(name.startswith("$") for name in names):
        return "must not have a name that begins with $."
    return "must not have the NUL character in it." if "\0" in path else None


def _check_transform(field: ColumnField, table: Table, log: FaultLog, place: str) -> None:
    transform, column = field.transform, table.column(field.column)
    if column is None:
        return
    if transform.decode and (transform.type is not None or transform.stored is not None):
        given = {type(value).__name__ for _, value in transform.decode}
        wanted = {"bool": "bool", "int": "int", "str": "string", "float": "double"}
        if transform.stored is not None or {wanted.get(name) for name in given} != {transform.type}:
            message = "`decode` gives the type by its values; `type` must name it or be left out."
            log.add("type_mismatch", message, line=field.line, field=place)
    elif transform.stored is not None and transform.type is None:
        log.add("type_mismatch", "`stored` needs `type`.", line=field.line, field=place)
    elif transform.type is not None:
        stored = transform.stored or NATURAL[transform.type]
        if column.affinity in _STORED and stored not in _STORED[column.affinity]:
            message = (
                f"{field.column} is declared {column.declared_type}, and `type: {transform.type}` expects cells "
                f"stored as {stored}; write `stored: {next(iter(sorted(_STORED[column.affinity])))}`, or drop the type."
            )
            log.add("type_mismatch", message, line=field.line, field=place)


def _check_embedding(
    field: Embedding, log: FaultLog, place: str, way: tuple[tuple[Link, bool], ...], *, is_home: bool
) -> None:
    for link, upwards in _steps(field):
        if (link, not upwards) in way:
            message = f"cycle: {link.name} leads back to rows that the document is already inside of."
            log.add("cycle", message, line=field.line, field=place)
    _check_role(field, log, place, is_home=is_home)


def _check_role(field: Embedding, log: FaultLog, place: str, *, is_home: bool) -> None:
    if field.role is Role.COPY:
        if field.orphans.collection is not None or field.orphans.drop:
            log.add("bad_role", "`orphans` needs `role: home`.", line=field.line, field=place)
        return
    if not is_home:
        message = "a home cannot stand inside of a copy, nor on the other side of a junction."
        log.add("bad_role", message, line=field.line, field=place)
    if isinstance(field, EmbedManyField) and (field.limit is not None or field.where):
        message = "`limit` and `where` leave rows out: the embedding can only be a copy."
        log.add("bad_role", message, line=field.line, field=place)
    _check_orphan_names(field, log, place)


def _check_orphan_names(field: Embedding, log: FaultLog, place: str) -> None:
    if field.orphans.collection is not None:
        names = {one.path.split(".")[0] for part in parts_of(field) for one in part.fields}
        for name in sorted(names & set(orphan_columns(field))):
            if not _is_same_column(field, name):
                message = (
                    f"the orphans' documents have the column {name!r} beside a field of that name: rename the field."
                )
                log.add("path_conflict", message, line=field.line, field=place)


def _is_same_column(field: Embedding, name: str) -> bool:
    """Whether the field of that name holds the column of that name of the same table, as it is."""
    return any(
        isinstance(one, ColumnField) and one.path == one.column == name and one.transform.is_plain
        for one in field.shape.fields
    )
