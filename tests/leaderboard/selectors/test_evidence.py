"""What evidence adds, entry by entry: the kept gain and both shares it is made of, the largest first."""

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.standings import Standing
from leaderboard.selectors.evidence import evidence_rows
from tests.leaderboard.selectors.records import finish, make_release, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]


def test_the_gain_is_the_difference_of_both_shares_and_the_largest_comes_first(ann: User, release: Release) -> None:
    for seed in range(5):
        finish(make_submission(ann, release, entry=f"entry {seed}"), right=0.6, seed=seed)
    rows = evidence_rows(release).items
    assert len(rows) == 5
    assert [row.gain.value for row in rows] == sorted((row.gain.value for row in rows), reverse=True)
    for row in rows:
        shares = {
            condition: Standing.objects.get(condition=condition, run__submission=row.submission).strict_ex
            for condition in Condition
        }
        assert (row.without, row.given) == (shares[Condition.WITHOUT_EVIDENCE], shares[Condition.WITH_EVIDENCE])
        assert row.gain.value == pytest.approx(row.given - row.without)
        assert row.gain.value == pytest.approx((row.with_only - row.without_only) / row.n)
        assert (row.n, row.demo_engine) == (12, True)


def test_an_entry_of_one_condition_and_one_of_another_release_are_left_out(ann: User, release: Release) -> None:
    finish(make_submission(ann, release, conditions=[Condition.WITH_EVIDENCE]))
    finish(make_submission(ann, make_release(version="2.0")))
    assert evidence_rows(release).total == 0


def test_a_page_costs_two_queries(
    ann: User, release: Release, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for seed in range(3):
        finish(make_submission(ann, release, entry=f"entry {seed}"), seed=seed)
        with django_assert_num_queries(2):
            assert evidence_rows(release).total == seed + 1
