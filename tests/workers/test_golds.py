"""Gold is read together, held, computed once, and never out of date."""

from dataclasses import replace
from datetime import timedelta

import pytest

from evaluation.gold import UnusableGoldError
from evaluation.types import ExecutionFailure, FailureKind
from leaderboard.clock import database_now
from leaderboard.models.releases import GoldAnswer
from leaderboard.selectors.batches import SHELF, ScorableItem
from tests.leaderboard.builders import live_release
from tests.workers.engines import FakeExecutor, answer
from workers.golds import Golds

pytestmark = [pytest.mark.site, pytest.mark.django_db]


@pytest.fixture
def items() -> list[ScorableItem]:
    release = live_release()
    return list(SHELF.items([database.pk for database in release.databases.all()]).values())


def engine(value: int = 1) -> FakeExecutor:
    return FakeExecutor(lambda _: answer({"n": value}))


def rows(golds: Golds, items: list[ScorableItem], asked: FakeExecutor) -> list[object]:
    golds.fetch(items)
    return [golds.gold(item, executor=asked).answer.rows[0]["n"] for item in items]


def test_gold_is_computed_once_and_kept_for_other_processes(items: list[ScorableItem]) -> None:
    asked = engine()
    assert rows(Golds(engine="Fake 1"), items, asked) == [1] * 4
    assert asked.asked == 4
    assert rows(Golds(engine="Fake 1"), items, asked) == [1] * 4
    assert asked.asked == 4


def test_gold_of_another_engine_is_computed_anew(items: list[ScorableItem]) -> None:
    rows(Golds(engine="Fake 1"), items, engine())
    assert rows(Golds(engine="Fake 2"), items, engine(2)) == [2] * 4


def test_what_is_held_is_not_read_again(items: list[ScorableItem], django_assert_num_queries: object) -> None:
    golds = Golds(engine="Fake 1")
    rows(golds, items, engine())
    rows(golds, items, engine())
    with django_assert_num_queries(1):  # type: ignore[operator]
        rows(golds, items, engine())


def test_gold_that_was_computed_anew_replaces_what_is_held(items: list[ScorableItem]) -> None:
    golds, other = Golds(engine="Fake 1"), Golds(engine="Fake 1")
    rows(golds, items, engine())
    rows(golds, items, engine())
    GoldAnswer.objects.all().delete()
    rows(other, items, engine(2))
    assert rows(golds, items, engine(3)) == [2] * 4


def test_what_was_not_used_for_longest_is_let_go(items: list[ScorableItem]) -> None:
    asked = engine()
    golds = Golds(engine="Fake 1", held_bytes=0)
    for _ in range(2):
        rows(golds, items, asked)
    golds.trim()
    GoldAnswer.objects.all().delete()
    rows(golds, items, asked)
    assert asked.asked == 8


def test_a_gold_that_failed_rests_until_it_is_to_be_tried_again(items: list[ScorableItem]) -> None:
    failing = FakeExecutor(lambda _: ExecutionFailure(kind=FailureKind.TIMED_OUT, code=50, message="slow"))
    golds = Golds(engine="Fake 1")
    golds.fetch(items)
    with pytest.raises(UnusableGoldError):
        golds.gold(items[0], executor=failing)
    later = database_now() + timedelta(minutes=5)
    GoldAnswer.objects.update(retry_at=later)
    golds.fetch(items)
    with pytest.raises(UnusableGoldError):
        golds.gold(items[0], executor=failing)
    assert failing.asked == 1
    GoldAnswer.objects.update(retry_at=later - timedelta(minutes=10))
    golds.fetch(items)
    assert golds.gold(items[0], executor=engine()).answer.rows == ({"n": 1},)


def test_gold_that_cannot_be_read_any_more_costs_no_other_item_its_verdict(items: list[ScorableItem]) -> None:
    """A new scorer may refuse a gold text whose answer an older one kept."""
    rows(Golds(engine="Fake 1"), items, engine())
    broken = replace(items[0], source=replace(items[0].source, gold_query="db.things.drop()"))
    golds = Golds(engine="Fake 1")
    golds.fetch([broken, *items[1:]])
    with pytest.raises(UnusableGoldError):
        golds.gold(broken, executor=engine())
    assert [golds.gold(item, executor=engine()).answer.rows for item in items[1:]] == [({"n": 1},)] * 3
