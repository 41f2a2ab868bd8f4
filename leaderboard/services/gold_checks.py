"""Keeping what checks of gold found, and giving incomplete runs another chance when failed gold works again."""

from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef
from django.utils import timezone

from evaluation.gold_check import GoldCheckResult
from evaluation.score import GOLD_FAILED
from evaluation.types import Outcome
from leaderboard.clock import database_now
from leaderboard.models.gold_checks import GoldCheck, GoldFinding
from leaderboard.models.releases import GoldAnswer, Release
from leaderboard.models.runs import ItemScore, Run
from leaderboard.models.states import RunState
from leaderboard.selectors.schedule import LONGEST_PAUSE
from leaderboard.services.releases import gold_pause
from leaderboard.services.runs import resume_pause, run_reopen

DETAIL_CHARACTERS = 500
REOPENED = "The gold of items that could not be judged works again."


@transaction.atomic
def gold_check_store(release: Release, *, engine: str, result: GoldCheckResult, seconds: float) -> GoldCheck:
    """Keep a check with its findings."""
    check = GoldCheck.objects.create(
        release=release,
        engine=engine,
        checked_at=timezone.now(),
        items=result.items,
        equal=result.equal,
        seconds=seconds,
    )
    ids = dict(release.items.values_list("question_id", "pk"))
    GoldFinding.objects.bulk_create(
        GoldFinding(
            check_run=check,
            item_id=ids[finding.question_id],
            kind=finding.kind,
            # PostgreSQL holds no null character.
            detail=finding.detail[:DETAIL_CHARACTERS].replace("\0", "\ufffd"),
        )
        for finding in result.findings
    )
    return check


@transaction.atomic
def failed_gold_claim(*, engine: str) -> GoldAnswer | None:
    """Take the failed gold that has been due for longest, or None; nobody else takes it meanwhile.

    Gold of items that were set aside, and of releases that are not live, is left alone.
    """
    now = database_now()
    answer = (
        GoldAnswer.objects.select_for_update(skip_locked=True, of=("self",))
        .select_related("item__database")
        .filter(engine=engine, item__set_aside="", item__release__live_at__isnull=False, retry_at__lte=now)
        .exclude(failure="")
        .order_by("retry_at")
        .first()
    )
    if answer is not None:
        GoldAnswer.objects.filter(pk=answer.pk).update(retry_at=now + gold_pause(answer.failures + 1))
    return answer


def runs_reopen(*, engine: str) -> int:
    """Reopen the incomplete runs that have items without a score whose gold does not fail on an engine; how many.

    The first time at once, then after a pause that grows: gold that is kept, and still cannot be used, must not reopen
    a run in every round. It is found by what is kept, not by a message or by comparing times: gold may have been
    computed anew by any worker, on any run, just before or after this run's own items were stored.

    Args:
        engine: that items are judged on now; a run that met failing gold on another engine is judged on this one.
    """
    fails = GoldAnswer.objects.filter(item=OuterRef("item"), engine=engine).exclude(failure="")
    waiting = (
        ItemScore.objects.filter(
            ~Exists(fails),
            run__state=RunState.INCOMPLETE,
            outcome=Outcome.UNSCORED,
            reason=GOLD_FAILED,
            item__set_aside="",
        )
        .values_list("run_id", "run__resumptions", "run__ended_at", F("item__database_id"))
        .distinct()
    )
    databases: dict[int, set[int]] = {}
    now = database_now()
    for run_id, resumptions, ended_at, database_id in waiting:
        if (
            not resumptions
            or ended_at is None
            or not timedelta() < ended_at + resume_pause(resumptions) - now <= LONGEST_PAUSE
        ):
            databases.setdefault(run_id, set()).add(database_id)
    return sum(run_reopen(run_id, database_ids=ids, reason=REOPENED) for run_id, ids in databases.items())


def runs_without_gold(release: Release) -> int:
    """How many runs of a release are incomplete because some gold does not work."""
    return (
        Run.objects.filter(submission__release=release, state=RunState.INCOMPLETE, item_scores__reason=GOLD_FAILED)
        .distinct()
        .count()
    )
