"""Operators between literals: `10 * 3`, `'na' + 'me'`, `-5`, `new Date() - 86400000`."""

import math
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from bson.datetime_ms import DatetimeMS
from bson.int64 import Int64
from tree_sitter import Node

from evaluation.parse.dates import milliseconds_of
from evaluation.parse.limits import TEXT_BYTES, too_many_nodes
from evaluation.parse.literals import literal
from evaluation.parse.numbers import number_from_float, number_text
from evaluation.parse.script import Handler, Script


def _divide(left: float, right: float) -> float:
    if right != 0:
        return left / right
    if left == 0 or math.isnan(left):
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def _remainder(left: float, right: float) -> float:
    return math.nan if right == 0 or math.isinf(left) else math.fmod(left, right)


def _power(left: float, right: float) -> float:
    try:
        value = left**right
    except (OverflowError, ZeroDivisionError):
        return math.inf
    return math.nan if isinstance(value, complex) else value


_OPERATORS: Final[Mapping[str, Callable[[float, float], float]]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": _divide,
    "%": _remainder,
    "**": _power,
}


SMALLEST: Final = f"{2**63}n"
"""The smallest int64 is written as minus a number that is itself too large."""


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool | Int64)


def _binary(node: Node, script: Script, depth: int) -> Any:
    left_node, operator, right_node = node.children[0], node.children[1].type, node.children[-1]
    left, right = literal(left_node, script, depth + 1), literal(right_node, script, depth + 1)
    if operator == "+" and (isinstance(left, str) or isinstance(right, str)):
        return _joined(left, right, node, script)
    if operator in {"-", "/", "*"}:
        left, right = _as_number(left), _as_number(right)
    calculate = _OPERATORS.get(operator)
    if calculate is None or not _is_number(left) or not _is_number(right):
        raise script.unsupported(node, f"The operator {operator} is not supported between these values.")
    return number_from_float(float(calculate(float(left), float(right))))


def _as_number(value: Any) -> Any:
    return float(milliseconds_of(value)) if isinstance(value, datetime | DatetimeMS) else value


def _joined(left: Any, right: Any, node: Node, script: Script) -> str:
    parts = [number_text(part) if _is_number(part) else part for part in (left, right)]
    if not all(isinstance(part, str) for part in parts):
        raise script.unsupported(node, "Only text and numbers can be joined.")
    joined = "".join(parts)
    if len(joined) > TEXT_BYTES:
        raise too_many_nodes()
    return joined


def _unary(node: Node, script: Script, depth: int) -> Any:
    operator = node.children[0].type
    if operator == "-" and script.text(node.children[-1]).replace("_", "") == SMALLEST:
        return Int64(-(2**63))
    value = literal(node.children[-1], script, depth + 1)
    if operator == "!" and isinstance(value, bool | int | float | str | None):
        return not value or (isinstance(value, float) and math.isnan(value))
    if operator == "-" and isinstance(value, Int64):
        return Int64(-value)
    number = _as_number(value)
    if operator in {"-", "+"} and _is_number(number):
        return number_from_float(-float(number) if operator == "-" else float(number))
    raise script.unsupported(node, f"The operator {operator} is not supported before this value.")


ARITHMETIC: Final[Mapping[str, Handler]] = {"binary_expression": _binary, "unary_expression": _unary}
