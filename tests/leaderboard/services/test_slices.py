"""What is kept of a run inside each database and difficulty: what its report says, once, and only what was judged."""

from importlib import import_module

import pytest
from django.contrib.auth.models import User
from django.db import IntegrityError, connection, transaction
from pytest_django import DjangoAssertNumQueries

from evaluation.aggregate import Cell, Report
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.slices import SliceKind, SliceScore
from leaderboard.models.submissions import Submission
from leaderboard.services.slices import slices_refresh
from tests.leaderboard.selectors.sliced import WITH, place_on_board, right

pytestmark = [pytest.mark.site, pytest.mark.django_db]

COLUMNS = [field.name for field in SliceScore._meta.concrete_fields if field.name != "id"]


def as_cell(row: SliceScore) -> tuple[object, ...]:
    """The figures of a row, in the order of `figures`."""
    return (
        row.name, row.n, row.strict_ex, row.strict_ex_low, row.strict_ex_high, row.soft_ex, row.soft_ex_low,
        row.soft_ex_high, row.exec_rate, row.exec_rate_low, row.exec_rate_high,
    )  # fmt: skip


def figures(cell: Cell) -> tuple[object, ...]:
    """The figures of a report's cell."""
    ends = [(part.value, part.low, part.high) for part in (cell.strict_ex, cell.soft_ex, cell.exec_rate)]
    return (cell.name, cell.n, *ends[0], *ends[1], *ends[2])


def test_a_scored_submission_has_the_cells_of_its_report_in_both_conditions(scored: Submission) -> None:
    for run in scored.runs.all():
        report = Report.from_json(run.report or {})
        for kind, cells in (
            (SliceKind.DATABASE, report.per_database),
            (SliceKind.DIFFICULTY, report.per_difficulty),
        ):
            rows = SliceScore.objects.filter(run=run, kind=kind, condition=run.condition, release=scored.release)
            assert sorted(map(as_cell, rows)) == sorted(map(figures, cells))
            assert {row.submitted_at for row in rows} == {scored.created_at}


def test_what_was_not_judged_has_no_row(ann: User, release: Release) -> None:
    place_on_board(ann, release, {"books": right(0), "heroes": None})
    assert list(SliceScore.objects.values_list("kind", "name", "strict_ex").order_by("kind")) == [
        ("database", "books", 0.0),
        ("difficulty", "simple", 0.0),
    ]


def test_a_run_is_read_once_and_those_that_are_known_cost_nothing(
    ann: User, release: Release, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for position in range(1, 6):
        place_on_board(ann, release, {"books": right(position - 1)}, position=position)
    before = list(SliceScore.objects.order_by("pk").values_list("pk", "strict_ex"))
    with django_assert_num_queries(3):
        # A savepoint before and after; one query that finds no new run.
        slices_refresh(release, WITH)
    assert list(SliceScore.objects.order_by("pk").values_list("pk", "strict_ex")) == before


def test_a_run_in_another_condition_or_release_is_left_alone(ann: User, release: Release, scored: Submission) -> None:
    SliceScore.objects.all().delete()
    slices_refresh(release, WITH)
    assert set(SliceScore.objects.values_list("run__condition", flat=True)) == {WITH}


@pytest.mark.parametrize("figure", [{"strict_ex": float("nan")}, {"exec_rate": 1.5}, {"soft_ex": 0.25}])
def test_the_database_refuses_figures_that_are_no_nested_shares(
    ann: User, release: Release, figure: dict[str, float]
) -> None:
    run = place_on_board(ann, release, {"books": right(2, 3)})
    with pytest.raises(IntegrityError), transaction.atomic():
        SliceScore.objects.filter(run=run).update(**figure)


def test_the_migration_takes_in_the_boards_that_are_there_as_the_service_does(
    ann: User, release: Release, scored: Submission
) -> None:
    place_on_board(ann, release, {"books": right(1, 2, 3), "heroes": None}, position=2)
    kept = set(SliceScore.objects.values_list(*COLUMNS))
    SliceScore.objects.all().delete()
    migration = import_module("leaderboard.migrations.0007_slices")
    with connection.cursor() as cursor:
        cursor.execute(migration.ENTER)
    assert set(SliceScore.objects.values_list(*COLUMNS)) == kept


def test_a_run_that_is_deleted_takes_its_cells_along(ann: User, release: Release) -> None:
    run = place_on_board(ann, release, {"books": right(1)})
    Run.objects.filter(pk=run.pk).delete()
    assert not SliceScore.objects.exists()
