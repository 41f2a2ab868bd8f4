"""Reads migrated documents back from a server, and runs a docmap's own checks there."""

import math
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC
from pathlib import Path
from typing import Any

from bson.codec_options import CodecOptions, DatetimeConversion
from pymongo import MongoClient
from pymongo.errors import OperationFailure, PyMongoError

from benchmark_data.docmap.certificate import CheckResult
from benchmark_data.docmap.ledger import typed_text
from benchmark_data.docmap.source import connect_read_only
from benchmark_data.docmap.types import AuthoredCheck
from benchmark_data.errors import BenchmarkError
from evaluation.errors import EngineUnavailableError

# Dates come as the files' reader gives them, so that both can be read back by the same inverse.
AS_WRITTEN: CodecOptions[dict[str, Any]] = CodecOptions(
    document_class=dict, tz_aware=True, tzinfo=UTC, datetime_conversion=DatetimeConversion.DATETIME_AUTO
)
_MILLISECONDS = 5_000


class StoredDocuments:
    """The documents of one loaded database, as the user that `url` names sees them."""

    def __init__(self, url: str, storage_name: str) -> None:
        self._client: MongoClient[dict[str, Any]] = MongoClient(
            url, connectTimeoutMS=_MILLISECONDS, serverSelectionTimeoutMS=_MILLISECONDS
        )
        self._database = self._client.get_database(storage_name, codec_options=AS_WRITTEN)

    def __enter__(self) -> "StoredDocuments":
        return self

    def __exit__(self, *_error: object) -> None:
        self._client.close()

    def read(self, collection: str) -> Iterator[Mapping[str, Any]]:
        """The documents of a collection.

        Raises:
            EngineUnavailableError: the server cannot be reached, or failed.
        """
        try:
            yield from self._database[collection].find()
        except PyMongoError as error:
            raise EngineUnavailableError(f"{collection} cannot be read back: {error}") from error

    def compared(self, checks: Sequence[AuthoredCheck], source: Path) -> tuple[CheckResult, ...]:
        """Run each check's SQL on the source and its pipeline here, and compare the results as multisets of rows.

        A row of the pipeline's result is its fields' values in order, without an `_id` of null. 1 and 1.0 are equal;
        numbers with a fraction are compared to 12 significant digits, because sums may be taken in another order.

        Raises:
            BenchmarkError: one of both sides is refused.
            EngineUnavailableError: the server cannot be reached.
        """
        connection = connect_read_only(source)
        try:
            return tuple(self._compared(check, connection) for check in checks)
        finally:
            connection.close()

    def _compared(self, check: AuthoredCheck, connection: sqlite3.Connection) -> CheckResult:
        try:
            wanted = connection.execute(check.sql).fetchall()
            found = list(self._database[check.collection].aggregate([dict(stage) for stage in check.pipeline]))
        except (sqlite3.Error, OperationFailure) as error:
            raise BenchmarkError(f"the check {check.name!r} cannot be run: {error}") from error
        except PyMongoError as error:
            raise EngineUnavailableError(f"the check {check.name!r} cannot be run: {error}") from error
        rows = [tuple(value for key, value in one.items() if (key, value) != ("_id", None)) for one in found]
        return CheckResult(name=check.name, rows=len(wanted), is_equal=_multiset(wanted) == _multiset(rows))


def _multiset(rows: Iterable[Sequence[Any]]) -> Counter[bytes]:
    return Counter(typed_text(tuple(map(_comparable, row))) for row in rows)


def _comparable(value: Any) -> Any:
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float) and math.isfinite(value):
        return int(value) if value.is_integer() else f"{value:.12g}"
    return value
