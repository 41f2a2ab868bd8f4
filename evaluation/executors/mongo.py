"""Runs queries on a document database that speaks MongoDB's wire protocol."""

import time
from collections.abc import Callable
from typing import Any

import bson
from bson.errors import BSONError
from bson.raw_bson import RawBSONDocument
from pymongo.database import Database
from pymongo.errors import (
    AutoReconnect,
    NetworkTimeout,
    NotPrimaryError,
    OperationFailure,
    ProtocolError,
    PyMongoError,
    ServerSelectionTimeoutError,
)

from evaluation.errors import EngineUnavailableError
from evaluation.executors.client import DECODING, RAW, Connections
from evaluation.executors.errors import EngineLostError, StoppedQueryError
from evaluation.executors.failures import UNAUTHORIZED, failure_of, is_servers_fault, shortened, unsendable
from evaluation.executors.request import batch_size, command_of
from evaluation.executors.shaping import limits_to_read, shaped
from evaluation.types import (
    Answer,
    AnswerKind,
    EngineIdentity,
    ExecutionFailure,
    FailureKind,
    Limits,
    Operation,
    Query,
)

IDENTITY_MILLISECONDS = 10_000
IDENTITY_SECONDS = 10.0
COUNTS = frozenset({Operation.COUNT, Operation.ESTIMATED_DOCUMENT_COUNT})
KINDS = {
    Operation.AGGREGATE: AnswerKind.DOCUMENTS,
    Operation.FIND: AnswerKind.DOCUMENTS,
    Operation.FIND_ONE: AnswerKind.DOCUMENT,
}


class Meter:
    """One query's clock, and its count of bytes and rows."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._started = time.monotonic()
        self._bytes = 0

    @property
    def milliseconds(self) -> float:
        """Since the query was sent."""
        return (time.monotonic() - self._started) * 1000

    def count(self, size: int) -> None:
        """Note `size` bytes that were read.

        Raises:
            StoppedQueryError: the answer is too large, or meter took too long.
        """
        self._bytes += size
        if self._bytes > self.limits.answer_bytes:
            raise StoppedQueryError(FailureKind.TOO_LARGE, f"the answer is above {self.limits.answer_bytes} bytes")
        self.check_time()

    def check_time(self) -> None:
        """Raise StoppedQueryError if the deadline has passed."""
        if self.milliseconds > self.limits.milliseconds:
            raise StoppedQueryError(FailureKind.TIMED_OUT, f"no answer within {self.limits.milliseconds} ms")


class MongoExecutor:
    """An `evaluation.types.Executor` on the server that `url` names.

    One client a process, made when first needed, so the object may be made before a fork. Thread-safe.

    Args:
        url: connection string of a user that can only read.
        demo: the engine is the embedded one; an engine that says so by itself is recognised without this.
    """

    def __init__(self, url: str, *, demo: bool = False) -> None:
        self._connections = Connections(url)
        self._demo = demo
        self._identity: EngineIdentity | None = None
        self._identified_at = 0.0

    @property
    def identity(self) -> EngineIdentity:
        """The engine behind this executor; asks the server now and then, for it may be replaced while we run.

        Raises:
            EngineUnavailableError: the server cannot be reached.
        """
        if self._identity is None or time.monotonic() - self._identified_at > IDENTITY_SECONDS:
            client = self._connections.client(IDENTITY_MILLISECONDS)
            try:
                build = client.admin.command("buildInfo")
            except PyMongoError as error:
                raise EngineUnavailableError(f"the document database does not answer: {error}") from error
            demo_version = build.get("secantusVersion")
            self._identity = EngineIdentity(
                name="SecantusDB" if demo_version else "MongoDB",
                version=str(demo_version or build["version"]),
                demo=self._demo or demo_version is not None,
            )
            self._identified_at = time.monotonic()
        return self._identity

    def is_healthy(self) -> bool:
        """Whether the server answers a ping within a few seconds."""
        return self._connections.answers()

    def close(self) -> None:
        """Close this process's connections; the next query opens them again."""
        self._connections.close()

    def execute(self, query: Query, *, database: str, limits: Limits) -> Answer | ExecutionFailure:
        """See `evaluation.types.Executor.execute`.

        Raises:
            EngineLostError: the connection broke, or the engine fell silent, while this query ran.
            EngineUnavailableError: the server cannot be reached or failed for a reason that is not the query's.
        """
        limits = limits_to_read(query, limits)
        command = command_of(query, limits=limits)
        try:
            bson.encode(command)
        except (BSONError, OverflowError, TypeError, ValueError) as error:
            return unsendable(error)
        meter = Meter(limits)
        self._connections.watch.reset()
        try:
            return shaped(self._answer(query, command, database, meter), query)
        except StoppedQueryError as error:
            return _failure(error.kind, str(error), meter)
        except OperationFailure as error:
            return self._judged(error, database, meter)
        except NetworkTimeout as error:
            return self._silence(error, meter)
        except ProtocolError as error:
            # A reply above the largest message: the server does not limit what one command may answer.
            return _failure(FailureKind.TOO_LARGE, str(error), meter)
        except PyMongoError as error:
            raise self._unavailable(error) from error
        except BSONError as error:
            return _failure(FailureKind.INVALID, f"the answer cannot be decoded: {error}", meter)

    def _answer(self, query: Query, command: dict[str, Any], database: str, meter: Meter) -> Answer:
        source = self._connections.client(meter.limits.milliseconds)[database]
        if query.operation in COUNTS:
            reply = bson.decode(_reply(source, command).raw, DECODING)
            return _scalar(reply["n"], meter)
        if query.operation is Operation.DISTINCT:
            return _distinct(query, _reply(source, command), meter)
        rows: list[dict[str, Any]] = []
        if query.length_only:
            return _scalar(_read(source, command, meter, lambda _row: True), meter)

        def keep(row: RawBSONDocument) -> bool:
            if len(rows) == meter.limits.rows:
                return False
            rows.append(bson.decode(row.raw, DECODING))
            return True

        read = _read(source, command, meter, keep)
        if query.operation is Operation.COUNT_DOCUMENTS:
            return _scalar(rows[0]["n"] if rows else 0, meter)
        return Answer(
            kind=KINDS[query.operation],
            rows=tuple(rows),
            complete=read == len(rows),
            milliseconds=meter.milliseconds,
        )

    def _judged(self, error: OperationFailure, database: str, meter: Meter) -> ExecutionFailure:
        if is_servers_fault(error):
            raise EngineUnavailableError(f"the document database gave up: {shortened(str(error))}") from error
        if error.code == UNAUTHORIZED and not self._may_read(database):
            raise EngineUnavailableError(f"the reader may not read {database}: {shortened(str(error))}") from error
        return failure_of(error, milliseconds=meter.milliseconds)

    def _may_read(self, database: str) -> bool:
        """Whether a plain read is allowed, so that a refusal of another one is that query's own."""
        client = self._connections.client(IDENTITY_MILLISECONDS)
        try:
            client[database].command({"find": "aptboard", "limit": 1, "singleBatch": True})
        except PyMongoError:
            return False
        return True

    def _silence(self, error: NetworkTimeout, meter: Meter) -> ExecutionFailure:
        """Judge a query that was not answered long after its deadline: slow, or has it frozen the engine?"""
        if not self._connections.watch.sent:
            raise EngineUnavailableError(f"the document database does not accept connections: {error}") from error
        if not self._connections.answers():
            raise EngineLostError("the document database fell silent while this query ran") from error
        return _failure(FailureKind.TIMED_OUT, f"no answer within {meter.limits.milliseconds} ms", meter)

    def _unavailable(self, error: PyMongoError) -> EngineUnavailableError:
        broken = isinstance(error, AutoReconnect) and not isinstance(
            error, ServerSelectionTimeoutError | NotPrimaryError
        )
        if broken and self._connections.watch.sent:
            return EngineLostError(f"the connection broke while this query ran: {shortened(str(error))}")
        return EngineUnavailableError(f"the document database cannot be used: {shortened(str(error))}")


def _reply(source: "Database[RawBSONDocument]", command: dict[str, Any]) -> RawBSONDocument:
    # Neither a command nor its cursor takes codec options or read preference from the database by itself.
    return source.command(command, codec_options=RAW, read_preference=source.read_preference)


def _read(
    source: "Database[RawBSONDocument]",
    command: dict[str, Any],
    meter: Meter,
    take: Callable[[RawBSONDocument], bool],
) -> int:
    """Read rows until `take` refuses one or the answer ends; returns how many were read, the refused one included."""
    cursor = source.cursor_command(command, codec_options=RAW, read_preference=source.read_preference)
    try:
        cursor.batch_size(batch_size(meter.limits))
        read = 0
        for row in cursor:
            read += 1
            if not take(row):
                break
            meter.count(len(row.raw))
        return read
    finally:
        cursor.close()


def _distinct(query: Query, reply: RawBSONDocument, meter: Meter) -> Answer:
    meter.count(len(reply.raw))
    values = bson.decode(reply.raw, DECODING)["values"]
    if query.length_only:
        return _scalar(len(values), meter)
    return Answer(
        kind=AnswerKind.VALUES,
        rows=tuple(values[: meter.limits.rows]),
        complete=len(values) <= meter.limits.rows,
        milliseconds=meter.milliseconds,
    )


def _scalar(value: Any, meter: Meter) -> Answer:
    meter.check_time()
    return Answer(kind=AnswerKind.SCALAR, rows=(value,), milliseconds=meter.milliseconds)


def _failure(kind: FailureKind, message: str, meter: Meter) -> ExecutionFailure:
    return ExecutionFailure(kind=kind, code=None, message=shortened(message), milliseconds=meter.milliseconds)
