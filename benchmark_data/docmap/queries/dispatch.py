"""Finds the rule for a node of the SQL tree; the modules with the rules enter them here when they are imported."""

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from benchmark_data.docmap.queries.conversion import as_number
from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.scope import Scope
from benchmark_data.docmap.queries.typed import Typed

ValueRule = Callable[[Any, Scope], Typed]
TestRule = Callable[[Any, Scope, bool], Any]

_VALUES: dict[type[exp.Expr], ValueRule] = {}
_TESTS: dict[type[exp.Expr], TestRule] = {}


def value_rule(*nodes: type[exp.Expr]) -> Callable[[ValueRule], ValueRule]:
    """Enter a function that gives the value of nodes of these classes."""

    def enter(rule: ValueRule) -> ValueRule:
        _VALUES.update(dict.fromkeys(nodes, rule))
        return rule

    return enter


def test_rule(*nodes: type[exp.Expr]) -> Callable[[TestRule], TestRule]:
    """Enter a function that tests nodes of these classes for a truth value."""

    def enter(rule: TestRule) -> TestRule:
        _TESTS.update(dict.fromkeys(nodes, rule))
        return rule

    return enter


def value(node: exp.Expr, scope: Scope) -> Typed:
    """The value of a SQL expression.

    Raises:
        UntranslatableSqlError: there is no rule for a part of it.
    """
    known = scope.known(node)
    if known is not None:
        return known
    rule = _VALUES.get(type(node))
    if rule is None:
        raise UntranslatableSqlError("no_rule", f"{node.sql(dialect='sqlite')[:80]}: no rule for {node.key}.")
    return rule(node, scope)


def is_test(node: exp.Expr) -> bool:
    """Whether the node is a condition rather than a value."""
    return type(node) in _TESTS


def test(node: exp.Expr, scope: Scope, *, wanted: bool = True) -> Any:  # noqa: PT028 no test of pytest
    """A Boolean expression that is true exactly where the SQL condition is TRUE (FALSE if not `wanted`).

    Neither is true where the condition is NULL, so no third truth value is needed.
    """
    rule = None if scope.known(node) is not None else _TESTS.get(type(node))
    if rule is not None:
        return rule(node, scope, wanted)
    return _nonzero(value(node, scope), wanted)


def _nonzero(operand: Typed, wanted: bool) -> Any:
    operand = as_number(operand)
    if operand.is_constant:
        return {"$literal": operand.constant is not None and (operand.constant != 0) is wanted}
    if wanted:
        return {"$and": [operand.mql, {"$gt": [operand.mql, None]}]} if operand.nullable else {"$ne": [operand.mql, 0]}
    return {"$eq": [operand.mql, 0]}
