"""Opens files of a source as streams of bytes: gzip undone, progress told."""

import gzip
import io
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DAMAGE = (gzip.BadGzipFile, EOFError, zlib.error)
"""What reading from a damaged gzip file raises."""

_BUFFER_BYTES = 256 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class BytesRead:
    """How far a conversion has come.

    Args:
        done: bytes of the source's files read so far, as they lie on the disk.
        total: how many there are; it grows once where an archive is unpacked before it is read.
    """

    done: int
    total: int


BytesProgress = Callable[[BytesRead], None]


class Meter:
    """Counts the bytes read from all files of a source.

    Args:
        progress: told after each block of at most 256 KiB.
    """

    def __init__(self, progress: BytesProgress | None = None) -> None:
        self._progress = progress
        self._done = 0
        self._total = 0

    def expect(self, *paths: Path) -> None:
        """Add the sizes of files that will be read."""
        self._total += sum(path.stat().st_size for path in paths if path.is_file())

    def advance(self, count: int) -> None:
        """Note that bytes were read."""
        self._done += count
        if self._progress is not None:
            self._progress(BytesRead(done=self._done, total=max(self._total, self._done)))


class _Counted(io.RawIOBase):
    def __init__(self, raw: io.FileIO, meter: Meter) -> None:
        self._raw = raw
        self._meter = meter

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._raw.readinto(buffer) or 0
        self._meter.advance(count)
        return count


@contextmanager
def open_bytes(path: Path, meter: Meter, *, gzipped: bool | None = None) -> Iterator[io.BufferedReader]:
    """Open a file for reading; what is packed with gzip comes unpacked.

    Args:
        path: the file.
        meter: counts the bytes as they lie on the disk.
        gzipped: whether it is packed; None: its name ends in ".gz".

    Raises:
        OSError: the file cannot be opened. Reading may raise one of `DAMAGE`.
    """
    with path.open("rb", buffering=0) as raw:
        counted: io.BufferedReader = io.BufferedReader(_Counted(raw, meter), _BUFFER_BYTES)
        if path.suffix != ".gz" if gzipped is None else not gzipped:
            yield counted
            return
        with gzip.GzipFile(fileobj=counted, mode="rb") as unpacked:
            yield io.BufferedReader(unpacked, _BUFFER_BYTES)


def damage_message(error: Exception) -> str:
    """A sentence on why a file named as gzip cannot be unpacked."""
    if isinstance(error, EOFError):
        return "the gzip file is cut off: it ends before its end mark."
    return f"not a sound gzip file: {str(error).rstrip('.')}."
