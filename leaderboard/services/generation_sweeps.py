"""Finds what was left behind of generations, and moves it on."""

from datetime import timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q

from leaderboard.clock import database_now, is_up
from leaderboard.models.events import EventKind
from leaderboard.models.generations import Generation, GenerationState
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.queue import GENERATE, publish
from leaderboard.selectors.generations import due_generations
from leaderboard.selectors.schedule import LONGEST_PAUSE
from leaderboard.services.events import event_record
from leaderboard.services.generations import generation_deadline


def generations_resume() -> int:
    """Take incomplete runs up again whose model is still to be asked and whose pause is over; how many."""
    is_due = is_up("resume_at", database_now(), longest=LONGEST_PAUSE)
    due = Run.objects.filter(is_due, state=RunState.INCOMPLETE).exclude(
        Q(generation=None) | Q(generation__state=GenerationState.DONE)
    )
    return sum(_resume(run_id) for run_id in due.values_list("pk", flat=True))


@transaction.atomic
def _resume(run_id: int) -> bool:
    run = Run.objects.select_for_update(of=("self",), no_key=True).select_related("submission__release").get(pk=run_id)
    if run.state != RunState.INCOMPLETE:
        return False
    items = run.submission.release.items.filter(set_aside="").count()
    Run.objects.filter(pk=run_id).update(
        state=RunState.GENERATING,
        ended_at=None,
        resume_at=None,
        reason="",
        resumptions=F("resumptions") + 1,
        deadline=generation_deadline(items),
    )
    event_record(run_id, kind=EventKind.RESUMED, detail="The model is asked for what is missing.")
    return True


@transaction.atomic
def generations_requeue() -> int:
    """Queue generations again whose worker stopped answering; how many."""
    lease = timedelta(seconds=settings.BATCH_LEASE_SECONDS)
    lapsed = Generation.objects.select_for_update(skip_locked=True, of=("self",)).filter(
        is_up("leased_until", database_now(), longest=lease), state=GenerationState.LEASED
    )
    generations = list(lapsed)
    for generation in generations:
        Generation.objects.filter(pk=generation.pk).update(
            state=GenerationState.QUEUED, lease=None, leased_until=None, not_before=database_now()
        )
        reason = f"worker {generation.worker} stopped answering"
        event_record(generation.run_id, kind=EventKind.LEASE_LAPSED, detail=reason)
    return len(generations)


def generations_sweep() -> int:
    """Move on what was left behind, and wake workers for what is due; gives the number of due generations."""
    generations_requeue()
    generations_resume()
    due = due_generations(database_now()).count()
    with transaction.atomic():
        publish(GENERATE, times=min(due, 4), expires=settings.WAKE_SECONDS)
    return due
