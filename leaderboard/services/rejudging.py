"""Judging finished runs again where the scorer, or the engine, is another by now."""

from django.db import transaction
from django.db.models import Q, QuerySet

from leaderboard.clock import database_now
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.states import RunState
from leaderboard.services.runs import batches_create, database_sizes, run_deadline


def runs_outdated(*, scorer: str, engine: str | None = None, release: Release | None = None) -> QuerySet[Run]:
    """Finished runs that something else has judged, and that are not judged again already; the newest release first.

    Runs of corrected releases are left alone: their boards are kept as they were.

    Args:
        scorer: version and digest of the scorer.
        engine: name and version of the engine; None for any.
        release: None for all.
    """
    other = ~Q(scorer=scorer) if engine is None else ~Q(scorer=scorer, engine=engine)
    runs = Run.objects.filter(
        other, state=RunState.FINISHED, replacement=None, submission__release__corrected_by=None
    ).exclude(scorer="")
    if release is not None:
        runs = runs.filter(submission__release=release)
    return runs.order_by("-submission__release__live_at", "pk")


@transaction.atomic
def run_rejudge(run_id: int) -> Run | None:
    """Queue the judging of a finished run's predictions anew; its scores stay until all of the new ones are there.

    Returns None where it is being done already, or the run is not finished.
    """
    runs = Run.objects.select_for_update(of=("self",), no_key=True).select_related("submission__release")
    run = runs.filter(pk=run_id, state=RunState.FINISHED).first()
    if run is None or Run.every.filter(replaces=run).exists():
        return None
    sizes = database_sizes(run.submission)
    made = Run.every.create(
        submission=run.submission,
        condition=run.condition,
        replaces=run,
        account=run.account,
        background=True,
        deadline=run_deadline(database_now(), items=sum(sizes.values())),
    )
    batches_create(made, sizes)
    return made


def runs_rejudge(*, scorer: str, at_once: int) -> int:
    """Queue outdated runs until so many are judged again at once; how many this call queued."""
    busy = Run.every.filter(replaces__isnull=False).exclude(state=RunState.INCOMPLETE).count()
    wanted = runs_outdated(scorer=scorer).values_list("pk", flat=True)[: max(0, at_once - busy)]
    return sum(run_rejudge(run_id) is not None for run_id in list(wanted))
