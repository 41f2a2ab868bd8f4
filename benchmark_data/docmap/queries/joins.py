"""FROM and WHERE as stages: filters as early as their columns are there, joins as $lookup and $unwind."""

from dataclasses import dataclass, replace
from typing import Any

from sqlglot import exp

from benchmark_data.docmap.queries.conversion import comparable
from benchmark_data.docmap.queries.embedding import embedded_rows
from benchmark_data.docmap.queries.filters import filter_of, merged
from benchmark_data.docmap.queries.hoisting import hoisted
from benchmark_data.docmap.queries.narrowing import narrow
from benchmark_data.docmap.queries.schema import Kind
from benchmark_data.docmap.queries.scope import RowPlace, Scope, Source
from benchmark_data.docmap.queries.sources import Joined, QueryRule, conjuncts, sources_of
from benchmark_data.docmap.queries.typed import Typed


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """One condition of WHERE or of an inner join.

    Args:
        node: the condition.
        aliases: the entries of FROM that it speaks of, in lower case.
        late: it holds a sub-query, and waits for all joins.
    """

    node: exp.Expr
    aliases: frozenset[str]
    late: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """An equality between a field of the pipeline's documents and one of the rows to be joined."""

    node: exp.Expr
    local: Typed
    foreign: Typed


def read_rows(select: exp.Select, scope: Scope, compiled: QueryRule) -> None:
    """Append the stages that give the rows of FROM for which WHERE is TRUE."""
    select = hoisted(select, scope, compiled)
    scope.select = select
    entries = sources_of(select, scope, compiled)
    where = select.args.get("where")
    nodes = conjuncts(where.this if where else None)
    nodes += [node for entry in entries if not entry.outer for node in entry.conditions]
    pool = [_condition(node, scope) for node in nodes]
    if not entries:
        _start_without_table(scope)
        _match(pool, scope)
        return
    first = entries[0]
    if first.rows is not None:
        scope.collection = first.rows.collection
        scope.stages += first.rows.stages
    else:
        place = _place(first)
        scope.collection = place.collection
        pool = _bound_to_outside(pool, first.source, place, scope)
        scope.stages += map(dict, place.steps)
    available = {first.source.alias.lower()}
    pool = _match_ready(pool, available, scope)
    for entry in entries[1:]:
        pool = _join(entry, pool, available, scope)
        available.add(entry.source.alias.lower())
        pool = _match_ready(pool, available, scope)
    _match(pool, scope)


def _start_without_table(scope: Scope) -> None:
    """One empty document: $facet gives one whatever the collection holds."""
    scope.collection = scope.layout.rows(next(iter(scope.schema.tables.values()))).collection
    scope.stages += [{"$limit": 1}, {"$facet": {"_nothing": [{"$limit": 1}]}}]


def _condition(node: exp.Expr, scope: Scope) -> Condition:
    if node.find(exp.Query) is not None:
        return Condition(node=node, aliases=frozenset(scope.sources), late=True)
    found = [scope.find(column) for column in node.find_all(exp.Column)]
    aliases = frozenset(each[0].alias.lower() for each in found if each is not None)
    return Condition(node=node, aliases=aliases, late=False)


def _match_ready(pool: list[Condition], available: set[str], scope: Scope) -> list[Condition]:
    ready = [each for each in pool if each.aliases <= available and not each.late]
    _match(ready, scope)
    return [each for each in pool if each not in ready]


def _match(conditions: list[Condition], scope: Scope) -> None:
    """Plain filters first: a sub-query is then run for fewer rows."""
    plain = [filter_of(each.node, scope) for each in conditions if not each.late]
    if plain:
        scope.stages.append({"$match": merged(plain)})
        narrow([each.node for each in conditions if not each.late], scope)
    for each in conditions:
        if each.late:
            found = filter_of(each.node, scope)
            scope.stages.append({"$match": found})


def _join(entry: Joined, pool: list[Condition], available: set[str], scope: Scope) -> list[Condition]:
    alias = entry.source.alias.lower()
    if entry.outer:
        conditions = [_condition(node, scope) for node in entry.conditions]
        key, rest = _key_among(conditions, entry, available, scope)
        _lookup(entry, key, rest, scope)
        return pool
    inside = embedded_rows(entry, [each.node for each in pool], available, scope)
    if inside is not None:
        narrow([inside], scope)
        return [each for each in pool if each.node is not inside]
    key, rest = _key_among(pool, entry, available, scope)
    if key is None:
        usable = [each for each in pool if alias in each.aliases <= available | {alias} and not each.late]
        _lookup(entry, None, usable, scope)
        narrow([each.node for each in usable], scope)
        return [each for each in pool if each not in usable]
    if key.local.nullable and key.foreign.nullable:
        # NULL equals nothing, and $lookup pairs null with null.
        scope.stages.append({"$match": {key.local.path: {"$ne": None}}})
    _lookup(entry, key, [], scope)
    narrow([key.node], scope)
    return rest


def _key_among(
    pool: list[Condition], entry: Joined, available: set[str], scope: Scope
) -> tuple[Key | None, list[Condition]]:
    """The first equality that $lookup can look up by itself, and the other conditions."""
    alias = entry.source.alias.lower()
    for condition in pool:
        if entry.rows is None and alias in condition.aliases <= available | {alias}:
            key = _key(condition.node, alias, scope)
            if key is not None:
                return key, [each for each in pool if each is not condition]
    return None, pool


def _key(node: exp.Expr, alias: str, scope: Scope) -> Key | None:
    if not isinstance(node, exp.EQ):
        return None
    found = [scope.find(side) if isinstance(side, exp.Column) else None for side in (node.left, node.right)]
    if any(each is None for each in found):
        return None
    sides = [each for each in found if each is not None]
    inside = [each for each in sides if each[0].alias.lower() == alias]
    outside = [each for each in sides if each[0].alias.lower() != alias]
    if len(inside) != 1 or not _same_without_conversion(outside[0][1], inside[0][1]):
        return None
    return Key(node=node, local=outside[0][1], foreign=inside[0][1])


def _same_without_conversion(left: Typed, right: Typed) -> bool:
    after = comparable(left, right)
    return after[0] is left and after[1] is right and None not in {left.path, right.path}


def _lookup(entry: Joined, key: Key | None, conditions: list[Condition], scope: Scope) -> None:
    """Join the rows of an entry; `conditions` decide for each pair of rows."""
    source = entry.source
    stage: dict[str, Any] = {"from": _collection(entry, scope)}
    pipeline = _own_stages(entry)
    if key is not None:
        stage |= {"localField": key.local.path, "foreignField": _inside(key.foreign, source)}
        if entry.outer and key.local.nullable and key.foreign.nullable:
            pipeline.append({"$match": {stage["foreignField"]: {"$ne": None}}})
    if conditions:
        inner = scope.inner()
        inner.sources = {source.alias.lower(): _at_root(source)}
        found = merged([filter_of(each.node, inner) for each in conditions])
        pipeline += [*inner.stages, {"$match": found}]
        stage |= {"let": inner.variables} if inner.variables else {}
    if key is None and not conditions:
        scope.notes.add("cross_join")
    if pipeline or key is None:
        stage["pipeline"] = pipeline
    scope.stages.append({"$lookup": {**stage, "as": source.holder or source.prefix}})
    unwound: Any = f"${source.holder or source.prefix}"
    scope.stages.append({"$unwind": {"path": unwound, "preserveNullAndEmptyArrays": True} if entry.outer else unwound})


def _own_stages(entry: Joined) -> list[dict[str, Any]]:
    """What comes before the joined documents are rows."""
    if entry.rows is not None:
        return list(entry.rows.stages)
    return [dict(step) for step in _place(entry).steps]


def _collection(entry: Joined, scope: Scope) -> str:
    return entry.rows.collection if entry.rows is not None else _place(entry).collection


def _place(entry: Joined) -> RowPlace:
    if entry.place is None:
        raise ValueError("an entry of FROM is a table or a sub-query")
    return entry.place


def _inside(column: Typed, source: Source) -> str:
    """A column's path in the joined documents themselves."""
    return str(column.path).removeprefix(f"{source.holder or source.prefix}.")


def _at_root(source: Source) -> Source:
    columns = {}
    for name, column in source.columns.items():
        if column.place is None:
            columns[name] = column.at(f"${_inside(column, source)}")
        else:
            place = column.place.without(source.holder or source.prefix)
            columns[name] = replace(column, mql=place.mql, place=place)
    return replace(source, columns=columns, prefix="", holder="")


def _bound_to_outside(pool: list[Condition], first: Source, place: RowPlace, scope: Scope) -> list[Condition]:
    """Take the equality that binds the first table to the row around the sub-query: $lookup does it by itself.

    A field inside of an array that is unwound later would be compared with all elements.
    """
    for condition in pool:
        bound = None if condition.late else _binding(condition.node, first, scope)
        inside = bound is not None and place.steps and f"{bound.foreign.path}.".startswith(f"{place.prefix}.")
        if bound is not None and not inside:
            scope.local, scope.foreign = bound.local.path, bound.foreign.path
            if bound.local.nullable and bound.foreign.nullable:
                scope.stages.append({"$match": {bound.foreign.path: {"$ne": None}}})
            return [each for each in pool if each is not condition]
    return pool


def _binding(node: exp.Expr, first: Source, scope: Scope) -> Key | None:
    if scope.parent is None or scope.parent.closed or not isinstance(node, exp.EQ):
        return None
    for inside, outside in ((node.left, node.right), (node.right, node.left)):
        if isinstance(inside, exp.Column) and isinstance(outside, exp.Column) and scope.find(outside) is None:
            own, other = scope.find(inside), scope.parent.find(outside)
            if own is not None and own[0] is first and other is not None:
                known = scope.parent.known(outside) or other[1]
                if _same_without_conversion(known, own[1]) and known.kind is not Kind.NULL:
                    return Key(node=node, local=known, foreign=own[1])
    return None
