"""Asking a model for a run: made, leased, replies stored, and its end, which hands the run over to scoring."""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from benchmark_data.errors import InfrastructureError
from evaluation.generation.types import Ending, GenerationReport, Reply
from evaluation.types import Condition
from leaderboard.clock import database_now
from leaderboard.models.events import EventKind
from leaderboard.models.generations import Generation, GenerationState, StoredReply
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Prediction, Submission
from leaderboard.queue import GENERATE, publish
from leaderboard.selectors.generations import due_generations, run_item_keys
from leaderboard.services.events import event_record
from leaderboard.services.runs import account_of, batches_create, database_sizes, resume_pause, run_deadline, run_fail

MOST_ROUNDS: Final = 5
"""After so many rounds an item that was never answered, while others were, gets a named reason instead."""


class GenerationLostError(InfrastructureError):
    """Another worker has the generation, or the run has ended: stop, and store nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GenerationLease:
    """A claimed generation, and the proof that it is ours."""

    run_id: int
    token: uuid.UUID


def generation_create(submission: Submission, condition: Condition) -> Run:
    """Queue the asking for one condition and wake the workers; batches are made when the replies are in."""
    items = submission.release.items.filter(set_aside="").count()
    now = database_now()
    run = Run.objects.create(
        submission=submission,
        condition=condition,
        state=RunState.GENERATING,
        account=account_of(submission),
        deadline=generation_deadline(items),
    )
    Generation.objects.create(run=run, not_before=now)
    event_record(run.pk, kind=EventKind.QUEUED, data={"items": items})
    publish(GENERATE, times=1, expires=settings.WAKE_SECONDS)
    return run


def generation_deadline(items: int) -> datetime:
    """When a run that a model is asked for has to have ended: scoring's own time, and more for each item."""
    return run_deadline(database_now(), items=items) + timedelta(seconds=settings.GENERATION_ITEM_SECONDS * items)


@transaction.atomic
def generation_claim(*, worker: str) -> GenerationLease | None:
    """Lease the next due generation; None where there is nothing to do now.

    Of one submission only one run is asked for at a time, because both share its budget.
    """
    now = database_now()
    generation = due_generations(now).select_for_update(skip_locked=True, of=("self",)).first()
    if generation is None:
        return None
    # Locked in the order of submissions, so that of two workers only one takes a submission's run.
    submission = Submission.objects.select_for_update(no_key=True, of=("self",)).get(runs=generation.run_id)
    busy = Generation.objects.filter(run__submission=submission, state=GenerationState.LEASED).exclude(pk=generation.pk)
    if busy.exists():
        return None
    lease = GenerationLease(run_id=generation.run_id, token=uuid.uuid4())
    Generation.objects.filter(pk=generation.pk).update(
        state=GenerationState.LEASED,
        lease=lease.token,
        leased_until=now + timedelta(seconds=settings.BATCH_LEASE_SECONDS),
        worker=worker[:200],
    )
    started = Run.objects.filter(pk=lease.run_id, started_at=None).update(started_at=now)
    event_record(lease.run_id, kind=EventKind.ASKING if started else EventKind.CLAIMED, detail=f"by {worker}")
    return lease


def generation_extend(lease: GenerationLease) -> bool:
    """Keep a lease alive; False where it is no longer ours, or the run was cancelled."""
    until = database_now() + timedelta(seconds=settings.BATCH_LEASE_SECONDS)
    return _ours(lease).filter(run__state=RunState.GENERATING).update(leased_until=until) == 1


def _ours(lease: GenerationLease) -> QuerySet[Generation]:
    return Generation.objects.filter(run_id=lease.run_id, lease=lease.token, state=GenerationState.LEASED)


def _locked(lease: GenerationLease) -> Generation:
    """Our generation, locked after its run; GenerationLostError where it is not ours any more."""
    run = Run.objects.select_for_update(of=("self",), no_key=True).filter(pk=lease.run_id).first()
    generation = _ours(lease).select_for_update(of=("self",)).select_related("run__submission__release").first()
    if run is None or generation is None or run.state != RunState.GENERATING:
        raise GenerationLostError(f"run {lease.run_id}: the lease of its generation is lost")
    return generation


@transaction.atomic
def replies_store(lease: GenerationLease, replies: Sequence[Reply]) -> None:
    """Keep replies for good, together; one that is there already stays as it is.

    Replies that were paid for are kept even where the run has been cancelled meanwhile.

    Raises:
        GenerationLostError: another worker has the generation.
    """
    if not _ours(lease).exists():
        raise GenerationLostError(f"run {lease.run_id}: the lease of its generation is lost")
    keys = run_item_keys(lease.run_id, [reply.question_id for reply in replies])
    StoredReply.objects.bulk_create(
        [_row(lease.run_id, keys[reply.question_id], reply) for reply in replies], ignore_conflicts=True
    )
    if any(reply.usage.tokens for reply in replies):
        Generation.objects.filter(run_id=lease.run_id, outages__gt=0).update(outages=0)


def _row(run_id: int, item_id: int, reply: Reply) -> StoredReply:
    return StoredReply(
        run_id=run_id,
        item_id=item_id,
        number=reply.number,
        is_final=reply.is_final,
        text=storable(reply.text),
        reason=reply.reason or "",
        message=storable(reply.message)[:500],
        error=storable(reply.error),
        calls=reply.calls,
        prompt_digest=reply.prompt_digest,
        finish_reason=storable(reply.finish_reason)[:40],
        model=storable(reply.model)[:200],
        prompt_tokens=reply.usage.prompt_tokens,
        completion_tokens=reply.usage.completion_tokens,
        reasoning_tokens=reply.usage.reasoning_tokens,
        tokens_estimated=reply.usage.estimated,
        cost=reply.usage.cost,
        milliseconds=reply.milliseconds,
        asked_at=reply.asked_at,
    )


def storable(text: str) -> str:
    """The text without what PostgreSQL cannot hold: NUL, and halves of surrogate pairs of a reply that was cut."""
    return text.replace("\0", "\ufffd").encode("utf-8", errors="replace").decode()


@transaction.atomic
def generation_pause(lease: GenerationLease) -> None:
    """Give a generation back in the middle, so that others have their turn."""
    _ours(lease).update(state=GenerationState.QUEUED, lease=None, leased_until=None, not_before=database_now())
    publish(GENERATE, expires=settings.WAKE_SECONDS)


@transaction.atomic
def generation_hand_back(lease: GenerationLease, *, reason: str) -> None:
    """Give a generation back after a fault on our side, to be taken up again after a pause."""
    try:
        generation = _locked(lease)
    except GenerationLostError:
        return
    _requeue(generation, kind=EventKind.HANDED_BACK, reason=reason)


def _requeue(generation: Generation, *, kind: EventKind, reason: str) -> timedelta:
    pause = resume_pause(generation.outages)
    Generation.objects.filter(pk=generation.pk).update(
        state=GenerationState.QUEUED,
        lease=None,
        leased_until=None,
        outages=generation.outages + 1,
        not_before=database_now() + pause,
        message=reason[:500],
    )
    event_record(generation.run_id, kind=kind, detail=reason, data={"again_in_seconds": int(pause.total_seconds())})
    return pause


@transaction.atomic
def generation_end(lease: GenerationLease, report: GenerationReport, *, prompts_digest: str) -> None:
    """Settle how a generation ended: on to scoring, refused, or down and to be taken up again.

    Args:
        lease: ours.
        report: of the asking.
        prompts_digest: over the prompts of all items.

    Raises:
        GenerationLostError: it is no longer ours.
    """
    generation = _locked(lease)
    match report.ending:
        case Ending.DONE | Ending.BUDGET:
            _to_scoring(generation, report, prompts_digest=prompts_digest)
        case Ending.UNANSWERED if generation.rounds + 1 >= MOST_ROUNDS:
            _to_scoring(generation, report, prompts_digest=prompts_digest)
        case Ending.REFUSED:
            _close(generation, report.message, refused=True)
            run_fail(generation.run_id, reason=f"The model endpoint refused: {report.message}")
        case Ending.UNANSWERED | Ending.UNAVAILABLE:
            Generation.objects.filter(pk=generation.pk).update(rounds=F("rounds") + 1)
            _incomplete(generation, report)
        case Ending.STOPPED:
            generation_pause(lease)


def _close(generation: Generation, message: str, *, refused: bool = False) -> None:
    Generation.objects.filter(pk=generation.pk).update(
        state=GenerationState.DONE, lease=None, leased_until=None, message=message[:500], refused=refused
    )


def _to_scoring(generation: Generation, report: GenerationReport, *, prompts_digest: str) -> None:
    """Make predictions of the final replies, and batches that judge them."""
    run = generation.run
    final = StoredReply.objects.filter(run=run, is_final=True).exclude(text="")
    Prediction.objects.bulk_create(
        (
            Prediction(submission=run.submission, item_id=item_id, condition=run.condition, text=text)
            for item_id, text in final.values_list("item_id", "text").iterator()
        ),
        batch_size=2000,
        ignore_conflicts=True,
    )
    Generation.objects.filter(pk=generation.pk).update(prompts_digest=prompts_digest)
    _close(generation, report.message)
    Run.objects.filter(pk=run.pk).update(state=RunState.SCORING)
    data = {"unanswered": report.unanswered}
    event_record(run.pk, kind=EventKind.ASKED, detail=report.message, data=data)
    batches_create(run, database_sizes(run.submission))


def _incomplete(generation: Generation, report: GenerationReport) -> None:
    """End the run for now; `generations_resume` takes it up again."""
    pause = _requeue(generation, kind=EventKind.ENDPOINT_DOWN, reason=report.message)
    now = database_now()
    reason = f"The model endpoint did not answer: {report.message} It is asked again by itself."
    Run.objects.filter(pk=generation.run_id).update(
        state=RunState.INCOMPLETE, reason=reason[:500], ended_at=now, resume_at=now + pause
    )
    event_record(generation.run_id, kind=EventKind.INCOMPLETE, detail=reason, data={"unanswered": report.unanswered})
