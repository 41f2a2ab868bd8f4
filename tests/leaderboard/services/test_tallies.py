"""How many ranked entries solved each item: counted once a run, and anew where a run is gone."""

from collections import Counter
from typing import Any

import pytest
from django.contrib.auth.models import User
from pytest_django import DjangoAssertNumQueries

from evaluation.types import Condition
from leaderboard.models.releases import Release
from leaderboard.models.runs import ItemScore
from leaderboard.models.standings import Standing
from leaderboard.models.submissions import Submission
from leaderboard.models.tallies import ItemTally, TalliedRun
from leaderboard.services.standings import standings_refresh
from leaderboard.services.tallies import run_untally, tallies_refresh
from tests.leaderboard.selectors.records import finish, make_release, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]

WITH = Condition.WITH_EVIDENCE


def tallied() -> dict[tuple[int, str], tuple[int, int]]:
    return {(row.item_id, row.condition): (row.solved, row.entries) for row in ItemTally.objects.all()}


def counted() -> dict[tuple[int, str], tuple[int, int]]:
    """The same from the verdicts of all ranked runs."""
    solved: Counter[tuple[int, str]] = Counter()
    entries: Counter[tuple[int, str]] = Counter()
    scores = ItemScore.objects.filter(run__standing__isnull=False, item__set_aside="").select_related("run")
    for score in scores:
        key = score.item_id, score.run.condition
        entries[key] += 1
        solved[key] += bool(score.strict)
    return {key: (solved[key], n) for key, n in entries.items()}


def test_every_ranked_run_is_counted_once_however_often_the_board_is_made(ann: User, release: Release) -> None:
    for seed in range(4):
        finish(make_submission(ann, release, entry=f"entry {seed}"), seed=seed)
        standings_refresh(release, WITH)
        assert tallied() == counted()
    assert len(tallied()) == 24
    assert {entries for _, entries in tallied().values()} == {4}


def test_a_deleted_run_is_counted_no_more(ann: User, release: Release) -> None:
    for seed in range(3):
        finish(make_submission(ann, release, entry=f"entry {seed}"), seed=seed)
    gone = ann.submissions.get(entry="entry 1")
    gone.predictions.all().delete()
    for run in gone.runs.all():
        run.delete()
    for condition in Condition:
        standings_refresh(release, condition)
    assert tallied() == counted()
    assert {entries for _, entries in tallied().values()} == {2}


def test_a_run_that_has_lost_its_rank_is_counted_no_more(ann: User, release: Release) -> None:
    for seed in range(3):
        finish(make_submission(ann, release, entry=f"entry {seed}"), seed=seed)
    Standing.objects.filter(run__submission__entry="entry 2", condition=WITH).delete()
    tallies_refresh(release, WITH)
    assert tallied() == counted()


def test_a_run_whose_verdicts_are_replaced_is_taken_out_first_and_counted_anew(ann: User, release: Release) -> None:
    for seed in range(3):
        finish(make_submission(ann, release, entry=f"entry {seed}"), seed=seed)
    run = ann.submissions.get(entry="entry 1").runs.get(condition=WITH)
    run_untally(run)
    run_untally(run)
    assert {entries for (_, condition), (_, entries) in tallied().items() if condition == WITH} == {2}
    lost: dict[str, Any] = {"outcome": "row_count", "strict": False, "soft": False, "executed": True}
    ItemScore.objects.filter(run=run, item__set_aside="").update(**lost)
    standings_refresh(release, WITH)
    assert tallied() == counted()


def test_the_only_run_can_be_taken_out_and_comes_back(scored: Submission) -> None:
    before = tallied()
    run_untally(scored.runs.get(condition=WITH))
    assert {both for (_, condition), both in tallied().items() if condition == WITH} == {(0, 0)}
    tallies_refresh(scored.release, WITH)
    assert tallied() == before


def test_other_releases_and_conditions_are_left_alone(ann: User, scored: Submission) -> None:
    before = tallied()
    other = make_release(version="2.0")
    finish(make_submission(ann, other))
    assert {key: value for key, value in tallied().items() if key in before} == before
    assert TalliedRun.objects.count() == 4


def test_counting_takes_the_same_queries_for_any_number_of_entries(
    ann: User, release: Release, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for seed in range(3):
        finish(make_submission(ann, release, entry=f"entry {seed}"), seed=seed)
        TalliedRun.objects.filter(run__submission__entry=f"entry {seed}").delete()
        # Is a counted run gone? Three queries. All are counted anew: two deletions, the ranked runs, the sum, a note.
        with django_assert_num_queries(8):
            tallies_refresh(release, WITH)
