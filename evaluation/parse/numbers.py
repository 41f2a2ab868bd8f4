"""JavaScript numbers as js-bson sends them."""

import math
import re
from typing import Final

from bson.int64 import Int64

INT32_MIN: Final = -(2**31)
INT32_MAX: Final = 2**31 - 1
_DECIMAL: Final = re.compile(r"(?:(?:0|[1-9][0-9]*)(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_PREFIXED: Final = re.compile(r"0[xX][0-9a-fA-F]+|0[oO][0-7]+|0[bB][01]+")


def number_from_float(value: float) -> int | float:
    """An integral number within int32 is an int32, any other a double; −0 stays a double (js-bson rules)."""
    if value.is_integer() and INT32_MIN <= value <= INT32_MAX and (value != 0 or math.copysign(1.0, value) > 0):
        return int(value)
    return value


def number_from_literal(literal: str) -> int | float | Int64 | None:
    """The value of a JavaScript number literal, or None where it is not one in strict mode.

    A BigInt (`5n`) is an int64; one outside int64 is no number here.
    """
    if literal.isascii() and literal.isdigit() and len(literal) < 10 and (literal[0] != "0" or literal == "0"):
        return int(literal)
    text = literal.replace("_", "") if re.fullmatch(r"[^_]+(?:_[^_]+)*", literal) else literal
    if text.endswith("n"):
        return _big_integer(text[:-1])
    if _PREFIXED.fullmatch(text):
        return number_from_float(_as_double(int(text, 0)))
    return number_from_float(float(text)) if _DECIMAL.fullmatch(text) else None


def _as_double(integer: int) -> float:
    return float(integer) if integer.bit_length() <= 1023 else math.inf


def _big_integer(text: str) -> Int64 | None:
    if not (_PREFIXED.fullmatch(text) or re.fullmatch(r"0|[1-9][0-9]{0,19}", text)):
        return None
    integer = int(text, 0)
    return Int64(integer) if integer.bit_length() <= 63 else None


def number_text(value: float) -> str:
    """How JavaScript writes a number as text, e.g. "5", "0.1", "1e+21"."""
    if isinstance(value, int):
        return str(value)
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    if value.is_integer() and abs(value) < 1e21:
        return str(int(value))
    digits = repr(value)
    mantissa, _, exponent = digits.partition("e")
    if not exponent:
        return digits
    if -7 < int(exponent) < 0:
        return f"{value:.{len(mantissa.replace('.', '').lstrip('-')) - int(exponent) - 1}f}"
    return f"{mantissa}e{int(exponent):+d}"
