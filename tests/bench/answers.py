"""Answers that the benchmarks of comparing share."""

import random
from typing import Any

from evaluation.types import Answer, AnswerKind

Row = dict[str, Any]


def answer(rows: list[Row]) -> Answer:
    """Rows as the answer of a cursor."""
    return Answer(kind=AnswerKind.DOCUMENTS, rows=tuple(rows))


def sales(count: int) -> list[Row]:
    """Rows of four fields: a number, a text that repeats, a fraction, a small number."""
    return [{"i": i, "name": f"name {i % 5_000}", "share": i / 7, "group": i % 13} for i in range(count)]


def wide(count: int) -> list[Row]:
    """Rows of eight fields of several types."""
    return [
        {
            "i": i,
            "name": f"name {i % 50_000}",
            "share": i / 7,
            "group": i % 13,
            "even": i % 2 == 0,
            "rest": (i * 7919) % 1_000_003,
            "code": f"{i:07d}",
            "half": None if i % 10 == 0 else i * 0.5,
        }
        for i in range(count)
    ]


def look_alikes(height: int = 200, width: int = 30) -> list[Row]:
    """Boolean columns that are true equally often."""
    chance = random.Random(11)
    columns = [chance.sample([True, False] * (height // 2), height) for _ in range(width)]
    return [{f"c{number}": column[row] for number, column in enumerate(columns)} for row in range(height)]


def rearranged(rows: list[Row], *, renamed: bool = True) -> list[Row]:
    """The same rows in another order, with other names and another order of the fields."""
    chance = random.Random(5)
    names = list(rows[0])
    order = chance.sample(names, len(names))
    others = {name: f"p{number}" if renamed else name for number, name in enumerate(order)}
    return [{others[name]: row[name] for name in order} for row in chance.sample(rows, len(rows))]


def parities(bits: int = 6) -> list[Row]:
    """All combinations of some bits, with the parity of every subset: every pair of columns looks like any other."""
    return [
        {f"m{subset}": (number & subset).bit_count() % 2 for subset in range(1, 2**bits)} for number in range(2**bits)
    ]


def one_swap(rows: list[Row]) -> list[Row]:
    """A copy with two cells of one column exchanged, so that its counts stay as they were."""
    changed = [dict(row) for row in rows]
    names = list(rows[0])
    first = next(row for row in changed if not row[names[0]] and row[names[1]])
    second = next(row for row in changed if row[names[0]] and row[names[1]])
    first[names[0]], second[names[0]] = second[names[0]], first[names[0]]
    return changed
