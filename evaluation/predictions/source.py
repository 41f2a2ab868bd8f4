"""Reads the lines of an uploaded file inside its limits, unpacked where it is packed."""

import gzip
import hashlib
import io
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from evaluation.predictions.types import PredictionLimits

_GZIP = b"\x1f\x8b"
_UTF8_MARK = b"\xef\xbb\xbf"
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")
# 50 million line ends fit into 50 MB, and would keep a web process busy for a minute.
_LINES = 2_000_000
_FREE_BYTES = 1024 * 1024


class UnreadableFileError(Exception):
    """The file cannot be read any further.

    Args:
        rule: stable snake_case identifier of the broken rule.
        message: a sentence for the submitter.
    """

    def __init__(self, rule: str, message: str) -> None:
        self.rule = rule
        self.message = message
        super().__init__(message)


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line of a file: its 1-based number, the offset of its first byte in the unpacked file, its bytes."""

    number: int
    offset: int
    content: bytes


class PredictionFile:
    """An uploaded file, read once from beginning to end; memory holds one line at a time.

    Args:
        source: open for reading bytes; it need not be seekable.
        limits: where reading stops.
    """

    def __init__(self, source: BinaryIO, limits: PredictionLimits) -> None:
        self._counter = _Counter(source, limits)
        self._limits = limits
        self.packed = False

    @property
    def sha256(self) -> str:
        """Hex SHA-256 of the bytes read so far, as they came."""
        return self._counter.hash.hexdigest()

    @property
    def size(self) -> int:
        """Number of bytes read so far, as they came."""
        return self._counter.count

    def lines(self) -> Iterator[Line]:
        """Yield the lines that are not blank, each with its end; a byte-order mark is taken off.

        Raises:
            UnreadableFileError: the file is too large, broken as gzip, a bomb, in UTF-16, or nothing but line ends.
        """
        raw = io.BufferedReader(self._counter)
        self.packed = raw.peek(2)[:2] == _GZIP
        stream = gzip.GzipFile(fileobj=raw) if self.packed else raw
        number = offset = 0
        while content := self._line(stream, offset):
            number += 1
            length = len(content)
            if number == 1:
                content = _without_mark(content)
            if number > _LINES:
                raise UnreadableFileError("too_many_lines", f"the file has more than {_LINES:,} lines.")
            if content.strip():
                yield Line(number=number, offset=offset + length - len(content), content=content)
            offset += length

    def _line(self, stream: BinaryIO | gzip.GzipFile | io.BufferedReader, offset: int) -> bytes:
        cap = self._limits.file_bytes
        try:
            content = stream.readline(cap - offset + 1)
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise UnreadableFileError("bad_gzip", f"the gzip packing is broken or cut off: {error}.") from error
        unpacked = offset + len(content)
        if unpacked > cap:
            raise _too_large(cap)
        if self.packed and unpacked > max(_FREE_BYTES, self._limits.ratio * self.size):
            message = f"it unpacks to more than {self._limits.ratio} times its size; send it unpacked."
            raise UnreadableFileError("packed_too_tightly", message)
        return content


class _Counter(io.RawIOBase):
    """Passes bytes through, counts and hashes them, and stops at the cap."""

    def __init__(self, source: BinaryIO, limits: PredictionLimits) -> None:
        super().__init__()
        self.count = 0
        self.hash = hashlib.sha256()
        self._source = source
        self._cap = limits.file_bytes

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "memoryview[int]") -> int:  # type: ignore[override]
        content = self._source.read(len(buffer))
        self.count += len(content)
        if self.count > self._cap:
            raise _too_large(self._cap)
        self.hash.update(content)
        buffer[: len(content)] = content
        return len(content)


def _too_large(cap: int) -> UnreadableFileError:
    return UnreadableFileError("too_large", f"the file is larger than the {cap / 1_000_000:g} MB that are accepted.")


def _without_mark(content: bytes) -> bytes:
    if content.startswith(_UTF16_MARKS):
        raise UnreadableFileError("not_utf8", "the file is in UTF-16 (its first two bytes say so); save it as UTF-8.")
    return content.removeprefix(_UTF8_MARK)
