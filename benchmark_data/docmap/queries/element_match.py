"""EXISTS and IN over rows that the document holds: a condition on an object, or $elemMatch on an array."""

from typing import Any

from sqlglot import exp

from benchmark_data.docmap.queries.embedding import embedded_rows, unwound
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.filters import QUERY_FILTERS, filter_of
from benchmark_data.docmap.queries.place import Place
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.sources import Joined, conjuncts, table_source
from benchmark_data.docmap.queries.subqueries import semi_join
from benchmark_data.docmap.queries.tidying import tidied

_CLAUSES = ("group", "having", "limit", "offset", "with_", "distinct")


def _exists(node: exp.Exists, scope: Scope, wanted: bool) -> dict[str, Any] | None:
    """The filter for rows of the document that EXISTS asks for; None where they have to be looked up."""
    query = node.this
    if scope.closed or not isinstance(query, exp.Select) or any(query.args.get(name) for name in _CLAUSES):
        return None
    asked = _qualified(query, scope)
    inside = Scope(schema=scope.schema, layout=scope.layout, sources=dict(scope.sources), select=asked)
    try:
        found = _reached(asked, inside)
        return None if found is None else _filter(inside, found, wanted, taken_apart=unwound(scope.stages))
    except UntranslatableSqlError:
        return None


def _qualified(query: exp.Select, scope: Scope) -> exp.Select:
    """The query with its own tables' names before its columns, as a name means the innermost table that has it.

    What EXISTS selects does not count, so its rows need not have it.
    """
    made = query.copy()
    made.set("expressions", [exp.convert(1)])
    tables = [(node.alias_or_name, scope.schema.table(node.name)) for node in made.find_all(exp.Table)]
    for column in list(made.find_all(exp.Column)):
        owners = [alias for alias, table in tables if table is not None and table.column(column.name)]
        if not column.table and len(owners) == 1:
            column.set("table", exp.to_identifier(owners[0], quoted=True))
    return made


def _reached(query: exp.Select, inside: Scope) -> list[exp.Expr] | None:
    """Reach all entries of FROM from the rows around; the conditions that are left, None where one is elsewhere."""
    entries = _entries(query, inside)
    if not entries:
        return None
    where = query.args.get("where")
    conditions = conjuncts(where.this if where else None)
    conditions += [each for join in query.args.get("joins") or [] for each in conjuncts(join.args.get("on"))]
    available = set(inside.sources) - {entry.source.alias.lower() for entry in entries}
    while entries:
        for entry in entries:
            used = embedded_rows(entry, conditions, available, inside)
            if used is not None:
                conditions = [each for each in conditions if each is not used]
                available.add(entry.source.alias.lower())
                entries.remove(entry)
                break
        else:
            return None
    return conditions


def _entries(query: exp.Select, inside: Scope) -> list[Joined]:
    """The tables of FROM under names that have no place yet; none where FROM holds anything but inner joins."""
    source, joins = query.args.get("from_"), query.args.get("joins") or []
    nodes = [source.this, *(join.this for join in joins)] if source else []
    plain = all(not join.side and not join.method and not join.args.get("using") for join in joins)
    found = []
    for node in nodes:
        table = inside.schema.table(node.name) if isinstance(node, exp.Table) else None
        alias = node.alias_or_name
        if table is None or not plain or alias.lower() in inside.sources:
            return []
        places = {column.name.lower(): Place(path=f"?{alias}.{column.name}") for column in table.columns}
        entry = Joined(source=table_source(table, places, alias=alias, prefix=""), table=table.name)
        inside.sources[alias.lower()] = entry.source
        found.append(entry)
    return found


def _filter(
    inside: Scope, conditions: list[exp.Expr], wanted: bool, *, taken_apart: list[str]
) -> dict[str, Any] | None:
    """One filter of the stages that reach the rows and of the conditions on them; none for an array taken apart."""
    if any(each.find(exp.Query) is not None for each in conditions):
        return None
    paths = [stage["$unwind"][1:] for stage in inside.stages if isinstance(stage.get("$unwind"), str)]
    filters = [stage["$match"] for stage in inside.stages if "$match" in stage]
    if len(paths) + len(filters) != len(inside.stages) or len(paths) > 1:
        return None
    filters += [filter_of(each, inside) for each in conditions]
    made = tidied([{"$match": each} for each in filters], inside.presences)
    whole: dict[str, Any] = made[0]["$match"] if made else {}
    if len(made) > 1 or any(path[:1] == "$" for path in whole):
        return None
    if not paths:
        return whole if wanted else None
    [array] = paths
    if array in taken_apart or not all(path.startswith(f"{array}.") for path in whole):
        return None
    matched = {"$elemMatch": {path.removeprefix(f"{array}."): test for path, test in whole.items()}}
    if not whole:
        return {f"{array}.0": {"$exists": wanted}}
    return {array: matched if wanted else {"$not": matched}}


def _in(node: exp.In, scope: Scope, wanted: bool) -> dict[str, Any] | None:
    exists = semi_join(node, scope) if wanted else None
    return None if exists is None else _exists(exists, scope, wanted)


QUERY_FILTERS.update({exp.Exists: _exists, exp.In: _in})
