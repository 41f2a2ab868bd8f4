"""FROM: which tables and sub-queries a SELECT reads, and where their rows lie in its pipeline's documents."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from sqlglot import exp

from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.place import Place, joined
from benchmark_data.docmap.queries.schema import TableSchema
from benchmark_data.docmap.queries.scope import RowPlace, Scope, Source
from benchmark_data.docmap.queries.typed import Typed
from benchmark_data.docmap.strategies import field_names


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """What a query gives: its pipeline, and its columns as they leave it."""

    collection: str
    stages: list[dict[str, Any]]
    columns: dict[str, Typed]
    variables: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """One entry of FROM.

    Args:
        source: its names.
        rows: its pipeline where it is a sub-query.
        outer: whether a row stays that finds no partner (LEFT JOIN).
        conditions: of ON and USING.
        place: where a table's rows are, if they are documents or the entry is the first.
        table: the table's name; None for a sub-query.
    """

    source: Source
    rows: Rows | None = None
    outer: bool = False
    conditions: tuple[exp.Expr, ...] = ()
    place: RowPlace | None = None
    table: str | None = None


HOISTED = "_before"
"""Aliases of sub-queries that the compiler itself puts in front of FROM start so."""


class QueryRule(Protocol):
    """Compiles a SELECT or a set operation; see `select.compile_query`."""

    def __call__(self, node: exp.Expr, scope: Scope, *, guarded: bool = True) -> Rows:
        """The rows that the query gives."""
        ...


def conjuncts(node: exp.Expr | None) -> list[exp.Expr]:
    """The conditions that AND joins."""
    if node is None:
        return []
    if isinstance(node, exp.Paren):
        return conjuncts(node.this)
    if isinstance(node, exp.And):
        return [each for side in (node.left, node.right) for each in conjuncts(side)]
    return [node]


def sources_of(select: exp.Select, scope: Scope, compiled: QueryRule) -> list[Joined]:
    """The entries of FROM in order, entered into the scope; the first one's rows are the pipeline's documents.

    Raises:
        UntranslatableSqlError: an unknown table, or a kind of join without a rule.
    """
    source = select.args.get("from_")
    if source is None:
        return []
    entries = [_entry(source.this, scope, compiled, first=True)]
    for join in select.args.get("joins") or []:
        entries.append(_joined(join, scope, compiled))
    return entries


def _joined(join: exp.Join, scope: Scope, compiled: QueryRule) -> Joined:
    side, kind = (join.side or "").upper(), (join.kind or "").upper()
    if side not in {"", "LEFT"} or kind not in {"", "INNER", "CROSS", "OUTER"} or join.method:
        raise UntranslatableSqlError("join", f"{join.method or ''} {side} {kind} JOIN has no rule.".replace("  ", " "))
    before = list(scope.sources.values())
    entry = _entry(join.this, scope, compiled, first=False, outer=side == "LEFT")
    conditions = conjuncts(join.args.get("on"))
    for identifier in join.args.get("using") or []:
        holders = [each for each in before if identifier.name.lower() in each.columns]
        if not holders:
            raise UntranslatableSqlError("join", f"USING names {identifier.name}, which no table before has.")
        left = exp.column(identifier.name, table=holders[0].alias)
        conditions.append(exp.EQ(this=left, expression=exp.column(identifier.name, table=entry.source.alias)))
    return replace(entry, conditions=tuple(conditions))


def _entry(node: exp.Expr, scope: Scope, compiled: QueryRule, *, first: bool, outer: bool = False) -> Joined:
    """Read one entry; joins that parentheses hold together have no rule."""
    if isinstance(node, exp.Subquery) and not isinstance(node.this, exp.Table):
        # A NULL row and no row are the same for what was put in front.
        rows = _rows_of(node.this, scope, compiled, guarded=not node.alias.startswith(HOISTED))
        return _enter(node.alias or scope.hidden("rows"), rows, scope, first=first, outer=outer)
    if not isinstance(node, exp.Table):
        raise UntranslatableSqlError("from", f"FROM {node.sql(dialect='sqlite')[:60]} has no rule.")
    common = scope.tables.get(node.name.lower())
    if common is not None and not node.db:
        rows = _rows_of(common, scope, compiled)
        return _enter(node.alias or node.name, rows, scope, first=first, outer=outer)
    return _enter_table(node, scope, first=first, outer=outer)


def _rows_of(node: exp.Expr, scope: Scope, compiled: QueryRule, *, guarded: bool = True) -> Rows:
    """The rows of a sub-query in FROM, which does not see its neighbours."""
    inner = scope.inner()
    inner.parent = scope.parent
    rows = compiled(node, inner, guarded=guarded)
    scope.variables.update(rows.variables)
    return rows


def _enter(alias: str, rows: Rows, scope: Scope, *, first: bool, outer: bool) -> Joined:
    prefix = "" if first else _prefix(alias, scope)
    columns = {
        name.lower(): column.at(f"${joined(prefix, str(column.path))}", nullable=column.nullable or outer)
        for name, column in rows.columns.items()
    }
    source = Source(alias=alias, columns=columns, names=tuple(rows.columns), prefix=prefix)
    scope.sources[alias.lower()] = source
    return Joined(source=source, rows=rows, outer=outer)


def _enter_table(node: exp.Table, scope: Scope, *, first: bool, outer: bool) -> Joined:
    table = scope.schema.table(node.name)
    if table is None:
        raise UntranslatableSqlError("unknown_table", f"There is no table {node.name}.")
    alias = node.alias or node.name
    if alias.lower() in scope.sources:
        raise UntranslatableSqlError("from", f"FROM names {alias} twice.")
    place = scope.layout.rows(table)
    scope.notes.update(place.notes)
    if place.others or place.is_repeated or not (first or place.is_in_place):
        # Rows inside of documents join like those of a sub-query; `joins` finds those in the own document.
        entry = _enter(alias, _own_rows(table, place), scope, first=first, outer=outer)
        scope.sources[alias.lower()] = replace(entry.source, missing=place.missing)
        return replace(entry, table=table.name)
    prefix = "" if first else _prefix(alias, scope)
    columns = {name: each.under(prefix) for name, each in place.columns.items()}
    source = table_source(table, columns, alias=alias, prefix=joined(prefix, place.prefix), outer=outer)
    source = replace(source, holder=prefix, missing=place.missing, origin=place.origin)
    scope.sources[alias.lower()] = source
    return Joined(source=source, outer=outer, place=place, table=table.name)


def _own_rows(table: TableSchema, place: RowPlace) -> Rows:
    """All rows of a table, each with the columns that all places of the table have."""
    places = sorted((place, *place.others), key=lambda each: not each.is_repeated)
    sources = [table_source(table, each.columns, alias=table.name, prefix="") for each in places]
    names = [name for name in sources[0].names if all(name.lower() in each.columns for each in sources)]
    legal = field_names(names)
    stages: list[dict[str, Any]] = []
    for number, (each, source) in enumerate(zip(places, sources, strict=True)):
        shown = {"$project": {"_id": 0, **{legal[name]: _mql(source, name) for name in names}}}
        own: list[dict[str, Any]] = [*map(dict, each.steps), shown]
        stages += [{"$unionWith": {"coll": each.collection, "pipeline": own}}] if number else own
        if each.is_repeated and not any(other.is_repeated for other in places[number + 1 :]):
            stages += [{"$group": {"_id": "$$ROOT"}}, {"$replaceWith": "$_id"}]
    columns = {name: sources[0].columns[name.lower()].at(f"${legal[name]}") for name in names}
    return Rows(collection=places[0].collection, stages=stages, columns=columns, variables={})


def _mql(source: Source, name: str) -> Any:
    """A column's own value for a projection; equal rows must not differ in NULL and a missing field."""
    return {"$ifNull": [source.columns[name.lower()].mql, None]}


def table_source(
    table: TableSchema, places: Mapping[str, Place], *, alias: str, prefix: str, outer: bool = False
) -> Source:
    """A table whose columns lie at these places; columns without one cannot be named."""
    columns = {}
    for column in table.columns:
        place = places.get(column.name.lower())
        if place is None:
            continue
        if column.collation.upper() != "BINARY":
            raise UntranslatableSqlError(
                "collation", f"{table.name}.{column.name} has the collation {column.collation}."
            )
        columns[column.name.lower()] = Typed(
            mql=place.mql,
            kind=column.kind,
            nullable=column.nullable or outer,
            affinity=column.affinity,
            place=None if place.is_plain else place,
        )
    names = tuple(column.name for column in table.columns if column.name.lower() in columns)
    return Source(alias=alias, columns=columns, names=names, table=table.name, prefix=prefix)


def _prefix(alias: str, scope: Scope) -> str:
    """A field for the joined rows that no column of the first entry and no other entry has."""
    first = next(iter(scope.sources.values()))
    taken = {column.path.split(".")[0].lower() for column in first.columns.values() if column.path}
    taken |= {source.prefix.lower() for source in scope.sources.values()} | {"_id"}
    name = re.sub(r"[.\0]", "_", alias).lstrip("$") or "rows"
    while name.lower() in taken:
        name += "_row"
    return name
