"""SQLite's conversions between numbers and text: CAST, arithmetic on text, affinity in comparisons."""

import math
import re
from typing import Any

from benchmark_data.docmap.queries.errors import UntranslatableSqlError
from benchmark_data.docmap.queries.schema import Affinity, Kind
from benchmark_data.docmap.queries.typed import INT64, NULL, Typed, constant, expression, unless_null

_NUMBER = r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?"
_NUMBER_PREFIX = r"^[ \t\n\f\r]*" + _NUMBER
_INTEGER_PREFIX = r"^[ \t\n\f\r]*[+-]?[0-9]+"
_WHOLE_NUMBER = r"^[ \t\n\f\r]*" + _NUMBER + r"[ \t\n\f\r]*$"
_PREFIX, _INTEGER, _WHOLE = re.compile(_NUMBER_PREFIX), re.compile(_INTEGER_PREFIX), re.compile(_WHOLE_NUMBER)


def as_number(operand: Typed) -> Typed:
    """The operand of arithmetic: text is read as far as it looks like a number, else it is 0."""
    if operand.kind.is_number or operand.kind is Kind.NULL:
        return operand
    if operand.is_constant:
        return constant(_prefix_number(str(operand.constant)))
    parsed = _parsed(operand.mql, _NUMBER_PREFIX, "double")
    if operand.kind is Kind.TEXT:
        return expression(unless_null([operand], parsed), Kind.NUMBER, nullable=operand.nullable)
    mql = {"$cond": [{"$isNumber": operand.mql}, operand.mql, unless_null([operand], parsed)]}
    return expression(mql, Kind.NUMBER, nullable=operand.nullable)


def cast_real(operand: Typed) -> Typed:
    """CAST AS REAL; a number needs no conversion, because numbers of all types compare by value."""
    number = as_number(operand)
    if number.is_constant and number.constant is not None:
        return constant(float(number.constant), affinity=Affinity.REAL)
    return Typed(mql=number.mql, kind=Kind.REAL, nullable=number.nullable, affinity=Affinity.REAL)


def cast_integer(operand: Typed) -> Typed:
    """CAST AS INTEGER: numbers lose their fraction, text is read as far as it is an integer."""
    if operand.kind is Kind.INTEGER or operand.kind is Kind.NULL:
        return Typed(mql=operand.mql, kind=operand.kind, nullable=operand.nullable, affinity=Affinity.INTEGER)
    if operand.is_constant:
        found = _INTEGER.match(str(operand.constant))
        value = int(operand.constant) if isinstance(operand.constant, float) else int(found[0]) if found else 0
        return constant(value, affinity=Affinity.INTEGER)
    truncated = {"$trunc": [operand.mql, 0]}
    parsed = unless_null([operand], _parsed(operand.mql, _INTEGER_PREFIX, "long"))
    if operand.kind is Kind.TEXT:
        mql: Any = parsed
    elif operand.kind.is_number:
        mql = truncated
    else:
        mql = {"$cond": [{"$isNumber": operand.mql}, truncated, parsed]}
    return Typed(mql=mql, kind=Kind.INTEGER, nullable=operand.nullable, affinity=Affinity.INTEGER)


def as_text(operand: Typed) -> Typed:
    """The operand as text.

    Raises:
        UntranslatableSqlError: fractions; SQLite writes 15 digits and MongoDB 17.
    """
    if operand.kind is Kind.TEXT or operand.kind is Kind.NULL:
        return operand
    if operand.is_constant:
        return constant(number_text(operand.constant))
    if operand.kind is Kind.INTEGER:
        # The value may be a whole double, which $toString writes without a fraction only up to 10 digits.
        return expression({"$toString": {"$toLong": operand.mql}}, Kind.TEXT, nullable=operand.nullable)
    if operand.kind is Kind.ANY:
        mql = {"$cond": [{"$isNumber": operand.mql}, {"$toString": operand.mql}, operand.mql]}
        return expression(mql, Kind.TEXT, nullable=operand.nullable)
    raise UntranslatableSqlError("fraction_as_text", "A number with a fraction is used as text.")


def cast_text(operand: Typed) -> Typed:
    """CAST AS TEXT."""
    text = as_text(operand)
    if text.is_constant:
        return constant(text.constant, affinity=Affinity.TEXT)
    return Typed(mql=text.mql, kind=text.kind, nullable=text.nullable, affinity=Affinity.TEXT)


def comparable(left: Typed, right: Typed) -> tuple[Typed, Typed]:
    """Both sides of a comparison after the conversions of "Datatypes In SQLite", section 4.2."""
    left_numeric = left.affinity is not None and left.affinity.is_numeric
    right_numeric = right.affinity is not None and right.affinity.is_numeric
    if left_numeric and not right_numeric:
        return left, _with_numeric_affinity(right)
    if right_numeric and not left_numeric:
        return _with_numeric_affinity(left), right
    if left.affinity is Affinity.TEXT and right.affinity is None:
        return left, as_text(right)
    if right.affinity is Affinity.TEXT and left.affinity is None:
        return as_text(left), right
    return left, right


def _with_numeric_affinity(operand: Typed) -> Typed:
    if operand.kind.is_number or operand.kind is Kind.NULL:
        return operand
    if operand.is_constant:
        return constant(_prefix_number(operand.constant)) if _WHOLE.match(operand.constant) else operand
    looks = {"$regexMatch": {"input": operand.mql, "regex": _WHOLE_NUMBER}}
    test = {"$cond": [{"$eq": [{"$type": operand.mql}, "string"]}, looks, False]}
    number = {"$toDouble": {"$trim": {"input": operand.mql}}}
    return expression({"$cond": [test, number, operand.mql]}, Kind.ANY, nullable=operand.nullable)


def number_text(value: float) -> str:
    """A number as SQLite writes it."""
    if isinstance(value, int):
        return str(value)
    text = f"{value:.15g}"
    return text if any(c in text for c in ".en") else f"{text}.0"


def _prefix_number(text: str) -> float:
    found = _PREFIX.match(text)
    if found is None:
        return 0
    number = float(found[0])
    whole = found[2] is None and found[3] is None and found[1][:1] != "." and INT64.start <= number < INT64.stop
    return int(found[0]) if whole and math.isfinite(number) else number


def _parsed(mql: Any, pattern: str, to: str) -> Any:
    found = {"$getField": {"field": "match", "input": {"$regexFind": {"input": mql, "regex": pattern}}}}
    return {"$convert": {"input": {"$trim": {"input": found}}, "to": to, "onError": 0, "onNull": 0}}


__all__ = ["NULL", "as_number", "as_text", "cast_integer", "cast_real", "cast_text", "comparable", "number_text"]
