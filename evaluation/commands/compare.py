"""`aptboard compare`: judges pairs of answers from a file of JSON lines."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from benchmark_data.types import ArrayOrder
from evaluation.commands.extended_json import read_extended_json
from evaluation.compare import compare as compare_answers
from evaluation.types import Answer, AnswerKind

FAULTY = 2


class FaultyLineError(ValueError):
    """A line is no pair of answers."""


def compare(
    file: Annotated[str, typer.Argument(metavar="FILE", help="JSON lines; - reads standard input.")],
    hidden: Annotated[bool, typer.Option("--hidden", help="Keep gold's values out of the messages.")] = False,
) -> None:
    """Judge predicted answers against gold answers.

    Each line is an object with `gold` and `pred`, lists in Extended JSON, and optionally `id`, `gold_kind` and
    `pred_kind` (documents, values, scalar, document), `meta.array_order` (ordered, unspecified) and
    `meta.gold_sorted`. For each line one JSON object is written: `id`, `strict`, `soft`, `outcome`, `diagnostics`,
    `message`. A line that cannot be read is reported with its number, and the others are still answered.

    Exit codes: 0 all lines were judged, 2 the file or a line could not be read.
    """
    faults = 0
    with _opened(file) as lines:
        for number, line in enumerate(lines, start=1):
            if not line.strip():
                continue
            try:
                verdict = _verdict(line, hidden=hidden)
            except ValueError as error:
                faults += 1
                typer.echo(f"{file}:{number}: {error}", err=True)
            else:
                typer.echo(json.dumps(verdict, ensure_ascii=False, allow_nan=False))
    if faults:
        raise typer.Exit(FAULTY)


@contextmanager
def _opened(file: str) -> Iterator[BinaryIO]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        with Path(file).open("rb") as stream:
            yield stream
    except OSError as error:
        typer.echo(f"{file}: {error.strerror}", err=True)
        raise typer.Exit(FAULTY) from error


def _verdict(line: bytes, *, hidden: bool) -> dict[str, Any]:
    """Judge one line.

    Raises:
        ValueError: the line is not UTF-8, not JSON or no pair of answers.
    """
    case = read_extended_json(line.decode())
    if not isinstance(case, dict):
        raise FaultyLineError("a line must be an object with gold and pred")
    meta = case.get("meta") or {}
    if not isinstance(meta, dict):
        raise FaultyLineError("meta must be an object")
    comparison = compare_answers(
        _answer(case, "gold"),
        _answer(case, "pred"),
        array_order=_array_order(meta),
        gold_sorted=meta.get("gold_sorted") is True,
        hidden=hidden,
    )
    return {
        "id": case.get("id"),
        "strict": comparison.strict,
        "soft": comparison.soft,
        "outcome": comparison.outcome.value,
        "diagnostics": asdict(comparison.diagnostics),
        "message": comparison.message,
    }


def _array_order(meta: dict[str, Any]) -> ArrayOrder:
    name = meta.get("array_order", ArrayOrder.ORDERED)
    if name not in list(ArrayOrder):
        raise FaultyLineError("meta.array_order must be one of " + ", ".join(ArrayOrder))
    return ArrayOrder(name)


def _answer(case: dict[str, Any], side: str) -> Answer:
    rows = case.get(side)
    if not isinstance(rows, list):
        raise FaultyLineError(f"{side} must be a list of rows")
    name = case.get(f"{side}_kind") or AnswerKind.DOCUMENTS
    if name not in list(AnswerKind):
        raise FaultyLineError(f"{side}_kind must be one of " + ", ".join(AnswerKind))
    kind = AnswerKind(name)
    if kind is AnswerKind.SCALAR and len(rows) != 1:
        raise FaultyLineError(f"{side} must have one row, since it is a scalar")
    if kind is AnswerKind.DOCUMENT and len(rows) > 1:
        raise FaultyLineError(f"{side} must have at most one row, since it is one document")
    allowed = (dict, type(None)) if kind is AnswerKind.DOCUMENT else dict
    if kind in (AnswerKind.DOCUMENTS, AnswerKind.DOCUMENT) and not all(isinstance(row, allowed) for row in rows):
        raise FaultyLineError(f"{side} must have documents as rows")
    return Answer(kind=kind, rows=tuple(rows))
