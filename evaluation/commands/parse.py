"""`aptboard parse`: what each text is read as, or why it is refused."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from evaluation.errors import ForbiddenQueryError, UnparsableTextError
from evaluation.guard.canonical import canonical_arguments
from evaluation.guard.judge import judge
from evaluation.parse.read import read
from evaluation.types import Query, ReadingContext


class _BadLineError(Exception):
    """A line of the input is not what it should be."""


def parse(
    file: Annotated[Path, typer.Argument(help='JSON lines {"id", "text", "db_id"?, "collections"?}; - is stdin.')],
    now: Annotated[
        datetime | None, typer.Option(help="The clock for new Date(), UTC; the present time if not given.")
    ] = None,
) -> None:
    """Read and guard each text of FILE; write one JSON line for each, in order.

    Exit code 2 where a line of FILE is not JSON of that form; the other lines are answered all the same.
    """
    clock = datetime.now(tz=UTC) if now is None else now.replace(tzinfo=now.tzinfo or UTC)
    bad_lines = 0
    with _opened(file) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                answer = _answer(_record(line), clock=clock)
            except _BadLineError as error:
                bad_lines += 1
                typer.echo(f"{file}:{number}: {error}", err=True)
                continue
            typer.echo(json.dumps(answer, ensure_ascii=False))
    if bad_lines:
        raise typer.Exit(2)


@contextmanager
def _opened(file: Path) -> Iterator[TextIO]:
    """The lines of a file, or of stdin; bytes that are not UTF-8 become U+FFFD."""
    if str(file) == "-":
        yield sys.stdin
        return
    try:
        opened = file.open(encoding="utf-8", errors="replace")
    except OSError as error:
        raise typer.BadParameter(f"{file}: {error.strerror}") from error
    with opened:
        yield opened


def _record(line: str) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _BadLineError(f"not JSON: {error}") from error
    if not isinstance(record, dict) or "id" not in record:
        raise _BadLineError('a line must be an object with "id" and "text"')
    if not isinstance(record.get("text"), str):
        raise _BadLineError('"text" must be a string')
    if not isinstance(record.get("db_id", ""), str | None):
        raise _BadLineError('"db_id" must be a string')
    collections = record.get("collections")
    if collections is not None and not (
        isinstance(collections, list) and all(isinstance(name, str) for name in collections)
    ):
        raise _BadLineError('"collections" must be a list of strings')
    return record


def _answer(record: dict[str, Any], *, clock: datetime) -> dict[str, Any]:
    collections = record.get("collections")
    context = ReadingContext(db_id=record.get("db_id"), collections=tuple(collections or ()), now=clock)
    try:
        reading = read(record["text"], context=context)
        flags = judge(reading.query, collections=collections)
    except UnparsableTextError as error:
        return _refusal(record["id"], "unparsable", error)
    except ForbiddenQueryError as error:
        return _refusal(record["id"], "forbidden", error)
    answer: dict[str, Any] = {
        "id": record["id"],
        "ok": True,
        "collection": reading.query.collection,
        "operation": reading.query.operation.value,
        "arguments": json.loads(canonical_arguments(reading.query)),
        "flags": sorted({*reading.flags, *flags}),
    }
    after = _after(reading.query)
    return {**answer, "post": after} if after else answer


def _after(query: Query) -> dict[str, Any]:
    """What the shell does with the answer."""
    after: dict[str, Any] = {}
    if query.length_only:
        after["length"] = True
    if query.index is not None:
        after["index"] = query.index
    if query.path:
        after["map"] = list(query.path)
    return after


def _refusal(identifier: Any, outcome: str, error: UnparsableTextError | ForbiddenQueryError) -> dict[str, Any]:
    refusal: dict[str, Any] = {"id": identifier, "ok": False, "outcome": outcome, "reason": error.reason}
    if error.position is not None:
        refusal["position"] = error.position
    return {**refusal, "message": error.message}
