"""Unpacks an archive that mongodump wrote, with the documents of many collections interleaved in it."""

from collections.abc import Iterator
from io import BufferedReader
from pathlib import Path
from typing import Any

import bson
from bson.errors import BSONError

from benchmark_data.convert.bson_stream import BsonDamageError, parse_length, read_rest
from benchmark_data.convert.bytestream import DAMAGE, Meter, damage_message, open_bytes
from benchmark_data.convert.checksum import Crc64Check
from benchmark_data.convert.dump_layout import Namespace, databases_of
from benchmark_data.convert.dump_metadata import Kind, Metadata, read_metadata
from benchmark_data.convert.sources import Databases
from benchmark_data.faults import FaultLog

MAGIC = bytes.fromhex("6de29981")
TERMINATOR = b"\xff\xff\xff\xff"
_GZIP = b"\x1f\x8b"


def is_archive(path: Path) -> bool:
    """Whether a file begins as an archive does that is not packed with gzip."""
    with path.open("rb") as file:
        return file.read(4) == MAGIC


def unpack(path: Path, folder: Path, meter: Meter) -> Databases:
    """Write the documents of each namespace into a file of its own in `folder`, and give the databases.

    Format: a magic number; a header document; one document for each namespace, with its metadata; a terminator. Then
    blocks: a document that names a namespace, its documents, a terminator. A block whose first document says EOF has
    none, and the CRC-64 of all bytes of that namespace's documents. Source: `common/archive` of the MongoDB tools.

    Args:
        path: the archive, plain or packed with gzip.
        folder: an empty folder with room for all documents.
        meter: counts the bytes of the archive, then those of the files.
    """
    log = FaultLog(path.name)
    archive = _Archive(path.name, folder, log)
    meter.expect(path)
    try:
        with path.open("rb") as file:
            gzipped = file.read(2) == _GZIP
        with open_bytes(path, meter, gzipped=gzipped) as stream:
            archive.read(stream)
    except DAMAGE as error:
        log.add("bad_gzip", f"at byte {archive.offset:,}: {damage_message(error)}")
    except BsonDamageError as error:
        log.add(error.rule, f"at byte {archive.offset:,}: {error.message} Nothing after it was read.")
    except OSError as error:
        log.add("missing_file", f"the file cannot be read: {error.strerror}.")
    namespaces = list(archive.namespaces())
    meter.expect(*(namespace.path for namespace in namespaces if namespace.path is not None))
    found = databases_of(namespaces, meter)
    return Databases(sources=(*log.summary, *found.sources), notes=(*archive.notes, *found.notes))


class _Archive:
    def __init__(self, name: str, folder: Path, log: FaultLog) -> None:
        self.offset = 0
        self.notes: list[str] = []
        self._name = name
        self._folder = folder
        self._log = log
        self._metadata: dict[tuple[str, str], Metadata] = {}
        self._open: dict[tuple[str, str], Crc64Check] = {}
        self._paths: dict[tuple[str, str], Path] = {}
        self._ended: set[tuple[str, str]] = set()

    def read(self, stream: BufferedReader) -> None:
        """Read the whole archive.

        Raises:
            BsonDamageError: it cannot be read on.
        """
        magic = stream.read(4)
        if magic != MAGIC:
            raise BsonDamageError(
                "not_an_archive", f"the file begins with {magic.hex()}, an archive with {MAGIC.hex()}."
            )
        self.offset = 4
        self._header(stream)
        while stream.peek(1):
            start = self.offset
            header = self._document(stream)
            if header is None:
                raise BsonDamageError("bad_archive", "a block begins with its terminator.")
            self._block(stream, header, start)
        for key in sorted(self._open.keys() | self._metadata.keys()):
            if key not in self._ended and self._metadata.get(key, Metadata()).kind is Kind.COLLECTION and key[0]:
                message = f"the archive is cut off: {'.'.join(key)} has no end mark."
                self._log.add("truncated_archive", message, field=".".join(key))

    def namespaces(self) -> Iterator[Namespace]:
        """All namespaces that were named; the server's log of operations is none."""
        for key in sorted(self._metadata.keys() | self._paths.keys()):
            db_id, name = key
            if not db_id:
                self.notes.append(f"Left out: {name}; the collections are taken as they were dumped.")
                continue
            metadata = self._metadata.get(key, Metadata())
            yield Namespace(
                db_id=db_id,
                name=name,
                path=self._paths.get(key),
                origin=f"{self._name}:{db_id}.{name}",
                metadata=metadata,
            )

    def _header(self, stream: BufferedReader) -> None:
        self._document(stream)
        while (entry := self._document(stream)) is not None:
            key = self._key(entry)
            own = FaultLog(self._name)
            metadata = entry.get("metadata", "")
            self._metadata[key] = read_metadata(metadata if isinstance(metadata, str) else "", own)
            for fault in own.faults:
                self._log.add(fault.rule, fault.message, field=f"{'.'.join(key)}.metadata")

    def _block(self, stream: BufferedReader, header: dict[str, Any], start: int) -> None:
        key = self._key(header)
        if key in self._ended:
            raise BsonDamageError("bad_archive", f"{'.'.join(key)} goes on after its end mark.")
        check = self._open.setdefault(key, Crc64Check())
        path = self._paths.setdefault(key, self._folder / f"{len(self._paths)}.bson")
        with path.open("ab") as file:
            while (raw := self._raw(stream)) is not None:
                file.write(raw)
                check.update(raw)
        if not header.get("EOF"):
            return
        stated = header.get("CRC")
        if isinstance(stated, int) and not check.matches(stated):
            message = f"at byte {start:,}: the checksum of {'.'.join(key)} is not that of its documents."
            self._log.add("wrong_checksum", message, field=".".join(key))
        self._ended.add(key)

    def _key(self, header: dict[str, Any]) -> tuple[str, str]:
        db_id, name = header.get("db"), header.get("collection")
        if isinstance(db_id, str) and isinstance(name, str):
            return db_id, name
        raise BsonDamageError("bad_archive", 'a namespace\'s document must have the texts "db" and "collection".')

    def _document(self, stream: BufferedReader) -> dict[str, Any] | None:
        raw = self._raw(stream)
        try:
            return None if raw is None else bson.decode(raw)
        except BSONError as error:
            raise BsonDamageError("bad_bson", f"not BSON: {error}.") from error

    def _raw(self, stream: BufferedReader) -> bytes | None:
        """The bytes of the next document, or None at a terminator."""
        head = stream.read(4)
        if head == TERMINATOR:
            self.offset += 4
            return None
        if not head:
            raise BsonDamageError("truncated_archive", "the archive is cut off inside of a block.")
        length = parse_length(head)
        raw = read_rest(stream, length)
        self.offset += length
        return raw
