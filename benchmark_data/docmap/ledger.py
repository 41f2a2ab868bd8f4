"""Compares multisets of rows on disk: as many rows as there are, in little memory."""

import hashlib
import sqlite3
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from benchmark_data.docmap.source import Row

_BATCH = 10_000
_CACHE_KIBIBYTES = 65_536
_PLAIN_CHARACTERS = 120
_SHOWN_ROWS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """How two multisets of rows differ.

    Args:
        rows: rows on the left, the source's.
        reconstructed: rows on the right, as often as they were found.
        missing: rows of the left that the right lacks, with multiplicity.
        extra: rows of the right that the left lacks, with multiplicity.
        missing_examples: up to three of them, as text.
        extra_examples: up to three of them, as text.
    """

    rows: int
    reconstructed: int
    missing: int
    extra: int
    missing_examples: tuple[str, ...] = ()
    extra_examples: tuple[str, ...] = ()


class Ledger:
    """A scratch database that holds rows of two sides for each of some names."""

    def __init__(self) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="docmap-")
        self._connection = sqlite3.connect(Path(self._folder.name) / "ledger.sqlite", isolation_level=None)
        for pragma in ("journal_mode = OFF", "synchronous = OFF", f"cache_size = -{_CACHE_KIBIBYTES}"):
            self._connection.execute(f"PRAGMA {pragma}").fetchall()
        self._connection.execute("CREATE TABLE entries (name TEXT, side INTEGER, entry BLOB)")
        self._waiting: list[tuple[str, int, bytes]] = []

    def __enter__(self) -> "Ledger":
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the scratch database."""
        self._connection.close()
        self._folder.cleanup()

    def add_left(self, name: str, rows: Iterable[Row]) -> None:
        """Take in rows of the source."""
        for row in rows:
            self._add(name, 1, row)

    def add_right(self, name: str, row: Row) -> None:
        """Take in a row that was read back."""
        self._add(name, -1, row)

    def _add(self, name: str, side: int, row: Row) -> None:
        self._waiting.append((name, side, typed_text(row)))
        if len(self._waiting) >= _BATCH:
            self._flush()

    def _flush(self) -> None:
        self._connection.execute("BEGIN")
        self._connection.executemany("INSERT INTO entries VALUES (?, ?, ?)", self._waiting)
        self._connection.execute("COMMIT")
        self._waiting.clear()

    def differences(self, repeated: frozenset[str] = frozenset()) -> dict[str, Difference]:
        """The difference of each name's two sides; of the `repeated` ones, equal rows on the right count once."""
        self._flush()
        self._connection.execute("DROP TABLE IF EXISTS balances")
        self._connection.execute(
            "CREATE TABLE balances AS SELECT name, entry, sum(side > 0) AS lefts, sum(side < 0) AS rights FROM entries "
            "GROUP BY name, entry"
        )
        names = [name for (name,) in self._connection.execute("SELECT DISTINCT name FROM balances ORDER BY name")]
        return {name: self._difference(name, once=name in repeated) for name in names}

    def pointed(self) -> dict[str, tuple[int, int]]:
        """By name: how many different rows there are on the left, and how many of them are not on the right."""
        self._flush()
        found = self._connection.execute(
            "SELECT name, count(*), sum(rights = 0) FROM (SELECT name, sum(side > 0) AS lefts, sum(side < 0) AS rights "
            "FROM entries GROUP BY name, entry) WHERE lefts > 0 GROUP BY name ORDER BY name"
        )
        return {name: (keys, dangling) for name, keys, dangling in found}

    def _difference(self, name: str, *, once: bool) -> Difference:
        rights = "min(rights, 1)" if once else "rights"
        lefts, found, missing, extra = self._connection.execute(
            f"SELECT sum(lefts), sum(rights), sum(max(lefts - {rights}, 0)), sum(max({rights} - lefts, 0)) "  # noqa: S608
            "FROM balances WHERE name = ?",
            (name,),
        ).fetchone()
        return Difference(
            rows=lefts,
            reconstructed=found,
            missing=missing,
            extra=extra,
            missing_examples=self._examples(name, f"lefts > {rights}") if missing else (),
            extra_examples=self._examples(name, f"lefts < {rights}") if extra else (),
        )

    def _examples(self, name: str, condition: str) -> tuple[str, ...]:
        found = self._connection.execute(
            f"SELECT entry FROM balances WHERE name = ? AND {condition} ORDER BY entry LIMIT {_SHOWN_ROWS}",  # noqa: S608
            (name,),
        )
        return tuple(entry.decode(errors="replace") for (entry,) in found)


def typed_text(row: Row) -> bytes:
    """A row as bytes that are equal exactly where all cells are equal in storage class and bits.

    Python's repr tells 1 from 1.0 and "1", -0.0 from 0.0, and a text from a blob, and writes the shortest digits that
    give a float back. A long row is its beginning and its SHA-256.
    """
    text = repr(row)
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= _PLAIN_CHARACTERS:
        return data
    return f"{text[:_PLAIN_CHARACTERS]}… ".encode("utf-8", "surrogatepass") + hashlib.sha256(data).hexdigest().encode()
