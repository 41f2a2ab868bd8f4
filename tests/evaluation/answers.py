"""Short ways to write answers and hypothesis strategies for them."""

from datetime import UTC, datetime
from typing import Any

from bson.binary import Binary
from bson.code import Code
from bson.datetime_ms import DatetimeMS
from bson.decimal128 import Decimal128
from bson.int64 import Int64
from bson.max_key import MaxKey
from bson.min_key import MinKey
from bson.objectid import ObjectId
from bson.regex import Regex
from bson.timestamp import Timestamp
from hypothesis import strategies

from evaluation.compare import compare
from evaluation.types import Answer, AnswerKind, Comparison


def documents(*rows: Any) -> Answer:
    return Answer(kind=AnswerKind.DOCUMENTS, rows=rows)


def values(*rows: Any) -> Answer:
    return Answer(kind=AnswerKind.VALUES, rows=rows)


def scalar(value: Any) -> Answer:
    return Answer(kind=AnswerKind.SCALAR, rows=(value,))


def judged(gold_rows: Any, predicted_rows: Any, **options: Any) -> Comparison:
    return compare(documents(*gold_rows), documents(*predicted_rows), **options)


def verdict(gold_rows: Any, predicted_rows: Any, **options: Any) -> tuple[bool, bool]:
    """(strict, soft)."""
    comparison = judged(gold_rows, predicted_rows, **options)
    return comparison.strict, comparison.soft


# Distinct for scoring, one of every BSON type; few, so that columns often look alike.
DISTINCT_LEAVES: tuple[Any, ...] = (
    None,
    0,
    1,
    1.5,
    "1",
    "",
    True,
    False,
    float("inf"),
    float("nan"),
    Int64(2**53 + 1),
    Decimal128("1E+6000"),
    DatetimeMS(0),
    DatetimeMS(10**17),
    ObjectId("65a1b2c3d4e5f60718293a4b"),
    "65a1b2c3d4e5f60718293a4b",
    b"ab",
    Binary(b"ab", 4),
    Regex("a", "i"),
    Timestamp(1, 1),
    MinKey(),
    MaxKey(),
    Code("f()"),
    [],
    [1, 2],
    [2, 1],
    [None],
    [{"a": 1}],
    [{"a": None}],
    [{}],
    {},
)

few_leaves: strategies.SearchStrategy[Any] = strategies.sampled_from((None, 0, 1, True, "1", [1], {}))
all_leaves: strategies.SearchStrategy[Any] = strategies.sampled_from(DISTINCT_LEAVES)


def tables(leaves: Any, *, rows: Any = 4, columns: Any = 3) -> Any:
    """Lists of flat or nested documents, ragged and with duplicates."""
    names = strategies.sampled_from([f"c{number}" for number in range(columns)])
    nested = strategies.dictionaries(strategies.sampled_from(["x", "y"]), leaves, min_size=1, max_size=2)
    cells = strategies.one_of(leaves, leaves, leaves, nested)
    return strategies.lists(strategies.dictionaries(names, cells, max_size=columns), max_size=rows)


def aware(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)
