"""When a query need not be executed: the key of an execution, and its result as bytes to keep."""

import hashlib
import json
import zlib
from typing import Any, Final

import bson
from bson.codec_options import CodecOptions, DatetimeConversion

from evaluation.guard.canonical import canonical
from evaluation.types import Answer, AnswerKind, ExecutionFailure, FailureKind, Limits, Query

# As executors decode: dates stay milliseconds.
_CODEC: Final = CodecOptions[dict[str, Any]](datetime_conversion=DatetimeConversion.DATETIME_MS, tz_aware=False)

LASTING_FAILURES: Final = frozenset({FailureKind.INVALID, FailureKind.TOO_LARGE})
"""Failures that lie in the query and the data. A time-out may lie in the hour: a busy engine would lose the query for
everybody who sends it later, so it is never kept."""


def execution_key(query: Query, *, database_digest: str, limits: Limits, engine: str) -> str:
    """The SHA-256 that equal executions share, in hexadecimal.

    Args:
        query: as it is sent.
        database_digest: of the database's content; another content is another key, so nothing is ever invalidated.
        limits: an answer that was cut short is the answer to that limit only.
        engine: name and version.
    """
    content = [database_digest, engine, limits.milliseconds, limits.rows, limits.answer_bytes, canonical(query)]
    return hashlib.sha256(json.dumps(content).encode("utf-8", "surrogatepass")).hexdigest()


def may_be_kept(result: Answer | ExecutionFailure) -> bool:
    """Whether the same query on the same data would give this result again, at any time."""
    return isinstance(result, Answer) or result.kind in LASTING_FAILURES


def result_pack(result: Answer | ExecutionFailure) -> bytes:
    """The result as zlib-compressed BSON, with the time that its one execution took."""
    document: dict[str, Any] = {"milliseconds": result.milliseconds}
    if isinstance(result, Answer):
        document |= {"kind": result.kind.value, "rows": list(result.rows), "complete": result.complete}
    else:
        document |= {"failure": result.kind.value, "code": result.code, "message": result.message}
    return zlib.compress(bson.encode(document, codec_options=_CODEC), level=1)


def result_unpack(content: bytes) -> Answer | ExecutionFailure:
    """The result that `result_pack` made into bytes; value for value the same."""
    document = bson.decode(zlib.decompress(content), codec_options=_CODEC)
    if "failure" in document:
        return ExecutionFailure(
            kind=FailureKind(document["failure"]),
            code=document["code"],
            message=document["message"],
            milliseconds=document["milliseconds"],
        )
    return Answer(
        kind=AnswerKind(document["kind"]),
        rows=tuple(document["rows"]),
        complete=document["complete"],
        milliseconds=document["milliseconds"],
    )
