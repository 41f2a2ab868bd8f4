"""Runs that finish are ranked once, together, and each of them: whoever dies, whatever fails, whoever is first."""

import json
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evaluation.types import Condition
from leaderboard.models.measurements import EvidenceGain
from leaderboard.models.notices import Notice
from leaderboard.models.releases import Release
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.standings import RunFigures, Standing
from leaderboard.models.states import RunState
from leaderboard.models.webhooks import Webhook, WebhookDelivery
from leaderboard.selectors.batches import open_items
from leaderboard.selectors.submissions import SubmissionStatus, submission_awaited, submission_found, submission_view
from leaderboard.services.batches import batches_claim
from leaderboard.services.endings import run_ended
from leaderboard.services.measurements import measurements_refresh
from leaderboard.services.runs import run_begin, run_finish_if_done
from leaderboard.services.scores import work_store
from leaderboard.services.standings import boards_catch_up, standings_refresh
from leaderboard.services.submissions import submission_create
from leaderboard.services.sweeps import sweep
from tests.leaderboard.builders import live_release, prediction_file, submission, user, work

pytestmark = [pytest.mark.site, pytest.mark.django_db]

REFRESHED = "leaderboard.services.standings.measurements_refresh"


def judged(run: Run, *, right: int = 4) -> Run:
    """The run with all its items judged, of which the first ones are right; it has not been ended yet."""
    run_begin(run.pk)
    while (lease := batches_claim(run.pk, worker="w")) is not None:
        work_store(lease, work(open_items(run.pk, database_ids=lease.database_ids)))
    wrong = ItemScore.objects.filter(run=run, item__position__gte=right)
    wrong.update(strict=False, soft=False, outcome="row_count")
    return run


def entered(release: Release, entry: str, *, right: int = 4) -> Run:
    """A run with evidence that is judged and not ended."""
    return judged(submission(release, entry=entry).runs.get(), right=right)


def ended(release: Release, entry: str, *, right: int = 4) -> Run:
    """A run that has finished, and that no board knows yet."""
    run = entered(release, entry, right=right)
    assert run_finish_if_done(run.pk)
    return run


def order(release: Release) -> list[tuple[int, int, str]]:
    rows = Standing.objects.filter(release=release, condition=Condition.WITH_EVIDENCE)
    return list(rows.values_list("position", "rank", "run__submission__entry"))


def test_a_run_that_finishes_is_ranked_by_its_packed_verdicts() -> None:
    release = live_release()
    for entry, right in (("half", 2), ("best", 4), ("also half", 2)):
        ended(release, entry, right=right)
    ItemScore.objects.all().delete()
    assert boards_catch_up() == 3
    assert order(release) == [(1, 1, "best"), (2, 2, "half"), (3, 2, "also half")]
    assert not Run.objects.filter(unranked=True).exists()
    assert boards_catch_up() == 0


def test_ranking_takes_as_many_queries_for_six_entries_as_for_one(django_assert_num_queries: Any) -> None:
    release = live_release()
    ended(release, "one")
    with django_assert_num_queries(20) as one:
        standings_refresh(release, Condition.WITH_EVIDENCE)
    for number in range(5):
        ended(release, f"e{number}", right=number)
    with django_assert_num_queries(len(one)):
        standings_refresh(release, Condition.WITH_EVIDENCE)
    assert len(order(release)) == 6


def test_a_new_entry_leaves_the_rows_above_it_as_they_are() -> None:
    release = live_release()
    for entry, right in (("best", 4), ("worst", 0)):
        ended(release, entry, right=right)
    boards_catch_up()
    before = {row.run_id: row.pk for row in Standing.objects.all()}
    middle = ended(release, "middle", right=2)
    boards_catch_up()
    assert order(release) == [(1, 1, "best"), (2, 2, "middle"), (3, 3, "worst")]
    best = Standing.objects.get(position=1)
    assert before[best.run_id] == best.pk
    assert middle.pk not in before


def test_until_a_run_is_ranked_it_shows_no_end_and_its_owner_is_not_told() -> None:
    release = live_release()
    Webhook.objects.create(owner=user(), url="https://hooks.example.org/a")
    run = ended(release, "waits")
    found = submission_found(run.submission_id)
    assert found is not None
    view = submission_view(found, reader=found.owner)
    assert (view.status, view.runs[0].state, view.runs[0].report) == (SubmissionStatus.SCORING, RunState.SCORING, None)
    assert view.active
    assert submission_awaited(found)
    assert not Notice.objects.exists()
    assert boards_catch_up(run.pk) == 1
    view = submission_view(found, reader=found.owner)
    assert (view.status, view.runs[0].rank, view.active) == (SubmissionStatus.SCORED, 1, False)
    assert not submission_awaited(found)
    assert "rank 1" in Notice.objects.get().text
    assert json.loads(WebhookDelivery.objects.get().body)["data"]["runs"][0]["rank"] == 1


def test_a_worker_that_dies_between_end_and_ranking_is_made_up_for_by_the_sweep() -> None:
    release = live_release()
    ended(release, "left")
    assert order(release) == []
    assert sweep().ranked == 1
    assert order(release) == [(1, 1, "left")]
    assert sweep().ranked == 0


def test_a_worker_that_dies_between_ranking_and_telling_is_made_up_for_and_nobody_is_told_twice() -> None:
    release = live_release()
    ended(release, "left")
    standings_refresh(release, Condition.WITH_EVIDENCE)
    assert not Notice.objects.exists()
    assert sweep().ranked == 1
    assert sweep().ranked == 0
    assert Notice.objects.count() == 1


def test_a_ranking_that_fails_undoes_no_end_and_is_tried_again(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    release, other = live_release(), live_release(version="2")
    run, untouched = ended(release, "unlucky"), ended(other, "lucky")
    whole = measurements_refresh

    def fails(which: Release, *rest: Any) -> None:
        if which == release:
            raise DatabaseError("no space left on device")
        whole(which, *rest)

    monkeypatch.setattr(REFRESHED, fails)
    assert boards_catch_up() == 1
    assert "cannot be ranked at the moment" in caplog.text
    run.refresh_from_db()
    untouched.refresh_from_db()
    assert (run.state, run.unranked, order(release)) == (RunState.FINISHED, True, [])
    assert (untouched.unranked, len(order(other))) == (False, 1)
    monkeypatch.setattr(REFRESHED, whole)
    assert sweep().ranked == 1
    assert order(release) == [(1, 1, "unlucky")]


def test_an_owner_who_cannot_be_told_keeps_no_other_waiting_and_is_told_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    release = live_release()
    unlucky, lucky = ended(release, "unlucky"), ended(release, "lucky")

    def told(run_id: int) -> None:
        if run_id == unlucky.pk:
            raise DatabaseError("no space left on device")
        run_ended(run_id)

    monkeypatch.setattr("leaderboard.services.standings.run_ended", told)
    assert boards_catch_up() == 1
    assert "cannot be told at the moment" in caplog.text
    assert len(order(release)) == 2
    assert list(Run.objects.filter(unranked=True)) == [unlucky]
    assert Notice.objects.get().submission_id == lucky.submission_id
    monkeypatch.undo()
    assert sweep().ranked == 1
    assert Notice.objects.count() == 2


def test_runs_of_before_figures_were_kept_get_them_when_the_board_is_ranked_next() -> None:
    release = live_release()
    for entry, right in (("a", 1), ("b", 3)):
        ended(release, entry, right=right)
    boards_catch_up()
    before = list(RunFigures.objects.order_by("pk").values())
    assert len(before) == 2
    RunFigures.objects.all().delete()
    ended(release, "c", right=2)
    boards_catch_up()
    assert list(RunFigures.objects.order_by("pk").values()[:2]) == before
    assert order(release) == [(1, 1, "b"), (2, 2, "c"), (3, 3, "a")]


def test_verdicts_that_were_packed_in_another_order_are_packed_anew() -> None:
    release = live_release()
    ended(release, "first right", right=1)
    ended(release, "more right", right=2)
    boards_catch_up()
    release.items.filter(question_id="q0").update(set_aside="its gold is wrong")
    standings_refresh(release, Condition.WITH_EVIDENCE)
    assert order(release) == [(1, 1, "more right"), (2, 2, "first right")]
    assert {bytes(row.strict) for row in RunFigures.objects.all()} == {b"\x00", b"\x80"}


def test_a_run_that_was_not_judged_on_an_item_that_counts_now_leaves_the_board() -> None:
    release = live_release()
    release.items.filter(question_id="q0").update(set_aside="its gold is wrong")
    run = ended(release, "whole")
    ItemScore.objects.filter(run=run, item__question_id="q0").update(
        strict=None, soft=None, executed=None, outcome="unscored"
    )
    boards_catch_up()
    assert len(order(release)) == 1
    release.items.update(set_aside="")
    standings_refresh(release, Condition.WITH_EVIDENCE)
    assert order(release) == []


def test_a_submission_to_the_release_does_not_wait_for_its_ranking(transactional_db: None) -> None:
    release = live_release()
    done = threading.Event()

    def send() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '2s'")
            submission_create(
                owner=user("bob"), release=release, entry="sent", file=prediction_file({"q0": "x"}), file_name="p.jsonl"
            )
        connection.close()
        done.set()

    with transaction.atomic():
        standings_refresh(release, Condition.WITH_EVIDENCE)
        thread = threading.Thread(target=send)
        thread.start()
        thread.join()
    assert done.is_set()


def together(works: list[Callable[[], Any]]) -> list[Any]:
    """Do all at the same moment, each over a connection of its own."""
    results: list[Any] = []
    start = threading.Barrier(len(works))

    def run(what: Callable[[], Any]) -> None:
        try:
            start.wait()
            results.append(what())
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(what,)) for what in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


def finish(run: Run) -> int:
    """What a worker does when a run has nothing left to judge."""
    run_finish_if_done(run.pk)
    return boards_catch_up(run.pk)


def test_of_runs_that_finish_at_once_none_is_lost_and_each_owner_is_told_once(transactional_db: None) -> None:
    release = live_release()
    runs = [entered(release, f"e{number}", right=number % 5) for number in range(6)]
    published = together([partial(finish, run) for run in runs])
    assert len(published) == 6
    # A worker that found another one at it has left its run to that one, which looks again.
    assert sum(published) == 6
    assert not Run.objects.filter(unranked=True).exists()
    # Of 0, 1, 2, 3, 4 and again 0 items that are right.
    assert [(position, rank) for position, rank, _ in order(release)] == [
        (1, 1),
        (2, 2),
        (3, 3),
        (4, 4),
        (5, 5),
        (6, 5),
    ]
    assert Notice.objects.count() == 6


def test_a_worker_leaves_a_board_to_the_one_that_is_ranking_it(transactional_db: None) -> None:
    release = live_release()
    run = ended(release, "waits")
    with transaction.atomic():
        Release.objects.select_for_update(no_key=True).get(pk=release.pk)
        assert together([lambda: boards_catch_up(run.pk)]) == [0]
    assert boards_catch_up(run.pk) == 1


def test_the_two_conditions_of_a_submission_that_finish_at_once_have_one_gain(transactional_db: None) -> None:
    release = live_release()
    made = submission(release, conditions=tuple(Condition))
    runs = [judged(run) for run in made.runs.all()]
    together([partial(finish, run) for run in runs])
    assert EvidenceGain.objects.filter(submission=made).count() == 1
    assert Standing.objects.filter(run__submission=made).count() == 2
    assert Notice.objects.count() == 1


@given(
    steps=st.lists(
        st.tuples(st.sampled_from(["ends", "dies", "ranking fails", "sweep"]), st.integers(0, 4)),
        min_size=1,
        max_size=6,
    )
)
@settings(deadline=None, max_examples=15, suppress_health_check=list(HealthCheck))
def test_after_a_sweep_in_peace_every_finished_run_has_its_place(steps: list[tuple[str, int]]) -> None:
    savepoint = transaction.savepoint()
    release = live_release()
    finished: list[tuple[int, int]] = []
    for what, right in steps:
        if what == "sweep":
            sweep()
            continue
        run = ended(release, f"e{len(finished)}", right=right)
        finished.append((-right, run.pk))
        with pytest.MonkeyPatch.context() as patch:
            if what == "ranking fails":
                patch.setattr(REFRESHED, _broken)
            if what != "dies":
                boards_catch_up(run.pk)
    sweep()
    rows = Standing.objects.filter(release=release).order_by("position").values_list("run_id", flat=True)
    assert list(rows) == [run_id for _, run_id in sorted(finished)]
    assert not Run.objects.filter(unranked=True).exists()
    assert Notice.objects.count() == len(finished)
    transaction.savepoint_rollback(savepoint)


def _broken(*_: Any) -> None:
    raise DatabaseError("no space left on device")
