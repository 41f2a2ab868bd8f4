"""Ending of runs: report, state and standings change in one transaction."""

from django.db import transaction
from django.utils import timezone

from benchmark_data.types import Difficulty
from evaluation.aggregate import ItemFacts, aggregate
from evaluation.types import Condition, Diagnostics, Outcome, Verdict
from leaderboard.models.releases import Release
from leaderboard.models.runs import Batch, ItemScore, Run
from leaderboard.models.states import ACTIVE_RUN_STATES, OPEN_BATCH_STATES, BatchState, RunState, sources
from leaderboard.models.submissions import Submission
from leaderboard.services.standings import standings_refresh


@transaction.atomic
def run_finish_if_done(run_id: int) -> bool:
    """End a run whose batches are all closed; True where this call ended it."""
    run = Run.objects.select_for_update(of=("self",)).select_related("submission__release").filter(pk=run_id).first()
    if run is None or run.state not in ACTIVE_RUN_STATES or run.batches.filter(state__in=OPEN_BATCH_STATES).exists():
        return False
    release = run.submission.release
    report = aggregate(run_verdicts(run), items=track_items(release))
    complete = not run.batches.filter(state=BatchState.ABANDONED).exists() and report.unscored == 0
    run.state = RunState.FINISHED if complete else RunState.INCOMPLETE
    run.reason = "" if complete else _incompleteness(run)
    run.report = report.as_json()
    run.ended_at = timezone.now()
    run.save(update_fields=["state", "reason", "report", "ended_at"])
    if complete:
        standings_refresh(release, Condition(run.condition))
    return True


def _incompleteness(run: Run) -> str:
    batch = run.batches.filter(state=BatchState.ABANDONED).first()
    why = batch.reason if batch else "the gold of some items cannot be used on this engine"
    return f"Some items could not be judged, through no fault of the submission: {why}"[:500]


def track_items(release: Release) -> tuple[ItemFacts, ...]:
    """The items that count: all but those set aside by the organisers."""
    rows = release.items.filter(set_aside="").values_list("question_id", "database__db_id", "difficulty")
    return tuple(
        ItemFacts(question_id=question_id, db_id=db_id, difficulty=Difficulty(difficulty))
        for question_id, db_id, difficulty in rows
    )


def run_verdicts(run: Run) -> tuple[Verdict, ...]:
    """The stored verdicts of a run on the items that count; items without one are unscored."""
    rows = (
        ItemScore.objects.filter(run=run, item__set_aside="")
        .order_by("item__position")
        .values_list("item__question_id", "outcome", "executed", "soft", "strict", "reason", "milliseconds")
    )
    judged = {
        row[0]: Verdict(
            question_id=row[0],
            outcome=Outcome(row[1]),
            executed=row[2],
            soft=row[3],
            strict=row[4],
            reason=row[5],
            milliseconds=row[6],
            diagnostics=Diagnostics(),
        )
        for row in rows
    }
    ids = run.submission.release.items.filter(set_aside="").values_list("question_id", flat=True)
    return tuple(judged.get(question_id) or _unjudged(question_id) for question_id in ids)


def _unjudged(question_id: str) -> Verdict:
    return Verdict(
        question_id=question_id,
        outcome=Outcome.UNSCORED,
        executed=None,
        soft=None,
        strict=None,
        reason="infrastructure",
        message="This item could not be judged, through no fault of the submission.",
    )


@transaction.atomic
def run_fail(run_id: int, *, reason: str) -> bool:
    """End a run without a score for a reason that is shown; True where this call ended it."""
    changed = Run.objects.filter(pk=run_id, state__in=sources(RunState.FAILED)).update(
        state=RunState.FAILED, reason=reason[:500], ended_at=timezone.now()
    )
    if changed:
        Batch.objects.filter(run_id=run_id, state__in=OPEN_BATCH_STATES).update(
            state=BatchState.ABANDONED, lease=None, leased_until=None
        )
    return changed == 1


@transaction.atomic
def run_cancel(run_id: int) -> bool:
    """End a run at its owner's wish; True where this call ended it."""
    changed = Run.objects.filter(pk=run_id, state__in=sources(RunState.CANCELLED)).update(
        state=RunState.CANCELLED, reason="Cancelled by its owner.", ended_at=timezone.now()
    )
    if changed:
        Batch.objects.filter(run_id=run_id, state__in=OPEN_BATCH_STATES).update(
            state=BatchState.ABANDONED, lease=None, leased_until=None
        )
    return changed == 1


def submission_cancel(submission: Submission) -> int:
    """End every run of a submission that has not ended; how many this call ended."""
    return sum(run_cancel(run_id) for run_id in submission.runs.values_list("pk", flat=True))
