"""What an owner's queries returned, where the answer is kept: of public items only, and cut short."""

from collections.abc import Sequence
from typing import Any

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from evaluation.execution import execution_key, result_pack
from evaluation.types import Answer, AnswerKind, ExecutionFailure, FailureKind, Limits, Operation, Query
from leaderboard.models.executions import Execution
from leaderboard.models.releases import ReleaseDatabase
from leaderboard.models.runs import ItemScore
from leaderboard.models.submissions import Submission
from leaderboard.selectors.release_item import item_page
from leaderboard.selectors.returned import LARGEST_ANSWER, JudgedText, ReturnedRows, returned_rows
from tests.leaderboard.selectors.records import ENGINE

pytestmark = [pytest.mark.site, pytest.mark.django_db]

TEXT = 'db.things.find({name: "a"})'
QUERY = Query(collection="things", operation=Operation.FIND, arguments={"filter": {"name": "a"}})


def keep(
    database: ReleaseDatabase,
    result: Answer | ExecutionFailure,
    *,
    query: Query = QUERY,
    gold_rows: int = 3,
    size: int = 0,
) -> None:
    """Keep a result as a worker does."""
    limits = Limits(milliseconds=settings.QUERY_MILLISECONDS, rows=gold_rows + 1)
    key = execution_key(query, database_digest=database.digest, limits=limits, engine=ENGINE)
    content = result_pack(result)
    Execution.objects.create(key=key, content=content, size=size or len(content), used_at=timezone.now())


def answer(rows: Sequence[Any], *, complete: bool = True) -> Answer:
    return Answer(kind=AnswerKind.DOCUMENTS, rows=tuple(rows), complete=complete)


def judged(text: str = TEXT, gold_rows: int = 3, engine: str = ENGINE) -> JudgedText:
    return JudgedText(text=text, engine=engine, gold_rows=gold_rows)


@pytest.fixture
def books(scored: Submission) -> ReleaseDatabase:
    return scored.release.databases.get(db_id="books")


def test_a_kept_answer_is_found_by_the_text_alone_and_its_rows_are_cut_short(
    books: ReleaseDatabase, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    keep(books, answer([{"name": "x" * 1000}, *({"n": number} for number in range(6))], complete=False))
    with django_assert_num_queries(1):
        (found, other, nothing) = returned_rows(books, [judged(f"```js\n{TEXT}\n```"), judged(gold_rows=4), None])
    assert found is not None
    assert (found.total, found.complete, len(found.rows)) == (7, False, 5)
    assert found.rows[1] == "{n: 0}"
    assert len(found.rows[0]) == 300
    assert (other, nothing) == (None, None)


@pytest.mark.parametrize(
    "unknown",
    [judged("db.things.find("), judged("db.others.find({})"), judged(engine="MongoDB 8.0"), judged("x" * 30_000)],
)
def test_what_is_not_kept_or_cannot_be_read_is_none(books: ReleaseDatabase, unknown: JudgedText) -> None:
    keep(books, answer([{"n": 1}]))
    assert returned_rows(books, [unknown]) == (None,)


def test_a_failure_has_no_rows_and_a_large_answer_is_not_unpacked(books: ReleaseDatabase) -> None:
    keep(books, ExecutionFailure(kind=FailureKind.INVALID, code=2, message="no"))
    keep(books, answer([{"n": 1}]), gold_rows=5, size=LARGEST_ANSWER + 1)
    assert returned_rows(books, [judged(), judged(gold_rows=5)]) == (None, None)


def test_an_owner_sees_what_was_returned_for_public_items_and_not_for_hidden_ones(
    scored: Submission, books: ReleaseDatabase, ann: User, bob: User
) -> None:
    ItemScore.objects.update(diagnostics={"gold_rows": 3})
    # The texts of the predictions differ in their comments alone.
    keep(
        books, answer([{"n": 1}]), query=Query(collection="things", operation=Operation.FIND, arguments={"filter": {}})
    )
    wanted = ReturnedRows(rows=("{n: 1}",), total=1, complete=True)
    for question_id, expected in (("100", wanted), ("101", None)):
        page = item_page(scored.release, question_id, reader=ann)
        assert page is not None
        assert [answer.returned for answer in page.answers] == [expected, expected]
    strangers = item_page(scored.release, "100", reader=bob)
    assert strangers is not None
    assert strangers.answers == ()
