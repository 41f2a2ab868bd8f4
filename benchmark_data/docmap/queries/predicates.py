"""Tests of SQL conditions as Boolean expressions, in SQL's three-valued logic."""

import re
from typing import Any

from sqlglot import exp

from benchmark_data.docmap.queries.conversion import as_text, comparable
from benchmark_data.docmap.queries.dispatch import test, test_rule, value
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.schema import Kind
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.typed import Typed, is_not_null

OPERATORS: dict[type[exp.Expr], str] = {
    exp.EQ: "$eq",
    exp.NEQ: "$ne",
    exp.GT: "$gt",
    exp.GTE: "$gte",
    exp.LT: "$lt",
    exp.LTE: "$lte",
}
OPPOSITES = {"$eq": "$ne", "$ne": "$eq", "$gt": "$lte", "$lte": "$gt", "$lt": "$gte", "$gte": "$lt"}


def all_of(tests: list[Any]) -> Any:
    """True where all tests are."""
    return tests[0] if len(tests) == 1 else {"$and": tests}


def compared(operator: str, left: Typed, right: Typed) -> Any:
    """A comparison that is true exactly where SQL's is TRUE.

    BSON orders null, numbers, text as SQLite orders NULL, numbers, text; so only NULL needs a test of its own.
    """
    left, right = comparable(left, right)
    if Kind.NULL in {left.kind, right.kind}:
        return {"$literal": False}
    # The sides on which a NULL would make the plain comparison true.
    guarded = {
        "$eq": [left] if right.nullable else [],
        "$ne": [left, right],
        "$lt": [left],
        "$lte": [left],
        "$gt": [right],
        "$gte": [right],
    }[operator]
    tests = [is_not_null(side.mql) for side in guarded if side.nullable]
    return all_of([*tests, {operator: [left.mql, right.mql]}])


@test_rule(*OPERATORS)
def _comparison(node: exp.Binary, scope: Scope, wanted: bool) -> Any:
    operator = OPERATORS[type(node)]
    operator = operator if wanted else OPPOSITES[operator]
    return compared(operator, value(node.left, scope), value(node.right, scope))


@test_rule(exp.And, exp.Or)
def _connective(node: exp.Connector, scope: Scope, wanted: bool) -> Any:
    conjunction = isinstance(node, exp.And) is wanted
    operands = [test(operand, scope, wanted=wanted) for operand in node.flatten()]
    return {"$and" if conjunction else "$or": operands}


@test_rule(exp.Not)
def _negation(node: exp.Not, scope: Scope, wanted: bool) -> Any:
    return test(node.this, scope, wanted=not wanted)


@test_rule(exp.Paren)
def _paren(node: exp.Paren, scope: Scope, wanted: bool) -> Any:
    return test(node.this, scope, wanted=wanted)


@test_rule(exp.Is, exp.NullSafeEQ, exp.NullSafeNEQ)
def _is(node: exp.Binary, scope: Scope, wanted: bool) -> Any:
    """IS and IS NOT: never NULL, and NULL is itself."""
    wanted = wanted is not isinstance(node, exp.NullSafeNEQ)
    left, right = value(node.left, scope), value(node.right, scope)
    if right.kind is Kind.NULL:
        return {"$lte" if wanted else "$gt": [left.mql, None]}
    left, right = comparable(left, right)
    sides = [{"$ifNull": [side.mql, None]} if side.nullable else side.mql for side in (left, right)]
    return {"$eq" if wanted else "$ne": sides}


@test_rule(exp.Between)
def _between(node: exp.Between, scope: Scope, wanted: bool) -> Any:
    low = exp.GTE(this=node.this.copy(), expression=node.args["low"].copy())
    high = exp.LTE(this=node.this.copy(), expression=node.args["high"].copy())
    return test(exp.And(this=low, expression=high), scope, wanted=wanted)


@test_rule(exp.In)
def _in_list(node: exp.In, scope: Scope, wanted: bool) -> Any:
    """IN with a list; the rule for sub-queries stands with them."""
    if node.args.get("query") is not None:
        return IN_QUERY[0](node, scope, wanted)
    # Only the left side's affinity counts: "a IN (x, y)" compares each as "a = +x".
    operand = value(node.this, scope)
    pairs = [comparable(operand, value(each, scope)) for each in node.expressions]
    members = [right for _, right in pairs if right.kind is not Kind.NULL]
    null_inside = len(members) < len(pairs)
    if any(member.nullable for member in members):
        raise UntranslatableSqlError("in_list", "IN has a list with values that may be NULL.")
    left = pairs[0][0] if pairs else operand
    inside = {"$in": [left.mql, [member.mql for member in members]]}
    if wanted:
        return inside
    if null_inside:
        return {"$literal": False}
    return all_of([*([is_not_null(left.mql)] if left.nullable else []), {"$not": [inside]}])


IN_QUERY: list[Any] = []
"""Filled by the module that compiles sub-queries."""


@test_rule(exp.Like, exp.Escape)
def _like(node: exp.Expr, scope: Scope, wanted: bool) -> Any:
    pattern, options, operand_node = like_pattern(node, scope)
    operand = as_text(value(operand_node, scope))
    matches = {"$regexMatch": {"input": operand.mql, "regex": pattern, "options": options}}
    if not options:
        del matches["$regexMatch"]["options"]
    if wanted:
        return matches
    return all_of([*([is_not_null(operand.mql)] if operand.nullable else []), {"$not": [matches]}])


def like_pattern(node: exp.Expr, scope: Scope) -> tuple[str, str, exp.Expr]:
    """The regular expression for a LIKE, its options, and the operand.

    SQLite's LIKE ignores the case of ASCII letters only, so letters beside non-ASCII text get a class of both cases.
    """
    escape = None
    if isinstance(node, exp.Escape):
        escape, node = str(node.expression.this), node.this
    if not isinstance(node, exp.Like):
        raise UntranslatableSqlError("like", "ESCAPE stands without LIKE.")
    pattern = value(node.expression, scope)
    if not pattern.is_constant or not isinstance(pattern.constant, str):
        raise UntranslatableSqlError("like", "LIKE has a pattern that is not written in the query.")
    text = pattern.constant
    ascii_only = text.isascii()
    head, tail = not text.startswith("%"), not text.endswith("%") or (escape is not None and text[-2:-1] == escape)
    body = _translated(text, escape, classes=not ascii_only)
    while not tail and body.endswith(".*"):
        body, tail = body[:-2], False
    while not head and body.startswith(".*"):
        body = body[2:]
    found = ("^" if head else "") + body + ("$(?!\\n)" if tail else "")
    letters = any(c.isascii() and c.isalpha() for c in text)
    options = ("i" if ascii_only and letters else "") + ("s" if "." in re.sub(r"\\.", "", body) else "")
    return found, options, node.this


def _translated(text: str, escape: str | None, *, classes: bool) -> str:
    parts: list[str] = []
    characters = iter(text)
    for character in characters:
        if character == escape:
            parts.append(_letter(next(characters, ""), classes=classes))
        elif character in "%_":
            parts.append(".*" if character == "%" else ".")
        else:
            parts.append(_letter(character, classes=classes))
    return "".join(parts)


def _letter(character: str, *, classes: bool) -> str:
    if classes and character.isascii() and character.isalpha():
        return f"[{character.upper()}{character.lower()}]"
    return re.sub(r"([\\^$.|?*+()\[\]{}])", r"\\\1", character)
