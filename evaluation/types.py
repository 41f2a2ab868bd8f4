"""The records that scoring passes from step to step."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol


class Condition(StrEnum):
    """Whether the model was given the item's evidence."""

    WITH_EVIDENCE = "with_evidence"
    WITHOUT_EVIDENCE = "without_evidence"


class Operation(StrEnum):
    """The read methods, by their mongosh names."""

    AGGREGATE = "aggregate"
    COUNT = "count"
    COUNT_DOCUMENTS = "countDocuments"
    DISTINCT = "distinct"
    ESTIMATED_DOCUMENT_COUNT = "estimatedDocumentCount"
    FIND = "find"
    FIND_ONE = "findOne"


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A read query as it will be sent.

    Args:
        collection: the collection's name.
        operation: the read method.
        arguments: BSON values by argument name: `pipeline` (aggregate); `filter`, `projection`, `sort`, `skip`,
            `limit`, `hint`, `collation` (find, findOne, counts); `key` and `filter` (distinct).
        length_only: the answer is the number of values (`distinct(…).length`, `toArray().length`).
        index: the answer is the one document or value at this 0-based place (`toArray()[3]`).
        path: the answer is, for each document, the value at this path (`.map(d => d.x.y)`); after `index`. A name in
            digits takes the element of an array.
    """

    collection: str
    operation: Operation
    arguments: Mapping[str, Any]
    length_only: bool = False
    index: int | None = None
    path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingContext:
    """What a reader of query text may know about the item.

    Args:
        db_id: the benchmark's name of the database, accepted in `getSiblingDB` and `use`.
        collections: names of the item's collections; a bare pipeline is read where there is exactly one.
        now: the pinned clock that serves `new Date()`, aware UTC.
    """

    db_id: str | None
    collections: tuple[str, ...]
    now: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A text that was read: the query, and flags such as "duplicate_key" that go with the item."""

    query: Query
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one query may use.

    Args:
        milliseconds: wall-clock time.
        rows: documents or values to read at most; reading stops there without an error.
        answer_bytes: size of the answer in BSON bytes; above it the query is "too_large".
    """

    milliseconds: int = 30_000
    rows: int = 100_000
    answer_bytes: int = 64 * 1024 * 1024


class AnswerKind(StrEnum):
    """How an answer arrives."""

    DOCUMENTS = "documents"
    VALUES = "values"
    SCALAR = "scalar"
    DOCUMENT = "document"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a query returned.

    Args:
        kind: documents (find, aggregate), values (distinct), scalar (counts), document (findOne; 0 or 1 rows).
        rows: the documents or values as `bson` decodes them, dates as `bson.datetime_ms.DatetimeMS`.
        complete: False where reading stopped at `Limits.rows` with more to come.
        milliseconds: wall-clock time from sending to the last row read.
    """

    kind: AnswerKind
    rows: tuple[Any, ...]
    complete: bool = True
    milliseconds: float = 0.0


class FailureKind(StrEnum):
    """Why a query gave no answer, where the query itself is to blame."""

    INVALID = "invalid"
    TIMED_OUT = "timed_out"
    TOO_LARGE = "too_large"


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionFailure:
    """A query that the engine rejected, or that broke a limit.

    Args:
        kind: the class of failure.
        code: the server's error code, if it gave one.
        message: the server's sentence, shortened, without values of hidden gold.
    """

    kind: FailureKind
    code: int | None
    message: str
    milliseconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineIdentity:
    """Which engine answered: shown with every number; `demo` engines never give official scores."""

    name: str
    version: str
    demo: bool


class Executor(Protocol):
    """Runs queries on one document database server as a user that can only read."""

    @property
    def identity(self) -> EngineIdentity:
        """The engine behind this executor; may ask the server once."""
        ...

    def execute(self, query: Query, *, database: str, limits: Limits) -> Answer | ExecutionFailure:
        """Run one query that the guard allowed on the MongoDB database named `database`.

        Raises:
            EngineUnavailableError: the server cannot be reached or failed for a reason that is not the query's.
        """
        ...


class Outcome(StrEnum):
    """Why an item was lost, in the order in which the classes are tried; the last two are not losses."""

    MISSING = "missing"
    UNPARSABLE = "unparsable"
    FORBIDDEN = "forbidden"
    INVALID = "invalid"
    TIMED_OUT = "timed_out"
    TOO_LARGE = "too_large"
    ROW_COUNT = "row_count"
    MISSING_COLUMN = "missing_column"
    MISALIGNED = "misaligned"
    EXTRA_COLUMNS = "extra_columns"
    CORRECT = "correct"
    UNSCORED = "unscored"


@dataclass(frozen=True, slots=True, kw_only=True)
class Diagnostics:
    """What goes with an item and never enters the rank; JSON-ready plain values.

    Args:
        vacuous: both answers are empty.
        surplus_columns: informative predicted columns that no gold column needs.
        undecided: the matching budget ran out; the item scores 0.
        ordered: same answer and rows in gold's order, where gold sorts; None where that was not judged.
        gold_rows, gold_columns, predicted_rows, predicted_columns: sizes of both tables.
        first_difference: 1-based number of the first gold row without a partner, or None.
        flags: of the reading and the item: "literal_only", "gold_ambiguous", "duplicate_key", …
    """

    vacuous: bool = False
    surplus_columns: int = 0
    undecided: bool = False
    ordered: bool | None = None
    gold_rows: int | None = None
    gold_columns: int | None = None
    predicted_rows: int | None = None
    predicted_columns: int | None = None
    first_difference: int | None = None
    flags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """The verdict of comparing two answers: strict implies soft."""

    soft: bool
    strict: bool
    outcome: Outcome
    message: str
    diagnostics: Diagnostics


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """The score of one item in one condition.

    Args:
        question_id: the item.
        outcome: the class; `unscored` has None in the three metrics.
        executed, soft, strict: the three metrics; None where the item could not be judged for a reason on our side.
        reason: stable identifier within the class ("syntax_error", "gold_failed", …), "" where the class says all.
        message: a sentence for the submitter.
        milliseconds: wall-clock time of the predicted query, None where it did not run.
        diagnostics: never part of the rank.
    """

    question_id: str
    outcome: Outcome
    executed: bool | None
    soft: bool | None
    strict: bool | None
    reason: str = ""
    message: str = ""
    milliseconds: float | None = None
    diagnostics: Diagnostics = field(default_factory=Diagnostics)
