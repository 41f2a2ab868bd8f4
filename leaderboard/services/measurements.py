"""Keeping what is measured beside the scores: what asking a model took, and what evidence adds."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet
from numpy.typing import NDArray

from benchmark_data.errors import BenchmarkError
from evaluation.aggregate import ItemFacts
from evaluation.packing import order_digest, verdicts_unpack
from evaluation.stats import gain_between
from evaluation.types import Condition
from leaderboard.models.endpoints import ModelEndpoint, ModelFacts
from leaderboard.models.measurements import EvidenceGain, RunUsage
from leaderboard.models.releases import Release
from leaderboard.models.runs import Run
from leaderboard.models.standings import RunFigures
from leaderboard.models.states import RunState
from leaderboard.models.submissions import Submission
from leaderboard.selectors.usage import KEPT, UsageView, replies_usage, runs_usage

MOST_GAINS: Final = 50
"""Computed at once: submissions from before gains were kept are taken up little by little."""


def measurements_refresh(release: Release, items: Sequence[ItemFacts]) -> None:
    """Keep the usage of finished runs, and the gain of submissions finished in both conditions, that have none yet.

    Both stay as they are: replies and verdicts of a finished run do not change.

    Args:
        release: the figures of its finished runs are kept.
        items: those that count, in their order.
    """
    finished = Run.objects.filter(submission__release=release, state=RunState.FINISHED)
    asked = finished.filter(generation__isnull=False, usage=None).values_list("pk", flat=True)
    _usage_keep(replies_usage(list(asked)))
    EvidenceGain.objects.bulk_create(_gains(release, items), ignore_conflicts=True)


def _usage_keep(usages: dict[int, UsageView]) -> None:
    rows = [
        RunUsage(run_id=run_id, repairs=dict(usage.repairs), **{name: getattr(usage, name) for name in KEPT})
        for run_id, usage in usages.items()
    ]
    RunUsage.objects.bulk_create(rows, ignore_conflicts=True)


def _without_gain(release: Release, order: str) -> QuerySet[Submission]:
    # As a join with nothing on its other side, the same would be thought to leave one row, and joined row by row.
    waiting = Submission.objects.filter(
        ~Exists(EvidenceGain.objects.filter(submission=OuterRef("pk"))), release=release
    )
    for condition in Condition:
        # Each filter is a join of its own: there must be a run of either condition.
        waiting = waiting.filter(runs__condition=condition, runs__state=RunState.FINISHED, runs__figures__order=order)
    return waiting.order_by("-created_at")


def _gains(release: Release, items: Sequence[ItemFacts]) -> list[EvidenceGain]:
    waiting = list(_without_gain(release, order_digest(item.question_id for item in items))[:MOST_GAINS])
    rows = RunFigures.objects.filter(run__submission__in=waiting)
    packed = {(key, condition): strict for key, condition, strict in rows.values_list(*_SIDE)}
    clusters = [item.db_id for item in items]
    return [
        _gain(
            submission,
            [verdicts_unpack(bytes(packed[submission.pk, side]), items=len(items)) for side in Condition],
            clusters,
        )
        for submission in waiting
    ]


_SIDE: Final = ("run__submission_id", "run__condition", "strict")


def _gain(submission: Submission, both: Sequence[NDArray[np.bool_]], clusters: Sequence[str]) -> EvidenceGain:
    """Paired by item and clustered by database; `both` are the verdicts with and without evidence."""
    gain = gain_between(*both, clusters=clusters)
    found = gain.difference
    if found.value is None:
        raise BenchmarkError("a finished run was judged on some item")
    # Where no database differs from another (nothing right at all, say), an interval of no width would claim certainty.
    varies = found.low != found.high
    return EvidenceGain(
        submission=submission,
        n=found.n,
        value=found.value,
        low=found.low if varies else None,
        high=found.high if varies else None,
        with_only=gain.comparison.first_only,
        without_only=gain.comparison.second_only,
        p_value=gain.comparison.p_value,
    )


def model_carry_over(old: Submission, new: Submission) -> None:
    """Let a submission that is scored again keep what was said of its model, and what asking it took; no key."""
    for endpoint in ModelEndpoint.objects.filter(submission=old):
        ModelEndpoint.objects.create(submission=new, **_fields(endpoint, without={"key"}))
    for facts in ModelFacts.objects.filter(submission=old):
        ModelFacts.objects.create(submission=new, **_fields(facts))
    before = {run.condition: run.pk for run in old.runs.all()}
    usages = runs_usage(list(before.values()))
    earlier = {run.pk: usages.get(before.get(run.condition, 0)) for run in new.runs.all()}
    _usage_keep({run_id: usage for run_id, usage in earlier.items() if usage is not None})


def _fields(row: ModelEndpoint | ModelFacts, *, without: Iterable[str] = ()) -> dict[str, Any]:
    left_out = {"id", "submission", *without}
    return {field.name: getattr(row, field.name) for field in row._meta.concrete_fields if field.name not in left_out}
