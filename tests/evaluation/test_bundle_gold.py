"""Gold answers that lie in a bundle are compared with what an engine says now."""

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from bson.datetime_ms import DatetimeMS

from benchmark_data.gold_answers import GoldKind, read_gold, write_gold
from benchmark_data.types import ArrayOrder, Bundle, Split
from evaluation.bundle_gold import computed_gold, gold_difference, gold_record, stored_answer
from evaluation.gold import Gold, UnusableGoldError
from evaluation.types import Answer, AnswerKind, EngineIdentity, ExecutionFailure, FailureKind, Limits, Query
from tests.benchmark_data.building import gold_answer, small_bundle


class FakeExecutor:
    """Answers counts with a number, and refuses everything else."""

    identity = EngineIdentity(name="Fake", version="1", demo=True)

    def __init__(self, number: int = 2) -> None:
        self.number = number

    def execute(self, query: Query, *, database: str, limits: Limits) -> Answer | ExecutionFailure:
        if query.operation == "countDocuments":
            return Answer(kind=AnswerKind.SCALAR, rows=(self.number,))
        return ExecutionFailure(kind=FailureKind.INVALID, code=1, message="no")


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    return small_bundle(tmp_path / "b")


def gold(*rows: Any, is_sorted: bool = False) -> Gold:
    answer = Answer(kind=AnswerKind.DOCUMENTS, rows=rows)
    return Gold(answer=answer, array_order=ArrayOrder.ORDERED, is_sorted=is_sorted)


def test_what_was_computed_and_stored_shows_no_difference(bundle: Bundle) -> None:
    done: list[int] = []
    found = list(computed_gold(bundle, executor=FakeExecutor(), progress=lambda: done.append(1)))
    written = write_gold(bundle, [gold_record(bundle, item, one, engine="Fake 1") for item, one in found])
    stored = list(read_gold(written))
    assert [(one.question_id, one.kind, one.rows, bool(one.failure)) for one in stored] == [
        ("1", GoldKind.SCALAR, (2,), False),
        ("2", GoldKind.SCALAR, (2,), False),
        ("3", None, (), True),
    ]
    assert len(done) == 3
    again = computed_gold(bundle, executor=FakeExecutor())
    assert [gold_difference(one, *pair) for one, pair in zip(stored, again, strict=True)] == [None] * 3


def test_another_answer_is_told(bundle: Bundle) -> None:
    (item, found), *_ = computed_gold(bundle, executor=FakeExecutor(3))
    told = gold_difference(gold_answer(bundle, item), item, found)
    assert told is not None
    assert told.startswith("another answer than on MongoDB 7.0.14")


def test_the_order_of_rows_is_no_difference_and_their_values_are(bundle: Bundle) -> None:
    item = bundle.items[0]
    record = gold_answer(bundle, item, kind=GoldKind.DOCUMENTS, rows=({"a": 1}, {"a": 2}))
    assert gold_difference(record, item, gold({"a": 2}, {"a": 1})) is None
    assert gold_difference(record, item, gold({"a": 2}, {"a": 2})) is not None


def test_of_hidden_gold_no_value_is_told(bundle: Bundle) -> None:
    item = replace(bundle.items[0], split=Split.HIDDEN)
    record = gold_answer(bundle, item, kind=GoldKind.DOCUMENTS, rows=({"secretfield": "secretvalue"},))
    told = gold_difference(record, item, gold({"otherfield": "othervalue"}))
    assert told is not None
    assert not any(word in told for word in ("secretfield", "secretvalue", "otherfield", "othervalue"))


def test_failing_here_or_there_alone_is_a_difference(bundle: Bundle) -> None:
    item = bundle.items[0]
    failed = gold_answer(bundle, item, kind=None, rows=(), failure="slow")
    assert gold_difference(failed, item, UnusableGoldError("other words")) is None
    assert gold_difference(failed, item, gold({})) == "it failed on MongoDB 7.0.14, and gives an answer here"
    answered = gold_answer(bundle, item)
    assert gold_difference(answered, item, UnusableGoldError("x")) == (
        "it gave an answer on MongoDB 7.0.14, and fails here"
    )


def test_hidden_gold_is_computed_for_private_bundles_only(bundle: Bundle) -> None:
    hidden = replace(bundle, items=(replace(bundle.items[0], split=Split.HIDDEN), *bundle.items[1:]))

    def asked(one: Bundle) -> list[str]:
        return [item.question_id for item, _ in computed_gold(one, executor=FakeExecutor())]

    assert asked(hidden) == ["2", "3"]
    assert asked(replace(hidden, private=True)) == ["1", "2", "3"]


def test_a_stored_answer_has_dates_as_executors_give_them(bundle: Bundle) -> None:
    record = gold_answer(
        bundle, bundle.items[0], kind=GoldKind.DOCUMENTS, rows=({"on": datetime(2024, 2, 29, tzinfo=UTC)},)
    )
    assert stored_answer(record).rows == ({"on": DatetimeMS(1_709_164_800_000)},)
