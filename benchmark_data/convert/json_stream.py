"""Reads JSON values out of a large file one by one, so that memory holds one value and a block of text."""

import codecs
import json
from collections.abc import Iterator
from dataclasses import dataclass
from io import BufferedReader

_BLOCK_BYTES = 256 * 1024
# As for a line of a bundle's file: canonical Extended JSON takes at most about six times the bytes of BSON.
_VALUE_CHARACTERS = 128 * 1024 * 1024
# The end of a block may cut a literal, or the pair of escapes of one character.
_CUT_CHARACTERS = 16
_NUMBER = frozenset("-0123456789")
_WHITESPACE = " \t\n\r"


class JsonStreamError(Exception):
    """A file cannot be read on.

    Args:
        rule: stable snake_case identifier of the broken rule.
        message: what is wrong, as a sentence.
        line: 1-based line.
        offset: about where, in characters from the beginning of the file.
    """

    def __init__(self, rule: str, message: str, *, line: int, offset: int) -> None:
        self.rule = rule
        self.message = message
        self.line = line
        self.offset = offset
        super().__init__(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonPart:
    """The text of one value, with the 1-based line where it begins."""

    text: str
    line: int


class JsonStream:
    """A file of JSON under reading.

    Args:
        stream: UTF-8, with or without a byte-order mark.
        line: the number of the line where the stream stands.
        block: how many bytes are read at once, at the least.
    """

    def __init__(self, stream: BufferedReader, *, line: int = 1, block: int = _BLOCK_BYTES) -> None:
        self._block = block
        self._stream = stream
        self._utf8 = codecs.getincrementaldecoder("utf-8-sig")()
        self._decoder = json.JSONDecoder()
        self._text = ""
        self._position = 0
        self._line = line
        self._dropped = self._dropped_bytes = 0
        self._ended = False

    @property
    def place(self) -> tuple[int, int]:
        """The offset in bytes, a byte-order mark not counted, and the line that reading has come to."""
        return self._dropped_bytes + len(self._text[: self._position].encode()), self._line

    def peek(self) -> str:
        """The next character that is no white space, "" at the end of the file.

        Raises:
            JsonStreamError: the file is not UTF-8.
        """
        while True:
            text, position = self._text, self._position
            while position < len(text) and text[position] in _WHITESPACE:
                position += 1
            self._step(position)
            if position < len(text):
                return text[position]
            if self._ended:
                return ""
            self._fill()

    def elements(self) -> Iterator[JsonPart]:
        """The elements of the array that stands next.

        Raises:
            JsonStreamError: it is not one JSON array; what came before was given.
        """
        self.expect("[")
        if self.peek() == "]":
            self.expect("]")
            return
        while True:
            yield self.value()
            if self.peek() != ",":
                break
            self.expect(",")
        self.expect("]", or_else=",")

    def members(self) -> Iterator[str]:
        """The keys of the object that stands next; the value must be read before the next key is asked for.

        Raises:
            JsonStreamError: it is not one JSON object.
        """
        self.expect("{")
        if self.peek() == "}":
            self.expect("}")
            return
        while True:
            if self.peek() != '"':
                raise self.error("bad_json", "not JSON: a key must be a text in double quotes.")
            key = str(json.loads(self.value().text))
            self.expect(":")
            yield key
            if self.peek() != ",":
                break
            self.expect(",")
        self.expect("}", or_else=",")

    def value(self) -> JsonPart:
        """The text of the value that stands next; it is scanned as JSON, and left for the caller to decode.

        Raises:
            JsonStreamError: it is not JSON, or too long.
        """
        self.peek()
        while True:
            end = self._end()
            if end is not None:
                break
            if len(self._text) - self._position > _VALUE_CHARACTERS:
                raise self.error("too_large", "the value is too long for a document of 16 MiB.")
            self._fill()
        part = JsonPart(text=self._text[self._position : end], line=self._line)
        self._step(end)
        return part

    def expect(self, character: str, *, or_else: str = "") -> None:
        """Step over a character.

        Raises:
            JsonStreamError: another one stands there.
        """
        found = self.peek()
        if found != character:
            wanted = f"'{or_else}' or '{character}'" if or_else else f"'{character}'"
            there = f"not '{found}'" if found else "but the file ends here"
            raise self.error("bad_json", f"not JSON: {wanted} expected, {there}.")
        self._step(self._position + 1)

    def finish(self) -> None:
        """Make sure that nothing else stands in the file.

        Raises:
            JsonStreamError: there is something.
        """
        if self.peek():
            raise self.error("bad_json", "not JSON: there is text after the end of the value.")

    def error(self, rule: str, message: str, *, position: int | None = None) -> JsonStreamError:
        """An error at the place reached, or at a position of the text at hand."""
        position = self._position if position is None else position
        line = self._line + self._text.count("\n", self._position, position)
        return JsonStreamError(rule, message, line=line, offset=self._dropped + position)

    def _end(self) -> int | None:
        """The position after the value at hand, None where more text is needed to know."""
        try:
            _, end = self._decoder.raw_decode(self._text, self._position)
        except json.JSONDecodeError as error:
            cut = error.msg.startswith("Unterminated") or error.pos >= len(self._text) - _CUT_CHARACTERS
            if cut and not self._ended:
                return None
            message = f"not JSON: {error.msg.removesuffix(' at')}."
            raise self.error("bad_json", message, position=min(error.pos, len(self._text))) from error
        except RecursionError as error:
            raise self.error("nested_too_deep", "objects and arrays are nested too deeply to be read.") from error
        except ValueError as error:
            raise self.error("bad_json", f"not JSON that can be read: {error}.") from error
        # A number may go on in the next block: "1." reads as 1 and something else.
        is_number = self._text[self._position] in _NUMBER and end > len(self._text) - _CUT_CHARACTERS
        return None if (is_number or end == len(self._text)) and not self._ended else end

    def _step(self, position: int) -> None:
        self._line += self._text.count("\n", self._position, position)
        self._position = position

    def _fill(self) -> None:
        """Read on: each time as much again as is at hand, so that a long value is scanned a few times only."""
        self._dropped_bytes += len(self._text[: self._position].encode())
        self._text = self._text[self._position :]
        self._dropped += self._position
        self._position = 0
        block = self._stream.read(max(self._block, len(self._text)))
        self._ended = not block
        try:
            self._text += self._utf8.decode(block, final=self._ended)
        except UnicodeDecodeError as error:
            near = self._dropped + len(self._text) + error.start
            message = f"not UTF-8: {error.object[error.start]:#04x} at about byte {near:,}."
            self._line += error.object.count(b"\n", 0, error.start)
            raise self.error("not_utf8", message, position=len(self._text)) from error
