"""Strict JSON reading that knows its lines: no NaN, no repeated keys unseen, no crash on deep nesting."""

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

_WHITESPACE = " \t\n\r"


class JsonTextError(Exception):
    """A text is not JSON.

    Args:
        message: what is wrong, with the column, as the beginning of a sentence without its full stop.
        position: 0-based offset in characters.
        line: 1-based line.
    """

    def __init__(self, message: str, *, position: int, line: int) -> None:
        self.message = message
        self.position = position
        self.line = line
        super().__init__(message)


class RepeatedKeys(dict[str, Any]):
    """A JSON object in which keys stand more than once; the last value counts, as in every JSON reader."""

    repeated: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One element of an array (key is its index as text) or one member of an object.

    Args:
        key: the member's key.
        value: the decoded value.
        line: 1-based line where the value begins; for a member of an object, where its key begins.
        start: 0-based offset of the value in the text.
        end: offset after the value.
    """

    key: str
    value: Any
    line: int
    start: int
    end: int


class JsonText:
    """A JSON text with its line starts, walked member by member so that each has its line.

    Args:
        text: the whole text.
        first_line: the number of its first line, where the text is a part of a file.
    """

    def __init__(self, text: str, *, first_line: int = 1) -> None:
        self.text = text
        self._first_line = first_line
        self._starts: list[int] | None = None
        self._decoder = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)

    def value(self) -> Any:
        """Decode the whole text.

        Raises:
            JsonTextError: it is not one JSON value.
        """
        value, end = self._decode(self._skip(0))
        self._finish(end)
        return value

    def elements(self) -> Iterator[Member]:
        """Walk the array that the text is; what comes before a syntax error is yielded before the error is raised.

        Raises:
            JsonTextError: it is not one JSON array.
        """
        position = self._next_member(self._expect(0, "["), "]", first=True)
        index = 0
        while position is not None:
            value, end = self._decode(position)
            yield Member(key=str(index), value=value, line=self.line(position), start=position, end=end)
            index += 1
            position = self._next_member(end, "]", first=False)

    def members(self) -> Iterator[Member]:
        """Walk the object that the text is, repeated keys included, as `elements` walks an array.

        Raises:
            JsonTextError: it is not one JSON object.
        """
        position = self._next_member(self._expect(0, "{"), "}", first=True)
        while position is not None:
            key, end = self._decode(position)
            if not isinstance(key, str):
                raise self._error("a key must be a text in double quotes", position)
            start = self._skip(self._expect(end, ":"))
            value, end = self._decode(start)
            yield Member(key=key, value=value, line=self.line(position), start=start, end=end)
            position = self._next_member(end, "}", first=False)

    def line(self, position: int) -> int:
        """The 1-based number of the line that holds a position."""
        if self._starts is None:
            self._starts = [0]
            found = self.text.find("\n")
            while found >= 0:
                self._starts.append(found + 1)
                found = self.text.find("\n", found + 1)
        return self._first_line + bisect_right(self._starts, position) - 1

    def _decode(self, position: int) -> tuple[Any, int]:
        try:
            return self._decoder.raw_decode(self.text, position)
        except json.JSONDecodeError as error:
            raise self._error(error.msg.removesuffix(" at"), error.pos) from error
        except RecursionError as error:
            raise self._error("objects and arrays are nested too deeply", position) from error
        except ValueError as error:
            # NaN and its like, and integers of more than 4,300 digits, come as plain ValueError without a position.
            raise self._error(str(error), position) from error

    def _next_member(self, position: int, closing: str, *, first: bool) -> int | None:
        """Step over a comma to the next member, or over the closing bracket to the end of the text (None)."""
        position = self._skip(position)
        if self.text.startswith(closing, position):
            self._finish(position + 1)
            return None
        return self._skip(position if first else self._expect(position, ",", closing=closing))

    def _expect(self, position: int, character: str, *, closing: str = "") -> int:
        position = self._skip(position)
        if self.text.startswith(character, position):
            return position + 1
        wanted = f"'{character}' or '{closing}'" if closing else f"'{character}'"
        raise self._error(f"{wanted} expected", position)

    def _finish(self, position: int) -> None:
        position = self._skip(position)
        if position != len(self.text):
            raise self._error("there is text after the end of the JSON value", position)

    def _skip(self, position: int) -> int:
        text, end = self.text, len(self.text)
        while position < end and text[position] in _WHITESPACE:
            position += 1
        return position

    def _error(self, message: str, position: int) -> JsonTextError:
        column = position - self.text.rfind("\n", 0, position)
        end = " (the text ends here)" if position >= len(self.text.rstrip()) else ""
        return JsonTextError(f"{message} at column {column}{end}", position=position, line=self.line(position))


def repeated_keys(value: Any) -> tuple[str, ...]:
    """The keys that stand more than once in one object, anywhere in a decoded value."""
    found: list[str] = []
    waiting = [value]
    while waiting:
        part = waiting.pop()
        if isinstance(part, RepeatedKeys):
            found.extend(part.repeated)
        if isinstance(part, dict):
            waiting.extend(part.values())
        elif isinstance(part, list):
            waiting.extend(part)
    return tuple(found)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) == len(pairs):
        return fields
    marked = RepeatedKeys(fields)
    marked.repeated = tuple(key for key, count in Counter(key for key, _ in pairs).items() if count > 1)
    return marked


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")
