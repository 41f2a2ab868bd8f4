"""What follows from the end of a run: refunds, notices, and calls of webhooks."""

from collections.abc import Sequence

from leaderboard.models.quota import QuotaReason
from leaderboard.models.runs import Run
from leaderboard.models.states import ACTIVE_RUN_STATES, RunState
from leaderboard.models.submissions import Submission
from leaderboard.services.notices import submission_ended_notice
from leaderboard.services.quota import quota_refund
from leaderboard.services.webhooks import submission_ended_call

OUR_FAULTS = frozenset({RunState.FAILED, RunState.INCOMPLETE})
"""A run fails when its deadline passes and is incomplete when items stay unjudged: neither is the submitter's doing."""


def run_ended(run_id: int) -> None:
    """Settle what the end of a run leads to; call it in the transaction that ended the run, or that ranked it.

    The owner is told when all runs have ended, and those that finished have their rank.
    The submission's row is locked, so that of two runs that end at once the second one sees the first.
    """
    submission = (
        Submission.objects.select_for_update(no_key=True, of=("self",))
        .select_related("owner", "release")
        .get(runs=run_id)
    )
    runs = list(submission.runs.select_related("standing", "generation"))
    ours = [run for run in runs if run.state in OUR_FAULTS and not endpoint_refused(run)]
    reason = refund_reason(runs, ours=ours)
    if reason is not None:
        quota_refund(submission, reason=reason)
    if any(run.state in ACTIVE_RUN_STATES or run.unranked for run in runs):
        return
    states = ",".join(f"{run.condition}:{run.state}" for run in runs)
    if states == submission.told_states:
        # An incomplete run that was taken up again and is still incomplete is no news, however often.
        return
    Submission.objects.filter(pk=submission.pk).update(told_states=states)
    submission_ended_notice(submission, runs, ours=bool(ours))
    submission_ended_call(submission, runs)


def refund_reason(runs: Sequence[Run], *, ours: Sequence[Run]) -> QuotaReason | None:
    """Why the charge of a submission with these runs is given back, or None; `ours` are those that we failed.

    Predictions that fail to run are judged like any others and count: free failures would invite endless probing
    (codabench issue 1128).
    """
    if ours:
        return QuotaReason.OUR_FAULT
    if all(run.state == RunState.CANCELLED and run.started_at is None for run in runs):
        return QuotaReason.CANCELLED_BEFORE_START
    return None


def endpoint_refused(run: Run) -> bool:
    """Whether the run failed because the submitter's endpoint refused: a wrong key, say, is no fault of ours."""
    return run.state == RunState.FAILED and hasattr(run, "generation") and run.generation.refused
