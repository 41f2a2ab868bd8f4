"""What is read of single items: filters, and no hidden gold."""

from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from benchmark_data.types import Split
from evaluation.gold_check import FindingKind
from evaluation.types import Condition, Outcome
from leaderboard.models.gold_checks import GoldCheck, GoldFinding
from leaderboard.models.runs import ItemScore
from leaderboard.models.submissions import Prediction, Submission
from leaderboard.selectors.items import ItemFilter, item_databases, item_rows, item_view
from leaderboard.selectors.pages import cut
from tests.leaderboard.selectors.records import CANARY, LOSSES

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def test_gold_is_given_for_public_items_and_not_even_read_for_hidden_ones(scored: Submission) -> None:
    items = cut(item_rows(scored, ItemFilter()), item_view, page=1).items
    assert {item.split for item in items} == {Split.PUBLIC, Split.HIDDEN}
    for item in items:
        assert (item.gold_query is None) == (item.split is Split.HIDDEN)
    assert CANARY not in repr(list(item_rows(scored, ItemFilter())))


def test_every_item_comes_with_the_text_predicted_for_it_in_that_condition(scored: Submission) -> None:
    prediction = Prediction.objects.filter(submission=scored, condition=Condition.WITHOUT_EVIDENCE).order_by("pk")[5]
    Prediction.objects.filter(pk=prediction.pk).update(text="db.other.find()")
    items = cut(item_rows(scored, ItemFilter()), item_view, page=1).items
    changed = [item for item in items if item.predicted == "db.other.find()"]
    assert [(item.question_id, item.condition) for item in changed] == [
        (prediction.item.question_id, Condition.WITHOUT_EVIDENCE)
    ]


def test_an_item_without_a_prediction_has_an_empty_text(scored: Submission) -> None:
    Prediction.objects.filter(submission=scored).delete()
    assert {item.predicted for item in cut(item_rows(scored, ItemFilter()), item_view, page=1).items} == {""}


@pytest.mark.parametrize(
    ("wanted", "lookups"),
    [
        (ItemFilter(), {}),
        (ItemFilter(condition=Condition.WITH_EVIDENCE), {"run__condition": "with_evidence"}),
        (ItemFilter(outcome=Outcome.CORRECT), {"outcome": "correct"}),
        (ItemFilter(database="heroes"), {"item__database__db_id": "heroes"}),
        (ItemFilter(database="nothing"), {"item__database__db_id": "nothing"}),
        (
            ItemFilter(condition=Condition.WITHOUT_EVIDENCE, outcome=LOSSES[0], database="books"),
            {"run__condition": "without_evidence", "outcome": LOSSES[0], "item__database__db_id": "books"},
        ),
    ],
)
def test_filters_narrow_the_items(scored: Submission, wanted: ItemFilter, lookups: dict[str, Any]) -> None:
    expected = ItemScore.objects.filter(run__submission=scored, **lookups).count()
    assert item_rows(scored, wanted).count() == expected


def test_a_page_of_items_costs_two_queries(
    scored: Submission, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        assert len(cut(item_rows(scored, ItemFilter()), item_view, page=1).items) == 26


def test_the_databases_to_filter_by_are_those_of_the_release(scored: Submission) -> None:
    assert item_databases(scored) == ("books", "heroes", "trains")


def test_an_item_with_ambiguous_gold_is_marked_by_the_newest_check(scored: Submission) -> None:
    item = scored.release.items.get(question_id="102")
    for kind, marked in ((FindingKind.SLOW, set()), (FindingKind.NULL_ORDER, {"102"}), (None, set())):
        check = GoldCheck.objects.create(
            release=scored.release, engine="x", checked_at=timezone.now(), items=12, equal=12, seconds=1
        )
        if kind is not None:
            GoldFinding.objects.create(check_run=check, item=item, kind=kind, detail="d")
        views = [item_view(row) for row in item_rows(scored, ItemFilter())]
        assert {view.question_id for view in views if view.gold_ambiguous} == marked
