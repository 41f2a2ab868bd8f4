"""The quota ledger: rolling windows, refunds once, and no place that is given twice."""

import threading
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import IntegrityError, connection, connections, transaction
from django.test import override_settings
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from benchmark_data.errors import FaultyPredictionsError
from evaluation.types import Condition
from leaderboard.models.quota import QuotaAccount, QuotaEntry, QuotaReason, QuotaRule
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.submissions import Submission
from leaderboard.models.teams import Membership, Team
from leaderboard.selectors.quota import quota_lines, quota_state
from leaderboard.services.quota import QuotaExceededError, quota_refund
from leaderboard.services.runs import run_begin, run_cancel, submission_cancel
from leaderboard.services.submissions import predictions_check, submission_create
from tests.leaderboard.builders import live_release, prediction_file, submission, user

pytestmark = [pytest.mark.site, pytest.mark.django_db]

WINDOW = timedelta(hours=24)


def limited(submissions: int, *, seconds: int = 86_400) -> QuotaRule:
    return QuotaRule.objects.create(benchmark="small", submissions=submissions, seconds=seconds)


def age(made: Submission, passed: timedelta) -> None:
    """Let a charge have been made earlier."""
    QuotaEntry.objects.filter(submission=made).update(at=timezone.now() - passed)


def test_each_submission_is_charged_until_nothing_is_left() -> None:
    release = live_release()
    limited(2)
    first = submission(release)
    submission(release)
    state = quota_state(first.owner, "small")
    assert (state.used, state.remaining, state.exhausted) == (2, 0, True)
    with pytest.raises(QuotaExceededError) as refused:
        submission(release)
    assert Submission.objects.count() == 2
    charge = QuotaEntry.objects.get(submission=first)
    assert refused.value.state.reset_at == charge.at + WINDOW
    assert f"{charge.at + WINDOW:%Y-%m-%d %H:%M:%S} UTC" in str(refused.value)


def test_the_window_rolls_with_each_charge() -> None:
    release = live_release()
    limited(2)
    first, second = submission(release), submission(release)
    age(first, timedelta(hours=23, minutes=59))
    with pytest.raises(QuotaExceededError):
        submission(release)
    age(first, timedelta(hours=24, seconds=1))
    third = submission(release)
    state = quota_state(third.owner, "small")
    assert (state.used, state.exhausted) == (2, True)
    assert state.reset_at == QuotaEntry.objects.get(submission=second).at + WINDOW


def test_where_a_limit_was_lowered_the_next_place_is_free_when_enough_charges_are_old() -> None:
    release = live_release()
    made = [submission(release) for _ in range(4)]
    for hours, each in enumerate(reversed(made)):
        age(each, timedelta(hours=hours))
    limited(2)
    state = quota_state(made[0].owner, "small")
    assert (state.used, state.remaining) == (4, 0)
    assert state.reset_at == QuotaEntry.objects.get(submission=made[2]).at + WINDOW


def test_a_limit_of_nought_is_no_limit() -> None:
    release = live_release()
    limited(0)
    for _ in range(3):
        made = submission(release)
    state = quota_state(made.owner, "small")
    assert (state.used, state.remaining, state.exhausted) == (3, None, False)


def test_the_settings_rule_where_a_benchmark_has_no_rule() -> None:
    release = live_release()
    with override_settings(QUOTA_SUBMISSIONS=1, QUOTA_SECONDS=60):
        made = submission(release)
        with pytest.raises(QuotaExceededError, match=r"The quota for small is used up: 1 in 0\.0166667 hours"):
            submission(release)
        age(made, timedelta(seconds=61))
        submission(release)


def test_the_releases_of_a_benchmark_share_a_quota_and_benchmarks_do_not() -> None:
    limited(1)
    submission(live_release())
    with pytest.raises(QuotaExceededError):
        submission(live_release(version="2"))
    submission(live_release(name="other"))


def test_a_team_shares_a_quota_and_everybody_else_has_an_own_one() -> None:
    release = live_release()
    limited(2)
    team = Team.objects.create(name="Blue")
    for name in ("ann", "bea"):
        Membership.objects.create(team=team, user=user(name))
    assert submission(release, owner=user("ann")).team == team
    submission(release, owner=user("bea"))
    for name in ("ann", "bea"):
        with pytest.raises(QuotaExceededError):
            submission(release, owner=user(name))
    assert submission(release, owner=user("eve")).team is None
    assert len(quota_lines(user("bea"))) == 2


def test_a_user_is_in_one_team_only() -> None:
    for name in ("Blue", "Red"):
        team = Team.objects.create(name=name)
        if name == "Blue":
            Membership.objects.create(team=team, user=user("ann"))
        else:
            with pytest.raises(IntegrityError), transaction.atomic():
                Membership.objects.create(team=team, user=user("ann"))


def test_checks_and_faulty_files_and_repeated_requests_cost_nothing() -> None:
    release = live_release()
    limited(1)
    file = prediction_file({"q0": "db.things.find()"})
    predictions_check(release, file, file_name="p.jsonl")
    with pytest.raises(FaultyPredictionsError):
        submission(release, texts={"nothing": "db.things.find()"})
    assert not QuotaEntry.objects.exists()
    first, again = (
        submission_create(owner=user(), release=release, entry="x", file=file, file_name="p.jsonl", idempotency_key="k")
        for _ in range(2)
    )
    assert first == again
    assert QuotaEntry.objects.count() == 1


def test_an_exhausted_quota_is_told_before_the_file_is_read() -> None:
    release = live_release()
    limited(1)
    submission(release)
    with pytest.raises(QuotaExceededError):
        submission(release, texts={"nothing": "not even a known item"})


def test_cancelling_before_the_start_gives_the_charge_back_and_later_it_does_not() -> None:
    release = live_release()
    early = submission(release, conditions=tuple(Condition))
    submission_cancel(early)
    assert [(line.amount, line.reason) for line in quota_lines(early.owner)] == [
        (-1, QuotaReason.CANCELLED_BEFORE_START),
        (1, QuotaReason.SUBMITTED),
    ]
    late = submission(release, conditions=tuple(Condition))
    run = late.runs.first()
    assert run is not None
    run_begin(run.pk)
    submission_cancel(late)
    assert not QuotaEntry.objects.filter(submission=late).exclude(refunds=None).exists()
    assert quota_state(late.owner, "small").used == 1


def test_cancelling_one_of_two_runs_gives_nothing_back() -> None:
    made = submission(live_release(), conditions=tuple(Condition))
    first, second = made.runs.all()
    run_cancel(first.pk)
    assert QuotaEntry.objects.count() == 1
    run_cancel(second.pk)
    assert QuotaEntry.objects.count() == 2


def test_a_charge_is_given_back_once() -> None:
    made = submission(live_release())
    assert quota_refund(made, reason=QuotaReason.OUR_FAULT)
    assert not quota_refund(made, reason=QuotaReason.OUR_FAULT)
    assert quota_state(made.owner, "small").used == 0


def test_a_deleted_submission_leaves_its_charge_behind() -> None:
    made = submission(live_release())
    owner = made.owner
    Run.objects.filter(submission=made).delete()
    made.delete()
    (line,) = quota_lines(owner)
    assert (line.amount, line.entry, line.submission) == (1, "", "")
    assert quota_state(owner, "small").used == 1


@pytest.mark.parametrize(
    "change",
    [
        {"reason": QuotaReason.OUR_FAULT},
        {"refunds_id": "charge"},
    ],
    ids=["a charge with a refund's reason", "a refund with a charge's reason"],
)
def test_the_database_refuses_an_entry_that_says_two_things(change: dict[str, object]) -> None:
    made = submission(live_release())
    charge = QuotaEntry.objects.get(submission=made)
    values = {"reason": QuotaReason.SUBMITTED, **change}
    if "refunds_id" in values:
        values["refunds_id"] = charge.pk
    with pytest.raises(IntegrityError), transaction.atomic():
        QuotaEntry.objects.create(account=charge.account, at=timezone.now(), **values)


def test_a_quota_costs_the_same_queries_however_much_was_sent(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    release = live_release()
    made = submission(release)
    with django_assert_num_queries(3):
        quota_state(made.owner, "small")
    for _ in range(3):
        submission(release)
    with django_assert_num_queries(3):
        quota_state(made.owner, "small")
    with django_assert_num_queries(2):
        quota_lines(made.owner)


def at_once(count: int, work: Callable[[int], object]) -> list[BaseException | None]:
    """Do something in many threads that start together, each on a connection of its own; what each one raised."""
    gate = threading.Barrier(count)
    results: list[BaseException | None] = [None] * count

    def run(number: int) -> None:
        try:
            gate.wait()
            work(number)
        except (QuotaExceededError, IntegrityError) as error:
            results[number] = error
        finally:
            connections.close_all()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.django_db(transaction=True)
def test_clients_that_submit_at_once_get_no_more_than_there_is() -> None:
    assert connection.vendor == "postgresql"
    release, owner = live_release(), user()
    limited(3)
    results = at_once(8, lambda number: submission(release, owner=owner, entry=f"entry {number}"))
    assert sum(error is None for error in results) == 3
    assert sum(isinstance(error, QuotaExceededError) for error in results) == 5
    assert Submission.objects.count() == QuotaEntry.objects.count() == 3
    assert QuotaAccount.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_a_request_that_comes_many_times_at_once_is_charged_once() -> None:
    release, owner = live_release(), user()

    def send(_: int) -> None:
        submission_create(
            owner=owner,
            release=Release.objects.get(pk=release.pk),
            entry="x",
            file=prediction_file({"q0": "db.things.find()"}),
            file_name="p.jsonl",
            idempotency_key="the same",
        )

    assert at_once(5, send) == [None] * 5
    assert Submission.objects.count() == QuotaEntry.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_refunds_at_once_are_one_refund() -> None:
    made = submission(live_release())
    assert at_once(5, lambda _: refund(made)) == [None] * 5
    assert QuotaEntry.objects.exclude(refunds=None).count() == 1


def refund(made: Submission) -> None:
    with transaction.atomic():
        quota_refund(made, reason=QuotaReason.OUR_FAULT)
