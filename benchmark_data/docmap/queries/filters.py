"""SQL conditions as documents of $match, wherever the query language says the same as SQL."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlglot import exp

from benchmark_data.docmap.queries.conversion import comparable
from benchmark_data.docmap.queries.dispatch import test, value
from benchmark_data.docmap.queries.globs import glob_pattern
from benchmark_data.docmap.queries.periods import DAY, date_prefix, date_range, moment_of
from benchmark_data.docmap.queries.place import Place
from benchmark_data.docmap.queries.predicates import OPERATORS, OPPOSITES, like_pattern
from benchmark_data.docmap.queries.schema import Kind
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.typed import Typed

_MIRRORED = {"$eq": "$eq", "$ne": "$ne", "$gt": "$lt", "$lt": "$gt", "$gte": "$lte", "$lte": "$gte"}


def filter_of(node: exp.Expr, scope: Scope, *, wanted: bool = True) -> dict[str, Any]:
    """A $match document that keeps exactly the rows for which the condition is TRUE (FALSE if not `wanted`)."""
    found = _plain(node, scope, wanted)
    return found if found is not None else {"$expr": test(node, scope, wanted=wanted)}


def merged(filters: list[dict[str, Any]]) -> dict[str, Any]:
    """One $match document for all of them."""
    result: dict[str, Any] = {}
    for each in filters:
        if set(each) & set(result):
            return {"$and": filters}
        result |= each
    return result


def _plain(node: exp.Expr, scope: Scope, wanted: bool) -> dict[str, Any] | None:
    """The filter in the query language, or None."""
    if isinstance(node, exp.Paren):
        return _plain(node.this, scope, wanted)
    if isinstance(node, exp.Not):
        return _plain(node.this, scope, not wanted)
    if isinstance(node, exp.And | exp.Or):
        return _connective(node, scope, wanted)
    if _has_query(node):
        query_filter = QUERY_FILTERS.get(type(node))
        return query_filter(node, scope, wanted) if query_filter is not None else None
    if type(node) in OPERATORS:
        return _comparison(node, scope, wanted)
    if isinstance(node, exp.Is) and isinstance(node.expression, exp.Null):
        operand = value(node.this, scope)
        place = operand.place
        path = operand.path if place is None else "" if place.quarantine or place.is_count else place.path
        return {path: None if wanted else {"$ne": None}} if path else None
    rule = _RULES.get(type(node))
    return rule(node, scope) if rule is not None and wanted else None


QUERY_FILTERS: dict[type[exp.Expr], Callable[[Any, Scope, bool], dict[str, Any] | None]] = {}
"""Filters for conditions with a sub-query; filled by the module that knows rows inside of documents."""


def _has_query(node: exp.Expr) -> bool:
    return node.find(exp.Query) is not None


def _connective(node: exp.Connector, scope: Scope, wanted: bool) -> dict[str, Any]:
    parts = [filter_of(operand, scope, wanted=wanted) for operand in node.flatten()]
    if isinstance(node, exp.And) is wanted:
        return merged(parts)
    return {"$or": parts}


def _comparison(node: exp.Expr, scope: Scope, wanted: bool) -> dict[str, Any] | None:
    operator = OPERATORS[type(node)]
    operator = operator if wanted else OPPOSITES[operator]
    found = date_range(operator, node.this, node.expression, scope)
    found = found or date_range(_MIRRORED[operator], node.expression, node.this, scope)
    if found is not None:
        return found
    left, right = comparable(value(node.this, scope), value(node.expression, scope))
    if left.is_constant and not right.is_constant:
        left, right, operator = right, left, _MIRRORED[operator]
    return _with_constant(operator, left, right)


def _with_constant(operator: str, left: Typed, right: Typed) -> dict[str, Any] | None:
    if left.place is not None and right.is_constant:
        left, right = _as_stored(operator, left, left.place, right)
    if left.path is None or not right.is_constant or right.constant is None:
        return None
    if operator == "$eq":
        return {left.path: right.constant}
    if operator == "$ne":
        return {left.path: {"$nin": [right.constant, None]} if left.nullable else {"$ne": right.constant}}
    # The query language compares within one class of types; SQLite has text after all numbers.
    same_class = (left.kind.is_number and right.kind.is_number) or left.kind is right.kind is Kind.TEXT
    return {left.path: {operator: right.constant}} if same_class else None


def _as_stored(operator: str, left: Typed, place: Place, right: Typed) -> tuple[Typed, Typed]:
    """A comparison with a transformed column in the form in which the documents hold it, where that is the same."""
    moment = moment_of(right.constant) if place.date_format == DAY and place.is_uniform else None
    if moment is not None:
        stored = replace(right, constant=moment, mql=moment)
    elif not place.quarantine and operator in {"$eq", "$ne"} and right.constant in [own for own, _ in place.codes]:
        value_of = next(code for own, code in place.codes if own == right.constant)
        stored = replace(right, constant=value_of, mql=value_of)
    else:
        return left, right
    return replace(left, mql=f"${place.path}", place=None), stored


def _between(node: exp.Between, scope: Scope) -> dict[str, Any] | None:
    low = date_range("$gte", node.this, node.args["low"], scope)
    high = date_range("$lte", node.this, node.args["high"], scope)
    if low is not None and high is not None:
        return {path: {**bound, **high[path]} for path, bound in low.items()}
    operand = value(node.this, scope)
    bounds = []
    for operator, name in (("$gte", "low"), ("$lte", "high")):
        left, right = comparable(operand, value(node.args[name], scope))
        found = _with_constant(operator, left, right)
        if found is None:
            return None
        bounds.append(found)
    [(path, first)], [(other, last)] = bounds[0].items(), bounds[1].items()
    return {path: {**first, **last}} if path == other else None


def _in_list(node: exp.In, scope: Scope) -> dict[str, Any] | None:
    operand = value(node.this, scope)
    pairs = [comparable(operand, value(each, scope)) for each in node.expressions]
    paths = {left.path for left, _ in pairs}
    if operand.path is None or paths != {operand.path} or not all(right.is_constant for _, right in pairs):
        return None
    return {operand.path: {"$in": [right.constant for _, right in pairs if right.constant is not None]}}


def _like(node: exp.Like, scope: Scope) -> dict[str, Any] | None:
    period = date_prefix(node, scope)
    if period is not None:
        return period
    operand = value(node.this, scope)
    if operand.path is None or operand.kind is not Kind.TEXT:
        return None
    pattern, options, _ = like_pattern(node, scope)
    return {operand.path: {"$regex": pattern, **({"$options": options} if options else {})}}


def _glob(node: exp.Glob, scope: Scope) -> dict[str, Any] | None:
    operand = value(node.this, scope)
    if operand.path is None or operand.kind is not Kind.TEXT:
        return None
    pattern, options = glob_pattern(node, scope)
    return {operand.path: {"$regex": pattern, **({"$options": options} if options else {})}}


_RULES: dict[type[exp.Expr], Callable[[Any, Scope], dict[str, Any] | None]] = {
    exp.Between: _between,
    exp.Glob: _glob,
    exp.In: _in_list,
    exp.Like: _like,
}
