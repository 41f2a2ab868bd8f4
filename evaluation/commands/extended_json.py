"""Read one line of Extended JSON, however deeply it is nested."""

import json
import re
from json.decoder import scanstring  # type: ignore[attr-defined]
from typing import Any

from bson.codec_options import DatetimeConversion
from bson.errors import BSONError
from bson.json_util import JSONMode, JSONOptions, loads, object_hook

# Dates beyond the years 1 to 9999 are legal BSON, so dates stay milliseconds.
_OPTIONS: JSONOptions = JSONOptions(
    json_mode=JSONMode.CANONICAL, datetime_conversion=DatetimeConversion.DATETIME_MS, tz_aware=False
)
_BLANKS = re.compile(r"[ \t\r\n]*")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WORDS = {"true": True, "false": False, "null": None}


def read_extended_json(text: str) -> Any:
    """The value of a text in Extended JSON, canonical or relaxed.

    Raises:
        ValueError: the text is not JSON, or holds a wrapper such as `{"$oid": 5}` with an impossible value.
    """
    try:
        return loads(text, json_options=_OPTIONS)
    except RecursionError:
        return _DeepReader(text).read()
    except ArithmeticError as error:
        raise ValueError("a $numberDecimal is not a number") from error
    except (BSONError, TypeError) as error:
        raise ValueError(str(error)) from error


class _DeepReader:
    """A JSON reader with a stack of its own, for texts that are too deep for the standard one."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._place = 0
        self._stack: list[tuple[list[Any], str | None, bool]] = []

    def read(self) -> Any:
        """Read containers from the outside in, and close them from the inside out."""
        while True:
            sign = self._next()
            if sign in "[{":
                self._place += 1
                value, is_open = self._opened(sign)
                if is_open:
                    continue
            else:
                value = self._scalar(sign)
            while self._stack:
                value, is_open = self._added(value)
                if is_open:
                    break
            else:
                if self._next(end=True):
                    raise self._error("extra data")
                return value

    def _opened(self, sign: str) -> tuple[Any, bool]:
        """Enter a container; an empty one is done at once."""
        is_object = sign == "{"
        if self._next() == ("}" if is_object else "]"):
            self._place += 1
            return ({} if is_object else []), False
        self._stack.append(([], self._name() if is_object else None, is_object))
        return None, True

    def _added(self, value: Any) -> tuple[Any, bool]:
        """Put a value into the innermost container; it stays open at a comma."""
        done, name, is_object = self._stack.pop()
        done.append((name, value) if is_object else value)
        sign = self._next()
        self._place += 1
        if sign == ",":
            self._stack.append((done, self._name() if is_object else None, is_object))
            return None, True
        if sign != ("}" if is_object else "]"):
            raise self._error("a comma or a closing bracket is missing")
        return (object_hook(dict(done), _OPTIONS) if is_object else done), False

    def _name(self) -> str:
        if self._next() != '"':
            raise self._error("a name in quotes is missing")
        name, self._place = scanstring(self._text, self._place + 1)
        if self._next() != ":":
            raise self._error("a colon is missing")
        self._place += 1
        return str(name)

    def _scalar(self, sign: str) -> Any:
        if sign == '"':
            value, self._place = scanstring(self._text, self._place + 1)
            return value
        for word, value in _WORDS.items():
            if self._text.startswith(word, self._place):
                self._place += len(word)
                return value
        number = _NUMBER.match(self._text, self._place)
        if number is None:
            raise self._error("a value is missing")
        self._place = number.end()
        return json.loads(number.group())

    def _next(self, *, end: bool = False) -> str:
        """The next character that is not blank; at the end an error unless it is expected."""
        blanks = _BLANKS.match(self._text, self._place)
        self._place = blanks.end() if blanks else self._place
        sign = self._text[self._place : self._place + 1]
        if not sign and not end:
            raise self._error("the text ends early")
        return sign

    def _error(self, message: str) -> ValueError:
        return json.JSONDecodeError(message, self._text, self._place)
