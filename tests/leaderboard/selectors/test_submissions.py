"""What is read of submissions, and by whom."""

from functools import partial

import pytest
from django.contrib.auth.models import AnonymousUser, User
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from leaderboard.models.releases import Release
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.selectors.own_submissions import own_submission, submissions_of
from leaderboard.selectors.pages import cut
from leaderboard.selectors.submissions import (
    SubmissionStatus,
    overall_status,
    submission_found,
    submission_view,
)
from tests.leaderboard.selectors.records import finish, make_submission

pytestmark = [pytest.mark.site, pytest.mark.django_db]


@pytest.mark.parametrize(
    ("states", "status"),
    [
        ([RunState.QUEUED, RunState.QUEUED], SubmissionStatus.QUEUED),
        ([RunState.QUEUED, RunState.FINISHED], SubmissionStatus.QUEUED),
        ([RunState.QUEUED, RunState.SCORING], SubmissionStatus.SCORING),
        ([RunState.SCORING, RunState.FAILED], SubmissionStatus.SCORING),
        ([RunState.FINISHED, RunState.FINISHED], SubmissionStatus.SCORED),
        ([RunState.FINISHED, RunState.INCOMPLETE], SubmissionStatus.INCOMPLETE),
        ([RunState.INCOMPLETE, RunState.FAILED], SubmissionStatus.FAILED),
        ([RunState.FINISHED, RunState.CANCELLED], SubmissionStatus.CANCELLED),
    ],
)
def test_one_word_speaks_for_all_runs(states: list[RunState], status: SubmissionStatus) -> None:
    assert overall_status(states) is status


@pytest.mark.parametrize("state", RunState)
def test_every_state_of_a_run_has_a_word(state: RunState) -> None:
    assert overall_status([state]) in SubmissionStatus


def test_progress_counts_items_with_a_verdict(queued: Submission, scored: Submission, ann: User) -> None:
    for run in submission_view(queued, reader=ann).runs:
        assert (run.progress.done, run.progress.total, run.active, run.report) == (0, 13, True, None)
    for run in submission_view(scored, reader=ann).runs:
        assert (run.progress.done, run.progress.total, run.active) == (13, 13, False)
        assert run.report is not None
        assert (run.report.n, run.rank) == (12, 1)


def test_a_stranger_sees_figures_but_neither_names_nor_inner_reasons(scored: Submission, ann: User, bob: User) -> None:
    scored.runs.update(reason="worker db-7.internal stopped answering")
    own = submission_view(scored, reader=ann)
    assert (own.owned, own.owner, own.file_name) == (True, "ann", "private-file-name.jsonl")
    assert all("db-7" in run.reason for run in own.runs)
    for reader in (bob, AnonymousUser()):
        view = submission_view(scored, reader=reader)
        assert (view.owned, view.owner, view.file_name, view.cancellable) == (False, "", "", False)
        assert [run.reason for run in view.runs] == ["", ""]
        assert all(run.report is not None for run in view.runs)


def test_only_what_has_not_ended_can_be_cancelled_and_only_by_its_owner(
    queued: Submission, scored: Submission, ann: User, bob: User
) -> None:
    assert submission_view(queued, reader=ann).cancellable
    assert not submission_view(queued, reader=bob).cancellable
    assert not submission_view(scored, reader=ann).cancellable
    scored.runs.filter(condition="with_evidence").update(state=RunState.INCOMPLETE, ended_at=timezone.now())
    assert submission_view(scored, reader=ann).cancellable


def test_a_submission_is_read_in_six_queries_whatever_its_size(
    scored: Submission, ann: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(6):
        found = submission_found(scored.pk)
        assert found is not None
        submission_view(found, reader=ann)


def test_a_list_of_submissions_is_read_in_three_queries_whatever_its_length(
    ann: User, release: Release, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(2):
        finish(make_submission(ann, release, entry=f"entry {number}"))
    with django_assert_num_queries(3):
        assert len(cut(submissions_of(ann), partial(own_submission, reader=ann), page=1).items) == 2
    for number in range(10):
        make_submission(ann, release, entry=f"waiting {number}")
    with django_assert_num_queries(3):
        page = cut(submissions_of(ann), partial(own_submission, reader=ann), page=1)
    assert page.items[0].entry == "waiting 9"
    assert page.items[0].status is SubmissionStatus.QUEUED
    assert page.items[-1].runs[0].strict_ex is not None


def test_the_list_holds_nobody_elses_submissions(scored: Submission, bob: User) -> None:
    assert cut(submissions_of(bob), partial(own_submission, reader=bob), page=1).total == 0
